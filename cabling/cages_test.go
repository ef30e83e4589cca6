package cabling

import (
	"context"
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

// cageOfSegment are the two cages of a segment, by vertex and cage of its box.
func cageOfSegment(s *Schedule, seg *Segment) [2][2]int32 {
	at := func(v int32, port uint16) [2]int32 {
		return [2]int32{v, int32(s.Boxes[topology.KindOf(s.Kinds, int(v))].Ports[port].Cage)}
	}
	return [2][2]int32{at(seg.A, seg.PortA), at(seg.B, seg.PortB)}
}

// TestOneTransceiverInACage draws machines of twin-port cages whose links are about as long as multimode fibre, and
// the shorter optics, reach, and compares what every cluster of cages costs with the least that it could cost.
func TestOneTransceiverInACage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var params topology.FatTree
		g := graphtest.Network(t, func() topology.Params {
			params = topology.FatTree{
				Nodes: rapid.IntRange(2, 40).Draw(t, "nodes"), Radix: 64,
				Rails: rapid.SampledFrom([]int{1, 2, 8}).Draw(t, "rails"),
				Down:  rapid.IntRange(3, 12).Draw(t, "down"), Up: rapid.IntRange(1, 8).Draw(t, "up"),
				Spines: rapid.IntRange(1, 4).Draw(t, "spines"),
			}
			return params
		})
		node := rapid.SampledFrom([]string{"nvidia-dgx-b200", "generic-node-1u"}).Draw(t, "node")
		if params.Rails > 1 {
			node = "nvidia-dgx-b200"
		}
		p, err := machineOf(g, map[string]string{"node": node, "leaf": "nvidia-qm9700", "spine": "nvidia-qm9700"},
			func(e *embed.Problem) {
				for k := range e.Kinds {
					e.Kinds[k].PerRack = rapid.IntRange(1, 4).Draw(t, "per rack")
				}
			})
		if err != nil {
			t.Fatal(err)
		}
		p.Slack.Fixed = units.Length(rapid.SampledFrom([]float64{0.5, 35, 40, 45, 85, 92}).Draw(t, "slack"))
		p.Media = []MediaRule{{Media: []catalog.Medium{catalog.SingleMode, catalog.Multimode}}}
		s := mustRun(t, p)
		compareClusters(t, p, s)
	})
}

