package packet

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// fields are the paths of the mistakes in an error, with blanks between them.
func fields(err error) string {
	var out []string
	for _, e := range diag.Fields(err) {
		out = append(out, e.Path)
	}
	return strings.Join(out, " ")
}

// Every wrong field is named, and nothing else; what is at the edge of its range is
// right.
func TestSetupByField(t *testing.T) {
	for _, c := range []struct {
		field string // "" for right
		set   func(*Setup)
	}{
		{"", func(*Setup) {}},
		{"VCs", func(s *Setup) { s.VCs = 65 }},
		{"", func(s *Setup) { s.VCs = 64 }},
		{"PacketPhits", func(s *Setup) { s.PacketPhits = 0 }},
		{"PacketPhits", func(s *Setup) { s.PacketPhits = 1<<16 + 1 }},
		{"", func(s *Setup) { s.PacketPhits = 1 << 16 }},
		{"PhitBytes", func(s *Setup) { s.PhitBytes = 0 }},
		{"BufferPackets", func(s *Setup) { s.BufferPackets = -1 }},
		{"BufferPackets", func(s *Setup) { s.BufferPackets = math.MaxInt }},
		{"BufferPhits", func(s *Setup) { s.BufferPhits = 8 }},
		{"", func(s *Setup) { s.BufferPhits, s.Switching = 8, Wormhole }},
		{"BufferPhits", func(s *Setup) { s.BufferPhits, s.BufferPackets, s.Switching = 8, 1, Wormhole }},
		{"PacketPhits", func(s *Setup) { s.PacketPhits, s.InjectionPackets, s.Switching = 1<<16, 1<<15, Wormhole }},
		{"", func(s *Setup) { s.PacketPhits, s.InjectionPackets, s.Switching = 1<<16, 1<<15-1, Wormhole }},
		{"SharedBuffers", func(s *Setup) { s.SharedBuffers = true }},
		{"InjectionPackets", func(s *Setup) { s.InjectionPackets = 0 }},
		{"Pipeline", func(s *Setup) { s.Pipeline = -1 }},
		{"Inject Eject", func(s *Setup) { s.Inject, s.Eject = 1<<16+1, -1 }},
		{"NodeLink", func(s *Setup) { s.NodeLink = -1 }},
		{"NodeLink", func(s *Setup) { s.NodeLink = 1<<16 + 1 }},
		{"Patience", func(s *Setup) { s.Patience = 0 }},
		{"Switching", func(s *Setup) { s.Switching = "worm" }},
		{"Arbiter", func(s *Setup) { s.Arbiter = "" }},
		{"Select", func(s *Setup) { s.Select = "any" }},
		{"Threshold", func(s *Setup) { s.Threshold = math.MaxInt }},
		{"", func(s *Setup) { s.Threshold = 1 << 30 }},
	} {
		s := Setup{Options: DefaultOptions()}
		c.set(&s)
		if got := fields(s.Check()); got != c.field {
			t.Errorf("%v; want a mistake in %q", s.Check(), c.field)
		}
	}
}

func TestMeasurementByField(t *testing.T) {
	for _, c := range []struct {
		field string
		set   func(*Measurement)
	}{
		{"", func(*Measurement) {}},
		{"", func(m *Measurement) { m.Warmup = new(0) }},
		{"Warmup", func(m *Measurement) { m.Warmup = new(-1) }},
		{"Warmup", func(m *Measurement) { m.Warmup = new(math.MaxInt32) }},
		{"", func(m *Measurement) { m.Warmup = new(1_000_000_000) }},
		{"Check Checks", func(m *Measurement) { m.Check, m.Checks = -1, 1_000_001 }},
		{"Batches", func(m *Measurement) { m.Batches = 0 }},
		{"Batch", func(m *Measurement) { m.Batch = 1 << 31 }},
		{"Batch", func(m *Measurement) { m.Batch = math.MaxInt }},
		{"Batches", func(m *Measurement) { m.Batches, m.Batch = 1001, 1_000_000 }},
		{"", func(m *Measurement) { m.Batches, m.Batch = 1000, 1_000_000 }},
		{"Tolerance", func(m *Measurement) { m.Tolerance = 1 }},
		{"Tolerance", func(m *Measurement) { m.Tolerance = math.NaN() }},
	} {
		m := DefaultMeasurement()
		c.set(&m)
		if got := fields(m.Validate()); got != c.field {
			t.Errorf("%v; want a mistake in %q", m.Validate(), c.field)
		}
	}
}

// What is left out has its default; what is wrong is refused by whoever runs.
func TestRunsRefuseByField(t *testing.T) {
	n := network(t, torus)
	cfg := Config{Network: n, Routing: function(t, n, "dor")}
	open := OpenLoop{Pattern: traffic.Uniform(n.Terminals()), Load: 0.5}
	open.Warmup = new(-1)
	if _, err := Run(context.Background(), cfg, open); fields(err) != "Warmup" {
		t.Error(err)
	}
	if _, err := FindSaturation(context.Background(), cfg, open); fields(err) != "Warmup" {
		t.Error(err)
	}
	open.Warmup = nil
	for _, load := range []float64{0, 1.1, math.NaN(), 5e-324} {
		open.Load = load
		if _, err := Run(context.Background(), cfg, open); fields(err) != "Load" {
			t.Errorf("load %g: %v", load, err)
		}
	}
	cfg.VCs = 1
	if _, _, err := Check(cfg); fields(err) != "VCs" {
		t.Error(err)
	}
}

