package render

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"sort"
	"strconv"

	"github.com/xuri/excelize/v2"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/topology/throughput"
	"github.com/plenum-planner/plenum/units"
)

// CompareRow is a figure of every machine of a comparison. Values are int64,
// float64, a quantity of package units in the unit of the row, string, or nil where
// there is none; a row without values is a heading.
type CompareRow struct {
	Figure, Unit string
	Values       []any
}

// CompareRows lists the figures of a comparison.
func CompareRows(c *report.Comparison) []CompareRow {
	t := compareTable{machines: c.Machines}
	t.size()
	t.media(c.Media())
	t.money(usedKinds(c))
	t.delay(c.Alphas, c.Beta)
	t.bisection()
	t.throughput()
	t.accepted(c)
	t.heading("Rules")
	t.row("breaches of design rules", "", func(m *report.Compared) any { return int64(m.Breaches) })
	return t.rows
}

// compareTable is the figures of the machines of a comparison in the making.
type compareTable struct {
	machines []report.Compared
	rows     []CompareRow
}

func (t *compareTable) heading(name string) { t.rows = append(t.rows, CompareRow{Figure: name}) }

// row adds a figure, its value asked of every machine.
func (t *compareTable) row(figure, unit string, value func(m *report.Compared) any) {
	r := CompareRow{Figure: figure, Unit: unit}
	for i := range t.machines {
		r.Values = append(r.Values, value(&t.machines[i]))
	}
	t.rows = append(t.rows, r)
}

// ofDelay adds a figure that machines have whose delays are known.
func (t *compareTable) ofDelay(figure, unit string, value func(d *report.Delay) any) {
	t.row(figure, unit, func(m *report.Compared) any {
		if m.Delay == nil {
			return nil
		}
		return value(m.Delay)
	})
}

func (t *compareTable) size() {
	t.heading("Size")
	t.row("topology", "", func(m *report.Compared) any { return sentence(m.Topology) })
	t.row("nodes", "", func(m *report.Compared) any { return int64(m.Nodes) })
	t.row("switches", "", func(m *report.Compared) any { return int64(m.Switches) })
	t.row("racks", "", func(m *report.Compared) any { return int64(m.Racks) })
	t.row("ports used", "", func(m *report.Compared) any { return m.Ports.Used })
	t.row("ports there are", "", func(m *report.Compared) any { return m.Ports.Total })
	t.row("links", "", func(m *report.Compared) any { return m.Links })
	t.row("cables", "", func(m *report.Compared) any { return m.Cables })
	t.row("cable", "m", func(m *report.Compared) any { return m.Length.Total })
	t.row("mean cable", "m", func(m *report.Compared) any { return m.Length.Mean })
	t.row("longest cable", "m", func(m *report.Compared) any { return m.Length.Max })
}

func (t *compareTable) media(media []catalog.Medium) {
	t.heading("Cables by medium")
	for _, medium := range media {
		t.row(string(medium), "cables", func(m *report.Compared) any { n, _ := m.OfMedium(medium); return n })
		t.row(string(medium), "m", func(m *report.Compared) any { _, metres := m.OfMedium(medium); return metres })
	}
}

func (t *compareTable) money(kinds []costKind) {
	t.heading("Money and power")
	t.row("currency", "", func(m *report.Compared) any { return m.Currency })
	t.row("prices", "", func(m *report.Compared) any { return m.PriceSet })
	t.row("cost", "", func(m *report.Compared) any { return m.Cost.Total })
	t.row("cost per node", "", func(m *report.Compared) any { return m.PerNode(m.Cost.Total) })
	t.row("network: switches, adapters, cables, optics, panels", "",
		func(m *report.Compared) any { return m.Cost.Network })
	t.row("network per node", "", func(m *report.Compared) any { return m.PerNode(m.Cost.Network) })
	for _, k := range kinds {
		t.row("of it "+k.name, "", func(m *report.Compared) any { return k.of(&m.Cost) })
	}
	t.row("parts without a price", "", func(m *report.Compared) any { return int64(len(m.Cost.Excludes)) })
	t.row("power", "kW", func(m *report.Compared) any { return m.Power / 1e3 })
	t.row("power per node", "W", func(m *report.Compared) any { return m.Power / units.Power(max(m.Nodes, 1)) })
}

