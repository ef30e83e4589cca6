package drawing

import (
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"github.com/plenum-planner/plenum/diag"
)

// maxWallThickness is the largest distance, in metres, between the outer and the inner face of the wall around a floor.
const maxWallThickness = 1.0

// findOutlines returns the closed parts on the layers of role Outline, or of role Walls where no layer is an outline
// and the room's size is not given, with that role. One of them is the edge of the floor. Without such a layer it
// returns no parts and no error. The error says that nothing is closed, that the drawing is too small for a room, or
// that only the walls themselves are closed.
func (l *floorFinder) findOutlines(roles Roles) ([]Part, Role, error) {
	role := Outline
	if len(roles[Outline]) == 0 {
		role = Walls
		if len(roles[Walls]) == 0 || l.place.Width > 0 {
			return nil, "", nil
		}
	}
	shapes := l.shapesOf(role)
	b := shapes[0].Points.Bound()
	for _, s := range shapes {
		b = b.Union(s.Points.Bound())
	}
	// Parts would join all ends of a drawing as small as Tolerance.
	if w, h := b.Max[0]-b.Min[0], b.Max[1]-b.Min[1]; max(w, h) < leastFloor {
		return nil, "", l.refuseSize(l.d.Layers[shapes[0].Layer].Name, w, h)
	}
	all := Parts(shapes)
	closed := slices.DeleteFunc(slices.Clone(all), func(p Part) bool { return p.Ring == nil })
	open := slices.DeleteFunc(all, func(p Part) bool { return p.Ring != nil })
	extent := func(p *Part) float64 {
		b := p.Points.Bound()
		return max(b.Max[0]-b.Min[0], Tolerance) * max(b.Max[1]-b.Min[1], Tolerance)
	}
	most := 0.0
	for i := range closed {
		most = max(most, extent(&closed[i]))
	}
	for i := range open {
		if p := &open[i]; extent(p) > 2*most && len(p.Loose) > 0 {
			most, closed = extent(p), nil
		}
	}
	if len(closed) == 0 {
		return nil, "", l.openOutline(role, open)
	}
	ring := closed[floorOutline(closed)].Ring
	area, round := planar.Area(ring), planar.Length(ring)
	if area < 0.4*round && round > 8 {
		return nil, "", diag.Fieldf("layers."+string(role),
			"the largest closed line on layer %s encloses %.4g m² in a strip of %.4g m: these are the walls "+
				"themselves, open at the doors\ndraw the edge of the floor as one closed line on a layer of its "+
				"own, and name that as outline", l.nameOf(&closed[floorOutline(closed)]), area, round)
	}
	return closed, role, nil
}

// nameOf returns the name of the layer of the part's first shape.
func (l *floorFinder) nameOf(p *Part) string { return l.d.Layers[p.Shapes[0].Layer].Name }

// floorOutline returns the index of the part that is the edge of the floor: the one with the largest area or, if that
// is the outer face of a wall, the inner face of the wall.
func floorOutline(parts []Part) int {
	best, most := 0, 0.0
	for i := range parts {
		if a := planar.Area(parts[i].Ring); a > most {
			best, most = i, a
		}
	}
	return innerFace(parts, best)
}

// innerFace returns the index of the part that is the inner face of the wall whose outer face is parts[outer]: the
// largest part whose bounding box lies inside that of the outer face, by at most maxWallThickness on every side. It
// returns outer if there is none.
func innerFace(parts []Part, outer int) int {
	best, most := outer, 0.0
	a := parts[outer].Ring.Bound()
	for i := range parts {
		b := parts[i].Ring.Bound()
		gaps := []float64{b.Min[0] - a.Min[0], b.Min[1] - a.Min[1], a.Max[0] - b.Max[0], a.Max[1] - b.Max[1]}
		if i == outer || slices.Min(gaps) < Tolerance || slices.Max(gaps) > maxWallThickness {
			continue
		}
		if area := planar.Area(parts[i].Ring); area > most {
			best, most = i, area
		}
	}
	return best
}

