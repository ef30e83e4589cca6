package rounds

import (
	"errors"
	"fmt"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// BundledWire turns the propagation delays of all links of a bundled clex, in the order of the graph's Links, into
// Options.Wire. Above level 0 the result goes by the link that leads up from the sender and does not look at to. Errors
// are those of a clex that is not bundled or that a run cannot have, and of a number of delays that is not that of its
// links.
func BundledWire(s topology.CLEX, links []units.Time) (func(from, to int32, level int) units.Time, error) {
	if !s.Bundled {
		return nil, errors.New("the links of a bundled clex are wanted, not of a clex")
	}
	if _, err := Machine(topology.Spec{Params: s}); err != nil {
		return nil, err
	}
	g, err := topology.New(s)
	if err != nil {
		return nil, err
	}
	m := newMachine(s.Clique, s.Levels, true)
	n1 := m.clique
	pairs := n1 * (n1 - 1) / 2
	// The link that leads from each node, by level from the second on; one that leads both
	// ways is that of both.
	up := make([][]int32, m.levels-1)
	for i := range up {
		up[i] = make([]int32, m.nodes)
	}
	number := int32(0)
	for l := range g.Links() {
		if k := int(l.Level) + 1; k > 1 {
			up[k-2][l.A] = number
			if m.along(int(l.B), k, 0) == int(l.A) {
				up[k-2][l.B] = number
			}
		}
		number++
	}
	if int(number) != len(links) {
		return nil, fmt.Errorf("%d delays for %d links", len(links), number)
	}
	return func(from, to int32, level int) units.Time {
		v, u := int(from), int(to)
		if level == 0 {
			i, j := min(v%n1, u%n1), max(v%n1, u%n1)
			return links[v/n1*pairs+i*(2*n1-i-1)/2+j-i-1]
		}
		return links[up[level-1][v]]
	}, nil
}
