package randomgraph

import (
	"math/rand/v2"
	"slices"
)

// Extend grows a graph of n vertices with d links each to the given number of vertices, all with d links. Each new
// vertex is inserted into d/2 links drawn at random (floor of d/2), which it splits in two; if d is odd, new vertices
// also pair up with one link each, so their number has to be even. Edges are in ascending order, as Regular returns
// them. It returns false if a new vertex finds no link to split, which can happen if d is above half of n.
func Extend(edges [][2]int32, n, vertices, d int, seed uint64) ([][2]int32, bool) {
	p := &pairing{n: vertices, d: d, random: rand.NewPCG(seed, uint64(vertices)), edges: slices.Clone(edges)}
	joined := newPairs(vertices * d / 2)
	for _, e := range p.edges {
		joined.add(e[0], e[1])
	}
	split := func(at int, v int32) bool {
		e := p.edges[at]
		if e[0] == v || e[1] == v || joined.has(e[0], v) || joined.has(e[1], v) {
			return false
		}
		joined.remove(e[0], e[1])
		joined.add(e[0], v)
		joined.add(e[1], v)
		p.edges[at] = [2]int32{e[0], v}
		p.edges = append(p.edges, [2]int32{e[1], v})
		return true
	}
	for v := n; v < vertices; v++ {
		if d%2 == 1 && (v-n)%2 == 0 {
			joined.add(int32(v), int32(v+1))
			p.edges = append(p.edges, [2]int32{int32(v), int32(v + 1)})
		}
		for range d / 2 {
			if !p.splitAny(func(at int) bool { return split(at, int32(v)) }) {
				return nil, false
			}
		}
	}
	for i, e := range p.edges {
		p.edges[i] = [2]int32{min(e[0], e[1]), max(e[0], e[1])}
	}
	return orderByEnd(orderByEnd(p.edges, vertices, 1), vertices, 0), true
}

// splitAny calls split for 20 links drawn at random, then for all links in order, until it returns true. It reports
// whether a link was split.
func (p *pairing) splitAny(split func(at int) bool) bool {
	for range 20 {
		if split(p.below(len(p.edges))) {
			return true
		}
	}
	for at := range p.edges {
		if split(at) {
			return true
		}
	}
	return false
}
