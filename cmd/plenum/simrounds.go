package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/sim/rounds"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
	"github.com/plenum-planner/plenum/units"
)

// roundsCommand is the model of rounds.
type roundsCommand struct {
	*simInput
	opt       rounds.Options
	loss      string
	failLinks string
	valiant   string
	against   string
	bounds    bool
	chartFile string
	format    chart.Format // of that file
	look      cli.ChartFlags
	style     chart.Style
}

// roundsFlags are the flags that set fields of the library's options.
var roundsFlags = map[string]string{
	"Topology": "", "Mode": "mode", "Load": "load", "Destinations": "destinations", "Valiant": "valiant",
	"Loss": "loss", "Retries": "retries", "FailNodes": "fail-nodes", "FailLinks": "fail-links", "Detours": "detours",
	"Alpha": "alpha-ns", "Propagation": "beta-ns-per-m", "Reading.Copies": "copies",
	"Reading.CopyGrowth": "copy-growth",
}

func newSimRounds(in *simInput) *simModel {
	s := &roundsCommand{simInput: in, opt: rounds.DefaultOptions()}
	cmd := &cobra.Command{
		Use:   "rounds [FILE]",
		Short: "Simulate the algorithm of the CLEX paper in synchronous rounds",
		Long: `Simulate the routing algorithm of the CLEX paper (arXiv 1607.00298) on a planned
machine, or on a topology without a room:

  plenum sim rounds machine.yaml --load 7
  plenum sim rounds --topology '{family: clex, clique: 32, levels: 4}' --load 28

All messages start at once, and in a round every link carries as many messages in each
direction as the capacity of its level: one, except for the links of a bundled clex above
level 1, which carry as many as a clique has nodes; the key capacity of the topology sets
others. The model knows one family, clex, full or bundled. Per level, it counts
the most rounds of any call of the algorithm, the mean rounds and hops of a message,
and the greatest mean load of any call.

Delays are (rounds + 1) x alpha + propagation. Alpha is the hop delay of the machine
file's nodes, 100 ns for a topology alone; without a room, nothing is known of
lengths, and delays are those of the hops only. The comparison with a torus of as
many nodes follows the formulas of the paper (docs/internals/reproduction.md); --against takes
the planned lengths of another machine in place of its assumptions. --bounds sets the
rounds beside the lower bounds of section II and beside theorem II.6 and its corollaries,
whose constants the paper does not state.

--valiant sends every message to a random node first: of the whole machine
(full), of its copy of C(2) (light; a clique if there are two levels), or of its
copy of C(K).`,
	}
	m := newModel("rounds", cmd, s.run)
	o := &s.opt
	under(cmd, generalFlags, func(f *pflag.FlagSet) {
		in.topologyFlag(f)
		cli.FabricFlag(f, &in.fabric)
		in.seedFlag(f)
		in.jsonFlag(f)
	})
	under(cmd, "Charts", func(f *pflag.FlagSet) {
		f.StringVar(&s.chartFile, "chart", "",
			"file, .png, .svg, .pdf or .csv (the data), to draw the messages left after each phase into")
		s.look.StyleFlags(f)
	})
	under(cmd, "Traffic", func(f *pflag.FlagSet) {
		f.StringVar(&in.load, "load", "",
			"messages that each node sends, 1 when left out; 2147483647 of all nodes at most")
		f.StringVar((*string)(&o.Mode), "mode", string(o.Mode),
			"traffic: dense (relays are asked first) or light (copies are sent at once)")
		f.StringVar(&s.valiant, "valiant", "off",
			"random node that a message is sent to first: off, light, full or a level K")
		f.StringVar((*string)(&o.Destinations), "destinations", string(o.Destinations),
			"where messages go: uniform (independent) or permutation (every node receives as many)")
	})
	under(cmd, "Loss and failures", func(f *pflag.FlagSet) {
		f.StringVar(&s.loss, "loss", "0", "chance that a message is lost on a link, like 1%; below 100%")
		f.IntVar(&o.Retries, "retries", o.Retries,
			"times that a hop above level 1 is repeated when its message was lost, 1000000 at most")
		in.failNodesFlag(f, "share of the nodes that fail at random, like 1%")
		f.StringVar(&s.failLinks, "fail-links", "0", "share of the links that fail at random")
		f.IntVar(o.Detours, "detours", *o.Detours,
			"times that a message tries a way round failures, on each level, 1000000 at most")
	})
	under(cmd, "Readings of the paper", func(f *pflag.FlagSet) {
		f.IntVar(&o.Reading.Copies, "copies", o.Reading.Copies, "relays that a message asks in its first phase after "+
			"the direct one (1 when dense, ln n1 when light), 2147483647 at most")
		f.Float64Var(&o.Reading.CopyGrowth, "copy-growth", o.Reading.CopyGrowth,
			"factor by which they grow from phase to phase, at least 1")
		f.BoolVar(&o.Reading.Handshake, "handshake", false, "count the two rounds of a request and its answer")
	})
	under(cmd, "Bounds", func(f *pflag.FlagSet) {
		f.BoolVar(&s.bounds, "bounds", false, "set the rounds beside the bounds of section II of the paper")
	})
	under(cmd, "Delays", func(f *pflag.FlagSet) {
		in.hopFlag(f, "time that a round takes besides propagation, in place of the machine file's hop delay; "+
			"from 0 to 1e9")
		in.propagationFlag(f)
		f.StringVar(&s.against, "against", "",
			"machine file or example of a direct network, such as a torus, whose plan the run is set against")
	})
	return m
}

