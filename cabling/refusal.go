package cabling

import (
	"cmp"
	"fmt"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// refusal says why no product makes a link that has a cable to itself, of those that the media rule that decides
// allows.
func (w *worker) refusal(seg *Segment, class *linkClass, ch *channel, portA, portB *Port) string {
	b, need, judged := &w.buyer, seg.Length, *class
	if w.s.router.onTrays(ch.common) {
		rc, _ := w.reached(ch) // on a way around full trays, others are barred
		judged.barred = rc.barred
	}
	rule := b.decides(w.layout, &judged, w.p.Graph.Levels()[seg.Level].Name, need)
	if rule < 0 {
		return fmt.Sprintf("no cable for %s ports: %s", class.describe(), w.explainNoRule(&judged, need))
	}
	under := ""
	if len(w.p.Media) > 0 {
		under = fmt.Sprintf(" under media rule %d", rule+1)
	}
	var longest units.Length
	allowed, fits, barred := false, false, false
	all := b.all(&judged)
	for i := range all {
		c := &all[i]
		if !b.rules[rule].allows(c.part) {
			continue
		}
		if judged.barred != 0 && b.trays.bars(c.part.Cable.Medium, judged.barred) {
			barred = true
			continue
		}
		allowed = true
		longest = max(longest, c.longest())
		if _, ok := c.stocked(need); ok {
			fits = true // but for the transceivers in its cages
		}
	}
	if barred {
		under += w.untrayed(judged.barred)
	}
	switch {
	case fits && class.opticA != nil && class.opticB != nil:
		return fmt.Sprintf("no cable for %s ports%s goes with the transceivers in its cages, %s, which their other "+
			"links take", class.describe(), under, class.optics())
	case allowed:
		return fmt.Sprintf("%v needed, the longest cable for %s ports is %v%s", need, class.describe(), longest, under)
	}
	return fmt.Sprintf("no cable for %s ports%s%s%s", class.describe(), under, w.ofSeveral(ch, portA, portB, need),
		cmp.Or(opticsInside(portA, portB), w.unshuffled(portA, portB)))
}

// opticsInside says that a port has its optics inside the box, for which no fibre is chosen yet; it is empty where none
// has.
func opticsInside(ports ...*Port) string {
	for _, p := range ports {
		if p.Group.Optic != nil {
			return fmt.Sprintf("; the optics of the %s ports are inside the box, and plans do not choose fibre for "+
				"such ports yet", p.Group.Connector)
		}
	}
	return ""
}

// explainNoRule returns why no media rule decides about a link.
func (w *worker) explainNoRule(class *linkClass, need units.Length) string {
	var short []string
	var most units.Length
	for i := range w.buyer.rules {
		if m := &w.buyer.rules[i]; m.matches(w.layout, w.p.Graph.Levels()[class.level].Name, class) {
			short = append(short, fmt.Sprint(i+1))
			most = max(most, m.Longest)
		}
	}
	if len(short) == 0 {
		return "no media rule matches"
	}
	rules := "rule " + short[0] + " allows"
	if len(short) > 1 {
		rules = "rules " + english.List(short) + " allow"
	}
	return fmt.Sprintf("%v needed, and media %s %v at most", need, rules, most)
}

// longest is the longest piece of a candidate that its reach allows, 0 where there is none.
func (c *candidate) longest() units.Length {
	var longest units.Length
	for _, l := range ladder([]candidate{*c}) {
		if piece, ok := c.stocked(l); ok {
			longest = max(longest, piece)
		}
	}
	return longest
}
