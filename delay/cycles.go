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

// Cycles counts delays in cycles of a clock.
func (m Model) Cycles(kinds []topology.Kind, l Links, clock units.Frequency) *Cycles {
	c := &Cycles{Link: make([]int32, l.Count())}
	for i, time := range m.Wires(l) {
		c.Link[i] = int32(min(max(math.Ceil(float64(clock.Cycles(time))-1e-9), 1), mostLinkCycles))
	}
	first := true
	for i, k := range kinds {
		if k.Role == topology.Terminal {
			continue
		}
		cycles := int(min(math.Round(clock.Cycles(m.Hop[i])), mostRouterCycles))
		c.Uneven = c.Uneven || !first && cycles != c.Pipeline
		c.Pipeline = max(c.Pipeline, cycles)
		first = false
	}
	return c
}
