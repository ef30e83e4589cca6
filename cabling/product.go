package cabling

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// MediaRule allows cables for the links that match all its conditions: those of its media, and the parts that it names.
// The first rule that matches a link and whose Longest allows the length that it needs decides, alone.
type MediaRule struct {
	Levels  []string     // names of topology levels; any when empty
	Within  string       // name of a layout level that the link stays inside
	Beyond  string       // name of a layout level that the link leaves
	Longest units.Length // longest cable, 0 for no limit
	// Ends are groups of ports, with an end in one of which the link has to be; any when empty. A box has its own after
	// OwnGroups.
	Ends  []*catalog.PortGroup
	Media []catalog.Medium
	Parts []string // ids of cable parts, besides those of Media; a part made to order is allowed only here
	// Kinds are those that the ends of a link may be of; any when empty.
	Kinds []catalog.EndKind
}

// matches reports whether the rule applies to the links of a class, whose level is given by name.
func (m *MediaRule) matches(l *layout.Layout, level string, class *linkClass) bool {
	if len(m.Levels) > 0 && !slices.Contains(m.Levels, level) {
		return false
	}
	if len(m.Ends) > 0 && !slices.Contains(m.Ends, class.groupA) && !slices.Contains(m.Ends, class.groupB) {
		return false
	}
	common := int(class.within)
	if m.Within != "" && !inside(l, l.LevelIndex(m.Within), common) {
		return false
	}
	return m.Beyond == "" || !inside(l, l.LevelIndex(m.Beyond), common)
}

// inside reports whether a link whose lowest common container is of level common
// stays inside a container of the given level. Chassis levels of a rack stand
// beside each other, all others inside one another.
func inside(l *layout.Layout, level, common int) bool {
	if l.Room != nil && level > layout.RackLevel {
		return common == level
	}
	return common >= level
}

// allows reports whether the rule allows a cable. One made to order has to be named.
func (m *MediaRule) allows(p *catalog.Part) bool {
	return (slices.Contains(m.Media, p.Cable.Medium) && !p.Cable.Custom || slices.Contains(m.Parts, p.ID)) &&
		(p.Cable.Medium.Fibre() || m.allowsEnds(p))
}

// allowsEnds reports whether the rule allows ends of some parts: transceivers, optics inside boxes or cables with ends
// of their own; nil stands for none.
func (m *MediaRule) allowsEnds(ends ...*catalog.Part) bool {
	return len(m.Kinds) == 0 || !slices.ContainsFunc(ends, func(p *catalog.Part) bool {
		return p != nil && !slices.Contains(m.Kinds, catalog.EndOf(p).Kind)
	})
}

// permits reports whether the rule allows a cable with its optics.
func (m *MediaRule) permits(c *candidate) bool {
	return m.allows(c.part) && m.allowsEnds(c.opticA, c.opticB)
}

// step is one interval of a chooser: the product for needs above the previous
// step's limit up to this one.
type step struct {
	upTo units.Length
	// NoProduct where the rule that decides has none; apart where links that could share a cable had better not
	product int16
}

// chooser finds the product for a need among those that one kind of link may
// use. It is a step function of the need, built once.
type chooser struct {
	steps []step
	// index is the first step for needs from every multiple of 1/indexGrain m on, as far as the steps go: the search
	// starts there. nil where no steps were indexed.
	index []int16
}

// indexGrain is into how many parts a metre is divided to find steps; mostIndexed bounds the length that is.
const (
	indexGrain  = 16
	mostIndexed = 500
)

// buildIndex prepares to find steps faster.
func (c *chooser) buildIndex() *chooser {
	if len(c.steps) == 0 || len(c.steps) > math.MaxInt16 {
		return c
	}
	longest := min(c.steps[len(c.steps)-1].upTo, mostIndexed)
	at := 0
	for i := 0; units.Length(i)/indexGrain <= longest; i++ {
		for c.steps[at].upTo < units.Length(i)/indexGrain-1e-9 {
			at++
		}
		c.index = append(c.index, int16(at))
	}
	return c
}

