package layout

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/internal/golden"
	"github.com/plenum-planner/plenum/units"
)

// TestLimitsOfRooms lays rooms at their limits and just beyond, and compares what is refused, and how, with a file.
func TestLimitsOfRooms(t *testing.T) {
	var b strings.Builder
	try := func(what string, s RoomSpec) {
		fitted, err := s.Fit()
		if err == nil {
			_, err = NewRoom(fitted.Complete())
		}
		fmt.Fprintf(&b, "%s: rows %d, per row %d, %v\n", what, fitted.Rows, fitted.PerRow, err)
	}
	for _, g := range []int{0, 1, 3, 4} {
		s := usual(2, 4)
		s.Gaps = []Gap{{g, 1}}
		try(fmt.Sprint("gap after ", g, " of 4"), s)
	}
	// Racks of 0.6 m and a margin of 0.7 m: two take 2.6 m, three 3.2 m. Rows of 1.1 m: one takes 2.5 m, two 4.9 m
	// with a
	// cold aisle of 1.3 m, three 6.9 m with a hot one of 0.9 m.
	for _, w := range []units.Length{1.3, 1.9, 1.999999, 1.99999, 2.6, 3.199, 3.2, 3.2000001} {
		s := usual(0, 0)
		s.Width, s.Depth = w, 6.9
		try(fmt.Sprint("width ", float64(w)), s)
		s.PerRow = 2
		try(fmt.Sprint("two racks in ", float64(w)), s)
	}
	for _, d := range []units.Length{1.1, 2.4, 2.5, 4.8, 4.9, 6.899, 6.9, 9.2} {
		s := usual(0, 0)
		s.Width, s.Depth = 3.2, d
		try(fmt.Sprint("depth ", float64(d)), s)
		s.Rows = 2
		try(fmt.Sprint("two rows in ", float64(d)), s)
	}
	for _, n := range []int{19, 20, 21, 40, 41} { // cross-aisles of 1.2 m after 20 and 40 racks
		s := usual(1, n)
		s.Width, s.Depth = units.Length(n)*0.6+1.4, 3
		try(fmt.Sprint(n, " racks wall to wall"), s)
		s.Width += 1.2
		try(fmt.Sprint(n, " racks and a cross-aisle"), s)
	}
	gapped := usual(1, 0)
	gapped.Width, gapped.Depth, gapped.Gaps = 4.1, 3, []Gap{{2, 0.9}}
	try("gap of 0.9 m", gapped)
	listed := func(change func(s *RoomSpec)) RoomSpec {
		s := usual(2, 4)
		s.Types = []RackType{{Units: 48, Width: 0.8, Depth: 1.3}}
		s.List = []RowSpec{{Racks: 4}, {Racks: 3}}
		change(&s)
		return s
	}
	for _, c := range []Stretch{{0, 1}, {1, 3}, {3, 3}, {1, 4}, {3, 2}} {
		try(fmt.Sprint("reserved ", c, " of 3"), listed(func(s *RoomSpec) { s.List[1].Reserved = []Stretch{c} }))
		for _, kind := range []int{-1, 0, 1, 2} {
			try(fmt.Sprint("type ", kind, " at ", c, " of 3"), listed(func(s *RoomSpec) {
				s.List[1].Types = []TypeStretch{{c, kind}}
			}))
		}
	}
	try("types twice", listed(func(s *RoomSpec) {
		s.List[0].Types = []TypeStretch{{Stretch{1, 2}, 1}, {
			Stretch{2, 3},
			1,
		}}
	}))
	try("types side by side", listed(func(s *RoomSpec) {
		s.List[0].Types = []TypeStretch{{Stretch{1, 2}, 1}, {Stretch{3, 3}, 1}}
	}))
	for _, y := range []float64{0.1, 0.7, 5} { // the third row before the first, beside it, or behind the second
		s := listed(func(s *RoomSpec) { s.Rows, s.List = 3, append(s.List, RowSpec{Racks: 2, X: at(9), Y: at(y)}) })
		s.Trays.Unused = true
		try(fmt.Sprint("third row at y ", y), s)
	}
	try("stated", listed(func(s *RoomSpec) { s.List[1].Stand = []Standing{{Left: 1}, {Left: 1.6}} }))
	for _, y := range []float64{1.7, 1.8, 1.9, 3.1} { // behind row A, whose edge is at 1.8 m
		try(fmt.Sprint("second row at y ", y), listed(func(s *RoomSpec) { s.List[1].Y = at(y) }))
		try(fmt.Sprint("second row, behind the racks, at y ", y), listed(func(s *RoomSpec) {
			s.List[1].Y, s.List[1].X = at(y), at(3.1)
		}))
		try(fmt.Sprint("second row, of a deep rack, at y ", y), listed(func(s *RoomSpec) {
			s.List[0].Types = []TypeStretch{{Stretch{2, 2}, 1}}
			s.List[1].Y = at(y + 0.2)
		}))
	}
	for _, size := range [][2]units.Length{{3.8, 5}, {3.7, 5}, {3.8, 4.8}, {3.8, 4.9}} {
		try(fmt.Sprint("listed between walls ", size), listed(func(s *RoomSpec) {
			s.Width, s.Depth = size[0],
				size[1]
		}))
		try(fmt.Sprint("listed at x between walls ", size), listed(func(s *RoomSpec) {
			s.Width, s.Depth = size[0], size[1]
			s.List[1].X, s.List[1].Y = at(2), at(3.8)
		}))
	}
	for _, c := range [][]int{{}, {0}, {4}, {5}, {-1}} {
		s := usual(2, 4)
		s.Trays.Cross = c
		try(fmt.Sprint("cross trays ", c), s)
		s = usual(2, 4)
		s.Trays.Levels = []TrayLevel{{Name: "a", Height: 2}, {Name: "b", Height: 3, Cross: c}}
		try(fmt.Sprint("cross trays of a level ", c), s)
	}
	one := usual(1, 4)
	one.Trays.Cross = []int{}
	try("one row without a cross tray", one)
	for _, p := range []TrayPath{
		{From: Position{0, 1}, To: Position{1, 4}},
		{From: Position{0, 0}, To: Position{1, 4}},
		{From: Position{0, 1}, To: Position{1, 5}},
		{From: Position{-1, 1}, To: Position{1, 4}},
		{From: Position{0, 1}, To: Position{2, 4}},
		{From: Position{1, 1}, To: Position{1, 4}},
	} {
		s := usual(2, 4)
		s.Trays.Paths = []TrayPath{p}
		try(fmt.Sprint("path ", p.From, " to ", p.To), s)
		s.KeepOuts = []KeepOut{{Why: Column, Area: area(1.9, 2.3, 0.2, 0.2)}}
		try(fmt.Sprint("path ", p.From, " to ", p.To, " with a column"), s)
		s.Trays.Paths[0].Length = 9
		try(fmt.Sprint("path ", p.From, " to ", p.To, " around a column"), s)
	}
	for _, size := range [][2]int{{0, 1}, {1, 0}, {MaxPlaces + 1, 1}, {2, MaxPlaces}} {
		try(fmt.Sprint("size ", size), usual(size[0], size[1]))
	}
	golden.Compare(t, "limits.txt", b.String())
}

