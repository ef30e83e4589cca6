// Package buildcmd is the command plenum build: the flags, the page that it prints and the files that it writes.
package buildcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/asbuilt"
	"github.com/plenum-planner/plenum/asbuilt/verify"
	"github.com/plenum-planner/plenum/build"
	"github.com/plenum-planner/plenum/build/closeout"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/exchange"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/infile"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/gantt"
	"github.com/plenum-planner/plenum/render/handout"
	"github.com/plenum-planner/plenum/units"
)

// flags are the flags of plenum build.
type flags struct {
	labour, progress, dir, picture                  string
	start, ordered, from, days, productive, oneTeam string
	grown, closeout, planned                        string
	built                                           []string // sources that say what is cabled
	steps                                           asbuilt.Options
	people                                          map[string]int
	off                                             []string
	wrong                                           []string
	asJSON                                          bool
	opt                                             build.Options
}

// New returns the command.
func New() *cobra.Command {
	var o flags
	cmd := &cobra.Command{
		Use:   "build [PLAN]",
		Short: "Schedule the work of building a planned machine: who does what where and when",
		Long: `Schedule the work of building a planned machine: placing racks, mounting boxes, laying
trays and trunks, plugging optics, cleaning, patching by bundle, labelling, testing, and
commissioning each fabric rack by rack. Tasks wait for those that they depend on, for
people, for the place where one team works at a time, and for parts whose lead time a
quote or the catalog states.

Prints how long it takes beside a lower bound that no schedule beats, with a range; the
critical path; links and racks a day; hours and cost by activity; when each fabric is in
service; what wrong plugs and dead optics would cost. --picture draws who works where on
each day.

PLAN is the directory that plenum plan wrote, its plan.json, a machine file or an
example; the machine is planned again, which gives the same plan.

  plenum build superpod-h100-4su
  plenum build plan-out --start 2027-03-01 --people cabling=16,testing=8 -o build
  plenum build larger --grown-from plan-out --capacity 75
  plenum build plan-out --progress progress.csv --start 2027-03-15 --planned-start 2027-03-01
  plenum build plan-out --progress progress.csv --as-built lldp.json --closeout handover

--closeout writes what a contractor hands over: the test result of every link, what
differs from the plan, drawings and tables, labels and spares. Links are right as
plenum verify finds them in --progress and in the sources of --as-built; the exit status
is 1 where one is not, or is not seen.

The minutes are those of the set labour-2026, most of which are estimates: compare plans
by them, and replace them by your own times with --labour or --progress.
docs/building.md has the file and the sources.`,
		Args: cli.Usage(cobra.MaximumNArgs(1)),
		RunE: o.run,
	}
	f := cmd.Flags()
	f.StringVar(&o.labour, "labour", "", "file of labour figures, which go before those that come along")
	f.StringToIntVar(&o.people, "people", nil,
		"people of each skill in a shift, such as cabling=12,testing=6; skills: "+english.List(build.Skill("").Words()))
	f.StringVar(&o.start, "start", "", "first day, such as 2027-03-01; days are numbered when left out")
	f.StringVar(&o.ordered, "ordered", "",
		"day on which parts are ordered, from which their lead times count; the first day when left out")
	f.IntVar(&o.opt.Calendar.Shifts, "shifts", 1, "shifts a day")
	f.Float64Var(&o.opt.Calendar.Hours, "hours", 8, "hours of a shift")
	f.StringVar(&o.from, "from", "08:00", "begin of the first shift")
	f.StringVar(&o.days, "days", "mon-fri", "days of the week on which people work, such as mon-sat or mon,wed,fri")
	f.StringSliceVar(&o.off, "off", nil, "days on which nobody works, such as 2027-04-02")
	f.StringVar(&o.productive, "productive", "",
		"share of a shift in which people get on with their tasks; that of the labour figures when left out")
	f.StringVar(&o.oneTeam, "one-team", string(build.PerRack),
		"where one team works at a time: "+english.List(build.OneTeam("").Words()))
	f.StringSliceVar(&o.opt.Integrated, "pre-cabled", nil,
		"racks, or types of racks, that arrive with boxes and cables in them; all for all")
	f.StringSliceVar(&o.opt.First, "first", nil, "fabrics that are needed before the others, the most urgent first")
	f.BoolVar(&o.opt.Remove, "remove", false, "schedule the removal of the machine instead")
	f.StringVar(&o.grown, "grown-from", "",
		"plan that the machine grows from while it works: schedule the steps that plenum diff finds")
	f.IntVar(&o.steps.Paths, "paths", 1, "edge-disjoint paths that every two boxes keep in these steps")
	f.Float64Var(&o.steps.Capacity, "capacity", 0, "least share of the links that stay up in them, in per cent")
	f.StringSliceVar(&o.steps.Fabrics, "keep", nil, "fabrics that keep paths and capacity in them; all when left out")
	f.StringVar(&o.progress, "progress", "",
		"progress table that plenum render --format progress wrote, filled in: schedule what is left")
	f.StringVar(&o.planned, "planned-start", "",
		"first day of the calendar without progress, with which --progress compares what is left; that of --start "+
			"when left out")
	f.StringVar(&o.closeout, "closeout", "",
		"directory to write the closeout package into: test results, drawings, tables, labels and spares")
	f.StringArrayVar(&o.built, "as-built", nil,
		"a source that plenum verify reads and that says what is cabled, for --closeout; may be given several times")
	f.StringSliceVar(&o.wrong, "wrong", nil,
		"shares of wrong plugs to estimate corrections for, such as 0.5%; a sweep when left out")
	f.Uint64Var(&o.opt.Seed, "seed", 1, "seed of the draws of labour figures that are ranges")
	f.StringVar(&o.picture, "picture", "",
		"draw who works where on each day, into this file: "+english.List(cli.Pictures))
	f.StringVarP(&o.dir, "output", "o", "",
		"directory for calendar.csv, days.csv, work.csv, labour-quote.csv, build.xlsx, build.json, pull sheets "+
			"in the order of the schedule; with --progress forecast.csv; with --start orders.csv and bom.xlsx with "+
			"the latest dates of orders")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON document")
	return cmd
}

