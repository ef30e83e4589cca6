package packet

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// evenly is the mean cycles on links from a router to the end of a packet if every hop of the first tier that its
// routing offers is as likely as the others.
func evenly(cfg Config, h routing.Header, at int32) float64 {
	if h.HasArrived(at) {
		return 0
	}
	sum, count := 0.0, 0
	for _, hop := range cfg.Routing.Next(&h, at, nil, nil) {
		if hop.Tier > 0 {
			continue
		}
		to, next := cfg.Network.To[hop.Channel], h
		next.Take(hop)
		sum += float64(cfg.latency(cfg.Network.Link[hop.Channel])) + evenly(cfg, next, to)
		count++
	}
	return sum / float64(count)
}

// Where links differ in length, an almost idle network takes no longer paths than an even choice of hops does: room for
// more packets behind a long link must not make it the choice.
func TestIdleNetworkPrefersNoLongLinks(t *testing.T) {
	for i, c := range []struct {
		spec    topology.Params
		routing string
	}{
		{topology.RandomRegular{Nodes: 48, Degree: 6, Seed: 1}, "min-adaptive"},
		{topology.RandomRegular{Nodes: 40, Degree: 8, Seed: 2}, "min-adaptive"},
		{topology.RandomRegular{Nodes: 56, Degree: 5, Seed: 3}, "ugal-l"},
		{topology.Torus{Dims: topology.Ints{5, 5}}, "min-adaptive"},
		{topology.FatTree{Nodes: 32, Radix: 8}, "tree"}, // steady: choices of a router are listed
		{topology.HyperX{Dims: topology.Ints{4, 4}, Terminals: 2}, "dal"},
		{topology.HyperX{Dims: topology.Ints{5, 3}, Terminals: 1}, "min-ad"},
	} {
		g, err := topology.New(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(uint64(i), 41))
		latency := make([]int32, topology.Count(g).Links)
		for l := range latency {
			latency[l] = 1 + rng.Int32N(300)
		}
		for _, o := range []Options{
			{Select: Idle},
			{Select: Room},
			{Select: Idle, Switching: Wormhole},
			{Select: Room, Switching: Wormhole},
		} {
			s, err := NewSubject(g, Setup{Options: o, Routing: c.routing, Latency: latency}, 7)
			if err != nil {
				t.Fatal(err)
			}
			if o.Switching == Wormhole && routing.Wormhole(s.Config.Routing, false) != nil {
				continue
			}
			n := s.Network
			want, pairs := 0.0, 0.0
			for src, from := range n.Home {
				for dst, to := range n.Home {
					if src == dst {
						continue
					}
					want += evenly(s.Config, routing.NewHeader(from, to), from)
					for _, end := range []int{src, dst} {
						if l := n.TerminalLink[end]; l >= 0 {
							want += float64(latency[l])
						}
					}
					pairs++
				}
			}
			want /= pairs
			pattern, err := traffic.ParsePattern("uniform", g, 1)
			if err != nil {
				t.Fatal(err)
			}
			m := Measurement{Warmup: new(2_000), Checks: 4, Batches: 4, Batch: 50_000}
			r, err := Run(context.Background(), s.Config, OpenLoop{Pattern: pattern, Load: 0.02, Measurement: m})
			if err != nil {
				t.Fatal(err)
			}
			// Pairs are drawn: four times the standard error, of lengths that deviate by half their mean.
			margin := want * (0.005 + 4*0.5/math.Sqrt(float64(r.Delivered)))
			if got := r.Latency.Propagation; got > want+margin || got < want/2 {
				t.Errorf("%s, %s, %+v: %.1f cycles on links, %.1f by an even choice", g.Family(), c.routing, o, got,
					want)
			}
		}
	}
}
