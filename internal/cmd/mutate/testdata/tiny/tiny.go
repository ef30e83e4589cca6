// Package tiny has code of which its test notices only some mutations.
package tiny

import "math"

// Link joins two ends.
type Link struct{ A, B int }

// Far is tested.
func Far(l Link) int { return l.A + l.B*2 }

// Metres is tested with lengths that rounding does not change.
func Metres(x float64) float64 { return math.Ceil(x) }

// Sum is tested.
func Sum(xs []int) (sum int) {
	for _, x := range xs {
		sum += x
	}
	return sum
}

// Spare is not tested.
func Spare(n int) int { return max(n-1, 0) }
