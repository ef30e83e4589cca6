package embed

import (
	"fmt"
	"testing"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// BenchmarkFillTree fills racks with a tree of three tiers.
func BenchmarkFillTree(b *testing.B) {
	p := problem(graph(b, topology.FatTree{Nodes: 65536, Radix: 64, Tiers: 3}))
	p.Kinds[1].Class, p.Kinds[2].Class = NetworkRow, NetworkRow
	for b.Loop() {
		place(b, p)
	}
}

// TestTallRacks fills racks of more units than a word has bits, as cabinets of two racks and Cray's are.
func TestTallRacks(t *testing.T) {
	g := graph(t, topology.FatTree{Nodes: 400, Radix: 40, Spines: 20})
	for _, height := range []int{64, 65, 96, 200, layout.MaxUnits} {
		p := problem(g)
		p.Room.Rack.Units = height
		p.Kinds[0].Units = []int{height} // a leaf at the top of every rack, so one leaf in a rack
		p.Kinds[1].Class = NetworkRow
		pl := place(t, p)
		if len(pl.Racks) != 20+1 {
			t.Errorf("racks of %d units: %d", height, len(pl.Racks))
		}
		top := 0 // of the spines
		for s := g.Kinds()[1].First; s < g.Kinds()[1].First+20; s++ {
			top = max(top, pl.Layout.Unit(pl.Slot[s]))
		}
		if leaf := pl.Layout.Unit(pl.Slot[g.Kinds()[0].First]); leaf != height || top != height {
			t.Errorf("racks of %d units: a leaf at %d, the highest spine at %d", height, leaf, top)
		}
	}
	p := problem(g)
	p.Room.Rack.Units = layout.MaxUnits + 1
	if _, err := Place(t.Context(), p); err == nil || err.Error() != fmt.Sprintf(
		"Room.Rack: a rack of %d units; at most %d are supported", layout.MaxUnits+1, layout.MaxUnits) {
		t.Error(err)
	}
}