// openOutline returns the error about an outline that is not closed. It names an open end of the largest open part, and
// the open end nearest to it, in the unit of the file.
func (l *floorFinder) openOutline(role Role, open []Part) error {
	at := "layers." + string(role)
	var p *Part
	most := -1.0
	for i := range open {
		if b := open[i].Points.Bound(); planar.Distance(b.Min, b.Max) > most && len(open[i].Loose) > 0 {
			p, most = &open[i], planar.Distance(b.Min, b.Max)
		}
	}
	if p == nil {
		return diag.Fieldf(at, "nothing on these layers encloses a floor")
	}
	var ends []End
	for i := range open {
		ends = append(ends, open[i].Loose...)
	}
	here := p.Loose[0]
	from := func(at orb.Point) string {
		m := l.d.Unit.Metres
		return fmt.Sprintf("(%.6g, %.6g)", at[0]/m, at[1]/m)
	}
	message := fmt.Sprintf("the outline on layer %s is not closed: the %s of %s ends at %s %s", l.nameOf(p), here.From,
		l.d.name(), from(here.At), l.d.Unit.Name)
	nearest, far := End{}, math.Inf(1)
	for _, e := range ends {
		if d := planar.Distance(e.At, here.At); e != here && d < far {
			nearest, far = e, d
		}
	}
	if !math.IsInf(far, 1) {
		message += fmt.Sprintf(", and the next end, of the %s, lies at %s, %.3g m away", nearest.From, from(nearest.At),
			far)
	}
	hint := "close it"
	if role == Walls {
		hint = "close it, name a layer with a closed line as outline, or give room.width and room.depth"
	}
	return diag.Fieldf(at, "%s\n%s", message, hint)
}

// setEdge sets the edge of the floor, its width and depth, and the areas beyond the edge and in holes, from parts that
// moveToRoom has moved. The error says that the outline has too many corners, or a size that no room has.
func (l *floorFinder) setEdge(parts []Part, role Role) error {
	n := floorOutline(parts)
	ring := parts[n].Ring
	if ring.Orientation() == orb.CW { // Parts makes rings counter-clockwise; moving has mirrored this one
		ring.Reverse()
	}
	b := ring.Bound()
	w, h := b.Max[0]-b.Min[0], b.Max[1]-b.Min[1]
	layer := l.nameOf(&parts[n])
	switch {
	case len(ring) > maxEdge:
		return diag.Fieldf("layers."+string(role), "the outline on layer %s has %d corners, more than %d\nsimplify it",
			layer, len(ring)-1, maxEdge)
	case max(w, h) > mostFloor || min(w, h) < leastFloor:
		return l.refuseSize(layer, w, h)
	}
	l.noteAngle(ring, layer)
	ring = snapToBox(ring, w, h)
	l.room.Max = orb.Point{w, h}
	f := l.floor
	f.Edge, f.Width, f.Depth = ring, w, h
	for _, pocket := range areasBeyond(ring, w, h) {
		f.Beyond = append(f.Beyond, Area{Layer: layer, Ring: pocket, From: parts[n].Shapes[0].From})
	}
	if role == Outline {
		for i := range parts {
			p := &parts[i]
			if i == n || !planar.RingContains(ring, center(p.Ring.Bound())) || l.coversRoom(p.Ring) {
				continue
			}
			if hole := l.clip(p.Ring); len(hole) > 0 {
				f.Beyond = append(f.Beyond, l.area(p, hole))
			}
		}
	}
	l.areas += len(f.Beyond)
	return nil
}

// noteAngle adds a note if the longest side of the edge is at least 0.05 degrees off the rows, with the
// room.drawing.rotate that aligns it.
func (l *floorFinder) noteAngle(ring orb.Ring, layer string) {
	const least = 0.05 // degrees
	longest, angle := 0.0, 0.0
	for i := 1; i < len(ring); i++ {
		if d := planar.Distance(ring[i-1], ring[i]); d > longest {
			longest = d
			angle = math.Atan2(ring[i][1]-ring[i-1][1], ring[i][0]-ring[i-1][0]) * 180 / math.Pi
		}
	}
	off := angle - 90*math.Round(angle/90)
	if math.Abs(off) < least || longest < planar.Length(ring)/10 { // the floor is round: it has no side to align
		return
	}
	l.floor.Notes = append(l.floor.Notes,
		fmt.Sprintf("the longest side of the outline on layer %s of %s runs %.4g degrees "+
			"off the rows: room.drawing.rotate: %.6g lays it along them", layer, l.d.name(), math.Abs(off),
			math.Round((l.place.Rotate-off)*1e4)/1e4+0))
}

// refuseSize returns the error about an outline of w by h metres, a size that no room has. It names the units of length
// in which the outline would be as large as a building.
func (l *floorFinder) refuseSize(layer string, w, h float64) error {
	m := l.d.Unit.Metres
	hint := "name the layer of the floor's edge, and the unit in which the file is drawn"
	if units := likely(w/m, h/m, l.d.Unit); units != "" {
		hint = "give the unit in which it is drawn: probably " + units
	}
	return diag.Fieldf("unit", "the outline on layer %s is %s m by %s m with coordinates in %s: no room is\n%s", layer,
		thousands(w), thousands(h), l.d.Unit.Name, hint)
}

