package throughput

import (
	"context"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/topology"
	_ "github.com/plenum-planner/plenum/topology/clusters"
)

func build(t testing.TB, p topology.Params) topology.Graph {
	t.Helper()
	g, err := topology.New(topology.Spec{Params: p})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func of(t testing.TB, g topology.Graph) *Bound {
	t.Helper()
	b, err := Of(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// plain hides what a graph knows about itself.
type plain struct{ topology.Graph }

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

// The bounds that symmetry gives are those of searches from everywhere and of the assignment.
func TestBySymmetry(t *testing.T) {
	for _, p := range []topology.Params{
		topology.Torus{Dims: topology.Ints{4, 5}},
		topology.Torus{Dims: topology.Ints{7}},
		topology.HyperX{Dims: topology.Ints{3, 4}, Terminals: 5},
		topology.Dragonfly{P: 2, A: 4, H: 2},
		topology.KAryNTree{Down: 4, Levels: 3},
		topology.ThinTree{Down: 4, Up: 2, Levels: 3},
		topology.SlimFly{Q: 5},
		topology.CLEX{Clique: 4, Levels: 2},
	} {
		g := build(t, p)
		if _, ok := g.(topology.Symmetric); !ok {
			t.Fatalf("%s has no symmetry", g.Family())
		}
		a, b := of(t, g), of(t, plain{g})
		if a.Channels != b.Channels || a.Ports != b.Ports || !near(a.Uniform, b.Uniform) || !near(a.Worst, b.Worst) ||
			!near(a.HopsUniform, b.HopsUniform) || !near(a.HopsWorst, b.HopsWorst) {
			t.Errorf("%s: %+v by symmetry, %+v by search", g.Family(), *a, *b)
		}
	}
}

// What can be said by hand: a ring of n with distances of n/2, a full tree, one that is thinned to the half at every
// level, a HyperX whose worst permutation changes all coordinates.
func TestKnownBounds(t *testing.T) {
	for _, c := range []struct {
		params         topology.Params
		uniform, worst float64
	}{
		{topology.Torus{Dims: topology.Ints{8}}, 2 * 8 / (8 * 16.0 / 7), 2 * 8 / (8 * 4.0)},
		{topology.KAryNTree{Down: 4, Levels: 2}, 2 * 16 / (16 * 2 * 12.0 / 15), 1},
		{topology.ThinTree{Down: 4, Up: 2, Levels: 2}, 16 / (16 * 2 * 12.0 / 15), 0.5},
		{topology.HyperX{Dims: topology.Ints{4, 4}, Terminals: 4}, 96 / (64 * 4 * 24.0 / 63), 96 / (64 * 2.0)},
	} {
		g := build(t, c.params)
		if b := of(t, g); !near(b.Uniform, c.uniform) || !near(b.Worst, c.worst) {
			t.Errorf("%s: uniform %v, worst %v; by hand %v and %v", g.Family(), b.Uniform, b.Worst, c.uniform, c.worst)
		}
	}
}

// Where all terminals are on one switch, or there is only one, no traffic takes a channel.
func TestOneSwitch(t *testing.T) {
	for _, p := range []topology.Params{
		topology.Torus{Dims: topology.Ints{1}}, topology.KAryNTree{Down: 4, Levels: 1},
	} {
		if b := of(t, build(t, p)); !math.IsInf(b.Uniform, 1) || !math.IsInf(b.Worst, 1) || b.HopsUniform != 0 ||
			b.HopsWorst != 0 {
			t.Errorf("%s: %+v", p.Family(), *b)
		}
	}
}

// Jellyfish of 8,000 servers on 1,000 switches, 24 links each: TUB gives 0.999917 for the authors' draw (Namyar et al.,
// SIGCOMM 2021, their published graphs); ours are other draws of the same family.
func TestJellyfishOfThePaper(t *testing.T) {
	b := of(t, build(t, topology.RandomRegular{Nodes: 1000, Degree: 24, Terminals: 8, Seed: 1}))
	if math.Abs(b.Worst-0.999917) > 0.001 {
		t.Errorf("%.6f, published 0.999917", b.Worst)
	}
}

// drawn is a network of switches at random, some of which have terminals; some of these have several ports.
type drawn struct {
	topology.Graph
	kinds []topology.Kind
	links []topology.Link
}

func (d *drawn) Kinds() []topology.Kind         { return d.kinds }
func (d *drawn) Links() iter.Seq[topology.Link] { return slices.Values(d.links) }
func (d *drawn) Levels() []topology.Level       { return []topology.Level{{}} }

func draw(r *rand.Rand) *drawn {
	switches, terminals := 1+r.IntN(90), 1+r.IntN(120)
	d := &drawn{kinds: []topology.Kind{
		{Name: "switch", Count: switches, Role: topology.Switch},
		{Name: "terminal", First: switches, Count: terminals, Role: topology.Terminal},
	}}
	for range r.IntN(4 * switches) {
		a, b := r.Int32N(int32(switches)), r.Int32N(int32(switches))
		if a != b {
			d.links = append(d.links, topology.Link{A: a, B: b, Width: 1 + r.Int32N(2), Simplex: r.IntN(9) == 0})
		}
	}
	for v := range terminals {
		for range 1 + r.IntN(2) {
			d.links = append(d.links, topology.Link{
				A: int32(switches + v), B: r.Int32N(int32(switches)/2 + 1), Width: 1 + r.Int32N(2),
			})
		}
	}
	return d
}

// Searches from 64 ends at once find the distances that one from every port of every terminal finds.
func TestDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		g := draw(r)
		n, err := newNetwork(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		apart, err := n.distances(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		ports, capacity := int64(0), int64(0)
		for _, l := range g.links {
			switch {
			case int(l.A) >= g.kinds[0].Count:
				ports += int64(l.Width)
			case l.Simplex:
				capacity += int64(l.Width)
			default:
				capacity += 2 * int64(l.Width)
			}
		}
		if n.ports != ports || n.channels != capacity {
			t.Fatalf("%d ports, %d channels; there are %d and %d", n.ports, n.channels, ports, capacity)
		}
		sum, connected := 0.0, true
		dist := make([]int32, n.forwards.Vertices())
		for u := range n.ends {
			least := slices.Repeat([]int32{unreachable}, len(n.ends))
			for _, from := range n.ends[u].at {
				topology.HopDistances(n.forwards, int(from), dist, nil)
				for v := range n.ends {
					for _, to := range n.ends[v].at {
						if d := dist[to]; d >= 0 {
							least[v] = min(least[v], d)
						}
					}
				}
			}
			for v, d := range least {
				if int32(apart.row(u)[v]) != d {
					t.Fatalf("%d hops from end %d to %d, not %d", apart.row(u)[v], u, v, d)
				}
				connected = connected && d != unreachable
				sum += float64(d) * float64(n.ends[u].ports*n.ends[v].ports)
			}
		}
		b := of(t, g)
		switch want := float64(capacity) / (sum / float64(ports-1)); {
		case !connected:
			if b.Uniform != 0 || b.Worst != 0 {
				t.Fatalf("%+v of a network in parts", *b)
			}
		case sum == 0:
			if !math.IsInf(b.Uniform, 1) || !math.IsInf(b.Worst, 1) {
				t.Fatalf("%+v of a network without hops", *b)
			}
		case !near(b.Uniform, want):
			t.Fatalf("uniform %v, not %v", b.Uniform, want)
		}
	}
}

// The assignment is the best of all permutations, tried one and all.
func TestWorstIsBestOfAllPermutations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + r.IntN(7)
		net, apart := &network{}, &matrix{side: n, of: make([]uint8, n*n)}
		for range n {
			net.ends = append(net.ends, end{ports: 2 * (1 + r.Int64N(3))})
		}
		for i := range apart.of {
			if i%(n+1) != 0 {
				apart.of[i] = uint8(1 + r.IntN(5))
			}
		}
		got, err := net.worstPermutation(context.Background(), apart)
		if err != nil {
			t.Fatal(err)
		}
		best := int64(0)
		to := make([]int, n)
		var try func(u int, taken uint, sum int64)
		try = func(u int, taken uint, sum int64) {
			if u == n {
				best = max(best, sum)
				return
			}
			for v := range n {
				if taken>>v&1 == 0 {
					to[u] = v
					try(u+1, taken|1<<v, sum+int64(apart.row(u)[v])*min(net.ends[u].ports, net.ends[v].ports))
				}
			}
		}
		try(0, 0, 0)
		if got != best {
			t.Fatalf("%d ends %+v, %v: %d, the best permutation has %d", n, net.ends, apart.of, got, best)
		}
	}
}
