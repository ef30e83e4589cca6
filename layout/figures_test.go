package layout

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/internal/golden"
)

// area is a part of the floor from x0, y0 on, w wide and d deep.
func area(x0, y0, w, d float64) orb.Polygon {
	return orb.Bound{Min: orb.Point{x0, y0}, Max: orb.Point{x0 + w, y0 + d}}.ToPolygon()
}

// usual are racks and aisles whose sums can be distinguished.
func usual(rows, perRow int) RoomSpec {
	return RoomSpec{
		Rows: rows, PerRow: perRow, Rack: RackType{Units: 42, Width: 0.6, Depth: 1.1, Height: 2, Base: 0.05},
		Cold: 1.3, Hot: 0.9, Margin: 0.7, Alternate: true,
		Trays: TraySpec{Height: 2.4, Width: 0.3},
	}
}

// figureRooms are rooms that together use everything that a spec may state.
func figureRooms() map[string]RoomSpec {
	wide := RackType{Units: 48, Width: 0.8, Depth: 1.3, Height: 2.2, Name: "wide"}
	turned, straight := true, false
	with := func(s RoomSpec, change func(*RoomSpec)) RoomSpec {
		change(&s)
		return s
	}
	return map[string]RoomSpec{
		"plain":  usual(3, 4),
		"facing": with(usual(4, 3), func(s *RoomSpec) { s.Alternate = false }),
		"gaps": with(usual(2, 7), func(s *RoomSpec) {
			s.Gaps = []Gap{{2, 1.1}, {5, 0.9}}
		}),
		"long": usual(2, 43),
		"walls": with(usual(0, 0), func(s *RoomSpec) {
			s.Width, s.Depth = 7.33, 8.9
			s.Doors = []Door{
				{Name: "south", Wall: South, At: 1, Width: 1, Clear: 1.2},
				{Name: "east", Wall: East, At: 2.5, Width: 1.2, Clear: 0.9, Layer: "doors"},
				{Name: "north", Wall: North, At: 4, Width: 0.9, Clear: 1},
				{Name: "west", Wall: West, At: 6, Width: 0.8, Clear: 1.1},
			}
		}),
		"columns": with(usual(3, 12), func(s *RoomSpec) {
			s.KeepOuts = []KeepOut{
				{Name: "c1", Why: Column, Area: area(3.2, 3.3, 0.5, 0.4), Layer: "columns"},
				{Name: "c2", Why: Column, Area: area(6.1, 1.1, 0.4, 0.4)},
				{Name: "cooler", Why: KeptFree, Area: area(7.0, 5.6, 1, 0.9), Height: 2.6, Clearance: 0.2},
				{Name: "low", Why: KeptFree, Area: area(0, 0, 1, 1), Height: 1},
			}
			s.Trays.Unused = true
		}),
		"halls": with(usual(4, 5), func(s *RoomSpec) {
			s.Halls = []Hall{{Name: "one", Rows: 2}, {Name: "two", Rows: 1, Distance: 4}, {
				Name: "up", Rows: 1,
				Distance: 3, Floor: 4.5,
			}}
			s.Trays.Levels = []TrayLevel{{Name: "copper", Height: 2.3, Width: 0.3}, {
				Name: "fibre", Height: 2.6,
				Cross: []int{1, 4},
			}}
			s.Trays.Paths = []TrayPath{
				{Name: "riser", From: Position{1, 2}, To: Position{3, 4}, Length: 9.5},
				{Name: "bridge", From: Position{0, 5}, To: Position{2, 1}, Levels: []int{1}},
			}
		}),
		"listed": with(usual(5, 6), func(s *RoomSpec) {
			s.Types = []RackType{wide}
			s.List = []RowSpec{
				{Racks: 6, Reserved: []Stretch{{2, 3}}, For: "cooling"},
				{Name: "R12", Racks: 4, X: at(1.5), Types: []TypeStretch{{Stretch{2, 3}, 1}}},
				{Racks: 5, Y: at(6.5), Turned: &turned},
				{Racks: 3, X: at(2.1), Turned: &straight, Types: []TypeStretch{{Stretch{1, 1}, 1}}},
				{Name: "Z", Racks: 4, Stand: []Standing{
					{Left: 0.9}, {Left: 1.5, Off: 0.2}, {Left: 2.7, Reserved: true, For: "CDU"}, {Left: 3.3, Off: -0.1},
				}},
			}
		}),
		"single": usual(1, 1),
	}
}

