package ranking

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
	bounds "github.com/plenum-planner/plenum/topology/measure"
	"github.com/plenum-planner/plenum/units"
)

// brief is long enough for small machines.
func brief() packet.Measurement {
	return packet.Measurement{Warmup: new(1000), Checks: 4, Batches: 4, Batch: 500}
}

func candidates(t *testing.T, texts ...string) []machine.Candidate {
	t.Helper()
	var out []machine.Candidate
	for i, text := range texts {
		file := string(rune('a'+i)) + ".yaml"
		s, err := machine.Parse(file, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, machine.Candidate{File: file, Spec: s})
	}
	return out
}

func compared(t *testing.T, own Options, texts ...string) *report.Comparison {
	t.Helper()
	c, err := Compare(context.Background(), candidates(t, texts...), machine.CompareOptions{}, own)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Machines of all sorts: switches with terminals, nodes that forward, nodes with several ports, a network without
// parallel ways, circuit switches.
var sorts = []string{
	"{name: Tree, topology: {family: fat-tree, nodes: 64, radix: 16}}",
	"{name: Thin tree, topology: {family: thin-tree, down: 4, up: 2, levels: 3}}",
	"{name: HyperX, topology: {family: hyperx, dims: [4, 4], terminals: 4}}",
	"{name: Dragonfly, topology: {family: dragonfly, p: 2, a: 4, h: 2}}",
	"{name: Torus, topology: {family: torus, dims: [4, 4, 4]}}",
	"{name: Ring, topology: {family: torus, dims: [16]}}",
	"{name: BCube, topology: {family: bcube, radix: 4, levels: 2}}",
	"{name: Slim Fly, topology: {family: slim-fly, q: 5}}",
}

// Nothing accepts more than the bound for any routing, which knows nothing of the simulation; some come near it, so
// that it is a bound worth holding against.
func TestAcceptedKeepsTheBound(t *testing.T) {
	c := compared(t, Options{Traffic: []string{"uniform", "longest-matching"}, Measurement: brief(), Seed: 1}, sorts...)
	near := 0
	for i := range c.Machines {
		m := &c.Machines[i]
		for _, a := range m.Accepted {
			if math.IsNaN(a.Bound) || a.Share > a.Bound+a.HalfWidth+0.005 || a.Share <= 0 {
				t.Errorf("%s, %s: %.4f accepted ± %.4f, %.4f at most", m.Machine, a.Traffic, a.Share,
					a.HalfWidth, a.Bound)
			}
			if a.Bound < 1 && a.Share > 0.6*a.Bound {
				near++
			}
		}
	}
	if near < 2 {
		t.Errorf("%d come near a bound below what ports carry", near)
	}
}

// What is ranked is what plenum sim packets measures on the plan by itself, and money of the plan by itself.
func TestAcceptedIsThatOfTheSimulator(t *testing.T) {
	own := Options{Traffic: []string{"uniform"}, Measurement: brief(), Seed: 7}
	c := compared(t, own, sorts[2], sorts[3])
	for i, text := range []string{sorts[2], sorts[3]} {
		of := candidates(t, text)[0]
		p, err := machine.Plan(context.Background(), of.Spec)
		if err != nil {
			t.Fatal(err)
		}
		rate := p.PortRate(&p.Network)
		cycles := p.Network.Cycles(units.Frequency(float64(rate)/(8*16)), delay.Override{}) // phits of 16 bytes
		o := packet.DefaultOptions()
		o.Pipeline, o.BufferPackets = cycles.Pipeline, c.Machines[i].Accepted[0].Buffer
		s, err := packet.NewSubject(p.Network.Graph, packet.Setup{Options: o, Latency: cycles.Link}, 7)
		if err != nil {
			t.Fatal(err)
		}
		pattern, err := traffic.ParsePattern("uniform", p.Network.Graph, 7)
		if err != nil {
			t.Fatal(err)
		}
		r, err := packet.Run(context.Background(), s.Config, packet.OpenLoop{
			Pattern: pattern, Load: 1, Measurement: brief(),
		})
		if err != nil {
			t.Fatal(err)
		}
		a := &c.Machines[i].Accepted[0]
		want := p.Report().Cost.Network.Float() / (r.Accepted * float64(rate) * float64(p.Report().Nodes))
		if got := c.Machines[i].NetworkBy(a.Rate()); a.Share != r.Accepted || math.Abs(got/want-1) > 1e-12 {
			t.Errorf("%s: %v accepted at %v a Gb/s; by themselves %v and %v", c.Machines[i].Machine, a.Share, got,
				r.Accepted, want)
		}
	}
}

// The cheapest by accepted Gb/s comes first, regardless of what comes first in the list, and the same machines give the
// same figures.
func TestRankingIsByCost(t *testing.T) {
	own := Options{Traffic: []string{"longest-matching", "uniform"}, Measurement: brief(), Seed: 1}
	c := compared(t, own, sorts[2:6]...)
	for k, r := range c.Rankings() {
		if r.Traffic != own.Traffic[k] || len(r.Order) != 4 {
			t.Fatalf("%+v", r)
		}
		cost := func(i int) float64 { return c.Machines[i].NetworkBy(c.Machines[i].Accepted[k].Rate()) }
		if !slices.IsSortedFunc(r.Order, func(i, j int) int { return int(math.Copysign(1, cost(i)-cost(j))) }) {
			t.Errorf("%s: %v", r.Traffic, r.Order)
		}
		if r.Place(r.Order[0]) != 1 || r.Place(r.Order[3]) != 4 || r.Place(9) != 0 {
			t.Errorf("%s: places of %v", r.Traffic, r.Order)
		}
	}
	if again := compared(t, own, sorts[2:6]...); !reflect.DeepEqual(again.Document(), c.Document()) {
		t.Error("the second time it is another comparison")
	}
}

// Machines whose terms differ are reported; so is what cannot be ranked.
func TestUnequalTerms(t *testing.T) {
	own := Options{Traffic: []string{"uniform"}, Measurement: brief(), Seed: 1}
	c := compared(t, own, "{name: Slow, topology: {family: torus, dims: [4]}}",
		"{name: Mesh, topology: {family: mesh, dims: [24]}, packaging: {node: {part: thin-node}}, "+
			"parts: [{id: thin-node, "+
			"kind: node, units: 1, ports: [{count: 8, connector: qsfp56, rate: 200G}]}]}")
	if text := strings.Join(c.Unequal, "\n"); !strings.Contains(text, "clock") {
		t.Errorf("unequal: %q", text)
	}
	c = compared(t, own, "{name: Dollars, topology: {family: torus, dims: [4]}}",
		"{name: Euros, topology: {family: torus, dims: [5]}, prices: {currency: EUR, rates: {USD: 0.9}, "+
			"rates_date: 2025-01-01}}")
	if len(c.Rankings()) != 0 || len(c.Machines[1].Accepted) != 1 {
		t.Errorf("ranked although currencies differ: %+v", c.Rankings())
	}
}

func TestMistakesInTraffic(t *testing.T) {
	err := Options{Traffic: []string{"unifrom", "tornado:4x4", "uniform", "uniform"}}.Check()
	if err == nil || !strings.Contains(err.Error(), `did you mean "uniform"`) ||
		!strings.Contains(err.Error(), `"uniform" stands there twice`) || strings.Contains(err.Error(), "tornado") {
		t.Errorf("%v", err)
	}
	_, err = Compare(context.Background(), candidates(t, sorts[0], sorts[2]), machine.CompareOptions{},
		Options{Traffic: []string{"tornado"}, Measurement: brief()})
	if err == nil || !strings.Contains(err.Error(), "Tree: traffic") {
		t.Errorf("%v", err)
	}
}

// Progress counts cycles up to all of them; an interrupt ends a comparison.
func TestProgressAndInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	last, total := 0, 0
	opt := machine.CompareOptions{Progress: func(stage string, done, of int) {
		if stage == "simulating, cycle" {
			if done < last || done > of {
				t.Errorf("%d of %d after %d", done, of, last)
			}
			last, total = done, of
		}
	}}
	own := Options{Traffic: []string{"uniform"}, Measurement: brief(), Seed: 1}
	if _, err := Compare(ctx, candidates(t, sorts[4], sorts[5]), opt, own); err != nil || last == 0 || last != total {
		t.Errorf("%d of %d cycles, %v", last, total, err)
	}
	opt.Progress = func(stage string, done, _ int) {
		if stage == "simulating, cycle" && done > 0 {
			cancel()
		}
	}
	if _, err := Compare(ctx, candidates(t, sorts[4], sorts[5]), opt, own); err == nil {
		t.Error("an interrupt is ignored")
	}
}

