package solid

import (
	"math"

	"github.com/plenum-planner/plenum/layout"
)

// mesh is triangles of one material, with the axes of the model.
type mesh struct {
	kind    Kind
	points  [][3]float64
	normals [][3]float64
	indices []uint32
}

// meshes are the triangles of a shape, those of one kind together.
func (s *Shape) meshes() []mesh {
	var out []mesh
	at := map[Kind]int{}
	for i := range s.Parts {
		p := &s.Parts[i]
		n, known := at[p.Kind]
		if !known {
			n = len(out)
			at[p.Kind] = n
			out = append(out, mesh{kind: p.Kind})
		}
		if p.Ring != nil {
			out[n].prism(p)
		} else {
			out[n].block(p.Lo, p.Hi)
		}
	}
	return out
}

// face adds a flat polygon of which its corners go anticlockwise as seen from outside; its first four span it.
func (m *mesh) face(normal [3]float64, corners ...[3]float64) {
	first := uint32(len(m.points))
	for i, p := range corners {
		m.points, m.normals = append(m.points, p), append(m.normals, normal)
		if i > 1 {
			m.indices = append(m.indices, first, first+uint32(i)-1, first+uint32(i))
		}
	}
}

// block adds the six faces of a block.
func (m *mesh) block(lo, hi [3]float64) {
	for a := range 3 { // the face's axis
		o, p := (a+1)%3, (a+2)%3
		for _, end := range []bool{false, true} {
			var c [4][3]float64
			for i := range 4 {
				c[i] = lo
				if i == 1 || i == 2 {
					c[i][o] = hi[o]
				}
				if i >= 2 {
					c[i][p] = hi[p]
				}
				if end {
					c[i][a] = hi[a]
				}
			}
			var normal [3]float64
			if normal[a] = 1; !end {
				normal[a] = -1
				c[1], c[3] = c[3], c[1]
			}
			m.face(normal, c[:]...)
		}
	}
}

// prism adds an upright prism.
func (m *mesh) prism(p *Part) {
	n := len(p.Ring)
	for i, a := range p.Ring {
		b := p.Ring[(i+1)%n]
		length := math.Hypot(b[0]-a[0], b[1]-a[1])
		if length == 0 {
			continue
		}
		m.face([3]float64{(b[1] - a[1]) / length, (a[0] - b[0]) / length, 0},
			[3]float64{a[0], a[1], p.Lo[2]}, [3]float64{b[0], b[1], p.Lo[2]},
			[3]float64{b[0], b[1], p.Hi[2]}, [3]float64{a[0], a[1], p.Hi[2]})
	}
	for _, t := range triangles(p.Ring) {
		a, b, c := p.Ring[t[0]], p.Ring[t[1]], p.Ring[t[2]]
		m.face([3]float64{0, 0, 1}, [3]float64{a[0], a[1], p.Hi[2]}, [3]float64{b[0], b[1], p.Hi[2]},
			[3]float64{c[0], c[1], p.Hi[2]})
		m.face([3]float64{0, 0, -1}, [3]float64{a[0], a[1], p.Lo[2]}, [3]float64{c[0], c[1], p.Lo[2]},
			[3]float64{b[0], b[1], p.Lo[2]})
	}
}

// triangles cuts a simple polygon, anticlockwise, into triangles by its ears: corners whose triangle holds no other
// (G. H. Meisters, "Polygons have ears", American Mathematical Monthly 82, 1975). A polygon that crosses itself is cut
// as far as it has ears.
func triangles(ring [][2]float64) [][3]int {
	left := make([]int, len(ring))
	for i := range left {
		left[i] = i
	}
	var out [][3]int
	for len(left) > 2 {
		found := false
		for i := range left {
			a, b, c := left[(i+len(left)-1)%len(left)], left[i], left[(i+1)%len(left)]
			turn := cross(ring[a], ring[b], ring[c])
			if turn < 0 || turn > 0 && holds(ring, left, a, b, c) {
				continue
			}
			if turn > 0 {
				out = append(out, [3]int{a, b, c})
			}
			left = append(left[:i], left[i+1:]...)
			found = true
			break
		}
		if !found {
			break
		}
	}
	return out
}

