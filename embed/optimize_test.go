package embed

import (
	"testing"

	"github.com/plenum-planner/plenum/embed/mapping"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// metres is the length of links along the trays, or along the axes in containers, in millimetres.
type metres struct{ l *layout.Layout }

func (metres) Classes() int { return 1 }

func (metres) Terms(terms []Term, _ int, l *topology.Link) []Term {
	return append(terms, Term{0, int64(l.Width)})
}

func (m metres) Cost(_ int, a, b int32) int64 {
	if m.l.Room == nil {
		return int64(1000 * m.l.Position(a).Manhattan(m.l.Position(b)))
	}
	return int64(1000 * m.l.Room.Trays.Distance(a, b))
}

func shortest(effort mapping.Effort) *Optimizer {
	return &Optimizer{Effort: effort, Goal: func(pl *Placement) (Goal, error) { return metres{pl.Layout}, nil }}
}

// TestOptimizerTakesRowsOverTheirLimits: rows of listed boxes, and network rows,
// may take more than rows should, but never more than before.
func TestOptimizerTakesRowsOverTheirLimits(t *testing.T) {
	g, err := topology.New(topology.ThinTree{Down: 4, Up: 3, Levels: 2})
	if err != nil {
		t.Fatal(err)
	}
	networkRow := problem(g)
	networkRow.Kinds[1].Class, networkRow.Kinds[1].Power = NetworkRow, 3000
	listed := problem(g)
	listed.Kinds[2].Power = 500
	for v := range topology.Vertices(g) {
		if g.Kinds()[2].First <= v {
			listed.Pins = append(listed.Pins,
				Pin{Vertex: int32(v), Rack: 1 + v%2, Unit: 1 + v - g.Kinds()[2].First, Chassis: -1})
		}
	}
	for name, p := range map[string]*Problem{"network row": networkRow, "listed": listed} {
		p.Room.Rows, p.Room.PerRow, p.Room.RowPower = 3, 4, 5000
		for i := range p.Kinds {
			p.Kinds[i].PerRack = 4
		}
		load := func(pl *Placement) (most units.Power) {
			byRow := map[int]units.Power{}
			for _, r := range pl.Racks {
				byRow[pl.Layout.Room.Places[r.Place].Row] += r.Power
			}
			for _, power := range byRow {
				most = max(most, power)
			}
			return most
		}
		before := load(place(t, p))
		if before <= p.Room.RowPower {
			t.Fatalf("%s: no row takes more than %v", name, p.Room.RowPower)
		}
		p.Optimizer = shortest(mapping.Quick)
		if after := load(place(t, p)); after > before {
			t.Errorf("%s: a row takes %v, %v before", name, after, before)
		}
	}
}
