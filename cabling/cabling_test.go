package cabling

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

func newGraph(t testing.TB, s topology.Params) topology.Graph {
	t.Helper()
	g, err := topology.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// machineOf places g in an open room with parts from the default catalog.
func machineOf(g topology.Graph, parts map[string]string, place func(*embed.Problem)) (*Problem, error) {
	c := catalog.Default()
	set := c.PriceSet("estimate-2025")
	e := &embed.Problem{
		Graph: g, Strategy: embed.Auto, Fold: true,
		Room: &layout.RoomSpec{
			Rack: layout.RackType{Units: 42, Width: 0.6, Depth: 1.2, Height: 2}, Cold: 1.2, Hot: 0.9,
			Alternate: true, Margin: 1.2, Trays: layout.TraySpec{Height: 2.3},
		},
	}
	p := &Problem{Graph: g, Catalog: c, Quote: set.Quote, Mode: Tray, Slack: Slack{Fixed: 0.5, InRack: 0.2}}
	for _, k := range g.Kinds() {
		part := c.Part(parts[k.Name])
		if part == nil {
			return nil, fmt.Errorf("no part for %s", k.Name)
		}
		box := NewBox(part)
		p.Boxes = append(p.Boxes, box)
		e.Kinds = append(e.Kinds, embed.Kind{Box: box.Box})
	}
	if place != nil {
		place(e)
	}
	var err error
	p.Placement, err = embed.Place(context.Background(), e)
	return p, err
}

var (
	directParts = map[string]string{"node": "generic-torus-node-1u"}
	switchParts = map[string]string{
		"node": "generic-node-1u", "switch": "generic-switch-64x400g",
		"leaf": "generic-switch-64x400g", "spine": "generic-switch-64x400g", "core": "generic-switch-64x400g",
	}
)

// drawMachine draws a small machine of any family with any route mode.
func drawMachine(t *rapid.T) *Problem {
	small := rapid.IntRange(2, 4)
	parts := switchParts
	g := graphtest.Network(t, func() topology.Params {
		parts = switchParts
		switch rapid.SampledFrom([]string{"torus", "hyperx", "thin-tree", "fat-tree", "dragonfly"}).Draw(t, "family") {
		case "torus":
			parts = directParts
			return topology.Torus{Dims: rapid.SliceOfN(rapid.IntRange(2, 5), 1, 3).Draw(t, "dims")}
		case "hyperx":
			dims := rapid.SliceOfN(small, 1, 3).Draw(t, "dims")
			widths := rapid.SliceOfN(rapid.IntRange(1, 3), len(dims), len(dims)).Draw(t, "widths")
			return topology.HyperX{Dims: dims, Widths: widths, Terminals: small.Draw(t, "terminals")}
		case "thin-tree":
			k := small.Draw(t, "down")
			return topology.ThinTree{
				Down: k, Up: rapid.IntRange(1, k).Draw(t, "up"),
				Levels: rapid.IntRange(1, 3).Draw(t, "levels"),
			}
		case "fat-tree":
			return topology.FatTree{Nodes: rapid.IntRange(2, 60).Draw(t, "nodes"), Radix: 16}
		}
		return topology.Dragonfly{P: small.Draw(t, "p"), A: small.Draw(t, "a"), H: 2}
	})
	p, err := machineOf(g, parts, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Mode = rapid.SampledFrom([]Mode{Direct, Manhattan, Tray}).Draw(t, "mode")
	p.Slack = Slack{
		Fixed: units.Length(rapid.Float64Range(0, 2).Draw(t, "slack")), InRack: 0.25,
		Percent: rapid.Float64Range(0, 10).Draw(t, "percent"),
	}
	if rapid.Bool().Draw(t, "rules") {
		p.Slack.Loop = units.Length(rapid.Float64Range(0, 2).Draw(t, "loop"))
		p.Slack.Crossing = units.Length(rapid.Float64Range(0, 2).Draw(t, "crossing"))
		p.Slack.Manager = rapid.SampledFrom([]Side{AnySide, Nearest, Left, Right}).Draw(t, "manager")
		p.Slack.RoundUp = units.Length(rapid.SampledFrom([]float64{0, 0.01, 0.25, 1}).Draw(t, "round up"))
	}
	return p
}

func run(t testing.TB, p *Problem) *Schedule {
	t.Helper()
	s, err := Run(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestEveryChannelOnce checks, on random machines, that every channel of every
// link is exactly one segment, that no port is used twice, that every length
// is the sum of its pieces, and that the tallies add up.
func TestEveryChannelOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawMachine(t)
		s, err := Run(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		type port struct {
			v int32
			p uint16
		}
		used := map[port]bool{}
		i := 0
		link := int32(0)
		var metres units.Length
		for l := range p.Graph.Links() {
			for c := range l.Width {
				seg := s.Segments[i]
				if seg.A != l.A || seg.B != l.B || seg.Link != link || int32(seg.PortA) != l.PortA+c ||
					int32(seg.PortB) != l.PortB+c {
					t.Fatalf("segment %d is %+v, the channel is %d of %+v", i, seg, c, l)
				}
				for _, q := range []port{{seg.A, seg.PortA}, {seg.B, seg.PortB}} {
					if used[q] {
						t.Fatalf("port %d of %s is used twice", q.p, s.Device(q.v))
					}
					used[q] = true
				}
				sum := units.Length(0)
				for _, piece := range s.Pieces(&seg) {
					sum += piece.Length
				}
				if sum.Round4() != seg.Length || s.Parts(&seg).Total() != seg.Length && seg.Product != IsTrace {
					t.Fatalf("length %v, pieces %v", seg.Length, s.Pieces(&seg))
				}
				if seg.Product >= 0 && s.Products[seg.Product].Length < seg.Length-1e-9 {
					t.Fatalf("%s for %v", s.Products[seg.Product].Item().String(), seg.Length)
				}
				metres += seg.Length
				i++
			}
			link++
		}
		if i != len(s.Segments) || int64(i) != s.Cables {
			t.Fatalf("%d segments for %d channels, %d cables", len(s.Segments), i, s.Cables)
		}
		var links, cables int64
		var sum units.Length
		for _, row := range s.Tallies {
			for _, tally := range row {
				links += tally.Links
				sum += tally.Metres
				for _, n := range tally.Product {
					cables += n
				}
			}
		}
		if links != int64(i) || math.Abs(float64(sum-metres)) > 1e-6 ||
			cables+int64(s.Violations.Count(RuleReach)) != s.Cables {
			t.Fatalf("tallies: %d links, %d cables and %d without product, %v; segments: %d, %v", links, cables,
				s.Violations.Count(RuleReach), sum, i, metres)
		}
	})
}

// TestSummaryEqualsSchedule checks that a summary has the tallies of the full
// schedule.
func TestSummaryEqualsSchedule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawMachine(t)
		full, err := Run(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		p.Summary = true
		short, err := Run(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		if short.Segments != nil {
			t.Fatal("a summary lists segments")
		}
		if a, b := fmt.Sprint(full.Tallies, full.Cables, full.PortsUsed, full.Violations),
			fmt.Sprint(short.Tallies, short.Cables, short.PortsUsed, short.Violations); a != b {
			t.Fatalf("schedule %s\nsummary %s", a, b)
		}
	})
}

// slowChoice is the choice of a product by its definition: the first rule that
// holds, then the best of all families.
func slowChoice(b *buyer, l *layout.Layout, class linkClass, level string, need units.Length) int16 {
	for i := range b.rules {
		m := &b.rules[i]
		if !m.matches(l, level, &class) || (m.Longest > 0 && need > m.Longest) {
			continue
		}
		var allowed []candidate
		for _, c := range b.candidates(class.groupA, class.groupB) {
			if m.allows(c.part) {
				allowed = append(allowed, c)
			}
		}
		return b.best(allowed, need, m.Longest, &class)
	}
	return NoProduct
}

func TestChooserIsTheRule(t *testing.T) {
	g := newGraph(t, topology.Torus{Dims: topology.Ints{3, 3}})
	p, err := machineOf(g, directParts, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := p.Placement.Layout
	groups := map[string]catalog.PortGroup{}
	for _, part := range p.Catalog.Parts() {
		for _, group := range part.Ports {
			groups[fmt.Sprint(group.Connector, group.Rate, group.PerCage)] = group
		}
	}
	var names []string
	for name := range groups {
		names = append(names, name)
	}
	slices.Sort(names)
	rapid.Check(t, func(t *rapid.T) {
		b := &buyer{catalog: p.Catalog, quote: p.Quote, index: map[Product]int16{}}
		for range rapid.IntRange(1, 3).Draw(t, "rules") {
			b.rules = append(b.rules, MediaRule{
				Longest: units.Length(rapid.SampledFrom([]float64{0, 1, 2.2, 5, 30}).Draw(t, "longest")),
				Within:  rapid.SampledFrom([]string{"", "", "rack", "row"}).Draw(t, "within"),
				Media:   rapid.SliceOfNDistinct(rapid.SampledFrom(catalog.Media), 1, 3, rapid.ID).Draw(t, "media"),
			})
		}
		a, z := groups[rapid.SampledFrom(names).Draw(t, "a")], groups[rapid.SampledFrom(names).Draw(t, "z")]
		class := linkClass{groupA: &a, groupB: &z, within: uint8(rapid.IntRange(0, 2).Draw(t, "within level"))}
		c := b.chooser(l, class, "dim1")
		for range 20 {
			need := units.Length(rapid.Float64Range(0, 160).Draw(t, "need"))
			if rapid.Bool().Draw(t, "whole") {
				need = units.Length(math.Round(float64(need)*2) / 2)
			}
			if got, want := c.choose(need), slowChoice(b, l, class, "dim1", need); got != want {
				t.Fatalf("%v over %s: product %d, want %d of %v", need, class.describe(), got, want, b.products)
			}
		}
	})
}

// TestRouteModes works the three modes out by hand for two nodes in racks A01
// and A03 (1.2 m apart) at U1 and U1, ports at the rear.
func TestRouteModes(t *testing.T) {
	g := newGraph(t, topology.Mesh{Dims: topology.Ints{3}})
	p, err := machineOf(g, directParts, func(e *embed.Problem) {
		e.Kinds[0].PerRack = 1
		e.Room.Rows, e.Room.PerRow = 1, 3
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Slack = Slack{Fixed: 0.1, Percent: 10}
	at := func(seg *Segment, v int32, port uint16) layout.Point {
		return p.Placement.Layout.At(p.Placement.Slot[v], p.Boxes[0].Box.Port(int(port)))
	}
	for _, mode := range []Mode{Direct, Manhattan, Tray} {
		p.Mode = mode
		s := run(t, p)
		for i := range s.Segments {
			seg := &s.Segments[i]
			a, b := at(seg, seg.A, seg.PortA), at(seg, seg.B, seg.PortB)
			want := 0.0
			switch mode {
			case Direct:
				want = math.Hypot(math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y)), float64(a.Z-b.Z))
			case Manhattan:
				want = float64((a.X - b.X).Abs() + (a.Y - b.Y).Abs() + (a.Z - b.Z).Abs())
			case Tray:
				want = float64((2.3 - a.Z) + 0.6 + (2.3 - b.Z))
			}
			want = want*1.1 + 0.1
			if math.Abs(float64(seg.Length)-want) > 1e-4 {
				t.Errorf("%s: %v, want %.4f m", mode, seg.Length, want)
			}
		}
	}
}

// TestNoProductIsNamed checks that a cable no product can make is a violation
// that names the cable and its ends.
func TestNoProductIsNamed(t *testing.T) {
	g := newGraph(t, topology.Torus{Dims: topology.Ints{4, 4}})
	p, err := machineOf(g, directParts, func(e *embed.Problem) { e.Kinds[0].PerRack = 1 })
	if err != nil {
		t.Fatal(err)
	}
	p.Media = []MediaRule{{Media: []catalog.Medium{catalog.PassiveCopper}}}
	s := run(t, p)
	list := s.Violations.List()
	if len(list) == 0 {
		t.Fatal("passive copper reaches everywhere")
	}
	for _, v := range list {
		if v.Rule != "reach" || v.Severity != diag.Error || !strings.HasPrefix(v.Where, "C00") ||
			!strings.Contains(v.Message, " to ") || !strings.Contains(v.Message, "3 m") {
			t.Errorf("violation %+v", v)
		}
	}
	p.Media[0].Levels = []string{"dim9"}
	if v := run(t, p).Violations.List()[0]; !strings.Contains(v.Message, "no media rule matches") {
		t.Errorf("violation %+v", v)
	}
}

// TestViolationsAreCounted checks that a hundred violations are listed and the
// rest counted.
func TestViolationsAreCounted(t *testing.T) {
	var v Violations
	for i := range 250 {
		v.Add(RuleReach, fmt.Sprint(i), "too long")
	}
	list := v.List()
	if len(list) != 101 || list[100].Message != "and 150 more" || v.Count(RuleReach) != 250 {
		t.Errorf("%d listed, the last %+v", len(list), list[len(list)-1])
	}
}

// TestTwinCages checks that a twin-port cage holds two links and takes one
// optic.
func TestTwinCages(t *testing.T) {
	g := newGraph(t, topology.FatTree{Nodes: 4, Radix: 64, Rails: 8, Down: 32, Up: 4, Spines: 2})
	p, err := machineOf(g, map[string]string{
		"node": "nvidia-dgx-h100", "leaf": "nvidia-qm9700",
		"spine": "nvidia-qm9700",
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Media = []MediaRule{{Media: catalog.MediumAliases["fibre"]}}
	s := run(t, p)
	optics := map[string]int64{}
	for _, row := range s.Tallies {
		for _, tally := range row {
			for part, n := range tally.Optics {
				optics[part.Optic.Form] += n
			}
		}
	}
	// A leaf has 4 nodes and 4 uplinks: 2 cages and 2 cages (ports 33 to 36).
	// A spine has 2 links from each of 8 leaves: 8 cages. A node: 4 cages.
	if want := int64(8*(2+2) + 2*8); optics["osfp"] != want || optics["osfp-flat"] != 4*4 {
		t.Errorf("optics %v, want %d osfp and 16 osfp-flat", optics, want)
	}
}

// TestSeveralEndsAreNoOrdinaryCables checks that twin-port cables, splitters and
// trunks are not candidates for a link between two ports, regardless of the cages, and
// that cables to order are taken only where a rule names them.
func TestSeveralEndsAreNoOrdinaryCables(t *testing.T) {
	c := catalog.Default()
	b := &buyer{catalog: c, quote: c.PriceSet("estimate-2025").Quote, index: map[Product]int16{}}
	var groups []*catalog.PortGroup
	for _, p := range c.Parts() {
		for i := range p.Ports {
			groups = append(groups, &p.Ports[i])
		}
	}
	found := 0
	for _, a := range groups {
		for _, z := range groups {
			for _, candidate := range b.candidates(a, z) {
				found++
				if c := candidate.part.Cable; c.Trunk() || c.FarPlugs() > 1 || c.Links > 1 {
					t.Fatalf("%s joins %s and %s", candidate.part.ID, a.Connector, z.Connector)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no candidates at all")
	}
	custom := c.Part("custom-40g-qsfp-copper")
	if (&MediaRule{Media: catalog.Media}).allows(custom) || !(&MediaRule{Parts: []string{custom.ID}}).allows(custom) {
		t.Error("a cable to order is taken unnamed, or not where it is named")
	}
}

// TestTooFewPorts checks that a box without enough ports is a violation.
func TestTooFewPorts(t *testing.T) {
	g := newGraph(t, topology.HyperX{Dims: topology.Ints{40}, Terminals: 30})
	p, err := machineOf(g, switchParts, nil)
	if err != nil {
		t.Fatal(err)
	}
	list := run(t, p).Violations.List()
	if len(list) != 1 || list[0].Rule != "ports" || !strings.Contains(list[0].Message, "69 links") {
		t.Errorf("violations %+v", list)
	}
}

func TestCancelled(t *testing.T) {
	p, err := machineOf(newGraph(t, topology.Torus{Dims: topology.Ints{4, 4}}), directParts, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, p); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

// BenchmarkSchedule places the 65,536 nodes of a 3-D torus, routes its 196,608
// cables on the trays and chooses their products. It also reports the live
// memory of a scheduled cable, its share of placement and room included.
func BenchmarkSchedule(b *testing.B) {
	g := newGraph(b, topology.Torus{Dims: topology.Ints{64, 32, 32}})
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	var s *Schedule
	for b.Loop() {
		p, err := machineOf(g, directParts, nil)
		if err != nil {
			b.Fatal(err)
		}
		s = run(b, p)
	}
	links := float64(b.N) * float64(s.Cables) / b.Elapsed().Seconds()
	live := float64(heap()-before) / float64(s.Cables)
	b.ReportMetric(links, "links/s")
	b.ReportMetric(live, "B/cable")
	runtime.KeepAlive(s)
}

// TestLiveMemory keeps a scheduled cable, with its share of placement and room,
// under 200 bytes.
func TestLiveMemory(t *testing.T) {
	g := newGraph(t, topology.Torus{Dims: topology.Ints{32, 32, 16}})
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	p, err := machineOf(g, directParts, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := run(t, p)
	if live := float64(heap()-before) / float64(s.Cables); live > 200 {
		t.Errorf("%.0f bytes a cable, want at most 200", live)
	}
	runtime.KeepAlive(s)
}
