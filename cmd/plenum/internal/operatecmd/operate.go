// Package operatecmd is the command plenum operate: the flags, the page that it prints and the files that it writes.
package operatecmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/operate"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/units"
)

// flags is the flags of plenum operate.
type flags struct {
	rates, lead, dir, floor string
	mostNodes, mostBand     map[string]string
	level                   float64
	asJSON                  bool
	opt                     operate.Options
}

// New is the command.
func New() *cobra.Command {
	var o flags
	cmd := &cobra.Command{
		Use:   "operate [PLAN]",
		Short: "Estimate repairs, spares and availability, and list what each failure takes down",
		Long: `Estimate what it takes to keep a planned machine running: repairs a month by part, with
the failure rate that each figure rests on; spares of every part that cover the demand
while a new one is on its way; how often the network interrupts a job and how much of
the time the job runs; the mean share of links that are up. Parts whose failure rate is
not known are listed and are in no figure.

List what each failure takes down: for every cable, bundle, piece of tray, panel,
switch, rack, feed and row the nodes that go down or are cut off and the bandwidth that
is lost; the worst of each kind are printed. --floor draws it on the floor plan, --pairs
measures two failures at once, and --routes how packets are routed over what is left.
--most-nodes and --most-bandwidth state the most that one failure may take; the exit
status is 1 where one takes more.

PLAN is the directory that plenum plan wrote, its plan.json, a machine file or an
example; the machine is planned again, which gives the same plan.

  plenum operate hpn-7
  plenum operate plan-out --rates mine.yaml --lead-time "12 weeks" -o operation
  plenum operate superpod-h100-4su --floor losses.png
  plenum operate plan-out --pairs --most-nodes switch=0,rack=32 --most-bandwidth rack=25%

Failure rates are those of the set failures-2026, unless --rates names a file with your
own; docs/operating.md shows such a file and lists the sources.`,
		Args: cli.Usage(cobra.MaximumNArgs(1)),
		RunE: o.run,
	}
	f := cmd.Flags()
	f.StringVar(&o.rates, "rates", "", "file of failure rates, which go before those that come along")
	f.StringVar(&o.lead, "lead-time", "",
		`how long a spare takes to arrive, such as "10 days" or "8 weeks"; that of the failure rates when left out`)
	f.Float64Var(&o.level, "service-level", 100*operate.DefaultServiceLevel,
		"probability that the spares cover the demand, in per cent")
	f.IntSliceVar(&o.opt.Jobs, "job", nil,
		"numbers of nodes of jobs; an eighth, a quarter, half and all of the nodes when left out")
	f.IntVar(&o.opt.Worst, "worst", operate.DefaultWorst, "how many losses of each kind are listed")
	f.BoolVar(&o.opt.Pairs, "pairs", false, "measure two failures of a kind at once")
	f.BoolVar(&o.opt.Routes, "routes", false, "find the routes that each listed loss leaves")
	f.StringToStringVar(&o.mostNodes, "most-nodes", nil,
		"most nodes that the loss of one thing may take down or cut off, such as switch=0,rack=32; kinds: "+
			english.List(operate.LossKinds))
	f.StringToStringVar(&o.mostBand, "most-bandwidth", nil,
		"most of the bandwidth of all links that it may take, such as rack=25%")
	f.Uint64Var(&o.opt.Seed, "seed", 1, "seed of the draws of failure rates that are ranges")
	f.StringVar(&o.floor, "floor", "",
		"draw what the loss of each rack and piece of tray takes, into this file: "+english.List(cli.Pictures))
	f.StringVarP(&o.dir, "output", "o", "",
		"directory to write repairs.csv, spares.csv, losses.csv and operate.json into")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON document")
	return cmd
}

// check refuses values out of range.
func (o *flags) check() error {
	var wrong []error
	if !(o.level > 0 && o.level < 100) {
		wrong = append(wrong, fmt.Errorf("--service-level: must be above 0 and below 100, not %v", o.level))
	}
	o.opt.ServiceLevel = o.level / 100
	if o.opt.Worst < 1 {
		wrong = append(wrong, fmt.Errorf("--worst: must be at least 1, not %d", o.opt.Worst))
	}
	for _, n := range o.opt.Jobs {
		if n < 1 {
			wrong = append(wrong, fmt.Errorf("--job: must be at least 1 node, not %d", n))
		}
	}
	if o.lead != "" {
		days, err := units.ParseDays(o.lead)
		if err == nil && !(days > 0 && days <= units.MostDays) {
			err = fmt.Errorf("must be above 0 and at most %v", units.MostDays)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("--lead-time: %w", err))
		}
		o.opt.LeadTime = days
	}
	wrong = append(wrong, o.checkLimits()...)
	if err := cli.CheckPicture(o.floor); err != nil {
		wrong = append(wrong, fmt.Errorf("--floor: %w", err))
	}
	return errors.Join(wrong...)
}