// roundsReport is the document of the model of rounds.
type roundsReport struct {
	Model string `json:"model"` // `rounds`
	// Machine is its name in the machine file; left out for a topology alone.
	Machine  string        `json:"machine,omitempty"`
	Topology topology.Spec `json:"topology"` // as in the machine file, or as given

	// Mode is `dense`, in which relays are asked first, or `light`, in which copies are sent at once.
	Mode rounds.Mode `json:"mode"`
	Load int         `json:"load"` // messages that each node sends
	// Destinations is `uniform` draws each, `permutation` shuffles a list that holds every node equally often.
	Destinations rounds.Destinations `json:"destinations"`
	// ValiantLevel is the level of the copies within which messages go to a random node first; 0 for none.
	ValiantLevel int `json:"valiant_level"`
	// Loss is the chance that a message, copy or request is lost on a link.
	Loss      float64 `json:"loss"`
	FailNodes float64 `json:"fail_nodes"` // the chance of each node to fail
	FailLinks float64 `json:"fail_links"` // the chance of each link to fail
	Seed      uint64  `json:"seed"`       // of the random numbers

	*rounds.Result

	Alpha units.Time `json:"alpha_ns"` // the time that a round takes without propagation
	// DelayCovers is what `delay_ns` consists of: `hops`, or `hops and propagation`.
	DelayCovers string `json:"delay_covers"`
	// Torus is the run beside an ideal three-dimensional torus of as many nodes and as much bandwidth per node, by
	// the formulas of the paper; docs/internals/reproduction.md.
	Torus rounds.Torus `json:"torus"`
	// Bounds is the run beside section II of the paper; left out without `--bounds`.
	Bounds *rounds.Bounds `json:"bounds,omitempty"`
	// Against is the run beside another machine as planned; left out without `--against`.
	Against *againstReport `json:"against,omitempty"`
}

// againstReport is a run on a planned machine beside the plan of another.
type againstReport struct {
	Machine string `json:"machine"` // its name in the machine file
	Family  string `json:"family"`  // that of its topology
	rounds.Against
}

