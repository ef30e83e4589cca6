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
// cheapest depends on how many are bought, and how many are bought on what is cheapest: they are chosen at some
// prices, counted, and chosen again at the prices of that many, until nothing changes. What was not yet bought is
// taken at the price of the smallest quantity on offer and, in a second run, at that of the greatest, as it may be
// worth buying only in bulk. Of all rounds the one with the least bill is taken.
func (r *resolved) priceByQuantity(ctx context.Context, pl *embed.Placement, p *cabling.Problem) error {
	stepped := false
	for _, o := range r.offers {
		stepped = stepped || o.ByQuantity()
	}
	if !stepped {
		return nil
	}
	summary := *p
	summary.Summary, summary.Visit, summary.Again = true, nil, nil
	best, unpriced, least := p.Quote, math.MaxInt, units.Money(0)
	for _, unknown := range []int64{0, math.MaxInt64} {
		bought := map[catalog.Item]int64{}
		summary.Quote = r.quoterAt(bought, unknown)
		for range mostRounds {
			s, err := cabling.Run(ctx, &summary)
			if err != nil {
				return r.spelled(err)
			}
			bill := cost.NewBill(r.bill(pl, s))
			if n := len(bill.Unpriced); n < unpriced || n == unpriced && bill.Total < least {
				best, unpriced, least = summary.Quote, n, bill.Total
			}
			next := maps.Clone(bought)
			for _, row := range bill.Rows {
				next[row.Item] = row.Qty + row.Spares
			}
			if maps.Equal(next, bought) {
				break
			}
			bought = next
			summary.Quote = r.quoterAt(bought, unknown)
		}
	}
	p.Quote = best
	return nil
}

// quoterAt prices products at the quantities that are bought, and those that are not at that of unknown pieces.
func (r *resolved) quoterAt(bought map[catalog.Item]int64, unknown int64) cabling.Quoter {
	quote := cost.NewQuoter(items(r.spec.Prices.Unit), r.offers, r.prices)
	return func(part *catalog.Part, length units.Length) catalog.Quote {
		qty, ok := bought[part.Item(length)]
		if !ok {
			qty = unknown
		}
		return quote(part, length, qty)
	}
}
