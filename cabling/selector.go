package cabling

import (
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// Selector chooses products for cables of which only the length is known: those of a
// machine that has no room yet.
type Selector struct {
	buyer    buyer
	layout   *layout.Layout
	choosers map[selectorClass]*chooser
}

type selectorClass struct {
	a, b   *catalog.PortGroup
	level  string
	within int
	shared bool
}

// NewSelector prepares to choose. The layout levels are those of a room of racks, then the names of inner ones that
// media rules may speak of. Without rules all media are allowed. Excess is as Problem has it.
func NewSelector(
	c *catalog.Catalog, quote PriceFunc, rules []MediaRule, excess *Excess, inner []string,
) *Selector {
	s := &Selector{
		buyer: buyer{catalog: c, quote: offBill(quote), rules: rules, excess: excess, index: map[Product]int16{}},
		layout: &layout.Layout{
			Room:   &layout.Room{},
			Levels: layout.RoomLevels(),
		},
		choosers: map[selectorClass]*chooser{},
	}
	for _, name := range inner {
		s.layout.Levels = append(s.layout.Levels, layout.Level{Name: name})
	}
	if len(rules) == 0 {
		s.buyer.rules = []MediaRule{{Media: catalog.Media}}
	}
	return s
}

// Choose returns the product for a cable between two ports; level is the name of the topology's, within the number of
// the layout's. Where only a cable for all links of a cage joins the two, it is that, and links says for how many; else
// links is 1. Of such a cable, OpticA is at the end with the larger cages. If there is none, it returns nil and 0.
func (s *Selector) Choose(
	a, b *catalog.PortGroup, level string, within int, need units.Length,
) (product *Product, links int) {
	i := s.chooser(selectorClass{a: a, b: b, level: level, within: within}).choose(need)
	links = 1
	if i == NoProduct && max(perCage(a), perCage(b)) > 1 {
		if perCage(a) < perCage(b) {
			a, b = b, a
		}
		links = perCage(a)
		i = s.chooser(selectorClass{a, b, level, within, true}).choose(need)
	}
	if i < 0 {
		return nil, 0
	}
	p := s.buyer.products[i]
	return &p, links
}

// chooser returns the chooser of a class.
func (s *Selector) chooser(k selectorClass) *chooser {
	c, ok := s.choosers[k]
	if !ok {
		class := linkClass{groupA: k.a, groupB: k.b, within: uint8(k.within)}
		if k.shared {
			class.links, class.plugs = uint8(perCage(k.a)), uint8(perCage(k.a)/perCage(k.b))
		}
		c = s.buyer.chooser(s.layout, class, k.level)
		s.choosers[k] = c
	}
	return c
}

// Least returns a lower bound of the cost of a link between two ports: the cable or its share of one, and its share of
// the optics, in any length, rounded down to a cent. It is 0 where none of the products that may be used joins them, or
// where one that does has no price.
func (s *Selector) Least(a, b *catalog.PortGroup) units.Money {
	least := int64(-1)
	s.regard(a, b, func(c *candidate, class *linkClass, links int64) {
		for _, need := range ladder([]candidate{*c}) {
			length, ok := c.stockedLength(need)
			if !ok {
				continue
			}
			cost, priced := s.buyer.costOf(c, length, class)
			if !priced {
				cost = 0
			}
			if each := cost / links; least < 0 || each < least {
				least = each
			}
		}
	})
	return units.Money(max(least, 0) / 100)
}

// MostLinks returns how many links between two ports a piece of cable carries at most; 0 where none of the products
// that may be used joins them.
func (s *Selector) MostLinks(a, b *catalog.PortGroup) int64 {
	most := int64(0)
	s.regard(a, b, func(_ *candidate, _ *linkClass, links int64) { most = max(most, links) })
	return most
}

// regard calls a function with the products that may be used and join two ports, and the links that a piece carries.
func (s *Selector) regard(a, b *catalog.PortGroup, with func(c *candidate, class *linkClass, links int64)) {
	regard := func(c *candidate, class *linkClass, links int64) {
		allowed := func(m MediaRule) bool { return m.permits(c) }
		if slices.ContainsFunc(s.buyer.rules, allowed) {
			with(c, class, links)
		}
	}
	for _, c := range s.buyer.candidates(a, b) {
		regard(&c, &linkClass{}, 1)
	}
	for _, ends := range [][2]*catalog.PortGroup{{a, b}, {b, a}} {
		near, far := perCage(ends[0]), perCage(ends[1])
		class := linkClass{links: uint8(near), plugs: uint8(near / far)}
		for _, c := range s.buyer.sharedFamilies(ends[0], ends[1]) {
			regard(&c, &class, int64(near))
		}
	}
}