// checkLimits reads the limits of losses, and returns what is wrong with them.
func (o *flags) checkLimits() (wrong []error) {
	o.opt.Limits = map[string]*operate.Limit{}
	at := func(flag, kind string) *operate.Limit {
		if !slices.Contains(operate.LossKinds, kind) {
			wrong = append(wrong, fmt.Errorf("--%s: nothing of the kind %q is measured\n%s", flag, kind,
				diag.Suggest(kind, operate.LossKinds, "")))
		}
		if o.opt.Limits[kind] == nil {
			o.opt.Limits[kind] = &operate.Limit{}
		}
		return o.opt.Limits[kind]
	}
	for _, kind := range slices.Sorted(maps.Keys(o.mostNodes)) {
		n, err := strconv.Atoi(o.mostNodes[kind])
		if err != nil || n < 0 {
			wrong = append(wrong, fmt.Errorf("--most-nodes: %s must be a number of nodes from 0, not %q", kind,
				o.mostNodes[kind]))
		}
		at("most-nodes", kind).Nodes = &n
	}
	for _, kind := range slices.Sorted(maps.Keys(o.mostBand)) {
		percent, err := units.ParsePercent(o.mostBand[kind])
		if err != nil || !(percent >= 0 && percent <= 100) {
			wrong = append(wrong, fmt.Errorf("--most-bandwidth: %s must be from 0 to 100 %%, not %q", kind,
				o.mostBand[kind]))
		}
		share := float64(percent) / 100
		at("most-bandwidth", kind).Bandwidth = &share
	}
	return wrong
}

func (o *flags) run(cmd *cobra.Command, args []string) error {
	if err := o.check(); err != nil {
		return cli.InputError(err)
	}
	if o.rates != "" {
		rates, err := operate.LoadRates(o.rates)
		if err != nil {
			return cli.InputUnlessDiagnosed(err)
		}
		o.opt.Rates = rates
	}
	plan, err := cli.PlanArgument(cmd, args)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	doc, err := operate.Of(ctx, plan, o.opt)
	switch {
	case errors.As(err, new(*operate.JobSizeError)):
		return cli.Inputf("--job: %w", err)
	case err != nil:
		return err
	}
	if err := o.write(ctx, plan, doc); err != nil {
		return err
	}
	if o.asJSON {
		err = render.Document(ctx, cmd.OutOrStdout(), doc)
	} else {
		err = print(cmd.OutOrStdout(), doc, o.opt.Worst)
	}
	if err != nil {
		return err
	}
	return o.checkLosses(doc)
}

// checkLosses refuses losses above their limits, and limits of kinds of which the plan has none.
func (o *flags) checkLosses(doc *operate.Document) error {
	var over []string
	for i := range doc.Dark {
		if k := &doc.Dark[i]; k.Over > 0 {
			over = append(over, fmt.Sprintf("%s of %s", english.Count(k.Over, k.Kind),
				english.Grouped(int64(k.Count))))
		}
	}
	if len(over) > 0 {
		return cli.Brokenf("the loss of one takes more than its limit: %s", english.List(over))
	}
	if len(o.opt.Limits) > 0 && len(doc.Dark) == 0 {
		return cli.Inputf("--most-nodes, --most-bandwidth: %w", operate.ErrNoCables)
	}
	return nil
}

