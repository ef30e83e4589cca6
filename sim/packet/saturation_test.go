package packet

import (
	"context"
	"math"
	"os"
	"testing"

	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// coldSaturation is the slow twin: it halves the interval, and every load starts in an
// empty network and is measured to its end.
func coldSaturation(t *testing.T, cfg Config, open OpenLoop) *Saturation {
	t.Helper()
	m, err := open.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	s := &Saturation{Above: 1}
	for load := 1.0; ; load = (s.Load + s.Above) / 2 {
		open.Load = load
		r, err := Run(context.Background(), cfg, open)
		if err != nil {
			t.Fatal(err)
		}
		s.Runs++
		if load == 1 {
			s.Full = r.Accepted
		}
		if r.IsSaturated() {
			s.Above = load
		} else {
			s.Load, s.Accepted = load, r.Accepted
		}
		if load == 1 && !r.IsSaturated() || s.Above-s.Load <= max(m.Tolerance*s.Above, 0.001) {
			return s
		}
	}
}

// A search that carries its state on and ends runs early finds the interval that the slow
// twin finds, but for the noise of one width.
func TestSaturationIsThatOfColdRuns(t *testing.T) {
	for _, c := range []struct {
		name, routing, pattern string
		params                 topology.Params
		options                Options
		long                   bool
	}{
		{"full tree", "tree", "uniform", topology.ThinTree{Down: 4, Up: 4, Levels: 3}, Options{}, false},
		{"one channel", "tree", "uniform", topology.ThinTree{Down: 4, Up: 4, Levels: 3}, Options{VCs: 1}, true},
		{"thin tree", "tree", "uniform", topology.ThinTree{Down: 4, Up: 2, Levels: 3}, Options{}, false},
		{"torus", "dor", "uniform", topology.Torus{Dims: topology.Ints{8, 8}}, Options{}, false},
		{"tornado", "dor", "tornado", topology.Torus{Dims: topology.Ints{8, 8}}, Options{}, true},
		{"hyperx", "dal", "swap2", topology.HyperX{Dims: topology.Ints{4, 4}, Terminals: 4}, ranked, true},
		{"worst case", "ugal-l", "worst-case", topology.Dragonfly{P: 2, A: 4, H: 2}, Options{}, false},
		{"worms", "tree", "uniform", topology.ThinTree{Down: 4, Up: 4, Levels: 2}, Options{Switching: Wormhole}, true},
		{"complement", "tree", "bit-complement", topology.ThinTree{Down: 4, Up: 4, Levels: 2}, Options{}, false},
	} {
		if c.long && os.Getenv("PLENUM_LONG") == "" {
			continue
		}
		n := network(t, c.params)
		p, err := traffic.ParsePattern(c.pattern, n.Graph, 1)
		if err != nil {
			t.Fatal(err)
		}
		cfg := Config{Network: n, Routing: function(t, n, c.routing), Options: c.options, Seed: 1, Cores: 1}
		m := Measurement{Warmup: new(2000), Check: 500, Batches: 10, Batch: 500, Tolerance: 0.02}
		open := OpenLoop{Pattern: p, Measurement: m}
		told, of := int64(0), int64(0)
		open.Progress = func(cycles, all int64) {
			if cycles < told || all < cycles {
				t.Errorf("%s: %d of %d cycles, after %d", c.name, cycles, all, told)
			}
			told, of = cycles, all
		}
		fast, err := FindSaturation(context.Background(), cfg, open)
		if err != nil {
			t.Fatal(err)
		}
		open.Progress = nil
		cold := coldSaturation(t, cfg, open)
		t.Logf("%s: %d runs and %d of %d cycles %+v, cold %+v", c.name, fast.Runs, told, of, *fast, *cold)
		width := max(m.Tolerance*cold.Above, 0.001)
		if math.Abs(fast.Load-cold.Load) > 2*width || math.Abs(fast.Full-cold.Full) > 0.02 ||
			fast.Above-fast.Load > max(m.Tolerance*fast.Above, 0.001) {
			t.Errorf("%s: %+v, cold %+v", c.name, *fast, *cold)
		}
	}
}
