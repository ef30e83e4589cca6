package rounds

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/splitmix"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

func clex(clique, levels int) topology.CLEX {
	return topology.CLEX{Clique: clique, Levels: levels}
}

func mustRun(t testing.TB, o Options) *Result {
	t.Helper()
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// arcs lists the edges of a graph in both directions, where there are two.
func arcs(t testing.TB, s topology.CLEX) map[Edge]bool {
	t.Helper()
	g, err := topology.New(s)
	if err != nil {
		t.Fatal(err)
	}
	out := map[Edge]bool{}
	for l := range g.Links() {
		out[Edge{l.A, l.B, int(l.Level)}] = true
		if !l.Simplex {
			out[Edge{l.B, l.A, int(l.Level)}] = true
		}
	}
	return out
}

// Messages only cross links that the graph has and that work; every one is
// delivered or counted, and how many goroutines there are changes nothing.
func TestFailuresAndLoss(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOptions(t)
		o.Loss = rapid.SampledFrom([]float64{0, 0.01, 0.3}).Draw(t, "loss")
		o.Retries = rapid.IntRange(0, 2).Draw(t, "retries")
		o.FailNodes = rapid.SampledFrom([]float64{0, 0.05, 0.5}).Draw(t, "nodes")
		o.FailLinks = rapid.SampledFrom([]float64{0, 0.05, 0.5}).Draw(t, "links")
		o.Detours = new(rapid.IntRange(0, 3).Draw(t, "detours"))
		o.Destinations = Uniform
		n := int(math.Pow(float64(o.Topology.Clique), float64(o.Topology.Levels)))
		links := arcs(&testing.T{}, o.Topology)
		failed := map[Edge]bool{}
		nodes := map[int32]bool{}
		for e := range links {
			if splitmix.Mix(o.Seed^uint64(e.From)<<32^uint64(e.To))%16 == 0 {
				o.FailedLinks = append(o.FailedLinks, e)
				failed[e], failed[Edge{e.To, e.From, e.Level}] = true, true
			}
		}
		for _, v := range rapid.SliceOfN(rapid.Int32Range(0, int32(n-1)), 0, 3).Draw(t, "failed") {
			o.FailedNodes = append(o.FailedNodes, v)
			nodes[v] = true
		}
		var wrong sync.Map
		o.Wire = func(from, to int32, level int) units.Time {
			if e := (Edge{from, to, level}); !links[e] || failed[e] || nodes[from] || nodes[to] {
				wrong.Store(e, true)
			}
			return 1
		}
		o.Workers = 1
		one, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		o.Workers = 3
		three, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(one, three); diff != "" {
			t.Fatal(diff)
		}
		wrong.Range(func(e, _ any) bool {
			t.Fatalf("a message crossed %v", e)
			return false
		})
		if one.Delivered+one.Lost+one.Undeliverable != int64(n*o.Load) {
			t.Fatalf("%+v", one)
		}
	})
}

// A message is lost on each of its hops above level 1 with the chance given,
// loops excepted, and never on level 1.
func TestLoss(t *testing.T) {
	const loss = 0.1
	r := mustRun(t, Options{Topology: clex(16, 1), Load: 500, Loss: loss})
	if r.Lost > 0 || r.Delivered != 8000 {
		t.Errorf("%+v", r)
	}
	r = mustRun(t, Options{Topology: clex(32, 2), Load: 60, Loss: loss})
	hops := 1 - 1./(32*32)
	within(t, "delivered", float64(r.Delivered), float64(r.Messages)*(1-loss*hops),
		5*math.Sqrt(float64(r.Messages)*loss))
	once := r.Lost
	r = mustRun(t, Options{Topology: clex(32, 2), Load: 60, Loss: loss, Retries: 1})
	within(t, "lost twice", float64(r.Lost), float64(once)*loss, 5*math.Sqrt(float64(once)*loss))
}

func within(t *testing.T, what string, got, want, most float64) {
	t.Helper()
	if math.Abs(got-want) > most {
		t.Errorf("%s: %g, expected %g within %g", what, got, want, most)
	}
}

// binomial is the probabilities of 0 ... n successes.
func binomial(n int, p float64) []float64 {
	out := make([]float64, n+1)
	for k := range out {
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(k + 1))
		c, _ := math.Lgamma(float64(n - k + 1))
		out[k] = math.Exp(a - b - c + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
	}
	return out
}

