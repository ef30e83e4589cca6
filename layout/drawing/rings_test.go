package drawing

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
)

func line(points ...float64) *Shape {
	s := &Shape{}
	for i := 0; i < len(points); i += 2 {
		s.Points = append(s.Points, orb.Point{points[i], points[i+1]})
	}
	return s
}

// TestPartsFindEdges joins lines that were drawn one by one, in any direction, with what hangs on them.
func TestPartsFindEdges(t *testing.T) {
	for _, c := range []struct {
		name   string
		shapes []*Shape
		areas  []float64 // of the parts, 0 for open ones
		loose  int
	}{
		{"a rectangle of four lines", []*Shape{
			line(0, 0, 4, 0), line(4, 3, 4, 0), line(4, 3, 0, 3), line(0, 3, 0, 0),
		}, []float64{12}, 0},
		{"drawn twice", []*Shape{
			line(0, 0, 4, 0, 4, 3, 0, 3, 0, 0), line(0, 0, 4, 0), line(4, 3, 4, 0),
		}, []float64{12}, 0},
		{"with a wall inside and one that leads nowhere", []*Shape{
			line(0, 0, 2, 0, 4, 0, 4, 3, 2, 3, 0, 3, 0, 0), line(2, 0, 2, 3), line(4, 3, 9, 9),
		}, []float64{12}, 1},
		{"ends 8 mm apart", []*Shape{line(0, 0, 4, 0, 4, 3, 0, 3, 0, 0.008)}, []float64{12}, 0},
		{"ends 30 mm apart", []*Shape{line(0, 0, 4, 0, 4, 3, 0, 3, 0, 0.03)}, []float64{0}, 2},
		{"two that touch in a corner", []*Shape{
			line(0, 0, 1, 0, 1, 1, 0, 1, 0, 0), line(1, 1, 2, 1, 2, 2, 1, 2, 1, 1),
		}, []float64{2}, 0},
		{"two apart", []*Shape{
			line(0, 0, 1, 0, 1, 1, 0, 1, 0, 0), line(3, 1, 4, 1, 4, 2, 3, 2, 3, 1),
		}, []float64{1, 1}, 0},
		{"a star", []*Shape{line(0, 0, 1, 0), line(0, 0, 0, 1), line(0, 0, -1, 0)}, []float64{0}, 3},
	} {
		parts := Parts(c.shapes)
		if len(parts) != len(c.areas) {
			t.Errorf("%s: %d parts", c.name, len(parts))
			continue
		}
		loose := 0
		for i, p := range parts {
			loose += len(p.Loose)
			got := 0.0
			if p.Ring != nil {
				if got = planar.Area(p.Ring); p.Ring[0] != p.Ring[len(p.Ring)-1] {
					t.Errorf("%s: the ring %v is open", c.name, p.Ring)
				}
			}
			if math.Abs(got-c.areas[i]) > 0.02 {
				t.Errorf("%s: area %v, not %v: %v", c.name, got, c.areas[i], p.Ring)
			}
		}
		if loose != c.loose {
			t.Errorf("%s: %d loose ends, not %d", c.name, loose, c.loose)
		}
	}
}

func TestHull(t *testing.T) {
	for _, c := range []struct {
		points orb.LineString
		area   float64
	}{
		{orb.LineString{{0, 0}, {2, 0}, {1, 0.5}, {2, 2}, {0, 2}, {1, 1}}, 4},
		{orb.LineString{{0, 0}, {3, 4}}, 5 * Tolerance},
		{orb.LineString{{0, 0}, {5, 0}}, (5 + Tolerance) * Tolerance},
		{orb.LineString{{1, 1}, {1, 1}}, Tolerance * Tolerance},
	} {
		if got := planar.Area(Hull(c.points)); math.Abs(got-c.area) > 1e-9 {
			t.Errorf("the hull of %v has %v, not %v", c.points, got, c.area)
		}
	}
}
