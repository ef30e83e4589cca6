package machine_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
)

// apartRacks is network racks that are alike but for what some of them hold, in positions of their type in rows.
const apartRacks = `
boxes: [{name: n, part: generic-node-1u}]
racks:
  - {name: r, part: rack-42u, count: 10, holds: [{boxes: n, units: 1-8}]}
  - {name: net, part: rack-48u-wide, count: 5, place: middle-of-row,
     holds: [{switch: eth/leaf, units: 1-2}, {switch: eth/spine, units: 10-11}]}
fabrics:
  - name: eth
    topology: {family: leaf-spine, down: 16, up: 3, spines: 3}
    ends: [{boxes: n}]
    switches: {switch: {part: nvidia-sn5610, breakout: 2}}
room:
  rack: rack-42u
  rack_types: [{name: net, part: rack-48u-wide}]
  rows:
    - {racks: 8, types: [{positions: 3-5, type: net}]}
    - {racks: 8, types: [{positions: 3-5, type: net}]}
    - {racks: 8%s}
embedding: {apart: [{of: eth/spine, within: row}]}
`

// TestRacksAreArrangedApart: switches come into rows of their own where the positions of their racks allow it, however
// racks were distributed at first, and a message names the rows where they do not.
func TestRacksAreArrangedApart(t *testing.T) {
	r := planText(t, fmt.Sprintf(apartRacks, ", types: [{positions: 3-4, type: net}]"))
	rows := map[int]int{}
	for _, k := range r.Graph.Kinds() {
		for v := k.First; v < k.First+k.Count && k.Name == "eth-spine"; v++ {
			rack := r.Placement.Layout.Container(layout.RackLevel, r.Placement.Slot[v])
			rows[r.Room().Places[rack].Row]++
		}
	}
	if !maps.Equal(rows, map[int]int{0: 1, 1: 1, 2: 1}) {
		t.Errorf("spines by row: %v", rows)
	}
	spec, err := machine.Parse("m.yaml", []byte(fmt.Sprintf(apartRacks, "")))
	if err == nil {
		_, err = machine.Plan(context.Background(), spec)
	}
	want := "embedding.apart[0]: 3 of eth/spine in row A, and at most 1 of the 3 may share a row: it takes 3 rows, " +
		"and the racks that hold them have positions in row A and row B only"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
}