// run simulates in rounds, draws the chart of --chart, and prints the report.
func (s *roundsCommand) run(cmd *cobra.Command, args []string, wrong []error) error {
	if err := s.check(cmd, args, wrong); err != nil {
		return cli.InputError(err)
	}
	opt := &s.opt
	report := &roundsReport{Model: "rounds", DelayCovers: "hops"}
	progress := meter.New(cmd.ErrOrStderr())
	defer progress.Clear()
	var err error
	if len(args) == 0 {
		if err = s.inlineMachine(s.topology[0]); err == nil {
			err = s.affordRounds(cmd.Context())
		}
	} else {
		report.DelayCovers = "hops and propagation"
		report.Machine, err = s.plan(cmd, args[0], progress)
	}
	if err != nil {
		return err
	}
	if opt.Valiant, err = rounds.ParseValiant(s.valiant, opt.Topology.Levels); err != nil {
		return cli.Spelled(err, roundsFlags)
	}
	if s.bounds { // again, as the capacities of the topology are known now
		if err := opt.CheckBounds(); err != nil {
			return cli.Spelled(err, roundsFlags)
		}
	}
	opt.Progress = func(stage string) { progress.Stage(stage, 0, 1) }
	report.Result, err = rounds.Run(cmd.Context(), *opt)
	progress.Clear()
	if err != nil {
		return cli.Spelled(err, roundsFlags)
	}
	report.Topology.LevelCapacity.Capacity = opt.Capacity
	report.Topology.Params, report.Mode, report.Load, report.Destinations = opt.Topology, opt.Mode, opt.Load,
		opt.Destinations
	report.ValiantLevel, report.Loss, report.FailNodes, report.FailLinks = opt.Valiant, opt.Loss, opt.FailNodes,
		opt.FailLinks
	report.Seed, report.Alpha, report.Torus = opt.Seed, opt.Alpha, report.Result.Torus()
	if s.bounds {
		report.Bounds = new(report.Result.Bounds(*opt))
	}
	if s.against != "" {
		if report.Against, err = s.compare(cmd, report.Result, progress); err != nil {
			return err
		}
		progress.Clear()
	}
	if s.chartFile != "" {
		name := "CLEX in rounds"
		if report.Machine != "" {
			name = report.Machine
		}
		d, err := chart.Remaining(report.Result, name, s.style)
		if err != nil {
			return err
		}
		err = outfile.Write(cmd.Context(), s.chartFile, func(w io.Writer) error {
			return d.Write(cmd.Context(), w, s.format)
		})
		if err != nil {
			return cli.InputUnlessDiagnosed(err)
		}
	}
	if s.asJSON {
		return render.Document(cmd.Context(), cmd.OutOrStdout(), report)
	}
	return printRounds(cmd.OutOrStdout(), report)
}

// check reads the flags and returns wrong with all mistakes that can be found without a topology.
func (s *roundsCommand) check(cmd *cobra.Command, args []string, wrong []error) error {
	opt := &s.opt
	share := func(field, text string) float64 {
		x, err := units.ParseShare(text)
		if err != nil {
			wrong = append(wrong, cli.Spelled(diag.Fieldf(field, "%v", err), roundsFlags))
		}
		return x
	}
	opt.Seed, opt.Alpha = s.seed, s.hop
	opt.Loss, opt.FailNodes, opt.FailLinks = share("Loss", s.loss), share("FailNodes", s.failNodes),
		share("FailLinks", s.failLinks)
	if s.load != "" {
		var err error
		if opt.Load, err = strconv.Atoi(s.load); err != nil {
			opt.Load = 1
			wrong = append(wrong, fmt.Errorf("--load: must be a number of messages, at least 1, not %q", s.load))
		}
	}
	switch {
	case len(args) == 0 && len(s.topology) == 0:
		wrong = append(wrong, errNoMachine)
	case len(args) > 1 || len(s.topology) > 1:
		wrong = append(wrong, errors.New("the model of rounds takes one machine"))
	case len(args) > 0 && len(s.topology) > 0:
		wrong = append(wrong, errors.New("--topology: the machine file has one already"))
	case len(args) == 0 && s.against != "":
		wrong = append(wrong, errors.New("--against: a topology has no lengths to compare; give a machine file"))
	}
	if s.chartFile != "" {
		var err error
		if s.format, err = chart.FormatOf(s.chartFile, chart.CSV); err != nil {
			wrong = append(wrong, fmt.Errorf("--chart: %w", err))
		}
	}
	for _, name := range []string{"size", "no-title"} {
		if s.chartFile == "" && cmd.Flags().Changed(name) {
			wrong = append(wrong, fmt.Errorf("--%s: goes with --chart only", name))
		}
	}
	if style, err := s.look.Style(); err != nil {
		wrong = append(wrong, err)
	} else {
		s.style = style
	}
	wrong = append(wrong, needsRoom(cmd, args, "beta-ns-per-m")...)
	o := s.override(cmd)
	o.Hop = nil // which is one of the options, too
	checks := []error{o.Check(), opt.Check(), rounds.CheckValiant(s.valiant)}
	if s.bounds {
		checks = append(checks, opt.CheckBounds())
	}
	for _, err := range checks {
		if err != nil {
			wrong = append(wrong, cli.Spelled(err, roundsFlags))
		}
	}
	return errors.Join(wrong...)
}

// inlineMachine sets the topology of the options to that of --topology, which may also be the name of a machine file;
// its room is not used. A family for which there is no model of rounds is an error.
func (s *roundsCommand) inlineMachine(text string) error {
	spec, err := cli.TopologySpec(text)
	if err != nil {
		return err
	}
	if s.opt.Topology, err = rounds.Machine(spec); err != nil {
		return cli.Spelled(err, roundsFlags)
	}
	s.opt.Capacity = spec.LevelCapacity.Capacity
	if _, err := topology.New(spec); err != nil {
		return cli.InputError(err)
	}
	return nil
}