func (t *compareTable) delay(alphas []units.Time, beta units.Propagation) {
	t.heading("Delay")
	t.ofDelay("delays over", "", func(d *report.Delay) any {
		if d.Exact && d.UnreachedPairs > 0 {
			return "all pairs that have a path"
		}
		if d.Exact {
			return "all pairs"
		}
		return grouped(int64(d.Sources)) + " sources drawn"
	})
	t.ofDelay("mean hops", "", func(d *report.Delay) any { return d.HopsMean })
	t.ofDelay("most hops", "", func(d *report.Delay) any { return int64(d.HopsMax) })
	t.ofDelay("mean way", "m", func(d *report.Delay) any { return d.PathMean })
	t.ofDelay("longest way", "m", func(d *report.Delay) any { return d.PathMax })
	t.ofDelay("stretch of all ways", "", func(d *report.Delay) any { return d.Stretch.Total })
	t.ofDelay("own alpha, a hop", "ns", func(d *report.Delay) any {
		if d.Definition.Alpha == nil {
			return nil
		}
		return *d.Definition.Alpha
	})
	t.ofDelay("own beta", "ns/m", func(d *report.Delay) any { return float64(d.Definition.Beta) })
	own := func(d *report.Delay, of units.Time) any {
		if d.AtLeast() { // a bound would stand beside figures
			return nil
		}
		return of
	}
	t.ofDelay("own delay, mean", "ns", func(d *report.Delay) any { return own(d, d.NsMean) })
	t.ofDelay("own delay, 95 % interval ±", "ns", func(d *report.Delay) any {
		if d.Exact {
			return nil
		}
		return 1.96 * d.NsStdErr
	})
	t.ofDelay("own delay, most", "ns", func(d *report.Delay) any { return own(d, d.NsMax) })
	if slices.ContainsFunc(t.machines, func(m report.Compared) bool {
		return m.Delay.AtLeast()
	}) {
		t.ofDelay("parts without a hop delay", "", func(d *report.Delay) any { return int64(len(d.HopUnstated)) })
	}
	for _, alpha := range alphas {
		at := fmt.Sprintf("D at %s ns, %s ns/m", short(float64(alpha)), short(float64(beta)))
		t.row(at+", mean", "ns", func(m *report.Compared) any { mean, _ := m.D(alpha, beta); return mean })
		t.row(at+", most", "ns", func(m *report.Compared) any { _, most := m.D(alpha, beta); return most })
	}
}

func (t *compareTable) bisection() {
	rate := func(m *report.Compared) float64 { return float64(m.Rate) * float64(m.Bisection.Upper) }
	t.heading("Bisection")
	t.row("channels, at least", "", func(m *report.Compared) any { return m.Bisection.Lower })
	t.row("channels, at most", "", func(m *report.Compared) any { return m.Bisection.Upper })
	t.row("channels per million", "", func(m *report.Compared) any { return m.PerMoney(float64(m.Bisection.Upper)) })
	t.row("rate per node", "Gb/s", func(m *report.Compared) any { return rate(m) / float64(max(m.Nodes, 1)) })
	t.row("rate per million", "Gb/s", func(m *report.Compared) any { return m.PerMoney(rate(m)) })
}

func (t *compareTable) throughput() {
	share := func(of func(b *throughput.Bound) float64) func(m *report.Compared) any {
		return func(m *report.Compared) any {
			if m.Throughput == nil {
				return nil
			}
			return of(m.Throughput)
		}
	}
	rate := func(m *report.Compared, worst bool) units.Rate {
		u, w := m.Bounds()
		if worst {
			return w
		}
		return u
	}
	t.heading("Throughput, bounds for any routing")
	for _, traffic := range []struct {
		name  string
		worst bool
		share func(b *throughput.Bound) float64
	}{
		{"uniform traffic", false, func(b *throughput.Bound) float64 { return b.Uniform }},
		{"worst traffic", true, func(b *throughput.Bound) float64 { return b.Worst }},
	} {
		t.row(traffic.name+", share of the ports", "", share(traffic.share))
		t.row(traffic.name+", per node", "Gb/s", func(m *report.Compared) any {
			return float64(rate(m, traffic.worst)) / float64(max(m.Nodes, 1))
		})
		t.row(traffic.name+", network cost per Gb/s", "", func(m *report.Compared) any {
			return m.NetworkBy(rate(m, traffic.worst))
		})
	}
}

