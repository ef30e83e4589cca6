package layout

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/internal/golden"
	"github.com/plenum-planner/plenum/units"
)

// TestDeepestRacks: the deepest are among the types, or those of type 0.
func TestDeepestRacks(t *testing.T) {
	s := usual(1, 2)
	s.Types = []RackType{{Width: 0.8, Depth: 1.3}, {Width: 2, Depth: 1.2}}
	if got := s.deepest(); got != 1.3 {
		t.Errorf("%v", got)
	}
	s.Rack.Depth = 1.5
	if got := s.deepest(); got != 1.5 {
		t.Errorf("%v", got)
	}
}

// TestBesides lists boundaries of places, at most 64 of them, evenly thinned out.
func TestBesides(t *testing.T) {
	// n + 1 boundaries, each, every second or third
	for n, want := range map[int]int{1: 2, 62: 63, 63: 64, 64: 33, 127: 64, 128: 43} {
		s := usual(1, n)
		s.Gaps = []Gap{}
		r, err := NewRoom(s.Complete())
		if err != nil {
			t.Fatal(err)
		}
		var places []int32
		for i := range r.Places {
			places = append(places, int32(i))
		}
		got := r.Trays.besides(places)
		if len(got) != want || got[0] != r.Rows[0].X0 || !slices.IsSorted(got) {
			t.Errorf("%d places: %d boundaries from %v, expected %d", n, len(got), got[0], want)
		}
	}
}

// TestGapsOfASupply: 4.1 m less 0.7 m at both ends hold four racks of 0.6 m, with a gap of 0.9 m three.
func TestGapsOfASupply(t *testing.T) {
	for gap, want := range map[units.Length]int{0.9: 1, 0.3: 0, 1.5: 2} {
		s := usual(0, 0)
		s.Width, s.Depth, s.Gaps = 4.1, 5, []Gap{{1, gap}}
		s, err := s.Fit()
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewRoom(s.Complete())
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Supply(); got.Gaps != want || got.PerRow != 4-want || got.Rows != 2 || got.Free != 2*(4-want) {
			t.Errorf("gap of %v: %+v, expected %d positions fewer", gap, got, want)
		}
	}
}

// TestGridsOfWholeTenths: edges that miss whole tenths of a millimetre by 0.03 may be added up over the seven steps of
// three rows and two cross trays, those that miss them by 0.05 may not.
func TestGridsOfWholeTenths(t *testing.T) {
	for miss, want := range map[float64]bool{0: true, 0.03: true, 0.05: false, -0.03: true, -0.05: false} {
		s := usual(3, 4)
		s.Margin = 0
		s.Rack.Width = units.Length(0.6 + miss*1e-4/4)
		r, err := NewRoom(s.Complete())
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Trays.plans[0].grid != nil; got != want {
			t.Errorf("%v tenths of a millimetre off: a grid %v, expected %v", miss, got, want)
		}
	}
}

// TestGraphTakesTheShorterTray of two between the same rack positions.
func TestGraphTakesTheShorterTray(t *testing.T) {
	for _, lengths := range [][2]units.Length{{3, 5}, {5, 3}} {
		s := usual(2, 4)
		for _, l := range lengths {
			s.Trays.Paths = append(s.Trays.Paths, TrayPath{
				Name: "p", From: Position{0, 2}, To: Position{1, 3},
				Length: l,
			})
		}
		r, err := NewRoom(s.Complete())
		if err != nil {
			t.Fatal(err)
		}
		p := r.Trays.plans[0]
		a, b := p.junction(0, r.Trays.rows[0].of[1]), p.junction(1, r.Trays.rows[1].of[2])
		if w, ok := r.Trays.Graph(0).Weight(int64(a), int64(b)); !ok || w != 3 {
			t.Errorf("paths of %v: %v m, expected 3", lengths, w)
		}
		if got := r.Trays.Distance(1, 6); got != 3 {
			t.Errorf("paths of %v: %v by tray, expected 3 m", lengths, got)
		}
	}
}

