package packet

import (
	"context"
	"os"
	"testing"

	"plenum/sim/traffic"
	"plenum/topology"
)

// TestDALSaturatesLast: I. Snir, "HyperX", 2021, section 4: "DAL has higher
// saturation throughput than the alternatives on all patterns tested". On 4 x 4
// switches of 4 terminals, with 8 virtual channels, DAL carries a load that none of
// the others does. docs/reproduction.md has the saturation points.
func TestDALSaturatesLast(t *testing.T) {
	n := network(t, topology.Spec{Family: "hyperx", Dims: topology.Ints{4, 4}, Terminals: 4})
	for _, c := range []struct {
		pattern string
		load    float64
	}{{"bit-complement", 0.45}, {"bit-rotate", 0.53}, {"transpose", 0.61}, {"swap2", 0.85}} {
		if c.pattern != "swap2" && os.Getenv("PLENUM_LONG") == "" {
			continue
		}
		pattern, err := traffic.ParsePattern(c.pattern, n.Graph, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"dal", "clos-ad", "min-ad", "valiant", "dor"} {
			cfg := Config{Network: n, Routing: function(t, n, name), Options: Options{VCs: 8}, Seed: 1}
			r, err := Run(context.Background(), cfg, OpenLoop{Pattern: pattern, Load: c.load, Measurement: brief})
			if err != nil {
				t.Fatal(err)
			}
			if r.Saturated() != (name != "dal") {
				t.Errorf("%s, %s: %.4f accepted of %.2f", c.pattern, name, r.Accepted, c.load)
			}
		}
	}
}
