package chart

import (
	"fmt"
	"math"

	"github.com/plenum-planner/plenum/sim/packet"
)

// Sweep is the runs of a network at several loads, by ascending load.
type Sweep struct {
	Name string
	Runs []*packet.Result
}

// LoadCharts are the charts by which networks are commonly compared: mean latency
// and accepted load over the offered one. Traffic is its name; the packets are of
// as many phits. Latency is cut off at six times the least, as it has no bound
// where a network is saturated.
func LoadCharts(traffic string, phits int, sweeps []Sweep) (latency, throughput CurveChart) {
	latency = CurveChart{
		Title: "Latency, " + traffic + " traffic", X: "offered load (phits per cycle and terminal)",
		Y: "mean latency (cycles)",
		Note: fmt.Sprintf("from the making of a packet of %d phits to the arrival of its last; cut off at six times "+
			"the least", phits),
	}
	throughput = CurveChart{
		Title: "Throughput, " + traffic + " traffic", X: latency.X, Y: "accepted load (phits per cycle and terminal)",
		Note: "broken line: all that is offered", Diagonal: true,
	}
	lowest := math.Inf(1)
	for _, s := range sweeps {
		a, b := Curve{Name: s.Name}, Curve{Name: s.Name}
		for _, run := range s.Runs {
			if run.Delivered > 0 {
				a.Points = append(a.Points, [2]float64{run.Load, run.Latency.Mean})
				lowest = min(lowest, run.Latency.Mean)
			}
			b.Points = append(b.Points, [2]float64{run.Load, run.Accepted})
		}
		latency.Curves, throughput.Curves = append(latency.Curves, a), append(throughput.Curves, b)
	}
	latency.YMax = 6 * lowest
	return latency, throughput
}
