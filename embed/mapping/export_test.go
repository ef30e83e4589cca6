package mapping

import "slices"

// Check reports what is wrong with a placement, and with the running totals of a
// walk of many steps from it: moves and swaps at a temperature, each compared
// with counting anew.
func Check(p *Problem, place []int32, steps int, temperature float64, seed uint64) (string, error) {
	t, err := newInstance(p)
	if err != nil {
		return "", err
	}
	own := make([]int32, t.g.Vertices())
	for v, q := range place {
		if t.vertexOf == nil {
			own[v] = q
		} else {
			own[t.vertexOf[v]] = q
		}
	}
	s := newState(t, own)
	w := newAnnealer(s, t.nearPlaces(neighbourhood), neighbourhood, newRandom(seed, 1))
	for range steps {
		if len(w.free) == 0 {
			break
		}
		before := w.sum
		w.steps(temperature, 1)
		if w.sum == before && steps > 100 {
			continue
		}
		if sum := ScoreOf(p.Graph, p.Costs, t.expand(w.place)).Sum; sum != w.sum {
			return "the sum is not what the steps add up to", nil
		}
		if !t.feasible(w.place) {
			return "a step broke a rule", nil
		}
		if w.grid != nil {
			q, anew := w.grid.positions, newPositions(t, w.place)
			if !slices.Equal(q.at, anew.at) || !slices.Equal(q.near, anew.near) {
				return "the positions are not where the steps lead", nil
			}
			if err := w.grid.lists(); err != "" {
				return err, nil
			}
			continue
		}
		for v := range w.vertexCost {
			if w.vertexCost[v] != w.cost(int32(v), w.place[v]) {
				return "the cost of a vertex is not what the steps add up to", nil
			}
		}
	}
	return "", nil
}

// lists reports whether the lists of what stands where are wrong.
func (g *gridAnnealer) lists() string {
	count := make([]int32, len(g.count))
	for v, p := range g.place {
		count[p]++
		i := int(g.index[v])
		if i/g.perPlace != int(p) || i%g.perPlace >= int(g.count[p]) || g.occupants[i] != int32(v) {
			return "a list does not have what stands there"
		}
	}
	if !slices.Equal(count, g.count) {
		return "a load is not what the steps add up to"
	}
	return ""
}

// OnGrid reports whether steps are taken by the positions of neighbours.
func OnGrid(p *Problem) bool {
	t, err := newInstance(p)
	return err == nil && t.onGrid()
}

// Distances is the kernel of steps on a grid.
func Distances(v, u []uint16, a, b uint16) int { return distances(v, u, a, b) }

// DistancesInLine is that of lists of 32 positions each, which are in cache lines if the processor can look at one at a
// time.
func DistancesInLine(v, u []uint16, a, b uint16) int {
	if !hasCacheLineKernel {
		return distances(v, u, a, b)
	}
	vLine, uLine := onCacheLine(cacheLine), onCacheLine(cacheLine)
	copy(vLine, v)
	copy(uLine, u)
	return distancesInLine(&vLine[0], &uLine[0], a, b)
}
