package report

import (
	"cmp"
	"math"

	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// CompareDocument is a comparison as one document: what `plenum compare --json`
// prints.
type CompareDocument struct {
	Version string `json:"version"` // that of the program that made the comparison
	// Machines is one entry each, in the order in which they were given.
	Machines []ComparedDocument `json:"machines"`
	// Baseline is the name of the machine that the others are set against; left out where none was named.
	Baseline *string `json:"baseline,omitempty"`
	// Rankings are the machines by what their networks cost by accepted Gb/s, for each traffic that was simulated;
	// empty without `--accepted`, and where costs are in different currencies.
	Rankings []RankingDocument `json:"rankings"`
	// Warnings is which figures compare something else than topologies: hop delays, prices, densities of racks; and
	// in what machines whose accepted throughput was simulated are not on equal terms. Empty where they are.
	Warnings []string `json:"warnings"`
	// Terms are the conditions of the comparison: what the machines bring besides the shapes of their networks;
	// docs/ranking.md#fair-terms.
	Terms []Term `json:"terms"`
	// Count is what D, `break_even` and `fastest` count, times alpha: `routers` or `hops`.
	Count delay.Count `json:"count"`
	// Differences are the fields of the machine files that differ from those of the baseline; empty without one.
	Differences []Difference `json:"differences"`
	// Refused are the machines that no part makes in the way that `--shuffle` asks for; left out where there are none.
	Refused []Refused `json:"refused,omitempty"`
	// BreakEven is where two machines are equally fast, for every two whose paths were measured;
	// docs/delay.md#a-path.
	BreakEven []BreakEven `json:"break_even"`
	// Fastest is the machine with the least mean D, by ranges of alpha/beta from 0 upwards.
	Fastest []Fastest `json:"fastest"`
}

// ComparedDocument is one machine. Figures that do not exist are null.
type ComparedDocument struct {
	// Machine is its name in the machine file, made different where two have the same.
	Machine string `json:"machine"`
	File    string `json:"file"` // the machine file, as given
	// Topology is that of the machine file; null for a machine whose fabrics are compared together.
	Topology *topology.Spec `json:"topology"`
	// Fabrics are those of a machine whose fabrics are compared together, each with its topology, size, cost and
	// delays; left out of other machines.
	Fabrics []Fabric `json:"fabrics,omitempty"`
	// Capacity is the capacity of the links of levels where it is above 1, by level: what a link carries each way, in
	// units of the rate of a port. Left out where there are none.
	Capacity map[string]int32 `json:"capacity,omitempty"`

	// Nodes is vertices that send and receive messages: terminals, and nodes that also pass messages on.
	Nodes int `json:"nodes"`
	// Switches is vertices that only pass messages on; 0 in a direct network.
	Switches int `json:"switches"`
	// Racks is those that hold boxes; 0 where no level of containers is a rack.
	Racks int   `json:"racks"`
	Ports Ports `json:"ports"` // on all boxes, for links
	// Links are the channels between vertices, whether cables or traces, both directions as one.
	Links  int64 `json:"links"`
	Cables int64 `json:"cables"` // pieces; one that carries several links counts once
	// Length is what the cables need along their ways, slack included; traces are left out.
	Length  LengthTotal `json:"length_m"`
	Lengths []Lengths   `json:"lengths"` // the same needs by medium, as histograms

	Currency    string      `json:"currency"`         // the ISO 4217 code for all money of the machine
	PriceSet    string      `json:"price_set"`        // the price set that the machine file names
	Cost        Cost        `json:"cost"`             // the total of the bill, and its parts; docs/cost.md
	CostPerNode units.Money `json:"cost_per_node"`    // the total of the bill divided by the number of nodes
	Power       units.Power `json:"power_w"`          // what all boxes, optics and cables draw
	PowerByNode units.Power `json:"power_per_node_w"` // the same divided by the number of nodes
	// PowerBasis is the basis of the figures of power, and the parts that state none on it; left out where the machine
	// file names no basis.
	PowerBasis *cost.PowerBasis `json:"power_basis,omitempty"`
	// PowerUnstated are the parts of boxes that state no power, which the power leaves out; left out where all do.
	PowerUnstated []cost.OtherPower `json:"power_unstated,omitempty"`
	// Ends are those of all links by kind: what they draw and cost, how often they fail; docs/cabling.md#kinds-of-ends.
	Ends []cost.EndCount `json:"ends"`

	// Delay is what paths between nodes take, by the machine's own hop and propagation delays, over ordered pairs of
	// different nodes; null where none were measured; docs/delay.md.
	Delay *Delay `json:"delay"`
	// RoutersMean is the routers that the paths with the fewest hops traverse, mean over the pairs; null where none
	// were measured.
	RoutersMean *float64 `json:"routers_mean"`
	// RoutersMax is the most; an upper bound where routers and nodes on them send.
	RoutersMax *float64 `json:"routers_max"`
	// D is delay as the CLEX paper defines it, alpha x hops + beta x distance, at each alpha of the comparison, with
	// what `count` says in place of hops; empty where no paths were measured.
	D []D `json:"d"`
	// Bisection is the least number of channels between two halves of the nodes, between bounds; null for a machine
	// whose fabrics are compared together.
	Bisection *Bisection `json:"bisection"`

	// Throughput bounds the traffic that the network carries, for any routing.
	Throughput Throughput `json:"throughput"`
	// Accepted is what was simulated to be accepted, for each traffic of `--accepted`; empty without it.
	Accepted []AcceptedDocument `json:"accepted"`
	// Deployability is how hard the machine is to build, to repair and to grow; left out without `--deployability`.
	Deployability *Deployability `json:"deployability,omitempty"`
	// Step is the workload that was played on the machine; left out without `--workload`.
	Step *Step `json:"step,omitempty"`

	// Breaches is of design rules of severity error, those that the machine file suppresses left out.
	Breaches int `json:"breaches"`
	// BreachWarnings counts violations of severity warning, by rule; left out where there are none.
	BreachWarnings map[string]int `json:"breach_warnings,omitempty"`

	Notes []string `json:"notes"` // what the figures leave out, and what was assumed
}

// D is alpha*hops + beta*distance at one alpha and beta.
type D struct {
	Alpha  units.Time        `json:"alpha_ns"`        // the hop delay, the same for all vertices
	Beta   units.Propagation `json:"beta_ns_per_m"`   // the propagation delay, the same for all media
	Ratio  units.Length      `json:"alpha_by_beta_m"` // alpha / beta: the length that takes as long as a hop
	NsMean units.Time        `json:"delay_mean_ns"`   // alpha x mean of `count` + beta x mean length of the paths
	// NsMax is alpha x the most of `count` + beta x greatest length, even if these are of two pairs.
	NsMax units.Time `json:"delay_max_ns"`
}

// Bisection brackets the least number of channels between two halves of
// the nodes. The figures by money take the upper bound.
type Bisection struct {
	Lower       int64  `json:"lower"`        // a bound: no halves have fewer channels between them
	Upper       int64  `json:"upper"`        // the channels between the best halves that were found
	LowerMethod string `json:"lower_method"` // how the lower bound was found
	UpperMethod string `json:"upper_method"` // how these halves were found
	// Rate is of all channels of the upper bound, at the rate of the slowest port of any box; null where ports state
	// none.
	Rate *units.Rate `json:"rate_gbps"`
	// RateByNode is the same divided by the number of nodes; null where ports state none.
	RateByNode *units.Rate `json:"rate_per_node_gbps"`
	// Channels is the upper bound divided by the total of the bill in millions of the currency; null where that is
	// 0.
	Channels *float64 `json:"channels_per_million"`
	// RateByCost is `rate_gbps` divided by the total in millions of the currency; null where either is not known.
	RateByCost *units.Rate `json:"rate_per_million_gbps"`
}

// Throughput bounds the traffic that a network carries. Uniform traffic goes from every node to all others alike. The
// bound for the worst traffic is the least of three: by the hops of the longest matching of switches (P. Namyar et al.,
// SIGCOMM 2021), by the best halves that were found, and by uniform traffic.
type Throughput struct {
	// Uniform is a share of what the ports of all nodes can send together; above 1, the ports are the limit. Null where
	// no bound is known, and where no two nodes are hops apart.
	Uniform *float64 `json:"uniform_upper"`
	Worst   *float64 `json:"worst_upper"` // the same for the worst traffic
	// WorstMethod is which bound that is: `longest matching`, `cut` or `uniform traffic`; left out where none is known.
	WorstMethod string `json:"worst_method,omitempty"`
	// UniformByNode is the rate at which a node then sends; null where no port states a rate.
	UniformByNode *units.Rate `json:"uniform_per_node_gbps"`
	WorstByNode   *units.Rate `json:"worst_per_node_gbps"` // the same for the worst traffic
	// UniformCost is what the network costs, without nodes and racks, by Gb/s that all nodes send together.
	UniformCost *float64 `json:"network_cost_per_uniform_gbps"`
	WorstCost   *float64 `json:"network_cost_per_worst_gbps"` // the same for the worst traffic
}

// AcceptedDocument is what a machine accepts of some traffic while all nodes send all that a port can: packets were
// simulated with the planned lengths of the links.
type AcceptedDocument struct {
	Traffic string `json:"traffic"` // the pattern of destinations
	Routing string `json:"routing"` // the name of the function
	VCs     int    `json:"vcs"`     // virtual channels of a port
	// Buffer is packets that the buffer of a virtual channel holds.
	Buffer int `json:"buffer_packets"`
	// Share is what is delivered, in phits per cycle and node: a share of what a port carries.
	Share      float64 `json:"accepted"`
	HalfWidth  float64 `json:"accepted_half_width"` // half the 95 % confidence interval of `accepted`
	Stationary bool    `json:"stationary"`          // whether the warm-up came to an end by itself
	// Bound is what `accepted` is at most, for any routing; null where no bound is known for the traffic.
	Bound *float64 `json:"accepted_upper"`
	// PerNode is the rate at which a node's traffic is accepted; null where no port states a rate.
	PerNode *units.Rate `json:"accepted_per_node_gbps"`
	// NetworkCost is what the network costs, without nodes and racks, by Gb/s that all nodes have accepted together;
	// null where either is not known.
	NetworkCost *float64 `json:"network_cost_per_accepted_gbps"`
	TotalCost   *float64 `json:"cost_per_accepted_gbps"` // the same of the total of the bill
}

// RankingDocument is the machines in the order of what their networks cost by accepted Gb/s.
type RankingDocument struct {
	Traffic string `json:"traffic"` // the pattern of destinations
	// Machines are names, the cheapest first; those of which it is not known are left out.
	Machines []string `json:"machines"`
}

// BreakEven is where two machines have the same D. Below it the machine
// with more hops is faster. Null where one is never slower than the other.
type BreakEven struct {
	A string `json:"a"` // the name of one machine
	B string `json:"b"` // the name of the other
	// MoreHops is the one with more mean hops, or routers traversed, by `count`: it is the faster one below
	// `alpha_by_beta_mean_m`.
	MoreHops string `json:"more_hops"`
	// Mean is alpha/beta at which both have the same mean D; null where one is never slower.
	Mean *units.Length `json:"alpha_by_beta_mean_m"`
	// Max is the same for the maximal D; null where one is never slower.
	Max *units.Length `json:"alpha_by_beta_max_m"`
}

// Fastest is a range of alpha/beta in which a machine has the least
// average D; To is null for no end.
type Fastest struct {
	Machine string        `json:"machine"`              // its name
	From    units.Length  `json:"alpha_by_beta_from_m"` // the least alpha/beta of the range
	To      *units.Length `json:"alpha_by_beta_to_m"`   // the greatest; null where the range has no end
}

// finite returns a pointer to x, rounded by Round; nil for NaN and infinities.
func finite[T ~float64](x T) *T {
	if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
		return nil
	}
	x = Round(x)
	return &x
}