// weekdays are the names of days in flags.
var weekdays = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// parseDays reads days of the week: a list of days and of ranges.
func parseDays(text string) (out [7]bool, err error) {
	day := func(name string) (int, error) {
		if i := slices.Index(weekdays, strings.ToLower(strings.TrimSpace(name))); i >= 0 {
			return i, nil
		}
		return 0, fmt.Errorf("%q is not a day of the week: expected %s", name, english.List(weekdays))
	}
	for _, part := range strings.Split(text, ",") {
		from, to, isRange := strings.Cut(part, "-")
		first, err := day(from)
		if err != nil {
			return out, err
		}
		last := first
		if isRange {
			if last, err = day(to); err != nil {
				return out, err
			}
		}
		for i := first; ; i = (i + 1) % 7 {
			out[i] = true
			if i == last {
				break
			}
		}
	}
	return out, nil
}

// parseDate reads a day.
func parseDate(text string) (time.Time, error) {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.Year() < 1970 || day.Year() > 2200 {
		return day, fmt.Errorf("%q is not a day: expected a date such as 2027-03-01", text)
	}
	return day, nil
}

// check reads the flags and refuses values out of range, all of them in one run.
func (o *flags) check() error {
	var wrong []error
	fail := func(flag string, err error) {
		if err != nil {
			wrong = append(wrong, fmt.Errorf("--%s: %w", flag, err))
		}
	}
	c := &o.opt.Calendar
	var err error
	if o.start != "" {
		c.Start, err = parseDate(o.start)
		fail("start", err)
	}
	if o.ordered != "" {
		o.opt.Ordered, err = parseDate(o.ordered)
		if err == nil && o.start == "" {
			err = errors.New("days have no dates without --start")
		}
		fail("ordered", err)
	}
	if o.planned != "" {
		fail("planned-start", o.parsePlannedStart())
	}
	for _, text := range o.off {
		day, err := parseDate(text)
		fail("off", err)
		if o.start == "" && err == nil {
			fail("off", errors.New("days have no dates without --start"))
		}
		c.Off = append(c.Off, day)
	}
	c.Days, err = parseDays(o.days)
	fail("days", err)
	at, err := time.Parse("15:04", o.from)
	if err != nil {
		err = fmt.Errorf("%q is not a time of the day: expected one such as 08:00", o.from)
	}
	fail("from", err)
	c.Begin = at.Hour()*60 + at.Minute()
	if c.Shifts < 1 {
		fail("shifts", fmt.Errorf("must be at least 1, not %d", c.Shifts))
	}
	if !(c.Hours > 0 && c.Hours*float64(max(c.Shifts, 1)) <= 24) {
		fail("hours", fmt.Errorf("must be above 0, and with all shifts at most 24, not %v", c.Hours))
	}
	if o.productive != "" {
		share, err := units.ParsePercent(o.productive)
		if err == nil && !(share > 0 && share <= 100) {
			err = fmt.Errorf("must be above 0 and at most 100 %%, not %s", o.productive)
		}
		fail("productive", err)
		c.Productive = float64(share) / 100
	}
	o.opt.People = map[build.Skill]int{}
	for _, name := range slices.Sorted(maps.Keys(o.people)) {
		n := o.people[name]
		switch {
		case !slices.Contains(build.Skills, build.Skill(name)):
			fail("people", fmt.Errorf("there is no skill %q\n%s", name,
				diag.Suggest(name, build.Skill("").Words(), "")))
		case n < 1 || n > mostPeople:
			fail("people", fmt.Errorf("%s must be from 1 to %d, not %d", name, mostPeople, n))
		}
		o.opt.People[build.Skill(name)] = n
	}
	if !slices.Contains(build.OneTeam("").Words(), o.oneTeam) {
		fail("one-team", fmt.Errorf("%q is not one of %s", o.oneTeam, english.List(build.OneTeam("").Words())))
	}
	o.opt.OneTeam = build.OneTeam(o.oneTeam)
	for _, text := range o.wrong {
		share, err := units.ParsePercent(text)
		if err == nil && !(share >= 0 && share <= 100) {
			err = fmt.Errorf("must be from 0 to 100 %%, not %s", text)
		}
		fail("wrong", err)
		o.opt.Wrong = append(o.opt.Wrong, float64(share))
	}
	fail("picture", cli.CheckPicture(o.picture))
	if o.opt.Remove && o.progress != "" {
		fail("remove", errors.New("a progress table tells of the build: give one of --remove and --progress"))
	}
	if o.grown != "" && (o.opt.Remove || o.progress != "") {
		fail("grown-from", errors.New("the steps of a growth are scheduled without --remove and --progress"))
	}
	switch {
	case o.closeout == "" && len(o.built) > 0:
		fail("as-built", errors.New("says what --closeout hands over, which is missing"))
	case o.closeout == "":
	case o.opt.Remove || o.grown != "":
		fail("closeout", errors.New("is handed over after a build: leave out --remove and --grown-from"))
	case o.progress == "" && len(o.built) == 0:
		fail("closeout", errors.New("needs --progress or --as-built, which say what is cabled"))
	}
	if o.grown == "" && len(o.steps.Fabrics) > 0 {
		fail("keep", errors.New("says what the steps of --grown-from keep, which is missing"))
	}
	if o.steps.Paths < 1 || o.steps.Paths > asbuilt.MostPaths {
		fail("paths", fmt.Errorf("must be from 1 to %d, not %d", asbuilt.MostPaths, o.steps.Paths))
	}
	if !(o.steps.Capacity >= 0 && o.steps.Capacity <= 100) {
		fail("capacity", fmt.Errorf("must be from 0 to 100, not %v", o.steps.Capacity))
	}
	if o.opt.Remove && len(o.opt.First) > 0 {
		fail("first", errors.New("fabrics do not come into service with --remove"))
	}
	return errors.Join(wrong...)
}

