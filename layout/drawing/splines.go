package drawing

import (
	"math"
	"slices"

	"github.com/paulmach/orb"
)

// spanCorners is the number of lines that stand for a span of a spline between two knots: as many as for a quarter of a
// circle.
const spanCorners = roundCorners / 4

// mostDegree is the highest degree of a spline; CAD programs write up to 11.
const mostDegree = 25

// curve is a rational B-spline: knots in ascending order, control points and their weights.
type curve struct {
	degree  int
	knots   []float64
	points  []orb.Point
	weights []float64
}

// spline is a SPLINE: a curve with knots, control points and weights, or points that it goes through alone.
func (r *record) spline() []entity {
	c := curve{degree: r.whole(71, 3)}
	var fit []orb.Point
	for i := range r.fields {
		switch f := &r.fields[i]; f.code {
		case 40:
			c.knots = append(c.knots, r.value(f))
		case 41:
			c.weights = append(c.weights, r.value(f))
		case 10:
			c.points = append(c.points, orb.Point{r.value(f)})
		case 11:
			fit = append(fit, orb.Point{r.value(f)})
		case 20:
			if n := len(c.points); n > 0 {
				c.points[n-1][1] = r.value(f)
			}
		case 21:
			if n := len(fit); n > 0 {
				fit[n-1][1] = r.value(f)
			}
		}
	}
	closed := r.whole(70, 0)&1 != 0
	var line orb.LineString
	switch {
	case c.valid():
		line = c.line()
	case len(c.points) == 0 && len(fit) > 1:
		if line = through(fit); closed && fit[0] != fit[len(fit)-1] {
			line = through(append(fit, fit[0]))
		}
	default:
		return r.unread()
	}
	return r.shape(line, closed, false)
}

// valid reports whether the numbers of knots, points and weights fit each other, and knots ascend.
func (c *curve) valid() bool {
	n := len(c.points)
	if c.degree < 1 || c.degree > mostDegree || n <= c.degree || len(c.knots) != n+c.degree+1 ||
		!slices.IsSorted(c.knots) || c.knots[c.degree] >= c.knots[n] {
		return false
	}
	if c.weights == nil {
		c.weights = slices.Repeat([]float64{1}, n)
	}
	const most = 1e9 // between weights, and between knots; beyond, points are no longer exact
	least := math.Inf(1)
	for i := range c.knots[1:] {
		if d := c.knots[i+1] - c.knots[i]; d > 0 {
			least = min(least, d)
		}
	}
	return len(c.weights) == n && slices.Min(c.weights) > 0 && slices.Max(c.weights) <= most*slices.Min(c.weights) &&
		c.knots[len(c.knots)-1]-c.knots[0] <= most*least
}

// line is points of the curve, the same number in every span.
func (c *curve) line() orb.LineString {
	out := orb.LineString{}
	for span := c.degree; span < len(c.points); span++ {
		from, to := c.knots[span], c.knots[span+1]
		if from == to {
			continue
		}
		first := 1
		if len(out) == 0 {
			first = 0
		}
		for i := first; i <= spanCorners; i++ {
			out = append(out, c.at(span, from+float64((to-from)*float64(i)/spanCorners)))
		}
	}
	return out
}

// at is the point of a parameter in a span (C. de Boor, A Practical Guide to Splines, 1978, chapter X; weights as a
// third coordinate).
func (c *curve) at(span int, u float64) orb.Point {
	var d [mostDegree + 1][3]float64
	for i := range c.degree + 1 {
		j := span - c.degree + i
		w := c.weights[j]
		d[i] = [3]float64{c.points[j][0] * w, c.points[j][1] * w, w}
	}
	for round := 1; round <= c.degree; round++ {
		for i := c.degree; i >= round; i-- {
			j := span - c.degree + i
			from, to := c.knots[j], c.knots[j+c.degree-round+1]
			share := 0.0
			if to > from {
				share = (u - from) / (to - from)
			}
			for k := range d[i] {
				d[i][k] = float64((1-share)*d[i-1][k]) + float64(share*d[i][k])
			}
		}
	}
	end := d[c.degree]
	return orb.Point{end[0] / end[2], end[1] / end[2]}
}

