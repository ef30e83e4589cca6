package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/asbuilt/edited"
	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/meter"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/units"
)

// planCommand holds the flags of plenum plan.
type planCommand struct {
	dir, effort, objective           string
	only                             []string
	asJSON, summary, rules, estimate bool
	checked                          bool
	model                            string
	uniform                          uniformDelay
	applied                          applied
}

func newPlan() *cobra.Command {
	var p planCommand
	cmd := &cobra.Command{
		Use:   "plan [FILE|SPEC]",
		Short: "Plan a machine: floor plan, bill of materials, cable schedule, delays",
		Long: `Plan the machine of a machine file, or an example by its name (without FILE, the
first example), and write floor.png, floor.svg, floor.pdf, floor.dxf, bom.xlsx,
bom.csv, orders.csv, install.csv, elevations.csv, elevations.pdf, ports.csv, cables.csv,
labels.csv, trays.csv, trays.png, trays.svg, bundles.csv, panels.csv, power.csv,
power-loads.csv, cooling.csv, placement.csv, report.html (everything on one page for a browser)
and plan.json.
Further files are written where --only names them, and so are formats of plenum render
for other tools, with all fabrics: --only plan.json,cables.csv,netbox,ptm.

The plan is summed up on standard output; with --json, as one JSON document (the
same as plan.json). Exit status 1 means that the plan breaks a design rule: the
files are written all the same, and the violations are listed.

With --effort, or an effort in the machine file, places are optimised. An
interrupt ends that, and the best places so far are planned; another one ends the
plan.

With --apply, the workbook bom.xlsx of an earlier plan of the same machine is read
back after people edited it: prices, places and names of boxes, positions of
racks, locks, marks of what is owned. What was taken is listed; when something
cannot be, nothing is written. With --save, a machine file that says so, too, is
written, with the comments of FILE: planned with the same flags, it gives the same
plan. It must not exist yet, unless it is FILE itself.

With --rules, the design rules are listed, and nothing is written. With a FILE
beside it, the machine is planned, and every rule has the number of its violations.

With --estimate, ports and cables are estimated without a room, from counts and a
length model, and nothing is written. A topology is enough:

  plenum plan --estimate '{family: torus, dims: [100, 100, 100]}'

With --check, the files of an earlier plan in the directory that is named (plan-out
when left out) are compared with its manifest.json, and nothing is written: exit
status 1 means that a file is missing, changed, or of another plan.

--model chooses how: parts (the machine's own, the default), or a published model
with its own layout: ` + strings.Join(cost.ModelNames()[1:], ", ") + `.`,
		Args: cli.Usage(cobra.MaximumNArgs(1)),
		RunE: p.run,
	}
	cmd.Flags().StringVarP(&p.dir, "output", "o", "plan-out",
		"directory to write the files into; \"\" writes none")
	cmd.Flags().StringSliceVar(&p.only, "only", nil,
		"files to write: "+strings.Join(render.Names(), ", ")+" (when left out, all but "+
			strings.Join(render.Asked(), ", ")+"); or formats of plenum render, for all fabrics: "+
			strings.Join(exported(), ", "))
	cmd.Flags().StringVar(&p.effort, "effort", "",
		"optimise places: "+strings.Join(spec.Efforts(), ", ")+" (as in the machine file when left out)")
	cmd.Flags().StringVar(&p.objective, "objective", "", "objective to minimize: "+
		strings.Join(spec.Objectives(), ", "))
	p.uniform.flags(cmd)
	p.applied.flags(cmd)
	cmd.Flags().BoolVar(&p.asJSON, "json", false, "print the plan as one JSON document")
	cmd.Flags().BoolVar(&p.estimate, "estimate", false, "estimate ports and cables only, without a room")
	cmd.Flags().StringVar(&p.model, "model", "",
		"how to estimate: "+strings.Join(cost.ModelNames(), ", ")+" (as in the machine file when left out)")
	cmd.Flags().BoolVar(&p.checked, "check", false, "compare the files of an earlier plan with its manifest")
	cmd.Flags().BoolVar(&p.rules, "rules", false, "list the design rules, and how a FILE keeps them")
	cmd.Flags().BoolVar(&p.summary, "summary", false, "leave out the cable schedule and the delays over paths")
	return cmd
}