// plan plans the machine of a file and sets the options that follow from it. It
// returns the machine's name.
func (s *roundsCommand) plan(cmd *cobra.Command, file string, p *meter.Line) (string, error) {
	spec, err := cli.LoadSpec([]string{file})
	if err != nil {
		return "", err
	}
	fabric, err := spec.Fabric(s.fabric)
	if err != nil {
		return "", cli.Spelled(err, cli.FabricFlags)
	}
	if s.opt.Topology, err = rounds.Machine(fabric.Topology); err != nil {
		return "", cli.Spelled(err, roundsFlags)
	}
	s.opt.Capacity = fabric.Topology.LevelCapacity.Capacity
	if err := s.affordRounds(cmd.Context()); err != nil { // before it is planned
		return "", err
	}
	plan, network, err := s.planned(cmd, spec, machine.Options{Progress: p.Stage})
	if err != nil {
		return "", err
	}
	o := s.override(cmd)
	wires := network.Wires(o)
	if wires == nil {
		return "", noLengths(file, plan)
	}
	kinds := network.Graph.Kinds()
	s.opt.Alpha = network.Model.With(kinds, o).NodeHop(kinds)
	s.opt.Wire, err = rounds.BundledWire(s.opt.Topology, wires)
	return plan.Spec.Name, err
}

// compare plans the machine of --against, which has one topology without switches, and compares the run with its
// delays.
func (s *roundsCommand) compare(cmd *cobra.Command, r *rounds.Result, p *meter.Line) (*againstReport, error) {
	spec, err := cli.NamedSpec(s.against)
	if err != nil {
		return nil, cli.InputUnlessDiagnosed(err)
	}
	if len(spec.Fabrics) > 0 {
		return nil, cli.Inputf("--against: %s has several fabrics (%s); name a machine with one topology",
			s.against, strings.Join(spec.FabricNames(), ", "))
	}
	plan, err := machine.PlanWith(cmd.Context(), spec, machine.Options{Summary: true, Paths: true, Progress: p.Stage})
	if err != nil {
		return nil, cli.AsInput(err)
	}
	switch {
	case plan.Counts.Switches > 0:
		return nil, cli.Inputf("--against: the bandwidth of a node is divided among its links, so that a "+
			"machine without switches is needed, not a %s", plan.Graph.Family())
	case plan.Delay == nil || plan.Delay.Pairs == 0:
		return nil, cli.Inputf("--against: %s has no paths to compare with", plan.Spec.Name)
	}
	p.Stage("bounding the bisection", 0, 1)
	b, err := measure.Bisect(cmd.Context(), plan.Graph, measure.Routers, measure.BisectionOptions{Seed: s.seed})
	if err != nil {
		return nil, err
	}
	d := plan.Delay
	wire, total := d.Least(plan.Model.NodeHop(plan.Graph.Kinds()), s.override(cmd))
	return &againstReport{plan.Spec.Name, plan.Graph.Family(), r.Against(rounds.Direct{
		Nodes: plan.Counts.Nodes, Links: plan.Counts.Links, Hops: d.HopsMean, Path: d.PathMean,
		Wire: wire, Delay: total, Exact: d.Exact, Cut: b.Upper,
	})}, nil
}

