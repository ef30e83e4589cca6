package catalog

import (
	"cmp"
	"math"
	"strings"

	"plenum/units"
)

// PriceSet is a named, dated list of prices in one currency.
type PriceSet struct {
	Name     string  `yaml:"name" json:"name"`
	Currency string  `yaml:"currency" json:"currency"` // ISO 4217
	Date     string  `yaml:"date" json:"date"`         // year or ISO date
	Source   string  `yaml:"source" json:"source"`
	Prices   []Price `yaml:"prices" json:"prices"`
	// Confidence is that of every price that states none of its own.
	Confidence Confidence `yaml:"confidence,omitempty" json:"confidence,omitempty"`
	// Labour is the price of installing one cable.
	Labour LabourRates `yaml:"labour,omitempty" json:"labour"`
}

// LabourRates prices the installing of cables.
type LabourRates struct {
	InRack       units.Money `yaml:"in_rack,omitempty" json:"in_rack"`
	BetweenRacks units.Money `yaml:"between_racks,omitempty" json:"between_racks"`
	Source       string      `yaml:"source,omitempty" json:"source"`
	Confidence   Confidence  `yaml:"confidence,omitempty" json:"confidence"`
}

// Price is what one part costs. For a cable either ByLength lists stocked
// lengths, or the price is Unit + PerMetre x length. A switch may be priced by
// port: Unit + PerPort x its ports; Unit may then be negative, as the intercept
// of a fitted line.
type Price struct {
	Part       string             `yaml:"part" json:"part"` // id; a trailing * matches any ending
	Unit       float64            `yaml:"unit,omitempty" json:"unit,omitempty"`
	PerMetre   float64            `yaml:"per_metre,omitempty" json:"per_metre,omitempty"`
	PerPort    float64            `yaml:"per_port,omitempty" json:"per_port,omitempty"`
	ByLength   map[string]float64 `yaml:"by_length,omitempty" json:"by_length,omitempty"` // "3 m": 87
	Source     string             `yaml:"source,omitempty" json:"source,omitempty"`       // the set's source when left out
	Confidence Confidence         `yaml:"confidence,omitempty" json:"confidence,omitempty"`
}

// Quote is a price found for a part.
type Quote struct {
	Unit       units.Money
	Priced     bool // false: no price is known, and Unit is meaningless
	Source     string
	Confidence Confidence
}

// mostMoney is the greatest amount whose cents a float64 holds exactly.
const mostMoney = 9e13

// Quote prices one piece of a part; length matters for cables only. The price
// listed for the part's own id wins, then the pattern with the longest beginning.
// There is no price if nothing matches, if the length is not in a table by
// length, or if a fitted line yields less than nothing at this size. The amount
// is rounded to cents once, at the end.
func (s *PriceSet) Quote(p *Part, length units.Length) Quote {
	price := s.find(p.ID)
	if price == nil {
		return Quote{}
	}
	amount, ok := price.amount(p, length)
	if !ok || !(amount >= 0 && amount <= mostMoney) {
		return Quote{}
	}
	return Quote{
		Unit:       units.MoneyOf(amount),
		Priced:     true,
		Source:     cmp.Or(price.Source, s.Source),
		Confidence: cmp.Or(price.Confidence, s.Confidence),
	}
}

// find returns the price that applies to a part id, or nil.
func (s *PriceSet) find(id string) *Price {
	var best *Price
	for i := range s.Prices {
		price := &s.Prices[i]
		if price.Part == id {
			return price
		}
		start, pattern := strings.CutSuffix(price.Part, "*")
		if pattern && strings.HasPrefix(id, start) && (best == nil || len(price.Part) > len(best.Part)) {
			best = price
		}
	}
	return best
}

// amount is the price of one piece in whole currency units, and whether there is
// one. The conversions keep products from being fused into the sum, so that all
// processors round alike.
func (p *Price) amount(part *Part, length units.Length) (float64, bool) {
	if len(p.ByLength) == 0 {
		return p.Unit + float64(p.PerMetre*float64(length)) + float64(p.PerPort*float64(part.PortCount())), true
	}
	for text, amount := range p.ByLength {
		l, err := units.ParseLength(text)
		if err == nil && math.Abs(float64(l-length)) <= float64(lengthTolerance) {
			return amount, true
		}
	}
	return 0, false
}
