package examples_test

import (
	"maps"
	"testing"
)

// TestFugaku plans Fugaku as it was built (Y. Ajima et al., "The Tofu interconnect D", CLUSTER 2018; RIKEN R-CCS,
// "About Fugaku"): 24 x 23 x 24 x 2 x 3 x 2 = 158,976 nodes of 10 links each, in 396 racks of 384 nodes and 36 of 192.
func TestFugaku(t *testing.T) {
	r := sketch(t, "fugaku.yaml")
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
