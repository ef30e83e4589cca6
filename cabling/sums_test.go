package cabling

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// TestSums adds up by hand what bundles, gaps and bids count.
func TestSums(t *testing.T) {
	b := Bundle{Shortest: 99}
	b.add(3, &strand{bought: 4, area: 10, weight: 20, mass: 30, copper: 1, thick: 0.009}, 1.5)
	b.add(2, &strand{bought: 5, area: 1, weight: 2, mass: 3, bare: 1}, 0.25)
	b.add(7, nil, 2)
	if want := (Bundle{
		Cables: 2, Copper: 1, Bare: 1, Longest: 7, Shortest: 2, Bought: 9, tied: 3, area: 11, weight: 22, mass: 33,
		thick: 0.009, heights: 3.75,
	}); b != want {
		t.Errorf("%+v, want %+v", b, want)
	}
	// two circles of 10 mm beside a cable of unknown diameter: 20 mm
	area := cableArea(&catalog.Part{Cable: &catalog.Cable{Diameter: 0.01}})
	if got := (&Bundle{Cables: 3, Bare: 1, area: 2 * area}).Diameter(); (got - 0.02).Abs() > 1e-9 {
		t.Errorf("two cables of 10 mm are %v thick", got)
	}
	l := GapLoad{Cables: 1, Copper: 2, Bare: 3, area: 4}
	l.add(&GapLoad{Cables: 10, Copper: 20, Bare: 30, area: 40}, 1)
	if want := (GapLoad{Cables: 11, Copper: 22, Bare: 33, area: 44}); l != want {
		t.Errorf("%+v, want %+v", l, want)
	}
	l.add(&GapLoad{Cables: 1, Copper: 1, Bare: 1, area: 1}, -1)
	if want := (GapLoad{Cables: 10, Copper: 21, Bare: 32, area: 43}); l != want {
		t.Errorf("%+v, want %+v", l, want)
	}
	x := bid{1, 2, 3}
	if x.add(bid{10, 20, 30}); x != (bid{11, 22, 33}) {
		t.Errorf("%+v", x)
	}
	order := []bid{{0, 0, 5}, {0, 1, 0}, {0, 1, 4}, {1, 0, 0}, {1, 0, 1}}
	for i := range order {
		for j := range order {
			if got := order[i].compare(order[j]); got != cmp.Compare(i, j) {
				t.Errorf("%+v against %+v: %d", order[i], order[j], got)
			}
		}
	}
	for text, fine := range map[units.Power]string{
		200.0333333: "200.03 W including optics", 200.25: "200.2 W including optics",
	} {
		var v Violations
		if v.CheckLoad("A01", text, 200, 0, 0); !strings.HasPrefix(v.List()[0].Message, fine) {
			t.Errorf("%v: %s, want %s", text, v.List()[0].Message, fine)
		}
	}
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"a*bb*c", "abbc", true},
		{"a*bb*c", "axbbxc", true},
		{"a*bb*c", "abc", false},
		{"a*bb*bc", "abbc", false},
		{"a*bb*", "xabb", false},
		{"*ab*ab*", "abxab", true},
		{"*ab*ab*", "abxb", false},
		{"ab", "abc", false},
		{"*", "", true},
	} {
		if got := matches(c.pattern, c.text); got != c.want {
			t.Errorf("%s matches %s: %v", c.pattern, c.text, got)
		}
	}
}

// TestMoneyOfLinks adds up by hand a cable, its labour, and that of fibre on top; traces take none.
func TestMoneyOfLinks(t *testing.T) {
	g := &Goal{opt: GoalOptions{Install: []units.Money{9900, 500}, Terminate: 1100}}
	fibre, copper := &Product{Part: cableOf("f", catalog.SingleMode)}, &Product{Part: cableOf("c",
		catalog.ActiveCopper)}
	for want, m := range map[units.Price]Measured{
		7 + 5 + 11: {Cost: 7, Within: 1, Product: fibre},
		7 + 99 + 0: {Cost: 7, Product: copper},
		7 + 5 + 0:  {Cost: 7, Within: 1},
		0:          {Within: 1, Trace: true},
	} {
		if got := g.money(&m); got != want {
			t.Errorf("%+v: %v, want %v", m, got, want)
		}
	}
}

