package chart

import (
	"fmt"

	"github.com/plenum-planner/plenum/sim/packet"
)

// Sweep is the runs of a network at several loads, by ascending load.
type Sweep struct {
	Name string
	Runs []*packet.Result
}

// latencyRange is how many times the latency at the lowest load the axis of latencies shows: a saturated network has no
// bound.
const latencyRange = 6

// LoadCharts are the charts by which networks are commonly compared: mean latency and accepted load over the offered
// load. Traffic is the name of its pattern; the packets are of as many phits. The axis of latencies ends at six times
// the zero-load latency, which is the mean latency at the lowest load; of several networks, that of the slowest.
func LoadCharts(traffic string, phits int, sweeps []Sweep) (latency, throughput CurveChart) {
	latency = CurveChart{
		Title: "Latency, " + traffic + " traffic", X: "offered load (phits per cycle and terminal)",
		Y:    "mean latency (cycles)",
		Note: fmt.Sprintf("Packet latency (%d phits, creation to last phit).", phits),
	}
	throughput = CurveChart{
		Title: "Throughput, " + traffic + " traffic", X: latency.X, Y: "accepted load (phits per cycle and terminal)",
		Note: "Dashed: accepted = offered.", Diagonal: true,
	}
	zeroLoad := 0.0
	for _, s := range sweeps {
		a, b := Curve{Name: s.Name}, Curve{Name: s.Name}
		for _, run := range s.Runs {
			saturated := run.IsSaturated()
			if run.Delivered > 0 {
				if len(a.Points) == 0 && !saturated {
					zeroLoad = max(zeroLoad, run.Latency.Mean)
				}
				a.Points = append(a.Points, Point{
					X: run.Load, Y: run.Latency.Mean, HalfWidth: run.Latency.HalfWidth, Saturated: saturated,
				})
			}
			b.Points = append(b.Points, Point{
				X: run.Load, Y: run.Accepted, HalfWidth: run.HalfWidth, Saturated: saturated,
			})
		}
		latency.Curves, throughput.Curves = append(latency.Curves, a), append(throughput.Curves, b)
	}
	if zeroLoad > 0 {
		latency.YMax = latencyRange * zeroLoad
		latency.Note += " The axis ends at six times the zero-load latency"
		if len(sweeps) > 1 {
			latency.Note += " of the slowest network"
		}
		latency.Note += "; arrows: curves leave it."
	}
	return latency, throughput
}
