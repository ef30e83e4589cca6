package chart

import (
	"reflect"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/sim/packet"
)

func TestLoadCharts(t *testing.T) {
	run := func(load, accepted, latency float64, delivered int64) *packet.Result {
		r := &packet.Result{Load: load, Accepted: accepted, Delivered: delivered, HalfWidth: 0.01}
		if r.Behind = 0; accepted < 0.95*load {
			r.Behind = 0.1
		}
		r.Latency.Mean, r.Latency.HalfWidth = latency, 2
		return r
	}
	sweeps := []Sweep{
		{Name: "a", Runs: []*packet.Result{run(0.1, 0.1, 20, 5), run(0.9, 0.5, 900, 5)}},
		{Name: "b", Runs: []*packet.Result{run(0.1, 0, 0, 0), run(0.9, 0.9, 30, 5)}},
	}
	latency, throughput := LoadCharts("uniform", 16, sweeps)
	if want := []Curve{
		{Name: "a", Points: []Point{{X: 0.1, Y: 20, HalfWidth: 2}, {X: 0.9, Y: 900, HalfWidth: 2, Saturated: true}}},
		{Name: "b", Points: []Point{{X: 0.9, Y: 30, HalfWidth: 2}}},
	}; !reflect.DeepEqual(latency.Curves, want) {
		t.Errorf("latency is %v: a run that delivers nothing has none", latency.Curves)
	}
	if want := []Curve{
		{Name: "a", Points: []Point{
			{X: 0.1, Y: 0.1, HalfWidth: 0.01}, {X: 0.9, Y: 0.5, HalfWidth: 0.01, Saturated: true},
		}},
		{Name: "b", Points: []Point{{X: 0.1, HalfWidth: 0.01, Saturated: true}, {X: 0.9, Y: 0.9, HalfWidth: 0.01}}},
	}; !reflect.DeepEqual(throughput.Curves, want) {
		t.Errorf("throughput is %v", throughput.Curves)
	}
	if latency.YMax != 6*30 || throughput.YMax != 0 || !throughput.Diagonal {
		t.Errorf("latency ends at %v, throughput at %v", latency.YMax, throughput.YMax)
	}
	one, _ := LoadCharts("uniform", 16, sweeps[:1])
	d, err := one.Draw(Style{})
	if err != nil {
		t.Fatal(err)
	}
	if p := d.panels[0]; p.y.lo != 0 || p.y.hi != 6*20 {
		t.Errorf("the axis of latencies is from %v to %v, not 0 to six times the zero-load latency", p.y.lo, p.y.hi)
	}
	over, _ := LoadCharts("uniform", 16, []Sweep{{Name: "a", Runs: sweeps[0].Runs[1:]}})
	if over.YMax != 0 || strings.Contains(over.Note, "zero-load") {
		t.Errorf("a network that is saturated at every load has a zero-load latency: %v, %s", over.YMax, over.Note)
	}
}