// TestNamesOfPositions reads and writes names of rows and positions.
func TestNamesOfPositions(t *testing.T) {
	s := usual(2, 120)
	s.List = []RowSpec{{Racks: 120}, {Name: "R7", Racks: 9}}
	for _, c := range []struct {
		row, number int
		want        string
	}{{0, 1, "A001"}, {0, 99, "A099"}, {0, 120, "A120"}, {1, 9, "R7-009"}} {
		got := s.positionName(s.RowName(c.row), c.number)
		if p, ok := s.Position(got); got != c.want || !ok || p != (Position{c.row, c.number}) {
			t.Errorf("%s, read as %v %v, expected %s", got, p, ok, c.want)
		}
	}
	for _, name := range []string{"", "A", "A0", "R7", "B01", "-1", "A99999999"} {
		if p, ok := s.Position(name); ok {
			t.Errorf("%q is read as %v", name, p)
		}
	}
	few := usual(2, 4)
	for name, want := range map[string]int{"A": 0, "AB": 27, "Z": 25, "A1": -1, "": -1, "a": -1} {
		if got := few.RowNumber(name); got != want {
			t.Errorf("row %q is %d, expected %d", name, got, want)
		}
	}
	for name, want := range map[string]int{"A": 0, "R7": 1, "B": -1} {
		if got := s.RowNumber(name); got != want {
			t.Errorf("row %q of the list is %d, expected %d", name, got, want)
		}
	}
	if few.RowRacks(1) != 4 || s.RowRacks(1) != 9 || s.RowRacks(0) != 120 || s.RowRacks(2) != 120 ||
		s.RowRacks(-1) != 120 {
		t.Errorf("racks of rows: %d, %d, %d", s.RowRacks(0), s.RowRacks(1), s.RowRacks(2))
	}
	if few.Example() != "A03" || s.Example() != "A003" {
		t.Errorf("%s, %s", few.Example(), s.Example())
	}
	s.List = []RowSpec{{Name: "X", Racks: 2}, {Racks: 4}}
	s.PerRow = 4
	if s.Example() != "X02" {
		t.Errorf("%s", s.Example())
	}
	s.Names = NewRackNames([][]RackName{{{"left", 7}, {"right", 9}}, {{"back", 1}}})
	if p, ok := s.Position("right"); !ok || p != (Position{0, 2}) {
		t.Errorf("right is at %v", p)
	}
	if got := fmt.Sprint(s.Names.All(), s.Example()); got != "[left right back]right" {
		t.Error(got)
	}
	r := &Room{Spec: s, Rows: []Row{{Name: "X"}, {Name: "B"}}}
	if r.PositionNumber(0, 2) != 9 || r.PositionNumber(1, 2) != 2 || r.PositionName(1, 1) != "back" ||
		r.PositionName(1, 2) != "B02" || r.PositionNumber(0, 0) != 0 {
		t.Errorf("%d, %d, %s, %s", r.PositionNumber(0, 2), r.PositionNumber(1, 2), r.PositionName(1, 1),
			r.PositionName(1, 2))
	}
}

