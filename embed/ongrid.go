package embed

import (
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/embed/mapping"
	"github.com/plenum-planner/plenum/topology"
)

// OnGrid returns the problem of mapping all vertices of a graph, terminals too, to w columns and h rows of racks with
// room for capacity vertices each. A link costs its width times the taxicab distance between its racks, in racks.
// Capacity 0 stands for the smallest that holds all vertices. It returns the error of mapping.NewGraph, or one about w
// or h below 1.
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

// GridStarts returns placements (the rack of each vertex) to start from when a graph is mapped to w columns and h rows
// of racks with room for capacity vertices each: its vertices by number along a Hilbert curve, and, for a lattice,
// placements in blocks, which may exceed the capacity. With w or h below 1 there are none.
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

// gridBlocks returns the block placements of a lattice, with terminals in the racks of their routers.
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
