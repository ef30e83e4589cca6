package search

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
)

// candidates lists all configurations with a bound up to limit.
func (s *ibtSearch) candidates(ctx context.Context, limit float64) ([]ibtCandidate, error) {
	var out []ibtCandidate
	n := s.q.Degree/2 - 1
	for m := 1; m <= n; m++ {
		var err error
		plainSides(n-m, s.q.MaxNodes, limit, func(plain []int, product int, mean float64) bool {
			if err = ctx.Err(); err != nil {
				return false
			}
			out, err = s.withPlain(out, m, plain, product, mean, limit)
			return err == nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// plainSides calls visit with all ascending sides of n dimensions without bypasses whose mean distance is below
// limit, until it returns false.
func plainSides(n, most int, limit float64, visit func(sides []int, product int, mean float64) bool) {
	sides := make([]int, n)
	var extend func(d, product int, mean float64) bool
	extend = func(d, product int, mean float64) bool {
		if d == n {
			return visit(sides, product, mean)
		}
		first := 3
		if d > 0 {
			first = sides[d-1]
		}
		for side := first; product*side <= most && mean+ringMean(side) < limit; side++ {
			sides[d] = side
			if !extend(d+1, product*side, mean+ringMean(side)) {
				return false
			}
		}
		return true
	}
	extend(0, 1, 0)
}

// withPlain appends the configurations with m dimensions with bypasses beside the given ones without.
func (s *ibtSearch) withPlain(
	out []ibtCandidate, m int, plain []int, product int, mean, limit float64,
) ([]ibtCandidate, error) {
	least := (s.q.MinNodes + product - 1) / product // nodes of the core
	most := s.q.MaxNodes / product
	for k := 1; s.q.MaxLengths == 0 || k <= s.q.MaxLengths; k++ {
		period := m * k
		// Lengths are multiples of the period: what is left of a distance is gone by single steps.
		if period > most || mean+float64(m)*ringMean(period) > limit {
			break
		}
		if mean+s.ballMean(m, period, least) > limit {
			continue
		}
		var err error
		coreSides(m, period, least, most, func(core []int) bool {
			nodes := float64(product)
			for _, side := range core {
				nodes *= float64(side)
			}
			over := nodes / (nodes - 1) // of different nodes only
			ball := s.ballMean(m, period, int(nodes)/product)
			if (mean+ball)*over > limit {
				return true
			}
			for _, c := range s.chordSets(core, k, limit-mean) {
				bound := (mean + max(ball, c.sum)) * over * (1 - 1e-12)
				if bound > limit {
					continue
				}
				if len(out) == maxCandidates {
					err = diag.Fieldf("nodes", "more than %d configurations would have to be measured: "+
						"give a narrower range of nodes or fewer lengths", maxCandidates)
					return false
				}
				out = append(out, ibtCandidate{slices.Clone(core), slices.Clone(plain), c.lengths, bound})
			}
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// coreSides calls visit with all ascending sides of m dimensions that are multiples of the period, of at least 4
// points for there to be a bypass, and have least to most points, until it returns false.
func coreSides(m, period, least, most int, visit func([]int) bool) {
	sides := make([]int, m)
	var extend func(d, product int) bool
	extend = func(d, product int) bool {
		if d == m {
			return product < least || visit(sides)
		}
		first := period
		if d > 0 {
			first = sides[d-1]
		}
		for first < 4 || first-2 < period { // no length fits otherwise
			first += period
		}
		for side := first; ; side += period {
			points := product
			for range m - d { // the sides to come are as long at least
				if points *= side; points > most {
					return true
				}
			}
			sides[d] = side
			if !extend(d+1, product*side) {
				return false
			}
		}
	}
	extend(0, 1)
}

// chordSets are k lengths for a core, those that bounds by chords do not put above limit, rounded up to a quarter. They
// are worked out once for each such limit.
func (s *ibtSearch) chordSets(core []int, k int, limit float64) []chordSet {
	// A few limits stand for all, so that what was worked out can be used again.
	limit = math.Ceil(limit*4) / 4
	key := fmt.Sprint(core, k, limit)
	if sets, ok := s.sets[key]; ok {
		return sets
	}
	period := len(core) * k
	longest := core[0] - 2
	if core[0] == core[len(core)-1] {
		longest = core[0] / 2 // a length and the rest of the side are the same bypass
	}
	var sets []chordSet
	lengths := make([]int, k)
	var extend func(i, from int)
	extend = func(i, from int) {
		if i == k {
			sum := 0.0
			for _, side := range core {
				sum += s.chordMean(side, lengths)
			}
			if sum <= limit {
				sets = append(sets, chordSet{slices.Clone(lengths), sum})
			}
			return
		}
		for l := from; l <= longest; l += period {
			if l >= 2 {
				lengths[i] = l
				extend(i+1, l)
			}
		}
	}
	extend(0, period)
	s.sets[key] = sets
	return sets
}

// chordMean is the mean distance on a ring with chords of the given ascending lengths at every point, also from a
// point to itself.
func (s *ibtSearch) chordMean(side int, lengths []int) float64 {
	different := slices.Compact(slices.Clone(lengths))
	key := fmt.Sprint(side, different)
	if mean, ok := s.chords[key]; ok {
		return mean
	}
	hops := make([]int, side)
	queue := append(make([]int, 0, side), 0)
	sum := 0
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		sum += hops[v]
		for _, l := range append(different, 1) {
			for _, w := range [2]int{(v + l) % side, (v - l + side) % side} {
				if w != 0 && hops[w] == 0 {
					hops[w] = hops[v] + 1
					queue = append(queue, w)
				}
			}
		}
	}
	mean := float64(sum) / float64(side)
	s.chords[key] = mean
	return mean
}

// ringMean is the mean distance on a ring, also from a point to itself.
func ringMean(side int) float64 {
	return float64(side/2) * float64((side+1)/2) / float64(side)
}

// orders are the cores with the sides and lengths in every order, one of those that are the same network. Turning
// the coordinates round turns both orders round, and a shift along a ring has the lengths begin elsewhere; with one
// length, it has the sides begin elsewhere as well.
func (c ibtCandidate) orders() []topology.IBT {
	seen := map[string]bool{}
	var out []topology.IBT
	k := len(c.lengths)
	for _, dims := range permutations(c.core) {
		for _, lengths := range permutations(c.lengths) {
			if shorterPeriod(lengths) || seen[coreKey(dims, lengths)] {
				continue
			}
			out = append(out, topology.IBT{Dims: dims, BypassDims: len(dims), BypassLengths: lengths})
			for turn := range k {
				l := slices.Concat(lengths[turn:], lengths[:turn])
				for shift := range dims {
					if shift > 0 && k > 1 {
						break
					}
					d := slices.Concat(dims[shift:], dims[:shift])
					seen[coreKey(d, l)] = true
					slices.Reverse(d)
					back := slices.Clone(l)
					slices.Reverse(back)
					seen[coreKey(d, back)] = true
				}
			}
		}
	}
	return out
}

// shorterPeriod reports whether fewer lengths say the same.
func shorterPeriod(lengths []int) bool {
	for q := 1; q < len(lengths); q++ {
		if len(lengths)%q == 0 && slices.Equal(lengths, slices.Concat(lengths[q:], lengths[:q])) {
			return true
		}
	}
	return false
}

// permutations are the different orders of ascending numbers, in ascending order.
func permutations(of []int) [][]int {
	p := slices.Clone(of)
	var out [][]int
	for {
		out = append(out, slices.Clone(p))
		i := len(p) - 2
		for i >= 0 && p[i] >= p[i+1] {
			i--
		}
		if i < 0 {
			return out
		}
		j := len(p) - 1
		for p[j] <= p[i] {
			j--
		}
		p[i], p[j] = p[j], p[i]
		slices.Reverse(p[i+1:])
	}
}
