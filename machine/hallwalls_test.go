package machine_test

import (
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
)

const twoFloors = `
boxes: [{name: node, count: 96, part: generic-node-1u}]
fabrics:
  - name: fabric
    topology: {family: leaf-spine, nodes: 96, down: 16, up: 8, spines: 4}
    ends: [{boxes: node}]
    switches: {switch: {part: generic-switch-64x400g}}
room:
  racks_per_row: 2
  halls:
    - {name: North, rows: 1, width: 8 m, depth: 5 m}
    - {name: South, rows: 1, width: 8 m, depth: 5 m, distance: 0.2 m}
    - {name: Upper, rows: 1, width: 7 m, depth: 5 m, floor: 4.5 m}
  trays:
    count: 1
    paths:
      - {name: P1, from: {hall: North, wall: north, at: 3 m}, to: {hall: South, wall: south, at: 3 m}}
      - {name: riser, from: {hall: South, x: 1 m, y: 0.6 m}, to: {hall: Upper, x: 1 m, y: 0.6 m}}
`

// TestHallsWithWalls plans a machine in three halls of two floors. Without the riser the error names the halls; through
// an opening that is too small for the cables the trays are too full.
func TestHallsWithWalls(t *testing.T) {
	r := planText(t, twoFloors)
	if n := r.Violations.Errors(); n > 0 {
		t.Errorf("%d errors", n)
	}
	riser, _, _ := strings.Cut(twoFloors, "      - {name: riser")
	cut := planText(t, riser)
	found := false
	for _, v := range cut.Violations.List() {
		found = found || v.Rule == cabling.RuleReach.ID && strings.Contains(v.Message, "; no tray joins halls ") &&
			strings.Contains(v.Message, "Upper")
	}
	if !found {
		t.Errorf("without a riser: %v", cut.Violations.List())
	}
	narrow := strings.Replace(twoFloors, "at: 3 m}}", "at: 3 m}, width: 30 mm, height: 10 mm}", 1)
	if n := planText(t, narrow).Violations.Count(cabling.RuleTrayFill); n != 1 {
		t.Errorf("%d pieces of tray are too full, want the opening", n)
	}
}
