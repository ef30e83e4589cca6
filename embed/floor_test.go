package embed

import (
	"context"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
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
			Kinds:    []Kind{{Box: box, PerRack: 2}, {Box: box, PerRack: 8}},
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
		groupings := g.Groupings()
		group := groupings[len(groupings)-1]
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

// between puts a problem's room between walls.
func between(t *testing.T, p *Problem, width, depth units.Length) {
	t.Helper()
	p.Room.Rows, p.Room.PerRow, p.Room.Width, p.Room.Depth = 0, 0, width, depth
	fitting, err := p.Room.Fit()
	if err != nil {
		t.Fatal(err)
	}
	p.Room = &fitting
}

// A room between walls has all rows that it holds; racks stand in the first, network racks in the middle of them where
// that makes cables shorter than a row of their own.
func TestRacksTakeTheFirstRowsOfALargeRoom(t *testing.T) {
	p := problem(graph(t, topology.FatTree{Nodes: 64, Radix: 16}))
	p.Kinds[1].Class = NetworkRow // 4 spines, each in a rack
	p.Kinds[0].PerRack, p.Kinds[1].PerRack, p.Kinds[2].PerRack = 4, 1, 4
	between(t, p, 6, 40)
	pl, err := Place(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	room := pl.Layout.Room
	last, network := 0, map[int]bool{}
	for _, r := range pl.Racks {
		row := room.Places[r.Place].Row
		last = max(last, row)
		if r.Class == NetworkRow {
			network[row] = true
		}
	}
	if len(room.Rows) < 10 || last != 3 || !network[1] && !network[2] {
		t.Errorf("%d rows, used to row %d, network racks in %v", len(room.Rows), last, network)
	}
}

// What does not fit is refused with what has become of the positions.
func TestBudgetOfARoomThatIsTooSmall(t *testing.T) {
	p := problem(graph(t, topology.FatTree{Nodes: 64, Radix: 16}))
	p.Kinds[1].Class = NetworkRow // 4 spines, each in a rack
	p.Kinds[0].PerRack, p.Kinds[1].PerRack, p.Kinds[2].PerRack = 4, 1, 4
	p.Room.Doors = []layout.Door{{Wall: layout.South, At: 1.3, Width: 1, Clear: 1.5}}
	column := orb.Bound{Min: orb.Point{4.3, 2}, Max: orb.Point{4.5, 2.2}}
	p.Room.KeepOuts = []layout.KeepOut{{Why: layout.Column, Area: column.ToPolygon()}}
	p.Room.Gaps = []layout.Gap{{After: 2, Width: 0.6}}
	between(t, p, 6, 7.5)
	_, err := Place(context.Background(), p)
	want := "Room: 20 racks for 7 rack positions that are free (2 rows of 5, 2 lost to the floor before doors, " +
		"1 lost to columns and 1 position of every row to gaps): 16 of nodes and 4 of network rows; 7 racks would " +
		"fit, with 2 of 8 of kind leaf and 12 of 64 of kind node; "
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
}
