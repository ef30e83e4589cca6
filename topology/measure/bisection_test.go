package measure_test

import (
	"math"
	"math/bits"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
	"github.com/plenum-planner/plenum/topology/measure"
)

// bruteBisection tries every partition of a graph of up to 20 vertices, each
// differing from the one before by one vertex.
func bruteBisection(g topology.Graph, ends measure.Ends) int64 {
	kinds := g.Kinds()
	counts := uint32(0)
	n := topology.Vertices(g)
	for v := range n {
		r := kinds[topology.KindOf(kinds, v)].Role
		if r == topology.Node || (r == topology.Terminal) == (ends == measure.Terminals) {
			counts |= 1 << v
		}
	}
	width := make([][]int64, n)
	for v := range width {
		width[v] = make([]int64, n)
	}
	for l := range g.Links() {
		if ends == measure.Terminals || counts>>l.A&1 == 1 && counts>>l.B&1 == 1 {
			channels := int64(l.Width * max(1, g.Levels()[l.Level].Capacity))
			width[l.A][l.B] += channels
			width[l.B][l.A] += channels
		}
	}
	half := bits.OnesCount32(counts) / 2
	best, cut := int64(math.MaxInt64), int64(0)
	if half == 0 {
		best = 0
	}
	side := uint32(0)
	for i := uint32(1); i < 1<<n; i++ {
		v := bits.TrailingZeros32(i)
		for w, x := range width[v] {
			if side>>v&1 == side>>w&1 {
				cut += x
			} else {
				cut -= x
			}
		}
		side ^= 1 << v
		if bits.OnesCount32(side&counts) == half {
			best = min(best, cut)
		}
	}
	return best
}

func TestBisectionBracketsTheTruth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := graphtest.DrawGraph(t)
		if topology.Vertices(g) > 13 {
			t.Skip("slow")
		}
		for _, ends := range []measure.Ends{measure.Routers, measure.Terminals} {
			b := graphtest.Bisect(t, g, ends)
			if b.Count < 2 {
				continue
			}
			truth := bruteBisection(g, ends)
			if b.Lower > truth || b.Upper < truth {
				t.Fatalf("%v: %d (%s) to %d (%s), truth %d", ends, b.Lower, b.LowerMethod, b.Upper, b.UpperMethod,
					truth)
			}
		}
	})
}

// Every graph has a partition, into halves of its ends, between which Upper channels are.
func TestBisectionNamesItsHalves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := graphtest.DrawGraph(t)
		kinds, levels := g.Kinds(), g.Levels()
		role := func(v int32) topology.Role { return kinds[topology.KindOf(kinds, int(v))].Role }
		for _, ends := range []measure.Ends{measure.Routers, measure.Terminals} {
			b := graphtest.Bisect(t, g, ends)
			if len(b.Side) != topology.Vertices(g) {
				t.Fatalf("%v: sides of %d of %d vertices", ends, len(b.Side), topology.Vertices(g))
			}
			var halves [2]int
			for v, side := range b.Side {
				if r := role(int32(v)); r == topology.Node || (r == topology.Terminal) == (ends == measure.Terminals) {
					halves[side]++
				}
			}
			if sum := halves[0] + halves[1]; sum != b.Count || sum > 1 && max(halves[0], halves[1]) != (sum+1)/2 {
				t.Fatalf("%v: halves of %v of %d ends", ends, halves, b.Count)
			}
			cut := int64(0)
			for l := range g.Links() {
				inner := role(l.A) != topology.Terminal && role(l.B) != topology.Terminal
				if b.Side[l.A] != b.Side[l.B] && (inner || ends == measure.Terminals) {
					cut += int64(l.Channels(levels))
				}
			}
			if cut != b.Upper {
				t.Fatalf("%v: %d channels between the halves, %d (%s) stated", ends, cut, b.Upper, b.UpperMethod)
			}
		}
	})
}

