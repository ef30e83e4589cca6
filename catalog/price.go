package catalog

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/plenum-planner/plenum/units"
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
	// Spread says how far a price that is not a range may be off.
	Spread *Spread `yaml:"spread,omitempty" json:"spread,omitempty"`
	// Base is the name of a set that prices what this one does not, as far as that set does so itself: its own base
	// does not count, so that two sets may have each other. None when left out.
	Base string `yaml:"base,omitempty" json:"base,omitempty"`
	// Labour is the price of installing one cable.
	Labour LabourRates `yaml:"labour,omitempty" json:"labour"`
	base   *PriceSet   // the set that Base names, which a catalog has found
	index  *priceIndex // of Prices, in a set of a catalog; nil elsewhere
}

// priceIndex finds prices by part. It is made when a price is first asked for.
type priceIndex struct {
	once     sync.Once
	exact    map[string]int // by id, where the first price for it is
	patterns []int          // where those with a trailing * are, the longest first
}

// Spread bounds a price by multiples of it: Low at most 1, High at least 1.
type Spread struct {
	Low  float64 `yaml:"low" json:"low"`
	High float64 `yaml:"high" json:"high"`
	// Source says where the multiples come from.
	Source string `yaml:"source" json:"source"`
}

// LabourRates prices the installing of one cable.
type LabourRates struct {
	InRack       units.Money `yaml:"in_rack,omitempty" json:"in_rack"`
	BetweenRacks units.Money `yaml:"between_racks,omitempty" json:"between_racks"`
	// InRow and CrossRow are rates of cables between racks of one row and of
	// several, where they differ; zero where they are as BetweenRacks.
	InRow    units.Money `yaml:"in_row,omitempty" json:"in_row,omitzero"`
	CrossRow units.Money `yaml:"cross_row,omitempty" json:"cross_row,omitzero"`
	// Fibre is the rate of terminating a fibre cable at both ends, on top; zero
	// where fibre comes with its plugs.
	Fibre      units.Money `yaml:"fibre,omitempty" json:"fibre,omitzero"`
	Source     string      `yaml:"source,omitempty" json:"source"`
	Confidence Confidence  `yaml:"confidence,omitempty" json:"confidence"`
}

// Price is what one part costs. For a cable either ByLength lists stocked
// lengths, or the price is Unit + PerMetre x length. A switch may be priced by
// port: Unit + PerPort x its ports; Unit may then be negative, as the intercept
// of a fitted line. Whether an amount may be negative is for Check to say.
type Price struct {
	Part     string            `yaml:"part" json:"part"` // id; a trailing * matches any ending
	Unit     Amount            `yaml:"unit,omitempty" json:"unit,omitzero" signed:"true"`
	PerMetre Amount            `yaml:"per_metre,omitempty" json:"per_metre,omitzero" signed:"true"`
	PerPort  Amount            `yaml:"per_port,omitempty" json:"per_port,omitzero" signed:"true"`
	ByLength map[string]Amount `yaml:"by_length,omitempty" json:"by_length,omitempty" signed:"true"` // "3 m": 87
	// the set's source when left out
	Source     string     `yaml:"source,omitempty" json:"source,omitempty"`
	Confidence Confidence `yaml:"confidence,omitempty" json:"confidence,omitempty"`
}

// Quote is a price found for a part.
type Quote struct {
	Unit units.Money
	// Low and High bound Unit; they equal it where no range is known.
	Low, High  units.Money
	Priced     bool   // false: no price is known, and Unit is meaningless
	From       string // name of the price set or file that the price is from
	Source     string
	Confidence Confidence
	// Order is what a supplier's quote says besides the price; nothing of prices that are from elsewhere.
	Order Order
}

// Order is what one has to know to order an item.
type Order struct {
	Supplier, PartNumber string
	Lead                 units.Days // 0 where it is not stated
	Pack                 int64      // pieces in a pack, of what is sold in packs; else 0
	Colours              string     // in which the supplier sells a cable, with commas between; "" where not stated
}

// SplitColours lists the colours of an Order.
func SplitColours(colours string) []string {
	var out []string
	for c := range strings.SplitSeq(colours, ",") {
		if c = strings.TrimSpace(c); c != "" {
			out = append(out, c)
		}
	}
	return out
}

// Order is what the part says about ordering it.
func (p *Part) Order() Order {
	return Order{Supplier: p.Supplier, PartNumber: p.PartNumber, Lead: p.Lead, Pack: int64(p.Pack)}
}

// Over returns the order with the fields of other where its own are empty or 0.
func (o Order) Over(other Order) Order {
	return Order{
		cmp.Or(o.Supplier, other.Supplier), cmp.Or(o.PartNumber, other.PartNumber), cmp.Or(o.Lead, other.Lead),
		cmp.Or(o.Pack, other.Pack), cmp.Or(o.Colours, other.Colours),
	}
}

// mostMoney is the greatest amount whose cents a float64 holds exactly.
const mostMoney = 9e13

// Quote prices one piece of a part; length matters for cables only. The price
// listed for the part's own id wins, then the pattern with the longest beginning; what has no price in the set has that
// of its base.
// There is no price if nothing matches, if the length is not in a table by
// length, or if a fitted line yields less than nothing at this size. The amount
// is rounded to cents once, at the end.
func (s *PriceSet) Quote(p *Part, length units.Length) Quote {
	q := s.quote(p, length)
	if !q.Priced && s.base != nil {
		return s.base.quote(p, length)
	}
	return q
}

