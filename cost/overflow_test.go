package cost

import (
	"math"
	"testing"

	"github.com/plenum-planner/plenum/units"
)

// Money never wraps round: what is too much stays the most.
func TestMoneyStopsAtTheMost(t *testing.T) {
	most := units.MostMoney
	for _, tt := range []struct{ got, want units.Money }{
		{units.Money(3).Times(4), 12},
		{units.Money(-3).Times(4), -12},
		{units.Money(3).Times(math.MaxInt64), most},
		{units.Money(-3).Times(math.MaxInt64), -most},
		{units.Money(math.MinInt64).Times(math.MinInt64), most},
		{most.Times(0), 0},
		{most.Plus(1), most},
		{most.Plus(-1), most - 1},
		{(-most).Plus(-1), -most},
		{units.Money(math.MaxInt64).Plus(math.MaxInt64), most},
		{units.Money(math.MinInt64).Plus(math.MaxInt64), 0},
		{units.MoneyOf(1e300), most},
		{units.MoneyOf(math.Inf(-1)), -most},
		{units.MoneyOf(0.125), 13},
		{cents(1e300), most},
		{share(most, 1000), most},
		{share(1000, 12.5), 125},
	} {
		if tt.got != tt.want {
			t.Errorf("%d, want %d", tt.got, tt.want)
		}
	}
}
