package drawing

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
)

// Tolerance is the distance, in metres, up to which two ends of lines are the same point.
const Tolerance = 0.01

// Part is a set of shapes that are connected: lines whose ends meet.
type Part struct {
	// Ring is its outer edge, counter-clockwise; nil if none of its lines form a closed one.
	Ring   orb.Ring
	Shapes []*Shape
	Points orb.LineString // of all its shapes
	// Loose lists the ends of lines that meet no other line.
	Loose []End
}

// End is an end of a shape's line.
type End struct {
	At   orb.Point
	From Source
}

// web is the graph of the lines of some shapes: points, and the segments between them. Points within Tolerance of each
// other are one.
type web struct {
	at    []orb.Point
	cells map[[2]int64][]int32
	drawn map[[2]int32]bool
	next  [][]spoke // of every point
	owner []int32   // of every point, another of the same part (union-find)
}

// spoke is a segment as seen from one of its ends.
type spoke struct {
	to    int32
	shape int32
	angle float64
}

// piece adds the segment between two points, unless it is there already.
func (w *web) piece(a, b, shape int32) {
	key := [2]int32{min(a, b), max(a, b)}
	if a == b || w.drawn[key] {
		return
	}
	w.drawn[key] = true
	w.next[a] = append(w.next[a], spoke{b, shape, w.angle(a, b)})
	w.next[b] = append(w.next[b], spoke{a, shape, w.angle(b, a)})
	if a, b = w.root(a), w.root(b); a != b {
		w.owner[max(a, b)] = min(a, b)
	}
}

func (w *web) angle(a, b int32) float64 {
	return math.Atan2(w.at[b][1]-w.at[a][1], w.at[b][0]-w.at[a][0])
}

// node returns the number of the point within Tolerance of p, a new one if there is none.
func (w *web) node(p orb.Point) int32 {
	x, y := int64(math.Floor(p[0]/Tolerance)), int64(math.Floor(p[1]/Tolerance))
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			for _, n := range w.cells[[2]int64{x + dx, y + dy}] {
				if planar.Distance(w.at[n], p) <= Tolerance {
					return n
				}
			}
		}
	}
	n := int32(len(w.at))
	w.at = append(w.at, p)
	w.next = append(w.next, nil)
	w.owner = append(w.owner, n)
	key := [2]int64{x, y}
	w.cells[key] = append(w.cells[key], n)
	return n
}

// root returns the point that identifies the part to which a point belongs.
func (w *web) root(n int32) int32 {
	for w.owner[n] != n {
		w.owner[n] = w.owner[w.owner[n]]
		n = w.owner[n]
	}
	return n
}

// Parts divides shapes into connected parts, in the order of their first shapes: shapes are connected where corners of
// their lines, not only ends, lie within Tolerance of each other. Lines that cross between corners are not connected.
func Parts(shapes []*Shape) []Part {
	w := &web{cells: map[[2]int64][]int32{}, drawn: map[[2]int32]bool{}}
	first := make([]int32, len(shapes))
	for i, s := range shapes {
		at := w.node(s.Points[0])
		first[i] = at
		for _, p := range s.Points[1:] {
			to := w.node(p)
			w.piece(at, to, int32(i))
			at = to
		}
	}
	number := map[int32]int{}
	var out []Part
	for i, s := range shapes {
		root := w.root(first[i])
		n, ok := number[root]
		if !ok {
			n = len(out)
			number[root] = n
			out = append(out, Part{})
		}
		out[n].Shapes = append(out[n].Shapes, s)
		out[n].Points = append(out[n].Points, s.Points...)
	}
	nodes := make([][]int32, len(out))
	for n := range w.at {
		if i, ok := number[w.root(int32(n))]; ok {
			nodes[i] = append(nodes[i], int32(n))
		}
	}
	for i := range out {
		for _, n := range nodes[i] {
			if len(w.next[n]) == 1 {
				out[i].Loose = append(out[i].Loose, End{w.at[n], shapes[w.next[n][0].shape].From})
			}
		}
		out[i].Ring = w.edge(nodes[i])
	}
	return out
}

