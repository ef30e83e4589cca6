package cabling

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Structured cabling, as TIA-568 and TIA-942 have it: a link between two racks is
// a patch cord from its box to a panel at the top of the rack, a position of a
// trunk from that panel to one in the other rack, and a patch cord to the other
// box. A trunk has several positions, and carries links of one level between the
// same two racks.

// Structured says which links run over panels. They have to leave their rack, and
// the media rule that decides for one cable between their boxes has to allow the
// fibre; links for which it does not, or whose ports take no optic with the plug
// of the panel, keep a cable of their own.
type Structured struct {
	Levels  []string // names of topology levels; any when empty
	Beyond  string   // name of the layout level that the link leaves
	AtLeast int      // links of a level between two racks; fewer keep cables of their own
	// Panel and Trunk are chosen when nil: the panel for which most links have
	// optics, and of those the one with the cheapest; for each pair of racks the
	// smallest trunk that holds its links, else the largest.
	Panel, Trunk *catalog.Part
	// Spare is the positions that are kept free in every trunk, in per cent of
	// those that may be used.
	Spare float64
}

// Patching is the panels of a schedule and the trunks between them.
type Patching struct {
	Part   *catalog.Part // of all panels
	Panels []Panel       // by rack, the highest first
	Trunks []Trunk       // by the racks that they join
	Links  int64         // that run over panels
	Kept   int64         // links that were selected and keep cables of their own
	// Loss is the most that a link loses on its fibre and in its panels.
	Loss units.Loss
	// Unstated says that a part of some link states no attenuation, loss or
	// budget, so that what it loses is not known.
	Unstated bool

	first  int32 // the number of the first panel, after those of all vertices
	digits int
	box    *layout.Box // whose ports are the fronts of the adapters
	middle layout.Point
}

// Panel is a patch panel in a rack.
type Panel struct {
	Rack  int32 // rack position
	Unit  int   // lowest rack unit
	Ports int   // adapters at which a trunk ends
	Links int   // of them in use
}

// Trunk is a cable of several positions between two panels, A in the rack of the
// lower number.
type Trunk struct {
	A, B         int32 // index in Panels
	PortA, PortB uint16
	Part         *catalog.Part
	Links        uint8 // positions in use
	Product      int16
	Cable        int32
	bundle       int32
	length       units.Length
}

// patchKey is what the choice of optics and cords for a link over panels depends
// on.
type patchKey struct {
	groupA, groupB *catalog.PortGroup
	level, within  uint8
	rule           int16
}

// patchOption is a pair of optics with the cords that are plugged into them.
type patchOption struct {
	opticA, opticB *catalog.Part
	reach          units.Length
	budget         units.Loss // 0 where one of the optics states none
	cordA, cordB   *chooser
	cost           int64
	priced         bool
}

// patchPair is the links of a level between two racks.
type patchPair struct {
	wayKey
	links int32
	first int32 // of its trunks
	count int32 // of its trunks
	fill  int32 // most links of each
	next  int32 // position of the next link
}

// patcher decides which links run over the panels of one part.
type patcher struct {
	w       *worker
	rules   *Structured
	panel   *catalog.Part
	trunks  []*catalog.Part // by number of positions
	levels  []bool
	beyond  int
	classes map[patchKey][]patchOption // the cheapest first; none where the links keep cables of their own
	table   wayTable
	pairs   []patchPair
	made    map[*catalog.Part]*chooser // of the trunks

	served, kept int64
	cost         int64
	unpriced     int64
}

func newPatcher(w *worker, panel *catalog.Part) *patcher {
	rules := w.p.Structured
	k := &patcher{
		w: w, rules: rules, panel: panel, beyond: w.layout.LevelIndex(rules.Beyond),
		classes: map[patchKey][]patchOption{}, made: map[*catalog.Part]*chooser{},
	}
	for _, l := range w.p.Graph.Levels() {
		k.levels = append(k.levels, len(rules.Levels) == 0 || slices.Contains(rules.Levels, l.Name))
	}
	trunks := w.p.Catalog.Trunks(panel.Panel.Connector, panel.Panel.Fibre)
	if rules.Trunk != nil {
		trunks = []*catalog.Part{rules.Trunk}
	}
	for _, t := range trunks {
		if (t == rules.Trunk || !t.Cable.Custom) && t.Cable.Legs <= panel.Panel.Ports {
			k.trunks = append(k.trunks, t)
		}
	}
	slices.SortStableFunc(k.trunks, func(x, y *catalog.Part) int { return cmp.Compare(x.Cable.Legs, y.Cable.Legs) })
	return k
}

