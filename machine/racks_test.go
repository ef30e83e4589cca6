package machine_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// superPod is the DGX SuperPOD of four units with its networks but storage: 32 racks of nodes and 6 of management
// (NVIDIA, RA-11333-001 and the data centre design guide).
const superPod = `
name: superpod
boxes:
- {name: dgx, count: 127, part: nvidia-dgx-h100, per_rack: 4}
- {name: fabric-manager, count: 4, role: service, part: generic-server-1u, racks: management, per_rack: 1}
- {name: manager, count: 5, role: service, part: generic-server-1u, racks: management, per_rack: 1}
- {name: pdu, count: 96, role: service, part: pdu, per_rack: 3}
- {name: pdu-management, count: 12, role: service, part: pdu, per_rack: 2}
fabrics:
- name: compute
  topology: {family: fat-tree, radix: 64, rails: 8, nodes: 128}
  ends: [{boxes: dgx, ports: compute}]
  switches: {leaf: {part: nvidia-qm9700, racks: management, per_rack: 6},
             spine: {part: nvidia-qm9700, racks: management, per_rack: 3}}
  media: [{use: [fibre]}]
- name: in-band
  topology: {family: fat-tree, radix: 64, rails: 2}
  ends: [{boxes: dgx, ports: in-band}, {boxes: manager, ports: data}, {boxes: fabric-manager, ports: data}]
  switches: {switch: {part: nvidia-sn4600c, racks: management}}
- name: oob
  topology: {family: access, down: 48}
  ends:
  - {boxes: dgx, ports: bmc}
  - {boxes: manager, ports: bmc}
  - {boxes: fabric-manager, ports: bmc}
  - {boxes: compute/leaf, ports: management}
  - {boxes: compute/spine, ports: management}
  - {boxes: pdu}
  - {boxes: pdu-management}
  switches: {switch: {part: nvidia-sn2201, racks: management}}
room: {rows: 5, racks_per_row: 8, rack: rack-48u}
rules: {suppress: [{rule: redundancy, reason: as built}]}
parts:
- {id: pdu, kind: node, zero_u: true, width: 56 mm, depth: 60 mm, height: 1.8 m, power: 15 W, weight: 11 kg,
   ports: [{count: 1, connector: rj45, rate: 1G, label: net, at: [[28 mm, 0.9 m]]}]}
`

// TestManagementRacks plans a machine whose servers and switches share racks of their own, of which there are no more
// than they take.
func TestManagementRacks(t *testing.T) {
	r := buyAny(t, superPod)
	racks := map[string]int{}
	beside := map[int32][2]int{} // PDUs of both kinds
	for i, name := range []string{"pdu", "pdu-management"} {
		for _, k := range r.Schedule.Kinds {
			for v := k.First; v < k.First+k.Count && k.Name == name; v++ {
				rack := r.Placement.Layout.Container(layout.RackLevel, r.Placement.Slot[v])
				n := beside[rack]
				n[i]++
				beside[rack] = n
			}
		}
	}
	for _, rack := range r.Placement.Racks {
		racks[rack.Name]++
		want := map[string][2]int{"": {3, 0}, "management": {0, 2}}[rack.Name]
		if n := beside[rack.Place]; n != want {
			t.Errorf("%v PDUs beside the units of %+v, want %v", n, rack, want)
		}
		row := r.Room().Places[rack.Place].Row
		if rack.Name == "management" && (rack.Class != embed.NetworkRow || row != 2) {
			t.Errorf("%+v in row %d", rack, row)
		}
	}
	for _, v := range r.Violations.List() {
		if v.Suppressed == "" && v.Severity == diag.Error {
			t.Errorf("%s: %s: %s", v.Rule, v.Where, v.Message)
		}
	}
	if racks[""] != 32 || racks["management"] != 6 {
		t.Errorf("racks %v, want 32 of nodes and 6 of management", racks)
	}
}