// cutsLeast reports whether the closed form of the bisection is that of the minimum cut into halves that differ by one
// end at most.
func cutsLeast(s topology.Params) bool {
	switch s := s.(type) {
	case topology.Torus, topology.Mesh, topology.Hypercube, topology.FatTree, topology.FoldedClos, clusters.RailOnly:
		return true
	case topology.KAryNTree:
		return s.Down%2 == 0
	case topology.ThinTree:
		return s.Down%2 == 0
	case topology.FlattenedButterfly:
		return cutsLeast(topology.HyperX{Dims: s.Dims})
	case topology.HyperX:
		side, least := 0, math.MaxInt // of the dimensions with the least K S, even if one is
		for d, n := range s.Dims {
			weight := n
			if len(s.Widths) > 0 {
				weight *= s.Widths[d]
			}
			if n > 1 && (weight < least || weight == least && n%2 == 0) {
				side, least = n, weight
			}
		}
		return side%2 == 0
	}
	return false
}

// checkBisection holds the bounds and the closed form of the bisection against
// each other, and against all partitions of a small graph.
func checkBisection(t graphtest.T, s topology.Params, g topology.Graph) {
	t.Helper()
	ends := measure.HopEnds(g)
	b := graphtest.Bisect(t, g, ends)
	if topology.Vertices(g) <= 15 {
		if truth := bruteBisection(g, ends); b.Lower > truth || b.Upper < truth {
			t.Fatalf("%+v: %d (%s) to %d (%s), truth %d", s, b.Lower, b.LowerMethod, b.Upper, b.UpperMethod, truth)
		}
	}
	if f, ok := g.(topology.Formulas); ok && cutsLeast(s) {
		c := f.ClosedForms().Bisection
		if c >= 0 && (c < float64(b.Lower) || c > float64(b.Upper)) {
			t.Fatalf("%+v: %d (%s) to %d (%s), closed form %v", s, b.Lower, b.LowerMethod, b.Upper, b.UpperMethod, c)
		}
	}
}

// TestBisectionOfAnyMember checks random small members of every family.
func TestBisectionOfAnyMember(t *testing.T) {
	for _, f := range topology.Families() {
		t.Run(f.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s, g := graphtest.Member(t, f.Name, 100)
				checkBisection(t, s, g)
			})
		})
	}
}

