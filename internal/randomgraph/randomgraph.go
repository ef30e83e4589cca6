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
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"
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
	slices.SortFunc(p.edges, func(a, b [2]int32) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	return p.edges
}

// pairing is a graph with at most d links on each of n vertices.
type pairing struct {
	n, d   int
	random *rand.PCG
	edges  [][2]int32
	rows   []int32 // the neighbours of v are the first size[v] of row v
	size   []int32
}

// below draws a number from 0 to n-1. rand.Rand promises no fixed sequence.
func (p *pairing) below(n int) int {
	high, _ := bits.Mul64(p.random.Uint64(), uint64(n))
	return int(high)
}

func (p *pairing) row(v int32) []int32 {
	first := int(v) * p.d
	return p.rows[first : first+int(p.size[v])]
}

func (p *pairing) joined(a, b int32) bool { return slices.Contains(p.row(a), b) }

func (p *pairing) join(a, b int32) {
	for range 2 {
		p.size[a]++
		p.row(a)[p.size[a]-1] = b
		a, b = b, a
	}
}

func (p *pairing) part(a, b int32) {
	for range 2 {
		row := p.row(a)
		row[slices.Index(row, b)] = row[len(row)-1]
		p.size[a]--
		a, b = b, a
	}
}

// draw pairs the ports and mends what is no simple graph. It gives up when too
// many exchanges fail.
func (p *pairing) draw() bool {
	p.rows, p.size = make([]int32, p.n*p.d), make([]int32, p.n)
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
		if a, b := ports[i], ports[i+1]; a == b || p.joined(a, b) {
			bad = append(bad, [2]int32{a, b})
		} else {
			p.join(a, b)
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
		if a == c || b == e || p.joined(a, c) || p.joined(b, e) {
			continue
		}
		if a == b && c == e || a == e && b == c {
			continue // the two new links would be the same
		}
		p.part(c, e)
		p.join(a, c)
		p.join(b, e)
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