// TestPitchesOfFit: the pitch of a level that is left out is the size of its cells and the gap, a whole tenth of a
// millimetre where that differs by rounding only, and exact where not.
func TestPitchesOfFit(t *testing.T) {
	for _, c := range []struct{ size, gap, want units.Length }{
		{0.1, 0.2, 0.3}, {0.1, 0.20003, 0.1 + 0.20003}, {0.7, 0.1, 0.8},
	} {
		tree, err := layout.NewTree([]layout.TreeLevel{
			{Name: "outer", Count: [3]int{2, 1, 1}, Gap: 0.5},
			{Name: "inner", Count: [3]int{1, 1, 1}, Pitch: [3]units.Length{c.size, c.size, c.size}},
		})
		if err != nil {
			t.Fatal(err)
		}
		g := newGaps(tree, nil)
		size := tree.Size(1)[0]
		levels := slices.Clone(tree.Levels)
		levels[0].Gap, levels[0].Pitch = c.want-size, [3]units.Length{}
		exact := size + levels[0].Gap
		got := g.Fit(levels, make([][3]bool, 2), false)[0].Pitch[0]
		if tenths := exact.Round4(); (exact - tenths).Abs() < 1e-9 {
			exact = tenths
		}
		if got != exact {
			t.Errorf("%v and %v: a pitch of %v, want %v", size, levels[0].Gap, float64(got), float64(exact))
		}
		levels[0].Gap = 0.5
		if got := g.Fit(levels, [][3]bool{{true, true, true}, {}}, true)[0].Pitch[0]; got != (size + 0.5).Round4() {
			t.Errorf("a gap of 0.5 m that may grow leads to a pitch of %v", got)
		}
	}
}

// TestRoomOfBundles works out again what every bundle knows of its cables: how many there are, how high their ports are
// over the floors, and how much longer the one with the least room may become.
func TestRoomOfBundles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, err := topology.New(topology.HyperX{Dims: topology.Ints{4}, Widths: topology.Ints{3}, Terminals: 3})
		if err != nil {
			t.Fatal(err)
		}
		p, err := machineOf(g, switchParts, func(e *embed.Problem) {
			e.Kinds[0].PerRack, e.Kinds[1].PerRack = 1, rapid.IntRange(1, 5).Draw(t, "nodes of a rack")
		})
		if err != nil {
			t.Fatal(err)
		}
		p.Slack.Percent, p.Slack.Crossing = 4, units.Length(rapid.SampledFrom([]float64{0, 0.3}).Draw(t, "crossing"))
		p.Bundle = rapid.IntRange(1, 9).Draw(t, "bundle")
		p.Media = []MediaRule{{Media: []catalog.Medium{catalog.ActiveOptical}}}
		longest := units.Length(0)
		over := rapid.Bool().Draw(t, "over panels")
		if over {
			p.Media = []MediaRule{{Media: []catalog.Medium{catalog.SingleMode}}}
			p.Structured = &Structured{Beyond: "rack", AtLeast: 1}
		}
		w, err := schedule(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		s := w.s
		spare := make([]float64, len(s.Bundles))
		heights, tied := make([]float64, len(s.Bundles)), make([]int32, len(s.Bundles))
		for i := range spare {
			spare[i] = math.MaxFloat32
		}
		counted := map[int32]bool{}
		for i := range s.Segments {
			seg := &s.Segments[i]
			if seg.Bundle == 0 || counted[seg.Cable] {
				continue
			}
			counted[seg.Cable] = true
			if p := s.Products[seg.Product].Part; over {
				longest = slices.Max(ladder([]candidate{{part: p}}))
			} else {
				at := w.kind(seg.A, nil).box.Ports[seg.PortA].Group
				for _, c := range w.buyer.candidates(at, w.kind(seg.B, nil).box.Ports[seg.PortB].Group) {
					if c.part.Cable.Medium == catalog.ActiveOptical {
						longest = max(longest, c.longest())
					}
				}
			}
			n := seg.Bundle - 1
			tied[n]++
			for _, e := range []end{s.end(seg.A, seg.PortA), s.end(seg.B, seg.PortB)} {
				at := s.Placement.Layout.At(e.slot, e.port)
				heights[n] += float64(at.Z - s.Trays.Network.Floor(s.router.rack(e.slot)))
			}
			spare[n] = min(spare[n], float64(longest-seg.Length)/1.04)
		}
		for i := range s.Bundles {
			b := &s.Bundles[i]
			if b.tied != tied[i] || math.Abs(float64(b.heights)-heights[i]) > 1e-4 ||
				math.Abs(float64(b.spare)-spare[i]) > 1e-3 {
				t.Fatalf("bundle %d: %d cables, %v m high, may grow by %v m; by hand %d, %v, %v", i+1, b.tied,
					b.heights, b.spare,
					tied[i], heights[i], spare[i])
			}
		}
	})
}

