package mapping

import (
	"errors"
	"fmt"
	"math"
)

// Edge joins two vertices. Its class selects what it costs between two places;
// where the costs of a class depend on the direction, it runs from A to B.
type Edge struct {
	A, B   int32
	Class  uint8 // below 128
	Weight int64 // at least 1; 0 stands for 1
}

// Graph is an undirected weighted graph as compressed sparse rows: every edge gives an arc at both of its ends, in the
// order of the edges. Parallel edges are allowed, and count each.
type Graph struct {
	First  []int64 // arcs of v are First[v] ... First[v+1]-1
	To     []int32 // head of each arc
	Weight []int64 // of each arc; nil when all are 1
	// Class is twice the class of the arc's edge, and one more for the arc from end B, whose costs are those of the
	// edge's class with the two places exchanged. Nil stands for class 0 and costs that do not depend on the direction.
	Class []uint8
}

// maxClasses bounds the classes of edges.
const maxClasses = 128

// NewGraph builds the graph of n vertices, from 1 to 2^31-1, with these edges. An edge that joins a vertex to itself or
// to one outside the graph, or whose weight or class is out of range, is an error, which gives its index from 0.
// Graph.Weight is nil if all weights are 1.
func NewGraph(n int, edges []Edge) (*Graph, error) {
	if n < 1 || n > math.MaxInt32 {
		return nil, fmt.Errorf("a graph has from 1 to %d vertices, not %d", math.MaxInt32, n)
	}
	g := &Graph{First: make([]int64, n+1), To: make([]int32, 2*len(edges))}
	weighted := false
	for i, e := range edges {
		switch {
		case e.A < 0 || e.B < 0 || int(e.A) >= n || int(e.B) >= n:
			return nil, fmt.Errorf("edge %d joins vertices %d and %d; there are %d", i, e.A, e.B, n)
		case e.A == e.B:
			return nil, fmt.Errorf("edge %d joins vertex %d to itself", i, e.A)
		case e.Weight < 0:
			return nil, fmt.Errorf("edge %d has weight %d", i, e.Weight)
		case e.Class >= maxClasses:
			return nil, fmt.Errorf("edge %d is of class %d; classes are below %d", i, e.Class, maxClasses)
		}
		g.First[e.A+1]++
		g.First[e.B+1]++
		weighted = weighted || e.Weight > 1
	}
	for v := range n {
		g.First[v+1] += g.First[v]
	}
	if weighted {
		g.Weight = make([]int64, 2*len(edges))
	}
	// Directions may matter even where all edges are of class 0.
	g.Class = make([]uint8, 2*len(edges))
	next := make([]int64, n)
	copy(next, g.First)
	for _, e := range edges {
		for end, v := range [2]int32{e.A, e.B} {
			k := next[v]
			next[v]++
			g.To[k] = [2]int32{e.B, e.A}[end]
			g.Class[k] = 2*e.Class + uint8(end)
			if weighted {
				g.Weight[k] = max(1, e.Weight)
			}
		}
	}
	return g, nil
}

// Vertices returns the number of vertices.
func (g *Graph) Vertices() int { return len(g.First) - 1 }

// weight returns the weight of arc k.
func (g *Graph) weight(k int64) int64 {
	if g.Weight == nil {
		return 1
	}
	return g.Weight[k]
}

// class returns the class of arc k with its direction, as Graph.Class has it.
func (g *Graph) class(k int64) uint8 {
	if g.Class == nil {
		return 0
	}
	return g.Class[k]
}

// degree returns the number of arcs of v; parallel edges count each.
func (g *Graph) degree(v int32) int64 { return g.First[v+1] - g.First[v] }

// check returns an error if the slices of g do not fit each other or an arc leads to no vertex. It does not check that
// every arc has its reverse or that weights are at least 1.
func (g *Graph) check() error {
	n := g.Vertices()
	if n < 1 || g.First[0] != 0 || g.First[n] != int64(len(g.To)) {
		return errors.New("the rows of the graph do not cover its arcs")
	}
	if g.Weight != nil && len(g.Weight) != len(g.To) || g.Class != nil && len(g.Class) != len(g.To) {
		return errors.New("the graph has not as many weights or classes as arcs")
	}
	for v := range n {
		if g.First[v] > g.First[v+1] {
			return fmt.Errorf("row %d of the graph ends before it starts", v)
		}
	}
	for _, u := range g.To {
		if u < 0 || int(u) >= n {
			return fmt.Errorf("an arc leads to vertex %d; there are %d", u, n)
		}
	}
	return nil
}
