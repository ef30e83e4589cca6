package machine

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/units"
)

func comparedReaches(reaches ...delay.Reach) *Comparison {
	c := NewComparison(CompareOptions{})
	for i := range reaches {
		c.Machines = append(c.Machines, Compared{Report: &Report{Machine: fmt.Sprint(i)}, Reach: &reaches[i]})
	}
	return c
}

// Whatever alpha/beta, the machine whose reign it is has the least D.
func TestReignsEqualTrying(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var reaches []delay.Reach
		for range 1 + rng.IntN(8) {
			reaches = append(reaches, delay.Reach{HopsMean: float64(1 + rng.IntN(9)), PathMean: units.Length(1 + rng.IntN(9))})
		}
		c := comparedReaches(reaches...)
		reigns := c.Reigns()
		if reigns[0].From != 0 || !math.IsInf(float64(reigns[len(reigns)-1].To), 1) {
			t.Fatalf("%v does not cover all ratios", reigns)
		}
		for i := 1; i < len(reigns); i++ {
			if reigns[i].From != reigns[i-1].To || reigns[i].Machine == reigns[i-1].Machine {
				t.Fatalf("%v has gaps", reigns)
			}
		}
		for range 20 {
			ratio := math.Exp(rng.Float64()*8 - 4)
			least := math.Inf(1)
			for _, r := range reaches {
				least = min(least, ratio*r.HopsMean+float64(r.PathMean))
			}
			k := slices.IndexFunc(reigns, func(r Reign) bool { return ratio <= float64(r.To) })
			r := reaches[reigns[k].Machine]
			if d := ratio*r.HopsMean + float64(r.PathMean); d > least+1e-9 {
				t.Fatalf("at %g machine %d has %g, the least is %g; %v of %v", ratio, reigns[k].Machine, d, least, reigns, reaches)
			}
		}
	}
}

// A comparison agrees with the plans of its machines, whose paths it measures
// although it keeps no schedule.
func TestComparisonAgreesWithPlans(t *testing.T) {
	ctx := context.Background()
	opt := CompareOptions{Alphas: []units.Time{7}, Beta: 3}
	c := NewComparison(opt)
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
		if err := c.Add(ctx, "x.yaml", spec, opt); err != nil {
			t.Fatal(err)
		}
		m, want := &c.Machines[len(c.Machines)-1], p.Report()
		if m.Delay == nil || m.Delay.NsMean != want.Delay.NsMean || m.Cables != want.Cables || m.Cost.Total != want.Cost.Total || m.Length != want.Length {
			t.Errorf("compared %+v, planned %+v", m.Report, want)
		}
		mean, most := m.D(7, 3)
		if math.Abs(float64(mean)-(7*want.Delay.HopsMean+3*want.Delay.PathMean)) > 1e-3 || math.Abs(float64(most)-(7*float64(want.Delay.HopsMax)+3*want.Delay.PathMax)) > 1e-3 {
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
	c.Finish()
	if c.Machines[0].Machine != "Same" || c.Machines[1].Machine != "Same (2)" {
		t.Errorf("names %q and %q", c.Machines[0].Machine, c.Machines[1].Machine)
	}
	r := c.Report()
	if len(r.BreakEven) != 1 || r.Machines[0].D[0].Alpha != 7 || r.Machines[0].Bisection.Upper != 8 {
		t.Errorf("%+v", r)
	}
}
