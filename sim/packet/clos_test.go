package packet

import (
	"os"
	"testing"

	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// TestHyperXBesideFoldedClos: I. Snir, "HyperX", 2021, section 4: "HyperX with DAL
// is generally better than an adaptively routed folded Clos with similar system
// configurations". 4 x 4 switches and 8:4,2-tree have 64 terminals and a bisection
// of 16 channels both; traffic is between the same numbers of terminals. The HyperX
// saturates at a higher load on all patterns but bit complement, all of which
// crosses the bisection.
func TestHyperXBesideFoldedClos(t *testing.T) {
	hyperx := network(t, topology.HyperX{Dims: topology.Ints{4, 4}, Terminals: 4})
	clos := network(t, topology.ThinTree{Down: 8, Up: 4, Levels: 2})
	if hyperx.Terminals() != clos.Terminals() {
		t.Fatalf("%d and %d terminals", hyperx.Terminals(), clos.Terminals())
	}
	if os.Getenv("PLENUM_LONG") == "" {
		t.Skip("PLENUM_LONG runs it")
	}
	for _, x := range []struct {
		name   string
		better bool // the HyperX
	}{{"bit-complement", false}, {"bit-rotate", true}, {"transpose", true}, {"swap2", true}, {"uniform", true}} {
		pattern, err := traffic.ParsePattern(x.name, hyperx.Graph, 1)
		if err != nil {
			t.Fatal(err)
		}
		m := Measurement{Warmup: new(10_000), Batches: 10, Batch: 2000}
		h := saturation(t, hyperx, "dal", pattern, m)
		c := saturation(t, clos, "tree", pattern, m)
		t.Logf("%s: HyperX %.3f, at load 1 %.3f; folded Clos %.3f, %.3f", x.name, h.Load, h.Full, c.Load, c.Full)
		if h.Load > c.Load != x.better {
			t.Errorf("%s: HyperX saturates at %.3f, folded Clos at %.3f", x.name, h.Load, c.Load)
		}
		if x.name == "bit-complement" && max(h.Accepted, c.Accepted) > 0.505 {
			t.Errorf("%.4f and %.4f cross a bisection of half a channel a terminal", h.Accepted, c.Accepted)
		}
	}
}
