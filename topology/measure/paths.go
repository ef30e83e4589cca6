package measure

import (
	"math/big"

	"github.com/plenum-planner/plenum/topology"
)

// MinimalPaths counts the paths with the fewest hops from a vertex to another,
// and returns that number of hops, -1 with 0 paths if there is none; 1 path of 0
// hops from a vertex to itself. Every arc of c is a path: parallel channels of one
// link are one, links of two levels between the same vertices are two. Paths do
// not lead through vertices for which forward is false; nil means that all
// forward. Both vertices must be of c.
func MinimalPaths(c *topology.CSR, from, to int, forward func(v int) bool) (paths *big.Int, hops int) {
	n := c.Vertices()
	dist := make([]int32, n)
	for v := range dist {
		dist[v] = -1
	}
	count := make([]*big.Int, n)
	dist[from], count[from] = 0, big.NewInt(1)
	queue := []int32{int32(from)}
	for i := 0; i < len(queue) && dist[to] < 0 || i < len(queue) && dist[queue[i]] < dist[to]; i++ {
		v := queue[i]
		if int(v) != from && forward != nil && !forward(int(v)) {
			continue
		}
		for _, w := range c.Neighbours(int(v)) {
			if dist[w] < 0 {
				dist[w], count[w] = dist[v]+1, new(big.Int)
				queue = append(queue, w)
			}
			if dist[w] == dist[v]+1 {
				count[w].Add(count[w], count[v])
			}
		}
	}
	if dist[to] < 0 {
		return new(big.Int), -1
	}
	return count[to], int(dist[to])
}

// DisjointOptions selects the paths that are counted.
type DisjointOptions struct {
	// Nodes asks for paths that share no vertex but their ends; otherwise they
	// share no arc of the CSR.
	Nodes bool
	// Minimal counts only paths with the fewest hops through vertices that
	// forward.
	Minimal bool
	// Forward tells which vertices paths may lead through; nil means all.
	Forward func(v int) bool
}

// DisjointPaths returns the most paths from a vertex to another that share
// nothing (K. Menger, 1927), as the maximal flow over unit capacities (E. A.
// Dinic, "Algorithm for solution of a problem of maximum flow in networks with
// power estimation", Soviet Math. Doklady 11, 1970). It is 0 without a path, and
// from a vertex to itself.
func DisjointPaths(c *topology.CSR, from, to int, opt DisjointOptions) int {
	if from == to {
		return 0
	}
	if opt.Minimal {
		minimal, hops := newMinimalFinder(c, opt.Forward).find(from, to)
		if hops < 0 {
			return 0
		}
		c, from, to, opt.Forward = minimal, minimal.Vertices()-1, 0, nil
	}
	f := newUnitFlow(c, from, to, opt)
	total := 0
	for f.layer() {
		copy(f.next, f.first)
		for f.augment() {
			total++
		}
	}
	return total
}

// unitFlow is a network in which every vertex v of a CSR is split: 2v is
// entered, 2v+1 is left. Edges stand in pairs: e^1 goes back along e.
type unitFlow struct {
	source, sink int32
	first        []int32 // edges of each vertex in order
	edges        []int32
	to           []int32
	free         []int32 // capacity that is left
	level        []int32
	next         []int32
	queue        []int32
	stack        []int32
}

// newUnitFlow makes the network of a flow between two vertices: each vertex is two, 2v where arcs arrive and 2v+1 where
// they leave, and each arc carries one path, as does each vertex where opt asks for paths without common vertices.
func newUnitFlow(c *topology.CSR, from, to int, opt DisjointOptions) *unitFlow {
	n := c.Vertices()
	f := &unitFlow{source: int32(2*from + 1), sink: int32(2 * to)}
	var tails []int32
	add := func(a, b, capacity int32) {
		tails = append(tails, a, b)
		f.to = append(f.to, b, a)
		f.free = append(f.free, capacity, 0)
	}
	for v := range n {
		through := opt.Forward == nil || opt.Forward(v)
		if v != from && v != to && through {
			capacity := int32(1)
			if !opt.Nodes {
				capacity = int32(len(c.To))
			}
			add(int32(2*v), int32(2*v+1), capacity)
		}
		for _, w := range c.Neighbours(v) {
			add(int32(2*v+1), int32(2*w), 1)
		}
	}
	f.first = make([]int32, 2*n+2)
	for _, a := range tails {
		f.first[a+2]++
	}
	for v := range 2 * n {
		f.first[v+2] += f.first[v+1]
	}
	f.edges = make([]int32, len(tails))
	for e, a := range tails {
		f.edges[f.first[a+1]] = int32(e)
		f.first[a+1]++
	}
	f.first = f.first[:2*n+1]
	f.level = make([]int32, 2*n)
	f.next = make([]int32, len(f.first))
	return f
}

// layer finds the distances over edges with capacity; false if none leads to
// the sink.
func (f *unitFlow) layer() bool {
	for v := range f.level {
		f.level[v] = -1
	}
	f.level[f.source] = 0
	f.queue = append(f.queue[:0], f.source)
	for i := 0; i < len(f.queue); i++ {
		v := f.queue[i]
		for _, e := range f.edges[f.first[v]:f.first[v+1]] {
			if u := f.to[e]; f.free[e] > 0 && f.level[u] < 0 {
				f.level[u] = f.level[v] + 1
				f.queue = append(f.queue, u)
			}
		}
	}
	return f.level[f.sink] >= 0
}

// augment sends one unit along edges that lead one layer on.
func (f *unitFlow) augment() bool {
	f.stack = f.stack[:0] // edges of the path so far
	v := f.source
	for v != f.sink {
		if f.next[v] == f.first[v+1] {
			if len(f.stack) == 0 {
				return false
			}
			e := f.stack[len(f.stack)-1]
			f.stack = f.stack[:len(f.stack)-1]
			v = f.to[e^1]
			f.next[v]++
			continue
		}
		e := f.edges[f.next[v]]
		if f.free[e] > 0 && f.level[f.to[e]] == f.level[v]+1 {
			f.stack = append(f.stack, e)
			v = f.to[e]
			continue
		}
		f.next[v]++
	}
	for _, e := range f.stack {
		f.free[e]--
		f.free[e^1]++
	}
	return true
}

// HyperXMinimalPaths is the number of minimal paths between two switches of a
// HyperX that differ in so many coordinates: delta!, of which delta share no
// other switch (J. H. Ahn et al., SC 2009).
func HyperXMinimalPaths(delta int) *big.Int {
	return new(big.Int).MulRange(1, int64(max(delta, 1)))
}
