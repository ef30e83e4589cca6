package machine

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// items keys a table of prices by what they are of. A later key of the same item,
// in the order of the texts, goes before an earlier one. Keys without a meaning are
// reported by checkPrices.
func items[T any](table map[string]T) map[catalog.Item]T {
	out := make(map[catalog.Item]T, len(table))
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if item, err := catalog.ParseItem(key); err == nil {
			out[item] = table[key]
		}
	}
	return out
}

// exchange reads the quotes and converts them and the price set, nil if there is
// none of that name, into the currency of the bill.
func (r *resolver) exchange(set *catalog.PriceSet) {
	if set == nil {
		return // reported
	}
	p, x := &r.spec.Prices, r.rates(set)
	if r.prices = set.In(x); r.prices == nil && r.sound("prices.rates") {
		r.fault("prices.currency", "no rate for %s, in which %s is\nadd rates: {%s: ...} and rates_date", set.Currency,
			set.Name, set.Currency)
	}
	for i, path := range p.Quote {
		at := diag.Elem("prices.quote", i)
		offer, err := catalog.LoadOffer(r.spec.Beside(path))
		if offer == nil {
			r.blame(at, err)
			continue
		}
		var wrong diag.List // what the table itself, the catalog and the rates say of it
		errors.As(err, &wrong)
		in, unknown := offer.In(x)
		if r.spec.Unread("prices.rates") || r.spec.Unread("prices.currency") {
			unknown = nil
		}
		if len(r.unsound) == 0 && !r.idsLost {
			unknown = append(offer.Check(r.catalog, cost.LabourIDs), unknown...)
		}
		for _, d := range unknown {
			wrong.Add(d)
		}
		wrong.Sort()
		r.blame(at, wrong.Err())
		r.offers = append(r.offers, in)
	}
}

// blame reports what is wrong in another file that the spec names at a path.
func (r *resolver) blame(path string, err error) {
	var found diag.List
	if errors.As(err, &found) {
		for i := range found {
			r.fault(path, "%v", &found[i])
		}
	} else if err != nil {
		r.fault(path, "%v", err)
	}
}

// ranges are the bounds of prices.
func ranges(p *spec.Prices) map[string][2]units.Money {
	out := map[string][2]units.Money{}
	for key, r := range p.Ranges {
		if len(r) == 2 {
			out[key] = [2]units.Money{r[0], r[1]}
		}
	}
	return out
}

// CheckOffer returns what is wrong with a quote of the machine of a spec: parts that neither the catalog nor the spec
// has, lengths that are not stocked, currencies without a rate. The error says why the parts or prices of the spec
// itself cannot be read.
func CheckOffer(s *spec.Spec, o *catalog.Offer) (diag.List, error) {
	r := &resolver{resolved: resolved{spec: s}}
	if r.parts(); len(r.faults) > 0 {
		return nil, located(s, r.faults.Err())
	}
	found := o.Check(r.catalog, cost.LabourIDs)
	if set := r.catalog.PriceSet(cmp.Or(s.Prices.Set, DefaultPriceSet)); set != nil {
		_, unknown := o.In(r.rates(set))
		found = append(found, unknown...)
	}
	return found, nil
}

// rates returns the currency of the bill and the rates of the spec into it.
func (r *resolver) rates(set *catalog.PriceSet) *catalog.Exchange {
	p := &r.spec.Prices
	return &catalog.Exchange{Currency: cmp.Or(p.Currency, set.Currency), Rates: p.Rates, Date: p.RatesDate}
}
