package drawing

import (
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"github.com/plenum-planner/plenum/diag"
)

// thickest is how far apart, in metres, the two faces of the wall around a floor may be.
const thickest = 1.0

// outlines finds the parts that may be the edge of the floor, and the role of their layers; none where nothing says
// that there is an edge.
func (l *laying) outlines(roles Roles) ([]Part, Role, error) {
	role := Outline
	if len(roles[Outline]) == 0 {
		role = Walls
		if len(roles[Walls]) == 0 || l.place.Width > 0 {
			return nil, "", nil
		}
	}
	shapes := l.of(role)
	b := shapes[0].Points.Bound()
	for _, s := range shapes {
		b = b.Union(s.Points.Bound())
	}
	if w, h := b.Max[0]-b.Min[0], b.Max[1]-b.Min[1]; max(w, h) < leastFloor { // before all ends meet
		return nil, "", l.noSize(l.d.Layers[shapes[0].Layer].Name, w, h)
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
		return nil, "", l.notClosed(role, open)
	}
	ring := closed[edgeOf(closed)].Ring
	area, round := planar.Area(ring), planar.Length(ring)
	if area < 0.4*round && round > 8 {
		return nil, "", diag.Fieldf("layers."+string(role),
			"the largest closed line on layer %s encloses %.4g m² in a strip of %.4g m: these are the walls "+
				"themselves, open at the doors\ndraw the edge of the floor as one closed line on a layer of its "+
				"own, and name that as outline", l.nameOf(&closed[edgeOf(closed)]), area, round)
	}
	return closed, role, nil
}

func (l *laying) nameOf(p *Part) string { return l.d.Layers[p.Shapes[0].Layer].Name }

// edgeOf is the part with the largest area.
func edgeOf(parts []Part) int {
	best, most := 0, 0.0
	for i := range parts {
		if a := planar.Area(parts[i].Ring); a > most {
			best, most = i, a
		}
	}
	return inner(parts, best)
}

// inner is the part that is the inner face of a wall whose outer face is given; the same if it has only one.
func inner(parts []Part, outer int) int {
	best, most := outer, 0.0
	a := parts[outer].Ring.Bound()
	for i := range parts {
		b := parts[i].Ring.Bound()
		gaps := []float64{b.Min[0] - a.Min[0], b.Min[1] - a.Min[1], a.Max[0] - b.Max[0], a.Max[1] - b.Max[1]}
		if i == outer || slices.Min(gaps) < Tolerance || slices.Max(gaps) > thickest {
			continue
		}
		if area := planar.Area(parts[i].Ring); area > most {
			best, most = i, area
		}
	}
	return best
}

// notClosed tells where an outline is open.
func (l *laying) notClosed(role Role, open []Part) error {
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

// edge takes the edge of the floor from the parts that may be it, now that they lie where the room is.
func (l *laying) edge(parts []Part, role Role) error {
	n := edgeOf(parts)
	ring := parts[n].Ring
	if ring.Orientation() == orb.CW { // it was mirrored on the way
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
		return l.noSize(layer, w, h)
	}
	l.askew(ring, layer)
	ring = snap(ring, w, h)
	l.room.Max = orb.Point{w, h}
	f := l.floor
	f.Edge, f.Width, f.Depth = ring, w, h
	for _, pocket := range pockets(ring, w, h) {
		f.Beyond = append(f.Beyond, Area{Layer: layer, Ring: pocket, From: parts[n].Shapes[0].From})
	}
	if role == Outline {
		for i := range parts {
			p := &parts[i]
			if i == n || !planar.RingContains(ring, middle(p.Ring.Bound())) || l.around(p.Ring) {
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

// askew notes by how much the longest side of the edge is off the axes.
func (l *laying) askew(ring orb.Ring, layer string) {
	const least = 0.05 // degrees
	longest, angle := 0.0, 0.0
	for i := 1; i < len(ring); i++ {
		if d := planar.Distance(ring[i-1], ring[i]); d > longest {
			longest = d
			angle = math.Atan2(ring[i][1]-ring[i-1][1], ring[i][0]-ring[i-1][0]) * 180 / math.Pi
		}
	}
	off := angle - 90*math.Round(angle/90)
	if math.Abs(off) < least || longest < planar.Length(ring)/10 { // a round floor has no sides
		return
	}
	l.floor.Notes = append(l.floor.Notes,
		fmt.Sprintf("the longest side of the outline on layer %s of %s runs %.4g degrees "+
			"off the rows: room.drawing.rotate: %.6g lays it along them", layer, l.d.name(), math.Abs(off),
			math.Round((l.place.Rotate-off)*1e4)/1e4+0))
}

// noSize refuses an outline of a size that no room has, and says in which unit it would be one.
func (l *laying) noSize(layer string, w, h float64) error {
	m := l.d.Unit.Metres
	hint := "name the layer of the floor's edge, and the unit in which the file is drawn"
	if units := likely(w/m, h/m, l.d.Unit); units != "" {
		hint = "give the unit in which it is drawn: probably " + units
	}
	return diag.Fieldf("unit", "the outline on layer %s is %s m by %s m with coordinates in %s: no room is\n%s", layer,
		thousands(w), thousands(h), l.d.Unit.Name, hint)
}

// around reports whether a ring goes around the floor.
func (l *laying) around(ring orb.Ring) bool {
	b := ring.Bound()
	return b.Min[0] <= Tolerance && b.Min[1] <= Tolerance && b.Max[0] >= l.room.Max[0]-Tolerance &&
		b.Max[1] >= l.room.Max[1]-Tolerance
}

// thousands is a length with commas.
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

// snap puts corners that lie on the sides of the room, as nearly as anybody draws, right there.
func snap(ring orb.Ring, w, h float64) orb.Ring {
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

// pockets are the parts of a box of w by h that lie beyond a ring which touches all its sides: where the ring leaves a
// side of the box and comes back, what lies between it and the box. A ring that is not simple may cross itself there:
// then all that lies beyond it is one area, with a cut to the box.
func pockets(ring orb.Ring, w, h float64) []orb.Ring {
	n := len(ring) - 1
	along := func(p orb.Point) float64 { // the way round the box, counter-clockwise from the origin; -1 within
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
		return []orb.Ring{around(ring, w, h)}
	}
	return out
}

// around is the box of w by h with a ring cut out, as one ring that runs round the box, to the cut and back.
func around(ring orb.Ring, w, h float64) orb.Ring {
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
