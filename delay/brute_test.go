package delay

import (
	"math"

	"plenum/topology"
	"plenum/units"
)

// brute walks every hop-minimal path by depth-first search.
func brute(g topology.Graph, c *topology.CSR, m Model, l Links) (*Result, []float64) {
	kinds := g.Kinds()
	role := func(v int) topology.Role { return kinds[topology.KindOf(kinds, v)].Role }
	r := &Result{Exact: true}
	var leasts []float64
	n := c.Vertices()
	for s := range n {
		if role(s) == topology.Switch {
			continue
		}
		r.Injectors++
		hops := hopsFrom(c, s, role)
		for t := range n {
			if t == s || role(t) == topology.Switch {
				continue
			}
			if hops[t] < 0 {
				r.Unreachable++
				continue
			}
			least, length, sum, paths := math.Inf(1), 0.0, 0.0, 0.0
			var walk func(v, left int, time, metres float64)
			walk = func(v, left int, time, metres float64) {
				if left == 0 {
					if v != t {
						return
					}
					sum, paths = sum+time, paths+1
					switch {
					case time < least-1e-6:
						least, length = time, metres
					case time < least+1e-6:
						length = min(length, metres)
					}
					return
				}
				if v != s && role(v) == topology.Terminal {
					return
				}
				for a := c.First[v]; a < c.First[v+1]; a++ {
					to := int(c.To[a])
					x := units.Length(l.Length[c.Link[a]]).Round4()
					d := m.Arc(x, int(l.Medium[c.Link[a]]), topology.KindOf(kinds, to))
					walk(to, left-1, time+float64(d), metres+float64(x))
				}
			}
			walk(s, hops[t], 0, 0)
			leasts = append(leasts, least)
			r.Pairs++
			r.HopsMean += float64(hops[t])
			r.HopsMax = max(r.HopsMax, hops[t])
			r.PathMean += units.Length(length)
			r.PathMax = max(r.PathMax, units.Length(length))
			r.LeastMean += units.Time(least)
			r.LeastMax = max(r.LeastMax, units.Time(least))
			r.AverageMean += units.Time(sum / paths)
			r.AverageMax = max(r.AverageMax, units.Time(sum/paths))
		}
	}
	r.Sources = r.Injectors
	if r.Pairs > 0 {
		r.HopsMean /= float64(r.Pairs)
		r.PathMean /= units.Length(r.Pairs)
		r.LeastMean /= units.Time(r.Pairs)
		r.AverageMean /= units.Time(r.Pairs)
	}
	return r, leasts
}

// hopsFrom is -1 for vertices out of reach.
func hopsFrom(c *topology.CSR, s int, role func(int) topology.Role) []int {
	hops := make([]int, c.Vertices())
	for v := range hops {
		hops[v] = -1
	}
	hops[s] = 0
	for queue := []int{s}; len(queue) > 0; queue = queue[1:] {
		v := queue[0]
		if v != s && role(v) == topology.Terminal {
			continue
		}
		for _, to := range c.Neighbours(v) {
			if hops[to] < 0 {
				hops[to] = hops[v] + 1
				queue = append(queue, int(to))
			}
		}
	}
	return hops
}