// quote prices one piece of a part without the base.
func (s *PriceSet) quote(p *Part, length units.Length) Quote {
	price := s.find(p.ID)
	if price == nil {
		return Quote{}
	}
	amount, ok := price.amount(p, length)
	if !ok || !(amount.Likely >= 0 && amount.Likely <= mostMoney) {
		return Quote{}
	}
	if s.Spread != nil && !amount.IsRange() {
		amount.Low = units.Price(float64(amount.Low) * s.Spread.Low)
		amount.High = units.Price(float64(amount.High) * s.Spread.High)
	}
	return Quote{
		Unit: amount.Likely.Money(), Priced: true,
		Low:  max(amount.Low, 0).Money(),
		High: min(amount.High, mostMoney).Money(),
		From: s.Name, Source: cmp.Or(price.Source, s.Source), Confidence: cmp.Or(price.Confidence, s.Confidence),
	}
}

// find returns the price that applies to a part id, or nil.
func (s *PriceSet) find(id string) *Price {
	index := cmp.Or(s.index, &priceIndex{})
	index.once.Do(func() { index.fill(s.Prices) })
	if i, ok := index.exact[id]; ok {
		return &s.Prices[i]
	}
	for _, i := range index.patterns {
		if start := s.Prices[i].Part; strings.HasPrefix(id, start[:len(start)-1]) {
			return &s.Prices[i]
		}
	}
	return nil
}

func (x *priceIndex) fill(prices []Price) {
	x.exact = make(map[string]int, len(prices))
	for i := range prices {
		part := prices[i].Part
		if _, known := x.exact[part]; !known {
			x.exact[part] = i
		}
		if strings.HasSuffix(part, "*") {
			x.patterns = append(x.patterns, i)
		}
	}
	slices.SortStableFunc(x.patterns, func(a, b int) int { return len(prices[b].Part) - len(prices[a].Part) })
}

// amount is the price of one piece, and whether there is one.
func (p *Price) amount(part *Part, length units.Length) (Amount, bool) {
	if len(p.ByLength) == 0 {
		return p.Unit.plus(p.PerMetre.times(float64(length))).plus(p.PerPort.times(float64(part.PortCount()))), true
	}
	for text, amount := range p.ByLength {
		l, err := units.ParseLength(text)
		if err == nil && math.Abs(float64(l-length)) <= float64(lengthTolerance) {
			return amount, true
		}
	}
	return Amount{}, false
}

// Exchange converts prices into one currency.
type Exchange struct {
	Currency string             // ISO 4217: what prices are converted to
	Rates    map[string]float64 // units of Currency for one unit of another
	Date     string             // of the rates
}

// Rate returns the units of the exchange's currency for one unit of another, and whether there is a rate. That of its
// own currency is 1.
func (x *Exchange) Rate(from string) (float64, bool) {
	if from == x.Currency {
		return 1, true
	}
	rate, ok := x.Rates[from]
	return rate, ok
}

// note says how a price was converted, as the end of its source.
func (x *Exchange) note(from string) string {
	if from == x.Currency {
		return ""
	}
	return fmt.Sprintf("; %s at %v %s, %s", from, x.Rates[from], x.Currency, x.Date)
}

// In returns a copy of the set, and of its base, with all prices converted, or nil if there is no rate for the currency
// of either; the set itself if there is nothing to convert in both. If only the base is in another currency, the copy
// differs in its base alone. Sources say at what rate. Prices are rounded when they are quoted, rates of labour when
// they are converted.
func (s *PriceSet) In(x *Exchange) *PriceSet {
	in := s.convert(x)
	if in == nil || s.base == nil {
		return in
	}
	base := s.base.convert(x)
	switch {
	case base == nil:
		return nil
	case base == s.base && in == s:
		return s
	}
	own := *in
	own.base = base
	return &own
}

// convert is In without the base.
func (s *PriceSet) convert(x *Exchange) *PriceSet {
	rate, ok := x.Rate(s.Currency)
	if !ok {
		return nil
	}
	if s.Currency == x.Currency {
		return s
	}
	note := x.note(s.Currency)
	in := *s
	in.Currency = x.Currency
	in.Source += note
	for _, m := range []*units.Money{
		&in.Labour.InRack, &in.Labour.BetweenRacks, &in.Labour.InRow, &in.Labour.CrossRow,
		&in.Labour.Fibre,
	} {
		*m = units.MoneyOf(m.Float() * rate)
	}
	in.Labour.Source += note
	in.Prices = slices.Clone(s.Prices)
	for i := range in.Prices {
		p := &in.Prices[i]
		p.Unit, p.PerMetre, p.PerPort = p.Unit.times(rate), p.PerMetre.times(rate), p.PerPort.times(rate)
		if p.Source != "" {
			p.Source += note
		}
		if len(p.ByLength) > 0 {
			table := make(map[string]Amount, len(p.ByLength))
			for length, amount := range p.ByLength {
				table[length] = amount.times(rate)
			}
			p.ByLength = table
		}
	}
	return &in
}
