package cabling

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Verdict says why a product was taken or not.
type Verdict string

// The verdicts.
const (
	Chosen    Verdict = "chosen"
	Store     Verdict = "store"     // it is taken from the store in place of the chosen one
	Price     Verdict = "price"     // another one costs less, or as much and comes before it
	Reach     Verdict = "reach"     // it does not come, or does not carry, that far
	Policy    Verdict = "policy"    // the media rule that decides does not allow it
	Rate      Verdict = "rate"      // it fits, and is slower than the ports
	Cage      Verdict = "cage"      // the cages at its ends hold transceivers of another kind or part
	Lanes     Verdict = "lanes"     // it fits, and carries another number of links
	Connector Verdict = "connector" // it fits one of the ports only, or neither
)

// Option is a product that was considered for a cable.
type Option struct {
	Part           *catalog.Part
	OpticA, OpticB *catalog.Part // at the near and far end; nil for cables with plugs of their own
	Shared         bool          // one cable carries all the links
	Verdict        Verdict
	Why            string       // the verdict in words, without a full stop
	Length         units.Length // in which it would be bought; 0 where it does not reach
	// Cost is that of all the links, with their optics, by Problem.Billed; where that is nil, by the prices at which
	// products were chosen. Of a piece from stock it is that of the optics alone.
	Cost   units.Money
	Priced bool
}

// setOffer sets length and cost to those of an offer.
func (o *Option) setOffer(of *offer) {
	o.Length, o.Cost, o.Priced = of.length, of.money(), of.billPriced
}

// Explanation says where everything about a cable comes from. Explain makes it; a zero Explanation is not usable.
type Explanation struct {
	Schedule *Schedule // a summary
	Cable    int64
	Links    []Segment // that the cable carries, in order
	// Ways are those links from end to end, where they run over panels: a cord, the
	// trunk, a cord; over a shuffle, two cords.
	Ways    [][]Segment
	Need    units.Length
	Product *Product // nil where there is none
	// Rule is the number of the media rule that decides, from 1; 0 where there are no rules, -1 where none matches or
	// the box has too few ports.
	Rule int
	// Instead is the length that was chosen where a consolidation buys another one;
	// else 0.
	Instead units.Length
	// Options lists what fits and what nearly does. Of cables from box to box, a piece from stock is first, then the
	// chosen one, then by verdict and cost; of those at panels, the chosen one is first.
	Options []Option
	// Elsewhere counts the cable families whose plugs fit neither port.
	Elsewhere int
	// Apart says why links that end in one cage have a cable each; empty where
	// the question does not arise.
	Apart string
}

// Explain schedules the whole problem and explains the cable of the given number, from 1. It returns nil without an
// error if there is no such cable. Visit and Again of the problem are not called.
func Explain(ctx context.Context, p *Problem, number int64) (*Explanation, error) {
	only := *p
	e := &Explanation{Cable: number}
	var way []Segment
	only.Summary, only.Visit = true, func(s *Schedule, seg *Segment) {
		if !s.Continues(seg) {
			way = way[:0]
		}
		way = append(way, *seg)
		if seg.Product != IsTrace && int64(seg.Cable) == number {
			e.Links = append(e.Links, *seg)
		}
		if len(way) > 1 && s.Panel(seg.B) < 0 &&
			slices.ContainsFunc(way, func(s Segment) bool { return int64(s.Cable) == number }) {
			e.Ways = append(e.Ways, slices.Clone(way))
		}
	}
	only.Again = func() { e.Links, e.Ways = nil, nil }
	w, err := schedule(ctx, &only)
	if err != nil {
		return nil, err
	}
	if len(e.Links) == 0 {
		return nil, nil
	}
	e.Schedule = w.s
	for i := range e.Links {
		e.Need = max(e.Need, e.Links[i].Length)
	}
	w.explain(e)
	return e, nil
}