// TestExpectations holds what can be worked out by hand against runs.
func TestExpectations(t *testing.T) {
	const n1, load = 32, 28
	// A clique by itself: a link takes one of the messages that 28 draws among 32
	// nodes give it.
	left := 0.0
	for seed := range uint64(200) {
		r := mustRun(t, Options{Topology: clex(n1, 1), Load: load, Seed: seed})
		left += float64(r.RemainingByPhase[1]) / 200
	}
	direct := n1 * n1 * (1 - math.Pow(1-1./n1, load))
	within(t, "left by the direct phase", left, n1*load-direct, 2)

	// Level 2 of C(2): the messages at a node are those of the clique's 28 x 32
	// that are for one copy, and wait if they are more than 32.
	r := mustRun(t, Options{Topology: clex(n1, 2), Load: load, Seed: 1})
	rounds := 0.0
	for x, p := range binomial(n1*load, 1./n1) {
		for m := range x {
			rounds += p * float64(1+m/n1) / load
		}
	}
	within(t, "rounds on level 2", r.Levels[1].AvgRounds, rounds, 0.02)
	for _, l := range mustRun(t, Options{Topology: clex(8, 4), Load: 7}).Levels[1:] {
		if want := math.Exp2(float64(4 - l.Level)); l.AvgHops != want {
			t.Errorf("level %d: %g hops, expected %g", l.Level, l.AvgHops, want)
		}
	}
	l := mustRun(t, Options{Topology: clex(8, 3), Load: 7, Destinations: Permutation}).Levels
	if l[2].MaxAvgLoad != 7 || l[1].MaxAvgLoad != 7 || l[0].MaxAvgLoad <= 7 {
		t.Errorf("loads under a permutation: %+v", l)
	}
}

// With the trick of Valiant, hops double when it is full, and increase by those
// of A(k) when it is within copies of C(k).
func TestValiantHops(t *testing.T) {
	for valiant, want := range [][3]float64{{4, 2, 1}, {5, 2, 1}, {6, 3, 1}, {8, 4, 2}} {
		r := mustRun(t, Options{Topology: clex(6, 3), Load: 1, Valiant: valiant, Mode: Light})
		for k := 2; k <= 3; k++ {
			if got := r.Levels[k-1].AvgHops; got != want[k-1] {
				t.Errorf("Valiant %d: %g hops on level %d, expected %g", valiant, got, k, want[k-1])
			}
		}
		if r.RemainingByPhase[0] != int64(want[0])*r.Messages {
			t.Errorf("Valiant %d: %d messages in cliques", valiant, r.RemainingByPhase[0])
		}
	}
}

// The worst pattern without the trick, every node of a copy to one other copy,
// is what it is for.
func TestValiantSpreads(t *testing.T) {
	o := Options{Topology: clex(16, 3), Load: 2, Seed: 1, Destination: func(v, _ int) int32 {
		return int32((v + 256) % 4096 / 256 * 256) // all to one node
	}}
	plain := mustRun(t, o)
	o.Valiant = 3
	mixed := mustRun(t, o)
	if plain.Levels[2].MaxRounds < 2*mixed.Levels[2].MaxRounds {
		t.Errorf("%d rounds on the top level, with Valiant's trick %d", plain.Levels[2].MaxRounds,
			mixed.Levels[2].MaxRounds)
	}
}

// A list of messages and a function give the same as each other.
func TestGivenTraffic(t *testing.T) {
	to := func(v, m int) int32 { return int32((v*7 + m*13) % 125) }
	var list []Message
	for v := range 125 {
		for m := range 3 {
			list = append(list, Message{int32(v), to(v, m)})
		}
	}
	a := mustRun(t, Options{Topology: clex(5, 3), Load: 3, Destination: to})
	b := mustRun(t, Options{Topology: clex(5, 3), Messages: list})
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
	if r := mustRun(t, Options{Topology: clex(5, 3), Messages: []Message{}}); r.Delivered != 0 || r.Messages != 0 {
		t.Errorf("%+v", r)
	}
	if r := mustRun(t, Options{Topology: clex(5, 3), Messages: []Message{{3, 99}}}); r.Delivered != 1 || r.Rounds != 7 {
		t.Errorf("%+v", r)
	}
}

// Few failures strand few messages: detours find a way.
func TestDetours(t *testing.T) {
	for _, bundled := range []bool{false, true} {
		s := clex(16, 3)
		s.Bundled = bundled
		o := Options{Topology: s, Load: 4, FailNodes: 0.02, FailLinks: 0.02, Seed: 3, Detours: new(0)}
		none := mustRun(t, o)
		o.Detours = new(3)
		some := mustRun(t, o)
		before, after := none.Undeliverable-none.DeadEnds, some.Undeliverable-some.DeadEnds
		if some.DeadEnds == 0 || before == 0 || after*100 > before {
			t.Errorf("bundled %v: %d stranded, with detours %d (%d dead ends)", bundled, before, after, some.DeadEnds)
		}
	}
	// A clique that is cut off: none of its messages get out, and all others do.
	o := Options{Topology: clex(4, 2), Load: 50}
	for v := range int32(4) {
		for u := int32(4); u < 16; u++ {
			o.FailedLinks = append(o.FailedLinks, Edge{v, u, 1}, Edge{u, v, 1})
		}
	}
	across := int64(0)
	o.Destination = func(v, m int) int32 { return int32(m % 16) }
	for v := range 16 {
		for m := range 50 {
			if (v < 4) != (m%16 < 4) {
				across++
			}
		}
	}
	if r := mustRun(t, o); r.Undeliverable != across || r.DeadEnds != 0 {
		t.Errorf("%d undeliverable, expected %d", r.Undeliverable, across)
	}
}

