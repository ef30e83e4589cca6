package delay

import (
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Medium is a type of cable with the delays that it causes.
type Medium struct {
	Name        string
	Propagation units.Propagation
	End         units.Time // added at each end: optics, FEC, retimers
}

// Model has the delays from which those of links and paths are computed.
type Model struct {
	Media []Medium
	// Hop is the hop delay of each kind of vertices of the topology: the delay of a packet at a vertex on its path
	// (see topology.Charge).
	Hop []units.Time
}

// Links holds the length and the medium of each link, in the order of topology.Graph.Links, in five bytes a link.
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

// Count returns the number of links.
func (l Links) Count() int { return len(l.length) }

// At returns the length, rounded to 0.1 mm, and the medium of link i.
func (l Links) At(i int) (length units.Length, medium int) {
	return units.Length(l.length[i]).Round4(), int(l.medium[i])
}

// Wire returns the delay of a link without the vertex that it leads to: propagation and both ends. All delays of links
// are computed here.
func (x Medium) Wire(length units.Length) units.Time {
	return x.Propagation.Over(length) + 2*x.End
}

// Wire returns the delay of a link whose medium is given by its index in Media.
func (m Model) Wire(length units.Length, medium int) units.Time { return m.Media[medium].Wire(length) }

// Uniform returns a copy of the model with one propagation delay for all media, and no delay at
// their ends.
func (m Model) Uniform(beta units.Propagation) Model {
	media := make([]Medium, len(m.Media))
	for i, x := range m.Media {
		media[i] = Medium{Name: x.Name, Propagation: beta}
	}
	return Model{Media: media, Hop: m.Hop}
}

// Wires returns Wire of every link.
func (m Model) Wires(l Links) []units.Time {
	out := make([]units.Time, l.Count())
	for i := range out {
		out[i] = m.Wire(l.At(i))
	}
	return out
}

// Start returns the delay at the first vertex of a path, given its kind. The delay of a path is Start of its first
// vertex plus Arc of every link, which includes the delay of the vertex entered (topology.Charge).
func (m Model) Start(kind int) units.Time { return m.Hop[kind] }

// Arc returns the delay of entering a vertex of the given kind over a link.
func (m Model) Arc(length units.Length, medium, kind int) units.Time {
	return m.Wire(length, medium) + m.Hop[kind]
}

// Arcs returns a function that returns Arc of a link of a graph into a vertex, in ns, as routing.Options.Delay
// requires. Links are numbered in the order of Graph.Links.
func (m Model) Arcs(g topology.Graph, l Links) func(link, vertex int32) float64 {
	kind := kindsOf(g.Kinds(), topology.Vertices(g))
	return func(link, vertex int32) float64 {
		length, medium := l.At(int(link))
		return float64(m.Arc(length, medium, int(kind[vertex])))
	}
}

// bad reports whether a value is negative, infinite or not a number.
func bad(v float64) bool { return !(v >= 0) || math.IsInf(v, 1) }

// check returns an error if values are negative, infinite or not numbers, or if the model or the links do not fit
// the graph's kinds or each other.
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