// explain fills in all but Schedule, Cable, Links, Ways and Need: it chooses the product of the first link of the cable
// once more, and judges every family.
func (w *worker) explain(e *Explanation) {
	seg := &e.Links[0]
	if seg.Product >= 0 {
		e.Product = &w.s.Products[seg.Product]
	}
	if len(e.Ways) > 0 && w.patcher != nil {
		w.explainPatched(e)
		return
	}
	if w.explainShuffle(e) {
		return
	}
	a, b := w.kind(seg.A, nil), w.kind(seg.B, nil)
	ch := channel{
		link: topology.Link{A: seg.A, B: seg.B, Level: int32(seg.Level)}, a: a, b: b, portA: int32(seg.PortA),
		portB: int32(seg.PortB), common: int(seg.Within),
	}
	portA, portB := ch.ports()
	if portA == nil {
		e.Rule = -1
		e.Apart = "a box has fewer ports than links"
		return
	}
	class := linkClass{groupA: portA.Group, groupB: portB.Group, level: seg.Level, within: seg.Within}
	need := e.Need
	var together []Option
	if way, _ := w.s.WayOf(seg); way >= 0 && w.s.Ways[way].detour >= 0 {
		class.barred = w.s.router.trays.barredOn(int32(w.s.Ways[way].Level))
	} else if w.s.router.onTrays(int(seg.Within)) {
		_, class.barred = w.routes(w.between(w.s.end(seg.A, seg.PortA), w.s.end(seg.B, seg.PortB)))
	}
	if w.cages != nil {
		ca, cb := a.cageOf(seg.A, portA), b.cageOf(seg.B, portB)
		near := w.shares(ca, cb, portA.Group, portB.Group)
		if near != noCage && w.cages[near].product != apart {
			n := &w.cages[near]
			class = n.class(portA.Group, near == cb)
			if class.groupB = portB.Group; class.nearB {
				class.groupA, class.groupB = portB.Group, portA.Group
			}
		}
	}
	if class.links == 0 {
		w.fitHeldOptics(&class, &ch, portA, portB)
		e.Apart, together = w.explainSeparate(&ch, portA, portB, need)
	}
	w.options(e, &class, need, together)
}

// options judges every family; together are those that carry all links of a cage, evaluated already, where the links
// have a cable each.
func (w *worker) options(e *Explanation, class *linkClass, need units.Length, together []Option) {
	b := &w.buyer
	rule := b.decides(w.layout, class, w.p.Graph.Levels()[class.level].Name, need)
	switch {
	case len(w.p.Media) == 0:
		e.Rule = 0
	case rule < 0:
		e.Rule = -1
	default:
		e.Rule = rule + 1
	}
	all := b.all(class)
	best := -1
	longest := units.Length(0)
	if rule >= 0 {
		longest = b.rules[rule].Longest
	}
	offers := make([]offer, len(all))
	for i := range all {
		o := Option{Part: all[i].part, OpticA: all[i].opticA, OpticB: all[i].opticB, Shared: all[i].shared}
		of, reaches := b.offerFor(&all[i], need, longest, class)
		if reaches {
			offers[i] = of
			o.setOffer(&of)
		}
		forbidden := w.forbids(&all[i], class, rule)
		switch {
		case forbidden != "":
			o.Verdict, o.Why = Policy, forbidden
		case all[i].shared && int(class.plugs) > all[i].part.Cable.FarPlugs():
			o.Verdict, o.Why = Lanes, all[i].short(need, class)
		case !reaches:
			o.Verdict, o.Why = Reach, all[i].short(need, class)
		case !class.holds(&all[i]):
			o.Verdict, o.Why = Cage, "the links of its cages, and those that these lead to, take "+class.optics()
		default:
			o.Verdict = Price
			if best < 0 || offers[i].compare(&offers[best]) < 0 {
				best = i
			}
		}
		e.Options = append(e.Options, o)
	}
	for i := range e.Options {
		o := &e.Options[i]
		switch {
		case o.Verdict == Cage && best >= 0 && offers[i].compare(&offers[best]) > 0:
			o.Verdict = Price // it would not be taken anyway
			o.Why = offers[i].dearer(&offers[best])
		case o.Verdict != Price:
		case i == best:
			o.Verdict, o.Why = Chosen, "the cheapest that is allowed and long enough"
			if !offers[i].priced {
				o.Why = "nothing that is allowed and long enough has a price"
			}
			if o.Shared {
				o.Why += "; " + w.ratherThanEach(&offers[i], class, rule, need)
			}
		default:
			o.Why = offers[i].dearer(&offers[best])
		}
	}
	if best >= 0 && e.Product != nil && !e.Product.Stock && e.Product.Length != offers[best].length {
		e.Instead = offers[best].length
		bought := b.offerOf(&all[best], e.Product.Length, class)
		e.Options[best].setOffer(&bought)
		e.Options[best].Why += ", in a length that others are bought in"
	}
	w.addStored(e, class)
	e.Options = append(e.Options, together...)
	w.misfits(e, class)
	slices.SortStableFunc(e.Options, func(x, y Option) int {
		order := []Verdict{Store, Chosen, Price, Cage, Reach, Policy, Rate, Lanes, Connector}
		return cmp.Or(cmp.Compare(slices.Index(order, x.Verdict), slices.Index(order, y.Verdict)),
			cmp.Compare(x.Cost, y.Cost))
	})
}

