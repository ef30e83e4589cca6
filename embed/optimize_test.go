package embed

import (
	"plenum/embed/mapping"
	"plenum/layout"
	"plenum/topology"
)

// metres is the length of links along the trays, or along the axes in nested
// containers, in millimetres.
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
