// Package machines searches all families for the machines that meet a requirement, and returns the best trade-offs
// between an objective and delay: the Pareto front.
//
// A search file states the requirement and names a machine whose room, packaging, parts and prices every candidate
// takes over. The candidates are the configurations that topology.Sizes knows of every family, and more shapes of some
// (shapes.go). A candidate is skipped if it violates an exact limit (its diameter), if an upper bound of its throughput
// or a lower bound of its cost, power or delay violates one, or if a planned machine beats its lower bounds on cost and
// delay. All others are planned in full. So the front is the same as if every candidate had been planned.
//
// Candidates are planned a few at a time, in an order that depends on estimates only: the result is the same on any
// number of cores.
package machines
