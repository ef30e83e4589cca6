package clusters_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/clusters"
	"github.com/plenum-planner/plenum/topology/measure"
)

// TestTPUv4: Jouppi et al., ISCA 2023, section 2: 64 cubes of 4 x 4 x 4 chips on 48 circuit switches, of whose 136
// ports 128 are in use; 96 optical links of a cube, 6,144 in all; 9,216 links within cubes.
func TestTPUv4(t *testing.T) {
	g := graphtest.New(t, clusters.OCSTorus{Dims: topology.Ints{16, 16, 16}})
	graphtest.Check(t, g)
	const want = "node 4096, ocs 48; dim1 3072, dim2 3072, dim3 3072, optical 6144"
	if got := graphtest.CountsText(g); got != want {
		t.Errorf("%s, expected %s", got, want)
	}
	graphtest.Equal(t, "ports of a circuit switch", int64(g.Kinds()[1].Ports), 128)
	graphtest.Equal(t, "cubes", int64(g.Groupings()[0].Count), 64)
	m, err := measure.Measure(t.Context(), g, measure.MeasureOptions{Metrics: []measure.Metric{measure.MetricHops}})
	if err != nil {
		t.Fatal(err)
	}
	// A torus of 16 x 16 x 16, while vertices and links are those of the cables.
	if *m.Diameter != 24 || m.DegreeMin != 6 || m.DegreeMax != 6 || m.Vertices != 4096+48 || m.Switches != 48 ||
		m.Links != 9216+6144 || m.HopsOver != "routers" {
		t.Errorf("%+v", m)
	}
}

// TestTwisted: twisted tori of TPU v4 have shorter paths than plain ones of the same chips (Jouppi et al., ISCA 2023,
// section 2.8, for 4 x 4 x 8); in two dimensions they are the rectangular twisted tori of Camara et al., IEEE TPDS
// 2010, whose diameter is n for n x 2n, in place of 3n/2.
func TestTwisted(t *testing.T) {
	hops := func(twist bool, dims ...int) *measure.HopStats {
		g := graphtest.New(t, clusters.OCSTorus{Dims: dims, Twist: twist})
		logical := g.(topology.Optical).Logical()
		graphtest.Check(t, logical)
		return graphtest.Hops(t, logical, measure.Routers)
	}
	for _, dims := range [][]int{{4, 8}, {8, 16}, {4, 4, 8}, {4, 8, 8}, {8, 4, 8}, {8, 8, 16}} {
		plain, twisted := hops(false, dims...), hops(true, dims...)
		if twisted.Mean >= plain.Mean || twisted.Diameter > plain.Diameter {
			t.Errorf("%v: mean %v and diameter %d, without a twist %v and %d", dims, twisted.Mean, twisted.Diameter,
				plain.Mean, plain.Diameter)
		}
		if len(dims) == 2 && twisted.Diameter != dims[0] {
			t.Errorf("%v: diameter %d", dims, twisted.Diameter)
		}
	}
}

// TestThrough: another table over the same cables makes another network; what cannot be is refused.
func TestThrough(t *testing.T) {
	g := graphtest.New(t, clusters.OCSTorus{Dims: topology.Ints{4, 4, 4}}).(clusters.CircuitSwitched)
	if alone, err := clusters.Through(g, slices.Values([]clusters.Circuit(nil))); err != nil {
		t.Error(err)
	} else if got := graphtest.CountsText(alone); got != "node 64; dim1 48, dim2 48, dim3 48, optical 0" {
		t.Errorf("without circuits: %s", got)
	}
	ocs := int32(64)
	for _, tt := range []struct {
		table []clusters.Circuit
		want  string
	}{
		{[]clusters.Circuit{{3, 0, 1}}, "circuit 0: vertex 3 is not a circuit switch"},
		{[]clusters.Circuit{{ocs + 48, 0, 1}}, "circuit 0: vertex 112 is not a circuit switch"},
		{[]clusters.Circuit{{ocs, 0, 2}}, "circuit 0: dim1.0 has ports 0 to 1, not 2"},
		{[]clusters.Circuit{{ocs, -1, 0}}, "circuit 0: dim1.0 has ports 0 to 1, not -1"},
		{[]clusters.Circuit{{ocs, 0, 0}}, "circuit 0: port 0 of dim1.0 is joined already"},
		{[]clusters.Circuit{{ocs, 0, 1}, {ocs + 1, 0, 1}, {ocs, 1, 0}}, "circuit 2: port 1 of dim1.0 is joined " +
			"already"},
	} {
		if _, err := clusters.Through(g, slices.Values(tt.table)); err == nil || err.Error() != tt.want {
			t.Errorf("%v: %v, expected %s", tt.table, err, tt.want)
		}
	}
}

// TestOCSMistakes: everything that is wrong is reported in one run, and none takes long.
func TestOCSMistakes(t *testing.T) {
	const huge = math.MaxInt
	type ints = topology.Ints
	for _, tt := range []struct {
		spec topology.Params
		want []string
	}{
		{clusters.OCSTorus{}, []string{"ocs-torus: dims: is missing"}},
		{clusters.OCSTorus{Dims: ints{8, 6, 0}}, []string{
			"dims[1]: must be a multiple of the side of a cube, 4, not 6", "dims[2]: must be",
		}},
		{clusters.OCSTorus{Dims: ints{8, 8}, Side: 1}, []string{"side: must be from 2 to 65535, not 1"}},
		{clusters.OCSTorus{Dims: ints{huge, huge}, Side: huge}, []string{"side: must be"}},
		{clusters.OCSTorus{Dims: make(ints, 99)}, []string{"dims: takes up to 6 numbers, not 99"}},
		{clusters.OCSTorus{Dims: ints{8, 12}, Twist: true}, []string{"twist: is for sides of n and 2n, not 8x12"}},
		{clusters.OCSTorus{Dims: ints{8, 8}, Twist: true}, []string{"twist: is for sides of n and 2n, not 8x8"}},
		{clusters.OCSTorus{Dims: ints{4096, 4096, 4096}}, []string{"dims: leads to 68719476736 vertices"}},
		{clusters.OCSTorus{Dims: ints{1024, 1024, 512}}, []string{"dims: leads to 16777216 ports"}},
	} {
		g, err := topology.New(tt.spec)
		if err == nil || g != nil {
			t.Fatalf("New(%+v) returned %v, %v", tt.spec, g, err)
		}
		for _, want := range tt.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: %v\nexpected %s", tt.spec, err, want)
			}
		}
	}
}
