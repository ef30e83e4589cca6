package topology_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
)

// checkCLEX follows definition II.3 on digits, the lowest first.
func checkCLEX(t graphtest.T, s topology.CLEX, g topology.Graph) {
	t.Helper()
	if local := s.Local; local != nil {
		s.Local = nil
		checkComposed(t, s, local, 0, s.Clique, g)
		return
	}
	n1 := s.Clique
	dims := slices.Repeat([]int{n1}, s.Levels)
	vertex := func(digits []int) int {
		v := 0
		for i := range digits {
			v = v*n1 + digits[len(digits)-1-i]
		}
		return v
	}
	checkArcs(t, g, !s.Bundled, func(v int, add func(to, level int)) {
		own := coordinates(dims, v)
		var words []string
		for i := range own {
			words = append(words, fmt.Sprint(own[len(own)-1-i]))
		}
		if want := "(" + strings.Join(words, ",") + ")"; g.Label(v) != want {
			t.Fatalf("label %s, expected %s", g.Label(v), want)
		}
		for c := range n1 {
			to := slices.Clone(own)
			to[0] = c
			add(vertex(to), 0)
		}
		for k := 1; k < s.Levels; k++ {
			i, j := own[k], own[0]
			for e := range n1 {
				if s.Bundled && (i == j || e != i) {
					continue
				}
				// What lies between the first and the last digit moves down by a place.
				to := slices.Clone(own)
				copy(to[:k-1], own[1:k])
				to[k], to[k-1] = j, e
				switch {
				case !slices.Equal(to[1:], own[1:]): // not within the clique
					add(vertex(to), k)
				case s.Bundled:
					t.Fatalf("a bundle of level %d of %s stays in its clique", k+1, g.Label(v))
				}
			}
		}
	})
	c := topology.Count(g)
	n, m := int64(topology.Vertices(g)), int64(n1)
	graphtest.Equal(t, "level 1", c.ByLevel[0], n*(m-1)/2)
	simplex := int64(0)
	size := m // nodes of a copy
	for k := 2; k <= s.Levels; k++ {
		size *= m
		both := n / size * m * (m - 1) / 2 // pairs of edges that are one link
		edges := n*m - n/size*m*m
		switch {
		case !s.Bundled:
			simplex += edges - 2*both
			edges -= both
		case k%2 == 0:
			edges = n - n/m - both
		default:
			edges = n - n/m
		}
		graphtest.Equal(t, fmt.Sprintf("links of level %d", k), c.ByLevel[k-1], edges)
	}
	graphtest.Equal(t, "simplex", c.Simplex, simplex)
	if !s.Bundled {
		checkCLEXEdges(t, s, n)
	}
}

// checkCLEXEdges counts the edges of a definition, loops and parallels included, by
// what section II says of them: every node has n1 more on each level, out and in; they
// lead to the same copy of C(k-1); a share 1/n1 of the nodes of each copy has edges to
// a given one; and they lead to different copies of C(k-2).
func checkCLEXEdges(t graphtest.T, s topology.CLEX, n int64) {
	t.Helper()
	n1, stride := s.Clique, s.Clique
	for k := 2; k <= s.Levels; k++ {
		in := make([]int, n)
		leads := make(map[[2]int]int) // nodes with edges from one copy to another
		for v := range int(n) {
			block := v / (stride * n1) * stride * n1
			inner := v % stride
			to := block + v%n1*stride
			leads[[2]int{v / stride, to / stride}]++
			for e := range n1 {
				w := to + e*(stride/n1) + inner/n1
				if w/stride != to/stride || w%stride/(stride/n1) != e {
					t.Fatalf("edge %d of level %d of node %d leads to %d", e, k, v, w)
				}
				in[w]++
			}
		}
		for w := range in {
			graphtest.Equal(t, "edges into a node", int64(in[w]), int64(n1))
		}
		graphtest.Equal(t, "pairs of copies", int64(len(leads)), n/int64(stride)*int64(n1))
		for _, nodes := range leads {
			graphtest.Equal(t, "nodes that lead to a copy", int64(nodes), int64(stride/n1))
		}
		stride *= n1
	}
}

