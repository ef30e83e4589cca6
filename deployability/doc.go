// Package deployability scores a planned machine by how hard it is to build, to repair and to grow.
//
//	d, err := deployability.Score(plan, network, deployability.Options{})
//
// The figures are those of M. Zhang, R. Niranjan Mysore, S. Supittayapornpong and R. Govindan, "Understanding Lifecycle
// Management Complexity of Datacenter Topologies" (NSDI 2019): switches, types of bundles, patch panels, steps of an
// expansion at a residual capacity, and links rewired at a rack of panels in a step; and others that a plan of the
// cabling gives: harnesses, lengths, products, weight. A figure that cannot be worked out is unknown, with the reason.
package deployability