func TestBundledWire(t *testing.T) {
	for _, s := range []topology.CLEX{clex(2, 1), clex(5, 1), clex(3, 2), clex(4, 3), clex(3, 5)} {
		s.Bundled = true
		g, err := topology.New(s)
		if err != nil {
			t.Fatal(err)
		}
		var links []units.Time
		for range g.Links() {
			links = append(links, units.Time(len(links)))
		}
		wire, err := BundledWire(s, links)
		if err != nil {
			t.Fatal(err)
		}
		m := newMachine(s.Clique, s.Levels, true)
		i := units.Time(0)
		for l := range g.Links() {
			if got := wire(l.A, l.B, int(l.Level)); got != i {
				t.Fatalf("link %v from %d to %d: %v", i, l.A, l.B, got)
			}
			back := l.Level == 0 || m.along(int(l.B), int(l.Level)+1, 0) == int(l.A)
			if got := wire(l.B, l.A, int(l.Level)); back && got != i {
				t.Fatalf("link %v from %d to %d: %v", i, l.B, l.A, got)
			}
			i++
		}
		if _, err := BundledWire(s, links[1:]); err == nil {
			t.Error("a delay too few is taken")
		}
	}
}

func TestMistakes(t *testing.T) {
	_, err := Run(context.Background(), Options{
		Topology: clex(4, 2), Mode: "calm", Destinations: "home", Valiant: 3, Loss: 1, FailNodes: 2,
		FailedNodes: []int32{16}, FailedLinks: []Edge{{0, 1, 2}}, Retries: -1, Alpha: -1,
	})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"calm", "home", "Load", "level 3", "Loss", "FailNodes", "node 16", "on level 2", "Retries", "Alpha",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("nothing about %q in: %v", want, err)
		}
	}
	for _, o := range []Options{
		{Load: 1},
		{Topology: clex(1, 1), Load: 1},
		{Topology: clex(5000, 1), Load: 1},
		{Topology: clex(4, 2), Messages: []Message{{0, 16}}},
		{Topology: clex(4, 2), Load: 1 << 30},
		{Topology: clex(4, 2), Load: 1, Destination: func(int, int) int32 { return -1 }},
		{Topology: clex(4, 2), Load: 1, Wire: func(_, _ int32, _ int) units.Time { return -1 }},
		{Topology: clex(4, 2), Load: 1, Wire: func(_, _ int32, _ int) units.Time { return units.Time(math.NaN()) }},
		{Topology: clex(4, 2), Load: 1, Wire: func(_, _ int32, _ int) units.Time { return 1e9 }},
	} {
		if _, err := Run(context.Background(), o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var calls atomic.Int64
	_, err := Run(ctx, Options{Topology: clex(16, 3), Load: 3, Wire: func(_, _ int32, _ int) units.Time {
		if calls.Add(1) == 1000 {
			cancel()
		}
		return 1
	}})
	if err == nil {
		t.Error("no error")
	}
}

// The torus of the paper's million nodes, by its formulas.
func TestTorus(t *testing.T) {
	r := Result{
		Nodes: 1 << 20, Rounds: 20.88, Hops: 17.63,
		Levels: []Level{
			{1, 11, 13.69, 33.44, 10.63},
			{2, 2, 4.11, 30.33, 4},
			{3, 2, 2.05, 28.06, 2},
			{4, 2, 1.03, 28, 1},
		},
	}
	got := r.Torus()
	want := Torus{1 << 20, 76.2, 3.65, 4.32, 2.51, 2.36, 0.00656, 0.01312, 8.64, 4.32}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b float64) bool {
		return math.Abs(a-b) < 0.005*math.Abs(a)
	})); diff != "" {
		t.Error(diff)
	}
}

// The steady loop allocates nothing: 65,536 calls of A(1) and the hops between
// them take fewer allocations than there are cliques.
func TestNoAllocations(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	mustRun(t, Options{Topology: clex(8, 5), Load: 7, Seed: 1, Workers: 2})
	runtime.ReadMemStats(&after)
	if n := after.Mallocs - before.Mallocs; n > 1000 {
		t.Errorf("%d allocations", n)
	}
}

