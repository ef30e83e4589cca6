package layout

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/units"
)

// drawHalls draws a room of halls with walls, and paths through openings between them.
func drawHalls(t *rapid.T) RoomSpec {
	s := RoomSpec{
		Rack: RackType{Units: 42, Width: 0.6, Depth: 1.2}, Cold: 1.2, Hot: 0.9, Alternate: true, Margin: 1,
		PerRow: rapid.IntRange(1, 5).Draw(t, "racks"),
		Trays:  TraySpec{Height: 2.5, Cross: []int{0}},
	}
	if rapid.Bool().Draw(t, "second cross tray") {
		s.Trays.Cross = append(s.Trays.Cross, s.PerRow)
	}
	millimetres := func(name string, least, most int) units.Length {
		return units.Length(rapid.IntRange(least, most).Draw(t, name)) / 1000
	}
	for range rapid.IntRange(2, 4).Draw(t, "halls") {
		h := Hall{
			Name: fmt.Sprint("hall ", len(s.Halls)), Rows: rapid.IntRange(1, 3).Draw(t, "rows"),
			Width: millimetres("width", 5000, 9000), Depth: millimetres("depth", 8000, 11000),
			Floor: units.Length(rapid.IntRange(0, 2).Draw(t, "floor")) * 4,
		}
		if len(s.Halls) > 0 {
			h.Distance = millimetres("distance", 0, 3000)
		}
		s.Halls, s.Rows = append(s.Halls, h), s.Rows+h.Rows
	}
	opening := func(hall int) *Opening {
		h := &s.Halls[hall]
		o := &Opening{
			Hall: hall, X: millimetres("x", 0, int(h.Width*1000)), Y: millimetres("y", 0, int(h.Depth*1000)),
		}
		switch rapid.IntRange(0, 4).Draw(t, "wall") {
		case 0:
			o.X = 0
		case 1:
			o.X = h.Width
		case 2:
			o.Y = 0
		case 3:
			o.Y = h.Depth
		}
		return o
	}
	for i := range rapid.IntRange(0, 5).Draw(t, "paths") {
		from := rapid.IntRange(0, len(s.Halls)-1).Draw(t, "from")
		to := (from + rapid.IntRange(1, len(s.Halls)-1).Draw(t, "to")) % len(s.Halls)
		p := TrayPath{Name: fmt.Sprint("P", i), Openings: [2]*Opening{opening(from), opening(to)}}
		if rapid.Bool().Draw(t, "stated") {
			p.Length = millimetres("length", 1, 20000)
		}
		s.Trays.Paths = append(s.Trays.Paths, p)
	}
	return s
}

