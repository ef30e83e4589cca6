// Package embed finds a place for every box: a slot in a rack or a container for every vertex of a topology, such that
// linked boxes stand near each other.
//
// Place does everything in one call, from a Problem to a Placement. The Strategy of the problem orders the vertices: by
// the groups that the topology names, by blocks of a lattice with its rings folded (W. J. Dally and B. Towles,
// Principles and Practices of Interconnection Networks, 2004, section 5.3), by copies within copies (C. Lenzen and R.
// Wattenhofer, arXiv:1607.00298, section II.B), along a Hilbert curve, or at random as a baseline. Place fills racks in
// that order, arranges the racks on the floor and moves pinned boxes to their slots; in a room of racks, a box in the
// way of a pinned one moves to the nearest rack with room for it, and in containers the two exchange their slots.
// Containers are filled directly, without racks. If the problem has an Optimizer, Place then exchanges racks and boxes,
// except locked ones, by simulated annealing from the strategy's placement and from starts by recursive bipartitioning
// (package embed/mapping). A placement is written as a table, and such a table is read back as pins.
//
// # Invariants
//
// Every vertex has exactly one slot. In a room of racks, every placement that Place returns keeps the limits of rack
// units, chassis, power, weight and numbers of boxes, and the anti-affinity, with two exceptions: limits of power,
// weight and numbers do not apply to pinned boxes, and only the Optimizer keeps groups together (Problem.Together).
// Containers have no limit except their slots. For a machine that does not fit, Place returns an error that names the
// limit, and no placement.
//
// By its objective, the result of the Optimizer is never worse than the strategy's placement. Optimized.Bound is a
// lower bound of the sum of link costs, which is not the objective if that counts the longest link. The caller supplies
// the costs of links (Optimizer.Goal): the package knows links, but neither cables nor prices. Positions are in metres
// (package layout).
package embed
