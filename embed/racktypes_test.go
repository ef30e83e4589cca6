package embed

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// TestRacksKeepToTheirTypes places networks in rooms of several types of racks: every box stands in a rack that its
// kind may stand in, boxes keep apart and have rows of their own where that is asked for, and no rack holds more than
// its own type bears.
func TestRacksKeepToTheirTypes(t *testing.T) {
	placed := 0
	rapid.Check(t, func(t *rapid.T) {
		g, err := topology.New(topology.FatTree{Nodes: 48, Radix: 16})
		if err != nil {
			t.Fatal(err)
		}
		limits := rapid.SampledFrom([]units.Power{0, 3000, 5000})
		room := &layout.RoomSpec{
			Rack: layout.RackType{Units: 42, Width: 0.6, Depth: 1.2, Height: 2, Power: limits.Draw(t, "power")},
			Cold: 1.2, Hot: 1, Margin: 1.2, Alternate: true, Trays: layout.TraySpec{Height: 2.3},
			Types: []layout.RackType{
				{Name: "network", Units: 48, Width: 0.8, Depth: 1.2, Height: 2.3, Power: limits.Draw(t, "network")},
				{Name: "strong", Units: 52, Width: 0.6, Depth: 1.2, Height: 2.4, Power: 20000},
			},
		}
		for range rapid.IntRange(1, 6).Draw(t, "rows") {
			row := layout.RowSpec{Racks: rapid.IntRange(2, 9).Draw(t, "racks")}
			at := rapid.IntRange(1, row.Racks).Draw(t, "typed")
			row.Types = []layout.TypeStretch{{
				Stretch: layout.Stretch{First: at, Last: rapid.IntRange(at, row.Racks).Draw(t, "to")},
				Type:    rapid.IntRange(0, 2).Draw(t, "type"),
			}}
			if rapid.Bool().Draw(t, "whole") {
				row.Types = []layout.TypeStretch{{
					Stretch: layout.Stretch{First: 1, Last: row.Racks}, Type: rapid.IntRange(0, 1).Draw(t, "of"),
				}}
			}
			room.List = append(room.List, row)
			room.Rows, room.PerRow = room.Rows+1, max(room.PerRow, row.Racks)
		}
		p := &Problem{Graph: g, Room: room, Strategy: Hierarchy}
		together := rapid.Bool().Draw(t, "switches in the racks of nodes")
		for _, k := range g.Kinds() {
			kind := Kind{
				Box: layout.NewBox(1, 0.44, 0.8, []layout.Ports{{Count: 64}}), Power: 700, Class: NetworkRow,
				Types: []int{1},
			}
			if k.Role != topology.Switch {
				kind.Class, kind.Types = InRack, []int{0, 2}
			} else if together {
				kind.Class, kind.ByPlace, kind.PerRack = InRack, true, rapid.IntRange(0, 2).Draw(t, "per rack")
				kind.Types = rapid.SampledFrom([][]int{{0}, {1}, {2}, {0, 1}, {1, 2}, {0, 1, 2}}).Draw(t, "types")
			}
			p.Kinds = append(p.Kinds, kind)
		}
		leaves := Group{Name: "leaves"}
		for v := range int32(topology.Vertices(g)) {
			if topology.KindOf(g.Kinds(), int(v)) == 0 {
				leaves.Vertices = append(leaves.Vertices, v)
			}
		}
		atMost := rapid.IntRange(1, 4).Draw(t, "at most")
		within := rapid.SampledFrom([]Domain{RackDomain, RowDomain}).Draw(t, "within")
		spread := rapid.Bool().Draw(t, "spread")
		if spread {
			p.AntiAffinity = []AntiAffinity{{Groups: []Group{leaves}, Within: within, AtMost: atMost}}
		}
		alone := rapid.Bool().Draw(t, "rows of their own")
		if alone { // for switches, and nodes of one type
			p.Contiguous, p.Kinds[2].Types = []string{"switches"}, []int{0}
			p.Kinds[0].Block, p.Kinds[1].Block = 1, 1
		}
		pl, err := Place(context.Background(), p)
		if err != nil {
			return // too small a room
		}
		placed++
		domains, count := p.domains(pl.Layout.Room, within), map[int32]int{}
		for _, v := range leaves.Vertices {
			d := domains[pl.Layout.Container(layout.RackLevel, pl.Slot[v])]
			if count[d]++; spread && count[d] > atMost {
				t.Fatalf("%d leaves in a domain, of at most %d", count[d], atMost)
			}
		}
		of := map[int32]bool{} // rows: whether they are for switches
		for v, slot := range pl.Slot {
			row, is := pl.Layout.Container(layout.RowLevel, slot), p.Kinds[topology.KindOf(g.Kinds(), v)].Block == 1
			if was, known := of[row]; alone && known && was != is {
				t.Fatalf("switches and nodes stand in row %d", row)
			}
			of[row] = is
		}
		drawn := map[int32]units.Power{}
		for v, slot := range pl.Slot {
			place := pl.Layout.Container(layout.RackLevel, slot)
			kind := &p.Kinds[topology.KindOf(g.Kinds(), v)]
			rack := pl.Layout.Room.Type(place)
			if of := pl.Layout.Room.Places[place].Type; !slices.Contains(kind.Types, of) {
				t.Fatalf("vertex %d stands in a rack of type %d, not of %v", v, of, kind.Types)
			}
			if pl.Layout.Unit(slot) > rack.Units {
				t.Fatalf("vertex %d at unit %d of %d", v, pl.Layout.Unit(slot), rack.Units)
			}
			if drawn[place] += kind.Power; rack.Power > 0 && drawn[place] > rack.Power {
				t.Fatalf("%v in a rack of %v", drawn[place], rack.Power)
			}
		}
	})
	if placed == 0 && !testing.Short() { // twenty draws may have none
		t.Error("nothing was placed")
	}
}