// write writes the files that are asked for.
func (o *flags) write(ctx context.Context, plan *machine.Result, doc *operate.Document) error {
	if o.floor != "" {
		write, err := drawFloor(ctx, plan, doc, o.floor)
		if err == nil {
			err = outfile.Write(ctx, o.floor, write)
		}
		if err != nil {
			return cli.Inputf("--floor: %w", err)
		}
	}
	if o.dir == "" {
		return nil
	}
	_, err := outfile.All(ctx, o.dir, map[string]func(io.Writer) error{
		"repairs.csv":  func(w io.Writer) error { return writeRepairs(ctx, w, doc) },
		"spares.csv":   func(w io.Writer) error { return writeSpares(ctx, w, doc) },
		"losses.csv":   func(w io.Writer) error { return writeLosses(ctx, w, doc) },
		"operate.json": func(w io.Writer) error { return render.Document(ctx, w, doc) },
	})
	return err
}

// drawFloor draws what the loss of each rack and piece of tray takes.
func drawFloor(
	ctx context.Context, plan *machine.Result, doc *operate.Document, file string,
) (func(io.Writer) error, error) {
	shares, nodes, trays, err := doc.RackShares()
	if err != nil {
		return nil, err
	}
	v := &render.RackValues{
		What: "bandwidth lost with the rack or piece of tray", Unit: "%", Racks: shares, Trays: trays,
		Figured: "figures in racks: nodes that go down or are cut off",
	}
	for _, values := range [][]float64{v.Racks, v.Trays} {
		for i := range values {
			values[i] *= 100
		}
	}
	for _, n := range nodes {
		v.Figures = append(v.Figures, strconv.Itoa(n))
	}
	c, err := render.DrawFloor(ctx, plan, render.FloorOptions{Values: v}, strings.ToLower(filepath.Ext(file)) != ".png")
	if err != nil {
		return nil, err
	}
	return cli.Picture(ctx, c, file), nil
}

// percent writes a share in per cent.
func percent(share float64, decimals int) string {
	return strconv.FormatFloat(100*share, 'f', decimals, 64) + " %"
}

// mostRows is how many rows of a table are printed; files have all.
const mostRows = 20

// print prints the document for people.
func print(w io.Writer, doc *operate.Document, worst int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s, %s; failure rates %s of %s\n", doc.Machine, english.Count(doc.Nodes, "node"),
		english.Count(doc.Access, "access link"), english.Count(doc.Leaves, "leaf"), doc.Rates, doc.Date)
	printRepairs(&b, doc)
	printEnds(&b, doc)
	printSpares(&b, doc)
	printJobs(&b, doc)
	printLosses(&b, doc)
	for _, note := range doc.Notes {
		fmt.Fprintf(&b, "\nnote: %s\n", note)
	}
	return cli.Print(w, b.String())
}

// mergeRepairs adds up the repairs of the same part in boxes of several kinds. Those within links and those without a
// rate are left out.
func mergeRepairs(all []operate.Repair) (out []operate.Repair) {
	for i := range all {
		r := all[i]
		if r.RepairsPerMonth == nil || r.Within {
			continue
		}
		at := slices.IndexFunc(out, func(o operate.Repair) bool {
			return o.Of == r.Of && o.Part == r.Part && o.Source == r.Source && o.Confidence == r.Confidence
		})
		if at < 0 {
			n := *r.RepairsPerMonth
			r.RepairsPerMonth = &n
			out = append(out, r)
			continue
		}
		o, n := &out[at], r.RepairsPerMonth
		o.Pieces += r.Pieces
		o.RepairsPerMonth.Low += n.Low
		o.RepairsPerMonth.Likely += n.Likely
		o.RepairsPerMonth.High += n.High
	}
	return out
}

// mergeUnknown adds up the pieces of the same part.
func mergeUnknown(all []operate.Unknown) (out []operate.Unknown) {
	for _, u := range all {
		at := slices.IndexFunc(out, func(o operate.Unknown) bool { return o.Of == u.Of && o.Part == u.Part })
		if at < 0 {
			out = append(out, u)
			continue
		}
		out[at].Pieces += u.Pieces
	}
	return out
}