// structure finds the links that run over panels, and puts the panels into their
// racks.
func (w *worker) structure() error {
	if w.p.Structured == nil {
		return nil
	}
	if w.layout.Room == nil {
		return diag.Fieldf("Structured", "patch panels stand in racks, and there are none")
	}
	var best *patcher
	parts := w.p.Catalog.Parts()
	for i := range parts {
		p := &parts[i]
		if p.Panel == nil || p.Panel.Ports > math.MaxUint16/2 || w.p.Structured.Panel != nil &&
			p.ID != w.p.Structured.Panel.ID {
			continue
		}
		if k := newPatcher(w, p); len(k.trunks) > 0 {
			k.survey()
			if best == nil || k.compare(best) < 0 {
				best = k
			}
		}
	}
	if best == nil {
		return diag.Fieldf("Structured", "no panel and trunk have the same plug and fibre")
	}
	return w.mount(best)
}

// compare puts the better choice of a panel first.
func (k *patcher) compare(o *patcher) int {
	return cmp.Or(cmp.Compare(o.served, k.served), cmp.Compare(k.unpriced, o.unpriced), cmp.Compare(k.cost, o.cost),
		strings.Compare(k.panel.ID, o.panel.ID))
}

// survey counts the links of every pair of racks.
func (k *patcher) survey() {
	k.w.channels(func(c *channel, pa, pb *Port) {
		options, chosen := k.class(c, pa, pb)
		if len(options) == 0 {
			if chosen {
				k.kept++
			}
			return
		}
		n, known := k.table.find(k.key(c))
		if !known {
			k.pairs = append(k.pairs, patchPair{wayKey: k.table.keys[n]})
		}
		k.pairs[n].links++
		k.served++
		k.cost += options[0].cost
		if !options[0].priced {
			k.unpriced++
		}
	})
	for _, p := range k.pairs {
		if int(p.links) < k.rules.AtLeast {
			k.served -= int64(p.links)
			k.kept += int64(p.links)
		}
	}
}

func (k *patcher) key(c *channel) wayKey {
	a := k.w.layout.Container(layout.RackLevel, k.w.slot[c.link.A])
	b := k.w.layout.Container(layout.RackLevel, k.w.slot[c.link.B])
	return wayKey{a: min(a, b), b: max(a, b), level: int16(c.link.Level)}
}

// class returns the optics for a link over panels, none for one that keeps a
// cable of its own; chosen tells whether the rules would have it on panels.
func (k *patcher) class(c *channel, pa, pb *Port) (options []patchOption, chosen bool) {
	if c.trace || k.w.s.router.inRack(c.common) || !k.levels[c.link.Level] || inside(k.w.layout, k.beyond, c.common) {
		return nil, false
	}
	rule, ok := k.rule(c, pa, pb)
	if !ok {
		return nil, true
	}
	key := patchKey{pa.Group, pb.Group, uint8(c.link.Level), uint8(c.common), int16(rule)}
	options, ok = k.classes[key]
	if !ok {
		options = k.options(&key)
		k.classes[key] = options
	}
	return options, true
}

// rule is the index of the media rule that decides for one cable between the ends
// of a channel, -1 for none; false where no tray takes the fibre.
func (k *patcher) rule(c *channel, pa, pb *Port) (int, bool) {
	w := k.w
	a, b := w.ends(c)
	var need units.Length
	if w.s.router.onTrays(c.common) {
		ways, _ := w.routes(a, b)
		way := &ways[w.s.router.trays.groupOf[k.panel.Panel.Fibre]]
		if way.level < 0 {
			return -1, false
		}
		need = way.parts.Total()
	} else {
		need = w.s.router.parts(a, b, c.common).Total()
	}
	class := linkClass{groupA: pa.Group, groupB: pb.Group, level: uint8(c.link.Level), within: uint8(c.common)}
	return w.buyer.decides(w.layout, &class, w.p.Graph.Levels()[c.link.Level].Name, need), true
}

