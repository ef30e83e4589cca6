package machine

import (
	"context"
	"math"
	"testing"

	"github.com/plenum-planner/plenum/units"
)

// A comparison agrees with the plans of its machines, whose paths it measures
// although it keeps no schedule.
func TestComparisonAgreesWithPlans(t *testing.T) {
	ctx := context.Background()
	opt := CompareOptions{Alphas: []units.Time{7}, Beta: 3}
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
		machines, plans = append(machines, Candidate{"x.yaml", spec}), append(plans, p)
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
	if c.Machines[0].Machine != "Same" || c.Machines[1].Machine != "Same (2)" {
		t.Errorf("names %q and %q", c.Machines[0].Machine, c.Machines[1].Machine)
	}
	r := c.Document()
	if len(r.BreakEven) != 1 || r.Machines[0].D[0].Alpha != 7 || r.Machines[0].Bisection.Upper != 8 {
		t.Errorf("%+v", r)
	}
}
