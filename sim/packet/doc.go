// Package packet simulates packets in a network of switches, cycle by cycle.
//
// # The model
//
// A cycle is the time of a phit on a link. All packets have the same number of phits;
// a message takes as many packets as it needs, the last one perhaps partly unused.
// Switches have buffers at their inputs only, one for each virtual channel of a port.
// The packet at the head of a buffer asks for an output port and a virtual channel
// that package routing allows, with room for it in the buffer behind; of several, the
// one behind which the largest share of the buffers is free, less what other inputs
// ask for in the same cycle, and of equals a random one, where outputs that are busy
// come last or count like others (Options.Select). An input port asks for one of its
// virtual channels at a time, taken in turn, and an output port that is free takes one
// of those that ask (Options.Arbiter). The packet then holds the output port, and the
// input port unless Options.FreeInputs, for as many cycles as it has phits.
//
// The first phit of a packet that is sent at t is at the next switch at t +
// the cycles of the switch (Config.Vertex) + the link's latency, and may go on at once (virtual cut-through), or
// when the last one is there too (store-and-forward). The room that a packet leaves
// behind is known to the switch before as many cycles after its last phit as the
// link's latency. What a switch sees of another one is never from within the cycle: of
// loads (UGAL-G), and of what is leaving the buffer behind an output (Room), it is as of
// the end of the cycle before.
//
// # Worms
//
// Under wormhole switching the phits of a packet go one by one, into any room
// there is, so a packet may lie in several buffers, and these may be smaller than a
// packet. Room is counted and returned by phits. The first phit asks as above, but for
// a virtual channel that no other packet holds and whose buffer is known to be empty,
// or to have room with Options.SharedBuffers; of a tier of hops it takes a channel
// that no packet is passing over, if Options.Select is Idle, then the one with most
// room. The packet holds that virtual channel until its last phit has passed, as it
// holds a terminal, which takes one packet at a time. Port and link it holds for one
// phit only: the packets on the virtual channels of a link take turns. Later phits
// ask for the same output when there is room. Alone, in buffers for whole packets, a
// packet is as fast as by virtual cut-through. Routing functions that may deadlock so
// are refused (routing.Wormhole).
//
// # Terminals
//
// Terminals have a queue without end, an input of the first switch with as many
// virtual channels as other inputs, and take one phit per cycle. A packet pays for every
// switch that it leaves, for the last one too, and a terminal with several ports, which is
// an input and an output of the network as switches are, costs what its adapter does.
//
// # Time
//
// Events are in a wheel of cycles: arrivals, returned room and terminals. Cycles
// without any cost next to nothing, switches without packets nothing at all.
// Nothing is allocated in the steady state. State is in flat arrays: buffers,
// ports and channels in the order of the switches, packets in records of one cache
// line.
//
// # Guarantees
//
// A run depends on its configuration alone, not on the number of cores: every switch
// and terminal draws from a random stream of its own. Runs of a sweep go side by
// side; where there are more cores than runs, each is played by several engines, as
// many of each kind of switch each, which wait for each other after every cycle
// (Config.Cores). Every packet is delivered once, to its terminal: this is
// counted during the run, and what does not add up is an error. A run in which
// nothing has moved for long ends with an error that names a packet.
//
// The defaults are those of J. Navaridas, J. Miguel-Alonso, F. J. Ridruejo and W.
// Denzel, "Reducing complexity in tree-like computer interconnection networks",
// Parallel Computing 36, 2010, section 4: packets of 16 phits of 16 bytes, buffers
// of 4 packets, injection queues of 8, random arbitration.
package packet
