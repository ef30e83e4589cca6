package circulant_test

import (
	"context"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/examples/circulant"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// C64(1,8) in a machine file, as any other family.
const file = `
name: A ring with chords
topology: {family: circulant, nodes: 64, strides: [1, 8]}
packaging: {node: {per_rack: 8}}
`

// TestPlan: the machine is planned, with a rack for every turn.
func TestPlan(t *testing.T) {
	spec, err := machine.Parse("circulant.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := machine.Plan(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	r := plan.Report()
	if r.Nodes != 64 || r.Links != 128 || r.Cables != 128 || r.Racks != 8 {
		t.Errorf("%d nodes, %d links, %d cables, %d racks; expected 64, 128, 128, 8", r.Nodes, r.Links, r.Cables,
			r.Racks)
	}
	if r.Delay == nil || r.Delay.HopsMax != 7 {
		t.Errorf("delays %+v, expected 7 hops at most", r.Delay)
	}
}

// TestMistakes: a wrong parameter is reported where it stands in the file.
func TestMistakes(t *testing.T) {
	_, err := machine.Parse("c.yaml", []byte("topology: {family: circulant, nodes: 64, strides: [1, 40], dims: [3]}\n"))
	for _, want := range []string{
		"c.yaml:1:55: topology.strides[1]: must be above 1 and below half of the 64 nodes, not 40",
		"topology.dims: is not a parameter of this family, which takes nodes and strides",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nexpected %s", err, want)
		}
	}
}

// TestMeasure: searches agree with what the family declares, and with distances by hand:
// from 0, place p = 8a + b is |a| + |b| steps away, with -4 <= a, b <= 4.
func TestMeasure(t *testing.T) {
	g := build(t)
	m, err := measure.Measure(context.Background(), g, measure.MeasureOptions{Metrics: measure.AllMetrics()})
	if err != nil {
		t.Fatal(err)
	}
	most, sum := 0, 0
	for p := 1; p < 64; p++ {
		least := 64
		for a := -8; a <= 8; a++ {
			b := ((p-8*a)%64 + 64) % 64
			b = min(b, 64-b)
			least = min(least, max(a, -a)+b)
		}
		most, sum = max(most, least), sum+least
	}
	if m.Diameter == nil || int(*m.Diameter) != most {
		t.Errorf("diameter %v, expected %d", m.Diameter, most)
	}
	if m.HopsMean == nil || *m.HopsMean != float64(sum)/63 {
		t.Errorf("%v hops in the mean, expected %v", m.HopsMean, float64(sum)/63)
	}
}

// TestRoute: the usual routing is the routing that the family names, and free of deadlocks.
func TestRoute(t *testing.T) {
	n, err := routing.NewNetwork(build(t))
	if err != nil {
		t.Fatal(err)
	}
	f, err := routing.New(n, "", routing.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if f.Name() != "min-adaptive" {
		t.Errorf("routing %s", f.Name())
	}
	if err := routing.CheckDependencies(n, f, 4); err != nil {
		t.Error(err)
	}
}

// TestSimulate: packets of uniform and of the worst-case traffic arrive, and take the hops of
// minimal paths.
func TestSimulate(t *testing.T) {
	g := build(t)
	n, err := routing.NewNetwork(g)
	if err != nil {
		t.Fatal(err)
	}
	f, err := routing.New(n, "", routing.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		traffic     string
		least, most float64 // hops in the mean
	}{
		{"uniform", 3.9, 4.1}, // 252 hops from a node to the 63 others
		{"worst-case", 2.8, 3.3},
	} {
		pattern, err := traffic.ParsePattern(tt.traffic, g, 1)
		if err != nil {
			t.Fatal(err)
		}
		r, err := packet.Run(context.Background(), packet.Config{Network: n, Routing: f},
			packet.OpenLoop{Pattern: pattern, Load: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		if r.Delivered == 0 || r.IsSaturated() || r.Hops < tt.least || r.Hops > tt.most {
			t.Errorf("%s: %d packets over %v hops, saturated: %v", tt.traffic, r.Delivered, r.Hops, r.IsSaturated())
		}
	}
}

// TestSizes: the members that a search by size finds are built as it lists them.
func TestSizes(t *testing.T) {
	list, err := topology.Sizes("circulant", topology.SizeQuery{MinNodes: 6, MaxNodes: 500, MaxPorts: 4})
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Sizes) != 14 || list.Sizes[0].Nodes != 13 || list.Sizes[13].Nodes != 481 {
		t.Fatalf("%+v; expected 13 ... 481 nodes", list)
	}
	for _, z := range list.Sizes {
		g, err := topology.New(z.Spec)
		if err != nil {
			t.Fatal(err)
		}
		h, err := measure.Hops(context.Background(), g, measure.HopEnds(g), measure.HopOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if c := topology.Count(g); c.Nodes != z.Nodes || c.Links != z.Links || h.Diameter != z.Diameter {
			t.Errorf("%v: %d nodes, %d links, diameter %d, listed %+v", z.Spec, c.Nodes, c.Links, h.Diameter, z)
		}
	}
	if list, err := topology.Sizes("circulant", topology.SizeQuery{MaxPorts: 3}); err != nil || len(list.Sizes) > 0 {
		t.Errorf("with 3 ports %+v, %v", list, err)
	}
}

func build(t *testing.T) topology.Graph {
	t.Helper()
	g, err := topology.New(circulant.Circulant{Nodes: 64, Strides: topology.Ints{1, 8}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}
