// Package flow plays workloads in a network whose messages flow like water: each has a
// rate at every moment, rates are max-min fair over the channels that messages share,
// and change when a message begins or ends.
//
// # The model
//
// It is beside that of package sim/packet, and takes the same configuration. A cycle is
// the time of a phit on a link. A terminal sends its messages one after the other, in
// whole packets: the next when the one before can have passed its link and buffers hold
// what is left. A message takes the channels of its route, all at the same time, and the
// links of both terminals; each carries one phit a cycle. Rates are max-min fair: they
// rise alike until a channel is full, those of its messages stay, and the others rise on
// (D. Bertsekas and R. Gallager, Data Networks, 2nd edition, section 6.5.2). A message
// that has been sent arrives when the last phit of a packet would on an idle network:
// after the pipelines, the planned latencies and the cycles at both terminals.
//
// Where the routing function leaves a packet a choice, a message is split evenly over
// the hops of the first tier at each router; what the function draws at the source is
// drawn sixteen times. Loads are not known: functions that choose by them choose as on
// an idle network. There are no buffers, virtual channels or arbiters, so nothing is
// held up behind a packet that waits for another channel.
//
// # Cost
//
// A change of rates looks at the messages that share full channels with those that
// began or ended, directly or by way of others, and at nothing else. Rates that have just
// been found stay for a 32nd of the time for which messages are sent on average: one that
// begins before has what is free on its channels until then, and what one leaves that
// ends is free. No channel carries more than it can, and a message begins at most a 32nd
// of its usual time late. Time is in whole
// cycles: what ends within one ends with it. The work follows messages, not their
// lengths. State is by terminal and channel; routes that have been found are kept up to
// a bound.
//
// Results do not depend on the number of cores: a run takes one.
package flow
