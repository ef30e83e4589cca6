package workload

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/sim/loggops"
)

// TestPresets holds the sizes of the published jobs against arXiv 2407.21783, tables 3 and 4, and their
// times against what follows from these. The long run plays them and finds the times of docs/workloads.md.
func TestPresets(t *testing.T) {
	h100 := 989.4e12 // operations a second
	for _, tt := range []struct {
		name             string
		ranks, data      int
		rate, step, ours float64
	}{
		{"llama3-405b", 16384, 128, 400e12, 6.22, 6.44},
		{"llama3-405b-8192", 8192, 64, 430e12, 11.57, 9.50},
	} {
		data, err := Preset(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		j, err := ParseJob(tt.name, data)
		if err != nil {
			t.Fatal(err)
		}
		if j.Ranks() != int64(tt.ranks) || j.Tokens() != 1<<24 || j.Parallel.Data != tt.data {
			t.Errorf("%s: %d ranks, %d tokens", tt.name, j.Ranks(), j.Tokens())
		}
		forward := 2 * j.Model.Parameters * 8192 / 128 / h100 * 1e9
		if math.Abs(float64(j.Compute.Forward)/forward-1) > 1e-3 || j.Compute.Backward != 2*j.Compute.Forward {
			t.Errorf("%s: %v, %v; want %g", tt.name, j.Compute.Forward, j.Compute.Backward, forward)
		}
		published := 6 * j.Model.Parameters * float64(j.Tokens()) / float64(tt.ranks) / tt.rate
		if math.Abs(published-tt.step) > 0.005 || j.Published.Seconds != tt.step {
			t.Errorf("%s: %g s", tt.name, published)
		}
		if os.Getenv("PLENUM_LONG") == "" {
			continue
		}
		w, err := Read(tt.name, "")
		if err != nil {
			t.Fatal(err)
		}
		p := loggops.DefaultParams()
		p.GapByte = loggops.PerByte(0.02)
		if got := float64(took(t, w.Schedule, p, 2000)) / 1e9; math.Abs(got-tt.ours) > 0.005 {
			t.Errorf("%s: %g s; want %g", tt.name, got, tt.ours)
		}
	}
	if files, err := Files("llama3-405b", ""); len(files) > 0 || err != nil {
		t.Errorf("a job that comes along is read from %v, %v", files, err)
	}
	if got := len(Presets()); got != 2 {
		t.Errorf("%d presets", got)
	}
}

// TestRead reads traces, and refuses what is neither.
func TestRead(t *testing.T) {
	w, err := Read("testdata/pair.1.et", "testdata/groups.json")
	if err != nil || w.Job != nil || w.Schedule.Ranks() != 2 || w.Trace.Untimed != 2 || w.Trace.Collectives != 2 {
		t.Errorf("%+v, %v", w, err)
	}
	for _, tt := range [][3]string{
		{"testdata/pair.0.et", "", `process group "pair"`},
		{"llama3-405b", "testdata/groups.json", "go with traces only"},
		{"llama4", "", "no such file"},
	} {
		if _, err := Read(tt[0], tt[1]); err == nil || !strings.Contains(err.Error(), tt[2]) {
			t.Errorf("%v: %v", tt, err)
		}
	}
}
