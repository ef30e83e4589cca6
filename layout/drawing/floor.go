package drawing

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
)

// Placing says where on a drawing a room lies.
type Placing struct {
	Rotate float64    // degrees by which the drawing is turned, counter-clockwise
	Origin *orb.Point // the point of the drawing, in the file's coordinates, that is the room's south-western corner
	// Width and Depth of the room in metres, where they are given; 0 where the drawing says or nobody does.
	Width, Depth float64
}

// Floor is what layers with roles say of a room, in metres from its south-western corner.
type Floor struct {
	// Edge is that of the floor, counter-clockwise, as it is drawn; nil if nothing asks for it. Width and Depth are
	// those of its bounding box.
	Edge         orb.Ring
	Width, Depth float64
	Beyond       []Area // floor within the bounding box that lies beyond the edge, or in a hole
	Walls        []Wall
	Columns      []Area
	KeepOuts     []Area
	Doors        []Door
	Notes        []string // of what could not be taken as it is drawn
}

// Area is a part of the floor.
type Area struct {
	Layer string
	Ring  orb.Ring
	From  Source
}

// Wall is a piece of wall in the room.
type Wall struct {
	Area
	// Outer tells that it is part of the wall around the floor, such as its other face, though not of the edge.
	Outer bool
}

// Bounds of what is taken from layers with roles.
const (
	maxAreas   = 20_000
	maxCorners = 200_000 // of all shapes on layers with roles
	maxEdge    = 2_000   // corners of the edge
	leastFloor = 1       // metres either way
	mostFloor  = 2_000
	mostColumn = 20
)

// laying finds the floor of a drawing.
type laying struct {
	d      *Drawing
	roles  map[int]Role
	floor  *Floor
	place  Placing
	room   orb.Bound // empty where the room has no size
	faults diag.FieldErrors
	areas  int
}

// Lay moves the drawing to where its room is, and finds what the layers with roles say of it. Faults are
// diag.FieldErrors, of origin, unit and layers.
func (d *Drawing) Lay(p Placing, roles Roles) (*Floor, error) {
	l := &laying{d: d, floor: &Floor{}, place: p}
	var err error
	if l.roles, err = d.assign(roles); err != nil {
		return nil, err
	}
	corners := 0
	for i := range d.Shapes {
		if l.roles[d.Shapes[i].Layer] != "" {
			corners += len(d.Shapes[i].Points)
		}
	}
	if corners > maxCorners {
		return nil, diag.Fieldf("layers",
			"there are %d corners on these layers, more than %d\nname layers with less on "+
				"them", corners, maxCorners)
	}
	l.floor.Notes = d.unread(l.roles)
	parts, layer, err := l.outlines(roles)
	if err != nil {
		return nil, err
	}
	l.move(parts)
	if layer != "" {
		if err := l.edge(parts, layer); err != nil {
			return nil, err
		}
	}
	l.walls(parts, layer)
	l.floor.Columns = l.solid(Columns)
	l.floor.KeepOuts = l.solid(KeepOuts)
	l.doors()
	if l.areas > maxAreas {
		l.faults.Add("layers",
			"%d walls, columns and keep-outs are drawn in the room, more than %d\nname layers with less "+
				"on them", l.areas, maxAreas)
	}
	if err := l.faults.Err(); err != nil {
		return nil, err
	}
	return l.floor, nil
}

// of are the shapes of a role.
func (l *laying) of(role Role) []*Shape {
	var out []*Shape
	for i := range l.d.Shapes {
		if s := &l.d.Shapes[i]; l.roles[s.Layer] == role {
			out = append(out, s)
		}
	}
	return out
}

// move turns the drawing and has the room's corner in the origin. Parts that were found before go with it.
func (l *laying) move(parts []Part) {
	all := func(m Affine) {
		l.d.Move(m)
		for i := range parts {
			for j := range parts[i].Ring {
				parts[i].Ring[j] = m.Of(parts[i].Ring[j])
			}
		}
	}
	turn := Turn(l.place.Rotate)
	if l.place.Rotate != 0 {
		all(turn)
	}
	var origin orb.Point
	switch {
	case l.place.Origin != nil:
		origin = turn.Of(l.d.file.Of(*l.place.Origin))
	case len(parts) > 0:
		origin = parts[edgeOf(parts)].Ring.Bound().Min
	}
	all(Shift(-origin[0], -origin[1]))
	if l.place.Width > 0 {
		l.room.Max = orb.Point{l.place.Width, l.place.Depth}
	}
}

// solid finds the areas of a role that lie in the room: closed ones by their edge, lines that are not closed by the
// hull
// around those that cross each other.
func (l *laying) solid(role Role) []Area {
	shapes := l.of(role)
	if len(shapes) == 0 {
		return nil
	}
	var out []Area
	var open []Part
	for _, p := range Parts(shapes) {
		if p.Ring == nil {
			open = append(open, p)
			continue
		}
		out = append(out, l.area(&p, p.Ring))
	}
	if l.areas+len(open) > maxAreas {
		l.areas += len(open)
		return nil
	}
	open = together(open, 0)
	for i := range open {
		out = append(out, l.area(&open[i], Hull(open[i].Points)))
	}
	if role == KeepOuts && len(open) > 0 {
		l.floor.Notes = append(l.floor.Notes, fmt.Sprintf("%s on layer %s of %s not closed: the floor between all "+
			"ends of their lines is kept free", english.Count(len(open), "keep-out"), l.nameOf(&open[0]), l.d.name()))
	}
	return l.within(role, out)
}

