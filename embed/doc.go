// Package embed finds a place for every box: a slot in a rack or a container for every vertex of a topology, such that
// linked boxes stand near each other.
//
// A Strategy orders the vertices: by the groups that the topology names, by blocks of a lattice with its rings folded
// (W. J. Dally and B. Towles, Principles and Practices of Interconnection Networks, 2004, section 5.3), by copies
// within copies (C. Lenzen and R. Wattenhofer, arXiv:1607.00298, section II.B), or along a Hilbert curve. Place fills
// racks in that order, arranges the racks on the floor and moves pinned boxes to their slots; containers are filled
// directly. An Optimizer then exchanges racks and boxes by simulated annealing from starts by recursive bipartitioning
// (package embed/mapping). A placement is written as a table, and such a table is read back as pins.
//
// # Invariants
//
// Every vertex has exactly one slot. Rack units, chassis, power, weight, counts, affinity and anti-affinity hold in
// every placement that Place returns; a machine that does not fit is an error that names the limit. The optimizer never
// returns a placement that is worse than the strategy's, and states a lower bound. Its objective is a function that the
// caller hands in: the package knows no prices. Positions are in metres (package layout).
package embed