// walkLengths returns the lengths of the shortest routes between all places of a room of halls, from the figures of
// the spec alone: points of the rows' trays every millimetre that matters, edges between neighbours, and Floyd and
// Warshall.
func walkLengths(s *RoomSpec, places []Place) [][]float64 {
	type point struct {
		hall, row int
		x, y      float64
	}
	var points []point
	south, row := 0.0, 0
	var souths []float64
	wide := float64(s.PerRow) * float64(s.Rack.Width)
	left := float64(s.Margin)
	xs := []float64{left, left + wide}
	for k := range s.PerRow {
		xs = append(xs, left+(float64(k)+0.5)*float64(s.Rack.Width))
	}
	for _, p := range s.Trays.Paths {
		for _, o := range p.Openings {
			xs = append(xs, math.Max(left, math.Min(float64(o.X), left+wide)))
		}
	}
	slices.Sort(xs)
	for i, h := range s.Halls {
		if i > 0 {
			south += float64(h.Distance)
		}
		souths = append(souths, south)
		y := south + float64(s.Margin) + float64(s.Rack.Depth)/2
		for k := range h.Rows {
			if k > 0 {
				y += float64(s.Rack.Depth) + []float64{float64(s.Hot), float64(s.Cold)}[k%2]
			}
			for _, x := range xs {
				points = append(points, point{i, row, x, y})
			}
			row++
		}
		south += float64(h.Depth)
	}
	d := make([][]float64, len(points))
	for i := range d {
		d[i] = make([]float64, len(points))
		for j := range d[i] {
			a, b := points[i], points[j]
			onCross := slices.ContainsFunc(s.Trays.Cross, func(c int) bool {
				at := left + float64(c)*float64(s.Rack.Width)
				return math.Abs(a.x-at) < 1e-9 && math.Abs(b.x-at) < 1e-9
			})
			d[i][j] = math.Inf(1)
			if a.row == b.row || a.hall == b.hall && onCross {
				d[i][j] = math.Abs(a.x-b.x) + math.Abs(a.y-b.y)
			}
		}
	}
	for _, p := range s.Trays.Paths {
		var ends [2]int
		var legs [2]float64
		for k, o := range p.Openings {
			legs[k] = math.Inf(1)
			for i, q := range points {
				to := math.Abs(q.x-float64(o.X)) + math.Abs(q.y-souths[o.Hall]-float64(o.Y))
				if q.hall == o.Hall && to < legs[k]-1e-6 {
					legs[k], ends[k] = to, i
				}
			}
		}
		a, b := p.Openings[0], p.Openings[1]
		between := math.Abs(float64(s.Halls[a.Hall].Floor - s.Halls[b.Hall].Floor))
		switch {
		case p.Length > 0:
			between = float64(p.Length)
		case between == 0:
			between = math.Abs(float64(a.X-b.X)) + math.Abs(souths[a.Hall]+float64(a.Y)-souths[b.Hall]-float64(b.Y))
		}
		at := legs[0] + between + legs[1]
		i, j := ends[0], ends[1]
		d[i][j], d[j][i] = math.Min(d[i][j], at), math.Min(d[j][i], at)
	}
	for k := range d {
		for i := range d {
			for j := range d {
				d[i][j] = math.Min(d[i][j], d[i][k]+d[k][j])
			}
		}
	}
	of := func(p Place) int {
		return slices.IndexFunc(points, func(q point) bool {
			return q.row == p.Row && math.Abs(q.x-float64(p.X)) < 1e-9
		})
	}
	out := make([][]float64, len(places))
	for i := range places {
		for j := range places {
			out[i] = append(out[i], d[of(places[i])][of(places[j])])
		}
	}
	return out
}

func TestRoutesThroughOpenings(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawHalls(t)
		r, err := NewRoom(s)
		if err != nil {
			t.Fatal(err)
		}
		want := walkLengths(&s, r.Places)
		names := map[string]int32{}
		for piece := range int32(r.Trays.Pieces()) {
			name := r.Trays.DescribeRun(piece, piece)
			if other, again := names[name]; again && r.Trays.Piece(piece).Name != r.Trays.Piece(other).Name {
				t.Fatalf("pieces %d and %d are both called %s", piece, other, name)
			}
			names[name] = piece
		}
		for a := range int32(len(r.Places)) {
			for b := range int32(len(r.Places)) {
				got, way := float64(r.Trays.DistanceOn(0, a, b)), r.Trays.Route(0, a, b)
				if w := want[a][b]; got != w && math.Abs(got-w) > 1e-3 {
					t.Fatalf("%s to %s: %v, want %v", r.Name(int(a)), r.Name(int(b)), got, w)
				}
				if math.IsInf(got, 1) {
					if way != nil {
						t.Fatalf("%s to %s: a way, and no distance", r.Name(int(a)), r.Name(int(b)))
					}
					continue
				}
				sum := 0.0
				for _, leg := range way {
					leg.Pieces(func(piece int32) { sum += float64(r.Trays.Piece(piece).Length) })
				}
				if math.Abs(sum-got) > 1e-3 {
					t.Fatalf("%s to %s: pieces of %v, a distance of %v", r.Name(int(a)), r.Name(int(b)), sum, got)
				}
			}
		}
	})
}

