package packet

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/traffic"
)

// TestLoadsSeenAreThoseBefore: what is published bit by bit, of what has changed, is the loads of all channels at the
// end of the cycle before.
func TestLoadsSeenAreThoseBefore(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		cfg := drawn(t, rt)
		cfg.Network = network(t, fly)
		cfg.Routing = function(t, cfg.Network, "ugal-g")
		cfg.VCs = Needed
		if routing.Wormhole(cfg.Routing, cfg.SharedBuffers) != nil {
			cfg.Switching, cfg.SharedBuffers, cfg.BufferPhits = CutThrough, false, 0
		}
		e, err := newEngine(cfg)
		if err != nil {
			rt.Fatal(err)
		}
		open := &OpenLoop{
			Pattern: traffic.Uniform(cfg.Network.Terminals()), Load: rapid.Float64Range(0.05, 1).Draw(rt, "load"),
		}
		if err := e.startOpen(open); err != nil {
			rt.Fatal(err)
		}
		loaded := 0
		for range 300 {
			e.cycle()
			for c, got := range e.seen.loads[e.now&1] {
				if want := e.want[c] + max(e.state.Sent[c], 0); got != want {
					rt.Fatalf("cycle %d: channel %d with load %d is seen with %d", e.now, c, want, got)
				} else if got > 0 {
					loaded++
				}
			}
		}
		if loaded == 0 && open.Load > 0.5 {
			rt.Fatal("no channel was ever loaded")
		}
	})
}
