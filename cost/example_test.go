package cost_test

import (
	"context"
	"fmt"

	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/topology"
)

// The costs of a thin tree as its paper defines them: switches that cost the same, or by their ports, or by the square.
func ExampleNewEstimate() {
	g, err := topology.New(topology.ThinTree{Down: 4, Up: 2, Levels: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := cost.NewEstimate(context.Background(), &cost.EstimateInput{Graph: g, Model: "thin-tree"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e.Nodes, "nodes,", e.Switches, "switches")
	fmt.Println("c_C", *e.Constant, "c_L", *e.Linear, "c_Q", *e.Quadratic)
	// Output:
	// 64 nodes, 28 switches
	// c_C 28 c_L 168 c_Q 1008
}
