package packet

import (
	"fmt"
	"testing"

	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// BenchmarkCycles reports phit-hops per second of networks at and above what they
// carry.
func BenchmarkCycles(b *testing.B) {
	for _, c := range []struct {
		spec topology.Params
		fn   string
		load float64
		opt  Options
	}{
		{
			topology.Torus{Dims: topology.Ints{8, 8, 8}},
			"dor", 0.3,
			Options{VCs: Needed, PacketPhits: 1, BufferPackets: 8, Pipeline: 2},
		},
		{
			topology.Torus{Dims: topology.Ints{8, 8, 8}},
			"dor", 1,
			Options{VCs: Needed, PacketPhits: 1, BufferPackets: 8, Pipeline: 2},
		},
		{topology.ThinTree{Down: 8, Up: 4, Levels: 3}, "tree", 1, Options{VCs: 4}},
		{topology.HyperX{Dims: topology.Ints{8, 8}, Terminals: 8}, "dal", 0.4, Options{VCs: 4}},
	} {
		b.Run(fmt.Sprintf("%s/%s/%g", c.spec.Family(), c.fn, c.load), func(b *testing.B) {
			n := network(b, c.spec)
			cycles(b, Config{Network: n, Routing: function(b, n, c.fn), Options: c.opt},
				OpenLoop{Pattern: traffic.Uniform(n.Terminals()), Load: c.load})
		})
	}
}

// BenchmarkJudged does so for the configurations that BookSim is set to.
func BenchmarkJudged(b *testing.B) {
	for _, c := range []struct {
		name string
		load float64
	}{
		{"torus888", 0.1},
		{"torus888", 0.3},
		{"flatfly88", 0.1},
		{"flatfly88", 0.5},
		{"dragonfly", 0.3},
		{"anynet", 0.05},
		{"dragonfly-plan", 0.32},
	} {
		b.Run(fmt.Sprintf("%s/%g", c.name, c.load), func(b *testing.B) {
			cfg, open := judged(b, c.name)
			open.Load = c.load
			cycles(b, cfg, open)
		})
	}
}

// BenchmarkWorms does so for wormhole switching: long packets, in buffers for whole ones and for fewer phits, short
// ones, and packets that choose.
func BenchmarkWorms(b *testing.B) {
	cube := topology.Torus{Dims: topology.Ints{8, 8, 8}}
	for _, c := range []struct {
		name string
		spec topology.Params
		fn   string
		load float64
		opt  Options
	}{
		{"torus", cube, "dor", 0.1, Options{}},
		{"torus", cube, "dor", 0.5, Options{}},
		{"small-buffers", cube, "dor", 0.3, Options{VCs: Needed, BufferPhits: 8, SharedBuffers: true}},
		{
			"one-phit", cube, "dor", 0.3,
			Options{VCs: Needed, PacketPhits: 1, BufferPhits: 8, SharedBuffers: true},
		},
		{"adaptive", cube, "min-adaptive", 0.3, Options{VCs: 4}},
		{"tree", topology.ThinTree{Down: 8, Up: 4, Levels: 3}, "tree", 0.5, Options{VCs: 4}},
	} {
		b.Run(fmt.Sprintf("%s/%g", c.name, c.load), func(b *testing.B) {
			n := network(b, c.spec)
			c.opt.Switching = Wormhole
			cycles(b, Config{Network: n, Routing: function(b, n, c.fn), Options: c.opt},
				OpenLoop{Pattern: traffic.Uniform(n.Terminals()), Load: c.load})
		})
	}
}

func cycles(b *testing.B, cfg Config, open OpenLoop) {
	e, err := newEngine(cfg)
	if err != nil {
		b.Fatal(err)
	}
	if err := e.startOpen(&open); err != nil {
		b.Fatal(err)
	}
	for range 2000 {
		e.cycle()
	}
	before := e.flitHops()
	for b.Loop() {
		e.cycle()
	}
	b.ReportMetric(float64(e.flitHops()-before)/b.Elapsed().Seconds()/1e6, "Mphit-hops/s")
}
