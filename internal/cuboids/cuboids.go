// Package cuboids enumerates near-cubic cuboids.
package cuboids

import "math"

// Visit calls visit with the first n-1 sides of every near-cubic cuboid with least to most
// points, in ascending order, the product of these sides, and the bounds of the last: sides
// are multiples of unit and at least 2, and the largest is at most twice the smallest. The
// sides are valid during the call only.
func Visit(n, unit, least, most int, visit func(sides []int, points, from, to int)) {
	e := &enumeration{n: n, unit: unit, least: least, most: most, visit: visit}
	e.extend(1)
}

type enumeration struct {
	n, unit, least, most int
	visit                func(sides []int, points, from, to int)
	sides                []int
}

// extend chooses the sides after those chosen, whose product is points.
func (e *enumeration) extend(points int) {
	first, largest := max(e.unit, 2), e.most
	if len(e.sides) > 0 {
		first, largest = e.sides[len(e.sides)-1], 2*e.sides[0]
	}
	left := e.n - len(e.sides)
	if left == 1 {
		if last := min(largest, e.most/points); last >= first {
			e.visit(e.sides, points, first, last/e.unit*e.unit)
		}
		return
	}
	for side := first; side <= largest; side += e.unit {
		product, widest := points, points
		top := 2 * side
		if len(e.sides) > 0 {
			top = largest
		}
		for range left {
			if product *= side; product > e.most {
				return
			}
		}
		for range left - 1 {
			widest = min(widest*top, math.MaxInt32)
		}
		if widest*side < e.least {
			continue
		}
		e.sides = append(e.sides, side)
		e.extend(points * side)
		e.sides = e.sides[:len(e.sides)-1]
	}
}
