package machine_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/layout"
)

// TestGroupsKeepToTheirSideOfAGap: the groups of a large dragonfly fill three racks, and rows have a gap after rack
// 20, which three does not divide. As long as the room may have the rows that it takes, no group stands astride the
// gap, and as many cables are of copper as in rows of 18 without a gap.
func TestGroupsKeepToTheirSideOfAGap(t *testing.T) {
	const gap = "gaps: [{after: 20, width: 2.4 m}]"
	plan := func(strategy, room string) (crossing int, copper int64) {
		r := buyAny(t, fmt.Sprintf(`
topology: {family: dragonfly, p: 6, a: 16, h: 3, groups: 48}
packaging: {node: {part: n}, switch: {part: s}}
room: {%s}
embedding: {strategy: %s}
parts:
  - {id: n, kind: node, units: 1, width: 0.4, depth: 0.8, hop: 1 ns, power: 1 W, source: x, confidence: user,
     ports: [{count: 1, connector: qsfp56, rate: 200G}]}
  - {id: s, kind: switch, units: 1, width: 0.4, depth: 0.8, hop: 1 ns, power: 1 W, source: x, confidence: user,
     ports: [{count: 64, connector: qsfp56, rate: 200G}]}
cabling: {media: [{levels: [terminal, local], longest: 5 m, use: [copper]}, {use: [optical]}]}
`, room, strategy))
		s := r.Schedule
		l := s.Placement.Layout
		beyond := func(v int32) bool {
			return l.Room.Places[l.Container(layout.RackLevel, s.Placement.Slot[v])].Number > 20
		}
		for i := range s.Segments {
			seg := &s.Segments[i]
			if r.Graph.Levels()[seg.Level].Name == "local" && beyond(seg.A) != beyond(seg.B) {
				crossing++
			}
			if seg.Product >= 0 && slices.Contains(catalog.MediumAliases["copper"], s.Medium(seg)) {
				copper++
			}
		}
		return crossing, copper
	}
	for _, strategy := range []string{"groups", "auto"} {
		_, want := plan(strategy, "racks_per_row: 18")
		for _, room := range []string{gap, "racks_per_row: 24, " + gap, "rows: 4, racks_per_row: 38, " + gap} {
			crossing, copper := plan(strategy, room)
			if crossing != 0 || copper != want || want == 0 {
				t.Errorf("%s, %s: %d local cables cross the gap, %d cables are of copper, %d without it", strategy,
					room, crossing, copper, want)
			}
		}
		if crossing, _ := plan(strategy, "rows: 5, racks_per_row: 30, "+gap); crossing == 0 {
			t.Errorf("%s: 45 groups have a side of the gap to themselves, and yet all 48 do", strategy)
		}
	}
}
