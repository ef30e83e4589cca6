// Package throughput bounds the traffic that a network can carry from above, without simulating it: by what all of its
// channels carry together, against the hops that traffic has to make.
//
// A terminal injects at most what its ports carry. The throughput of traffic is the largest share of this that all
// terminals can send at the same time. For any routing, packets from u to v take at least d(u,v) channels, so a
// network of C channels between switches carries at most C over the sum of demand times distance. For uniform traffic
// the sum is that of all pairs. The near-worst case is the permutation of switches whose sum is greatest, as P. Namyar,
// S. Supittayapornpong, M. Zhang, M. Yu and R. Govindan, "A throughput-centric view of the performance of datacenter
// topologies", SIGCOMM 2021, have it: a network carries no more of its worst traffic than it does of this.
//
// A cut bounds both as well ([Bound.Cut]): the channels from one side to the other carry what the terminals of the
// smaller side send if all of it crosses. Where paths are short and the cut is narrow, as in a CLEX, this is far below
// the bound from hops.
package throughput