// TestRouteBuilderJoinsLegs that run on in the same direction.
func TestRouteBuilderJoinsLegs(t *testing.T) {
	for _, c := range []struct{ a, b, joined TrayLeg }{
		{TrayLeg{1, 3}, TrayLeg{4, 6}, TrayLeg{1, 6}},
		{TrayLeg{9, 5}, TrayLeg{4, 2}, TrayLeg{9, 2}},
		{TrayLeg{3, 3}, TrayLeg{4, 4}, TrayLeg{3, 4}},
		{TrayLeg{3, 3}, TrayLeg{2, 1}, TrayLeg{3, 1}},
		{TrayLeg{9, 5}, TrayLeg{4, 6}, TrayLeg{-1, -1}},
		{TrayLeg{1, 3}, TrayLeg{4, 2}, TrayLeg{-1, -1}},
		{TrayLeg{1, 3}, TrayLeg{5, 6}, TrayLeg{-1, -1}},
		{TrayLeg{1, 3}, TrayLeg{2, 1}, TrayLeg{-1, -1}},
		{TrayLeg{9, 5}, TrayLeg{6, 7}, TrayLeg{-1, -1}},
	} {
		w := routeBuilder{base: 100}
		w.add(c.a)
		w.add(c.b)
		up := func(g TrayLeg) TrayLeg { return TrayLeg{g.From + 100, g.To + 100} }
		want := []TrayLeg{up(c.joined)}
		if c.joined.From < 0 {
			want = []TrayLeg{up(c.a), up(c.b)}
		}
		if !slices.Equal(w.legs, want) {
			t.Errorf("%v, then %v: %v, expected %v", c.a, c.b, w.legs, want)
		}
	}
}

// TestCrossesOfObstructedRooms compares where cross trays of many rooms are moved and added with a file.
func TestCrossesOfObstructedRooms(t *testing.T) {
	var b strings.Builder
	rng := rand.New(rand.NewPCG(7, 3))
	for i := range 150 {
		s := usual(2+rng.IntN(4), 8+rng.IntN(20))
		s.Gaps = []Gap{}
		if i%3 == 0 {
			s.List = make([]RowSpec, s.Rows)
			for row := range s.List {
				s.List[row] = RowSpec{Racks: 4 + rng.IntN(s.PerRow-3), X: at(0.7 + 0.25*float64(rng.IntN(12)))}
			}
			s.List[rng.IntN(s.Rows)].Racks = s.PerRow
		}
		long, deep := 0.6*float64(s.PerRow), 2.2*float64(s.Rows)
		for range 2 + rng.IntN(5) { // walls across rows and along aisles
			x, y := 0.7+rng.Float64()*long, rng.Float64()*deep
			wall := orb.Bound{Min: orb.Point{x, y}, Max: orb.Point{x + 0.2, y + 1 + rng.Float64()*3}}
			if rng.IntN(3) == 0 {
				wall.Max = orb.Point{x + 1 + rng.Float64()*6, y + 0.2}
			}
			s.KeepOuts = append(s.KeepOuts, KeepOut{Why: Walled, Area: wall.ToPolygon()})
		}
		s.Trays.Unused = true
		r, err := NewRoom(s.Complete())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%d: %.2f, %.3f m, cut off %v\n", i, r.Trays.Crosses(0), r.Trays.Length(0), r.Trays.cutOff())
	}
	golden.Compare(t, "crosses.txt", b.String())
}

// TestLinesThroughKeepOuts draws lines through a square from 1 to 3 and an L of which the part beyond 2, 2 is missing.
func TestLinesThroughKeepOuts(t *testing.T) {
	square := KeepOut{Area: area(1, 1, 2, 2)}
	corner := KeepOut{Area: orb.Polygon{{{1, 1}, {3, 1}, {3, 2}, {2, 2}, {2, 3}, {1, 3}, {1, 1}}}}
	for _, c := range []struct {
		a, b           orb.Point
		square, corner bool
	}{
		{orb.Point{0, 2}, orb.Point{4, 2}, true, true},
		{orb.Point{0, 2.5}, orb.Point{4, 2.5}, true, true},
		{orb.Point{0, 1}, orb.Point{4, 1}, false, false}, // along an edge
		{orb.Point{0, 0.9}, orb.Point{4, 0.9}, false, false},
		{orb.Point{0, 3.1}, orb.Point{4, 3.1}, false, false},
		{orb.Point{2.1, 2.1}, orb.Point{2.9, 2.9}, true, false}, // in the missing part
		{orb.Point{1.2, 1.2}, orb.Point{1.4, 1.5}, true, true},  // inside
		{orb.Point{0, 0}, orb.Point{4, 4}, true, true},
		{orb.Point{2, 4}, orb.Point{4, 2}, false, false},        // by the corner at 3, 3
		{orb.Point{2.2, 3.6}, orb.Point{3.6, 2.2}, true, false}, // through the corner at 3, 3
		{orb.Point{0, 2}, orb.Point{2, 0}, false, false},        // touches the corner at 1, 1
		{orb.Point{0, 2.2}, orb.Point{2.2, 0}, true, true},
		{orb.Point{0, 1.8}, orb.Point{1.8, 0}, false, false},
		{orb.Point{2.4, 0}, orb.Point{2.6, 4}, true, true},
		{orb.Point{2.4, 2.2}, orb.Point{2.6, 4}, true, false},
		{orb.Point{0, 1.5}, orb.Point{0.9, 1.6}, false, false},   // ends before
		{orb.Point{3.5, 1.5}, orb.Point{9, 1.6}, false, false},   // begins behind
		{orb.Point{0.5, 2.9}, orb.Point{1.5, 3.4}, false, false}, // above, though its bounds meet
		{orb.Point{0.5, 2.4}, orb.Point{1.5, 3.4}, true, true},   // cuts the corner off at 1, 2.9 and 1.1, 3
	} {
		for _, line := range []orb.LineString{{c.a, c.b}, {c.b, c.a}} {
			if got := square.isCrossedBy(line); got != c.square {
				t.Errorf("%v through the square: %v", line, got)
			}
			if got := corner.isCrossedBy(line); got != c.corner {
				t.Errorf("%v through the L: %v", line, got)
			}
		}
	}
	for want, k := range map[string]KeepOut{
		"the column": {Why: Column, Name: "c"}, "the wall": {Why: Walled}, `the keep-out "x"`: {Name: "x"},
		"the keep-out": {},
	} {
		if k.What() != want {
			t.Errorf("%+v is %s, expected %s", k, k.What(), want)
		}
	}
}

