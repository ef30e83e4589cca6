package layout

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plenum-planner/plenum/units"
)

// stated is a room of a row of racks that stand at the given x, with names and numbers of their own, before one of
// four.
func stated(x ...float64) RoomSpec {
	s := rowsOf(max(len(x), 4), 4)
	stand := make([]Standing, len(x))
	names := make([]RackName, len(x))
	for i := range x {
		stand[i].Left = units.Length(x[i])
		names[i] = RackName{string(rune('a' + i)), 10 * (i + 1)}
	}
	s.List[0] = RowSpec{Name: "Z", Racks: len(x), Stand: stand}
	s.Names = NewRackNames([][]RackName{names, {{"p", 1}, {"q", 2}, {"r", 3}, {"s", 4}}})
	return s
}

// TestStated has racks stand where they are stated to, and be called as they are listed.
func TestStated(t *testing.T) {
	s := stated(2, 2.6, 4.2, 4.8, 5.4, 7)
	s.List[0].Stand[1].Off, s.List[0].Stand[2].Reserved, s.List[0].Stand[2].For = 0.1, true, "later"
	r, err := NewRoom(s.Complete())
	if err != nil {
		t.Fatal(err)
	}
	row := &r.Rows[0]
	if row.X0 != 2 || (row.X1-7.6).Abs() > 1e-9 || (row.Depth-s.Rack.Depth-0.1).Abs() > 1e-9 {
		t.Errorf("a row from %v to %v, %v deep", row.X0, row.X1, row.Depth)
	}
	if y := r.Places[1].Y - r.Places[0].Y; (y - 0.1).Abs() > 1e-9 {
		t.Errorf("the second rack stands %v off", y)
	}
	for i, want := range []string{"a", "b", "d", "e", "f", "p"} {
		if got := r.Name(i); got != want {
			t.Errorf("rack %d is called %s, want %s", i, got, want)
		}
	}
	if at, ok := r.Spec.Position("e"); !ok || at != (Position{0, 5}) || r.PositionNumber(0, 5) != 50 {
		t.Errorf("e is at %v, %v, number %d", at, ok, r.PositionNumber(0, 5))
	}
	if _, ok := r.Spec.Position("Z05"); ok {
		t.Error("a position by its row and number")
	}
	if kept := r.Supply().Kept; !slices.Equal(kept, []Kept{{"later", 1}}) {
		t.Errorf("kept: %v", kept)
	}
	// Floor of 0.3 m and more between racks is a gap: cross trays run there, and at the ends.
	if diff := cmp.Diff([]int{0, 2, 5, 6}, r.Spec.Trays.Cross); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int32{0, 0, 0, 1, 1, 1, 2}, r.Spec.GapsBefore(0)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(make([]int32, 7), r.Spec.GapsBefore(1)); diff != "" {
		t.Error(diff)
	}
	s.List[0].Racks = 5
	if _, err := s.Fit(); err == nil || err.Error() != "List[0].Stand: 6 of 5 positions are stated" {
		t.Error(err)
	}
}
