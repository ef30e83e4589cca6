package layout

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/units"
)

func TestTraysAreCalledByPlace(t *testing.T) {
	s := RoomSpec{
		Rows: 3, PerRow: 12, Rack: RackType{Width: 0.6, Depth: 1, Height: 2, Units: 42}, Cold: 1.2, Hot: 1,
		Margin: 1, Gaps: []Gap{{After: 6, Width: 1.2}}, Trays: TraySpec{Height: 2.3, Cross: []int{0, 6, 12}},
	}
	r, err := NewRoom(s)
	if err != nil {
		t.Fatal(err)
	}
	n := r.Trays
	at := map[string]int32{}
	for piece := range int32(n.Pieces()) {
		at[n.DescribeRun(piece, piece)] = piece
	}
	for _, name := range []string{
		"row A, A01 first half", "row A, A01-A02", "row A, A05-A06", "row A, A06 second half", "row A, A07 first half",
		"row C, C12 second half",
		"cross tray A00/B00", "cross tray B06/C06", "cross tray B12/C12",
	} {
		if _, ok := at[name]; !ok {
			t.Errorf("nothing is called %q among %v", name, at)
		}
	}
	for _, test := range []struct{ first, last, want string }{
		{"row B, B02-B03", "row B, B04-B05", "row B, B02-B05"},
		{"row B, B04-B05", "row B, B02-B03", "row B, B02-B05"},
		{"cross tray A06/B06", "cross tray B06/C06", "cross tray A06/C06"},
		{"cross tray B06/C06", "cross tray A06/B06", "cross tray A06/C06"},
	} {
		if got := n.DescribeRun(at[test.first], at[test.last]); got != test.want {
			t.Errorf("from %s to %s is %s, want %s", test.first, test.last, got, test.want)
		}
	}
	way := n.Describe(n.Route(0, 1, 12+4)) // A02 to B05
	if len(way) != 3 || way[0].Name[:6] != "row A," || way[1].Name[:13] != "cross tray A0" ||
		way[2].Name[:6] != "row B," {
		t.Errorf("%v", way)
	}
}

// No two pieces of a level are called alike, but for the parts of a way around something and paths of one name.
func TestNamesOfTraysDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.SampledFrom([]func(*rapid.T) RoomSpec{drawTrays, drawListed, drawObstructed}).Draw(t, "room")
		r, err := NewRoom(draw(t))
		if err != nil {
			t.Fatal(err)
		}
		type named struct {
			level int
			name  string
		}
		seen := map[named]int32{}
		for piece := range int32(r.Trays.Pieces()) {
			p := r.Trays.Piece(piece)
			name := r.Trays.DescribeRun(piece, piece)
			if !r.Trays.IsLaid(piece) || strings.HasSuffix(name, ", led around") || name == p.Name ||
				p.Length < units.Length(stopTolerance) {
				continue
			}
			if other, again := seen[named{p.Level, name}]; again {
				t.Fatalf("%+v and %+v are called %s", r.Trays.Piece(other), p, name)
			}
			seen[named{p.Level, name}] = piece
		}
	})
}
