package machine

import (
	"cmp"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
)

// exchange reads the quotes and converts them and the price set, nil if there is
// none of that name, into the currency of the bill.
func (r *resolver) exchange(set *catalog.PriceSet) {
	if set == nil {
		return // reported
	}
	p := &r.spec.Prices
	x := &catalog.Exchange{Currency: cmp.Or(p.Currency, set.Currency), Rates: p.Rates, Date: p.RatesDate}
	if r.prices = set.In(x); r.prices == nil {
		r.fault("prices.currency", "no rate for %s, in which %s is\nadd rates: {%s: ...} and rates_date", set.Currency, set.Name, set.Currency)
	}
	for i, path := range p.Quote {
		at := elem("prices.quote", i)
		offer, err := catalog.LoadOffer(r.spec.beside(path))
		if err != nil {
			for _, e := range unjoin(err) {
				r.fault(at, "%v", e)
			}
			continue
		}
		faults := offer.Check(r.catalog, cost.LabourIDs)
		offer, unknown := offer.In(x)
		for _, e := range append(faults, unknown...) {
			r.fault(at, "%v", e)
		}
		r.offers = append(r.offers, offer)
	}
}
