// Package simulator writes planned networks in the input formats of network simulators: SimGrid, ns-3 (as ASTRA-sim's
// network reads it), htsim, ASTRA-sim's analytical networks, SST, and InfraGraph.
//
//	n, err := simulator.New(plan, fabric, delay.Override{})
//	err = simulator.WriteSimGrid(ctx, file, n)
//
// SimGrid, ns-3, SST and InfraGraph get the planned delay of every link. The latency of a link is the delay of its
// cable plus half the hop delay of the switch at either end, and the whole delay of the adapter of a host, so that the
// latencies along a path add up to the path's delay in the plan (package delay), although switches have no delay of
// their own in these files. A node that forwards packets itself is a host and a switch, with a link between them that
// has no cable.
//
// ASTRA-sim's analytical networks have one latency for each dimension, from the mean of its links. htsim has one for
// each tier, the mean delay of its cables, with the adapters of hosts in the lowest, beside the hop delay of switches.
//
// Rates of a Network are in Gb/s in each direction, latencies in nanoseconds; each writer converts them to the units of
// its format. A writer returns an exchange.LimitError for a network that its format cannot express.
package simulator
