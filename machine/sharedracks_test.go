package machine_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// contents lists what each rack holds, by its name: "6 blade, 2 leaf".
func contents(r *machine.Result) map[string]string {
	count := map[string]map[string]int{}
	kinds := r.Graph.Kinds()
	for v, slot := range r.Placement.Slot {
		rack := r.Placement.Layout.Rack(slot)
		if count[rack] == nil {
			count[rack] = map[string]int{}
		}
		count[rack][kinds[topology.KindOf(kinds, v)].Name]++
	}
	out := map[string]string{}
	for rack, of := range count {
		var words []string
		for _, kind := range slices.Sorted(maps.Keys(of)) {
			words = append(words, fmt.Sprint(of[kind], " ", kind))
		}
		out[rack] = strings.Join(words, ", ")
	}
	return out
}

// kindsInRacks is a machine of several kinds of boxes, each with a most of its own in a rack, whose management switches
// stand in the racks; network is a fabric of its own before that of management.
func kindsInRacks(blades, switches, shelves, leaves int, network string) string {
	return fmt.Sprintf(`
boxes:
  - {name: blade, count: %d, part: blade, per_rack: 12}
  - {name: crossbar, count: %d, part: tray, per_rack: 5, role: service}
  - {name: shelf, count: %d, part: tray, per_rack: 4, role: service}
fabrics:%s
  - name: oob
    topology: {family: access, switches: %d}
    ends: [{boxes: blade, ports: mgmt}, {boxes: crossbar}, {boxes: shelf}]
    switches: {switch: {part: nvidia-sn2201, place: in-rack, per_rack: 1}}
parts:
  - id: blade
    kind: node
    units: 2
    ports:
      - {name: data, count: 2, connector: osfp, rate: 400G}
      - {name: mgmt, count: 1, connector: rj45, rate: 1G}
  - {id: tray, kind: node, units: 1, ports: [{name: mgmt, count: 1, connector: rj45, rate: 1G}]}
room: {rows: 1, racks_per_row: 14, rack: rack-42u}
`, blades, switches, shelves, network, leaves)
}

// TestKindsShareRacks: a rack in which one kind has reached its per_rack takes more of the others.
func TestKindsShareRacks(t *testing.T) {
	const compute = `
  - name: compute
    topology: {family: fat-tree, radix: 64, rails: 2}
    ends: [{boxes: blade, ports: data}]
    switches: {leaf: {part: nvidia-qm9700, place: middle-of-row}, spine: {part: nvidia-qm9700, place: middle-of-row}}`
	for name, network := range map[string]string{"management alone": "", "two fabrics": compute} {
		r := planText(t, kindsInRacks(36, 15, 12, 3, network))
		full := 0
		for rack, holds := range contents(r) {
			switch {
			case holds == "12 blade, 5 crossbar, 1 oob-leaf, 4 shelf":
				full++
			case strings.Contains(holds, "blade") || strings.Contains(holds, "shelf"):
				t.Errorf("%s: rack %s holds %s", name, rack, holds)
			}
		}
		if full != 3 {
			t.Errorf("%s: %v", name, contents(r))
		}
		if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "share 3 racks") }) {
			t.Errorf("%s: no note of it in %q", name, r.Notes)
		}
		if n := r.Violations.Errors(); n > 0 {
			t.Errorf("%s: %d errors", name, n)
		}
	}
	// What does not divide is spread, in no more racks than the kind with the most takes.
	r := planText(t, kindsInRacks(40, 17, 13, 4, ""))
	racks := map[int32]bool{}
	for _, slot := range r.Placement.Slot {
		racks[r.Placement.Layout.Container(layout.RackLevel, slot)] = true
	}
	if len(racks) != 4 {
		t.Errorf("%d racks, want 4: %v", len(racks), contents(r))
	}
}

// TestApartInRacksOfAName: switches that share racks of a name with anti-affinity take more of them.
func TestApartInRacksOfAName(t *testing.T) {
	for most := 1; most <= 5; most++ {
		r := planText(t, fmt.Sprintf(`
boxes: [{name: srv, count: 16, part: generic-gpu-node-8u, per_rack: 4}]
fabrics:
  - name: ib
    topology: {family: fat-tree, radix: 32, rails: 8}
    ends: [{boxes: srv}]
    switches:
      leaf: {part: generic-switch-64x400g, place: middle-of-row, racks: core}
      spine: {part: generic-switch-64x400g, place: middle-of-row, racks: core}
room: {rows: 2, racks_per_row: 10}
embedding: {apart: [{of: ib/leaf, within: rack, at_most: %d}]}
`, most))
		leaves, racks := 0, 0
		for rack, holds := range contents(r) {
			var n int
			if at := strings.Index(holds, " ib-leaf"); at >= 0 {
				words := strings.Fields(holds[:at])
				fmt.Sscan(words[len(words)-1], &n)
				leaves, racks = leaves+n, racks+1
			}
			if n > most {
				t.Errorf("at most %d: rack %s holds %s", most, rack, holds)
			}
		}
		if want := (leaves + most - 1) / most; leaves == 0 || racks != want {
			t.Errorf("at most %d: %d leaves in %d racks, want %d", most, leaves, racks, want)
		}
	}
}
