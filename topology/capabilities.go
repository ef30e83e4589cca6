package topology

// What a Graph may know of itself besides its links. Whoever can use it asks for the
// interface, so that a graph from outside this package may offer it too.

// Counted is a Graph that knows the channels of its levels without walking its links.
type Counted interface {
	Graph
	// LevelChannels has the channels of every level, or is of another length where the
	// graph does not know them.
	LevelChannels() []int64
}

// LevelSymmetric is a Graph that may know that some symmetry takes every link
// to any other of the same level. Its vertices that forward are one orbit.
type LevelSymmetric interface {
	Graph
	// SameLevels tells whether that holds.
	SameLevels() bool
}

// EvenTree is a Graph that may know that some symmetry takes every link to any
// other of the same level, and every switch to any other of its kind.
type EvenTree interface {
	Graph
	// EvenTiers tells whether that holds.
	EvenTiers() bool
}

// DimensionOrdered is a Graph that may know what its links carry in dimension order.
type DimensionOrdered interface {
	Graph
	// OrderedLoad is the greatest load of a link, both ways together, if every node
	// sends a unit to every other dimension by dimension, half of it either way round
	// where that is as far. It is not known where ok is false.
	OrderedLoad() (load float64, ok bool)
}