// TestRiser works out by hand a way from a hall to the one above it.
func TestRiser(t *testing.T) {
	s := RoomSpec{
		Rack: RackType{Units: 42, Width: 0.6, Depth: 1.2}, Cold: 1.2, Hot: 1, Margin: 1, Rows: 2, PerRow: 4,
		Halls: []Hall{{Name: "ground", Rows: 1, Width: 5, Depth: 4}, {
			Name: "upper", Rows: 1, Width: 6, Depth: 4, Distance: 2, Floor: 4.5,
			Doors: []Door{{Wall: South, At: 1, Width: 1.2, Clear: 1.2}},
		}},
		Trays: TraySpec{Height: 2.5, Cross: []int{0}, Paths: []TrayPath{{
			Name: "riser", Openings: [2]*Opening{{Hall: 0, X: 0.5, Y: 0.6}, {Hall: 1, X: 4.5, Y: 3}},
			Width: 0.3, Height: 0.1,
		}}},
	}
	r, err := NewRoom(s)
	if err != nil {
		t.Fatal(err)
	}
	// Both rows' trays run at 1.6 m from the southern wall, from x = 1 m to 3.4 m; the middle of A01 is at 1.3 m, that
	// of B04, which is to the east, at 3.1 m. Doors keep B01 and B02 away.
	a, b := r.Rows[0].Position[0], r.Rows[1].Position[3]
	const want = 0.3 + 0.5 + 1 + 4.5 + 1.4 + 1.1 + 0.3
	if got := r.Trays.Distance(a, b); math.Abs(float64(got)-want) > 1e-6 {
		t.Errorf("%v, want %v", got, want)
	}
	if r.Rows[1].Position[0] >= 0 || r.Rows[1].Position[1] >= 0 || r.Rows[1].Position[2] < 0 {
		t.Errorf("racks at %v of a row with a door before the first two", r.Rows[1].Position)
	}
	if f := s.Floors(); f[1].Bound.Min[1] != 6 || f[1].Bound.Max[1] != 10 || r.Bound.Max != f[1].Bound.Max {
		t.Errorf("floors %v in a room of %v", f, r.Bound)
	}
	var legs []string
	for piece := range int32(r.Trays.Pieces()) {
		if name := r.Trays.DescribeRun(piece, piece); strings.HasPrefix(name, "riser") {
			w, h := r.Trays.Clear(piece)
			legs = append(legs, fmt.Sprint(name, " ", r.Trays.Piece(piece).Length.Round4(), " ", w, " ", h))
		}
	}
	if got, want := strings.Join(legs, "; "), "riser to row A 0.5 m 0 m 0 m; riser to row A 1 m 0 m 0 m; "+
		"riser 4.5 m 0.3 m 0.1 m; riser to row B 1.4 m 0 m 0 m; riser to row B 1.1 m 0 m 0 m"; got != want {
		t.Errorf("pieces\n%s\nwant\n%s", got, want)
	}
	for want, change := range map[string]func(*RoomSpec){
		"Halls[1].Width: hall upper: no rack": func(s *RoomSpec) { s.Halls[1].Width = 2 },
		"Halls[1].Depth: hall upper: no row":  func(s *RoomSpec) { s.Halls[1].Depth = 3 },
		"PerRow: hall ground: 6 racks":        func(s *RoomSpec) { s.PerRow = 6 },
		"Trays.Paths[0].To: both ends are in hall ground": func(s *RoomSpec) {
			s.Trays.Paths[0].Openings[1] = &Opening{Hall: 0}
		},
		"Trays.Paths[0].From: x 7 m, y 0 m is outside hall ground": func(s *RoomSpec) {
			s.Trays.Paths[0].Openings[0] = &Opening{X: 7}
		},
		"Trays.Paths[0]: the tray from the opening to row A runs through the column": func(s *RoomSpec) {
			s.KeepOuts = []KeepOut{{Why: Column, Area: orb.Bound{
				Min: FloorPoint(0.4, 0.9), Max: FloorPoint(0.6, 1.1),
			}.ToPolygon()}}
		},
	} {
		s := s
		s.Halls, s.Trays.Paths = slices.Clone(s.Halls), slices.Clone(s.Trays.Paths)
		change(&s)
		if _, err := NewRoom(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	s.PerRow = 0
	if fitting, err := s.Fit(); err != nil || fitting.PerRow != 5 {
		t.Errorf("%d racks in a row, %v; want the 5 of the narrower hall", fitting.PerRow, err)
	}
}
