package topology

import "iter"

// What a Graph may know of itself besides its links. Whoever can use it asks for the interface, so that a graph from
// outside this package may offer it too.

// Counted is a Graph that knows the channels of its levels without walking its links.
type Counted interface {
	Graph
	// LevelChannels has the channels of every level, or is of another length where the graph does not know them.
	LevelChannels() []int64
}

// LevelSymmetric is a Graph that may know that some symmetry takes every link to any other of the same level. Its
// vertices that forward are one orbit.
type LevelSymmetric interface {
	Graph
	// SameLevels reports whether that holds.
	SameLevels() bool
}

// Railed is a Graph whose terminals have ports on several leaves, one for each rail.
type Railed interface {
	Graph
	// Rails is the number of leaves that each terminal is on.
	Rails() int
}

// Advised is a Graph that may have something to say of what was left to it, or of the file that it was read from.
type Advised interface {
	Graph
	// Advice has a sentence for each.
	Advice() []string
}

// EvenTree is a Graph that may know that some symmetry takes every link to any other of the same level, and every
// switch to any other of its kind.
type EvenTree interface {
	Graph
	// EvenTiers reports whether that holds.
	EvenTiers() bool
}

// DimensionOrdered is a Graph that knows what its links carry in dimension order.
type DimensionOrdered interface {
	Graph
	// OrderedLoad is the greatest load of a link, both ways together, if every node sends a unit to every other
	// dimension by dimension, half of it either way round where that is as far.
	OrderedLoad() float64
}

// PlainLattice is a Lattice whose routers are joined by no other links than those of their dimensions, by ports that
// are known.
type PlainLattice interface {
	Lattice
	// DimensionPorts are the ports of every router that lead along dimension d.
	DimensionPorts(d int) DimensionPorts
}

// DimensionPorts says which ports of a router lead along a dimension.
type DimensionPorts struct {
	// Full says that a router is joined to all others of its line. From port First on, Width ports lead to the router
	// with the lowest other coordinate, the next Width ports to that with the second lowest, and so on.
	Full         bool
	First, Width int
	// Next and Previous lead to the neighbours where Full is false.
	Next, Previous int
}

// Optical is a Graph of cables some of whose vertices are circuit switches, which pass light on and no packets.
type Optical interface {
	Graph
	// Logical is the graph that packets see, without the circuit switches.
	Logical() Logical
}

// Logical is the Graph that packets see of an Optical one. Its vertices are the first of that one.
type Logical interface {
	Graph
	// Cables yields for every link, in the order of Links, the numbers of the links of the Optical graph that it runs
	// over: one and -1, or two where a circuit switch joins them.
	Cables() iter.Seq[[2]int32]
}

// GridOrdered is a Graph whose vertices are numbered as the points of a grid, the first coordinate first. Unlike a
// Lattice, it promises nothing about its links.
type GridOrdered interface {
	Graph
	// GridSides are the numbers of points along each dimension.
	GridSides() []int
}

// UsualRouter is a Graph that knows the routing which is usual for its family.
type UsualRouter interface {
	Graph
	// UsualRouting is the name of a function of package routing, or of one registered there; "" where the graph knows
	// none.
	UsualRouting() string
}

// Grouped is a Graph whose routers fall into groups, as in a dragonfly: every two groups are joined by a channel, and
// any two routers of a group are at most two channels apart. Packets may be routed group by group.
type Grouped interface {
	Graph
	// RoutingGroups are the groups; all have as many routers.
	RoutingGroups() Nest
}

// UpDown is a Graph that may know that the minimal paths between its terminals go up, turn once and go down, so that
// one class of virtual channels is enough for them.
type UpDown interface {
	Graph
	// TurnsOnce reports whether that holds.
	TurnsOnce() bool
}

// CliqueGraph is a CLEX.
type CliqueGraph interface {
	Graph
	// Cliques are the nodes of a clique, the levels of links, and whether the links above the first level are bundled.
	Cliques() (size, levels int, bundled bool)
}

// FloodBounded is a Graph for which a source bounds the longest path of a tree by which a message is flooded to all
// nodes.
type FloodBounded interface {
	Graph
	// FloodBound is the links of every level on the longest path of trees of a depth in hops, nil if no bound is known.
	FloodBound(depth int) []LevelHops
}

// LevelHops is a number of hops over links of a level.
type LevelHops struct{ Level, Hops int }

// Placeable is a Graph whose groups one strategy of placement is made for.
type Placeable interface {
	Graph
	// PlacementGroups are the strategy, by its name in a machine file, and the number of the nest whose groups do not
	// share racks, -1 for none.
	PlacementGroups() (strategy string, nest int)
}

// WorstCase is a Graph for which a source gives the traffic that is worst for minimal routing.
type WorstCase interface {
	Graph
	// WorstCaseTraffic is a pattern as package sim/traffic reads it, such as "next-group" or "tornado:16"; or
	// "two-hop-paths", the construction of M. Besta and T. Hoefler (SC 2014, section V-C) for graphs of diameter 2;
	// "" where no source gives one.
	WorstCaseTraffic() string
}

// Coordinated is a Graph whose vertices have numbers besides those of the groups that they are in, such as the rail of
// a leaf.
type Coordinated interface {
	Graph
	// Coordinates lists them, each under a name of its own.
	Coordinates() []Coordinate
}

// Coordinate is a number that some vertices have, from 0.
type Coordinate struct {
	Name string            // "rail", "plane"
	Of   func(v int) int32 // -1 for a vertex that has none
}

// CoordinatesOf are those of a graph, of whose vertices v is number of(v) of the given graph.
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

// DistanceFormula is a Graph whose source may give the distance between two of its nodes in closed form.
type DistanceFormula interface {
	Graph
	// FormulaHops is the hops between two nodes by that form, and whether the form is exact for this graph, as it is
	// printed or corrected; ok is false where the source has no form for it.
	FormulaHops(from, to int) (hops int, exact, ok bool)
}

// Growable is a Graph that can take more nodes while the switches that it has keep the number of their ports.
type Growable interface {
	Graph
	// Grown is a member of the family with at least so many more nodes. The error says why there is none.
	Grown(nodes int) (Graph, error)
}