// Text is a value for people; a dash stands for none.
func (r *CompareRow) Text(i int) string {
	switch v := inUnit(r.Values[i]).(type) {
	case string:
		return v
	case int64:
		return grouped(v)
	case units.Money:
		return price(v, "")[:len(price(v, ""))-1]
	case float64:
		switch x := math.Abs(v); {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return "-"
		case x >= 1e4:
			return grouped(int64(math.Round(v)))
		case x >= 100 || x == 0:
			return strconv.FormatFloat(v, 'f', 1, 64)
		}
		return strconv.FormatFloat(v, 'f', 3, 64)
	}
	return "-"
}

// inUnit is a quantity as a number in its own unit, and any other value as it is.
func inUnit(v any) any {
	switch v := v.(type) {
	case units.Length:
		return float64(v)
	case units.Time:
		return float64(v)
	case units.Power:
		return float64(v)
	}
	return v
}

// compareFile is one file of a comparison.
type compareFile struct {
	name  string
	write compareWriter
}

var compareCharts = []compareFile{
	{"delays.png", CompareDelays},
	{"break-even.png", CompareBreakEven},
	{"cost-delay.png", CompareCostDelay},
	{"cost.png", CompareCost},
	{"lengths.png", CompareLengths},
}

// CompareNames lists the files of a comparison.
func CompareNames() []string {
	out := []string{"compare.xlsx", "compare.html"}
	for _, f := range compareCharts {
		out = append(out, f.name)
	}
	return out
}

// CompareFiles writes the files of a comparison into dir as Files does those of
// a plan: all of them whole, or none.
func CompareFiles(ctx context.Context, c *report.Comparison, dir string) ([]string, error) {
	var outputs []output
	for _, f := range append([]compareFile{{"compare.xlsx", CompareWorkbook}, {"compare.html", ComparePage}},
		compareCharts...) {
		outputs = append(outputs,
			output{name: f.name, write: func(ctx context.Context, w io.Writer, _ *machine.Result) error {
				return f.write(ctx, w, c)
			}})
	}
	return writeFiles(ctx, nil, dir, outputs, nil)
}

//go:embed compare.html
var comparePage string

var pageTemplate = template.Must(template.New("compare").Parse(comparePage))

// ComparePage writes the table and the charts as one page that needs no other
// file.
func ComparePage(ctx context.Context, w io.Writer, c *report.Comparison) error {
	type chart struct {
		Name string
		Data template.URL
	}
	type value struct{ Text, Against string }
	type row struct {
		Figure, Unit string
		Values       []value
	}
	page := struct {
		Version  string
		Machines []string
		Rows     []row
		Fastest  []string
		Charts   []chart
		Notes    []string

		Baseline    string
		Differences []string
		Rankings    []RankingTable
	}{
		Version: machine.Version, Fastest: FastestWords(c), Notes: CompareNotes(c), Differences: DifferenceWords(c),
		Rankings: RankingTables(c),
	}
	for i := range c.Machines {
		page.Machines = append(page.Machines, numbered(i, c.Machines[i].Machine))
	}
	if c.Baseline > 0 {
		page.Baseline = page.Machines[c.Baseline-1]
	}
	for _, r := range CompareRows(c) {
		line := row{Figure: r.Figure, Unit: r.Unit}
		for i := range r.Values {
			v := value{Text: r.Text(i)}
			if c.Baseline > 0 {
				v.Against = r.Against(i, c.Baseline-1)
			}
			line.Values = append(line.Values, v)
		}
		page.Rows = append(page.Rows, line)
	}
	for _, f := range compareCharts {
		var b bytes.Buffer
		if err := f.write(ctx, &b, c); err != nil {
			return err
		}
		page.Charts = append(page.Charts,
			chart{f.name, template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes()))})
	}
	return pageTemplate.Execute(w, page)
}

// FastestWords says which machine is fastest for which alpha/beta.
func FastestWords(c *report.Comparison) []string {
	var out []string
	for _, r := range c.Fastest() {
		name := c.Machines[r.Machine].Machine
		switch {
		case math.IsInf(float64(r.To), 1) && r.From == 0:
			out = append(out, fmt.Sprintf("%s has the least mean D for every alpha/beta", name))
		case math.IsInf(float64(r.To), 1):
			out = append(out, fmt.Sprintf("%s has the least mean D from alpha/beta = %s m", name,
				short(float64(r.From))))
		default:
			out = append(out, fmt.Sprintf("%s has the least mean D from alpha/beta = %s to %s m", name,
				short(float64(r.From)), short(float64(r.To))))
		}
	}
	return out
}

