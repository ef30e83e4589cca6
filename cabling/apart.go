package cabling

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// Why links whose cage a twin-port cable or a splitter could fill have a cable each: that shows only where cages were
// compared, so that it is worked out for those who ask.

// nearness puts what speaks against a cable for all links of a cage into the order in which it nearly was the choice.
var nearness = []Verdict{Price, Reach, Lanes, Policy}

// apart judges the cables that the links of a near cage could share, and share none. The nearest to be chosen comes
// first; there are none where the catalog has none for the two kinds of ports.
func (w *worker) apart(n *cage, number int32, class *linkClass) []Option {
	need := func(m catalog.Medium) units.Length {
		if needs := w.groupNeeds(number); needs != nil {
			return needs[w.s.router.trays.groupOf[m]]
		}
		return n.need
	}
	return w.judgeSharing(class, need)
}

// judgeSharing judges the cables that the links of a class could share, at what they need of each medium.
func (w *worker) judgeSharing(class *linkClass, need func(catalog.Medium) units.Length) []Option {
	b := &w.buyer
	level := w.p.Graph.Levels()[class.level].Name
	var out []Option
	for _, c := range w.sharedCables(class) {
		m := c.part.Cable.Medium
		o := Option{Part: c.part, OpticA: c.opticA, OpticB: c.opticB, Shared: true}
		rule := b.decides(w.layout, class, level, need(m))
		if o.Why = w.forbids(&c, class, rule); o.Why != "" {
			o.Verdict = Policy
			out = append(out, o)
			continue
		}
		of, reaches := b.offerFor(&c, need(m), b.rules[rule].Longest, class)
		if reaches {
			o.setOffer(&of)
		}
		switch {
		case int(class.plugs) > c.part.Cable.FarPlugs():
			o.Verdict, o.Why = Lanes, c.short(need(m), class)
		case !reaches:
			o.Verdict, o.Why = Reach, c.short(need(m), class)
		default:
			o.Verdict, o.Why = Price, "on the trays that these media take, a cable for each link is the better choice"
			if each := w.each(class, rule, need); each.candidate != nil && of.compare(&each) > 0 {
				o.Why = of.dearer(&each)
				if of.billPriced && of.money() > each.money() {
					o.Why += " than a cable for each link"
				}
			}
		}
		out = append(out, o)
	}
	slices.SortStableFunc(out, func(x, y Option) int {
		return cmp.Or(cmp.Compare(slices.Index(nearness, x.Verdict), slices.Index(nearness, y.Verdict)),
			cmp.Compare(x.Cost, y.Cost))
	})
	return out
}

// sharedCables lists the cables that join two kinds of ports and carry all links of a cage.
func (w *worker) sharedCables(class *linkClass) []candidate {
	pair := [2]*catalog.PortGroup{class.groupA, class.groupB}
	list, ok := w.sharings[pair]
	if !ok {
		if w.sharings == nil {
			w.sharings = map[[2]*catalog.PortGroup][]candidate{}
		}
		list = w.buyer.sharedFamilies(pair[0], pair[1])
		w.sharings[pair] = list
	}
	return list
}

// forbids says which rule of media or of trays forbids a candidate; it is empty where none does.
func (w *worker) forbids(c *candidate, class *linkClass, rule int) string {
	switch {
	case rule < 0:
		return "no media rule matches the link"
	case w.buyer.rules[rule].permits(c):
	case c.part.Cable.Custom:
		return "made to order: only where a media rule names it"
	default:
		return fmt.Sprintf("media rule %d does not allow it", rule+1)
	}
	if class.barred != 0 && w.buyer.trays.bars(c.part.Cable.Medium, class.barred) {
		return "no tray on the way takes " + string(c.part.Cable.Medium)
	}
	return ""
}

// each is the best offer of a cable for each link of a class; it has no candidate where none will do.
func (w *worker) each(class *linkClass, rule int, need func(catalog.Medium) units.Length) offer {
	var best offer
	all := w.buyer.candidates(class.groupA, class.groupB)
	for i := range all {
		if w.forbids(&all[i], class, rule) != "" {
			continue
		}
		of, reaches := w.buyer.offerFor(&all[i], need(all[i].part.Cable.Medium), w.buyer.rules[rule].Longest, class)
		if reaches && (best.candidate == nil || of.compare(&best) < 0) {
			best = of
		}
	}
	return best
}

