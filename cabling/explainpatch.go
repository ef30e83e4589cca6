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
	n := int32(0)
	var cords []*catalog.Part
	for l := range topology.Cables(w.p.Graph) {
		if n == seg.Link {
			c := w.channel(&l)
			if pa, pb := c.ports(); pa != nil {
				if rule, _, _ := k.rule(&c, pa, pb); len(w.p.Media) > 0 {
					e.Rule = rule + 1
				}
				cords = k.cordsOf(pa.Group, pb.Group, w.s.Panel(seg.A) >= 0)
			}
			break
		}
		n++
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
			o.take(&of)
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
	w.stored(e, &linkClass{})
}

// explainShuffle explains a cord to a shuffle, or a cable that all links of two plugs share. It returns false for any
// other cable.
func (w *worker) explainShuffle(e *Explanation) bool {
	k := w.shuffler
	if k == nil {
		return false
	}
	found := false
	first := int64(0)
	for l := range topology.Cables(w.p.Graph) {
		if first++; int32(first-1) != e.Links[0].Link {
			continue
		}
		c := w.channel(&l)
		pa, pb := c.ports()
		if found = pa != nil && k.serves(&c); !found {
			break
		}
		rule := -1
		if len(w.p.Media) > 0 {
			class := linkClass{groupA: pa.Group, groupB: pb.Group, level: uint8(l.Level), within: uint8(c.common)}
			rule = w.buyer.decides(w.layout, &class, w.p.Graph.Levels()[l.Level].Name, k.straight(&c))
			e.Rule = rule + 1
		}
		e.Apart = "the ports at both ends are parts of plugs that lead to several others"
		if len(e.Ways) == 0 {
			e.Apart = ""
		}
		ends := plugPair{k.ports[pa.Group].optic, k.ports[pb.Group].optic}
		if len(e.Ways) > 0 { // at its other end is the shuffle
			ends[1] = nil
			if w.s.Panel(e.Links[0].A) >= 0 {
				ends[0] = k.ports[pb.Group].optic
			}
		}
		w.explainCords(e, k.fibres(ends, k.ports[pa.Group].set.root().kind), func(p *catalog.Part) string {
			if rule >= 0 && !w.buyer.rules[rule].allows(p) {
				return fmt.Sprintf("media rule %d does not allow it", rule+1)
			}
			return ""
		})
		break
	}
	return found
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
