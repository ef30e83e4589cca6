package delay

import (
	"math"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Cycles is what a simulator that counts cycles needs to know of delays.
type Cycles struct {
	// Link is the cycles that a signal takes on each link, in the order of
	// Graph.Links, at least 1.
	Link []int32
	// Vertex is the whole cycles that a vertex of each kind costs a packet whose path it is on: those of Model.Hop,
	// rounded down.
	Vertex []int32
	// Pipeline is that of the slowest kind of router.
	Pipeline int
}

// Most cycles of a link and of a router.
const (
	mostLinkCycles   = 1 << 22
	mostRouterCycles = 1 << 16
)

// mostClock is the fastest clock that links are measured by.
const mostClock units.Frequency = 1000

// CheckClock refuses a clock that is not above 0 and at most 1000 GHz, with a
// diag.FieldError of the field Clock.
func CheckClock(clock units.Frequency) error {
	if !(clock > 0) || clock > mostClock {
		return diag.Fieldf("Clock", "must be above 0 and at most %g, not %g", float64(mostClock), float64(clock))
	}
	return nil
}

// Cycles counts the delays of g in cycles of a clock. What a vertex takes beyond whole cycles is counted half with
// the link by which a packet comes and half with that by which it leaves, and links are rounded up: so a path is too
// slow by a cycle a link at most, and too fast by less than a cycle.
func (m Model) Cycles(g topology.Graph, l Links, clock units.Frequency) *Cycles {
	kinds := g.Kinds()
	c := &Cycles{Link: make([]int32, 0, l.Count()), Vertex: make([]int32, len(kinds))}
	rest := make([]float64, len(kinds))
	for i, k := range kinds {
		cycles := min(float64(clock.Cycles(m.Hop[i])), mostRouterCycles)
		c.Vertex[i] = int32(cycles + 1e-9)
		rest[i] = max(0, cycles-float64(c.Vertex[i]))
		if k.Count > 0 {
			c.Pipeline = max(c.Pipeline, int(topology.Charge(k.Role, c.Vertex[i], 0)))
		}
	}
	kindA, kindB := 0, 0
	for x := range g.Links() {
		kindA, kindB = topology.KindNear(kinds, kindA, int(x.A)), topology.KindNear(kinds, kindB, int(x.B))
		cycles := float64(clock.Cycles(m.Wire(l.At(len(c.Link))))) + (rest[kindA]+rest[kindB])/2
		c.Link = append(c.Link, int32(min(max(math.Ceil(cycles-1e-9), 1), mostLinkCycles)))
	}
	return c
}
