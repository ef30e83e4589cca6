package units

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The fast rounding is the library's to the last bit, of any bits.
func TestRoundIsTheLibrarys(t *testing.T) {
	check := func(x float64) {
		if got, want := round(x), math.Round(x); math.Float64bits(got) != math.Float64bits(want) &&
			!(math.IsNaN(got) && math.IsNaN(want)) {
			t.Fatalf("round(%g) = %g, math.Round says %g", x, got, want)
		}
	}
	for _, x := range []float64{
		0, math.Copysign(0, -1), 0.5, -0.5, 0.49999999999999994, -0.49999999999999994, 1.5, 2.5, -2.5, 1<<52 - 0.5,
		1<<52 + 1, 1 << 53, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.Inf(-1), math.NaN(),
	} {
		check(x)
		check(math.Nextafter(x, math.Inf(1)))
		check(math.Nextafter(x, math.Inf(-1)))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 1 << 20 {
		check(math.Float64frombits(random.Uint64()))
		half := float64(random.Int64N(1<<40)-1<<39) / 2
		check(half)
		check(math.Nextafter(half, random.NormFloat64()*1e12))
	}
}
