package cabling

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"plenum/catalog"
	"plenum/embed"
	"plenum/layout"
	"plenum/topology"
	"plenum/units"
)

// Problem is everything that decides a schedule.
type Problem struct {
	Graph     topology.Graph
	Boxes     []*Box // of each kind of vertex
	Placement *embed.Placement
	Catalog   *catalog.Catalog
	Quote     Quoter // ranks products
	Mode      Mode
	Slack     Slack
	// Media is the media policy: the first rule that matches decides. With no
	// rule, anything that fits is allowed.
	Media []MediaRule
	// Suppress lists breaches of design rules that do not count.
	Suppress []Suppression
	// Summary keeps tallies only, no segments.
	Summary bool
	// Visit, if set, is called with every segment, traces too, in order; the
	// schedule holds the products chosen so far.
	Visit func(s *Schedule, seg *Segment)
}

// Run schedules every channel of every link.
func Run(ctx context.Context, p *Problem) (*Schedule, error) {
	w, err := newWorker(p)
	if err != nil {
		return nil, err
	}
	n := int32(0)
	for link := range p.Graph.Links() {
		if n&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		w.link(n, &link)
		n++
	}
	return w.s, nil
}

// ends is what the worker knows of a vertex's kind.
type ends struct {
	first, last int32
	box         *Box
	isSwitch    bool
	cages       int32
	cageBase    int64 // index of the first vertex's first cage
}

// worker schedules one link after the other.
type worker struct {
	p      *Problem
	s      *Schedule
	layout *layout.Layout
	slot   []int32
	kinds  []ends
	traces []bool // of each layout level
	buyer  buyer
	// choosers are found by linkClass; last is the one used last.
	choosers map[linkClass]*chooser
	last     linkClass
	lastOf   *chooser
	// lit is the optic of every cage, 0 for none, else the index in optics
	// plus 1. It is made when the first optic is needed.
	lit    []uint8
	optics []*catalog.Part
}

func newWorker(p *Problem) (*worker, error) {
	kinds := p.Graph.Kinds()
	if len(p.Boxes) != len(kinds) {
		return nil, fmt.Errorf("cabling: %d boxes for %d kinds of vertices", len(p.Boxes), len(kinds))
	}
	if len(p.Graph.Levels()) > math.MaxUint8 || len(p.Placement.Layout.Levels) > math.MaxUint8 {
		return nil, fmt.Errorf("cabling: more than %d levels", math.MaxUint8)
	}
	w := &worker{p: p, layout: p.Placement.Layout, slot: p.Placement.Slot, choosers: map[linkClass]*chooser{}}
	w.buyer = buyer{catalog: p.Catalog, quote: p.Quote, rules: p.Media, index: map[Product]int16{}}
	if len(w.buyer.rules) == 0 {
		w.buyer.rules = []MediaRule{{Media: catalog.Media}}
	}
	w.s = &Schedule{
		Graph: p.Graph, Kinds: kinds, Boxes: p.Boxes, Placement: p.Placement,
		router: router{p.Mode, p.Slack, w.layout},
	}
	w.s.Violations.Suppress(p.Suppress)
	cages := int64(0)
	for i, k := range kinds {
		b := p.Boxes[i]
		if len(b.Ports) < k.Ports {
			w.s.Violations.Add(RulePorts, k.Name, "a %s has up to %d links, but %s has %d ports", k.Name, k.Ports, b.Part.ID, len(b.Ports))
		}
		e := ends{first: int32(k.First), last: int32(k.First + k.Count - 1), box: b, isSwitch: k.Role == topology.Switch, cages: int32(b.Cages()), cageBase: cages}
		cages += int64(b.Cages()) * int64(k.Count)
		w.kinds = append(w.kinds, e)
	}
	if room := w.layout.Room; room != nil {
		w.s.RackPower = make([]units.Power, len(room.Places))
	}
	for _, l := range w.layout.Levels {
		w.traces = append(w.traces, l.Traces)
	}
	w.s.Tallies = make([][]Tally, len(p.Graph.Levels()))
	for i := range w.s.Tallies {
		w.s.Tallies[i] = make([]Tally, len(w.layout.Levels))
	}
	n := int64(0)
	for l := range p.Graph.Links() {
		n += int64(l.Width)
	}
	w.s.digits = max(4, len(strconv.FormatInt(n, 10)))
	if !p.Summary {
		w.s.Segments = make([]Segment, 0, n)
	}
	return w, nil
}

func (w *worker) kind(v int32) *ends {
	for i := range w.kinds {
		if v <= w.kinds[i].last {
			return &w.kinds[i]
		}
	}
	panic("cabling: vertex outside all kinds")
}

