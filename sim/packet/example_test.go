package packet_test

import (
	"context"
	"fmt"

	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// Uniform traffic at 30 % of what the terminals of a torus could send.
func ExampleRun() {
	g, err := topology.New(topology.Torus{Dims: topology.Ints{8, 8}})
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
	r, err := packet.Run(context.Background(), packet.Config{Network: network, Routing: dor, Seed: 1}, packet.OpenLoop{
		Pattern: traffic.Uniform(network.Terminals()),
		Load:    0.3,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("accepted %.1f, %.1f hops, saturated: %v\n", r.Accepted, r.Hops, r.IsSaturated())
	// Output:
	// accepted 0.3, 4.1 hops, saturated: false
}
