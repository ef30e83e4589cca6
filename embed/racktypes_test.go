package embed

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// TestRacksKeepToTheirTypes places networks in rooms of several types of racks: every box stands in a rack that its
// kind
// may stand in, no rack holds more than its own type bears, and a refusal names too few positions.
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
		for range rapid.IntRange(1, 4).Draw(t, "rows") {
			row := layout.RowSpec{Racks: rapid.IntRange(2, 9).Draw(t, "racks")}
			at := rapid.IntRange(1, row.Racks).Draw(t, "typed")
			row.Types = []layout.TypeStretch{{
				Stretch: layout.Stretch{First: at, Last: rapid.IntRange(at, row.Racks).Draw(t, "to")},
				Type:    rapid.IntRange(0, 2).Draw(t, "type"),
			}}
			room.List = append(room.List, row)
			room.Rows, room.PerRow = room.Rows+1, max(room.PerRow, row.Racks)
		}
		p := &Problem{Graph: g, Room: room, Strategy: Hierarchy}
		for _, k := range g.Kinds() {
			kind := Kind{
				Box: layout.NewBox(1, 0.44, 0.8, []layout.Ports{{Count: 64}}), Power: 700, Class: NetworkRow,
				Chassis: -1,
				Types:   []int{1},
			}
			if k.Role != topology.Switch {
				kind.Class, kind.Types = InRack, []int{0, 2}
			}
			p.Kinds = append(p.Kinds, kind)
		}
		pl, err := Place(context.Background(), p)
		if err != nil {
			return // too small a room
		}
		placed++
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
	if placed == 0 {
		t.Error("nothing was placed")
	}
}
