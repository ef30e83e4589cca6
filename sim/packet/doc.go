// Package packet simulates packets in a network of switches, cycle by cycle.
//
// # The model
//
// Run plays traffic at a given load, RunJob a workload to its end, Sweep several loads,
// and FindSaturation finds the load at which a network is full. Time is in cycles; Times
// converts latencies. All links have the same rate: a cycle is the time of a phit on a
// link, and a link of a higher capacity is several channels.
//
// All packets have the same number of phits; a message takes as many packets as it needs,
// the last one perhaps partly unused. A switch has buffers at its inputs only, one for
// each virtual channel of a port. Below, the next buffer of an output is the one at the
// far end of its link, in the next switch; the previous switch is the one that an input
// receives from. Routing functions return the hops that a packet may take in tiers: a hop
// of a later tier is taken only if none of an earlier one can be.
//
// The packet at the head of a buffer asks for an output port and a virtual channel that
// package routing allows and whose next buffer has room for the packet. Options.Select
// says which of several:
//
//   - Idle (the default) passes over outputs that are busy. Of the others it takes the one
//     with the largest free share of the next buffers, where the room that other inputs
//     ask for in the same cycle does not count as free.
//   - Room takes the one with the largest free share of its next buffer in phits, be the
//     output busy or not. A packet whose choice is busy chooses anew in the next cycle.
//
// Of equals, each has the same chance. An input port asks for one of its virtual channels
// at a time, taken in turn, and an output port that is free takes one of those that ask
// (Options.Arbiter). The packet then holds the output port, and the input port unless
// Options.FreeInputs, for as many cycles as it has phits.
//
// The first phit of a packet that is sent at t reaches the next switch at t + the cycles
// of the switch (Config.Vertex) + the latency of the link (Config.Latency). The packet may
// go on at once (virtual cut-through, the default), or when its last phit is there too
// (store-and-forward). The previous switch learns of the room that a packet has left after
// the packet's last phit and the latency of the link. A switch sees the state of others
// only as of the end of the cycle before: the loads that routing by UGAL-G compares, and
// the packets that are leaving a next buffer, which Room counts.
//
// # Worms
//
// Under wormhole switching the phits of a packet go one by one, each as soon as the next
// buffer has room for it, so a packet may lie in several buffers, and these may be smaller
// than a packet. Room is counted and returned by phits. The first phit asks as above, but
// for a virtual channel that no other packet holds and whose next buffer is known to be
// empty; with Options.SharedBuffers some room is enough. Of the hops of a tier, Idle takes
// those first over whose channel no packet is passing; of these, or with Room of all, the
// one with the largest free share is taken. The packet holds that virtual channel until
// its last phit has passed. It holds the port and the link for one phit only: the packets
// on the virtual channels of a link take turns. Later phits ask for the same output when
// there is room. A terminal receives one packet at a time. Alone, in buffers for whole
// packets, a packet is as fast as by virtual cut-through. Routing functions that may
// deadlock under wormhole switching are refused (routing.Wormhole).
//
// # Terminals
//
// A terminal keeps the messages that it has not sent in a queue of any length. From there
// packets go at one phit per cycle into an input port of its switch, which has as many
// virtual channels as other inputs and buffers of Options.InjectionPackets. A terminal
// receives one phit per cycle. A packet pays the cycles of every switch that it leaves,
// the last one too. A terminal with several ports is a vertex of the network as switches
// are, and costs a packet the cycles of its adapter.
//
// # Time
//
// Events are in a wheel of cycles: arrivals, returned room and terminals. A cycle
// without an event costs next to nothing, a switch without packets nothing at all.
// Nothing is allocated in the steady state. State is in flat arrays: buffers,
// ports and channels in the order of the switches, packets in records of one cache
// line.
//
// # Guarantees
//
// A run depends on its configuration alone, not on the number of cores: every switch
// and terminal draws from a random stream of its own. Runs of a sweep go side by
// side; where there are more cores than runs, several engines play each run. Every
// engine has its share of the switches, with about as many as the others of those with
// the same number of ports and terminals; engines wait for each other after every cycle
// (Config.Cores). Every packet is delivered once, to its terminal: this is
// counted during the run, and an imbalance is an error. A run in which nothing has moved
// for Options.Patience cycles ends with an error that names a packet. Terminals that have
// failed take no part. Links lose no packets; a packet for which the routing function has
// no hop is dropped and counted (Result.Undeliverable), and in a workload is an error.
//
// These defaults are those of J. Navaridas, J. Miguel-Alonso, F. J. Ridruejo and W.
// Denzel, "Reducing complexity in tree-like computer interconnection networks",
// Parallel Computing 36, 2010, section 4: packets of 16 phits of 16 bytes, buffers
// of 4 packets (more behind long links), 8 packets at inputs of terminals, random
// arbitration. Its selection is Room, not the default; Like has all of its options.
package packet