// TestPDUPlacementReadsBack writes the places of boxes that take no units, and plans the machine with them.
func TestPDUPlacementReadsBack(t *testing.T) {
	r := buyAny(t, superPod)
	table := func(r *machine.Result) []byte {
		var b bytes.Buffer
		if err := embed.WriteCSV(context.Background(), &b, r.Graph, r.Schedule.Naming.Boxes, r.Placement); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	path := filepath.Join(t.TempDir(), "placement.csv")
	if err := os.WriteFile(path, table(r), 0o600); err != nil {
		t.Fatal(err)
	}
	again := buyAny(t, superPod+"embedding: {placement: "+path+", effort: quick}\n")
	if !bytes.Equal(table(again), table(r)) {
		t.Error("the placement is another")
	}
	for v, slot := range r.Placement.Slot {
		if r.Placement.Layout.Position(slot) != again.Placement.Layout.Position(again.Placement.Slot[v]) {
			t.Fatalf("box %d stands elsewhere", v)
		}
	}
}

// TestBesideMistakes: boxes that take no units have none, nor a place or a chassis.
func TestBesideMistakes(t *testing.T) {
	for _, c := range []struct{ from, want string }{
		{"part: pdu, place: in-rack", "boxes[3].place: pdu stands beside the units of racks that other boxes fill"},
		{"part: pdu, units: [1]", "boxes[3].units: pdu stands beside the units of racks that other boxes fill"},
		{"part: pdu, per_rack: 2", "boxes[3].count: 20 of the 96 of kind pdu stand nowhere: there is room beside the " +
			"units of 38 racks, for 2 each"},
	} {
		s, err := machine.Parse("m.yaml", []byte(strings.Replace(superPod, "part: pdu, per_rack: 3", c.from, 1)))
		if err == nil {
			_, err = machine.Plan(context.Background(), s)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n%v\nwant %s", c.from, err, c.want)
		}
	}
}

// TestAsManyBesideAsRacks: boxes beside the units of racks without a count are as many as the racks take, those of the
// switches that they need themselves among them, and the plan is that of the machine with the count.
func TestAsManyBesideAsRacks(t *testing.T) {
	const text = `
boxes:
- {name: pc, count: 60, part: generic-server-1u, per_rack: 3}
- {name: pdu, COUNT role: service, part: generic-pdu-0u, per_rack: 4}
- {name: network-pdu, NETWORK role: service, part: generic-pdu-0u, racks: network, per_rack: 2}
fabrics:
- name: data
  topology: {family: leaf-pair, down: 60}
  ends: [{boxes: pc, ports: data}]
  switches: {switch: {part: nvidia-sn4600c, racks: network}}
- name: oob
  topology: {family: access, down: 10}
  ends: [{boxes: "*/*", ports: management}, {boxes: pc, ports: bmc}, {boxes: "*", ports: network}]
  switches: {switch: {part: nvidia-sn2201, racks: network, per_rack: 3}}
rules: {suppress: [{rule: redundancy, reason: a test}]}
`
	fill := func(count, network string) string {
		return strings.Replace(strings.Replace(text, "COUNT", count, 1), "NETWORK", network, 1)
	}
	r := buy(t, fill("", ""))
	// 20 racks of servers are 80 PDUs. n racks of the network are 2n, and hold three switches each, which serve ten.
	boxes := map[string]int{}
	for _, b := range r.Report().Boxes {
		boxes[b.Name] = b.Qty
	}
	racks := boxes["network-pdu"] / 2
	if need := (60 + 80 + 2*racks + 2 + 9) / 10; boxes["pdu"] != 80 || boxes["oob-leaf"] != need ||
		racks != (need+2)/3 {
		t.Errorf("boxes %v", boxes)
	}
	stated := buy(t, fill("count: 80,", fmt.Sprintf("count: %d,", boxes["network-pdu"])))
	if a, b := asJSON(t, r.Report()), asJSON(t, stated.Report()); a != b {
		t.Errorf("%s\nwith counts %s", a, b)
	}
	s, err := machine.Parse("m.yaml", []byte(fill("", "")))
	if err != nil {
		t.Fatal(err)
	}
	if g, _, err := machine.Topology(s, "oob"); err != nil || int(topology.Count(g).Links) != 60+80+2*racks+2 {
		t.Errorf("%v, %v", g, err)
	}
}

// TestCountsLeftOutMistakes are reported at the boxes.
func TestCountsLeftOutMistakes(t *testing.T) {
	const pdu = `- {name: pdu, role: service, part: generic-pdu-0u, per_rack: 2}`
	for _, c := range []struct{ boxes, end, want string }{
		{"- {name: x, part: generic-server-1u}", "{boxes: pc, ports: bmc}", "only boxes beside the units of racks"},
		{
			pdu + "\n" + strings.Replace(pdu, "name: pdu", "name: other", 1), "{boxes: pdu}",
			"pdu stands beside the units",
		},
		{pdu, "{boxes: pdu, count: 2}", "pdu are as many as there are racks"},
	} {
		_, err := machine.Parse("m.yaml", []byte(`
boxes:
- {name: pc, count: 6, part: generic-server-1u}
`+c.boxes+`
fabrics:
- {name: oob, topology: {family: access, down: 10}, ends: [`+c.end+`], switches: {switch: {part: nvidia-sn2201}}}
`))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.boxes, err)
		}
	}
}
