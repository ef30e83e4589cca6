package rounds

import "github.com/plenum-planner/plenum/units"

// Direct is a planned machine whose nodes are joined directly, such as a torus. It
// carries no traffic: its messages take the fastest of the paths with the fewest
// hops and never wait.
type Direct struct {
	Nodes int   `json:"nodes"`
	Links int64 `json:"-"`
	// Hops, Path and Wire are means over the pairs of nodes: hops of a path, its
	// length and the propagation on it. Delay is with the hop delays.
	Hops  float64      `json:"hops_mean"`
	Path  units.Length `json:"path_mean_m"`
	Wire  units.Time   `json:"propagation_mean_ns"`
	Delay units.Time   `json:"delay_mean_ns"`
	Exact bool         `json:"exact"` // all pairs were looked at
	// Bound is the most that a node can send to random destinations, as a share of
	// its bandwidth, both directions of the cut counted once. Against works it out.
	Bound float64 `json:"bandwidth_bound"`
	Cut   int64   `json:"bisection"` // channels
}

// Against sets a run on a planned machine against the plan of another of as many
// nodes in the same room: the comparison of section III of the CLEX paper, with
// planned lengths in place of its assumptions.
type Against struct {
	Direct
	Factors AgainstFactors `json:"factors"`
}

// AgainstFactors are quotients of the run and the other machine, 0 where there is
// nothing to divide by.
type AgainstFactors struct {
	// Propagation is the propagation of a message of the run over that of the
	// other machine: the competitive ratio. Above 1 the other is better.
	Propagation float64 `json:"propagation_ratio"`
	// Hops is the other's hops over the rounds of the run, Path over its hops, and
	// Delay the other's delay over that of the run. Above 1 the run is better.
	Hops  float64 `json:"hop_factor"`
	Path  float64 `json:"path_factor"`
	Delay float64 `json:"delay_factor"`
	// Bandwidth is the share of its bandwidth that a node has for its own messages,
	// 1 over the hops, over the bound of the other's bisection, which BandwidthDuplex
	// doubles.
	Bandwidth       float64 `json:"bandwidth_gain"`
	BandwidthDuplex float64 `json:"bandwidth_gain_duplex"`
}

// Against compares a run with another machine.
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
