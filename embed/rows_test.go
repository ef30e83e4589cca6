package embed

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/layout"
)

// TestSections compares the places of a row to the next gap with counting the gaps before each.
func TestSections(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		perRow := rapid.IntRange(1, 12).Draw(t, "per row")
		room := &layout.Room{Spec: layout.RoomSpec{PerRow: perRow}, Rows: make([]layout.Row, 1)}
		for range rapid.IntRange(0, 4).Draw(t, "gaps") {
			room.Spec.Gaps = append(room.Spec.Gaps, layout.Gap{After: rapid.IntRange(0, perRow).Draw(t, "after")})
		}
		w := &rowFiller{room: room, rows: make([][]int32, 2)}
		for range rapid.IntRange(0, 20).Draw(t, "places") {
			row := rapid.IntRange(0, 1).Draw(t, "row")
			w.rows[row] = append(w.rows[row], int32(len(room.Places)))
			room.Places = append(room.Places, layout.Place{Number: rapid.IntRange(1, perRow).Draw(t, "number")})
		}
		for row, places := range w.rows {
			for at := range len(places) + 1 {
				if got, want := w.freeInSection(row, at), slowSection(room, places[at:]); got != want {
					t.Fatalf("%d places from %d of row %d on, want %d", got, at, row, want)
				}
			}
		}
	})
}

// slowSection counts the places of a list that have as many gaps before them as the first.
func slowSection(room *layout.Room, places []int32) int {
	gaps := func(place int32) int {
		n := 0
		for _, g := range room.Spec.Gaps {
			if g.After < room.Places[place].Number {
				n++
			}
		}
		return n
	}
	n := 0
	for n < len(places) && gaps(places[n]) == gaps(places[0]) {
		n++
	}
	return n
}
