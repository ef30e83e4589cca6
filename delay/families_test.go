package delay

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// smallDuplex returns connected members of every family but file, with links of both directions only, for which
// enumerating all paths is fast.
func smallDuplex(t *testing.T) []topology.Params {
	t.Helper()
	var out []topology.Params
	have := map[string]bool{"file": true}
	for _, p := range graphtest.Small(t) {
		g := graphtest.New(t, p)
		simplex := func(l topology.Link) bool { return l.Simplex }
		if topology.Vertices(g) <= 64 && graphtest.Pieces(t, g) == 1 &&
			!slices.ContainsFunc(slices.Collect(g.Links()), simplex) {
			out = append(out, p)
			have[p.Family()] = true
		}
	}
	for _, f := range topology.Families() {
		if !have[f.Name] {
			t.Errorf("internal/graphtest/small.go has no connected %s with up to 64 vertices and "+
				"links of both directions", f.Name)
		}
	}
	return out
}

// Every family, on random layouts: boxes at random points, links as long as the
// way along the axes between them, of random media.
func TestDelaysEqualBruteForceOnEveryFamily(t *testing.T) {
	for i, spec := range smallDuplex(t) {
		g, err := topology.New(spec)
		if err != nil {
			t.Errorf("%v: %v", spec, err)
			continue
		}
		rng := rand.New(rand.NewPCG(uint64(i), 7))
		m, c := exactModel(g, 96, 112), topology.NewCSR(g)
		at, l := scattered(g, rng)
		want, leasts := brute(g, c, m, l)
		t.Run(spec.Family(), func(t *testing.T) {
			agree(t, measured(t, g, m, l, Options{}), want, leasts)
			// Where hops cost next to nothing the fastest paths have more of them.
			cheap := exactModel(g, 2, 3)
			want, leasts := brute(g, c, cheap, l)
			got := measured(t, g, cheap, l, Options{})
			agree(t, got, want, leasts)
			stretchAgrees(t, g, c, m, l, at)
		})
	}
}

// exactModel has delays that binary fractions hold, so that equal sums are equal
// in any order.
func exactModel(g topology.Graph, node, sw units.Time) Model {
	m := Model{Media: []Medium{{"copper", 4.25, 0}, {"optic", 5, 2.5}}}
	for _, k := range g.Kinds() {
		m.Hop = append(m.Hop, map[topology.Role]units.Time{
			topology.Node: node, topology.Switch: sw,
			topology.Terminal: 0,
		}[k.Role])
	}
	return m
}

// scattered places vertices at random.
func scattered(g topology.Graph, rng *rand.Rand) (func(v int) [3]units.Length, Links) {
	points := make([][3]units.Length, topology.Vertices(g))
	for v := range points {
		points[v] = [3]units.Length{
			units.Length(rng.IntN(20)), units.Length(rng.IntN(20)),
			units.Length(rng.IntN(4)) / 2,
		}
	}
	var l Links
	for link := range g.Links() {
		p, q := points[link.A], points[link.B]
		l.Add(max(p[0]-q[0], q[0]-p[0])+max(p[1]-q[1], q[1]-p[1])+max(p[2]-q[2], q[2]-p[2]), uint8(rng.IntN(2)))
	}
	return func(v int) [3]units.Length { return points[v] }, l
}

