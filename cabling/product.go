package cabling

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plenum/catalog"
	"plenum/layout"
	"plenum/units"
)

// MediaRule allows media or parts for the links that match all its conditions.
type MediaRule struct {
	Levels  []string     // names of topology levels; any when empty
	Within  string       // name of a layout level that the link stays inside
	Beyond  string       // name of a layout level that the link leaves
	Longest units.Length // longest cable, 0 for no limit
	Media   []catalog.Medium
	Parts   []string // ids of cable parts
}

// matches tells whether the rule applies to links of a level whose lowest
// common container is of layout level common.
func (m *MediaRule) matches(l *layout.Layout, level string, common int) bool {
	if len(m.Levels) > 0 && !slices.Contains(m.Levels, level) {
		return false
	}
	if m.Within != "" && !inside(l, l.LevelIndex(m.Within), common) {
		return false
	}
	return m.Beyond == "" || !inside(l, l.LevelIndex(m.Beyond), common)
}

// inside tells whether a link whose lowest common container is of level common
// stays inside a container of the given level. Chassis levels of a rack stand
// beside each other, all others inside one another.
func inside(l *layout.Layout, level, common int) bool {
	if l.Room != nil && level > layout.RackLevel {
		return common == level
	}
	return common >= level
}

// allows tells whether the rule allows a cable. One made to order has to be named.
func (m *MediaRule) allows(p *catalog.Part) bool {
	return slices.Contains(m.Media, p.Cable.Medium) && !p.Cable.Custom || slices.Contains(m.Parts, p.ID)
}

// step is one interval of a chooser: the product for needs above the previous
// step's limit up to this one.
type step struct {
	upTo    units.Length
	product int16 // NoProduct where the rule that decides has none
}

// chooser finds the product for a need among those that one kind of link may
// use. It is a step function of the need, built once.
type chooser struct {
	steps []step
	rules string // which rules were looked at, for messages
}

// choose returns the product for a need.
func (c *chooser) choose(need units.Length) int16 {
	lo, hi := 0, len(c.steps)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if c.steps[mid].upTo < need-1e-9 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(c.steps) {
		return NoProduct
	}
	return c.steps[lo].product
}

// linkClass is what the choice of a product depends on, besides the length.
type linkClass struct {
	groupA, groupB *catalog.PortGroup
	level          uint8
	within         uint8
}

// candidate is a cable family with its optics.
type candidate struct {
	part           *catalog.Part
	opticA, opticB *catalog.Part
	reach          units.Length // 0 for no limit but the ladder's
}

// stocked returns the length that is bought for a need.
func (c *candidate) stocked(need units.Length) (units.Length, bool) {
	l, ok := c.part.Stock(need)
	return l, ok && (c.reach == 0 || l <= c.reach+1e-9)
}

// Quoter prices a part; the length matters for cables only.
type Quoter func(part *catalog.Part, length units.Length) catalog.Quote

// buyer finds products and numbers them.
type buyer struct {
	catalog  *catalog.Catalog
	quote    Quoter
	rules    []MediaRule
	products []Product
	index    map[Product]int16
}

func perCage(g *catalog.PortGroup) int { return max(g.PerCage, 1) }

// candidates lists the families that join two ports: cables with plugs of their
// own where both ports are alike and have a cage each, and passive fibre between
// two optics of one standard that fill their cages.
func (b *buyer) candidates(a, z *catalog.PortGroup) []candidate {
	var out []candidate
	if a.Connector == z.Connector && perCage(a) == 1 && perCage(z) == 1 {
		for _, p := range b.catalog.Cables(a.Connector, min(a.Rate, z.Rate)) {
			out = append(out, candidate{part: p})
		}
	}
	for _, oa := range b.catalog.Optics(a.Connector, a.Rate) {
		for _, oz := range b.catalog.Optics(z.Connector, z.Rate) {
			x, y := oa.Optic, oz.Optic
			if x.Standard != y.Standard || x.Fibre != y.Fibre || x.Plug != y.Plug || x.Rate != y.Rate ||
				max(x.Ports, 1) != perCage(a) || max(y.Ports, 1) != perCage(z) {
				continue
			}
			for _, p := range b.catalog.Fibres(x.Plug, x.Fibre) {
				out = append(out, candidate{p, oa, oz, min(x.Reach, y.Reach)})
			}
		}
	}
	return out
}