// TestFiguresOfObstructedRooms lays trays in rooms with many columns and walls, and compares where they run with a
// file.
// Twins check that no tray runs through anything and that ways are shortest; the file notices other choices among those
// that are allowed: where a cross tray is moved, and which are added.
func TestFiguresOfObstructedRooms(t *testing.T) {
	var b strings.Builder
	rng := rand.New(rand.NewPCG(42, 1))
	for i := range 60 {
		s := usual(2+rng.IntN(3), 6+rng.IntN(9))
		s.Trays.Width = []units.Length{0, 0.3, 0.6}[rng.IntN(3)]
		if i%4 == 1 {
			s.Trays.Levels = []TrayLevel{{Name: "low", Height: 2.3, Width: 0.3}, {
				Name: "high", Height: 2.7,
				Width: 0.4,
			}}
		}
		if i%5 == 2 {
			s.List = make([]RowSpec, s.Rows)
			for row := range s.List {
				s.List[row] = RowSpec{Racks: 3 + rng.IntN(s.PerRow-2), X: at(0.7 + 0.3*float64(rng.IntN(8)))}
			}
			s.List[0].Racks = s.PerRow
		}
		long, deep := 0.6*float64(s.PerRow), 2.2*float64(s.Rows)
		for range 1 + rng.IntN(6) {
			w, d := 0.2+rng.Float64()*0.7, 0.2+rng.Float64()*0.7
			k := KeepOut{Why: Column, Area: area(0.7+rng.Float64()*long, 0.7+rng.Float64()*deep, w, d)}
			if rng.IntN(3) == 0 {
				k.Why, k.Height = KeptFree, []units.Length{1, 2.4, 2.5, 9}[rng.IntN(4)]
			}
			s.KeepOuts = append(s.KeepOuts, k)
		}
		if rng.IntN(3) == 0 {
			x, y := 0.7+rng.Float64()*long, rng.Float64()*deep
			wall := orb.Bound{Min: orb.Point{x, y}, Max: orb.Point{x + 0.2, y + 3}}
			s.KeepOuts = append(s.KeepOuts, KeepOut{Why: Walled, Area: wall.ToPolygon()})
		}
		s = s.Complete()
		_, refused := NewRoom(s)
		s.Trays.Unused = true
		r, err := NewRoom(s)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "room %d: %d places, %v\n", i, len(r.Places), refused)
		for level := range r.Trays.Levels {
			fmt.Fprintf(&b, "  crosses %.3f, %.3f m, obstructed %v, connected %v\n", r.Trays.Crosses(level),
				r.Trays.Length(level), r.Trays.IsObstructed(level), r.Trays.IsConnected())
			last := int32(len(r.Places) - 1)
			for _, ends := range [][2]int32{{0, last}, {last / 2, 1}, {last, last / 3}} {
				way := r.Trays.Route(level, ends[0], ends[1])
				fmt.Fprintf(&b, "  %d to %d: %.3f, %v\n", ends[0], ends[1], r.Trays.DistanceOn(level, ends[0], ends[1]),
					r.Trays.Describe(way))
			}
		}
	}
	golden.Compare(t, "obstructed.txt", b.String())
}
