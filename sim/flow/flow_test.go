package flow_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/plenum-planner/plenum/sim/flow"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// on prepares a topology.
func on(t testing.TB, params topology.Params, routing string) *packet.Subject {
	t.Helper()
	g, err := topology.New(params)
	if err != nil {
		t.Fatal(err)
	}
	o := packet.DefaultOptions()
	o.Pipeline, o.Inject, o.Eject = 3, 2, 1
	latency := []int32{}
	for l := range g.Links() {
		latency = append(latency, 1+(l.A+l.B)%5)
	}
	s, err := packet.NewSubject(g, packet.Setup{Options: o, Routing: routing, Latency: latency}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// both plays a workload with flows and with packets.
func both(t testing.TB, s *packet.Subject, workload, placement string) (*flow.Result, *packet.JobResult) {
	t.Helper()
	suite := packet.Suite{Seeds: 1, Placement: placement}
	job, place, err := suite.Job(s, workload)
	if err != nil {
		t.Fatal(err)
	}
	f, err := flow.RunJob(context.Background(), s.Config, job.New(), place)
	if err != nil {
		t.Fatal(err)
	}
	p, err := packet.RunJob(context.Background(), s.Config, job.New(), place)
	if err != nil {
		t.Fatal(err)
	}
	if f.Messages != p.Messages {
		t.Fatalf("%s: %d messages flow, %d go as packets", workload, f.Messages, p.Messages)
	}
	return f, p
}

// networks are those that flows are held against packets on. Packets have one way, or
// in a tree the choice among those up.
func networks() map[string]func(t testing.TB) *packet.Subject {
	prepare := func(params topology.Params, routing string) func(t testing.TB) *packet.Subject {
		return func(t testing.TB) *packet.Subject { return on(t, params, routing) }
	}
	return map[string]func(t testing.TB) *packet.Subject{
		"torus":     prepare(topology.Torus{Dims: topology.Ints{4, 4, 4}}, "dor"),
		"hyperx":    prepare(topology.HyperX{Dims: topology.Ints{4, 4}, Terminals: 4}, "dor"),
		"dragonfly": prepare(topology.Dragonfly{P: 2, A: 4, H: 2}, "minimal"),
		"fat tree":  prepare(topology.ThinTree{Down: 4, Up: 4, Levels: 3}, "tree"),
		"thin tree": prepare(topology.ThinTree{Down: 4, Up: 2, Levels: 3}, "tree"),
	}
}

// A message that has the network for itself arrives at the cycle at which its last packet
// does, wherever packets have one length of path only.
func TestOneMessageTakesWhatItsPacketsTake(t *testing.T) {
	for name, network := range networks() {
		if name == "thin tree" || name == "fat tree" { // ways up differ in the latencies of their links
			continue
		}
		s := network(t)
		for _, pair := range []string{"0 0 1 1", "0 0 7 256", "3 0 12 5000", "5 17 26 100000"} {
			file := filepath.Join(t.TempDir(), "a.trace")
			if err := os.WriteFile(file, []byte(pair+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			f, p := both(t, s, "trace:"+file, "consecutive")
			if f.Cycles != p.Cycles || math.Abs(f.Hops-p.Hops) > 1e-9 {
				t.Errorf("%s, %s: %d cycles over %g hops, packets %d over %g", name, pair, f.Cycles, f.Hops, p.Cycles,
					p.Hops)
			}
		}
	}
}

// Collective operations take as long as with packets within a tenth, but for those that
// docs/traffic.md lists: where packets choose among ways in a tree, streams keep to ways
// that meet others further on, and small messages of several tasks at once overlap
// otherwise.
func TestCollectivesAreNearThoseOfPackets(t *testing.T) {
	if testing.Short() {
		t.Skip("packets take seconds")
	}
	workloads := []string{
		"recursive-halving-all-reduce:tasks=64,bytes=262144", "all-to-all:tasks=64,bytes=4096", "W3:tasks=64",
		"BT:tasks=64",
	}
	if os.Getenv("PLENUM_LONG") == "1" {
		workloads = append(workloads, "ring-all-reduce:tasks=64,bytes=262144",
			"all-to-all:tasks=64,bytes=8192,window=2", "halo:tasks=64,bytes=65536", "BU:tasks=64", "M2:tasks=64")
	}
	further := map[string]float64{
		"fat tree recursive-halving-all-reduce:tasks=64,bytes=262144":  0.40,
		"fat tree all-to-all:tasks=64,bytes=4096":                      0.46,
		"fat tree all-to-all:tasks=64,bytes=8192,window=2":             0.46,
		"fat tree M2:tasks=64":                                         0.13,
		"thin tree recursive-halving-all-reduce:tasks=64,bytes=262144": 0.15,
		"torus all-to-all:tasks=64,bytes=8192,window=2":                0.20,
	}
	for name, network := range networks() {
		s := network(t)
		for _, w := range workloads {
			f, p := both(t, s, w, "consecutive")
			off := float64(f.Cycles)/float64(p.Cycles) - 1
			t.Logf("%-10s %-50s %+.3f", name, w, off)
			if math.Abs(off) > max(0.1, further[name+" "+w]) {
				t.Errorf("%s, %s: %d cycles, packets %d", name, w, f.Cycles, p.Cycles)
			}
		}
	}
}

// A run depends on its configuration alone.
func TestRunsAreRepeated(t *testing.T) {
	s := on(t, topology.ThinTree{Down: 4, Up: 2, Levels: 2}, "tree")
	first, _ := both(t, s, "all-to-all:window=3,bytes=3000", "random")
	again, _ := both(t, s, "all-to-all:window=3,bytes=3000", "random")
	first.Wall, again.Wall = 0, 0
	if !reflect.DeepEqual(first, again) {
		t.Errorf("%+v and then %+v", first, again)
	}
}

// A task needs a terminal of its own, and the end of a context ends a run.
func TestRunsAreRefused(t *testing.T) {
	s := on(t, topology.Torus{Dims: topology.Ints{4, 4}}, "dor")
	job, err := traffic.ParseJob("BU", 16)
	if err != nil {
		t.Fatal(err)
	}
	for _, place := range [][]int32{{0, 1}, append(make([]int32, 15), 16), make([]int32, 16)} {
		if _, err := flow.RunJob(context.Background(), s.Config, job.New(), place); err == nil {
			t.Errorf("%v is no placement", place)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	place, _ := traffic.ParsePlacement("consecutive", 16, 16, 1)
	if _, err := flow.RunJob(ctx, s.Config, job.New(), place); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func BenchmarkFlows(b *testing.B) {
	for _, w := range []string{
		"recursive-halving-all-reduce:bytes=16MiB", "ring-all-reduce:bytes=16MiB", "all-to-all:tasks=256,bytes=4KiB",
	} {
		b.Run(w, func(b *testing.B) {
			s := on(b, topology.Torus{Dims: topology.Ints{8, 8, 8}}, "dor")
			suite := packet.Suite{Seeds: 1, Placement: "consecutive"}
			job, place, err := suite.Job(s, w)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := flow.RunJob(context.Background(), s.Config, job.New(), place); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
