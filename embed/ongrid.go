package embed

import (
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/embed/mapping"
	"github.com/plenum-planner/plenum/topology"
)

// OnGrid is the problem of mapping all vertices of a graph, terminals too, on w
// columns and h rows of racks that hold capacity vertices each: a channel costs
// the Manhattan distance between its racks. With capacity 0 racks hold as few as
// hold all vertices. The error is that of mapping.NewGraph, or says that there are no
// columns or rows.
func OnGrid(g topology.Graph, w, h int, capacity int64) (*mapping.Problem, error) {
	if w < 1 || h < 1 {
		return nil, fmt.Errorf("embed: %d columns and %d rows of racks; both must be at least 1", w, h)
	}
	racks, vertices := w*h, topology.Vertices(g)
	if capacity == 0 {
		capacity = int64((vertices + racks - 1) / racks)
	}
	var edges []mapping.Edge
	for l := range g.Links() {
		edges = append(edges, mapping.Edge{A: l.A, B: l.B, Weight: int64(l.Width)})
	}
	graph, err := mapping.NewGraph(vertices, edges)
	if err != nil {
		return nil, err
	}
	return &mapping.Problem{
		Graph: graph, Costs: mapping.Grid(w, h), Resources: []string{"slots"},
		Capacity: slices.Repeat([]int64{capacity}, racks),
	}, nil
}

// GridStarts are placements to start from when a graph is mapped on w columns and
// h rows of racks that hold capacity vertices each: its vertices in order along a
// Hilbert curve, and the blocks of a lattice. The latter may not fit. Without columns
// or rows there are none.
func GridStarts(g topology.Graph, w, h int, capacity int64) [][]int32 {
	if w < 1 || h < 1 {
		return nil
	}
	limits := slices.Repeat([]int64{capacity}, w*h)
	starts := [][]int32{mapping.InOrder(topology.Vertices(g), mapping.Hilbert(w, h), limits)}
	if l := topology.GridOf(g); l != nil {
		starts = append(starts, gridBlocks(l, w, h, int(capacity))...)
	}
	return starts
}

// gridBlocks are the blocks of a lattice, terminals with their routers.
func gridBlocks(l topology.Lattice, w, h, capacity int) [][]int32 {
	terminals := l.TerminalsPerRouter()
	starts := mapping.Blocks(l.Dims(), l.Wraps, w, h, capacity/(1+terminals))
	for i, routers := range starts {
		place := slices.Clone(routers)
		for _, q := range routers {
			place = append(place, slices.Repeat([]int32{q}, terminals)...)
		}
		if len(place) == topology.Vertices(l) {
			starts[i] = place
		}
	}
	return slices.DeleteFunc(starts, func(s []int32) bool { return len(s) != topology.Vertices(l) })
}
