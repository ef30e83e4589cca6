// Package machines searches all families for the machines that meet a requirement, and returns the best trade-offs
// between an objective and delay: the Pareto front.
//
// A search file states the requirement and names a machine whose room, packaging, parts and prices every candidate
// takes over. The candidates are the configurations that topology.Sizes knows of every family, and more shapes of some
// (shapes.go). One is left out by what is exact for it (its diameter), by an upper bound of its throughput, by a lower
// bound of its money, power or delay that breaks a limit, or because a machine that was planned in full is at least as
// good as its lower bounds in both respects, and better in one. All others are planned in full. So nothing that was
// enumerated and can be planned is better than the front, which is the same as if every candidate had been planned.
//
// Candidates are planned a few at a time, in an order that depends on estimates only: the result is the same on any
// number of cores.
package machines
