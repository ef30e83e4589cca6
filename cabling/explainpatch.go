package cabling

import (
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/topology"
)

// explainPatched explains a cord or a trunk of links over panels.
func (w *worker) explainPatched(e *Explanation) {
	k, seg := w.patcher, &e.Links[0]
	var cords []*catalog.Part
	c := w.channelOf(seg)
	if pa, pb := c.ports(); pa != nil {
		if rule, _, _ := k.rule(&c, pa, pb); len(w.p.Media) > 0 {
			e.Rule = rule + 1
		}
		cords = k.cordsOf(pa.Group, pb.Group, w.s.Panel(seg.A) >= 0)
	}
	if w.s.Panel(seg.A) >= 0 && w.s.Panel(seg.B) >= 0 {
		w.explainTrunk(e)
		return
	}
	w.explainCords(e, cords, func(p *catalog.Part) string {
		switch {
		case e.Rule > 0 && !w.buyer.rules[e.Rule-1].allows(p):
			return fmt.Sprintf("media rule %d does not allow it", e.Rule)
		case p.Cable.Propagation != k.trunks[0].Cable.Propagation:
			return "signals take another time in it than in the trunk"
		}
		return ""
	})
}

// explainCords says why a cord is the one that it is, of some families of fibre; barred says what forbids a family.
func (w *worker) explainCords(e *Explanation, fibres []*catalog.Part, barred func(*catalog.Part) string) {
	best := -1
	for _, p := range fibres {
		o := Option{Part: p}
		c := candidate{part: p}
		of, reaches := w.buyer.offerFor(&c, e.Need, 0, &linkClass{})
		if reaches {
			o.setOffer(&of)
		}
		switch why := barred(p); {
		case why != "":
			o.Verdict, o.Why = Policy, why
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
	w.addStored(e, &linkClass{})
}

// explainShuffle explains a cord to a shuffle, or a cable that all links of two plugs share. It returns false for any
// other cable.
func (w *worker) explainShuffle(e *Explanation) bool {
	k := w.shuffler
	if k == nil {
		return false
	}
	c := w.channelOf(&e.Links[0])
	pa, pb := c.ports()
	if pa == nil || !k.serves(&c) {
		return false
	}
	if rule, ok := k.ruleOf(&c, pa, pb); ok && len(w.p.Media) > 0 {
		e.Rule = rule + 1
	}
	e.Apart = "the ports at both ends are parts of plugs that lead to several others"
	if len(e.Ways) == 0 {
		e.Apart = ""
	}
	ends := plugPair{k.ports[pa.Group].optic, k.ports[pb.Group].optic}
	plug, _ := k.plug(c.a, c.link.A, pa)
	if len(e.Ways) > 0 { // at its other end is the shuffle
		ends[1] = nil
		if w.s.Panel(e.Links[0].A) >= 0 {
			ends[0] = k.ports[pb.Group].optic
			plug, _ = k.plug(c.b, c.link.B, pb)
		}
	}
	w.explainCords(e, k.fibres(ends, k.ports[pa.Group].set.root().kind), func(p *catalog.Part) string {
		if rule := w.buyer.forbids(k.rules[k.plugs[plug].rules], p); rule >= 0 {
			return fmt.Sprintf("media rule %d does not allow it", rule+1)
		}
		return ""
	})
	return true
}

// channelOf is the channel that a segment belongs to: of its link, the one that is plugged in at the ports of the
// segment, or the first where both ends of the segment are panels.
func (w *worker) channelOf(seg *Segment) (c channel) {
	n, first := int32(0), int64(0)
	for l := range topology.Cables(w.p.Graph) {
		if n == seg.Link {
			c = w.channel(&l)
			c.first = first
			for i := range l.Width {
				if w.plug(&c, i); c.endsIn(seg) {
					return c
				}
			}
			w.plug(&c, 0)
			break
		}
		n++
		first += int64(l.Width)
	}
	return c
}

// endsIn reports whether an end of a segment is a port that the channel is plugged into.
func (c *channel) endsIn(seg *Segment) bool {
	for _, at := range [2][2]int32{{seg.A, int32(seg.PortA)}, {seg.B, int32(seg.PortB)}} {
		if at == [2]int32{c.link.A, c.portA} || at == [2]int32{c.link.B, c.portB} {
			return true
		}
	}
	return false
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
		if of, ok := w.buyer.offerFor(&candidate, e.Need, 0, &linkClass{}); ok {
			o.setOffer(&of)
		}
		switch {
		case p == t.Part:
			o.Verdict = Chosen
			o.Why = fmt.Sprintf("%d of its %d positions in use; %d links of the level join these racks", t.Links,
				w.s.Patching.Positions(p), links)
			e.Options = slices.Insert(e.Options, 0, o)
			continue
		case p.Cable.Legs < t.Part.Cable.Legs:
			o.Why = fmt.Sprintf("takes %d links only", w.patcher.fill(p))
		case p.Cable.Legs == t.Part.Cable.Legs:
			o.Why = "takes as many links, and is taken where cabling.structured.trunk names it"
		default:
			o.Why = fmt.Sprintf("takes %d links, and a smaller one takes them all", w.patcher.fill(p))
		}
		e.Options = append(e.Options, o)
	}
}
