package spec

import (
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

// someWalls is the mistake of halls of which some have walls.
const someWalls = "hall %s has walls and hall %s has none\ngive every hall a width and a depth, or none"

// checkWalls checks what is said about the walls of a room, and holds what stands in it against them.
func (s *Spec) checkWalls(report Reporter) {
	r := &s.Room
	switch {
	case s.Unread("room.width") || s.Unread("room.depth"):
		return
	case r.Drawing.Edged(r):
		return // CheckWithin follows, once the drawing has been read
	case r.Width == nil && r.Depth == nil:
		for i := range r.Doors {
			if len(r.Halls) > 0 {
				report(diag.Elem("room.doors", i)+".wall", "a room with halls has its walls around these\n"+
					"write the door under doors of its hall")
				continue
			}
			report(diag.Elem("room.doors", i)+".wall", "the room has no walls\ngive its width and depth")
		}
		return
	case r.Depth == nil:
		report("room.width", "a room has a width and a depth\ngive room.depth too")
		return
	case r.Width == nil:
		report("room.depth", "a room has a width and a depth\ngive room.width too")
		return
	case len(r.Halls) > 0:
		report("room.halls", "cannot be combined with room.width and room.depth, which are of one hall\n"+
			"give every hall its own width and depth")
		return
	}
	if *r.Width == 0 {
		report("room.width", "the width is zero")
	}
	if *r.Depth == 0 {
		report("room.depth", "the depth is zero")
	}
	s.CheckWithin(*r.Width, *r.Depth, report)
}

// checkHallWalls checks the walls of a hall, with the doors in them.
func (s *Spec) checkHallWalls(report Reporter, hall int) {
	h, first := &s.Room.Halls[hall], &s.Room.Halls[0]
	at := diag.Elem("room.halls", hall)
	switch {
	case s.Unread(at+".width") || s.Unread(at+".depth"):
	case h.Width == nil && h.Depth == nil:
		for i := range h.Doors {
			report(diag.Elem(at+".doors", i)+".wall", "hall %s has no walls\ngive its width and depth", h.Name)
		}
		if first.Width != nil && first.Depth != nil {
			report(at, someWalls, first.Name, h.Name)
		}
	case h.Depth == nil:
		report(at+".width", "a hall has a width and a depth\ngive its depth too")
	case h.Width == nil:
		report(at+".depth", "a hall has a width and a depth\ngive its width too")
	case first.Width == nil && first.Depth == nil:
		report(at+".width", someWalls, h.Name, first.Name)
	case *h.Width == 0:
		report(at+".width", "the width is zero")
	case *h.Depth == 0:
		report(at+".depth", "the depth is zero")
	default:
		checkDoors(report, at+".doors", h.Doors, *h.Width, *h.Depth)
	}
}

// checkDoors holds doors against the walls that they are in.
func checkDoors(report Reporter, path string, doors []Door, width, depth units.Length) {
	for i, d := range doors {
		at := diag.Elem(path, i)
		long := width
		if d.Wall == "east" || d.Wall == "west" {
			long = depth
		}
		switch {
		case d.Width == 0:
			report(at+".width", "the width is zero")
		case d.At+d.Width > long:
			report(at+".at", "the door ends %v along a wall of %v", d.At+d.Width, long)
		}
	}
}

// CheckWithin refuses doors that are not within their wall, and columns and keep-outs that lie wholly outside a room of
// a size.
func (s *Spec) CheckWithin(width, depth units.Length, report Reporter) {
	r := &s.Room
	checkDoors(report, "room.doors", r.Doors, width, depth)
	for i, c := range r.Columns {
		if c.X >= width || c.Y >= depth || c.X+c.Width <= 0 || c.Y+c.Depth <= 0 {
			report(diag.Elem("room.columns", i), "the column is outside the room of %v x %v", width, depth)
		}
	}
	for i, a := range r.KeepOuts {
		if outside(a.Points, width, depth) {
			report(diag.Elem("room.keep_outs", i), "the area is outside the room of %v x %v", width, depth)
		}
	}
}

// outside reports whether corners lie all beyond one wall of a room.
func outside(points [][]units.Length, width, depth units.Length) bool {
	var beyond [4]int
	for _, p := range points {
		if len(p) != 2 {
			return false // checkArea says so
		}
		for wall, out := range [4]bool{p[0] <= 0, p[0] >= width, p[1] <= 0, p[1] >= depth} {
			if out {
				beyond[wall]++
			}
		}
	}
	for _, n := range beyond {
		if n == len(points) && n > 0 {
			return true
		}
	}
	return false
}
