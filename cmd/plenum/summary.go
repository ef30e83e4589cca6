package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/cmd/plenum/internal/cli"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/units"
)

// printSummary prints the report of a plan for people, and the names of the files that were written.
func printSummary(w io.Writer, plan *machine.Result, files []string) error {
	r := plan.Report()
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", r.Machine)
	t := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	row := func(format string, args ...any) { fmt.Fprintf(t, "  "+format+"\n", args...) }
	row("nodes\t%s", english.Grouped(int64(r.Nodes)))
	row("switches\t%s", english.Grouped(int64(r.Switches)))
	if n := r.Services(); n > 0 {
		row("service boxes\t%s", english.Grouped(int64(n)))
	}
	row("racks\t%s", english.Grouped(int64(r.Racks)))
	if f := r.Floor; f != nil && (plan.Room().Spec.Width > 0 || plan.Room().Spec.Names != nil) {
		row("floor\t%s", floorLine(f))
	}
	row("links\t%s, with %s cables", english.Grouped(r.Links), english.Grouped(r.Cables))
	row("ports\t%s used of %s", english.Grouped(r.Ports.Used), english.Grouped(r.Ports.Total))
	row("cable\t%s m in all, %.2f m mean, %.2f m longest", english.Grouped(int64(r.Length.Total+0.5)), r.Length.Mean,
		r.Length.Max)
	if k := r.Structured; k != nil {
		loss := "loss not known"
		if k.Loss != nil {
			loss = fmt.Sprintf("at most %.2f dB", *k.Loss)
		}
		switch {
		case k.Octopus:
			row("panels\t%s in %s racks, in which octopus cables meet, for %s links, %s",
				english.Grouped(int64(k.Panels)), english.Grouped(int64(k.Racks)), english.Grouped(k.Links), loss)
		case k.Shuffles > 0:
			row("shuffles\t%s in %s panels in %s racks, for %s links, %s", english.Grouped(int64(k.Shuffles)),
				english.Grouped(int64(k.Panels)), english.Grouped(int64(k.Racks)), english.Grouped(k.Links), loss)
		default:
			row("panels\t%s in %s racks, %s trunks with %s positions for %s links, %s",
				english.Grouped(int64(k.Panels)),
				english.Grouped(int64(k.Racks)), english.Grouped(int64(k.Trunks)), english.Grouped(int64(k.Positions)),
				english.Grouped(k.Links), loss)
			if dark := k.DarkFibres; dark != nil && *dark > 0 {
				row("dark fibres\t%s of %s in trunks", english.Grouped(*dark), english.Grouped(k.Fibres))
			}
		}
	}
	if t := r.Trays; t != nil {
		row("trays\t%s", trays(t))
	}
	row("power\t%s%s%s", r.PowerWords(), r.PowerNote().After(), r.DeliveredWords())
	if h := r.Heat; h != nil {
		row("heat\t%v", h.HeatSplit)
	}
	if r.Cooling != nil {
		row("cooling\t%v", r.Cooling)
	}
	summariseDelay(row, r)
	if o := r.Placement; o != nil {
		summarisePlacement(row, o, r.Currency)
	}
	t.Flush()

	printFabrics(&b, r)
	mean := "mean ns"
	if len(r.HopUnstated) > 0 {
		mean += " at least"
	}
	table := [][]string{{"level", "links", "cables", "mean m", "longest m", mean, "cost " + r.Currency}}
	for _, l := range r.Levels {
		table = append(table, []string{
			l.Level, english.Grouped(l.Links), english.Grouped(l.Cables), fmt.Sprintf("%.2f", l.Length.Mean),
			fmt.Sprintf("%.2f", l.Length.Max), fmt.Sprintf("%.1f", l.Delay.Mean), l.CostText(),
		})
	}
	title := "Links by level"
	if links := r.LinksOmitted().Short(); links != "" {
		title += " (cost " + links + ")"
	}
	b.WriteString("\n" + title + "\n")
	cli.WriteTable(&b, table)
	for _, l := range r.Levels {
		if l.Capacity > 1 {
			takes := "is one cable"
			if n := l.CablesPerLink; n > 1 {
				takes = fmt.Sprintf("takes %d cables, which count as %d links here", n, n)
			}
			fmt.Fprintf(&b, "  a link of %s has a capacity of %d ports and %s\n", l.Level, l.Capacity, takes)
		}
	}

	printGaps(&b, r.Gaps)
	b.WriteString("\nBill of materials (" + strings.Join(r.PriceSources(), "; ") + ")\n")
	cli.WriteTable(&b, bomTable(r))
	for _, s := range r.Cost.Omitted().Sentences() {
		fmt.Fprintf(&b, "  %s\n", s)
	}

	printStock(&b, r)
	printCost(&b, r)
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "\nnote: %s\n", n)
	}
	if len(r.Violations) > 0 {
		b.WriteString("\nDesign rules\n")
		printViolations(&b, plan)
	}
	b.WriteString("\n" + cli.WrittenFiles(files))
	return cli.Print(w, b.String())
}

