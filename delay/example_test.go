package delay_test

import (
	"context"
	"fmt"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// A ring of six routers, 2 m apart, each of which takes 100 ns to relay: a path of three links
// traverses four.
func ExamplePaths() {
	g, err := topology.New(topology.Torus{Dims: topology.Ints{6}})
	if err != nil {
		fmt.Println(err)
		return
	}
	var links delay.Links
	for range g.Links() {
		links.Add(2, 0)
	}
	model := delay.Model{
		Media: []delay.Medium{{Name: "copper", Propagation: 4.5}},
		Hop:   []units.Time{100},
	}
	r, err := delay.Paths(context.Background(), g, topology.NewCSR(g), model, links, delay.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f hops in the mean, %v ns over %v m at most\n",
		r.HopsMean, float64(r.LeastMax), float64(r.PathMax))
	// Output:
	// 1.8 hops in the mean, 427 ns over 6 m at most
}
