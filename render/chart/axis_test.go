package chart

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAxes(t *testing.T) {
	for _, a := range []axis{
		{lo: 0, hi: 1},
		{lo: 3, hi: 3},
		{lo: 1e-7, hi: 1e12, log: true},
		{lo: 5, hi: 5, log: true},
		{lo: 0, hi: 1e15},
		{lo: math.Inf(1), hi: math.Inf(-1)},
		{lo: 0, hi: 0},
		{lo: 999, hi: 1001},
		{lo: 1, hi: 1.5, log: true},
	} {
		a.widen()
		ticks := a.ticks(12)
		if lo, hi := a.norm(a.lo), a.norm(a.hi); len(ticks) > 14 || len(ticks) < 2 || lo != 0 || hi != 1 {
			t.Errorf("%+v: %d ticks, ends at %g and %g", a, len(ticks), lo, hi)
		}
		for _, v := range ticks {
			if x := a.norm(v); x < -0.001 || x > 1.001 {
				t.Errorf("%+v: tick %g at %g", a, v, x)
			}
		}
	}
}

// No two ticks of an axis have the same label.
func TestLabelsTellTicksApart(t *testing.T) {
	for _, test := range []struct {
		ticks []float64
		want  string
	}{
		{[]float64{0, 50, 100}, "0 50 100"},
		{[]float64{10_010, 10_020, 10_030}, "10.01k 10.02k 10.03k"},
		{[]float64{1.0001, 1.0002}, "1.0001 1.0002"},
		{[]float64{3_400_000, 3_400_500}, "3.4M 3.4005M"},
	} {
		if got := strings.Join(tickLabels(test.ticks), " "); got != test.want {
			t.Errorf("%v: %s, want %s", test.ticks, got, test.want)
		}
	}
}

// Machines that cost nearly the same have bars that read differently, those that cost the same do not.
func TestValuesAreToldApart(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   string
	}{
		{[]float64{224_100, 224_300, 224_100}, "224.1k 224.3k 224.1k"},
		{[]float64{224_000, 350, 0}, "224k 350 0"},
		{[]float64{4_763_800.37, 4_763_800.38}, "4.76380037M 4.76380038M"},
		{[]float64{5, 5}, "5 5"},
	} {
		if got := strings.Join(distinctLabels(test.values), " "); got != test.want {
			t.Errorf("%v: %s, want %s", test.values, got, test.want)
		}
	}
}

// TestNoTwoTicksReadTheSame draws ranges of any size at any place, in proportion and by their logarithms.
func TestNoTwoTicksReadTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := math.Pow(10, rapid.Float64Range(-9, 15).Draw(t, "log of size"))
		lo := math.Pow(10, rapid.Float64Range(-9, 15).Draw(t, "log of least"))
		lo *= rapid.Float64Range(-1, 1).Draw(t, "least")
		a := axis{lo: lo, hi: lo + size, integral: rapid.Bool().Draw(t, "integral")}
		if a.hi-a.lo < 1e-9*math.Abs(a.lo) {
			t.Skip("a range that is nothing but rounding")
		}
		if rapid.Bool().Draw(t, "by logarithms") && a.lo > 0 {
			a.log = logarithmic(a.lo, a.hi)
		}
		if rapid.Bool().Draw(t, "widened") {
			a.widen()
		}
		ticks := a.ticks(rapid.IntRange(2, 20).Draw(t, "most"))
		seen := map[string]float64{}
		for i, text := range tickLabels(ticks) {
			if other, ok := seen[text]; ok && other != ticks[i] {
				t.Fatalf("%+v: ticks %v and %v both read %s", a, other, ticks[i], text)
			}
			seen[text] = ticks[i]
		}
	})
}

func TestShortNumbers(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 0.02: "0.02", 0.105: "0.105", 1: "1", 2.5: "2.5", 99.96: "100", 350: "350", 5000: "5000", 10000: "10k",
		12500:  "12.5k",
		999999: "1M", 3.4e6: "3.4M", 1.2e9: "1.2G", 5e12: "5T", 1e-5: "1e-05", 2e18: "2e+18", -250: "-250",
	} {
		if got := Short(v); got != want {
			t.Errorf("%g is %s; want %s", v, got, want)
		}
	}
}
