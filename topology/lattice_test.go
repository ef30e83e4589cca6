package topology_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
)

// coordinates is the slow way from a router's number to its point.
func coordinates(dims []int, v int) []int {
	c := make([]int, len(dims))
	for range v {
		for d := range dims {
			if c[d]++; c[d] < dims[d] {
				break
			}
			c[d] = 0
		}
	}
	return c
}

// An end is what a link between two points of a lattice that differ only in
// dimension d, where the one is at x and the other at y, looks like from x.
type end struct {
	linked bool
	port   int
	width  int
}

// checkLattice compares the links between the routers with those that ends
// expects between each two points. Levels are the dimensions after the first
// `skip` levels.
func checkLattice(t graphtest.T, g topology.Lattice, skip int, ends func(d, x, y int) end) {
	t.Helper()
	dims := g.Dims()
	routers := g.Kinds()[0].Count
	points := make([][]int, routers)
	for v := range routers {
		points[v] = coordinates(dims, v)
		want := fmt.Sprintf("(%s)", strings.Trim(strings.ReplaceAll(fmt.Sprint(points[v]), " ", ","), "[]"))
		if g.Family() != "hypercube" && g.Label(v) != want {
			t.Fatalf("label of %d: %s, expected %s", v, g.Label(v), want)
		}
	}
	links := make(map[[2]int]topology.Link)
	for l := range g.Links() {
		if int(l.B) < routers {
			links[[2]int{int(l.A), int(l.B)}] = l
		}
	}
	for a := range routers {
		for b := range routers {
			dim, differ := 0, 0
			for d := range dims {
				if points[a][d] != points[b][d] {
					dim, differ = d, differ+1
				}
			}
			l, forth := links[[2]int{a, b}]
			_, back := links[[2]int{b, a}]
			if differ != 1 || !ends(dim, points[a][dim], points[b][dim]).linked {
				if forth || back {
					t.Fatalf("%v and %v are linked", points[a], points[b])
				}
				continue
			}
			if forth == back {
				t.Fatalf("%v and %v have no link, or two", points[a], points[b])
			}
			if !forth {
				continue
			}
			ea, eb := ends(dim, points[a][dim], points[b][dim]), ends(dim, points[b][dim], points[a][dim])
			want := topology.Link{
				A: int32(a), B: int32(b), PortA: int32(ea.port), PortB: int32(eb.port),
				Level: int32(skip + dim), Width: int32(ea.width),
			}
			if l != want {
				t.Fatalf("%+v, expected %+v", l, want)
			}
		}
	}
}

func checkTorus(t graphtest.T, s topology.Torus, g topology.Graph) {
	t.Helper()
	open := make([]bool, len(s.Dims))
	for d, wrap := range s.Wrap {
		open[d] = !wrap
	}
	checkGrid(t, s.Dims, open, s.DoubledSides, g)
}

func checkMesh(t graphtest.T, s topology.Mesh, g topology.Graph) {
	t.Helper()
	checkGrid(t, s.Dims, slices.Repeat([]bool{true}, len(s.Dims)), false, g)
}

func checkGrid(t graphtest.T, dims []int, open []bool, doubled bool, g topology.Graph) {
	t.Helper()
	checkLattice(t, g.(topology.Lattice), 0, func(d, x, y int) end {
		side := dims[d]
		next, previous := 0, 0
		for i := 0; i <= d; i++ { // a side of 2 has one port, one of 1 has none
			next = previous
			previous += min(dims[i], 3) - 1
			if doubled && dims[i] == 2 && !open[i] {
				previous++
			}
		}
		previous--
		switch {
		case doubled && side == 2 && !open[d] && x != y:
			return end{true, next, 2}
		case y == x+1:
			return end{true, next, 1}
		case y == x-1:
			return end{true, previous, 1}
		case !open[d] && x == side-1 && y == 0:
			return end{true, next, 1}
		case !open[d] && x == 0 && y == side-1:
			return end{true, previous, 1}
		}
		return end{}
	})
	points := int64(g.Kinds()[0].Count)
	for d, side := range dims {
		if w := g.(topology.Lattice).Wraps(d); w != (!open[d] && side > 2) {
			t.Fatalf("dimension %d of side %d wraps: %t", d, side, w)
		}
		want := points / int64(side) * int64(side-1)
		if !open[d] && (side > 2 || side == 2 && doubled) {
			want = points
		}
		graphtest.Equal(t, "links", topology.Count(g).ByLevel[d], want)
	}
}