// run plans a machine, writes its files and prints it. With --check, --estimate or --rules it does that instead. A plan
// that breaks a rule of severity error is an error with status 1, after all output.
func (p *planCommand) run(cmd *cobra.Command, args []string) error {
	if err := p.applied.check(cmd, args); err != nil {
		return cli.InputError(err)
	}
	if p.checked {
		return checkFiles(cmd, args, p.asJSON)
	}
	if p.estimate || cmd.Flags().Changed("model") {
		return runEstimate(cmd, args, p.estimate, p.model, p.asJSON)
	}
	if err := p.check(cmd); err != nil {
		return cli.InputError(err)
	}
	if p.rules && len(args) == 0 && p.applied.book == "" {
		return listRules(cmd.Context(), cmd.OutOrStdout(), nil, p.asJSON)
	}
	name, text, err := cli.Text(args)
	if err != nil {
		return cli.InputError(err)
	}
	s, err := machine.Parse(name, text)
	if err != nil {
		return err
	}
	if err := setEmbedding(s, p.effort, p.objective); err != nil {
		return cli.InputError(err)
	}
	if err := p.uniform.apply(cmd, s); err != nil {
		return cli.InputError(err)
	}
	progress := meter.New(cmd.ErrOrStderr())
	ctx, stop, stage := stoppable(cmd.Context(), progress.Stage)
	if p.applied.book != "" {
		opt := machine.Options{Summary: p.summary, Stop: stop, Progress: stage}
		if s, err = p.applied.apply(ctx, s, edited.Source{Name: name, Text: text}, opt); err != nil {
			progress.Clear()
			return cli.AsInput(err)
		}
	}
	opt := machine.Options{Summary: p.summary, Stop: stop, Progress: stage}
	var ahead ahead
	defer ahead.end()
	if !p.rules && len(p.only) == 0 && p.dir != "" {
		opt.Cabled = func(plan *machine.Result) {
			if p.checkOverwrite(plan) == nil {
				ahead.begin(ctx, plan, p.dir)
			}
		}
	}
	plan, err := machine.PlanWith(ctx, s, opt)
	progress.Clear()
	if err != nil {
		return cli.AsInput(err)
	}
	if p.applied.taken != nil {
		fmt.Fprint(cmd.ErrOrStderr(), p.applied.taken)
	}
	if p.rules {
		if err := listRules(cmd.Context(), cmd.OutOrStdout(), plan, p.asJSON); err != nil {
			return err
		}
		return checkViolations(cmd.ErrOrStderr(), plan, false)
	}
	if err := p.write(ctx, cmd, plan, &ahead); err != nil {
		return err
	}
	if err := p.applied.write(ctx, cmd.ErrOrStderr()); err != nil {
		return err
	}
	return checkViolations(cmd.ErrOrStderr(), plan, p.asJSON)
}

// check refuses flags that do not go together, and names in --only that are not known.
func (p *planCommand) check(cmd *cobra.Command) error {
	for _, name := range p.only {
		if known := namedByOnly(); !slices.Contains(known, name) {
			return cli.NoValue("only", "file", name, known)
		}
	}
	if p.dir == "" && len(p.only) > 0 {
		return errors.New("--only: names files to write, and -o \"\" writes none")
	}
	if p.summary && slices.Contains(p.only, "cables.csv") {
		return errors.New("--only: a summary has no cables.csv")
	}
	if p.rules && (cmd.Flags().Changed("output") || len(p.only) > 0 || p.applied.save != "") {
		return errors.New("--rules writes no files: it cannot be combined with -o, --only and --save")
	}
	return nil
}

