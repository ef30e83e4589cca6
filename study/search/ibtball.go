package search

import "github.com/plenum-planner/plenum/internal/arith"

// A ball is how many nodes a network of a kind can have at most within 0, 1, 2, ... hops of a node. It takes no
// account of the sides and lengths.
//
// A way is single steps and bypasses, and where it leads does not depend on their order: it ends at U + sum c_s l_s,
// where U is the sum of the single steps, one number for each of the m dimensions, and c_s the bypasses at the points
// whose coordinates sum to s, up less down. As s changes by single steps only, these have to cover all s with c_s
// other than 0. The ball is at most the number of different (U, c) that so many hops can make.
type ball []float64

// maxRadius is the most hops that a ball is counted for; what is farther counts as one more hop away.
const maxRadius = 24

// ballMean is the least mean distance, from a node to all and itself, in m dimensions all of which have bypasses with
// the given period, that the balls of a node allow.
func (s *ibtSearch) ballMean(m, period, nodes int) float64 {
	walk, ok := s.balls[m]
	if !ok {
		walk = walkBall(m)
		s.balls[m] = walk
	}
	sum, inside := 0.0, 1.0
	for r := 1; inside < float64(nodes); r++ {
		size := float64(nodes)
		if r <= maxRadius {
			size = min(size, walk[r], crossPolytope(m+period, r))
		}
		if size > inside {
			sum += float64(r) * (size - inside)
			inside = size
		}
	}
	return sum / float64(nodes)
}

// crossPolytope is the points of a grid of so many dimensions within r steps of one: the ball if bypasses of every s
// could be taken everywhere.
func crossPolytope(dimensions, r int) float64 {
	// Adding a dimension, or a step: P(d, r) = P(d-1, r) + P(d, r-1) + P(d-1, r-1).
	row := make([]float64, r+1) // of d dimensions
	for i := range row {
		row[i] = 1
	}
	for range dimensions {
		last := row[0] // of one dimension less, a step less
		for i := 1; i <= r; i++ {
			last, row[i] = row[i], row[i]+row[i-1]+last
		}
	}
	return row[r]
}

// walkBall counts the (U, c) by the hops that they take at least: the bypasses, and single steps that make U and cover
// every s from a to b, the first and the last with c_s other than 0. That the period has s return to where it was makes
// no more of them.
func walkBall(m int) ball {
	at := make(ball, maxRadius+1) // that take r hops
	steps := vectors(m)
	for t := 0; t <= maxRadius; t++ { // single steps of U
		for e := -t; e <= t; e++ { // their sum
			ways := steps[t][e+t]
			if ways == 0 {
				continue
			}
			for a := 0; a >= -maxRadius; a-- {
				if cover(a, 0, e) > maxRadius {
					break
				}
				for b := 0; ; b++ {
					single := max(t, cover(a, b, e))
					if single > maxRadius {
						break
					}
					for j := 0; single+j <= maxRadius; j++ {
						at[single+j] += ways * bypasses(a, b, j)
					}
				}
			}
		}
	}
	for r := 1; r <= maxRadius; r++ {
		at[r] += at[r-1]
	}
	return at
}

// cover is the fewest steps from 0 to e that pass a, which is not above 0, and b, which is not below.
func cover(a, b, e int) int {
	a, b = min(a, e), max(b, e)
	return min(-a+(b-a)+(b-e), b+(b-a)+(e-a))
}

// bypasses is the ways to choose c_s for s from a to b whose amounts sum to j, of which c_a is not 0 unless a is, and
// c_b is not unless b is.
func bypasses(a, b, j int) float64 {
	fixed := 0 // that are not 0
	if a < 0 {
		fixed++
	}
	if b > 0 {
		fixed++
	}
	if j == 0 {
		if fixed == 0 {
			return 1
		}
		return 0
	}
	free := b - a + 1 - fixed
	sum := 0.0
	for i := 0; i <= free && fixed+i <= j; i++ { // free ones that are not 0
		if fixed+i == 0 {
			continue
		}
		ways := float64(arith.Binomial(free, i)) * float64(arith.Binomial(j-1, fixed+i-1))
		for range fixed + i {
			ways *= 2 // signs
		}
		sum += ways
	}
	return sum
}

// vectors counts the vectors of m whole numbers by the sum t of their amounts and, from -t to t, their sum.
func vectors(m int) [][]float64 {
	counts := make([][]float64, maxRadius+1)
	for t := range counts {
		counts[t] = make([]float64, 2*t+1)
	}
	counts[0][0] = 1
	for range m {
		next := make([][]float64, maxRadius+1)
		for t := range next {
			next[t] = make([]float64, 2*t+1)
		}
		for t, row := range counts {
			for i, ways := range row {
				for x := -(maxRadius - t); ways > 0 && x <= maxRadius-t; x++ {
					u := t + arith.Abs(x)
					next[u][i-t+x+u] += ways
				}
			}
		}
		counts = next
	}
	return counts
}
