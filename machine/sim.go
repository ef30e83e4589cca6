package machine

import (
	"math"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Cycles is what a cycle simulator needs of a plan.
type Cycles struct {
	// Link is the cycles that a signal takes on each link, in the order of
	// Graph.Links, rounded up, at least 1.
	Link []int32
	// Pipeline is the cycles of the slowest kind of router, rounded.
	Pipeline int
	// Uneven says that kinds of routers have different hop delays.
	Uneven bool
}

// Wires is the time that a signal takes on each link, in the order of Graph.Links.
// A propagation delay that is not negative takes the place of the media's. A plan
// that keeps no lengths, being a summary, gives nil.
func (p *Result) Wires(propagation units.Propagation) []units.Time {
	if p.Links.Length == nil {
		return nil
	}
	wires := make([]units.Time, len(p.Links.Length))
	for i, metres := range p.Links.Length {
		length := units.Length(metres).Round4()
		if wires[i] = p.Model.Wire(length, int(p.Links.Medium[i])); propagation >= 0 {
			wires[i] = propagation.Over(length)
		}
	}
	return wires
}

// Cycles measures the plan in cycles of a clock in GHz. A propagation delay that
// is not negative takes the place of the media's. A plan that keeps no lengths,
// being a summary, gives nil.
func (p *Result) Cycles(clock float64, propagation units.Propagation) *Cycles {
	wires := p.Wires(propagation)
	if wires == nil {
		return nil
	}
	c := &Cycles{Link: make([]int32, len(wires))}
	for i, time := range wires {
		c.Link[i] = int32(min(max(math.Ceil(float64(time)*clock-1e-9), 1), 1<<22))
	}
	first := true
	for i, k := range p.Graph.Kinds() {
		if k.Role == topology.Terminal {
			continue
		}
		cycles := int(min(math.Round(float64(p.Model.Hop[i])*clock), 1<<16))
		c.Uneven = c.Uneven || !first && cycles != c.Pipeline
		c.Pipeline = max(c.Pipeline, cycles)
		first = false
	}
	return c
}
