package chart

import (
	"reflect"
	"testing"

	"github.com/plenum-planner/plenum/sim/packet"
)

func TestLoadCharts(t *testing.T) {
	run := func(load, accepted, latency float64, delivered int64) *packet.Result {
		r := &packet.Result{Load: load, Accepted: accepted, Delivered: delivered}
		r.Latency.Mean = latency
		return r
	}
	sweeps := []Sweep{
		{Name: "a", Runs: []*packet.Result{run(0.1, 0.1, 20, 5), run(0.9, 0.5, 900, 5)}},
		{Name: "b", Runs: []*packet.Result{run(0.1, 0, 0, 0), run(0.9, 0.9, 30, 5)}},
	}
	latency, throughput := LoadCharts("uniform", 16, sweeps)
	if want := []Curve{
		{Name: "a", Points: [][2]float64{{0.1, 20}, {0.9, 900}}},
		{Name: "b", Points: [][2]float64{{0.9, 30}}},
	}; !reflect.DeepEqual(latency.Curves, want) {
		t.Errorf("latency is %v: a run that delivers nothing has none", latency.Curves)
	}
	if want := []Curve{
		{Name: "a", Points: [][2]float64{{0.1, 0.1}, {0.9, 0.5}}},
		{Name: "b", Points: [][2]float64{{0.1, 0}, {0.9, 0.9}}},
	}; !reflect.DeepEqual(throughput.Curves, want) {
		t.Errorf("throughput is %v", throughput.Curves)
	}
	if latency.YMax != 6*20 || throughput.YMax != 0 || !throughput.Diagonal {
		t.Errorf("latency ends at %v, throughput at %v", latency.YMax, throughput.YMax)
	}
}
