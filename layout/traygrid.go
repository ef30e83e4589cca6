package layout

import (
	"math"
	"slices"

	"github.com/plenum-planner/plenum/units"
)

// trayGrid is a plan of equal rows without declared paths and without obstacles to trays. All cross trays of a hall
// meet all of its rows, so that the shortest route between two junctions is as long as their taxicab distance. That
// takes no search, and no memory for pairs of junctions.
type trayGrid struct {
	points []gridPoint // of each junction
}

// gridPoint is the position of a junction, in tenths of a millimetre from a point of its hall.
type gridPoint struct {
	x, y int64
	hall int32 // number of its hall; no tray leads to other halls
}

// distance returns the length of the shortest route between two junctions; unreachable in different halls.
func (a *gridPoint) distance(b *gridPoint) units.Length {
	if a.hall != b.hall {
		return unreachable
	}
	dx, dy := a.x-b.x, a.y-b.y
	return units.Length(float64(max(dx, -dx)+max(dy, -dy)) / 1e4)
}

// grid returns a plan as a grid. It returns nil if there are paths or obstacles, or if lengths are not whole tenths of
// a millimetre, so that rounding a sum of them could depend on their order.
func (t *TrayNetwork) grid(p *trayPlan) *trayGrid {
	if p.over != nil || len(p.paths) > 0 || slices.Contains(p.closed, true) || len(p.section) > 0 &&
		slices.Max(p.section) > 0 {
		return nil
	}
	worst := 1e-5 // tolerance of dijkstra, in tenths of a millimetre
	whole := func(l units.Length) int64 {
		n := math.Round(float64(l) * 1e4)
		worst = max(worst, math.Abs(float64(l)*1e4-n))
		return int64(n)
	}
	g := &trayGrid{points: make([]gridPoint, len(p.stopAt))}
	hall, y := int32(0), int64(0)
	for row := range t.room.Rows {
		x := int64(0)
		for j := p.first[row]; j < p.first[row+1]; j++ {
			if j > p.first[row] {
				x += whole(t.stopAt(row, p.stopAt[j]) - t.stopAt(row, p.stopAt[j-1]))
			}
			g.points[j] = gridPoint{x, y, hall}
		}
		if t.gap[row] < 0 {
			hall, y = hall+1, 0
		} else {
			y += whole(t.room.Rows[row+1].Y - t.room.Rows[row].Y)
		}
	}
	if steps := len(t.room.Rows) + 2*len(p.crosses); worst*float64(steps) > 0.25 {
		return nil
	}
	return g
}