// printRounds prints a report for people.
func printRounds(w io.Writer, r *roundsReport) error {
	var b strings.Builder
	form := "full"
	clex := r.Topology.Params.(topology.CLEX)
	if clex.Bundled {
		form = "bundled"
	}
	if r.Machine != "" {
		fmt.Fprintf(&b, "%s: ", r.Machine)
	}
	fmt.Fprintf(&b, "clex of %d levels, cliques of %d, %s\n\n", clex.Levels, clex.Clique, form)
	t := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	row := func(format string, args ...any) { fmt.Fprintf(t, "  "+format+"\n", args...) }
	row("nodes\t%s", english.Grouped(int64(r.Nodes)))
	row("messages\t%s, %d a node, %s traffic", english.Grouped(r.Messages), r.Load, r.Mode)
	row("delivered\t%s", english.Grouped(r.Delivered))
	if r.Lost > 0 || r.Loss > 0 {
		row("lost\t%s", english.Grouped(r.Lost))
	}
	if r.Undeliverable > 0 || r.FailNodes > 0 || r.FailLinks > 0 {
		row("undeliverable\t%s, of which %s from or to failed nodes", english.Grouped(r.Undeliverable),
			english.Grouped(r.DeadEnds))
	}
	row("rounds\t%.2f mean, %d most of any message", r.Rounds, r.RoundsMax)
	row("hops\t%.2f mean", r.Hops)
	covers := "hops only: without a room there are no lengths"
	if r.DelayCovers != "hops" {
		covers = "hops and propagation"
	}
	row("delay\t%.1f ns mean, %.1f median, %.1f 99th percentile, %.1f most", float64(r.Delay.Mean),
		float64(r.Delay.P50), float64(r.Delay.P99), float64(r.Delay.Max))
	row("\t(%s; %v a round)", covers, r.Alpha)
	t.Flush()

	table := [][]string{{"level", "max rounds", "mean rounds", "max mean load", "mean hops"}}
	for _, l := range r.Levels {
		table = append(table, []string{
			fmt.Sprint(l.Level), fmt.Sprint(l.MaxRounds), fmt.Sprintf("%.3f", l.AvgRounds),
			fmt.Sprintf("%.2f", l.MaxAvgLoad), fmt.Sprintf("%.3f", l.AvgHops),
		})
	}
	b.WriteString("\n")
	cli.WriteTable(&b, table)

	table = [][]string{{"phases in a clique", "messages left"}}
	for phase, n := range r.RemainingByPhase {
		table = append(table, []string{fmt.Sprint(phase), english.Grouped(n)})
	}
	b.WriteString("\n")
	cli.WriteTable(&b, table)

	b.WriteString("\nAgainst an ideal torus of as many nodes\n")
	t = tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	row("hops\t%.1f mean: %.2f times the rounds here, %.2f times the hops", r.Torus.HopsMean, r.Torus.HopFactor,
		r.Torus.PathFactor)
	row("propagation\t%.2f times a shortest path, by rounds; %.2f by hops", r.Torus.PropagationRatio,
		r.Torus.PropagationRatioHops)
	row("bandwidth\t%.2f times the bound of its bisection; %.2f if both directions of the cut count",
		r.Torus.BandwidthGain, r.Torus.BandwidthGainDuplex)
	t.Flush()
	if r.Bounds != nil {
		printBounds(&b, r)
	}
	if r.Against != nil {
		r.Against.print(&b)
	}
	return cli.Print(w, b.String())
}

// printBounds adds the bounds of the paper to a report for people.
func printBounds(b *strings.Builder, r *roundsReport) {
	x := r.Bounds
	clique, levels := r.Topology.Params.(topology.CLEX).Clique, len(r.Levels)
	b.WriteString("\nBounds of section II of the paper\n")
	t := tabwriter.NewWriter(b, 0, 4, 2, ' ', 0)
	row := func(format string, args ...any) { fmt.Fprintf(t, "  "+format+"\n", args...) }
	row("messages of a node\t%s sent and %s received at most; its links carry %d a round each way",
		english.Grouped(int64(r.SentMax)), english.Grouped(int64(r.ReceivedMax)), x.PerRound)
	row("any algorithm\tat least %s (II-B)", english.Count(x.Least, "round"))
	row("A(%d)\t%s, if every step lasts as long as its slowest call", levels, english.Count(x.Rounds, "round"))
	row("theorem II.6\tO(%d/%d + log* %s) = O(%.2f): %.2f times as many", max(r.SentMax, r.ReceivedMax), clique,
		english.Grouped(int64(r.Nodes)), x.Whole.Order, x.Whole.Constant)
	row("corollary II.5\tO(%.2f/%d + log* %d) = O(%.2f) for a call in a clique; the slowest took %.2f times as many",
		r.Levels[0].MaxAvgLoad, clique, clique, x.Clique.Order, x.Clique.Constant)
	row("\t(with high probability; the paper states no constants, and says that they grow exponentially in the levels)")
	t.Flush()
	table := [][]string{{"level", "calls", "max rounds", "at least"}}
	for k, l := range x.Levels {
		least := "-"
		if l.Least != nil {
			least = fmt.Sprint(*l.Least)
		}
		table = append(table, []string{
			fmt.Sprint(l.Level), fmt.Sprint(l.Calls), fmt.Sprint(r.Levels[k].MaxRounds), least,
		})
	}
	b.WriteString("\n")
	cli.WriteTable(b, table)
}

// print adds the comparison to a report for people.
func (a *againstReport) print(b *strings.Builder) {
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
