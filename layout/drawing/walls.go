package drawing

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
)

// Distances in metres that tell walls apart.
const (
	onEdge   = 0.05                 // a wall within this distance of the edge of the floor is the edge itself
	nearEdge = maxWallThickness / 2 // a wall within this distance belongs to the wall around the floor
	thinWall = 0.001                // width of a wall that is drawn as a single line
)

// findWalls adds the walls in the room to the floor: every segment of a line, and every filled area, on layers of
// walls, except the edge of the floor. The role edge is that of the layers on which the parts were found.
func (l *floorFinder) findWalls(parts []Part, edge Role) {
	var all []Area
	for _, s := range l.shapesOf(Walls) {
		a := Area{Layer: l.d.Layers[s.Layer].Name, From: s.From}
		if s.Filled && s.Closed && l.room.Max[0] > 0 && !l.coversRoom(orb.Ring(s.Points)) {
			a.Ring = orb.Ring(s.Points)
			all = append(all, a)
			continue
		}
		for i := 1; i < len(s.Points); i++ {
			if p, q := s.Points[i-1], s.Points[i]; p != q {
				a.Ring = Strip(p, q, thinWall)
				all = append(all, a)
			}
		}
		if len(all) > maxCorners {
			break
		}
	}
	inside := slices.DeleteFunc(slices.Clone(all), func(a Area) bool { return !l.meetsRoom(a.Ring.Bound()) })
	if len(inside) == 0 && len(all) > 0 && edge != Walls {
		l.refuseOutside(Walls, all)
	}
	if l.areas += len(inside); l.areas > maxAreas {
		return
	}
	ring := l.roomEdge()
	for _, a := range inside {
		far, beyond := distanceToEdge(a.Ring, ring)
		if a.Ring = l.clip(a.Ring); far > onEdge && !beyond && len(a.Ring) > 3 {
			l.floor.Walls = append(l.floor.Walls, Wall{Area: a, Outer: far <= nearEdge})
		}
	}
}

// distanceToEdge returns the largest distance of a corner or the middle of the wall from the edge of the floor, and
// whether all of them lie beyond the edge. Without an edge the distance is infinite.
func distanceToEdge(wall, edge orb.Ring) (far float64, beyond bool) {
	if edge == nil {
		return math.Inf(1), false
	}
	beyond = true
	for _, p := range append(wall[:len(wall)-1:len(wall)-1], center(wall.Bound())) {
		far = max(far, distanceToRing(p, edge))
		beyond = beyond && !planar.RingContains(edge, p)
	}
	return far, beyond
}

// roomEdge returns the edge of the floor as it is drawn, else the rectangle of the given size; nil if the room has no
// size.
func (l *floorFinder) roomEdge() orb.Ring {
	switch {
	case l.floor.Edge != nil:
		return l.floor.Edge
	case l.room.Max[0] > 0:
		return l.room.ToRing()
	}
	return nil
}

// Door is a door that is drawn.
type Door struct {
	Area // the floor that has to stay clear
	// Opening is the line of the door in the edge of the floor, nil for a door elsewhere. Clear is how far the floor
	// before it has to stay clear: as far as it is wide, and as it opens into the room.
	Opening orb.LineString
	Clear   float64
}

// findDoors sets the doors of the floor. Shapes on layers of doors whose bounding boxes overlap are one door.
func (l *floorFinder) findDoors() {
	shapes := l.shapesOf(Doors)
	if len(shapes) == 0 {
		return
	}
	const slit = 0.02 // between parts of a door
	ring := l.roomEdge()
	var all []Area
	var out []Door
	parts := Parts(shapes)
	if l.areas += len(parts); l.areas > maxAreas {
		return
	}
	for _, p := range joinOverlapping(parts, slit) {
		b := p.Points.Bound()
		a := l.area(&p, b.ToRing())
		all = append(all, a)
		d, far, ok := doorInEdge(&p, ring)
		switch {
		case ok && !l.isNearerToWall(&p, far):
			d.Layer, d.From = a.Layer, a.From
			out = append(out, d)
		case l.meetsRoom(b):
			out = append(out, Door{Area: Area{a.Layer, l.clip(doorClearance(b).ToRing()), a.From}})
		}
	}
	if len(out) == 0 {
		l.refuseOutside(Doors, all)
	}
	l.floor.Doors = out
}

