package delay

import (
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Override replaces the delays of the parts by alpha and beta of the CLEX paper's alpha*hops + beta*distance. A nil
// field replaces nothing.
type Override struct {
	// Hop is the per-hop latency of all switches and routers, from 0 to 1e9 ns.
	Hop *units.Time
	// Propagation is the propagation delay of all links, from 0 to 1e9 ns/m. The ends of links then cause no delay.
	Propagation *units.Propagation
}

// mostOverride is the limit of both numbers of an Override, so that sums do not overflow.
const mostOverride = 1e9

// Check returns an error, as diag.FieldErrors, about values outside their ranges.
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

// With returns the model with the delays of an override, given the kinds of vertices. Vertices that do not forward
// packets keep their hop delays.
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

// NodeHop returns the hop delay of the first kind of role Node; 0 for a graph without nodes.
func (m Model) NodeHop(kinds []topology.Kind) units.Time {
	for i, k := range kinds {
		if k.Role == topology.Node {
			return m.Hop[i]
		}
	}
	return 0
}
