package rounds

import "github.com/plenum-planner/plenum/units"

// Direct is a planned machine whose nodes are joined directly, such as a torus. It
// carries no traffic: its messages take the fastest of the paths with the fewest
// hops and never wait.
type Direct struct {
	Nodes int   `json:"nodes"` // those of the other machine
	Links int64 `json:"-"`
	// Hops is links on its paths with the fewest, mean over pairs of nodes.
	Hops  float64      `json:"hops_mean"`
	Path  units.Length `json:"path_mean_m"`         // the length of the fastest of these, mean over pairs
	Wire  units.Time   `json:"propagation_mean_ns"` // what propagation on them takes, mean over pairs
	Delay units.Time   `json:"delay_mean_ns"`       // the same with the hop delays
	// Exact is whether all pairs were looked at; if not, those of some nodes drawn at random.
	Exact bool `json:"exact"`
	// Bound is the most that a node can send to random destinations, as a share of its bandwidth, if a link of the
	// cut is counted once.
	Bound float64 `json:"bandwidth_bound"`
	Cut   int64   `json:"bisection"` // channels between the best halves that were found
}

// Against sets a run on a planned machine against the plan of another of as many
// nodes in the same room: the comparison of section III of the CLEX paper, with
// planned lengths in place of its assumptions.
type Against struct {
	Direct
	// Factors is the run against the other machine; 0 where there is nothing to divide by.
	Factors AgainstFactors `json:"factors"`
}

// AgainstFactors are quotients of the run and the other machine, 0 where there is
// nothing to divide by.
type AgainstFactors struct {
	// Propagation is that of a message of the run divided by that of the other machine, the competitive ratio: above
	// 1 the other is better.
	Propagation float64 `json:"propagation_ratio"`
	// Hops is the other's hops divided by the rounds of the run: above 1 the run is better.
	Hops float64 `json:"hop_factor"`
	// Path is the other's hops divided by the hops of the run: above 1 the run is better.
	Path float64 `json:"path_factor"`
	// Delay is the other's delay divided by that of the run: above 1 the run is better.
	Delay float64 `json:"delay_factor"`
	// Bandwidth is the share of its bandwidth that a node of the run has for its own messages, 1 over the hops,
	// divided by the other's `bandwidth_bound`.
	Bandwidth float64 `json:"bandwidth_gain"`
	// BandwidthDuplex is the same divided by twice that bound: both directions of a link of the cut are counted.
	BandwidthDuplex float64 `json:"bandwidth_gain_duplex"`
}

// Against compares a run with another machine, whose Bound it works out from Cut, Links and Nodes. A factor is 0 where
// it would divide by 0.
func (r *Result) Against(d Direct) Against {
	// A node has bandwidth 1, a link of it 1 over the links of a node. Half of the
	// messages cross the cut: nodes x bound / 2 = cut x link.
	perNode := 2 * float64(d.Links) / float64(d.Nodes)
	d.Bound = 2 * float64(d.Cut) / perNode / float64(d.Nodes)
	return Against{d, AgainstFactors{
		Propagation: over(float64(r.Delay.Propagation), float64(d.Wire)), Hops: over(d.Hops, r.Rounds),
		Path:  over(d.Hops, r.Hops),
		Delay: over(float64(d.Delay), float64(r.Delay.Mean)), Bandwidth: over(1, r.Hops*d.Bound),
		BandwidthDuplex: over(1, 2*r.Hops*d.Bound),
	}}
}

// over divides; 0 where there is nothing to divide by.
func over(x, y float64) float64 {
	if y == 0 {
		return 0
	}
	return x / y
}