// TestCellsOfTrees: the cells of the innermost container count from 0 in each.
func TestCellsOfTrees(t *testing.T) {
	tree, err := NewTree([]TreeLevel{
		{Name: "hall", Is: RoleHall, Count: [3]int{2, 1, 1}, Gap: 1},
		{Name: "cube", Is: RoleRack, Count: [3]int{3, 2, 1}, Pitch: [3]units.Length{0.5, 0.4, 0.3}},
	})
	if err != nil {
		t.Fatal(err)
	}
	l := tree.Layout()
	for slot := range int32(12) {
		if got := l.Cell(slot); got != int(slot)%6 || l.Unit(slot) != 0 || l.Rear(slot) {
			t.Errorf("slot %d is cell %d", slot, got)
		}
	}
	// Between cubes of 3 x 0.5, 2 x 0.4 and 0.3 m there is 1 m; slots touch each other.
	if a, b := tree.Gap(0), tree.Gap(1); a != [3]units.Length{1, 1, 1} || b != [3]units.Length{} ||
		tree.Size(1) != [3]units.Length{1.5, 0.8, 0.3} || tree.Size(0) != [3]units.Length{4, 0.8, 0.3} {
		t.Errorf("gaps of %v and %v in %v and %v", a, b, tree.Size(0), tree.Size(1))
	}
	// The second cube begins at 3 x 0.5 + 1 m; its slot 5 is the third across and the second behind.
	if got, want := l.Position(11), (Point{2.5 + 1 + 0.25, 0.4 + 0.2, 0.15}); !closeTo(got, want) {
		t.Errorf("slot 11 at %v, expected %v", got, want)
	}
	if l.Rack(11) != "cube-1.0.0" || l.Path(11) != "cube-1.0.0" || l.Common(0, 5) != 1 || l.Common(5, 6) != 0 ||
		l.CountOccupied(1, []int32{0, 5, 6, 7, 0}) != 2 {
		t.Errorf("%s, %d, %d", l.Rack(11), l.Common(0, 5), l.Common(5, 6))
	}
}

// TestDetoursOfRows compares the ways of rows' trays around columns of many sizes with a file.
func TestDetoursOfRows(t *testing.T) {
	var b strings.Builder
	rng := rand.New(rand.NewPCG(9, 9))
	for i := range 120 {
		s := usual(2, 9)
		s.Cold = 2.4
		s.Trays.Width = []units.Length{0.1, 0.3}[rng.IntN(2)]
		for range 1 + rng.IntN(4) {
			w, d := 0.1+rng.Float64()*0.8, 0.1+rng.Float64()
			s.KeepOuts = append(s.KeepOuts, KeepOut{
				Why: Column, Area: area(2+rng.Float64()*3, 0.6+rng.Float64()*1.2, w, d),
			})
		}
		s.Trays.Unused = true
		r, err := NewRoom(s.Complete())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%d: %.3f m", i, r.Trays.Length(0))
		for _, d := range r.Trays.plans[0].detours {
			fmt.Fprintf(&b, ", row %d from %d to %d by y %.3f", d.row, d.from, d.to, d.y)
		}
		b.WriteString("\n")
	}
	golden.Compare(t, "detours.txt", b.String())
}