// write writes the files of a plan into p.dir, none if that is "", and prints the summary, or the plan as JSON. If
// begun has begun to write them, it completes that.
func (p *planCommand) write(ctx context.Context, cmd *cobra.Command, plan *machine.Result, begun *ahead) error {
	for _, name := range p.only {
		if why := render.Lacks(plan, name); why != "" {
			return cli.InputError(errors.New("--only: " + why))
		}
	}
	if err := p.checkOverwrite(plan); err != nil {
		return cli.InputError(err)
	}
	opt, notes, err := p.filesOfOnly(ctx, plan)
	if err != nil {
		return cli.InputError(err)
	}
	var files []string
	if p.dir != "" {
		files, err = begun.files(ctx, plan, p.dir, opt)
	}
	if errors.As(err, new(*render.OtherMachineError)) || errors.As(err, new(exchange.LimitError)) {
		return cli.InputError(err)
	}
	if err != nil {
		return err
	}
	for _, format := range p.only {
		if x, ok := linkExports[format]; ok && x.file == "" {
			files = append(files, filepath.Join(p.dir, format))
		}
	}
	for _, note := range notes {
		fmt.Fprintln(cmd.ErrOrStderr(), "note:", note)
	}
	if p.asJSON {
		return render.JSON(ctx, cmd.OutOrStdout(), plan)
	}
	return printSummary(cmd.OutOrStdout(), plan, files)
}

// namedByOnly lists the values of --only: files of a plan, and formats for other tools.
func namedByOnly() []string { return append(render.Names(), exported()...) }

// filesOfOnly returns the options that select the files and formats of --only, and notes about what these files lack.
// Without --only, the options are zero: all files of a plan.
func (p *planCommand) filesOfOnly(ctx context.Context, plan *machine.Result) (render.Options, []string, error) {
	var opt render.Options
	var formats []string
	for _, name := range p.only {
		if slices.Contains(render.Names(), name) {
			opt.Only = append(opt.Only, name)
		} else if !slices.Contains(formats, name) {
			formats = append(formats, name)
		}
	}
	var notes []string
	var err error
	opt.More, notes, err = exportsOf(ctx, plan, p.dir, formats)
	return opt, notes, err
}

// checkOverwrite returns an error if files in p.dir from which the plan is made would be overwritten.
func (p *planCommand) checkOverwrite(plan *machine.Result) error {
	return errors.Join(checkOwnedDir(plan, p.dir), p.applied.checkDir(p.dir))
}

// checkOwnedDir returns an error if dir has the placement, the cables or the parts that the machine owns, from which
// the plan is made. A directory that does not exist is right.
func checkOwnedDir(plan *machine.Result, dir string) error {
	o := plan.Spec.Owned
	if o == nil {
		return nil
	}
	to, err := os.Stat(dir)
	if err != nil {
		return nil //nolint:nilerr // it is made
	}
	for _, file := range []string{o.Placement, o.Cables, o.Parts} {
		if from, err := os.Stat(filepath.Dir(file)); file != "" && err == nil && os.SameFile(from, to) {
			return fmt.Errorf("-o: %s has what the machine owns, from which it is planned; choose another directory",
				dir)
		}
	}
	return nil
}

// setEmbedding sets the effort and the objective of a spec to those of flags, unless these are "". The objective
// replaces weights as well; without an effort in the flags or the spec it is an error. The effort none removes the
// objective.
func setEmbedding(s *spec.Spec, effort, objective string) error {
	var wrong []error
	if effort != "" && !slices.Contains(spec.Efforts(), effort) {
		wrong = append(wrong, cli.NoValue("effort", "effort", effort, spec.Efforts()))
	}
	if objective != "" && !slices.Contains(spec.Objectives(), objective) {
		wrong = append(wrong, cli.NoValue("objective", "objective", objective, spec.Objectives()))
	}
	e := &s.Embedding
	if effort != "" {
		e.Effort = effort
	}
	switch {
	case objective == "":
	case e.Effort == "" || e.Effort == spec.NoEffort:
		wrong = append(wrong, errors.New("--objective: nothing is optimised without an effort; give --effort too"))
	default:
		e.Objective, e.Weights = objective, nil
	}
	if e.Effort == spec.NoEffort {
		e.Objective, e.Weights = "", nil
	}
	return errors.Join(wrong...)
}

