package routing_test

import (
	"fmt"

	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/topology"
)

// The way of a packet by dimension order, and the check that no packets wait for each other in a cycle.
func Example() {
	g, err := topology.New(topology.Torus{Dims: topology.Ints{5, 5}})
	if err != nil {
		fmt.Println(err)
		return
	}
	network, err := routing.NewNetwork(g)
	if err != nil {
		fmt.Println(err)
		return
	}
	dor, err := routing.New(network, "dor", routing.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	channels, err := routing.Path(network, dor, 0, 24, 0, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(network.Label(0))
	for _, c := range channels {
		fmt.Print(" > ", network.Label(network.To[c]))
	}
	fmt.Println()
	fmt.Println("cycle of waits:", routing.CheckDependencies(network, dor, 1))
	// Output:
	// (0,0) > (4,0) > (4,4)
	// cycle of waits: <nil>
}
