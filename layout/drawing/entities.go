package drawing

import (
	"math"
	"strings"

	"github.com/paulmach/orb"
)

// quiet lists entities that draw nothing of the building, which are left out and not counted: dimensions and notes, and
// parts of other entities.
var quiet = map[string]bool{
	"DIMENSION": true, "ARC_DIMENSION": true, "LARGE_RADIAL_DIMENSION": true, "LEADER": true, "MULTILEADER": true,
	"MLEADER": true, "TOLERANCE": true, "ATTDEF": true, "ATTRIB": true, "SEQEND": true, "VERTEX": true, "POINT": true,
	"VIEWPORT": true, "ACAD_TABLE": true, "WIPEOUT": true, "IMAGE": true, "OLE2FRAME": true, "OLEFRAME": true,
	"XLINE": true, "RAY": true, "LIGHT": true, "SUN": true, "PDFUNDERLAY": true, "DWFUNDERLAY": true, "GEODATA": true,
	"BLOCK": true, "ACAD_PROXY_ENTITY": true, "SECTIONOBJECT": true,
}

// readers are the functions that turn entities into shapes and texts, by kind. (*dxf).polyline reads POLYLINE, with the
// VERTEX entities that follow it.
var readers = map[string]func(*record) []entity{
	"LINE": (*record).straight, "LWPOLYLINE": (*record).light, "CIRCLE": (*record).round, "ARC": (*record).round,
	"ELLIPSE": (*record).ellipse, "SOLID": (*record).solid, "TRACE": (*record).solid, "3DFACE": (*record).face,
	"HATCH": (*record).hatch, "INSERT": (*record).drawInsert, "TEXT": (*record).drawText, "MTEXT": (*record).paragraph,
	"SPLINE": (*record).spline, "MLINE": (*record).multiline,
}

// read returns the shapes, texts and inserts that an entity draws.
func (r *record) read() []entity {
	draw := readers[r.kind]
	switch {
	case draw != nil:
		return draw(r)
	case quiet[r.kind]:
		return nil
	}
	return r.unread()
}

// unread returns an entity that expand counts as not read on its layer.
func (r *record) unread() []entity { return []entity{{unread: brief(r.kind)}} }

// shape returns a line of the entity; none if all its points are the same.
func (r *record) shape(points orb.LineString, closed, filled bool) []entity {
	if len(points) < 2 || points.Bound().Min == points.Bound().Max {
		return nil
	}
	if closed && points[0] != points[len(points)-1] {
		points = append(points, points[0])
	}
	return []entity{{shape: &Shape{
		Points: points, Closed: closed && len(points) > 3, Filled: filled,
		From: Source{Kind: r.kind, Line: r.line},
	}}}
}

// plane returns the map from coordinates of the entity to those of the drawing: the identity if the entity is seen from
// above, mirrored if from below (the arbitrary axis algorithm gives x = -x). It returns false if the plane of the
// entity is not horizontal.
func (r *record) plane() (Affine, bool) {
	x, y, z := r.number(210, 0), r.number(220, 0), r.number(230, 1)
	if math.Hypot(x, y) > 1e-6*math.Abs(z) {
		return Affine{}, false
	}
	if z < 0 {
		return Affine{A: -1, E: 1}, true
	}
	return identity, true
}

// inPlane returns a line through points in coordinates of the entity; an unread entity if its plane is not horizontal.
func (r *record) inPlane(points orb.LineString, closed, filled bool) []entity {
	m, flat := r.plane()
	if !flat {
		return r.unread()
	}
	for i, p := range points {
		points[i] = m.Of(p)
	}
	return r.shape(points, closed, filled)
}

func (r *record) point(n int) orb.Point { return orb.Point{r.number(10+n, 0), r.number(20+n, 0)} }

func (r *record) straight() []entity {
	return r.shape(orb.LineString{r.point(0), r.point(1)}, false, false)
}

// light reads an LWPOLYLINE, whose groups list each point, followed by its bulge.
func (r *record) light() []entity {
	var corners []vertex
	for i := range r.fields {
		switch f := &r.fields[i]; f.code {
		case 10:
			corners = append(corners, vertex{at: orb.Point{r.value(f)}})
		case 20, 42:
			if n := len(corners); n > 0 && f.code == 20 {
				corners[n-1].at[1] = r.value(f)
			} else if n > 0 {
				corners[n-1].bulge = r.value(f)
			}
		}
	}
	closed := r.whole(70, 0)&1 != 0
	return r.inPlane(polyline(corners, closed), closed, false)
}

