package topology_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

func pow(a, b int) int { return int(math.Round(math.Pow(float64(a), float64(b)))) }

func checkKAryNTree(t graphtest.T, s topology.KAryNTree, g topology.Graph) {
	t.Helper()
	checkThinTree(t, topology.ThinTree{Down: s.Down, Up: s.Down, Levels: s.Levels}, g)
}

// checkThinTree compares the links with the formulas in the comment of
// thinTree.
func checkThinTree(t graphtest.T, s topology.ThinTree, g topology.Graph) {
	t.Helper()
	k, up, n := s.Down, s.Up, s.Levels
	kinds := g.Kinds()
	for i := range n {
		graphtest.Equal(t, "switches of a level", int64(kinds[i].Count), int64(pow(up, i)*pow(k, n-1-i)))
	}
	graphtest.Equal(t, "nodes", int64(kinds[n].Count), int64(pow(k, n)))
	c := topology.Count(g)
	graphtest.Equal(t, "links S k", c.Links, int64(c.Switches*k))

	for l := range g.Links() {
		if l.Level == 0 {
			v := int(l.B) - kinds[n].First
			if int(l.A) != v/k || int(l.PortA) != v%k || l.PortB != 0 || l.Width != 1 {
				t.Fatalf("terminal link %+v of node %d", l, v)
			}
			continue
		}
		i := int(l.Level) - 1
		sw, p := int(l.A)-kinds[i].First, int(l.PortA)-k
		to := p*pow(up, i) + sw%pow(up, i) + sw/(k*pow(up, i))*pow(up, i+1)
		if int(l.B)-kinds[i+1].First != to || int(l.PortB) != sw/pow(up, i)%k || l.Width != 1 {
			t.Fatalf("%+v leads from switch (%d,%d) up port %d, expected to switch %d", l, i, sw, p, to)
		}
	}
	checkSubtrees(t, k, n, g)
}

// checkSubtrees checks leaf distances and the groupings against them: leaves v and w are 2(j+1) hops apart, j being the
// least with floor(v/k^(j+1)) = floor(w/k^(j+1)), and are in one grouping of level j.
func checkSubtrees(t graphtest.T, k, n int, g topology.Graph) {
	t.Helper()
	groupings, node := g.Groupings(), g.Kinds()[n]
	dist := make([]int32, topology.Vertices(g))
	from := node.Count / 2
	topology.HopDistances(topology.NewCSR(g), node.First+from, dist, nil)
	for w := range node.Count {
		if w == from {
			continue
		}
		j := 0
		for from/pow(k, j+1) != w/pow(k, j+1) {
			j++
		}
		graphtest.Equal(t, "leaf distance", int64(dist[node.First+w]), int64(2*(j+1)))
		for i, grouping := range groupings {
			if same := grouping.Of(node.First+from) == grouping.Of(node.First+w); same != (i >= j) {
				t.Fatalf("nodes %d and %d in one %s: %t", from, w, grouping.Name, same)
			}
		}
	}
	// Links below the top of a subtree stay inside it, links above leave it.
	for l := range g.Links() {
		for j, grouping := range groupings {
			a, b := grouping.Of(int(l.A)), grouping.Of(int(l.B))
			if inside := int(l.Level) <= j; inside != (a == b && a >= 0) || !inside && b != -1 {
				t.Fatalf("%+v joins %s %d to %d", l, grouping.Name, a, b)
			}
		}
	}
}