// decides returns the index of the media rule that decides about links of a class that need a length: the first one
// that matches and allows cables so long; -1 if there is none.
func (b *buyer) decides(l *layout.Layout, class *linkClass, level string, need units.Length) int {
	for i := range b.rules {
		m := &b.rules[i]
		if m.matches(l, level, class) && (m.Longest == 0 || need <= m.Longest+1e-9) {
			return i
		}
	}
	return -1
}

// short says why a candidate does not reach.
func (c *candidate) short(need units.Length, class *linkClass) string {
	if c.shared && int(class.plugs) > c.part.Cable.FarPlugs() {
		return fmt.Sprintf("has %d plugs at the far end, and %d cages are there", c.part.Cable.FarPlugs(), class.plugs)
	}
	length, ok := c.part.Stock(need)
	if longest := longestOf(c.part); !ok {
		needed, most := units.FormatDistinct(need, longest)
		return fmt.Sprintf("the longest is %s, and %s is needed, %v more", most, needed, (need - longest).Round4())
	}
	return fmt.Sprintf("comes in %v, and the optics reach %v", length, c.reach)
}

// beforeCounting says of an offer that it was passed over for its cost at other quantities than are bought.
const beforeCounting = "cost more at the quantities at which products were chosen"

// dearer says what speaks for another offer, which is better.
func (o *offer) dearer(p *offer) string {
	switch {
	case !o.priced:
		return "has no price"
	case !o.billPriced:
		return "has no price at the quantity that is bought"
	case !p.billPriced:
		return "has a price at the quantity that is bought, but " + beforeCounting
	case o.money() > p.money():
		return fmt.Sprintf("costs %v more", o.money()-p.money())
	case o.money() < p.money():
		return fmt.Sprintf("costs %v less, but %s", p.money()-o.money(), beforeCounting)
	case inCents(o.cost) > inCents(p.cost):
		return "costs as much, but " + beforeCounting
	}
	return "costs as much; " + o.behind(p)
}

// behind says what puts an offer behind another of the same price.
func (o *offer) behind(p *offer) string {
	switch {
	case o.length != p.length:
		return "is longer"
	case o.part.Cable.Medium != p.part.Cable.Medium:
		return "the other is of a simpler medium"
	case o.shared != p.shared:
		return "the other is one cable for all links"
	}
	return "the other's id comes first"
}

// misfits lists the families with plugs of their own that fit at least one of
// the ports and were not candidates, and counts the others.
func (w *worker) misfits(e *Explanation, class *linkClass) {
	known := map[string]bool{}
	for _, o := range e.Options {
		known[o.Part.ID] = true
	}
	a, z := class.groupA, class.groupB
	parts := w.p.Catalog.Parts()
	for i := range parts {
		p := &parts[i]
		if p.Cable == nil || p.Cable.Medium.Fibre() || known[p.ID] {
			continue
		}
		near, far := p.Cable.Connector, p.Cable.FarConnector()
		links := max(p.Cable.Links, 1)
		switch {
		case near == a.Connector && far == z.Connector || near == z.Connector && far == a.Connector:
			o := Option{Part: p, Shared: links > 1}
			if p.Cable.Rate < min(a.Rate, z.Rate) {
				o.Verdict, o.Why = Rate, fmt.Sprintf("carries %v a link, and the ports run at %v", p.Cable.Rate,
					min(a.Rate, z.Rate))
			} else {
				o.Verdict = Lanes
				o.Why = fmt.Sprintf("its near plug carries %s in %s, and the cages hold %d and %d ports",
					english.Count(links, "link"), english.Count(p.Cable.FarPlugs(), "far plug"), perCage(a), perCage(z))
			}
			e.Options = append(e.Options, o)
		case near == a.Connector || far == z.Connector || near == z.Connector || far == a.Connector:
			e.Options = append(e.Options, Option{
				Part: p, Shared: links > 1, Verdict: Connector,
				Why: fmt.Sprintf("joins %s and %s, not %s and %s", near, far, a.Connector, z.Connector),
			})
		default:
			e.Elsewhere++
		}
	}
}

// PortKind describes port p, from 0, of a box or panel v for messages: "osfp 400G (2 in a cage)"; "no port" if the box
// has fewer.
func (s *Schedule) PortKind(v int32, p uint16) string {
	if i := s.Panel(v); i >= 0 {
		panel := s.Patching.Panels[i].Part
		if c := panel.Panel.Cassette; c != nil && int(p) >= panel.Panel.Ports {
			return fmt.Sprintf("%s plug at the rear of a cassette of %s", c.Rear, panel.ID)
		}
		return fmt.Sprintf("%s adapter of %s", panel.Panel.Connector, panel.ID)
	}
	box := s.Boxes[topology.KindOf(s.Kinds, int(v))]
	if int(p) >= len(box.Ports) {
		return "no port"
	}
	return describePort(box.Ports[p].Group)
}