// printGaps prints the share of the gaps between containers that cables fill.
func printGaps(w *strings.Builder, g *report.Gaps) {
	if g == nil {
		return
	}
	table := [][]string{{
		"between cells of", "gap m", "gaps", "mean fill %", "greatest %", "limit %", "too full", "fits at a pitch of m",
	}}
	for i := range g.Levels {
		l := &g.Levels[i]
		table = append(table, []string{
			l.Level, triple(l.Width), english.Grouped(l.Gaps), fill(l, l.Mean), fill(l, l.Max),
			fmt.Sprintf("%g", l.Limit), english.Grouped(l.Overfull), triple(l.Fits),
		})
	}
	w.WriteString("\nGaps between containers\n")
	cli.WriteTable(w, table)
}

// fill writes the share of a gap that cables fill in per cent, without the sign: "at least 12.5" if cables without a
// diameter are in it, "no gap" if percent is nil.
func fill(l *report.GapLevel, percent *float64) string {
	switch {
	case percent == nil:
		return "no gap"
	case l.Unmeasured > 0:
		return fmt.Sprintf("at least %.1f", *percent)
	}
	return fmt.Sprintf("%.1f", *percent)
}

// triple writes lengths along x, y and z in metres without the unit: "1 x 2 x 3", or one number if they are equal.
func triple(l [3]units.Length) string {
	if l[0] == l[1] && l[1] == l[2] {
		return l[0].Number()
	}
	return l[0].Number() + " x " + l[1].Number() + " x " + l[2].Number()
}

// printFabrics prints a table of the networks of a machine with several.
func printFabrics(w *strings.Builder, r *report.Plan) {
	if len(r.Fabrics) == 0 {
		return
	}
	boxes := [][]string{{"boxes", "part", "role", "qty"}}
	for _, b := range r.Boxes {
		boxes = append(boxes, []string{b.Name, b.Part, b.Role, english.Grouped(int64(b.Qty))})
	}
	fmt.Fprint(w, "\nBoxes\n")
	cli.WriteTable(w, boxes)
	table := [][]string{{
		"fabric", "nodes", "ends", "switches", "links", "cables", "hops", "mean ns", "cost " + r.Currency,
	}}
	for i := range r.Fabrics {
		f := &r.Fabrics[i]
		hops, ns := "-", "-"
		if f.Delay != nil {
			hops, ns = fmt.Sprintf("%.3f", f.Delay.HopsMean), fmt.Sprintf("%.1f", f.Delay.NsMean)
			if f.Delay.AtLeast() {
				ns = "at least " + ns
			}
		}
		table = append(table, []string{
			f.Name, english.Grouped(int64(f.Nodes)), english.Grouped(int64(f.Ends)), english.Grouped(int64(f.Switches)),
			english.Grouped(f.Links), english.Grouped(f.Cables), hops, ns, f.Cost.Total.String(),
		})
	}
	fmt.Fprintf(w, "\nFabrics (cost of their switches, cables and optics, without spares%s)\n",
		andWithout(r.LinksOmitted()))
	cli.WriteTable(w, table)
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	row := func(format string, args ...any) { fmt.Fprintf(t, "  "+format+"\n", args...) }
	spares := [][]string{{"fabric", "part", "spares", "cost " + r.Currency}}
	for i := range r.Fabrics {
		f := &r.Fabrics[i]
		summariseRouted(row, f.Name+" ", f.Delay)
		for _, s := range f.Spares {
			cost := "-"
			if s.Cost != nil {
				cost = s.Cost.String()
			}
			spares = append(spares, []string{f.Name, s.Item.String(), english.Grouped(s.Qty), cost})
		}
	}
	t.Flush()
	if len(spares) > 1 {
		fmt.Fprint(w, "\nSpares that fabrics ask for, part of those of the bill\n")
		cli.WriteTable(w, spares)
	}
}

// andWithout returns what a sum leaves out, to follow the name of the sum.
func andWithout(o report.Omitted) string {
	if s := o.Short(); s != "" {
		return ", " + s
	}
	return ""
}

