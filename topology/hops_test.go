package topology_test

import (
	"bufio"
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// listed is a graph given by its links.
type listed struct {
	kinds  []topology.Kind
	levels int
	links  []topology.Link
}

func (g *listed) Family() string                 { return "listed" }
func (g *listed) Kinds() []topology.Kind         { return g.kinds }
func (g *listed) Nests() []topology.Nest         { return nil }
func (g *listed) Label(v int) string             { return fmt.Sprint(v) }
func (g *listed) Links() iter.Seq[topology.Link] { return slices.Values(g.links) }

func (g *listed) Levels() []topology.Level {
	var out []topology.Level
	for i := range max(g.levels, 1) {
		out = append(out, topology.Level{Name: fmt.Sprintf("level%d", i)})
	}
	return out
}

// kind appends count vertices of a role.
func (g *listed) kind(role topology.Role, count int) *listed {
	if count > 0 {
		g.kinds = append(g.kinds,
			topology.Kind{Name: role.String(), First: topology.Vertices(g), Count: count, Role: role})
	}
	return g
}

func (g *listed) link(a, b, level int) *topology.Link {
	g.levels = max(g.levels, level+1)
	g.links = append(g.links, topology.Link{A: int32(a), B: int32(b), Level: int32(level), Width: 1})
	return &g.links[len(g.links)-1]
}

// edges reads a graph of nodes from a list of edges. The smaller one comes along; the test of the larger one is skipped
// where the file does not stand beside the repository.
func edges(t testing.TB, name string) *listed {
	t.Helper()
	var f *os.File
	var err error
	for _, folder := range []string{"testdata/", "../../shared/data/graphs/"} {
		if f, err = os.Open(folder + name); err == nil {
			break
		}
	}
	if err != nil {
		t.Skipf("no reference data beside the repository: %v", err)
	}
	defer f.Close()
	g := new(listed)
	most := 0
	for in := bufio.NewScanner(f); in.Scan(); {
		var a, b int
		if _, err := fmt.Sscan(in.Text(), &a, &b); err != nil {
			t.Fatal(err)
		}
		g.link(a, b, 0)
		most = max(most, a, b)
	}
	return g.kind(topology.Node, most+1)
}

// drawGraph draws a graph that may be in pieces, have simplex links, links on
// two levels between a pair, and terminals with any number of links.
func drawGraph(t *rapid.T) *listed {
	g := new(listed)
	g.kind(topology.Node, rapid.IntRange(0, 12).Draw(t, "nodes"))
	g.kind(topology.Switch, rapid.IntRange(0, 12).Draw(t, "switches"))
	inner := topology.Vertices(g)
	g.kind(topology.Terminal, rapid.IntRange(0, 12).Draw(t, "terminals"))
	all := topology.Vertices(g)
	if inner == 0 {
		g = new(listed).kind(topology.Switch, 1).kind(topology.Terminal, all)
		inner, all = 1, all+1
	}
	directed := rapid.Bool().Draw(t, "directed")
	seen := make(map[[3]int]bool)
	join := func(a, b, level int) {
		if a == b || seen[[3]int{min(a, b), max(a, b), level}] {
			return
		}
		seen[[3]int{min(a, b), max(a, b), level}] = true
		l := g.link(a, b, level)
		l.Width = int32(rapid.IntRange(1, 3).Draw(t, "width"))
		l.Simplex = directed && rapid.Bool().Draw(t, "simplex")
	}
	for range rapid.IntRange(0, 3*inner).Draw(t, "links") {
		join(rapid.IntRange(0, inner-1).Draw(t, "a"), rapid.IntRange(0, inner-1).Draw(t, "b"),
			rapid.IntRange(0, 1).Draw(t, "level"))
	}
	most := rapid.IntRange(1, 3).Draw(t, "homes")
	for v := inner; v < all; v++ {
		for range rapid.IntRange(min(1, most-1), most).Draw(t, "links of a terminal") {
			join(rapid.IntRange(0, inner-1).Draw(t, "home"), v, 0)
		}
	}
	if all > inner+1 && rapid.IntRange(0, 3).Draw(t, "joined terminals") == 0 {
		join(inner, all-1, 1)
	}
	return g
}

// bruteHops searches from every end of g, one by one.
func bruteHops(g topology.Graph, ends measure.Ends) (histogram []uint64, unreachable uint64) {
	kinds := g.Kinds()
	roles := make([]topology.Role, topology.Vertices(g))
	for v := range roles {
		roles[v] = kinds[topology.KindOf(kinds, v)].Role
	}
	role := func(v int) topology.Role { return roles[v] }
	isEnd := func(v int) bool {
		if ends == measure.Routers {
			return role(v) != topology.Terminal
		}
		return role(v) != topology.Switch
	}
	c := topology.NewCSR(g)
	dist, queue := make([]int, c.Vertices()), make([]int, 0, c.Vertices())
	for s := range c.Vertices() {
		if !isEnd(s) {
			continue
		}
		for v := range dist {
			dist[v] = -1
		}
		dist[s] = 0
		queue = append(queue[:0], s)
		for i := 0; i < len(queue); i++ {
			v := queue[i]
			if v != s && role(v) == topology.Terminal {
				continue
			}
			for _, w := range c.Neighbours(v) {
				if dist[w] < 0 {
					dist[w] = dist[v] + 1
					queue = append(queue, int(w))
				}
			}
		}
		for v, d := range dist {
			if !isEnd(v) {
				continue
			}
			if d < 0 {
				unreachable++
				continue
			}
			for len(histogram) <= d {
				histogram = append(histogram, 0)
			}
			histogram[d]++
		}
	}
	return histogram, unreachable
}

func mustHops(t fatal, g topology.Graph, ends measure.Ends) *measure.HopStats {
	t.Helper()
	s, err := measure.Hops(context.Background(), g, ends, measure.HopOptions{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return s
}

// checkHops holds the hops of g against one search after the other.
func checkHops(t fatal, g topology.Graph) {
	t.Helper()
	for _, ends := range []measure.Ends{measure.Routers, measure.Terminals} {
		want, unreachable := bruteHops(g, ends)
		got := mustHops(t, g, ends)
		if len(want) == 0 {
			want = []uint64{0}
		}
		if diff := cmp.Diff(want, got.Histogram); diff != "" || got.Unreachable != unreachable {
			t.Fatalf("%v: unreachable %d, expected %d; histogram -want +got:\n%s", ends, got.Unreachable, unreachable,
				diff)
		}
		pairs, sum, squares := 0.0, 0.0, 0.0
		for h, c := range want {
			for range c {
				pairs++
				sum += float64(h)
				squares += float64(h) * float64(h)
			}
		}
		if pairs > 0 {
			near(t, "mean with self", got.MeanWithSelf, sum/pairs)
			near(t, "std", got.Std, math.Sqrt(max(0, squares/pairs-sum/pairs*sum/pairs)))
		}
		if pairs > float64(want[0]) {
			near(t, "mean", got.Mean, sum/(pairs-float64(want[0])))
		}
		if got.Diameter != len(want)-1 || !got.Exact || uint64(got.Count) != want[0] {
			t.Fatalf("diameter %d of %d ends, expected %d of %d", got.Diameter, got.Count, len(want)-1, want[0])
		}
	}
}

func near(t fatal, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
		t.Fatalf("%s: %v, expected %v", what, got, want)
	}
}

func TestHopsOfAnyGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkHops(t, drawGraph(t)) })
}

