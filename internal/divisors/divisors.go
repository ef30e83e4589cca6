// Package divisors lists divisors of numbers.
package divisors

import "slices"

// OfSquare lists the divisors of factor n^2 in ascending order; factor is 1 or 2, and n at
// least 1.
func OfSquare(factor, n int) []int {
	divisors := []int{1}
	multiply := func(p, exponent int) {
		have := len(divisors)
		for power := p; exponent > 0; power, exponent = power*p, exponent-1 {
			for _, d := range divisors[:have] {
				divisors = append(divisors, d*power)
			}
		}
	}
	twos := factor - 1
	for ; n%2 == 0; n /= 2 {
		twos += 2
	}
	multiply(2, twos)
	for p := 3; n > 1; p += 2 {
		if p*p > n {
			p = n
		}
		exponent := 0
		for ; n%p == 0; n /= p {
			exponent += 2
		}
		multiply(p, exponent)
	}
	slices.Sort(divisors)
	return divisors
}
