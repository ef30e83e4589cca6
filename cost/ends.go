package cost

import (
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/units"
)

// EndCount is the ends of one kind that the links of a plan have: transceivers, plugs of cables with ends of their own,
// and connectors in use whose optics are inside the box.
//
// A cable with ends of its own counts as many ends as it has plugs, two or more, all of one kind. Its price and its
// power are in Cost and Power once; Unpriced, Failures and Flaps are by the end. Ends inside boxes are in Count,
// Failures, Flaps and Cleaned, not in Power, Cost and Unpriced. Power is in watts.
type EndCount struct {
	Kind  catalog.EndKind `json:"kind"`    // empty where parts do not state it
	Count int64           `json:"count"`   // a transceiver of several links counts once
	Power units.Power     `json:"power_w"` // what they draw; that of optics inside boxes is in that of the boxes
	// Cost is that of the transceivers, or of the cables whose ends are their own, without spares; that of optics
	// inside boxes is in that of the boxes.
	Cost     units.Money `json:"cost"`
	Unpriced int64       `json:"unpriced,omitempty"` // ends without a price, which the cost leaves out
	// Failures is how many a year fail, of those with a known rate.
	Failures        float64 `json:"failures_per_year"`
	FailuresUnknown int64   `json:"failures_unknown,omitempty"` // ends without a known rate of failures
	// Flaps is how many a year lose their link, of those with a known rate.
	Flaps        float64 `json:"flaps_per_year"`
	FlapsUnknown int64   `json:"flaps_unknown,omitempty"` // ends without a known rate of flaps
	Cleaned      int64   `json:"cleaned"`                 // ends whose faces are cleaned before each mating
}

// add counts n more ends: in Count, Cleaned, Failures, Flaps and the numbers of those without a rate. Power and price
// are left to the caller.
func (e *EndCount) add(end *catalog.End, n int64) {
	e.Count += n
	if end.Cleaning {
		e.Cleaned += n
	}
	for _, r := range []struct {
		rate    *float64
		sum     *float64
		unknown *int64
	}{{end.Failures, &e.Failures, &e.FailuresUnknown}, {end.Flaps, &e.Flaps, &e.FlapsUnknown}} {
		if r.rate == nil {
			*r.unknown += n
		} else {
			*r.sum += *r.rate * float64(n)
		}
	}
}

// ends appends the ends of all links to bill.Ends, by kind in the order of catalog.EndKinds, those of no stated kind
// last; kinds without ends are left out. It reads unit prices from the rows of the bill, which have to be there.
func (b *builder) ends() {
	ends := map[catalog.EndKind]*EndCount{}
	of := func(p *catalog.Part, n int64) *EndCount {
		end := catalog.EndOf(p)
		e := ends[end.Kind]
		if e == nil {
			e = &EndCount{Kind: end.Kind}
			ends[end.Kind] = e
		}
		e.add(&end, n)
		return e
	}
	pay := func(e *EndCount, item catalog.Item, pieces, n int64) {
		if row, ok := b.index[item]; ok && b.bill.Rows[row].UnitCost != nil {
			e.Cost = e.Cost.Plus(b.bill.Rows[row].UnitCost.Times(pieces))
		} else {
			e.Unpriced += n
		}
	}
	for _, tallies := range b.in.Schedule.Tallies {
		for i := range tallies {
			for product, n := range tallies[i].Product {
				p := &b.in.Schedule.Products[product]
				far := int64(p.Part.Cable.FarPlugs())
				if !p.Part.Cable.Medium.Fibre() {
					e := of(p.Part, n*(1+far))
					e.Power += units.Power(float64(n) * float64(p.Part.CablePower()))
					pay(e, p.Item(), n, n*(1+far))
					continue
				}
				for at, optic := range []*catalog.Part{p.OpticA, p.OpticB} {
					if optic == nil || !optic.IsBuiltIn() {
						continue
					}
					plugs := int64(1)
					if (at == 0) == p.NearB {
						plugs = far
					}
					of(optic, n*plugs)
				}
			}
			for _, optic := range slices.SortedFunc(maps.Keys(tallies[i].Optics), byID) {
				n := tallies[i].Optics[optic]
				e := of(optic, n)
				e.Power += units.Power(float64(n) * float64(optic.Power))
				pay(e, optic.Item(0), n, n)
			}
		}
	}
	for _, kind := range append(slices.Clone(catalog.EndKinds), "") {
		if e := ends[kind]; e != nil && e.Count > 0 {
			b.bill.Ends = append(b.bill.Ends, *e)
		}
	}
}

// byID puts parts into the order of their ids.
func byID(a, b *catalog.Part) int { return strings.Compare(a.ID, b.ID) }