// CompareNotes are the notes of all machines, and what else restricts the
// figures.
func CompareNotes(c *report.Comparison) []string {
	out := rankingNotes(c)
	sets := map[string]bool{}
	for i := range c.Machines {
		m := &c.Machines[i]
		sets[m.PriceSet] = true
		if m.Delay != nil && !m.Delay.Exact {
			out = append(out, fmt.Sprintf("%s: delays from %s drawn sources; the greatest are lower bounds", m.Machine,
				grouped(int64(m.Delay.Sources))))
		}
		if m.Breaches > 0 {
			out = append(out, fmt.Sprintf("%s breaks design rules in %s; plenum plan names them", m.Machine,
				plural(int64(m.Breaches), "place")))
		}
		for _, n := range m.Notes {
			out = append(out, m.Machine+": "+n)
		}
	}
	drawn := slices.ContainsFunc(c.Machines, func(m report.Compared) bool { return m.Delay != nil && !m.Delay.Exact })
	if drawn && len(c.Machines) > 1 {
		out = append(out, "where delays are drawn, D and the break-even points are only as sure as the means: lines "+
			"that run close may cross elsewhere or not at all")
	}
	if len(sets) > 1 {
		out = append(out, "the machines are priced by different sets of prices")
	}
	if !c.OneCurrency() {
		out = append(out, "the costs are in different currencies and cannot be compared")
	}
	return out
}

// CompareWorkbook writes a comparison as a workbook.
func CompareWorkbook(_ context.Context, w io.Writer, c *report.Comparison) (err error) {
	f := excelize.NewFile()
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	ids, err := newStyles(f, c.Machines[0].Currency)
	if err != nil {
		return err
	}
	for _, g := range []*grid{
		compareSheet(c), rankingSheet(c), costSheet(c), breakEvenSheet(c), delaySheet(c), compareLengths(c),
	} {
		if g == nil {
			continue
		}
		if err := g.write(f, ids); err != nil {
			return err
		}
	}
	types := f.ContentTypes.Defaults
	sort.Slice(types, func(i, j int) bool { return types[i].Extension < types[j].Extension })
	if err := f.SetAppProps(&excelize.AppProperties{Application: "Plenum"}); err != nil {
		return err
	}
	err = f.SetDocProps(&excelize.DocProperties{
		Title: "Comparison of machines", Creator: "Plenum", LastModifiedBy: "Plenum",
		Description: "Made by Plenum " + machine.Version, Created: documentDate, Modified: documentDate,
	})
	if err != nil {
		return err
	}
	return (&sortedZip{}).write(w, f)
}

// machineHeads are heads of columns: the given ones, then the machines.
func machineHeads(c *report.Comparison, first ...string) []cell {
	for i := range c.Machines {
		first = append(first, c.Machines[i].Machine)
	}
	return heads(first...)
}

// compareSheet is the figures, a column for each machine.
func compareSheet(c *report.Comparison) *grid {
	g := &grid{name: "Comparison", frozen: 1}
	first := machineHeads(c, "Figure", "Unit")
	if c.Baseline > 0 {
		for i := range c.Machines {
			if i != c.Baseline-1 {
				name := c.Machines[i].Machine
				first = append(first, heads(name+", more than the baseline", name+", share of it")...)
			}
		}
	}
	g.add(first...)
	for _, r := range CompareRows(c) {
		if r.Values == nil {
			g.add()
			g.add(text(r.Figure).as(strong))
			continue
		}
		row := []cell{text(r.Figure), text(r.Unit)}
		for _, v := range r.Values {
			row = append(row, valueCell(v))
		}
		g.add(append(row, againstCells(c, &r, g.next())...)...)
	}
	g.add()
	for _, line := range slices.Concat(DifferenceWords(c), FastestWords(c), CompareNotes(c)) {
		g.add(text(line).as(note))
	}
	return g
}

func valueCell(v any) cell {
	switch v := inUnit(v).(type) {
	case string:
		return text(v)
	case int64:
		return whole(v)
	case units.Money:
		return cell{value: v.Float(), style: metres} // hundredths; the currency has a row
	case float64:
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			return cell{value: math.Round(v*1e6) / 1e6, style: metres}
		}
	}
	return cell{}
}

