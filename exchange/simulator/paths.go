package simulator

import (
	"math"
	"slices"

	"github.com/plenum-planner/plenum/units"
)

// pathFinder finds paths with the fewest links and, of these, the least latency. Hosts forward nothing.
type pathFinder struct {
	n     *Network
	first []int32 // of each vertex, where its links begin in arcs
	arcs  []int32 // links
	from  int32
	hops  []int32 // -1 where there is no path
	delay []units.Time
	by    []int32 // the link by which the path comes
	queue []int32
}

func newPathFinder(n *Network) *pathFinder {
	count := len(n.Vertices)
	f := &pathFinder{
		n: n, first: make([]int32, count+1), hops: make([]int32, count), delay: make([]units.Time, count),
		by: make([]int32, count),
	}
	each := func(visit func(v, link int32)) {
		for i := range n.Links {
			l := &n.Links[i]
			visit(l.A, int32(i))
			if !l.Simplex {
				visit(l.B, int32(i))
			}
		}
	}
	each(func(v, _ int32) { f.first[v+1]++ })
	for v := range count {
		f.first[v+1] += f.first[v]
	}
	f.arcs = make([]int32, f.first[count])
	next := slices.Clone(f.first)
	each(func(v, link int32) {
		f.arcs[next[v]] = link
		next[v]++
	})
	return f
}

// search finds the paths from a host to all others.
func (f *pathFinder) search(from int32) {
	for v := range f.hops {
		f.hops[v], f.delay[v], f.by[v] = -1, units.Time(math.Inf(1)), -1
	}
	f.from, f.hops[from], f.delay[from] = from, 0, 0
	f.queue = append(f.queue[:0], from)
	for i := 0; i < len(f.queue); i++ {
		v := f.queue[i] // all paths to it are known, as those with fewer links come first
		if v != from && int(v) < f.n.Hosts {
			continue
		}
		for _, link := range f.arcs[f.first[v]:f.first[v+1]] {
			l := &f.n.Links[link]
			to := l.A + l.B - v
			if f.hops[to] < 0 {
				f.hops[to] = f.hops[v] + 1
				f.queue = append(f.queue, to)
			}
			if d := f.delay[v] + f.n.Latency(l); f.hops[to] == f.hops[v]+1 && d < f.delay[to] {
				f.delay[to], f.by[to] = d, link
			}
		}
	}
}

// path appends the links of the path to a vertex, none where there is no path.
func (f *pathFinder) path(links []int32, to int32) []int32 {
	if f.hops[to] < 0 {
		return links
	}
	start := len(links)
	for v := to; v != f.from; {
		link := f.by[v]
		links = append(links, link)
		v = f.n.Links[link].A + f.n.Links[link].B - v
	}
	slices.Reverse(links[start:])
	return links
}