// rowWriter writes a line of a summary: a format with a tab between name and figures.
type rowWriter func(format string, args ...any)

// summariseDelay writes the hops and delays of the fastest paths, if they were measured; then what fewer lengths of
// cables cost, if they were consolidated; then what summariseRouted writes.
func summariseDelay(row rowWriter, r *report.Plan) {
	least := ""
	if r.Delay.AtLeast() {
		least = "at least "
	}
	if d := r.Delay; d != nil {
		how := "all pairs"
		if !d.Exact {
			how = fmt.Sprintf("%d sources drawn, standard error %.2f ns", d.Sources, d.NsStdErr)
		}
		if d.UnreachedPairs > 0 {
			row("not connected\t%s pairs have no path and are left out", english.Grouped(d.UnreachedPairs))
		}
		row("hops\t%.3f mean, %d most", d.HopsMean, d.HopsMax)
		row("delay\t%s%s ns mean, %s ns most, over %.1f m mean (%s)", least, english.Fixed(float64(d.NsMean), 1),
			english.Fixed(float64(d.NsMax), 1), d.PathMean, how)
	}
	if c := r.Consolidation; c != nil {
		row("products\t%d cable lengths in place of %d: %v %s and %.1f m more", c.After, c.Before, c.Extra, r.Currency,
			c.Metres)
	}
	summariseRouted(row, "", r.Delay)
}

// summariseRouted writes the hops, lengths and delays of packets under routing functions; fabric is the name of the
// fabric, "" for the only one.
func summariseRouted(row rowWriter, fabric string, d *report.Delay) {
	if d == nil {
		return
	}
	least := ""
	if d.AtLeast() {
		least = "at least "
	}
	for _, k := range d.Routed {
		how := ""
		if !k.Exact {
			how = fmt.Sprintf(" (%d routers drawn, standard error %.2f ns)", k.Sources, k.StdErr)
		}
		if k.Undelivered > 0 {
			how += fmt.Sprintf("; %s pairs undelivered", english.Grouped(k.Undelivered))
		}
		row("%sby %s\t%.3f hops mean, %d most; %s%.1f ns mean, %.1f ns most, over %.1f m mean%s", fabric, k.Routing,
			k.HopsMean, k.HopsMax, least, k.Mean, k.Max, k.PathMean, how)
	}
}

// summarisePlacement writes what optimizing the placement has saved: on the bill, and in the objective of the search,
// which measures from rack to rack.
func summarisePlacement(row rowWriter, o *report.Placement, currency string) {
	saved := ""
	if o.CostBefore != nil {
		change, word := *o.CostBefore-o.CostAfter, "saved"
		if change < 0 {
			change, word = -change, "more"
		}
		saved = fmt.Sprintf(": the bill comes to %v %s, without optimising to %v %s: %v %s (%.1f %%) %s", o.CostAfter,
			currency, *o.CostBefore, currency, change, currency, 100*change.Float()/max(o.CostBefore.Float(), 0.01),
			word)
	}
	if o.Interrupted {
		saved += "; interrupted"
	}
	row("places\t%s from %s%s", o.Effort, o.Strategy, saved)
	what := o.Objective
	if what == spec.Money {
		what = "cables, optics and labour"
	}
	gap := ""
	if o.LowerBound != nil {
		gap = fmt.Sprintf("; no places give less than %s (%s bound)", objective(o, *o.LowerBound), o.BoundMethod)
	}
	if o.RackBound != nil {
		gap += fmt.Sprintf("; these racks in no order give less than %s (%s bound)", objective(o, *o.RackBound),
			strings.Join(o.RackBoundMethods, " and "))
	}
	row("\t%s from rack to rack: %s, before %s%s", what, objective(o, o.After), objective(o, o.Before), gap)
}

// objective writes a value of the objective with its unit.
func objective(o *report.Placement, x float64) string {
	switch o.Objective {
	case spec.Money:
		return fmt.Sprintf("%v %s", units.Money(math.Round(100*x)), o.Unit)
	case spec.Length, spec.Longest:
		return fmt.Sprintf("%.2f m", x)
	}
	unit, _, _ := strings.Cut(o.Unit, ",")
	return strings.TrimSpace(english.Grouped(int64(math.Round(x))) + " " + unit)
}