// TestPluggedElsewhere: a channel is plugged in where its number says, with the cable that lies there.
func TestPluggedElsewhere(t *testing.T) {
	laid := []Laid{{Length: 3}, {Length: 4}}
	p := &Plugs{Cables: laid}
	for i := range uint16(12) {
		p.A, p.B, p.Cable = append(p.A, 100+i), append(p.B, 200+i), append(p.Cable, int32(i%3)-1)
	}
	w := &worker{p: &Problem{Plugs: p}}
	c := &channel{first: 5, link: topology.Link{PortA: 1, PortB: 2}}
	for n := range int32(4) {
		w.plug(c, n)
		var want *Laid
		if i := (5+n)%3 - 1; i >= 0 {
			want = &laid[i]
		}
		if c.portA != 105+n || c.portB != 205+n || c.laid != want {
			t.Errorf("channel %d of a link: ports %d and %d, %v", n, c.portA, c.portB, c.laid)
		}
	}
}

// TestChannelOfSegment: what is explained about a segment is of the channel that is plugged in there, also where ports
// are other ones than those of the topology.
func TestChannelOfSegment(t *testing.T) {
	p, err := machineOf(newGraph(t, topology.HyperX{Dims: topology.Ints{3}, Terminals: 2}), switchParts, nil)
	if err != nil {
		t.Fatal(err)
	}
	last, kinds := uint16(3), p.Graph.Kinds() // ports of a switch, from 0
	moved := func(v, port int32) uint16 {
		if kinds[topology.KindOf(kinds, int(v))].Role == topology.Switch {
			return last - uint16(port)
		}
		return uint16(port)
	}
	p.Plugs = &Plugs{}
	for l := range topology.Cables(p.Graph) {
		for n := range l.Width {
			p.Plugs.A = append(p.Plugs.A, moved(l.A, l.PortA+n))
			p.Plugs.B = append(p.Plugs.B, moved(l.B, l.PortB+n))
			p.Plugs.Cable = append(p.Plugs.Cable, -1)
		}
	}
	var all []Segment
	p.Visit = func(_ *Schedule, seg *Segment) { all = append(all, *seg) }
	w, err := schedule(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		seg := &all[i]
		c := w.channelOf(seg)
		if c.link.A != seg.A || c.link.B != seg.B || c.portA != int32(seg.PortA) || c.portB != int32(seg.PortB) {
			t.Errorf("segment %+v: of the channel from port %d to port %d", seg, c.portA, c.portB)
		}
	}
}

