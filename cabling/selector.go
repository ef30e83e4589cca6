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
// topology's, within the layout's. It is nil if there is none.
func (s *Selector) Choose(a, b *catalog.PortGroup, level string, within int, need units.Length) *Product {
	class := selectorClass{a, b, level, within}
	c, ok := s.choosers[class]
	if !ok {
		c = s.buyer.chooser(s.layout, linkClass{groupA: a, groupB: b, within: uint8(within)}, level)
		s.choosers[class] = c
	}
	i := c.choose(need)
	if i == NoProduct {
		return nil
	}
	p := s.buyer.products[i]
	return &p
}
