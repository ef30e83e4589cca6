package triangle

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestAt: the distribution function of a quantile is its share.
func TestAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-100, 100).Draw(t, "low")
		high := low + rapid.Float64Range(1, 100).Draw(t, "span")
		// The likely value is at a bound, or far enough from it for the share of either side to be exact.
		part := rapid.OneOf(rapid.Just(0.0), rapid.Just(1.0), rapid.Float64Range(1e-3, 0.999)).Draw(t, "likely")
		likely := low + (high-low)*part
		if part == 1 {
			likely = high
		}
		u := rapid.Float64Range(0, 1).Draw(t, "u")
		of := New(low, likely, high)
		x := of.At(u)
		if x < low || x > high {
			t.Fatalf("quantile %v of %v, %v, %v is %v", u, low, likely, high, x)
		}
		share := 1 - (high-x)*(high-x)/((high-low)*(high-likely))
		if x < likely {
			share = (x - low) * (x - low) / ((high - low) * (likely - low))
		}
		if math.Abs(share-u) > 1e-6 && x != likely {
			t.Fatalf("quantile %v of %v, %v, %v is %v, of share %v", u, low, likely, high, x, share)
		}
	})
	flat := New(3, 3, 3)
	if got := flat.At(0.9); got != 3 {
		t.Error(got)
	}
	outside := New(1, 9, 4)
	if got := outside.At(1); got != 4 {
		t.Error(got)
	}
}
