// Package topology generates interconnection networks. Package measure counts their hops, channels and paths, package
// graphio reads and writes them.
//
// A family (torus, HyperX, fat tree, dragonfly, ...) cites its source and yields its links with the level that each
// belongs to and the ports that each uses at both ends. Links are generated when they are asked for and not stored,
// except in random graphs and subnets; code that needs random access builds a CSR. A Spec is the notation shared by
// machine files and the command line; New turns it into a Graph or returns everything that is wrong with it.
//
// The package knows no metres, no parts and no packets.
package topology