// link schedules the channels of one link.
func (w *worker) link(index int32, l *topology.Link) {
	a, b := w.kind(l.A), w.kind(l.B)
	slotA, slotB := w.slot[l.A], w.slot[l.B]
	common := w.layout.Common(slotA, slotB)
	tally := &w.s.Tallies[l.Level][common]
	trace := w.traces[common] || w.inTrace(common)
	for c := range l.Width {
		seg := Segment{
			A: l.A, B: l.B, Link: index, PortA: uint16(l.PortA + c), PortB: uint16(l.PortB + c),
			Product: IsTrace, Level: uint8(l.Level), Within: uint8(common),
		}
		ea := end{slotA, a.box.Box.Port(int(seg.PortA))}
		eb := end{slotB, b.box.Box.Port(int(seg.PortB))}
		if trace {
			seg.Length = w.s.router.trace(ea, eb)
		} else {
			seg.Length = w.s.router.parts(ea, eb, common).Total()
			w.s.Cables++
			tally.Cables++
			tally.CableMetres += seg.Length
			tally.LongestCable = max(tally.LongestCable, seg.Length)
			w.buy(&seg, tally, a, b)
		}
		tally.Links++
		tally.Metres += seg.Length
		tally.Longest = max(tally.Longest, seg.Length)
		w.countPort(a)
		w.countPort(b)
		if !w.p.Summary {
			w.s.Segments = append(w.s.Segments, seg)
		}
		if w.p.Visit != nil {
			w.p.Visit(w.s, &seg)
		}
	}
}

// inTrace tells whether a container that holds one of this level has traces
// inside: nested containers inherit them.
func (w *worker) inTrace(common int) bool {
	if w.layout.Tree == nil {
		return false
	}
	for i := range common {
		if w.traces[i] {
			return true
		}
	}
	return false
}

func (w *worker) countPort(e *ends) {
	if e.isSwitch {
		w.s.PortsUsed.Switch++
	} else {
		w.s.PortsUsed.Node++
	}
}

// buy chooses the product of a cable.
func (w *worker) buy(seg *Segment, tally *Tally, a, b *ends) {
	seg.Product = NoProduct
	if int(seg.PortA) >= len(a.box.Ports) || int(seg.PortB) >= len(b.box.Ports) {
		return // reported once for the kind
	}
	portA, portB := &a.box.Ports[seg.PortA], &b.box.Ports[seg.PortB]
	class := linkClass{portA.Group, portB.Group, seg.Level, seg.Within}
	if class != w.last || w.lastOf == nil {
		c, ok := w.choosers[class]
		if !ok {
			c = w.buyer.chooser(w.layout, class, w.p.Graph.Levels()[seg.Level].Name)
			w.choosers[class] = c
			w.s.Products = w.buyer.products
		}
		w.last, w.lastOf = class, c
	}
	seg.Product = w.lastOf.choose(seg.Length)
	if seg.Product == NoProduct {
		w.unmade(seg, &class)
		return
	}
	for len(tally.Product) <= int(seg.Product) {
		tally.Product = append(tally.Product, 0)
	}
	tally.Product[seg.Product]++
	product := &w.s.Products[seg.Product]
	w.draw(seg.A, product.Part)
	w.draw(seg.B, product.Part)
	if product.OpticA != nil {
		w.light(tally, a, seg.A, seg.PortA, portA.Cage, product.OpticA)
		w.light(tally, b, seg.B, seg.PortB, portB.Cage, product.OpticB)
	}
}

// unmade reports a cable that no product can make.
func (w *worker) unmade(seg *Segment, class *linkClass) {
	v := &w.s.Violations
	where := w.s.CableID(w.s.Cables)
	if v.Full(RuleReach) {
		v.Add(RuleReach, where, "")
		return
	}
	longest := units.Length(0)
	for _, s := range w.lastOf.steps {
		if s.product != NoProduct {
			longest = s.upTo
		}
	}
	labels := w.s.Label(seg.A, seg.PortA) + " to " + w.s.Label(seg.B, seg.PortB)
	rules := ""
	if len(w.p.Media) > 0 {
		rules = " under media rule " + w.lastOf.rules
		if w.lastOf.rules == "" {
			rules = ": no media rule matches"
		}
	}
	if longest == 0 {
		v.Add(RuleReach, where, "%s: no cable for %s ports%s", labels, class.describe(), rules)
		return
	}
	v.Add(RuleReach, where, "%s: %v needed, the longest cable for %s ports is %v%s", labels, seg.Length, class.describe(), longest, rules)
}

// draw adds what a part draws at a vertex to its rack.
func (w *worker) draw(v int32, part *catalog.Part) {
	if w.s.RackPower != nil && part.Power != 0 {
		w.s.RackPower[w.layout.Container(layout.RackLevel, w.slot[v])] += part.Power
	}
}

// light puts an optic into the cage of a port, unless it is there already.
func (w *worker) light(tally *Tally, e *ends, v int32, port uint16, cage int, optic *catalog.Part) {
	if w.lit == nil {
		last := w.kinds[len(w.kinds)-1]
		w.lit = make([]uint8, last.cageBase+int64(last.cages)*int64(last.last-last.first+1))
	}
	number := uint8(0)
	for i, o := range w.optics {
		if o == optic {
			number = uint8(i + 1)
		}
	}
	if number == 0 {
		if len(w.optics) == math.MaxUint8 {
			panic("cabling: more than 255 kinds of optics")
		}
		w.optics = append(w.optics, optic)
		number = uint8(len(w.optics))
	}
	i := e.cageBase + int64(v-e.first)*int64(e.cages) + int64(cage)
	switch w.lit[i] {
	case number:
	case 0:
		w.lit[i] = number
		if tally.Optics == nil {
			tally.Optics = map[*catalog.Part]int64{}
		}
		tally.Optics[optic]++
		w.draw(v, optic)
	default:
		w.s.Violations.Add(RuleOptics, w.s.Label(v, port), "%s and %s in one cage", w.optics[w.lit[i]-1].ID, optic.ID)
	}
}
