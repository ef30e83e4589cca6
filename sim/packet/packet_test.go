package packet

import (
	"context"
	"encoding/json"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

func network(t testing.TB, spec topology.Params) *routing.Network {
	t.Helper()
	g, err := topology.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	n, err := routing.NewNetwork(g)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func function(t testing.TB, n *routing.Network, name string) routing.Function {
	t.Helper()
	f, err := routing.New(n, name, routing.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// functions are the routing functions that fit a network.
func functions(n *routing.Network) (out []routing.Function) {
	for _, info := range routing.Functions() {
		if f, err := routing.New(n, info.Name, routing.Options{}); err == nil {
			out = append(out, f)
		}
	}
	return out
}

var (
	torus = topology.Torus{Dims: topology.Ints{4, 4}}
	tree  = topology.KAryNTree{Down: 4, Levels: 2}
	cubes = topology.HyperX{Dims: topology.Ints{4, 4}, Terminals: 3}
	fly   = topology.Dragonfly{P: 2, A: 4, H: 2}
)

// brief is a measurement for tests.
var brief = Measurement{Warmup: new(2000), Check: 500, Checks: 20, Batches: 5, Batch: 1000}

// TestZeroLoad: without other packets, latency is the sum of its parts.
func TestZeroLoad(t *testing.T) {
	for _, c := range []struct {
		name string
		spec topology.Params
		opt  Options
		want func(hops float64) float64
	}{
		{"torus", torus, Options{}, func(h float64) float64 { return h + 15 }},
		{"tree", tree, Options{}, func(h float64) float64 { return h + 2 + 15 }},
		{"pipeline", tree, Options{Pipeline: 3}, func(h float64) float64 { return h + 2 + 3*(h+1) + 15 }},
		{"short", tree, Options{PacketPhits: 1, Inject: 2, Eject: 4}, func(h float64) float64 { return h + 2 + 6 }},
		{"store", tree, Options{Switching: StoreAndForward}, func(h float64) float64 { return h + 2 + 15*(h+2) }},
		{"storeTorus", torus, Options{Switching: StoreAndForward}, func(h float64) float64 { return h + 15*(h+1) }},
		{"nodeLink", torus, Options{NodeLink: 3}, func(h float64) float64 { return h + 2*3 + 15 }},
		{"treeNodeLink", tree, Options{NodeLink: 3}, func(h float64) float64 { return h + 2 + 15 }},
		{"storeNodeLink", torus, Options{Switching: StoreAndForward, NodeLink: 3}, func(h float64) float64 {
			return h + 2*3 + 15*(h+2)
		}},
	} {
		n := network(t, c.spec)
		cfg := Config{Network: n, Routing: function(t, n, ""), Options: c.opt, Seed: 1}
		r, err := Run(context.Background(), cfg,
			OpenLoop{
				Pattern: traffic.Uniform(n.Terminals()), Load: 0.001,
				Measurement: Measurement{Warmup: new(2000), Batch: 12000},
			})
		if err != nil {
			t.Fatal(err)
		}
		want := c.want(r.Hops)
		if math.Abs(r.Latency.Mean-want) > 0.01*want {
			t.Errorf("%s: %.3f cycles over %.3f hops, expected %.3f", c.name, r.Latency.Mean, r.Hops, want)
		}
		sum := r.Latency.Hop + r.Latency.Propagation + r.Latency.Serialisation + r.Latency.Queueing
		if math.Abs(sum-r.Latency.Mean) > 1e-9*sum || r.Latency.Queueing < -1e-9 || r.Latency.Queueing > 0.02*want {
			t.Errorf("%s: parts of %+v", c.name, r.Latency)
		}
	}
}

// TestOnePairFillsItsLink: a stream of packets uses a long link fully if buffers
// are as large as the default, and the share that smaller ones allow otherwise.
func TestOnePairFillsItsLink(t *testing.T) {
	n := network(t, topology.Mesh{Dims: topology.Ints{2}})
	for _, c := range []struct {
		buffer int
		want   float64
	}{{0, 1}, {10, 10 * 16.0 / (100 + 100 + 16)}, {2, 2 * 16.0 / (100 + 100 + 16)}} {
		cfg := Config{
			Network: n, Routing: function(t, n, "dor"), Latency: []int32{100},
			Options: Options{VCs: 1, BufferPackets: c.buffer},
		}
		r, err := Run(context.Background(), cfg,
			OpenLoop{Pattern: traffic.Uniform(2), Load: 1, Burst: 1, Measurement: brief})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(r.Accepted-c.want) > 0.02 {
			t.Errorf("buffers of %d: %.4f accepted, expected %.4f", c.buffer, r.Accepted, c.want)
		}
		if math.Abs(r.Behind-(1-c.want)) > 0.02 || r.IsSaturated() != (c.want < 0.95) {
			t.Errorf("buffers of %d: the terminals fall behind by %.4f of the time, expected %.4f", c.buffer, r.Behind,
				1-c.want)
		}
		if warned := len(r.Warnings) > 0; warned != (c.want < 1) {
			t.Errorf("buffers of %d: warnings %q", c.buffer, r.Warnings)
		}
	}
}

// TestOutputIsShared: all terminals of a switch send to one, which takes a
// phit per cycle; every arbiter shares it out fairly.
func TestOutputIsShared(t *testing.T) {
	n := network(t, topology.KAryNTree{Down: 8, Levels: 1})
	pattern, err := traffic.HotSpot(8, 1, []int32{0})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []Arbiter{Random, RoundRobin, Age, Transit} {
		cfg := Config{Network: n, Routing: function(t, n, "tree"), Options: Options{Arbiter: a}}
		r, err := Run(context.Background(), cfg, OpenLoop{Pattern: pattern, Load: 0.9, Measurement: brief})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(8*r.Accepted-1.9) > 0.12 { // the hot terminal sends to the others
			t.Errorf("%s: %.4f phits per cycle at all terminals, expected 1.9", a, 8*r.Accepted)
		}
	}
}

// drawn is any configuration of small networks.
func drawn(t *testing.T, rt *rapid.T) Config {
	switching := rapid.SampledFrom([]Switching{CutThrough, StoreAndForward, Wormhole}).Draw(rt, "switching")
	return drawnOn(rt, small(t, rt), switching)
}

func small(t *testing.T, rt *rapid.T) *routing.Network {
	return network(t, rapid.SampledFrom([]topology.Params{torus, tree, cubes, fly}).Draw(rt, "topology"))
}

// drawnOn is any configuration of a network, as worms only with routing functions that they may have.
func drawnOn(rt *rapid.T, n *routing.Network, switching Switching) Config {
	shared := switching == Wormhole && rapid.Bool().Draw(rt, "shared")
	fit := functions(n)
	if switching == Wormhole {
		fit = slices.DeleteFunc(fit, func(f routing.Function) bool { return routing.Wormhole(f, shared) != nil })
	}
	f := rapid.SampledFrom(fit).Draw(rt, "routing")
	cfg := Config{Network: n, Routing: f, Seed: rapid.Uint64().Draw(rt, "seed"), Options: Options{
		VCs:           f.Classes() + rapid.IntRange(0, 2).Draw(rt, "spare"),
		PacketPhits:   rapid.SampledFrom([]int{1, 2, 5, 16}).Draw(rt, "phits"),
		BufferPackets: rapid.IntRange(2, 5).Draw(rt, "buffer"),
		Pipeline:      rapid.IntRange(0, 3).Draw(rt, "pipeline"),
		Arbiter:       rapid.SampledFrom([]Arbiter{Random, RoundRobin, Age, Transit}).Draw(rt, "arbiter"),
		Switching:     switching,
		SharedBuffers: shared,
		Select:        rapid.SampledFrom([]Selection{Idle, Room}).Draw(rt, "select"),
		FreeInputs:    rapid.Bool().Draw(rt, "free inputs"),
		Inject:        rapid.IntRange(0, 2).Draw(rt, "inject"),
		NodeLink:      rapid.IntRange(0, 2).Draw(rt, "node link"),
	}}
	if switching == Wormhole {
		cfg.BufferPackets, cfg.BufferPhits = 0, rapid.IntRange(1, 40).Draw(rt, "buffer phits")
	}
	return cfg
}

// TestWakesMissNothing holds the event wheel against an engine that looks at
// every switch in every cycle: what is delivered is the same.
func TestWakesMissNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		cfg := drawn(t, rt)
		n, f := cfg.Network, cfg.Routing
		open := OpenLoop{Pattern: traffic.Uniform(n.Terminals()), Load: rapid.Float64Range(0.05, 1).Draw(rt, "load")}
		run := func(always bool) *engine {
			e, err := newEngine(cfg)
			if err == nil {
				err = e.startOpen(&open)
			}
			if err != nil {
				rt.Fatal(err)
			}
			for range 800 {
				if always {
					for r := range int32(n.Routers()) {
						e.wheel.wake(r, e.now)
					}
				}
				e.cycle()
			}
			if err := newCrew(e).audit(); err != nil {
				rt.Fatal(err)
			}
			return e
		}
		a, b := run(false), run(true)
		a.stats.counts, b.stats.counts = histogram{}, histogram{}
		if x, y := a.stats.delivered, b.stats.delivered; x != y || a.stats.latency != b.stats.latency ||
			a.stats.hops != b.stats.hops {
			rt.Fatalf("%s: %d packets in %d cycles by events, %d in %d by looking everywhere", f.Name(), x,
				a.stats.latency, y, b.stats.latency)
		}
	})
}

func TestSameBytesForAnyNumberOfCores(t *testing.T) {
	n := network(t, cubes)
	cfg := Config{Network: n, Routing: function(t, n, "dal"), Seed: 3, Options: Options{VCs: 3}}
	run := func(cores int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		out, err := Sweep(context.Background(), cfg,
			OpenLoop{Pattern: traffic.Uniform(n.Terminals()), Measurement: brief}, []float64{0.2, 0.5, 0.9})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range out {
			r.Wall = 0
		}
		b, err := json.Marshal(out)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if a, b := run(1), run(4); a != b {
		t.Errorf("one core:\n%s\nfour:\n%s", a, b)
	}
}

// TestDeadlockIsFound: a ring in one class without bubbles stops, which the run
// reports with a packet.
func TestDeadlockIsFound(t *testing.T) {
	n := network(t, topology.Torus{Dims: topology.Ints{8}})
	for _, opt := range []Options{{BufferPackets: 1}, {Switching: Wormhole, BufferPhits: 4}} {
		opt.Patience = 2000
		cfg := Config{Network: n, Routing: ring{function(t, n, "dor")}, Options: opt}
		_, err := Run(context.Background(), cfg, OpenLoop{Pattern: traffic.Uniform(8), Load: 1, Measurement: brief})
		if err == nil || !strings.Contains(err.Error(), "deadlock") {
			t.Errorf("a ring in one class, %+v: %v", opt, err)
		}
	}
}

// ring is a function with its classes taken away.
type ring struct{ routing.Function }

func (ring) Classes() int { return 1 }
func (r ring) Next(h *routing.Header, at int32, state *routing.State, hops []routing.Hop) []routing.Hop {
	from := len(hops)
	hops = r.Function.Next(h, at, state, hops)
	for i := from; i < len(hops); i++ {
		hops[i].Class = 0
	}
	return hops
}

// TestHopsOfUniformTraffic: the mean is that of all pairs.
func TestHopsOfUniformTraffic(t *testing.T) {
	n := network(t, topology.Torus{Dims: topology.Ints{6, 4}})
	cfg := Config{Network: n, Routing: function(t, n, "dor")}
	r, err := Run(context.Background(), cfg, OpenLoop{Pattern: traffic.Uniform(24), Load: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	want := 2.5 * 24 / 23 // means of 1.5 and 1 over all pairs with the router itself
	if math.Abs(r.Hops-want) > 0.02 {
		t.Errorf("%.4f hops, expected %.4f", r.Hops, want)
	}
	if math.Abs(r.Accepted-0.3) > 0.01 || !r.Stationary || r.IsSaturated() {
		t.Errorf("accepted %.4f at 0.3, stationary %v", r.Accepted, r.Stationary)
	}
}

// TestJobs plays every workload on the default machine of some families.
func TestJobs(t *testing.T) {
	for _, spec := range []topology.Params{
		topology.KAryNTree{Down: 4, Levels: 3},
		topology.ThinTree{Down: 4, Up: 1, Levels: 3},
		topology.Torus{Dims: topology.Ints{4, 4, 4}},
	} {
		n := network(t, spec)
		for _, name := range traffic.ThinTreeSuite() {
			job, err := traffic.ParseJob(name+":bytes=1024", 64)
			if name == "WF" {
				job, err = traffic.ParseJob("WF:waves=3", 64)
			}
			if err != nil {
				t.Fatal(err)
			}
			place, err := traffic.ParsePlacement("consecutive", job.Tasks, n.Terminals(), 1)
			if err != nil {
				t.Fatal(err)
			}
			r, err := RunJob(context.Background(), Config{Network: n, Routing: function(t, n, "")}, job.New(), place)
			if err != nil {
				t.Fatalf("%s on %s: %v", name, spec.Family(), err)
			}
			if r.Messages == 0 || r.Cycles < 64 {
				t.Errorf("%s on %s: %+v", name, spec.Family(), r)
			}
		}
	}
}

// TestOneMessage: 40,000 bytes are 157 packets of 256, one behind the other.
func TestOneMessage(t *testing.T) {
	n := network(t, tree)
	job, err := traffic.ReadTrace(strings.NewReader("0 0 15 40000\n"), "trace")
	if err != nil {
		t.Fatal(err)
	}
	place := make([]int32, job.Tasks())
	for i := range place {
		place[i] = int32(i)
	}
	r, err := RunJob(context.Background(), Config{Network: n, Routing: function(t, n, "tree")}, job.Replay(), place)
	if err != nil {
		t.Fatal(err)
	}
	if want := int64(157*16 + 4 - 1); r.Cycles != want || r.Packets != 157 {
		t.Errorf("%d packets in %d cycles, expected 157 in %d", r.Packets, r.Cycles, want)
	}
}

// TestUndeliverable: packets without a way are counted and do not stop others.
// Worms leave phit by phit.
func TestUndeliverable(t *testing.T) {
	n := network(t, topology.Mesh{Dims: topology.Ints{4}}).Fail([]int32{1}, nil)
	for _, opt := range []Options{{}, {Switching: Wormhole, BufferPhits: 3}} {
		cfg := Config{Network: n, Routing: function(t, n, "dor"), Options: opt}
		r, err := Run(context.Background(), cfg, OpenLoop{Pattern: traffic.Uniform(4), Load: 0.2, Measurement: brief})
		if err != nil {
			t.Fatal(err)
		}
		lost := float64(r.Undeliverable) / float64(r.Packets)
		if math.Abs(lost-2.0/3) > 0.05 {
			t.Errorf("%+v: %.3f of the packets are undeliverable, expected 2/3", opt, lost)
		}
	}
}

func TestWhatIsTooLargeIsRefused(t *testing.T) {
	n := network(t, topology.Torus{Dims: topology.Ints{64, 64}})
	latency := make([]int32, 2*64*64)
	latency[5] = 1 << 22
	for name, cfg := range map[string]Config{
		"cycles": {Network: n, Routing: function(t, n, "dor"), Latency: latency},
	} {
		if _, _, err := Check(cfg); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHistogram(t *testing.T) {
	for _, v := range []int64{0, 1, 2047, 2048, 2049, 4095, 4096, 123456789, math.MaxInt64} {
		low := valueOf(binOf(v))
		if low > v || float64(v-low) > float64(v)/1024 {
			t.Errorf("%d is counted as %d", v, low)
		}
	}
	var h histogram
	for v := range int64(100) {
		h.add(v + 1)
	}
	for _, c := range [][2]int64{{50, h.quantile(0.5, 100)}, {99, h.quantile(0.99, 100)}, {100, h.quantile(1, 100)}} {
		if c[0] != c[1] {
			t.Errorf("quantile %d is %d", c[0], c[1])
		}
	}
}

func TestSteadyLoopAllocatesNothing(t *testing.T) {
	for _, c := range []struct {
		spec    topology.Params
		routing string
		opt     Options
	}{
		{cubes, "dal", Options{}},
		{cubes, "valiant", Options{}},
		{fly, "ugal-l", Options{}},
		{fly, "ugal-g", Options{}},
		{torus, "min-adaptive", Options{}},
		{torus, "min-adaptive", Options{Switching: Wormhole, BufferPhits: 8}},
	} {
		n := network(t, c.spec)
		f := function(t, n, c.routing)
		c.opt.VCs = f.Classes() + 1
		e, err := newEngine(Config{Network: n, Routing: f, Options: c.opt})
		if err != nil {
			t.Fatal(err)
		}
		if err := e.startOpen(&OpenLoop{Pattern: traffic.Uniform(n.Terminals()), Load: 0.3}); err != nil {
			t.Fatal(err)
		}
		for range 20000 {
			e.cycle()
		}
		got := testing.AllocsPerRun(10, func() {
			for range 200 {
				e.cycle()
			}
		})
		if got > 0.5 {
			t.Errorf("%s, %+v: %.1f allocations in 200 cycles", c.routing, c.opt, got)
		}
	}
}

// Jobs in subsystems that share no channel do not disturb each other: each takes as long as alone. Jobs on random
// terminals do.
func TestJobsInSubsystems(t *testing.T) {
	s, err := NewSubject(network(t, fly).Graph, Setup{Options: DefaultOptions(), Routing: "minimal"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	play := func(placement string, jobs int) *JobResult {
		t.Helper()
		suite := Suite{Workloads: []string{"all-to-all"}, Seeds: 1, Tasks: 8, Jobs: jobs, Placement: placement}
		runs, err := suite.Play(t.Context(), []Contestant{{"fly", s}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return runs[0][0][0]
	}
	alone, apart, scattered := play("subsystem", 1), play("subsystem", 9), play("random", 9)
	if alone.JobCycles != nil || len(apart.JobCycles) != 9 || slices.Max(apart.JobCycles) != apart.Cycles {
		t.Errorf("jobs end at %v of %d; alone %v", apart.JobCycles, apart.Cycles, alone.JobCycles)
	}
	if apart.JobCycles[0] != alone.Cycles || apart.Messages != 9*alone.Messages {
		t.Errorf("%d cycles and %d messages with others, %d and %d alone", apart.JobCycles[0], apart.Messages,
			alone.Cycles, alone.Messages)
	}
	runs := func(r *JobResult) float64 { return MeanJobCycles([]*JobResult{r}) }
	if runs(scattered) < 1.2*runs(apart) || runs(alone) != 0 {
		t.Errorf("scattered jobs take %g cycles, in subsystems %g", runs(scattered), runs(apart))
	}
}