// describe writes everything that a room says.
func describe(b *strings.Builder, r *Room) {
	s := &r.Spec
	fmt.Fprintf(b, "rows %d, per row %d, spare %v, bound %.4f\n", s.Rows, s.PerRow, s.Spare, r.Bound)
	for i := range r.Rows {
		row := &r.Rows[i]
		fmt.Fprintf(b,
			"row %s: hall %d, z %.4f, y %.4f (%.4f to %.4f, %.4f deep), x %.4f to %.4f, turned %v, bearing %.4f\n",
			row.Name, row.Hall, row.Z, row.Y, row.Y0, row.Y1, row.Depth, row.X0, row.X1, row.Turned, r.BearingDepth(i))
		fmt.Fprintf(b, "  racks %v, left %.4f, ladder %.4f, gaps before %v\n", row.Position, row.Left, row.Ladder,
			s.GapsBefore(i))
		for n := range len(row.Left) {
			p := r.At(i, n+1)
			fmt.Fprintf(b, "  %s: %.4f %.4f, type %d %q, number %d, kept for %q, boundary %.4f\n", r.PositionName(i,
				n+1),
				p.X, p.Y, p.Type, s.TypeAt(i, n+1).Name, r.PositionNumber(i, n+1), s.KeptFor(i, n+1), r.boundary(i,
					n+1))
		}
	}
	for i, p := range r.Places {
		fmt.Fprintf(b, "%s: %+v on %.4f, floor %.4f, type %q\n", r.Name(i), p, p.Footprint(*r.Type(int32(i))),
			r.Trays.Floor(int32(i)), r.Type(int32(i)).Name)
	}
	fmt.Fprintf(b, "lost %v\naisles %v\nsupply %+v\n", r.Lost, aislesOf(r), r.Supply())
	supply := r.Supply()
	fmt.Fprintf(b, "%s, tallest %d\n", supply.Words(), s.Tallest())
	t := r.Trays
	for l := range t.Levels {
		fmt.Fprintf(b, "trays %s: %.4f in all, crosses %.4f, obstructed %v, as level 0 %v, %d nodes\n",
			t.Levels[l].Name,
			t.Length(l), t.Crosses(l), t.IsObstructed(l), t.SamePlan(0, l), t.Graph(l).Nodes().Len())
	}
	fmt.Fprintf(b, "connected %v\n", t.IsConnected())
	for n := range int32(t.Pieces()) {
		p := t.Piece(n)
		fmt.Fprintf(b, "%d: level %d, %s, %.4f to %.4f, %.4f, laid %v: %s\n", n, p.Level, p.Name, p.From, p.To,
			p.Length,
			t.IsLaid(n), t.DescribeRun(n, n))
	}
	router := t.NewRouter()
	for l := range t.Levels {
		for a := range int32(len(r.Places)) {
			for c := range int32(len(r.Places)) {
				if (a*31+c*17)%7 != 0 && len(r.Places) > 6 { // a seventh is enough
					continue
				}
				way := t.Route(l, a, c)
				priced, cost := router.Route(l, a, c, func(piece int32) int64 { return int64(piece*7%11 + 1) })
				fmt.Fprintf(b, "level %d, %d to %d: %.4f (%.4f), %v %v, corners %.4f; for %d by %v\n", l, a, c,
					t.DistanceOn(l, a, c), t.Distance(a, c), way, t.Describe(way),
					t.Follow(nil, way, Point{r.Places[a].X, r.Places[a].Y, 0}), cost, priced)
			}
		}
	}
}

