package topology_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// checkFoldedClos checks the ports and that a packet between any two nodes turns
// at the lowest tier whose subtrees hold both.
func checkFoldedClos(t graphtest.T, s topology.FoldedClos, g topology.Graph) {
	t.Helper()
	kinds := g.Kinds()
	tiers, node := len(kinds)-1, kinds[len(kinds)-1]
	up, down := make([]int, node.First), make([]int, node.First)
	for l := range g.Links() {
		if topology.KindOf(kinds, int(l.A)) != max(0, int(l.Level)-1) {
			t.Fatalf("%+v does not lead up from tier %d", l, l.Level-1)
		}
		if l.Level == 0 {
			down[l.A]++
			continue
		}
		up[l.A] += int(l.Width)
		down[l.B] += int(l.Width)
	}
	for i, k := range kinds[:tiers] {
		if k.Ports > s.Radix {
			t.Fatalf("%s has %d ports of %d", k.Name, k.Ports, s.Radix)
		}
		for v := k.First; v < k.First+k.Count; v++ {
			if up[v] != up[k.First] || (up[v] == 0) != (i == tiers-1) {
				t.Fatalf("%s %s has %d up ports, the first one %d", k.Name, g.Label(v), up[v], up[k.First])
			}
			if down[v] == 0 || i == tiers-1 && (down[v] < down[k.First]-1 || down[v] > down[k.First]+1) {
				t.Fatalf("%s %s has %d channels down, the first one %d", k.Name, g.Label(v), down[v], down[k.First])
			}
		}
	}
	if s.Tiers == 0 && tiers > 1 {
		if _, err := topology.New(topology.FoldedClos{
			Nodes: s.Nodes, Radix: s.Radix, Taper: s.Taper,
			Tiers: tiers - 1,
		}); err == nil {
			t.Fatalf("%+v: %d tiers, %d suffice", s, tiers, tiers-1)
		}
	}

	groupings := g.Groupings()
	dist := make([]int32, topology.Vertices(g))
	from := node.Count / 2
	topology.HopDistances(topology.NewCSR(g), node.First+from, dist, nil)
	for w := range node.Count {
		if w == from {
			continue
		}
		tier := tiers - 1 // where the two meet
		for j := len(groupings) - 1; j >= 0; j-- {
			if groupings[j].Of(node.First+from) == groupings[j].Of(node.First+w) {
				tier = min(tier, j)
			}
		}
		graphtest.Equal(t, "distance", int64(dist[node.First+w]), int64(2*(tier+1)))
	}
}

// TestFoldedClosIsFatTree compares networks that both families can express.
func TestFoldedClosIsFatTree(t *testing.T) {
	for _, tt := range []struct{ nodes, radix, tiers int }{
		{16, 4, 3},
		{8, 4, 2},
		{648, 36, 2},
		{1024, 16, 3},
		{512, 16, 3},
		{54, 6, 3},
	} {
		clos := graphtest.New(t, topology.FoldedClos{Nodes: tt.nodes, Radix: tt.radix, Tiers: tt.tiers})
		tree := graphtest.New(t, topology.FatTree{Nodes: tt.nodes, Radix: tt.radix, Tiers: tt.tiers})
		if got, want := graphtest.CountsText(clos), graphtest.CountsText(tree); got != want {
			t.Errorf("%+v: %s, as a fat tree %s", tt, got, want)
		}
		got, want := graphtest.Hops(t, clos, measure.Terminals), graphtest.Hops(t, tree, measure.Terminals)
		if fmt.Sprint(got.Histogram) != fmt.Sprint(want.Histogram) {
			t.Errorf("%+v: hops %v, as a fat tree %v", tt, got.Histogram, want.Histogram)
		}
	}
}

