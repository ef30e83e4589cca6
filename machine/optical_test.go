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

// TestOpticalSeen: the network that packets are simulated on has no circuit switches, a link for every two cables that
// one joins, and all the fibre there is; one without circuit switches is as it was.
func TestOpticalSeen(t *testing.T) {
	plan := func(text string) *machine.Result {
		s, err := machine.Parse("ocs", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := plan("topology: {family: ocs-torus, dims: [4, 4], side: 2}")
	seen := r.Seen()
	total := func(n *machine.Network) (metres float64) {
		for i := range n.Links.Count() {
			length, _ := n.Links.At(i)
			metres += float64(length)
		}
		return metres
	}
	if got, want := topology.Count(seen.Graph), topology.Count(r.Graph); got.Switches != 0 || got.Nodes != want.Nodes ||
		got.Links != 32 || want.Links != 48 {
		t.Errorf("%d nodes, %d switches, %d links", got.Nodes, got.Switches, got.Links)
	}
	if seen.Links.Count() != 32 || math.Abs(total(seen)-total(&r.Network)) > 1e-6 {
		t.Errorf("%d lengths of %.4f m in all; the cables have %.4f m", seen.Links.Count(), total(seen),
			total(&r.Network))
	}
	if got, want := seen.Names.Name(3), r.Names.Name(3); got != want {
		t.Errorf("vertex 3 is called %s, not %s", got, want)
	}
	if r := plan("topology: {family: torus, dims: [4, 4]}"); r.Seen() != &r.Network {
		t.Error("a torus without circuit switches is not what it was")
	}
}
