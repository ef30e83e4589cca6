package decimals

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawn draws numbers as they occur, those near the middle of two decimals among them, and all others.
func drawn(t *rapid.T) (v float64, decimals int) {
	decimals = rapid.IntRange(0, 11).Draw(t, "decimals")
	scale := math.Pow10(decimals)
	v = rapid.OneOf(
		rapid.Float64(), rapid.Float64Range(-1e6, 1e6),
		rapid.Custom(func(t *rapid.T) float64 {
			half := float64(rapid.Int64Range(-1e15, 1e15).Draw(t, "halves")) / 2 / scale
			return math.Nextafter(half, rapid.SampledFrom([]float64{half, math.Inf(1), math.Inf(-1)}).Draw(t, "to"))
		}),
		rapid.SampledFrom([]float64{
			0, math.Copysign(0, -1), 0.5, -0.5, 0.05, -0.004, 1e15, 999999999999.5, math.Inf(1), math.Inf(-1),
			math.NaN(),
		}),
	).Draw(t, "v")
	return v, decimals
}

func TestRounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, decimals := drawn(t)
		scale := math.Pow10(decimals)
		want := "x" + strconv.FormatFloat(math.Round(v*scale)/scale, 'f', -1, 64)
		if got := string(AppendRounded([]byte("x"), v, decimals)); got != want {
			t.Fatalf("%v with %d decimals is %s, not %s", v, decimals, got, want)
		}
	})
}

func TestFixed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, decimals := drawn(t)
		want := strconv.FormatFloat(v, 'f', decimals, 64)
		if strings.Contains(want, ".") {
			want = strings.TrimRight(strings.TrimRight(want, "0"), ".")
		}
		if want == "-0" {
			want = "0"
		}
		if got := string(AppendFixed([]byte("x"), v, decimals)); got != "x"+want {
			t.Fatalf("%v with %d decimals is %s, not %s", v, decimals, got, want)
		}
	})
}
