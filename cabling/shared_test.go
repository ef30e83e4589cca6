package cabling

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// splitMachine places g with boxes that are broken out.
func splitMachine(
	g topology.Graph, parts map[string]string, into map[string]int, place func(*embed.Problem),
) (*Problem, error) {
	p, err := machineOf(g, parts, place)
	if err != nil {
		return nil, err
	}
	for i, k := range g.Kinds() {
		p.Boxes[i] = NewBox(p.Boxes[i].Part)
		p.Boxes[i].BreakOut(slices.Repeat([]int{into[k.Name]}, len(p.Boxes[i].Ports)))
	}
	return p, nil
}

// drawSplit draws a machine whose switches have cages of two and more ports, with rules of media.
func drawSplit(t *rapid.T) *Problem {
	type build struct {
		node, sw string
		split    map[string]int
	}
	built := rapid.SampledFrom([]build{
		{"generic-node-1u", "nvidia-qm9700", nil},
		{"nvidia-dgx-h100", "nvidia-qm9700", nil},
		{"generic-node-1u", "nvidia-sn5600", map[string]int{"leaf": 2, "spine": 2, "switch": 2}},
		{"generic-node-1u", "nvidia-sn5600", map[string]int{"leaf": 4, "spine": 2, "switch": 4}},
	}).Draw(t, "build")
	n := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
	g := graphtest.Network(t, func() topology.Params {
		switch rapid.SampledFrom([]string{"fat-tree", "hyperx", "dragonfly"}).Draw(t, "family") {
		case "fat-tree":
			return topology.FatTree{
				Nodes: n("nodes", 1, 40), Radix: 64, Down: 2 * n("down", 1, 8), Up: n("up", 1, 8),
				Spines: n("spines", 1, 4),
			}
		case "hyperx":
			return topology.HyperX{
				Dims: topology.Ints{n("switches", 2, 5)}, Widths: topology.Ints{n("width", 1, 4)},
				Terminals: n("terminals", 1, 5),
			}
		}
		return topology.Dragonfly{P: n("p", 1, 4), A: n("a", 1, 4), H: n("h", 1, 2)}
	})
	p, err := splitMachine(g, map[string]string{
		"node": built.node, "leaf": built.sw, "spine": built.sw,
		"switch": built.sw,
	}, built.split, func(e *embed.Problem) {
		for k := range e.Kinds {
			e.Kinds[k].PerRack = n("per rack", 1, 8)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for range n("rules", 0, 2) {
		p.Media = append(p.Media, MediaRule{
			Within:  rapid.SampledFrom([]string{"", "rack", "row"}).Draw(t, "within"),
			Longest: units.Length(rapid.SampledFrom([]float64{0, 2, 4}).Draw(t, "longest")),
			Media:   rapid.SliceOfNDistinct(rapid.SampledFrom(catalog.Media), 1, 4, rapid.ID).Draw(t, "media"),
		})
	}
	return p
}

// TestSharedCables draws machines whose switches have cages of two and more
// ports, and compares with the definition: links share a cable exactly if all
// links of the near cage lead to cages that have no others, and one cable for
// them costs less than one each, under the rule that decides.
func TestSharedCables(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := drawSplit(t)
		w, err := newWorker(p)
		if err != nil {
			t.Fatal(err)
		}
		sched, err := Run(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		checkShared(t, p, sched, &w.buyer, seen)
	})
	for _, want := range []string{"twin", "splitter", "apart"} {
		if seen[want] == 0 && !testing.Short() { // twenty draws may have none
			t.Errorf("no cable was a %s: %v", want, seen)
		}
	}
}

// at is the cage of a port, by its vertex and its number in the box.
type at struct {
	v    int32
	cage int
}

// checkShared holds a schedule against the definition of shared cables.
func checkShared(t *rapid.T, p *Problem, s *Schedule, b *buyer, seen map[string]int) {
	port := func(v int32, i uint16) *Port {
		return &p.Boxes[topology.KindOf(s.Kinds, int(v))].Ports[i]
	}
	links := map[at][]*Segment{}
	cables := map[int32][]*Segment{}
	for i := range s.Segments {
		seg := &s.Segments[i]
		a, z := at{seg.A, port(seg.A, seg.PortA).Cage}, at{seg.B, port(seg.B, seg.PortB).Cage}
		links[a] = append(links[a], seg)
		links[z] = append(links[z], seg)
		cables[seg.Cable] = append(cables[seg.Cable], seg)
	}
	if int64(len(cables)) != s.Cables || cables[1] == nil || cables[int32(s.Cables)] == nil {
		t.Fatalf("%d cables, the schedule says %d", len(cables), s.Cables)
	}
	var total, metres int64
	for _, row := range s.Tallies {
		for _, tally := range row {
			total += tally.Cables
			for _, q := range tally.Product {
				metres += q
			}
		}
	}
	if total != s.Cables || metres != s.Cables-int64(s.Violations.Count(RuleReach)) {
		t.Fatalf("tallies have %d cables and %d products, the schedule %d", total, metres, s.Cables)
	}
	far := func(c at, seg *Segment) at {
		if seg.A == c.v && port(seg.A, seg.PortA).Cage == c.cage {
			return at{seg.B, port(seg.B, seg.PortB).Cage}
		}
		return at{seg.A, port(seg.A, seg.PortA).Cage}
	}
	for i := range s.Segments {
		seg := &s.Segments[i]
		ga, gb := port(seg.A, seg.PortA).Group, port(seg.B, seg.PortB).Group
		ca, cb := at{seg.A, port(seg.A, seg.PortA).Cage}, at{seg.B, port(seg.B, seg.PortB).Cage}
		nearGroup, farGroup, near := ga, gb, ca
		if perCage(gb) > perCage(ga) {
			nearGroup, farGroup, near = gb, ga, cb
		}
		eligible := perCage(nearGroup) > 1
		plugs := map[at]bool{}
		need, within := units.Length(0), 255
		for _, l := range links[near] {
			f := far(near, l)
			plugs[f] = true
			for _, back := range links[f] {
				eligible = eligible && far(f, back) == near
			}
			eligible = eligible && l.Level == seg.Level
			need, within = max(need, l.Length), min(within, int(l.Within))
		}
		if perCage(ga) == perCage(gb) && len(plugs) > 1 {
			eligible = false
		}
		mates := cables[seg.Cable]
		if !eligible {
			if len(mates) != 1 {
				t.Fatalf("%d links that may not share a cable do", len(mates))
			}
			continue
		}
		want := slowShare(b, p, s, nearGroup, farGroup, len(links[near]), len(plugs), need, within, seg)
		got := ""
		if seg.Product >= 0 && !plainProduct(&s.Products[seg.Product]) {
			got = s.Products[seg.Product].Item().String()
		}
		if got != want {
			t.Fatalf("%v over %d links to %d plugs of %s %v and %s %v: %q, want %q", need, len(links[near]), len(plugs),
				nearGroup.Connector, nearGroup.Rate, farGroup.Connector, farGroup.Rate, got, want)
		}
		if want == "" {
			seen["apart"]++
			if len(mates) != 1 {
				t.Fatal("links with cables of their own share one")
			}
			continue
		}
		if len(mates) != len(links[near]) {
			t.Fatalf("%d of %d links share the cable", len(mates), len(links[near]))
		}
		if c := s.Products[seg.Product].Part.Cable; c.FarPlugs() > 1 {
			seen["splitter"]++
		} else {
			seen["twin"]++
		}
	}
}

func plainProduct(p *Product) bool { return p.Links() == 1 }

// slowShare is the name of the product that links should share, empty for none:
// the first rule that holds decides, and the cheapest of all allowed families.
func slowShare(b *buyer, p *Problem, s *Schedule, near, far *catalog.PortGroup, links, plugs int, need units.Length,
	within int, seg *Segment,
) string {
	price := func(part *catalog.Part, l units.Length) float64 {
		q := b.quote(part, l)
		if !q.Priced {
			return math.Inf(1)
		}
		return q.Unit.Float()
	}
	class := linkClass{groupA: near, groupB: far, within: uint8(within)}
	for i := range b.rules {
		m := &b.rules[i]
		if !m.matches(p.Placement.Layout, p.Graph.Levels()[seg.Level].Name, &class) || m.Longest > 0 &&
			need > m.Longest {
			continue
		}
		type choice struct {
			cost   float64
			length units.Length
			medium int
			one    int
			name   string
		}
		best := choice{cost: math.Inf(1), length: units.Length(math.Inf(1))}
		for _, part := range p.Catalog.Parts() {
			c := part.Cable
			if c == nil || !m.allows(&part) {
				continue
			}
			l, ok := part.Stock(need)
			if !ok {
				continue
			}
			consider := func(cost float64, one int) {
				x := choice{cost, l, slices.Index(catalog.Media, c.Medium), one, part.ID}
				less := x.cost < best.cost-1e-9 || x.cost < best.cost+1e-9 &&
					(x.length < best.length || x.length == best.length && (x.medium < best.medium ||
						x.medium == best.medium && (x.one < best.one || x.one == best.one && x.name < best.name)))
				if less {
					best = x
				}
			}
			per, perFar := perCage(near), perCage(far)
			switch {
			case c.Trunk():
			case c.Medium.Fibre() && c.Ordinary():
				for _, oa := range p.Catalog.Optics(near.Connector, near.Rate) {
					for _, oz := range p.Catalog.Optics(far.Connector, far.Rate) {
						x, y := oa.Optic, oz.Optic
						if x.Standard == y.Standard && x.Rate == y.Rate && x.Plug == c.Connector &&
							y.Plug == c.Connector && x.Fibre == c.Medium && y.Fibre == c.Medium &&
							max(x.Ports, 1) == per && max(y.Ports, 1) == perFar && l <= min(x.Reach, y.Reach) {
							consider(price(&part, l)*float64(links)+price(oa, 0)+price(oz, 0)*float64(plugs), 1)
						}
					}
				}
			case c.Medium.Fibre() || c.Connector != near.Connector && c.FarPlugs() > 1:
			case per == perFar && c.Links == per && c.FarPlugs() == 1 && c.Rate >= min(near.Rate, far.Rate) &&
				(c.Connector == near.Connector && c.FarConnector() == far.Connector || c.Connector == far.Connector &&
					c.FarConnector() == near.Connector):
				consider(price(&part, l), 0)
			case per > perFar && c.Links == per && c.FarPlugs() > 1 && c.FarPlugs() >= plugs &&
				c.Links/c.FarPlugs() == perFar && c.FarConnector() == far.Connector &&
				c.Rate >= min(near.Rate, far.Rate):
				consider(price(&part, l), 0)
			}
		}
		if best.one == 0 && best.name != "" {
			return fmt.Sprintf("%s@%s m", best.name, best.length.Number())
		}
		return ""
	}
	return ""
}

// TestSplitterByHand plugs four nodes into two cages of a switch: two splitters,
// each with two legs, one of them longer.
func TestSplitterByHand(t *testing.T) {
	g := newGraph(t, topology.HyperX{Dims: topology.Ints{1}, Terminals: 5})
	p, err := machineOf(g, map[string]string{"node": "generic-node-1u", "switch": "nvidia-qm9700"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Media = []MediaRule{{Media: []catalog.Medium{catalog.PassiveCopper}}}
	s := run(t, p)
	if s.Cables != 3 || s.Wired != 5 || len(s.Violations.List()) != 0 {
		t.Fatalf("%d cables for %d links; %v", s.Cables, s.Wired, s.Violations.List())
	}
	legs, want := s.Legs(), []string{"C0001 1", "C0001 2", "C0002 1", "C0002 2", "C0003 1"}
	var got []string
	power := units.Power(0)
	s.Each(func(number int64, seg *Segment) bool {
		got = append(got, fmt.Sprintf("%s %d", s.CableID(number), legs.Next(seg)))
		if product := s.Products[seg.Product]; product.Part.ID != "nvidia-mcp7y10" || product.NearB ||
			product.Length < seg.Length {
			t.Errorf("%+v", product)
		}
		return true
	})
	if !slices.Equal(got, want) {
		t.Error(got)
	}
	for _, p := range s.RackPower {
		power += p
	}
	if math.Abs(float64(power)-0.1*(3+5)) > 1e-9 { // three near plugs, five legs
		t.Errorf("%v", power)
	}
}

// TestBreakoutMismatch joins ports that no cable breaks out: a cage of four links
// and cages of two of another form.
func TestBreakoutMismatch(t *testing.T) {
	g := newGraph(t, topology.HyperX{Dims: topology.Ints{1}, Terminals: 4})
	p, err := splitMachine(g, map[string]string{"node": "generic-node-1u", "switch": "nvidia-sn5600"},
		map[string]int{"switch": 8}, nil)
	if err != nil {
		t.Fatal(err)
	}
	list := run(t, p).Violations.List()
	if len(list) != 4 || list[0].Rule != "reach" ||
		!strings.Contains(list[0].Message, "osfp 100G (8 in a cage) to qsfp112 400G") {
		t.Errorf("%+v", list)
	}
}
