package measure

import (
	"context"
	"iter"

	"github.com/plenum-planner/plenum/topology"
)

// walkStride is the links, or vertices, between two looks at a context: some microseconds.
const walkStride = 1 << 12

// walk is a graph whose links end when a context does. It has none of what the graph knows of itself. Who walks the
// links asks the context afterwards.
type walk struct {
	topology.Graph
	ctx context.Context
}

// Links yields the links of the graph until the context is done.
func (w walk) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		n := 0
		for l := range w.Graph.Links() {
			if n%walkStride == 0 && w.ctx.Err() != nil {
				return
			}
			n++
			if !yield(l) {
				return
			}
		}
	}
}
