package machine_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/machine/subject"
	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// simulatesAsPlanned sends single packets over a network of a plan and holds them against the delays of the plan: each
// takes as long as its planned path and its own length, to a cycle a link. It returns false for a network that cannot
// be simulated with a routing.
func simulatesAsPlanned(t rapid.TB, p *machine.Result, n *machine.Network, name string) bool {
	t.Helper()
	setup := packet.Setup{Options: packet.DefaultOptions(), Routing: name}
	s, err := subject.Of(p, n, setup, 3, subject.Options{})
	if err != nil {
		return false // of routing or of a clock
	}
	opt := packet.OnePacketOptions{Pairs: 300}
	if opt.Planned, err = s.Planned(); err != nil {
		t.Fatal(err)
	}
	one, err := packet.SendOnePacket(context.Background(), s.Config, opt)
	if err != nil {
		t.Fatal(err)
	}
	if one.Pairs == 0 {
		return false
	}
	q := one.Planned
	const rounding = 1e-3
	if q.Slower > 1+rounding || q.Faster > 1+rounding || math.Abs(one.Latency.Queueing) > rounding {
		t.Errorf("%s, %s: %v cycles a link slower than planned, %v faster, %v in queues",
			s.Network.Graph.Family(), s.Config.Routing.Name(), q.Slower, q.Faster, one.Latency.Queueing)
	}
	if d := n.Delay; one.Exact && one.Undeliverable == 0 && d.Exact {
		// The routed delay of all pairs, and the bounds of any path.
		seen := s.Network
		routed, err := delay.MeasureRouted(context.Background(), seen.Graph, name, seen.Model, seen.Links,
			delay.Options{Seed: s.Config.Seed})
		if err != nil {
			t.Fatal(err)
		}
		cycles := func(d units.Time) float64 { return float64(s.Clock.Cycles(d)) }
		of, mean, most := seen.Graph.Family()+", "+s.Config.Routing.Name(), cycles(routed.Mean), cycles(routed.Max)
		off, above := q.Mean-mean, q.Max-most
		if _, drawn := routing.ViaAny(s.Config.Routing); drawn {
			// The mean over all intermediates, of which the packets of two routers take one.
			routers := float64(len(slices.Compact(slices.Sorted(slices.Values(s.Config.Network.Home)))))
			pairs := max(routers*(routers-1), 1)
			off, above = max(0, math.Abs(off)-6*most/2/math.Sqrt(pairs)), max(0, above)
		}
		if math.Abs(off) > rounding*(1+mean) || math.Abs(above) > rounding*(1+most) {
			t.Errorf("%s: planned %v and %v cycles, routed %v and %v", of, q.Mean, q.Max, mean, most)
		}
		if mean < cycles(d.FastestMean)*(1-1e-6)-rounding {
			t.Errorf("%s: %v cycles, faster than the fastest paths, %v", of, mean, d.FastestMean)
		}
		reached := map[string][2]units.Time{
			"fastest": {d.FastestMean, d.FastestMax}, "fastest-minimal": {d.LeastMean, d.LeastMax},
		}
		if want, ok := reached[name]; ok {
			off, above := math.Abs(mean-cycles(want[0])), math.Abs(most-cycles(want[1]))
			if off > rounding*(1+mean) || above > rounding*(1+most) {
				t.Errorf("%s: %v and %v cycles, planned %v and %v", of, mean, most, want[0], want[1])
			}
		}
		if name == "" {
			simulatesAlmostIdle(t, s.Config, one)
		}
	}
	return true
}

// simulatesAlmostIdle holds a run at almost no load against single packets, where these take the same paths.
func simulatesAlmostIdle(t rapid.TB, cfg packet.Config, one *packet.OnePacket) {
	t.Helper()
	if !routing.IsSinglePath(cfg.Routing) || !routing.IsUndecided(cfg.Routing) {
		return
	}
	pattern, err := traffic.ParsePattern("uniform", cfg.Network.Graph, 1)
	if err != nil {
		return
	}
	m := packet.Measurement{Warmup: new(2_000), Batches: 4, Batch: 20_000}
	r, err := packet.Run(context.Background(), cfg, packet.OpenLoop{Pattern: pattern, Load: 0.01, Measurement: m})
	if err != nil {
		t.Fatal(err)
	}
	// Pairs are drawn: no mean is farther off than six times its standard error, of latencies up to the greatest.
	idle := r.Latency.Hop + r.Latency.Propagation
	want := one.Latency.Hop + one.Latency.Propagation
	if off := 6 * one.Latency.Max / 2 / math.Sqrt(float64(max(r.Delivered, 1))); math.Abs(idle-want) > off {
		t.Errorf("%s: %v cycles at load 0.01, %v of single packets", cfg.Network.Graph.Family(), idle, want)
	}
}

