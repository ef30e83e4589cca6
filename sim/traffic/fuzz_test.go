package traffic_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/topology"
)

// Whatever a user types, a workload is refused or runs to its end among the
// terminals there are.
func FuzzParseJob(f *testing.F) {
	for _, info := range traffic.Jobs() {
		f.Add(info.Name)
	}
	f.Add("halo:dims=2x3x2,rounds=3,wrap=false,bytes=1KiB")
	f.Add("WF:dims=4x3,waves=5,bytes=2kB")
	f.Add("all-to-all:tasks=7,window=3")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.HasPrefix(strings.ToLower(text), "trace") {
			return // a name of a file
		}
		job, err := traffic.ParseJob(text, 16)
		if err != nil {
			return
		}
		if job.Tasks < 1 || job.Tasks > 16 {
			t.Fatalf("%q has %d tasks on 16 terminals", text, job.Tasks)
		}
		w := job.New()
		var air []traffic.Message
		emit := func(m traffic.Message) {
			if m.Src == m.Dst || m.Src < 0 || m.Dst < 0 || int(m.Src) >= job.Tasks || int(m.Dst) >= job.Tasks ||
				m.Bytes < 1 {
				t.Fatalf("%q sends %+v", text, m)
			}
			air = append(air, m)
		}
		w.Start(emit)
		for range 5000 { // long ones go on
			if len(air) == 0 {
				return
			}
			m := air[0]
			air = air[1:]
			w.Delivered(m, emit)
		}
	})
}

func FuzzParsePattern(f *testing.F) {
	for _, info := range traffic.Patterns() {
		f.Add(info.Name)
	}
	f.Add("hotspot:0.5@0,15")
	f.Add("tornado:2x8")
	f.Add("swap2:1,0")
	g, err := topology.New(topology.Torus{Dims: topology.Ints{4, 4}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := traffic.ParsePattern(text, g, 1)
		if err != nil {
			return
		}
		r := rand.New(rand.NewPCG(1, 1))
		for src := range int32(16) {
			if dst := p.Destination(src, r); dst < -1 || dst >= 16 {
				t.Fatalf("%q: terminal %d sends to %d", text, src, dst)
			}
		}
	})
}

func FuzzReadPlacement(f *testing.F) {
	f.Add("0 1\n1 0\n", 2, 3)
	f.Add("# none\n0 9223372036854775807\n-1 0\n", 1, 1)
	f.Fuzz(func(t *testing.T, text string, tasks, terminals int) {
		if tasks < 0 || terminals < tasks || terminals > 1000 {
			t.Skip()
		}
		p, err := traffic.ReadPlacement(strings.NewReader(text), "p", tasks, terminals)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "p:") {
				t.Errorf("an error without its place: %v", err)
			}
			return
		}
		used := map[int32]bool{}
		for _, on := range p {
			if on < 0 || int(on) >= terminals || used[on] {
				t.Errorf("%q: tasks on %v", text, p)
			}
			used[on] = true
		}
	})
}
