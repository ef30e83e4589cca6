package cabling

import (
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

// NewSelector prepares to choose. The layout levels are those of a room of racks, then the
// names of inner ones that media rules may speak of.
func NewSelector(c *catalog.Catalog, quote Quoter, rules []MediaRule, inner []string) *Selector {
	s := &Selector{
		buyer: buyer{catalog: c, quote: quote, rules: rules, index: map[Product]int16{}},
		layout: &layout.Layout{
			Room:   &layout.Room{},
			Levels: []layout.Level{{Name: "hall"}, {Name: "row"}, {Name: "rack"}},
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

// Choose returns the product for a cable between two ports; level is the
// topology's, within the layout's. Where only a cable for all links of a cage joins
// the two, it is that, and links says for how many; else links is 1. The product is
// nil if there is none; its optics are at the near end, which has the larger cages
// if they differ, and at the far one.
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