// polyline reads a POLYLINE, whose VERTEX entities follow it. Meshes are not read.
func (r *dxf) polyline(first *record) []entity {
	const closed, mesh, poly, control = 1, 16, 64, 16
	flags := first.whole(70, 0)
	own := *first
	own.fields = append([]group(nil), first.fields...)
	var corners []vertex
	for !r.done && r.is(0, "VERTEX") {
		v := r.record()
		if v.whole(70, 0)&control == 0 && len(corners) < maxPoints {
			corners = append(corners, vertex{v.point(0), v.number(42, 0)})
		}
	}
	if flags&(mesh|poly) != 0 {
		return own.unread()
	}
	return own.inPlane(polyline(corners, flags&closed != 0), flags&closed != 0, false)
}

// round reads a CIRCLE or an ARC.
func (r *record) round() []entity {
	from, over := 0.0, 2*math.Pi
	if r.kind == "ARC" {
		from = r.number(50, 0) * math.Pi / 180
		over = sweep(from, r.number(51, 360)*math.Pi/180)
	}
	return r.inPlane(circular(r.point(0), r.notNegative(40, 0, "radius"), from, over), r.kind == "CIRCLE", false)
}

// ellipse reads an ELLIPSE, given in the coordinates of the drawing by its centre, the end of the major axis from
// there, the ratio of the axes, and the parameters at its ends.
func (r *record) ellipse() []entity {
	m, flat := r.plane()
	if !flat {
		return r.unread()
	}
	u := r.point(1)
	ratio := r.notNegative(40, 1, "ratio of the axes") * m.A // seen from below, it runs the other way
	from, to := r.number(41, 0), r.number(42, 2*math.Pi)
	over := sweep(from, to)
	return r.shape(arc(r.point(0), u, orb.Point{-u[1] * ratio, u[0] * ratio}, from, over),
		over > 2*math.Pi-1e-9, false)
}

// solid reads a SOLID or TRACE: a filled quadrangle whose last two corners are swapped in the file, or a triangle.
func (r *record) solid() []entity {
	return r.inPlane(orb.LineString{r.point(0), r.point(1), r.fourth(), r.point(2)}, true, true)
}

// face reads a 3DFACE, whose corners are in order.
func (r *record) face() []entity {
	return r.shape(orb.LineString{r.point(0), r.point(1), r.point(2), r.fourth()}, true, true)
}

// fourth returns the fourth corner, the third one if it is not given.
func (r *record) fourth() orb.Point {
	third := r.point(2)
	return orb.Point{r.number(13, third[0]), r.number(23, third[1])}
}

// drawInsert reads an INSERT, which draws a block scaled, turned and moved.
func (r *record) drawInsert() []entity {
	plane, flat := r.plane()
	if !flat {
		return r.unread()
	}
	p := r.point(0)
	turn := Turn(r.number(50, 0))
	in := &insert{
		block: layerName(r.text(2)), line: r.line,
		at: Affine{A: r.number(41, 1), E: r.number(42, 1)}.then(turn).then(Shift(p[0], p[1])).then(plane),
		// 0 and less stand for one
		rows: max(r.whole(71, 1), 1), columns: max(r.whole(70, 1), 1),
		down: r.number(45, 0), along: r.number(44, 0), turn: turn.then(plane),
	}
	return []entity{{insert: in}}
}

// drawText reads a TEXT.
func (r *record) drawText() []entity {
	return r.drawLettering(r.text(1), r.number(50, 0)*math.Pi/180)
}

// paragraph reads an MTEXT, whose text is divided among groups of code 3 and a last one of code 1.
func (r *record) paragraph() []entity {
	var b strings.Builder
	for i := range r.fields {
		if f := &r.fields[i]; f.code == 3 || f.code == 1 {
			b.WriteString(f.value)
		}
	}
	angle := r.number(50, 0) * math.Pi / 180
	if x, y := r.number(11, 0), r.number(21, 0); x != 0 || y != 0 {
		angle = math.Atan2(y, x)
	}
	return r.drawLettering(plain(b.String()), angle)
}

// drawLettering returns a text that begins at the point of the entity.
func (r *record) drawLettering(s string, angle float64) []entity {
	m, flat := r.plane()
	if s = brief(strings.Join(strings.Fields(decodeText(s)), " ")); !flat || s == "" {
		return nil
	}
	return []entity{{text: &Text{At: m.Of(r.point(0)), Height: r.number(40, 0), Angle: m.angle(angle), Text: s}}}
}

// plain returns the text of an MTEXT without its formatting: codes such as \H2.5; and \P, and braces.
func plain(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '{' || c == '}':
		case c != '\\' || i+1 == len(s):
			b.WriteByte(c)
		default:
			i++
			switch s[i] {
			case '\\', '{', '}':
				b.WriteByte(s[i])
			case 'P', 'X', '~', 'N':
				b.WriteByte(' ')
			case 'U':
				b.WriteString(`\U`)
			case 'L', 'l', 'O', 'o', 'K', 'k':
			default: // up to the semicolon
				if end := strings.IndexByte(s[i:], ';'); end >= 0 {
					i += end
				}
			}
		}
	}
	return b.String()
}
