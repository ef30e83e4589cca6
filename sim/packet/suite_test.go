package packet

import (
	"math"
	"testing"
)

// TestPhiOverSeeds: of 2 workloads and 2 seeds, by hand.
func TestPhiOverSeeds(t *testing.T) {
	runs := func(cycles ...int64) (out []*JobResult) {
		for _, c := range cycles {
			out = append(out, &JobResult{Cycles: c})
		}
		return out
	}
	own, reference := [][]*JobResult{runs(100, 300), runs(50, 70)}, [][]*JobResult{runs(50, 150), runs(25, 15)}
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s is %v, not %v", what, got, want)
		}
	}
	phi, std := PhiOver(own, reference, []float64{1, 3})
	near("phi of the means", phi, 4/(200./100+3*60./20))
	a, b := 4/(2+3*2.), 4/(2+3*70./15)
	near("deviation", std, math.Abs(a-b)/math.Sqrt2)
	if phi, _ = PhiOver(own, own, []float64{1, 1}); phi != 1 {
		t.Errorf("phi of the reference is %v", phi)
	}
	if _, std = PhiOver([][]*JobResult{runs(1)}, [][]*JobResult{runs(2)}, []float64{1}); !math.IsNaN(std) {
		t.Errorf("one seed deviates by %v", std)
	}
}
