package delay

import (
	order "cmp"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
	"github.com/plenum-planner/plenum/units"
)

// cliqued is a graph of cliques that share vertices, some of whose links are missing or doubled, and of single links.
func cliqued(rng *rand.Rand) *listed {
	switches := 4 + rng.IntN(30)
	g := new(listed)
	if rng.IntN(2) == 0 {
		g.kind(topology.Node, switches)
	} else {
		g.kind(topology.Switch, switches)
	}
	terminals := rng.IntN(10)
	g.kind(topology.Terminal, terminals)
	seen := map[[3]int]bool{}
	join := func(a, b, level int) {
		link := [3]int{min(a, b), max(a, b), level}
		if a != b && !seen[link] {
			seen[link] = true
			g.link(a, b, level)
		}
	}
	missing := []float64{0, 0, 0.02, 0.2}[rng.IntN(4)]
	for range 1 + rng.IntN(8) {
		members := rng.Perm(switches)[:min(switches, 3+rng.IntN(8))]
		for i, a := range members {
			for _, b := range members[:i] {
				if rng.Float64() >= missing {
					join(a, b, 0)
				}
				if rng.IntN(20) == 0 {
					join(a, b, 1)
				}
			}
		}
	}
	for range rng.IntN(switches) {
		join(rng.IntN(switches), rng.IntN(switches), 2)
	}
	for t := range terminals {
		for range 1 + rng.IntN(3) {
			join(switches+t, rng.IntN(switches), 0)
		}
	}
	return g
}

// byCover measures with a cover and without.
func byCover(t interface{ Fatal(...any) }, g topology.Graph, m Model, l Links) (with, without *Result, c *cover) {
	csr := topology.NewCSR(g)
	n, err := newNetwork(g.Kinds(), csr, m, l, false)
	if err != nil {
		t.Fatal(err)
	}
	c = newCover(n)
	with, err = n.measure(context.Background(), csr.Vertices(), bySource{c}, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	without, err = n.measure(context.Background(), csr.Vertices(), bySource{}, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return with, without, c
}

// Hops that cost little make many detours, and lengths at random break the triangles of cliques.
func TestSearchByCliquesEqualsPlainSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 8))
		g := cliqued(rng)
		hop := units.Time([]float64{0, 2, 20, 200}[rng.IntN(4)])
		m := exactModel(g, hop, hop+1)
		var l Links
		longest := 1 + rng.IntN(100)
		for range g.Links() {
			l.Add(units.Length(rng.IntN(longest))/2, uint8(rng.IntN(2)))
		}
		with, without, _ := byCover(t, g, m, l)
		if d := cmp.Diff(without, with); d != "" {
			t.Fatalf("plain search (-), by cliques (+):\n%s", d)
		}
	})
}

func TestSearchByCliquesEqualsPlainSearchOnFamilies(t *testing.T) {
	larger := []topology.Params{
		topology.HyperX{Dims: topology.Ints{4, 5, 6}, Terminals: 1},
		topology.HyperX{Dims: topology.Ints{5, 4}, Widths: topology.Ints{3, 2}, Terminals: 3},
		topology.FlattenedButterfly{Dims: topology.Ints{6, 6}, Terminals: 2},
		topology.Dragonfly{P: 2, A: 8, H: 2},
		topology.Dragonfly{P: 2, A: 6, H: 3, Groups: 7},
		topology.Dragonfly{P: 1, A: 5, H: 4, Groups: 4, LinksPerPair: 5},
		topology.CLEX{Clique: 6, Levels: 3},
		topology.SlimFly{Q: 5, Terminals: 2},
		topology.PolarFly{Q: 5, Terminals: 1},
	}
	for _, order := range []string{"absolute", "relative", "circulant"} {
		larger = append(larger,
			clusters.CrayDragonfly{Dims: topology.Ints{4, 5}, H: 2, Terminals: 2, Groups: 9, Arrangement: order})
	}
	for i, spec := range append(larger, smallDuplex(t)...) {
		g, err := topology.New(spec)
		if err != nil {
			t.Fatalf("%v: %v", spec, err)
		}
		rng := rand.New(rand.NewPCG(uint64(i), 9))
		_, l := scattered(g, rng)
		for _, hop := range []units.Time{1, 30, 300} {
			with, without, _ := byCover(t, g, exactModel(g, hop, hop+1), l)
			if d := cmp.Diff(without, with); d != "" {
				t.Errorf("%+v, hops of %v: plain search (-), by cliques (+):\n%s", spec, hop, d)
			}
		}
	}
}

func TestCover(t *testing.T) {
	for _, c := range []struct {
		name    string
		spec    topology.Params
		sizes   map[int]int // cliques by members
		singles bool
	}{
		{
			"the rows of a HyperX",
			topology.HyperX{Dims: topology.Ints{4, 5, 6}, Terminals: 1},
			map[int]int{4: 30, 5: 24, 6: 20},
			false,
		},
		{"the groups of a dragonfly", topology.Dragonfly{P: 1, A: 8, H: 2}, map[int]int{8: 17}, true},
		{
			"rows of three are not worth it",
			topology.HyperX{Dims: topology.Ints{3, 5}, Terminals: 1},
			map[int]int{5: 3},
			true,
		},
		{"none in a torus", topology.Torus{Dims: topology.Ints{5, 5}}, nil, true},
		{"none in a tree", topology.FatTree{Nodes: 128, Radix: 8, Tiers: 3}, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := topology.New(c.spec)
			if err != nil {
				t.Fatal(err)
			}
			_, l := scattered(g, rand.New(rand.NewPCG(1, 10)))
			n, err := newNetwork(g.Kinds(), topology.NewCSR(g), exactModel(g, 100, 100), l, false)
			if err != nil {
				t.Fatal(err)
			}
			by := newCover(n)
			if by == nil {
				if c.sizes != nil {
					t.Error("no cliques")
				}
				return
			}
			sizes := map[int]int{}
			for _, members := range by.members[1:] {
				sizes[len(members)]++
			}
			if d := cmp.Diff(c.sizes, sizes); d != "" || by.singles != c.singles {
				t.Errorf("cliques by size (-want +got):\n%s\nlinks in none: %v", d, by.singles)
			}
		})
	}
}

// Every arc is in the cover once, and any two members of a clique have a link.
func TestCoverIsSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 11))
		g := cliqued(rng)
		n, err := newNetwork(g.Kinds(), topology.NewCSR(g), exactModel(g, 1, 1), lengths(g, rng, 9), false)
		if err != nil {
			t.Fatal(err)
		}
		c := newCover(n)
		if c == nil {
			return
		}
		for v := range uint32(n.vertices()) {
			want, got := n.arcs[n.first[v]:n.first[v+1]], []arc(nil)
			for _, seg := range c.of(v) {
				got = append(got, c.arcs[seg.first:seg.last]...)
				if seg.clique == alone {
					continue
				}
				to := []uint32{v}
				for _, a := range c.arcs[seg.first:seg.last] {
					to = append(to, a.to)
				}
				slices.Sort(to)
				if !slices.Equal(slices.Compact(to), c.members[seg.clique]) {
					t.Fatalf("vertex %d leads to %v in the clique of %v", v, to, c.members[seg.clique])
				}
			}
			by := func(a, b arc) int { return order.Or(order.Compare(a.to, b.to), order.Compare(a.weight, b.weight)) }
			if !slices.Equal(slices.SortedFunc(slices.Values(got), by), slices.SortedFunc(slices.Values(want), by)) {
				t.Fatalf("arcs of %d: %v, want %v", v, got, want)
			}
		}
	})
}
