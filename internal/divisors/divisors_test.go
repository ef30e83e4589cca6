package divisors_test

import (
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/internal/divisors"
)

func TestOfSquare(t *testing.T) {
	for n := 1; n <= 400; n++ {
		for factor := 1; factor <= 2; factor++ {
			got := divisors.OfSquare(factor, n)
			var want []int
			for d := 1; d <= factor*n*n; d++ {
				if factor*n*n%d == 0 {
					want = append(want, d)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%d x %d^2: %v, expected %v", factor, n, got, want)
			}
		}
	}
}
