// Package routing says which channels a packet may take: the routing functions
// of the literature for every family of package topology, generic ones for any
// graph, single paths, and the check of the channel dependency graph.
//
// # Packets
//
// A Network is a topology as packets see it: routers, directed channels between
// them, and terminals at routers. A packet carries a Header. When it arrives at
// a router, Function.Arrive takes the decisions that are taken once (the random
// intermediate of Valiant, minimal or not); then Function.Next lists the hops
// that are allowed, in tiers: a hop of a later tier is meant for a packet whose
// earlier tiers are all blocked. Header.Take records the hop that was taken.
//
// # Classes
//
// A hop names a class of virtual channels, not a channel number. Split shares the
// virtual channels that there are among the classes of a function, so that what
// makes a function free of deadlocks does not depend on how many there are.
//
// # Functions of other packages
//
// A Function may say more of itself than the interface asks: that it offers one hop only, that it reads loads, what
// keeps it free of deadlocks. These are interfaces of one method each (SinglePath, Stepper, Steady, SourceDecided,
// Undecided, Tabled, LoadAware, HopCounter, AdaptiveClass, BubbleFlow, CutThroughOnly, AtomicBuffers), so that one of
// another package is played, checked and refused like those here.
//
// # Deadlocks
//
// A packet waits for its escape hop if it has one and for all of its hops
// otherwise. If the graph of waits between (channel, class) pairs has no cycle,
// some packet can always move (W. J. Dally and C. L. Seitz, IEEE Trans. Computers
// C-36 (5), 1987; J. Duato, IEEE TPDS 4 (12), 1993). This holds for virtual
// cut-through and store-and-forward, where a packet that has moved on holds
// nothing behind it. CheckDependencies builds the graph from a function itself,
// Follow from the paths of an idle network, for large ones. Under wormhole
// switching it does not hold for all functions: Wormhole tells for which.
//
// # Numbers
//
// Routers, channels, terminals, links and classes are numbered from 0; -1 stands for none. A Network does not change:
// Fail returns another one with the same numbers, for which functions have to be made anew.
//
// The package knows neither queues nor metres.
package routing