// TestHopsOfFamilies also proves the declared orbits: with a wrong one the
// histogram would differ.
func TestHopsOfFamilies(t *testing.T) {
	for _, f := range topology.Families() {
		t.Run(f.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := properties[f.Name].draw(t)
				g, err := topology.New(s)
				if err != nil {
					t.Skip(err)
				}
				if topology.Vertices(g) > 600 {
					t.Skip("slow")
				}
				checkHops(t, g)
				checkSameHops(t, g)
			})
		})
	}
}

// checkSameHops checks that the orbits count the routers, and that the vertex of
// an orbit sees as many distances as the whole orbit.
func checkSameHops(t fatal, g topology.Graph) {
	t.Helper()
	sym, ok := g.(topology.Symmetric)
	if !ok {
		return
	}
	routers := 0
	for _, k := range g.Kinds() {
		if k.Role != topology.Terminal {
			routers += k.Count
		}
	}
	for _, o := range sym.Orbits() {
		routers -= o.Size
		if k := g.Kinds()[topology.KindOf(g.Kinds(), o.Vertex)]; o.Size < 1 || k.Role == topology.Terminal {
			t.Fatalf("orbit %+v of a %s", o, k.Name)
		}
	}
	if routers != 0 {
		t.Fatalf("the orbits lack %d routers", routers)
	}
}

func TestHopsSameOnAnyNumberOfCores(t *testing.T) {
	g := randomRegular(3000, 5, 1)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := mustHops(t, g, measure.Routers)
	for _, n := range []int{2, 3, 7} {
		runtime.GOMAXPROCS(n)
		if diff := cmp.Diff(one, mustHops(t, g, measure.Routers)); diff != "" {
			t.Errorf("%d cores: -one core +got:\n%s", n, diff)
		}
	}
}

// randomRegular joins the stubs of n vertices at random; loops and parallels
// are left out.
func randomRegular(n, degree int, seed uint64) *listed {
	rng := newRand(seed)
	stubs := make([]int, 0, n*degree)
	for i := range n * degree {
		stubs = append(stubs, i/degree)
	}
	rng.Shuffle(len(stubs), func(i, j int) { stubs[i], stubs[j] = stubs[j], stubs[i] })
	g := new(listed).kind(topology.Node, n)
	seen := make(map[[2]int]bool)
	for i := 0; i+1 < len(stubs); i += 2 {
		a, b := min(stubs[i], stubs[i+1]), max(stubs[i], stubs[i+1])
		if a != b && !seen[[2]int{a, b}] {
			seen[[2]int{a, b}] = true
			g.link(a, b, 0)
		}
	}
	return g
}

