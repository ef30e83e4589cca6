package mapping

import (
	"math"
	"slices"
)

// minimiseLongest looks for placements whose longest edge is shorter than that of the best, after the search for a
// small sum. For a limit, it minimizes the sum of the costs above the limit, which is zero if no edge exceeds it;
// limits are tried by bisection. Then it looks for fewer longest edges and a smaller sum under the limit. It records
// what it finds.
func (s *search) minimiseLongest(p plan, seed uint64) {
	values := s.distinctCosts()
	steps := max(1<<14, p.longestSteps)
	stream := uint64(1) << 50
	annealed := func(c *Costs, from []int32, warm bool) []int32 {
		stream++
		t := *s.instance
		t.costs = c
		near := s.instance.nearPlaces(neighbourhood)
		curve := s.energyCurve(&t, from, near, steps/8, newRandom(seed, stream<<1))
		cooling := curve.fromHot(steps)
		if warm {
			cooling = curve.fromWarm(t.sumOf(from), steps)
		}
		w := newAnnealer(newState(&t, from), near, neighbourhood, newRandom(seed, stream<<1|1))
		s.anneal(w, cooling)
		return w.best
	}
	// Below low no limit was held so far.
	low := 0
	for range p.longest {
		high, _ := slices.BinarySearch(values, int32(min(s.score.Longest, math.MaxInt32)))
		if s.ctx.Err() != nil || high == 0 {
			break
		}
		if low >= high {
			low = max(0, high-2) // once more, just below
		}
		limit := values[(low+high)/2]
		before := s.score.Longest
		s.record(annealed(s.excessCosts(limit), s.contracted, low > 0))
		if s.score.Longest >= before {
			low = (low+high)/2 + 1
		}
	}
	// The number of longest edges, and the sum under the limit.
	for i := range 1 + p.longest/2 {
		if s.ctx.Err() != nil {
			break
		}
		s.record(annealed(s.penalisedCosts(int32(min(s.score.Longest, math.MaxInt32))), s.contracted, i%2 == 0))
	}
}

// distinctCosts lists the costs that an edge of the classes in use may have, in ascending order.
func (s *search) distinctCosts() []int32 {
	c := s.instance.costs
	used := make(map[uint8]bool)
	for _, class := range s.instance.g.Class {
		used[class] = true
	}
	if s.instance.g.Class == nil {
		used[0] = true
	}
	var values []int32
	for class := range used {
		switch {
		case c.tables != nil:
			values = append(values, c.table(class)...)
		case c.curves != nil:
			values = append(values, c.curves[min(int(class>>1), len(c.curves)-1)]...)
		}
		slices.Sort(values)
		values = slices.Compact(values)
	}
	if c.tables == nil && c.curves == nil {
		for d := range c.longestDistance() + 1 {
			values = append(values, int32(d))
		}
	}
	return values
}

// excessCosts returns costs that are by how much those of the instance exceed a limit, 0 up to it.
func (s *search) excessCosts(limit int32) *Costs {
	return s.instance.costs.transform(func(cost int32) int32 { return max(0, cost-limit) })
}

// penalisedCosts returns the costs with a surcharge on those equal to longest, the cost of the longest edge so far, and
// a greater surcharge on higher ones. The surcharge depends on the objective: its Lambda, or LongestFirst.
func (s *search) penalisedCosts(longest int32) *Costs {
	edges := int64(len(s.instance.g.To)/2 + 1)
	surcharge := int64(longest)
	if o := s.problem.Objective; !o.LongestFirst {
		surcharge = min(surcharge, o.Lambda/edges)
	}
	surcharge = max(1, min(surcharge*4, math.MaxInt32/4))
	return s.instance.costs.transform(func(cost int32) int32 {
		switch {
		case cost < longest:
			return cost
		case cost == longest:
			return int32(min(math.MaxInt32, int64(cost)+surcharge))
		}
		return int32(min(math.MaxInt32, int64(cost)+4*surcharge))
	})
}
