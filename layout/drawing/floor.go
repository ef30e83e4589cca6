package drawing

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
)

// Placing says where the room lies on a drawing.
type Placing struct {
	Rotate float64    // degrees by which the drawing is turned, counter-clockwise
	Origin *orb.Point // the point of the drawing, in the file's coordinates, that is the room's south-western corner
	// Width and Depth of the room in metres, where they are given; 0 where the drawing says or nobody does.
	Width, Depth float64
}

// Floor is what the layers with roles say about a room, in metres from its south-western corner.
type Floor struct {
	// Edge is the outline of the floor, counter-clockwise, as it is drawn; nil if no layer is an outline, nor walls of
	// a room without a given size. Width and Depth are those of its bounding box.
	Edge         orb.Ring
	Width, Depth float64
	Beyond       []Area // floor within the bounding box that lies beyond the edge, or in a hole
	Walls        []Wall
	Columns      []Area
	KeepOuts     []Area
	Doors        []Door
	Notes        []string // sentences about shapes that are not used as they are drawn
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
	// Outer is true for a piece of the wall around the floor that is not its edge, such as the other face.
	Outer bool
}

// Limits of what Lay reads from layers with roles.
const (
	maxAreas   = 20_000
	maxCorners = 200_000 // of all shapes on layers with roles
	maxEdge    = 2_000   // corners of the edge
	leastFloor = 1       // metres, of the width and of the depth
	mostFloor  = 2_000   // metres
	mostColumn = 20      // metres
)

// floorFinder finds the floor of a drawing and the objects on it.
type floorFinder struct {
	d      *Drawing
	roles  map[int]Role // by index in Drawing.Layers
	floor  *Floor
	place  Placing
	room   orb.Bound // empty where the room has no size
	faults diag.FieldErrors
	areas  int // in the room so far, at most maxAreas
}

// Lay moves the drawing so that the south-western corner of the room is the origin, and returns what the layers with
// roles say about the room. Errors are diag.FieldErrors of origin, unit and layers.
func (d *Drawing) Lay(p Placing, roles Roles) (*Floor, error) {
	l := &floorFinder{d: d, floor: &Floor{}, place: p}
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
	parts, layer, err := l.findOutlines(roles)
	if err != nil {
		return nil, err
	}
	l.moveToRoom(parts)
	if layer != "" {
		if err := l.setEdge(parts, layer); err != nil {
			return nil, err
		}
	}
	l.findWalls(parts, layer)
	l.floor.Columns = l.areasOf(Columns)
	l.floor.KeepOuts = l.areasOf(KeepOuts)
	l.findDoors()
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

// shapesOf returns the shapes on the layers of a role.
func (l *floorFinder) shapesOf(role Role) []*Shape {
	var out []*Shape
	for i := range l.d.Shapes {
		if s := &l.d.Shapes[i]; l.roles[s.Layer] == role {
			out = append(out, s)
		}
	}
	return out
}

// moveToRoom turns the drawing and moves the room's south-western corner to the origin. It moves the rings of the given
// parts likewise.
func (l *floorFinder) moveToRoom(parts []Part) {
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
		origin = parts[floorOutline(parts)].Ring.Bound().Min
	}
	all(Shift(-origin[0], -origin[1]))
	if l.place.Width > 0 {
		l.room.Max = orb.Point{l.place.Width, l.place.Depth}
	}
}

// areasOf returns the areas of a role that lie in the room. A closed line is the edge of an area; lines that are not
// closed and whose bounding boxes overlap make one area, their convex hull.
func (l *floorFinder) areasOf(role Role) []Area {
	shapes := l.shapesOf(role)
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
	open = joinOverlapping(open, 0)
	for i := range open {
		out = append(out, l.area(&open[i], Hull(open[i].Points)))
	}
	if role == KeepOuts && len(open) > 0 {
		l.floor.Notes = append(l.floor.Notes, fmt.Sprintf("%s on layer %s of %s not closed: the floor between all "+
			"ends of their lines is kept free", english.Count(len(open), "keep-out"), l.nameOf(&open[0]), l.d.name()))
	}
	return l.areasInRoom(role, out)
}

// area returns an area with the layer and the source of the first shape of a part.
func (l *floorFinder) area(p *Part, ring orb.Ring) Area {
	s := p.Shapes[0]
	return Area{Layer: l.d.Layers[s.Layer].Name, Ring: ring, From: s.From}
}

// areasInRoom returns the areas that lie in the room, clipped to it. It records a fault if a column is larger than
// mostColumn, or if all areas lie outside the room.
func (l *floorFinder) areasInRoom(role Role, all []Area) []Area {
	var out []Area
	for _, a := range all {
		b := a.Ring.Bound()
		if w, h := b.Max[0]-b.Min[0], b.Max[1]-b.Min[1]; role == Columns && max(w, h) > mostColumn {
			l.faults.Add("layers.columns",
				"the %s on layer %s is %.4g m by %.4g m, more than any column\nname it among "+
					"the walls or keep_outs, or the unit in which the file is drawn", a.From, a.Layer, w, h)
			return nil
		}
		if l.meetsRoom(b) {
			a.Ring = l.clip(a.Ring)
			out = append(out, a)
		}
	}
	l.areas += len(out)
	if len(out) == 0 && len(all) > 0 {
		l.refuseOutside(role, all)
	}
	return out
}

// clip returns the part of a ring that lies in the room.
func (l *floorFinder) clip(ring orb.Ring) orb.Ring {
	if b := ring.Bound(); l.room.Max[0] == 0 || l.room.Contains(b.Min) && l.room.Contains(b.Max) {
		return ring
	}
	return clip.Ring(l.room, ring.Clone())
}

// meetsRoom reports whether a box overlaps the room; a room without a size overlaps every box.
func (l *floorFinder) meetsRoom(b orb.Bound) bool {
	r := l.room
	return r.Max[0] == 0 || b.Max[0] > 0 && b.Max[1] > 0 && b.Min[0] < r.Max[0] && b.Min[1] < r.Max[1]
}

// refuseOutside records a fault if the bounding box of all areas of a role lies outside the room.
func (l *floorFinder) refuseOutside(role Role, all []Area) {
	b := all[0].Ring.Bound()
	for _, a := range all {
		b = b.Union(a.Ring.Bound())
	}
	if l.meetsRoom(b) {
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

// joinOverlapping joins parts whose bounding boxes overlap once each is enlarged by the given margin, in metres. The
// result has shapes and points, but neither rings nor loose ends.
func joinOverlapping(parts []Part, by float64) []Part {
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

// center returns the middle of a box.
func center(b orb.Bound) orb.Point {
	return orb.Point{(b.Min[0] + b.Max[0]) / 2, (b.Min[1] + b.Max[1]) / 2}
}

// distanceTo returns the distance from point p to the line segment from a to b.
func distanceTo(p, a, b orb.Point) float64 {
	dx, dy := b[0]-a[0], b[1]-a[1]
	t := 0.0
	if l := float64(dx*dx) + float64(dy*dy); l > 0 {
		t = min(max((float64((p[0]-a[0])*dx)+float64((p[1]-a[1])*dy))/l, 0), 1)
	}
	return math.Hypot(p[0]-a[0]-float64(t*dx), p[1]-a[1]-float64(t*dy))
}

// distanceToRing returns the distance from a point to the nearest segment of a ring.
func distanceToRing(p orb.Point, ring orb.Ring) float64 {
	least := math.Inf(1)
	for i := 1; i < len(ring); i++ {
		least = min(least, distanceTo(p, ring[i-1], ring[i]))
	}
	return least
}
