package delay

import (
	"math"

	"github.com/plenum-planner/plenum/topology"
)

// Cycles is what a simulator that counts cycles needs to know of delays.
type Cycles struct {
	// Link is the cycles that a signal takes on each link, in the order of
	// Graph.Links, rounded up, at least 1.
	Link []int32
	// Pipeline is the cycles of the slowest kind of router, rounded.
	Pipeline int
	// Uneven says that kinds of routers have different hop delays.
	Uneven bool
}

// Most cycles of a link and of a router.
const (
	mostLinkCycles   = 1 << 22
	mostRouterCycles = 1 << 16
)

// Cycles counts delays in cycles of a clock in GHz.
func (m Model) Cycles(kinds []topology.Kind, l Links, clock float64) *Cycles {
	c := &Cycles{Link: make([]int32, l.Count())}
	for i, time := range m.Wires(l) {
		c.Link[i] = int32(min(max(math.Ceil(float64(time)*clock-1e-9), 1), mostLinkCycles))
	}
	first := true
	for i, k := range kinds {
		if k.Role == topology.Terminal {
			continue
		}
		cycles := int(min(math.Round(float64(m.Hop[i])*clock), mostRouterCycles))
		c.Uneven = c.Uneven || !first && cycles != c.Pipeline
		c.Pipeline = max(c.Pipeline, cycles)
		first = false
	}
	return c
}
