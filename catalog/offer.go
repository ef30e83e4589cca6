package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

// Offer is a supplier's quote, read from a file by ReadOffer: prices of parts, by
// quantity. It does not change after it is read.
type Offer struct {
	Name  string // of the file, without its directory
	Lines []OfferLine
	index map[Item][]int
	// faulty are lines of a file with mistakes: only their parts and currencies are looked at.
	faulty []OfferLine
}

// OfferLine is the price of one piece from a least quantity on.
type OfferLine struct {
	Item     Item        // of a cable without a length: a price of any length
	From     int64       // least quantity, at least 1
	Price    units.Price // in Currency
	Currency string      // ISO 4217
	Date     string      // ISO date
	Order    Order       // any of which may be left out
	Pos      diag.Position
	note     string // how the price was converted
}

// mostOffered is the highest price of one piece. No bill overflows with it.
const mostOffered = 100_000_000

// newOffer orders the lines by quantity and reports those that contradict each
// other.
func newOffer(name string, lines []OfferLine) (*Offer, diag.List) {
	o := &Offer{Name: name, Lines: lines, index: map[Item][]int{}}
	var found diag.List
	for i := range lines {
		l := &lines[i]
		o.index[l.Item] = append(o.index[l.Item], i)
	}
	for i := range lines { // in the order of the file, so that messages are too
		group := o.index[lines[i].Item]
		if group[0] != i {
			continue
		}
		slices.SortStableFunc(group, func(a, b int) int { return cmp.Compare(lines[a].From, lines[b].From) })
		for j := 1; j < len(group); j++ {
			few, many := &lines[group[j-1]], &lines[group[j]]
			switch {
			case few.From == many.From:
				found.Addf(many.Pos, "%s from %d pieces has a price at %s already",
					many.name(), many.From, few.Pos.Place())
			case few.Currency == many.Currency && many.Price > few.Price:
				found.Addf(many.Pos, "%s costs more from %d pieces than from %d at %s",
					many.name(), many.From, few.From, few.Pos.Place())
			}
		}
	}
	return o, found
}

// name is what the line prices, as a bill names it. An id that nobody has looked
// at yet may have anything in it.
func (l *OfferLine) name() string {
	named := l.Item
	if strings.ContainsFunc(named.Part, func(r rune) bool { return !unicode.IsPrint(r) }) {
		named.Part = strconv.Quote(named.Part)
	}
	return named.String()
}

// Check returns what is wrong with the offer beside a catalog: parts that do not exist, lengths that are not stocked.
// Other are ids that may be offered beside the catalog's, such as those of labour.
func (o *Offer) Check(c *Catalog, other []string) diag.List {
	var found diag.List
	for _, l := range slices.Concat(o.Lines, o.faulty) {
		fault := func(format string, args ...any) {
			found.Addf(l.Pos, format, args...)
		}
		p := c.Part(l.Item.Part)
		switch {
		case p == nil && slices.Contains(other, l.Item.Part) && l.Item.Length == 0:
		case p == nil:
			ids := slices.Clone(other)
			for j := range c.parts {
				ids = append(ids, c.parts[j].ID)
			}
			fault("there is no part %q\n%s", l.Item.Part, diag.Suggest(l.Item.Part, ids, ""))
		case l.Item.Length == 0:
		case !p.HasLength():
			fault("%s is not a cable and has no length", l.Item.Part)
		default:
			if !p.Sells(l.Item) {
				fault("%s is not stocked in %v", l.Item.Part, l.Item.Length)
			}
		}
	}
	return found
}

// In returns a copy of the offer with all prices converted to the currency of the exchange, and a mistake at the first
// line of every currency without a rate. Lines in such a currency keep their price, so that the copy is of no use then.
func (o *Offer) In(x *Exchange) (*Offer, diag.List) {
	in := *o
	in.Lines = slices.Clone(o.Lines)
	var found diag.List
	missing := map[string]bool{}
	for i := range in.Lines {
		l := &in.Lines[i]
		rate, ok := x.Rate(l.Currency)
		if !ok {
			if !missing[l.Currency] {
				found.Addf(l.Pos, "no rate from %s to %s", l.Currency, x.Currency)
			}
			missing[l.Currency] = true
			continue
		}
		l.note = x.note(l.Currency)
		l.Price, l.Currency = units.Price(float64(l.Price)*rate), x.Currency
	}
	for i := range o.faulty {
		l := &o.faulty[i]
		if _, ok := x.Rate(l.Currency); !ok && !missing[l.Currency] && currencyPattern.MatchString(l.Currency) {
			found.Addf(l.Pos, "no rate from %s to %s", l.Currency, x.Currency)
			missing[l.Currency] = true
		}
	}
	return &in, found
}

// Quote prices one piece of an item where qty are bought, by the line with the largest quantity that is reached. Of a
// cable, the lines of its length go before those of any length, which count where none of the former is reached. A
// quantity of 0 takes the price of the smallest quantity offered. There is no price if no line is reached. Prices are
// in the currency of their line: In has to convert them first.
func (o *Offer) Quote(item Item, qty int64) Quote {
	for _, key := range [...]Item{item, item.Family()} {
		group := o.index[key]
		found := -1
		for _, i := range group {
			if o.Lines[i].From <= qty || qty == 0 && found < 0 {
				found = i
			}
		}
		if found < 0 {
			continue
		}
		l := &o.Lines[found]
		unit := l.Price.Money()
		return Quote{
			Unit: unit, Low: unit, High: unit, Priced: true,
			From: o.Name, Source: o.source(l), Confidence: User, Order: l.Order,
		}
	}
	return Quote{}
}

// Least returns the smallest quantity in which an item is offered, of a cable in its length or in any length; 0 if it
// is not offered at all.
func (o *Offer) Least(item Item) int64 {
	least := int64(0)
	for _, key := range [...]Item{item, item.Family()} {
		if group := o.index[key]; len(group) > 0 && (least == 0 || o.Lines[group[0]].From < least) {
			least = o.Lines[group[0]].From
		}
	}
	return least
}

// ByQuantity reports whether a price depends on how many pieces are bought.
func (o *Offer) ByQuantity() bool {
	return slices.ContainsFunc(o.Lines, func(l OfferLine) bool { return l.From > 1 })
}

// source words where a price is from: "quote.csv:3:1, Acme, 2025-06-01".
func (o *Offer) source(l *OfferLine) string {
	s := o.Name + ":" + l.Pos.Place()
	if l.Order.Supplier != "" {
		s += ", " + l.Order.Supplier
	}
	s += ", " + l.Date
	if l.From > 1 {
		s += fmt.Sprintf(", from %d pieces", l.From)
	}
	return s + strings.TrimSpace(l.note)
}
