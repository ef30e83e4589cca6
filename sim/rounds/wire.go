package rounds

import (
	"errors"
	"fmt"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// BundledWire turns the propagation delays of all links of a bundled clex, in
// the order of the graph's Links, into Options.Wire.
func BundledWire(s topology.CLEX, links []units.Time) (func(from, to int32, level int) units.Time, error) {
	if !s.Bundled {
		return nil, errors.New("the links of a bundled clex are wanted, not of a clex")
	}
	m := newMachine(s.Clique, s.Levels, true)
	n1 := m.clique
	pairs := n1 * (n1 - 1) / 2
	cliques := m.nodes / n1
	if want := pairs * (cliques + (m.levels-1)*(cliques/n1)); len(links) != want {
		return nil, fmt.Errorf("%d delays for %d links", len(links), want)
	}
	pair := func(i, j int) int {
		i, j = min(i, j), max(i, j)
		return i*(2*n1-i-1)/2 + j - i - 1
	}
	return func(from, to int32, level int) units.Time {
		v, u := int(from), int(to)
		if level == 0 {
			return links[v/n1*pairs+pair(v%n1, u%n1)]
		}
		// Cliques that differ in the digit of the level only make a group.
		stride := m.power[level]
		group := v/(stride*n1)*(stride/n1) + v%stride/n1
		at := pairs * (cliques + (level-1)*(cliques/n1) + group)
		return links[at+pair(v/stride%n1, u/stride%n1)]
	}, nil
}
