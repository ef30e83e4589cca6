package measure_test

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
	"github.com/plenum-planner/plenum/topology/measure"
)

// edges reads a graph of nodes from a list of edges. The smaller one comes along; the test of the larger one is skipped
// where the file does not stand beside the repository.
func edges(t testing.TB, name string) *graphtest.Listed {
	t.Helper()
	var f *os.File
	var err error
	for _, folder := range []string{"testdata/", "../../../shared/data/graphs/"} {
		if f, err = os.Open(folder + name); err == nil {
			break
		}
	}
	if err != nil {
		t.Skipf("no reference data beside the repository: %v", err)
	}
	defer f.Close()
	g := new(graphtest.Listed)
	most := 0
	for in := bufio.NewScanner(f); in.Scan(); {
		var a, b int
		if _, err := fmt.Sscan(in.Text(), &a, &b); err != nil {
			t.Fatal(err)
		}
		g.Join(a, b, 0)
		most = max(most, a, b)
	}
	return g.Add(topology.Node, most+1)
}

func TestHopsOfAnyGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { graphtest.CheckHops(t, graphtest.DrawGraph(t)) })
}

// TestHopsOfGraphsOfBlocks draws graphs whose sources fill about one or two blocks of a search, sparse and dense, in
// one piece and in several, with paths hanging off, simplex links or terminals here and there.
func TestHopsOfGraphsOfBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { graphtest.CheckHops(t, drawPieces(t)) })
}

func drawPieces(t *rapid.T) *graphtest.Listed {
	n := rapid.SampledFrom([]int{20, 64, 128, 512, 1024}).Draw(t, "about") + rapid.IntRange(-2, 2).Draw(t, "more")
	g := new(graphtest.Listed).Add(topology.Node, n)
	rng := newRand(rapid.Uint64().Draw(t, "seed"))
	simplex := rapid.SampledFrom([]int{0, 0, 0, 1, 50}).Draw(t, "links of 100 that are simplex")
	seen := make(map[[2]int]bool)
	join := func(a, b int) {
		if a != b && !seen[[2]int{min(a, b), max(a, b)}] {
			seen[[2]int{min(a, b), max(a, b)}] = true
			g.Join(a, b, 0).Simplex = rng.IntN(100) < simplex
		}
	}
	for begin := 0; begin < n; {
		end := begin + rapid.IntRange(1, n-begin).Draw(t, "piece")
		if n-end < 20 {
			end = n
		}
		path := min(end-begin, rapid.SampledFrom([]int{0, 0, 3, 20, 200}).Draw(t, "path"))
		for v := begin + 1; v < begin+path; v++ {
			join(v-1, v)
		}
		dense := max(begin, begin+path-1) // the path ends in the rest
		degree := rapid.SampledFrom([]int{0, 1, 2, 3, 5, 10, 40}).Draw(t, "degree")
		for range (end - dense) * degree / 2 {
			join(dense+rng.IntN(end-dense), dense+rng.IntN(end-dense))
		}
		begin = end
	}
	if rapid.IntRange(0, 3).Draw(t, "with terminals") == 0 {
		terminals := rapid.IntRange(1, 60).Draw(t, "terminals")
		g.Add(topology.Terminal, terminals)
		for v := n; v < n+terminals; v++ {
			g.Join(rng.IntN(n), v, 0)
		}
	}
	return g
}

// TestHopsOfFamilies also proves the declared orbits: with a wrong one the
// histogram would differ.
func TestHopsOfFamilies(t *testing.T) {
	for _, f := range topology.Families() {
		t.Run(f.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				_, g := graphtest.Member(t, f.Name, 600)
				graphtest.CheckHops(t, g)
				checkSameHops(t, g)
			})
		})
	}
}

// checkSameHops checks that the orbits count the routers, and that the vertex of
// an orbit sees as many distances as the whole orbit.
func checkSameHops(t graphtest.T, g topology.Graph) {
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
	one := graphtest.Hops(t, g, measure.Routers)
	for _, n := range []int{2, 3, 7} {
		runtime.GOMAXPROCS(n)
		if diff := cmp.Diff(one, graphtest.Hops(t, g, measure.Routers)); diff != "" {
			t.Errorf("%d cores: -one core +got:\n%s", n, diff)
		}
	}
}

// randomRegular joins the stubs of n vertices at random; loops and parallels
// are left out.
func randomRegular(n, degree int, seed uint64) *graphtest.Listed {
	rng := newRand(seed)
	stubs := make([]int, 0, n*degree)
	for i := range n * degree {
		stubs = append(stubs, i/degree)
	}
	rng.Shuffle(len(stubs), func(i, j int) { stubs[i], stubs[j] = stubs[j], stubs[i] })
	g := new(graphtest.Listed).Add(topology.Node, n)
	seen := make(map[[2]int]bool)
	for i := 0; i+1 < len(stubs); i += 2 {
		a, b := min(stubs[i], stubs[i+1]), max(stubs[i], stubs[i+1])
		if a != b && !seen[[2]int{a, b}] {
			seen[[2]int{a, b}] = true
			g.Join(a, b, 0)
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
			s := graphtest.Hops(t, graphtest.New(t, tt.spec), tt.ends)
			if s.Diameter != tt.diameter {
				t.Errorf("diameter %d, expected %d", s.Diameter, tt.diameter)
			}
			graphtest.Near(t, "mean with self", s.MeanWithSelf, tt.self)
			graphtest.Near(t, "std", s.Std, tt.std)
		})
	}
}

func TestHopsOfRandomRegular1024(t *testing.T) { graphtest.CheckHops(t, edges(t, "rr8_1024.edges")) }

func TestHopsOfRandomRegular32768(t *testing.T) {
	s := graphtest.Hops(t, edges(t, "rr8_32768.edges"), measure.Routers)
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
		g := graphtest.New(t, s)
		ends := measure.HopEnds(g)
		truth := graphtest.Hops(t, g, ends)
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
		{clusters.RailOnly{Nodes: 10, Radix: 16, Rails: 2}, measure.Terminals},
		{topology.HyperX{Dims: topology.Ints{1, 1}, Terminals: 2}, measure.Terminals},
	}
	for _, tt := range tests {
		if got := measure.HopEnds(graphtest.New(t, tt.spec)); got != tt.want {
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
			return graphtest.New(t, topology.Torus{Dims: topology.Ints{32, 32, 32}})
		}},
		{"mesh 32x32x32", func(t testing.TB) topology.Graph {
			return graphtest.New(t, topology.Mesh{Dims: topology.Ints{32, 32, 32}})
		}},
		{"random 8-regular, 100000", func(testing.TB) topology.Graph { return randomRegular(100000, 8, 1) }},
	}
	for _, tt := range tests {
		b.Run(tt.name, func(b *testing.B) {
			g := tt.make(b)
			b.ReportAllocs()
			for b.Loop() {
				graphtest.Hops(b, g, measure.Routers)
			}
		})
	}
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
