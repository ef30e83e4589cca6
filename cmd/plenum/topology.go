package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/render/diagram"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/graphio"
	"github.com/plenum-planner/plenum/topology/measure"
	"github.com/plenum-planner/plenum/topology/names"
	"github.com/plenum-planner/plenum/units"
)

func newTopology() *cobra.Command {
	var t topologyCommand
	cmd := &cobra.Command{
		Use:   "topology SPEC",
		Short: "Measure a topology: links, distances, bisection, failures",
		Long: `Measure a topology. SPEC is the topology section of a machine file, written
inline, or the name of a machine file:

  plenum topology '{family: torus, dims: [32, 32, 32]}'
  plenum topology machine.yaml

Distances are between the routers of a direct network, and between the terminals
of a tree; terminal_* are always from terminal to terminal. The standard
deviation counts the pairs of a vertex with itself. The bisection is bracketed by
computing; what a formula of the family's source says stands beside it.

--metrics selects what is worked out besides the counts:

  hops          distances, network cost, Moore bound
  bisection     bounds from below and above
  paths         how many paths there are between routers: minimal, disjoint
  availability  detours when a single link or router fails
  failures      distances when a share of the links or routers fails at random

A graph of more than 16,777,216 vertices or 134,217,728 links is not searched:
the figures that its family has in closed form are printed, and the others are named as not
measured.

With --draw, the graph is drawn instead: up to 500 vertices one by one, in tiers, in
a lattice or on a circle; with more, as a map of how many channels join which groups.

With --from and --to, vertices by name, label or number, the paths between these two
are counted instead: the shortest, those of at most --within hops, and how many of
each share no link, where parallel links between two vertices count as one. --without,
the two ends of a link, counts them once more without the links between these ends:

  plenum topology '{family: hyperx, dims: [4, 4], terminals: 1}' --from '(0,0)' \
    --to '(1,1)' --without '(0,0) - (1,0)'

With --export, the graph itself is written instead, to
standard output or to the file of -o.`,
		Args: cli.Usage(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return t.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.StringSliceVar(&t.metrics, "metrics", []string{"hops", "bisection"},
		"figures to work out: all, or some of "+strings.Join(metricNames(), ", "))
	f.StringSliceVar(&t.failLinks, "fail-links", nil, "shares of the links that fail at random, like 1%,5%")
	f.StringSliceVar(&t.failRouters, "fail-routers", nil, "shares of the routers that fail at random")
	f.IntVar(&t.draws, "draws", 5, "times that random failures are drawn")
	f.Uint64Var(&t.seed, "seed", 0, "seed of random draws")
	f.StringVar(&t.from, "from", "", "count the paths from this vertex")
	f.StringVar(&t.to, "to", "", "to this one")
	f.IntVar(&t.within, "within", 0, "with --from: bound of the hops of a path (default one more than the fewest)")
	f.StringArrayVar(&t.without, "without", nil,
		"with --from: links that fail, by their ends, as 'A - B'; may be given several times")
	cli.FabricFlag(f, &t.fabric)
	f.StringVar(&t.export, "export", "", "write the graph: "+strings.Join(exportNames(), ", "))
	f.StringVarP(&t.output, "output", "o", "", "file to export to")
	f.StringVar(&t.draw, "draw", "", "draw the graph into this file instead: .png, .svg or .pdf")
	f.BoolVar(&t.asJSON, "json", false, "print one JSON document")
	cmd.AddCommand(newTopologyList())
	cmd.AddCommand(newTopologySizes())
	return cmd
}

func metricNames() []string {
	var names []string
	for _, m := range measure.AllMetrics() {
		names = append(names, string(m))
	}
	return names
}

// topologyCommand holds the flags of plenum topology.
type topologyCommand struct {
	metrics                []string
	failLinks, failRouters []string
	draws                  int
	seed                   uint64
	from, to               string
	within                 int
	without                []string
	export, output, fabric string
	draw                   string
	asJSON                 bool
}

func (t *topologyCommand) run(cmd *cobra.Command, arg string) error {
	opt, err := t.options(cmd)
	if err != nil {
		return cli.InputError(err)
	}
	var g topology.Graph
	var called *names.Names
	if err := cli.Heard(cmd.Context(), func() (err error) { // whose graph may be drawn at random, for seconds
		g, called, err = cli.TopologyOf(arg, t.fabric)
		return err
	}); err != nil {
		return err
	}
	if file, ok := g.(topology.Advised); ok && g.Family() == (graphio.File{}).Family() {
		for _, note := range file.Advice() {
			fmt.Fprintf(cmd.ErrOrStderr(), "note: %s\n", note)
		}
	}
	switch {
	case t.draw != "":
		subject := diagram.Subject{Name: drawnName(arg, g), Graph: g, Label: called.NameOrAddress}
		return drawTopologies(cmd, "", []*diagram.Subject{&subject}, t.draw)
	case t.export != "":
		return exportGraph(cmd, render.Named(g, called), exports[t.export], t.output)
	case t.from != "":
		if n := topology.Vertices(g); n > measure.MaxSearched {
			return cli.Inputf("%s: %s vertices are more than the %s between which paths are searched",
				g.Family(),
				english.Grouped(int64(n)), english.Grouped(measure.MaxSearched))
		}
		if err := cli.Walkable(g, "on which paths are searched"); err != nil {
			return err
		}
		return t.pair(cmd, g, called)
	}
	measured := make(chan *measure.Metrics, 1)
	err = cli.Heard(cmd.Context(), func() error {
		m, err := measure.Measure(cmd.Context(), g, *opt)
		measured <- m
		return err
	})
	if errors.As(err, new(*measure.TooManyVerticesError)) || errors.As(err, new(*measure.TooManyLinksError)) {
		return cli.InputError(err)
	}
	if err != nil {
		return err
	}
	if t.asJSON {
		return render.Document(cmd.Context(), cmd.OutOrStdout(), <-measured)
	}
	return printTopology(cmd.OutOrStdout(), <-measured)
}

// options checks all flags and returns what to measure.
func (t *topologyCommand) options(cmd *cobra.Command) (*measure.MeasureOptions, error) {
	var wrong []error
	refuse := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	opt := &measure.MeasureOptions{Seed: t.seed, Draws: t.draws}
	for _, name := range t.metrics {
		switch {
		case name == "all":
			opt.Metrics = measure.AllMetrics()
		case slices.Contains(measure.AllMetrics(), measure.Metric(name)):
			opt.Metrics = append(opt.Metrics, measure.Metric(name))
		default:
			wrong = append(wrong, cli.NoValue("metrics", "metric", name, metricNames()))
		}
	}
	shares := func(flag string, list []string, add func(share float64)) {
		for _, text := range list {
			share, err := units.ParseShare(text)
			if err != nil {
				refuse("--%s: %v", flag, err)
				continue
			}
			add(share)
		}
	}
	shares("fail-links", t.failLinks, func(x float64) { opt.Failed = append(opt.Failed, measure.Failure{Links: x}) })
	shares("fail-routers", t.failRouters,
		func(x float64) { opt.Failed = append(opt.Failed, measure.Failure{Routers: x}) })
	if len(opt.Failed) > 0 {
		opt.Metrics = append(opt.Metrics, measure.MetricFailures)
	}
	if t.draws < 1 || t.draws > 1_000_000 {
		refuse("--draws: must be from 1 to 1000000, not %d", t.draws)
	}
	measured := false
	for _, name := range []string{"metrics", "fail-links", "fail-routers", "draws", "seed"} {
		measured = measured || cmd.Flags().Changed(name)
	}
	_, known := exports[t.export]
	switch {
	case t.export == "" && t.output != "":
		refuse("-o goes with --export")
	case t.export != "" && !known:
		wrong = append(wrong, cli.NoValue("export", "format", t.export, exportNames()))
	case t.export != "" && (t.asJSON || measured || t.from != "" || t.to != ""):
		refuse("--export writes the graph: it goes with -o alone")
	}
	if err := t.checkDraw(measured); err != nil {
		wrong = append(wrong, err)
	}
	if err := t.checkPair(cmd, measured); err != nil {
		wrong = append(wrong, err)
	}
	return opt, errors.Join(wrong...)
}

// checkPair checks --from and --to and the flags that go with them.
func (t *topologyCommand) checkPair(cmd *cobra.Command, measured bool) error {
	within := cmd.Flags().Changed("within")
	switch {
	case (t.from == "") != (t.to == ""):
		return errors.New("--from and --to go together")
	case t.from == "" && (len(t.without) > 0 || within):
		return errors.New("--within and --without go with --from and --to")
	case within && (t.within < 1 || t.within > measure.MaxSearched):
		return fmt.Errorf("--within: must be from 1 to %d hops, not %d", measure.MaxSearched, t.within)
	case t.from != "" && measured:
		return errors.New("--from and --to count the paths between two vertices: they go with --within, --without " +
			"and --json alone")
	}
	return nil
}

// checkDraw checks --draw and what it goes with.
func (t *topologyCommand) checkDraw(measured bool) error {
	if t.draw == "" {
		return nil
	}
	if _, err := chart.FormatOf(t.draw); err != nil {
		return fmt.Errorf("--draw: %w", err)
	}
	if t.export != "" || t.output != "" || t.asJSON || measured || t.from != "" || t.to != "" {
		return errors.New("--draw draws the graph: it goes with --fabric alone")
	}
	return nil
}

// exports are the formats of graphs.
var exports = map[string]func(io.Writer, topology.Graph) error{
	"anynet": graphio.WriteAnynet, "dot": graphio.WriteDOT, "edges": graphio.WriteEdges,
	"graphml": graphio.WriteGraphML, "json": graphio.WriteJSON,
}

func exportNames() []string { return slices.Sorted(maps.Keys(exports)) }

// exportGraph writes a graph to the file output, whole or not at all, or to standard output if output is "". An error,
// such as a graph that the format cannot hold, is an input error.
func exportGraph(cmd *cobra.Command, g topology.Graph, write func(io.Writer, topology.Graph) error,
	output string,
) error {
	var err error
	if output != "" {
		err = outfile.Write(cmd.Context(), output, func(w io.Writer) error { return write(w, g) })
	} else {
		err = write(cmd.OutOrStdout(), g)
	}
	if err != nil {
		return cli.InputError(err)
	}
	return nil
}

// printTopology prints a report for people.
func printTopology(w io.Writer, r *measure.Metrics) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", r.Family)
	t := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	row := func(format string, args ...any) { fmt.Fprintf(t, "  "+format+"\n", args...) }
	row("vertices\t%s", english.Grouped(int64(r.Vertices)))
	if r.Switches > 0 {
		row("switches\t%s", english.Grouped(int64(r.Switches)))
	}
	if r.Terminals > 0 {
		row("terminals\t%s", english.Grouped(int64(r.Terminals)))
	}
	row("links\t%s", english.Grouped(r.Links))
	if r.SimplexLinks > 0 {
		row("simplex links\t%s", english.Grouped(r.SimplexLinks))
	}
	row("degree\t%d to %d", r.DegreeMin, r.DegreeMax)
	row("ports\t%d per router at most, %.4g per node", r.PortsPerRouter, r.PortsPerNode)
	printHops(row, r)
	if r.BisectionLower != nil {
		row("bisection\t%s to %s channels (%s)", english.Grouped(*r.BisectionLower), english.Grouped(*r.BisectionUpper),
			r.BisectionMethod)
	}
	if r.BisectionFormula != nil {
		row("bisection by formula\t%.6g (%s)", *r.BisectionFormula, r.FormulaSource)
	}
	if r.ThroughputUniform != nil && r.ThroughputWorst != nil {
		row("throughput\tat most %.4g of uniform traffic, %.4g of the worst (bound by %s), of what the ports send",
			*r.ThroughputUniform, *r.ThroughputWorst, r.ThroughputMethod)
	}
	if r.Efficiency != nil {
		row("efficiency\t%.4g channels of bisection per port, hop and node", *r.Efficiency)
	}
	for _, note := range r.NotMeasured {
		row("not measured\t%s", note)
	}
	t.Flush()
	table := [][]string{{"level", "links"}}
	several := slices.ContainsFunc(r.Levels, func(l measure.LevelLinks) bool { return l.Capacity > 1 })
	if several {
		table[0] = append(table[0], "capacity")
	}
	for _, l := range r.Levels {
		row := []string{l.Level, english.Grouped(l.Links)}
		if several {
			row = append(row, english.Grouped(int64(max(l.Capacity, 1))))
		}
		table = append(table, row)
	}
	b.WriteString("\nLinks by level\n")
	cli.WriteTable(&b, table)
	if len(r.HopsHistogram) > 0 {
		table = [][]string{{"hops", "ordered pairs"}}
		for h, c := range r.HopsHistogram {
			table = append(table, []string{fmt.Sprint(h), english.Grouped(int64(c))})
		}
		b.WriteString("\nDistances\n")
		cli.WriteTable(&b, table)
	}
	if r.Paths != nil {
		printPaths(&b, r.Paths)
	}
	if r.Availability != nil {
		printAvailability(&b, r.Availability)
	}
	if len(r.Failures) > 0 {
		printFailures(&b, r.Failures)
	}
	return cli.Print(w, b.String())
}

// printHops writes the distances, as far as they are known, and what follows from them.
func printHops(row func(format string, args ...any), r *measure.Metrics) {
	if r.Diameter == nil {
		return
	}
	if r.Unreachable > 0 {
		row("not connected\t%s pairs of %s have no path; distances are those of the others",
			english.Grouped(int64(r.Unreachable)), r.HopsOver)
	}
	row("diameter\t%d hops between %s", *r.Diameter, r.HopsOver)
	switch {
	case r.HopsStd != nil:
		row("mean distance\t%.6g hops; %.6g +- %.6g with self pairs", *r.HopsMean, *r.HopsMeanWithSelf, *r.HopsStd)
	case r.HopsMean != nil: // by a closed form
		row("mean distance\t%.6g hops; %.6g with self pairs", *r.HopsMean, *r.HopsMeanWithSelf)
	}
	if r.Terminals > 0 && r.TerminalHopsMean != nil {
		row("terminal to terminal\t%d hops at most, %.6g mean", *r.TerminalDiameter, *r.TerminalHopsMean)
	}
	if r.HopsMeanSE != nil {
		row("estimated\tfrom %d sources drawn, standard error of the mean %.3g; the diameter is a lower bound",
			r.HopsSources, *r.HopsMeanSE)
	}
	if r.NetworkCost != nil {
		row("network cost\t%.6g (degree %.4g x diameter)", *r.NetworkCost, r.CostDegree)
	}
	if r.MooreBound != nil {
		row("Moore bound\t%s routers: this graph has %.4g %%", english.Grouped(*r.MooreBound), 100*(1-*r.MooreGap))
	}
	if r.LargestKnown != nil {
		row("largest known\t%s routers of this degree and diameter (in 2016): this graph has %.4g %%",
			english.Grouped(*r.LargestKnown), 100*(1-*r.LargestKnownGap))
	}
	if r.HopsMeanBound != nil {
		row("least mean\t%.6g hops with so many routers of this degree", *r.HopsMeanBound)
	}
}

// describeSample returns the number of things measured, "drawn at random" after it unless they were all.
func describeSample(n int, exact bool, what string) string {
	if exact {
		return fmt.Sprintf("%s %s", english.Grouped(int64(n)), what)
	}
	return fmt.Sprintf("%s %s drawn at random", english.Grouped(int64(n)), what)
}

func printPaths(b *strings.Builder, p *measure.PathDiversity) {
	fmt.Fprintf(b, "\nPaths between routers (%s)\n", describeSample(p.Pairs, p.Exact, "pairs"))
	table := [][]string{{"paths", "least", "mean", "most"}}
	for _, row := range []struct {
		name string
		s    measure.Spread
	}{
		{"with the fewest hops", p.Minimal},
		{"of these, sharing no link", p.MinimalDisjoint},
		{"sharing no link", p.LinkDisjoint},
		{"sharing no router", p.NodeDisjoint},
	} {
		table = append(table, []string{
			row.name, fmt.Sprintf("%.6g", row.s.Min), fmt.Sprintf("%.6g", row.s.Mean),
			fmt.Sprintf("%.6g", row.s.Max),
		})
	}
	cli.WriteTable(b, table)
}

func printAvailability(b *strings.Builder, a *measure.Availability) {
	b.WriteString("\nWhen one fails: detours of the pairs that it joined\n")
	table := [][]string{{
		"fails", "looked at", "pairs", "cut off", "mean extra hops", "mean routes",
		"worst: extra hops", "routes",
	}}
	for _, row := range []struct {
		name, many string
		s          measure.DetourStats
	}{{"link", "links", a.Links}, {"router", "routers", a.Routers}} {
		table = append(table, []string{
			row.name, describeSample(row.s.Failures, row.s.Exact, row.many), english.Grouped(int64(row.s.Pairs)),
			english.Grouped(int64(row.s.Lost)),
			fmt.Sprintf("%.4g", row.s.ExtraMean), fmt.Sprintf("%.4g", row.s.RoutesMean), fmt.Sprint(row.s.Worst.Extra),
			fmt.Sprint(row.s.Worst.Routes),
		})
	}
	cli.WriteTable(b, table)
}

func printFailures(b *strings.Builder, rows []measure.FailureRow) {
	b.WriteString("\nRandom failures\n")
	table := [][]string{{
		"links failed", "routers failed", "draws", "pairs connected", "draws whole", "mean hops",
		"diameter",
	}}
	for _, r := range rows {
		table = append(table, []string{
			fmt.Sprintf("%.4g %%", 100*r.Links), fmt.Sprintf("%.4g %%", 100*r.Routers), fmt.Sprint(r.Draws),
			fmt.Sprintf("%.4f %%", 100*r.Connected), fmt.Sprintf("%.4g %%", 100*r.Whole), fmt.Sprintf("%.5g", r.Mean),
			fmt.Sprint(r.Diameter),
		})
	}
	cli.WriteTable(b, table)
}

func newTopologyList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the families of topologies and their parameters",
		Args:  cli.Usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return render.Document(cmd.Context(), cmd.OutOrStdout(), &familyReport{familyList()})
			}
			return printFamilies(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// familyReport is the document of topology list.
type familyReport struct {
	Families []familyEntry `json:"families"` // all there are
}

type familyEntry struct {
	Family      string        `json:"family"`      // its name in `topology: {family: ...}`
	Description string        `json:"description"` // what it is
	Source      string        `json:"source"`      // the publication that it is from
	Parameters  []familyParam `json:"parameters"`  // those that it takes
}

type familyParam struct {
	Name        string `json:"name"`        // its key in machine files
	Description string `json:"description"` // what it says
	Required    bool   `json:"required"`    // whether it must be given
}

func familyList() []familyEntry {
	var out []familyEntry
	for _, f := range topology.Families() {
		e := familyEntry{f.Name, f.Doc, f.Source, []familyParam{}}
		for _, p := range f.Params {
			e.Parameters = append(e.Parameters, familyParam{p.Name, p.Doc, p.Required})
		}
		out = append(out, e)
	}
	return out
}

func printFamilies(w io.Writer) error {
	var b strings.Builder
	for i, f := range familyList() {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s: %s\n", f.Family, f.Description)
		t := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
		for _, p := range f.Parameters {
			need := ""
			if p.Required {
				need = " (required)"
			}
			fmt.Fprintf(t, "  %s\t%s%s\n", p.Name, p.Description, need)
		}
		t.Flush()
		fmt.Fprintf(&b, "  source: %s\n", f.Source)
	}
	return cli.Print(w, b.String())
}
