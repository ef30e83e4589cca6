package machine

import (
	"fmt"
	"math"
	"path/filepath"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/layout/drawing"
	"github.com/plenum-planner/plenum/units"
)

// building is the drawing of the building that a room is in, with what it says of the room.
type building struct {
	drawing *drawing.Drawing // moved to where the room is
	floor   *drawing.Floor
	notes   []string
}

// draw reads the drawing of the room. It returns nil if there is none, if something is wrong with it, which is
// reported, or if mistakes of the room were found before.
func (r *resolver) draw() *building {
	room := &r.spec.Room
	given := room.Drawing
	if given == nil || !r.roomSound() {
		return nil
	}
	d, err := drawing.Open(given.File, drawing.Options{Unit: given.Unit, Property: given.Property, Pixel: given.Pixel})
	if err == nil {
		p := drawing.Placing{Rotate: given.Rotate}
		if len(given.Origin) == 2 {
			p.Origin = &orb.Point{given.Origin[0], given.Origin[1]}
		}
		if room.Width != nil && room.Depth != nil {
			p.Width, p.Depth = float64(*room.Width), float64(*room.Depth)
		}
		b := &building{drawing: d}
		if b.floor, err = d.Lay(p, given.Layers.Roles()); err == nil {
			b.notes = b.floor.Notes
			if given.Unit != "" && d.Stated.Metres != 0 && d.Stated != d.Unit {
				b.notes = append(b.notes,
					fmt.Sprintf("%s says that it is drawn in %s ($INSUNITS), and is read in %s, as "+
						"room.drawing.unit asks", filepath.Base(d.File), d.Stated.Name, d.Unit.Name))
			}
			return b
		}
	}
	if faults := diag.Fields(err); faults != nil {
		r.faults = append(r.faults, diag.Fields(diag.Under("room.drawing", err))...)
	} else {
		r.blame("room.drawing.file", err)
	}
	return nil
}

// build adds columns, walls, keep-outs and doors of the drawing to a room, and sets width and depth to those of its
// outline, if it has one. Doors that are not in one of the four walls keep their area free. Without a drawing the room
// stays as it is.
func (r *resolver) build(s *layout.RoomSpec) {
	b := r.draw()
	if b == nil {
		return
	}
	r.building = b
	add := func(why layout.Cause, a *drawing.Area, clearance units.Length) {
		s.KeepOuts = append(s.KeepOuts, layout.KeepOut{
			Why: why, Layer: a.Layer, Area: orb.Polygon{a.Ring}, Clearance: clearance,
		})
	}
	f := b.floor
	for i := range f.Columns {
		add(layout.Column, &f.Columns[i], 0)
	}
	for i := range f.KeepOuts {
		add(layout.KeptFree, &f.KeepOuts[i], 0)
	}
	for i := range f.Beyond {
		add(layout.Walled, &f.Beyond[i], s.Margin)
	}
	for i := range f.Walls {
		clearance := s.Margin
		if f.Walls[i].Outer {
			clearance = 0
		}
		add(layout.Walled, &f.Walls[i].Area, clearance)
	}
	if f.Edge != nil {
		s.Width, s.Depth = units.Length(f.Width).Round4(), units.Length(f.Depth).Round4()
		r.spec.CheckWithin(s.Width, s.Depth, r.fault)
	}
	for i := range f.Doors {
		d := &f.Doors[i]
		if door, ok := inWall(d, s.Width, s.Depth); ok {
			s.Doors = append(s.Doors, door)
			continue
		}
		add(layout.DoorZone, &d.Area, 0)
	}
}

// unseen returns a note if the whole drawing lies outside the room, nil if any of it may lie in the room.
func (b *building) unseen(room *layout.Room) []string {
	d, at := b.drawing, orb.Bound{}
	switch {
	case d.Picture != nil:
		size := d.Picture.Bounds()
		at = orb.MultiPoint{
			d.At.Of(orb.Point{0, 0}), d.At.Of(orb.Point{float64(size.Dx()), 0}),
			d.At.Of(orb.Point{0, float64(size.Dy())}), d.At.Of(orb.Point{float64(size.Dx()), float64(size.Dy())}),
		}.Bound()
	case len(d.Shapes) > 0:
		at = d.Bound()
	}
	if at != (orb.Bound{}) && at.Intersects(room.Bound) {
		return nil
	}
	return []string{fmt.Sprintf("nothing of %s lies where the room is: give the point of the drawing that is the "+
		"room's south-western corner as room.drawing.origin, or the layers with its outline", filepath.Base(d.File))}
}

// inWall is a door that is drawn in one of the four walls of a room; false of one elsewhere.
func inWall(d *drawing.Door, width, depth units.Length) (layout.Door, bool) {
	if d.Opening == nil || width == 0 {
		return layout.Door{}, false
	}
	out := layout.Door{Clear: units.Length(d.Clear).Round4(), Layer: d.Layer}
	b := d.Opening.Bound()
	along := 0
	near := func(v float64, wall units.Length) bool { return math.Abs(v-float64(wall)) <= drawing.Tolerance }
	switch flat, steep := b.Max[1]-b.Min[1] < drawing.Tolerance, b.Max[0]-b.Min[0] < drawing.Tolerance; {
	case flat && near(b.Min[1], 0):
		out.Wall = layout.South
	case flat && near(b.Min[1], depth):
		out.Wall = layout.North
	case steep && near(b.Min[0], 0):
		out.Wall, along = layout.West, 1
	case steep && near(b.Min[0], width):
		out.Wall, along = layout.East, 1
	default:
		return layout.Door{}, false
	}
	out.At, out.Width = units.Length(b.Min[along]).Round4(), units.Length(b.Max[along]-b.Min[along]).Round4()
	return out, true
}