// Single packets take the delays of the plan, in random machines of every family, in rooms and in containers.
func TestOnePacketTakesThePlannedDelay(t *testing.T) {
	graphtest.FewerDraws(t, 6)
	eachFamily(t, func(t *testing.T, family string) {
		sent := 0
		rapid.Check(t, func(t *rapid.T) {
			var s *spec.Spec
			if rapid.IntRange(0, 3).Draw(t, "all") == 0 {
				s = drawSpec(t, family) // seldom a machine that can be planned
			} else {
				s = &spec.Spec{Topology: topology.Spec{Params: drawTopology(t, family)}}
				if rapid.Bool().Draw(t, "containers") {
					pitch := spec.Pitch(rapid.Float64Range(0.3, 3).Draw(t, "pitch"))
					s.Room.Containers = []spec.Container{{
						Name: "cube", Count: []int{6, 6, 6}, Pitch: []spec.Pitch{pitch},
					}}
				}
			}
			drawDelays(t, s)
			r, err := machine.Plan(context.Background(), s)
			if err != nil || r.Links.Count() == 0 {
				return
			}
			if simulatesAsPlanned(t, r, &r.Network, "") {
				sent++
			}
			some := rapid.SliceOfNDistinct(rapid.SampledFrom(routingNames()), 6, 6, rapid.ID).Draw(t, "routings")
			if r.Links.Count() < 500 {
				simulatesRoutings(t, r, &r.Network, some)
			}
		})
		t.Logf("%d machines", sent)
	})
}

// routingNames are those of all routing functions.
func routingNames() []string {
	var out []string
	for _, f := range routing.Functions() {
		out = append(out, f.Name)
	}
	return out
}

// simulatesRoutings is simulatesAsPlanned with those routing functions that fit, of which it returns the number.
func simulatesRoutings(t rapid.TB, p *machine.Result, n *machine.Network, names []string) (fit int) {
	t.Helper()
	for _, name := range names {
		if simulatesAsPlanned(t, p, n, name) {
			fit++
		}
	}
	return fit
}

// What a plan measures along a routing function is what single packets take with the usual seed, with every function
// that fits, in rooms where links of a kind have many lengths.
func TestPlannedRoutingsAreSimulated(t *testing.T) {
	for _, c := range []struct {
		topology string
		fit      int    // functions
		planned  string // one of them that the plan measures
	}{
		{"{family: random-regular, nodes: 48, degree: 5, seed: 3}", 8, "fastest"},
		{"{family: torus, dims: [4, 3, 4]}", 10, ""},
		{"{family: mesh, dims: [5, 5]}", 9, ""},
		{"{family: hyperx, dims: [4, 3], terminals: 2}", 17, "clos-ad-random"},
		{"{family: dragonfly, p: 2, a: 4, h: 2}", 9, "ugal-l"},
		{"{family: slim-fly, q: 5}", 8, ""},
		{"{family: fat-tree, nodes: 64, radix: 16}", 9, "fastest-minimal"},
		{"{family: bcube, radix: 4, levels: 2}", 8, ""},
		{"{family: clex, clique: 3, levels: 3, bundled: true}", 10, "clex-recursive"},
		{"{family: clex, clique: 6, levels: 2, bundled: true, local: {family: hyperx, dims: [3, 2]}}", 10, "clex"},
		{
			"{family: clex, clique: 9, levels: 2, bundled: true, local: {family: torus, dims: [3, 3]}}", 10,
			"clex-recursive",
		},
		{"{family: dragonfly, p: 1, a: 8, h: 1, groups: 5, local: {family: mesh, dims: [4, 2]}}", 9, "ugal-l"},
	} {
		text := "{topology: " + c.topology + ", cabling: {slack: {fixed: 1 m}}, room: {racks_per_row: 3}}"
		s, err := machine.Parse("m.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		if got := simulatesRoutings(t, p, &p.Network, routingNames()); got != c.fit {
			t.Errorf("%s: %d routing functions fit", c.topology, got)
		}
		if c.planned == "" {
			continue
		}
		// The plan draws what packets draw with the usual seed.
		s.Delay.Routing = []string{c.planned}
		if p, err = machine.Plan(context.Background(), s); err != nil {
			t.Fatal(err)
		}
		const usual = 1
		setup := packet.Setup{Options: packet.DefaultOptions(), Routing: c.planned}
		on, err := subject.Of(p, &p.Network, setup, usual, subject.Options{})
		if err != nil {
			t.Fatal(err)
		}
		planned, err := on.Planned()
		if err != nil {
			t.Fatal(err)
		}
		one, err := packet.SendOnePacket(context.Background(), on.Config, packet.OnePacketOptions{Planned: planned})
		if err != nil {
			t.Fatal(err)
		}
		want := float64(on.Clock.Cycles(p.Network.Routed[0].Mean))
		if math.Abs(one.Planned.Mean-want) > 1e-3*(1+want) {
			t.Errorf("%s, %s: %v cycles of single packets, %v planned", c.topology, c.planned, one.Planned.Mean, want)
		}
	}
}

