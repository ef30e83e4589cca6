package packet

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// crews has runs divided however little there is to do, until a test ends.
func crews(t *testing.T) {
	before := leastHops
	leastHops = 0
	t.Cleanup(func() { leastHops = before })
}

// TestCrewEqualsOneEngine: a run is the same, to the last bit, on any number of
// engines, links of any latency, some of them failed.
func TestCrewEqualsOneEngine(t *testing.T) {
	crews(t)
	rapid.Check(t, func(rt *rapid.T) {
		sameOnCrews(t, rt, rapid.SampledFrom([]Switching{CutThrough, StoreAndForward}).Draw(rt, "switching"))
	})
}

// TestCrewOfWormsEqualsOneEngine is the same for packets that may lie in switches of several engines.
func TestCrewOfWormsEqualsOneEngine(t *testing.T) {
	crews(t)
	rapid.Check(t, func(rt *rapid.T) { sameOnCrews(t, rt, Wormhole) })
}

// sameOnCrews plays an open loop and a workload on one engine and on several.
func sameOnCrews(t *testing.T, rt *rapid.T, switching Switching) {
	n := small(t, rt)
	if share := rapid.SampledFrom([]float64{0, 0.04, 0.1}).Draw(rt, "failed"); share > 0 {
		n = n.Fail(DrawLinks(n, share, rapid.Uint64().Draw(rt, "failures")), nil)
	}
	cfg := drawnOn(rt, n, switching)
	links := 0
	for range n.Graph.Links() {
		links++
	}
	cfg.Latency = rapid.SliceOfN(rapid.Int32Range(1, 40), links, links).Draw(rt, "latency")
	open := OpenLoop{
		Pattern: traffic.Uniform(n.Terminals()), Load: rapid.Float64Range(0.02, 1).Draw(rt, "load"),
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
	place, err := traffic.ParsePlacement("random", job.Tasks, n.Terminals(), cfg.Seed)
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
			if !strings.Contains(err.Error(), "cannot be delivered") {
				rt.Fatal(err)
			}
			b = &JobResult{}
		}
		a.Wall, b.Wall = 0, 0
		text, err := json.Marshal([]any{a, b})
		if err != nil {
			rt.Fatal(err)
		}
		return string(text)
	}
	// With as many engines as switches, none sees what another one does in a cycle.
	cores := rapid.SampledFrom([]int{2, 3, 4, 64}).Draw(rt, "cores")
	if one, many := run(1), run(cores); one != many {
		rt.Fatalf("%s on %s, one engine:\n%s\n%d:\n%s", cfg.Routing.Name(), n.Graph.Family(), one, cores, many)
	}
}

// TestFewHopsAreForOneEngine: an engine gets 150 hops in a cycle or more.
func TestFewHopsAreForOneEngine(t *testing.T) {
	n := network(t, topology.Torus{Dims: topology.Ints{16, 16}})
	for load, want := range map[float64]int{0.05: 1, 0.1: 1, 0.15: 2, 0.28: 4} {
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

// TestEnginesHaveAsManyOfEachLevel: of a tree, where packets wait at the leaves, no engine gets these and another one
// the roots.
func TestEnginesHaveAsManyOfEachLevel(t *testing.T) {
	for _, x := range []topology.ThinTree{
		{Down: 4, Up: 4, Levels: 3},
		{Down: 4, Up: 2, Levels: 3},
		{Down: 5, Up: 5, Levels: 2},
	} {
		n := network(t, x)
		e, err := newEngine(Config{Network: n, Routing: function(t, n, "tree")})
		if err != nil {
			t.Fatal(err)
		}
		for _, engines := range []int{2, 3} {
			part := e.shareOut(engines)
			levels := map[int][]int{}
			kinds := n.Graph.Kinds()
			ports := make([]int, engines)
			for r, p := range part {
				k := slices.IndexFunc(kinds, func(k topology.Kind) bool {
					return int(n.Vertex[r]) < k.First+k.Count
				})
				if levels[k] == nil {
					levels[k] = make([]int, engines)
				}
				levels[k][p]++
				ports[p] += e.weight(int32(r))
			}
			for k, has := range levels {
				if slices.Max(has)-slices.Min(has) > 2 || slices.Min(has) == 0 {
					t.Errorf("%+v: engines have %d of %s", x, has, kinds[k].Name)
				}
			}
			if len(levels) != x.Levels || slices.Max(ports)-slices.Min(ports) > x.Down+x.Up+1 {
				t.Errorf("%+v: %d levels, ports and switches %d", x, len(levels), ports)
			}
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
		{"UGAL-G", Config{Routing: function(t, n, "ugal-g"), Cores: 3}, 3},
		{"worms", Config{
			Routing: function(t, n, "valiant"), Cores: 3,
			Options: Options{Switching: Wormhole, BufferPhits: 4},
		}, 3},
		{"room", Config{Routing: function(t, n, "valiant"), Cores: 3, Options: Options{Select: Room}}, 3},
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
		ports := make([]int32, len(crew.engines))
		for r := range n.Routers() {
			p := 0
			if e.part != nil {
				p = int(e.part[r])
			}
			ports[p] += e.firstPort[r+1] - e.firstPort[r]
		}
		if slices.Min(ports) == 0 || c.want == 3 && slices.Max(ports) > slices.Min(ports)*5/4 {
			t.Errorf("%s: engines have %d ports", c.name, ports)
		}
	}
}
