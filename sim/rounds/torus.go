package rounds

import "math"

// Torus compares a run with an ideal three-dimensional torus of as many nodes
// and as much bandwidth per node, by the formulas of section III of the paper;
// docs/internals/reproduction.md writes them out. The torus is as good as can be: minimal
// paths, no congestion, no stretch.
type Torus struct {
	Nodes    int     `json:"nodes"`     // as many as in the run
	HopsMean float64 `json:"hops_mean"` // 3/4 of the cube root of the nodes
	// HopFactor is the torus's hops divided by the rounds of a message, each of which is one hop delay.
	HopFactor  float64 `json:"hop_factor"`
	PathFactor float64 `json:"path_factor"` // the torus's hops divided by the hops of a message
	// PropagationRatio is how much longer signals travel than on a shortest path: rounds of each level times its
	// length, in lengths of the top level, which is that of a mean path through the torus.
	PropagationRatio     float64 `json:"propagation_ratio"`
	PropagationRatioHops float64 `json:"propagation_ratio_hops"` // the same with hops in place of rounds
	// BandwidthBound is the most that a node of the torus can send to random destinations, as a share of all its
	// bandwidth, if a link of the cut is counted once.
	BandwidthBound float64 `json:"bandwidth_bound"`
	// BandwidthBoundDuplex is the same if both directions of a link of the cut are counted.
	BandwidthBoundDuplex float64 `json:"bandwidth_bound_duplex"`
	// BandwidthGain is the share that the run leaves for messages, 1 over the hops, divided by `bandwidth_bound`.
	BandwidthGain       float64 `json:"bandwidth_gain"`
	BandwidthGainDuplex float64 `json:"bandwidth_gain_duplex"` // the same divided by `bandwidth_bound_duplex`
}

// Torus compares the run with a torus of as many nodes. Where no message took a hop, all factors and ratios are 0.
func (r *Result) Torus() Torus {
	side := math.Cbrt(float64(r.Nodes))
	t := Torus{
		Nodes: r.Nodes, HopsMean: 3 * side / 4,
		BandwidthBound: 2 / (3 * side), BandwidthBoundDuplex: 4 / (3 * side),
	}
	if r.Hops == 0 {
		return t
	}
	t.HopFactor, t.PathFactor = t.HopsMean/r.Rounds, t.HopsMean/r.Hops
	levels := len(r.Levels)
	shrink := math.Pow(float64(r.Nodes), 1/(3*float64(levels))) // cube root of the clique size
	for _, l := range r.Levels {
		length := math.Pow(shrink, float64(l.Level-levels))
		t.PropagationRatio += l.AvgRounds * length
		t.PropagationRatioHops += l.AvgHops * length
	}
	t.BandwidthGain = 1 / (r.Hops * t.BandwidthBound)
	t.BandwidthGainDuplex = 1 / (r.Hops * t.BandwidthBoundDuplex)
	return t
}