// cross is positive where the way from a over b to c turns to the left.
func cross(a, b, c [2]float64) float64 {
	return float64((b[0]-a[0])*(c[1]-b[1])) - float64((b[1]-a[1])*(c[0]-b[0]))
}

// holds reports whether a triangle holds another corner of those that are left.
func holds(ring [][2]float64, left []int, a, b, c int) bool {
	for _, i := range left {
		if i == a || i == b || i == c {
			continue
		}
		q := ring[i]
		if q == ring[a] || q == ring[b] || q == ring[c] {
			continue
		}
		if cross(ring[a], ring[b], q) >= 0 && cross(ring[b], ring[c], q) >= 0 && cross(ring[c], ring[a], q) >= 0 {
			return true
		}
	}
	return false
}

// sides is how many a tube has.
const sides = 6

// tube is a line as a tube with mitred corners and flat ends.
func (l *Line) tube() mesh {
	m := mesh{kind: l.Kind}
	points := vectors(l.Points)
	if len(points) < 2 {
		return m
	}
	radius := float64(l.Diameter) / 2
	along := unit(sub(points[1], points[0]))
	right := unit(aside(along))
	for i, p := range points {
		before := along
		if i > 0 {
			before = unit(sub(p, points[i-1]))
		}
		after := before
		if i+1 < len(points) {
			after = unit(sub(points[i+1], p))
		}
		right = unit(carried(right, along, before))
		along = before
		mitre := unit(add(before, after))
		up := crossed(before, right)
		for k := range sides {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / sides)
			out := add(times(right, cos), times(up, sin))
			at := times(out, radius)
			if d := dot(before, mitre); d > 0.1 { // along the tube, to the plane between its two directions
				at = sub(at, times(before, dot(at, mitre)/d))
			}
			m.points, m.normals = append(m.points, add(p, at)), append(m.normals, out)
		}
	}
	for i := range len(points) - 1 {
		for k := range uint32(sides) {
			a, b := uint32(i*sides)+k, uint32(i*sides)+(k+1)%sides
			m.indices = append(m.indices, a, b, b+sides, a, b+sides, a+sides)
		}
	}
	for _, end := range []int{0, len(points) - 1} {
		var corners [][3]float64
		for k := range sides {
			if end == 0 {
				k = sides - 1 - k
			}
			corners = append(corners, m.points[end*sides+k])
		}
		normal := along
		if end == 0 {
			normal = times(unit(sub(points[1], points[0])), -1)
		}
		m.face(normal, corners...)
	}
	return m
}

// carried turns a vector across one direction into one across the next, without twisting it: by the reflection that
// maps one direction on the other, and another.
func carried(v, from, to [3]float64) [3]float64 {
	if from == to {
		return v
	}
	half := add(from, to)
	if dot(half, half) < 1e-9 { // back the way it came
		return v
	}
	half = unit(half)
	// The rotation from one direction to the other is two reflections, in the planes across from and half.
	v = sub(v, times(from, 2*dot(v, from)))
	return sub(v, times(half, 2*dot(v, half)))
}

// aside is some vector that is not along another.
func aside(v [3]float64) [3]float64 {
	if math.Abs(v[2]) < 0.9 {
		return crossed(v, [3]float64{0, 0, 1})
	}
	return crossed(v, [3]float64{1, 0, 0})
}

func vectors(points []layout.Point) [][3]float64 {
	out := make([][3]float64, len(points))
	for i, p := range points {
		out[i] = [3]float64{float64(p.X), float64(p.Y), float64(p.Z)}
	}
	return out
}

func add(a, b [3]float64) [3]float64 { return [3]float64{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

func sub(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func times(a [3]float64, f float64) [3]float64 {
	return [3]float64{float64(a[0] * f), float64(a[1] * f), float64(a[2] * f)}
}

func dot(a, b [3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

func crossed(a, b [3]float64) [3]float64 {
	return [3]float64{
		float64(a[1]*b[2]) - float64(a[2]*b[1]), float64(a[2]*b[0]) - float64(a[0]*b[2]),
		float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

func unit(a [3]float64) [3]float64 {
	if n := math.Sqrt(dot(a, a)); n > 0 {
		return times(a, 1/n)
	}
	return a
}
