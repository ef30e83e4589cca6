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

// TestCordsAndTrunksBetweenHallsNeedATray plans links over shuffles, octopus cables and structured cabling in two halls
// that no path joins: each error names the halls, and the cables have no product. With a path there is none.
func TestCordsAndTrunksBetweenHallsNeedATray(t *testing.T) {
	const file = `
boxes: [{name: node, count: 8, part: gpu, per_rack: 1, breakout: {net: 8}}]
fabrics:
  - {name: p1, topology: {family: leaf-spine, nodes: 8, leaves: 2, up: 8, spines: 1},
     ends: [{boxes: node, ports: net/1}], switches: {switch: {part: nvidia-sn5610, breakout: 8}}}
  - {name: p2, topology: {family: leaf-spine, nodes: 8, leaves: 2, up: 8, spines: 1},
     ends: [{boxes: node, ports: net/2}], switches: {switch: {part: nvidia-sn5610, breakout: 8}}}
room: {rows: 2, racks_per_row: 8, halls: [{name: east, rows: 1}, {name: west, rows: 1, distance: 10 m}]PATHS}
cabling: {CABLING}
parts: [{id: gpu, kind: node, units: 2, width: 440 mm, depth: 800 mm, power: 1 kW, source: x, confidence: user,
  ports: [{name: net, count: 1, connector: osfp, rate: 800G}]}]
`
	const trunks = `
topology: {family: leaf-spine, nodes: 64, down: 8, up: 8, spines: 4}
packaging: {node: {per_rack: 4}, leaf: {place: in-rack}}
room: {rows: 2, racks_per_row: 12, halls: [{name: east, rows: 1}, {name: west, rows: 1, distance: 10 m}]PATHS}
cabling: {structured: {}}
`
	for _, text := range []string{
		strings.Replace(file, "CABLING", "shuffle: rack", 1), strings.Replace(file, "CABLING", "shuffle: octopus", 1),
		trunks,
	} {
		apart := planText(t, strings.Replace(text, "PATHS", "", 1))
		if apart.Report().Cost.Unmade == 0 {
			t.Errorf("every cable has a product in halls that no tray joins:%s", text)
		}
		for _, v := range apart.Violations.List() {
			if v.Rule == cabling.RuleReach.ID && !strings.HasPrefix(v.Message, "and ") &&
				!strings.Contains(v.Message, "; no tray joins halls ") {
				t.Errorf("%v in%s", v, text)
			}
		}
		joined := planText(t, strings.Replace(text, "PATHS", ", trays: {paths: [{name: P, from: A01, to: B01}]}", 1))
		if joined.Violations.Count(cabling.RuleReach) > 0 || joined.Report().Cost.Unmade > 0 {
			t.Errorf("with a path: %v in%s", joined.Violations.List(), text)
		}
	}
}
