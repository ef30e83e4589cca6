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

// drawObstacles draws columns and keep-outs of several heights. Trays have to join nothing.
func drawObstacles(t *rapid.T, s *RoomSpec) {
	s.Trays.Unused = true
	n := rapid.SampledFrom([]int{0, 0, 1, 4}).Draw(t, "obstacles")
	for range n {
		x, y := rapid.Float64Range(0, 8).Draw(t, "x"), rapid.Float64Range(0, 12).Draw(t, "y")
		w, d := rapid.Float64Range(0.1, 1.5).Draw(t, "w"), rapid.Float64Range(0.1, 1.5).Draw(t, "d")
		k := KeepOut{Why: Column, Area: orb.Bound{Min: orb.Point{x, y}, Max: orb.Point{x + w, y + d}}.ToPolygon()}
		if rapid.Bool().Draw(t, "keep-out") {
			k.Why = KeptFree
			k.Height = units.Length(rapid.SampledFrom([]float64{0, 2.3, 2.4, 5}).Draw(t, "height"))
		}
		s.KeepOuts = append(s.KeepOuts, k)
	}
	if n > 0 {
		s.Trays.Width = units.Length(rapid.SampledFrom([]float64{0, 0.3, 0.6}).Draw(t, "tray width"))
	}
}

// drawObstructed draws a room of several rows with columns and tall keep-outs amid them.
func drawObstructed(t *rapid.T) RoomSpec {
	rows, perRow := rapid.SampledFrom([]int{2, 3, 5}), rapid.SampledFrom([]int{6, 9, 14})
	s := aisled(rows.Draw(t, "rows"), perRow.Draw(t, "per row"))
	s.Trays.Unused = true
	s.Trays.Width = units.Length(rapid.SampledFrom([]float64{0, 0.3, 0.6}).Draw(t, "tray width"))
	if rapid.Bool().Draw(t, "given") {
		s.Trays.Movable = false
	}
	if rapid.Bool().Draw(t, "two levels") {
		s.Trays.Levels = []TrayLevel{
			{Name: "low", Height: 2.3, Width: s.Trays.Width}, {Name: "high", Height: 2.6, Width: 0.3},
		}
	}
	across := func(name string, most float64) float64 {
		return math.Round(rapid.Float64Range(0, most).Draw(t, name)*50) / 50
	}
	long, deep := 1.2+0.6*float64(s.PerRow), 2.4*float64(s.Rows)
	for range rapid.IntRange(1, 5).Draw(t, "columns") {
		s.KeepOuts = append(s.KeepOuts, column(1.2+across("x", long), 1.2+across("y", deep), 0.2+across("side", 0.8)))
	}
	for range rapid.IntRange(0, 2).Draw(t, "walls") {
		x, y := 1.2+across("x", long), across("y", deep)
		wall := orb.Bound{Min: orb.Point{x, y}, Max: orb.Point{x + 0.2, y + 3}}
		if rapid.Bool().Draw(t, "lengthwise") {
			wall.Max = orb.Point{x + 3, y + 0.2}
		}
		height := units.Length(rapid.SampledFrom([]float64{2, 2.5, 4}).Draw(t, "height"))
		s.KeepOuts = append(s.KeepOuts, KeepOut{Why: KeptFree, Height: height, Area: wall.ToPolygon()})
	}
	return s
}

