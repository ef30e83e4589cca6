package delay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

func measured(t testing.TB, g topology.Graph, m Model, l Links, opt Options) *Result {
	t.Helper()
	r, err := Paths(context.Background(), g, topology.NewCSR(g), m, l, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var close9 = cmp.Options{
	cmp.Comparer(func(a, b units.Time) bool { return near(float64(a), float64(b)) }),
	cmp.Comparer(func(a, b units.Length) bool { return near(float64(a), float64(b)) }),
	cmp.Comparer(near),
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a)) }

// agree compares a result with the brute-force one and its distribution with
// the least delays of all pairs.
func agree(t interface{ Fatalf(string, ...any) }, got, want *Result, leasts []float64) {
	distribution := cmpopts.IgnoreFields(Result{}, "P50", "P90", "P99", "Resolution", "Histogram")
	if d := cmp.Diff(want, got, close9, distribution); d != "" {
		t.Fatalf("brute force (-) and search (+) differ:\n%s", d)
	}
	bins := make([]int64, len(got.Histogram.Pairs))
	for _, d := range leasts {
		bins[int((d+1e-7)/float64(got.Histogram.Width))]++
	}
	if d := cmp.Diff(bins, got.Histogram.Pairs); d != "" {
		t.Fatalf("histogram (-want +got), width %v:\n%s", got.Histogram.Width, d)
	}
	slices.Sort(leasts)
	for p, v := range map[float64]units.Time{0.5: got.P50, 0.9: got.P90, 0.99: got.P99} {
		if len(leasts) == 0 {
			continue
		}
		exact := leasts[int(math.Ceil(p*float64(len(leasts))))-1]
		if float64(v) < exact-1e-6 || float64(v) > exact+float64(got.Resolution)+1e-6 {
			t.Fatalf("percentile %g is %v; want %g to %v more", p, v, exact, got.Resolution)
		}
	}
}

func TestPathsEqualBruteForceOnRandomGraphs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		g := randomGraph(rng)
		m, l := model(g), lengths(g, rng, 1+rng.IntN(12))
		c := topology.NewCSR(g)
		want, leasts := brute(g, c, m, l)
		got, err := Paths(context.Background(), g, c, m, l, Options{})
		if err != nil {
			t.Fatal(err)
		}
		agree(t, got, want, leasts)
	})
}

func TestPathsEqualBruteForceOnFamilies(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for name, g := range map[string]topology.Graph{
		"ring": torus(7), "torus": torus(4, 3, 2), "square torus": torus(4, 5), "hypercube": torus(2, 2, 2, 2),
		"star": leafSpine(1, 1, 6, 1), "leaf-spine": leafSpine(4, 3, 3, 1), "rails": leafSpine(4, 2, 3, 2),
		"hyperx": hyperX(3, 2), "one vertex": torus(1), "nothing": &listed{},
	} {
		t.Run(name, func(t *testing.T) {
			m, l := model(g), lengths(g, rng, 9)
			c := topology.NewCSR(g)
			want, leasts := brute(g, c, m, l)
			agree(t, measured(t, g, m, l, Options{}), want, leasts)
		})
	}
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestReductionChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 4))
		g := randomGraph(rng)
		m, l := model(g), lengths(g, rng, 9)
		c := topology.NewCSR(g)
		var results []*Result
		for _, keep := range []bool{false, true} {
			n, err := newNetwork(g.Kinds(), c, m, l, keep)
			if err != nil {
				t.Fatal(err)
			}
			r, err := n.measure(context.Background(), c.Vertices(), bySource{}, Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			results = append(results, r)
		}
		if d := cmp.Diff(results[1], results[0], close9); d != "" {
			t.Fatalf("all terminals searched (-), single-homed ones reduced (+):\n%s", d)
		}
	})
}

