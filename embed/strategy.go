package embed

import (
	"fmt"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// Strategy is a method to order the vertices of a graph for placement.
type Strategy string

// The strategies.
const (
	// Auto is Folded for a lattice, Cubes for copies within copies where the containers have a level for each, Hilbert
	// for a graph without groups and for a direct network whose only groups are blocks, Hierarchy otherwise.
	Auto Strategy = "auto"
	// Hierarchy follows the topology's own groups, in order.
	Hierarchy Strategy = "hierarchy"
	// Folded cuts a lattice into blocks, one for each container, and folds its
	// rings; iBT's bypass rings fold with them (W. J. Dally and B. Towles,
	// Principles and practices of interconnection networks, 2004, section 5.3).
	Folded Strategy = "folded"
	// Cubes puts the copies of a recursive family into containers within containers (C. Lenzen and R. Wattenhofer,
	// arXiv:1607.00298, section II.B).
	Cubes Strategy = "cubes"
	// Groups gives every group of a dragonfly and every subnet of a Fishnet
	// adjacent racks of its own (J. Kim et al., Technology-driven, highly-scalable
	// dragonfly topology, ISCA 2008; S. Li et al., MEMSYS 2016).
	Groups Strategy = "groups"
	// RackPairs puts the routers (0,x,*) of a Slim Fly in one rack with the routers (1,x,*): q racks, any two connected
	// by 2q cables (M. Besta and T. Hoefler, Slim Fly, SC 2014, section VI.A).
	RackPairs Strategy = "rack-pairs"
	// Pods gives every pod of a tree, or every unit where there are no pods, racks of its own and, if it fits, one row.
	// The Class of the switches above the pods determines where these are: in the middle of the room, at the ends of
	// the rows, or distributed over the racks.
	Pods Strategy = "pods"
	// Hilbert orders the vertices of any graph so that neighbours are near each other, and places
	// them in this order along the Hilbert curve of the floor (D. Hilbert, Mathematische Annalen 38,
	// 1891).
	Hilbert Strategy = "hilbert"
	// Random is a random order (see Problem.Seed), as a baseline for comparisons.
	Random Strategy = "random"
)

// Strategies lists all strategies.
func Strategies() []Strategy {
	return []Strategy{Auto, Hierarchy, Folded, Cubes, Groups, RackPairs, Pods, Hilbert, Random}
}

// Words returns the names of the strategies, which machine files may use.
func (Strategy) Words() []string {
	var out []string
	for _, s := range Strategies() {
		out = append(out, string(s))
	}
	return out
}

// Fits returns an error about why a strategy cannot place a graph, nil if it can; tree is nil for a room of racks. It
// does not check sizes: boxes may still be too large.
func (s Strategy) Fits(g topology.Graph, tree *layout.Tree) error {
	missing := s.mismatch(g, tree)
	if missing == "" {
		return nil
	}
	var fit []string
	for _, other := range Strategies() {
		if other.mismatch(g, tree) == "" {
			fit = append(fit, string(other))
		}
	}
	return diag.Fieldf("Strategy", "%s\nit can be placed by %s", missing, strings.Join(fit, ", "))
}

// mismatch returns why a strategy cannot place a graph, "" if it can.
func (s Strategy) mismatch(g topology.Graph, tree *layout.Tree) string {
	family := g.Family()
	switch s {
	case Folded:
		if topology.GridOf(g) == nil {
			return fmt.Sprintf("folded is for lattices, such as a torus or hyperx, and a %s is none", family)
		}
	case Cubes:
		switch {
		case tree == nil:
			return "cubes are containers, and this room has racks"
		case Copies(g) == nil:
			return fmt.Sprintf("cubes are for copies within copies, as of a clex, and a %s has none", family)
		}
	case Groups:
		if ownGrouping(s, g) < 0 {
			return fmt.Sprintf("groups are such as those of a dragonfly or the subnets of an angelfish, and a %s has "+
				"none", family)
		}
	case RackPairs:
		switch {
		case tree != nil:
			return "rack pairs need racks, and this room has containers"
		case ownGrouping(s, g) < 0:
			return fmt.Sprintf("rack pairs are such as those of a slim-fly, and a %s has none", family)
		}
	case Pods:
		if ownGrouping(s, g) < 0 {
			return fmt.Sprintf("pods are such as those of a fat-tree, and a %s has none", family)
		}
	case Auto, Hierarchy, Hilbert, Random:
	default:
		return fmt.Sprintf("there is no strategy %q", string(s))
	}
	return ""
}

// ownGrouping returns the index of the level of groups (topology.Graph.Groupings) whose groups do not share racks by a
// strategy, -1 for none.
func ownGrouping(s Strategy, g topology.Graph) int {
	if p, ok := g.(topology.Placeable); ok {
		if strategy, grouping := p.PlacementGroups(); strategy == string(s) {
			return grouping
		}
	}
	return -1
}

// EffectiveStrategy returns the strategy of the problem: where that is Auto, the one that Auto stands for.
func (p *Problem) EffectiveStrategy() Strategy {
	if p.Strategy != Auto {
		return p.Strategy
	}
	groupings := p.Graph.Groupings()
	switch {
	case topology.GridOf(p.Graph) != nil:
		return Folded
	case p.Tree != nil && len(groupings) > 0 && p.cubesFit():
		return Cubes
	case len(groupings) == 0, len(groupings) == 1 && groupings[0].Name == "block" && direct(p.Graph):
		return Hilbert
	}
	return Hierarchy
}

// direct reports whether a network is direct: every kind of vertices other than terminals has as many vertices as there
// are groups of the finest level, so that each router has its own group.
func direct(g topology.Graph) bool {
	groupings := g.Groupings()
	for _, k := range g.Kinds() {
		if k.Role != topology.Terminal && k.Count != groupings[0].Count {
			return false
		}
	}
	return true
}
