package delay

import (
	"fmt"
	"math"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Medium is what a link is made of.
type Medium struct {
	Name        string            `json:"name"`
	Propagation units.Propagation `json:"propagation_ns_per_m"`
	End         units.Time        `json:"end_ns"` // added at each end: optics, FEC, retimers
}

// Model turns links into delays.
type Model struct {
	Media []Medium     `json:"media"`
	Hop   []units.Time `json:"hop_ns"` // of entering a vertex, by topology kind
}

// Links holds what the model needs to know of each link, in the order of
// topology.Graph.Links.
type Links struct {
	Length []float32 // metres
	Medium []uint8   // index into Model.Media
}

// Wire is the delay of a link without the vertex it leads to: propagation and
// both ends.
func (m Model) Wire(length units.Length, medium int) units.Time {
	x := m.Media[medium]
	return x.Propagation.Over(length) + 2*x.End
}

// Arc is the delay of entering a vertex of the given kind over a link.
func (m Model) Arc(length units.Length, medium, kind int) units.Time {
	return m.Wire(length, medium) + m.Hop[kind]
}

// at returns the length and the medium of link i.
func (l Links) at(i int32) (units.Length, int) {
	return units.Length(l.Length[i]).Round4(), int(l.Medium[i])
}

func bad(v float64) bool { return !(v >= 0) || math.IsInf(v, 1) }

// check refuses a model or links that do not fit the graph's kinds.
func (m Model) check(kinds []topology.Kind, l Links) error {
	if len(m.Hop) != len(kinds) {
		return fmt.Errorf("delay: %d hop delays for %d kinds of vertices", len(m.Hop), len(kinds))
	}
	for i, h := range m.Hop {
		if bad(float64(h)) {
			return fmt.Errorf("delay: hop delay of kind %q is %g ns", kinds[i].Name, float64(h))
		}
	}
	for _, x := range m.Media {
		if bad(float64(x.Propagation)) || bad(float64(x.End)) {
			return fmt.Errorf("delay: medium %q has %g ns/m and %g ns per end", x.Name, float64(x.Propagation), float64(x.End))
		}
	}
	if len(l.Length) != len(l.Medium) {
		return fmt.Errorf("delay: %d lengths and %d media for the same links", len(l.Length), len(l.Medium))
	}
	for i, length := range l.Length {
		if bad(float64(length)) {
			return fmt.Errorf("delay: link %d is %g m long", i, length)
		}
		if int(l.Medium[i]) >= len(m.Media) {
			return fmt.Errorf("delay: link %d has medium %d of %d", i, l.Medium[i], len(m.Media))
		}
	}
	return nil
}