func (l *laying) area(p *Part, ring orb.Ring) Area {
	s := p.Shapes[0]
	return Area{Layer: l.d.Layers[s.Layer].Name, Ring: ring, From: s.From}
}

// within leaves out what lies beyond the room, and refuses what no column is as large as.
func (l *laying) within(role Role, all []Area) []Area {
	var out []Area
	for _, a := range all {
		b := a.Ring.Bound()
		if w, h := b.Max[0]-b.Min[0], b.Max[1]-b.Min[1]; role == Columns && max(w, h) > mostColumn {
			l.faults.Add("layers.columns",
				"the %s on layer %s is %.4g m by %.4g m, more than any column\nname it among "+
					"the walls or keep_outs, or the unit in which the file is drawn", a.From, a.Layer, w, h)
			return nil
		}
		if l.meets(b) {
			a.Ring = l.clip(a.Ring)
			out = append(out, a)
		}
	}
	l.areas += len(out)
	if len(out) == 0 && len(all) > 0 {
		l.outside(role, all)
	}
	return out
}

// clip cuts off what lies beyond the room.
func (l *laying) clip(ring orb.Ring) orb.Ring {
	if b := ring.Bound(); l.room.Max[0] == 0 || l.room.Contains(b.Min) && l.room.Contains(b.Max) {
		return ring
	}
	return clip.Ring(l.room, ring.Clone())
}

// meets reports whether some of a box lies in the room.
func (l *laying) meets(b orb.Bound) bool {
	r := l.room
	return r.Max[0] == 0 || b.Max[0] > 0 && b.Max[1] > 0 && b.Min[0] < r.Max[0] && b.Min[1] < r.Max[1]
}

// outside refuses a role of which nothing lies in the room, nor around it.
func (l *laying) outside(role Role, all []Area) {
	b := all[0].Ring.Bound()
	for _, a := range all {
		b = b.Union(a.Ring.Bound())
	}
	if l.meets(b) {
		return
	}
	hint := "give the point of the drawing that is the room's south-western corner as origin"
	if l.place.Origin != nil {
		hint = "is the origin the room's south-western corner?"
	}
	if l.floor.Edge == nil {
		m := l.d.Unit.Metres
		if units := likely((b.Max[0]-b.Min[0])/m, (b.Max[1]-b.Min[1])/m, l.d.Unit); units != "" {
			hint += fmt.Sprintf("; is %s the unit of the drawing? it may be %s", l.d.Unit.Name, units)
		}
	}
	l.faults.Add("layers."+string(role),
		"all that is drawn on %s lies outside the room of %.6g m by %.6g m: from (%.6g, %.6g) to (%.6g, %.6g) m from "+
			"its corner\n%s", all[0].Layer, l.room.Max[0], l.room.Max[1], b.Min[0], b.Min[1],
		b.Max[0], b.Max[1], hint)
}

// together joins parts whose boxes, so much larger on every side, overlap.
func together(parts []Part, by float64) []Part {
	owner := make([]int, len(parts))
	boxes := make([]orb.Bound, len(parts))
	for i := range parts {
		owner[i], boxes[i] = i, parts[i].Points.Bound().Pad(by)
	}
	root := func(i int) int {
		for owner[i] != i {
			owner[i] = owner[owner[i]]
			i = owner[i]
		}
		return i
	}
	visitOverlaps(boxes, func(i, j int) {
		if a, b := root(i), root(j); a != b {
			owner[max(a, b)] = min(a, b)
		}
	})
	at := map[int]int{}
	var out []Part
	for i := range parts {
		n, ok := at[root(i)]
		if !ok {
			n = len(out)
			at[root(i)] = n
			out = append(out, Part{})
		}
		out[n].Points = append(out[n].Points, parts[i].Points...)
		out[n].Shapes = append(out[n].Shapes, parts[i].Shapes...)
	}
	return out
}

// middle is the middle of a box.
func middle(b orb.Bound) orb.Point {
	return orb.Point{(b.Min[0] + b.Max[0]) / 2, (b.Min[1] + b.Max[1]) / 2}
}

// distanceTo is how far a point lies from the piece of a line between two points.
func distanceTo(p, a, b orb.Point) float64 {
	dx, dy := b[0]-a[0], b[1]-a[1]
	t := 0.0
	if l := float64(dx*dx) + float64(dy*dy); l > 0 {
		t = min(max((float64((p[0]-a[0])*dx)+float64((p[1]-a[1])*dy))/l, 0), 1)
	}
	return math.Hypot(p[0]-a[0]-float64(t*dx), p[1]-a[1]-float64(t*dy))
}

// fromRing is how far a point lies from the nearest piece of a ring.
func fromRing(p orb.Point, ring orb.Ring) float64 {
	least := math.Inf(1)
	for i := 1; i < len(ring); i++ {
		least = min(least, distanceTo(p, ring[i-1], ring[i]))
	}
	return least
}