// coversRoom reports whether the bounding box of a ring covers the whole room.
func (l *floorFinder) coversRoom(ring orb.Ring) bool {
	b := ring.Bound()
	return b.Min[0] <= Tolerance && b.Min[1] <= Tolerance && b.Max[0] >= l.room.Max[0]-Tolerance &&
		b.Max[1] >= l.room.Max[1]-Tolerance
}

// thousands writes a length with commas between its thousands.
func thousands(v float64) string {
	if v < 1000 {
		return fmt.Sprintf("%.4g", v)
	}
	s := fmt.Sprintf("%.0f", v)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// snapToBox moves corners that lie within Tolerance of a side of the box from (0, 0) to (w, h) onto that side.
func snapToBox(ring orb.Ring, w, h float64) orb.Ring {
	out := make(orb.Ring, 0, len(ring))
	to := func(v, side float64) float64 {
		switch {
		case v < Tolerance:
			return 0
		case v > side-Tolerance:
			return side
		}
		return v
	}
	for _, p := range ring {
		if q := (orb.Point{to(p[0], w), to(p[1], h)}); len(out) == 0 || out[len(out)-1] != q {
			out = append(out, q)
		}
	}
	return out
}

// areasBeyond returns the areas between the box from (0, 0) to (w, h) and a ring that touches all its sides: one for
// each piece of the ring that leaves a side of the box and comes back. If the areas do not add up to the box, because
// the ring crosses itself, it returns one area for all of them, as boxMinusRing makes it.
func areasBeyond(ring orb.Ring, w, h float64) []orb.Ring {
	n := len(ring) - 1
	// along is the distance along the sides of the box, counter-clockwise from the origin; -1 off the sides
	along := func(p orb.Point) float64 {
		switch {
		case p[1] == 0:
			return p[0]
		case p[0] == w:
			return w + p[1]
		case p[1] == h:
			return w + h + (w - p[0])
		case p[0] == 0:
			return w + h + w + (h - p[1])
		}
		return -1
	}
	round := 2 * (w + h)
	start := slices.IndexFunc(ring, func(p orb.Point) bool { return along(p) >= 0 })
	if start < 0 {
		return nil
	}
	var out []orb.Ring
	sum := planar.Area(ring)
	chain := orb.LineString{ring[start]}
	for i := 1; i <= n; i++ {
		p := ring[(start+i)%n]
		chain = append(chain, p)
		to := along(p)
		if to < 0 {
			continue
		}
		from := along(chain[0])
		pocket := orb.Ring{chain[0]}
		over := math.Mod(to-from+round, round)
		for k, corner := range []orb.Point{{w, 0}, {w, h}, {0, h}, {0, 0}, {w, 0}, {w, h}, {0, h}} {
			at := []float64{w, w + h, w + h + w, round, round + w, round + w + h, round + w + h + w}[k]
			if at > from && at < from+over {
				pocket = append(pocket, corner)
			}
		}
		for j := len(chain) - 1; j >= 0; j-- {
			pocket = append(pocket, chain[j])
		}
		if area := math.Abs(planar.Area(pocket)); len(pocket) > 3 && area > Tolerance*Tolerance {
			out = append(out, pocket)
			sum += area
		}
		chain = orb.LineString{p}
	}
	if math.Abs(sum-w*h) > 1e-6*w*h {
		return []orb.Ring{boxMinusRing(ring, w, h)}
	}
	return out
}

// boxMinusRing returns the box from (0, 0) to (w, h) without the inside of a ring, as one ring: along the side of the
// box to the hole, around the hole, back and around the box.
func boxMinusRing(ring orb.Ring, w, h float64) orb.Ring {
	start := slices.IndexFunc(ring, func(p orb.Point) bool { return p[1] == 0 })
	if start < 0 {
		start = 0
	}
	n := len(ring) - 1
	first := ring[start%n]
	out := orb.Ring{{0, 0}, {first[0], 0}}
	for i := n; i >= 0; i-- { // clockwise: a hole
		out = append(out, ring[(start+i)%n])
	}
	return append(out, orb.Point{first[0], 0}, orb.Point{w, 0}, orb.Point{w, h}, orb.Point{0, h}, orb.Point{0, 0})
}