func checkHypercube(t graphtest.T, s topology.Hypercube, g topology.Graph) {
	t.Helper()
	checkLattice(t, g.(topology.Lattice), 0, func(d, _, _ int) end { return end{true, d, 1} })
	n := s.Dims[0]
	for v := range topology.Vertices(g) {
		if want := fmt.Sprintf("%0*b", n, v); g.Label(v) != want {
			t.Fatalf("label of %d: %s, expected %s", v, g.Label(v), want)
		}
	}
	graphtest.Equal(t, "links", topology.Count(g).Links, int64(n)<<(n-1))
}

func checkFlattenedButterfly(t graphtest.T, s topology.FlattenedButterfly, g topology.Graph) {
	t.Helper()
	checkHyperX(t, topology.HyperX{Dims: s.Dims, Terminals: s.Terminals}, g)
}

func checkHyperX(t graphtest.T, s topology.HyperX, g topology.Graph) {
	t.Helper()
	width := func(d int) int {
		if len(s.Widths) == 0 {
			return 1
		}
		return s.Widths[d]
	}
	base := make([]int, len(s.Dims)+1) // first port of each dimension
	base[0] = s.Terminals
	for d, side := range s.Dims {
		base[d+1] = base[d] + (side-1)*width(d)
	}
	checkLattice(t, g.(topology.Lattice), 1, func(d, x, y int) end {
		j := y
		if y > x {
			j--
		}
		return end{true, base[d] + j*width(d), width(d)}
	})
	sw := g.Kinds()[0]
	graphtest.Equal(t, "radix", int64(sw.Ports), int64(base[len(s.Dims)]))
	c := topology.Count(g)
	graphtest.Equal(t, "terminals", c.ByLevel[0], int64(sw.Count*s.Terminals))
	for d, side := range s.Dims {
		graphtest.Equal(t, "links", c.ByLevel[d+1], int64(sw.Count*(side-1)*width(d)/2))
	}
	of := g.Groupings()[0].Of
	for l := range g.Links() {
		if l.Level == 0 && (l.B != int32(sw.Count)+l.A*int32(s.Terminals)+l.PortA || of(int(l.A)) != of(int(l.B))) {
			t.Fatalf("terminal link %+v", l)
		}
	}
}

// TestHyperXRadix checks that the published HyperX search results fit their
// switches.
func TestHyperXRadix(t *testing.T) {
	tests := []struct {
		name  string
		dims  topology.Ints
		k     topology.Ints
		t     int
		radix int
	}{
		{"Ahn et al. 2009, R=32 N=4096", topology.Ints{8, 8, 8}, nil, 8, 29},
		{"Ahn et al. 2009, R=48 N=4096", topology.Ints{16, 16}, nil, 16, 46},
		{"Ahn et al. 2009, R=64 N=65536", topology.Ints{16, 16, 16}, nil, 16, 61},
		{"Ahn et al. 2009, R=64 N=131072", topology.Ints{7, 7, 14, 14}, topology.Ints{2, 2, 1, 1}, 14, 64},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := graphtest.New(t, topology.HyperX{Dims: tt.dims, Widths: tt.k, Terminals: tt.t})
			if got := g.Kinds()[0].Ports; got != tt.radix {
				t.Errorf("radix %d, expected %d", got, tt.radix)
			}
		})
	}
}