func printRepairs(b *strings.Builder, doc *operate.Document) {
	b.WriteString("\nRepairs a month\n")
	table := [][]string{{"part", "pieces", "repairs", "low", "high", "hours each", "rests on"}}
	var sources []string
	for _, r := range mergeRepairs(doc.Repairs) {
		at := slices.Index(sources, r.Source)
		if at < 0 {
			at = len(sources)
			sources = append(sources, r.Source)
		}
		hours := "unknown"
		if r.Hours != nil {
			hours = fmt.Sprintf("%s (%s)", cli.Digits(r.Hours.Hours), r.Hours.Confidence)
		}
		name := fmt.Sprintf("%s %s", r.Of, r.Part)
		n := r.RepairsPerMonth
		table = append(table, []string{
			name, english.Grouped(r.Pieces), cli.Digits(n.Likely), cli.Digits(n.Low), cli.Digits(n.High), hours,
			fmt.Sprintf("[%d] %s", at+1, r.Confidence),
		})
	}
	q := &doc.RepairsRange
	table = append(table, []string{"sum", "", cli.Digits(doc.RepairsPerMonth), "", "", "", ""})
	cli.WriteTable(b, table)
	fmt.Fprintf(b, "  drawn from the ranges of the rates: P10 %s, P50 %s, P90 %s\n", cli.Digits(q.P10),
		cli.Digits(q.P50), cli.Digits(q.P90))
	fmt.Fprintf(b, "  work: %s hours a month (%s to %s)", cli.Digits(doc.HoursPerMonth.Likely),
		cli.Digits(doc.HoursPerMonth.Low), cli.Digits(doc.HoursPerMonth.High))
	if doc.HoursUnknown > 0 {
		fmt.Fprintf(b, "; how long %s of the repairs take is not known", cli.Digits(doc.HoursUnknown))
	}
	b.WriteString("\n")
	for i, s := range sources {
		fmt.Fprintf(b, "  [%d] %s\n", i+1, s)
	}
	if slices.ContainsFunc(doc.Repairs, func(r operate.Repair) bool { return r.Within }) {
		b.WriteString("  Cables and optics of links with a rate of their own are in it, and count for spares only.\n")
	}
	if len(doc.Unknown) > 0 {
		b.WriteString("\nNo failure rate is known, and none is in any sum\n")
		for _, u := range mergeUnknown(doc.Unknown) {
			fmt.Fprintf(b, "  %s %s: %s\n", u.Of, u.Part, english.Count(u.Pieces, "piece"))
		}
	}
}

// printEnds prints power, money and failures of the ends of links by kind.
func printEnds(b *strings.Builder, doc *operate.Document) {
	if len(doc.Ends) == 0 {
		return
	}
	b.WriteString("\nEnds of links by kind, by the figures of the parts\n")
	table := [][]string{{"kind", "ends", "kW", doc.Currency, "failures a year", "flaps a year"}}
	known := func(perYear float64, unknown, count int64) string {
		switch {
		case unknown == count:
			return "unknown"
		case unknown > 0:
			return fmt.Sprintf("%s, %s unknown", cli.Digits(perYear), english.Grouped(unknown))
		}
		return cli.Digits(perYear)
	}
	inside := false
	for i := range doc.Ends {
		e := &doc.Ends[i]
		kind, power, money := cmp.Or(string(e.Kind), "not stated"), cli.Digits(float64(e.Power)/1000), "unknown"
		switch {
		case e.Kind == catalog.CPO && e.Power == 0:
			power, money, inside = "in boxes", "in boxes", true
		case e.Unpriced < e.Count:
			if money = e.Cost.String(); e.Unpriced > 0 {
				money += fmt.Sprintf(", %s unpriced", english.Grouped(e.Unpriced))
			}
		}
		table = append(table, []string{
			kind, english.Grouped(e.Count), power, money, known(e.Failures, e.FailuresUnknown, e.Count),
			known(e.Flaps, e.FlapsUnknown, e.Count),
		})
	}
	cli.WriteTable(b, table)
	if inside {
		b.WriteString("  Power and money of optics inside boxes are in those of the boxes.\n")
	}
}

func printSpares(b *strings.Builder, doc *operate.Document) {
	if len(doc.Spares) == 0 {
		return
	}
	fmt.Fprintf(b, "\nSpares that cover %v of lead time in %s of the cases (lead time: %s)\n", doc.LeadTime.Days,
		percent(doc.ServiceLevel, 1), doc.LeadTime.Confidence)
	table := [][]string{{"part", "pieces", "demand", "spares", "on the bill"}}
	for i := range doc.Spares[:min(len(doc.Spares), mostRows)] {
		s := &doc.Spares[i]
		table = append(table, []string{
			fmt.Sprintf("%s %s", s.Of, s.Part), english.Grouped(s.Pieces), cli.Digits(s.Demand),
			english.Grouped(s.Spares), english.Grouped(s.OnBill),
		})
	}
	cli.WriteTable(b, table)
	if n := len(doc.Spares) - mostRows; n > 0 {
		fmt.Fprintf(b, "  and %s; -o writes all of them\n", english.Count(n, "more part"))
	}
}

