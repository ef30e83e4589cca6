package cabling

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestPackings compares the table with the closed forms that are known, and the
// formula for more circles with the rings that it is made of.
func TestPackings(t *testing.T) {
	sin := func(n float64) float64 { return math.Sin(math.Pi / n) }
	for n, want := range map[int]float64{
		1: 1, 2: 2, 3: 1 + 2/math.Sqrt(3), 4: 1 + math.Sqrt2, 5: 1 + 1/sin(5), 6: 3, 7: 3, 8: 1 + 1/sin(7),
		9:  1 + 1/sin(8),
		11: 1 + 1/sin(9), 13: 2 + math.Sqrt(5), 19: 1 + math.Sqrt2 + math.Sqrt(6),
		37: 7, 61: 9, 91: 11,
	} {
		if got := packingDiameter(n); math.Abs(got-want) > 1e-3 {
			t.Errorf("%d circles in one of %g, want %g", n, got, want)
		}
	}
	for n := 2; n < 1000; n++ { // no circles overlap: none of the density of a plane can be passed
		if got := packingDiameter(n); got < packingDiameter(n-1) || float64(n)/(got*got) > math.Pi/math.Sqrt(12) {
			t.Errorf("%d circles in one of %g", n, got)
		}
	}
}

// TestWayTable compares the hash table with a map.
func TestWayTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table numbering[wayKey]
		slow := map[wayKey]int32{}
		for range rapid.IntRange(0, 3000).Draw(t, "finds") {
			k := wayKey{
				rapid.Int32Range(0, 60).Draw(t, "a"), rapid.Int32Range(0, 60).Draw(t, "b"),
				int16(rapid.IntRange(-1, 1).Draw(t, "level")), 0, rapid.Bool().Draw(t, "copper"),
			}
			want, known := slow[k]
			if !known {
				want = int32(len(slow))
				slow[k] = want
			}
			if got, found := table.find(k); got != want || found != known {
				t.Fatalf("%v is number %d (known %v), want %d (%v)", k, got, found, want, known)
			}
		}
	})
}
