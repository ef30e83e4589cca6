// Package flow plays workloads in a network whose messages flow like water: each has a
// rate at every moment; the inputs of a switch share its channels fairly, and rates
// change when a message begins or ends.
//
// # The model
//
// It is beside that of package sim/packet, and takes the same configuration. A cycle is
// the time of a phit on a link. A terminal sends its messages one after the other, in
// whole packets: the next when the one before can have passed its link and buffers hold
// what is left. A message takes the channels of its route, all at the same time, and the
// links of both terminals; each carries one phit a cycle. A message that has been sent
// arrives when the last phit of a packet would on an idle network: after the pipelines,
// the planned latencies and the cycles at both terminals.
//
// Arbiters let inputs take turns, not messages: of three messages over a channel, two by
// one input and one by another, these have 1/4, 1/4 and 1/2. So a channel is shared
// fairly by inputs, and what one of them gets by its messages; what an input cannot take
// the others share. A message whose packets choose their way has its part of what each
// of the inputs gets by which it comes; parts that are drawn at the source are coupled,
// and count as one input. A message has the least of what its channels offer; the message
// that is offered least of all has its rate, and what it leaves is offered to the others
// (with one input for each message that is max-min fairness: D. Bertsekas and R.
// Gallager, Data Networks, 2nd edition, section 6.5.2).
//
// An arbiter that draws does not give each message the same: the turns of one come at
// random times, and so many of them take a time of a gamma distribution. So a message
// has, beside others, a weight that is drawn for it; without that, tasks of equal
// messages would never fall out of step. Of the messages that a terminal sends at the
// same time, the first stands in front of the others: these have a quarter of its weight.
//
// An input sends one packet at a time, and asks for a channel only while it is not sending
// elsewhere. A channel that is in use is offered once in a packet's time; an input that
// sends elsewhere all the time is never free just then, and what waits there loses to
// another input for as long as that goes on. So rates are found twice: fairly, and then
// with inputs that count by the share of the time in which they are free at these rates;
// with Options.FreeInputs once. The last packet of a message has no other way any more:
// if there is an input and an output, of those on its way, of which others take four
// fifths of the time at least, it is a message of its own from that input to that output.
// The last packets of others that share a channel wait for one that is being sent: part of
// a packet's time, at random.
//
// Where the routing function leaves a packet a choice, a message is split evenly over
// the hops of the first tier at each router; what the function draws at the source is
// drawn sixteen times. Loads are not known: functions that choose by them choose as on
// an idle network. Packets choose an output that is free, and do not see what they will
// meet further on: there streams come together by chance. If those from fork i are on a
// channel with probability x_i, the sum of their shares, any is with
//
//	1 - (1-x_1) (1-x_2) ...
//
// which is what the channel carries of them at most. Streams from the same fork leave it
// by different outputs, so they do not meet. Four streams split over four channels fill
// 0.68 of them if they come from four switches, and all if from one.
//
// Where packets choose more than once, that is so only while the first switch has more
// outputs than streams. When all outputs are busy, by the rates of what is on them, an
// input finds none free but the one that it has just left, and its stream keeps to one
// way: that of the outputs that carry least, of equals a random one; behind the first
// switch it is split where outputs are free, and at the last choice always. It takes all
// ways when what the terminal could have sent beyond the rate would fill a port's buffers
// for every channel on the way, or when one of the streams ends.
//
// There are no buffers, virtual channels or arbiters beside that, so nothing is held up
// behind a packet that waits for another channel.
//
// # Cost
//
// A change of rates looks at the messages that share full channels with those that
// began or ended, directly or by way of others, and at nothing else. Rates that have just
// been found stay for an eighth of the time for which messages are sent on average: one that
// begins before has what is free on its channels until then, and what one leaves that
// ends is free. No channel carries more than it can, and a message begins at most an eighth
// of its usual time late. Time is in whole
// cycles: what ends within one ends with it. The work follows messages, not their
// lengths. State is by terminal and channel; routes that have been found are kept up to
// a bound.
//
// Results do not depend on the number of cores: a run takes one.
package flow
