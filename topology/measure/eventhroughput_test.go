package measure_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

func evenThroughput(t *testing.T, g topology.Graph) float64 {
	t.Helper()
	share, err := measure.EvenThroughput(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	return share
}

// Figures by hand: rings, whose paths half round go either way, a full tree and a thinned one.
func TestEvenThroughputByHand(t *testing.T) {
	for _, c := range []struct {
		spec topology.Spec
		want float64
	}{
		{topology.Spec{Params: topology.Torus{Dims: topology.Ints{8}}}, 7.0 / 8},
		{topology.Spec{Params: topology.Torus{Dims: topology.Ints{16}}}, 15.0 / 32},
		{topology.Spec{
			Params:        topology.Torus{Dims: topology.Ints{16}},
			LevelCapacity: topology.LevelCapacity{Capacity: map[string]int{"dim1": 2}},
		}, 15.0 / 16},
		{topology.Spec{Params: topology.KAryNTree{Down: 4, Levels: 2}}, 1},
		// A leaf sends 12/15 of what its 4 nodes send over its one link.
		{topology.Spec{Params: topology.ThinTree{Down: 4, Up: 1, Levels: 2}}, 15.0 / 12 / 4},
	} {
		g, err := topology.New(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		if got := evenThroughput(t, g); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v carries %v, expected %v", c.spec, got, c.want)
		}
	}
}

// Path by path: every pair sends a unit over each of its shortest paths of channels, and the busiest channel tells.
func TestEvenThroughputPathByPath(t *testing.T) {
	for _, s := range []topology.Spec{
		{Params: topology.HyperX{Dims: topology.Ints{3, 2}, Terminals: 2, Widths: topology.Ints{2, 1}}},
		{Params: topology.RandomRegular{Nodes: 20, Degree: 3, Seed: 1}},
		{Params: topology.FatTree{Nodes: 14, Radix: 8, Taper: 3}},
		{
			Params:        topology.CLEX{Clique: 3, Levels: 3, Bundled: true},
			LevelCapacity: topology.LevelCapacity{Capacity: map[string]int{"level2": 2, "level3": 5}},
		},
	} {
		g, err := topology.New(s)
		if err != nil {
			t.Fatal(err)
		}
		want := evenByPaths(g)
		if got := evenThroughput(t, g); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v carries %v, expected %v", s, got, want)
		}
		bound, err := measure.Throughput(t.Context(), g, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := evenThroughput(t, g); got > bound.Uniform+1e-9 {
			t.Errorf("%v carries %v, above the bound %v", s, got, bound.Uniform)
		}
	}
	pieces := graphtest.New(t, topology.Torus{Dims: topology.Ints{1}})
	if got := evenThroughput(t, pieces); got != 1 {
		t.Errorf("one node carries %v", got)
	}
}

// evenByPaths follows every shortest path of every pair, hop by hop.
func evenByPaths(g topology.Graph) float64 {
	type arc struct{ from, to int32 }
	channels := map[arc]int64{}
	next := map[int32][]int32{}
	levels := g.Levels()
	for l := range g.Links() {
		for _, a := range []arc{{l.A, l.B}, {l.B, l.A}} {
			if channels[a] == 0 {
				next[a.from] = append(next[a.from], a.to)
			}
			channels[a] += int64(l.Channels(levels))
		}
	}
	kinds := g.Kinds()
	role := func(v int32) topology.Role { return kinds[topology.KindOf(kinds, int(v))].Role }
	c := topology.NewCSR(g)
	forward := func(v int) bool { return role(int32(v)) != topology.Terminal }
	load := map[arc]float64{}
	nodes, ports := 0.0, 0.0
	for from := range int32(topology.Vertices(g)) {
		if role(from) == topology.Switch {
			continue
		}
		nodes++
		if role(from) == topology.Terminal {
			ports += float64(kinds[topology.KindOf(kinds, int(from))].Ports)
		} else {
			ports++
		}
		for to := range int32(topology.Vertices(g)) {
			if to == from || role(to) == topology.Switch {
				continue
			}
			_, hops := measure.MinimalPaths(c, int(from), int(to), forward)
			var paths [][]arc
			var weights []*big.Int
			var walk func(at int32, path []arc, weight *big.Int)
			walk = func(at int32, path []arc, weight *big.Int) {
				if at == to && len(path) == hops {
					paths = append(paths, append([]arc(nil), path...))
					weights = append(weights, weight)
					return
				}
				if len(path) >= hops || at != from && !forward(int(at)) {
					return
				}
				for _, v := range next[at] {
					a := arc{at, v}
					walk(v, append(path, a), new(big.Int).Mul(weight, big.NewInt(channels[a])))
				}
			}
			walk(from, nil, big.NewInt(1))
			sum := new(big.Int)
			for _, w := range weights {
				sum.Add(sum, w)
			}
			for i, path := range paths {
				share, _ := new(big.Rat).SetFrac(weights[i], sum).Float64()
				for _, a := range path {
					load[a] += share
				}
			}
		}
	}
	share := 1.0
	for a, x := range load {
		share = min(share, float64(channels[a])/(x*ports/nodes/(nodes-1)))
	}
	return share
}