// ratherThanEach says what speaks for a cable that all links of a class share, against one for each.
func (w *worker) ratherThanEach(o *offer, class *linkClass, rule int, need units.Length) string {
	each := w.each(class, rule, func(catalog.Medium) units.Length { return need })
	switch {
	case each.candidate == nil:
		return "no cable for each link is allowed and long enough"
	case o.priced && !each.priced:
		return "a cable for each link has no price"
	case o.billPriced && each.billPriced && o.money() < each.money():
		return fmt.Sprintf("a cable for each link costs %v more", each.money()-o.money())
	case o.priced && o.cost < each.cost:
		return "a cable for each link " + beforeCounting
	}
	return "a cable for each link has no advantage"
}

// ofCage names what a cable that fills a cage is.
func ofCage(p *catalog.Part) string {
	if p.Cable.FarPlugs() > 1 {
		return "splitter"
	}
	return "twin-port cable"
}

// explainSeparate says why a link whose cage holds several ports has a cable to itself: in words, and with a verdict on
// every cable that all links of the cage could share. Nothing is to be said of links that fill their cages.
func (w *worker) explainSeparate(ch *channel, pa, pb *Port, need units.Length) (why string, options []Option) {
	if perCage(pa.Group) == 1 && perCage(pb.Group) == 1 {
		return "", nil
	}
	class, near := w.sharingClass(ch, pa, pb)
	if len(w.sharedCables(&class)) == 0 {
		return fmt.Sprintf("the catalog has no cable for all links of a cage between %s and %s",
			describePort(class.groupA), describePort(class.groupB)), nil
	}
	if near != noCage {
		n := &w.cages[near]
		options = w.apart(n, near, &class)
		if n.links == 1 {
			return "", options
		}
		return apartBecause(&options[0]), options
	}
	options = w.judgeSharing(&class, func(catalog.Medium) units.Length { return need })
	if w.cages == nil { // no rule allows any of them
		return apartBecause(&options[0]), options
	}
	why = w.explainScattered(ch, pa, pb)
	for i := range options {
		if o := &options[i]; o.Verdict != Policy && o.Verdict != Reach {
			o.Verdict, o.Why, o.Length, o.Cost, o.Priced = Lanes, why, 0, 0, false
		}
	}
	return why, options
}

// sharingClass is the class of the links of a cage as if they shared a cable, and the number of their near cage: noCage
// where they cannot, whose class is that of the link alone.
func (w *worker) sharingClass(ch *channel, pa, pb *Port) (class linkClass, near int32) {
	if w.cages != nil {
		ca, cb := ch.a.cageOf(ch.link.A, pa), ch.b.cageOf(ch.link.B, pb)
		if near = w.shares(ca, cb, pa.Group, pb.Group); near != noCage {
			group := pa.Group
			if near == cb {
				group = pb.Group
			}
			return w.cages[near].class(group, near == cb), near
		}
	}
	class = linkClass{
		groupA: pa.Group, groupB: pb.Group, level: uint8(ch.link.Level), within: uint8(ch.common), links: 1, plugs: 1,
	}
	if perCage(pa.Group) < perCage(pb.Group) {
		class.groupA, class.groupB, class.nearB = pb.Group, pa.Group, true
	}
	return class, noCage
}

// apartBecause says of the cable that comes nearest why the links of a cage do not share it.
func apartBecause(o *Option) string {
	return fmt.Sprintf("the %s %s would carry all links of the cage, but %s", ofCage(o.Part), o.Part.ID, o.Why)
}