// parsePlannedStart reads the first day of the calendar without progress.
func (o *flags) parsePlannedStart() (err error) {
	o.opt.PlannedStart, err = parseDate(o.planned)
	switch {
	case err != nil:
		return err
	case o.progress == "":
		return errors.New("is compared with what --progress leaves, which is missing")
	case o.start == "":
		return errors.New("days have no dates without --start")
	case o.opt.PlannedStart.After(o.opt.Calendar.Start):
		return errors.New("must not be after --start, the first day of what is left")
	}
	return nil
}

// mostPeople is the most people of a skill.
const mostPeople = 1000

func (o *flags) run(cmd *cobra.Command, args []string) error {
	if err := o.check(); err != nil {
		return cli.InputError(err)
	}
	if o.labour != "" {
		labour, err := build.LoadLabour(o.labour)
		if err != nil {
			return cli.InputUnlessDiagnosed(err)
		}
		o.opt.Labour = labour
	}
	plan, err := cli.PlanArgument(cmd, args)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	if o.progress != "" {
		if o.opt.Progress, err = readProgress(o.progress, plan); err != nil {
			return cli.InputUnlessDiagnosed(err)
		}
	}
	if o.grown != "" {
		if o.opt.From, err = o.grow(cmd, plan); err != nil {
			return err
		}
	}
	doc, err := build.Of(ctx, plan, o.opt)
	switch {
	case err != nil && ctx.Err() == nil:
		return cli.InputError(err)
	case err != nil:
		return err
	}
	if err := o.write(ctx, plan, doc); err != nil {
		return err
	}
	if o.closeout != "" {
		if err := o.handOver(ctx, plan, doc); err != nil {
			return err
		}
	}
	if o.asJSON {
		err = render.Document(ctx, cmd.OutOrStdout(), doc)
	} else {
		err = print(cmd.OutOrStdout(), doc, o.closeout)
	}
	if c := doc.Closeout; err == nil && c != nil && !c.Complete {
		return cli.Brokenf("the closeout package is not complete: %s, %s unknown",
			english.Count(c.Differences, "difference"), english.Count(c.Unknown, "link"))
	}
	if err == nil && o.opt.From != nil && len(o.opt.From.Faults) > 0 {
		return &cli.StatusError{
			Status: cli.ExitBroken, Err: errors.New(strings.Join(o.opt.From.Faults, "\nplenum: ")),
		}
	}
	return err
}