// TestLeastCuts compares the closed forms that are minimum cuts with all partitions
// of every small member of their families.
func TestLeastCuts(t *testing.T) {
	type spec = topology.Params
	var specs []spec
	var grids func(dims topology.Ints, n int)
	grids = func(dims topology.Ints, n int) {
		if len(dims) > 0 {
			d := slices.Clone(dims)
			specs = append(specs, topology.Torus{Dims: d}, topology.Mesh{Dims: d})
			for rings := 1; rings < 1<<len(d) && slices.IsSorted(d); rings++ {
				wrap := make([]bool, len(d))
				for i := range wrap {
					wrap[i] = rings>>i&1 > 0
				}
				specs = append(specs, topology.Torus{Dims: d, Wrap: wrap})
				if d[0] == 2 {
					specs = append(specs, topology.Torus{Dims: d, Wrap: wrap, DoubledSides: true})
				}
			}
			if n <= 9 {
				specs = append(specs, topology.FlattenedButterfly{Dims: d, Terminals: 1})
				for w := range len(d) {
					widths := make(topology.Ints, len(d))
					for i := range widths {
						widths[i] = 1
					}
					widths[w] = 3
					specs = append(specs, topology.HyperX{Dims: d, Terminals: 1, Widths: widths})
				}
			}
		}
		for side := 2; n*side <= 18; side++ {
			grids(append(dims, side), n*side)
		}
	}
	grids(nil, 1)
	for n := 1; n <= 4; n++ {
		specs = append(specs, topology.Hypercube{Dims: topology.Ints{n}})
	}
	for down := 2; down <= 4; down++ {
		for levels := 1; levels <= 3; levels++ {
			for up := 1; up <= down; up++ {
				specs = append(specs, topology.ThinTree{Down: down, Up: up, Levels: levels})
			}
		}
	}
	for nodes := 1; nodes <= 12; nodes++ {
		for radix := 2; radix <= 8; radix++ {
			for _, taper := range []float64{0, 2, 3} {
				for rails := 1; rails <= 2; rails++ {
					specs = append(specs,
						topology.FatTree{Nodes: nodes, Radix: radix, Taper: taper, Rails: rails},
						topology.FatTree{Nodes: nodes, Radix: radix, Taper: taper, Rails: rails, Tiers: 3},
						clusters.RailOnly{Nodes: nodes, Radix: radix, Taper: taper, Rails: rails})
				}
				for tiers := range 4 {
					specs = append(specs, topology.FoldedClos{Nodes: nodes, Radix: radix, Taper: taper, Tiers: tiers})
				}
			}
		}
	}
	checked := make(map[string]int)
	for _, s := range specs {
		g, err := topology.New(s)
		if err != nil || topology.Vertices(g) > 18 {
			continue
		}
		ends := measure.HopEnds(g)
		truth := bruteBisection(g, ends)
		b := graphtest.Bisect(t, g, ends)
		if b.Lower > truth || b.Upper < truth {
			t.Errorf("%+v: %d (%s) to %d (%s), truth %d", s, b.Lower, b.LowerMethod, b.Upper, b.UpperMethod, truth)
		}
		if c := g.(topology.Formulas).ClosedForms().Bisection; cutsLeast(s) && c >= 0 {
			checked[s.Family()]++
			if c != float64(truth) {
				t.Errorf("%+v: closed form %v, truth %d", s, c, truth)
			}
		}
	}
	for family, least := range map[string]int{
		"torus": 50, "mesh": 50, "flattened-butterfly": 4, "hyperx": 8,
		"thin-tree": 5, "fat-tree": 20, "folded-clos": 20, "rail-only": 20,
	} {
		if checked[family] < least {
			t.Errorf("%s: only %d members", family, checked[family])
		}
	}
	t.Log(checked)
}

func TestBisectionOfFamilies(t *testing.T) {
	type spec = topology.Params
	tests := []struct {
		name string
		spec spec
		want int64 // the truth
		gap  int64 // that the bracket leaves
	}{
		{"torus 8x8: 2n/k", topology.Torus{Dims: topology.Ints{8, 8}}, 16, 0},
		{"torus 8x4x6", topology.Torus{Dims: topology.Ints{8, 4, 6}}, 48, 0},
		{"torus 32^3", topology.Torus{Dims: topology.Ints{32, 32, 32}}, 2048, 0},
		{"torus 3x2x8: across the ring of 8", topology.Torus{Dims: topology.Ints{3, 2, 8}}, 12, 0},
		{
			"hyperx 4x6, widths 3 and 1: across the 6",
			topology.HyperX{Dims: topology.Ints{4, 6}, Widths: topology.Ints{3, 1}, Terminals: 1},
			36, 0,
		},
		{"hypercube 7: n/2", topology.Hypercube{Dims: topology.Ints{7}}, 64, 0},
		{"mesh 10x10", topology.Mesh{Dims: topology.Ints{10, 10}}, 10, 0},
		{"hyperx 8x8: S^2/4 of 8 rows", topology.HyperX{Dims: topology.Ints{8, 8}, Terminals: 2}, 128, 0},
		{"4-ary 3-tree: N/2", topology.KAryNTree{Down: 4, Levels: 3}, 32, 0},
		{"4:2-ary 3-thin-tree: k k'^(n-1)/2", topology.ThinTree{Down: 4, Up: 2, Levels: 3}, 8, 0},
		{"8:4-ary 4-thin-tree", topology.ThinTree{Down: 8, Up: 4, Levels: 4}, 256, 0},
		{"fat tree, 648 nodes of 36 ports: N/2", topology.FatTree{Nodes: 648, Radix: 36}, 324, 0},
		{
			"DGX SuperPOD H100: half of the leaves' up ports, less one node's",
			topology.FatTree{Nodes: 127, Radix: 64, Rails: 8},
			504, 0,
		},
		{"three tiers, tapered twice", topology.FatTree{Nodes: 96, Radix: 6, Tiers: 3, Taper: 2}, 12, 0},
		{"three tiers, 125 of 128 leaves", topology.FatTree{Nodes: 1000, Radix: 16, Tiers: 3}, 500, 0},
		{"eight rails, each a fat tree", clusters.RailOnly{Nodes: 128, Rails: 8, Radix: 64}, 512, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := graphtest.New(t, tt.spec)
			b := graphtest.Bisect(t, g, measure.HopEnds(g))
			t.Logf("%d (%s) to %d (%s)", b.Lower, b.LowerMethod, b.Upper, b.UpperMethod)
			if b.Lower > tt.want || b.Upper != tt.want || b.Upper-b.Lower > tt.gap {
				t.Errorf("%d (%s) to %d (%s), truth %d", b.Lower, b.LowerMethod, b.Upper, b.UpperMethod, tt.want)
			}
		})
	}
}

