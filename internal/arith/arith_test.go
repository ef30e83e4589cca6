package arith_test

import (
	"math"
	"testing"

	"github.com/plenum-planner/plenum/internal/arith"
)

func TestTimes(t *testing.T) {
	for _, tt := range [][3]int64{
		{0, math.MaxInt64, 0},
		{math.MaxInt64, 0, 0},
		{3, 4, 12},
		{1, math.MaxInt64, math.MaxInt64},
		{2, math.MaxInt64/2 + 1, math.MaxInt64},
		{1 << 31, 1 << 31, 1 << 62},
		{1 << 32, 1 << 31, math.MaxInt64},
	} {
		if got := arith.Times(tt[0], tt[1]); got != tt[2] {
			t.Errorf("%d x %d is %d, expected %d", tt[0], tt[1], got, tt[2])
		}
	}
}

func TestCeilDiv(t *testing.T) {
	for a := -6; a <= 20; a++ {
		if got, want := arith.CeilDiv(a, 7), int(math.Ceil(float64(a)/7)); got != want {
			t.Errorf("%d/7 rounded up is %d, expected %d", a, got, want)
		}
	}
}

func TestBinomial(t *testing.T) {
	for n := range 30 {
		for k := 1; k <= n; k++ {
			if got, want := arith.Binomial(n+1, k), arith.Binomial(n, k)+arith.Binomial(n, k-1); got != want {
				t.Errorf("%d of %d: %d, expected %d", k, n+1, got, want)
			}
		}
		if arith.Binomial(n, 0) != 1 || arith.Binomial(n, n) != 1 {
			t.Errorf("0 or all of %d", n)
		}
	}
}
