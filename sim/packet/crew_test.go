package packet

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// crews has runs divided however little there is to do, until a test ends.
func crews(t *testing.T) {
	before := leastPackets
	leastPackets = 0
	t.Cleanup(func() { leastPackets = before })
}

// TestCrewEqualsOneEngine: a run is the same, to the last bit, on any number of
// engines, links of any latency, some of them failed.
func TestCrewEqualsOneEngine(t *testing.T) {
	crews(t)
	rapid.Check(t, func(rt *rapid.T) {
		cfg := drawn(t, rt)
		links := 0
		for range cfg.Network.Graph.Links() {
			links++
		}
		cfg.Latency = rapid.SliceOfN(rapid.Int32Range(1, 40), links, links).Draw(rt, "latency")
		open := OpenLoop{
			Pattern: traffic.Uniform(cfg.Network.Terminals()), Load: rapid.Float64Range(0.02, 1).Draw(rt, "load"),
			Measurement: Measurement{Warmup: new(100), Check: 50, Checks: 2, Batches: 2, Batch: 150},
		}
		name, bytes := rapid.SampledFrom([]string{"W2", "BU", "BT", "WF"}).Draw(rt, "workload"), ":bytes=300"
		if name == "WF" {
			bytes = ":waves=3"
		}
		job, err := traffic.ParseJob(name+bytes, 16)
		if err != nil {
			rt.Fatal(err)
		}
		place, err := traffic.ParsePlacement("random", job.Tasks, cfg.Network.Terminals(), cfg.Seed)
		if err != nil {
			rt.Fatal(err)
		}
		run := func(cores int) string {
			cfg.Cores = cores
			a, err := Run(context.Background(), cfg, open)
			if err != nil {
				rt.Fatal(err)
			}
			b, err := RunJob(context.Background(), cfg, job.New(), place)
			if err != nil {
				rt.Fatal(err)
			}
			a.Wall, b.Wall = 0, 0
			text, err := json.Marshal([]any{a, b})
			if err != nil {
				rt.Fatal(err)
			}
			return string(text)
		}
		cores := rapid.IntRange(2, 4).Draw(rt, "cores")
		if one, many := run(1), run(cores); one != many {
			rt.Fatalf("%s on %s, one engine:\n%s\n%d:\n%s", cfg.Routing.Name(), cfg.Network.Graph.Family(), one, cores,
				many)
		}
	})
}

// TestFewPacketsAreForOneEngine: an engine gets 64 packets in a cycle or more.
func TestFewPacketsAreForOneEngine(t *testing.T) {
	n := network(t, topology.Torus{Dims: topology.Ints{16, 16}})
	for load, want := range map[float64]int{0.4: 1, 0.6: 2, 1: 4} {
		e, err := newEngine(Config{
			Network: n, Routing: function(t, n, "dor"), Cores: 8,
			Options: Options{PacketPhits: 1},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := e.startOpen(&OpenLoop{Pattern: traffic.Uniform(n.Terminals()), Load: load}); err != nil {
			t.Fatal(err)
		}
		if got := len(newCrew(e).engines); got != want {
			t.Errorf("%d engines at a load of %g, expected %d", got, load, want)
		}
	}
}

// TestEnginesOfACrew: switches are shared out by their ports, and what looks at the
// state of others stays whole.
func TestEnginesOfACrew(t *testing.T) {
	crews(t)
	n := network(t, fly)
	for _, c := range []struct {
		name string
		cfg  Config
		want int
	}{
		{"three", Config{Routing: function(t, n, "ugal-l"), Cores: 3}, 3},
		{"one", Config{Routing: function(t, n, "ugal-l")}, 1},
		{"UGAL-G", Config{Routing: function(t, n, "ugal-g"), Cores: 3}, 1},
		{"worms", Config{
			Routing: function(t, n, "valiant"), Cores: 3,
			Options: Options{Switching: Wormhole, BufferPhits: 4},
		}, 1},
		{"room", Config{Routing: function(t, n, "valiant"), Cores: 3, Options: Options{Select: Room}}, 1},
		{"more than switches", Config{Routing: function(t, n, "minimal"), Cores: 1000}, min(n.Routers(), 64)},
	} {
		c.cfg.Network = n
		e, err := newEngine(c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.startOpen(&OpenLoop{Pattern: traffic.Uniform(n.Terminals()), Load: 0.5}); err != nil {
			t.Fatal(err)
		}
		crew := newCrew(e)
		if len(crew.engines) != c.want {
			t.Errorf("%s: %d engines, expected %d", c.name, len(crew.engines), c.want)
		}
		at, ports := int32(0), []int32{}
		for _, o := range crew.engines {
			if o.routers[0] != at || o.routers[1] <= at {
				t.Errorf("%s: an engine has routers %d after %d", c.name, o.routers, at)
			}
			at = o.routers[1]
			ports = append(ports, e.firstPort[at]-e.firstPort[o.routers[0]])
		}
		if at != int32(n.Routers()) || c.want == 3 && slices.Max(ports) > slices.Min(ports)*5/4 {
			t.Errorf("%s: %d of %d routers, ports %d", c.name, at, n.Routers(), ports)
		}
	}
}