// TestTypesWithOtherRules stands leaves and spines in racks of their own type, two of which every row has: leaves no
// more than two to a row, or all of them in rows of their own.
func TestTypesWithOtherRules(t *testing.T) {
	g, err := topology.New(topology.FatTree{Nodes: 48, Radix: 16})
	if err != nil {
		t.Fatal(err)
	}
	problem := func() *Problem {
		room := &layout.RoomSpec{
			Rows: 4, PerRow: 8, Rack: layout.RackType{Units: 42, Width: 0.6, Depth: 1.2, Height: 2},
			Cold: 1.2, Hot: 1, Margin: 1.2, Alternate: true, Trays: layout.TraySpec{Height: 2.3},
			Types: []layout.RackType{{Name: "network", Units: 42, Width: 0.8, Depth: 1.2, Height: 2}},
		}
		for range room.Rows {
			room.List = append(room.List, layout.RowSpec{
				Racks: 8, Types: []layout.TypeStretch{{Stretch: layout.Stretch{First: 4, Last: 5}, Type: 1}},
			})
		}
		p := &Problem{Graph: g, Room: room, Strategy: Hierarchy}
		for _, k := range g.Kinds() {
			kind := Kind{
				Box: layout.NewBox(1, 0.44, 0.8, []layout.Ports{{Count: 64}}), Class: NetworkRow,
				Types: []int{1}, PerRack: 2,
			}
			if k.Role != topology.Switch {
				kind.Class, kind.Types, kind.PerRack = InRack, nil, 8
			}
			p.Kinds = append(p.Kinds, kind)
		}
		return p
	}
	rowsOf := func(p *Problem, kind int) (rows []int32) {
		t.Helper()
		pl, err := Place(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		for v, slot := range pl.Slot {
			if topology.KindOf(g.Kinds(), v) == kind {
				rows = append(rows, pl.Layout.Container(layout.RowLevel, slot))
				if got := pl.Layout.Room.Places[pl.Layout.Container(layout.RackLevel, slot)].Type; got != 1 {
					t.Errorf("vertex %d stands in a rack of type %d", v, got)
				}
			}
		}
		slices.Sort(rows)
		return rows
	}
	leaf := slices.IndexFunc(g.Kinds(), func(k topology.Kind) bool { return k.Name == "leaf" })
	p := problem()
	if rows := rowsOf(p, leaf); len(slices.Compact(rows)) == 3 {
		t.Error("leaves stand in three rows without a rule")
	}
	p = problem()
	group := Group{Name: "leaves"}
	for i := range g.Kinds()[leaf].Count {
		group.Vertices = append(group.Vertices, int32(g.Kinds()[leaf].First+i))
	}
	p.AntiAffinity = []AntiAffinity{{Groups: []Group{group}, Within: RowDomain, AtMost: 2}}
	rows := rowsOf(p, leaf)
	for i := 2; i < len(rows); i++ {
		if rows[i] == rows[i-2] {
			t.Errorf("leaves stand in rows %v", rows)
		}
	}
	p = problem()
	p.Contiguous, p.Kinds[leaf].Block = []string{"leaves"}, 1
	if rows := rowsOf(p, leaf); rows[0] != 0 || rows[len(rows)-1] > 1 {
		t.Errorf("leaves stand in rows %v", rows)
	}
	p.Kinds[leaf].Types = []int{0, 1}
	if _, err := Place(context.Background(), p); err == nil ||
		!strings.Contains(err.Error(), "need one type of racks for each kind of box, and these may stand in 2") {
		t.Error(err)
	}
}

// TestPlaceClasses has racks of every class and type their own number, as long as there are some.
func TestPlaceClasses(t *testing.T) {
	c := placeClasses{first: int(Beside), of: map[[2]int]uint8{}}
	seen := map[uint8]bool{}
	for of := range 30 {
		for class := range int(Beside) {
			n := c.number(class, of)
			if seen[n] && n != lastClass || n > lastClass || n != c.number(class, of) {
				t.Errorf("racks of class %d and type %d have number %d", class, of, n)
			}
			seen[n] = true
		}
	}
	if len(seen) != lastClass+1 {
		t.Errorf("%d numbers", len(seen))
	}
}

// TestNextTypes compares the types of which there are places left with looking for the first free place of each.
func TestNextTypes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		types := make([]layout.RackType, rapid.IntRange(1, 5).Draw(t, "types"))
		room := &layout.Room{Spec: layout.RoomSpec{Types: types}}
		all := make([]int, len(room.Spec.Types)+1)
		for i := range all {
			all[i] = i
		}
		for range rapid.IntRange(0, 20).Draw(t, "places") {
			room.Places = append(room.Places, layout.Place{Type: rapid.SampledFrom(all).Draw(t, "of")})
		}
		f := &filler{p: &Problem{Kinds: []Kind{{Types: all}}}, supply: newSupply(room)}
		gone := make([]bool, len(room.Places))
		for range rapid.IntRange(0, 30).Draw(t, "racks") {
			of := rapid.SampledFrom(all).Draw(t, "type")
			first := slices.IndexFunc(room.Places, func(p layout.Place) bool { return p.Type == of })
			for first >= 0 && first < len(gone) && (gone[first] || room.Places[first].Type != of) {
				first++
			}
			if f.takePlace(of); first < 0 || first == len(gone) || rapid.Bool().Draw(t, "back") {
				f.giveBack(of)
			} else {
				gone[first] = true
			}
			var want []int
			for i, p := range room.Places {
				if !gone[i] && !slices.Contains(want, p.Type) {
					want = append(want, p.Type)
				}
			}
			if want == nil {
				want = all[:1]
			}
			if got := f.nextTypes(f.p.Kinds[0].home()); !slices.Equal(got, want) {
				t.Fatalf("types %v, want %v", got, want)
			}
		}
	})
}
