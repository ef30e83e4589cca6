package topology_test

import (
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
)

// checkFatTree checks the units, that dealing filled the upper switches evenly,
// and that a packet between any two nodes needs to turn only once.
func checkFatTree(t graphtest.T, s topology.FatTree, g topology.Graph) {
	t.Helper()
	unit := g.Groupings()[0]
	kinds := g.Kinds()
	leaf, node := kinds[0], kinds[len(kinds)-1]
	rails := max(s.Rails, 1)
	graphtest.Equal(t, "leaves", int64(leaf.Count), int64(unit.Count*rails))
	graphtest.Equal(t, "terminal links", topology.Count(g).ByLevel[0], int64(s.Nodes*rails))
	graphtest.Equal(t, "nodes", int64(node.Count), int64(s.Nodes))

	up := make([]int, node.First) // channels to the next tier
	down := make([]int, node.First)
	for l := range g.Links() {
		if l.A >= l.B {
			t.Fatalf("%+v does not lead to a higher tier or a node", l)
		}
		if l.Level > 0 {
			up[l.A] += int(l.Width)
			down[l.B] += int(l.Width)
			continue
		}
		down[l.A]++
		first := node.First
		for unit.Of(first) != unit.Of(int(l.B)) {
			first++
		}
		if unit.Of(int(l.A)) != unit.Of(int(l.B)) || int(l.A)%rails != int(l.PortB) || int(l.PortA) != int(l.B)-first {
			t.Fatalf("%+v is not on its rail of the unit", l)
		}
	}
	for _, k := range kinds[:len(kinds)-1] {
		if s.Radix < k.Ports {
			t.Fatalf("%s has %d ports of %d", k.Name, k.Ports, s.Radix)
		}
		for v := k.First; v < k.First+k.Count; v++ {
			if up[v] != up[k.First] {
				t.Fatalf("%s %s has %d up ports, others %d", k.Name, g.Label(v), up[v], up[k.First])
			}
			first := k.First
			if k.Name == "spine" && len(kinds) == 4 { // compare inside the pod
				for pod := g.Groupings()[1]; pod.Of(first) != pod.Of(v); {
					first++
				}
			}
			if k.Name != "leaf" && (down[v] < down[first]-1 || down[v] > down[first]+1) {
				t.Fatalf("%s %s has %d channels down, %s has %d", k.Name, g.Label(v), down[v], g.Label(first),
					down[first])
			}
		}
	}
	checkTurns(t, g, leaf.Count)
}

// checkTurns checks that every two leaves reach a switch of the highest tier,
// or in one pod a spine, both by going up only.
func checkTurns(t graphtest.T, g topology.Graph, leaves int) {
	t.Helper()
	c := topology.NewCSR(g)
	above := make([]map[int32]bool, leaves)
	for v := range leaves {
		above[v] = make(map[int32]bool)
		tier := []int32{int32(v)}
		for range len(g.Levels()) - 1 {
			var next []int32
			for _, a := range tier {
				for _, b := range c.Neighbours(int(a)) {
					if b > a && topology.KindOf(g.Kinds(), int(b)) < len(g.Kinds())-1 && !above[v][b] {
						above[v][b] = true
						next = append(next, b)
					}
				}
			}
			tier = next
		}
	}
	for v := range leaves {
		for w := range v {
			shared := false
			for sw := range above[v] {
				shared = shared || above[w][sw]
			}
			if !shared {
				t.Fatalf("leaves %s and %s share no upper switch", g.Label(v), g.Label(w))
			}
		}
	}
}

// TestFatTreePorts spells out a tree whose spines do not divide the up ports of
// a leaf: a link's channels are on consecutive ports all the same.
func TestFatTreePorts(t *testing.T) {
	g := graphtest.New(t, topology.FatTree{Nodes: 3, Radix: 8, Down: 2, Up: 5, Spines: 3})
	// Vertices: leaves 0 and 1, spines 2 to 4, nodes 5 to 7.
	want := []topology.Link{
		{A: 0, B: 5, PortA: 0, PortB: 0, Level: 0, Width: 1},
		{A: 0, B: 6, PortA: 1, PortB: 0, Level: 0, Width: 1},
		{A: 1, B: 7, PortA: 0, PortB: 0, Level: 0, Width: 1},
		{A: 0, B: 2, PortA: 2, PortB: 0, Level: 1, Width: 2},
		{A: 0, B: 3, PortA: 4, PortB: 0, Level: 1, Width: 2},
		{A: 0, B: 4, PortA: 6, PortB: 0, Level: 1, Width: 1},
		{A: 1, B: 4, PortA: 2, PortB: 1, Level: 1, Width: 2},
		{A: 1, B: 2, PortA: 4, PortB: 2, Level: 1, Width: 2},
		{A: 1, B: 3, PortA: 6, PortB: 2, Level: 1, Width: 1},
	}
	i := 0
	for l := range g.Links() {
		if i == len(want) || l != want[i] {
			t.Fatalf("link %d: %+v, expected %+v", i, l, want[min(i, len(want)-1)])
		}
		i++
	}
	if i != len(want) {
		t.Fatalf("%d links, expected %d", i, len(want))
	}
}

