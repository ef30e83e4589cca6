package delay

import (
	"math"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
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
		fast := fastestFrom(c, s, kinds, m, l)
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
					x := units.Length(l.length[c.Link[a]]).Round4()
					d := m.Arc(x, int(l.medium[c.Link[a]]), topology.KindOf(kinds, to))
					walk(to, left-1, time+float64(d), metres+float64(x))
				}
			}
			walk(s, hops[t], float64(m.Hop[topology.KindOf(kinds, s)]), 0)
			leasts = append(leasts, least)
			r.Pairs++
			r.HopsMean += float64(hops[t])
			r.HopsMax = max(r.HopsMax, hops[t])
			r.PathMean += units.Length(length)
			r.PathMax = max(r.PathMax, units.Length(length))
			r.LeastMean += units.Time(least)
			r.LeastMax = max(r.LeastMax, units.Time(least))
			r.FastestMean += units.Time(fast.time[t])
			r.FastestMax = max(r.FastestMax, units.Time(fast.time[t]))
			r.FastestPathMean += units.Length(fast.metres[t])
			r.FastestPathMax = max(r.FastestPathMax, units.Length(fast.metres[t]))
			if fast.time[t] < least-1e-6 {
				r.Detours++
			}
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
		r.FastestMean /= units.Time(r.Pairs)
		r.FastestPathMean /= units.Length(r.Pairs)
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

// fastest is delays and lengths from one vertex.
type fastest struct{ time, metres []float64 }

// fastestFrom is Dijkstra's algorithm without a heap; the shorter of equally
// fast paths counts.
func fastestFrom(c *topology.CSR, s int, kinds []topology.Kind, m Model, l Links) fastest {
	n := c.Vertices()
	f := fastest{make([]float64, n), make([]float64, n)}
	done := make([]bool, n)
	for v := range n {
		f.time[v] = math.Inf(1)
	}
	f.time[s] = float64(m.Hop[topology.KindOf(kinds, s)])
	for {
		u := -1
		for v := range n {
			if !done[v] && !math.IsInf(f.time[v], 1) && (u < 0 || f.time[v] < f.time[u]) {
				u = v
			}
		}
		if u < 0 {
			return f
		}
		done[u] = true
		if u != s && kinds[topology.KindOf(kinds, u)].Role == topology.Terminal {
			continue
		}
		for a := c.First[u]; a < c.First[u+1]; a++ {
			to := int(c.To[a])
			x := units.Length(l.length[c.Link[a]]).Round4()
			time := f.time[u] + float64(m.Arc(x, int(l.medium[c.Link[a]]), topology.KindOf(kinds, to)))
			metres := f.metres[u] + float64(x)
			if time < f.time[to]-1e-6 || time < f.time[to]+1e-6 && metres < f.metres[to] {
				f.time[to], f.metres[to] = time, metres
			}
		}
	}
}
