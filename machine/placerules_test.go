package machine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
)

// A box that cannot be placed is a mistake of the file, reported at its line with the room that it needs.
func TestMistakesOfPlacing(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{
			"topology: {family: dragonfly, p: 4, a: 8, h: 4, groups: 9}\n" +
				"embedding: {effort: quick, together: [block, group]}\n",
			[]string{"m.yaml:2:46: embedding.together[1]: ", "is in a block and in a group"},
		},
		{
			"topology: {family: fat-tree, nodes: 64, radix: 16}\nroom: {rows: 1, racks_per_row: 2}\n" +
				"packaging: {node: {per_rack: 8}}\n",
			[]string{
				"m.yaml:2:1: room: ", "racks for 2 rack positions",
				"64 of kind node stand in 8 racks: a rack holds 8, by per_rack",
			},
		},
		{
			"topology: {family: torus, dims: [64]}\nroom: {rows: 1, racks_per_row: 2, rack: r}\n" +
				"packaging: {node: {part: n}}\nparts:\n" +
				"  - {id: r, kind: rack, units: 42, width: 0.6, depth: 1.2, height: 2, rack: {power: 2 kW, weight: " +
				"100 kg}}\n" +
				"  - {id: n, kind: node, units: 1, width: 0.44, depth: 0.8, power: 500 W, weight: 1 kg,\n" +
				"     ports: [{count: 2, connector: qsfp112, rate: 400G}]}\n",
			[]string{
				"m.yaml:2:1: room: ",
				"64 of kind node stand in 16 racks: a rack holds 4, by its power, 500 W of 2 kW",
			},
		},
	} {
		s, err := machine.Parse("m.yaml", []byte(c.text))
		if err == nil {
			_, err = machine.Plan(context.Background(), s)
		}
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v\nwithout %q", err, want)
			}
		}
	}
}

// A machine without links has nothing to optimise, and is planned all the same.
func TestOptimisingWithoutLinks(t *testing.T) {
	for _, room := range []string{"", "room: {containers: [{name: box, count: [2, 2, 1], pitch: 0.3 m}]}\n"} {
		r := planText(t, "topology: {family: torus, dims: [1]}\nembedding: {effort: quick}\n"+room)
		if len(r.Placement.Slot) != 1 || r.Placement.Optimized == nil {
			t.Errorf("%+v", r.Placement)
		}
	}
}

// What must not share a rack goes to free positions where the racks in use have no
// room for it, in racks of its own class.
func TestApartGoesToFreePositions(t *testing.T) {
	for _, place := range []string{"in-rack", "network-row"} {
		r := planText(t, strings.Replace(`
topology: {family: fat-tree, nodes: 64, radix: 16}
packaging: {node: {per_rack: 42}, leaf: {per_rack: 8}, spine: {place: PLACE, per_rack: 8}}
room: {rows: 3, racks_per_row: 8}
embedding: {effort: quick, apart: [{of: spine, within: rack, at_most: 1}]}
`, "PLACE", place, 1))
		for _, k := range r.Graph.Kinds() {
			seen := map[int32]bool{}
			for v := k.First; k.Name == "spine" && v < k.First+k.Count; v++ {
				rack := r.Placement.Layout.Container(layout.RackLevel, r.Placement.Slot[v])
				if seen[rack] {
					t.Errorf("%s: two spines in a rack", place)
				}
				seen[rack] = true
			}
		}
	}
}