// prune removes segments that lead to a dead end, and sorts the segments at each point by their angle.
func (w *web) prune(nodes []int32) {
	left := map[int32]int{}
	open := slices.Clone(nodes)
	for _, n := range nodes {
		left[n] = len(w.next[n])
	}
	for len(open) > 0 {
		n := open[len(open)-1]
		open = open[:len(open)-1]
		if left[n] != 1 {
			continue
		}
		left[n] = 0
		for _, s := range w.next[n] {
			if left[s.to] > 0 {
				left[s.to]--
				open = append(open, s.to)
			}
		}
	}
	for _, n := range nodes {
		w.next[n] = slices.DeleteFunc(w.next[n], func(s spoke) bool { return left[n] == 0 || left[s.to] == 0 })
		slices.SortFunc(w.next[n], compareSpokes)
	}
}

func compareSpokes(a, b spoke) int {
	return cmp.Or(cmp.Compare(a.angle, b.angle), cmp.Compare(a.to, b.to))
}

// edge returns the outer edge of a part, counter-clockwise: from its lowest point on, always along the rightmost
// segment. It returns nil if no closed line is left after pruning.
func (w *web) edge(nodes []int32) orb.Ring {
	w.prune(nodes)
	start, pieces := int32(-1), 0
	for _, n := range nodes {
		pieces += len(w.next[n])
		if len(w.next[n]) > 0 && (start < 0 ||
			cmp.Or(cmp.Compare(w.at[n][1], w.at[start][1]), cmp.Compare(w.at[n][0], w.at[start][0])) < 0) {
			start = n
		}
	}
	if start < 0 {
		return nil
	}
	// All angles at the lowest point are from 0 to a half turn: the first piece is the rightmost.
	first := w.next[start][0].to
	ring := orb.Ring{w.at[start]}
	for from, at := start, first; len(ring) <= pieces; {
		to := w.rightmost(from, at)
		if at == start && to == first {
			break
		}
		ring = append(ring, w.at[at])
		from, at = at, to
	}
	ring = append(ring, w.at[start])
	if len(ring) < 4 || math.Abs(planar.Area(ring)) < 1e-6 {
		return nil
	}
	if ring.Orientation() == orb.CW {
		ring.Reverse()
	}
	return ring
}

// rightmost returns the next point after `at` along the rightmost segment, as seen when coming from `from`; it goes
// back only where there is no other segment.
func (w *web) rightmost(from, at int32) int32 {
	all := w.next[at]
	i, _ := slices.BinarySearchFunc(all, spoke{to: from, angle: w.angle(at, from)}, compareSpokes)
	return all[(i+1)%len(all)].to
}

// Hull returns the convex hull of points, counter-clockwise (Andrew's monotone chain). For points on one line it is a
// strip as wide as Tolerance. The points are not changed; there has to be one.
func Hull(points orb.LineString) orb.Ring {
	p := slices.Clone(points)
	slices.SortFunc(p, func(a, b orb.Point) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	p = slices.Compact(p)
	half := func(seq orb.LineString) orb.LineString {
		var out orb.LineString
		for _, c := range seq {
			for len(out) > 1 && cross(out[len(out)-2], out[len(out)-1], c) <= 1e-12 {
				out = out[:len(out)-1]
			}
			out = append(out, c)
		}
		return out
	}
	lower := half(p)
	slices.Reverse(p)
	upper := half(p)
	ring := orb.Ring(append(lower[:max(len(lower)-1, 0)], upper...))
	if len(ring) < 4 || planar.Area(ring) < 1e-6 {
		b := points.Bound()
		if len(p) < 2 || b.Max[0]-b.Min[0] < Tolerance || b.Max[1]-b.Min[1] < Tolerance {
			return b.Pad(Tolerance / 2).ToRing()
		}
		return Strip(p[len(p)-1], p[0], Tolerance)
	}
	return ring
}

// cross returns the cross product of b-a and c-b: positive if c lies to the left of the line from a to b.
func cross(a, b, c orb.Point) float64 {
	return float64((b[0]-a[0])*(c[1]-a[1])) - float64((b[1]-a[1])*(c[0]-a[0]))
}

// Strip returns the rectangle around the segment from a to b, of the given width in metres.
func Strip(a, b orb.Point, width float64) orb.Ring {
	l := planar.Distance(a, b)
	x, y := -(b[1]-a[1])/l*width/2, (b[0]-a[0])/l*width/2
	return orb.Ring{
		{a[0] - x, a[1] - y}, {b[0] - x, b[1] - y}, {b[0] + x, b[1] + y}, {a[0] + x, a[1] + y}, {a[0] - x, a[1] - y},
	}
}
