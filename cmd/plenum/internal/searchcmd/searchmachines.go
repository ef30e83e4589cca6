package searchcmd

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/study/machines"
	"github.com/plenum-planner/plenum/study/sweep"
)

// machinesCommand is the flags of plenum search of a search file.
type machinesCommand struct {
	dir, engine, shard   string
	resume, wait, asJSON bool
	part                 sweep.Part
	charts               cli.ChartFlags
	drawn                chart.Options
}

// newSearchMachines is plenum search itself, of a search file; the searches of single families are below it.
func newSearchMachines() *cobra.Command {
	var m machinesCommand
	cmd := &cobra.Command{
		Use:   "search FILE",
		Short: "Find the best machines of any family that meet a requirement",
		Long: `Find the machines that meet the requirement of a search file, of all families: those
of which no other is better in both the objective and the mean delay. docs/search.md
has the keys.

  plenum search cheap.yaml -o found

Every configuration that plenum topology sizes knows in the range of nodes is
a candidate, and so are trees, grids and groups of more shapes. A candidate is skipped
if it violates an exact limit, or if a planned machine beats its lower bounds on cost
and delay; all others are planned. So no candidate is better than those listed.

With -o, what has been planned is kept in DIR/planned until the search ends: after
any kill, --resume goes on after it. --shard i/n plans a part of the candidates only,
for schedulers of clusters; the part that ends last writes what the whole search
would. The engine slurm submits a job array that plans all parts.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil // help
			}
			return cli.Usage(cobra.ExactArgs(1))(cmd, args)
		},
		RunE: m.run,
	}
	f := cmd.Flags()
	f.StringVarP(&m.dir, "output", "o", "", "directory for a machine file of each machine that is listed, "+
		"a chart, a workbook and tables")
	f.StringVar(&m.engine, "engine", "", "where candidates are planned: "+strings.Join(sweep.Engines(), ", ")+
		" (as in the search file when left out)")
	f.BoolVar(&m.resume, "resume", false, "go on after what is in DIR/planned")
	f.StringVar(&m.shard, "shard", "", "plan part i of n only, like 0/8, i from 0")
	f.BoolVar(&m.wait, "wait", false, "with the engine slurm, wait until no task is in the queue")
	f.BoolVar(&m.asJSON, "json", false, "print one JSON document")
	m.charts.Flags(f)
	cmd.AddCommand(newSearchStatus(), newSearchCancel())
	return cmd
}

// run makes a search.
func (m *machinesCommand) run(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	if err := m.check(cmd); err != nil {
		return cli.InputError(err)
	}
	var err error
	if m.drawn, err = searchCharts(cmd, m.dir); err != nil {
		return err
	}
	s, err := machines.Load(args[0])
	if err != nil {
		return cli.InputUnlessDiagnosed(err)
	}
	if m.engine != "" {
		s.Engine = m.engine
	}
	if m.shard != "" {
		s.Engine = sweep.Local // it is the part of a job
	}
	if m.wait && s.Engine != sweep.SlurmEngine {
		return cli.InputError(errors.New("--wait goes with the engine slurm"))
	}
	if s.Engine == sweep.SlurmEngine {
		if m.dir == "" {
			return cli.InputError(errors.New("--output is missing: the engine slurm needs a directory that all tasks " +
				"share"))
		}
		return m.cluster(cmd, s, args[0])
	}
	return m.local(cmd, s)
}

// check refuses flags that do not go together, or that say nothing.
func (m *machinesCommand) check(cmd *cobra.Command) error {
	var wrong []error
	m.part = sweep.Whole
	if m.engine != "" && !slices.Contains(sweep.Engines(), m.engine) {
		wrong = append(wrong, cli.NoValue("engine", "engine", m.engine, sweep.Engines()))
	}
	if cmd.Flags().Changed("shard") {
		var err error
		if m.part, err = sweep.ParsePart(m.shard); err != nil {
			wrong = append(wrong, fmt.Errorf("--shard: %w", err))
		}
		if m.engine == sweep.SlurmEngine {
			wrong = append(wrong, errors.New("--shard: the engine slurm plans all parts; a part is planned on this "+
				"machine"))
		}
	}
	for _, flag := range []string{"shard", "resume"} {
		if m.dir == "" && cmd.Flags().Changed(flag) {
			wrong = append(wrong, fmt.Errorf("--%s: goes with -o, where what has been planned is kept", flag))
		}
	}
	return errors.Join(wrong...)
}

// local makes a search, or a part of it, on the cores of this machine.
func (m *machinesCommand) local(cmd *cobra.Command, s *machines.Search) error {
	ctx := cmd.Context()
	if w := s.PlayedWorkload(); w != nil {
		if err := cli.Afford(ctx, cli.OpNeed.Times(float64(len(w.Schedule.Ops()))), "%s", w.Name); err != nil {
			return err
		}
	}
	progress := meter.New(cmd.ErrOrStderr())
	opt := machines.Options{Progress: progress.Stage}
	var err error
	if m.dir != "" {
		if opt.Work, err = s.Keep(m.dir, m.part, m.resume); err != nil {
			return refusedWork(err)
		}
	}
	var r *machines.Result
	if m.shard != "" {
		r, err = s.RunPart(ctx, opt, m.part)
	} else {
		r, err = s.Run(ctx, opt)
	}
	progress.Clear()
	if err != nil && ctx.Err() != nil && opt.Work != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "plenum: what has been planned is kept in %s; --resume goes on after it\n",
			diag.Escape(filepath.Join(m.dir, machines.PlannedDir)))
	}
	switch {
	case err != nil:
		return cli.AsInput(err)
	case r == nil:
		return printSearchStatus(ctx, cmd.OutOrStdout(), m.dir, m.part.Of, m.asJSON)
	}
	return m.finish(cmd, s, r, opt.Work)
}

// refusedWork marks as the user's to mend what is wrong with a directory of work.
func refusedWork(err error) error {
	if errors.As(err, new(*sweep.OtherStudyError)) || errors.As(err, new(*machines.BegunError)) ||
		errors.As(err, new(*sweep.DamagedError)) {
		return cli.InputError(err)
	}
	return err
}

// finish writes and prints what a search has found. The work of a search that was not divided is of no more use.
func (m *machinesCommand) finish(
	cmd *cobra.Command, s *machines.Search, r *machines.Result, work *machines.Work,
) error {
	if m.dir != "" {
		if err := s.Write(cmd.Context(), m.dir, r, m.drawn); err != nil {
			return cli.InputError(err)
		}
		if m.shard == "" {
			if err := work.Remove(); err != nil {
				return err
			}
		}
	}
	if m.asJSON {
		return render.Document(cmd.Context(), cmd.OutOrStdout(), r)
	}
	return printMachines(cmd.OutOrStdout(), r, m.dir, m.drawn)
}

// searchCharts is how the charts look that a search writes into a directory.
func searchCharts(cmd *cobra.Command, dir string) (chart.Options, error) {
	f := cmd.Flags()
	flags, err := cli.ReadChartFlags(f)
	if err != nil {
		return chart.Options{}, err
	}
	for _, name := range flags.Names() {
		if dir == "" && f.Changed(name) {
			return chart.Options{}, cli.InputError(fmt.Errorf("--%s: goes with -o, where the charts are written", name))
		}
	}
	o, err := flags.Options(cmd.ErrOrStderr())
	if err != nil {
		return o, cli.InputError(err)
	}
	return o, nil
}

// whyFallen says in words why candidates have fallen out.
var whyFallen = map[string]string{
	machines.ByWorkload:   "have fewer nodes than the workload takes",
	machines.ByDiameter:   "have too great a diameter",
	machines.ByThroughput: "cannot carry the traffic, by an upper bound",
	machines.ByLoad:       "carry too little over their shortest paths",
	machines.ByBisection:  "have too few channels between two halves",
	machines.ByRate:       "have slower ports",
	machines.Unplannable:  "cannot be planned",
	machines.ByPower:      "draw too much",
	machines.ByDelay:      "have too great a mean delay",
	machines.ByBounds:     "are no better than a planned machine, by lower bounds",
	machines.ByRules:      "break design rules",
	machines.Dominated:    "are planned and no better than another",
}

// scoreColumn reports whether no other column has the figure of the objective, and its heading.
func scoreColumn(r *machines.Result) (bool, string) {
	switch r.Objective {
	case machines.MoneyPerNode:
		return true, r.Currency + " per node"
	case machines.MoneyPerThroughput:
		return true, r.Currency + " per Gb/s"
	case machines.Metres:
		return true, "cables m"
	case machines.Weighted:
		return true, "objective " + r.Currency
	case machines.MoneyPerTokens:
		return true, r.Currency + " per token/s"
	}
	return false, ""
}

// groupedUnits writes figures below 1,000 with two digits behind the point, and those below 1 with three digits.
func groupedUnits(v float64) string {
	if v < 1 {
		return fmt.Sprintf("%.3g", v)
	}
	if v < 1000 {
		return fmt.Sprintf("%.2f", v)
	}
	return english.Grouped(int64(v + 0.5))
}

// levelTable has the ports of each level of a machine.
func levelTable(e *machines.Entry) [][]string {
	table := [][]string{{"level", "links", "capacity", "ports/link", "Gb/s/port"}}
	for _, l := range e.Levels {
		table = append(table, []string{
			l.Level, english.Grouped(l.Links), english.Grouped(int64(l.Capacity)), english.Grouped(int64(l.Ports)),
			cli.OrDash(int(l.Rate)),
		})
	}
	return table
}

// printMachines prints what was found for people, and what was written into a directory, if any.
func printMachines(w io.Writer, r *machines.Result, dir string, charts chart.Options) error {
	var b strings.Builder
	nodes := english.Grouped(int64(r.NodesMin))
	if r.NodesMax > r.NodesMin {
		nodes += " to " + english.Grouped(int64(r.NodesMax))
	}
	nodes += " nodes"
	if r.Fabric != "" {
		nodes += " of the fabric " + r.Fabric
	}
	fmt.Fprintf(&b, "%s of %s, by %s: %s\n\n", english.Count(r.Enumerated, "configuration"), nodes, r.Goal(),
		english.List(r.Families))
	if len(r.Front) > 0 {
		scored, heading := scoreColumn(r)
		played := r.Best.Step != nil
		var extra []string
		if played {
			extra = append(extra, "step s")
		}
		carriedHeading := "throughput"
		if r.Best.Load > 0 {
			carriedHeading = "load" // it is carried, where the throughput is a bound
		}
		if scored {
			extra = append(extra, heading)
		}
		const before = 5 // columns that these come after: the last do not fit a terminal
		table := [][]string{slices.Insert([]string{
			"topology", "nodes", "switches", "cables", "cost " + r.Currency, "power kW", "mean delay ns", "mean hops",
			carriedHeading,
		}, before, extra...)}
		for _, e := range r.Front {
			carried := "-"
			if e.Load > 0 {
				carried = fmt.Sprintf("%.3f", e.Load)
			} else if e.Throughput != nil {
				carried = fmt.Sprintf("%.3f", *e.Throughput)
			}
			extra = extra[:0]
			if played {
				extra = append(extra, fmt.Sprintf("%.4g", e.Step.Seconds))
			}
			if scored {
				extra = append(extra, groupedUnits(e.Score))
			}
			table = append(table, slices.Insert([]string{
				e.DisplayName(), english.Grouped(int64(e.Nodes)), cli.OrDash(e.Switches), english.Grouped(e.Cables),
				english.Grouped(int64(e.Cost + 0.5)), fmt.Sprintf("%.1f", e.Power/1000), fmt.Sprintf("%.1f", e.Delay),
				fmt.Sprintf("%.3f", e.Hops), carried,
			}, before, extra...))
		}
		cli.WriteTable(&b, table, "the files of -o")
	} else {
		b.WriteString("no configuration meets the requirement\n")
	}
	if r.Best != nil && r.Best.Levels != nil {
		b.WriteString("\nports of the first\n")
		cli.WriteTable(&b, levelTable(r.Best), "--json")
	}
	fmt.Fprintf(&b, "\n%s planned in full; no skipped candidate is better on both axes\n",
		english.Grouped(int64(r.Planned)))
	for _, p := range r.Pruned {
		fmt.Fprintf(&b, "  %s %s\n", english.Grouped(int64(p.Count)), whyFallen[p.Reason])
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", warning)
	}
	unpriced := map[string]bool{}
	for _, e := range r.Front {
		for _, l := range e.NotInBill {
			if !unpriced[l.Level] {
				unpriced[l.Level] = true
				fmt.Fprintf(&b, "note: costs leave out %s, for which the machine file names no part\n", l.Level)
			}
		}
		for _, u := range e.Unpriced {
			if !unpriced[u] {
				unpriced[u] = true
				fmt.Fprintf(&b, "note: %s has no price, and costs leave it out\n", u)
			}
		}
	}
	for _, s := range append(r.PowerNotes(), r.StepNotes()...) {
		fmt.Fprintf(&b, "note: %s\n", s)
	}
	var files []string
	for _, e := range r.Front {
		if e.File != "" {
			files = append(files, e.File)
		}
	}
	if dir != "" {
		for _, name := range machines.SummaryFiles(charts) {
			files = append(files, filepath.Join(dir, name))
		}
	}
	b.WriteString(cli.WrittenFiles(files))
	return cli.Print(w, b.String())
}
