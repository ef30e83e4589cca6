package mapping

import (
	"cmp"
	"math"
	"slices"
)

// Bound is a lower bound on the sum of a placement (Score.Sum), and the name of the method that found it.
type Bound struct {
	Value  int64
	Method string
}

// Gap returns (sum - bound) / sum for the sum of a placement; 0 for a sum of 0.
func (b Bound) Gap(sum int64) float64 {
	if sum <= 0 {
		return 0
	}
	return float64(sum-b.Value) / float64(sum)
}

// LowerBound returns the greater of two bounds on the sum. Its error is that of an invalid or infeasible problem.
//
//   - packing, for up to 4096 places (0 for more): the neighbours of a vertex cannot all stand nearer than the nearest
//     places have room for; over all vertices, halved. The edges of greatest weight get the nearest places, at the cost
//     of the cheapest class.
//   - spectral, for taxicab costs in the plane without curves. Between two neighbouring columns of places, or rows, a
//     line cuts the vertices in two sets of s and n-s, and at least lambda_2 s (n-s) / n of the weight crosses it (M.
//     Fiedler, "Algebraic connectivity of graphs", Czechoslovak Math. J. 23, 1973); an edge costs the lines that it
//     crosses. The sizes are those that cost least under the capacities. For a partition likewise, with the parts for
//     lines.
//
// A bound holds for every placement that keeps capacities, pins and groups that share a place. Other rules do not raise
// it.
func LowerBound(p *Problem) (Bound, error) {
	t, err := newInstance(p)
	if err != nil {
		return Bound{}, err
	}
	best := Bound{Value: t.packingBound(), Method: "packing"}
	if v, ok := t.spectralBound(); ok && v > best.Value {
		best = Bound{Value: v, Method: "spectral"}
	}
	return best, nil
}

// spectralBound returns the spectral bound; false if the costs are neither taxicab distances nor those of a partition,
// or if no eigenvalue was found.
func (t *instance) spectralBound() (int64, bool) {
	n := int64(t.g.Vertices())
	parts := t.isPartition()
	if !parts && (t.costs.tables != nil || t.costs.curves != nil || t.costs.z != nil) || n < 2 {
		return 0, false
	}
	lambda := t.g.algebraicConnectivity()
	if lambda == 0 {
		return 0, false
	}
	room := t.vertexCapacities()
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

// isPartition reports whether every edge between different places costs 1 and all
// others nothing.
func (t *instance) isPartition() bool {
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

// leastCrossings returns a lower bound on the sum, over the lines between neighbouring columns, of s (n-s) / n times
// the width of the line, where s of the n vertices are left of it. room is the capacity of each place.
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
