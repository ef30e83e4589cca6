package machine_test

import (
	"context"
	"math"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// TestOpticalPaths: packets of chips in cubes see the torus, and a hop over a circuit switch takes the time of both its
// cables as one.
func TestOpticalPaths(t *testing.T) {
	s, err := machine.Parse("ocs", []byte("topology: {family: ocs-torus, dims: [4, 4], side: 2}"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	d := r.Delays.Delay
	if mean := 2.0 * 16 / 15; d.HopsMax != 4 || math.Abs(d.HopsMean-mean) > 1e-9 { // a ring of 4 has a mean of 1
		t.Errorf("%d hops at most, %v mean", d.HopsMax, d.HopsMean)
	}
	length := func(link int32) float64 {
		metres, _ := r.Delays.Links.At(int(link))
		return float64(metres)
	}
	logical := r.Graph.(topology.Optical).Logical()
	longest, optical := 0.0, 0
	for pair := range logical.Cables() {
		sum := length(pair[0])
		if pair[1] >= 0 {
			optical++
			sum += length(pair[1])
		}
		longest = max(longest, sum)
	}
	if optical != 16 || float64(d.PathMax) < longest {
		t.Errorf("%d links over circuit switches; a path has %v m at most, a link %v m", optical, d.PathMax, longest)
	}
}
