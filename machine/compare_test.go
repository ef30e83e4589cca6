package machine

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// A comparison agrees with the plans of its machines, whose paths it measures
// although it keeps no schedule.
func TestComparisonAgreesWithPlans(t *testing.T) {
	ctx := context.Background()
	opt := CompareOptions{Alphas: []units.Time{7}, Beta: 3, Count: delay.Hops}
	var machines []Candidate
	var plans []*Result
	for _, text := range []string{
		"{name: Same, topology: {family: torus, dims: [4, 4]}}",
		"{name: Same, topology: {family: dragonfly, p: 2, a: 4, h: 2}}",
	} {
		spec, err := Parse("x.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Plan(ctx, spec)
		if err != nil {
			t.Fatal(err)
		}
		machines, plans = append(machines, Candidate{File: "x.yaml", Spec: spec}), append(plans, p)
	}
	c, err := Compare(ctx, machines, opt)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range plans {
		m, want := &c.Machines[i], p.Report()
		if m.Delay == nil || m.Delay.NsMean != want.Delay.NsMean || m.Cables != want.Cables ||
			m.Cost.Total != want.Cost.Total || m.Length != want.Length {
			t.Errorf("compared %+v, planned %+v", m.Plan, want)
		}
		mean, most := m.D(7, 3)
		wantMean := 7*want.Delay.HopsMean + 3*float64(want.Delay.PathMean)
		wantMost := 7*float64(want.Delay.HopsMax) + 3*float64(want.Delay.PathMax)
		if math.Abs(float64(mean)-wantMean) > 1e-3 || math.Abs(float64(most)-wantMost) > 1e-3 {
			t.Errorf("D is %v and %v", mean, most)
		}
		var cables int64
		for _, l := range want.Lengths {
			cables += l.Cables
			for _, n := range l.Bins {
				cables -= n
			}
		}
		if cables != 0 {
			t.Errorf("%d cables are in no bin of the lengths", cables)
		}
	}
	opt.Count = "" // routers traversed: one more than hops between nodes that are routers, one fewer between end nodes
	routers, err := Compare(ctx, machines, opt)
	if err != nil {
		t.Fatal(err)
	}
	for i, more := range []float64{1, -1} {
		hops, traversed := c.Machines[i].Reach, routers.Machines[i].Reach
		if math.Abs(traversed.HopsMean-hops.HopsMean-more) > 1e-9 || traversed.HopsMax != hops.HopsMax+more {
			t.Errorf("%v routers traversed on %v hops", traversed, hops)
		}
	}
	if c.Machines[0].Machine != "Same" || c.Machines[1].Machine != "Same (2)" {
		t.Errorf("names %q and %q", c.Machines[0].Machine, c.Machines[1].Machine)
	}
	r := c.Document()
	if len(r.BreakEven) != 1 || r.Machines[0].D[0].Alpha != 7 || r.Machines[0].Bisection.Upper != 8 {
		t.Errorf("%+v", r)
	}
}

// Machines of several fabrics are compared as a whole, with the figures of their plans, beside one with one topology.
func TestWholeMachinesAgreeWithPlans(t *testing.T) {
	const two = `{name: Two, boxes: [{name: n, count: 8, part: nvidia-dgx-h100}], fabrics: [
		{name: fast, topology: {family: fat-tree, radix: 64, rails: 8}, ends: [{boxes: n, ports: compute}],
			switches: {switch: {part: nvidia-qm9700}}},
		{name: oob, topology: {family: access, down: 48}, ends: [{boxes: n, ports: bmc}],
			switches: {switch: {part: nvidia-sn2201}}}]}`
	var machines []Candidate
	for _, text := range []string{two, "{name: Ring, topology: {family: torus, dims: [8]}}"} {
		s, err := Parse("x.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		machines = append(machines, Candidate{File: "x.yaml", Spec: s})
	}
	c, err := Compare(t.Context(), machines, CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Plan(t.Context(), machines[0].Spec)
	if err != nil {
		t.Fatal(err)
	}
	want, m := p.Report(), &c.Machines[0]
	if !m.Whole || c.Machines[1].Whole || c.AllWhole() || m.Cost.Total != want.Cost.Total ||
		m.Power != want.Power || m.Cables != want.Cables || m.Racks != want.Racks || m.Length != want.Length {
		t.Errorf("compared %+v, planned %+v", m.Plan, want)
	}
	for i := range want.Fabrics {
		got, f := &m.Fabrics[i], &want.Fabrics[i]
		if got.Name != f.Name || got.Cables != f.Cables || got.Cost != f.Cost || got.Delay == nil ||
			got.Delay.NsMean != f.Delay.NsMean || got.Delay.NsMax != f.Delay.NsMax {
			t.Errorf("compared %+v, planned %+v", got, f)
		}
	}
	if m.Delay != nil || m.Reach != nil || m.Throughput != nil {
		t.Error("a whole machine has the delays of one network")
	}
	d := c.Document()
	if d.Machines[0].Topology != nil || d.Machines[0].Bisection != nil || len(d.Machines[0].Fabrics) != 2 ||
		d.Machines[1].Topology == nil || d.Machines[1].Bisection == nil || d.Machines[1].Fabrics != nil {
		t.Errorf("%+v", d.Machines)
	}
	for _, term := range c.Terms() {
		switch {
		case term.Term == "bisection" && term.Values[0] != "-",
			term.Term == "router" && term.Values[0] != "nvidia-qm9700, nvidia-sn2201":
			t.Errorf("%+v", term)
		}
	}
}

// The same torus of nodes and of switches with a node each traverses as many routers, and the comparison says in what
// else the two differ. What is held equal does not differ, and what cannot be is refused.
func TestTermsOfATorusTwice(t *testing.T) {
	ctx := context.Background()
	var machines []Candidate
	for _, terminals := range []string{"", ", terminals: 1"} {
		s, err := Parse("x.yaml", []byte("{name: Torus, topology: {family: torus, dims: [4, 4, 4]"+terminals+"}}"))
		if err != nil {
			t.Fatal(err)
		}
		machines = append(machines, Candidate{File: "x.yaml", Spec: s})
	}
	c, err := Compare(ctx, machines, CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := c.Machines[0].Traversed, c.Machines[1].Traversed; a.HopsMean != b.HopsMean || a.HopsMax != b.HopsMax {
		t.Errorf("%v and %v routers traversed", a, b)
	}
	if w := strings.Join(c.TermWarnings(), "\n"); !strings.Contains(w, "100 ns and 500 ns") ||
		!strings.Contains(w, "built into nodes and priced") {
		t.Errorf("warnings %q", w)
	}
	equal, err := spec.ParseEqual([]string{"hop=200ns", "per-rack=8"})
	if err != nil {
		t.Fatal(err)
	}
	if c, err = Compare(ctx, machines, CompareOptions{Equal: equal}); err != nil {
		t.Fatal(err)
	}
	for _, term := range c.Terms() {
		held := term.Term == "hop delay" || term.Term == "nodes a rack"
		if term.Held != held || held && (!term.Equal || term.Values[0] != map[bool]string{
			true: "200 ns", false: "8",
		}[term.Term == "hop delay"]) {
			t.Errorf("%+v", term)
		}
	}
	equal, err = spec.ParseEqual([]string{"switch=generic-switch-64x400g"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Compare(ctx, machines, CompareOptions{Equal: equal})
	if err == nil || !strings.Contains(err.Error(), "the routers of the torus are its nodes") {
		t.Errorf("switches of node-routers held equal: %v", err)
	}
	for _, wrong := range []string{"cost", "bisection=3", "hopp=3", "hop", "per_rack=0", "hop=x"} {
		if _, err := spec.ParseEqual([]string{wrong}); err == nil {
			t.Errorf("%s is held equal", wrong)
		}
	}
}

// What compare prints for the worst traffic is no more than the cut beside it allows: the channels of the narrowest cut
// that is known over half the nodes, of which each sends through one port.
func TestWorstBoundsAreWithinCuts(t *testing.T) {
	var machines []Candidate
	for _, c := range []string{
		"{family: clex, clique: 4, levels: 3, bundled: true, capacity: {level2: 1, level3: 1}}",
		"{family: clex, clique: 4, levels: 3, bundled: true}", // with the capacity of its bundles
		"{family: hyperx, dims: [4, 4, 4], terminals: 4}",
		"{family: hyperx, dims: [8, 8, 8], terminals: 8}",
		"{family: slim-fly, q: 13, terminals: 12}",
	} {
		s, err := Parse("x.yaml", []byte("{name: X, topology: "+c+"}"))
		if err != nil {
			t.Fatal(err)
		}
		machines = append(machines, Candidate{File: "x.yaml", Spec: s})
	}
	c, err := Compare(t.Context(), machines, CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.75, 1, 0.5, 0.5, 0.545} {
		m := &c.Machines[i]
		cut := float64(m.Bisection.Upper) / float64(m.Nodes/2)
		if got := m.Throughput.Worst; math.Abs(got-want) > 5e-4 || got > cut+1e-9 {
			t.Errorf("%v: worst traffic at most %v, want %v; its cut of %d channels allows %v", m.Topology, got, want,
				m.Bisection.Upper, cut)
		}
	}
}

// Racks of switches alone make a machine less dense than nodes a rack held equal: the warning advises nothing that is
// done already.
func TestDensityHeldEqual(t *testing.T) {
	var machines []Candidate
	for _, c := range []string{
		"{family: torus, dims: [4, 4], terminals: 4}", "{family: fat-tree, nodes: 64, radix: 16}",
	} {
		s, err := Parse("x.yaml", []byte("{name: X, topology: "+c+"}"))
		if err != nil {
			t.Fatal(err)
		}
		machines = append(machines, Candidate{File: "x.yaml", Spec: s})
	}
	for perRack, want := range map[int]string{
		0: "--equal per_rack=N holds", 8: "racks without nodes, of switches, count",
	} {
		c, err := Compare(t.Context(), machines, CompareOptions{Equal: spec.Equal{PerRack: perRack}})
		if err != nil {
			t.Fatal(err)
		}
		w := strings.Join(c.TermWarnings(), "\n")
		if !strings.Contains(w, "nodes a rack") || !strings.Contains(w, want) {
			t.Errorf("%d nodes a rack: warnings %q", perRack, w)
		}
	}
}
