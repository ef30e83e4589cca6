package drawing

import (
	"math"

	"github.com/paulmach/orb"
)

// Affine is a map of the plane: (x, y) goes to (A x + B y + C, D x + E y + F). The zero value is not a map; see Turn.
type Affine struct{ A, B, C, D, E, F float64 }

// identity leaves all where it is.
var identity = Affine{A: 1, E: 1}

// Of is where a point goes.
func (m Affine) Of(p orb.Point) orb.Point {
	return orb.Point{
		float64(m.A*p[0]) + float64(m.B*p[1]) + m.C,
		float64(m.D*p[0]) + float64(m.E*p[1]) + m.F,
	}
}

// then is m first and n after it.
func (m Affine) then(n Affine) Affine {
	c := n.Of(orb.Point{m.C, m.F})
	return Affine{
		float64(n.A*m.A) + float64(n.B*m.D), float64(n.A*m.B) + float64(n.B*m.E), c[0],
		float64(n.D*m.A) + float64(n.E*m.D), float64(n.D*m.B) + float64(n.E*m.E), c[1],
	}
}

// Shift moves points by the given distances.
func Shift(x, y float64) Affine { return Affine{A: 1, C: x, E: 1, F: y} }

// Turn turns points counter-clockwise about the origin, by an angle in degrees. Right angles are exact.
func Turn(degrees float64) Affine {
	degrees = math.Mod(degrees, 360)
	if quarter, part := math.Modf(degrees / 90); part == 0 {
		q := (int(quarter) + 4) % 4
		cos, sin := [4]float64{1, 0, -1, 0}[q], [4]float64{0, 1, 0, -1}[q]
		return Affine{A: cos, B: -sin, D: sin, E: cos}
	}
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return Affine{A: cos, B: -sin, D: sin, E: cos}
}

// direction is where the unit vector at an angle goes.
func (m Affine) direction(angle float64) (x, y float64) {
	sin, cos := math.Sincos(angle)
	return float64(m.A*cos) + float64(m.B*sin), float64(m.D*cos) + float64(m.E*sin)
}

// angle is where a direction goes, in radians.
func (m Affine) angle(a float64) float64 {
	x, y := m.direction(a)
	return math.Atan2(y, x)
}

// height is by how much what stands across a direction becomes longer.
func (m Affine) height(a float64) float64 { return math.Hypot(m.direction(a + math.Pi/2)) }
