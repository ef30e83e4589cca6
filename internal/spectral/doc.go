// Package spectral computes the second smallest eigenvalue of the Laplacian of a graph, its algebraic connectivity, and
// the eigenvector that belongs to it, the Fiedler vector (M. Fiedler, "Algebraic connectivity of graphs", Czechoslovak
// Math. J. 23, 1973). A lower bound of the weight of any cut of the graph follows from the eigenvalue; the vector
// suggests where to cut.
//
// The package has no type of graphs: a Laplacian is a function that multiplies a vector by it. It must be symmetric,
// and 0 on the constant vector. The eigenvalue is in the unit of the weights of the Laplacian.
//
// # Guarantees
//
// Sums are computed in a fixed order and rounded in the same way on every machine, so that the result depends on the
// Laplacian and the start alone. The package keeps at most 300 vectors; fewer, but at least 20, if 300 would have more
// than 2^24 entries together.
package spectral
