package measure_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// Figures of a study of topologies with about 4,096 nodes: without the cut, the bounds of the HyperX were 0.75 and
// 0.875, that of the Slim Fly 0.792.
func TestWorstTrafficKeepsToTheCut(t *testing.T) {
	for _, c := range []struct {
		params      topology.Params
		least, most float64
	}{
		{topology.CLEX{Clique: 4, Levels: 3, Bundled: true}, 0.6, 1},
		{topology.HyperX{Dims: topology.Ints{4, 4, 4}, Terminals: 4}, 0.5, 0.5},
		{topology.HyperX{Dims: topology.Ints{8, 8, 8}, Terminals: 8}, 0.5, 0.5},
		{topology.SlimFly{Q: 13, Terminals: 12}, 0.52, 0.56},
	} {
		g := graphtest.New(t, c.params)
		halves, err := measure.Bisect(t.Context(), g, measure.HopEnds(g), measure.BisectionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := measure.Throughput(t.Context(), g, halves)
		if err != nil {
			t.Fatal(err)
		}
		ports := float64(topology.Count(g).Nodes / 2)
		if b.Worst < c.least || b.Worst > c.most || b.Worst > float64(halves.Upper)/ports || b.Longest < b.Worst {
			t.Errorf("%s: %v of the worst traffic, want %v to %v; %v of the longest matching; %d channels for %v ports",
				g.Family(), b.Worst, c.least, c.most, b.Longest, halves.Upper, ports)
		}
	}
}

// TestNoBoundIsAboveAnother draws members of every family.
func TestNoBoundIsAboveAnother(t *testing.T) {
	for _, f := range topology.Families() {
		t.Run(f.Name, func(t *testing.T) {
			drawn := 0
			rapid.Check(t, func(t *rapid.T) {
				if drawn > 20 {
					return
				}
				drawn++
				_, g := graphtest.Member(t, f.Name, 200)
				halves, err := measure.Bisect(t.Context(), g, measure.HopEnds(g), measure.BisectionOptions{Runs: 2})
				if err != nil {
					t.Fatal(err)
				}
				b, err := measure.Throughput(t.Context(), g, halves)
				if err != nil {
					return // nothing sends
				}
				if b.Worst > b.Uniform || b.Worst > b.Longest {
					t.Fatalf("worst traffic %v, uniform %v, longest matching %v", b.Worst, b.Uniform, b.Longest)
				}
				if _, direct := g.(topology.Lattice); direct && topology.Count(g).Switches == 0 && halves.Count > 1 {
					if most := float64(halves.Upper) / float64(halves.Count/2); b.Worst > most {
						t.Fatalf("worst traffic %v, the halves allow %v", b.Worst, most)
					}
				}
			})
		})
	}
}