// TestFoldedClosBesideHyperX builds the folded Clos network beside each row of
// the HyperX search: as many terminals, ports and bisection, at more hops.
func TestFoldedClosBesideHyperX(t *testing.T) {
	tests := []struct {
		name   string
		hyperX topology.HyperX
		clos   topology.FoldedClos
		want   string
		hops   [2]int // from terminal to terminal, of either
	}{
		{
			"Ahn et al. 2009, R=32 N=4096 beta=.5",
			topology.HyperX{Dims: topology.Ints{8, 8, 8}, Terminals: 8},
			topology.FoldedClos{Nodes: 4096, Radix: 32, Taper: 2},
			"leaf 196, spine 143, core 77, node 4096; terminal 4096, tier1 2156, tier2 2288",
			[2]int{5, 6},
		},
		{
			"Ahn et al. 2009, R=48 N=4096 beta=.5",
			topology.HyperX{Dims: topology.Ints{16, 16}, Terminals: 16},
			topology.FoldedClos{Nodes: 4096, Radix: 48, Taper: 2},
			"leaf 128, spine 96, core 48, node 4096; terminal 4096, tier1 2048, tier2 2304",
			[2]int{4, 6},
		},
		{
			"Ahn et al. 2009, R=64 N=65536 beta=.5",
			topology.HyperX{Dims: topology.Ints{16, 16, 16}, Terminals: 16},
			topology.FoldedClos{Nodes: 65536, Radix: 64, Taper: 2},
			"leaf 1561, spine 1029, core 525, node 65536; terminal 65536, tier1 32781, tier2 32928",
			[2]int{5, 6},
		},
		{
			"Ahn et al. 2009, R=64 N=131072 beta=.5: four tiers",
			topology.HyperX{Dims: topology.Ints{7, 7, 14, 14}, Widths: topology.Ints{2, 2, 1, 1}, Terminals: 14},
			topology.FoldedClos{Nodes: 131072, Radix: 64, Taper: 2},
			"leaf 3121, tier2 2058, tier3 2688, tier4 1344, node 131072; terminal 131072, tier1 65541, tier2 65856, " +
				"tier3 86016",
			[2]int{6, 8},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, c := graphtest.New(t, tt.hyperX), graphtest.New(t, tt.clos)
			if got := graphtest.CountsText(c); got != tt.want {
				t.Errorf("%s, expected %s", got, tt.want)
			}
			// Both have beta of the nodes' bandwidth across the middle.
			if b := x.(topology.Formulas).ClosedForms().Bisection; 2*b < .5*float64(topology.Count(x).Nodes) {
				t.Errorf("hyperx: bisection %v", b)
			}
			if up := topology.Count(c).ByLevel[1]; 2*up < int64(tt.clos.Nodes) {
				t.Errorf("folded-clos: %d channels above the leaves", up)
			}
			for i, g := range []topology.Graph{x, c} {
				if got := graphtest.Hops(t, g, measure.Terminals).Diameter; got != tt.hops[i] {
					t.Errorf("%s: diameter %d, expected %d", g.Family(), got, tt.hops[i])
				}
			}
		})
	}
}

// The switches of the last subtree that have empty down ports are counted link by link.
func TestFoldedClosAdvice(t *testing.T) {
	for _, c := range []struct {
		nodes, tiers int
		want         []string
	}{
		{nodes: 64, tiers: 3},
		{nodes: 63, tiers: 3}, // an empty port of a leaf
		{nodes: 8, tiers: 2},
		{nodes: 36, tiers: 3, want: []string{
			"the last subtree1 is partly filled and has all its switches: the 4 of kind spine use 1 of their 4 down " +
				"ports each; nodes: 48 would fill it",
		}},
		{nodes: 100, tiers: 4, want: []string{
			"the last subtree1 is partly filled and has all its switches: the 4 of kind tier2 use 1 of their 4 down " +
				"ports each; nodes: 112 would fill it",
			"the last subtree2 is partly filled and has all its switches: the 16 of kind tier3 use 3 of their 4 down " +
				"ports each; nodes: 128 would fill it",
		}},
	} {
		g, err := topology.New(topology.FoldedClos{Nodes: c.nodes, Radix: 8, Tiers: c.tiers})
		if err != nil {
			t.Fatal(err)
		}
		if got := g.(topology.Advised).Advice(); !slices.Equal(got, c.want) {
			t.Errorf("%d nodes: %q", c.nodes, got)
		}
		kinds := g.Kinds()
		used := make([]int, topology.Vertices(g)) // down ports
		for l := range g.Links() {
			upper := max(topology.KindOf(kinds, int(l.A)), topology.KindOf(kinds, int(l.B)))
			if upper == len(kinds)-1 { // a node
				upper = 0
			}
			for _, v := range []int32{l.A, l.B} {
				if topology.KindOf(kinds, int(v)) == upper {
					used[v] += int(l.Width)
				}
			}
		}
		told := 0
		for _, k := range kinds[1 : len(kinds)-2] {
			if n := used[k.First+k.Count-1]; n < 4 {
				text := fmt.Sprintf("of kind %s use %d of their 4", k.Name, n)
				if told >= len(c.want) || !strings.Contains(c.want[told], text) {
					t.Errorf("%d nodes: the last %s uses %d down ports", c.nodes, k.Name, n)
				}
				told++
			}
		}
		if told != len(c.want) {
			t.Errorf("%d nodes: %d tiers with empty ports", c.nodes, told)
		}
	}
}