// A setup is refused on a network by the field that does not suit it.
func TestSubjectByField(t *testing.T) {
	g, err := topology.New(topology.Torus{Dims: topology.Ints{4, 4}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		field string
		set   func(*Setup)
	}{
		{"Routing", func(s *Setup) { s.Routing = "dal" }},
		{"Routing", func(s *Setup) { s.Routing = "dore" }},
		{"Failures.Links", func(s *Setup) { s.Failures.Links = "101%" }},
		{"Failures.Links", func(s *Setup) { s.Failures.Links = "(0,0)--(2,2)" }},
		{"Failures.Links", func(s *Setup) { s.Failures.Links = "(0,0)--" }},
		{"Failures.Vertices", func(s *Setup) { s.Failures.Vertices = "(9,9)" }},
	} {
		s := Setup{Options: DefaultOptions()}
		c.set(&s)
		if _, err := NewSubject(g, s, 1); fields(err) != c.field {
			t.Errorf("%v; want a mistake in %s", err, c.field)
		}
	}
	s, err := NewSubject(g, Setup{Routing: "updown", Failures: Failures{Links: "10%", Vertices: "(1,2);(3,3)"}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if s.FailedLinks != 3 || s.FailedVertices != 2 {
		t.Errorf("%d links and %d vertices fail", s.FailedLinks, s.FailedVertices)
	}
	other, err := s.WithSeed(2)
	if err != nil || other.Network == s.Network || other.Seed != 2 || s.Seed != 1 {
		t.Errorf("%v, seeds %d and %d", err, s.Seed, other.Seed)
	}
}

func TestParseLoads(t *testing.T) {
	for _, c := range []struct {
		text string
		want int // loads, 0 for wrong
	}{
		{"0.5", 1},
		{"0.1, 1", 2},
		{"0.1:1.0:0.1", 10},
		{"0.1:0.3:0.1,1", 4},
		{"0", 0},
		{"1.5", 0},
		{"NaN", 0},
		{"0.3:0.1:0.1", 0},
		{"0.1:0.2", 0},
		{"0.1:0.2:0.1:0.1", 0},
		{"0.1:1:1e-9", 0},
		{"", 0},
	} {
		got, err := ParseLoads(c.text)
		if len(got) != c.want || (fields(err) == "Load") != (c.want == 0) {
			t.Errorf("%q: %v, %v", c.text, got, err)
		}
	}
}

func TestSuiteByField(t *testing.T) {
	names := ParseWorkloads("W2,BU")
	if len(names) != 2 || len(ParseWorkloads("W2:bytes=5,tasks=3")) != 1 || len(ParseWorkloads("all")) != 7 {
		t.Error(names)
	}
	if w, err := ParseWeights("bu=0.5", names); err != nil || w[0] != 1 || w[1] != 0.5 {
		t.Error(w, err)
	}
	for _, text := range []string{"BU", "BU=-1", "BU=Inf", "W9=1", "W2=0,BU=0"} {
		if _, err := ParseWeights(text, names); fields(err) != "Weights" {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := (&Suite{Workloads: names, Seeds: 1001, Tasks: -1, Weights: []float64{1}}).Check(); fields(err) !=
		"Tasks Seeds Weights" {
		t.Error(err)
	}
	g, err := topology.New(topology.Torus{Dims: topology.Ints{4}})
	if err != nil {
		t.Fatal(err)
	}
	sub, err := NewSubject(g, Setup{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		suite Suite
		field string
	}{
		{Suite{Workloads: []string{"W9"}, Seeds: 1, Placement: "random"}, "Workloads"},
		{Suite{Workloads: names, Tasks: math.MaxInt32, Seeds: 1, Placement: "random"}, "Workloads"},
		{Suite{Workloads: names, Seeds: 1, Placement: "sideways"}, "Placement"},
	} {
		if _, err := c.suite.Play(context.Background(), []Contestant{{"a ring", sub}}, nil); fields(err) != c.field {
			t.Errorf("%v; want a mistake in %s", err, c.field)
		}
	}
}

// Times are cycles over the clock.
func TestTimes(t *testing.T) {
	got := Times(Latency{Mean: 10, P99: 20, Queueing: 5}, 2)
	if want := (Latencies[units.Time]{Mean: 5, P99: 10, Queueing: 2.5}); got != want {
		t.Errorf("%+v", got)
	}
}

// TestEqualTerms: where nothing is asked for, all routings have the same virtual channels and buffers; those of one
// that needs more share the room that the others have.
func TestEqualTerms(t *testing.T) {
	for _, c := range []struct {
		params  topology.Params
		routing string
		vcs     int // of the port
		buffer  int // packets of each, 32 in all where they divide them
	}{
		{topology.Torus{Dims: topology.Ints{4, 4}}, "dor", 8, 4},
		{topology.KAryNTree{Down: 4, Levels: 2}, "tree", 8, 4},
		{topology.Mesh{Dims: topology.Ints{24}}, "minimal", 23, 2},
	} {
		n := network(t, c.params)
		cfg := Config{Network: n, Routing: function(t, n, c.routing)}
		if cfg.Routing.Classes() > FairVCs != (c.vcs > FairVCs) {
			t.Fatalf("%s needs %d virtual channels", c.routing, cfg.Routing.Classes())
		}
		buffer, warnings, err := Check(cfg)
		if err != nil || cfg.Channels() != c.vcs || buffer.Packets != c.buffer || len(warnings) > 0 {
			t.Errorf("%s: %d virtual channels with buffers of %d packets (%v, %v), not %d of %d", c.routing,
				cfg.Channels(), buffer.Packets, warnings, err, c.vcs, c.buffer)
		}
		cfg.VCs = Needed
		if least := cfg.Routing.Classes(); cfg.Channels() != least {
			t.Errorf("%s: %d virtual channels where %d are needed", c.routing, cfg.Channels(), least)
		}
	}
}
