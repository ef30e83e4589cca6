// Package delay measures the latency of a planned machine without load: the delay of every link, and of the shortest
// and the fastest paths between all pairs of nodes, as means, maxima and distributions, in nanoseconds.
//
// A Recorder collects the delays of links by level, Paths measures all pairs of nodes, or a sample with a standard
// error, and MeasureRouted the paths of a routing function (package routing). A length per link, in metres, and a
// medium come in as values: the package knows neither rooms nor products.
//
// # Formula
//
// The delay of a path is alpha*hops + beta*distance: the time it takes to be
// relayed plus the time the signal travels (C. Lenzen and R. Wattenhofer,
// "CLEX: Yet Another Supercomputer Architecture?", arXiv:1607.00298, section
// II-A). Here alpha is a hop delay per kind of vertex and beta a propagation
// delay per medium, and the ends of a medium may cost time as well. Going from
// u to v over one link of length l takes
//
//	l*Propagation + 2*End + Hop[kind of v]
//
// and beginning at s takes Hop[kind of s], so that a path pays for every router that
// it traverses, those of its source and destination included (topology.Charge). In a
// direct network these are one more than its hops; a terminal costs what its adapter
// does, normally nothing. Queues, serialisation and software are not counted.
//
// # Paths
//
// Paths run over ordered pairs of different injecting vertices (roles Node and
// Terminal) and have the fewest hops possible; the vertices inside are nodes
// and switches, never terminals. Parallel channels of one link are one path;
// two links between the same vertices (on different levels) are two. For each
// pair there is the least delay of such a path, the length of that path (the
// shortest among equally fast ones) and the mean delay over all such paths,
// each counting once. Besides there is the delay of the fastest path of all,
// which may have more hops. Pairs without a path are counted in Unreachable and
// enter no other figure.
//
// # Exactness
//
// Delays are in nanoseconds and lengths in metres. Lengths are rounded to
// 0.1 mm. The delay of an arc is rounded to a binary fraction of a nanosecond,
// 2^-32 or as fine as the longest path allows, never coarser than 2^-10; so is
// the mean delay of a pair. All sums over pairs are sums of integers, so the
// result is the same to the last bit for any number of cores.
//
// # Cost
//
// One breadth-first search per source and a look at every arc, time proportional to arcs, and Dijkstra's algorithm over
// the vertices that a path with more hops reaches sooner. Of cliques, vertices of which any two have a link, only the
// members found first follow their arcs to the others; finding the cliques takes 30 bytes an arc. Each worker holds
// about 110 bytes per vertex and 0.5 MB of bins. A terminal with a single link never enters a search: its pairs follow
// from those of its router, so the searches run over routers and terminals with several links only.
//
// Trees whose parts have even links to what stands above them are searched part by part, from sixteen sources at once.
// This takes about 130 bytes per vertex, 130 more per switch that has ends and 20 per vertex again in each worker, and
// 32 per link once. The mean delay of a pair can differ from that of a search by its last bit.
//
// A torus or a mesh that has no terminals and whose rows have eight vertices or
// more is not searched: from each source, every vertex follows from those a step
// nearer in every dimension, row by row, in contiguous memory. Sources that a
// translation along a dimension or a reflection of one moves onto each other,
// with all lengths the same, are measured once for all of them: lengths repeat
// where racks and cells do. This takes about 60 bytes per vertex and worker,
// and 8 per vertex and dimension once. The mean delay of a pair can differ from
// that of a search by its last bit. With AVX-512, eight sources side by side in a
// torus are measured at once, to the same bits: 64 bytes per vertex and worker, up to
// twice as many for rows where there are many dimensions, and 16 per vertex and
// dimension once.
//
// A lattice that is the Cartesian product of smaller networks, lengths included,
// is not searched at all: its pairs follow from those of its factors. The sums of
// delays of factors are made one by one, 2^31 at most.
//
// Another lattice whose links look the same from every vertex (a hypercube) and
// that has no terminals is searched once; each source then only evaluates the
// same acyclic graph with its own lengths, without looking for the paths
// again, row by row. This takes about 180 bytes per vertex and worker, and 24 per
// arc once.
package delay
