package machine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
)

// A room that has too few racks for groups that stay together is filled more densely, which a note says with what would
// keep them together; groups that have to share a rack do, or the room is refused.
func TestGroupsShareRacksOfSmallRooms(t *testing.T) {
	text := func(positions, each int, embedding string) string {
		return fmt.Sprintf("topology: {family: leaf-spine, nodes: 23, down: 6, up: 2, spines: 2}\n"+
			"packaging: {node: {per_rack: %d}}\nroom: {rows: 1, racks_per_row: %d}\nembedding: {%s}\n",
			each, positions, embedding)
	}
	for _, c := range []struct {
		positions, each int
		embedding       string
		want            string // note or error, "" for none
	}{
		{9, 4, "", ""},
		{8, 4, "", "boxes of different groups share racks, 7 in all: kept together, the groups take 9, and the room " +
			"has 8 rack positions; a room with 9 would keep them together"},
		{7, 4, "effort: quick", "share racks, 7 in all"},
		{6, 4, "", "9 racks for 6 rack positions"},
		{4, 8, "", "share racks, 4 in all"},
		{4, 8, "effort: quick, together: [unit]", "5 racks for 4 rack positions"},
		{5, 8, "effort: quick, together: [unit]", ""},
	} {
		spec, err := machine.Parse("x.yaml", []byte(text(c.positions, c.each, c.embedding)))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(t.Context(), spec)
		said := fmt.Sprint(err)
		if err == nil {
			said = strings.Join(r.Notes, "\n")
			inRack := map[int32]int{}
			for v := r.Graph.Kinds()[2].First; v < r.Graph.Kinds()[2].First+23; v++ {
				inRack[r.Placement.Layout.Container(layout.RackLevel, r.Placement.Slot[v])]++
			}
			for rack, n := range inRack {
				if n > c.each {
					t.Errorf("%+v: %d nodes in rack %d", c, n, rack)
				}
			}
		}
		if c.want == "" && (err != nil || strings.Contains(said, "share racks")) ||
			!strings.Contains(said, c.want) {
			t.Errorf("%+v: %s", c, said)
		}
	}
}
