package topology_test

import (
	"context"
	"math"
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"plenum/topology"
)

// bruteBisection tries every partition of a graph of up to 20 vertices.
func bruteBisection(g topology.Graph, ends topology.Ends) int64 {
	kinds := g.Kinds()
	counts := uint32(0)
	n := topology.Vertices(g)
	for v := range n {
		r := kinds[topology.KindOf(kinds, v)].Role
		if r == topology.Node || (r == topology.Terminal) == (ends == topology.Terminals) {
			counts |= 1 << v
		}
	}
	half := bits.OnesCount32(counts) / 2
	best := int64(math.MaxInt64)
	for side := range uint32(1) << n {
		if bits.OnesCount32(side&counts) != half {
			continue
		}
		cut := int64(0)
		for l := range g.Links() {
			if ends == topology.Routers && (counts>>l.A&1 == 0 || counts>>l.B&1 == 0) {
				continue
			}
			if side>>l.A&1 != side>>l.B&1 {
				cut += int64(l.Width)
			}
		}
		best = min(best, cut)
	}
	return best
}

func mustBisect(t fatal, g topology.Graph, ends topology.Ends) *topology.Bisection {
	t.Helper()
	b, err := topology.Bisect(context.Background(), g, ends, topology.BisectionOptions{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return b
}

func TestBisectionBracketsTheTruth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		if topology.Vertices(g) > 13 {
			t.Skip("slow")
		}
		for _, ends := range []topology.Ends{topology.Routers, topology.Terminals} {
			b := mustBisect(t, g, ends)
			if b.Count < 2 {
				continue
			}
			truth := bruteBisection(g, ends)
			if b.Lower > truth || b.Upper < truth {
				t.Fatalf("%v: %d (%s) to %d (%s), truth %d", ends, b.Lower, b.LowerMethod, b.Upper, b.UpperMethod, truth)
			}
		}
	})
}

func TestBisectionOfFamilies(t *testing.T) {
	type spec = topology.Spec
	tests := []struct {
		name string
		spec spec
		want int64 // the truth
		gap  int64 // that the bracket leaves
	}{
		{"torus 8x8: 2n/k", spec{Family: "torus", Dims: topology.Ints{8, 8}}, 16, 0},
		{"torus 8x4x6", spec{Family: "torus", Dims: topology.Ints{8, 4, 6}}, 48, 0},
		{"torus 32^3", spec{Family: "torus", Dims: topology.Ints{32, 32, 32}}, 2048, 0},
		{"torus 3x2x8: across the ring of 8", spec{Family: "torus", Dims: topology.Ints{3, 2, 8}}, 12, 0},
		{"hyperx 4x6, widths 3 and 1: across the 6", spec{Family: "hyperx", Dims: topology.Ints{4, 6}, Widths: topology.Ints{3, 1}, Terminals: 1}, 36, 0},
		{"hypercube 7: n/2", spec{Family: "hypercube", Dims: topology.Ints{7}}, 64, 0},
		{"mesh 10x10", spec{Family: "mesh", Dims: topology.Ints{10, 10}}, 10, 2},
		{"hyperx 8x8: S^2/4 of 8 rows", spec{Family: "hyperx", Dims: topology.Ints{8, 8}, Terminals: 2}, 128, 0},
		{"4-ary 3-tree: N/2", spec{Family: "k-ary-n-tree", Down: 4, Levels: 3}, 32, 15},
		{"4:2-ary 3-thin-tree: k k'^(n-1)/2", spec{Family: "thin-tree", Down: 4, Up: 2, Levels: 3}, 8, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := mustNew(t, tt.spec)
			b := mustBisect(t, g, topology.HopEnds(g))
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
	}{{2, 2, 5}, {3, 2, 10}, {7, 2, 50}, {57, 2, 3250}, {15, 4, 44326}, {1, 5, 2}, {0, 3, 1}, {3, 0, 1}, {1000, 1000, math.MaxInt64}} {
		if got := topology.MooreBound(tt.degree, tt.diameter); got != tt.want {
			t.Errorf("degree %d, diameter %d: %d, expected %d", tt.degree, tt.diameter, got, tt.want)
		}
	}
}