// TestOneTransceiverInACageOverPanels draws machines of twin-port cages of which some links run over single-mode panels
// and others do not: all of a cage have one transceiver, that reaches, and the panels decide of which fibre.
func TestOneTransceiverInACageOverPanels(t *testing.T) {
	mixed := 0
	rapid.Check(t, func(t *rapid.T) {
		g := graphtest.Network(t, func() topology.Params {
			return topology.FatTree{
				Nodes: rapid.IntRange(2, 40).Draw(t, "nodes"), Radix: 64, Down: rapid.IntRange(3, 12).Draw(t, "down"),
				Up: rapid.IntRange(1, 8).Draw(t, "up"), Spines: rapid.IntRange(1, 4).Draw(t, "spines"),
			}
		})
		node := rapid.SampledFrom([]string{"nvidia-dgx-b200", "generic-node-1u"}).Draw(t, "node")
		p, err := machineOf(g, map[string]string{"node": node, "leaf": "nvidia-qm9700", "spine": "nvidia-qm9700"},
			func(e *embed.Problem) {
				for k := range e.Kinds {
					e.Kinds[k].PerRack = rapid.IntRange(1, 3).Draw(t, "per rack")
				}
			})
		if err != nil {
			t.Fatal(err)
		}
		p.Slack.Fixed = units.Length(rapid.SampledFrom([]float64{0.5, 10, 20, 25, 28, 80}).Draw(t, "slack"))
		p.Media = []MediaRule{{Media: []catalog.Medium{catalog.SingleMode, catalog.Multimode}}}
		p.Structured = &Structured{
			Beyond: "rack", Panel: p.Catalog.Part("panel-1u-sm-mpo12-apc"),
			AtLeast: rapid.IntRange(1, 4).Draw(t, "at least"),
		}
		if level := rapid.IntRange(0, 2).Draw(t, "level"); level > 0 {
			p.Structured.Levels = []string{g.Levels()[level-1].Name}
		}
		s, err := Run(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range s.Violations.List() {
			if v.Rule == RuleOptics.ID || v.Rule == RuleReach.ID {
				t.Fatalf("%s: %s", v.Where, v.Message)
			}
		}
		if s.Patching.Links > 0 && slices.ContainsFunc(s.Segments, func(seg Segment) bool {
			return s.Panel(seg.A) < 0 && s.Panel(seg.B) < 0
		}) {
			mixed++
		}
	})
	if mixed == 0 && !testing.Short() { // twenty draws may have none
		t.Error("no machine had links of both kinds")
	}
}

// TestPanelThatReaches has links of 600 m and less: optics for multimode fibre cost less and reach 50 m.
func TestPanelThatReaches(t *testing.T) {
	g, err := topology.New(topology.FatTree{Nodes: 64, Radix: 64, Spines: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		slack units.Length
		panel string
		links int64 // over panels
	}{
		{slack: 1, links: 32},
		{slack: 60, links: 32},
		{slack: 60, panel: "panel-1u-mm-mpo12-apc"},
		{slack: 600}, // further than any trunk
	} {
		p, err := machineOf(g, map[string]string{
			"node": "generic-node-1u", "leaf": "nvidia-qm9700", "spine": "nvidia-qm9700",
		}, func(e *embed.Problem) {
			for k := range e.Kinds {
				e.Kinds[k].PerRack = 32
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		p.Slack.Fixed = c.slack
		p.Media = []MediaRule{{Media: []catalog.Medium{catalog.SingleMode, catalog.Multimode}}}
		p.Structured = &Structured{
			Beyond: "rack", Levels: []string{"tier1"}, AtLeast: 1, Panel: p.Catalog.Part(c.panel),
		}
		s, err := Run(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range s.Violations.List() {
			t.Errorf("slack %v, %s: %s: %s", c.slack, c.panel, v.Where, v.Message)
		}
		if s.Patching.Links != c.links {
			t.Errorf("slack %v: %d links over panels, %d kept", c.slack, s.Patching.Links, s.Patching.Kept)
		}
	}
}

// compareClusters holds every cluster of a schedule against its definition.
func compareClusters(t *rapid.T, p *Problem, s *Schedule) {
	t.Helper()
	type cageID = [2]int32
	cluster := map[cageID]int{} // of each cage, by painting until nothing changes
	s.Each(func(number int64, seg *Segment) bool {
		for _, c := range cageOfSegment(s, seg) {
			if _, ok := cluster[c]; !ok {
				cluster[c] = len(cluster)
			}
		}
		return true
	})
	for changed := true; changed; {
		changed = false
		s.Each(func(_ int64, seg *Segment) bool {
			ends := cageOfSegment(s, seg)
			low := min(cluster[ends[0]], cluster[ends[1]])
			changed = changed || cluster[ends[0]] != cluster[ends[1]]
			cluster[ends[0]], cluster[ends[1]] = low, low
			return true
		})
	}
	segments := map[int][]Segment{}
	s.Each(func(_ int64, seg *Segment) bool {
		c := cluster[cageOfSegment(s, seg)[0]]
		segments[c] = append(segments[c], *seg)
		return true
	})
	failed := false
	for _, v := range s.Violations.List() {
		failed = true
		if v.Rule == RuleOptics.ID {
			t.Fatalf("%s: %s", v.Where, v.Message)
		}
	}
	if failed {
		return
	}
	price := func(part *catalog.Part, l units.Length) units.Money { return p.Quote(part, l).Unit }
	for _, list := range segments {
		got := units.Money(0)
		plugged := map[cageID]*catalog.Part{}
		for i := range list {
			product := &s.Products[list[i].Product]
			if product.OpticA == nil {
				t.Fatalf("%s has no optics", product.Part.ID)
			}
			got += price(product.Part, product.Length)
			ends := cageOfSegment(s, &list[i])
			for e, o := range []*catalog.Part{product.OpticA, product.OpticB} {
				if was := plugged[ends[e]]; was != nil && was != o {
					t.Fatalf("%s and %s in one cage", was.ID, o.ID)
				}
				plugged[ends[e]] = o
				if product.Length > o.Optic.Reach {
					t.Fatalf("%s at %v", o.ID, product.Length)
				}
			}
		}
		for _, o := range plugged {
			got += price(o, 0)
		}
		least := units.Money(math.MaxInt64)
		for _, standard := range []string{"sr4", "dr4", "fr4"} {
			if cost, ok := clusterCost(p, s, list, standard); ok {
				least = min(least, cost)
			}
		}
		if got != least {
			t.Fatalf("a cluster of %d links costs %v, and could cost %v", len(list), got, least)
		}
	}
}

// clusterCost is the least that the links of a cluster can cost with optics of one standard.
func clusterCost(p *Problem, s *Schedule, list []Segment, standard string) (cost units.Money, ok bool) {
	longest := map[[2]int32]units.Length{}
	groups := map[[2]int32]*catalog.PortGroup{}
	optics := func(g *catalog.PortGroup) (out []*catalog.Part) {
		for _, o := range p.Catalog.Optics(g.Connector, g.Rate) {
			if strings.EqualFold(o.Optic.Standard, standard) && max(o.Optic.Ports, 1) == perCage(g) {
				out = append(out, o)
			}
		}
		return out
	}
	for i := range list {
		seg := &list[i]
		ends := cageOfSegment(s, seg)
		for e, at := range []struct {
			v    int32
			port uint16
		}{{seg.A, seg.PortA}, {seg.B, seg.PortB}} {
			groups[ends[e]] = s.Boxes[topology.KindOf(s.Kinds, int(at.v))].Ports[at.port].Group
		}
		near, far := optics(groups[ends[0]]), optics(groups[ends[1]])
		best, length := units.Money(math.MaxInt64), units.Length(0)
		for _, a := range near {
			for _, z := range far {
				for _, f := range p.Catalog.Fibres(a.Optic.Plug, a.Optic.Plug, a.Optic.Fibre) {
					l, made := f.Stock(seg.Length)
					if made && !f.Cable.Custom && l <= min(a.Optic.Reach, z.Optic.Reach) &&
						a.Optic.Plug == z.Optic.Plug &&
						p.Quote(f, l).Unit < best {
						best, length = p.Quote(f, l).Unit, l
					}
				}
			}
		}
		if length == 0 {
			return 0, false
		}
		cost += best
		for _, e := range ends {
			longest[e] = max(longest[e], length)
		}
	}
	for c, l := range longest {
		best := units.Money(math.MaxInt64)
		for _, o := range optics(groups[c]) {
			if l <= o.Optic.Reach {
				best = min(best, p.Quote(o, 0).Unit)
			}
		}
		cost += best
	}
	return cost, true
}

func mustRun(t *rapid.T, p *Problem) *Schedule {
	s, err := Run(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