// uniformDelay holds the flags about delays: alpha and beta of the delay alpha*hops + beta*distance, as in the CLEX
// paper, each of which replaces the delays of the parts if it is given; and routing functions.
type uniformDelay struct {
	alpha   units.Time
	beta    units.Propagation
	routing []string
}

func (u *uniformDelay) flags(cmd *cobra.Command) {
	cmd.Flags().Float64Var((*float64)(&u.alpha), "alpha-ns", 0,
		"override the per-hop latency of all switches and routers, from 0 to 1e9 ns")
	cmd.Flags().Float64Var((*float64)(&u.beta), "beta-ns-per-m", 0,
		"override the propagation delay of all links, whose ends then take no time")
	cmd.Flags().StringSliceVar(&u.routing, "routing", nil,
		"routing functions along whose paths delays are measured too, such as own,valiant")
}

// apply replaces the delays and the routing functions of a spec by those of the flags that are given. It returns an
// error for values out of range and for unknown routing functions.
func (u *uniformDelay) apply(cmd *cobra.Command, s *spec.Spec) error {
	o := delay.Override{Hop: &u.alpha, Propagation: &u.beta}
	if err := o.Check(); err != nil {
		return cli.Spelled(err, map[string]string{"Hop": "alpha-ns", "Propagation": "beta-ns-per-m"})
	}
	if cmd.Flags().Changed("alpha-ns") {
		if err := s.SetHop(u.alpha); err != nil {
			return err
		}
	}
	if cmd.Flags().Changed("beta-ns-per-m") {
		s.SetPropagation(u.beta)
	}
	if cmd.Flags().Changed("routing") {
		for _, name := range u.routing {
			if !slices.Contains(spec.RoutingNames(), name) {
				return cli.NoValue("routing", "routing", name, spec.RoutingNames())
			}
		}
		s.SetRouting(u.routing)
	}
	return nil
}

// stoppable derives two contexts from one that an interrupt ends. stop ends with it. work ends with it too, unless
// places are being optimised: then it ends with the next interrupt, so that the plan is completed with the places
// found. stage, which the caller passes to the planner as its Progress, notes whether places are being optimised and
// calls report.
func stoppable(interrupted context.Context, report func(string, int, int)) (work, stop context.Context,
	stage func(string, int, int),
) {
	work, cancel := context.WithCancel(context.WithoutCancel(interrupted))
	var optimising atomic.Bool
	context.AfterFunc(interrupted, func() {
		if optimising.Load() {
			again := make(chan os.Signal, 1)
			signal.Notify(again, os.Interrupt, syscall.SIGTERM)
			<-again
		}
		cancel()
	})
	return work, interrupted, func(what string, done, total int) {
		optimising.Store(what == machine.Optimising)
		report(what, done, total)
	}
}

// checkViolations returns an error with status 1 if a plan breaks a rule of severity error. With listed, it prints
// these violations on stderr: if standard output has a JSON document and not the summary with its list of them.
func checkViolations(stderr io.Writer, plan *machine.Result, listed bool) error {
	if !plan.Broken() {
		return nil
	}
	if listed {
		isError := func(v cabling.Violation) bool { return v.Severity == diag.Error }
		for _, line := range violationLines(&plan.Violations, isError) {
			fmt.Fprintln(stderr, diag.Escape(line))
		}
	}
	return cli.Brokenf("the plan cannot be built as it is: %s",
		english.Count(plan.Violations.Errors(), "design rule error"))
}