// printStock prints what is taken from stock, and which cables are bought nevertheless.
func printStock(w *strings.Builder, r *report.Plan) {
	k := r.Stock
	if k == nil {
		return
	}
	fmt.Fprintf(w, "\nStore: %s of %s pieces used", english.Grouped(k.Used), english.Grouped(k.Pieces))
	if k.Worth != nil {
		fmt.Fprintf(w, ", worth %v %s by the bill", *k.Worth, r.Currency)
	}
	w.WriteString("\n")
	table := [][]string{{"item", "in stock", "used", "spares", "left"}}
	for _, l := range k.Rows {
		table = append(table, []string{
			l.Item.String(), english.Grouped(l.Qty), english.Grouped(l.Used), english.Grouped(l.Spares),
			english.Grouped(l.Left),
		})
	}
	cli.WriteTable(w, table)
	if len(k.Bought) == 0 {
		laid := slices.ContainsFunc(k.Rows, func(row report.StockRow) bool { return row.Item.Length > 0 })
		bought := slices.ContainsFunc(r.BOM, func(l cost.Row) bool { return l.Item.Length > 0 && l.Buy > 0 })
		if laid && !bought {
			w.WriteString("  no cable has to be bought\n")
		}
		return
	}
	w.WriteString("  cables to buy\n")
	table = [][]string{{"level", "product", "cables", "needs m", "because"}}
	for _, l := range k.Bought {
		needs := fmt.Sprintf("%.2f", l.Longest)
		if l.Shortest < l.Longest {
			needs = fmt.Sprintf("%.2f to %.2f", l.Shortest, l.Longest)
		}
		table = append(table, []string{l.Level, l.Product.String(), english.Grouped(l.Cables), needs, lacks[l.Why]})
	}
	cli.WriteTable(w, table)
}

// lacks are the reasons why cables are bought although there is a stock.
var lacks = map[cabling.Reason]string{
	cabling.Taken:   "others have the pieces that would do",
	cabling.Short:   "the pieces that fit are too short",
	cabling.Misfit:  "nothing in stock fits",
	cabling.Dear:    "the optics for a piece in stock cost more",
	cabling.Patched: "none of this length in stock is left",
}

// printCost prints the uncertainty of the total, the cost of a unit, and the cost of power.
func printCost(b *strings.Builder, r *report.Plan) {
	b.WriteString("\nCost in " + r.Currency + "\n")
	t := tabwriter.NewWriter(b, 0, 4, 2, ' ', 0)
	row := func(format string, args ...any) { fmt.Fprintf(t, "  "+format+"\n", args...) }
	spread := func(q cost.Quantiles) string {
		return fmt.Sprintf("P10 %s, P50 %s, P90 %s", wholeMoney(q.P10), wholeMoney(q.P50), wholeMoney(q.P90))
	}
	row("total\t%v%s", r.Cost.Total, andWithout(r.Cost.Omitted()))
	row("network\t%v for %s%s", r.Cost.Network, cost.NetworkWords, andWithout(r.NetworkOmitted()))
	for _, l := range r.BOM {
		if l.Of != nil {
			row("%s\t%v: %s", l.Kind, *l.Cost, l.Description)
		}
	}
	if u := r.Uncertainty; u != nil {
		row("range\t%s (%s draws)%s", spread(u.Capital), english.Grouped(int64(u.Draws)), andWithout(r.Cost.Omitted()))
		var most []string
		for _, s := range u.Tornado[:min(3, len(u.Tornado))] {
			most = append(most, fmt.Sprintf("%s %s to +%s", s.Part, wholeMoney(s.Low-r.Cost.Total),
				wholeMoney(s.High-r.Cost.Total)))
		}
		row("what matters\t%s", strings.Join(most, ", "))
	}
	var per []string
	if p := r.CostPer; p != nil {
		for _, unit := range []struct {
			what string
			cost *units.Money
		}{{"node", p.Node}, {"port", p.Port}, {"Gb/s injected", p.Injection}, {"Gb/s of bisection", p.Bisection}} {
			if unit.cost != nil {
				per = append(per, fmt.Sprintf("%s %v", unit.what, *unit.cost))
			}
		}
	}
	if len(per) > 0 {
		row("per\t%s%s", strings.Join(per, ", "), andWithout(r.Cost.Omitted()))
	}
	if o := r.Operation; o != nil {
		enclosures, losses := "", ""
		if o.Enclosures.Power > 0 {
			enclosures = fmt.Sprintf(", enclosures %v", o.Enclosures.Cost)
		}
		if o.SupplyLosses.Power > 0 {
			losses = fmt.Sprintf(" and losses of power supplies %v", o.SupplyLosses.Cost)
		}
		row("operation\t%v for %v years at %v a kWh and PUE %v: switches %v, optics %v, cables %v%s; nodes on top %v%s",
			o.Total, o.Years, o.Tariff, o.PUE, o.Switches.Cost, o.Optics.Cost, o.Cables.Cost, enclosures, o.Nodes.Cost,
			losses+r.PowerNote().After())
		if u := r.Uncertainty; u != nil && u.Total != nil {
			row("with operation\t%s", spread(*u.Total))
		}
	}
	t.Flush()
}

