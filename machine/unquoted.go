package machine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// unquoted counts the cables that are bought longer than they have to be because a quote, or the machine file, prices
// the longer piece below what the price set estimates for the shortest that would do.
type unquoted struct {
	quote  cabling.PriceFunc
	set    string // whose prices are those of pieces that are not quoted
	excess bool   // the machine file bounds such cables already
	longer []bool // by product: whether there may be a shorter piece that is not quoted
	found  map[unquotedPair]int64
	shared map[int32]units.Length // the longest link of each cable of several links, where longer
	of     map[int32]int16        // product of these cables
}

// unquotedPair is the shortest piece that would do and the one that is bought.
type unquotedPair struct {
	part           *catalog.Part
	short, ordered units.Length
}

// newUnquoted prepares to count, nil where nothing is quoted.
func (r *resolved) newUnquoted(p *cabling.Problem) *unquoted {
	if len(r.offers) == 0 && len(r.spec.Prices.Unit) == 0 {
		return nil
	}
	return &unquoted{
		quote: p.Quote, set: r.prices.Name, excess: p.Excess != nil, found: map[unquotedPair]int64{},
		shared: map[int32]units.Length{}, of: map[int32]int16{},
	}
}

// visit counts a segment as it is scheduled.
func (u *unquoted) visit(s *cabling.Schedule, seg *cabling.Segment) {
	if u == nil || seg.Product < 0 {
		return
	}
	for len(u.longer) <= int(seg.Product) {
		p := &s.Products[len(u.longer)]
		u.longer = append(u.longer, !p.Stock && u.inPlace(p.Part, 0, p.Length))
	}
	if !u.longer[seg.Product] {
		return
	}
	p := &s.Products[seg.Product]
	if p.Links() > 1 {
		u.shared[seg.Cable] = max(u.shared[seg.Cable], seg.Length)
		u.of[seg.Cable] = seg.Product
		return
	}
	u.count(p, seg.Length, 1)
}

// inPlace reports whether a piece of a length may be bought in place of a shorter one that covers a need, because only
// the longer one is quoted.
func (u *unquoted) inPlace(part *catalog.Part, need, length units.Length) bool {
	long := u.quote(part, length)
	if !long.Priced || long.From == u.set {
		return false
	}
	for short, ok := part.Stock(need); ok && short < length-rounding; short, ok = part.Stock(short + shortStep) {
		if q := u.quote(part, short); q.Priced && q.From == u.set && q.Unit > long.Unit {
			return true
		}
		if need > 0 {
			return false
		}
	}
	return false
}

// shortStep is less than the difference of any two pieces.
const shortStep units.Length = 1e-3

// count notes cables of a product that need a length.
func (u *unquoted) count(p *cabling.Product, need units.Length, cables int64) {
	if need > 0 && u.inPlace(p.Part, need, p.Length) {
		short, _ := p.Part.Stock(need)
		u.found[unquotedPair{p.Part, short, p.Length}] += cables
	}
}

// notes name the cables that are ordered longer than required, by product.
func (u *unquoted) notes(s *cabling.Schedule) []string {
	if u == nil {
		return nil
	}
	for cable, need := range u.shared {
		u.count(&s.Products[u.of[cable]], need, 1)
	}
	clear(u.shared)
	pairs := slices.SortedFunc(maps.Keys(u.found), func(x, y unquotedPair) int {
		return cmp.Or(cmp.Compare(x.part.ID, y.part.ID), cmp.Compare(x.ordered, y.ordered),
			cmp.Compare(x.short, y.short))
	})
	var out []string
	for len(pairs) > 0 {
		first := pairs[0]
		var lengths []string
		cables, excess := int64(0), units.Length(0)
		for len(pairs) > 0 && pairs[0].part == first.part && pairs[0].ordered == first.ordered {
			n := u.found[pairs[0]]
			lengths = append(lengths, pairs[0].short.String())
			cables += n
			excess += units.Length(float64(pairs[0].ordered-pairs[0].short) * float64(n))
			pairs = pairs[1:]
		}
		are, bought := "are", "are"
		if len(lengths) == 1 {
			are = "is"
		}
		if cables == 1 {
			bought = "is"
		}
		text := fmt.Sprintf("%s: %s %s not quoted, and the estimates of %s are dearer than the quoted %v: %s %s "+
			"bought as %v, %v too long", first.part.ID, english.List(lengths), are, u.set, first.ordered,
			english.Count(cables, "cable"), bought, first.ordered, excess.Round4())
		if !u.excess {
			text += " (cabling.excess bounds that)"
		}
		out = append(out, text)
	}
	return out
}
