package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/sim/rounds"
	"github.com/plenum-planner/plenum/topology/measure"
	"github.com/plenum-planner/plenum/units"
)

// against is a run on a planned machine beside the plan of another, such as a
// torus of as many nodes in the same room: the comparison of section III of the
// CLEX paper, with planned lengths in place of its assumptions. The other machine
// carries no traffic: its messages take the fastest of the paths with the fewest
// hops and never wait.
type against struct {
	Machine string        `json:"machine"`
	Family  string        `json:"family"`
	Nodes   int           `json:"nodes"`
	Hops    float64       `json:"hops_mean"`
	Path    units.Length  `json:"path_mean_m"`
	Wire    units.Time    `json:"propagation_mean_ns"`
	Delay   units.Time    `json:"delay_mean_ns"`
	Exact   bool          `json:"exact"`
	Bound   float64       `json:"bandwidth_bound"` // of a node's bandwidth, both directions of the cut counted once
	Cut     int64         `json:"bisection"`
	Factors againstFactor `json:"factors"`
}

// againstFactor sets the run against it.
type againstFactor struct {
	// Propagation is the propagation of a message of the run over that of the
	// other machine: the competitive ratio. Above 1 the other is better.
	Propagation float64 `json:"propagation_ratio"`
	// Hops is the other's hops over the rounds of the run, Path over its hops, and
	// Delay the other's delay over that of the run. Above 1 the run is better.
	Hops  float64 `json:"hop_factor"`
	Path  float64 `json:"path_factor"`
	Delay float64 `json:"delay_factor"`
	// Bandwidth is the share of its bandwidth that a node has for its own messages,
	// 1 over the hops, over the bound of the other's bisection, which BandwidthDuplex
	// doubles.
	Bandwidth       float64 `json:"bandwidth_gain"`
	BandwidthDuplex float64 `json:"bandwidth_gain_duplex"`
}

// against plans the machine of a file and compares a run with it.
func (s *simCommand) compare(cmd *cobra.Command, r *rounds.Result, p *progress) (*against, error) {
	spec, err := namedSpec(s.against)
	if err != nil {
		return nil, inputUnlessDiagnosed(err)
	}
	plan, err := machine.PlanWith(cmd.Context(), spec, machine.Options{Summary: true, Paths: true, Progress: p.stage})
	if err != nil {
		return nil, asInput(err)
	}
	switch {
	case plan.Census.Switches > 0:
		return nil, inputError(fmt.Errorf("--against: the bandwidth of a node is divided among its links, so that a "+
			"machine without switches is needed, not a %s", plan.Graph.Family()))
	case plan.Delay == nil || plan.Delay.Pairs == 0:
		return nil, inputError(fmt.Errorf("--against: %s has no paths to compare with", plan.Spec.Name))
	}
	p.stage("bounding the bisection", 0, 1)
	b, err := measure.Bisect(cmd.Context(), plan.Graph, measure.Routers, measure.BisectionOptions{Seed: s.seed})
	if err != nil {
		return nil, err
	}
	d := plan.Delay
	alpha := plan.Model.Hop[0]
	a := &against{
		Machine: plan.Spec.Name, Family: plan.Graph.Family(), Nodes: plan.Census.Nodes, Hops: d.HopsMean,
		Path: d.PathMean,
		Wire: d.LeastMean - units.Time(d.HopsMean)*alpha, Delay: d.LeastMean, Exact: d.Exact, Cut: b.Upper,
	}
	if cmd.Flags().Changed("beta-ns-per-m") {
		a.Wire = units.Propagation(s.beta).Over(d.PathMean)
	}
	if cmd.Flags().Changed("alpha-ns") {
		alpha = units.Time(s.alpha)
	}
	a.Delay = a.Wire + units.Time(d.HopsMean)*alpha
	// A node has bandwidth 1, a link of it 1 over the links of a node. Half of the
	// messages cross the cut: nodes x bound / 2 = cut x link.
	perNode := 2 * float64(plan.Census.Links) / float64(plan.Census.Nodes)
	a.Bound = 2 * float64(b.Upper) / perNode / float64(plan.Census.Nodes)
	a.Factors = againstFactor{
		Propagation: over(float64(r.Delay.Propagation), float64(a.Wire)), Hops: over(a.Hops, r.Rounds),
		Path:  over(a.Hops, r.Hops),
		Delay: over(float64(a.Delay), float64(r.Delay.Mean)), Bandwidth: over(1, r.Hops*a.Bound),
		BandwidthDuplex: over(1, 2*r.Hops*a.Bound),
	}
	return a, nil
}

// over divides; 0 where there is nothing to divide by.
func over(x, y float64) float64 {
	if y == 0 {
		return 0
	}
	return x / y
}

// print adds the comparison to a report for people.
func (a *against) print(b *strings.Builder) {
	fmt.Fprintf(b, "\nAgainst %s (%s, %s nodes) as it is planned, without congestion\n", a.Machine, a.Family,
		english.Grouped(int64(a.Nodes)))
	t := tabwriter.NewWriter(b, 0, 4, 2, ' ', 0)
	row := func(format string, args ...any) { fmt.Fprintf(t, "  "+format+"\n", args...) }
	row("hops\t%.2f mean: %.2f times the rounds here, %.2f times the hops", a.Hops, a.Factors.Hops, a.Factors.Path)
	row("propagation\t%.1f ns over %.1f m there: %.2f times as much here", float64(a.Wire), float64(a.Path),
		a.Factors.Propagation)
	row("delay\t%.1f ns there: %.2f times that here", float64(a.Delay), a.Factors.Delay)
	row("bandwidth\t%.2f times the bound of its bisection, %s channels; %.2f if both directions of the cut count",
		a.Factors.Bandwidth, english.Grouped(a.Cut), a.Factors.BandwidthDuplex)
	t.Flush()
}
