package mapping

import (
	"cmp"
	"math"
	"slices"
)

// Bound is a figure that the sum of no placement goes below.
type Bound struct {
	Value  int64
	Method string
}

// LowerBound returns the best of the bounds on the sum:
//
//   - packing: the neighbours of a vertex cannot all stand nearer than the
//     nearest places have room for; over all vertices, halved. For every class of
//     edges the dearer edges get the nearer places.
//   - spectral: for taxicab costs. Between two neighbouring columns of places, or
//     rows, a line cuts the vertices in two sets of s and n-s, and at least
//     lambda_2 s (n-s) / n of the weight crosses it (M. Fiedler, "Algebraic
//     connectivity of graphs", Czechoslovak Math. J. 23, 1973); an edge costs the
//     lines that it crosses. The sizes are those that cost least under the
//     capacities. For a partition likewise, with the parts for lines.
//
// A bound holds for every placement that keeps the capacities, whatever the
// other rules.
func LowerBound(p *Problem) (Bound, error) {
	t, err := newTask(p)
	if err != nil {
		return Bound{}, err
	}
	best := Bound{Value: t.packingBound(), Method: "packing"}
	if v, ok := t.spectralBound(); ok && v > best.Value {
		best = Bound{Value: v, Method: "spectral"}
	}
	return best, nil
}

// packingBound is the packing bound.
func (t *task) packingBound() int64 {
	n, places := t.g.Vertices(), t.costs.places
	if places > 1<<12 {
		return 0 // it takes the square of their number
	}
	room := t.roomFor()
	classes := t.classesUsed()
	cheapest := func(p, q int32) int64 {
		least := int64(math.MaxInt64)
		for _, class := range classes {
			least = min(least, t.costs.arc(class, p, q))
		}
		return least
	}
	// The profile of a place: what its nearest places cost and hold. Vertices of
	// the same arcs share the minimum over profiles.
	type step struct{ cost, room int64 }
	bestOf := make(map[string]int64)
	var order []string
	arcs := make(map[string][]int64)
	times := make(map[string]int64)
	pin := make(map[string]int32)
	var buffer []byte
	var sorted []int64
	for v := range int32(n) {
		// Parallel edges lead to one place.
		sorted = sorted[:0]
		for k := t.g.First[v]; k < t.g.First[v+1]; k++ {
			sorted = append(sorted, k)
		}
		slices.SortFunc(sorted, func(a, b int64) int { return cmp.Compare(t.g.To[a], t.g.To[b]) })
		weights := make([]int64, 0, len(sorted))
		for i, k := range sorted {
			if i > 0 && t.g.To[k] == t.g.To[sorted[i-1]] {
				weights[len(weights)-1] += t.g.weight(k)
				continue
			}
			weights = append(weights, t.g.weight(k))
		}
		slices.SortFunc(weights, func(a, b int64) int { return cmp.Compare(b, a) })
		at := int32(-1)
		if t.pinned != nil {
			at = t.pinned[v]
		}
		buffer = appendKey(buffer[:0], int64(at))
		buffer = appendKey(buffer, weights...)
		key := string(buffer)
		if _, ok := times[key]; !ok {
			order = append(order, key)
			arcs[key], pin[key], bestOf[key] = weights, at, math.MaxInt64
		}
		times[key]++
	}
	profile := make([]step, places)
	for p := range int32(places) {
		for q := range int32(places) {
			profile[q] = step{cheapest(p, q), room[q]}
		}
		slices.SortFunc(profile, func(a, b step) int { return cmp.Compare(a.cost, b.cost) })
		for _, key := range order {
			if pin[key] >= 0 && pin[key] != p {
				continue
			}
			sum, i := int64(0), 0
			// v itself takes room on its own place; as it is not known which of the
			// equally cheap places that is, the cheapest gives way.
			left := profile[0].room
			if profile[0].cost == cheapest(p, p) {
				left--
			}
			for _, w := range arcs[key] {
				for left <= 0 && i+1 < places {
					i++
					left = addSaturated(left, profile[i].room)
				}
				left--
				sum += w * profile[i].cost
				if sum >= bestOf[key] {
					break
				}
			}
			bestOf[key] = min(bestOf[key], sum)
		}
	}
	twice := int64(0)
	for _, key := range order {
		twice += times[key] * bestOf[key]
	}
	inside := int64(0)
	for v := range t.self {
		for _, e := range t.self[v] {
			least := int64(math.MaxInt64)
			for p := range int32(places) {
				least = min(least, t.costs.arc(e.class, p, p))
			}
			inside += least * e.weight
		}
	}
	return (twice+1)/2 + inside
}

func appendKey(b []byte, values ...int64) []byte {
	for _, v := range values {
		b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24), byte(v>>32), byte(v>>40), byte(v>>48), byte(v>>56))
	}
	return b
}

