// Package arith has integer arithmetic that the language lacks.
package arith

import "math"

// Times multiplies numbers that are not negative and stops at the largest.
func Times(a, b int64) int64 {
	if a != 0 && b > math.MaxInt64/a {
		return math.MaxInt64
	}
	return a * b
}

// CeilDiv is a/b rounded up; b is above 0, and a above -b.
func CeilDiv(a, b int) int { return (a + b - 1) / b }

// Abs is the absolute value.
func Abs(n int) int { return max(n, -n) }

// Binomial is the number of ways to choose k of n.
func Binomial(n, k int) int {
	b := 1
	for i := range k {
		b = b * (n - i) / (i + 1)
	}
	return b
}
