package machines

import (
	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/machine/report"
)

// Why candidates fall out.
const (
	ByDiameter   = "diameter"   // it is greater than asked for
	ByThroughput = "throughput" // an upper bound of it is below what is asked for, or not known
	ByLoad       = "load"       // shortest paths carry less
	ByBisection  = "bisection"  // two halves with fewer channels between them were found
	ByRate       = "rate"       // a port is slower than asked for
	ByWorkload   = "workload"   // it has fewer nodes than the workload takes
	Unplannable  = "unplannable"
	ByPower      = "power"     // a lower bound of it, or the plan's, is above what is asked for
	ByDelay      = "delay"     // likewise
	ByBounds     = "bounds"    // a planned machine is better than its lower bounds
	ByRules      = "rules"     // the plan breaks a design rule
	Dominated    = "dominated" // a planned machine is better than its plan
)

// reasons lists why candidates fall out, in the order in which Result.Pruned has them.
var reasons = []string{
	ByDiameter, ByWorkload, ByThroughput, ByLoad, ByBisection, ByRate, Unplannable, ByPower, ByDelay, ByBounds,
	ByRules, Dominated,
}

// Result is what a search found.
type Result struct {
	Name string `json:"name"` // that of the search file
	// Objective is what the best machine has least of; `weighted` for a sum of several.
	Objective string `json:"objective"`
	// Weights are those of the sum, in the currency by unit of each figure; left out for other objectives.
	Weights  *Weights `json:"weights,omitempty"`
	NodesMin int      `json:"nodes_min"` // the least number of nodes that was asked for
	NodesMax int      `json:"nodes_max"` // the greatest number of nodes that was asked for
	Families []string `json:"families"`  // those that were searched
	// Fabric is the fabric whose topology was searched; left out where the machine has one topology.
	Fabric     string `json:"fabric,omitempty"`
	Currency   string `json:"currency"`   // the ISO 4217 code for all money; empty where nothing was planned
	Enumerated int    `json:"enumerated"` // the configurations of all families in the range
	// Pruned is how many fell out, by the reason; those that were planned and are not on the front are among them.
	Pruned    []Pruned `json:"pruned"`
	Estimated int      `json:"estimated"` // candidates whose money and delay were bounded and estimated
	Planned   int      `json:"planned"`   // candidates that were planned in full
	// Front are the machines of which no planned one is better in both the objective and the mean delay (of the
	// objectives delay and step-time: in these and money), by the objective.
	Front []Entry `json:"front"`
	Best  *Entry  `json:"best"` // the first of the front; null where there is none
	// Warnings say what the front compares besides topologies: hop delays that differ among the candidates that keep
	// the limits; empty where nothing does.
	Warnings []string `json:"warnings"`
	// Fallen are all candidates that fell out, in the order of enumeration.
	Fallen []Fallen `json:"fallen"`
}

// Pruned counts the candidates that fell out for a reason.
type Pruned struct {
	// Reason is `diameter`, `workload`, `throughput`, `load`, `bisection`, `rate`, `unplannable`, `power`, `delay`,
	// `bounds`, `rules` or `dominated`; docs/search.md#machines-of-any-family.
	Reason string `json:"reason"`
	Count  int    `json:"count"` // how many fell out
}

// Fallen is a candidate that fell out.
type Fallen struct {
	Family   string `json:"family"`   // of the topology
	Topology string `json:"topology"` // what to write into a machine file
	// Switch is the part that its switches are of; left out where the search names none.
	Switch string `json:"switch,omitempty"`
	Nodes  int    `json:"nodes"`  // how many there are
	Reason string `json:"reason"` // as in `pruned`
	Detail string `json:"detail"` // the figure or bound that decided, in words
	// Least is the lower bound of the objective (of money, where that is delay), or the plan's figure where it was
	// planned; left out where neither is known.
	Least *float64 `json:"least,omitempty"`
	// LeastDelay is the lower bound of the mean delay, or the plan's; left out where neither is known.
	LeastDelay *float64 `json:"delay_least_ns,omitempty"`
	// LeastMoney is the lower bound of the cost, or the plan's; left out unless the objective is `step-time`.
	LeastMoney *float64 `json:"cost_least,omitempty"`
	By         string   `json:"by,omitempty"` // the planned topology that is better; left out where none decided
}

// Entry is a machine of the front.
type Entry struct {
	Family   string `json:"family"`   // of the topology
	Topology string `json:"topology"` // what to write into a machine file
	// Switch is the part that its switches are of; left out where the search names none.
	Switch   string  `json:"switch,omitempty"`
	Nodes    int     `json:"nodes"`    // vertices that send and receive messages
	Switches int     `json:"switches"` // vertices that only pass messages on
	Cables   int64   `json:"cables"`   // pieces of cable
	Score    float64 `json:"score"`    // the figure of the objective
	Metres   float64 `json:"length_m"` // what the cables need along their ways, in all
	// BundleTypes is of the cables between racks, docs/deployability.md; left out unless it is the objective.
	BundleTypes *int    `json:"bundle_types,omitempty"`
	Cost        float64 `json:"cost"`    // the total of the bill
	Power       float64 `json:"power_w"` // what all boxes, optics and cables draw
	// PowerBasis is the basis of the power, and the parts that state none on it; left out where the machine names none.
	PowerBasis *cost.PowerBasis `json:"power_basis,omitempty"`
	// Delay is of the fastest path with the fewest hops, mean over the pairs of nodes.
	Delay float64 `json:"delay_mean_ns"`
	Hops  float64 `json:"hops_mean"` // links on a path with the fewest, mean over the pairs
	// Throughput is the upper bound of uniform traffic, as a share of what the ports of the nodes send; null where none
	// is known.
	Throughput *float64 `json:"throughput"`
	// Load is the uniform traffic that the shortest paths carry, all of them used evenly, as a share of what the ports
	// of the nodes send; left out where the search asks for none.
	Load float64 `json:"load,omitempty"`
	// Levels are the ports of each level of links; left out where the search chooses no capacities.
	Levels   []Level  `json:"levels,omitempty"`
	Unpriced []string `json:"unpriced"` // the items of the bill without a price, which the cost leaves out
	// NotInBill are the levels of packaging without a part, which the cost leaves out.
	NotInBill []cost.NotInBill `json:"not_in_bill"`
	// Step is the workload played on the machine; left out without a workload.
	Step *report.Step `json:"step,omitempty"`
	// File is the machine file that was written; left out without a directory.
	File string `json:"file,omitempty"`

	machine *yaml.Node
	inputs  []string
	axes    [2]float64 // of the front
}