// grow finds the steps from the plan that the machine grows from.
func (o *flags) grow(cmd *cobra.Command, plan *machine.Result) (*asbuilt.Difference, error) {
	old, err := cli.PlanArgument(cmd, []string{o.grown})
	if err != nil {
		return nil, err
	}
	if old.Schedule.Segments == nil || plan.Schedule.Segments == nil {
		return nil, cli.InputError(build.ErrNoCables)
	}
	d, err := asbuilt.Compare(cmd.Context(), old, plan, o.steps)
	if errors.As(err, new(*asbuilt.NoFabricError)) {
		return nil, cli.Inputf("--keep: %w", err)
	}
	if errors.As(err, new(*asbuilt.TooManyPathsError)) {
		return nil, cli.Inputf("--paths: %w", err)
	}
	return d, err
}

// handOver writes the closeout package, and counts in the document what it has.
func (o *flags) handOver(ctx context.Context, plan *machine.Result, doc *build.Document) error {
	names := o.built
	if o.progress != "" {
		names = append([]string{o.progress}, names...)
	}
	var sources []*exchange.Wiring
	var wrong []error
	for _, name := range names {
		w, err := exchange.Read(name)
		sources, wrong = append(sources, w), append(wrong, err)
	}
	if err := errors.Join(wrong...); err != nil {
		return cli.InputUnlessDiagnosed(err)
	}
	p, err := verify.NewPlan(plan, "")
	if err != nil {
		return err
	}
	var bases []string
	for _, name := range names {
		bases = append(bases, filepath.Base(name))
	}
	var seen *verify.Result
	if own := len(sources) - len(o.built); own > 0 && len(o.built) > 0 {
		seen = p.Compare(sources[own:])
	}
	pack := closeout.New(plan, p.Compare(sources), seen, o.opt.Progress, bases)
	doc.Closeout = pack.Count()
	_, err = pack.Write(ctx, o.closeout)
	if errors.As(err, new(*render.OtherMachineError)) {
		return cli.Inputf("--closeout: %w", err)
	}
	return err
}

