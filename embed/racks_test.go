package embed

import (
	"fmt"
	"slices"
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

// TestNamedRacks fills racks that kinds share by name: kind after kind, every box in the first that has room, apart
// from all others.
func TestNamedRacks(t *testing.T) {
	g := graph(t, topology.FatTree{Nodes: 128, Radix: 32, Spines: 8}) // 8 leaves
	p := problem(g)
	p.Room.Rows, p.Room.PerRow = 3, 6
	for i := range p.Kinds[:2] {
		p.Kinds[i].Class, p.Kinds[i].Racks = NetworkRow, "management"
	}
	p.Kinds[0].PerRack = 3
	p.Kinds[2].PerRack = 16
	pl := place(t, p)
	l := pl.Layout
	for i, want := range [][]int{{3, 3, 2}, {8, 0, 0}} {
		var have []int
		for _, r := range pl.Racks {
			if r.Name == "management" {
				n := 0
				for v := g.Kinds()[i].First; v < g.Kinds()[i].First+8; v++ {
					if l.Container(layout.RackLevel, pl.Slot[v]) == r.Place {
						n++
					}
				}
				have = append(have, n)
			}
		}
		if !slices.Equal(have, want) {
			t.Errorf("%v of kind %s, want %v", have, g.Kinds()[i].Name, want)
		}
	}
	for _, r := range pl.Racks {
		row := l.Room.Places[r.Place].Row
		if r.Name == "management" != (r.Class == NetworkRow) || r.Name == "management" != (row == 1) {
			t.Errorf("rack %+v in row %d", r, row)
		}
	}
	if len(pl.Racks) != 11 {
		t.Errorf("%d racks", len(pl.Racks))
	}

	// Of class in-rack they stand behind the racks of the others; of another name, in others.
	p.Kinds[0].Class, p.Kinds[1].Class = InRack, InRack
	p.Kinds[1].Racks = "spines"
	pl = place(t, p)
	var names []string
	for _, r := range pl.Racks {
		names = append(names, r.Name)
	}
	want := append(make([]string, 8), "management", "management", "management", "spines")
	if !slices.Equal(names, want) {
		t.Errorf("racks %q", names)
	}
}
