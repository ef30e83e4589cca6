// Package spectral finds the second smallest eigenvalue of the Laplacian of a
// graph, its algebraic connectivity, and the vector that goes with it, the Fiedler
// vector (M. Fiedler, "Algebraic connectivity of graphs", Czechoslovak Math. J. 23,
// 1973). The eigenvalue bounds from below what any cut of the graph severs; the
// vector says where to cut.
//
// The package knows no graphs: a Laplacian is a function that multiplies a vector
// by it. It must be symmetric, and 0 on the constant vector. Weights, and with them
// the eigenvalue, are in the unit in which the caller counts.
//
// # Guarantees
//
// Sums run in one order and round alike on every machine; what comes out depends
// on the Laplacian and the start alone. Memory is that of the vectors, of which at
// most 300 are kept; fewer, but at least 20, where 300 would have more than 2^24
// entries.
package spectral
