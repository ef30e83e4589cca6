package topology

import (
	"fmt"
	"math"
)

// CSR is the adjacency of a graph as compressed sparse rows. Every link gives
// two arcs, a simplex link one, from A to B. Parallel channels of one link are
// one arc; two links between the same pair (on different levels) are two.
type CSR struct {
	First []int64 // arcs of v are First[v] ... First[v+1]-1
	To    []int32 // head of each arc
	Link  []int32 // index of the arc's link in the order of Graph.Links
}

// MaxLinks is the most links that a CSR numbers, as Link is an int32: what is
// streamed has no such limit.
const MaxLinks = math.MaxInt32

// NewCSR builds the adjacency of g in two walks over its links. The arcs of a
// vertex stand in the order of the links. It panics if there are more than
// MaxLinks links, whose arcs would take over 32 GiB.
func NewCSR(g Graph) *CSR {
	n := Vertices(g)
	c := &CSR{First: make([]int64, n+1)}
	links := int64(0)
	for l := range g.Links() {
		links++
		c.First[l.A+1]++
		if !l.Simplex {
			c.First[l.B+1]++
		}
	}
	if links > MaxLinks {
		panic(fmt.Sprintf("topology: NewCSR of %d links; the most is %d", links, MaxLinks))
	}
	for v := range n {
		c.First[v+1] += c.First[v]
	}
	c.To = make([]int32, c.First[n])
	c.Link = make([]int32, c.First[n])
	next := make([]int64, n)
	copy(next, c.First)
	add := func(a, b, link int32) {
		c.To[next[a]], c.Link[next[a]] = b, link
		next[a]++
	}
	var i int32
	for l := range g.Links() {
		add(l.A, l.B, i)
		if !l.Simplex {
			add(l.B, l.A, i)
		}
		i++
	}
	return c
}

// Vertices returns the number of rows, 0 for the zero value.
func (c *CSR) Vertices() int { return max(len(c.First)-1, 0) }

// Neighbours returns the heads of the arcs of v; the caller must not change
// them.
func (c *CSR) Neighbours(v int) []int32 { return c.To[c.First[v]:c.First[v+1]] }

// HopDistances finds the number of hops from a vertex to every other by
// breadth-first search. Paths may lead through any vertex, terminals included.
// It sets dist, which has an entry for every vertex, to the distances, -1 where
// there is no path, and returns the vertices that it reached, nearest first,
// beginning with from. It uses the space of queue, which may be nil. The vertex
// must be one of c.
func HopDistances(c *CSR, from int, dist, queue []int32) []int32 {
	for v := range dist {
		dist[v] = -1
	}
	dist[from] = 0
	queue = append(queue[:0], int32(from))
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		for _, w := range c.Neighbours(int(v)) {
			if dist[w] < 0 {
				dist[w] = dist[v] + 1
				queue = append(queue, w)
			}
		}
	}
	return queue
}
