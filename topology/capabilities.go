package topology

import "iter"

// The interfaces of this file are optional properties of a Graph. Functions that can use one test for it by a type
// assertion, so that graphs from outside this package may implement it too.

// Counted is a Graph that has the number of channels of its levels without going through its links.
type Counted interface {
	Graph
	// LevelChannels returns the number of channels of every level. If the result does not have as many elements as
	// there are levels, the graph does not know the numbers.
	LevelChannels() []int64
}

// LevelSymmetric is a Graph whose forwarding vertices may be one orbit and whose links of each level may be equivalent
// by symmetry: some automorphism maps every link to any other of the same level.
type LevelSymmetric interface {
	Graph
	// SameLevels reports whether both are known to hold.
	SameLevels() bool
}

// Railed is a Graph whose terminals have ports on several leaves, one for each rail.
type Railed interface {
	Graph
	// Rails returns the number of leaves that each terminal is connected to.
	Rails() int
}

// Advised is a Graph with notes for the user, about parameters that it has chosen or the file that it was read from.
type Advised interface {
	Graph
	// Advice returns the notes, a sentence each.
	Advice() []string
}

// EvenTree is a Graph in which some automorphism may map every link to any other of the same level, and every
// switch to any other of its kind.
type EvenTree interface {
	Graph
	// EvenTiers reports whether that is known to hold.
	EvenTiers() bool
}

// DimensionOrdered is a Graph that has the load of its links under dimension-order routing.
type DimensionOrdered interface {
	Graph
	// OrderedLoad returns the greatest load of a link, in both directions together, if every node sends one unit to
	// every other node, dimension by dimension, with half of it in each direction of a ring where both are equally
	// long.
	OrderedLoad() float64
}

// PlainLattice is a Lattice whose routers have no links but those along its dimensions, on known ports.
type PlainLattice interface {
	Lattice
	// DimensionPorts returns the ports of every router that lead along dimension d.
	DimensionPorts(d int) DimensionPorts
}

// DimensionPorts has the ports of a router that lead along a dimension.
type DimensionPorts struct {
	// Full is true if a router is linked to all others on its line. From port First on, Width ports lead to the router
	// with the lowest other coordinate, the next Width ports to the one with the second lowest, and so on.
	Full         bool
	First, Width int
	// Next and Previous are the ports to the neighbours if Full is false.
	Next, Previous int
}

// Optical is a Graph some of whose vertices are optical circuit switches, which forward light and not packets.
type Optical interface {
	Graph
	// Logical returns the graph of the packet network, without the circuit switches.
	Logical() Logical
}

// Logical is the graph of the packet network of an Optical graph. Its vertices have the same numbers as in that graph,
// in which the circuit switches come last.
type Logical interface {
	Graph
	// Cables yields for every link, in the order of Links, the numbers of the links of the Optical graph that it runs
	// over: one number and -1, or two numbers if a circuit switch connects them.
	Cables() iter.Seq[[2]int32]
}

// GridOrdered is a Graph whose vertices are numbered as the points of a grid, the first coordinate first. Unlike a
// Lattice, it promises nothing about its links.
type GridOrdered interface {
	Graph
	// GridSides returns the number of points along each dimension.
	GridSides() []int
}

// UsualRouter is a Graph that names the usual routing function of its family.
type UsualRouter interface {
	Graph
	// UsualRouting returns the name of a function of package routing, or of one registered there; "" if there is no
	// usual one.
	UsualRouting() string
}

// Grouped is a Graph whose routers form groups, as in a dragonfly: every two groups are connected by a channel, and
// any two routers of a group are at most two channels apart. Packets may be routed group by group.
type Grouped interface {
	Graph
	// RoutingGroups returns the groups, which all have the same number of routers.
	RoutingGroups() Grouping
}

// UpDown is a Graph in which the minimal paths between terminals may go up, turn once and go down, so that
// one class of virtual channels is enough for them.
type UpDown interface {
	Graph
	// TurnsOnce reports whether that is known to hold.
	TurnsOnce() bool
}

// CliqueGraph is a CLEX.
type CliqueGraph interface {
	Graph
	// Cliques returns the number of nodes of a clique, the number of levels of links, and whether the links above the
	// first level are bundled.
	Cliques() (size, levels int, bundled bool)
}

// FloodBounded is a Graph whose source has a bound of the longest path of a tree by which a message is flooded to all
// nodes.
type FloodBounded interface {
	Graph
	// FloodBound returns the number of links of every level on the longest path of trees of a depth in hops, nil if no
	// bound is known.
	FloodBound(depth int) []LevelHops
}

// LevelHops is a number of hops over links of a level.
type LevelHops struct{ Level, Hops int }

// Placeable is a Graph with groups for which there is a strategy of placement.
type Placeable interface {
	Graph
	// PlacementGroups returns the strategy, by its name in a machine file, and the index in Groupings of the level
	// whose groups do not share racks, -1 for none.
	PlacementGroups() (strategy string, grouping int)
}

// WorstCase is a Graph whose source states a worst-case traffic for minimal routing.
type WorstCase interface {
	Graph
	// WorstCaseTraffic returns a pattern as package sim/traffic reads it, such as "next-group" or "tornado:16"; or
	// "two-hop-paths", the construction of M. Besta and T. Hoefler (SC 2014, section V-C) for graphs of diameter 2;
	// "" if no source states one.
	WorstCaseTraffic() string
}

// Coordinated is a Graph whose vertices have numbers besides those of their groups, such as the rail of
// a leaf.
type Coordinated interface {
	Graph
	// Coordinates returns these numbers, each with a name of its own, in a new list.
	Coordinates() []Coordinate
}

// Coordinate is a number that some vertices have, from 0.
type Coordinate struct {
	Name string            // "rail", "plane"
	Of   func(v int) int32 // number of a vertex, -1 if it has none
}

// CoordinatesOf returns the coordinates of a graph that is made from g; vertex v of it corresponds to vertex of(v) of
// g. It returns nil if g is not Coordinated.
func CoordinatesOf(g Graph, of func(v int) int) []Coordinate {
	c, ok := g.(Coordinated)
	if !ok {
		return nil
	}
	out := c.Coordinates()
	for i := range out {
		own := out[i].Of
		out[i].Of = func(v int) int32 { return own(of(v)) }
	}
	return out
}

// DistanceFormula is a Graph whose source may have a formula of the distance between two nodes.
type DistanceFormula interface {
	Graph
	// FormulaHops returns the hops between two nodes by the formula, and whether the formula, as printed or as
	// corrected here, is exact for this graph; ok is false if the source has no formula for it.
	FormulaHops(from, to int) (hops int, exact, ok bool)
}

// Growable is a Graph that can be extended by nodes without a change of the number of ports of its switches.
type Growable interface {
	Graph
	// Grown returns a member of the family with at least the given number of further nodes, or an error if there is
	// none.
	Grown(nodes int) (Graph, error)
}
