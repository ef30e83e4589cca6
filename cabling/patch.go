package cabling

import (
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// patchingOf returns the optics and the pair of racks of a channel that runs over
// panels, nil for one that does not.
func (w *worker) patchingOf(c *channel) ([]patchOption, *patchPair) {
	k := w.patcher
	if k == nil {
		return nil, nil
	}
	pa, pb := c.ports()
	if pa == nil {
		return nil, nil
	}
	options, _, _ := k.class(c, pa, pb)
	if len(options) == 0 {
		return nil, nil
	}
	n, _ := k.table.find(k.key(c))
	if pair := &k.pairs[n]; int(pair.links) >= k.rules.AtLeast {
		return options, pair
	}
	return nil, nil
}

// nextPosition returns the position of the next link of a pair of racks: the index of its trunk, and the position in
// the trunk.
func (p *patchPair) nextPosition() (trunk int32, leg uint16) {
	trunk, leg = p.first+p.next/p.fill, uint16(p.next%p.fill)
	p.next++
	return trunk, leg
}

// over is a channel over panels before anything is chosen: a cord, a position of a trunk, a cord.
func (w *worker) over(ch *channel, trunk *Trunk, leg uint16) [3]Segment {
	s := w.s
	l := &ch.link
	panels := [2]int32{s.Patching.Vertex(trunk.A), s.Patching.Vertex(trunk.B)}
	ports := [2]uint16{trunk.PortA + leg, trunk.PortB + s.Patching.FarPosition(leg)}
	a, b := 0, 1 // of the trunk, at A and B of the link
	if w.layout.Container(layout.RackLevel, w.slot[l.A]) != s.Patching.Panels[trunk.A].Rack {
		a, b = 1, 0
	}
	within := uint8(layout.RackLevel)
	return [3]Segment{
		{A: l.A, PortA: uint16(ch.portA), B: panels[a], PortB: ports[a], Within: within, Product: NoProduct},
		{
			A: panels[0], PortA: s.Patching.Rear(ports[0]), B: panels[1], PortB: s.Patching.Rear(ports[1]),
			Within: uint8(ch.common), Product: NoProduct,
		},
		{A: panels[b], PortA: ports[b], B: l.B, PortB: uint16(ch.portB), Within: within, Product: NoProduct},
	}
}

// shortest is the length of a segment of a channel over panels on its shortest way.
func (w *worker) shortest(seg *Segment) units.Length {
	s := w.s
	a, b := s.end(seg.A, seg.PortA), s.end(seg.B, seg.PortB)
	if within := int(seg.Within); !s.router.onTrays(within) {
		return s.router.parts(a, b, within).Total()
	}
	ways, _ := w.routes(w.between(a, b))
	return ways[s.router.trays.groupOf[w.patcher.panel.Panel.Fibre]].total
}

// patch schedules a channel over panels.
func (w *worker) patch(index int32, ch *channel, options []patchOption, pair *patchPair) {
	s := w.s
	number, leg := pair.nextPosition()
	trunk := &s.Patching.Trunks[number]
	l := &ch.link
	segs := w.over(ch, trunk, leg)
	cords := &s.Tallies[l.Level][layout.RackLevel]
	whole := &s.Tallies[l.Level][ch.common]
	lay := func(seg *Segment) {
		seg.Length = w.shortest(seg)
		seg.Cable = w.count(seg.Level, cords, seg.Length)
	}
	for i := range segs {
		segs[i].Link, segs[i].Level = index, uint8(l.Level)
	}
	lay(&segs[0])
	w.layTrunk(&segs[1], trunk, whole)
	lay(&segs[2])
	portA, portB := ch.ports()
	class := linkClass{groupA: portA.Group, groupB: portB.Group}
	w.fitHeldOptics(&class, ch, portA, portB)
	w.choose(&segs, options, &class)
	w.checkStrands(&segs)
	for i, end := range []struct {
		e    *ends
		seg  *Segment
		v    int32
		port uint16
		cage int
	}{{ch.a, &segs[0], l.A, segs[0].PortA, portA.Cage}, {ch.b, &segs[2], l.B, segs[2].PortB, portB.Cage}} {
		if end.seg.Product < 0 {
			continue
		}
		w.countNeed(nil, end.seg.Level, end.seg.Product, end.seg.Length)
		end.seg.Product, _ = w.alike(end.seg.Product)
		cords.countBought(end.seg.Product)
		w.weigh(end.seg, end.v)
		optic := s.Products[end.seg.Product].OpticA
		if i == 1 {
			optic = s.Products[end.seg.Product].OpticB
		}
		w.plugOptic(whole, end.e, end.v, end.port, end.cage, optic)
	}
	w.countLink(whole, ch, (segs[0].Length + segs[1].Length + segs[2].Length).Round4())
	for i := range segs {
		s.Wired++
		w.seg = segs[i]
		w.show(w.place(&w.seg))
	}
}

// layTrunk lays the trunk of a position, when it is its first, and gives the
// position the trunk's own length: from the middle of one panel to that of the
// other.
func (w *worker) layTrunk(seg *Segment, t *Trunk, whole *Tally) {
	if t.Cable != 0 {
		seg.Product, seg.Cable, seg.Bundle, seg.Length = t.Product, t.Cable, t.bundle, t.length
		return
	}
	c := w.trunkOf(t.Part)
	barred := w.layCord(seg, c, t.Part.Cable.Medium, whole)
	t.Product, t.Cable, t.bundle, t.length = seg.Product, seg.Cable, seg.Bundle, seg.Length
	switch {
	case seg.Product != NoProduct:
	case barred != 0:
		w.reportUnpatched(seg, "no trunk%s", w.mediaWithoutTray(barred, seg))
	default:
		need, longest := units.FormatDistinct(seg.Length, c.longest())
		w.reportUnpatched(seg, "%s needed, the longest trunk of %s is %s", need, t.Part.ID, longest)
	}
}

// layCord finds the way, the length and the product of a trunk or of a cord to a shuffle, and counts it. Barred are the
// groups of media that no tray takes, if that of the cord is one of them: it has no product then.
func (w *worker) layCord(seg *Segment, c *chooser, medium catalog.Medium, tally *Tally) (barred uint8) {
	r := &w.s.router
	a, b := w.s.end(seg.A, seg.PortA), w.s.end(seg.B, seg.PortB)
	if !r.onTrays(int(seg.Within)) {
		seg.Length = r.parts(a, b, int(seg.Within)).Total()
		seg.Product = c.choose(seg.Length)
		w.tie(seg)
	} else {
		sp := w.between(a, b)
		ways, without := w.routes(sp)
		group := r.trays.groupOf[medium]
		o := &ways[group]
		if o.level < 0 {
			seg.Length, seg.Product = r.parts(a, b, int(seg.Within)).Total(), NoProduct
			seg.Cable = w.count(seg.Level, tally, seg.Length)
			return without
		}
		shortest := o.total
		seg.Length, seg.Product = shortest, c.choose(shortest)
		way := w.tieOn(seg, sp.pair, o.level, group, o.run)
		if way.detour >= 0 {
			seg.Length = r.total(sp, int(way.Level), way.Run.Round4())
			product := c.choose(seg.Length)
			if product == NoProduct && seg.Product != NoProduct {
				w.failed = append(w.failed, seg.Bundle-1)
			}
			seg.Product = product
		}
		w.countBundled(seg, sp.heights, shortest, c.longest()-shortest)
	}
	seg.Cable = w.count(seg.Level, tally, seg.Length)
	if seg.Product != NoProduct {
		w.countNeed(nil, seg.Level, seg.Product, seg.Length)
		seg.Product, _ = w.alike(seg.Product)
		tally.countBought(seg.Product)
	}
	return 0
}

// trunkOf is the step function of a trunk.
func (w *worker) trunkOf(part *catalog.Part) *chooser {
	c := w.patcher.made[part]
	if c == nil {
		c = w.buyer.cords([]*catalog.Part{part}, nil, nil)
		w.patcher.made[part] = c
	}
	w.s.Products = w.buyer.products
	return c
}

// glass is the fibre of a link over panels.
type glass struct {
	length units.Length // of its two cords and its trunk, as they are bought
	loss   units.Loss   // in them and in both panels
	stated bool         // all of them state what they lose
}

// glassOf adds up the products of three segments, and their panels; products that there are no count nothing.
func (w *worker) glassOf(segs *[3]Segment, products *[3]int16) glass {
	s := w.s
	g := glass{stated: true}
	for _, v := range [2]int32{segs[0].B, segs[2].A} {
		loss := s.Patching.Panels[s.Panel(v)].Part.Panel.Loss
		g.loss += loss
		g.stated = g.stated && loss > 0
	}
	for _, product := range products {
		if product < 0 {
			continue
		}
		g.add(&s.Products[product])
	}
	return g
}

// add counts a cable of a link.
func (g *glass) add(p *Product) {
	g.length += p.Length
	g.loss += p.Part.Cable.Attenuation.Over(p.Length)
	g.stated = g.stated && p.Part.Cable.Attenuation > 0
}

// note keeps the most that a link loses, and whether that is known of all.
func (p *Patching) note(g *glass, o *patchOption) {
	p.Loss = max(p.Loss, g.loss)
	p.Unstated = p.Unstated || !g.stated || o.budget == 0
}

// lossBudget is what two transceivers may lose, 0 where one of them states none.
func lossBudget(a, b *catalog.Part) units.Loss {
	if x, y := a.Optic.Loss, b.Optic.Loss; x > 0 && y > 0 {
		return min(x, y)
	}
	return 0
}

// reaches reports whether optics carry through all of a link's fibre.
func (o *patchOption) reaches(g *glass) bool { return o.reach == 0 || g.length <= o.reach+1e-9 }

// affords reports whether optics may lose what a link's fibre loses, as far as they state it.
func (o *patchOption) affords(g *glass) bool { return o.budget == 0 || g.loss <= o.budget+1e-9 }

// choose finds the optics of a link over panels: the cheapest that reach through
// its two cords and its trunk as they are bought, and that may lose as much as
// they and the panels do. Where its cages hold optics, it is those.
func (w *worker) choose(segs *[3]Segment, options []patchOption, class *linkClass) {
	s := w.s
	if class.opticA != nil && class.opticB != nil {
		i := slices.IndexFunc(options,
			func(o patchOption) bool { return o.opticA == class.opticA && o.opticB == class.opticB })
		if i >= 0 {
			options = options[i : i+1]
		}
	}
	o := &options[0]
	products := [3]int16{o.cordA.choose(segs[0].Length), segs[1].Product, o.cordB.choose(segs[2].Length)}
	s.Products = w.buyer.products
	for i, c := range [3]*chooser{o.cordA, nil, o.cordB} {
		if products[i] < 0 && c != nil {
			need, longest := units.FormatDistinct(segs[i].Length, c.longest())
			w.reportUnpatched(&segs[i], "%s needed, the longest patch cord is %s", need, longest)
		}
	}
	g := w.glassOf(segs, &products)
	best := -1
	for i := range options {
		reaches := options[i].reaches(&g)
		if reaches && options[i].affords(&g) {
			best = i
			break
		}
		if reaches && best < 0 {
			best = i
		}
	}
	if best < 0 {
		for i := range options {
			if best < 0 || options[i].reach > options[best].reach {
				best = i
			}
		}
		if way, _ := s.WayOf(&segs[1]); way >= 0 && s.Ways[way].detour >= 0 {
			w.failed = append(w.failed, segs[1].Bundle-1)
		}
		w.reportUnpatched(&segs[1], "%v of fibre over two panels, the optics reach %v", g.length, options[best].reach)
	}
	o = &options[best]
	if products[0] >= 0 {
		segs[0].Product = o.cordA.choose(segs[0].Length)
	}
	if products[2] >= 0 {
		segs[2].Product = o.cordB.choose(segs[2].Length)
	}
	s.Patching.note(&g, o)
	if !o.affords(&g) {
		w.lossy(&segs[0], &segs[2], &g, o, "two panels and ")
	}
}

// lossy reports a link, from its first segment to its last, that loses more than its transceivers may.
func (w *worker) lossy(first, last *Segment, g *glass, o *patchOption, over string) {
	s := w.s
	where := s.CableID(int64(first.Cable))
	if s.Violations.Full(RuleLoss) {
		s.Violations.Add(RuleLoss, where, "")
		return
	}
	s.Violations.Add(RuleLoss, where, "%s to %s: %.2f dB over %s%v of fibre, the optics allow %.2f dB",
		s.Label(first.A, first.PortA), s.Label(last.B, last.PortB), float64(g.loss), over, g.length,
		float64(o.budget))
}

// reportUnpatched reports a cord or a trunk that no product can make.
func (w *worker) reportUnpatched(seg *Segment, format string, args ...any) {
	s := w.s
	where := s.CableID(int64(seg.Cable))
	if s.Violations.Full(RuleReach) {
		s.Violations.Add(RuleReach, where, "")
		return
	}
	s.Violations.Add(RuleReach, where, "%s to %s: %s", s.Label(seg.A, seg.PortA), s.Label(seg.B, seg.PortB),
		fmt.Sprintf(format, args...))
}
