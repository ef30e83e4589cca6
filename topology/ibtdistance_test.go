package topology_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
)

// TestIBTDistance compares the closed forms with breadth-first search where
// they are exact, and elsewhere finds that they never fall short.
func TestIBTDistance(t *testing.T) {
	tests := []struct {
		dims   topology.Ints
		length int
		over   float64 // percentage of pairs that the formula overestimates, rounded
		by     int     // at most
	}{
		{topology.Ints{16, 16}, 4, 0, 0},
		{topology.Ints{64, 64}, 4, 0, 0},
		{topology.Ints{64, 64}, 8, 0, 0},
		{topology.Ints{64, 64}, 16, 0, 0},
		{topology.Ints{64, 64}, 32, 0, 0},
		{topology.Ints{24, 36}, 6, 0, 0},
		{topology.Ints{20, 28}, 6, 23, 2},
		{topology.Ints{20, 28}, 8, 41, 4},
		{topology.Ints{32, 32}, 6, 22, 2},
		{topology.Ints{16, 16}, 2, 22, 1},
		{topology.Ints{36, 36, 36}, 3, 28, 2},
		{topology.Ints{30, 30, 36}, 6, 0, 0},
		{topology.Ints{36, 36, 36}, 9, 0, 0},
		{topology.Ints{36, 36, 36}, 12, 0, 0},
		{topology.Ints{30, 30, 36}, 9, 35, 4},
		{topology.Ints{30, 30, 36}, 12, 46, 8},
		{topology.Ints{30, 30, 36}, 15, 33, 4},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.dims, tt.length), func(t *testing.T) {
			g := graphtest.New(t, topology.IBT{
				Dims: tt.dims, BypassDims: len(tt.dims), BypassLengths: topology.Ints{tt.length},
			})
			c := topology.NewCSR(g)
			dist := make([]int32, c.Vertices())
			over, pairs, most := 0, 0, 0
			for from := range tt.dims { // one of every sum modulo L
				topology.HopDistances(c, from, dist, nil)
				p := g.(topology.Lattice)
				for to, d := range dist {
					got := distance(p.Dims(), tt.length, from, to)
					switch hops, exact, ok := g.(topology.DistanceFormula).FormulaHops(from, to); {
					case !ok || hops != got:
						t.Fatalf("from %s to %s: %d by the graph's formula, expected %d", g.Label(from), g.Label(to),
							hops, got)
					case exact != (tt.by == 0):
						t.Fatalf("exact: %t", exact)
					}
					if got < int(d) {
						t.Fatalf("from %s to %s: %d, expected %d", g.Label(from), g.Label(to), got, d)
					}
					pairs++
					if got > int(d) {
						over++
						most = max(most, got-int(d))
					}
				}
			}
			percent := 100 * float64(over) / float64(pairs)
			t.Logf("%.2f %% by up to %d", percent, most)
			if math.Abs(percent-tt.over) > 1 || most != tt.by {
				t.Errorf("overestimates %.2f %% by up to %d, expected %g %%, %d", percent, most, tt.over, tt.by)
			}
		})
	}
}

func distance(dims []int, length, from, to int) int {
	point := func(v int) (p [3]int) {
		for d, side := range dims {
			p[d] = v % side
			v /= side
		}
		return p
	}
	p, q := point(from), point(to)
	if len(dims) == 2 {
		return topology.IBTDistance2([2]int(dims), length, [2]int(p[:2]), [2]int(q[:2]))
	}
	return topology.IBTDistance3([3]int(dims), length, p, q)
}

// TestIBTFormulaHops has a dimension without bypass links, where the torus adds its hops, and networks without formula.
func TestIBTFormulaHops(t *testing.T) {
	g := graphtest.New(t, ibt(2, topology.Ints{4}, 8, 16, 5))
	c := topology.NewCSR(g)
	dist := make([]int32, c.Vertices())
	for from := range 2 {
		topology.HopDistances(c, from, dist, nil)
		for to, d := range dist {
			if hops, exact, ok := g.(topology.DistanceFormula).FormulaHops(from, to); !ok || !exact || hops != int(d) {
				t.Fatalf("from %s to %s: %d, %t, %t, expected %d", g.Label(from), g.Label(to), hops, exact, ok, d)
			}
		}
	}
	for _, s := range []topology.Params{ibt(1, topology.Ints{4}, 16), ibt(2, topology.Ints{4, 8}, 16, 16)} {
		if _, _, ok := graphtest.New(t, s).(topology.DistanceFormula).FormulaHops(0, 1); ok {
			t.Errorf("%+v has a formula", s)
		}
	}
}
