package delay

import (
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Medium is what a link is made of.
type Medium struct {
	Name        string
	Propagation units.Propagation
	End         units.Time // added at each end: optics, FEC, retimers
}

// Model turns links into delays.
type Model struct {
	Media []Medium
	// Hop is what a vertex of each kind of the topology costs a packet whose path it is on: see topology.Charge.
	Hop []units.Time
}

// Links holds what the model needs to know of each link, in the order of
// topology.Graph.Links, in five bytes a link.
type Links struct {
	length []float32 // metres
	medium []uint8   // index into Model.Media
}

// Add appends a link: its length, and the number of its medium among
// Model.Media.
func (l *Links) Add(length units.Length, medium uint8) {
	l.length = append(l.length, float32(length))
	l.medium = append(l.medium, medium)
}

// Reserve makes room for n links.
func (l *Links) Reserve(n int) {
	l.length, l.medium = slices.Grow(l.length, n), slices.Grow(l.medium, n)
}

// Count is the number of links.
func (l Links) Count() int { return len(l.length) }

// At returns the length and the medium of link i.
func (l Links) At(i int) (length units.Length, medium int) {
	return units.Length(l.length[i]).Round4(), int(l.medium[i])
}

// Wire is the delay of a link of a length without the vertex it leads to:
// propagation and both ends. Every other function that needs the delay of a link calls
// here.
func (x Medium) Wire(length units.Length) units.Time {
	return x.Propagation.Over(length) + 2*x.End
}

// Wire is the delay of a link whose medium is known by its number.
func (m Model) Wire(length units.Length, medium int) units.Time { return m.Media[medium].Wire(length) }

// Uniform is the model with one propagation delay for all media, and none at
// their ends.
func (m Model) Uniform(beta units.Propagation) Model {
	media := make([]Medium, len(m.Media))
	for i, x := range m.Media {
		media[i] = Medium{Name: x.Name, Propagation: beta}
	}
	return Model{Media: media, Hop: m.Hop}
}

// Wires is Wire of every link.
func (m Model) Wires(l Links) []units.Time {
	out := make([]units.Time, l.Count())
	for i := range out {
		out[i] = m.Wire(l.At(i))
	}
	return out
}

// Start is the delay of the vertex that a path begins at, given its kind: what it costs before the first link. A path
// takes Start of its first vertex and Arc of every link, which has that of the vertex entered (topology.Charge).
func (m Model) Start(kind int) units.Time { return m.Hop[kind] }

// Arc is the delay of entering a vertex of the given kind over a link.
func (m Model) Arc(length units.Length, medium, kind int) units.Time {
	return m.Wire(length, medium) + m.Hop[kind]
}

// Arcs is Arc of the links of a graph into any of its vertices, the links in the order of Graph.Links: what
// routing.Options.Delay asks for, in ns.
func (m Model) Arcs(g topology.Graph, l Links) func(link, vertex int32) float64 {
	kind := kindsOf(g.Kinds(), topology.Vertices(g))
	return func(link, vertex int32) float64 {
		length, medium := l.At(int(link))
		return float64(m.Arc(length, medium, int(kind[vertex])))
	}
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
			return fmt.Errorf("delay: medium %q has %g ns/m and %g ns per end", x.Name, float64(x.Propagation),
				float64(x.End))
		}
	}
	if len(l.length) != len(l.medium) {
		return fmt.Errorf("delay: %d lengths and %d media for the same links", len(l.length), len(l.medium))
	}
	for i, length := range l.length {
		if bad(float64(length)) {
			return fmt.Errorf("delay: link %d is %g m long", i, length)
		}
		if int(l.medium[i]) >= len(m.Media) {
			return fmt.Errorf("delay: link %d has medium %d of %d", i, l.medium[i], len(m.Media))
		}
	}
	return nil
}
