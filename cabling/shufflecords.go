package cabling

import (
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// serves reports whether a channel runs over a shuffle or shares a cable with the other links of its plugs.
func (k *shuffler) serves(ch *channel) bool {
	if k == nil {
		return false
	}
	pa, pb := ch.ports()
	if pa == nil {
		return false
	}
	if _, ok := k.ruleOf(ch, pa, pb); !ok || k.ports[pa.Group].set.root().none {
		return false
	}
	a, _ := k.plug(ch.a, ch.link.A, pa)
	return k.plugs[a].panel != noPanel
}

// plugPair is the transceivers at both ends of a cable, nil at a shuffle.
type plugPair [2]*catalog.Part

// families lists the families of cables between two transceivers, or of cords between a panel and one: patch cords to
// shuffles, octopus cables to patch panels.
func (k *shuffler) families(ends plugPair, kind laneKind) []*catalog.Part {
	plugs := [2]string{kind.plug, kind.plug}
	for i, o := range ends {
		if o != nil {
			plugs[i] = o.Optic.Plug
			if kind.legs > 0 && ends[1-i] == nil {
				return k.octopusCables(o.Optic.Plug, kind)
			}
		}
	}
	return k.w.p.Catalog.Fibres(plugs[0], plugs[1], kind.fibre)
}

// fibres lists those families that some media rule allows.
func (k *shuffler) fibres(ends plugPair, kind laneKind) []*catalog.Part {
	return slices.DeleteFunc(k.families(ends, kind), func(f *catalog.Part) bool {
		return !slices.ContainsFunc(k.w.buyer.rules, func(m MediaRule) bool { return m.allows(f) })
	})
}

// allowedFibres lists those fibres that all of some media rules allow.
func (k *shuffler) allowedFibres(ends plugPair, kind laneKind, rules []int) []*catalog.Part {
	return slices.DeleteFunc(k.fibres(ends, kind), func(f *catalog.Part) bool {
		return k.w.buyer.forbids(rules, f) >= 0
	})
}

// madeCords are cables or cords of a kind, for links about which a set of media rules decides.
type madeCords struct {
	ends  plugPair
	kind  laneKind
	rules int32 // index in shuffler.rules
}

// chooserOf is the step function of cables between two transceivers, or of cords between a shuffle and one, among those
// that the media rules of all their links allow.
func (k *shuffler) chooserOf(ends plugPair, kind laneKind, rules int32) *chooser {
	key := madeCords{ends, kind, rules}
	c := k.made[key]
	if c == nil {
		c = k.w.buyer.cords(k.allowedFibres(ends, kind, k.rules[rules]), ends[0], ends[1])
		k.made[key] = c
		k.w.s.Products = k.w.buyer.products
	}
	return c
}

// link schedules a channel over a shuffle, or in a cable that it shares with the other links of its plugs.
func (k *shuffler) link(index int32, ch *channel) {
	w := k.w
	s, l := w.s, &ch.link
	pa, pb := ch.ports()
	a, laneA := k.plug(ch.a, l.A, pa)
	b, _ := k.plug(ch.b, l.B, pb)
	opticA, opticB := k.ports[pa.Group].optic, k.ports[pb.Group].optic
	set := k.ports[pa.Group].set.root()
	whole := Segment{
		A: l.A, PortA: uint16(ch.portA), B: l.B, PortB: uint16(ch.portB), Link: index, Level: uint8(l.Level),
		Within: uint8(ch.common),
	}
	var segs []Segment
	if k.plugs[a].panel == ownCable {
		k.cord(&whole, min(a, b), plugPair{opticA, opticB}, set)
		segs = append(segs, whole)
	} else {
		near, far := whole, whole
		near.B, near.PortB, far.PortA = k.adapters(a, laneA, b)
		far.A = near.B
		for _, seg := range []*Segment{&near, &far} {
			seg.Within = uint8(w.layout.Common(w.slot[seg.A], w.slot[seg.B]))
		}
		k.cord(&near, a, plugPair{opticA, nil}, set)
		k.cord(&far, b, plugPair{nil, opticB}, set)
		segs = append(segs, near, far)
	}
	tally, last := &s.Tallies[l.Level][ch.common], &segs[len(segs)-1]
	if segs[0].Product >= 0 {
		w.plugOptic(tally, ch.a, l.A, segs[0].PortA, pa.Cage, opticA)
	}
	if last.Product >= 0 {
		w.plugOptic(tally, ch.b, l.B, last.PortB, pb.Cage, opticB)
	}
	k.check(segs, opticA, opticB)
	length := units.Length(0)
	for i := range segs {
		length += segs[i].Length
	}
	w.countLink(tally, ch, length.Round4())
	for i := range segs {
		s.Wired++
		w.seg = segs[i]
		w.show(w.place(&w.seg))
	}
}

// cord lays the cord of a plug, when its first link comes up. That one may have the plug at its other end.
func (k *shuffler) cord(seg *Segment, plug int32, ends plugPair, set *splitSet) {
	w, at := k.w, &k.plugs[plug]
	if at.cable != 0 {
		seg.Product, seg.Cable, seg.Bundle, seg.Length = at.product, at.cable, at.bundle, at.length
		if seg.Product < 0 {
			return
		}
		if p := w.s.Products[seg.Product]; p.OpticA != ends[0] || p.OpticB != ends[1] { // the link leads back
			p.OpticA, p.OpticB, p.NearB = ends[0], ends[1], p.Part.Cable.FarConnector() != p.Part.Cable.Connector &&
				!p.NearB
			seg.Product = w.piece(p)
		}
		return
	}
	c, barred := k.chooserOf(ends, set.kind, at.rules), uint8(0)
	if ends[0] != nil && ends[1] != nil || k.longest == nil {
		barred = w.layCord(seg, c, set.kind.fibre, &w.s.Tallies[seg.Level][seg.Within])
	} else {
		barred = k.layOctopus(seg, plug, c, set.kind.fibre)
	}
	at.product, at.cable, at.bundle, at.length = seg.Product, seg.Cable, seg.Bundle, seg.Length
	switch {
	case seg.Product != NoProduct:
	case barred != 0:
		w.reportUnpatched(seg, "no cord%s", w.mediaWithoutTray(barred, seg))
	case len(c.steps) == 0:
		w.reportUnpatched(seg, "the media rules of the links in this cord (cabling.media) allow no cord in common")
	default:
		need, longest := units.FormatDistinct(seg.Length, c.longest())
		w.reportUnpatched(seg, "%s needed, the longest cord is %s", need, longest)
	}
}

// check holds the fibre of a link against the reach and the loss of its transceivers.
func (k *shuffler) check(segs []Segment, opticA, opticB *catalog.Part) {
	s := k.w.s
	g, over := glass{stated: true}, ""
	for i := range segs {
		if segs[i].Product >= 0 {
			g.add(&s.Products[segs[i].Product])
		}
	}
	first, last := &segs[0], &segs[len(segs)-1]
	if first != last {
		panel := s.Patching.Panels[s.Panel(last.A)].Part.Panel
		g.loss += panel.Loss
		g.stated = g.stated && panel.Loss > 0
		over = "a shuffle and "
		if k.patch != nil {
			over = "a panel and "
		}
	}
	o := patchOption{reach: least(opticA.Optic.Reach, opticB.Optic.Reach), budget: lossBudget(opticA, opticB)}
	if s.Patching != nil {
		s.Patching.note(&g, &o)
	}
	if !o.reaches(&g) {
		for i := range segs {
			if way, _ := s.WayOf(&segs[i]); way >= 0 && s.Ways[way].detour >= 0 {
				k.w.failed = append(k.w.failed, segs[i].Bundle-1)
			}
		}
		k.w.reportUnpatched(first, "%s%v of fibre, the optics reach %v", over, g.length, o.reach)
	}
	if !o.affords(&g) {
		k.w.lossy(first, last, &g, &o, over)
	}
}

// explainUnshuffled says why a link between ports that are split at both ends does not run over a shuffle; it is empty
// for any other link.
func (w *worker) explainUnshuffled(pa, pb *Port) string {
	if perCage(pa.Group) == 1 || perCage(pb.Group) == 1 || pa.Group.Rate != pb.Group.Rate {
		return ""
	}
	switch {
	case w.layout.Room == nil:
		return "; a shuffle could join them, which stands in a rack, and there are none"
	case w.p.Shuffle == nil:
		return "; a shuffle could join them, and cabling.shuffle is none"
	}
	if why := w.shuffler.explainLeft(pa, pb); why != "" {
		return why
	}
	of := [2]string{}
	kinds := [2][]string{}
	for i, g := range [2]*catalog.PortGroup{pa.Group, pb.Group} {
		of[i] = describePort(g)
		for _, o := range w.p.Catalog.SplitOptics(g) {
			kind := fmt.Sprintf("%s of %v over %s", o.Optic.Standard, o.Optic.Rate, o.Optic.Fibre)
			if !slices.Contains(kinds[i], kind) {
				kinds[i] = append(kinds[i], kind)
			}
		}
		if slices.Sort(kinds[i]); len(kinds[i]) == 0 {
			return fmt.Sprintf("; no shuffle joins them: no transceiver fills the cage of %s ports with lanes for "+
				"each of them", of[i])
		}
	}
	if !slices.ContainsFunc(kinds[0], func(kind string) bool { return slices.Contains(kinds[1], kind) }) {
		return fmt.Sprintf("; no shuffle joins them: transceivers that split are %s for %s, %s for %s",
			english.List(kinds[0]), of[0], english.List(kinds[1]), of[1])
	}
	return "; no shuffle joins them: it takes transceivers that fill both cages, with lanes for each of their ports, " +
		"a plug that some panel of shuffles takes, and a cord to it; the media rules of all links of these ports " +
		"have to allow both"
}

// explainLeft says which shuffles are on sale for the transceivers of two ports whose links none of them takes; it is
// empty where shuffles were not looked for.
func (k *shuffler) explainLeft(pa, pb *Port) string {
	if k == nil || k.ports[pa.Group] == nil || k.ports[pb.Group] == nil || k.ports[pa.Group].set.root().left == 0 {
		return ""
	}
	a, b := k.ports[pa.Group], k.ports[pb.Group]
	set := a.set.root()
	var sold []string
	for _, p := range k.panels(set.kind) {
		size := fmt.Sprintf("%d by %d plugs", p.Panel.Shuffle, p.Panel.Shuffle)
		if p.Panel.ToOrder {
			size = fmt.Sprintf("at most %s to order", size)
		}
		sold = append(sold, size)
	}
	optics := a.optic.ID
	if b.optic != a.optic {
		optics += " and " + b.optic.ID
	}
	return fmt.Sprintf("; no shuffle joins them: with %s, links lead from plug to plug through up to %d plugs on a "+
		"side, %d links each, and shuffles of %s over %s are of %s", optics, set.plugs, max(a.each, b.each),
		set.kind.plug, set.kind.fibre, english.List(sold))
}
