// Command bill makes a bill of materials from a topology, without package machine: it places the boxes, schedules the
// cables and prices them.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

func main() {
	ctx := context.Background()
	graph, err := topology.New(topology.Torus{Dims: topology.Ints{4, 4}})
	if err != nil {
		log.Fatal(err)
	}
	parts := catalog.Default()
	prices := parts.PriceSet("estimate-2025")
	node := cabling.NewBox(parts.Part("generic-torus-node-1u"))
	placement, err := embed.Place(ctx, &embed.Problem{
		Graph: graph,
		Kinds: []embed.Kind{{Box: node.Box, PerRack: 8}},
		Room: &layout.RoomSpec{ // in metres; as many rows as the racks need
			Rack: layout.RackType{Units: 42, Width: 0.6, Depth: 1.2, Height: 2}, Cold: 1.2, Hot: 0.9,
		},
		Strategy: embed.Auto,
		Fold:     true,
	})
	if err != nil {
		log.Fatal(err)
	}
	schedule, err := cabling.Run(ctx, &cabling.Problem{
		Graph: graph, Boxes: []*cabling.Box{node}, Placement: placement,
		Catalog: parts, Quote: prices.Quote,
		Mode: cabling.Manhattan, Slack: cabling.Slack{Fixed: 0.5, InRack: 0.2},
	})
	if err != nil {
		log.Fatal(err)
	}
	bill := cost.NewBill(&cost.Input{
		Schedule: schedule, Catalog: parts, Prices: prices,
		Racks: []cost.RackCount{{Part: parts.Part("rack-42u"), Count: placement.RackCount()}},
	})
	for _, row := range bill.Rows {
		if row.HasCost() {
			fmt.Printf("%3d %-24v %10v\n", row.Qty, row.Item, *row.Cost)
		}
	}
	fmt.Printf("total %v %s, nodes excluded\n", bill.Total, bill.Currency)
}
