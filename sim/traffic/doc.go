// Package traffic says who sends what to whom: open-loop patterns, in which
// terminals send at a rate that the network does not change, and closed-loop
// workloads, in which the delivery of a message releases the next ones.
//
// The package knows no network and no clock. Terminals of an open loop and
// tasks of a closed loop are numbered from 0; package sim/packet plays them on
// a machine.
package traffic
