// Package loggops plays schedules of package sim/goal under the LogGOPS model (T.
// Hoefler, T. Schneider and A. Lumsdaine, "LogGOPSim - Simulating Large-Scale
// Applications in the LogGOPS Model", LSAP 2010), with a latency of its own for
// every pair of ranks, such as the delay of the planned path between their nodes.
//
// # The model
//
// A rank has CPUs and network interfaces. A calculation takes a CPU for its time. A
// send of s bytes takes the CPU for o + (s-1)O and the sending side of the interface
// for g + (s-1)G; its first byte arrives o + L after it began. The message then takes
// the CPU of the receiver, of the number that the send states, for o + (s-1)max(G,O)
// and the receiving side of the interface for g + (s-1)G, and begins when both are
// free. A receive takes nothing: it ends with the message if that comes later, at
// once if the message is there. Messages and receives of the same ranks and tag meet
// in their order. A send of more than S bytes ends when its message meets the
// receive, any other when the CPU has sent it. An empty message costs what one of a
// byte does.
//
// What waits for the same CPU or interface goes in the order in which it came into
// being: operations when what they require has ended, messages when they were sent;
// of those of the same time, sends before receives before calculations, in the order
// of the schedule. With one CPU for each rank, times are those of LogGOPSim. Where a
// rank has several, LogGOPSim lets an operation on an idle CPU begin before what it
// requires has ended; here it does not.
//
// Times are kept in picoseconds; what a length costs is rounded to one. Results do
// not depend on the number of cores.
//
// # Cost
//
// An event is the beginning of an operation or the arrival of a message. Each passes
// the queue of events once, however many wait before it, and a message finds its receive
// in constant time. Memory is about 130 bytes an operation.
package loggops
