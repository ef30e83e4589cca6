package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/build"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/deployability"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/study/ranking"
	"github.com/plenum-planner/plenum/units"
)

// mostCompared is the largest number of machines that compare accepts: up to there, the colours of its charts are
// distinct.
const mostCompared = 24

// compareCommand holds the flags of plenum compare.
type compareCommand struct {
	charts   cli.ChartFlags
	drawn    chart.Options
	dir      string
	fabrics  []string // none, one for all machines, or one for each
	asJSON   bool
	alphas   []float64
	beta     float64
	baseline int
	count    string
	equal    []string
	shuffles []string
	accepted ranking.Options
	scored   bool
	workload workloadFlags
	residual float64
	growth   float64
}

func newCompare() *cobra.Command {
	s := &compareCommand{}
	cmd := &cobra.Command{
		Use:   "compare FILE...",
		Short: "Plan several machines and set them side by side",
		Long: `Plan several machines and set them side by side: size, cables and metres by
medium, cost, power, hops and delay, bisection. A FILE is a machine file or the
name of an example (plenum init --help lists them).

  plenum compare torus-4096-racks torus-4096-cubes machine.yaml

compare.xlsx, compare.html and charts (delays.png, break-even.png, cost-delay.png,
cost.png, lengths.png) are written; the table and the break-even points are printed.

--accepted simulates packets on all machines, as plenum sim packets does, while every
node sends what its port carries, and ranks the machines by what their networks cost
for a Gb/s that is accepted:

  plenum compare a.yaml b.yaml --accepted uniform,longest-matching

--deployability adds how hard each machine is to build, to repair and to grow: types
of bundles, patch panels, harnesses, rewired links and steps of an expansion:

  plenum compare a.yaml b.yaml --deployability --residual 0.9

It needs --fabric for machines with several fabrics, of which it grows one.

A machine with several fabrics is compared as a whole: each fabric has its own rows, by
name, with "-" where a machine has none of that name. --fabric compares one fabric of
each machine, also where their names differ:

  plenum compare superpod-h100-4su superpod-b300-planes
  plenum compare superpod-h100-4su superpod-b300-planes --fabric compute,plane-1

--workload plays a step of a training job, or execution traces of MLCommons Chakra, on
all machines, as plenum sim goal does: the time of a step, and the tokens that a machine
trains by second, by cost and by power:

  plenum compare a.yaml b.yaml --workload job.yaml --ranks-per-node 8

--shuffle plans each machine once for each way to lead the lanes of ports that are split
at both ends, such as four planes out of one adapter: shuffles in the racks, octopus
cables, shuffles inside boxes, or the id of a panel of shuffles. A way that no part
supports is named with the reason:

  plenum compare mrc-8-planes --shuffle rack,octopus,box

Above the tables stands what the machines have in common besides the shapes of their
networks, and in what they differ: hop delays, parts, prices, density of racks. --equal
plans all of them with the same:

  plenum compare a.yaml b.yaml --equal hop=100ns,per_rack=32,switch=generic-switch-64x400g

"Own delay" is by each machine's own parts, with its own alpha, the mean hop delay, and
beta, the mean propagation delay. D is the CLEX paper's delay, alpha x hops + beta x
distance, at the same alpha and beta for all, with the routers that a path traverses in
place of hops unless --count hops asks for these; two machines break even at the
alpha/beta, in metres, at which their D is the same.

Machines of many nodes have their delays measured from drawn sources, which the
table says. Exit status 1 means that a plan breaks a design rule; the comparison
is made all the same.`,
		Args: cli.Usage(cobra.RangeArgs(1, mostCompared)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.run(cmd, args)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&s.fabrics, "fabric", nil, "compare this fabric of machines that have several, or one of each "+
		"machine, in their order, like compute,plane-1, with - for a machine with one topology")
	f.StringVarP(&s.dir, "output", "o", "compare-out",
		"directory to write the files into; \"\" writes none")
	s.charts.Flags(f)
	f.BoolVar(&s.asJSON, "json", false, "print the comparison as one JSON document")
	f.IntVar(&s.baseline, "baseline", 0, "number of the machine, from 1, that the others are set against: per cents "+
		"of its figures, and what differs in the machine files")
	f.StringVar(&s.count, "count", string(delay.Routers), "what D counts: "+countNames())
	f.StringSliceVar(&s.equal, "equal", nil, "plan all machines with the same hop delay of routers, part of "+
		"switches or nodes a rack: hop=TIME, switch=PART, per_rack=N, or several of these")
	f.StringSliceVar(&s.shuffles, "shuffle", nil, "plan each machine once for each way to lead lanes of split ports, "+
		"as cabling.shuffle has them: rack, octopus, box, none or the id of a panel")
	f.StringSliceVar(&s.accepted.Traffic, "accepted", nil, "simulate full load and rank machines by cost per "+
		"accepted Gb/s: "+strings.Join(patternNames(), ", ")+", or several "+
		"of these")
	f.BoolVar(&s.scored, "deployability", false, "score how hard the machines are to build, to repair and to grow")
	f.Float64Var(&s.residual, "residual", deployability.DefaultResidual,
		"share of its capacity that every switch keeps in a step of an expansion, for --deployability")
	f.Float64Var(&s.growth, "growth", deployability.DefaultGrowth,
		"nodes that an expansion adds at least, as a share of those that there are, for --deployability")
	s.workload.flags(f)
	f.Uint64Var(&s.accepted.Seed, "seed", 1, "of the random numbers of --accepted")
	f.Float64SliceVar(&s.alphas, "alpha-ns", nil,
		"hop delays at which D is compared, such as 10,100,500 (100 when left out)")
	f.Float64Var(&s.beta, "beta-ns-per-m", float64(machine.DefaultBeta), "propagation delay at which D is compared")
	return cmd
}

// run compares the machines of files and examples, writes the files of the comparison and prints it. A plan that
// violates a design rule is an error at the end, after all output.
func (s *compareCommand) run(cmd *cobra.Command, args []string) error {
	ways := max(len(s.shuffles), 1)
	if n := len(args) * ways; n < 2 || n > mostCompared {
		return cli.InputError(fmt.Errorf("%d machines to compare, must be from 2 to %d\nname several files, or one "+
			"and several ways with --shuffle", n, mostCompared))
	}
	opt, err := s.options(cmd, len(args)*ways)
	if err != nil {
		return cli.InputError(err)
	}
	if s.workload.file != "" {
		if opt.Play, err = s.workload.player(cmd.Context()); err != nil {
			return cli.InputUnlessDiagnosed(err)
		}
	}
	specs, err := cli.NamedSpecs(args)
	if err != nil {
		return err
	}
	fabrics, err := s.fabricOf(args, specs)
	if err != nil {
		return cli.Spelled(err, cli.FabricFlags)
	}
	if s.dir != "" {
		opt.Floor = render.FloorOf(cmd.Context())
	}
	progress := meter.New(cmd.ErrOrStderr())
	opt.Progress = progress.Stage
	var machines []machine.Candidate
	for i, m := range specs {
		c := machine.Candidate{File: args[i], Spec: m, Fabric: fabrics[i]}
		if len(s.shuffles) == 0 {
			machines = append(machines, c)
		}
		for _, c.Shuffle = range s.shuffles {
			machines = append(machines, c)
		}
	}
	c, err := comparison(cmd.Context(), machines, opt, s.accepted)
	progress.Clear()
	if err != nil {
		return cli.AsInput(cli.Spelled(err, compareFlags))
	}
	var files []string
	if s.dir != "" {
		if files, err = render.CompareFiles(cmd.Context(), c, s.dir, s.drawn); err != nil {
			return err
		}
	}
	if s.asJSON {
		err = render.Document(cmd.Context(), cmd.OutOrStdout(), c.Document())
	} else {
		err = printComparison(cmd.OutOrStdout(), c, files)
	}
	if err != nil {
		return err
	}
	return brokenPlans(c)
}

// fabricOf returns, for each machine, the name of the fabric to compare; "" for a machine with one topology, or one
// that is compared as a whole. The error is a diag.FieldError of Fabric that names the machine and what to write.
func (s *compareCommand) fabricOf(args []string, specs []*spec.Spec) ([]string, error) {
	out := make([]string, len(specs))
	if n := len(s.fabrics); n > 1 && n != len(specs) {
		return nil, diag.Fieldf("Fabric", "there are %d fabrics for %d machines\nname one for all machines, or one "+
			"for each, with - for a machine with one topology", n, len(specs))
	}
	whole := len(s.fabrics) == 0 && len(s.accepted.Traffic) == 0 && s.workload.file == "" && !s.scored
	for i, m := range specs {
		switch {
		case len(s.fabrics) == 1 && len(m.Fabrics) > 0:
			out[i] = s.fabrics[0]
		case len(s.fabrics) > 1 && s.fabrics[i] != "-":
			out[i] = s.fabrics[i]
		}
		if whole || len(m.Fabrics) == 0 && out[i] == "" {
			continue
		}
		if _, err := m.Fabric(out[i]); err != nil {
			for _, e := range diag.Fields(err) {
				do := cmp.Or(e.Suggestion, "write - for it")
				if len(s.fabrics) < 2 {
					do += "; a list like A,B names one fabric for each machine"
				}
				err = diag.Fieldf("Fabric", "%s: %s\n%s", args[i], e.Message, do)
			}
			return nil, err
		}
	}
	return out, nil
}

// compareFlags gives the flag that sets each field of the library's options, for errors about these fields; "" for a
// field that no flag sets.
var compareFlags = map[string]string{
	"Traffic": "accepted", "Equal": "equal", "Graph": "", "Residual": "residual", "Growth": "growth",
	"Shuffle": "shuffle",
}

// comparison compares machines; with simulations of accepted traffic if any traffic is given.
func comparison(ctx context.Context, machines []machine.Candidate, opt machine.CompareOptions, accepted ranking.Options,
) (*report.Comparison, error) {
	if len(accepted.Traffic) == 0 {
		return machine.Compare(ctx, machines, opt)
	}
	return ranking.Compare(ctx, machines, opt, accepted)
}

// options checks the flags and converts them to options of machine.Compare. The error lists all mistakes.
func (s *compareCommand) options(cmd *cobra.Command, machines int) (machine.CompareOptions, error) {
	var opt machine.CompareOptions
	var wrong []error
	for _, a := range s.alphas {
		if !(a >= 0) || a > 1e9 {
			wrong = append(wrong, fmt.Errorf("--alpha-ns: must be from 0 to 1e9, not %g", a))
		}
		opt.Alphas = append(opt.Alphas, units.Time(a))
	}
	if len(s.alphas) > 10 {
		wrong = append(wrong, fmt.Errorf("--alpha-ns: %d hop delays; at most 10 can be compared", len(s.alphas)))
	}
	if !(s.beta > 0) || s.beta > 1e9 {
		wrong = append(wrong, fmt.Errorf("--beta-ns-per-m: must be above 0 and at most 1e9, not %g", s.beta))
	}
	if s.baseline < 0 || s.baseline > machines {
		wrong = append(wrong, fmt.Errorf("--baseline: must be from 1 to %d, the number of a machine, not %d", machines,
			s.baseline))
	}
	if cmd.Flags().Changed("seed") && len(s.accepted.Traffic) == 0 {
		wrong = append(wrong, errors.New("--seed: goes with --accepted only"))
	}
	wrong = append(wrong, cli.Spelled(s.accepted.Check(), compareFlags))
	for _, flag := range []string{"residual", "growth"} {
		if cmd.Flags().Changed(flag) && !s.scored {
			wrong = append(wrong, fmt.Errorf("--%s: goes with --deployability only", flag))
		}
	}
	wrong = append(wrong, s.workload.check(cmd.Flags().Changed))
	if s.workload.file != "" && len(s.accepted.Traffic) > 0 {
		wrong = append(wrong, errors.New("--workload: does not go with --accepted"))
	}
	if s.scored {
		score := deployability.Options{Residual: &s.residual, Growth: s.growth}
		if s.growth == 0 {
			score.Growth = math.NaN() // 0 would be the default
		}
		wrong = append(wrong, cli.Spelled(score.Check(), compareFlags))
		opt.Score = func(p *machine.Result, n *machine.Network) (*report.Deployability, error) {
			d, err := deployability.Score(p, n, score)
			if err != nil {
				return nil, err
			}
			work, err := build.Of(cmd.Context(), p, build.Options{Draws: 1})
			if err != nil {
				return nil, err
			}
			d.Build = &report.BuildWork{
				Labour: work.Labour, Days: work.Days, Hours: report.Round(work.Hours),
				Least: report.Round(work.LowerBound), PersonHours: report.Round(work.PersonHours.Likely),
			}
			return d, nil
		}
	}
	drawn, err := s.charts.Options(cmd.ErrOrStderr())
	s.drawn, wrong = drawn, append(wrong, err)
	if opt.Count = delay.Count(s.count); !slices.Contains(delay.Counts(), opt.Count) {
		wrong = append(wrong, fmt.Errorf("--count: must be %s, not %q", countNames(), s.count))
	}
	if opt.Equal, err = spec.ParseEqual(s.equal); err != nil {
		wrong = append(wrong, fmt.Errorf("--equal: %w", err))
	}
	opt.Beta, opt.Baseline = units.Propagation(s.beta), s.baseline
	return opt, errors.Join(wrong...)
}

// countNames lists the values of --count, joined by "or".
func countNames() string {
	var out []string
	for _, c := range delay.Counts() {
		out = append(out, string(c))
	}
	return strings.Join(out, " or ")
}

// brokenPlans returns an error (exit status 1) that names the machines whose plans violate a design rule; nil if there
// are none.
func brokenPlans(c *report.Comparison) error {
	var names []string
	for i := range c.Machines {
		if m := &c.Machines[i]; m.Breaches > 0 {
			names = append(names, m.Machine)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return cli.Brokenf("cannot be built as they are: %s; plenum plan names the violations of "+
		"design rules", strings.Join(names, ", "))
}

// printComparison prints a comparison for people: tables with a column for each machine, under its number, and the
// names of the files that were written. Topologies are listed below each other, as they are too long for a column.
func printComparison(w io.Writer, c *report.Comparison, files []string) error {
	var b strings.Builder
	head := []string{""}
	for i := range c.Machines {
		fmt.Fprintf(&b, "%d  %s\n", i+1, c.Machines[i].Machine)
		head = append(head, fmt.Sprint(i+1))
	}
	fmt.Fprintf(&b, "\n%s\n", c.TermWords())
	warnings := c.TermWarnings()
	for _, w := range warnings {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	for _, r := range render.RankingTables(c) {
		fmt.Fprintf(&b, "\n%s\n", r.Title)
		cli.WriteTable(&b, append([][]string{r.Head}, r.Rows...))
	}
	var table [][]string
	flush := func() {
		if len(table) > 1 {
			cli.WriteTable(&b, table)
		}
		table = [][]string{head}
	}
	flush()
	for _, r := range render.CompareRows(c) {
		if r.Values == nil {
			flush()
			b.WriteString("\n" + r.Figure + "\n")
			continue
		}
		if r.Figure == "topology" {
			for i := range r.Values {
				fmt.Fprintf(&b, "  %d  %s\n", i+1, r.Text(i))
			}
			continue
		}
		row := []string{r.Figure}
		if r.Unit != "" {
			row[0] += ", " + r.Unit
		}
		for i := range r.Values {
			text := r.Text(i)
			if c.Baseline > 0 {
				if more := r.Against(i, c.Baseline-1); more != "" {
					text += " (" + more + ")"
				}
			}
			row = append(row, text)
		}
		for _, i := range bestOf(r) {
			row[1+i] = cli.Best(row[1+i])
		}
		table = append(table, row)
	}
	flush()
	if c.Baseline > 0 {
		fmt.Fprintf(&b, "\nPer cents are more than in %d, the baseline.\n", c.Baseline)
		for _, line := range render.DifferenceWords(c) {
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	if !c.AllWhole() {
		fmt.Fprintf(&b, "\nBreak-even, counting %s\n", c.Count.Words())
		for _, line := range render.FastestWords(c) {
			fmt.Fprintf(&b, "  %s\n", line)
		}
		b.WriteString(crossings(c))
	}
	for _, n := range render.CompareNotes(c)[len(warnings):] {
		fmt.Fprintf(&b, "\nnote: %s\n", n)
	}
	b.WriteString("\n" + cli.WrittenFiles(files))
	return cli.Print(w, b.String())
}

// crossings returns a table with a row for each pair of machines whose delays D are equal at some alpha/beta: that
// ratio in metres for the mean and the maximum, and the number of the machine with the lower mean D above it. It is ""
// if there are no such pairs.
func crossings(c *report.Comparison) string {
	var b strings.Builder
	table := [][]string{{"alpha/beta at which D is equal", "mean m", "most m", "least mean D above"}}
	for _, k := range c.Crossings() {
		row := []string{fmt.Sprintf("%d and %d", k.A+1, k.B+1), "-", "-", "-"}
		if k.Mean.Crosses {
			row[1] = fmt.Sprintf("%.3f", float64(k.Mean.Ratio))
			row[3] = fmt.Sprint(k.A + k.B + 1 - k.MoreHops)
		}
		if k.Max.Crosses {
			row[2] = fmt.Sprintf("%.3f", float64(k.Max.Ratio))
		}
		table = append(table, row)
	}
	if len(table) > 1 {
		b.WriteString("\n")
		cli.WriteTable(&b, table)
	}
	return b.String()
}

// Names of figures of a comparison for which the minimum or the maximum is the best.
var (
	bestIsLeast = []string{
		"cost per node", "network per node", "network cost", "power per node", "mean hops", "most hops",
		"own delay, mean",
		"own delay, most", "mean way", "violations of design rules, errors",
		"violations of design rules, warnings",
	}
	bestIsMost = []string{"rate per node, at least", "uniform traffic, per node", "worst traffic, per node"}
)

// bestOf returns the indexes of the machines with the best figure in a row. It returns none if all figures are equal,
// if one is missing, or if neither the minimum nor the maximum is the best.
func bestOf(r render.CompareRow) []int {
	sign := 0.0
	switch {
	case slices.Contains(bestIsLeast, r.Figure), strings.HasPrefix(r.Figure, "D at "):
		sign = -1
	case slices.Contains(bestIsMost, r.Figure):
		sign = 1
	default:
		return nil
	}
	best, worst := math.Inf(-1), math.Inf(1)
	values := make([]float64, len(r.Values))
	for i, v := range r.Values {
		switch of := reflect.ValueOf(v); {
		case v == nil:
			return nil
		case of.CanInt():
			values[i] = sign * float64(of.Int())
		case of.CanFloat(): // also the types of package units
			values[i] = sign * of.Float()
		default:
			return nil
		}
		best, worst = max(best, values[i]), min(worst, values[i])
	}
	var out []int
	for i, v := range values {
		if v == best && best > worst {
			out = append(out, i)
		}
	}
	return out
}