// stretchAgrees compares the stretch with one from paths that are walked from
// every source anew.
func stretchAgrees(t *testing.T, g topology.Graph, c *topology.CSR, m Model, l Links, at func(v int) [3]units.Length) {
	t.Helper()
	got, err := MeasureStretch(context.Background(), g, c, m, l, at, Options{})
	if err != nil {
		t.Fatal(err)
	}
	some := Options{Limit: 1, Sources: 3, Seed: 7}
	alone, err := Paths(context.Background(), g, c, m, l, some)
	if err != nil {
		t.Fatal(err)
	}
	paths, both, err := PathsAndStretch(context.Background(), g, c, m, l, at, some, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(alone, paths) || *got != *both {
		t.Errorf("together %+v and %+v, alone %+v and %+v", paths, both, alone, got)
	}
	of, err := MeasureStretch(context.Background(), g, c, m, l, at, some)
	if err != nil {
		t.Fatal(err)
	}
	paths, both, err = PathsAndStretch(context.Background(), g, c, m, l, at, some, some)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(of, both, close9); !reflect.DeepEqual(alone, paths) || d != "" {
		t.Errorf("of the same sample together %+v, alone %+v; stretch alone (-) and together (+):\n%s", paths, alone, d)
	}
	kinds := g.Kinds()
	role := func(v int) topology.Role { return kinds[topology.KindOf(kinds, v)].Role }
	var ratio, most, path, line, pairs float64
	var together int64
	for s := range c.Vertices() {
		hops := hopsFrom(c, s, role)
		for v := range c.Vertices() {
			if s == v || hops[v] < 0 || role(s) == topology.Switch || role(v) == topology.Switch {
				continue
			}
			p, q := at(s), at(v)
			d := math.Hypot(math.Hypot(float64(p[0]-q[0]), float64(p[1]-q[1])), float64(p[2]-q[2]))
			if d == 0 {
				together++
				continue
			}
			_, length := leastWalk(c, kinds, m, l, hops, s, v)
			pairs, path, line = pairs+1, path+length, line+d
			ratio, most = ratio+length/d, max(most, length/d)
		}
	}
	if !near(got.Mean, ratio/pairs) || !near(got.Max, most) || !near(got.Total, path/line) ||
		got.Together != together || !got.Exact {
		t.Errorf("stretch %+v; want mean %g, most %g, total %g, %d together", got, ratio/pairs, most, path/line,
			together)
	}
}

// leastWalk goes back from v over vertices ever nearer to s, all ways.
func leastWalk(c *topology.CSR, kinds []topology.Kind, m Model, l Links, hops []int, s, v int) (time, metres float64) {
	if v == s {
		return 0, 0
	}
	time = math.Inf(1)
	for a := c.First[v]; a < c.First[v+1]; a++ {
		u := int(c.To[a])
		if hops[u] != hops[v]-1 || u != s && kinds[topology.KindOf(kinds, u)].Role == topology.Terminal {
			continue
		}
		t, x := leastWalk(c, kinds, m, l, hops, s, u)
		length := units.Length(l.length[c.Link[a]]).Round4()
		t += float64(m.Arc(length, int(l.medium[c.Link[a]]), topology.KindOf(kinds, v)))
		x += float64(length)
		if t < time-1e-6 || t < time+1e-6 && x < metres {
			time, metres = t, x
		}
	}
	return time, metres
}

// A line of four nodes, one end of which is far from a node that a detour
// reaches sooner.
func TestFastestPathTakesMoreHops(t *testing.T) {
	g := new(listed).kind(topology.Node, 3)
	g.link(0, 1, 0)
	g.link(1, 2, 0)
	g.link(0, 2, 0)
	m := Model{Media: []Medium{{"wire", 5, 0}}, Hop: []units.Time{100}}
	r := measured(t, g, m, Links{length: []float32{1, 1, 100}, medium: make([]uint8, 3)}, Options{})
	if r.Detours != 2 || r.LeastMax != 700 || r.FastestMax != 310 || r.FastestPathMax != 2 || r.PathMax != 100 {
		t.Errorf("%d detours, %v and %v, %v and %v; want 2, 700, 310, 2 and 100", r.Detours, r.LeastMax, r.FastestMax,
			r.FastestPathMax, r.PathMax)
	}
}

// Lenzen and Wattenhofer, section II-A: D = alpha*hops + beta*distance.
func TestDefinitionAndBreakEven(t *testing.T) {
	near := Reach{HopsMean: 40, HopsMax: 80, PathMean: 50, PathMax: 100}
	few := Reach{HopsMean: 5, HopsMax: 7, PathMean: 120, PathMax: 246}
	if mean, most := near.D(10, 5); mean != 650 || most != 1300 {
		t.Errorf("D is %v and %v; want 650 and 1300", mean, most)
	}
	if b := near.BreakEvenMean(few); !b.Crosses || b.Ratio != 2 {
		t.Errorf("break-even %+v; want 2 m", b)
	}
	if b := few.BreakEvenMax(near); !b.Crosses || b.Ratio != 2 {
		t.Errorf("break-even of the maximum %+v; want 2 m", b)
	}
	if b := near.BreakEvenMean(Reach{HopsMean: 41, PathMean: 60}); b.Crosses {
		t.Errorf("a machine that is worse in both breaks even at %v", b.Ratio)
	}
	if b := near.BreakEvenMean(near); b.Crosses {
		t.Errorf("a machine breaks even with itself at %v", b.Ratio)
	}
}
