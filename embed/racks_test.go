package embed

import (
	"fmt"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/embed/mapping"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
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

// TestBesideUnits stands power distribution units beside the units of racks that are full: as many as a rack takes, in
// the order in which racks were filled, in other racks than those of an earlier kind.
func TestBesideUnits(t *testing.T) {
	g := graph(t, topology.FatTree{Nodes: 96, Radix: 32, Spines: 8}) // 6 leaves
	p := problem(g)
	p.Room.Rack.Units, p.Room.Rows, p.Room.PerRow = 8, 4, 5
	p.Room.Rack.Base = 0.1
	box := layout.NewBox(0, 0.06, 0.1, []layout.Ports{{Count: 1}})
	pdu := Kind{Box: box, Power: 10, Weight: 5, Class: Beside}
	p.Kinds[0], p.Kinds[1] = pdu, pdu
	p.Kinds[0].PerRack = 3 // of 6 leaves, which play them as the spines do
	pl := place(t, p)
	l := pl.Layout
	if len(pl.Racks) != 12 {
		t.Fatalf("%d racks", len(pl.Racks))
	}
	have := map[int32][2]int{}
	for i, k := range g.Kinds()[:2] {
		for v := k.First; v < k.First+k.Count; v++ {
			at := pl.Slot[v]
			n := have[l.Container(layout.RackLevel, at)]
			n[i]++
			have[l.Container(layout.RackLevel, at)] = n
			place := l.Room.Places[l.Container(layout.RackLevel, at)]
			port := l.At(at, p.Kinds[i].Box.Port(0))
			if !l.Rear(at) || l.Unit(at) != 4 || port.Z.Round4() != (0.1+3.5*units.RackUnit).Round4() {
				t.Errorf("box %d at unit %d, rear %v, its port at %v", v, l.Unit(at), l.Rear(at), port.Z)
			}
			if away := (port.Y - place.Y).Abs(); away.Round4() != 0.6 || port.Y > place.Y == place.Turned {
				t.Errorf("the port of box %d is %v from the middle of its rack at %v", v, port.Y, place.Y)
			}
		}
	}
	for i, r := range pl.Racks {
		want := [2]int{0, 1}
		if i < 2 {
			want = [2]int{3, 0}
		}
		if i >= 10 {
			want = [2]int{}
		}
		n := have[r.Place]
		if n != want || r.Used != 8 || r.Power != units.Power(10*(n[0]+n[1])) ||
			r.Weight != units.Mass(5*(n[0]+n[1])) || r.Boxes != r.Used+n[0]+n[1] {
			t.Errorf("rack %d has %v: %+v", i, n, r)
		}
	}
	a, b, c := l.Position(pl.Slot[g.Kinds()[0].First]), l.Position(pl.Slot[g.Kinds()[0].First+1]),
		l.Position(pl.Slot[g.Kinds()[0].First+2])
	if a.X == b.X || a.X == c.X || b.X == c.X {
		t.Errorf("at %v, %v and %v", a, b, c)
	}

	p.Kinds[0].PerRack = 1
	_, err := Place(t.Context(), p)
	if want := "Kinds[1].Count: 2 of the 8 of kind spine stand nowhere: there is room beside the units of 6 racks, " +
		"for 1 each; let more stand in a rack (per_rack), or have fewer"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestBesideNamedRacks checks that boxes beside the units stand at racks of their name only.
func TestBesideNamedRacks(t *testing.T) {
	g := graph(t, topology.FatTree{Nodes: 96, Radix: 32, Spines: 8})
	p := problem(g)
	p.Kinds[0].Class, p.Kinds[0].Racks, p.Kinds[0].PerRack = NetworkRow, "own", 2
	p.Kinds[1] = Kind{Box: layout.NewBox(0, 0.06, 0.1, nil), Class: Beside, Racks: "own", PerRack: 3}
	for _, o := range []*Optimizer{nil, shortest(mapping.Quick)} {
		p.Optimizer = o
		pl := place(t, p)
		var have []int
		for _, r := range pl.Racks {
			if r.Name == "own" {
				have = append(have, r.Boxes-r.Used)
			} else if r.Boxes != r.Used {
				t.Errorf("boxes beside the units of %+v", r)
			}
		}
		slices.Sort(have)
		if !slices.Equal(have, []int{2, 3, 3}) {
			t.Errorf("%v beside the units", have)
		}
	}
}
