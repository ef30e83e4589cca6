package rounds

import (
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
)

// Machine is the topology of Options if the model knows it; the error is a
// diag.FieldError of Options.Topology.
func Machine(s topology.Spec) (topology.CLEX, error) {
	clex, ok := s.Params.(topology.CLEX)
	if !ok {
		return clex, diag.Fieldf("Topology", "the model of rounds knows the family %s only, not %s", clex.Family(),
			s.Family())
	}
	if clex.Terminals > 0 {
		return clex, diag.Fieldf("Topology", "the model of rounds is of nodes that pass messages on themselves: leave "+
			"terminals out, or simulate packets")
	}
	if clex.Local != nil {
		return clex, diag.Fieldf("Topology", "the algorithm of the model of rounds is for cliques, not for a local "+
			"%s\nleave local out, or simulate packets", clex.Local.Family())
	}
	return clex, nil
}
