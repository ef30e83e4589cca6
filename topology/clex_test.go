package topology_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/internal/graphtest"
)

// checkCLEX follows definition II.3 on digits, the lowest first.
func checkCLEX(t graphtest.T, s topology.CLEX, g topology.Graph) {
	t.Helper()
	n1 := s.Clique
	dims := slices.Repeat([]int{n1}, s.Levels)
	vertex := func(digits []int) int {
		v := 0
		for i := range digits {
			v = v*n1 + digits[len(digits)-1-i]
		}
		return v
	}
	checkArcs(t, g, true, func(v int, add func(to, level int)) {
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
			for c := range n1 {
				if i == j || s.Bundled && c != i {
					continue
				}
				to := slices.Clone(own)
				to[k], to[0] = j, c
				add(vertex(to), k)
			}
		}
	})
	c := topology.Count(g)
	n := int64(topology.Vertices(g))
	m := int64(n1)
	swaps := n * (m - 1) / (2 * m)
	graphtest.Equal(t, "level 1", c.ByLevel[0], n*(m-1)/2)
	for _, links := range c.ByLevel[1:] {
		if s.Bundled {
			graphtest.Equal(t, "links", links, swaps)
		} else {
			graphtest.Equal(t, "links", links, n*(m-1)-swaps)
		}
	}
	if s.Bundled {
		graphtest.Equal(t, "simplex", c.Simplex, 0)
	} else {
		graphtest.Equal(t, "simplex", c.Simplex, int64(s.Levels-1)*(n*(m-1)-2*swaps))
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
		{8, 3, false, 8512, 21, 35, 3},
		{8, 2, false, 644, 14, 21, 2},
		{5, 4, false, 8000, 16, 28, 4},
		{8, 2, true, 252, 7, 8, 3},
		{8, 3, true, 2240, 7, 9, 5},
		{4, 4, true, 672, 3, 6, 7},
		{32, 4, false, 112_246_784, 124, 217, 0},
		{32, 4, true, 16_252_928 + 3*507_904, 31, 34, 0},
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
			visit := func(first int) { // and the rest of its clique
				for w := first; w < first+n1; w++ {
					if dist[w] < 0 {
						dist[w] = dist[v] + 1
						queue = append(queue, int32(w))
					}
				}
			}
			last := v % n1
			visit(v - last)
			for place := n1; place < nodes; place *= n1 {
				visit(v - last + (last-v/place%n1)*place)
			}
		}
	}
	if declared := g.(topology.HopCounts).HopCounts(); !slices.Equal(declared, total) {
		t.Errorf("pairs by distance %v, declared %v", total, declared)
	}
}
