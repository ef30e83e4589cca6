package measure_test

import (
	"context"
	"math"
	"math/big"
	"runtime"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

func loadsOf(t testing.TB, g topology.Graph, opt measure.LoadOptions) []float64 {
	t.Helper()
	loads, err := measure.LinkLoads(context.Background(), g, opt)
	if err != nil {
		t.Fatal(err)
	}
	return loads
}

// TestLinkLoads counts the paths over every link, pair by pair.
func TestLinkLoads(t *testing.T) {
	for _, s := range []topology.Params{
		topology.Mesh{Dims: topology.Ints{4, 3}},
		topology.Torus{Dims: topology.Ints{4, 4}},
		topology.FatTree{Nodes: 14, Radix: 8},
		topology.HyperX{Dims: topology.Ints{3, 2}, Terminals: 2, Widths: topology.Ints{2, 1}},
		topology.CLEX{Clique: 3, Levels: 2},
		topology.RandomRegular{Nodes: 20, Degree: 3, Seed: 1},
	} {
		t.Run(s.Family(), func(t *testing.T) {
			g := graphtest.New(t, s)
			kinds := g.Kinds()
			role := func(v int) topology.Role { return kinds[topology.KindOf(kinds, v)].Role }
			forward := func(v int) bool { return role(v) != topology.Terminal }
			c := topology.NewCSR(g)
			n := c.Vertices()
			between := func(a, b int) (float64, int) {
				if a == b {
					return 1, 0
				}
				paths, hops := measure.MinimalPaths(c, a, b, forward)
				x, _ := new(big.Float).SetInt(paths).Float64()
				return x, hops
			}
			loads := loadsOf(t, g, measure.LoadOptions{})
			i := 0
			for l := range g.Links() {
				want := 0.0
				for from := range n {
					for to := range n {
						if from == to || role(from) == topology.Switch || role(to) == topology.Switch {
							continue
						}
						all, hops := between(from, to)
						for _, x := range [][2]int32{{l.A, l.B}, {l.B, l.A}} {
							u, v := int(x[0]), int(x[1])
							if l.Simplex && x[0] != l.A || u != from && !forward(u) || v != to && !forward(v) {
								continue
							}
							before, h1 := between(from, u)
							after, h2 := between(v, to)
							if h1 >= 0 && h2 >= 0 && h1+1+h2 == hops {
								want += before * after / all
							}
						}
					}
				}
				if math.Abs(loads[i]-want) > 1e-9*want {
					t.Fatalf("link %d from %s to %s carries %v, expected %v", i, g.Label(int(l.A)), g.Label(int(l.B)),
						loads[i], want)
				}
				i++
			}
		})
	}
}

// TestLinkLoadsAnywhere wants the same sums on any number of cores, and near
// the truth from sources drawn.
func TestLinkLoadsAnywhere(t *testing.T) {
	g := graphtest.New(t, topology.RandomRegular{Nodes: 400, Degree: 5, Seed: 2})
	exact := loadsOf(t, g, measure.LoadOptions{})
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if alone := loadsOf(t, g, measure.LoadOptions{}); !slices.Equal(alone, exact) {
		t.Error("one core finds other loads")
	}
	drawn := loadsOf(t, g, measure.LoadOptions{Work: 200 * 2400})
	sum, want := 0.0, 0.0
	for i := range drawn {
		sum += drawn[i]
		want += exact[i]
	}
	if math.Abs(sum/want-1) > .02 || slices.Equal(drawn, exact) {
		t.Errorf("from sources drawn %v in all, expected about %v", sum, want)
	}
}