// drawDelays draws hop delays, of end nodes too.
func drawDelays(t *rapid.T, s *spec.Spec) {
	g, err := topology.New(s.Topology)
	if err != nil {
		return
	}
	s.Delay.Hop = map[string]units.Time{}
	for _, k := range g.Kinds() {
		if rapid.Bool().Draw(t, "own hop") {
			s.Delay.Hop[k.Name] = units.Time(rapid.Float64Range(0, 700).Draw(t, "hop"))
		}
	}
}

// Single packets take the delays of every fabric of machines that have several.
func TestOnePacketOfFabrics(t *testing.T) {
	for _, text := range []string{pod, direct} {
		r := buyAny(t, text)
		for _, f := range r.Fabrics {
			if !simulatesAsPlanned(t, r, f, "") {
				t.Errorf("%s is not simulated", f.Name)
			}
			simulatesRoutings(t, r, f, routingNames())
		}
	}
	graphtest.FewerDraws(t, 10)
	rapid.Check(t, func(t *rapid.T) {
		pick := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
		direct := func(topology, ports string) string {
			return "{family: " + topology + "}\n  ends: [{boxes: blade, ports: " + ports
		}
		r, err := planParsed(fmt.Sprintf(`
boxes: [{name: blade, count: 16, part: generic-torus-node-1u, per_rack: %s}]
fabrics:
- name: first
  topology: %s}]
- name: rails
  topology: %s
  ends: [{boxes: blade, ports: 7-8}]
  delay: {hop: {switch: %s ns}}
- name: planes
  topology: {family: leaf-spine, rails: 2, planes: 2, down: 8, up: 4, spines: 4}
  ends: [{boxes: blade, ports: 9-12}]
  delay: {hop: {blade: %s ns}}
room: {rows: %s, racks_per_row: 16}
`, pick("per rack", "2", "8"), pick("first", direct("torus, dims: [4, 4]", "1-4"), direct("mesh, dims: [2, 8]", "1-3"),
			direct("hypercube, dims: [4]", "1-4"), direct("mesh, dims: [16]", "1-2")),
			pick("second", "{family: fat-tree, radix: 8, rails: 2}", "{family: rail-only, rails: 2, radix: 16}",
				"{family: zcube, side: 4}"), pick("switch", "0", "77", "350"), pick("adapter", "0", "33.3", "601"),
			pick("rows", "2", "3")))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Fabrics {
			if !simulatesAsPlanned(t, r, f, "") {
				t.Errorf("%s is not simulated", f.Name)
			}
		}
	})
}

// planParsed plans the text of a machine file.
func planParsed(text string) (*machine.Result, error) {
	s, err := machine.Parse("m.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	return machine.Plan(context.Background(), s)
}
