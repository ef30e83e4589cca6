package topology

import (
	"strconv"

	"github.com/plenum-planner/plenum/internal/arith"
)

// checkDims records sides below 1 and lattices with too many points, and returns the product of the sides that are at
// least 1: the number of points if it has recorded nothing.
func (m *Mistakes) checkDims(dims []int) int {
	points, valid := int64(1), true
	for i, side := range dims {
		if side < 1 {
			m.AddAt("dims", i, "a side has at least 1 point, not %d", side)
			valid = false
			continue
		}
		points = arith.Times(points, int64(side))
	}
	if valid {
		m.Vertices("dims", points)
	}
	return int(points)
}

// appendLevels appends n levels, dim1 ... dimN.
func appendLevels(levels []Level, n int) []Level {
	for d := range n {
		levels = append(levels, Level{Name: "dim" + strconv.Itoa(d+1)})
	}
	return levels
}

// sidesName returns the short name of a lattice: "torus 16x16".
func sidesName(family string, dims Ints) string { return family + " " + dims.Sides() }

// pointLabel writes the coordinates of point v, whose number grows fastest along the first dimension: "(3,0,7)".
func pointLabel(dims []int, v int) string {
	b := []byte{'('}
	for d, side := range dims {
		if d > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(v%side), 10)
		v /= side
	}
	return string(append(b, ')'))
}
