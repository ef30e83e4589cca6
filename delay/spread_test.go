package delay

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A spread holds what sorting the values into bins of its final width gives,
// regardless of their order, and merging two is adding the values of both.
func TestSpreadEqualsSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0, 1e6), 1, 200).Draw(t, "values")
		split := rapid.IntRange(0, len(values)).Draw(t, "split")
		var s, a, b Spread[float64]
		for i, v := range values {
			s.Add(v)
			if i < split {
				a.Add(v)
			} else {
				b.Add(v)
			}
		}
		most := slices.Max(values)
		if s.Width*spreadBins <= most || s.Width > narrowest && s.Width*spreadBins/2 > most {
			t.Fatalf("width %g for values up to %g", s.Width, most)
		}
		var want [spreadBins]int64
		for _, v := range values {
			want[int(v/s.Width)]++
		}
		rand.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		var again Spread[float64]
		for _, v := range values {
			again.Add(v)
		}
		a.Merge(&b)
		if s.Count != want || again != s || a != s {
			t.Fatalf("%v, in another order %v, merged %v; want %v", s, again, a, want)
		}
	})
}

func TestSpreadOfNothingAndOfTooMuch(t *testing.T) {
	var s Spread[float64]
	s.Merge(&Spread[float64]{})
	if s.Width != 0 || len(s.Bins()) != 0 {
		t.Errorf("%v is not empty", s)
	}
	s.Add(math.Inf(1))
	s.Add(1e300)
	s.Add(1)
	if s.Count[0] != 1 || len(s.Bins()) == 0 {
		t.Errorf("%v", s)
	}
}
