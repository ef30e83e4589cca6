// Package simulator writes planned networks in the input formats of network simulators: SimGrid, ns-3 (as ASTRA-sim's
// network reads it), htsim, ASTRA-sim's analytical networks, SST, and InfraGraph.
//
//	n, err := simulator.New(plan, fabric, delay.Override{})
//	err = simulator.WriteSimGrid(ctx, file, n)
//
// Each format gets the planned delay of every link. The latency of a link is the delay of its cable plus half the hop
// delay of the switch at either end, and the whole delay of the adapter of a host, so that the latencies along a path
// add up to the path's delay in the plan (package delay). Nothing is lost where a format has no delay for switches.
//
// Rates are in Gb/s in each direction, latencies in nanoseconds.
package simulator