// TestFatTreeShapes covers how the defaults come about.
func TestFatTreeShapes(t *testing.T) {
	tests := []struct {
		name string
		spec topology.FatTree
		want string
	}{
		{
			"taper 2 on 36 ports: 24 down, 12 up",
			topology.FatTree{Nodes: 240, Radix: 36, Taper: 2},
			"leaf 10, spine 4, node 240; terminal 240, tier1 120",
		},
		{
			"taper 1.4 on 36 ports: 21 down, 15 up, although 21/1.4 > 15 in floating point",
			topology.FatTree{Nodes: 42, Radix: 36, Taper: 1.4},
			"leaf 2, spine 1, node 42; terminal 42, tier1 30",
		},
		{
			"taper and up ports give the down ports",
			topology.FatTree{Nodes: 48, Radix: 36, Taper: 3, Up: 8},
			"leaf 2, spine 1, node 48; terminal 48, tier1 16",
		},
		{
			"down ports and the taper 1 give the up ports",
			topology.FatTree{Nodes: 48, Radix: 36, Down: 12},
			"leaf 4, spine 2, node 48; terminal 48, tier1 48",
		},
		{
			"more leaves than radix: two leaves share some of the spines",
			topology.FatTree{Nodes: 40, Radix: 8, Down: 4, Up: 4, Spines: 7},
			"leaf 10, spine 7, node 40; terminal 40, tier1 40",
		},
		{
			"three tiers, one node more than three pods",
			topology.FatTree{Nodes: 49, Radix: 8, Tiers: 3},
			"leaf 13, spine 16, core 8, node 49; terminal 49, tier1 52, tier2 64",
		},
		{
			"three tiers, the taper holds for spines too",
			topology.FatTree{Nodes: 96, Radix: 6, Tiers: 3, Taper: 2},
			"leaf 24, spine 12, core 4, node 96; terminal 96, tier1 48, tier2 24",
		},
		{
			"pods with more leaves than half of a spine's ports",
			topology.FatTree{Nodes: 48, Radix: 8, Tiers: 3, PodUnits: 6},
			"leaf 12, spine 8, core 2, node 48; terminal 48, tier1 48, tier2 16",
		},
		{
			"cores that the spines of a pod do not divide",
			topology.FatTree{Nodes: 32, Radix: 8, Tiers: 3, Cores: 5},
			"leaf 8, spine 8, core 5, node 32; terminal 32, tier1 32, tier2 32",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := graphtest.New(t, tt.spec)
			graphtest.Check(t, g)
			checkFatTree(t, tt.spec, g)
			if got := graphtest.CountsText(g); got != tt.want {
				t.Errorf("%s, expected %s", got, tt.want)
			}
		})
	}
}

// TestSpinesWithEmptyPorts: 40 spines have the ports for 80 leaves of 64 up ports, and would leave two of them no more
// than 48 in common; 64 have a channel to each.
func TestSpinesWithEmptyPorts(t *testing.T) {
	common := func(g topology.Graph) int {
		leaves := g.Kinds()[0].Count
		width := make([]map[int32]int, leaves)
		for l := range g.Links() {
			if l.Level == 1 {
				if width[l.A] == nil {
					width[l.A] = map[int32]int{}
				}
				width[l.A][l.B] += int(l.Width)
			}
		}
		least := 1 << 30
		for a := range leaves {
			for b := range a {
				sum := 0
				for s, w := range width[a] {
					sum += min(w, width[b][s])
				}
				least = min(least, sum)
			}
		}
		return least
	}
	for _, c := range []struct{ spines, count, common, notes int }{{0, 64, 64, 1}, {40, 40, 48, 0}} {
		g, err := topology.New(topology.FatTree{Nodes: 640, Radix: 128, Rails: 8, Spines: c.spines})
		if err != nil {
			t.Fatal(err)
		}
		if n := g.Kinds()[1].Count; n != c.count || common(g) != c.common {
			t.Errorf("%d spines with %d channels in common", n, common(g))
		}
		advice := g.(topology.Advised).Advice()
		if len(advice) != c.notes || c.notes > 0 &&
			!strings.Contains(advice[0], "spines: 40 have ports enough for the "+
				"taper, but two leaves may then have only 48 of their 64") {
			t.Errorf("%q", advice)
		}
	}
	// Pods of five leaves with 16 up ports: eight spines of 16 down ports, where five have the ports.
	for _, c := range []struct{ spines, count, common, notes int }{{0, 8, 16, 1}, {5, 5, 15, 0}} {
		g, err := topology.New(topology.FatTree{Nodes: 80, Radix: 32, Tiers: 3, PodUnits: 5, Spines: c.spines})
		if err != nil {
			t.Fatal(err)
		}
		if n := g.Kinds()[1].Count; n != c.count || common(g) != c.common {
			t.Errorf("%d spines with %d channels in common", n, common(g))
		}
		advice := g.(topology.Advised).Advice()
		if len(advice) != c.notes || c.notes > 0 && advice[0] != "the 8 spines of a pod use 10 ports to leaves each, "+
			"so that every leaf has as many channels to all of them; spines: 5 have ports enough for the taper, but "+
			"two leaves may then have only 15 of their 16 up ports in common" {
			t.Errorf("%q", advice)
		}
	}
	// DGX SuperPOD H100 of three scalable units: 16 spines, where 12 have the ports.
	if g, err := topology.New(topology.FatTree{Nodes: 95, Radix: 64, Rails: 8}); err != nil ||
		g.Kinds()[1].Count != 16 {
		t.Errorf("three scalable units: %v", err)
	}
}