// TestPatchedLinks checks a link over panels as if its boxes were joined by a cable: both ports are in use, its
// products end at boxes of the kinds, and its ports run at different rates.
func TestPatchedLinks(t *testing.T) {
	p, err := machineOf(newGraph(t, topology.HyperX{Dims: topology.Ints{3}, Terminals: 2}), switchParts, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := run(t, p)
	c := NewChecker(p)
	kind := func(role topology.Role) int {
		return slices.IndexFunc(c.kinds, func(k topology.Kind) bool { return k.Role == role })
	}
	node, sw := kind(topology.Terminal), kind(topology.Switch)
	first := int32(topology.Vertices(p.Graph))
	s.Patching = &Patching{first: first}
	c.rate[sw][1] = 2 * c.rate[sw][1]
	a, b := int32(c.kinds[node].First)+3, int32(c.kinds[sw].First)+1
	for i, seg := range []Segment{
		{A: a, PortA: 0, B: first, Product: 3},
		{A: first, B: first + 1, Product: 4, Bundle: 1},
		{A: first + 1, B: b, PortB: 1, Product: 5},
		{A: a + 1, PortA: 0, B: first, Product: 0, Bundle: 7}, // a product that is the first of all
		{A: first, B: first + 1, Product: NoProduct},
		{A: first + 1, B: b, PortB: 3, Product: 0},
		{A: a + 2, PortA: 0, B: first, Product: NoProduct},
		{A: first + 1, B: b, PortB: 2, Product: NoProduct},
	} {
		if c.Visit(s, &seg); len(s.Violations.List()) != min(i/2, 1) {
			t.Errorf("after segment %d: %q", i, messages(&s.Violations))
		}
	}
	used := []int64{0, 0}
	used[node], used[sw] = 3, 3
	if got := c.PortsUsed(); !slices.Equal(got, used) {
		t.Errorf("%v ports in use, want %v", got, used)
	}
	for product := range 6 {
		for k := range c.kinds {
			want := product == 3 && k == node || product == 5 && k == sw || product == 0
			if got := c.fitted[product*len(c.kinds)+k]; got != want {
				t.Errorf("product %d ends at kind %d: %v", product, k, got)
			}
		}
		if got, want := c.trayed[product], product == 4 || product == 0; got != want {
			t.Errorf("product %d leaves its rack: %v", product, got)
		}
	}
	inner := *p.Placement.Layout
	inner.Levels = []layout.Level{{Name: "campus"}, {Name: "hall"}, {Name: "rack"}}
	pl := *p.Placement
	pl.Layout, p.Placement = &inner, &pl
	if got := NewChecker(p).hall; got != 1 {
		t.Errorf("halls are at level %d", got)
	}
}

// TestTwoOpticsInACage tells at which port another transceiver than that of its cage would be plugged in.
func TestTwoOpticsInACage(t *testing.T) {
	g := newGraph(t, topology.HyperX{Dims: topology.Ints{3}, Widths: topology.Ints{3}, Terminals: 2})
	p, err := machineOf(g, map[string]string{"node": "generic-node-1u", "switch": "nvidia-qm9700"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorker(p)
	if err != nil {
		t.Fatal(err)
	}
	optics := []*catalog.Part{opticOf("o1", "p", 1), opticOf("o2", "p", 1), opticOf("o3", "p", 1)}
	w.s.Products = []Product{
		{OpticA: optics[0], OpticB: optics[1]},
		{OpticA: optics[0], OpticB: optics[2]},
		{OpticA: optics[2], OpticB: optics[1]},
	}
	w.channels(func(c *channel, pa, pb *Port) {
		if pa.Cage == 0 || c.link.A != w.kinds[0].first+1 || perCage(pa.Group) != 2 || perCage(pb.Group) != 2 ||
			w.lit.stateOf != nil {
			return
		}
		seg := &Segment{A: c.link.A, PortA: uint16(c.portA), B: c.link.B, PortB: uint16(c.portB)}
		tally := &Tally{}
		for seg.Product = range int16(3) {
			w.plugBoth(seg, tally, c, pa, pb)
		}
		want := []string{
			"optics " + w.s.Label(seg.B, seg.PortB) + ": o2 and o3 in one cage",
			"optics " + w.s.Label(seg.A, seg.PortA) + ": o1 and o3 in one cage",
		}
		w.lit.count()
		if got := messages(&w.s.Violations); !slices.Equal(got, want) ||
			!maps.Equal(tally.Optics, map[*catalog.Part]int64{optics[0]: 1, optics[1]: 1}) {
			t.Errorf("%q, want %q; %v", got, want, tally.Optics)
		}
	})
	if w.lit.stateOf == nil {
		t.Error("no channel between cages of two ports")
	}
}

// TestPortsBeyond: a port that a box does not have is called by its number.
func TestPortsBeyond(t *testing.T) {
	p, err := machineOf(newGraph(t, topology.Torus{Dims: topology.Ints{3}}), directParts, nil)
	if err != nil {
		t.Fatal(err)
	}
	part := *p.Boxes[0].Part
	part.Ports = slices.Clone(part.Ports)
	for i := range part.Ports {
		part.Ports[i].Interface = []string{"eth{n}"}
	}
	p.Boxes[0] = NewBox(&part)
	s := run(t, p)
	n := len(p.Boxes[0].Ports)
	for port := range n {
		if got, want := s.PortIdentity(0, uint16(port)).Interface,
			p.Boxes[0].Ports[port].Identity().Interface; got != want {
			t.Errorf("port %d is %s in the system, want %s", port, got, want)
		}
	}
	if got := s.PortIdentity(0, uint16(n)); got.Label != s.PortName(0, uint16(n)) || got.Interface != "" {
		t.Errorf("the first port beyond is %+v", got)
	}
	if got := s.PortName(0, 99); got != "100" {
		t.Errorf("the hundredth port is called %s", got)
	}
}

// TestRunsOfLevels: the length along the trays of a level is that of the level, also where levels are alike.
func TestRunsOfLevels(t *testing.T) {
	p, err := machineOf(newGraph(t, topology.Torus{Dims: topology.Ints{5, 4}}), directParts, func(e *embed.Problem) {
		e.Kinds[0].PerRack = 1
		e.Room.Rows, e.Room.PerRow = 4, 5
		e.Room.Trays = layout.TraySpec{Levels: []layout.TrayLevel{
			{Height: 2.2, Cross: []int{0}},
			{Height: 2.4, Cross: []int{5}},
			{Height: 2.6, Cross: []int{5}},
			{Height: 2.8, Cross: []int{0}},
		}}
	})
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorker(p)
	if err != nil {
		t.Fatal(err)
	}
	r := &w.s.router
	for a := range int32(20) {
		for b := range a {
			runs := r.trays.runs([]units.Length{7}, a, b)
			for level, run := range runs[1:] {
				if want := r.trays.net.DistanceOn(level, a, b).Round4(); run != want {
					t.Errorf("racks %d and %d on level %d: %v, want %v", a, b, level, run, want)
				}
			}
		}
	}
	// one cable is the shortest on any level, the height of its ports counted
	k := &shuffler{w: w}
	w.channels(func(c *channel, _, _ *Port) {
		a, b := w.ends(c)
		pa, pb := w.layout.At(a.slot, a.port), w.layout.At(b.slot, b.port)
		want := units.Length(math.Inf(1))
		for level, height := range []units.Length{2.2, 2.4, 2.6, 2.8} {
			want = min(want, r.trays.net.DistanceOn(level, r.rack(a.slot),
				r.rack(b.slot))+(height-pa.Z).Abs()+(height-pb.Z).Abs()+0.5)
		}
		if got := k.direct(c); (got - want).Abs() > 3e-4 {
			t.Errorf("one cable is %v long, by hand %v", got, want)
		}
	})
}

// TestScatteredLinks works out again what is said of cages whose links share no cable: where their links lead to, or
// which link to elsewhere one of those cages has.
func TestScatteredLinks(t *testing.T) {
	said := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := drawSplit(t)
		w, err := newWorker(p)
		if err != nil {
			t.Fatal(err)
		}
		type end struct {
			cage  int32
			label string
			per   int
		}
		type link struct {
			ends  [2]end
			level string
		}
		var links []link
		type asked struct {
			ch     channel
			pa, pb *Port
		}
		var ask []asked
		w.channels(func(c *channel, pa, pb *Port) {
			links = append(links, link{[2]end{
				{c.a.cageOf(c.link.A, pa), w.s.Label(c.link.A, uint16(c.portA)), perCage(pa.Group)},
				{c.b.cageOf(c.link.B, pb), w.s.Label(c.link.B, uint16(c.portB)), perCage(pb.Group)},
			}, p.Graph.Levels()[c.link.Level].Name})
			ask = append(ask, asked{*c, pa, pb})
		})
		for range 4 {
			i := rapid.IntRange(0, len(links)-1).Draw(t, "link")
			x, y := links[i].ends[0], links[i].ends[1]
			if x.per == 1 && y.per == 1 {
				continue
			}
			near := x.cage
			if y.per > x.per || y.per == x.per && y.cage < x.cage {
				near = y.cage
			}
			var levels []string
			var peers []end
			for _, l := range links {
				for j, e := range l.ends {
					if far := l.ends[1-j]; e.cage == near {
						if !slices.ContainsFunc(peers, func(p end) bool { return p.cage == far.cage }) {
							peers = append(peers, far)
						}
						if !slices.Contains(levels, l.level) {
							levels = append(levels, l.level)
						}
					}
				}
			}
			kind, want := "same", "the links of the cage do not all go the same way"
			switch {
			case len(levels) > 1:
				kind, want = "levels", "different levels, "+english.List(levels)
			case x.per == y.per && len(peers) > 1:
				kind, want = "peers", "such as at "+peers[0].label+" and "+peers[1].label
			default:
			search:
				for _, l := range links {
					for _, p := range peers {
						for j, e := range l.ends {
							if e.cage == p.cage && l.ends[1-j].cage != near {
								kind, want = "elsewhere",
									"the cage at "+p.label+" has a link to elsewhere, too: to "+l.ends[1-j].label
								break search
							}
						}
					}
				}
			}
			said[kind]++
			if got := w.explainScattered(&ask[i].ch, ask[i].pa, ask[i].pb); !strings.HasSuffix(got, want) {
				t.Fatalf("%q, want %q", got, want)
			}
		}
	})
	if len(said) < 3 && !testing.Short() {
		t.Errorf("%v", said)
	}
}

// TestRulesThatDecide: the first rule decides whose longest length is not below the required length.
func TestRulesThatDecide(t *testing.T) {
	b := &buyer{rules: []MediaRule{{Longest: 5}, {Longest: 7.5}, {Longest: 6}}}
	for need, want := range map[units.Length]int{1: 0, 5: 0, 5.001: 1, 7.5: 1, 7.6: -1} {
		if got := b.decides(&layout.Layout{}, &linkClass{}, "", need); got != want {
			t.Errorf("rule %d decides about %v, want %d", got, need, want)
		}
	}
	one := &catalog.PortGroup{Connector: "osfp", Rate: 100}
	two, inside := *one, *one
	two.PerCage, inside.PerCage, inside.Optic = 2, 2, &catalog.PortOptic{}
	for want, c := range map[string]linkClass{
		"osfp 100G": {groupA: one, groupB: one}, "osfp 100G to osfp 100G (2 in a cage)": {groupA: one, groupB: &two},
		"osfp 100G (2 in a connector)": {groupA: &inside, groupB: &inside},
	} {
		if got := c.describe(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for cm := range int64(300) { // whole tenths of a millimetre, regardless of what a length times 10,000 is rounded to
		p := &Product{Part: &catalog.Part{Weight: 0.002, Cable: &catalog.Cable{}}, Length: units.Length(cm) / 100}
		if got := newStrand(p).mass; got != 2000*cm*100 {
			t.Errorf("%v of 2 g a metre weigh %d tenths of a microgram", p.Length, got)
		}
	}
}

// TestPanelsWithoutRoom names four racks that have no room for their panels, and counts the others.
func TestPanelsWithoutRoom(t *testing.T) {
	for switches, want := range map[int]string{
		6: "no room for the panels in rack A02 (1U for panels, 0U free), A04 (1U for panels, 0U free), " +
			"A06 (1U for panels, 0U free), A08 (1U for panels, 0U free) and 2 more; ",
		4: "A08 (1U for panels, 0U free); ",
	} {
		g := newGraph(t, topology.HyperX{Dims: topology.Ints{switches}, Terminals: 1})
		p, err := machineOf(g, map[string]string{"node": "generic-node-1u", "switch": "generic-switch-64x400g"},
			func(e *embed.Problem) {
				e.Room.Rack.Units = e.Kinds[0].Box.Units
				e.Kinds[0].PerRack, e.Kinds[1].PerRack = 1, 1
				e.Room.Rows, e.Room.PerRow = 1, 2*switches
			})
		if err != nil {
			t.Fatal(err)
		}
		p.Media = []MediaRule{
			{Levels: []string{"dim1"}, Media: []catalog.Medium{catalog.SingleMode}},
			{Media: catalog.Media},
		}
		p.Structured = &Structured{Levels: []string{"dim1"}, Beyond: "rack", AtLeast: 1}
		if _, err := Run(t.Context(), p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestCableForEach says what speaks for one cable that all links share: what it costs less than one for each.
func TestCableForEach(t *testing.T) {
	p, err := machineOf(newGraph(t, topology.FatTree{Nodes: 16, Radix: 64, Down: 8, Up: 8, Spines: 2}),
		map[string]string{"node": "generic-node-1u", "leaf": "nvidia-qm9700", "spine": "nvidia-qm9700"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorker(p)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(w.kinds, func(e ends) bool { return e.isSwitch })
	group := w.kinds[i].box.Ports[0].Group
	class := &linkClass{groupA: group, groupB: group, links: 2, plugs: 1}
	each := w.each(class, 0, func(catalog.Medium) units.Length { return 2 })
	if each.candidate == nil || !each.priced {
		t.Fatalf("%+v", each)
	}
	for _, c := range []struct {
		cost, billed int64 // hundredths of a cent more
		want         string
	}{
		{-1, -20_000, "a cable for each link costs 2.00 more"},
		{-1, 0, "a cable for each link " + beforeCounting},
		{-1, 50, "a cable for each link " + beforeCounting},
		{0, 0, "a cable for each link has no advantage"},
		{1, 1, "a cable for each link has no advantage"},
	} {
		o := &offer{cost: each.cost + c.cost, billed: each.billed + c.billed, priced: true, billPriced: true}
		if got := w.ratherThanEach(o, class, 0, 2); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
