package cabling_test

import (
	"context"
	"fmt"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// A ring of four nodes in two racks: every cable with its labels, its product and the pieces of its length.
func ExampleRun() {
	g, err := topology.New(topology.Torus{Dims: topology.Ints{4}})
	if err != nil {
		fmt.Println(err)
		return
	}
	parts := catalog.Default()
	box := cabling.NewBox(parts.Part("generic-torus-node-1u"))
	placement, err := embed.Place(context.Background(), &embed.Problem{
		Graph: g,
		Kinds: []embed.Kind{{Box: box.Box, PerRack: 2}},
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
	s, err := cabling.Run(context.Background(), &cabling.Problem{
		Graph: g, Boxes: []*cabling.Box{box}, Placement: placement,
		Catalog: parts, Quote: parts.PriceSet("estimate-2025").Quote,
		Mode: cabling.Manhattan, Slack: cabling.Slack{Fixed: 0.5, InRack: 0.2},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	s.Each(func(number int64, cable *cabling.Segment) bool {
		fmt.Println(s.CableID(number), s.Label(cable.A, cable.PortA), "to", s.Label(cable.B, cable.PortB))
		if product := s.Product(cable); product != nil {
			fmt.Printf("      %v of", product.Length)
		} else {
			fmt.Print("      no cable fits")
		}
		for _, piece := range s.Pieces(cable) {
			fmt.Printf(" %s %.2f m", piece.Name, float64(piece.Length))
		}
		fmt.Println()
		return true
	})
	// Output:
	// C0001 A01/U01/N1-1 to A01/U02/N2-2
	//       0.5 m of along z 0.02 m slack in the rack 0.20 m
	// C0002 A01/U02/N2-1 to A02/U01/N3-2
	//       1.5 m of along x 0.60 m along z 0.07 m slack 0.50 m
	// C0003 A02/U01/N3-1 to A02/U02/N4-2
	//       0.5 m of along z 0.02 m slack in the rack 0.20 m
	// C0004 A02/U02/N4-1 to A01/U01/N1-2
	//       1.5 m of along x 0.60 m along z 0.07 m slack 0.50 m
}
