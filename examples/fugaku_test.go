package examples_test

import (
	"maps"
	"testing"

	"github.com/plenum-planner/plenum/catalog"
)

// TestFugaku plans Fugaku as it was built (Y. Ajima et al., "The Tofu interconnect D", CLUSTER 2018; RIKEN R-CCS,
// "About Fugaku"): 24 x 23 x 24 x 2 x 3 x 2 = 158,976 nodes of 10 links each, in 396 racks of 384 nodes and 36 of 192.
func TestFugaku(t *testing.T) {
	r := sketch(t, "fugaku.yaml")
	if rep := r.Report(); rep.Nodes != 158_976 || rep.Links != 794_880 || rep.Links-rep.Cables != 79_488 || r.Broken() {
		t.Errorf("%d nodes, %d links, %d traces, broken rules %v; published 158,976 nodes of 10 links", rep.Nodes,
			rep.Links, rep.Links-rep.Cables, rep.Violations)
	}
	if got := r.Report().Racks; got != 432 {
		t.Errorf("%d racks, published 432", got)
	}
	// Cables within racks are those of the links but the traces and those that leave a rack along three dimensions: of
	// 24 nodes along x and z a rack has 4, of 23 along y 2.
	labour := map[string]int64{}
	for _, row := range r.Bill.Rows {
		if row.Kind == catalog.KindLabour {
			labour[row.Item.Part] = row.Qty
		}
	}
	along := func(side, most int) int64 { // links between blocks of a ring, in all
		return 158_976 / int64(side) * int64(most)
	}
	// Racks of one plane of y stand in a row: 23 nodes along y are in 12 rows, those along x and z in one.
	want := map[string]int64{
		"install-in-row": 2 * along(24, 6), "install-cross-row": along(23, 12),
		"install-in-rack": 715_392 - 2*along(24, 6) - along(23, 12),
	}
	if !maps.Equal(labour, want) {
		t.Errorf("labour %v, expected %v", labour, want)
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
