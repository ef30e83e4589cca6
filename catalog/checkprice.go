package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

func (k *checker) checkSet(s *PriceSet) {
	if len(s.Currency) != 3 || strings.ToUpper(s.Currency) != s.Currency {
		k.fault("currency", "%q is not an ISO 4217 code", s.Currency)
	}
	if s.Date == "" {
		k.fault("date", "missing")
	}
	if s.Source == "" {
		k.fault("source", "missing")
	}
	if s.Confidence != "" {
		word(k, "confidence", s.Confidence, confidences)
	}
	if d := s.Spread; d != nil {
		if !finite(d.Low) || d.Low < 0 || d.Low > 1 {
			k.fault("spread.low", "must be between 0 and 1")
		}
		if !finite(d.High) || d.High < 1 {
			k.fault("spread.high", "must be at least 1")
		}
		if d.Source == "" {
			k.fault("spread.source", "missing")
		}
	}
	if s.Base != "" && s.base == nil {
		names := slices.DeleteFunc(k.catalog.PriceSets(), func(name string) bool { return name == s.Name })
		k.fault("base", "there is no other price set %q\n%s", s.Base, diag.Suggest(s.Base, names, "it is one of "))
	}
	seen := make(map[string]bool)
	for i := range s.Prices {
		p := &s.Prices[i]
		at := fmt.Sprintf("prices[%d]", i)
		if seen[p.Part] {
			k.fault(at+".part", "%q is priced twice", p.Part)
		}
		seen[p.Part] = true
		k.checkPrice(at, p, s)
	}
	k.checkLabour(s)
}

func (k *checker) checkLabour(s *PriceSet) {
	l := s.Labour
	if l == (LabourRates{}) {
		return
	}
	notNegative(k, "labour.in_rack", l.InRack.Float())
	notNegative(k, "labour.between_racks", l.BetweenRacks.Float())
	notNegative(k, "labour.in_row", l.InRow.Float())
	notNegative(k, "labour.cross_row", l.CrossRow.Float())
	notNegative(k, "labour.fibre", l.Fibre.Float())
	if l.Source == "" {
		k.fault("labour.source", "missing")
	}
	word(k, "labour.confidence", l.Confidence, confidences)
}

func (k *checker) checkPrice(at string, p *Price, s *PriceSet) {
	if p.Part == "" || strings.Contains(strings.TrimSuffix(p.Part, "*"), "*") {
		k.fault(at+".part", "must be an id, or the beginning of one and a *")
	} else if !strings.HasSuffix(p.Part, "*") && k.catalog.Part(p.Part) == nil {
		k.fault(at+".part", "there is no part %q\n%s", p.Part, k.catalog.Suggest(p.Part, ""))
	}
	if p.Confidence != "" || s.Confidence == "" {
		word(k, at+".confidence", p.Confidence, confidences)
	}
	k.checkAmount(at+".per_metre", p.PerMetre, false)
	k.checkAmount(at+".per_port", p.PerPort, false)
	k.checkAmount(at+".unit", p.Unit, !p.PerPort.IsZero())
	plain := !p.Unit.IsZero() || !p.PerMetre.IsZero() || !p.PerPort.IsZero()
	if !plain && len(p.ByLength) == 0 {
		k.fault(at, "states no price for %q", p.Part)
	}
	if plain && len(p.ByLength) > 0 {
		k.fault(at+".by_length", "stands beside unit, per_metre or per_port")
	}
	k.checkByLength(at+".by_length", p.ByLength)
}

// checkAmount checks an amount, which may be below nothing only as the intercept
// of a line.
func (k *checker) checkAmount(at string, a Amount, intercept bool) {
	switch {
	case !finite(a.Low) || !finite(a.Likely) || !finite(a.High) || a.Likely < 0 && !intercept:
		k.fault(at, "must not be negative or infinite")
	case a.Low > a.Likely || a.Likely > a.High:
		k.fault(at, "a range rises from low over likely to high")
	case a.Low < 0 && !intercept:
		k.fault(at, "must not be negative or infinite")
	}
}

// checkByLength checks that a table can be read and that longer cables cost no
// less than shorter ones.
func (k *checker) checkByLength(at string, table map[string]Amount) {
	type row struct {
		length units.Length
		amount Amount
	}
	var rows []row
	for _, text := range slices.Sorted(maps.Keys(table)) {
		l, err := units.ParseLength(text)
		switch amount := table[text]; {
		case err != nil:
			k.fault(at, "%v", err)
		case !finite(l) || l <= 0:
			k.fault(at, "%q is not a length of a cable", text)
		case !finite(amount.Low) || !finite(amount.High) || amount.Low <= 0:
			k.fault(at, "the price at %q must be greater than 0", text)
		case amount.Low > amount.Likely || amount.Likely > amount.High:
			k.fault(at, "the range at %q does not rise from low over likely to high", text)
		default:
			rows = append(rows, row{l, amount})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.length, b.length) })
	for i := 1; i < len(rows); i++ {
		switch short, long := rows[i-1], rows[i]; {
		case long.length-short.length <= lengthTolerance:
			k.fault(at, "%v is priced twice", long.length)
		case long.amount.Likely < short.amount.Likely || long.amount.Low < short.amount.Low ||
			long.amount.High < short.amount.High:
			k.fault(at, "%v costs less than %v", long.length, short.length)
		}
	}
}
