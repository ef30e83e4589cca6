package layout

import (
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/units"
)

// drawWalls draws a room between walls, with doors and columns.
func drawWalls(t *rapid.T) RoomSpec {
	length := func(name string, lo, hi float64) units.Length {
		return units.Length(math.Round(rapid.Float64Range(lo, hi).Draw(t, name)*100) / 100)
	}
	s := RoomSpec{
		Width: length("width", 4, 40), Depth: length("depth", 4, 20),
		Rack: RackType{Units: 42, Width: length("rack", 0.6, 0.8), Depth: length("rack depth", 0.8, 1.2), Height: 2},
		Cold: length("cold", 0.6, 2), Hot: length("hot", 0.6, 2), Alternate: rapid.Bool().Draw(t, "alternate"),
		Margin: length("margin", 0, 1.2), Trays: TraySpec{Height: 2.3, Unused: true},
	}
	for range rapid.IntRange(0, 3).Draw(t, "doors") {
		d := Door{Wall: Wall(rapid.IntRange(0, 3).Draw(t, "wall")), Width: 1.2, Clear: length("clear", 0.5, 4)}
		long := s.Width
		if d.Wall == East || d.Wall == West {
			long = s.Depth
		}
		d.At = length("at", 0, float64(long)-1.2)
		s.Doors = append(s.Doors, d)
	}
	for range rapid.IntRange(0, 4).Draw(t, "columns") {
		x, y := float64(length("x", 0, 40)), float64(length("y", 0, 20))
		side := rapid.Float64Range(0.2, 1.5).Draw(t, "side")
		area := orb.Bound{Min: orb.Point{x, y}, Max: orb.Point{x + side, y + side}}
		s.KeepOuts = append(s.KeepOuts, KeepOut{Why: Column, Area: area.ToPolygon()})
	}
	return s
}

// TestRoomsBetweenWallsAreFull lays out as many racks as fit: all stand between the walls and clear of doors and
// columns, one more row or rack in a row would not fit, and every position is free or lost for a reason.
func TestRoomsBetweenWallsAreFull(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := drawWalls(t).Fit()
		if err != nil {
			if s.Width-2*s.Margin >= s.Rack.Width && s.Depth-2*s.Margin >= s.Rack.Depth {
				t.Fatalf("nothing fits into %v x %v: %v", s.Width, s.Depth, err)
			}
			return
		}
		r, err := NewRoom(s.Complete())
		if err != nil {
			t.Fatal(err)
		}
		walls := orb.Bound{Max: FloorPoint(s.Width, s.Depth)}
		if r.Bound != walls {
			t.Fatalf("bound %v, walls %v", r.Bound, walls)
		}
		within := orb.Bound{Min: FloorPoint(s.Margin, s.Margin), Max: FloorPoint(s.Width-s.Margin, s.Depth-s.Margin)}
		for i, p := range r.Places {
			box := p.Footprint(s.Rack)
			if !contains(within.Pad(1e-5), box) {
				t.Fatalf("rack %s at %v, within %v", r.Name(i), box, within)
			}
			for _, d := range s.Doors {
				if overlap(box, d.Zone(s.Width, s.Depth)) {
					t.Fatalf("rack %s stands before a door", r.Name(i))
				}
			}
			for _, k := range s.KeepOuts {
				if b := k.Area.Bound(); overlap(box, b) {
					dx := min(box.Max[0], b.Max[0]) - max(box.Min[0], b.Min[0])
					dy := min(box.Max[1], b.Max[1]) - max(box.Min[1], b.Min[1])
					if dx*dy < 2e-6 { // an edge, as covers has it
						continue
					}
					t.Fatalf("rack %s stands in a column", r.Name(i))
				}
			}
		}
		have := r.Supply()
		sum := have.Free
		for _, n := range have.Lost {
			sum += n
		}
		if sum != s.Rows*s.PerRow || have.Free != len(r.Places) {
			t.Fatalf("%+v of %d x %d positions", have, s.Rows, s.PerRow)
		}
		for what, change := range map[string]func(*RoomSpec){
			"Rows": func(s *RoomSpec) { s.Rows++ }, "PerRow": func(s *RoomSpec) { s.PerRow++ },
		} {
			more := s // laid out without walls, to be measured
			change(&more)
			if _, err := more.Fit(); err == nil || !strings.HasPrefix(err.Error(), what) {
				t.Fatalf("%s: %v", what, err)
			}
			more.Width, more.Depth, more.KeepOuts, more.Doors = 0, 0, nil, nil
			open, err := NewRoom(more.Complete())
			if err != nil {
				t.Fatal(err)
			}
			if contains(walls.Pad(1e-7), open.Bound) {
				t.Fatalf("one more of %s fits: %v into %v", what, open.Bound, walls)
			}
		}
	})
}

