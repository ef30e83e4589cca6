package machine_test

import (
	"testing"

	"github.com/plenum-planner/plenum/embed"
)

// superPod is the DGX SuperPOD of four units with its networks but storage: 32 racks of nodes and 6 of management
// (NVIDIA, RA-11333-001 and the data centre design guide).
const superPod = `
name: superpod
boxes:
- {name: dgx, count: 127, part: nvidia-dgx-h100, per_rack: 4}
- {name: fabric-manager, count: 4, role: service, part: generic-server-1u, racks: management, per_rack: 1}
- {name: manager, count: 5, role: service, part: generic-server-1u, racks: management, per_rack: 1}
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
  switches: {switch: {part: nvidia-sn2201, racks: management}}
room: {rows: 5, racks_per_row: 8, rack: rack-48u}
rules: {suppress: [{rule: redundancy, reason: as built}]}
`

// TestManagementRacks plans a machine whose servers and switches share racks of their own, of which there are no more
// than they take.
func TestManagementRacks(t *testing.T) {
	r := buyAny(t, superPod)
	racks := map[string]int{}
	for _, rack := range r.Placement.Racks {
		racks[rack.Name]++
		row := r.Room().Places[rack.Place].Row
		if rack.Name == "management" && (rack.Class != embed.NetworkRow || row != 2) {
			t.Errorf("%+v in row %d", rack, row)
		}
	}
	if racks[""] != 32 || racks["management"] != 6 {
		t.Errorf("racks %v, want 32 of nodes and 6 of management", racks)
	}
}
