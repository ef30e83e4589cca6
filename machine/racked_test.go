package machine_test

import (
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/layout"
)

// spinesOnTwoFeeds is spines that stand apart in a room with two feeds, and PDUs beside the units of racks.
const spinesOnTwoFeeds = `
boxes:
  - {name: ct, count: 12, part: srv, per_rack: 6}
  - {name: pdu, COUNT role: service, part: apc-ap8886, per_rack: 2}
fabrics:
  - name: back
    topology: {family: leaf-spine, down: 16, up: 8, spines: 2}
    ends: [{boxes: ct}]
    switches: {leaf: {part: sw1, place: in-rack}, spine: {part: sw1, place: middle-of-row}}
room: {rows: 2, racks_per_row: 6, feeds: [{name: A}, {name: B}]}
parts:
  - {id: srv, kind: node, units: 1, power: 600 W, inlets: {c14: 2}, redundancy: N+1,
     ports: [{count: 1, connector: osfp, rate: 800G}]}
  - {id: sw1, kind: switch, units: 1, power: 800 W, hop: 400 ns, inlets: {c14: 2}, redundancy: N+1,
     ports: [{count: 32, connector: osfp, rate: 800G}]}
`

// TestPDUsOfRacksThatAreAdded: racks of switches that stand apart have as many PDUs as the others, with a count and
// without, and a count that is too small is named.
func TestPDUsOfRacksThatAreAdded(t *testing.T) {
	for _, count := range []string{"", "count: 8,"} {
		r := planText(t, strings.Replace(spinesOnTwoFeeds, "COUNT", count, 1))
		beside := map[int32]int{}
		for _, k := range r.Graph.Kinds() {
			for v := k.First; v < k.First+k.Count && k.Name == "pdu"; v++ {
				beside[r.Placement.Layout.Container(layout.RackLevel, r.Placement.Slot[v])]++
			}
		}
		for _, rack := range r.Placement.Racks {
			if beside[rack.Place] != 2 {
				t.Errorf("%q: PDUs by rack: %v", count, beside)
			}
		}
		if len(r.Placement.Racks) != 4 || r.Broken() {
			t.Errorf("%q: %d racks, %v", count, len(r.Placement.Racks), r.Violations.List())
		}
	}
	r := planText(t, strings.Replace(spinesOnTwoFeeds, "COUNT", "count: 6,", 1))
	want := "; boxes[1].count is 6, too few pdu for 2 in each of 4 racks: state 8, or leave it out"
	for _, v := range r.Violations.List() {
		if v.Rule == "outlets" && strings.HasSuffix(v.Message, want) {
			return
		}
	}
	t.Errorf("%v\nwant %s", r.Violations.List(), want)
}
