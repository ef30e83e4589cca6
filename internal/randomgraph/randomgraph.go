// Package randomgraph draws random regular graphs.
//
// Ports are paired at random, and the loops and double links among the pairs, few in number,
// are mended by exchanging ends with random links (B. Bollobas, Random Graphs, 2001, section
// 2.4, gives the pairing; B. D. McKay and N. C. Wormald, Journal of Algorithms 11, 1990, the
// exchanges). Components are joined by exchanging the ends of two links that lie on cycles. A
// degree above half the number of vertices is drawn as the links that are absent. The same
// seed gives the same graph on every machine; the distribution is close to uniform, not
// exactly so.
package randomgraph

import (
	"math/bits"
	"math/rand/v2"
)

// Regular draws a connected graph without loops or double links, degree d on each of n
// vertices, where 0 < d < n, n d is even and d > 1 unless n = 2. The edges are in ascending
// order, the lower end first.
func Regular(n, d int, seed uint64) [][2]int32 {
	absent := d > (n-1)/2
	drawn := d
	if absent {
		drawn = n - 1 - d
	}
	p := &pairing{n: n, d: drawn, random: rand.NewPCG(seed, 0)}
	done := false
	for range 20 {
		if done = p.draw(); done {
			break
		}
	}
	if !done { // no seed is known to lead here
		p.circulant()
	}
	if absent {
		p.complement() // more than half of all links: connected
	} else {
		p.connect()
	}
	for i, e := range p.edges {
		p.edges[i] = [2]int32{min(e[0], e[1]), max(e[0], e[1])}
	}
	return orderByEnd(orderByEnd(p.edges, n, 1), n, 0)
}

// orderByEnd sorts edges by one of their ends, of n, and leaves those of the same end in their order.
func orderByEnd(edges [][2]int32, n, end int) [][2]int32 {
	next := make([]int32, n+1) // where the next edge of a vertex goes
	for _, e := range edges {
		next[e[end]+1]++
	}
	for v := range n {
		next[v+1] += next[v]
	}
	sorted := make([][2]int32, len(edges))
	for _, e := range edges {
		sorted[next[e[end]]] = e
		next[e[end]]++
	}
	return sorted
}

// pairing is a graph with at most d links on each of n vertices.
type pairing struct {
	n, d   int
	random *rand.PCG
	edges  [][2]int32
}

// below draws a number from 0 to n-1. rand.Rand promises no fixed sequence.
func (p *pairing) below(n int) int {
	high, _ := bits.Mul64(p.random.Uint64(), uint64(n))
	return int(high)
}

// draw pairs the ports and mends what is not a simple graph. It gives up when too
// many exchanges fail.
func (p *pairing) draw() bool {
	joined := newPairs(p.n * p.d / 2)
	p.edges = make([][2]int32, 0, p.n*p.d/2)
	ports := make([]int32, p.n*p.d)
	for i := range ports {
		ports[i] = int32(i / p.d)
	}
	for i := len(ports) - 1; i > 0; i-- {
		j := p.below(i + 1)
		ports[i], ports[j] = ports[j], ports[i]
	}
	var bad [][2]int32
	for i := 0; i < len(ports); i += 2 {
		if a, b := ports[i], ports[i+1]; a == b || !joined.add(a, b) {
			bad = append(bad, [2]int32{a, b})
		} else {
			p.edges = append(p.edges, [2]int32{a, b})
		}
	}
	for tries := 100 * (len(ports) + 10); len(bad) > 0 && len(p.edges) > 0; {
		if tries--; tries < 0 {
			return false
		}
		a, b := bad[len(bad)-1][0], bad[len(bad)-1][1]
		i := p.below(2 * len(p.edges))
		c, e := p.edges[i/2][i%2], p.edges[i/2][1-i%2]
		if a == c || b == e || joined.has(a, c) || joined.has(b, e) {
			continue
		}
		if a == b && c == e || a == e && b == c {
			continue // the two new links would be the same
		}
		joined.remove(c, e)
		joined.add(a, c)
		joined.add(b, e)
		p.edges[i/2] = [2]int32{a, c}
		p.edges = append(p.edges, [2]int32{b, e})
		bad = bad[:len(bad)-1]
	}
	return len(bad) == 0
}

// circulant joins every vertex to the d/2 nearest on either side and, if d is
// odd, to the opposite one.
func (p *pairing) circulant() {
	p.edges = nil
	for v := range p.n {
		for step := 1; step <= p.d/2; step++ {
			p.edges = append(p.edges, [2]int32{int32(v), int32((v + step) % p.n)})
		}
		if p.d%2 == 1 && v < p.n/2 {
			p.edges = append(p.edges, [2]int32{int32(v), int32(v + p.n/2)})
		}
	}
}

// complement replaces the links by those that are absent.
func (p *pairing) complement() {
	joined := make([]bool, p.n)
	neighbours := make([][]int32, p.n)
	for _, e := range p.edges {
		a, b := min(e[0], e[1]), max(e[0], e[1])
		neighbours[a] = append(neighbours[a], b)
	}
	p.edges = make([][2]int32, 0, p.n*(p.n-1-p.d)/2)
	for a, above := range neighbours {
		for _, b := range above {
			joined[b] = true
		}
		for b := a + 1; b < p.n; b++ {
			if !joined[b] {
				p.edges = append(p.edges, [2]int32{int32(a), int32(b)})
			}
		}
		for _, b := range above {
			joined[b] = false
		}
	}
}

// connect joins the components. A link whose ends were joined before, when the
// links are taken in order, lies on a cycle; two such links of different
// components exchange ends, which leaves neither component in pieces. With two
// or more links on each vertex every component has one.
func (p *pairing) connect() {
	if p.d < 2 {
		return
	}
	parent := make([]int32, p.n)
	for v := range parent {
		parent[v] = int32(v)
	}
	find := func(v int32) int32 {
		for parent[v] != v {
			parent[v] = parent[parent[v]]
			v = parent[v]
		}
		return v
	}
	spare := make([]int, 0, 16) // links on cycles
	for i, e := range p.edges {
		if a, b := find(e[0]), find(e[1]); a != b {
			parent[a] = b
		} else {
			spare = append(spare, i)
		}
	}
	main := spare[0]
	for _, i := range spare {
		a, b := find(p.edges[main][0]), find(p.edges[i][0])
		if a == b {
			continue
		}
		parent[a] = b
		x, y := &p.edges[main], &p.edges[i]
		x[1], y[0] = y[0], x[1] // (u,v), (s,t) become (u,s), (v,t), which lie on a cycle
	}
}
