package embed_test

import (
	"context"
	"fmt"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// A torus in racks of 42 units, its rings folded, and the straight lines between its boxes.
func ExamplePlace() {
	g, err := topology.New(topology.Torus{Dims: topology.Ints{8, 8, 4}})
	if err != nil {
		fmt.Println(err)
		return
	}
	placement, err := embed.Place(context.Background(), &embed.Problem{
		Graph: g,
		Kinds: []embed.Kind{{Box: layout.NewBox(1, 0.44, 0.8, nil), PerRack: 32}},
		Room: &layout.RoomSpec{
			Rack: layout.RackType{Units: 42, Width: 0.6, Depth: 1.2, Height: 2},
			Cold: 1.2, Hot: 0.9, Alternate: true, Margin: 1.2,
		},
		Strategy: embed.Auto,
		Fold:     true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(placement.Racks), "racks; vertex 200 is at", placement.Layout.Path(placement.Slot[200]))
	levels, err := embed.Lengths(context.Background(), g, placement)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range levels {
		fmt.Printf("%s: %d links, the longest %.2f m\n", l.Level, l.Links, float64(l.Max))
	}
	// Output:
	// 8 racks; vertex 200 is at A01/U13
	// dim1: 256 links, the longest 2.40 m
	// dim2: 256 links, the longest 1.21 m
	// dim3: 256 links, the longest 0.71 m
}
