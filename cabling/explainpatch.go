package cabling

import (
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/topology"
)

// explainPatched explains a cord or a trunk of links over panels.
func (w *worker) explainPatched(e *Explanation) {
	k, seg := w.patcher, &e.Links[0]
	n := int32(0)
	for l := range topology.Cables(w.p.Graph) {
		if n == seg.Link {
			c := w.channel(&l)
			if pa, pb := c.ports(); pa != nil {
				if rule, _, _ := k.rule(&c, pa, pb); len(w.p.Media) > 0 {
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
		of, reaches := w.buyer.offerFor(&c, e.Need, 0, &linkClass{})
		if reaches {
			o.take(&of)
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
	w.stored(e, &linkClass{})
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
			o.take(&of)
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
