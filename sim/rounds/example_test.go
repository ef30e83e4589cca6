package rounds_test

import (
	"context"
	"fmt"

	"github.com/plenum-planner/plenum/sim/rounds"
	"github.com/plenum-planner/plenum/topology"
)

// Every node of a CLEX of three levels sends fourteen messages to nodes drawn at random.
func ExampleRun() {
	r, err := rounds.Run(context.Background(), rounds.Options{
		Topology: topology.CLEX{Clique: 16, Levels: 3},
		Load:     14,
		Seed:     7,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d nodes, %d of %d messages delivered, %.1f hops, %.1f rounds\n",
		r.Nodes, r.Delivered, r.Messages, r.Hops, r.Rounds)
	// Output:
	// 4096 nodes, 57344 of 57344 messages delivered, 8.3 hops, 10.1 rounds
}
