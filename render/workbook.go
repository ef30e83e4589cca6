package render

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/units"
)

// Names of the workbook's sheets. Cables that do not fit on one sheet go on to
// "Cables 2" and so on.
const (
	summarySheet = "Summary"
	bomSheet     = "BOM"
	cablesSheet  = "Cables"
	racksSheet   = "Racks"
	lengthsSheet = "Lengths"
	traysSheet   = "Trays"
	bundlesSheet = "Bundles"
	pricesSheet  = "Cost"
)

const (
	// cablesPerSheet keeps under the 1,048,576 rows that a sheet may have.
	cablesPerSheet = 1_000_000
	// mostListed is the number of cables up to which a workbook lists them.
	mostListed = 2_000_000
	// mostCounted is the number of cables up to which the bill counts them on
	// the Cables sheet by formula; with more, every change would take seconds.
	mostCounted = 50_000
	// documentDate stands in the document's properties: the time of writing
	// would make every file different.
	documentDate = "2000-01-01T00:00:00Z"
)

// Workbook writes the bill of materials as a workbook for Excel and its like:
// summary, bill, cables, racks and lengths. Totals are formulas over the rows,
// with their values for readers that do not compute.
func Workbook(ctx context.Context, w io.Writer, r *machine.Result) error {
	return writeBook(ctx, w, r, cablesPerSheet)
}