// choose returns the product for a need.
func (c *chooser) choose(need units.Length) int16 {
	lo, hi := 0, len(c.steps)
	if i := int(need * indexGrain); uint(i) < uint(len(c.index)) {
		lo = int(c.index[i])
		for lo < hi && c.steps[lo].upTo < need-1e-9 {
			lo++
		}
		hi = lo
	}
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

// longest is the longest need for which there is a product.
func (c *chooser) longest() units.Length {
	for i := len(c.steps) - 1; i >= 0; i-- {
		if c.steps[i].product >= 0 {
			return c.steps[i].upTo
		}
	}
	return 0
}

// linkClass is what the choice of a product depends on, besides the length.
type linkClass struct {
	groupA, groupB *catalog.PortGroup
	level          uint8
	within         uint8
	// Of links that may share a cable: their number, the number of cages at the far end, and whether the near cage,
	// which is groupA's, is at the B end. links is 0 for a link that has a cable to itself.
	links, plugs uint8
	nearB        bool
	// barred are the groups of media that find no tray between the racks, a bit
	// each.
	barred uint8
	// Transceivers that the cages at both ends hold, of a single link; nil where any will do.
	opticA, opticB *catalog.Part
}

// candidate is a cable family with its optics.
type candidate struct {
	part           *catalog.Part
	opticA, opticB *catalog.Part
	reach          units.Length // 0 for no limit but that of the stocked lengths
	shared         bool         // one cable carries all links of the near cage; optic A is there
}

// stockedLength returns the length that is bought for a need.
func (c *candidate) stockedLength(need units.Length) (units.Length, bool) {
	l, ok := c.part.Stock(need)
	return l, ok && (c.reach == 0 || l <= c.reach+1e-9)
}

// PriceFunc prices one piece of a part, by which package cabling ranks products. The length is that of a cable in
// metres, and ignored for other parts. Unlike cost.Quoter, it does not depend on the quantity ordered.
type PriceFunc func(part *catalog.Part, length units.Length) catalog.Quote

// buyer finds products and numbers them.
type buyer struct {
	catalog  *catalog.Catalog
	quote    PriceFunc
	billed   PriceFunc // nil where nothing is explained, or by the same prices
	excess   *Excess
	rules    []MediaRule
	products []Product
	index    map[Product]int16
	pieces   map[*catalog.Part][]piece
	trays    *trayRouter // nil where cables do not run on trays
	groups   []uint8     // of each product: its group of media on trays
	only     *opticKind  // nothing but fibre between transceivers of this kind, if set
}

func perCage(g *catalog.PortGroup) int { return max(g.PerCage, 1) }

// offBill prices optics inside boxes, which have no price of their own, at nothing.
func offBill(quote PriceFunc) PriceFunc {
	if quote == nil {
		return nil
	}
	return func(p *catalog.Part, length units.Length) catalog.Quote {
		if p.IsBuiltIn() {
			return catalog.Quote{Priced: true}
		}
		return quote(p, length)
	}
}

// opticPairs lists the optics between which a link of two ports may run, with a plug of its own at both ends: those
// that talk to each other, in cages or inside the boxes.
func (b *buyer) opticPairs(a, z *catalog.PortGroup) [][2]*catalog.Part {
	var out [][2]*catalog.Part
	far := b.catalog.PortOptics(z)
	for _, oa := range b.catalog.PortOptics(a) {
		for _, oz := range far {
			if x, y := oa.Optic, oz.Optic; x.Standard == y.Standard && x.Fibre == y.Fibre && x.Rate == y.Rate {
				out = append(out, [2]*catalog.Part{oa, oz})
			}
		}
	}
	return out
}

// candidates lists the families that join two ports: cables with plugs of their
// own where both ports have a cage each, and passive fibre between two optics of
// one standard that fill their cages or are inside the boxes.
func (b *buyer) candidates(a, z *catalog.PortGroup) []candidate {
	var out []candidate
	if perCage(a) == 1 && perCage(z) == 1 {
		for _, p := range b.catalog.Twins(a.Connector, z.Connector, min(a.Rate, z.Rate), 1) {
			out = append(out, candidate{part: p})
		}
	}
	for _, pair := range b.opticPairs(a, z) {
		x, y := pair[0].Optic, pair[1].Optic
		for _, p := range b.catalog.Fibres(x.Plug, y.Plug, x.Fibre) {
			out = append(out, candidate{p, pair[0], pair[1], min(x.Reach, y.Reach), false})
		}
	}
	return out
}

// cost is what one more link of a candidate costs: the cable and its share of the optics, in hundredths of a cent so
// that halves of cages stay exact. Where priced is false, a part has no price and the cost is that of the others.
func (b *buyer) cost(c *candidate, length units.Length) (cost int64, priced bool) {
	q := b.quote(c.part, length)
	cost, priced = b.opticsOf(c, &linkClass{})
	return cost + int64(q.Unit)*100, priced && q.Priced
}

// opticsOf is what the optics of a candidate cost in costOf.
func (b *buyer) opticsOf(c *candidate, class *linkClass) (cost int64, priced bool) {
	priced = true
	for end, o := range [...]*catalog.Part{c.opticA, c.opticB} {
		if o == nil {
			continue
		}
		q := b.quote(o, 0)
		priced = priced && q.Priced
		switch {
		case class.links == 0:
			cost += int64(q.Unit) * 100 / int64(max(o.Optic.Ports, 1))
		case end == 0:
			cost += int64(q.Unit) * 100
		default:
			cost += int64(q.Unit) * 100 * int64(class.plugs)
		}
	}
	return cost, priced
}

// costOf is what all the links of a class cost with a candidate: one cable, or
// one each, and the optics that fill their cages.
func (b *buyer) costOf(c *candidate, length units.Length, class *linkClass) (cost int64, priced bool) {
	if class.links == 0 {
		return b.cost(c, length)
	}
	q := b.quote(c.part, length)
	cost, priced = int64(q.Unit)*100, q.Priced
	if !c.shared {
		cost *= int64(class.links)
	}
	optics, opticsPriced := b.opticsOf(c, class)
	return cost + optics, priced && opticsPriced
}

// offer is a candidate in the length that a need takes.
type offer struct {
	*candidate
	length units.Length
	cost   int64 // in hundredths of a cent
	priced bool
	// billed and billPriced are cost and priced by the prices of the bill, for explanations.
	billed     int64
	billPriced bool
}

// money is the cost by the prices of the bill.
func (o *offer) money() units.Money { return inCents(o.billed) }

// inCents rounds hundredths of a cent.
func inCents(hundredths int64) units.Money { return units.Money(math.Round(float64(hundredths) / 100)) }

// piece is a length of a cable family, with its price.
type piece struct {
	length units.Length
	unit   units.Money
	priced bool
}

// Excess bounds how much longer than the shortest piece on sale that will do another one of the family may be, which is
// bought as it costs less or to have fewer products: by a share of the shortest piece and a length, which add up.
type Excess struct {
	Share  float64 // 0.3 for 30 per cent
	Length units.Length
}

// most is the longest piece that may be bought in place of the shortest that will do; 0 means no limit.
func (e *Excess) most(shortest units.Length) units.Length {
	if e == nil {
		return 0
	}
	return shortest + units.Length(float64(shortest)*e.Share) + e.Length
}

// cheapest is the length to buy where one of at least the given, which is stocked, will do: a longer one that costs
// less, as quotes may have it, up to most, or any length if that is 0, and within the excess. Where the given one has
// no price, nothing is cheaper.
func (b *buyer) cheapest(part *catalog.Part, length, most units.Length) units.Length {
	pieces, ok := b.pieces[part]
	if !ok {
		lengths := ladder([]candidate{{part: part}})
		slices.Sort(lengths)
		for _, l := range slices.Compact(lengths) {
			if stock, ok := part.Stock(l); ok {
				q := b.quote(part, stock)
				pieces = append(pieces, piece{stock, q.Unit, q.Priced})
			}
		}
		if b.pieces == nil {
			b.pieces = map[*catalog.Part][]piece{}
		}
		b.pieces[part] = pieces
	}
	first := slices.IndexFunc(pieces, func(p piece) bool { return p.length >= length-1e-9 })
	if first < 0 || !pieces[first].priced {
		return length
	}
	best := pieces[first]
	most = least(most, b.excess.most(length))
	for _, p := range pieces[first+1:] {
		if most > 0 && p.length > most+1e-9 {
			break
		}
		if p.priced && p.unit < best.unit {
			best = p
		}
	}
	return best.length
}

// least is the lesser of two limits, of which 0 is none.
func least(a, b units.Length) units.Length {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// offerFor is a candidate's offer, if it reaches, in the length up to most that costs the least; 0 means no limit.
func (b *buyer) offerFor(c *candidate, need, most units.Length, class *linkClass) (offer, bool) {
	length, ok := c.stockedLength(need)
	if !ok || c.shared && int(class.plugs) > c.part.Cable.FarPlugs() {
		return offer{}, false
	}
	length = b.cheapest(c.part, length, least(c.reach, most))
	return b.offerOf(c, length, class), true
}

// offerOf returns a candidate's offer in a length.
func (b *buyer) offerOf(c *candidate, length units.Length, class *linkClass) offer {
	o := offer{candidate: c, length: length}
	o.cost, o.priced = b.costOf(c, length, class)
	o.billed, o.billPriced = o.cost, o.priced
	if b.billed != nil {
		bill := buyer{quote: b.billed}
		o.billed, o.billPriced = bill.costOf(c, length, class)
	}
	return o
}

// compare puts the better offer first: priced before unpriced, then the cheapest,
// the shortest, the simplest medium, one cable before several, by id.
func (o *offer) compare(p *offer) int {
	medium := func(o *offer) int { return slices.Index(catalog.Media, o.part.Cable.Medium) }
	by := 0
	switch {
	case o.priced != p.priced:
		by = 1
		if o.priced {
			by = -1
		}
	case o.priced:
		by = cmp.Compare(o.cost, p.cost)
	}
	one := 0
	if o.shared != p.shared {
		one = 1
		if o.shared {
			one = -1
		}
	}
	return cmp.Or(by, cmp.Compare(o.length, p.length), cmp.Compare(medium(o), medium(p)), one,
		strings.Compare(o.part.ID, p.part.ID))
}

// best returns the product for a need of a class of links among the candidates, of a length up to most; 0 means no
// limit. It is NoProduct where none will do, and apart where the links had better not share a cable.
func (b *buyer) best(candidates []candidate, need, most units.Length, class *linkClass) int16 {
	var found offer
	for i := range candidates {
		o, ok := b.offerFor(&candidates[i], need, most, class)
		if ok && (found.candidate == nil || o.compare(&found) < 0) {
			found = o
		}
	}
	switch {
	case found.candidate == nil:
		return NoProduct
	case class.links > 0 && !found.shared:
		return apart
	}
	return b.number(b.product(found.candidate, found.length, class))
}

// product is a candidate in one length, as it lies between the ends of a class.
func (b *buyer) product(c *candidate, length units.Length, class *linkClass) Product {
	p := Product{Part: c.part, Length: length, OpticA: c.opticA, OpticB: c.opticB}
	atA := class.groupA
	if class.nearB {
		atA, p.OpticA, p.OpticB = class.groupB, p.OpticB, p.OpticA
	}
	switch c := p.Part.Cable; {
	case c.FarPlugs() > 1 && (p.OpticA == nil) != (p.OpticB == nil): // legs end at a panel
		p.NearB = p.OpticA == nil
	case c.FarPlugs() > 1:
		p.NearB = class.nearB
	case c.FarConnector() == c.Connector:
	case p.OpticA != nil:
		p.NearB = p.OpticA.Optic.Plug != c.Connector
	case p.OpticB != nil: // A is at a panel
		p.NearB = p.OpticB.Optic.Plug == c.Connector
	default:
		p.NearB = atA.Connector != c.Connector
	}
	return p
}

func (b *buyer) number(p Product) int16 {
	n, ok := b.index[p]
	if !ok {
		n = int16(len(b.products))
		b.products = append(b.products, p)
		if b.trays != nil {
			b.groups = append(b.groups, b.trays.groupOf[p.Part.Cable.Medium])
		}
		b.index[p] = n
	}
	return n
}

// all lists the families that may be used for a class of links.
func (b *buyer) all(class *linkClass) []candidate {
	all := b.candidates(class.groupA, class.groupB)
	if class.links > 0 {
		all = append(b.sharedFamilies(class.groupA, class.groupB), all...)
	}
	if b.only != nil {
		all = slices.DeleteFunc(all,
			func(c candidate) bool { return c.opticA == nil || b.kindOf(c.opticA, c.opticB) != *b.only })
	}
	return all
}

// chooser builds the step function of a class of links, whose level is given by name. The first rule that matches
// decides; a rule with a longest length passes longer cables on to the next. Consolidation and stock come after it.
func (b *buyer) chooser(l *layout.Layout, class linkClass, level string) *chooser {
	all := b.all(&class)
	type rule struct {
		longest    units.Length
		candidates []candidate
	}
	var rules []rule
	limits := []units.Length{}
	for i := range b.rules {
		m := &b.rules[i]
		if !m.matches(l, level, &class) {
			continue
		}
		r := rule{longest: m.Longest}
		for _, c := range all {
			if m.permits(&c) && class.holds(&c) &&
				(class.barred == 0 || !b.trays.bars(c.part.Cable.Medium, class.barred)) {
				r.candidates = append(r.candidates, c)
			}
		}
		rules = append(rules, r)
		limits = append(limits, ladder(r.candidates)...)
		if m.Longest == 0 {
			break
		}
		limits = append(limits, m.Longest)
	}
	out := &chooser{}
	slices.Sort(limits)
	for _, limit := range slices.Compact(limits) {
		product := int16(NoProduct)
		for _, r := range rules {
			if r.longest == 0 || limit <= r.longest+1e-9 {
				product = b.best(r.candidates, limit, r.longest, &class)
				break
			}
		}
		if n := len(out.steps); n > 0 && out.steps[n-1].product == product {
			out.steps[n-1].upTo = limit
			continue
		}
		out.steps = append(out.steps, step{limit, product})
	}
	return out.buildIndex()
}

// ladder lists the stocked lengths at which the choice among the candidates may change.
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
	if a, b := describePort(c.groupA), describePort(c.groupB); a != b {
		return a + " to " + b
	}
	return describePort(c.groupA)
}

func describePort(g *catalog.PortGroup) string {
	switch per := perCage(g); {
	case per > 1 && g.Optic != nil:
		return fmt.Sprintf("%s %v (%d in a connector)", g.Connector, g.Rate, per)
	case per > 1:
		return fmt.Sprintf("%s %v (%d in a cage)", g.Connector, g.Rate, per)
	}
	return fmt.Sprintf("%s %v", g.Connector, g.Rate)
}
