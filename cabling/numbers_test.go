package cabling

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// TestNumbersWithZeros compares numbers with those of package fmt, powers of ten and their neighbours among them.
func TestNumbersWithZeros(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := int64(1)
		for range rapid.IntRange(0, 12).Draw(t, "power") {
			limit *= 10
		}
		near := rapid.SampledFrom([]int64{limit - 1, limit, limit + 1})
		n := rapid.OneOf(rapid.Int64Range(0, limit), near).Draw(t, "n")
		digits := rapid.IntRange(0, 12).Draw(t, "digits")
		if got, want := string(AppendNumber([]byte("C"), n, digits)), fmt.Sprintf("C%0*d", digits, n); got != want {
			t.Fatalf("%d with %d digits is %s, not %s", n, digits, got, want)
		}
	})
}