func printJobs(b *strings.Builder, doc *operate.Document) {
	if len(doc.Jobs) > 0 {
		fmt.Fprintf(b, "\nJobs, %s hours lost at each interruption (%s)\n", cli.Digits(doc.Restart.Hours),
			doc.Restart.Confidence)
		table := [][]string{{"nodes", "failures a month", "available", "that cut a node off", "available"}}
		for i := range doc.Jobs {
			j := &doc.Jobs[i]
			row := []string{
				english.Grouped(int64(j.Nodes)), cli.Digits(j.Interrupts), percent(j.Availability, 3), "-", "-",
			}
			if j.CutOff != nil {
				row[3], row[4] = cli.Digits(*j.CutOff), percent(*j.AvailabilityCutOff, 3)
			}
			table = append(table, row)
		}
		cli.WriteTable(b, table)
		b.WriteString("  of the network alone: hosts and software are in it only where the rates have nodes\n")
	}
	c := doc.Capacity
	fmt.Fprintf(b, "\nLinks up in the mean: %s of all", percent(c.All, 4))
	if c.Access != nil {
		fmt.Fprintf(b, ", %s of the access links", percent(*c.Access, 4))
	}
	fmt.Fprintf(b, "; repairs begin after %s hours (%s)", cli.Digits(c.Response.Hours), c.Response.Confidence)
	if c.Bound {
		b.WriteString("; upper bounds, as some rates are not known")
	}
	b.WriteString("\n")
}

func printLosses(b *strings.Builder, doc *operate.Document) {
	for i := range doc.Dark {
		k := &doc.Dark[i]
		fmt.Fprintf(b, "\nLoss of one %s: %s of %s take nodes down or cut them off; the worst\n", thing(k.Kind),
			english.Grouped(int64(k.Harmful)), english.Grouped(int64(k.Count)))
		writeLossTable(b, k.Kind, k.Worst, false)
		if k.Limit != nil {
			printLimit(b, k)
		}
		if p := k.Pairs; p != nil {
			printPairs(b, k.Kind, p)
		}
	}
}

// thing describes a thing of a kind of operate.LossKinds.
func thing(kind string) string {
	switch kind {
	case "service":
		return "service box"
	case "supply":
		return "supply (power distribution unit or power shelf)"
	}
	return kind
}

// writeLossTable prints losses of a kind; those of pairs have a column of what neither takes alone.
func writeLossTable(b *strings.Builder, kind string, losses []operate.Loss, pairs bool) {
	table := [][]string{{kind, "nodes down", "cut off", "links", "Gb/s", "of all", "worst level"}}
	if pairs {
		table[0][len(table[0])-1] = "beyond each alone"
	}
	routed := slices.ContainsFunc(losses, func(l operate.Loss) bool { return l.Routes != nil })
	if routed {
		table[0] = append(table[0], "routes left")
	}
	for i := range losses {
		l := &losses[i]
		level := "-"
		if l.WorstLevel != "" {
			level = fmt.Sprintf("%s of %s", percent(l.WorstLevelShare, 2), l.WorstLevel)
		}
		row := []string{
			l.Name, english.Grouped(int64(l.NodesDown)), english.Grouped(int64(l.NodesCutOff)),
			english.Grouped(int64(l.Links)), english.Grouped(int64(l.Bandwidth + 0.5)), percent(l.Share, 2), level,
		}
		if pairs {
			row[len(row)-1] = english.Grouped(int64(l.Beyond))
		}
		if routed {
			row = append(row, routesText(l.Routes))
		}
		table = append(table, row)
	}
	cli.WriteTable(b, table)
}

// routesText says how packets are routed over what is left.
func routesText(all []operate.Routes) string {
	var out []string
	for _, r := range all {
		text := fmt.Sprintf("%s, %s", r.Function, english.Count(r.Lanes, "lane"))
		switch {
		case !r.OK:
			text = "none: " + r.Problem
		case r.Pairs == 0:
			text = "-" // the nodes that are left share a switch
		}
		if r.Fabric != "" {
			text = r.Fabric + " " + text
		}
		out = append(out, text)
	}
	if len(out) == 0 {
		return "all"
	}
	return strings.Join(out, "; ")
}