// TestNoTrayCrossesAColumn holds every piece of tray in random rooms against every rectangle: what is laid crosses none
// that reaches up to it, and what is left out would have.
func TestNoTrayCrossesAColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.SampledFrom([]func(*rapid.T) RoomSpec{drawTrays, drawListed, drawObstructed}).Draw(t, "room")
		s := draw(t)
		r, err := NewRoom(s)
		if err != nil {
			t.Fatal(err)
		}
		for n := range int32(r.Trays.Pieces()) {
			p := r.Trays.Piece(n)
			if p.Name == "path" {
				continue
			}
			half := float64(r.Trays.Levels[p.Level].Width) / 2
			under := orb.MultiPoint{FloorPoint(p.From.X, p.From.Y), FloorPoint(p.To.X, p.To.Y)}.Bound()
			if p.From.Y == p.To.Y && p.From.X != p.To.X {
				under.Min[1], under.Max[1] = under.Min[1]-half, under.Max[1]+half
			} else {
				under.Min[0], under.Max[0] = under.Min[0]-half, under.Max[0]+half
			}
			laid := r.Trays.IsLaid(n)
			if strings.HasPrefix(p.Name, "cross") && !laid { // it would have led to the next row that reaches to it
				under.Max[1] = max(under.Max[1], float64(nextRow(r, p.From)))
			}
			crossed := ""
			for _, k := range s.KeepOuts {
				tall := k.Why == Column || float64(k.Height) > float64(r.Trays.Levels[p.Level].Height)
				if tall && overlapBy(under, k.Area.Bound(), 1e-5) {
					crossed = fmt.Sprint(k)
				}
			}
			if laid && crossed != "" {
				t.Fatalf("%+v crosses %s", p, crossed)
			}
			// Without a stated width, trays keep a few centimetres clear all the same.
			if strings.HasPrefix(p.Name, "cross") && !joinsRows(r, p.From) {
				if laid {
					t.Fatalf("%+v joins rows that do not reach to it", p)
				}
				continue
			}
			if !laid && crossed == "" && half > 0.1 && !nearly(under, s.KeepOuts) {
				t.Fatalf("%+v is left out for nothing", p)
			}
		}
	})
}

// joinsRows reports whether a cross tray runs on from a point, which is on a row if its tray reaches there.
func joinsRows(r *Room, p Point) bool {
	return slices.ContainsFunc(r.Rows, func(row Row) bool {
		return row.Y == p.Y && row.reaches(p.X) && slices.ContainsFunc(r.Rows, func(o Row) bool {
			return o.Hall == row.Hall && o.Y > row.Y && o.reaches(p.X)
		})
	})
}

// nextRow is the y of the next row that a cross tray from a point on a row leads to, that of the point where there is
// none.
func nextRow(r *Room, p Point) units.Length {
	next := p.Y
	for _, row := range r.Rows {
		if row.Y != p.Y || !row.reaches(p.X) {
			continue
		}
		for _, o := range r.Rows {
			if o.Hall == row.Hall && o.Y > p.Y && o.reaches(p.X) && (next == p.Y || o.Y < next) {
				next = o.Y
			}
		}
	}
	return next
}

// overlapBy reports whether two bounds share more than a sliver.
func overlapBy(a, b orb.Bound, eps float64) bool {
	return a.Min[0] < b.Max[0]-eps && b.Min[0] < a.Max[0]-eps && a.Min[1] < b.Max[1]-eps && b.Min[1] < a.Max[1]-eps
}

// nearly reports whether a bound touches a keep-out but for a sliver, where rounding decides.
func nearly(b orb.Bound, all []KeepOut) bool {
	for _, k := range all {
		if overlapBy(b.Pad(1e-4), k.Area.Bound(), 0) {
			return true
		}
	}
	return false
}

// TestCutOffRowsAreRefused compares the refusal of trays with relaxing their pieces: it comes where on every level some
// rack positions of a hall cannot be reached from others.
func TestCutOffRowsAreRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.SampledFrom([]func(*rapid.T) RoomSpec{drawTrays, drawListed, drawObstructed}).Draw(t, "room")
		s := draw(t)
		r, err := NewRoom(s)
		if err != nil {
			t.Fatal(err)
		}
		whole := true
		for hall := range max(len(s.Halls), 1) {
			var places []int32
			for i, p := range r.Places {
				if r.Rows[p.Row].Hall == hall {
					places = append(places, int32(i))
				}
			}
			some := len(places) == 0
			for level := range r.Trays.Levels {
				all := true
				for _, b := range places {
					all = all && !math.IsInf(float64(r.Trays.DistanceOn(level, places[0], b)), 1)
				}
				some = some || all
			}
			whole = whole && some
		}
		s.Trays.Unused = false
		_, err = NewRoom(s)
		if whole != (err == nil) {
			t.Fatalf("joined %v: %v", whole, err)
		}
		if err != nil && !strings.Contains(err.Error(), "cut off row ") &&
			!strings.Contains(err.Error(), "do not reach row ") {
			t.Fatal(err)
		}
	})
}

