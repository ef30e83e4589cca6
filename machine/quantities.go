package machine

import (
	"context"
	"maps"
	"math"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/units"
)

// mostRounds bounds how often products are chosen anew at the prices of the quantities that were bought.
const mostRounds = 12

// priceByQuantity has products chosen at the prices of the quantities in which they are bought. Which product is
// cheapest depends on how many are bought, and how many are bought on what is cheapest: they are chosen at some prices,
// counted, and chosen again at the prices of that many, until nothing changes. What was not yet bought is taken at the
// price of the smallest quantity on offer and, in a second run, at that of the greatest, as it may be worth buying only
// in bulk. Transceivers in stock are tried at their price and at none, for how many links can have them is not known
// before. Of all rounds the one with the least bill is taken; of several, one with the prices of its own bill.
func (r *resolved) priceByQuantity(ctx context.Context, pl *embed.Placement, p *cabling.Problem) error {
	unknowns, rounds := []int64{0}, 1
	for _, o := range r.offers {
		if o.ByQuantity() {
			unknowns, rounds = []int64{0, math.MaxInt64}, mostRounds
		}
	}
	free := []bool{false}
	if r.opticsInStore() {
		free = append(free, true)
	}
	if len(unknowns) == 1 && len(free) == 1 {
		return nil
	}
	try := trial{names: r, placement: pl, problem: *p, best: p.Quote, unpriced: math.MaxInt}
	try.problem.Summary, try.problem.Visit, try.problem.Again = true, nil, nil
	for _, free := range free {
		for _, unknown := range unknowns {
			if err := try.run(ctx, rounds, unknown, free); err != nil {
				return r.spelled(err)
			}
		}
	}
	p.Quote = try.best
	return nil
}

// trial finds the prices at which choosing leads to the least bill.
type trial struct {
	names     *resolved
	placement *embed.Placement
	problem   cabling.Problem
	best      cabling.PriceFunc
	unpriced  int // lines of the bill at best
	least     units.Money
}

// run chooses products at prices of unknown pieces, counts them, and chooses again, for so many rounds at most.
func (t *trial) run(ctx context.Context, rounds int, unknown int64, free bool) error {
	bought := map[catalog.Item]int64{}
	for range rounds {
		t.problem.Quote = t.names.quoterAt(bought, unknown, free)
		s, err := cabling.Run(ctx, &t.problem)
		if err != nil {
			return err
		}
		bill := cost.NewBill(t.names.bill(t.placement, s))
		next := maps.Clone(bought)
		for _, row := range bill.Rows {
			next[row.Item] = row.Buy
		}
		settled := maps.Equal(next, bought) // products were chosen at the prices of the bill
		if n := len(bill.Unpriced); n < t.unpriced || n == t.unpriced &&
			(bill.Total < t.least || settled && bill.Total == t.least) {
			t.best, t.unpriced, t.least = t.problem.Quote, n, bill.Total
		}
		if settled {
			break
		}
		bought = next
	}
	return nil
}

// quoterAt prices products at the quantities that are bought, and those that are not at that of unknown pieces;
// transceivers that are in stock cost nothing where they are free.
func (r *resolved) quoterAt(bought map[catalog.Item]int64, unknown int64, free bool) cabling.PriceFunc {
	quote := cost.NewQuoter(items(r.spec.Prices.Unit), r.offers, r.prices)
	return func(part *catalog.Part, length units.Length) catalog.Quote {
		item := part.Item(length)
		if free && part.Optic != nil && r.stock[item] > 0 {
			return catalog.Quote{Priced: true}
		}
		qty, ok := bought[item]
		if !ok {
			qty = unknown
		}
		return quote(part, length, qty)
	}
}
