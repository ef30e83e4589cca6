package cabling

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// refusal says why no product makes a link that has a cable to itself, of those that the media rule that decides
// allows.
func (w *worker) refusal(seg *Segment, class *linkClass, ch *channel, portA, portB *Port) string {
	b, need, restricted := &w.buyer, seg.Length, *class
	if w.s.router.onTrays(ch.common) {
		rc, _ := w.reachOf(ch) // on a way around full trays, others are barred
		restricted.barred = rc.barred
	}
	rule := b.decides(w.layout, &restricted, w.p.Graph.Levels()[seg.Level].Name, need)
	if rule < 0 {
		return fmt.Sprintf("no cable for %s ports: %s", class.describe(), w.explainNoRule(&restricted, need))
	}
	under := ""
	if len(w.p.Media) > 0 {
		under = fmt.Sprintf(" under media rule %d", rule+1)
	}
	var longest units.Length
	allowed, fits, barred := false, false, false
	all := b.all(&restricted)
	for i := range all {
		c := &all[i]
		if !b.rules[rule].permits(c) {
			continue
		}
		if restricted.barred != 0 && b.trays.bars(c.part.Cable.Medium, restricted.barred) {
			barred = true
			continue
		}
		allowed = true
		longest = max(longest, c.longest())
		if _, ok := c.stockedLength(need); ok {
			fits = true // but for the transceivers in its cages
		}
	}
	if barred {
		under += w.mediaWithoutTray(restricted.barred, seg)
	}
	switch {
	case fits && class.opticA != nil && class.opticB != nil:
		return fmt.Sprintf("no cable for %s ports%s goes with the transceivers in its cages, %s, which their other "+
			"links take", class.describe(), under, class.optics())
	case allowed:
		needed, most := units.FormatDistinct(need, longest)
		return fmt.Sprintf("%s needed, the longest cable for %s ports is %s%s", needed, class.describe(), most, under)
	}
	return fmt.Sprintf("no cable for %s ports%s%s%s", class.describe(), under, w.explainShared(ch, portA, portB, need),
		cmp.Or(w.opticsInside(portA.Group, portB.Group), w.explainUnshuffled(portA, portB)))
}

// opticsInside says why nothing joins two ports one of which has its optics inside the box; it is empty where none has,
// where a shuffle could join them, and where only a media rule forbids the cable.
func (w *worker) opticsInside(a, z *catalog.PortGroup) string {
	if a.Optic == nil {
		a, z = z, a
	}
	if a.Optic == nil || perCage(a) > 1 && perCage(z) > 1 {
		return ""
	}
	inside, c := a.BuiltIn().Optic, w.p.Catalog
	has := fmt.Sprintf("; the optics of the %s ports are inside the box, %s over %s fibre at %v", a.Connector,
		inside.Standard, inside.Fibre, a.Rate)
	if perCage(a) > 1 {
		has += fmt.Sprintf(" (%d ports in a connector)", perCage(a))
	}
	others := c.PortOptics(z)
	if perCage(a) > 1 || perCage(z) > 1 && len(w.buyer.opticPairs(a, z)) == 0 {
		others = append(others, c.CageOptics(z)...)
	}
	switch pairs := w.buyer.opticPairs(a, z); {
	case len(pairs) > 0 && len(w.buyer.candidates(a, z)) > 0:
		return ""
	case len(pairs) > 0:
		return fmt.Sprintf("%s, and no such fibre leads from %s to %s", has, a.Connector, pairs[0][1].Optic.Plug)
	case len(w.buyer.sharedFamilies(a, z)) > 0 || len(w.buyer.sharedFamilies(z, a)) > 0:
		return ""
	case z.Optic != nil:
		return fmt.Sprintf("%s, and those of the %s ports %s over %s fibre at %v", has, z.Connector, z.Optic.Standard,
			z.Optic.Fibre, z.Rate)
	case len(others) == 0:
		return fmt.Sprintf("%s, and no transceiver fits %s", has, describePort(z))
	}
	var standards []string
	for _, o := range others {
		if s := o.Optic.Standard; !slices.Contains(standards, s) {
			standards = append(standards, s)
		}
	}
	slices.Sort(standards)
	return fmt.Sprintf("%s, and the transceivers for %s are %s", has, describePort(z), english.List(standards))
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
		if piece, ok := c.stockedLength(l); ok {
			longest = max(longest, piece)
		}
	}
	return longest
}