// Document returns the comparison as a document. Figures that are not finite are left out, others are rounded.
func (c *Comparison) Document() *CompareDocument {
	r := &CompareDocument{Version: c.Version, BreakEven: []BreakEven{}, Fastest: []Fastest{}}
	for i := range c.Machines {
		r.Machines = append(r.Machines, c.machine(&c.Machines[i]))
	}
	name := func(i int) string { return c.Machines[i].Machine }
	r.Refused = c.Refused
	r.Differences = append([]Difference{}, c.Differences...)
	r.Rankings, r.Warnings = []RankingDocument{}, append(append([]string{}, c.TermWarnings()...), c.Unequal...)
	r.Terms, r.Count = c.Terms(), cmp.Or(c.Count, delay.Routers)
	for _, k := range c.Rankings() {
		of := RankingDocument{Traffic: k.Traffic, Machines: []string{}}
		for _, i := range k.Order {
			of.Machines = append(of.Machines, name(i))
		}
		r.Rankings = append(r.Rankings, of)
	}
	if c.Baseline > 0 {
		baseline := name(c.Baseline - 1)
		r.Baseline = &baseline
	}
	for _, k := range c.Crossings() {
		r.BreakEven = append(r.BreakEven, BreakEven{
			A: name(k.A), B: name(k.B), MoreHops: name(k.MoreHops),
			Mean: finite(k.Mean.Ratio), Max: finite(k.Max.Ratio),
		})
	}
	for _, k := range c.Fastest() {
		r.Fastest = append(r.Fastest, Fastest{name(k.Machine), Round(k.From), finite(k.To)})
	}
	return r
}

