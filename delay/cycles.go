package delay

import (
	"math"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Cycles has the delays of links and routers in cycles of a clock, for simulators that count cycles.
type Cycles struct {
	// Link is the cycles that a signal takes on each link, in the order of
	// Graph.Links, at least 1.
	Link []int32
	// Vertex is Model.Hop of each kind of vertices in whole cycles, rounded down.
	Vertex []int32
	// Pipeline is the number of cycles that the slowest kind of routers takes to forward a packet.
	Pipeline int
}

// Limits of the cycles of a link and of a router.
const (
	mostLinkCycles   = 1 << 22
	mostRouterCycles = 1 << 16
)

// mostClock is the fastest clock that CheckClock allows, in GHz.
const mostClock units.Frequency = 1000

// CheckClock returns a diag.FieldError of the field Clock if a clock is not above 0 and at most 1000 GHz.
func CheckClock(clock units.Frequency) error {
	if !(clock > 0) || clock > mostClock {
		return diag.Fieldf("Clock", "must be above 0 and at most %g, not %g", float64(mostClock), float64(clock))
	}
	return nil
}

// Cycles converts the delays of g to cycles of a clock. Half of the fraction of a cycle that a vertex takes beyond
// whole cycles is added to the link by which a packet arrives, and half to the one by which it leaves. Links are then
// rounded up. So the delay of a path is too high by at most a cycle for each link, or too low by less than one cycle.
// Links of more than 2^22 cycles count as 2^22, and routers of more than 2^16 as 2^16. The clock must pass CheckClock.
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