func TestThinTreeTables(t *testing.T) {
	tests := []struct {
		table           string
		down, up, level int
		nodes, switches int
		radix           int
		links           int64
	}{
		{"2a", 8, 1, 2, 64, 9, 9, 72},
		{"2a", 8, 2, 2, 64, 10, 10, 80},
		{"2a", 8, 3, 2, 64, 11, 11, 88},
		{"2a", 8, 4, 2, 64, 12, 12, 96},
		{"2a", 8, 5, 2, 64, 13, 13, 104},
		{"2a", 8, 6, 2, 64, 14, 14, 112},
		{"2a", 8, 7, 2, 64, 15, 15, 120},
		{"2a", 8, 8, 2, 64, 16, 16, 128},
		{"2b", 8, 1, 3, 512, 73, 9, 584},
		{"2b", 8, 2, 3, 512, 84, 10, 672},
		{"2b", 8, 3, 3, 512, 97, 11, 776},
		{"2b", 8, 4, 3, 512, 112, 12, 896},
		{"2b", 8, 5, 3, 512, 129, 13, 1032},
		{"2b", 8, 6, 3, 512, 148, 14, 1184},
		{"2b", 8, 7, 3, 512, 169, 15, 1352},
		{"2b", 8, 8, 3, 512, 192, 16, 1536},
		{"2c", 8, 1, 4, 4096, 585, 9, 4680},
		{"2c", 8, 2, 4, 4096, 680, 10, 5440},
		{"2c", 8, 3, 4, 4096, 803, 11, 6424},
		{"2c", 8, 4, 4, 4096, 960, 12, 7680},
		{"2c", 8, 5, 4, 4096, 1157, 13, 9256},
		{"2c", 8, 6, 4, 4096, 1400, 14, 11200},
		{"2c", 8, 7, 4, 4096, 1695, 15, 13560},
		{"2c", 8, 8, 4, 4096, 2048, 16, 16384},
		{"3a", 11, 1, 2, 121, 12, 12, 132},
		{"3a", 10, 2, 2, 100, 12, 12, 120},
		{"3a", 9, 3, 2, 81, 12, 12, 108},
		{"3a", 8, 4, 2, 64, 12, 12, 96},
		{"3a", 7, 5, 3, 343, 109, 12, 763},
		{"3a", 6, 6, 3, 216, 108, 12, 648},
		{"3b", 11, 1, 3, 1331, 133, 12, 1463},
		{"3b", 10, 2, 3, 1000, 124, 12, 1240},
		{"3b", 9, 3, 3, 729, 117, 12, 1053},
		{"3b", 8, 4, 3, 512, 112, 12, 896},
		{"3b", 7, 5, 4, 2401, 888, 12, 6216},
		{"3b", 6, 6, 4, 1296, 864, 12, 5184},
		{"3c", 11, 1, 4, 14641, 1464, 12, 16104},
		{"3c", 10, 2, 4, 10000, 1248, 12, 12480},
		{"3c", 9, 3, 4, 6561, 1080, 12, 9720},
		{"3c", 8, 4, 4, 4096, 960, 12, 7680},
		// Printed as 4,440 switches and 31,080 links: without the level of 7^4 = 2,401 switches.
		{"3c", 7, 5, 5, 16807, 6841, 12, 47887},
		// Printed as 5,184 switches and 31,104 links: without one of the levels of 6^4 = 1,296.
		{"3c", 6, 6, 5, 7776, 6480, 12, 38880},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("Navaridas et al. 2010, Table %s, %d:%d,%d-tree", tt.table, tt.down, tt.up, tt.level),
			func(t *testing.T) {
				g := graphtest.New(t, topology.ThinTree{Down: tt.down, Up: tt.up, Levels: tt.level})
				c := topology.Count(g)
				if c.Nodes != tt.nodes || c.Switches != tt.switches || c.Links != tt.links ||
					g.Kinds()[0].Ports != tt.radix {
					t.Errorf("%d nodes, %d switches of radix %d, %d links; expected %+v",
						c.Nodes, c.Switches, g.Kinds()[0].Ports, c.Links, tt)
				}
				// Table 1 and equation 3: the throughput is 2 B_C/N = (k'/k)^(n-1).
				forms := g.(topology.Formulas).ClosedForms()
				graphtest.Near(t, "throughput", 2*forms.Bisection/float64(tt.nodes),
					math.Pow(float64(tt.up)/float64(tt.down), float64(tt.level-1)))
				if tt.down%2 == 0 && tt.nodes < 1000 {
					if b := graphtest.Bisect(t, g, measure.Terminals); float64(b.Lower) != forms.Bisection ||
						b.Upper != b.Lower {
						t.Errorf("bisection %d to %d, expected %v", b.Lower, b.Upper, forms.Bisection)
					}
				}
			})
	}
}
