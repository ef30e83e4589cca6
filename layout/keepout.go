package layout

import (
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
	"github.com/paulmach/orb/planar"

	"github.com/plenum-planner/plenum/units"
)

// Cause is the reason why no rack can be at a position.
type Cause uint8

// The causes. If several apply to one position, the last of them in this list counts.
const (
	KeptFree Cause = iota // an area that is kept free
	DoorZone              // the floor before a door
	Column                // a column of the building
	Walled                // a wall, or floor beyond the walls
	Reserved              // the position is to stay empty; it counts only where no keep-out is
	Causes                // the number of causes
)

// KeepOut is a part of the floor where no rack may stand.
type KeepOut struct {
	Name  string
	Layer string // layer of the drawing that it was read from, "" for none
	Why   Cause
	Area  orb.Polygon
	// Height is the height of the obstacle above the floor. Columns and walls block trays at
	// any height; the floor before a door has height 0.
	Height units.Length
	// Clearance is the distance that racks keep from it, along both axes.
	Clearance units.Length
}

// Lost is a position of a row at which no rack can be.
type Lost struct {
	Row, Number int // Number counts from 1 along the row
	Why         Cause
	Layer       string // KeepOut.Layer
}

// Footprint returns the area of the floor that a rack of type t takes, in metres.
func (p Place) Footprint(t RackType) orb.Bound {
	w, d := t.Width/2, t.Depth/2
	return orb.Bound{Min: FloorPoint(p.X-w, p.Y-d), Max: FloorPoint(p.X+w, p.Y+d)}
}

// keepOutsOf returns the keep-outs that, with their clearance, reach into the band of the floor from y0 to y1, sorted
// by falling cause.
func (r *Room) keepOutsOf(y0, y1 units.Length) []*KeepOut {
	var out []*KeepOut
	for i := range r.KeepOuts {
		k := &r.KeepOuts[i]
		b := k.Area.Bound().Pad(float64(k.Clearance))
		if b.Max[1] > float64(y0) && b.Min[1] < float64(y1) {
			out = append(out, k)
		}
	}
	slices.SortStableFunc(out, func(a, b *KeepOut) int { return int(b.Why) - int(a.Why) })
	return out
}

// covers reports whether a keep-out overlaps an area of the floor by more than an edge.
func (k *KeepOut) covers(b orb.Bound) bool {
	if !b.Intersects(k.Area.Bound()) {
		return false
	}
	part := clip.Polygon(b, k.Area.Clone())
	return part != nil && math.Abs(planar.Area(part)) > 1e-6
}

// bars reports whether the keep-out, with its clearance, prevents a rack on an area of the floor.
func (k *KeepOut) bars(b orb.Bound) bool { return k.covers(b.Pad(float64(k.Clearance))) }

// isCrossedBy reports whether a straight line runs through the inside of the keep-out, not just along its edge.
func (k *KeepOut) isCrossedBy(line orb.LineString) bool {
	if !k.Area.Bound().Intersects(line.Bound()) {
		return false
	}
	a, d := line[0], orb.Point{line[1][0] - line[0][0], line[1][1] - line[0][1]}
	meets := []float64{0, 1} // where it meets an edge, as shares of the line
	for _, ring := range k.Area {
		for i := 1; i < len(ring); i++ {
			p, e := ring[i-1], orb.Point{ring[i][0] - ring[i-1][0], ring[i][1] - ring[i-1][1]}
			det := float64(d[0]*e[1]) - float64(d[1]*e[0])
			if det == 0 {
				continue
			}
			w := orb.Point{p[0] - a[0], p[1] - a[1]}
			at := (float64(w[0]*e[1]) - float64(w[1]*e[0])) / det
			on := (float64(w[0]*d[1]) - float64(w[1]*d[0])) / det
			if at > 0 && at < 1 && on >= 0 && on <= 1 {
				meets = append(meets, at)
			}
		}
	}
	slices.Sort(meets)
	for i := 1; i < len(meets); i++ {
		middle := (meets[i-1] + meets[i]) / 2
		at := orb.Point{a[0] + float64(middle*d[0]), a[1] + float64(middle*d[1])}
		if meets[i]-meets[i-1] > 1e-9 && planar.PolygonContains(k.Area, at) && !k.onEdge(at) {
			return true
		}
	}
	return false
}

// onEdge reports whether a point is on an edge of the keep-out.
func (k *KeepOut) onEdge(at orb.Point) bool {
	for _, ring := range k.Area {
		for i := 1; i < len(ring); i++ {
			if planar.DistanceFromSegment(ring[i-1], ring[i], at) < 1e-9 {
				return true
			}
		}
	}
	return false
}

// What returns a name of the keep-out for messages.
func (k *KeepOut) What() string {
	switch {
	case k.Why == Column:
		return "the column"
	case k.Why == Walled:
		return "the wall"
	case k.Name != "":
		return fmt.Sprintf("the keep-out %q", k.Name)
	}
	return "the keep-out"
}