func TestDoorsKeepTheFloorBeforeThemClear(t *testing.T) {
	for wall, want := range map[Wall]orb.Bound{
		South: {Min: orb.Point{2, 0}, Max: orb.Point{3.2, 1.5}},
		North: {Min: orb.Point{2, 7.5}, Max: orb.Point{3.2, 9}},
		West:  {Min: orb.Point{0, 2}, Max: orb.Point{1.5, 3.2}},
		East:  {Min: orb.Point{10.5, 2}, Max: orb.Point{12, 3.2}},
	} {
		d := Door{Wall: wall, At: 2, Width: 1.2, Clear: 1.5}
		if got := d.Zone(12, 9); got != want {
			t.Errorf("%s: %v, want %v", WallNames[wall], got, want)
		}
	}
}

// TestBearing checks the floor that racks load: half of the aisles beside them, and the margin at a wall.
func TestBearing(t *testing.T) {
	r, err := NewRoom(RoomSpec{
		Rows: 3, PerRow: 1, Rack: RackType{Units: 42, Width: 0.6, Depth: 1.2}, Cold: 1.8, Hot: 1, Alternate: true,
		Margin: 0.5, Trays: TraySpec{Cross: []int{0}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range []float64{0.5 + 1.2 + 0.9, 0.9 + 1.2 + 0.5, 0.5 + 1.2 + 0.5} {
		if got := float64(r.BearingDepth(row)); math.Abs(got-want) > 1e-9 {
			t.Errorf("row %d bears on %g m, want %g", row, got, want)
		}
	}
}

// TestClearance: racks keep the free floor of a wall from it, on all sides, and trays run through no wall.
func TestClearance(t *testing.T) {
	s := aisled(3, 12)
	s.Width, s.Depth, s.Trays.Unused = 12, 9, true
	wall := orb.Bound{Min: orb.Point{5, 0}, Max: orb.Point{5.01, 9}}
	for _, clear := range []units.Length{0, 0.5, 1.2} {
		s.KeepOuts = []KeepOut{{Why: Walled, Layer: "W", Area: wall.ToPolygon(), Clearance: clear}}
		r, err := NewRoom(s.Complete())
		if err != nil {
			t.Fatal(err)
		}
		least := units.Length(math.Inf(1))
		for _, p := range r.Places {
			b := p.Footprint(s.Rack)
			least = min(least, units.Length(max(wall.Min[0]-b.Max[0], b.Min[0]-wall.Max[0])))
		}
		if least < clear || least > clear+s.Rack.Width {
			t.Errorf("racks stand %v from a wall from which they have to keep %v", least, clear)
		}
		if got := r.Supply(); len(got.Layers) != 1 || got.Layers[0] != (LayerLoss{Walled, "W", got.Lost[Walled]}) {
			t.Errorf("lost: %+v", got)
		}
		for n := range int32(r.Trays.Pieces()) {
			p := r.Trays.Piece(n)
			if a, b := min(p.From.X, p.To.X), max(p.From.X, p.To.X); r.Trays.IsLaid(n) && a < 5 && b > 5.01 {
				t.Errorf("a tray from %v to %v runs through the wall", p.From, p.To)
			}
		}
	}
}
