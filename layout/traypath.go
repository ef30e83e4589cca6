package layout

import (
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

// course is the course of a declared path: from the tray of a row to that of another one, through the openings at its
// ends.
type course struct {
	corners []Point // from row to row, at the height of the floors
	lengths []units.Length
	between int // the piece between the ends that are declared; those before and after lead to the openings
	ends    [2]pathEnd
}

// pathEnd is where a path meets the tray of a row.
type pathEnd struct {
	row   int
	x     units.Length
	stop  int32
	opens bool // an opening is there: the stop is not over a rack position
}

// pieces returns the number of pieces of tray.
func (c *course) pieces() int { return len(c.lengths) }

// end returns the end on whose side of the path a piece is; the first for the piece between the ends.
func (c *course) end(piece int) *pathEnd {
	if piece > c.between {
		return &c.ends[1]
	}
	return &c.ends[0]
}

// length returns the length of all pieces.
func (c *course) length() units.Length {
	total := units.Length(0)
	for _, l := range c.lengths {
		total += l
	}
	return total
}

// setCourses lays the declared paths.
func (t *TrayNetwork) setCourses() {
	t.courses = make([]course, len(t.paths))
	floors := t.room.Spec.Floors()
	for i := range t.paths {
		p, c := &t.paths[i], &t.courses[i]
		var legs [2][]Point // from the row to the opening
		for k, at := range [2]Position{p.From, p.To} {
			o := p.Openings[k]
			if o == nil {
				row := &t.room.Rows[at.Row]
				c.ends[k] = pathEnd{row: at.Row, x: t.room.At(at.Row, at.Number).X}
				legs[k] = []Point{{c.ends[k].x, row.Y, row.Z}}
				continue
			}
			south := units.Length(floors[o.Hall].Bound.Min[1])
			c.ends[k], legs[k] = t.room.leg(o, south)
			t.opens = true
		}
		a, b := legs[0], legs[1]
		for j := 1; j < len(a); j++ {
			c.lengths = append(c.lengths, a[j-1].Manhattan(a[j]))
		}
		c.between = len(c.lengths)
		c.lengths = append(c.lengths, p.between(a[len(a)-1], b[len(b)-1]))
		c.corners = append(c.corners, a...)
		for j := len(b) - 1; j >= 0; j-- {
			c.corners = append(c.corners, b[j])
			if j > 0 {
				c.lengths = append(c.lengths, b[j].Manhattan(b[j-1]))
			}
		}
	}
}

// between returns the length of a path between its ends. The drawing has halls of other floors one behind the other:
// between these, an opening leads straight up.
func (p *TrayPath) between(a, b Point) units.Length {
	switch {
	case p.Length > 0:
		return p.Length
	case p.Openings[0] != nil && p.Openings[1] != nil && a.Z != b.Z:
		return (a.Z - b.Z).Abs()
	}
	return a.Manhattan(b)
}

// leg returns where the tray from an opening meets the nearest row of its hall, and its corners from there to the
// opening. Of several nearest points, it is that of the first row. south is the y of the hall's southern wall.
func (r *Room) leg(o *Opening, south units.Length) (pathEnd, []Point) {
	x, y := o.X, south+o.Y
	best, end := units.Length(-1), pathEnd{opens: true}
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Hall != o.Hall {
			continue
		}
		at := min(max(x, row.X0), row.X1)
		if d := (at - x).Abs() + (row.Y - y).Abs(); best < 0 || d < best-stopTolerance {
			best, end.row, end.x = d, i, at
		}
	}
	row := &r.Rows[end.row]
	corners := []Point{{end.x, row.Y, row.Z}}
	if (end.x - x).Abs() > stopTolerance {
		corners = append(corners, Point{x, row.Y, row.Z})
	}
	if (row.Y - y).Abs() > stopTolerance {
		corners = append(corners, Point{x, y, row.Z})
	}
	return end, corners
}

// checkOpening returns a diag.FieldError if there is no such hall, or the opening is outside of it.
func (s *RoomSpec) checkOpening(o *Opening, field string) error {
	if o.Hall < 0 || o.Hall >= len(s.Halls) {
		return diag.Fieldf(field, "hall %d of %d", o.Hall, len(s.Halls))
	}
	h := &s.Halls[o.Hall]
	switch {
	case h.Width == 0 || h.Depth == 0:
		return diag.Fieldf(field, "hall %s has no walls\ngive its width and depth", h.Name)
	case o.X < 0 || o.X > h.Width+fitTolerance || o.Y < 0 || o.Y > h.Depth+fitTolerance:
		return diag.Fieldf(field, "x %v, y %v is outside hall %s of %v x %v", o.X, o.Y, h.Name, h.Width, h.Depth)
	}
	return nil
}

// firstOfPaths returns the number, within a level, of the first piece of its declared paths.
func (t *TrayNetwork) firstOfPaths(p *trayPlan) int32 { return t.crossPiece(len(p.crosses), 0) }

// pathOf returns the path that has a piece, and the number of the piece in it; n counts from the first piece of all
// paths of the plan.
func (t *TrayNetwork) pathOf(p *trayPlan, n int) (path, piece int) {
	for _, i := range p.paths {
		c := &t.courses[i]
		if n < c.pieces() {
			return i, n
		}
		n -= c.pieces()
	}
	return -1, n
}

// Clear returns the clear opening that a declared path leaves the trays of a level on one of its pieces; zeros for
// other pieces, and where none is stated.
func (t *TrayNetwork) Clear(piece int32) (width, height units.Length) {
	level := t.LevelOf(piece)
	p, n := t.plans[level], int(piece-t.base[level])-t.pieceCount()
	if n -= len(p.crosses) * t.gaps; n < 0 || n >= p.pathPieces {
		return 0, 0
	}
	path, at := t.pathOf(p, n)
	if at != t.courses[path].between {
		return 0, 0
	}
	return t.paths[path].Width, t.paths[path].Height
}
