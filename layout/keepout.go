package layout

import (
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
	Causes                // the number of causes
)

// KeepOut is a part of the floor where no rack may stand.
type KeepOut struct {
	Name string
	Why  Cause
	Area orb.Polygon
	// Height is how far what stands there rises above the floor. A column rises through all levels of trays whatever
	// its height; the floor before a door is free above.
	Height units.Length
}

// Lost is a position of a row at which no rack can stand.
type Lost struct {
	Row, Number int // Number counts from 1 along the row
	Why         Cause
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
		if b := k.Area.Bound(); b.Max[1] > float64(y0) && b.Min[1] < float64(y1) {
			out = append(out, k)
		}
	}
	slices.SortStableFunc(out, func(a, b *KeepOut) int { return int(b.Why) - int(a.Why) })
	return out
}

// covers tells whether a keep-out covers some of a part of the floor, not just touches it.
func (k *KeepOut) covers(b orb.Bound) bool {
	if !b.Intersects(k.Area.Bound()) {
		return false
	}
	part := clip.Polygon(b, k.Area.Clone())
	return part != nil && math.Abs(planar.Area(part)) > 1e-6
}
