package delay

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Inputs is the SHA-256 sum of everything that the delays of paths depend on: equal sums mean equal delays.
type Inputs [sha256.Size]byte

// InputsOf returns the sum of the inputs of Paths and MeasureStretch, each with its options. These functions use
// nothing of a graph but its kinds, the sides of a lattice, and the adjacency, which are in the sum.
func InputsOf(g topology.Graph, c *topology.CSR, m Model, l Links,
	at func(v int) [3]units.Length, paths, stretch Options,
) Inputs {
	h := sha256.New()
	paths.Progress, stretch.Progress = nil, nil // which changes nothing
	// %#v writes all fields, those to come too, and numbers so that they can be read back as they were.
	fmt.Fprintf(h, "%#v\n%#v\n%#v\n%#v\n%#v\n", g.Kinds(), sidesOf(g), m, paths, stretch)
	column(h, c.First)
	column(h, c.To)
	column(h, c.Link)
	column(h, l.length)
	column(h, l.medium)
	points := make([][3]units.Length, c.Vertices())
	for v := range points {
		points[v] = at(v)
	}
	column(h, points)
	return Inputs(h.Sum(nil))
}

// column writes the number of values, then the values.
func column[T any](w io.Writer, values []T) {
	_ = binary.Write(w, binary.LittleEndian, int64(len(values))) // a sum takes everything
	_ = binary.Write(w, binary.LittleEndian, values)
}