// roomFor is the number of vertices that fit on each place, were all as small as
// the smallest.
func (t *task) roomFor() []int64 {
	n := int64(t.g.Vertices())
	room := make([]int64, t.costs.places)
	for p := range room {
		room[p] = n
	}
	for r := range t.resources {
		least := int64(math.MaxInt64)
		for v := range int(n) {
			least = min(least, t.size[v*t.resources+r])
		}
		if least == 0 {
			continue
		}
		for p := range room {
			room[p] = min(room[p], t.capacity[p*t.resources+r]/least)
		}
	}
	return room
}

// classesUsed lists the directed classes of arcs.
func (t *task) classesUsed() []uint8 {
	if t.g.Class == nil || t.costs.oneClass() {
		return []uint8{0}
	}
	used := slices.Clone(t.g.Class)
	slices.Sort(used)
	return slices.Compact(used)
}

// spectralBound is the spectral bound; false where the costs are of another kind
// or nothing came of it.
func (t *task) spectralBound() (int64, bool) {
	n := int64(t.g.Vertices())
	parts := t.isPartition()
	if !parts && (t.costs.tables != nil || t.costs.curves != nil || t.costs.z != nil) || n < 2 {
		return 0, false
	}
	lambda := t.g.algebraicConnectivity()
	if lambda == 0 {
		return 0, false
	}
	room := t.roomFor()
	var crossings float64 // sum of s (n-s) / n over the lines, times their widths
	if parts {
		// Least where the largest parts are full.
		slices.SortFunc(room, func(a, b int64) int { return cmp.Compare(b, a) })
		left := n
		for _, r := range room {
			s := min(r, left)
			left -= s
			crossings += float64(s) * float64(n-s) / float64(n) / 2
		}
	} else {
		for axis := range 2 {
			position := make([]int32, len(t.costs.at))
			for p, at := range t.costs.at {
				if position[p] = at.x; axis == 1 {
					position[p] = at.y
				}
			}
			crossings += leastCrossings(n, position, room)
		}
	}
	v := lambda * crossings
	return int64(math.Ceil(v - 1e-9*(1+v))), true
}

// isPartition tells whether every edge between different places costs 1 and all
// others nothing.
func (t *task) isPartition() bool {
	if len(t.costs.tables) != 1 {
		return false
	}
	for a := range t.costs.places {
		for b := range t.costs.places {
			if c := t.costs.tables[0][a*t.costs.places+b]; a == b && c != 0 || a != b && c != 1 {
				return false
			}
		}
	}
	return true
}

// leastCrossings bounds the sum over the lines between neighbouring columns of
// s (n-s) / n times the width of the line from below, where s of n vertices are
// left of it.
func leastCrossings(n int64, position []int32, room []int64) float64 {
	order := make([]int, len(position))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(position[a], position[b]) })
	var columns []int64 // room
	var gaps []float64  // before each column but the first
	for i, p := range order {
		if i > 0 && position[p] == position[order[i-1]] {
			columns[len(columns)-1] = addSaturated(columns[len(columns)-1], room[p])
			continue
		}
		if i > 0 {
			gaps = append(gaps, float64(position[p]-position[order[i-1]]))
		}
		columns = append(columns, room[p])
	}
	crossing := func(s int64) float64 { return float64(s) * float64(n-s) / float64(n) }
	if slices.Min(columns) != slices.Max(columns) || columns[0] == 0 {
		// Each line for itself; the expression is concave, so an end is least.
		sum, left, right := 0.0, int64(0), int64(0)
		for _, c := range columns {
			right = addSaturated(right, c)
		}
		for i, gap := range gaps {
			left, right = addSaturated(left, columns[i]), right-columns[i]
			sum += gap * min(crossing(min(n, left)), crossing(max(0, n-right)))
		}
		return sum
	}
	// The sum is concave in what the columns hold, so it is least at a corner of
	// what is possible: all columns empty or full but one.
	c := columns[0]
	full, rest := n/c, n%c
	least := make(map[[2]int64]float64) // by full columns so far, and whether the partly filled one is among them
	least[[2]int64{}] = 0
	for i := range columns {
		next := make(map[[2]int64]float64)
		for state, sum := range least {
			for _, add := range [][2]int64{{0, 0}, {1, 0}, {0, 1}} {
				to := [2]int64{state[0] + add[0], state[1] + add[1]}
				if to[0] > full || to[1] > 1 || to[1] == 1 && rest == 0 {
					continue
				}
				x := sum
				if i < len(gaps) {
					x += gaps[i] * crossing(to[0]*c+to[1]*rest)
				}
				if had, ok := next[to]; !ok || x < had {
					next[to] = x
				}
			}
		}
		least = next
	}
	end := [2]int64{full, 0}
	if rest > 0 {
		end[1] = 1
	}
	return least[end]
}