// printLimit prints whether losses of a kind keep their limit.
func printLimit(b *strings.Builder, k *operate.Losses) {
	var most []string
	if n := k.Limit.Nodes; n != nil {
		most = append(most, english.Count(*n, "node"))
	}
	if share := k.Limit.Bandwidth; share != nil {
		most = append(most, percent(*share, 2)+" of the bandwidth")
	}
	fmt.Fprintf(b, "  limit of a %s: %s; ", k.Kind, english.List(most))
	if k.Over == 0 {
		b.WriteString("kept by all\n")
		return
	}
	fmt.Fprintf(b, "%s of %s take more\n", english.Grouped(int64(k.Over)), english.Grouped(int64(k.Count)))
	writeLossTable(b, k.Kind+" above the limit", k.WorstOver, false)
}

// printPairs prints the loss of two things at once.
func printPairs(b *strings.Builder, kind string, p *operate.Pairs) {
	fmt.Fprintf(b, "\nLoss of two at once, %s and %s: %s of %s measured; %s take nodes down or cut them off while "+
		"neither alone does; the worst\n", kind, kind, english.Grouped(p.Tried), english.Count(p.Count, "pair"),
		english.Grouped(p.Hidden))
	names := func(losses []operate.Loss) (out []string) {
		for i := range losses {
			out = append(out, losses[i].Name)
		}
		return out
	}
	writeLossTable(b, "both", p.Worst, true)
	if len(p.Beyond) > 0 && !slices.Equal(names(p.Beyond), names(p.Worst)) {
		b.WriteString("  those that take the most beyond what each takes alone\n")
		writeLossTable(b, "both", p.Beyond, true)
	}
}

// decimal writes a figure for other programs.
func decimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func writeRepairs(ctx context.Context, w io.Writer, doc *operate.Document) error {
	out := csvtable.NewWriter(ctx, w, []string{
		"of", "part", "pieces", "repairs_per_month", "low", "high", "repair_hours", "repair_hours_confidence",
		"within_links", "confidence", "source",
	})
	for i := range doc.Repairs {
		r := &doc.Repairs[i]
		out.Texts(string(r.Of), r.Part)
		out.Int(r.Pieces)
		if n := r.RepairsPerMonth; n != nil {
			out.Texts(decimal(n.Likely), decimal(n.Low), decimal(n.High))
		} else {
			out.Empty(3)
		}
		if r.Hours != nil {
			out.Texts(decimal(r.Hours.Hours), string(r.Hours.Confidence))
		} else {
			out.Empty(2)
		}
		out.Texts(strconv.FormatBool(r.Within), string(r.Confidence), r.Source)
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

func writeSpares(ctx context.Context, w io.Writer, doc *operate.Document) error {
	out := csvtable.NewWriter(ctx, w, []string{
		"of", "part", "pieces", "demand_in_lead_time", "spares", "spares_on_bill",
	})
	for i := range doc.Spares {
		s := &doc.Spares[i]
		out.Texts(string(s.Of), s.Part)
		out.Int(s.Pieces)
		out.Text(decimal(s.Demand))
		out.Int(s.Spares)
		out.Int(s.OnBill)
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

func writeLosses(ctx context.Context, w io.Writer, doc *operate.Document) error {
	out := csvtable.NewWriter(ctx, w, []string{
		"kind", "name", "nodes_down", "nodes_cut_off", "links", "bandwidth_lost_gbps", "bandwidth_lost_share",
		"worst_level", "worst_level_lost_share",
	})
	for i := range doc.Dark {
		k := &doc.Dark[i]
		single := len(k.Worst)
		all := k.Worst
		if k.Pairs != nil {
			all = slices.Concat(all, k.Pairs.Worst)
		}
		for j := range all {
			l, kind := &all[j], k.Kind
			if j >= single {
				kind += " pair"
			}
			out.Texts(kind, l.Name)
			for _, n := range [3]int{l.NodesDown, l.NodesCutOff, l.Links} {
				out.Int(int64(n))
			}
			out.Texts(decimal(l.Bandwidth), decimal(l.Share), l.WorstLevel, decimal(l.WorstLevelShare))
			if err := out.End(); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}