// TestCLEX holds counts, degrees and diameters of known sizes against the
// graphs.
func TestCLEX(t *testing.T) {
	tests := []struct {
		clique, levels int
		bundled        bool
		links          int64
		least, most    int // degree
		diameter       int // 0 where it takes too long
	}{
		{8, 2, false, 644, 14, 21, 2},
		{8, 3, false, 9156, 28, 37, 3},
		{5, 4, false, 9540, 24, 32, 4},
		{16, 3, false, 30_720 + 59_520 + 65_160, 60, 77, 3},
		{8, 2, true, 252, 7, 8, 3},
		{8, 3, true, 2464, 7, 10, 5},
		{4, 4, true, 858, 3, 8, 7},
		{2, 5, true, 70, 1, 6, 9},
		{32, 4, false, 115_309_584, 186, 221, 0},
		{32, 4, true, 16_252_928 + 507_904 + 1_015_808 + 1_015_312, 31, 36, 0},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.clique, tt.levels, tt.bundled), func(t *testing.T) {
			g := graphtest.New(t, topology.CLEX{Clique: tt.clique, Levels: tt.levels, Bundled: tt.bundled})
			forms := g.(topology.Formulas).ClosedForms()
			if forms.DegreeMin != tt.least || forms.DegreeMax != tt.most {
				t.Errorf("degrees %d to %d, expected %d to %d", forms.DegreeMin, forms.DegreeMax, tt.least, tt.most)
			}
			if got := topology.Count(g).Links; got != tt.links {
				t.Errorf("%d links, expected %d", got, tt.links)
			}
			if tt.diameter > 0 {
				graphtest.Check(t, g)
				checkDeclared(t, g)
				if forms.Diameter != tt.diameter {
					t.Errorf("diameter %d, expected %d", forms.Diameter, tt.diameter)
				}
			}
		})
	}
}

// TestCLEXDistances holds the closed forms of larger sizes against searches
// from one node of each orbit.
func TestCLEXDistances(t *testing.T) {
	g := graphtest.New(t, topology.CLEX{Clique: 24, Levels: 3})
	h, forms := hopsOf(t, g), g.(topology.Formulas).ClosedForms()
	n := float64(topology.Vertices(g))
	mean := h.mean * n / (n - 1)
	if h.diameter != forms.Diameter || math.Abs(mean-forms.MeanHops) > 1e-9 {
		t.Errorf("diameter %d, mean %.12f, declared %d, %.12f", h.diameter, mean, forms.Diameter, forms.MeanHops)
	}
	g = graphtest.New(t, topology.CLEX{Clique: 16, Levels: 4, Bundled: true})
	if h, want := hopsOf(t, g), g.(topology.Formulas).ClosedForms().Diameter; h.diameter != want {
		t.Errorf("bundled: diameter %d, declared %d", h.diameter, want)
	}
}

// TestCLEXMillion searches C(4) of 32-cliques, 1,048,576 nodes, from one node of
// each orbit, with the arcs of definition II.3 made up on the way, and holds the
// closed form of the distances against it.
func TestCLEXMillion(t *testing.T) {
	const n1, levels, nodes = 32, 4, 32 * 32 * 32 * 32
	g := graphtest.New(t, topology.CLEX{Clique: n1, Levels: levels})
	dist := make([]int8, nodes)
	queue := make([]int32, 0, nodes)
	total := make([]uint64, levels+1)
	for _, o := range g.(topology.Symmetric).Orbits() {
		for v := range dist {
			dist[v] = -1
		}
		dist[o.Vertex] = 0
		queue = append(queue[:0], int32(o.Vertex))
		for i := 0; i < len(queue); i++ {
			v := int(queue[i])
			total[dist[v]] += uint64(o.Size)
			visit := func(first, step int) { // n1 nodes
				for w := first; w < first+n1*step; w += step {
					if dist[w] < 0 {
						dist[w] = dist[v] + 1
						queue = append(queue, int32(w))
					}
				}
			}
			last := v % n1
			visit(v-last, 1)
			for size := n1; size < nodes; size *= n1 {
				visit(v/(size*n1)*size*n1+last*size+v%size/n1, size/n1)
			}
		}
	}
	if declared := g.(topology.HopCounts).HopCounts(); !slices.Equal(declared, total) {
		t.Errorf("pairs by distance %v, declared %v", total, declared)
	}
}
