package cuboids_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/internal/cuboids"
)

// TestVisit compares with all sides in ascending order.
func TestVisit(t *testing.T) {
	const least, most = 20, 400
	for n := 2; n <= 4; n++ {
		for unit := 1; unit <= 4; unit++ {
			var got, want []string
			cuboids.Visit(n, unit, least, most, func(sides []int, points, from, to int) {
				for last := from; last <= to; last += unit {
					if p := points * last; p >= least {
						got = append(got, fmt.Sprint(append(slices.Clone(sides), last), p))
					}
				}
			})
			var extend func(sides []int, points int)
			extend = func(sides []int, points int) {
				if len(sides) == n {
					if points >= least {
						want = append(want, fmt.Sprint(sides, points))
					}
					return
				}
				for side := unit; side*points <= most; side += unit {
					if side > 1 && (len(sides) == 0 || side >= sides[len(sides)-1] && side <= 2*sides[0]) {
						extend(append(slices.Clone(sides), side), side*points)
					}
				}
			}
			extend(nil, 1)
			if len(want) == 0 || !slices.Equal(got, want) {
				t.Errorf("%d sides, multiples of %d: %v, expected %v", n, unit, got, want)
			}
		}
	}
}
