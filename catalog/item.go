package catalog

import (
	"cmp"
	"math"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

// Item is a product as one orders it: a part and, of a cable or hose, the length of the
// piece. It is what a line of a bill, a price and a quote are about, and serves
// as a key of maps: lengths are kept to a tenth of a millimetre, so that "300 cm"
// and "3 m" are the same. Make one by Part.Item or ParseItem.
//
// As a text, and in documents, it is the part's id, of a cable or hose with the length:
// "dac-400g@1.5 m".
type Item struct {
	Part   string       // id
	Length units.Length // of a cable or hose; 0 for one of any length, and for all other parts
}

// HasLength reports whether the part is sold by its length: a cable or a hose.
func (p *Part) HasLength() bool { return p.Kind == KindCable || p.Kind == KindHose }

// Item returns the part as an item; the length matters for cables and hoses only.
func (p *Part) Item(length units.Length) Item {
	if !p.HasLength() {
		return Item{Part: p.ID}
	}
	return Item{p.ID, length.Round4()}
}

// Sells reports whether a cable or hose is on sale in just the length of an item of it; false for other parts.
func (p *Part) Sells(i Item) bool {
	stock, ok := p.Stock(i.Length - itemTolerance)
	return ok && p.Item(stock) == i
}

// itemTolerance is how far the length of an item may be from that of its part,
// which is not rounded.
const itemTolerance units.Length = 5e-5

// Family returns the item without its length: of a cable, that of any length.
func (i Item) Family() Item { return Item{Part: i.Part} }

// Compare puts items in the order of their parts' ids and of their lengths.
func (i Item) Compare(other Item) int {
	return cmp.Or(strings.Compare(i.Part, other.Part), cmp.Compare(i.Length, other.Length))
}

// String returns the text that ParseItem reads.
func (i Item) String() string {
	if i.Length == 0 {
		return i.Part
	}
	return i.Part + itemSeparator + i.Length.Number() + " m"
}

// itemSeparator stands between id and length. No id has it (see idPattern).
const itemSeparator = "@"

// ParseItem reads an item: an id, or an id, an @ and a length in any unit. The
// error is diag.FieldErrors of the fields Part and Length; what is right is
// returned with it.
func ParseItem(text string) (Item, error) {
	part, length, hasLength := strings.Cut(text, itemSeparator)
	item := Item{Part: part}
	var wrong diag.FieldErrors
	if part == "" {
		wrong.Add("Part", "no part id before the %s", itemSeparator)
	}
	if hasLength {
		if l, ok := parseItemLength(length); ok {
			item.Length = l
		} else {
			wrong.Add("Length", "%q is not the length of a cable\nwrite id@3 m", length)
		}
	}
	return item, wrong.Err()
}

// parseItemLength reads the length of an item, and reports whether it is one.
func parseItemLength(text string) (units.Length, bool) {
	l, err := units.ParseLength(text)
	if l = l.Round4(); err != nil || l <= 0 || math.IsInf(float64(l), 0) {
		return 0, false
	}
	return l, true
}

// MarshalText implements encoding.TextMarshaler by String.
func (i Item) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler by ParseItem.
func (i *Item) UnmarshalText(text []byte) (err error) {
	*i, err = ParseItem(string(text))
	return err
}