// readProgress reads a progress table.
func readProgress(path string, plan *machine.Result) (*build.Progress, error) {
	f, err := infile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return build.ReadProgress(path, f, plan)
}

// write writes the files that are asked for.
func (o *flags) write(ctx context.Context, plan *machine.Result, doc *build.Document) error {
	if o.picture != "" {
		c, err := gantt.Draw(doc)
		if err == nil {
			err = outfile.Write(ctx, o.picture, cli.Picture(ctx, c, o.picture))
		}
		if err != nil {
			return cli.Inputf("--picture: %w", err)
		}
	}
	if o.dir == "" {
		return nil
	}
	calendar, days, work := calendarTable(doc), daysTable(doc), workTable(doc)
	sheets := []render.Table{ganttTable(doc), calendar, days, work}
	if doc.Forecast != nil {
		sheets = append(sheets, forecastTable(doc.Forecast))
	}
	if o.start != "" && !o.opt.Remove {
		orders, err := ordersTable(ctx, plan, doc)
		if err != nil {
			return err
		}
		sheets = append(sheets, orders)
	}
	files := map[string]func(io.Writer) error{
		"calendar.csv": func(w io.Writer) error { return render.TableCSV(ctx, w, calendar) },
		"days.csv":     func(w io.Writer) error { return render.TableCSV(ctx, w, days) },
		"work.csv":     func(w io.Writer) error { return render.TableCSV(ctx, w, work) },
		"build.json":   func(w io.Writer) error { return render.Document(ctx, w, doc) },
		"build.xlsx": func(w io.Writer) error {
			return render.Tables(ctx, w, doc.Machine+": "+doc.Work, sheets)
		},
	}
	if doc.Forecast != nil {
		files["forecast.csv"] = func(w io.Writer) error {
			return render.TableCSV(ctx, w, forecastTable(doc.Forecast))
		}
	}
	if o.start != "" && !o.opt.Remove {
		files["orders.csv"] = func(w io.Writer) error { return render.OrdersBy(ctx, w, plan, doc.OrderBy()) }
		files["bom.xlsx"] = func(w io.Writer) error { return render.WorkbookBy(ctx, w, plan, doc.OrderBy()) }
	}
	if pulls := pullsOf(plan, doc); len(pulls) > 0 {
		files["pull-sheets.csv"] = func(w io.Writer) error { return handout.PullTable(ctx, w, pulls) }
		parts := handout.PullParts(pulls)
		for i, part := range parts {
			name := "pull-sheets.pdf"
			if len(parts) > 1 {
				name = fmt.Sprintf("pull-sheets-%d.pdf", i+1)
			}
			files[name] = func(w io.Writer) error {
				return handout.PullSheets(ctx, w, plan, part, handout.Part{Number: i + 1, Count: len(parts)})
			}
		}
	}
	if quote := quoteTable(doc); len(quote.Rows) > 0 {
		files["labour-quote.csv"] = func(w io.Writer) error { return render.TableCSV(ctx, w, quote) }
	}
	_, err := outfile.All(ctx, o.dir, files)
	return err
}
