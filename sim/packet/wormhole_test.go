package packet

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// TestLoneWormsAreAsFastAsCutThrough: without other packets, and with buffers for
// whole ones, every message arrives in the same cycle.
func TestLoneWormsAreAsFastAsCutThrough(t *testing.T) {
	for _, spec := range []topology.Params{torus, tree, cubes, fly} {
		n := network(t, spec)
		for _, name := range []string{"minimal", "min-adaptive", "updown"} {
			for _, shared := range []bool{false, true} {
				f := function(t, n, name)
				if routing.Wormhole(f, shared) != nil {
					continue
				}
				terminals := n.Terminals()
				var messages []traffic.Message
				for id := range int64(200) {
					src := int(id*7) % terminals
					m := traffic.Message{
						ID: id, Src: int32(src),
						Dst: int32((src + 1 + int(id*5)%(terminals-1)) % terminals), Bytes: 1, Delay: 1000 * id,
					}
					if shared {
						m.Bytes = 5 * 256 // five packets behind each other
					}
					messages = append(messages, m)
				}
				cfg := Config{
					Network: n, Routing: f,
					Options: Options{BufferPackets: 4, Pipeline: 2, Inject: 1, Eject: 1},
				}
				whole, err := play(cfg, messages)
				if err != nil {
					t.Fatal(err)
				}
				cfg.Switching, cfg.SharedBuffers = Wormhole, shared
				worm, err := play(cfg, messages)
				if err != nil {
					t.Fatal(err)
				}
				if a, b := fmt.Sprint(whole), fmt.Sprint(worm); a != b {
					t.Errorf("%s on %s, shared %v:\ncut-through %s\nwormhole    %s", name, spec.Family(), shared, a, b)
				}
			}
		}
	}
}

// TestWormsInSmallBuffers: packets of 16 phits get through buffers of any size. One
// stream over a link with latency l has room for b phits, which it uses once in a
// round trip of 2l+1 cycles; smaller buffers carry less.
func TestWormsInSmallBuffers(t *testing.T) {
	n := network(t, topology.Mesh{Dims: topology.Ints{2}})
	for _, b := range []int{1, 2, 5, 9, 20} {
		cfg := Config{
			Network: n, Routing: function(t, n, "dor"), Latency: []int32{4},
			Options: Options{VCs: Needed, Switching: Wormhole, BufferPhits: b, SharedBuffers: true},
		}
		r, err := Run(context.Background(), cfg,
			OpenLoop{Pattern: traffic.Uniform(2), Load: 1, Burst: 1, Measurement: brief})
		if err != nil {
			t.Fatal(err)
		}
		want := min(1, float64(b)/9)
		if math.Abs(r.Accepted-want) > 0.02 || r.Buffer != (Buffer{b / 16, b}) || (len(r.Warnings) > 0) != (b < 9) {
			t.Errorf("buffers of %d phits: %.4f accepted, expected %.4f; %+v, warnings %q", b, r.Accepted, want,
				r.Buffer, r.Warnings)
		}
		// The last phit's room must be back: l+1 cycles after it has left, l cycles behind the first.
		cfg.SharedBuffers = false
		if r, err = Run(context.Background(), cfg,
			OpenLoop{Pattern: traffic.Uniform(2), Load: 1, Burst: 1, Measurement: brief}); err != nil {
			t.Fatal(err)
		}
		packet := 16 + 8.0
		if b < 9 {
			packet = math.Floor(15/float64(b))*9 + math.Mod(15, float64(b)) + 9
		}
		if want = 16 / packet; math.Abs(r.Accepted-want) > 0.01 {
			t.Errorf("buffers of %d phits for one packet: %.4f accepted, expected %.4f", b, r.Accepted, want)
		}
	}
	n = network(t, torus)
	last := 0.0
	for _, b := range []int{1, 4, 16, 64} {
		cfg := Config{
			Network: n, Routing: function(t, n, "dor"),
			Options: Options{VCs: Needed, Switching: Wormhole, BufferPhits: b, SharedBuffers: true},
		}
		r, err := Run(context.Background(), cfg,
			OpenLoop{Pattern: traffic.Uniform(n.Terminals()), Load: 1, Measurement: brief})
		if err != nil {
			t.Fatal(err)
		}
		if r.Accepted <= last {
			t.Errorf("buffers of %d phits: %.4f accepted, %.4f with smaller ones", b, r.Accepted, last)
		}
		last = r.Accepted
	}
}

func TestWormsThatMayDeadlockAreRefused(t *testing.T) {
	for _, c := range []struct {
		spec    topology.Params
		routing string
		opt     Options
		want    string
	}{
		{torus, "bubble", Options{Switching: Wormhole}, "whole packets"},
		{cubes, "dal", Options{Switching: Wormhole}, "leave the escape channels"},
		{cubes, "min-ad", Options{Switching: Wormhole}, "leave the escape channels"},
		{cubes, "min-adaptive", Options{Switching: Wormhole}, "leave the escape channels"},
		{torus, "min-adaptive", Options{Switching: Wormhole, SharedBuffers: true}, "shared buffers"},
		{torus, "dor", Options{BufferPhits: 8}, "wormhole only"},
		{torus, "dor", Options{SharedBuffers: true}, "packets always share"},
		{torus, "dor", Options{Switching: Wormhole, BufferPhits: 8, BufferPackets: 1}, "one of them"},
		{torus, "dor", Options{Switching: "worm"}, `did you mean "wormhole"`},
	} {
		n := network(t, c.spec)
		_, _, err := Check(Config{Network: n, Routing: function(t, n, c.routing), Options: c.opt})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %+v: %v", c.routing, c.opt, err)
		}
	}
}
