package measure_test

import (
	"fmt"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// A Petersen graph has as many vertices as degree and diameter allow.
func ExampleMooreBound() {
	g, err := topology.New(topology.Moore{Graph: "petersen"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(topology.Vertices(g), "vertices, at most", measure.MooreBound(3, 2))
	// Output:
	// 10 vertices, at most 10
}

// Two corners of a square of a mesh are joined by two shortest paths, which share nothing.
func ExampleMinimalPaths() {
	g, err := topology.New(topology.Mesh{Dims: topology.Ints{3, 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := topology.NewCSR(g)
	paths, hops := measure.MinimalPaths(c, 0, 4, nil)
	fmt.Println(paths, "paths of", hops, "hops,", measure.DisjointPaths(c, 0, 4, measure.DisjointOptions{}), "disjoint")
	// Output:
	// 2 paths of 2 hops, 2 disjoint
}
