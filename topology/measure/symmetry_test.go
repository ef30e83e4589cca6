package measure_test

import (
	"context"
	"math"
	"testing"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// TestSameLevelsCarryTheSame: where all links of a level are said to look the same, minimal
// paths between all pairs load them alike. PEC, SRT and RDT are tori with further links, which
// break the symmetry of the torus.
func TestSameLevelsCarryTheSame(t *testing.T) {
	for _, tt := range []struct {
		spec topology.Params
		same bool
	}{
		{topology.Torus{Dims: topology.Ints{5, 4, 3}}, true},
		{topology.Mesh{Dims: topology.Ints{4, 4}}, false},
		{topology.Hypercube{Dims: topology.Ints{5}}, true},
		{topology.HyperX{Dims: topology.Ints{4, 3}, Terminals: 1}, true},
		{topology.PEC{Dims: topology.Ints{8, 8}}, false},
		{topology.SRT{Dims: topology.Ints{8, 8}}, false},
		{topology.RDT{Dims: topology.Ints{8, 8}}, false},
	} {
		g, err := topology.New(tt.spec)
		if err != nil {
			t.Fatal(err)
		}
		declared, ok := g.(topology.LevelSymmetric)
		if said := ok && declared.SameLevels(); said != tt.same {
			t.Errorf("%v: the links of a level are said to look the same: %v, expected %v", tt.spec, said, tt.same)
		}
		loads, err := measure.LinkLoads(context.Background(), g, measure.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		least, most := map[int32]float64{}, map[int32]float64{}
		i := 0
		for l := range g.Links() {
			if _, seen := least[l.Level]; !seen {
				least[l.Level] = loads[i]
			}
			least[l.Level], most[l.Level] = min(least[l.Level], loads[i]), max(most[l.Level], loads[i])
			i++
		}
		alike := true
		for level := range least {
			alike = alike && math.Abs(most[level]-least[level]) < 1e-9*most[level]
		}
		if alike != tt.same {
			t.Errorf("%v: from %v to %v on its levels", tt.spec, least, most)
		}
	}
}
