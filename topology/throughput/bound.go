package throughput

import (
	"context"
	"fmt"
	"math"

	"github.com/plenum-planner/plenum/topology"
)

// Bound is what a network carries at most, as shares of what the ports of the terminals carry: phits a cycle and port.
// A share above 1 says that the channels between the switches carry more than the ports can send.
type Bound struct {
	// Channels is those between vertices that forward, each direction for itself; Ports those of terminals. A link of
	// capacity c counts as c channels. A node that forwards has one port to itself.
	Channels, Ports int64
	// Uniform is for traffic from every terminal to all others alike; infinite where no two are hops apart, 0 where
	// two have no path. HopsUniform is the mean channels that it takes.
	Uniform, HopsUniform float64
	// Worst is the least bound known for the network's worst traffic: Longest, that of a cut, or Uniform, since uniform
	// traffic is a mean of permutations. WorstMethod says which.
	Worst       float64
	WorstMethod string // ByLongestMatching, ByCut or ByUniform
	// Longest is the bound of the longest matching: the permutation of switches whose shortest paths are longest in
	// all. HopsWorst is the mean channels that these paths take. Other permutations may be worse.
	Longest, HopsWorst float64
}

// Values of Bound.WorstMethod.
const (
	ByLongestMatching = "longest matching"
	ByCut             = "cut"
	ByUniform         = "uniform traffic"
)

// MostSwitches is the most switches with terminals whose worst permutation is sought where no symmetry tells it: the
// distances between them take a byte a pair.
const MostSwitches = 1 << 15

// Of bounds the throughput of a graph by distances; Bound.Cut may lower the bounds afterwards. The error is that of
// ctx, or says why there is no bound: a graph without vertices that inject, or one without symmetry in which terminals
// are attached to more than MostSwitches different switches, or sets of switches.
func Of(ctx context.Context, g topology.Graph) (*Bound, error) {
	n, err := newNetwork(ctx, g)
	if err != nil {
		return nil, err
	}
	b := &Bound{Channels: n.channels, Ports: n.ports}
	if ok, err := n.bySymmetry(ctx, g, b); ok || err != nil {
		b.order()
		return b, err
	}
	if len(n.ends) > MostSwitches {
		return nil, fmt.Errorf("a worst permutation of %d switches with terminals is not sought; of %d at most",
			len(n.ends), MostSwitches)
	}
	apart, err := n.distances(ctx)
	if err != nil {
		return nil, err
	}
	err = n.bound(ctx, apart, b)
	b.order()
	return b, err
}

// order lowers Worst to Uniform, if that is lower: a network that carries a
// share of every permutation of ports carries that share of their mean.
func (b *Bound) order() {
	if b.Uniform < b.Worst {
		b.Worst, b.WorstMethod = b.Uniform, ByUniform
	}
}

// uniform sets what follows from the sum, over ordered pairs of ports, of the channels between them.
func (b *Bound) uniform(sum float64) {
	pairs := float64(b.Ports) * float64(b.Ports-1)
	if pairs > 0 {
		b.HopsUniform = sum / pairs
	}
	b.Uniform = b.share(b.HopsUniform * float64(b.Ports))
}

// worst sets Longest and HopsWorst, and Worst to Longest, from the channels that the worst permutation takes.
func (b *Bound) worst(sum float64) {
	b.HopsWorst = sum / float64(b.Ports)
	b.Longest = b.share(sum)
	b.Worst, b.WorstMethod = b.Longest, ByLongestMatching
}

// share returns the upper bound for traffic that takes the given number of channels when all ports send: Channels
// divided by it; 0 for an infinite number, infinite for none.
func (b *Bound) share(channels float64) float64 {
	switch {
	case math.IsInf(channels, 1):
		return 0
	case channels == 0:
		return math.Inf(1)
	}
	return float64(b.Channels) / channels
}

// unreachable is the distance of a matrix where there is no path. Longer paths count as one less.
const unreachable = math.MaxUint8

// bound finds the worst permutation from all distances, and sums them up.
func (n *network) bound(ctx context.Context, apart *matrix, b *Bound) error {
	uniform, connected := 0.0, true
	for u := range n.ends {
		for v, d := range apart.row(u) {
			connected = connected && (d != unreachable || u == v)
			uniform += float64(int64(d) * n.ends[u].ports * n.ends[v].ports)
		}
	}
	if !connected {
		b.uniform(math.Inf(1))
		b.worst(math.Inf(1))
		return nil
	}
	b.uniform(uniform)
	sum, err := n.worstPermutation(ctx, apart)
	if err != nil {
		return err
	}
	b.worst(float64(sum))
	return nil
}