// cost is what one more link of a candidate costs: the cable and its share of
// the optics, in hundredths of a cent so that halves of cages stay exact.
func (b *buyer) cost(c *candidate, length units.Length) (cost int64, priced bool) {
	q := b.quote(c.part, length)
	cost, priced = int64(q.Unit)*100, q.Priced
	for _, o := range []*catalog.Part{c.opticA, c.opticB} {
		if o != nil {
			q := b.quote(o, 0)
			cost += int64(q.Unit) * 100 / int64(max(o.Optic.Ports, 1))
			priced = priced && q.Priced
		}
	}
	return cost, priced
}

// best returns the product for a need among the candidates: priced before
// unpriced, then the cheapest, the shortest, the simplest medium, by id.
func (b *buyer) best(candidates []candidate, need units.Length) int16 {
	found := Product{}
	var foundCost int64
	foundPriced := false
	for i := range candidates {
		c := &candidates[i]
		length, ok := c.stocked(need)
		if !ok {
			continue
		}
		cost, priced := b.cost(c, length)
		p := Product{c.part, length, c.opticA, c.opticB}
		if found.Part != nil {
			medium := func(p *Product) int { return slices.Index(catalog.Media, p.Part.Cable.Medium) }
			by := 0
			switch {
			case priced != foundPriced:
				by = 1
				if priced {
					by = -1
				}
			case priced:
				by = cmp.Compare(cost, foundCost)
			}
			if by = cmp.Or(by, cmp.Compare(length, found.Length), cmp.Compare(medium(&p), medium(&found)), strings.Compare(p.Part.ID, found.Part.ID)); by >= 0 {
				continue
			}
		}
		found, foundCost, foundPriced = p, cost, priced
	}
	if found.Part == nil {
		return NoProduct
	}
	return b.number(found)
}

func (b *buyer) number(p Product) int16 {
	n, ok := b.index[p]
	if !ok {
		n = int16(len(b.products))
		b.products = append(b.products, p)
		b.index[p] = n
	}
	return n
}

// chooser builds the step function of a class of links. The first rule that
// matches decides; a rule with a longest length passes longer cables on to the
// next.
func (b *buyer) chooser(l *layout.Layout, class linkClass, level string) *chooser {
	all := b.candidates(class.groupA, class.groupB)
	type rule struct {
		longest    units.Length
		candidates []candidate
	}
	var rules []rule
	var names []string
	limits := []units.Length{}
	for i := range b.rules {
		m := &b.rules[i]
		if !m.matches(l, level, int(class.within)) {
			continue
		}
		r := rule{longest: m.Longest}
		for _, c := range all {
			if m.allows(c.part) {
				r.candidates = append(r.candidates, c)
			}
		}
		rules = append(rules, r)
		names = append(names, fmt.Sprint(i+1))
		limits = append(limits, ladder(r.candidates)...)
		if m.Longest == 0 {
			break
		}
		limits = append(limits, m.Longest)
	}
	out := &chooser{rules: strings.Join(names, ", ")}
	slices.Sort(limits)
	for _, limit := range slices.Compact(limits) {
		product := int16(NoProduct)
		for _, r := range rules {
			if r.longest == 0 || limit <= r.longest+1e-9 {
				product = b.best(r.candidates, limit)
				break
			}
		}
		if n := len(out.steps); n > 0 && out.steps[n-1].product == product {
			out.steps[n-1].upTo = limit
			continue
		}
		out.steps = append(out.steps, step{limit, product})
	}
	return out
}

// ladder lists the lengths at which the choice among the candidates may change.
func ladder(candidates []candidate) []units.Length {
	var out []units.Length
	for i := range candidates {
		c := candidates[i].part.Cable
		out = append(out, c.Lengths...)
		if r := candidates[i].reach; r > 0 {
			out = append(out, r)
		}
		if c.MadeToMeasure > 0 {
			s := c.Step
			if s == 0 {
				s = 1
			}
			for l := s; l < c.MadeToMeasure; l += s {
				out = append(out, l.Round4())
			}
			out = append(out, c.MadeToMeasure)
		}
	}
	return out
}

// describe says what two ports are, for messages.
func (c *linkClass) describe() string {
	one := func(g *catalog.PortGroup) string { return fmt.Sprintf("%s %v", g.Connector, g.Rate) }
	if a, b := one(c.groupA), one(c.groupB); a != b {
		return a + " to " + b
	}
	return one(c.groupA)
}