// through is the natural cubic spline through points, whose parameter runs along the chords: what a program draws that
// has only the points.
func through(points []orb.Point) orb.LineString {
	points = slices.Compact(slices.Clone(points))
	n := len(points) - 1
	if n < 1 {
		return nil
	}
	chord := make([]float64, n)
	for i := range chord {
		chord[i] = math.Hypot(points[i+1][0]-points[i][0], points[i+1][1]-points[i][1])
	}
	second := make([]orb.Point, n+1) // derivatives, 0 at the ends
	above := make([]float64, n+1)
	for i := 1; i < n; i++ { // the tridiagonal equations from above
		pivot := 2*(chord[i-1]+chord[i]) - float64(chord[i-1]*above[i-1])
		above[i] = chord[i] / pivot
		for k := range 2 {
			slopes := (points[i+1][k]-points[i][k])/chord[i] - (points[i][k]-points[i-1][k])/chord[i-1]
			second[i][k] = (6*slopes - float64(chord[i-1]*second[i-1][k])) / pivot
		}
	}
	for i := n - 1; i > 0; i-- {
		for k := range 2 {
			second[i][k] -= float64(above[i] * second[i+1][k])
		}
	}
	out := orb.LineString{points[0]}
	for i := range n {
		for j := 1; j < spanCorners; j++ {
			b := float64(j) / spanCorners
			a := 1 - b
			var p orb.Point
			for k := range 2 {
				bend := float64((a*a*a-a)*second[i][k]) + float64((b*b*b-b)*second[i+1][k])
				p[k] = float64(a*points[i][k]) + float64(b*points[i+1][k]) + float64(bend*chord[i]*chord[i]/6)
			}
			out = append(out, p)
		}
		out = append(out, points[i+1])
	}
	return out
}

// corner is a vertex of an MLINE: where it is, which way its lines run from there, the mitre, and for every line how
// far along the mitre it is and where it begins and is cut.
type corner struct {
	at, along, mitre orb.Point
	lines            [][]float64
}

// multiline is an MLINE: parallel lines, such as the two sides of a wall, each of which may be cut, as at doors. What
// closes its ends is a matter of its style and is not drawn.
func (r *record) multiline() []entity {
	var corners []corner
	left := 0 // numbers of the line at hand
	for i := range r.fields {
		f := &r.fields[i]
		if f.code == 11 {
			corners = append(corners, corner{})
		}
		if len(corners) == 0 {
			continue
		}
		c := &corners[len(corners)-1]
		switch f.code {
		case 11, 21:
			c.at[(f.code-11)/10] = r.value(f)
		case 12, 22:
			c.along[(f.code-12)/10] = r.value(f)
		case 13, 23:
			c.mitre[(f.code-13)/10] = r.value(f)
		case 74:
			left = int(min(max(r.value(f), 0), maxPoints))
			c.lines = append(c.lines, nil)
		case 41:
			if n := len(c.lines); n > 0 && left > 0 {
				c.lines[n-1] = append(c.lines[n-1], r.value(f))
				left--
			}
		}
	}
	if r.whole(71, 0)&2 != 0 && len(corners) > 2 {
		corners = append(corners, corners[0])
	}
	most := 0
	for i := range corners {
		most = max(most, len(corners[i].lines))
	}
	var out []entity
	for line := range most {
		out = append(out, r.sides(corners, line)...)
	}
	if len(out) == 0 {
		return r.unread()
	}
	return out
}

// sides draws one of the lines of an MLINE, in pieces where it is cut.
func (r *record) sides(corners []corner, line int) (out []entity) {
	place := func(c *corner) (orb.Point, []float64, bool) {
		if line >= len(c.lines) || len(c.lines[line]) == 0 {
			return orb.Point{}, nil, false
		}
		off := c.lines[line][0]
		return orb.Point{
			c.at[0] + float64(c.mitre[0]*off), c.at[1] + float64(c.mitre[1]*off),
		}, c.lines[line][1:], true
	}
	var piece orb.LineString
	for i := 1; i < len(corners); i++ {
		from, cuts, ok := place(&corners[i-1])
		to, _, also := place(&corners[i])
		if !ok || !also {
			out, piece = append(out, r.shape(piece, false, false)...), nil
			continue
		}
		way := corners[i-1].along
		at := func(far float64) orb.Point {
			return orb.Point{from[0] + float64(way[0]*far), from[1] + float64(way[1]*far)}
		}
		if len(cuts) == 0 {
			cuts = []float64{0}
		}
		for k, far := range cuts { // it begins at the first, stops at the second, goes on at the third
			switch {
			case k%2 == 1:
				out = append(out, r.shape(append(piece, at(far)), false, false)...)
				piece = nil
			case k > 0 || far != 0 || len(piece) == 0:
				out = append(out, r.shape(piece, false, false)...)
				piece = orb.LineString{at(far)}
			}
		}
		if len(cuts)%2 == 1 {
			piece = append(piece, to)
		} else {
			piece = nil
		}
	}
	return append(out, r.shape(piece, false, false)...)
}