// options lists the pairs of optics for a class of links, the cheapest first.
func (k *patcher) options(key *patchKey) []patchOption {
	b := &k.w.buyer
	if key.rule < 0 {
		return nil
	}
	rule := &b.rules[key.rule]
	for _, t := range k.trunks {
		if !rule.allows(t) {
			return nil
		}
	}
	var cords []*catalog.Part
	for _, p := range b.catalog.Fibres(k.panel.Panel.Connector, k.panel.Panel.Fibre) {
		if rule.allows(p) && p.Cable.Propagation == k.trunks[0].Cable.Propagation {
			cords = append(cords, p)
		}
	}
	if len(cords) == 0 {
		return nil
	}
	var out []patchOption
	for _, c := range b.candidates(key.groupA, key.groupB) {
		if c.part != cords[0] || c.opticA == nil {
			continue
		}
		o := patchOption{
			opticA: c.opticA, opticB: c.opticB, reach: c.reach, cordA: b.cords(cords, c.opticA, nil),
			cordB: b.cords(cords, nil, c.opticB),
		}
		if x, y := c.opticA.Optic.Loss, c.opticB.Optic.Loss; x > 0 && y > 0 {
			o.budget = min(x, y)
		}
		near, far := b.quote(c.opticA, 0), b.quote(c.opticB, 0)
		o.cost = int64(near.Unit)*100/int64(max(c.opticA.Optic.Ports, 1)) +
			int64(far.Unit)*100/int64(max(c.opticB.Optic.Ports, 1))
		o.priced = near.Priced && far.Priced
		out = append(out, o)
	}
	slices.SortStableFunc(out, func(x, y patchOption) int {
		if x.priced != y.priced {
			if x.priced {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(x.cost, y.cost), cmp.Compare(x.reach, y.reach),
			strings.Compare(x.opticA.ID, y.opticA.ID), strings.Compare(x.opticB.ID, y.opticB.ID))
	})
	return out
}

// cords is the step function of a patch cord between a panel and an optic, or of a
// trunk between two panels.
func (b *buyer) cords(parts []*catalog.Part, opticA, opticB *catalog.Part) *chooser {
	var candidates []candidate
	for _, p := range parts {
		candidates = append(candidates, candidate{part: p, opticA: opticA, opticB: opticB})
	}
	limits := ladder(candidates)
	slices.Sort(limits)
	out := &chooser{}
	for _, limit := range slices.Compact(limits) {
		product := b.best(candidates, limit, &linkClass{})
		if n := len(out.steps); n > 0 && out.steps[n-1].product == product {
			out.steps[n-1].upTo = limit
			continue
		}
		out.steps = append(out.steps, step{limit, product})
	}
	return out
}

// fill is the most links that a trunk takes, so that its spare positions stay
// free.
func (k *patcher) fill(trunk *catalog.Part) int32 {
	return int32(max(1, math.Floor(float64(trunk.Cable.Legs)/(1+k.rules.Spare/100)+1e-9)))
}

// mount lays trunks between racks and stands the panels in which they end.
func (w *worker) mount(k *patcher) error {
	p := &Patching{Part: k.panel, Kept: k.kept, Links: k.served, first: int32(topology.Vertices(w.p.Graph))}
	w.s.Patching, w.patcher = p, k
	order := make([]int32, 0, len(k.pairs))
	for i := range k.pairs {
		if int(k.pairs[i].links) >= k.rules.AtLeast {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(x, y int32) int {
		a, b := &k.pairs[x], &k.pairs[y]
		return cmp.Or(cmp.Compare(a.a, b.a), cmp.Compare(a.b, b.b), cmp.Compare(a.level, b.level))
	})
	racks := make([][]Panel, len(w.layout.Room.Places)) // panels of each rack
	end := func(rack int32, legs int, links uint8) (panel int32, port uint16) {
		list := racks[rack]
		if n := len(list); n == 0 || list[n-1].Ports+legs > k.panel.Panel.Ports {
			list = append(list, Panel{Rack: rack})
		}
		last := &list[len(list)-1]
		port = uint16(last.Ports)
		last.Ports += legs
		last.Links += int(links)
		racks[rack] = list
		return int32(len(list) - 1), port
	}
	for _, i := range order {
		pair := &k.pairs[i]
		pair.first = int32(len(p.Trunks))
		part := k.trunks[len(k.trunks)-1]
		for _, t := range slices.Backward(k.trunks) {
			if k.fill(t) >= pair.links {
				part = t
			}
		}
		pair.fill = k.fill(part)
		for at := int32(0); at < pair.links; at += pair.fill {
			t := Trunk{Part: part, Product: NoProduct, Links: uint8(min(pair.links-at, pair.fill))}
			t.A, t.PortA = end(pair.a, part.Cable.Legs, t.Links)
			t.B, t.PortB = end(pair.b, part.Cable.Legs, t.Links)
			p.Trunks = append(p.Trunks, t)
			pair.count++
		}
	}
	return w.stand(k, racks, order)
}

// stand puts panels into the highest free units of their racks, and numbers them.
func (w *worker) stand(k *patcher, racks [][]Panel, order []int32) error {
	p := w.s.Patching
	used := w.usedUnits()
	height, units := max(k.panel.Units, 1), w.layout.Room.Spec.Rack.Units
	first := make([]int32, len(racks))
	var stands []layout.Stand
	var full []string
	for rack, list := range racks {
		first[rack] = int32(len(p.Panels))
		for _, panel := range list {
			panel.Unit = 0
			for u := units - height + 1; u >= 1 && panel.Unit == 0; u-- {
				if span := (uint64(1)<<height - 1) << (u - 1); used[rack]&span == 0 {
					used[rack] |= span
					panel.Unit = u
				}
			}
			if panel.Unit == 0 {
				full = append(full, fmt.Sprintf("%s (%dU for panels, %dU free)", w.layout.Room.Name(rack),
					len(list)*height, units-bits.OnesCount64(w.usedUnits()[rack])))
				break
			}
			p.Panels = append(p.Panels, panel)
			stands = append(stands, layout.Stand{Place: int32(rack), Unit: panel.Unit})
		}
	}
	if len(full) > 0 {
		more := ""
		if len(full) > 4 {
			more = fmt.Sprintf(" and %d more", len(full)-4)
			full = full[:4]
		}
		return diag.Fieldf("Structured",
			"no room for the panels in rack %s%s\nleave units free: fewer boxes in a rack (per_rack), a taller rack, "+
				"or fewer links over panels (at_least, levels)", strings.Join(full, ", "), more)
	}
	for _, i := range order {
		pair := &k.pairs[i]
		for t := pair.first; t < pair.first+pair.count; t++ {
			p.Trunks[t].A += first[pair.a]
			p.Trunks[t].B += first[pair.b]
		}
	}
	p.digits = max(2, len(strconv.Itoa(len(p.Panels))))
	ports := k.panel.Panel.Ports
	rows := 1
	if ports > 12 {
		rows = 2
	}
	p.box = layout.NewBox(height, k.panel.Width, k.panel.Depth,
		[]layout.Ports{{Count: ports, PerCage: 1, Rows: rows, Rear: true}})
	p.middle = layout.NewBox(height, k.panel.Width, k.panel.Depth,
		[]layout.Ports{{Count: 1, PerCage: 1, Rows: 1, Rear: true}}).Port(0)
	pl := *w.s.Placement
	pl.Layout = pl.Layout.With(stands)
	pl.Slot = slices.Clone(pl.Slot)
	for i := range stands {
		pl.Slot = append(pl.Slot, int32(pl.Layout.Slots()-len(stands)+i))
	}
	w.s.Placement, w.layout, w.slot, w.s.router.layout = &pl, pl.Layout, pl.Slot, pl.Layout
	return nil
}

// usedUnits are the units that boxes and chassis take in every rack, a bit each.
func (w *worker) usedUnits() []uint64 {
	used := make([]uint64, len(w.layout.Room.Places))
	for i, k := range w.s.Kinds {
		height := w.p.Boxes[i].Box.Units
		for v := k.First; v < k.First+k.Count; v++ {
			slot := w.slot[v]
			h := height
			if c := w.layout.ChassisUnits(slot); c > 0 {
				h = c
			}
			used[w.layout.Container(layout.RackLevel, slot)] |= (uint64(1)<<h - 1) << (w.layout.Unit(slot) - 1)
		}
	}
	return used
}

// patched returns the optics and the pair of racks of a channel that runs over
// panels, nil for one that does not.
func (w *worker) patched(c *channel) ([]patchOption, *patchPair) {
	k := w.patcher
	if k == nil {
		return nil, nil
	}
	pa, pb := c.ports()
	if pa == nil {
		return nil, nil
	}
	options, _ := k.class(c, pa, pb)
	if len(options) == 0 {
		return nil, nil
	}
	n, _ := k.table.find(k.key(c))
	if pair := &k.pairs[n]; int(pair.links) >= k.rules.AtLeast {
		return options, pair
	}
	return nil, nil
}

// patch schedules a channel over panels: a cord, a position of a trunk, a cord.
func (w *worker) patch(index int32, ch *channel, options []patchOption, pair *patchPair) {
	s := w.s
	trunk := &s.Patching.Trunks[pair.first+pair.next/pair.fill]
	leg := uint16(pair.next % pair.fill)
	pair.next++
	l := &ch.link
	panels := [2]int32{s.Patching.Vertex(trunk.A), s.Patching.Vertex(trunk.B)}
	ports := [2]uint16{trunk.PortA + leg, trunk.PortB + leg}
	a, b := 0, 1 // of the trunk, at A and B of the link
	if w.layout.Container(layout.RackLevel, w.slot[l.A]) != pair.a {
		a, b = 1, 0
	}
	within := uint8(layout.RackLevel)
	segs := [3]Segment{
		{A: l.A, PortA: uint16(ch.portA), B: panels[a], PortB: ports[a], Within: within, Product: NoProduct},
		{
			A: panels[0], PortA: s.Patching.Rear(ports[0]), B: panels[1], PortB: s.Patching.Rear(ports[1]),
			Within: uint8(ch.common), Product: NoProduct,
		},
		{A: panels[b], PortA: ports[b], B: l.B, PortB: uint16(ch.portB), Within: within, Product: NoProduct},
	}
	cords := &s.Tallies[l.Level][within]
	whole := &s.Tallies[l.Level][ch.common]
	lay := func(seg *Segment) {
		seg.Length = s.router.parts(s.end(seg.A, seg.PortA), s.end(seg.B, seg.PortB), int(within)).Total()
		seg.Cable = w.count(cords, seg.Length)
	}
	for i := range segs {
		segs[i].Link, segs[i].Level = index, uint8(l.Level)
	}
	lay(&segs[0])
	w.layTrunk(&segs[1], trunk, whole)
	lay(&segs[2])
	w.choose(&segs, options)
	portA, portB := ch.ports()
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
		cords.bought(end.seg.Product)
		optic := s.Products[end.seg.Product].OpticA
		if i == 1 {
			optic = s.Products[end.seg.Product].OpticB
		}
		w.light(whole, end.e, end.v, end.port, end.cage, optic)
	}
	length := (segs[0].Length + segs[1].Length + segs[2].Length).Round4()
	whole.Links++
	whole.Metres += length
	whole.Longest = max(whole.Longest, length)
	w.countPort(ch.a)
	w.countPort(ch.b)
	for i := range segs {
		s.Wired++
		w.seg = segs[i]
		w.record(&w.seg)
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
	c := w.patcher.made[t.Part]
	if c == nil {
		c = w.buyer.cords([]*catalog.Part{t.Part}, nil, nil)
		w.patcher.made[t.Part] = c
	}
	w.s.Products = w.buyer.products
	r := &w.s.router
	a, b := w.s.end(seg.A, seg.PortA), w.s.end(seg.B, seg.PortB)
	if !r.onTrays(int(seg.Within)) {
		seg.Length = r.parts(a, b, int(seg.Within)).Total()
		seg.Product = c.choose(seg.Length)
		w.tie(seg, a, b)
	} else {
		ways, _ := w.routes(a, b)
		group := r.trays.groupOf[t.Part.Cable.Medium]
		o := &ways[group]
		shortest := o.parts.Total()
		seg.Length, seg.Product = shortest, c.choose(shortest)
		way := w.tieOn(seg, a, b, o.level, group, o.parts.Run)
		if way.detour >= 0 {
			seg.Length = r.trayParts(a, b, int32(way.Level), way.Run).Total()
			product := c.choose(seg.Length)
			if product == NoProduct && seg.Product != NoProduct {
				w.failed = append(w.failed, seg.Bundle-1)
			}
			seg.Product = product
		}
		w.tied(seg, a, b, shortest, c.longest()-shortest)
	}
	seg.Cable = w.count(whole, seg.Length)
	t.Product, t.Cable, t.bundle, t.length = seg.Product, seg.Cable, seg.Bundle, seg.Length
	if seg.Product == NoProduct {
		w.unpatched(seg, "%v needed, the longest trunk of %s is %v", seg.Length, t.Part.ID, c.longest())
		return
	}
	whole.bought(seg.Product)
}

// choose finds the optics of a link over panels: the cheapest that reach through
// its two cords and its trunk as they are bought, and that may lose as much as
// they and the panels do.
func (w *worker) choose(segs *[3]Segment, options []patchOption) {
	s := w.s
	o := &options[0]
	products := [3]int16{o.cordA.choose(segs[0].Length), segs[1].Product, o.cordB.choose(segs[2].Length)}
	s.Products = w.buyer.products
	var length units.Length
	var loss units.Loss
	stated := s.Patching.Part.Panel.Loss > 0
	for i, product := range products {
		if product < 0 {
			if i != 1 {
				c := [3]*chooser{o.cordA, nil, o.cordB}[i]
				w.unpatched(&segs[i], "%v needed, the longest patch cord is %v", segs[i].Length, c.longest())
			}
			continue
		}
		p := &s.Products[product]
		length += p.Length
		loss += p.Part.Cable.Attenuation.Over(p.Length)
		stated = stated && p.Part.Cable.Attenuation > 0
	}
	loss += 2 * s.Patching.Part.Panel.Loss
	best := -1
	for i := range options {
		reaches := length <= options[i].reach+1e-9
		if reaches && (options[i].budget == 0 || loss <= options[i].budget+1e-9) {
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
		w.unpatched(&segs[1], "%v of fibre over two panels, the optics reach %v", length, options[best].reach)
	}
	o = &options[best]
	if products[0] >= 0 {
		segs[0].Product = o.cordA.choose(segs[0].Length)
	}
	if products[2] >= 0 {
		segs[2].Product = o.cordB.choose(segs[2].Length)
	}
	s.Patching.Loss = max(s.Patching.Loss, loss)
	s.Patching.Unstated = s.Patching.Unstated || !stated || o.budget == 0
	if o.budget > 0 && loss > o.budget+1e-9 {
		where := s.CableID(int64(segs[0].Cable))
		if s.Violations.Full(RuleLoss) {
			s.Violations.Add(RuleLoss, where, "")
			return
		}
		s.Violations.Add(RuleLoss, where, "%s to %s: %.2f dB over two panels and %v of fibre, the optics allow %.2f dB",
			s.Label(segs[0].A, segs[0].PortA), s.Label(segs[2].B, segs[2].PortB), float64(loss), length,
			float64(o.budget))
	}
}

// unpatched reports a cord or a trunk that no product can make.
func (w *worker) unpatched(seg *Segment, format string, args ...any) {
	s := w.s
	where := s.CableID(int64(seg.Cable))
	if s.Violations.Full(RuleReach) {
		s.Violations.Add(RuleReach, where, "")
		return
	}
	s.Violations.Add(RuleReach, where, "%s to %s: %s", s.Label(seg.A, seg.PortA), s.Label(seg.B, seg.PortB),
		fmt.Sprintf(format, args...))
}

// Panel returns the index in Patching.Panels of the panel of that number, -1 for
// a vertex. Panels are numbered after all vertices.
func (s *Schedule) Panel(v int32) int {
	if s.Patching == nil || v < s.Patching.first {
		return -1
	}
	return int(v - s.Patching.first)
}

// Vertex is the number of a panel: what Schedule.Panel finds its index from.
func (p *Patching) Vertex(panel int32) int32 { return p.first + panel }

// Rear is the port behind an adapter, from 0, where a trunk ends.
func (p *Patching) Rear(adapter uint16) uint16 { return adapter + uint16(p.Part.Panel.Ports) }

// Continues tells whether a segment goes on with the channel of the one before
// it: the trunk and the second cord of a link over panels do.
func (s *Schedule) Continues(seg *Segment) bool { return s.Panel(seg.A) >= 0 }

// appendPanel appends the name of a panel.
func (p *Patching) appendPanel(b []byte, panel int) []byte {
	return fmt.Appendf(append(b, "PP"...), "%0*d", p.digits, panel+1)
}

// portName is the name of an adapter of a panel, from 0: its number, with an R
// for its rear, where trunks end.
func (p *Patching) portName(port uint16) string {
	if n := int(port) - p.Part.Panel.Ports; n >= 0 {
		return strconv.Itoa(n+1) + "R"
	}
	return strconv.Itoa(int(port) + 1)
}

// PortNames are the names of the ports of a panel: the fronts of the adapters,
// then their rears.
func (p *Patching) PortNames() []string {
	out := make([]string, 2*p.Part.Panel.Ports)
	for i := range out {
		out[i] = p.portName(uint16(i))
	}
	return out
}

// at is where a port of a panel is. A trunk is measured from the middle of the
// panel, where it is held; its legs fan out from there.
func (p *Patching) at(port uint16) layout.Point {
	if int(port) >= p.Part.Panel.Ports {
		return p.middle
	}
	return p.box.Port(int(port))
}

// explainPatched explains a cord or a trunk of links over panels.
func (w *worker) explainPatched(e *Explanation) {
	k, seg := w.patcher, &e.Links[0]
	n := int32(0)
	for l := range w.p.Graph.Links() {
		if n == seg.Link {
			c := w.channel(&l)
			if pa, pb := c.ports(); pa != nil {
				if rule, _ := k.rule(&c, pa, pb); len(w.p.Media) > 0 {
					e.Rule = rule + 1
				}
			}
			break
		}
		n++
	}
	if w.s.Panel(seg.A) >= 0 && w.s.Panel(seg.B) >= 0 {
		w.explainTrunk(e)
		return
	}
	best := -1
	for _, p := range w.p.Catalog.Fibres(k.panel.Panel.Connector, k.panel.Panel.Fibre) {
		o := Option{Part: p}
		c := candidate{part: p}
		of, reaches := w.buyer.offerFor(&c, e.Need, &linkClass{})
		if reaches {
			o.Length, o.Cost, o.Priced = of.length, units.Money(math.Round(float64(of.cost)/100)), of.priced
		}
		switch {
		case e.Rule > 0 && !w.buyer.rules[e.Rule-1].allows(p):
			o.Verdict, o.Why = Policy, fmt.Sprintf("media rule %d does not allow it", e.Rule)
		case p.Cable.Propagation != k.trunks[0].Cable.Propagation:
			o.Verdict, o.Why = Policy, "signals take another time in it than in the trunk"
		case !reaches:
			o.Verdict, o.Why = Reach, c.short(e.Need, &linkClass{})
		case e.Product != nil && p == e.Product.Part:
			o.Verdict, o.Why = Chosen, "the cheapest patch cord that is long enough"
			best = len(e.Options)
		default:
			o.Verdict, o.Why = Price, "another patch cord is cheaper"
		}
		e.Options = append(e.Options, o)
	}
	if best > 0 {
		e.Options[0], e.Options[best] = e.Options[best], e.Options[0]
	}
}

// explainTrunk says why a trunk has as many positions as it has.
func (w *worker) explainTrunk(e *Explanation) {
	seg := &e.Links[0]
	t := &w.s.Patching.Trunks[slices.IndexFunc(w.s.Patching.Trunks,
		func(t Trunk) bool { return int64(t.Cable) == e.Cable })]
	c := channel{link: topology.Link{A: seg.A, B: seg.B, Level: int32(seg.Level)}}
	n, _ := w.patcher.table.find(w.patcher.key(&c))
	links := w.patcher.pairs[n].links
	for _, p := range w.patcher.trunks {
		o := Option{Part: p, Shared: true, Verdict: Lanes}
		candidate := candidate{part: p}
		if of, ok := w.buyer.offerFor(&candidate, e.Need, &linkClass{}); ok {
			o.Length, o.Cost, o.Priced = of.length, units.Money(math.Round(float64(of.cost)/100)), of.priced
		}
		switch {
		case p == t.Part:
			o.Verdict = Chosen
			o.Why = fmt.Sprintf("%d of its %d positions in use; %d links of the level join these racks", t.Links,
				p.Cable.Legs, links)
			e.Options = slices.Insert(e.Options, 0, o)
			continue
		case p.Cable.Legs < t.Part.Cable.Legs:
			o.Why = fmt.Sprintf("takes %d links only", w.patcher.fill(p))
		default:
			o.Why = fmt.Sprintf("takes %d links, and a smaller one takes them all", w.patcher.fill(p))
		}
		e.Options = append(e.Options, o)
	}
}