func TestMooreBound(t *testing.T) {
	for _, tt := range []struct {
		degree, diameter int
		want             int64
	}{
		{2, 2, 5},
		{3, 2, 10},
		{7, 2, 50},
		{57, 2, 3250},
		{15, 4, 44326},
		{1, 5, 2},
		{0, 3, 1},
		{3, 0, 1},
		{1000, 1000, math.MaxInt64},
	} {
		if got := measure.MooreBound(tt.degree, tt.diameter); got != tt.want {
			t.Errorf("degree %d, diameter %d: %d, expected %d", tt.degree, tt.diameter, got, tt.want)
		}
	}
}

// TestHubsOfEvenTrees compares the bounds of trees that know that they are even
// with those of the same graphs without that knowledge.
func TestHubsOfEvenTrees(t *testing.T) {
	type plain struct{ topology.Graph }
	for _, family := range []string{"k-ary-n-tree", "thin-tree", "fat-tree", "folded-clos", "rail-only"} {
		t.Run(family, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s, g := graphtest.Member(t, family, 300)
				got, want := graphtest.Bisect(t, g, measure.Terminals), graphtest.Bisect(t, plain{g}, measure.Terminals)
				if got.Lower != want.Lower || got.Upper != want.Upper {
					t.Fatalf("%+v: %d to %d, expected %d to %d", s, got.Lower, got.Upper, want.Lower, want.Upper)
				}
			})
		})
	}
}

// TestBisectionOnAnyNumberOfCores: the partitions that are made at a time do not change what is found.
func TestBisectionOnAnyNumberOfCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, s := range []topology.Params{
		topology.RandomRegular{Nodes: 600, Degree: 5},
		topology.Hypercube{Dims: topology.Ints{7}}, // the Fiedler vector closes the gap
		topology.CCC{Dims: topology.Ints{6}},
		topology.FatTree{Nodes: 96, Radix: 6, Tiers: 3, Taper: 2},
	} {
		g := plainGraph{graphtest.New(t, s)}
		runtime.GOMAXPROCS(1)
		want := graphtest.Bisect(t, g, measure.HopEnds(g))
		for range 5 {
			runtime.GOMAXPROCS(4)
			if diff := cmp.Diff(want, graphtest.Bisect(t, g, measure.HopEnds(g))); diff != "" {
				t.Fatalf("%s: %s", s.Family(), diff)
			}
		}
	}
}

// plainGraph hides what a graph knows about itself.
type plainGraph struct{ topology.Graph }
