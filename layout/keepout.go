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

// Cause is why no rack can stand at a position.
type Cause uint8

// The causes. Where several meet at one position, the one that comes last here counts.
const (
	KeptFree Cause = iota // an area that is kept free
	DoorZone              // the floor before a door
	Column                // a column of the building
	Walled                // a wall, or floor beyond the walls
	Reserved              // the position is to stay empty; where something does, that counts
	Causes                // the number of causes
)

// KeepOut is a part of the floor where no rack may stand.
type KeepOut struct {
	Name  string
	Layer string // of the drawing that has it, if one has
	Why   Cause
	Area  orb.Polygon
	// Height is how far what stands there rises above the floor. Columns and walls rise through trays at
	// any height; the floor before a door is free above.
	Height units.Length
	// Clearance is the free floor that racks keep from it, either way along the axes.
	Clearance units.Length
}

// Lost is a position of a row at which no rack can stand.
type Lost struct {
	Row, Number int // Number counts from 1 along the row
	Why         Cause
	Layer       string // of the keep-out
}

// Footprint returns the floor that a rack takes.
func (p Place) Footprint(t RackType) orb.Bound {
	w, d := t.Width/2, t.Depth/2
	return orb.Bound{Min: FloorPoint(p.X-w, p.Y-d), Max: FloorPoint(p.X+w, p.Y+d)}
}

// keepOutsOf are the keep-outs that reach into a band of the floor across its whole width, those of the last cause
// first.
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

// covers reports whether a keep-out covers some of a part of the floor, not just touches it.
func (k *KeepOut) covers(b orb.Bound) bool {
	if !b.Intersects(k.Area.Bound()) {
		return false
	}
	part := clip.Polygon(b, k.Area.Clone())
	return part != nil && math.Abs(planar.Area(part)) > 1e-6
}

// bars reports whether no rack can stand on a part of the floor because of the keep-out.
func (k *KeepOut) bars(b orb.Bound) bool { return k.covers(b.Pad(float64(k.Clearance))) }

// isCrossedBy reports whether a straight line runs through the keep-out, not just along its edge.
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

// what names the keep-out in a message.
func (k *KeepOut) what() string {
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