func long(t testing.TB) {
	if os.Getenv("PLENUM_LONG") != "1" {
		t.Skip("a million nodes; set PLENUM_LONG=1")
	}
}

// tables are the paper's. The greatest mean loads of levels 1 and 2 depend on the seed;
// spread is how far below and above ten seeds were: the published ones are within. The
// 9.02 of Table III, level 1, is not a multiple of 1/32, and is not compared.
var tables = map[string]struct {
	o      Options
	levels []Level
	spread [2][2]float64 // least and most load of levels 1 and 2
}{
	"I, dense": {Options{Load: 28}, []Level{
		{1, 11, 13.69, 33.44, 10.63},
		{2, 2, 4.11, 30.33, 4},
		{3, 2, 2.05, 28.06, 2},
		{4, 2, 1.03, 28, 1},
	}, [2][2]float64{{32.7, 35.2}, {29.9, 32.4}}},
	"III, light": {
		Options{Load: 4, Mode: Light},
		[]Level{{1, 5, 9.02, 9.02, 10.53}, {2, 1, 4, 7.32, 4}, {3, 1, 2, 4.02, 2}, {4, 1, 1, 4, 1}},
		[2][2]float64{{9.6, 12.4}, {6, 10.8}},
	},
}

// TestSharedOrder holds the greatest load of A(2) against what one order of edges for
// each copy gives, on C(4) of 8-cliques: of the eight copies of C(3), each has its
// messages for another on nodes that hold X of them, X being Poisson, and sends them
// over the first X edges of its order. The load of a copy of C(2) is then the sum over
// the copies of C(3) of the chance that X is above the rank of the edge that leads
// there. It is the same, up to chance, for all eight copies at the same edge, which
// orders drawn by the nodes or by pairs of copies would not give.
func TestSharedOrder(t *testing.T) {
	const n1, load, seeds = 8, 2, 40
	m := newMachine(n1, 4, false)
	chance := make([]float64, n1) // that X is above a rank; the first n1 edges only
	below, term := 0.0, math.Exp(-load)
	for rank := range chance {
		below += term
		term *= float64(load) / float64(rank+1)
		chance[rank] = 1 - below
	}
	rng := rand.New(rand.NewPCG(1, 2))
	expected, got := 0.0, 0.0
	for range 4000 {
		sums := make([]float64, n1)
		for range n1 {
			for rank, e := range rng.Perm(n1) {
				sums[e] += chance[rank] / 4000
			}
		}
		expected += slices.Max(sums)
	}
	for seed := range uint64(seeds) {
		r := mustRun(t, Options{Topology: clex(n1, 4), Load: load, Mode: Light, Seed: seed})
		got += r.Levels[1].MaxAvgLoad / seeds
	}
	// Chance adds to the greatest of 64 copies, of 64 nodes and so 128 messages each.
	if m.power[2] != 64 || got < expected || got > expected+0.7 {
		t.Errorf("the greatest mean load of level 2 is %.2f, mean over %d seeds; expected %.2f", got, seeds, expected)
	}
}

// TestTables runs Tables I and III over five seeds.
func TestTables(t *testing.T) {
	long(t)
	for name, table := range tables {
		for seed := range uint64(5) {
			o := table.o
			o.Topology, o.Seed = clex(32, 4), seed+1
			start := time.Now()
			r := mustRun(t, o)
			took := time.Since(start)
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			t.Logf("Table %s, seed %d: %.1f s, %.0f million message-hops/s, %d MB from the system", name, o.Seed,
				took.Seconds(),
				r.Hops*float64(r.Messages)/took.Seconds()/1e6, m.Sys>>20)
			for i, want := range table.levels {
				got := r.Levels[i]
				t.Logf("%+v", got)
				at := fmt.Sprintf("Table %s, seed %d, level %d", name, o.Seed, i+1)
				slack := 0
				if i == 0 {
					slack = 3
				}
				within(t, at+", rounds", float64(got.MaxRounds), float64(want.MaxRounds), float64(slack))
				within(t, at+", mean rounds", got.AvgRounds, want.AvgRounds, 0.03*want.AvgRounds)
				within(t, at+", hops", got.AvgHops, want.AvgHops, 0.03*want.AvgHops)
				if i >= 2 {
					within(t, at+", load", got.MaxAvgLoad, want.MaxAvgLoad, 0.01*want.MaxAvgLoad)
				} else if s := table.spread[i]; got.MaxAvgLoad < s[0] || got.MaxAvgLoad > s[1] {
					t.Errorf("%s: load %g, expected from %g to %g", at, got.MaxAvgLoad, s[0], s[1])
				}
			}
		}
	}
}
