package delay

import (
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Override is delays in place of those of the parts, alpha and beta of the CLEX
// paper's alpha*hops + beta*distance. What is nil stays as it is.
type Override struct {
	// Hop is the per-hop latency of all switches and routers, from 0 to 1e9 ns.
	Hop *units.Time
	// Propagation is that of all links, whose ends then take no time, from 0 to
	// 1e9 ns/m.
	Propagation *units.Propagation
}

// mostOverride bounds both numbers of an Override, so that sums fit.
const mostOverride = 1e9

// Check says what is wrong, as diag.FieldErrors.
func (o Override) Check() error {
	var wrong diag.FieldErrors
	if o.Hop != nil && (!(*o.Hop >= 0) || *o.Hop > mostOverride) {
		wrong.Add("Hop", "must be from 0 to 1e9, not %g", float64(*o.Hop))
	}
	if o.Propagation != nil && (!(*o.Propagation >= 0) || *o.Propagation > mostOverride) {
		wrong.Add("Propagation", "must be from 0 to 1e9, not %g", float64(*o.Propagation))
	}
	return wrong.Err()
}

// With is the model with other delays, given the kinds of vertices. What passes nothing on keeps its own.
func (m Model) With(kinds []topology.Kind, o Override) Model {
	if o.Propagation != nil {
		m = m.Uniform(*o.Propagation)
	}
	if o.Hop != nil {
		hop := make([]units.Time, len(m.Hop))
		for i := range hop {
			hop[i] = topology.Charge(kinds[i].Role, *o.Hop, m.Hop[i])
		}
		m.Hop = hop
	}
	return m
}

// NodeHop is the delay of a node that forwards packets, by the first kind of such vertices; 0 for a graph without any.
func (m Model) NodeHop(kinds []topology.Kind) units.Time {
	for i, k := range kinds {
		if k.Role == topology.Node {
			return m.Hop[i]
		}
	}
	return 0
}
