package delay

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Trees of several ranks, with several links between parts, and with nodes that have several links.
var treed = []topology.Params{
	topology.KAryNTree{Down: 2, Levels: 5},
	topology.KAryNTree{Down: 3, Levels: 3},
	topology.KAryNTree{Down: 4, Levels: 3},
	topology.KAryNTree{Down: 24, Levels: 2},
	topology.ThinTree{Down: 3, Up: 2, Levels: 4},
	topology.ThinTree{Down: 5, Up: 1, Levels: 3},
	topology.FatTree{Nodes: 128, Radix: 8, Tiers: 3},
	topology.FatTree{Nodes: 16, Radix: 8, Tiers: 2, Rails: 2},
	topology.FatTree{Nodes: 48, Radix: 8, Tiers: 3, Rails: 2},
	topology.FoldedClos{Nodes: 54, Radix: 6},
}

// drawnTree is a tree of parts of several sizes: to each of them, as many links lead from every switch above it. It
// returns the vertices at its top.
func drawnTree(g *listed, rng *rand.Rand, rank int, role topology.Role) []int {
	if rank == 0 {
		g.kind(role, 1)
		return []int{topology.Vertices(g) - 1}
	}
	var below [][]int
	for range 1 + rng.IntN(4) {
		below = append(below, drawnTree(g, rng, rank-1, role))
	}
	g.kind(topology.Switch, 1+rng.IntN(5))
	n := topology.Vertices(g)
	var top []int
	for v := n - g.kinds[len(g.kinds)-1].Count; v < n; v++ {
		top = append(top, v)
	}
	for _, child := range below {
		degree := min(len(child), (len(child)-1)/len(top)+1+rng.IntN(2)) // every one of the child has a link up
		turn := 0
		for _, v := range top {
			for range degree {
				g.link(child[turn%len(child)], v, 0)
				turn++
			}
		}
	}
	return top
}

// drawnTreeNetwork draws a tree with nodes at some of its leaves, and what delays in it depend on.
func drawnTreeNetwork(t *rapid.T) (g *listed, csr *topology.CSR, m Model, l Links) {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 6))
	g = new(listed)
	drawnTree(g, rng, 1+rng.IntN(4), []topology.Role{topology.Node, topology.Terminal}[rng.IntN(2)])
	for range rng.IntN(30) * rng.IntN(2) { // nodes at some of the leaves
		g.kind(topology.Terminal, 1)
		leaf := rng.IntN(topology.Vertices(g))
		if g.kinds[topology.KindOf(g.kinds, leaf)].Role == topology.Node {
			g.link(leaf, topology.Vertices(g)-1, 0)
		}
	}
	csr = topology.NewCSR(g)
	m, l = exactModel(g, units.Time(rng.IntN(100)), units.Time(rng.IntN(100))), lengths(g, rng, 1+rng.IntN(40))
	return g, csr, m, l
}

func TestDrawnTreesEqualSearches(t *testing.T) {
	trees := 0
	rapid.Check(t, func(t *rapid.T) {
		g, csr, m, l := drawnTreeNetwork(t)
		n, err := newNetwork(g.Kinds(), csr, m, l, false)
		if err != nil {
			t.Fatal(err)
		}
		by := newTree(n)
		if by == nil {
			return // a switch has no link up
		}
		trees++
		got, want := measuredBy(t, n, csr.Vertices(), by), measuredBy(t, n, csr.Vertices(), bySource{})
		if d := sameFigures(want, got); d != "" {
			t.Fatalf("searches (-) and the tree (+) differ:\n%s", d)
		}
	})
	t.Log(trees, "trees")
}

// A network in which a link of a tree is missing, or one leads elsewhere, is none.
func TestOtherNetworksAreNoTrees(t *testing.T) {
	tree, err := topology.New(topology.KAryNTree{Down: 3, Levels: 3})
	if err != nil {
		t.Fatal(err)
	}
	links := slices.Collect(tree.Links())
	last := len(links) - 1
	leafToLeaf, upTwice := links[last], links[last]
	leafToLeaf.A, leafToLeaf.B = 0, 1
	upTwice.A = 0
	for name, of := range map[string][]topology.Link{
		"missing": links[:last], "between leaves": append(slices.Clone(links), leafToLeaf),
		"past a rank": append(slices.Clone(links), upTwice), "two trees": nil,
	} {
		g := &listed{kinds: tree.Kinds(), links: of}
		if of == nil {
			g = new(listed).kind(topology.Switch, 2).kind(topology.Terminal, 4)
			for v := range 4 {
				g.link(v/2, 2+v, 0)
			}
		}
		csr := topology.NewCSR(g)
		n, err := newNetwork(g.Kinds(), csr, model(g), lengths(g, rand.New(rand.NewPCG(1, 1)), 5), false)
		if err != nil {
			t.Fatal(err)
		}
		if newTree(n) != nil {
			t.Errorf("%s: taken for a tree", name)
		}
	}
}

// measuredBy is what a method finds.
func measuredBy(t interface{ Fatal(...any) }, n *network, vertices int, by method) *Result {
	r, err := n.measure(context.Background(), vertices, by, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTreesEqualSearches(t *testing.T) {
	for i, spec := range treed {
		g, err := topology.New(spec)
		if err != nil {
			t.Fatalf("%v: %v", spec, err)
		}
		t.Run(spec.Family(), func(t *testing.T) {
			csr := topology.NewCSR(g)
			rng := rand.New(rand.NewPCG(uint64(i), 3))
			detours := int64(0)
			for round := range 6 {
				// Where hops cost next to nothing, the fastest paths have more of them.
				m := exactModel(g, []units.Time{0, 90, 2}[round%3], []units.Time{3, 112, 0}[round%3])
				l := lengths(g, rng, 1+20*round)
				n, err := newNetwork(g.Kinds(), csr, m, l, false)
				if err != nil {
					t.Fatal(err)
				}
				by := newTree(n)
				if by == nil {
					t.Fatalf("%v is not a tree", spec)
				}
				got, want := measuredBy(t, n, csr.Vertices(), by), measuredBy(t, n, csr.Vertices(), bySource{})
				if d := sameFigures(want, got); d != "" {
					t.Fatalf("%v: searches (-) and the tree (+) differ:\n%s", spec, d)
				}
				detours += got.Detours
			}
			if detours == 0 && spec.Family() != "thin-tree" {
				t.Error("no fastest path has more hops")
			}
		})
	}
}

// Nodes have links of one length, as in racks.
func BenchmarkTree(b *testing.B) {
	g, err := topology.New(topology.KAryNTree{Down: 16, Levels: 4})
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var l Links
	for link := range g.Links() {
		length := units.Length(2)
		if link.Level > 0 {
			length += units.Length(rng.IntN(400)) / 10
		}
		l.Add(length, 1)
	}
	m, c := exactModel(g, 0, 112), topology.NewCSR(g)
	for b.Loop() {
		if _, err := Paths(context.Background(), g, c, m, l, Options{Limit: 1 << 20}); err != nil {
			b.Fatal(err)
		}
	}
}