// costSheet is the cost by kind, with a chart.
func costSheet(c *report.Comparison) *grid {
	g := &grid{name: "Cost", frozen: 1}
	names := []string{"Machine"}
	for _, k := range costKinds {
		names = append(names, k.name)
	}
	g.add(heads(append(names, "Total", "Currency", "Nodes", "Per node")...)...)
	n := len(costKinds)
	for i := range c.Machines {
		m := &c.Machines[i]
		row, at := []cell{text(m.Machine)}, g.next()
		for _, k := range costKinds {
			row = append(row, cell{value: k.of(&m.Cost).Float(), style: metres})
		}
		total := cell{value: m.Cost.Total.Float(), style: metres}.by("SUM(" + ref(2, at) + ":" + ref(n+1, at) + ")")
		row = append(row, total, text(m.Currency), whole(int64(m.Nodes)))
		if m.Nodes > 0 {
			row = append(row, cell{
				value: m.PerNode(m.Cost.Total).Float(),
				style: metres,
			}.by(ref(n+2, at)+"/"+ref(n+4, at)))
		}
		g.add(row...)
	}
	last := g.next() - 1
	stacked, gap, vary := 100, uint(40), false
	g.chart = &excelize.Chart{
		Type:      excelize.BarStacked,
		Title:     excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: "Cost by kind of part"}}},
		Legend:    excelize.ChartLegend{Position: "bottom"},
		Dimension: excelize.ChartDimension{Width: 900, Height: uint(220 + 40*len(c.Machines))},
		Overlap:   &stacked, GapWidth: &gap, VaryColors: &vary,
		XAxis: excelize.ChartAxis{ReverseOrder: true},
	}
	for k := range costKinds {
		g.chart.Series = append(g.chart.Series, excelize.ChartSeries{
			Name:       g.name + "!" + fixed(k+2, 1),
			Categories: g.name + "!" + span(1, 2, last),
			Values:     g.name + "!" + span(k+2, 2, last),
		})
	}
	g.chartAt = ref(2, last+3)
	return g
}

func breakEvenSheet(c *report.Comparison) *grid {
	g := &grid{name: "Break-even", frozen: 1}
	g.add(heads("Machine", "Machine", "Mean D equal at alpha/beta (m)", "Maximal D equal at (m)",
		"Fewer hops, faster above")...)
	for _, k := range c.Crossings() {
		fewer := k.A
		if k.MoreHops == k.A {
			fewer = k.B
		}
		row := []cell{
			text(c.Machines[k.A].Machine), text(c.Machines[k.B].Machine), valueCell(float64(k.Mean.Ratio)),
			valueCell(float64(k.Max.Ratio)),
			{},
		}
		if k.Mean.Crosses {
			row[4] = text(c.Machines[fewer].Machine)
		}
		g.add(row...)
	}
	g.add()
	g.add(text("D = alpha x hops + beta x distance. An empty field: one machine has neither more hops nor a " +
		"longer way.").as(note))
	return g
}

// delaySheet is the distributions of delay, two columns for each machine.
func delaySheet(c *report.Comparison) *grid {
	g := &grid{name: "Delays", frozen: 1}
	var names []string
	most := 0
	for i := range c.Machines {
		d := c.Machines[i].Delay
		names = append(names, c.Machines[i].Machine+": from (ns)"+leastOf(d.AtLeast()), "pairs")
		if d != nil {
			most = max(most, len(d.Histogram.Pairs))
		}
	}
	g.add(heads(names...)...)
	for k := range most {
		var row []cell
		for i := range c.Machines {
			d := c.Machines[i].Delay
			if d == nil || k >= len(d.Histogram.Pairs) {
				row = append(row, cell{}, cell{})
				continue
			}
			row = append(row, valueCell(units.Time(k)*d.Histogram.BinNs), whole(d.Histogram.Pairs[k]))
		}
		g.add(row...)
	}
	return g
}

// compareLengths is the histograms of length by machine and medium.
func compareLengths(c *report.Comparison) *grid {
	g := &grid{name: "Lengths", frozen: 1}
	g.add(heads("Machine", "Medium", "From (m)", "To (m)", "Cables")...)
	for i := range c.Machines {
		for _, l := range c.Machines[i].Lengths {
			for k, n := range l.Bins {
				if n > 0 {
					g.add(text(c.Machines[i].Machine), text(string(l.Medium)), valueCell(units.Length(k)*l.BinMetres),
						valueCell(units.Length(k+1)*l.BinMetres), whole(n))
				}
			}
		}
	}
	return g
}
