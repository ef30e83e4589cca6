package packet

import (
	"context"
	"testing"

	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// A run is stationary if what is accepted has settled, and neither saturated nor measured too briefly to tell.
func TestStationary(t *testing.T) {
	n := network(t, topology.Torus{Dims: topology.Ints{8}})
	for _, c := range []struct {
		name               string
		load               float64
		batches, batch     int
		saturated, settled bool
		stationary         bool
	}{
		{name: "low load", load: 0.2, batches: 5, batch: 2000, settled: true, stationary: true},
		{name: "saturated", load: 1, batches: 5, batch: 2000, settled: true, saturated: true},
		{name: "brief", load: 0.2, batches: 3, batch: 40, settled: true},
	} {
		m := Measurement{Warmup: new(2000), Check: 4000, Batches: c.batches, Batch: c.batch}
		cfg := Config{Network: n, Routing: function(t, n, "dor"), Seed: 1}
		r, err := Run(context.Background(), cfg, OpenLoop{Pattern: traffic.Uniform(8), Load: c.load, Measurement: m})
		if err != nil {
			t.Fatal(err)
		}
		if r.Settled != c.settled || r.IsSaturated() != c.saturated || r.Stationary != c.stationary {
			t.Errorf("%s: settled %v, saturated %v, stationary %v, %g ± %g accepted, latency %g ± %g", c.name,
				r.Settled, r.IsSaturated(), r.Stationary, r.Accepted, r.HalfWidth, r.Latency.Mean, r.Latency.HalfWidth)
		}
	}
}
