package interval

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Intervals are those of the textbook, and the table that of Student's distribution.
func TestIntervals(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := 2; n < 200; n++ {
		x := make([]float64, n)
		for i := range x {
			x[i] = random.NormFloat64()*3 + 10
		}
		mean, half := Mean(x)
		quantile := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n - 1)}.Quantile(0.975)
		want := quantile * stat.StdDev(x, nil) / math.Sqrt(float64(n))
		if math.Abs(mean-stat.Mean(x, nil)) > 1e-12 || math.Abs(half/want-1) > 1e-3 {
			t.Errorf("%d: %g ± %g, want ± %g", n, mean, half, want)
		}
	}
	if mean, half := Mean([]float64{0.1, 0.1, 0.1}); mean != 0.1 || half != 0 {
		t.Errorf("equal ones: %g ± %g", mean, half)
	}
	if mean, half := Mean([]float64{3}); mean != 3 || half != 0 {
		t.Errorf("one: %g ± %g", mean, half)
	}
}
