package machine_test

import (
	"testing"
)

// Trays are laid as wide as those that are counted: a room with columns gives the same plan whether their number is
// stated or chosen.
func TestChosenTraysAreLaid(t *testing.T) {
	const text = `
topology: {family: fat-tree, nodes: 49, radix: 24, tiers: 3, rails: 3}
packaging:
  node: {part: generic-gpu-node-8u, chassis: blades}
  leaf: {part: generic-switch-64x400g, place: network-row, per_rack: 16}
  spine: {part: generic-switch-64x400g, place: network-row, per_rack: 16}
  core: {part: generic-switch-64x400g, place: network-row, per_rack: 16}
  chassis: {blades: {units: 1, slots: [1, 1, 1]}}
embedding: {strategy: hierarchy, seed: 8}
cabling: {slack: {fixed: 0.5 m, percent: 1}}
room:
  columns:
  - {x: 3 m, y: 2 m, width: 0.4 m, depth: 0.4 m}
  - {x: 5.2 m, y: 3.5 m, width: 0.4 m, depth: 0.4 m}
  keep_outs: [{points: [[0 m, 0 m], [2 m, 0 m], [2 m, 3 m]]}]
`
	chosen := planText(t, text)
	n := chosen.Spec.Room.Trays.Count
	if n < 2 {
		t.Fatalf("%d trays side by side, which shows nothing", n)
	}
	stated := planText(t, text+"  trays: {count: 2}\n")
	if n != 2 || chosen.Report().Length != stated.Report().Length {
		t.Errorf("%d trays, %v of cable; stated: %v", n, chosen.Report().Length.Total, stated.Report().Length.Total)
	}
	if wide := chosen.Schedule.Trays.Network.Levels[0].Width; wide != chosen.Schedule.Trays.Rules[0].Width*2 {
		t.Errorf("%v wide", wide)
	}
}
