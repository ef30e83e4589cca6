package drawing

import (
	"math"

	"github.com/paulmach/orb"
)

// roundCorners is the number of corners of the polygon drawn for a whole circle, which deviates from it by 0.05 per
// cent of the radius.
const roundCorners = 96

// arc returns points on an ellipse with centre c and half axes u and v, as many as roundCorners for a whole one: from
// the angle `from`, over the angle `over`, in radians.
func arc(c, u, v orb.Point, from, over float64) orb.LineString {
	n := max(2, int(math.Ceil(math.Abs(over)/(2*math.Pi)*roundCorners-1e-9)))
	out := make(orb.LineString, n+1)
	for i := range out {
		sin, cos := math.Sincos(from + over*float64(i)/float64(n))
		out[i] = orb.Point{
			c[0] + float64(u[0]*cos) + float64(v[0]*sin),
			c[1] + float64(u[1]*cos) + float64(v[1]*sin),
		}
	}
	if math.Abs(over) == 2*math.Pi {
		out[n] = out[0]
	}
	return out
}

// circular returns points on an arc of a circle.
func circular(c orb.Point, radius, from, over float64) orb.LineString {
	return arc(c, orb.Point{radius, 0}, orb.Point{0, radius}, from, over)
}

// sweep returns the angle between two directions, counter-clockwise, in radians: above 0 and at most a full turn.
func sweep(from, to float64) float64 {
	over := math.Mod(to-from, 2*math.Pi)
	if over <= 1e-12 {
		over += 2 * math.Pi
	}
	return over
}

// appendBulge appends the points from a, which line ends with, to b: a straight segment for bulge 0, else an arc. The
// bulge is the tangent of a quarter of the angle of the arc, positive for one that runs counter-clockwise.
func appendBulge(line orb.LineString, a, b orb.Point, bulge float64) orb.LineString {
	dx, dy := b[0]-a[0], b[1]-a[1]
	if math.Abs(bulge) < 1e-9 || dx == 0 && dy == 0 {
		return append(line, b)
	}
	// The centre lies beside the middle of the chord: (1-b²)/4b of its length.
	h := (1/bulge - bulge) / 4
	c := orb.Point{(a[0]+b[0])/2 - float64(h*dy), (a[1]+b[1])/2 + float64(h*dx)}
	over := 4 * math.Atan(bulge)
	radius := math.Hypot(a[0]-c[0], a[1]-c[1])
	points := circular(c, radius, math.Atan2(a[1]-c[1], a[0]-c[0]), over)
	points[len(points)-1] = b
	return append(line, points[1:]...)
}

// vertex is a corner of a polyline, with the bulge of the segment to the next corner.
type vertex struct {
	at    orb.Point
	bulge float64
}

// polyline returns the line through corners, with points along its arcs.
func polyline(corners []vertex, closed bool) orb.LineString {
	var out orb.LineString
	for i, v := range corners {
		switch {
		case i == 0:
			out = append(out, v.at)
		default:
			out = appendBulge(out, corners[i-1].at, v.at, corners[i-1].bulge)
		}
	}
	if n := len(corners); closed && n > 1 && (corners[n-1].at != corners[0].at || corners[n-1].bulge != 0) {
		out = appendBulge(out, corners[n-1].at, corners[0].at, corners[n-1].bulge)
	}
	return out
}
