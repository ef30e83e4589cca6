package spec

import (
	"maps"
	"slices"
	"time"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/lazyregexp"
	"github.com/plenum-planner/plenum/units"
)

// Most spares, in per cent, and the highest price of one piece. No bill of a
// machine that can be numbered overflows with it.
const (
	maxSpares             = 1000
	maxPrice  units.Money = 100_000_000_00
)

// Highest exchange rate: one unit of a currency in another.
const maxRate = 1e6

var currency = lazyregexp.New(`^[A-Z]{3}$`)

// checkExchange checks the currency of the bill and the rates into it.
func (p *Prices) checkExchange(report Reporter) {
	if p.Currency != "" && !currency.MatchString(p.Currency) {
		report("prices.currency", "%q is not an ISO 4217 code\nwrite three capital letters, such as USD", p.Currency)
	}
	for _, code := range slices.Sorted(maps.Keys(p.Rates)) {
		at := diag.Key("prices.rates", code)
		if !currency.MatchString(code) {
			report(diag.OfKey("prices.rates", code), "%q is not an ISO 4217 code\nwrite three capital letters, such "+
				"as USD", code)
		}
		switch rate := p.Rates[code]; {
		case rate == 0:
			report(at, "the rate is zero")
		case rate < 1/maxRate:
			report(at, "a rate of less than %v", 1/maxRate)
		case rate > maxRate:
			report(at, "a rate of more than %.0f", float64(maxRate))
		case code == p.Currency && rate != 1:
			report(at, "%s is the currency of the bill\nremove it", code)
		}
	}
	_, err := time.Parse(time.DateOnly, p.RatesDate)
	switch {
	case len(p.Rates) > 0 && p.RatesDate == "":
		report("prices.rates", "the rates have no date\nwrite rates_date: 2025-06-01")
	case p.RatesDate != "" && err != nil:
		report("prices.rates_date", "%q is not a date\nwrite it as 2025-06-01", p.RatesDate)
	}
}

// Most per cent of freight and contingency, years, PUE and price of a kWh.
const (
	maxSurcharge = 1000
	maxYears     = 100
	maxPUE       = 10
	maxTariff    = 1e6
)

// checkOperation checks what power costs.
func (s *Spec) checkOperation(report Reporter) {
	o := s.Operation
	if o == nil {
		return
	}
	if o.Tariff > maxTariff {
		report("operation.tariff", "a tariff of more than %.0f", float64(maxTariff))
	}
	switch r := o.TariffRange; {
	case r == nil:
	case len(r) != 2:
		report("operation.tariff_range", "%d prices\nwrite the least and the most: [0.08, 0.2]", len(r))
	case r[0] > o.Tariff || r[1] < o.Tariff || r[1] > maxTariff:
		report("operation.tariff_range", "the tariff of %v is not between %v and %v", o.Tariff, r[0], r[1])
	}
	if o.PUE > maxPUE {
		report("operation.pue", "a PUE of more than %d", maxPUE)
	}
	if o.Years > maxYears {
		report("operation.years", "more than %d years", maxYears)
	}
	if o.Idle != nil && *o.Idle > 100 {
		report("operation.idle", "%v %% is more than all", *o.Idle)
	}
	if o.Idle != nil && o.PortPower != 0 {
		report("operation.idle", "cannot be combined with port_power, which counts lit ports alone\nremove one of them")
	}
}

// checkSurcharges checks freight, contingency and ranges.
func (p *Prices) checkSurcharges(report Reporter) {
	for key, percent := range map[string]float64{"freight": p.Freight, "contingency": p.Contingency} {
		if percent > maxSurcharge {
			report("prices."+key, "at most %d per cent", maxSurcharge)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(p.Ranges)) {
		at, r := diag.Key("prices.ranges", key), p.Ranges[key]
		own, given := p.Unit[key]
		switch {
		case len(r) != 2:
			report(at, "%d prices\nwrite the least and the most: [80, 150]", len(r))
		case r[0] > r[1]:
			report(at, "the least, %v, is more than the most, %v", r[0], r[1])
		case r[1] > maxPrice:
			report(at, "a price of more than %v", maxPrice)
		case given && (own < r[0] || own > r[1]):
			report(at, "the price of %v under prices.unit is not between %v and %v", own, r[0], r[1])
		}
	}
}

// spared are the kinds of parts that have spares, and ofFabrics those that a fabric does not share with others.
var (
	spared    = catalog.Kinds[:slices.Index(catalog.Kinds, catalog.KindLabour)]
	ofFabrics = []catalog.Kind{catalog.KindSwitch, catalog.KindCable, catalog.KindOptic}
)

// checkSpares checks the spares at a path, which may be of some kinds.
func checkSpares(report Reporter, section string, spares map[string]float64, kinds []catalog.Kind) {
	for _, kind := range slices.Sorted(maps.Keys(spares)) {
		at := diag.OfKey(section, kind)
		switch known := words(kinds); {
		case slices.Contains(known, kind):
		case slices.Contains(spared, catalog.Kind(kind)):
			report(at, "the fabrics share every %s\nmove it to prices.spares", kind)
		default:
			report(at, "%q is not a kind of part\n%s", kind, diag.Suggest(kind, known, "it is one of "))
		}
		if spares[kind] > maxSpares {
			report(diag.Key(section, kind), "at most %d per cent", maxSpares)
		}
	}
}

// checkPowerBasis checks the basis of power of a spec that was not read from a file.
func (s *Spec) checkPowerBasis(report Reporter) {
	if b := s.PowerBasis; b != "" && !slices.Contains(catalog.PowerBases, b) {
		report("power_basis", "%q is unknown\n%s", string(b), diag.Suggest(string(b), b.Words(), "it is one of "))
	}
}

func (s *Spec) checkPrices(report Reporter) {
	s.Prices.checkExchange(report)
	s.Prices.checkSurcharges(report)
	checkSpares(report, "prices.spares", s.Prices.Spares, spared)
	priced := func(section string, keys []string) {
		for _, key := range keys {
			_, err := catalog.ParseItem(key)
			for _, e := range diag.Fields(err) {
				report(diag.OfKey(section, key), "%s\n%s", e.Message, e.Suggestion)
			}
		}
	}
	priced("prices.unit", slices.Sorted(maps.Keys(s.Prices.Unit)))
	priced("prices.ranges", slices.Sorted(maps.Keys(s.Prices.Ranges)))
	for _, key := range slices.Sorted(maps.Keys(s.Prices.Unit)) {
		if s.Prices.Unit[key] > maxPrice {
			report(diag.Key("prices.unit", key), "a price of more than %v", maxPrice)
		}
	}
}