func TestHopsPublished(t *testing.T) {
	type spec = topology.Params
	tests := []struct {
		name      string
		spec      spec
		ends      measure.Ends
		diameter  int
		self, std float64
	}{
		{
			"torus 4x8, iBT paper Fig. 1: 3.00 +- 1.41",
			topology.Torus{Dims: topology.Ints{4, 8}},
			measure.Routers, 6, 3,
			math.Sqrt2,
		},
		{
			"torus 32^3: 3 x 8 hops",
			topology.Torus{Dims: topology.Ints{32, 32, 32}},
			measure.Routers, 48, 24,
			math.Sqrt(3 * (32.*32 + 8) / 48),
		},
		{
			"hypercube 15: n/2, sqrt(n)/2",
			topology.Hypercube{Dims: topology.Ints{15}},
			measure.Routers, 15, 7.5,
			math.Sqrt(15) / 2,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := mustHops(t, mustNew(t, tt.spec), tt.ends)
			if s.Diameter != tt.diameter {
				t.Errorf("diameter %d, expected %d", s.Diameter, tt.diameter)
			}
			near(t, "mean with self", s.MeanWithSelf, tt.self)
			near(t, "std", s.Std, tt.std)
		})
	}
}

func TestHopsOfRandomRegular1024(t *testing.T) { checkHops(t, edges(t, "rr8_1024.edges")) }

func TestHopsOfRandomRegular32768(t *testing.T) {
	s := mustHops(t, edges(t, "rr8_32768.edges"), measure.Routers)
	if s.Diameter != 7 || math.Abs(s.Mean-5.4036182871) > 5e-11 {
		t.Errorf("diameter %d, mean %.10f", s.Diameter, s.Mean)
	}
}

// TestSampledHops holds an estimate against the truth.
func TestSampledHops(t *testing.T) {
	for _, s := range []topology.Params{
		topology.Mesh{Dims: topology.Ints{20, 30}},
		topology.ThinTree{Down: 4, Up: 2, Levels: 4},
	} {
		g := mustNew(t, s)
		ends := measure.HopEnds(g)
		truth := mustHops(t, g, ends)
		got, err := measure.Hops(context.Background(), g, ends, measure.HopOptions{MaxSources: 1, SampleSize: 10})
		if err != nil {
			t.Fatal(err)
		}
		if got.Exact && truth.Sources > 10 || got.Diameter > truth.Diameter ||
			math.Abs(got.Mean-truth.Mean) > 5*got.StdErr+1e-9 {
			t.Errorf("%s: %+v, truth %+v", s.Family(), got, truth)
		}
	}
}

func TestHopEnds(t *testing.T) {
	tests := []struct {
		spec topology.Params
		want measure.Ends
	}{
		{topology.Torus{Dims: topology.Ints{4}}, measure.Routers},
		{topology.HyperX{Dims: topology.Ints{4}, Terminals: 2}, measure.Routers},
		{topology.Dragonfly{P: 2, A: 4, H: 2}, measure.Routers},
		{topology.KAryNTree{Down: 4, Levels: 3}, measure.Terminals},
		{topology.KAryNTree{Down: 4, Levels: 1}, measure.Terminals},
		{topology.FatTree{Nodes: 100, Radix: 16, Rails: 2}, measure.Terminals},
		{topology.RailOnly{Nodes: 10, Radix: 16, Rails: 2}, measure.Terminals},
		{topology.HyperX{Dims: topology.Ints{1, 1}, Terminals: 2}, measure.Terminals},
	}
	for _, tt := range tests {
		if got := measure.HopEnds(mustNew(t, tt.spec)); got != tt.want {
			t.Errorf("%s: %v, expected %v", tt.spec.Family(), got, tt.want)
		}
	}
}

func BenchmarkHops(b *testing.B) {
	tests := []struct {
		name string
		make func(testing.TB) topology.Graph
	}{
		{"random 8-regular, 32768", func(t testing.TB) topology.Graph { return edges(t, "rr8_32768.edges") }},
		{"torus 32x32x32", func(t testing.TB) topology.Graph {
			return mustNew(t, topology.Torus{Dims: topology.Ints{32, 32, 32}})
		}},
		{"mesh 32x32x32", func(t testing.TB) topology.Graph {
			return mustNew(t, topology.Mesh{Dims: topology.Ints{32, 32, 32}})
		}},
		{"random 8-regular, 100000", func(testing.TB) topology.Graph { return randomRegular(100000, 8, 1) }},
	}
	for _, tt := range tests {
		b.Run(tt.name, func(b *testing.B) {
			g := tt.make(b)
			b.ReportAllocs()
			for b.Loop() {
				mustHops(b, g, measure.Routers)
			}
		})
	}
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