// machine returns the document of one machine.
func (c *Comparison) machine(m *Compared) ComparedDocument {
	out := ComparedDocument{
		Machine: m.Machine, File: m.File,
		Nodes: m.Nodes, Switches: m.Switches, Racks: m.Racks, Ports: m.Ports,
		Links: m.Links, Cables: m.Cables, Length: m.Length, Lengths: m.Lengths,
		Currency: m.Currency, PriceSet: m.PriceSet, Cost: m.Cost, CostPerNode: m.PerNode(m.Cost.Total),
		Power: m.Power, PowerBasis: m.PowerBasis, PowerUnstated: m.PowerUnstated,
		Ends: m.Ends, Delay: m.Delay, D: []D{},
		Breaches: m.Breaches, BreachWarnings: warningsByRule(m.Warnings), Notes: m.Notes,
	}
	if out.Notes == nil {
		out.Notes = []string{}
	}
	for _, l := range m.Levels {
		if l.Capacity > 1 {
			if out.Capacity == nil {
				out.Capacity = map[string]int32{}
			}
			out.Capacity[l.Level] = l.Capacity
		}
	}
	if m.Nodes > 0 {
		out.PowerByNode = Round(m.Power / units.Power(m.Nodes))
	}
	if m.Traversed != nil {
		out.RoutersMean, out.RoutersMax = finite(m.Traversed.HopsMean), finite(m.Traversed.HopsMax)
	}
	if m.Reach != nil {
		for _, alpha := range c.Alphas {
			mean, most := m.D(alpha, c.Beta)
			out.D = append(out.D, D{
				Alpha: alpha, Beta: c.Beta, Ratio: Round(units.Length(float64(alpha) / float64(c.Beta))),
				NsMean: Round(mean), NsMax: Round(most),
			})
		}
	}
	out.Throughput, out.Accepted, out.Deployability = m.throughput(), m.accepted(), m.Deployability
	out.Step = m.Step
	if m.Whole {
		out.Fabrics = m.Fabrics
		return out
	}
	out.Topology = &m.Topology
	b := m.Bisection
	out.Bisection = &Bisection{
		Lower: b.Lower, Upper: b.Upper, LowerMethod: b.LowerMethod, UpperMethod: b.UpperMethod,
		Channels: finite(m.PerMoney(float64(b.Upper))),
	}
	if rate := m.Rate * units.Rate(b.Upper); m.Rate > 0 {
		out.Bisection.Rate, out.Bisection.RateByCost = finite(rate), finite(units.Rate(m.PerMoney(float64(rate))))
		if m.Nodes > 0 {
			out.Bisection.RateByNode = finite(rate / units.Rate(m.Nodes))
		}
	}
	return out
}

