package machine_test

import (
	"context"
	"maps"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

// fugaku is the machine's lattice in its containers. A board has 2 nodes, a bunch of blades 16, a shelf 48 and a rack
// 384. The second side, 23, is no multiple of the 2 that a rack has of it: the last racks are cut short, as the 36
// half racks of the machine are. How a rack shares its 32 groups of twelve among x, y and z is ours but for that 2; so
// are all sizes.
const fugaku = `
topology: {family: torus, dims: [24, 23, 24, 2, 3, 2]}
packaging: {node: {part: a64fx}}
room:
  containers:
    - {name: hall, count: [36, 12, 1], pitch: [1.2 m, 2.4 m, 2.2 m]}
    - {name: rack, count: [1, 1, 8], pitch: [1 m, 1.4 m, 0.25 m]}
    - {name: shelf, count: [3, 1, 1], pitch: [0.2 m, 0.8 m, 0.2 m]}
    - {name: bunch, count: [8, 1, 1], pitch: [25 mm, 0.8 m, 0.2 m]}
    - {name: board, count: [1, 2, 1], pitch: [25 mm, 0.3 m, 0.2 m], links: trace}
embedding:
  blocks:
    board: [1, 1, 1, 2, 1, 1]
    bunch: [2, 1, 2, 2, 1, 2]
    shelf: [2, 1, 2, 2, 3, 2]
    rack: [4, 2, 4, 2, 3, 2]
parts:
  - {id: a64fx, kind: node, width: 20 mm, depth: 200 mm, height: 100 mm,
     ports: [{count: 10, connector: qsfp28, rate: 100G}]}
delay: {samples: 16}
`

// TestFugaku plans Fugaku as it was built (Y. Ajima et al., "The Tofu interconnect D", CLUSTER 2018; RIKEN R-CCS,
// "About Fugaku"): 24 x 23 x 24 x 2 x 3 x 2 = 158,976 nodes of 10 links each, in 396 racks of 384 nodes and 36 of 192.
func TestFugaku(t *testing.T) {
	spec, err := machine.Parse("fugaku.yaml", []byte(fugaku))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.PlanWith(context.Background(), spec, machine.Options{Summary: true})
	if err != nil {
		t.Fatal(err)
	}
	if rep := r.Report(); rep.Nodes != 158_976 || rep.Links != 794_880 || rep.Links-rep.Cables != 79_488 || r.Broken() {
		t.Errorf("%d nodes, %d links, %d traces, broken rules %v; published 158,976 nodes of 10 links", rep.Nodes,
			rep.Links, rep.Links-rep.Cables, rep.Violations)
	}
	for name, want := range map[string]map[int]int{ // containers by the nodes in them
		"rack":  {384: 396, 192: 36},
		"shelf": {48: 3312},
		"bunch": {16: 9936},
		"board": {2: 79_488},
	} {
		level := r.Placement.Layout.LevelIndex(name)
		nodes := map[int32]int{}
		for _, slot := range r.Placement.Slot {
			nodes[r.Placement.Layout.Container(level, slot)]++
		}
		got := map[int]int{}
		for _, n := range nodes {
			got[n]++
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: %v containers by their nodes, expected %v", name, got, want)
		}
	}
}
