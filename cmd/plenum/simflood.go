package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// floodReport is the document of the model of flooding.
type floodReport struct {
	Model    string        `json:"model"`
	Machine  string        `json:"machine,omitempty"`
	Topology topology.Spec `json:"topology"`
	*delay.Flood
	// DelayCovers is "nothing" without a room.
	DelayCovers string `json:"delay_covers"`
}

// flood runs all-to-all communication by flooding trees.
func (s *simCommand) flood(cmd *cobra.Command, args []string) error {
	var wrong []error
	for _, name := range slices.Concat(packetOnly, roundsOnly, []string{"load", "fail-nodes", "seed"}) {
		if cmd.Flags().Changed(name) && name != "alpha-ns" {
			wrong = append(wrong, fmt.Errorf("--%s: not of the model of flooding", name))
		}
	}
	if len(args)+len(s.topology) != 1 {
		wrong = append(wrong, errors.New("the model of flooding takes one machine file or one --topology"))
	}
	for _, flag := range []string{"alpha-ns", "beta-ns-per-m"} {
		if len(args) == 0 && cmd.Flags().Changed(flag) {
			wrong = append(wrong, fmt.Errorf("--%s: a topology has no lengths; give a machine file", flag))
		}
	}
	if len(wrong) > 0 {
		return inputError(errors.Join(wrong...))
	}
	p := newProgress(cmd.ErrOrStderr())
	r := &floodReport{Model: "flood", DelayCovers: "nothing"}
	g, opt, err := s.floodInput(cmd, args, r, p)
	if err != nil {
		p.clear()
		return err
	}
	if g.Family() == "torus" || g.Family() == "mesh" || g.Family() == "hypercube" {
		opt.Prefer = delay.Highest
	}
	opt.Progress = func(done, total int) { p.stage("building trees", done, total) }
	r.Flood, err = delay.MeasureFlood(cmd.Context(), g, opt)
	p.clear()
	if ctx := cmd.Context().Err(); ctx != nil {
		return ctx
	}
	if err != nil {
		return inputError(err)
	}
	if s.asJSON {
		return render.Document(cmd.OutOrStdout(), r)
	}
	return r.print(cmd.OutOrStdout())
}

// floodInput builds or plans what is flooded.
func (s *simCommand) floodInput(cmd *cobra.Command, args []string, r *floodReport, p *progress) (topology.Graph,
	delay.FloodOptions, error,
) {
	var opt delay.FloodOptions
	if len(args) == 0 {
		spec, err := topologySpec(s.topology[0])
		if err != nil {
			return nil, opt, err
		}
		g, err := topology.New(spec)
		if err != nil {
			return nil, opt, inputError(err)
		}
		r.Topology = spec
		return g, opt, nil
	}
	spec, err := namedSpec(args[0])
	if err != nil {
		return nil, opt, inputUnlessDiagnosed(err)
	}
	if cmd.Flags().Changed("alpha-ns") {
		if err := spec.SetHop(units.Time(s.alpha)); err != nil {
			return nil, opt, inputError(err)
		}
	}
	if cmd.Flags().Changed("beta-ns-per-m") {
		spec.SetPropagation(units.Propagation(s.beta))
	}
	plan, err := machine.PlanWith(cmd.Context(), spec, machine.Options{Summary: true, Paths: true, Progress: p.stage})
	if err != nil {
		return nil, opt, asInput(err)
	}
	r.Machine, r.Topology, r.DelayCovers = plan.Spec.Name, plan.Spec.Topology, "hops and propagation"
	opt.Model, opt.Links = plan.Model, plan.Links
	return plan.Graph, opt, nil
}

func (r *floodReport) print(w io.Writer) error {
	var b strings.Builder
	if r.Machine != "" {
		fmt.Fprintf(&b, "%s: ", r.Machine)
	}
	fmt.Fprintf(&b, "all-to-all on a %s by flooding a tree from every node\n\n", r.Topology.Family())
	t := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	row := func(format string, args ...any) { fmt.Fprintf(t, "  "+format+"\n", args...) }
	row("hops\t%.3f mean, %d most", r.HopsMean, r.HopsMax)
	if r.DelayCovers != "nothing" {
		row("delay\t%.1f ns mean, %.1f most, over %.1f m at most", float64(r.DelayMean), float64(r.DelayMax),
			float64(r.PathMax))
		if r.BoundMax > 0 {
			row("bound\t%.1f ns, by the longest links of every level", float64(r.BoundMax))
		}
	}
	row("time\t%.3f times the least there is if all channels are alike", r.FactorUniform)
	row("\t%.3f times if every level has bandwidth by its load", r.FactorByLoad)
	t.Flush()
	table := [][]string{{"level", "channels", "mean load", "max load", "share of load"}}
	for _, l := range r.Levels {
		table = append(table, []string{
			l.Level, english.Grouped(l.Channels), fmt.Sprintf("%.2f", l.Mean),
			english.Grouped(l.Max), fmt.Sprintf("%.1f %%", 100*l.Share),
		})
	}
	b.WriteString("\n")
	writeTable(&b, table)
	_, err := io.WriteString(w, b.String())
	return err
}