// wholeMoney writes an amount without cents.
func wholeMoney(m units.Money) string { return english.Grouped(int64(math.Round(m.Float()))) }

// trays summarizes the cables on the trays.
func trays(t *report.Trays) string {
	var levels []string
	for _, l := range t.Levels {
		text := fmt.Sprintf("%.1f %% full at most", l.Fill)
		switch {
		case len(t.DiameterUnstated) > 0 && l.Fill == 0:
			text = "fill unknown"
		case len(t.DiameterUnstated) > 0:
			text = fmt.Sprintf("at least %.1f %% full at the fullest place", l.Fill)
		}
		if l.Limit > 0 && l.Section > 0 {
			text += fmt.Sprintf(", limit %g %%", l.Limit)
		}
		if l.Count > 1 {
			text += fmt.Sprintf(", %d side by side", l.Count)
		}
		if len(t.Levels) > 1 {
			text = l.Level + " " + text
		}
		levels = append(levels, text)
	}
	out := strings.Join(levels, "; ")
	if t.Rerouted > 0 {
		out += fmt.Sprintf("; %s cables led around full trays, %.2f m longer in all", english.Grouped(t.Rerouted),
			t.Extra)
	}
	return out
}

// bomTable returns the table of the bill. If its prices have several sources, the last column names them.
func bomTable(r *report.Plan) [][]string {
	several := slices.ContainsFunc(r.BOM, func(l cost.Row) bool { return l.UnitCost != nil && l.From != r.PriceSet })
	stocked := slices.ContainsFunc(r.BOM, func(l cost.Row) bool { return l.FromStock > 0 })
	bought := slices.ContainsFunc(r.BOM, func(l cost.Row) bool { return l.Buy != l.Need() })
	line := func(part, qty, spares, store, buy, unit, cost, from string) []string {
		row := []string{part, qty, spares}
		if stocked {
			row = append(row, store)
		}
		if bought {
			row = append(row, buy)
		}
		if row = append(row, unit, cost); several {
			row = append(row, from)
		}
		return row
	}
	table := [][]string{line("part", "qty", "spares", "in stock", "to buy", "unit "+r.Currency, "cost "+r.Currency,
		"price from")}
	for _, l := range r.BOM {
		unit, cost := "-", "-"
		if l.UnitCost != nil {
			unit = l.UnitCost.String()
		}
		if l.HasCost() {
			cost = l.Cost.String()
		}
		table = append(table, line(l.Item.String(), english.Grouped(l.Qty), english.Grouped(l.Spares),
			english.Grouped(l.FromStock), english.Grouped(l.Buy), unit, cost, l.From))
	}
	return append(table, line("total", "", "", "", "", "", r.Cost.Total.String(), ""))
}

// floorLine describes the rack positions of a given room: rows, positions, used ones, and those lost to columns, doors
// and other obstacles.
func floorLine(f *report.Floor) string {
	racks := strconv.Itoa(f.RacksPerRow)
	if f.ShortestRow > 0 {
		racks = fmt.Sprintf("%d to %d", f.ShortestRow, f.RacksPerRow)
	}
	line := fmt.Sprintf("%s of %s: %s, %d used", english.Count(f.Rows, "row"), racks,
		english.Count(f.Positions, "rack position"), f.Used)
	var lost []string
	for _, l := range []struct {
		n       int
		to, key string
	}{
		{f.Lost.Columns, "columns", "columns"},
		{f.Lost.Doors, "the floor before doors", "doors"},
		{f.Lost.KeepOuts, "keep-outs", "keep_outs"},
		{f.Lost.Walls, "walls", "walls"},
		{f.Lost.Reserved, "reservations", ""},
	} {
		if l.n == 0 {
			continue
		}
		var layers []string
		for _, on := range f.Lost.Layers {
			if on.To == l.key {
				layers = append(layers, on.Layer)
			}
		}
		lost = append(lost, fmt.Sprintf("%d to %s", l.n, l.to))
		if layers != nil {
			lost[len(lost)-1] += " (layer " + strings.Join(layers, ", ") + ")"
		}
	}
	if lost != nil {
		line += "; lost: " + english.List(lost)
	}
	return line
}
