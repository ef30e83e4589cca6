package packet

import (
	"context"
	"math"
	"os"
	"testing"

	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// ranked is the configuration in which docs/internals/reproduction.md compares routings of
// HyperX: 4 virtual channels, as many as Clos-AD and Valiant share evenly between
// their legs, and no more packets taken in than move on.
var ranked = Options{VCs: 4, Arbiter: Transit}

func saturation(t *testing.T, n *routing.Network, name string, p traffic.Pattern, m Measurement) *Saturation {
	t.Helper()
	cfg := Config{Network: n, Routing: function(t, n, name), Options: ranked, Seed: 1}
	s, err := FindSaturation(context.Background(), cfg, OpenLoop{Pattern: p, Measurement: m})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestDALSaturatesLast: I. Snir, "HyperX", 2021, section 4: "the adaptive algorithms,
// Clos-AD and DAL are better choices than the oblivious routing algorithms", and "DAL
// has higher saturation throughput than the alternatives on all patterns tested". On 4
// x 4 switches of 4 terminals DAL comes before Clos-AD, and Clos-AD before Valiant and
// dimension order.
func TestDALSaturatesLast(t *testing.T) {
	n := network(t, topology.HyperX{Dims: topology.Ints{4, 4}, Terminals: 4})
	patterns, m := []string{"swap2"}, Measurement{Warmup: new(1000), Check: 250, Batches: 4, Batch: 500}
	if os.Getenv("PLENUM_LONG") != "" {
		patterns = []string{"bit-complement", "bit-rotate", "transpose", "swap2"}
		m = Measurement{Warmup: new(10_000), Batches: 10, Batch: 2000}
	}
	for _, pattern := range patterns {
		p, err := traffic.ParsePattern(pattern, n.Graph, 1)
		if err != nil {
			t.Fatal(err)
		}
		load := map[string]float64{}
		for _, name := range []string{"dal", "clos-ad", "min-ad", "valiant", "dor"} {
			s := saturation(t, n, name, p, m)
			load[name] = s.Load
			t.Logf("%s: %s carries %.3f, at load 1 %.3f", pattern, name, s.Load, s.Full)
		}
		for _, x := range [][2]string{
			{"dal", "clos-ad"},
			{"dal", "min-ad"},
			{"clos-ad", "valiant"},
			{"clos-ad", "dor"},
		} {
			if load[x[0]] <= load[x[1]] {
				t.Errorf("%s: %s carries %.3f, %s %.3f", pattern, x[0], load[x[0]], x[1], load[x[1]])
			}
		}
	}
}

// TestDetoursOnlyWhereTheyHelp: on uniform traffic DAL carries what Min-AD does, with
// packets of any length, and its packets go by minimal paths.
func TestDetoursOnlyWhereTheyHelp(t *testing.T) {
	n := network(t, topology.HyperX{Dims: topology.Ints{4, 4}, Terminals: 4})
	for _, phits := range []int{1, 16} {
		for _, name := range []string{"dal", "dal-hops", "clos-ad"} {
			cfg := Config{
				Network: n, Routing: function(t, n, name), Seed: 1,
				Options: Options{VCs: 8, PacketPhits: phits, FreeInputs: true},
			}
			for _, x := range []struct {
				pattern  string
				load     float64
				min, max float64 // hops
			}{{"uniform", 0.6, 1.45, 1.75}, {"bit-complement", 0.4, 2.5, 3.1}} {
				pattern, err := traffic.ParsePattern(x.pattern, n.Graph, 1)
				if err != nil {
					t.Fatal(err)
				}
				r, err := Run(context.Background(), cfg,
					OpenLoop{
						Pattern: pattern, Load: x.load,
						Measurement: Measurement{Warmup: new(500), Check: 250, Batches: 2, Batch: 500},
					})
				if err != nil {
					t.Fatal(err)
				}
				if r.IsSaturated() || r.Hops < x.min || r.Hops > x.max {
					t.Errorf("%s, %s, %d phits: %.4f of %.2f accepted in %.3f hops, expected %.2f to %.2f", name,
						x.pattern, phits, r.Accepted, x.load, r.Hops, x.min, x.max)
				}
			}
		}
	}
}

// TestNoDetourForALongLink: packets that are merely under way do not make a channel
// look full, however long it is.
func TestNoDetourForALongLink(t *testing.T) {
	for _, x := range []struct {
		spec topology.Params
		name string
	}{
		{topology.HyperX{Dims: topology.Ints{4, 4}, Terminals: 1}, "dal"},
		{topology.HyperX{Dims: topology.Ints{4, 4}, Terminals: 1}, "clos-ad"},
		{topology.HyperX{Dims: topology.Ints{4, 4}, Terminals: 1}, "ugal-l"},
		{topology.Dragonfly{P: 1, A: 4, H: 1}, "ugal-l"},
	} {
		n := network(t, x.spec)
		latency := make([]int32, topology.Count(n.Graph).Links)
		for i := range latency {
			latency[i] = 200
		}
		hops := func(name string) float64 {
			cfg := Config{
				Network: n, Routing: function(t, n, name), Latency: latency, Seed: 1,
				Options: Options{VCs: 4},
			}
			r, err := Run(context.Background(), cfg,
				OpenLoop{Pattern: traffic.Uniform(n.Terminals()), Load: 0.1, Measurement: brief})
			if err != nil {
				t.Fatal(err)
			}
			return r.Hops
		}
		if got, want := hops(x.name), hops("minimal"); got > want*1.02 {
			t.Errorf("%s on %s: %.3f hops, %.3f are minimal", x.name, n.Graph.Family(), got, want)
		}
	}
}

// TestUGALBesideItsTwoPaths: on a dragonfly UGAL-L carries nearly what Valiant does
// where each group sends to the next, and nearly what minimal routing does on uniform
// traffic (J. Kim et al., ISCA 2008, section 4.2).
func TestUGALBesideItsTwoPaths(t *testing.T) {
	n := network(t, topology.Dragonfly{P: 2, A: 4, H: 2})
	for _, x := range []struct {
		pattern string
		load    float64
		other   string // saturates
	}{{"next-group", 0.35, "minimal"}, {"uniform", 0.7, "valiant"}} {
		pattern, err := traffic.ParsePattern(x.pattern, n.Graph, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"ugal-l", "par", x.other} {
			load := x.load
			if name == "par" && x.pattern == "uniform" {
				load = 0.55 // three legs share the virtual channels
			}
			cfg := Config{Network: n, Routing: function(t, n, name), Seed: 1, Options: Options{VCs: 8}}
			r, err := Run(context.Background(), cfg,
				OpenLoop{
					Pattern: pattern, Load: load,
					Measurement: Measurement{Warmup: new(2000), Batches: 4, Batch: 1000},
				})
			if err != nil {
				t.Fatal(err)
			}
			if r.IsSaturated() != (name == x.other) {
				t.Errorf("%s, %s: %.4f accepted of %.2f", x.pattern, name, r.Accepted, load)
			}
		}
	}
}

// TestTransitComesFirst: where all send to one terminal, those at its own switch get
// their share of its output, and nothing of it after packets under way.
func TestTransitComesFirst(t *testing.T) {
	n := network(t, topology.HyperX{Dims: topology.Ints{3}, Terminals: 2})
	pattern, err := traffic.HotSpot(n.Terminals(), 1, []int32{0})
	if err != nil {
		t.Fatal(err)
	}
	hops := func(a Arbiter) float64 {
		cfg := Config{Network: n, Routing: function(t, n, "dor"), Seed: 1, Options: Options{VCs: 2, Arbiter: a}}
		r, err := Run(context.Background(), cfg, OpenLoop{Pattern: pattern, Load: 1, Measurement: brief})
		if err != nil {
			t.Fatal(err)
		}
		return r.Hops
	}
	// Half of what is delivered is from the hot terminal: a fifth of that makes no
	// hop. Of the other half, what the terminal beside it sends makes none.
	if got, want := hops(Transit), (0.8+1)/2; math.Abs(got-want) > 0.02 {
		t.Errorf("transit first: %.3f hops, expected %.2f", got, want)
	}
	if got, want := hops(Random), (0.8+2.0/3)/2; math.Abs(got-want) > 0.03 {
		t.Errorf("at random: %.3f hops, expected %.2f", got, want)
	}
}
