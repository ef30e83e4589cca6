package packet

import (
	"context"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// anyNetwork draws a network of a family, some with failed links.
func anyNetwork(r *rand.Rand) *routing.Network {
	between := func(lo, hi int) int { return lo + r.IntN(hi-lo+1) }
	dims := func(n, lo, hi int) (out topology.Ints) {
		for range n {
			out = append(out, between(lo, hi))
		}
		return out
	}
	specs := []topology.Params{
		topology.Torus{Dims: dims(between(1, 3), 2, 5)},
		topology.Torus{Dims: dims(2, 3, 8)},
		topology.Mesh{Dims: dims(between(1, 3), 2, 5)},
		topology.Hypercube{Dims: topology.Ints{between(2, 6)}},
		topology.HyperX{Dims: dims(between(1, 3), 2, 4), Terminals: between(1, 4)},
		topology.FlattenedButterfly{Dims: dims(2, 2, 6), Terminals: between(1, 3)},
		topology.KAryNTree{Down: between(2, 4), Levels: between(2, 3)},
		topology.ThinTree{Down: 4, Up: between(1, 4), Levels: between(2, 3)},
		topology.Dragonfly{P: between(1, 3), A: 2 * between(1, 3), H: between(1, 3)},
		topology.CLEX{Clique: between(2, 4), Levels: between(2, 3), Bundled: true},
		topology.SlimFly{Q: 5},
		topology.RandomRegular{Nodes: 2 * between(6, 20), Degree: between(3, 5), Seed: r.Uint64() >> 1},
	}
	g, err := topology.New(specs[r.IntN(len(specs))])
	if err != nil {
		return nil
	}
	n, err := routing.NewNetwork(g)
	if err != nil {
		return nil
	}
	if r.IntN(4) == 0 {
		links := int32(0)
		for range g.Links() {
			links++
		}
		failed := make([]int32, links/20)
		for i := range failed {
			failed[i] = r.Int32N(links)
		}
		n = n.Fail(failed, nil)
	}
	return n
}

// anyOptions draws the switches.
func anyOptions(r *rand.Rand, f routing.Function) Options {
	opt := Options{
		VCs: f.Classes() + r.IntN(3), PacketPhits: 1 + r.IntN(18), BufferPackets: 2 + r.IntN(2), Pipeline: r.IntN(3),
		Arbiter:    []Arbiter{Random, RoundRobin, Age}[r.IntN(3)],
		Select:     []Selection{Idle, Room}[r.IntN(2)],
		Switching:  []Switching{CutThrough, StoreAndForward, Wormhole}[r.IntN(3)],
		FreeInputs: r.IntN(2) == 0,
		Patience:   5000,
	}
	if opt.Switching == Wormhole {
		opt.SharedBuffers = r.IntN(2) == 0
		if routing.Wormhole(f, opt.SharedBuffers) == nil { // buffers smaller than packets
			opt.BufferPackets, opt.BufferPhits = 0, 1+r.IntN(8)
		} else {
			opt.Switching, opt.SharedBuffers = CutThrough, false
		}
	}
	return opt
}

// TestNoDeadlock drives every routing function through random configurations at full
// load: networks, lengths of links, failures, switches, traffic. With PLENUM_LONG=1 it
// does so for 10^8 phit-hops each.
func TestNoDeadlock(t *testing.T) {
	goal, batch := int64(60_000), 400
	long := os.Getenv("PLENUM_LONG") != ""
	if long {
		goal, batch = 100_000_000, 4000
	}
	for i, info := range routing.Functions() {
		t.Run(info.Name, func(t *testing.T) {
			if long {
				t.Parallel()
			}
			r := rand.New(rand.NewPCG(uint64(i), 0x646561646c6f636b))
			done, runs := int64(0), 0
			for done < goal || runs < 10 {
				n := anyNetwork(r)
				if n == nil {
					continue
				}
				f, err := routing.New(n, info.Name, routing.Options{})
				if err != nil {
					continue
				}
				cfg := Config{Network: n, Routing: f, Seed: r.Uint64(), Options: anyOptions(r, f)}
				far := r.Int32N(30) + 1
				for range n.Graph.Links() {
					cfg.Latency = append(cfg.Latency, 1+r.Int32N(far))
				}
				patterns := []traffic.Pattern{
					traffic.Uniform(n.Terminals()),
					traffic.Permutation(n.Terminals(), cfg.Seed),
				}
				open := OpenLoop{
					Pattern: patterns[r.IntN(2)], Load: 1,
					Measurement: Measurement{Warmup: new(0), Check: batch, Checks: 4, Batches: 4, Batch: batch},
				}
				result, err := Run(context.Background(), cfg, open)
				if err != nil {
					t.Fatalf("%s %+v: %v", n.Graph.Family(), cfg.Options, err)
				}
				done += max(result.FlitHops, 1000)
				runs++
			}
			t.Logf("%d phit-hops in %d configurations", done, runs)
		})
	}
}
