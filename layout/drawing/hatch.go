package drawing

import (
	"math"

	"github.com/paulmach/orb"
)

// hatch reads the edges of a HATCH. An edge that is a spline makes the whole hatch one that is not read.
func (r *record) hatch() []entity {
	h := hatching{r: r}
	for i := range r.fields {
		if f := &r.fields[i]; f.code == 91 {
			h.rest = r.fields[i+1:]
			break
		}
	}
	var out []entity
	for h.path() {
		if h.spline {
			return r.unread()
		}
		out = append(out, r.inPlane(h.line, true, true)...)
	}
	return out
}

// hatching reads the groups of a hatch in order, as codes mean different things on the way.
type hatching struct {
	r      *record
	rest   []group
	line   orb.LineString // the last path
	spline bool
}

// path reads the next edge of the hatch, if there is one.
func (h *hatching) path() bool {
	const poly = 2
	h.line = nil
	for len(h.rest) > 0 && h.rest[0].code != 92 {
		if c := h.rest[0].code; c == 75 || c == 76 || c == 98 {
			return false // behind all paths
		}
		h.rest = h.rest[1:]
	}
	if len(h.rest) == 0 {
		return false
	}
	flags := h.r.value(&h.rest[0])
	h.rest = h.rest[1:]
	if int64(flags)&poly != 0 {
		h.corners()
	} else {
		h.edges()
	}
	return true
}

// corners reads a path that is a polyline.
func (h *hatching) corners() {
	var corners []vertex
	for ; len(h.rest) > 0; h.rest = h.rest[1:] {
		f := &h.rest[0]
		n := len(corners)
		switch f.code {
		case 10:
			corners = append(corners, vertex{at: orb.Point{h.r.value(f)}})
		case 20:
			if n > 0 {
				corners[n-1].at[1] = h.r.value(f)
			}
		case 42:
			if n > 0 {
				corners[n-1].bulge = h.r.value(f)
			}
		case 72, 73, 93: // has bulges, is closed, has so many corners
		default:
			h.line = polyline(corners, true)
			return
		}
	}
	h.line = polyline(corners, true)
}

// edges reads a path of lines and arcs.
func (h *hatching) edges() {
	for len(h.rest) > 0 && h.rest[0].code == 93 {
		h.rest = h.rest[1:]
	}
	for len(h.rest) > 0 && h.rest[0].code == 72 {
		kind := h.r.value(&h.rest[0])
		end := 1
		for end < len(h.rest) && edgeCode(h.rest[end].code) {
			end++
		}
		e := record{kind: h.r.kind, line: h.r.line, fields: h.rest[1:end], in: h.r.in}
		h.rest = h.rest[end:]
		switch kind {
		case 1:
			h.line = append(h.line, e.point(0), e.point(1))
		case 2:
			h.line = append(h.line, e.hatchArc(orb.Point{e.number(40, 0), 0}, 1)...)
		case 3:
			h.line = append(h.line, e.hatchArc(e.point(1), e.number(40, 1))...)
		default:
			h.spline = true
		}
	}
}

// edgeCode reports whether a code belongs to an edge.
func edgeCode(code int) bool {
	switch code {
	case 10, 20, 11, 21, 40, 50, 51, 73, 74, 94, 95, 96, 42, 12, 22, 13, 23:
		return true
	}
	return false
}

// hatchArc is an edge that is part of an ellipse with the given end of its major axis and ratio of its axes. Angles are
// in degrees, mirrored if it runs clockwise.
func (r *record) hatchArc(major orb.Point, ratio float64) orb.LineString {
	from, to := r.number(50, 0)*math.Pi/180, r.number(51, 360)*math.Pi/180
	over := sweep(from, to)
	if r.whole(73, 1) == 0 {
		from, over = -from, -over
	}
	return arc(r.point(0), major, orb.Point{-major[1] * ratio, major[0] * ratio}, from, over)
}
