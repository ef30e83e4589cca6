package packet

import (
	"context"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// TestLookingAheadChangesNothing: a run is the same, to the last bit, whether engines look ahead or not, on one core or
// several, with switches that have many packets in a cycle or few.
func TestLookingAheadChangesNothing(t *testing.T) {
	crews(t)
	before := aheadFrom
	t.Cleanup(func() { aheadFrom = before })
	rapid.Check(t, func(rt *rapid.T) {
		cfg := drawn(t, rt)
		if rapid.Bool().Draw(rt, "many nodes") {
			cfg.Network = network(t, topology.SlimFly{Q: 3, Terminals: 12})
			cfg.Routing = rapid.SampledFrom(functions(cfg.Network)).Draw(rt, "routing of many")
			cfg.Switching, cfg.BufferPhits, cfg.SharedBuffers = CutThrough, 0, false
			cfg.VCs = Needed
		}
		cfg.Cores = rapid.IntRange(1, 3).Draw(rt, "cores")
		open := OpenLoop{
			Pattern: traffic.Uniform(cfg.Network.Terminals()), Load: rapid.Float64Range(0.02, 1).Draw(rt, "load"),
			Measurement: Measurement{Warmup: new(100), Check: 50, Checks: 2, Batches: 2, Batch: 150},
		}
		run := func(from int) string {
			aheadFrom = from
			r, err := Run(context.Background(), cfg, open)
			if err != nil {
				rt.Fatal(err)
			}
			r.Wall = 0
			text, err := json.Marshal(r)
			if err != nil {
				rt.Fatal(err)
			}
			return string(text)
		}
		if plain, looked := run(math.MaxInt), run(0); plain != looked {
			rt.Fatalf("%s on %s:\n%s\nlooking ahead:\n%s", cfg.Routing.Name(), cfg.Network.Graph.Family(), plain,
				looked)
		}
	})
}

// TestWhoWaitsNeedNotAsk: it makes no difference whether ports and packets are put off until their time has come, or
// all that there are ask in every cycle.
func TestWhoWaitsNeedNotAsk(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		cfg := drawn(t, rt)
		if rapid.Bool().Draw(rt, "tree") {
			cfg.Network = network(t, topology.ThinTree{Down: 4, Up: 2, Levels: 3})
			cfg.Routing = function(t, cfg.Network, "tree")
			cfg.VCs, cfg.Select = 0, Idle
			if cfg.Switching == Wormhole {
				cfg.Switching, cfg.BufferPhits, cfg.SharedBuffers = CutThrough, 0, false
			}
		}
		if cfg.Switching != Wormhole {
			cfg.FreeInputs = false // only then the port tells when its buffers may send again
		}
		load := rapid.Float64Range(0.1, 1).Draw(rt, "load")
		run := func(asking bool) *engine {
			e, err := newEngine(cfg)
			if err != nil {
				rt.Fatal(err)
			}
			open := OpenLoop{Pattern: traffic.Uniform(cfg.Network.Terminals()), Load: load}
			if err := e.startOpen(&open); err != nil {
				rt.Fatal(err)
			}
			for range 400 {
				if asking {
					e.allAsk()
				}
				e.cycle()
			}
			return e
		}
		waiting, asking := run(false), run(true)
		if !reflect.DeepEqual(waiting.stats, asking.stats) || !slices.Equal(waiting.credits, asking.credits) ||
			waiting.carried != asking.carried {
			rt.Fatalf("%s on %s: %d packets delivered, %d where all ask, or other sums or room", cfg.Routing.Name(),
				cfg.Network.Graph.Family(), waiting.stats.delivered, asking.stats.delivered)
		}
	})
}

// allAsk has everything that may go on ask in this cycle.
func (e *engine) allAsk() {
	if e.worm != nil {
		e.allWormsAsk()
		return
	}
	clear(e.closed)
	for b := range int32(len(e.buffers)) {
		buf, port := &e.buffers[b], e.perVCs(b)
		in := &e.inputs[port]
		if buf.head < 0 {
			continue
		}
		if ready := max(e.packets[buf.head].ready, in.free); ready <= e.now {
			buf.ready = ready
			in.waiting |= 1 << (b - port*int32(e.vcs))
			e.busy(port, in.router, e.now)
		}
	}
}

// allWormsAsk does so for worms, which wait for outputs and lanes.
func (e *engine) allWormsAsk() {
	w := e.worm
	for out := range w.waiting {
		w.waiting[out] = -1
	}
	for lane := range w.stopped {
		w.stopped[lane] = -1
	}
	for b := range w.segments {
		if w.segments[b].came > w.segments[b].gone {
			e.presentOne(int32(b))
		}
	}
}

// TestPerVCsDivides holds the product that stands for a division against it, for all numbers of virtual channels.
func TestPerVCsDivides(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		vcs := rapid.IntRange(1, 64).Draw(rt, "vcs")
		e := &engine{shareVC: (1<<shareBits + uint64(vcs) - 1) / uint64(vcs)}
		i := rapid.Int32Range(0, maxBuffers).Draw(rt, "i")
		near := i / int32(vcs) * int32(vcs)
		for _, i := range []int32{i, near, max(near-1, 0), maxBuffers} {
			if got := e.perVCs(i); got != i/int32(vcs) {
				rt.Fatalf("%d / %d = %d", i, vcs, got)
			}
		}
	})
}