// explainScattered says why the links of a cage can share no cable of any kind, going through all links of the machine.
func (w *worker) explainScattered(ch *channel, pa, pb *Port) string {
	ca, cb := ch.a.cageOf(ch.link.A, pa), ch.b.cageOf(ch.link.B, pb)
	near, _ := w.nearFar(ca, cb, pa.Group, pb.Group)
	twin := perCage(pa.Group) == perCage(pb.Group)
	type place struct {
		cage  int32
		label string
	}
	var peers []place // cages at the far ends of its links
	var levels []string
	var groups []*catalog.PortGroup
	links, traces, panels := 0, false, false
	w.channels(func(c *channel, pa, pb *Port) {
		x, y := c.a.cageOf(c.link.A, pa), c.b.cageOf(c.link.B, pb)
		far, v, port := y, c.link.B, c.portB
		group := pb.Group
		if y == near {
			far, v, port, group = x, c.link.A, c.portA, pa.Group
		} else if x != near {
			return
		}
		_, pair := w.patchingOf(c)
		links++
		traces, panels = traces || c.trace, panels || pair != nil
		if !slices.ContainsFunc(peers, func(p place) bool { return p.cage == far }) {
			peers = append(peers, place{far, w.s.Label(v, uint16(port))})
		}
		if name := w.p.Graph.Levels()[c.link.Level].Name; !slices.Contains(levels, name) {
			levels = append(levels, name)
		}
		if !slices.Contains(groups, group) {
			groups = append(groups, group)
		}
	})
	var names []string
	for _, p := range peers {
		names = append(names, p.label)
	}
	switch {
	case panels:
		return "some links of the cage run over patch panels, with cords of their own"
	case traces:
		return "some links of the cage are traces of a board"
	case len(levels) > 1:
		return "the links of the cage are of different levels, " + english.List(levels)
	case len(groups) > 1:
		return "the links of the cage lead to different kinds of ports, such as at " + english.List(names[:2])
	case links > mostShared:
		return fmt.Sprintf("the cage has %d links, and a cable carries %d at most", links, mostShared)
	case twin && len(peers) > 1:
		return fmt.Sprintf("the links of the cage do not go to one cage: they lead to %d, such as at %s", len(peers),
			english.List(names[:2]))
	}
	elsewhere := "the links of the cage do not all go the same way"
	found := false
	w.channels(func(c *channel, pa, pb *Port) {
		x, y := c.a.cageOf(c.link.A, pa), c.b.cageOf(c.link.B, pb)
		for _, p := range peers {
			if !found && (x == p.cage && y != near || y == p.cage && x != near) {
				found = true
				v, port := c.link.B, c.portB
				if y == p.cage {
					v, port = c.link.A, c.portA
				}
				elsewhere = fmt.Sprintf("the cage at %s has a link to elsewhere, too: to %s", p.label,
					w.s.Label(v, uint16(port)))
			}
		}
	})
	return elsewhere
}

// mostScatterings is for how many links without a product all links are asked why they share no cable.
const mostScatterings = 10

// explainShared says of ports that no cable of a single link joins why no cable for all links of the cage does: often
// only the distance is in its way. It is empty where no such cable is on sale.
func (w *worker) explainShared(ch *channel, pa, pb *Port, needed units.Length) string {
	class, near := w.sharingClass(ch, pa, pb)
	if near != noCage {
		needed = max(needed, w.cages[near].need)
	}
	need := func(catalog.Medium) units.Length { return needed }
	options := w.judgeSharing(&class, need)
	if len(options) == 0 {
		return ""
	}
	o := &options[0]
	switch {
	case o.Verdict == Reach:
		for i := range options { // the longest of them is the nearest to be of use
			if p := &options[i]; p.Verdict == Reach && longestOf(p.Part) > longestOf(o.Part) {
				o = p
			}
		}
		text := fmt.Sprintf("; %s carries several links between them, up to %v, and %v are needed", o.Part.ID,
			longestOf(o.Part), needed)
		text += ": stand the boxes nearer to each other, such as leaves in the middle of their row"
		if near == noCage {
			text += ", and lead the links of the cage to one place"
		}
		return text
	case o.Verdict == Price && near == noCage:
		why := "the links of its cage cannot all share a cable"
		if w.scatterings++; w.scatterings <= mostScatterings { // each goes through all links
			why = w.explainScattered(ch, pa, pb)
		}
		return fmt.Sprintf("; %s carries several links between them, but %s", o.Part.ID, why)
	}
	return fmt.Sprintf("; %s is a %s between them, but %s", o.Part.ID, ofCage(o.Part), o.Why)
}

// longestOf is the longest that a cable comes in.
func longestOf(p *catalog.Part) units.Length {
	longest := p.Cable.MadeToMeasure
	for _, l := range p.Cable.Lengths {
		longest = max(longest, l)
	}
	return longest
}