// column is a square column with its centre at a point.
func column(x, y, side float64) KeepOut {
	return KeepOut{Why: Column, Area: orb.Bound{
		Min: orb.Point{x - side/2, y - side/2}, Max: orb.Point{x + side/2, y + side/2},
	}.ToPolygon()}
}

func aisled(rows, perRow int, in ...KeepOut) RoomSpec {
	return RoomSpec{
		Rows: rows, PerRow: perRow, Rack: RackType{Units: 42, Width: 0.6, Depth: 1.2, Height: 2},
		Cold: 1.2, Hot: 1.2, Alternate: true, Margin: 1.2, Trays: TraySpec{Height: 2.3, Width: 0.3}, KeepOuts: in,
	}.Complete()
}

// TestTrayIsLedAroundAColumn leads a row's tray around a column in its middle: aside, along and back.
func TestTrayIsLedAroundAColumn(t *testing.T) {
	r, err := NewRoom(aisled(2, 10, column(1.2+4.5*0.6, 1.8, 0.4)))
	if err != nil {
		t.Fatal(err)
	}
	row := r.Rows[0].Position
	if row[4] != -1 || len(r.Places) != 19 {
		t.Fatalf("%d places", len(r.Places))
	}
	got := float64(r.Trays.Distance(row[3], row[5]))
	aside := 0.2 + 0.15 + 0.05 // half the column, half the tray, and what stays free
	if want := 2*0.6 + 2*aside; math.Abs(got-want) > 1e-4 {
		t.Errorf("%g m around the column, want %g", got, want)
	}
	if n := len(r.Trays.Route(0, row[3], row[5])); n != 1 && n != 3 {
		t.Errorf("the way has %d legs", n)
	}
}

// TestKeepOutsReachUpToTrays leads trays around a keep-out that is as high as they hang, and straight over a lower one.
func TestKeepOutsReachUpToTrays(t *testing.T) {
	for height, straight := range map[units.Length]bool{0: true, 2.3: true, 2.31: false} {
		k := column(1.2+4.5*0.6, 1.8, 0.4)
		k.Why, k.Height = KeptFree, height
		r, err := NewRoom(aisled(2, 10, k))
		if err != nil {
			t.Fatal(err)
		}
		d := float64(r.Trays.Distance(r.Rows[0].Position[3], r.Rows[0].Position[5]))
		if (math.Abs(d-1.2) < 1e-6) != straight {
			t.Errorf("keep-out of %v: %g m", height, d)
		}
	}
}

// TestRowCutInTwo stands a wall through a row: cross trays that may be moved join its parts, given ones do not.
func TestRowCutInTwo(t *testing.T) {
	wall := orb.Bound{Min: orb.Point{3.9, 0}, Max: orb.Point{4.1, 3}}
	s := aisled(2, 9, KeepOut{Why: KeptFree, Height: 5, Area: wall.ToPolygon()})
	s.Trays.Cross = []int{0}
	if r, err := NewRoom(s); err != nil || math.IsInf(float64(r.Trays.Distance(0, 7)), 1) {
		t.Error(err)
	}
	s.Trays.Movable = false
	_, err := NewRoom(s)
	if err == nil || !strings.Contains(err.Error(), "cut off row A (A06 to A09)") {
		t.Error(err)
	}
}
