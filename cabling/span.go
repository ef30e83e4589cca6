package cabling

import (
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// span is a cable between two racks on trays, before anything is chosen: what its length is made of on every level.
type span struct {
	rise, drop        [maxTrayLevels]units.Length // at A and at B, by level
	manager, crossing units.Length
	beyond            units.Length
	heights           units.Length // of both ports over their floors
	rackA, rackB      int32
	pair              int32 // number of the racks among rackPairs
}

// measure finds what the length of a cable between two points is made of, but for the way along the trays.
func (sp *span) measure(r *router, pa, pb layout.Point, beyond units.Length, rackA, rackB int32) {
	var p Parts
	r.beside(&p, pa, pb, rackA, rackB)
	sp.manager, sp.crossing, sp.beyond, sp.rackA, sp.rackB = p.Manager, p.Crossing, beyond, rackA, rackB
	sp.heights = pa.Z + pb.Z - r.trays.net.Floor(rackA) - r.trays.net.Floor(rackB)
	for level := range r.trays.height {
		sp.rise[level] = r.trays.rise(int32(level), rackA, pa.Z).Round4()
		sp.drop[level] = r.trays.rise(int32(level), rackB, pb.Z).Round4()
	}
}

// between measures a cable between racks; it holds until the next call.
func (w *worker) between(a, b end) *span {
	r, sp := &w.s.router, &w.span
	rackA, rackB := r.rack(a.slot), r.rack(b.slot)
	sp.measure(r, w.layout.At(a.slot, a.port), w.layout.At(b.slot, b.port), a.beyond+b.beyond, rackA, rackB)
	sp.pair = w.pairs.find(rackA, rackB, r.trays)
	return sp
}

// across measures a channel between racks as between does, from the mountings of its ends.
func (w *worker) across(ch *channel) *span {
	a := w.mountings.at(w, ch.a, ch.link.A, ch.portA)
	b := w.mountings.at(w, ch.b, ch.link.B, ch.portB)
	if a < 0 || b < 0 {
		return w.between(w.ends(ch))
	}
	r, sp := &w.s.router, &w.span
	x, y := &w.mountings.all[a], &w.mountings.all[b]
	var ok bool
	if sp.manager, ok = w.mountings.manager(x, y, r.slack.Manager); !ok {
		return w.between(w.ends(ch))
	}
	sp.crossing = 0
	if x.front != y.front {
		sp.crossing = r.crossing
	}
	sp.beyond = ch.a.box.Beyond + ch.b.box.Beyond
	sp.heights = x.z + y.z - x.floor - y.floor
	levels := len(r.trays.height)
	for level := range levels {
		sp.rise[level] = w.mountings.rises[int(a)*levels+level]
		sp.drop[level] = w.mountings.rises[int(b)*levels+level]
	}
	sp.rackA = w.layout.Container(layout.RackLevel, w.slot[ch.link.A])
	sp.rackB = w.layout.Container(layout.RackLevel, w.slot[ch.link.B])
	sp.pair = w.pairs.find(sp.rackA, sp.rackB, r.trays)
	return sp
}

// rackPair is two racks, from A to B.
type rackPair struct{ a, b int32 }

func (p rackPair) hash() uint64 {
	h := (uint64(uint32(p.a))<<32 | uint64(uint32(p.b))) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// rackPairs remembers what all cables between two racks have in common: many run between the same two, often one after
// the other.
type rackPairs struct {
	numbers numbering[rackPair]
	runs    []units.Length // of each pair, level by level of the trays, in tenths of a millimetre; infinite for none
	levels  int
}

// pairWays are the base ways of two racks that were used last.
type pairWays struct {
	level int16
	group uint8
	base  [2]int32 // of fibre and of copper, from 1; 0 for none yet
}

// find returns the number of a pair.
func (p *rackPairs) find(a, b int32, trays *trayRouter) int32 {
	n, known := p.numbers.find(rackPair{a, b})
	if known {
		return n
	}
	p.levels = len(trays.height)
	p.runs = trays.runs(p.runs, a, b)
	return n
}

// runsOf are the lengths along the trays between the racks of a pair, level by level.
func (p *rackPairs) runsOf(pair int32) []units.Length {
	return p.runs[int(pair)*p.levels:][:p.levels]
}

// base is the base way of a cable on trays.
func (w *worker) base(seg *Segment, pair, level int32, group uint8, run units.Length) int32 {
	for int(pair) >= len(w.ways) {
		w.ways = append(w.ways, pairWays{})
	}
	known := &w.ways[pair]
	which, copper := 0, w.copper(seg)
	if copper {
		which = 1
	}
	if known.level != int16(level) || known.group != group {
		*known = pairWays{level: int16(level), group: group}
	}
	if known.base[which] == 0 {
		known.base[which] = w.bundler.base(w.rack(seg.A), w.rack(seg.B), level, group, copper, run) + 1
	}
	return known.base[which] - 1
}