// doorClearance returns the floor that a door within the room keeps clear: its bounding box, which holds the swing. If
// the door is drawn as a line alone, the box is enlarged on both sides by the width of the door.
func doorClearance(b orb.Bound) orb.Bound {
	w, h := b.Max[0]-b.Min[0], b.Max[1]-b.Min[1]
	switch {
	case h < w/2:
		b.Min[1] -= w
		b.Max[1] += w
	case w < h/2:
		b.Min[0] -= h
		b.Max[0] += h
	}
	return b
}

// isNearerToWall reports whether a wall in the room is nearer to the door than the edge of the floor, which lies at the
// given distance.
func (l *floorFinder) isNearerToWall(p *Part, far float64) bool {
	near := p.Points.Bound().Pad(far)
	for i := range l.floor.Walls {
		w := &l.floor.Walls[i]
		if w.Outer || !near.Intersects(w.Ring.Bound()) {
			continue
		}
		for _, q := range p.Points {
			if distanceToRing(q, w.Ring) < far-onEdge {
				return true
			}
		}
	}
	return false
}

// doorInEdge returns the door as an opening in the edge of the floor: on the side within its reach that is nearest to
// its middle. It also returns the distance between the door and that side, and false if no side is near enough.
func doorInEdge(p *Part, ring orb.Ring) (door Door, far float64, ok bool) {
	const narrow = 0.3 // less is not a door
	b := p.Points.Bound()
	near := b.Pad(nearEdge)
	type side struct {
		a, b     orb.Point
		from, to float64 // of the door, along it
		far      float64 // from its middle
		least    float64
	}
	var sides []side
	for i := 1; i < len(ring); i++ {
		s := side{a: ring[i-1], b: ring[i], from: math.Inf(1), to: math.Inf(-1)}
		length := math.Hypot(s.b[0]-s.a[0], s.b[1]-s.a[1])
		if length < narrow || !near.Intersects(orb.MultiPoint{s.a, s.b}.Bound()) {
			continue
		}
		s.least = math.Inf(1)
		for _, q := range p.Points {
			t := (float64((q[0]-s.a[0])*(s.b[0]-s.a[0])) + float64((q[1]-s.a[1])*(s.b[1]-s.a[1]))) / length
			s.from, s.to = min(s.from, t), max(s.to, t)
			s.least = min(s.least, distanceTo(q, s.a, s.b))
		}
		s.from, s.to, s.far = max(s.from, 0), min(s.to, length), distanceTo(center(b), s.a, s.b)
		if s.to-s.from >= narrow && s.least <= nearEdge {
			sides = append(sides, s)
		}
	}
	if len(sides) == 0 {
		return Door{}, 0, false
	}
	s := slices.MinFunc(sides, func(a, b side) int {
		return cmp.Or(cmp.Compare(math.Round(a.far/Tolerance), math.Round(b.far/Tolerance)),
			cmp.Compare(b.to-b.from, a.to-a.from))
	})
	length := math.Hypot(s.b[0]-s.a[0], s.b[1]-s.a[1])
	ux, uy := (s.b[0]-s.a[0])/length, (s.b[1]-s.a[1])/length
	reach := s.to - s.from
	for _, q := range p.Points { // the floor lies to the left
		reach = max(reach, float64((q[1]-s.a[1])*ux)-float64((q[0]-s.a[0])*uy))
	}
	at := func(along, in float64) orb.Point {
		return orb.Point{
			s.a[0] + float64(along*ux) - float64(in*uy), s.a[1] + float64(along*uy) + float64(in*ux),
		}
	}
	d := Door{Opening: orb.LineString{at(s.from, 0), at(s.to, 0)}, Clear: reach}
	d.Ring = orb.Ring{at(s.from, 0), at(s.to, 0), at(s.to, reach), at(s.from, reach), at(s.from, 0)}
	return d, s.least, true
}

// visitOverlaps calls visit for every pair of boxes that overlap.
func visitOverlaps(boxes []orb.Bound, visit func(i, j int)) {
	order := make([]int, len(boxes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(boxes[a].Min[0], boxes[b].Min[0]) })
	var open []int // that a line from south to north meets
	for _, i := range order {
		open = slices.DeleteFunc(open, func(j int) bool { return boxes[j].Max[0] < boxes[i].Min[0] })
		for _, j := range open {
			if boxes[i].Intersects(boxes[j]) {
				visit(i, j)
			}
		}
		open = append(open, i)
	}
}