func writeBook(ctx context.Context, w io.Writer, r *machine.Result, perSheet int64) (err error) {
	f := excelize.NewFile()
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	b := &book{ctx: ctx, f: f, r: r, report: r.Report(), perSheet: perSheet}
	if b.styles, err = newStyles(f, b.report.Currency); err != nil {
		return err
	}
	bom := b.bom()
	for _, add := range []func() error{
		func() error { return b.summary().write(f, b.styles) },
		func() error { return bom.write(f, b.styles) },
		b.cables,
		func() error { return b.racks().write(f, b.styles) },
		func() error { return b.lengths().write(f, b.styles) },
		func() error { return b.trays().write(f, b.styles) },
		func() error { return b.bundles().write(f, b.styles) },
		func() error { return b.cost().write(f, b.styles) },
		b.properties,
	} {
		if err := add(); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return b.zip.write(w, f)
}

// book is a workbook in the making.
type book struct {
	ctx    context.Context
	f      *excelize.File
	r      *machine.Result
	report *report.Plan
	styles *styles
	zip    sortedZip
	// perSheet is the most cables on one sheet.
	perSheet int64
	// Rows on the BOM sheet, for the summary's formulas.
	bomLast, bomTotal int
	bomKind           map[catalog.Kind]int
}

func (b *book) properties() error {
	f := b.f
	// A chart adds content types in the order of a map.
	types := f.ContentTypes.Defaults
	sort.Slice(types, func(i, j int) bool { return types[i].Extension < types[j].Extension })
	recalculate := true
	if err := f.SetCalcProps(&excelize.CalcPropsOptions{FullCalcOnLoad: &recalculate}); err != nil {
		return err
	}
	if err := f.SetAppProps(&excelize.AppProperties{Application: "Plenum"}); err != nil {
		return err
	}
	return f.SetDocProps(&excelize.DocProperties{
		Title: machineName(b.r), Subject: "Bill of materials and cable schedule", Creator: "Plenum",
		LastModifiedBy: "Plenum",
		Description:    "Made by Plenum " + machine.Version, Created: documentDate, Modified: documentDate,
	})
}

// Columns of the BOM sheet.
const (
	bomPart = iota + 1
	bomKindColumn
	bomDescription
	bomQty
	bomScheduled
	bomDifference
	bomSpares
	bomUnit
	bomCost
	bomSource
	bomConfidence
	bomLow
	bomHigh
)

// bom is the bill: a row for each part, and below it the totals by kind.
func (b *book) bom() *grid {
	g := &grid{name: bomSheet, frozen: 1, filterTop: 1}
	g.add(heads("Part", "Kind", "Description", "Quantity", "Scheduled", "Difference", "Spares", "Unit cost", "Cost",
		"Price source", "Confidence", "Least unit cost", "Most unit cost")...)
	rows := b.report.BOM
	for i := range rows {
		g.add(b.bomRow(&rows[i], g.next())...)
	}
	last := g.next() - 1
	b.bomLast, g.filter = last, last
	g.add()
	b.bomKind = map[catalog.Kind]int{}
	column := func(c int) string { return span(c, 2, max(last, 2)) }
	for _, kind := range catalog.Kinds {
		if !slices.ContainsFunc(rows, func(r cost.Row) bool { return r.Kind == kind }) {
			continue
		}
		n := g.next()
		b.bomKind[kind] = n
		qty, spares := quantities(rows, kind)
		byKind := func(c int) string {
			return fmt.Sprintf("SUMIF(%s,%s,%s)", column(bomKindColumn), ref(bomKindColumn, n), column(c))
		}
		row := []cell{
			text("Total"), text(string(kind)),
			{},
			whole(qty).by(byKind(bomQty)),
			{},
			{},
			whole(spares).by(byKind(bomSpares)),
			{},
			{},
		}
		if total, priced := b.r.Bill.ByKind[kind]; priced {
			row[bomCost-1] = amount(total).by(byKind(bomCost))
		}
		g.add(row...)
	}
	b.bomTotal = g.next()
	row := totals("Grand total", "", "", "", "", "", "", "")
	g.add(append(row, amount(b.report.Cost.Total).as(strongMoney).by("SUM("+column(bomCost)+")"))...)
	g.add()
	for _, n := range b.bomNotes() {
		g.add(text(n).as(note))
	}
	return g
}

func (b *book) bomRow(r *cost.Row, n int) []cell {
	row := []cell{
		text(r.Item.String()), text(string(r.Kind)), text(r.Description), whole(r.Qty),
		{},
		{},
		whole(r.Spares),
		{},
		{},
		text(r.Source), text(string(r.Confidence)),
		{},
		{},
	}
	if r.Kind == catalog.KindCable && b.r.Schedule.Segments != nil {
		scheduled := whole(r.Qty)
		if b.counted() {
			rows := int(b.r.Schedule.Wired) + 1
			formula := fmt.Sprintf("COUNTIF(%s!%s,%s)", cablesSheet, span(4, 2, rows), ref(bomPart, n))
			if b.r.Schedule.Wired != b.r.Schedule.Cables { // a cable has a row for each of its links
				formula = fmt.Sprintf("COUNTIFS(%s!%s,%s,%s!%s,1)", cablesSheet, span(4, 2, rows), ref(bomPart, n),
					cablesSheet, span(len(cableColumns), 2, rows))
			}
			scheduled = scheduled.by(formula)
		}
		row[bomScheduled-1] = scheduled
		row[bomDifference-1] = whole(0).by(ref(bomQty, n) + "-" + ref(bomScheduled, n))
	}
	if r.UnitCost != nil {
		row[bomUnit-1] = amount(*r.UnitCost)
		if r.Low < r.High {
			row[bomLow-1], row[bomHigh-1] = amount(r.Low), amount(r.High)
		}
		if r.Percent > 0 {
			row[bomUnit-1] = row[bomUnit-1].by(b.surcharge(r, n))
		}
		row[bomCost-1] = amount(*r.Cost).by(fmt.Sprintf("(%s+%s)*%s", ref(bomQty, n), ref(bomSpares, n),
			ref(bomUnit, n)))
	}
	return row
}

// surcharge is the formula of freight, a share of the parts above it, or of
// contingency, a share of all lines above.
func (b *book) surcharge(r *cost.Row, n int) string {
	above := func(column int) string { return span(column, 2, n-1) }
	sum := "SUM(" + above(bomCost) + ")"
	if r.Kind == catalog.KindFreight {
		sum = fmt.Sprintf("(%s-SUMIF(%s,%q,%s))", sum, above(bomKindColumn), catalog.KindLabour, above(bomCost))
	}
	return fmt.Sprintf("ROUND(%s*%v/100,2)", sum, r.Percent)
}

// counted tells whether the bill counts cables by formula.
func (b *book) counted() bool {
	return b.r.Schedule.Segments != nil && b.r.Schedule.Wired <= mostCounted
}

func quantities(rows []cost.Row, kind catalog.Kind) (qty, spares int64) {
	for i := range rows {
		if rows[i].Kind == kind {
			qty += rows[i].Qty
			spares += rows[i].Spares
		}
	}
	return qty, spares
}

func (b *book) bomNotes() []string {
	out := []string{fmt.Sprintf("Prices: %s (%s), in %s.", b.report.PriceSet, b.report.PriceDate, b.report.Currency)}
	for _, path := range b.r.Spec.Prices.Quote {
		out = append(out, fmt.Sprintf("Quote that goes before these prices: %s.", filepath.Base(path)))
	}
	if s := unpriced(b.report.BOM); s != "" {
		out = append(out, "The total "+s)
	}
	switch {
	case b.unlisted() != "":
		out = append(out, b.unlisted())
	case !b.counted():
		out = append(out, fmt.Sprintf("Scheduled: counted when this file was written. With more than %s cables there "+
			"are no formulas that count rows of the Cables sheets: they would make every change wait.",
			grouped(mostCounted)))
	default:
		out = append(out, "Scheduled: counted on the Cables sheet. Difference is quantity less scheduled, and should "+
			"be 0.")
	}
	return out
}

// unpricedParts counts the parts of a bill that have no price.
func unpricedParts(rows []cost.Row) int {
	n := 0
	for i := range rows {
		if rows[i].UnitCost == nil {
			n++
		}
	}
	return n
}

// unpriced says what a total leaves out: "excludes 2 unpriced parts: a, b."
func unpriced(rows []cost.Row) string {
	var parts []string
	for i := range rows {
		if rows[i].UnitCost == nil {
			parts = append(parts, rows[i].Item.String())
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("excludes %s: %s.", plural(int64(len(parts)), "unpriced part"), strings.Join(parts, ", "))
}

// summary is the first sheet: the figures that people ask for first.
func (b *book) summary() *grid {
	g := &grid{name: summarySheet}
	r := b.report
	g.add(text(machineName(b.r)).as(title))
	g.add(text(sentence(b.r.Spec.Topology)))
	if b.r.Spec.Description != "" {
		g.add(text(b.r.Spec.Description).as(note))
	}
	g.add()
	g.add(heads("Machine", "", "")...)
	g.add(text("Nodes"), whole(int64(r.Nodes)))
	g.add(text("Switches"), whole(int64(r.Switches)))
	g.add(text("Links"), whole(r.Links), text("cables and traces"))
	g.add(text("Cables"), whole(r.Cables))
	g.add(text("Racks"), whole(int64(r.Racks)))
	g.add(text("Ports"), whole(r.Ports.Total))
	g.add(text("Ports used"), whole(r.Ports.Used))
	g.add(text("Cable length"), long(r.Length.Total), text("m"))
	g.add(text("Mean cable"), long(r.Length.Mean), text("m"))
	g.add(text("Longest cable"), long(r.Length.Max), text("m"))
	g.add(text("Power"), number(r.Power/1e3), text("kW"))
	if k := r.Structured; k != nil {
		g.add(text("Patch panels"), whole(int64(k.Panels)), text(fmt.Sprintf("in %s racks", grouped(int64(k.Racks)))))
		g.add(text("Trunks"), whole(int64(k.Trunks)), text(fmt.Sprintf("%s positions", grouped(int64(k.Positions)))))
		g.add(text("Links over panels"), whole(k.Links))
		if k.Loss != nil {
			g.add(text("Greatest loss"), number(*k.Loss), text("dB"))
		}
	}
	if c := r.Consolidation; c != nil {
		g.add(text("Cable products"), whole(int64(c.After)), text(fmt.Sprintf("in place of %d", c.Before)))
		g.add(text("Extra for fewer products"), amount(c.Extra), text(r.Currency))
	}
	g.add()
	b.summaryCost(g)
	if d := r.Delay; d != nil {
		b.summaryDelay(g, d)
	}
	for _, levels := range []struct {
		title string
		rows  []report.Level
	}{{"Topology level", r.Levels}, {"Layout level", r.LayoutLevels}} {
		g.add(heads(levels.title, "Links", "Cables", "Mean length (m)", "Longest (m)", "Mean delay (ns)",
			"Longest delay (ns)", "Cost")...)
		for _, l := range levels.rows {
			g.add(text(l.Level), whole(l.Links), whole(l.Cables), long(l.Length.Mean), long(l.Length.Max),
				number(l.Delay.Mean), number(l.Delay.Max), amount(l.Cost))
		}
		g.add()
	}
	b.summaryRemarks(g)
	return g
}

// summaryCost repeats the bill's totals by formula.
func (b *book) summaryCost(g *grid) {
	r := b.report
	g.add(heads("Cost", "", "")...)
	for _, kind := range catalog.Kinds {
		if row, ok := b.bomKind[kind]; ok {
			_, priced := b.r.Bill.ByKind[kind]
			if !priced {
				g.add(text(capital(string(kind))), cell{}, text("no price"))
				continue
			}
			g.add(text(capital(string(kind))), amount(b.r.Bill.ByKind[kind]).by(bomSheet+"!"+ref(bomCost, row)))
		}
	}
	g.add(text("Total").as(strong), amount(r.Cost.Total).as(strongMoney).by(bomSheet+"!"+ref(bomCost, b.bomTotal)),
		text(fmt.Sprintf("prices %s (%s)", r.PriceSet, r.PriceDate)))
	if s := unpriced(r.BOM); s != "" {
		g.add(text("The total " + s).as(note))
	}
	g.add()
}

func (b *book) summaryDelay(g *grid, d *report.Delay) {
	g.add(heads("Delay between nodes", "", "")...)
	g.add(text("Hops, mean"), cell{value: d.HopsMean, style: metres})
	g.add(text("Hops, most"), whole(int64(d.HopsMax)))
	g.add(text("Path, mean"), long(d.PathMean), text("m"))
	g.add(text("Path, longest"), long(d.PathMax), text("m"))
	g.add(text("Delay, mean"), number(d.NsMean), text("ns"))
	g.add(text("Delay, most"), number(d.NsMax), text("ns"))
	if !d.Exact && d.Sources > 0 {
		g.add(text(fmt.Sprintf("Delays are estimates from %s drawn nodes; the greatest are lower bounds.",
			grouped(int64(d.Sources)))).as(note))
	}
	g.add()
}

func (b *book) summaryRemarks(g *grid) {
	if len(b.report.Violations) > 0 {
		g.add(heads("Design rule", "Severity", "Where", "What")...)
		for _, v := range b.report.Violations {
			g.add(text(v.Rule), text(string(v.Severity)), text(v.Where), text(v.Message))
			if v.Suppressed != "" {
				g.add(text(""), text(""), text(""), text("suppressed: "+v.Suppressed).as(note))
			}
		}
		g.add()
	}
	for _, n := range b.report.Notes {
		g.add(text(n).as(note))
	}
	g.add(text("Made by Plenum " + b.report.Version).as(note))
}

// unlisted says why the workbook lists no cables; empty where it does.
func (b *book) unlisted() string {
	switch {
	case b.r.Schedule.Segments == nil:
		return "This plan is a summary: its cables are counted, not listed."
	case b.r.Schedule.Wired > mostListed:
		return fmt.Sprintf("The %s cables are more than the %s that a workbook usefully holds: they are listed in "+
			"cables.csv.", grouped(b.report.Cables), grouped(mostListed))
	}
	return ""
}

// cableStyles are the styles of cableColumns.
var cableStyles = []style{
	plain, plain, plain, plain, plain, metres, metres,
	unit, plain, count, unit, count,
	unit, plain, count, unit, count,
	unit, plain,
	metres, metres, metres, metres, metres, metres, metres, metres,
	decimal, fine, plain, plain, count, count,
}

// racks lists the racks, or the outermost of nested containers.
func (b *book) racks() *grid {
	if b.r.Room() == nil {
		return b.containers()
	}
	g := &grid{name: racksSheet, frozen: 1, filterTop: 1}
	g.add(heads("Rack", "Row", "Number", "Class", "Boxes", "Units used", "Units", "Fill", "Power (kW)",
		"Power limit (kW)", "Weight (kg)")...)
	room := b.r.Room()
	usable := int64(room.Spec.Rack.Units)
	var boxes, used int64
	var power, weight float64
	for _, k := range b.r.Placement.Racks {
		n := g.next()
		p := room.Places[k.Place]
		limit := cell{}
		if room.Spec.Rack.Power > 0 {
			limit = number(float64(room.Spec.Rack.Power) / 1e3)
		}
		kw, kg := tenth(float64(k.Power)/1e3), tenth(float64(k.Weight))
		g.add(text(room.Name(int(k.Place))), text(room.Rows[p.Row].Name), whole(int64(p.Number)),
			text(className(k.Class)),
			whole(int64(k.Boxes)), whole(int64(k.Used)), whole(usable), fill(int64(k.Used), usable, n), number(kw),
			limit, number(kg))
		boxes += int64(k.Boxes)
		used += int64(k.Used)
		power += kw
		weight += kg
	}
	last, n := g.next()-1, g.next()+1
	g.filter = last
	g.add()
	sum := func(c int) string { return "SUM(" + span(c, 2, max(last, 2)) + ")" }
	all := usable * int64(len(b.r.Placement.Racks))
	g.add(text("Total").as(strong), text("").as(strong), text("").as(strong), text("").as(strong),
		whole(boxes).as(strongCount).by(sum(5)), whole(used).as(strongCount).by(sum(6)),
		whole(all).as(strongCount).by(sum(7)), fill(used, all, n).as(strongPercent),
		number(tenth(power)).as(strongDecimal).by(sum(9)), text("").as(strong),
		number(tenth(weight)).as(strongDecimal).by(sum(11)))
	g.add()
	g.add(text("Power is of the boxes with their adapters and of the optics and cable ends plugged into them.").as(note))
	return g
}

// tenth rounds as far as a rack's figures are worth: sums of rounded figures
// then agree with the rows that a reader adds up.
func tenth(v float64) float64 { return math.Round(v*10) / 10 }

// fill is the share of units that are used, on row n of the Racks sheet.
func fill(used, usable int64, n int) cell {
	if usable == 0 {
		return cell{}
	}
	return cell{value: float64(used) / float64(usable), style: percent, formula: ref(6, n) + "/" + ref(7, n)}
}

func className(c embed.Class) string {
	switch c {
	case embed.EndOfRow:
		return "end of row"
	case embed.NetworkRow:
		return "network"
	}
	return "nodes"
}

// mostContainers is how many nested containers are listed one by one.
const mostContainers = 5000

// containers lists the outermost levels of nested containers, as many levels as
// stay readable.
func (b *book) containers() *grid {
	g := &grid{name: racksSheet, frozen: 1, filterTop: 1}
	g.add(heads("Container", "Level", "x (m)", "y (m)", "z (m)", "Width (m)", "Depth (m)", "Height (m)", "Places",
		"Boxes")...)
	l := b.r.Placement.Layout
	listed := 0
	for level := range l.Levels {
		n := l.Slots() / max(l.Tree.Cells(level), 1)
		if listed+n > mostContainers {
			break
		}
		listed += n
		boxes := make([]int64, n)
		for _, slot := range b.r.Placement.Slot {
			boxes[l.Container(level, slot)]++
		}
		size := l.Tree.Size(level)
		for c := range n {
			at := l.Tree.Origin(level, int32(c))
			g.add(text(l.ContainerName(level, int32(c))), text(l.Levels[level].Name),
				long(at.X), long(at.Y), long(at.Z),
				long(size[0]), long(size[1]), long(size[2]),
				whole(int64(l.Tree.Cells(level))), whole(boxes[c]))
		}
	}
	g.filter = g.next() - 1
	g.add()
	g.add(text("This machine stands in nested containers, not in racks. A container holds those of the next level; " +
		"each level adds up to the whole.").as(note))
	return g
}

// mostBins bounds the histogram of lengths.
const mostBins = 200

// lengths is a histogram of the needed lengths by medium, a chart of it, and the
// metres of every product.
func (b *book) lengths() *grid {
	g := &grid{name: lengthsSheet, frozen: 1}
	if b.r.Schedule.Segments == nil {
		g.add(heads("Lengths")...)
		g.add(text("This plan is a summary: it has no list of cables whose lengths could be counted.").as(note))
	} else {
		b.histogram(g)
	}
	g.add()
	b.bought(g)
	return g
}

// histogram counts cables by needed length, a column for each medium.
func (b *book) histogram(g *grid) {
	s := b.r.Schedule
	longest := b.report.Length.Max
	bin := units.Length(max(1, math.Ceil(float64(longest)/mostBins)))
	bins := max(1, int(math.Floor(float64(longest/bin)))+1)
	media := append(slices.Clone(catalog.Media), "")
	counts := make([][]int64, len(media))
	for i := range counts {
		counts[i] = make([]int64, bins)
	}
	products := make([]int, len(s.Products))
	for i := range s.Products {
		products[i] = slices.Index(media, s.Products[i].Part.Cable.Medium)
	}
	legs := s.Legs()
	s.Each(func(_ int64, seg *cabling.Segment) bool {
		if legs.Next(seg) > 1 {
			return true
		}
		medium := len(media) - 1
		if seg.Product >= 0 {
			medium = products[seg.Product]
		}
		counts[medium][min(int(seg.Length/bin), bins-1)]++
		return true
	})
	names := []string{"From (m)", "To (m)"}
	var used [][]int64
	for i, c := range counts {
		if slices.ContainsFunc(c, func(n int64) bool { return n > 0 }) {
			names = append(names, cmp.Or(string(media[i]), "no product"))
			used = append(used, c)
		}
	}
	g.add(heads(append(names, "All")...)...)
	sums := make([]int64, len(used)+1)
	for i := range bins {
		row := []cell{long(units.Length(i) * bin), long(units.Length(i+1) * bin)}
		all := int64(0)
		for m := range used {
			row = append(row, whole(used[m][i]))
			all += used[m][i]
			sums[m] += used[m][i]
		}
		sums[len(used)] += all
		n := g.next()
		total := whole(all)
		if len(used) > 0 {
			total = total.by("SUM(" + ref(3, n) + ":" + ref(len(used)+2, n) + ")")
		}
		g.add(append(row, total)...)
	}
	last := g.next() - 1
	row := totals("All", "")
	for c, n := range sums {
		row = append(row, whole(n).as(strongCount).by("SUM("+span(c+3, 2, last)+")"))
	}
	g.add(row...)
	if len(used) > 0 {
		b.chart(g, len(used), last)
	}
}

// chart draws the histogram beside it.
func (b *book) chart(g *grid, media, last int) {
	stacked, gap, vary := 100, uint(20), false
	axis := func(title string) excelize.ChartAxis {
		return excelize.ChartAxis{
			Title: excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: title}}},
			Font:  excelize.Font{Color: "404040"},
		}
	}
	g.chart = &excelize.Chart{
		Type:      excelize.ColStacked,
		Title:     excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: "Cables by needed length"}}},
		XAxis:     axis("needed length, from (m)"),
		YAxis:     axis("cables"),
		Legend:    excelize.ChartLegend{Position: "bottom"},
		Dimension: excelize.ChartDimension{Width: 900, Height: 420},
		Overlap:   &stacked, GapWidth: &gap, VaryColors: &vary,
	}
	g.chart.YAxis.MajorGridLines = true
	for m := range media {
		g.chart.Series = append(g.chart.Series, excelize.ChartSeries{
			Name:       lengthsSheet + "!" + fixed(m+3, 1),
			Categories: lengthsSheet + "!" + span(1, 2, last),
			Values:     lengthsSheet + "!" + span(m+3, 2, last),
		})
	}
	g.chartAt = ref(max(media+5, 7), 2)
}

// bought sums up what is bought of every product.
func (b *book) bought(g *grid) {
	g.add(heads("Product", "Medium", "Piece (m)", "Quantity", "Metres bought")...)
	first := g.next()
	qty, total := int64(0), units.Length(0)
	for _, m := range b.report.Media {
		n := g.next()
		length := units.Length(m.Length * units.Length(m.Qty))
		g.add(text(m.Product), text(string(m.Medium)), long(m.Length), whole(m.Qty),
			long(length).by(ref(3, n)+"*"+ref(4, n)))
		qty += m.Qty
		total += length
	}
	last := max(g.next()-1, first)
	if g.next() == first {
		g.add()
	}
	row := totals("Total", "", "")
	g.add(append(row, whole(qty).as(strongCount).by("SUM("+span(4, first, last)+")"),
		long(total).as(strongMetres).by("SUM("+span(5, first, last)+")"))...)
}