// Where hops take long, so does the warm-up.
func TestWarmupFollowsHops(t *testing.T) {
	for _, c := range []struct {
		config packet.Config
		want   int
	}{
		{packet.Config{}, 10_000},
		{packet.Config{Latency: []int32{70, 90}, Options: packet.Options{Pipeline: 200}}, 10_000},
		{packet.Config{Latency: []int32{700, 900}, Options: packet.Options{Pipeline: 1500}}, 48_000},
	} {
		if m := Shorter(c.config); *m.Warmup != c.want || m.Validate() != nil {
			t.Errorf("%d cycles, want %d", *m.Warmup, c.want)
		}
	}
}

// Buffers are those that the longest link of all needs, for everyone.
func TestBuffersAreEqual(t *testing.T) {
	c := compared(t, Options{Traffic: []string{"uniform"}, Measurement: brief(), Seed: 1},
		"{name: Near, topology: {family: hyperx, dims: [3, 3], terminals: 2}}",
		"{name: Far, topology: {family: hyperx, dims: [3, 3], terminals: 2}, cabling: {slack: {fixed: 30 m}}}")
	if len(c.Unequal) > 0 {
		t.Errorf("%v", c.Unequal)
	}
}

// Packets accept no more than the bounds of their traffic, on drawn members of all families, and no permutation is
// accepted above what ports carry.
func TestDrawnMembersKeepTheBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates dozens of networks")
	}
	var families []string
	for _, f := range topology.Families() {
		if f.Sizes != nil {
			families = append(families, f.Name)
		}
	}
	graphtest.FewerDraws(t, 15)
	simulated := 0
	rapid.Check(t, func(t *rapid.T) {
		family := rapid.SampledFrom(families).Draw(t, "family")
		list, err := topology.Sizes(family, topology.SizeQuery{MinNodes: 4, MaxNodes: 72, Limit: 60})
		if err != nil || len(list.Sizes) == 0 {
			return
		}
		g, err := topology.New(rapid.SampledFrom(list.Sizes).Draw(t, "member").Spec)
		if err != nil {
			t.Fatal(err)
		}
		b, err := bounds.Throughput(context.Background(), g, nil)
		if err != nil {
			t.Fatal(err)
		}
		if b.Worst > b.Longest || b.Worst > b.Uniform {
			t.Errorf("%s: worst traffic at %g, longest matching at %g, uniform at %g", family, b.Worst, b.Longest,
				b.Uniform)
		}
		names := []string{"", "min-adaptive", "fastest", "valiant", "ugal-l"}
		setup := packet.Setup{Options: packet.DefaultOptions(), Routing: rapid.SampledFrom(names).Draw(t, "routing")}
		s, err := packet.NewSubject(g, setup, 1)
		if err != nil {
			return // it takes too many virtual channels
		}
		for _, text := range []string{"uniform", "longest-matching", "permutation:" + strconv.Itoa(simulated)} {
			pattern, err := traffic.ParsePattern(text, g, 1)
			if err != nil {
				continue // too few terminals
			}
			r, err := packet.Run(context.Background(), s.Config, packet.OpenLoop{
				Pattern: pattern, Load: 1, Measurement: brief(),
			})
			if err != nil {
				return // of the virtual channels
			}
			most := bound(b, text, s.Network.Terminals())
			if math.IsNaN(most) {
				most = 1
			}
			if r.Accepted > most+r.HalfWidth+0.01 {
				t.Errorf("%s, %s, %s: %.4f accepted ± %.4f, %.4f at most", s.Config.Routing.Name(), text, family,
					r.Accepted, r.HalfWidth, most)
			}
			simulated++
		}
	})
	if t.Logf("%d runs", simulated); simulated == 0 {
		t.Error("nothing was simulated")
	}
}
