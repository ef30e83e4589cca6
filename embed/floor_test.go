package embed

import (
	"context"
	"testing"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// Groups of a dragonfly do not straddle the gaps of a row where the room has
// positions enough, and the room is no larger for it.
func TestGroupsKeepClearOfGaps(t *testing.T) {
	for _, c := range []struct {
		name         string
		rows, perRow int
		gaps         []layout.Gap
		strategy     Strategy
		torn         bool
	}{
		{"the gap after rack 20", 2, 24, nil, Auto, false},
		{"groups strategy", 2, 24, nil, Groups, false},
		{"gaps that are given", 2, 24, []layout.Gap{{After: 5, Width: 1}, {After: 14, Width: 1}}, Auto, false},
		{"no position to spare", 1, 36, nil, Auto, true},
	} {
		g, err := topology.New(topology.Dragonfly{P: 4, A: 6, H: 2, Groups: 12})
		if err != nil {
			t.Fatal(err)
		}
		box := layout.NewBox(1, 0.44, 0.8, nil)
		p := &Problem{
			Graph:    g,
			Kinds:    []Kind{{Box: box, PerRack: 2, Chassis: -1}, {Box: box, PerRack: 8, Chassis: -1}},
			Strategy: c.strategy,
			Room: &layout.RoomSpec{
				Rows: c.rows, PerRow: c.perRow, Gaps: c.gaps, Cold: 1.2, Hot: 0.9, Alternate: true, Margin: 1.2,
				Rack: layout.RackType{Units: 42, Width: 0.6, Depth: 1.2, Height: 2},
			},
		}
		pl, err := Place(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		room := pl.Layout.Room
		section := func(v int) [2]int {
			place := room.Places[pl.Layout.Container(layout.RackLevel, pl.Slot[v])]
			n := 0
			for _, gap := range room.Spec.Gaps {
				if gap.After < place.Number {
					n++
				}
			}
			return [2]int{place.Row, n}
		}
		nests := g.Nests()
		group := nests[len(nests)-1]
		in := map[int32]map[[2]int]bool{}
		for v := range topology.Vertices(g) {
			of := group.Of(v)
			if in[of] == nil {
				in[of] = map[[2]int]bool{}
			}
			in[of][section(v)] = true
		}
		torn := 0
		for _, sections := range in {
			if len(sections) > 1 {
				torn++
			}
		}
		if (torn > 0) != c.torn {
			t.Errorf("%s: %d of %d groups are torn, %d racks", c.name, torn, len(in), len(pl.Racks))
		}
	}
}