// TestFiguresOfRooms compares everything that some rooms say with files. Twins say that it is right, in the tests
// beside this one; the files notice that something changes.
func TestFiguresOfRooms(t *testing.T) {
	for name, s := range figureRooms() {
		t.Run(name, func(t *testing.T) {
			s, err := s.Fit()
			if err != nil {
				t.Fatal(err)
			}
			r, err := NewRoom(s.Complete())
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			describe(&b, r)
			if name == "long" { // of whose many places the first part is enough
				text := b.String()
				b.Reset()
				b.WriteString(text[:20_000])
			}
			golden.Compare(t, "rooms/"+name+".txt", b.String())
		})
	}
}

// TestPlainRoomByHand: three rows of four racks of 0.6 m x 1.1 m with 0.7 m around them; A faces north and B south,
// over
// a cold aisle of 1.3 m, behind B is a hot aisle of 0.9 m.
func TestPlainRoomByHand(t *testing.T) {
	s := usual(3, 4)
	r, err := NewRoom(s.Complete())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		y0, y, y1 float64
		turned    bool
		bearing   float64
	}{
		{0.7, 1.25, 1.8, true, 0.65 + 1.1 + 0.65},  // before it the wall: half of the wider aisle, of the 0.7 m there
		{3.1, 3.65, 4.2, false, 0.65 + 1.1 + 0.45}, // 1.8 + 1.3
		{5.1, 5.65, 6.2, true, 0.45 + 1.1 + 0.65},  // 4.2 + 0.9
	} {
		row := &r.Rows[i]
		for _, c := range [][2]float64{
			{float64(row.Y0), want.y0},
			{float64(row.Y), want.y},
			{float64(row.Y1), want.y1},
			{float64(row.X0), 0.7},
			{float64(row.X1), 0.7 + 4*0.6},
			{float64(r.BearingDepth(i)), want.bearing},
		} {
			if math.Abs(c[0]-c[1]) > 1e-9 {
				t.Errorf("row %s: %v, expected %v (of %+v)", row.Name, c[0], c[1], row)
			}
		}
		if row.Turned != want.turned {
			t.Errorf("row %s is turned %v", row.Name, row.Turned)
		}
	}
	// Trays: three rows of 2.4 m, and cross trays at both ends from y 1.25 to 5.65.
	if got := float64(r.Trays.Length(0)); math.Abs(got-(3*2.4+2*4.4)) > 1e-9 {
		t.Errorf("%v of trays, expected 16 m", got)
	}
	// From A01 to C02: 0.3 m back to the cross tray at the lower end, 4.4 m along it, and 0.9 m to the second rack.
	// From
	// A02 to B03: by either end 0.9 + 2.4 + 1.5 m.
	for _, c := range []struct {
		a, b int32
		want float64
	}{{0, 9, 0.3 + 4.4 + 0.9}, {1, 6, 0.9 + 2.4 + 1.5}, {0, 3, 1.8}, {3, 11, 0.3 + 4.4 + 0.3}, {2, 2, 0}} {
		if got := float64(r.Trays.Distance(c.a, c.b)); math.Abs(got-c.want) > 1e-4 {
			t.Errorf("%s to %s: %v, expected %v", r.Name(int(c.a)), r.Name(int(c.b)), got, c.want)
		}
	}
	if b := r.Bound.Max; math.Abs(b[0]-3.8) > 1e-9 || math.Abs(b[1]-6.9) > 1e-9 {
		t.Errorf("the floor ends at %v, expected 3.8, 6.9", b)
	}
}

// aislesOf are the aisles of a room, each with its kind and its floor.
func aislesOf(r *Room) (out []struct {
	Cold  bool
	Bound orb.Bound
},
) {
	for _, a := range r.Aisles {
		out = append(out, struct {
			Cold  bool
			Bound orb.Bound
		}{a.Cold, a.Bound})
	}
	return out
}
