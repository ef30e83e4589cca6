package flow

import (
	"slices"

	"github.com/plenum-planner/plenum/topology"
)

// doubtfulTiers is the number of tiers of switches from which times on trees are doubtful. With fewer, packets choose
// an output once on their way.
const doubtfulTiers = 3

// Note returns a sentence about a network on which times of flows are known to differ from those of packets, and "" for
// all others. These networks are trees with three or more tiers of switches.
func Note(g topology.Graph) string {
	tree, ok := g.(topology.UpDown)
	if !ok || !tree.TurnsOnce() || slices.Max(topology.Tiers(g)) < doubtfulTiers {
		return ""
	}
	return "on trees with three or more tiers of switches, flows that meet took up to 23 % longer than packets; use " +
		"plenum sim packets for times on such trees"
}
