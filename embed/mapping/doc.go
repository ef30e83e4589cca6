// Package mapping finds a place for every vertex of a weighted graph such that
// its edges cost little: switches to racks, racks to positions, boards to slots.
//
// A Problem says what the places offer and the vertices take (any number of
// resources; also by rows or other domains), what an edge costs between two
// places (Grid, Taxicab, Tables), and which rules hold: pins, classes of places,
// groups kept together or apart. Map minimises the sum of the costs, the longest
// edge, or a mix. Partition is the special case of parts without geometry.
// LowerBound tells how far from the best a placement can be at most.
//
// The method: starts by dual recursive bipartitioning, each cut made by
// multilevel bisection; simulated annealing by moves and exchanges at the exact
// objective, from the best starts at mild temperatures and from hot ones; the
// scale of temperatures is measured on the instance. All rules hold in every
// placement on the way. On a grid, where costs are distances and vertices alike,
// every vertex keeps the positions of its neighbours side by side; a step then takes
// a fraction of the time.
//
// The effort is a number of steps. The result depends on the problem, the seed,
// the effort and the starts, and on nothing else: runs are independent of each
// other and share the cores. The package knows neither topologies nor prices.
package mapping
