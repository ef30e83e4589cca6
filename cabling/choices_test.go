package cabling

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// cableOf is a cable family in some lengths.
func cableOf(id string, medium catalog.Medium, lengths ...units.Length) *catalog.Part {
	return &catalog.Part{ID: id, Cable: &catalog.Cable{Medium: medium, Connector: "c", Lengths: lengths}}
}

// opticOf is a transceiver that takes a plug and reaches so far.
func opticOf(id, plug string, reach units.Length) *catalog.Part {
	return &catalog.Part{ID: id, Optic: &catalog.Optic{Form: "f", Plug: plug, Reach: reach}}
}

// TestCostOfLinks works out by hand what links cost with a cable of 7.00, transceivers of 10.00 for two links at one
// end and of 3.00 for one at the other.
func TestCostOfLinks(t *testing.T) {
	cable, near, far := cableOf("cable", catalog.SingleMode, 1), opticOf("near", "p", 9), opticOf("far", "p", 9)
	near.Optic.Ports = 2
	price := map[*catalog.Part]units.Money{cable: 700, near: 1000, far: 300}
	b := &buyer{quote: func(p *catalog.Part, _ units.Length) catalog.Quote {
		return catalog.Quote{Unit: price[p], Priced: price[p] > 0}
	}}
	for _, c := range []struct {
		shared       bool
		links, plugs uint8
		cost, optics int64
	}{
		{false, 0, 0, 700 + 500 + 300, 500 + 300},
		{false, 2, 2, 2*700 + 1000 + 2*300, 1000 + 2*300},
		{false, 3, 1, 3*700 + 1000 + 300, 1000 + 300},
		{true, 2, 2, 700 + 1000 + 2*300, 1000 + 2*300},
	} {
		class := &linkClass{links: c.links, plugs: c.plugs}
		of := &candidate{part: cable, opticA: near, opticB: far, shared: c.shared}
		cost, priced := b.costOf(of, 1, class)
		optics, opticsPriced := b.opticsOf(of, class)
		if cost != 100*c.cost || optics != 100*c.optics || !priced || !opticsPriced {
			t.Errorf("%+v: %d with optics of %d", c, cost, optics)
		}
	}
	for _, p := range []*catalog.Part{cable, far} {
		was := price[p]
		price[p] = 0
		for _, class := range []*linkClass{{}, {links: 2, plugs: 2}} {
			if _, priced := b.costOf(&candidate{part: cable, opticA: near, opticB: far}, 1, class); priced {
				t.Errorf("priced without a price of %s", p.ID)
			}
		}
		price[p] = was
	}
	for cost, want := range map[int64]units.Money{149: 1, 150: 2, -149: -1} {
		if got := inCents(cost); got != want {
			t.Errorf("%d hundredths of a cent are %d", cost, got)
		}
	}
}