func TestMovedSearchEqualsSearches(t *testing.T) {
	for _, dims := range [][]int{{9}, {4, 6}, {2, 3, 5}, {6, 2, 4}, {16, 8}} {
		g := torus(dims...)
		m, l := model(g), lengths(g, rand.New(rand.NewPCG(5, 6)), 20)
		c := topology.NewCSR(g)
		n, err := newNetwork(g.Kinds(), c, m, l, false)
		if err != nil {
			t.Fatal(err)
		}
		o := newOrbit(n, dims)
		if o == nil {
			t.Fatalf("torus %v does not look the same from every vertex", dims)
		}
		searched, err := n.measure(context.Background(), c.Vertices(), bySource{}, Options{Limit: 20, Sources: 19}, nil)
		if err != nil {
			t.Fatal(err)
		}
		moved, err := n.measure(context.Background(), c.Vertices(), o, Options{Limit: 20, Sources: 19}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(searched, moved, close9); d != "" {
			t.Errorf("torus %v: searched (-), moved (+):\n%s", dims, d)
		}
	}
}

// sides are of lattices: odd and even rings, of one and of two vertices, and lines.
var sides = []struct {
	dims []int
	open bool
}{
	{[]int{9}, false},
	{[]int{8}, false},
	{[]int{3}, false},
	{[]int{2}, false},
	{[]int{4, 6}, false},
	{[]int{5, 3}, false},
	{[]int{2, 3, 5}, false},
	{[]int{6, 2, 4}, false},
	{[]int{16, 8}, false},
	{[]int{1, 4, 1, 3}, false},
	{[]int{3, 2, 4, 3}, false},
	{[]int{7}, true},
	{[]int{4, 3}, true},
	{[]int{5, 2, 4}, true},
	{[]int{1, 3, 3, 2}, true},
}

// Rows in order, against the search from every source: all but the last bit of
// mean delays.
func TestSweepEqualsSearches(t *testing.T) {
	for i, x := range sides {
		for _, choices := range []int{1, 2, 40} { // lengths that repeat, and that hardly do
			for _, hop := range []units.Time{90, 1} { // no detours, and many
				g := torus(x.dims...)
				if x.open {
					g = lines(x.dims...)
				}
				m, l := model(g), lengths(g, rand.New(rand.NewPCG(uint64(i), 6)), choices)
				m.Hop[0] = hop
				sweepAgrees(t, g, m, l)
			}
		}
	}
}

// sweepAgrees compares a lattice's own method with searches from every source and
// from a sample of them.
func sweepAgrees(t *testing.T, g *grid, m Model, l Links) {
	t.Helper()
	c := topology.NewCSR(g)
	n, err := newNetwork(g.Kinds(), c, m, l, false)
	if err != nil {
		t.Fatal(err)
	}
	rows := newLattice(n, g.dims)
	if rows == nil {
		t.Fatalf("%v is not a lattice", g.dims)
	}
	for _, opt := range []Options{{}, {Limit: 1, Sources: max(1, c.Vertices()-1), Seed: 3}} {
		want, err := n.measure(context.Background(), c.Vertices(), bySource{}, opt, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := n.measure(context.Background(), c.Vertices(), rows, opt, nil)
		if err != nil {
			t.Fatal(err)
		}
		means := cmpopts.IgnoreFields(Result{}, "AverageMean", "AverageMax", "AverageStdErr")
		if d := cmp.Diff(want, got, means); d != "" {
			t.Fatalf("%v, %+v: searched (-), row by row (+):\n%s", g.dims, opt, d)
		}
		if d := cmp.Diff(want, got, close9); d != "" {
			t.Fatalf("%v, %+v: searched (-), row by row (+):\n%s", g.dims, opt, d)
		}
	}
}

// Lengths that repeat along some dimensions and are mirrored along others: sources
// that see the same are searched once.
func TestSourcesThatSeeTheSameAreSearchedOnce(t *testing.T) {
	for _, x := range []struct {
		dims    []int
		open    bool
		length  func(v, dim int) int
		classes int
	}{
		{[]int{12, 6}, false, func(v, _ int) int { return v % 12 % 4 }, 4 * 1},
		{[]int{12, 6}, false, func(v, d int) int { return (v%12%4*7 + v/12%3*5 + d) % 23 }, 4 * 3},
		{[]int{8, 5}, false, func(v, d int) int { return d }, 1},
		// The link before x is as long as the one that follows -x.
		{[]int{8, 3}, false, func(v, d int) int { return (1 - d) * min(v%8, 7-v%8) }, 5},
		{[]int{6, 4}, true, func(v, d int) int { return d }, 3 * 2},
		{[]int{6, 4}, true, func(v, d int) int { return v }, 6 * 4},
	} {
		g := torus(x.dims...)
		if x.open {
			g = lines(x.dims...)
		}
		var l Links
		for _, link := range g.links {
			l.Add(units.Length(1+x.length(int(link.A), int(link.Level))), 0)
		}
		m, c := model(g), topology.NewCSR(g)
		n, err := newNetwork(g.Kinds(), c, m, l, false)
		if err != nil {
			t.Fatal(err)
		}
		groups := newLattice(n, x.dims).classes()
		var all uint64
		for _, group := range groups {
			all += group.times
		}
		if len(groups) != x.classes || all != uint64(c.Vertices()) {
			t.Errorf("%v: %d sources that stand for %d; want %d for %d", x.dims, len(groups), all, x.classes,
				c.Vertices())
		}
		sweepAgrees(t, g, m, l)
	}
}

func TestOrbitRefusesIrregularLattice(t *testing.T) {
	g := torus(4, 4)
	g.links[3].B = 9
	l := lengths(g, rand.New(rand.NewPCG(1, 1)), 3)
	c := topology.NewCSR(g)
	n, err := newNetwork(g.Kinds(), c, model(g), l, false)
	if err != nil {
		t.Fatal(err)
	}
	if newOrbit(n, g.dims) != nil {
		t.Error("accepted a torus with a link astray")
	}
	want, leasts := brute(g, c, model(g), l)
	agree(t, measured(t, g, model(g), l, Options{}), want, leasts)
}

// Above the limit, all sources are searched if that takes few steps; sources that
// see the same count once.
func TestWorkThatIsModestIsDone(t *testing.T) {
	grid := torus(16, 4)
	for _, x := range []struct {
		name  string
		g     topology.Graph
		links Links
		steps uint64
	}{
		{"torus of random lengths", grid, lengths(grid, rand.New(rand.NewPCG(2, 8)), 30), 2 * 64 * 64},
		{
			"torus of equal lengths, by its rings", grid, lengths(grid, rand.New(rand.NewPCG(2, 8)), 1),
			2*16 + 4*((2+4)+2*4),
		},
		{"four leaves, two spines", leafSpine(4, 2, 3, 1), lengths(leafSpine(4, 2, 3, 1),
			rand.New(rand.NewPCG(2, 8)), 1), 2*4 + 4*4},
	} {
		clear(x.links.medium)
		m := model(x.g)
		for work, exact := range map[uint64]bool{0: false, x.steps - 1: false, x.steps: true} {
			opt := Options{Limit: 1, Sources: 3, Work: work}
			if r := measured(t, x.g, m, x.links, opt); r.Exact != exact {
				t.Errorf("%s: exact is %v within %d steps of %d", x.name, r.Exact, work, x.steps)
			}
		}
	}
}

// The steps of a method are about what it does: of searches, an arc is followed once from each source or less where
// cliques are entered once, and looked at again for detours at a fourth of the time.
func TestStepsOfSearches(t *testing.T) {
	for name, g := range map[string]topology.Graph{
		"torus": torus(7, 5), "rails": leafSpine(6, 3, 4, 2), "hyperx": hyperX(5, 2), "switches": hyperX(9, 1),
		"tree": graphtest.New(t, topology.KAryNTree{Down: 3, Levels: 3}),
		"clex": graphtest.New(t, topology.CLEX{Clique: 6, Levels: 2}),
	} {
		c := topology.NewCSR(g)
		for _, choices := range []int{1, 50} {
			n, err := newNetwork(g.Kinds(), c, model(g), lengths(g, rand.New(rand.NewPCG(2, 8)), choices), false)
			if err != nil {
				t.Fatal(err)
			}
			groups := uint64(len(n.groupUp(n.everyEnd())))
			for _, by := range []method{bySource{}, bySource{newCover(n)}, methodOf(newTree(n))} {
				if by == nil {
					continue
				}
				arcs, steps := uint64(len(n.arcs)), by.work(n)
				if steps < arcs/10+groups || steps > arcs+3*groups {
					t.Errorf("%s, %d lengths, %T: %d steps for %d arcs and %d sources", name, choices, by, steps, arcs,
						groups)
				}
			}
		}
	}
}

// The steps count how the delays of ends are spread over pairs of vertices: the ends of two leaves have one delay in
// all where links are alike, and many otherwise. Up to the limit of vertices, all pairs are measured even so.
func TestStepsOfSpreading(t *testing.T) {
	const leaves, down = 4, 40
	g := leafSpine(leaves, 2, down, 1)
	of := func(choices int) (*network, Links) {
		l := lengths(g, rand.New(rand.NewPCG(5, 1)), choices)
		clear(l.medium)
		n, err := newNetwork(g.Kinds(), topology.NewCSR(g), model(g), l, false)
		if err != nil {
			t.Fatal(err)
		}
		return n, l
	}
	alike, _ := of(1)
	many, l := of(10000)
	for _, by := range []func(*network) uint64{bySource{}.work, func(n *network) uint64 { return newTree(n).work(n) }} {
		const least = 8 * leaves * down / 4 // each sum of a way and a delay of leaving takes eight additions or more
		if few, more := by(alike), by(many); more < few+least || more > few+leaves*down*down {
			t.Errorf("%d steps where links are alike, %d where they are not; expected %d more at least", few, more,
				least)
		}
	}
	if r := measured(t, g, model(g), l, Options{Limit: 1, Sources: 3, Work: 400}); r.Exact {
		t.Error("all pairs are measured within 400 steps")
	}
	if r := measured(t, g, model(g), l, Options{Work: 1}); !r.Exact {
		t.Error("a sample is measured below the limit of vertices")
	}
}

func methodOf(t *tree) method {
	if t == nil {
		return nil
	}
	return t
}

// The mean hop count of a ring of k vertices, k even, is k/4 over all ordered
// pairs with self pairs; dimensions add up.
func TestTorusMeanHops(t *testing.T) {
	for _, c := range []struct{ k, n int }{{4, 1}, {6, 2}, {4, 3}, {2, 5}, {8, 3}} {
		var dims []int
		for range c.n {
			dims = append(dims, c.k)
		}
		g := torus(dims...)
		size := math.Pow(float64(c.k), float64(c.n))
		want := float64(c.n*c.k) / 4 * size / (size - 1)
		r := measured(t, g, model(g), lengths(g, rand.New(rand.NewPCG(1, 2)), 5), Options{})
		if math.Abs(r.HopsMean-want) > 1e-12 || r.HopsMax != c.n*c.k/2 {
			t.Errorf("%d-ary %d-torus: %g hops, at most %d; want %g and %d", c.k, c.n, r.HopsMean, r.HopsMax, want,
				c.n*c.k/2)
		}
	}
}

func TestSameSwitchIsTwoHops(t *testing.T) {
	g := leafSpine(1, 1, 5, 1)
	r := measured(t, g, model(g), lengths(g, rand.New(rand.NewPCG(1, 2)), 5), Options{})
	if r.HopsMean != 2 || r.HopsMax != 2 || r.Pairs != 20 {
		t.Errorf("%g hops, at most %d, over %d pairs; want 2, 2, 20", r.HopsMean, r.HopsMax, r.Pairs)
	}
}

// With one medium that costs nothing at its ends, delay is alpha for each router
// traversed, one more than hops, + beta*distance exactly.
func TestDelayIsHopsAndDistance(t *testing.T) {
	g := torus(6, 4)
	l := lengths(g, rand.New(rand.NewPCG(1, 2)), 1)
	clear(l.medium)
	for _, beta := range []units.Propagation{4, 8} {
		m := Model{Media: []Medium{{"wire", beta, 0}}, Hop: []units.Time{100}}
		r := measured(t, g, m, l, Options{})
		want := 100*(r.HopsMean+1) + float64(beta)*float64(r.PathMean)
		if math.Abs(float64(r.LeastMean)-want) > 1e-6 || math.Abs(float64(r.AverageMean)-want) > 1e-6 {
			t.Errorf("beta %v: %v and %v; want %g", beta, r.LeastMean, r.AverageMean, want)
		}
	}
}

// 2^1200 paths join the ends of a chain of double links: more than a float64
// holds.
func TestManyPaths(t *testing.T) {
	const size = 1201
	g := new(listed).kind(topology.Node, 1).kind(topology.Switch, size-2).kind(topology.Node, 1)
	var l Links
	for v := range size - 1 {
		for level, length := range []float32{1, 3} {
			g.link(v, v+1, level)
			l.length = append(l.length, length)
			l.medium = append(l.medium, 0)
		}
	}
	m := Model{Media: []Medium{{"wire", 5, 0}}, Hop: make([]units.Time, 3)}
	r := measured(t, g, m, l, Options{})
	if math.Abs(float64(r.AverageMean)-10*(size-1)) > 1e-6 || r.LeastMean != 5*(size-1) {
		t.Errorf("mean of the paths %v, least %v", r.AverageMean, r.LeastMean)
	}
}

func TestDistinctKeys(t *testing.T) {
	for _, many := range []int{0, 1, 10, fewKeys, fewKeys + 1, 5 * fewKeys} {
		var keys, want []uint64
		for i := range 3 * many {
			keys = append(keys, uint64(7*i%many))
		}
		for k := range many {
			want = append(want, uint64(k))
		}
		before := slices.Clone(keys)
		if got := distinct(keys); !slices.Equal(got, want) {
			t.Errorf("of %d different keys: %d", many, len(got))
		}
		if !slices.Equal(keys, before) {
			t.Errorf("%d keys were moved", many)
		}
	}
}

func TestSampleOfAllIsExact(t *testing.T) {
	for name, g := range map[string]topology.Graph{
		"torus": torus(6, 5), "rails": leafSpine(4, 2, 3, 2),
		"hyperx": hyperX(3, 4),
	} {
		m, l := model(g), lengths(g, rand.New(rand.NewPCG(7, 8)), 30)
		exact := measured(t, g, m, l, Options{})
		if all := measured(t, g, m, l, Options{Limit: 1, Sources: 1000}); asJSON(t, all) != asJSON(t, exact) {
			t.Errorf("%s: a sample of all sources gives %s; want %s", name, asJSON(t, all), asJSON(t, exact))
		}
		some := measured(t, g, m, l, Options{Limit: 1, Sources: exact.Injectors - 1, Seed: 9})
		if some.Exact || some.LeastStdErr == 0 || some.Pairs >= exact.Pairs {
			t.Errorf("%s: %+v is not a sample", name, some)
		}
	}
}

// The sample means scatter about the exact means as the standard errors say.
func TestStandardError(t *testing.T) {
	g := leafSpine(8, 4, 10, 1)
	m, l := model(g), lengths(g, rand.New(rand.NewPCG(7, 8)), 60)
	exact := measured(t, g, m, l, Options{})
	means := map[string]func(r *Result) (mean, stdErr float64){
		"hops":    func(r *Result) (mean, stdErr float64) { return r.HopsMean, r.HopsStdErr },
		"least":   func(r *Result) (mean, stdErr float64) { return float64(r.LeastMean), float64(r.LeastStdErr) },
		"average": func(r *Result) (mean, stdErr float64) { return float64(r.AverageMean), float64(r.AverageStdErr) },
		"fastest": func(r *Result) (mean, stdErr float64) { return float64(r.FastestMean), float64(r.FastestStdErr) },
	}
	squares, variances := map[string]float64{}, map[string]float64{}
	for seed := range uint64(400) {
		r := measured(t, g, m, l, Options{Limit: 1, Sources: 20, Seed: seed})
		for name, of := range means {
			want, _ := of(exact)
			mean, stdErr := of(r)
			squares[name] += math.Pow(mean-want, 2)
			variances[name] += math.Pow(stdErr, 2)
		}
	}
	for name := range means {
		if squares[name] < 1e-12 && variances[name] < 1e-12 {
			continue // the same from every source
		}
		if ratio := squares[name] / variances[name]; ratio < 0.8 || ratio > 1.25 {
			t.Errorf("%s: the squared error is %.2f times the squared standard error", name, ratio)
		}
	}
}

func TestSampleIsWithoutReplacement(t *testing.T) {
	for k := range 21 {
		s := sample(20, k, uint64(k))
		if len(s) != k || len(slices.Compact(slices.Clone(s))) != k || !slices.IsSorted(s) || k > 0 && s[k-1] >= 20 {
			t.Errorf("sample of %d: %v", k, s)
		}
	}
}

func TestCoresLeaveNoTrace(t *testing.T) {
	for name, g := range map[string]topology.Graph{
		"torus": torus(10, 9, 4), "rails": leafSpine(12, 4, 9, 2),
		"hyperx": hyperX(6, 7),
	} {
		m, l := model(g), lengths(g, rand.New(rand.NewPCG(3, 8)), 100)
		for _, opt := range []Options{{}, {Limit: 10, Sources: 100, Seed: 1}} {
			old := runtime.GOMAXPROCS(1)
			one := asJSON(t, measured(t, g, m, l, opt))
			runtime.GOMAXPROCS(2)
			two := asJSON(t, measured(t, g, m, l, opt))
			runtime.GOMAXPROCS(old)
			if one != two {
				t.Errorf("%s: one core gives\n%s\ntwo give\n%s", name, one, two)
			}
		}
	}
}

func TestUnreachablePairsAreCounted(t *testing.T) {
	g := new(listed).kind(topology.Node, 5)
	g.link(0, 1, 0)
	g.link(2, 3, 0)
	r := measured(t, g, model(g), lengths(g, rand.New(rand.NewPCG(3, 8)), 3), Options{})
	if r.Pairs != 4 || r.Unreachable != 16 || r.HopsMean != 1 {
		t.Errorf("%d pairs, %d unreachable, %g hops; want 4, 16, 1", r.Pairs, r.Unreachable, r.HopsMean)
	}
}

func TestProgressAndCancellation(t *testing.T) {
	g := torus(8, 8)
	m, l := model(g), lengths(g, rand.New(rand.NewPCG(3, 8)), 3)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	last := 0
	_, err := Paths(ctx, g, topology.NewCSR(g), m, l, Options{Progress: func(done, total int) {
		if done <= last || done > total || total != 64 {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
		cancel()
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after cancellation", err)
	}
}

func TestMismatchesAreRefused(t *testing.T) {
	g := torus(4)
	for want, change := range map[string]func(*Model, *Links){
		"2 hop delays for 1 kinds": func(m *Model, _ *Links) { m.Hop = make([]units.Time, 2) },
		"hop delay of kind":        func(m *Model, _ *Links) { m.Hop[0] = -1 },
		`medium "optic" has`:       func(m *Model, _ *Links) { m.Media[1].End = units.Time(math.NaN()) },
		"4 links and 3 lengths":    func(_ *Model, l *Links) { l.length = l.length[:3] },
		"4 lengths and 3 media":    func(_ *Model, l *Links) { l.medium = l.medium[:3] },
		"link 2 is -1 m long":      func(_ *Model, l *Links) { l.length[2] = -1 },
		"link 1 has medium 2 of 2": func(_ *Model, l *Links) { l.medium[1] = 2 },
		"too long":                 func(_ *Model, l *Links) { l.length[1] = 1e16 },
	} {
		m, l := model(g), lengths(g, rand.New(rand.NewPCG(3, 8)), 3)
		change(&m, &l)
		_, err := Paths(context.Background(), g, topology.NewCSR(g), m, l, Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %q", err, want)
		}
	}
}

func BenchmarkTorus(b *testing.B) {
	sizes := [][]int{{16, 16, 16}}
	if os.Getenv("PLENUM_LONG") == "1" {
		sizes = append(sizes, []int{32, 32, 64})
	}
	for _, dims := range sizes {
		g := torus(dims...)
		benchmarkPaths(b, strings.Trim(fmt.Sprint(dims), "[]"), g, topology.Vertices(g))
	}
}

// Lengths that repeat by rack, and no detours: with and without those that see the
// same left out.
func BenchmarkRackedTorus(b *testing.B) {
	dims := []int{32, 16, 16}
	if os.Getenv("PLENUM_LONG") == "1" {
		dims = []int{64, 32, 32}
	}
	g := torus(dims...)
	m, l, c := model(g), racked(g), topology.NewCSR(g)
	for _, all := range []bool{false, true} {
		opt := Options{}
		if all {
			opt = Options{Limit: 1, Sources: c.Vertices() - 1}
		}
		b.Run(fmt.Sprintf("%v every=%v", strings.Trim(fmt.Sprint(dims), "[]"), all), func(b *testing.B) {
			for b.Loop() {
				if _, err := Paths(context.Background(), g, c, m, l, opt); err != nil {
					b.Fatal(err)
				}
			}
			pairs := float64(c.Vertices()) * float64(c.Vertices())
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pairs, "ns/pair")
		})
	}
}

// Without the translations of a lattice.
func BenchmarkSearchedTorus(b *testing.B) {
	g := torus(16, 16, 16)
	benchmarkPaths(b, "16 16 16", &g.listed, topology.Vertices(g))
}

func BenchmarkHyperX(b *testing.B) {
	sides := []int{16}
	if os.Getenv("PLENUM_LONG") == "1" {
		sides = append(sides, 60)
	}
	for _, side := range sides {
		benchmarkPaths(b, fmt.Sprintf("%dx%d switches of 16", side, side), hyperX(side, 16), side*side)
	}
}

func benchmarkPaths(b *testing.B, name string, g topology.Graph, sources int) {
	b.Run(name, func(b *testing.B) {
		m, l := model(g), lengths(g, rand.New(rand.NewPCG(1, 2)), 40)
		c := topology.NewCSR(g)
		for b.Loop() {
			if _, err := Paths(context.Background(), g, c, m, l, Options{}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(sources)*float64(len(c.To))*float64(b.N)/b.Elapsed().Seconds(), "arcs/s")
	})
}
