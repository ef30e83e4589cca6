package delay

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/units"
)

// Whatever alpha/beta, the machine that is called the fastest has the least D.
func TestFastestMachinesEqualTrying(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var reaches []Reach
		for range 1 + rng.IntN(8) {
			reaches = append(reaches, Reach{
				HopsMean: float64(1 + rng.IntN(9)),
				PathMean: units.Length(1 + rng.IntN(9)),
			})
		}
		var machines []*Reach
		for i := range reaches {
			machines = append(machines, &reaches[i], nil)
		}
		ranges := FastestMachines(machines)
		if ranges[0].From != 0 || !math.IsInf(float64(ranges[len(ranges)-1].To), 1) {
			t.Fatalf("%v does not cover all ratios", ranges)
		}
		for i := 1; i < len(ranges); i++ {
			if ranges[i].From != ranges[i-1].To || ranges[i].Machine == ranges[i-1].Machine {
				t.Fatalf("%v has gaps", ranges)
			}
		}
		for range 20 {
			ratio := math.Exp(rng.Float64()*8 - 4)
			least := math.Inf(1)
			for _, r := range reaches {
				least = min(least, ratio*r.HopsMean+float64(r.PathMean))
			}
			k := slices.IndexFunc(ranges, func(r Fastest) bool { return ratio <= float64(r.To) })
			r := machines[ranges[k].Machine]
			if d := ratio*r.HopsMean + float64(r.PathMean); d > least+1e-9 {
				t.Fatalf("at %g machine %d has %g, the least is %g; %v of %v", ratio, ranges[k].Machine, d, least,
					ranges, reaches)
			}
		}
	}
}
