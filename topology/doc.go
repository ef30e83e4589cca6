// Package topology generates interconnection networks. Package measure counts their hops,
// channels and paths, package graphio reads and writes them.
//
// A family (torus, HyperX, fat tree, dragonfly, ...) lives in one file, cites
// its source, and yields its links with the level each belongs to and the port
// each uses at both ends. Links are streamed, never stored; what needs random
// access builds a CSR. A Spec is the notation shared by machine files and the
// command line; New turns it into a Graph or says everything that is wrong with
// it.
//
// The package knows no metres, no parts and no packets.
package topology