// throughput returns the document of the bounds on traffic.
func (m *Compared) throughput() Throughput {
	out := Throughput{}
	if m.Throughput == nil {
		return out
	}
	out.Uniform, out.Worst = finite(m.Throughput.Uniform), finite(m.Throughput.Worst)
	if out.Worst != nil {
		out.WorstMethod = m.Throughput.WorstMethod
	}
	uniform, worst := m.Bounds()
	nodes := units.Rate(max(m.Nodes, 1))
	out.UniformByNode, out.WorstByNode = finite(uniform/nodes), finite(worst/nodes)
	out.UniformCost, out.WorstCost = finite(m.NetworkBy(uniform)), finite(m.NetworkBy(worst))
	return out
}

// accepted returns the documents of the simulated accepted traffic.
func (m *Compared) accepted() []AcceptedDocument {
	out := []AcceptedDocument{}
	for i := range m.Accepted {
		a := &m.Accepted[i]
		out = append(out, AcceptedDocument{
			Traffic: a.Traffic, Routing: a.Routing, VCs: a.VCs, Buffer: a.Buffer,
			Share: Round(a.Share), HalfWidth: Round(a.HalfWidth),
			Stationary: a.Stationary, Bound: finite(a.Bound), PerNode: finite(a.PerNode()),
			NetworkCost: finite(m.NetworkBy(a.Rate())), TotalCost: finite(m.TotalBy(a.Rate())),
		})
	}
	return out
}

// warningsByRule are counts of rules by their ids; nil for none.
func warningsByRule(counts []RuleCount) map[string]int {
	var out map[string]int
	for _, c := range counts {
		if out == nil {
			out = map[string]int{}
		}
		out[c.Rule] = c.Count
	}
	return out
}
