// Command prices prices the cable schedule of a machine twice: by a price set of the catalog, and with a supplier's
// quote, which takes precedence over the set. It prints the lines that the quote changes.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

const quote = `part,unit price,currency,date
generic-switch-64x400g,24500,USD,2026-03-02
`

func main() {
	plan, err := machine.Plan(context.Background(), &spec.Spec{
		Topology: topology.Spec{Params: topology.FatTree{Nodes: 64, Radix: 32}},
	})
	if err != nil {
		log.Fatal(err)
	}
	offer, err := catalog.ReadOffer("quote.csv", []byte(quote))
	if err != nil {
		log.Fatal(err)
	}
	in := cost.Input{Schedule: plan.Schedule, Catalog: plan.Catalog, Prices: plan.Prices}
	listed := cost.NewBill(&in)
	in.Offers = []*catalog.Offer{offer}
	quoted := cost.NewBill(&in)
	for i, row := range quoted.Rows {
		if row.Quoted {
			fmt.Printf("%d of %v: %v each by %s, %v by %s\n", row.Buy, row.Item, *listed.Rows[i].UnitCost,
				listed.Rows[i].From, *row.UnitCost, row.From)
		}
	}
	fmt.Printf("%v %s, with the quote %v\n", listed.Total, listed.Currency, quoted.Total)
}
