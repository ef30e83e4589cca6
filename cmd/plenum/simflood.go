package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/sim/rounds"
	"github.com/plenum-planner/plenum/topology"
)

// floodReport is the document of the model of flooding.
type floodReport struct {
	Model string `json:"model"` // `flood`
	// Machine is its name in the machine file; left out for a topology alone.
	Machine  string        `json:"machine,omitempty"`
	Topology topology.Spec `json:"topology"` // as in the machine file, or as given
	*delay.Flood
	// DelayCovers is what the delays consist of: `hops and propagation`, or `nothing` without a room.
	DelayCovers string `json:"delay_covers"`
}

// floodCommand is the model of flooding.
type floodCommand struct{ *simInput }

// floodFlags are the flags that set fields of the library's options.
var floodFlags = map[string]string{
	"Graph": "", "Links": "", "Model": "", "Hop": "alpha-ns", "Propagation": "beta-ns-per-m",
}

func newSimFlood(in *simInput) *simModel {
	s := &floodCommand{in}
	cmd := &cobra.Command{
		Use:   "flood [FILE]",
		Short: "Count what all-to-all communication by flooding takes",
		Long: `Count what all-to-all communication by flooding takes on a planned machine, or on a
topology without a room, whose nodes pass messages on (section II-C of the CLEX
paper, arXiv 1607.00298):

  plenum sim flood machine.yaml
  plenum sim flood --topology '{family: torus, dims: [8, 8, 8]}'

Every node's message floods a tree of paths with the fewest hops, in a torus
dimension by dimension, otherwise with low levels last. Counted is what crosses the
channels, and how many times the least possible time that takes. For a CLEX the first
figure is with the bandwidth of section III-A of the paper: every level has a share by
the hops of messages in "plenum sim rounds" at nine tenths of the clique a node.`,
	}
	m := newModel("flood", cmd, s.run)
	under(cmd, generalFlags, func(f *pflag.FlagSet) {
		in.topologyFlag(f)
		cli.FabricFlag(f, &in.fabric)
		in.jsonFlag(f)
	})
	under(cmd, "Delays", func(f *pflag.FlagSet) {
		in.hopFlag(f, "hop delay of all nodes, in place of the machine file's; from 0 to 1e9")
		f.Lookup("alpha-ns").DefValue = "0" // none is taken unless it is given
		in.propagationFlag(f)
	})
	return m
}

// run counts all-to-all communication by flooding trees.
func (s *floodCommand) run(cmd *cobra.Command, args []string, wrong []error) error {
	if len(args)+len(s.topology) != 1 {
		wrong = append(wrong, errors.New("the model of flooding takes one machine file or one --topology"))
	}
	wrong = append(wrong, needsRoom(cmd, args, "alpha-ns", "beta-ns-per-m")...)
	if err := s.override(cmd).Check(); err != nil {
		wrong = append(wrong, cli.Spelled(err, floodFlags))
	}
	if len(wrong) > 0 {
		return cli.InputError(errors.Join(wrong...))
	}
	p := meter.New(cmd.ErrOrStderr())
	defer p.Clear()
	r := &floodReport{Model: "flood", DelayCovers: "nothing"}
	g, opt, err := s.input(cmd, args, r, p)
	if err != nil {
		return err
	}
	if opt.Shares, err = hopShares(cmd.Context(), r.Topology); err != nil {
		return err
	}
	opt.Progress = func(done, total int) { p.Stage("building trees", done, total) }
	r.Flood, err = delay.MeasureFlood(cmd.Context(), g, opt)
	p.Clear()
	if err != nil {
		return cli.Spelled(err, floodFlags)
	}
	if s.asJSON {
		return render.Document(cmd.Context(), cmd.OutOrStdout(), r)
	}
	return r.print(cmd.OutOrStdout())
}

// hopShares returns relative bandwidths of the levels of a CLEX, as section III-A of the paper sets them: the mean hops
// on each level of messages of dense traffic, which it simulates. It is nil for other families, and for a CLEX with
// terminals or local networks.
func hopShares(ctx context.Context, spec topology.Spec) ([]float64, error) {
	clex, ok := spec.Params.(topology.CLEX)
	if !ok || clex.Terminals > 0 || clex.Local != nil {
		return nil, nil
	}
	o := rounds.DefaultOptions()
	o.Topology, o.Load = clex, max(1, clex.Clique*9/10)
	r, err := rounds.Run(ctx, o)
	if err != nil {
		return nil, err
	}
	var shares []float64
	for _, l := range r.Levels {
		shares = append(shares, l.AvgHops)
	}
	return shares, nil
}

// input returns the graph to flood, built from --topology or planned from the machine file of args, with the delays of
// its links in the latter case. It sets the fields of r about them.
func (s *floodCommand) input(cmd *cobra.Command, args []string, r *floodReport, p *meter.Line) (topology.Graph,
	delay.FloodOptions, error,
) {
	var opt delay.FloodOptions
	if len(args) == 0 {
		spec, err := cli.TopologySpec(s.topology[0])
		if err != nil {
			return nil, opt, err
		}
		g, err := topology.New(spec)
		if err != nil {
			return nil, opt, cli.InputError(err)
		}
		r.Topology = spec
		if err := affordFlood(cmd.Context(), g); err != nil {
			return nil, opt, err
		}
		return g, opt, cli.Walkable(g, "over which is flooded")
	}
	spec, err := cli.NamedSpec(args[0])
	if err != nil {
		return nil, opt, cli.InputUnlessDiagnosed(err)
	}
	o := s.override(cmd)
	if o.Hop != nil {
		if err := spec.SetHop(*o.Hop); err != nil {
			return nil, opt, cli.InputError(err)
		}
	}
	if o.Propagation != nil {
		spec.SetPropagation(*o.Propagation)
	}
	plan, network, err := s.planned(cmd, spec, machine.Options{Summary: true, Paths: true, Progress: p.Stage})
	if err != nil {
		return nil, opt, err
	}
	r.Machine, r.Topology, r.DelayCovers = plan.Spec.Name, network.Topology, "hops and propagation"
	opt.Model, opt.Links, opt.Names = network.Model, network.Links, network.Names
	return network.Graph, opt, affordFlood(cmd.Context(), network.Graph)
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
	if r.Factor > 0 {
		row("time\t%.3f times the least there is if every level has bandwidth by the hops of messages (section III-A)",
			r.Factor)
		row("\t%.3f times if all channels are alike", r.FactorUniform)
	} else {
		row("time\t%.3f times the least there is if all channels are alike", r.FactorUniform)
	}
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
	cli.WriteTable(&b, table)
	return cli.Print(w, b.String())
}