// TestOffersInOrder holds the order of offers, and what is said of each against each, against lists by hand.
func TestOffersInOrder(t *testing.T) {
	of := func(id string, medium catalog.Medium, shared bool, length units.Length, cost int64) offer {
		c := &candidate{part: cableOf(id, medium), shared: shared}
		return offer{
			candidate: c, length: length, cost: 100 * cost, priced: cost > 0, billed: 100 * cost,
			billPriced: cost > 0,
		}
	}
	list := []offer{
		of("e", catalog.ActiveOptical, false, 9, 400),
		of("d", catalog.SingleMode, false, 2, 500),
		of("d", catalog.PassiveCopper, true, 3, 500),
		of("b", catalog.PassiveCopper, false, 3, 500),
		of("c", catalog.PassiveCopper, false, 3, 500),
		of("a", catalog.ActiveCopper, false, 3, 500),
		of("f", catalog.PassiveCopper, false, 1, 0),
		of("f", catalog.PassiveCopper, false, 2, 0),
	}
	for i := range list {
		for j := range list {
			if got := list[i].compare(&list[j]); cmp.Compare(got, 0) != cmp.Compare(i, j) {
				t.Errorf("offer %d against %d: %d", i, j, got)
			}
		}
	}
	for _, c := range []struct {
		worse, better int
		want          string
	}{
		{1, 0, "costs 1.00 more"},
		{2, 1, "costs as much; is longer"},
		{3, 2, "costs as much; the other is one cable for all links"},
		{4, 3, "costs as much; the other's id comes first"},
		{5, 3, "costs as much; the other is of a simpler medium"},
		{6, 5, "has no price"},
	} {
		if got := list[c.worse].dearer(&list[c.better]); got != c.want {
			t.Errorf("offer %d against %d: %q, want %q", c.worse, c.better, got, c.want)
		}
	}
	// the prices of the bill are others than those at which products were chosen
	billed := func(cost, bill int64, priced bool) *offer {
		o := of("a", catalog.SingleMode, false, 1, cost)
		o.billed, o.billPriced = 100*bill, priced
		return &o
	}
	for _, c := range []struct {
		o, p *offer
		want string
	}{
		{billed(5, 0, false), billed(4, 4, true), "has no price at the quantity that is bought"},
		{billed(5, 5, true), billed(4, 0, false), "has a price at the quantity that is bought, but " + beforeCounting},
		{billed(500, 300, true), billed(400, 400, true), "costs 1.00 less, but " + beforeCounting},
		{billed(500, 400, true), billed(400, 400, true), "costs as much, but " + beforeCounting},
		{billed(400, 400, true), billed(400, 400, true), "costs as much; the other's id comes first"},
	} {
		if got := c.o.dearer(c.p); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestEndsOfProducts: the near plug of a cable is at the end whose port or transceiver takes it, and transceivers of a
// class whose near cage is at B change sides.
func TestEndsOfProducts(t *testing.T) {
	unlike := func(fibre bool, plugs int) *catalog.Part {
		p := cableOf("x", catalog.PassiveCopper)
		if fibre {
			p.Cable.Medium = catalog.SingleMode
		}
		p.Cable.Far = &catalog.FarEnd{Connector: "far", Plugs: plugs}
		return p
	}
	c, far := opticOf("c", "c", 1), opticOf("far", "far", 1)
	atC, atFar := &catalog.PortGroup{Connector: "c"}, &catalog.PortGroup{Connector: "far"}
	for i, x := range []struct {
		of    candidate
		class linkClass
		want  Product
	}{
		{candidate{part: cableOf("x", catalog.SingleMode), opticA: c, opticB: far}, linkClass{}, Product{
			OpticA: c,
			OpticB: far,
		}},
		{
			candidate{part: cableOf("x", catalog.SingleMode), opticA: c, opticB: far},
			linkClass{nearB: true},
			Product{OpticA: far, OpticB: c},
		},
		{candidate{part: unlike(false, 2)}, linkClass{nearB: true}, Product{NearB: true}},
		{candidate{part: unlike(false, 2)}, linkClass{}, Product{}},
		{candidate{part: unlike(true, 1), opticA: c, opticB: far}, linkClass{}, Product{OpticA: c, OpticB: far}},
		{candidate{part: unlike(true, 1), opticA: far, opticB: c}, linkClass{}, Product{
			OpticA: far, OpticB: c,
			NearB: true,
		}},
		{candidate{part: unlike(true, 1), opticA: far}, linkClass{}, Product{OpticA: far, NearB: true}},
		{candidate{part: unlike(true, 1), opticB: far}, linkClass{}, Product{OpticB: far}},
		{candidate{part: unlike(true, 1), opticB: c}, linkClass{}, Product{OpticB: c, NearB: true}},
		{candidate{part: unlike(false, 1)}, linkClass{groupA: atC, groupB: atFar}, Product{}},
		{candidate{part: unlike(false, 1)}, linkClass{groupA: atFar, groupB: atC}, Product{NearB: true}},
		{candidate{part: unlike(false, 1)}, linkClass{groupA: atFar, groupB: atC, nearB: true}, Product{}},
	} {
		x.want.Part, x.want.Length = x.of.part, 4
		if got := (&buyer{}).product(&x.of, 4, &x.class); got != x.want {
			t.Errorf("case %d: %+v, want %+v", i, got, x.want)
		}
	}
}

// TestPickOnTrays: the shortest way decides first, and the product that it leads to may need a longer way, or a shorter
// one of its own. Products 0, 1, ... are of the groups of media that are listed.
func TestPickOnTrays(t *testing.T) {
	ladder := func(upTo ...units.Length) *chooser {
		c := &chooser{}
		for i, l := range upTo {
			c.steps = append(c.steps, step{l, int16(i)})
		}
		return c
	}
	ways := func(totals ...units.Length) (out []trayOption) {
		for i, l := range totals {
			o := trayOption{level: int32(i), total: l}
			if l == 0 {
				o.level = -1
			}
			out = append(out, o)
		}
		return out
	}
	for i, c := range []struct {
		c       *chooser
		options []trayOption
		groups  []uint8
		group   int
		product int16
	}{
		{ladder(5, 30), ways(4, 6), []uint8{0, 1}, 0, 0},
		{ladder(5, 30), ways(5, 6), []uint8{0, 1}, 0, 0}, // just long enough
		// copper would need 6 m, so that fibre of 4 m it is
		{ladder(5, 30), ways(6, 4), []uint8{0, 1}, 1, 1},
		{ladder(5, 30), ways(0, 4), []uint8{1, 1}, 1, 0},            // only one way
		{ladder(5, 30), ways(4, 4), []uint8{0, 1}, 0, 0},            // the first of two alike
		{ladder(5, 30), ways(4, 31), []uint8{1, 1}, 1, NoProduct},   // too far for what may lie there
		{ladder(2, 10, 30), ways(2, 12, 5), []uint8{1, 2, 2}, 2, 1}, // 12 m lead to 30 m of a medium that needs 10 m
		{ladder(2, 10, 30), ways(2, 12, 10), []uint8{1, 2, 2}, 2, 1},
		{ladder(2, 10, 30), ways(2, 12, 12), []uint8{1, 2, 2}, 2, 2},
		{ladder(2, 10, 30), ways(2, 12, 5), []uint8{1, 0, 2}, 2, 2}, // what 5 m lead to is of another group
		{nil, ways(7, 6, 0), nil, 1, NoProduct},
		{ladder(5), ways(0, 0), nil, -1, NoProduct},
	} {
		if group, product := pick(c.c, c.options, c.groups); group != c.group || product != c.product {
			t.Errorf("case %d: group %d, product %d; want %d, %d", i, group, product, c.group, c.product)
		}
	}
}

// TestLadders lists by hand the lengths at which a choice may change, and what is said of one that is too short.
func TestLadders(t *testing.T) {
	cut := cableOf("cut", catalog.SingleMode, 2)
	cut.Cable.MadeToMeasure, cut.Cable.Step = 1.3, 0.5
	whole := cableOf("whole", catalog.SingleMode)
	whole.Cable.MadeToMeasure = 3
	for _, c := range []struct {
		of   candidate
		want []units.Length
		most units.Length
	}{
		{candidate{part: cableOf("x", catalog.SingleMode, 1, 4)}, []units.Length{1, 4}, 4},
		{candidate{part: cableOf("x", catalog.SingleMode, 1, 4), reach: 3}, []units.Length{1, 4, 3}, 1},
		{candidate{part: cableOf("x", catalog.SingleMode, 1, 3), reach: 3}, []units.Length{1, 3, 3}, 3},
		{candidate{part: cut}, []units.Length{2, 0.5, 1, 1.3}, 2},
		{candidate{part: whole}, []units.Length{1, 2, 3}, 3},
	} {
		if got := ladder([]candidate{c.of}); !slices.Equal(got, c.want) || c.of.longest() != c.most {
			t.Errorf("%v up to %v, want %v up to %v", got, c.of.longest(), c.want, c.most)
		}
	}
	splitter := cableOf("s", catalog.SingleMode, 4)
	splitter.Cable.Far = &catalog.FarEnd{Plugs: 2}
	for _, c := range []struct {
		of    candidate
		plugs uint8
		need  units.Length
		want  string
	}{
		{candidate{part: splitter, shared: true}, 3, 1, "has 2 plugs at the far end, and 3 cages are there"},
		{candidate{part: splitter, shared: true}, 2, 9.5, "the longest is 4 m, and 9.5 m is needed, 5.5 m more"},
		{candidate{part: splitter}, 3, 9.5, "the longest is 4 m, and 9.5 m is needed, 5.5 m more"},
		{candidate{part: splitter, reach: 3}, 2, 3.5, "comes in 4 m, and the optics reach 3 m"},
	} {
		if got := c.of.short(c.need, &linkClass{plugs: c.plugs}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := longestOf(cut); got != 2 {
		t.Errorf("the longest of %v and %v is %v", cut.Cable.Lengths, cut.Cable.MadeToMeasure, got)
	}
	if got := longestOf(whole); got != 3 {
		t.Errorf("made to measure up to %v", got)
	}
}

// TestShortestInPlaceOf: 2 m, 3 m and 4 m cost more than 5 m, which is bought in their place, and 1 m less than any.
func TestShortestInPlaceOf(t *testing.T) {
	prices := map[units.Length]units.Money{1: 1, 2: 9, 3: 8, 4: 7, 5: 3, 6: 2}
	part := cableOf("x", catalog.SingleMode, 1, 2, 3, 4, 5, 6)
	b := &buyer{
		quote: func(_ *catalog.Part, l units.Length) catalog.Quote {
			return catalog.Quote{Unit: prices[l], Priced: true}
		},
		excess: &Excess{Share: 0.5, Length: 2},
	}
	// from 2 m up to 5 m, from 3 m up to 6.5 m, from 4 m up to 8 m
	for length, want := range map[units.Length]units.Length{1: 1, 2: 2, 3: 3, 4: 4, 5: 2, 6: 3} {
		if got := b.shortest(part, length); got != want {
			t.Errorf("%v is bought in place of %v, want %v", length, got, want)
		}
	}
	if b.excess.most(2) != 5 || (*Excess)(nil).most(2) != 0 {
		t.Errorf("2 m up to %v, and up to %v without a bound", b.excess.most(2), (*Excess)(nil).most(2))
	}
}

// TestBudgets holds what fibre loses and how far it leads against what transceivers allow, at the limits too.
func TestBudgets(t *testing.T) {
	optic := func(loss units.Loss) *catalog.Part { return &catalog.Part{Optic: &catalog.Optic{Loss: loss}} }
	for _, c := range []struct{ a, b, want units.Loss }{{2, 3, 2}, {3, 2, 2}, {0, 2, 0}, {2, 0, 0}} {
		if got := lossBudget(optic(c.a), optic(c.b)); got != c.want {
			t.Errorf("%v and %v: %v", c.a, c.b, got)
		}
	}
	var g glass
	g.stated = true
	for _, l := range []units.Length{3, 10} {
		p := Product{Part: cableOf("x", catalog.SingleMode), Length: l}
		p.Part.Cable.Attenuation = 0.5
		g.add(&p)
	}
	if (g.length-13).Abs() > 1e-9 || g.loss != units.Attenuation(0.5).Over(3)+units.Attenuation(0.5).Over(10) ||
		!g.stated {
		t.Errorf("%+v", g)
	}
	for _, c := range []struct {
		o                 patchOption
		reaches, affords  bool
		loss              units.Loss
		unstated, already bool
	}{
		{patchOption{}, true, true, g.loss, true, false},
		{patchOption{reach: 13, budget: g.loss}, true, true, g.loss, false, false},
		{patchOption{reach: 12.9, budget: g.loss * 0.9}, false, false, g.loss, false, false},
		{patchOption{reach: 13.1, budget: g.loss * 1.1}, true, true, g.loss, true, true},
	} {
		p := Patching{Unstated: c.already}
		if p.note(&g, &c.o); p.Loss != c.loss || p.Unstated != c.unstated {
			t.Errorf("%+v: %+v", c.o, p)
		}
		if c.o.reaches(&g) != c.reaches || c.o.affords(&g) != c.affords {
			t.Errorf("%+v reaches %v, affords %v", c.o, c.o.reaches(&g), c.o.affords(&g))
		}
	}
	more := Patching{Loss: 2 * g.loss}
	if more.note(&g, &patchOption{}); more.Loss != 2*g.loss {
		t.Errorf("the most that is lost becomes %v", more.Loss)
	}
}

// TestPositionsOfTrunks: links take the positions of one trunk after the other, of which a share stays free.
func TestPositionsOfTrunks(t *testing.T) {
	for _, c := range []struct {
		legs  int
		spare float64
		want  int32
	}{{12, 0, 12}, {12, 20, 10}, {12, 30, 9}, {8, 100, 4}, {2, 300, 1}} {
		k := &patcher{rules: &Structured{Spare: c.spare}, panel: &catalog.Part{Panel: &catalog.Panel{}}}
		if got := k.fill(&catalog.Part{Cable: &catalog.Cable{Legs: c.legs}}); got != c.want {
			t.Errorf("%d of %d positions with %v %% spare, want %d", got, c.legs, c.spare, c.want)
		}
	}
	p := &patchPair{first: 5, fill: 3}
	for i := range int32(8) {
		if trunk, leg := p.nextPosition(); trunk != 5+i/3 || leg != uint16(i%3) {
			t.Errorf("link %d is at position %d of trunk %d", i, leg, trunk)
		}
	}
}

// TestPlugPower adds up by hand the hungriest parts of each port that rules allow.
func TestPlugPower(t *testing.T) {
	g := newGraph(t, topology.HyperX{Dims: topology.Ints{2}, Terminals: 2})
	parts, _, err := catalog.Parse([]byte(`parts:
  - {id: b, kind: node, units: 1, width: 0.4, depth: 0.6, source: x, confidence: user, ports: [
      {count: 1, connector: c, rate: 1G}, {count: 1, connector: f, rate: 1G, first: 2},
      {count: 1, connector: z, rate: 1G, first: 3}]}
  - {id: o1, kind: optic, power: 3 W, source: x, confidence: user,
      optic: {form: f, standard: s, fibre: single-mode, plug: lc, rate: 1G, reach: 9 m, end: 1}}
  - {id: o2, kind: optic, power: 7 W, source: x, confidence: user,
      optic: {form: f, standard: s, fibre: single-mode, plug: lc, rate: 1G, reach: 9 m, end: 1}}
  - {id: o3, kind: optic, power: 5 W, source: x, confidence: user,
      optic: {form: f, standard: s, fibre: single-mode, plug: lc, rate: 1G, reach: 9 m, end: 1}}
  - {id: straight, kind: cable, power: 2 W, source: x, confidence: user,
      cable: {medium: passive-copper, connector: c, rate: 1G, lengths: [1], propagation: 5}}
  - {id: unlike, kind: cable, power: 4 W, source: x, confidence: user,
      cable: {medium: active-copper, connector: z, rate: 1G, lengths: [1], propagation: 5,
        far: {connector: c, power: 9 W}}}
`), "parts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Default().With(parts)
	if err != nil {
		t.Fatal(err)
	}
	box := func(groups ...catalog.PortGroup) *Box {
		return NewBox(&catalog.Part{ID: "b", Units: 1, Width: 0.4, Depth: 0.6, Ports: groups})
	}
	p := &Problem{Graph: g, Catalog: c, Boxes: []*Box{
		box(catalog.PortGroup{Count: 2, Connector: "f"}, catalog.PortGroup{Count: 1, Connector: "z"}),
		box(catalog.PortGroup{Count: 9, Connector: "c"}),
	}}
	// a node has one link, a switch three: two at cages with a transceiver of 7 W, one at the near end of a cable
	for _, c := range []struct {
		media []catalog.Medium
		want  []units.Power
	}{
		{nil, []units.Power{7 + 7 + 9, 9}},
		{[]catalog.Medium{catalog.PassiveCopper, catalog.SingleMode}, []units.Power{7 + 7, 2}},
	} {
		p.Media = nil
		if c.media != nil {
			p.Media = []MediaRule{{Media: c.media}}
		}
		if got := PlugPower(p); !slices.Equal(got, c.want) {
			t.Errorf("%v with %v, want %v", got, c.media, c.want)
		}
	}
}

// TestPlugsInOrder plugs links into ports by name, and says which names are wrong.
func TestPlugsInOrder(t *testing.T) {
	part := &catalog.Part{ID: "b", Units: 1, Width: 0.4, Depth: 0.6, Ports: []catalog.PortGroup{
		{Count: 3, Label: "net#", Rate: 4, Interface: []string{"eth#"}, InterfaceSplit: "eth#s{lane}"}, {
			Count: 2,
			Label: "bmc#", Rate: 1, ByName: true,
		},
	}}
	b := NewWholeBox(part)
	var faults []string
	b.Plug([]string{"bmc2", "net3", "ner1", "net3", "net1"}, func(i int, _ string, args ...any) {
		faults = append(faults, strings.Repeat("-", i)+" "+args[len(args)-1].(string))
	})
	if want := []string{"-- did you mean net1?", "--- net3"}; len(faults) != 2 || !strings.Contains(faults[0],
		"net1") ||
		!strings.HasPrefix(faults[0], "-- ") || faults[1] != want[1] {
		t.Errorf("%q", faults)
	}
	whole := NewWholeBox(part)
	for i, n := range []int{5, 3, 1} {
		if b.Ports[i].Number != n || b.PortNumber(i) != n || b.Box.Port(i) != whole.Box.Port(n-1) {
			t.Errorf("port %d has the number %d, want %d", i, b.Ports[i].Number, n)
		}
	}
	for i, want := range []units.Rate{0, 1, 4, 4, 0} {
		if got := b.PortRate(i - 1); got != want {
			t.Errorf("port %d runs at %v, want %v", i-1, got, want)
		}
	}
	if got := b.PortNumber(3); got != 4 {
		t.Errorf("the first port that there is not has the number %d", got)
	}
	var spare []string
	for _, p := range b.Spare() {
		spare = append(spare, p.Name)
	}
	if want := []string{"net2", "bmc1"}; !slices.Equal(spare, want) {
		t.Errorf("spare ports %v, want %v", spare, want)
	}
	if missing := b.ShowPorts(catalog.NamedByInterface); missing != "bmc2" {
		t.Errorf("%q has no interface", missing)
	}
	nodes := NewBox(part)
	nodes.BreakOut([]int{2, 0, 2})
	if missing := nodes.ShowPorts(catalog.NamedByInterface); missing != "" || nodes.Ports[2].Name != "eth2" ||
		nodes.Ports[4].Name != "eth3s2" ||
		nodes.Ports[2].Whole != "" || nodes.Ports[0].Whole != "eth1" || nodes.Ports[4].Whole != "eth3" {
		t.Errorf("%q; %+v", missing, nodes.Ports)
	}
}

// TestStepsInStore: a need that is a length in stock, but for rounding, is of the step below it, and in whole
// centimetres it is rounded up.
func TestStepsInStore(t *testing.T) {
	steps := []units.Length{2, 3, 5}
	for need, want := range map[units.Length]int{1: 0, 2: 0, 2 + 1e-10: 0, 2.001: 1, 3: 1, 4: 2, 5: 2, 5.1: 3} {
		if got := stockRung(steps, need); got != want {
			t.Errorf("%v is on step %d, want %d", need, got, want)
		}
	}
	for need, want := range map[units.Length]int64{1: 100, 1.0001: 101, 1.00999: 101, 0.29: 29} {
		if got := centimetres(need); got != want {
			t.Errorf("%v are %d cm, want %d", need, got, want)
		}
	}
}

// TestPartsAddUp: every part counts once, and all but slack, loops and rounding are of the route.
func TestPartsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := func() units.Length { return units.Length(rapid.IntRange(0, 99_999).Draw(t, "length")) / 1e4 }
		p := Parts{
			Rise: l(), Run: l(), Drop: l(), Beyond: l(), Manager: l(), Crossing: l(), Slack: l(), Loop: l(),
			Rounding: l(),
		}
		var parts units.Length
		for _, part := range p.List() {
			parts += part
		}
		route := p.Rise + p.Drop + p.Run + p.Beyond + p.Manager + p.Crossing
		total := route + p.Slack + p.Loop + p.Rounding
		if (p.Total()-total).Abs() > 1e-9 || (p.route()-route).Abs() > 1e-9 || (parts-total).Abs() > 1e-9 {
			t.Fatalf("%+v: %v, of which %v are the route; the parts are %v", p, p.Total(), p.route(), parts)
		}
		// what a router adds up without the parts is the same, regardless of what it may leave out
		s := Slack{Fixed: l(), InRack: l(), Loop: l()}
		if rapid.Bool().Draw(t, "in proportion") {
			s.Percent = 10
		}
		r := router{slack: s, fixed: s.Fixed, loops: 2 * s.Loop, inside: s.InRack}
		sp := span{manager: p.Manager, crossing: p.Crossing, beyond: p.Beyond}
		sp.rise[1], sp.drop[1] = p.Rise, p.Drop
		want := float64(route)*(1+s.Percent/100) + float64(s.Fixed+2*s.Loop)
		if got := r.total(&sp, 1, p.Run); (got - units.Length(want)).Abs() > 1e-4 {
			t.Fatalf("%v, want %v", got, want)
		}
		bare := Parts{Run: p.Run, Manager: p.Manager, Beyond: p.Beyond}
		for _, inRack := range []bool{false, true} {
			r.racks = 1
			a, b, parts := 0, 0, bare
			if inRack {
				a, b = 1, 1
			}
			r.mode = Direct
			parts.Manager = 0
			s.Extend(&parts, inRack)
			from := pointAt(p.Run)
			if got := r.bare(from, pointAt(0), 0, max(a, b), p.Beyond); (got - parts.Total()).Abs() > 1e-9 {
				t.Fatalf("%v off the trays, want %v", got, parts.Total())
			}
		}
	})
}

// pointAt is a point on the x axis.
func pointAt(x units.Length) layout.Point { return layout.Point{X: x} }

// sharedParts are a splitter of copper, two of fibre and the transceivers at their ends: of four lanes for a cage of
// two ports, and of two for a port.
const sharedParts = `parts:
  - {id: b, kind: node, units: 1, width: 0.4, depth: 0.6, source: x, confidence: user, ports: [
      {count: 2, connector: big, rate: 100G, per_cage: 2}, {count: 1, connector: small, rate: 100G, first: 3}]}
  - {id: split-copper, kind: cable, source: x, confidence: user,
      cable: {medium: passive-copper, connector: big, rate: 100G, links: 2, lengths: [2], propagation: 5,
        far: {connector: small, plugs: 2}}}
  - {id: split-fibre, kind: cable, source: x, confidence: user,
      cable: {medium: single-mode, connector: lc, links: 2, lengths: [3, 9], propagation: 5,
        far: {connector: lc, plugs: 2}}}
  - {id: near, kind: optic, source: x, confidence: user,
      optic: {form: big, standard: dr4, fibre: single-mode, plug: lc, rate: 200G, reach: 8 m, end: 1}}
  - {id: far, kind: optic, source: x, confidence: user,
      optic: {form: small, standard: dr2, fibre: single-mode, plug: lc, rate: 100G, reach: 5 m, end: 1}}
  - {id: far-wide, kind: optic, source: x, confidence: user,
      optic: {form: small, standard: dr4, fibre: single-mode, plug: lc, rate: 100G, reach: 5 m, end: 1}}
  - {id: slow, kind: cable, source: x, confidence: user,
      cable: {medium: passive-copper, connector: small, rate: 100G, lengths: [4], propagation: 5}}
`

// TestSplittersByHand lists the cables between a cage of two ports and two others, and what a link costs at least: half
// of a splitter of 8.00, of 10.00 for the one transceiver and of 3.00 for each of two.
func TestSplittersByHand(t *testing.T) {
	parts, _, err := catalog.Parse([]byte(sharedParts), "parts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Default().With(parts)
	if err != nil {
		t.Fatal(err)
	}
	price := map[string]units.Money{"split-fibre": 800, "near": 1000, "far": 300, "split-copper": 9900}
	quote := func(p *catalog.Part, _ units.Length) catalog.Quote {
		return catalog.Quote{Unit: price[p.ID], Priced: price[p.ID] > 0}
	}
	b := &buyer{catalog: c, quote: quote}
	big, small := &c.Part("b").Ports[0], &c.Part("b").Ports[1]
	var got []string
	for _, of := range b.sharedFamilies(big, small) {
		text := fmt.Sprintf("%s %v %v", of.part.ID, of.reach, of.shared)
		if of.opticA != nil {
			text += " " + of.opticA.ID + " " + of.opticB.ID
		}
		got = append(got, text)
	}
	if want := []string{"split-copper 0 m true", "split-fibre 5 m true near far"}; !slices.Equal(got, want) ||
		b.sharedFamilies(small, big) != nil {
		t.Errorf("%q, want %q", got, want)
	}
	for _, x := range []struct{ cable, near, far, want units.Length }{{0, 8, 5, 5}, {0, 4, 5, 4}, {3, 8, 5, 3}, {
		6, 8,
		5, 5,
	}} {
		if got := splitterReach(&catalog.Cable{Reach: x.cable}, x.near, x.far); got != x.want {
			t.Errorf("%+v reach %v", x, got)
		}
	}
	s := NewSelector(c, quote, nil, nil, nil)
	for _, ends := range [][2]*catalog.PortGroup{{big, small}, {small, big}} {
		if got := s.Least(ends[0], ends[1]); got != (800+1000+2*300)/2 || s.MostLinks(ends[0], ends[1]) != 2 {
			t.Errorf("a link costs at least %v, and a piece carries %d", got, s.MostLinks(ends[0], ends[1]))
		}
	}
	// a port of twice the rate takes a cable of the lesser one, and so does the other end
	fast := *small
	fast.Rate = 2 * small.Rate
	for _, ends := range [][2]*catalog.PortGroup{{small, &fast}, {&fast, small}} {
		if list := b.candidates(ends[0], ends[1]); len(list) != 1 || list[0].part.ID != "slow" {
			t.Errorf("%d candidates between ports of %v and %v", len(list), ends[0].Rate, ends[1].Rate)
		}
	}
	// what such a product was chosen as, and how it is explained when it comes from the store
	p := &Product{Part: c.Part("split-fibre"), Length: 3, OpticA: c.Part("near"), OpticB: c.Part("far"), Stock: true}
	for links, want := range map[uint8]bool{0: false, 2: true} {
		class := &linkClass{groupA: big, groupB: small, links: links, plugs: links}
		if of := p.candidate(class); of.shared != want || of.reach != 5 {
			t.Errorf("%d links: %+v", links, of)
		}
		e := &Explanation{Product: p}
		(&worker{buyer: *b}).addStored(e, class)
		if o := e.Options[0]; o.Shared != want || o.Cost != 1000+300*units.Money(max(links, 1)) || !o.Priced ||
			o.Verdict != Store {
			t.Errorf("%d links: %+v", links, o)
		}
	}
}

// TestLacksAddUp: lacks of one product, level and reason are one, and what panels lack is taken from spare pieces.
func TestLacksAddUp(t *testing.T) {
	part := cableOf("x", catalog.SingleMode, 1, 2)
	part.Kind = catalog.KindCable
	class := func(length, shortest, longest units.Length) *stockClass {
		k := &stockClass{shortest: shortest, longest: longest}
		k.key.product = Product{Part: part, Length: length}
		return k
	}
	a := &allotment{spare: map[catalog.Item]int64{part.Item(2): 5, part.Item(1): 9}}
	a.lack(class(2, 1.5, 1.8), 3, Patched)
	a.lack(class(2, 1.2, 1.6), 1, Patched)
	a.lack(class(2, 1.4, 1.9), 2, Short)
	a.lack(class(1, 0.5, 0.6), 4, Patched)
	other := class(2, 1.1, 1.1)
	other.key.class.level = 1
	a.lack(other, 4, Patched)
	a.lack(&stockClass{}, 9, Short) // nothing on sale makes them
	a.settle()
	want := []Lack{
		{part.Item(2), 0, 2, 1.4, 1.9, Short}, // those over panels find four of five pieces
		{part.Item(2), 1, 3, 1.1, 1.1, Patched},
	}
	if !slices.Equal(a.lacks, want) || a.spare[part.Item(2)] != 5 {
		t.Errorf("%+v, want %+v", a.lacks, want)
	}
}

// TestLanesOfPlugs: four lanes of twelve fibres are sent by the first and received by the last; eight take sixteen.
func TestLanesOfPlugs(t *testing.T) {
	for plug, want := range map[string]int{
		"mpo12-apc": 12, "mpo16": 16, "mmc16-x": 16, "lc": 0, "mpo": 0,
		"xmpo12": 0, "12": 0,
	} {
		if got := catalog.Positions(plug); got != want {
			t.Errorf("%s has %d fibres, want %d", plug, got, want)
		}
	}
	for _, c := range []struct {
		standard, plug string
		strands        int
	}{
		{"dr4", "mpo12", 8},
		{"dr8", "mpo12", 0},
		{"dr8", "mpo16", 16},
		{"dr6", "mpo12", 12},
		{"fr4", "mpo12", 0},
		{"dr4", "lc", 0},
	} {
		optic := opticOf("o", c.plug, 9)
		optic.Optic.Standard = c.standard
		box := NewBox(&catalog.Part{ID: "b", Units: 1, Width: 0.4, Depth: 0.6, Ports: []catalog.PortGroup{{Count: 1}}})
		s := &Schedule{
			Kinds: []topology.Kind{{Count: 2}}, Boxes: []*Box{box},
			Products: []Product{{Part: cableOf("x", catalog.SingleMode), OpticA: optic, OpticB: optic}},
		}
		s.Products[0].Part.Cable.Connector = c.plug
		way := []Segment{{B: 1}}
		if got := s.Strands(way); len(got) != c.strands {
			t.Errorf("%s in %s: %d strands, want %d", c.standard, c.plug, len(got), c.strands)
		}
		shares := 1
		if c.standard == "fr4" {
			shares = 0
		}
		if part, of := s.LaneShare(&way[0]); part != 0 || of != shares {
			t.Errorf("%s in %s: share %d of %d", c.standard, c.plug, part, of)
		}
		way[0].Product = NoProduct
		if s.Strands(way) != nil {
			t.Error("strands without a cable")
		}
		if part, of := s.LaneShare(&way[0]); part != 0 || of != 0 {
			t.Errorf("share %d of %d without a cable", part, of)
		}
		way[0].Product, s.Products[0].OpticA = 0, nil
		if _, of := s.LaneShare(&way[0]); of != 0 || s.Strands(way) != nil {
			t.Errorf("a share of %d without a transceiver", of)
		}
	}
}

// TestPolarityOfLinks: by method A only the last cord is reversed, by method B all are, by method C only the last is
// not of type C; a cable alone is reversed.
func TestPolarityOfLinks(t *testing.T) {
	part := cableOf("x", catalog.SingleMode)
	part.Cable.Connector = "mpo12"
	for method, want := range map[Polarity][]Polarity{
		Straight: {Straight, Straight, Reversed, Reversed}, Reversed: {Reversed, Reversed, Reversed, Reversed},
		Flipped: {Flipped, Flipped, Reversed, Reversed},
	} {
		panel := &catalog.Part{Panel: &catalog.Panel{Connector: "mpo12"}}
		s := &Schedule{
			Patching: &Patching{Part: panel, Trunks: make([]Trunk, 1), first: 10, Method: method},
			Products: []Product{{Part: part}},
		}
		for i, seg := range []Segment{{A: 0, B: 10}, {A: 10, B: 11}, {A: 11, B: 1}, {A: 0, B: 1}} {
			if got := s.Polarity(&seg); got != want[i] {
				t.Errorf("method %s, segment %d: %s, want %s", method, i, got, want[i])
			}
		}
	}
}

// TestAllPorts lists every port once: those of a port that is broken out as its parts, whether links may be in them or
// not, a port that is listed twice once, and those that are used only by name.
func TestAllPorts(t *testing.T) {
	part := &catalog.Part{ID: "b", Units: 1, Width: 0.4, Depth: 0.6, Ports: []catalog.PortGroup{
		{Count: 1, Label: "bmc#", Rate: 1, ByName: true}, {Count: 3, Label: "net#", Split: "net#s{lane}", Rate: 4},
	}}
	for _, c := range []struct {
		box  func(*catalog.Part) *Box
		into []int
		take []int
		all  string
		own  []int
	}{
		{NewBox, nil, nil, "net1 net2 net3 bmc1", []int{0, 1, 2}},
		{NewBox, []int{2, 0, 2}, nil, "net1s1 net1s2 net2 net3s1 net3s2 bmc1", []int{0, 1, 2, 3, 4}},
		{NewBox, []int{2, 0, 2}, []int{4, 2, 4}, "net3s2 net2 bmc1 net1s1 net1s2 net3s1", []int{0, 1, 0}},
		{NewWholeBox, []int{0, 2, 0, 2}, []int{0, 1}, "bmc1 net1s1 net1s2 net2 net3s1 net3s2", []int{0, 1}},
	} {
		b := c.box(part)
		if c.into != nil {
			b.BreakOut(c.into)
		}
		if c.take != nil {
			b.Take(c.take)
		}
		all, own := b.AllPorts()
		var names []string
		for _, p := range all {
			names = append(names, p.Name)
		}
		if got := strings.Join(names, " "); got != c.all || !slices.Equal(own, c.own) || b.PortTotal() != len(all) {
			t.Errorf("%v %v: ports %s, %v, %d in all; want %s, %v", c.into, c.take, got, own, b.PortTotal(), c.all,
				c.own)
		}
	}
}
