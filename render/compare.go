package render

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/topology"
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
	t.fabrics()
	t.media(c.Media())
	t.money(chart.CostKinds(c))
	if !c.AllWhole() {
		t.delay(c)
		t.bisection()
		t.throughput()
		t.accepted(c)
	}
	t.deployability()
	t.step()
	t.heading("Terms")
	for _, term := range c.Terms() {
		r := CompareRow{Figure: term.Term}
		for _, v := range term.Values {
			r.Values = append(r.Values, v)
		}
		t.rows = append(t.rows, r)
	}
	t.heading("Rules")
	t.row("violations of design rules, errors", "", func(m *report.Compared) any { return int64(m.Breaches) })
	t.row("violations of design rules, warnings", "", func(m *report.Compared) any {
		n := int64(0)
		for _, w := range m.Warnings {
			n += int64(w.Count)
		}
		return n
	})
	return t.rows
}

// ProductRows lists the pieces of every product that cables and cords of a comparison are bought as, spares left out.
func ProductRows(c *report.Comparison) []CompareRow {
	t := compareTable{machines: c.Machines}
	t.heading("Cables by product")
	var items []catalog.Item
	pieces := make([]map[catalog.Item]int64, len(c.Machines))
	for i := range c.Machines {
		pieces[i] = map[catalog.Item]int64{}
		for _, r := range c.Machines[i].BOM {
			if r.Kind == catalog.KindCable {
				items = append(items, r.Item)
				pieces[i][r.Item] += r.Qty
			}
		}
	}
	slices.SortFunc(items, catalog.Item.Compare)
	for _, item := range slices.Compact(items) {
		r := CompareRow{Figure: item.String()}
		for i := range pieces {
			r.Values = append(r.Values, pieces[i][item])
		}
		t.rows = append(t.rows, r)
	}
	return t.rows
}

// compareTable is the figures of the machines of a comparison in the making.
type compareTable struct {
	machines []report.Compared
	rows     []CompareRow
}

func (t *compareTable) heading(name string) { t.rows = append(t.rows, CompareRow{Figure: name}) }

// all follows the names of figures that are of the whole machine also where one of its fabrics is compared; "" where no
// machine is compared by one of several.
func (t *compareTable) all() string {
	if slices.ContainsFunc(t.machines, func(m report.Compared) bool { return !m.Whole && len(m.Fabrics) > 1 }) {
		return ", all fabrics"
	}
	return ""
}

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
	t.row("topology", "", func(m *report.Compared) any {
		if m.Whole {
			return wholeNetworks(m)
		}
		given := m.Topology
		given.LevelCapacity = topology.LevelCapacity{} // said by levels, those that the family gives a capacity too
		return sentence(given) + capacities(m.Levels)
	})
	t.row("nodes", "", func(m *report.Compared) any { return int64(m.Nodes) })
	t.row("switches", "", func(m *report.Compared) any { return int64(m.Switches) })
	t.row("racks"+t.all(), "", func(m *report.Compared) any { return int64(m.Racks) })
	t.row("ports used"+t.all(), "", func(m *report.Compared) any { return m.Ports.Used })
	t.row("ports there are"+t.all(), "", func(m *report.Compared) any { return m.Ports.Total })
	t.row("links", "", func(m *report.Compared) any { return m.Links })
	t.row("cables"+t.all(), "", func(m *report.Compared) any { return m.Cables })
	t.row("cable"+t.all(), "m", func(m *report.Compared) any { return m.Length.Total })
	t.row("mean cable"+t.all(), "m", func(m *report.Compared) any { return m.Length.Mean })
	t.row("longest cable"+t.all(), "m", func(m *report.Compared) any { return m.Length.Max })
	t.panels()
}

// panels are the rows about links over panels, shuffles and octopus cables.
func (t *compareTable) panels() {
	if !slices.ContainsFunc(t.machines, func(m report.Compared) bool { return m.Structured != nil }) {
		return
	}
	row := func(figure string, of func(k *report.Structured) int64) {
		t.row(figure, "", func(m *report.Compared) any {
			if m.Structured == nil {
				return int64(0)
			}
			return of(m.Structured)
		})
	}
	row("links over panels", func(k *report.Structured) int64 { return k.Links })
	row("panels", func(k *report.Structured) int64 { return int64(k.Panels) })
	row("mated pairs in panels", func(k *report.Structured) int64 { return k.MatedPairs })
	row("mated pairs of a link over panels", func(k *report.Structured) int64 { return int64(k.MatedPairsOfLink) })
}

// wholeNetworks names the fabrics of a machine that are compared together, with their topologies.
func wholeNetworks(m *report.Compared) string {
	var out []string
	for i := range m.Fabrics {
		f := &m.Fabrics[i]
		out = append(out, f.Name+": "+sentence(f.Topology))
	}
	return strings.Join(out, "; ")
}

// fabrics are the figures of the fabrics of machines that are compared as a whole, those of one name in a row.
func (t *compareTable) fabrics() {
	var names []string
	for i := range t.machines {
		m := &t.machines[i]
		for j := range m.Fabrics {
			if name := m.Fabrics[j].Name; m.Whole && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) > 0 {
		t.heading("Fabrics")
	}
	for _, name := range names {
		of := func(figure, unit string, value func(f *report.Fabric) any) {
			t.row(name+": "+figure, unit, func(m *report.Compared) any {
				for i := range m.Fabrics {
					if f := &m.Fabrics[i]; m.Whole && f.Name == name {
						return value(f)
					}
				}
				return nil
			})
		}
		ofDelay := func(figure, unit string, value func(d *report.Delay) any) {
			of(figure, unit, func(f *report.Fabric) any {
				if f.Delay == nil {
					return nil
				}
				return value(f.Delay)
			})
		}
		of("ends", "", func(f *report.Fabric) any { return int64(f.Ends) })
		of("switches", "", func(f *report.Fabric) any { return int64(f.Switches) })
		of("links", "", func(f *report.Fabric) any { return f.Links })
		of("cables", "", func(f *report.Fabric) any { return f.Cables })
		of("cost of switches, cables and optics", "", func(f *report.Fabric) any { return f.Cost.Total })
		ofDelay("mean hops", "", func(d *report.Delay) any { return d.HopsMean })
		ofDelay("mean delay", "ns", func(d *report.Delay) any {
			if d.AtLeast() { // a bound would stand beside figures
				return nil
			}
			return d.NsMean
		})
		ofDelay("most delay", "ns", func(d *report.Delay) any {
			if d.AtLeast() {
				return nil
			}
			return d.NsMax
		})
	}
}

func (t *compareTable) media(media []catalog.Medium) {
	t.heading("Cables by medium" + t.all())
	for _, medium := range media {
		t.row(string(medium), "cables", func(m *report.Compared) any { n, _ := m.OfMedium(medium); return n })
		t.row(string(medium), "m", func(m *report.Compared) any { _, metres := m.OfMedium(medium); return metres })
	}
}

func (t *compareTable) money(kinds []chart.CostKind) {
	t.heading("Money and power" + t.all())
	t.row("currency", "", func(m *report.Compared) any { return m.Currency })
	t.row("prices", "", func(m *report.Compared) any { return m.PriceSet })
	t.row("cost", "", func(m *report.Compared) any { return m.Cost.Total })
	t.row("cost per node", "", func(m *report.Compared) any { return m.PerNode(m.Cost.Total) })
	t.row("parts without a price, not in the cost", "",
		func(m *report.Compared) any { return int64(len(m.Cost.Excludes)) })
	if slices.ContainsFunc(t.machines, func(m report.Compared) bool { return len(m.Cost.NotInBill) > 0 }) {
		t.row("not in the bill", "", func(m *report.Compared) any {
			var levels []string
			for _, l := range m.Cost.NotInBill {
				levels = append(levels, l.String())
			}
			return strings.Join(levels, ", ")
		})
	}
	t.row("network: switches, adapters, cables, optics, panels, midplanes", "",
		func(m *report.Compared) any { return m.Cost.Network })
	t.row("network per node", "", func(m *report.Compared) any { return m.PerNode(m.Cost.Network) })
	for _, k := range kinds {
		t.row("of it "+k.Name, "", func(m *report.Compared) any { return k.Of(&m.Cost) })
	}
	t.row("power", "kW", func(m *report.Compared) any { return m.Power / 1e3 })
	if slices.ContainsFunc(t.machines, func(m report.Compared) bool { return m.PowerNote().Short() != "" }) {
		t.row("basis of power", "", func(m *report.Compared) any {
			return cmp.Or(m.PowerNote().Short(), "the power that each part states")
		})
	}
	t.ends()
	t.row("power per node", "W", func(m *report.Compared) any { return m.Power / units.Power(max(m.Nodes, 1)) })
}

// ends are the rows about the kinds of ends of links.
func (t *compareTable) ends() {
	sum := func(m *report.Compared, of func(e *cost.EndCount)) {
		for i := range m.Ends {
			of(&m.Ends[i])
		}
	}
	for _, kind := range append(slices.Clone(catalog.EndKinds), "") {
		if !slices.ContainsFunc(t.machines, func(m report.Compared) bool {
			return slices.ContainsFunc(m.Ends, func(e cost.EndCount) bool { return e.Kind == kind })
		}) {
			continue
		}
		t.row("ends of links: "+cmp.Or(string(kind), "kind not stated"), "", func(m *report.Compared) any {
			n := int64(0)
			sum(m, func(e *cost.EndCount) {
				if e.Kind == kind {
					n += e.Count
				}
			})
			return n
		})
	}
	t.row("power of ends", "kW", func(m *report.Compared) any {
		watts := units.Power(0)
		sum(m, func(e *cost.EndCount) { watts += e.Power })
		return watts / 1e3
	})
	t.row("failures of ends a year, of those with a known rate", "", func(m *report.Compared) any {
		n := 0.0
		sum(m, func(e *cost.EndCount) { n += e.Failures })
		return n
	})
	t.row("ends without a known failure rate", "", func(m *report.Compared) any {
		n := int64(0)
		sum(m, func(e *cost.EndCount) { n += e.FailuresUnknown })
		return n
	})
}

func (t *compareTable) delay(c *report.Comparison) {
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
	traversed := func(figure string, value func(r *delay.Reach) any) {
		t.row(figure, "", func(m *report.Compared) any {
			if m.Traversed == nil {
				return nil
			}
			return value(m.Traversed)
		})
	}
	traversed("mean routers traversed", func(r *delay.Reach) any { return r.HopsMean })
	traversed("most routers traversed", func(r *delay.Reach) any { return int64(r.HopsMax) })
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
	t.row("D counts", "", func(*report.Compared) any { return c.Count.Words() })
	for _, alpha := range c.Alphas {
		at := fmt.Sprintf("D at %s ns, %s ns/m", chart.Short(float64(alpha)), chart.Short(float64(c.Beta)))
		t.row(at+", mean", "ns", func(m *report.Compared) any { mean, _ := m.D(alpha, c.Beta); return mean })
		t.row(at+", most", "ns", func(m *report.Compared) any { _, most := m.D(alpha, c.Beta); return most })
	}
}

func (t *compareTable) bisection() {
	rate := func(m *report.Compared, channels int64) float64 { return float64(m.Rate) * float64(channels) }
	perNode := func(m *report.Compared, channels int64) any { return rate(m, channels) / float64(max(m.Nodes, 1)) }
	row := func(figure, unit string, value func(m *report.Compared) any) {
		t.row(figure, unit, func(m *report.Compared) any {
			if m.Whole {
				return nil
			}
			return value(m)
		})
	}
	t.heading("Bisection")
	row("channels, at least", "", func(m *report.Compared) any { return m.Bisection.Lower })
	row("channels, at most", "", func(m *report.Compared) any { return m.Bisection.Upper })
	row("channels per million, at most", "", func(m *report.Compared) any {
		return m.PerMoney(float64(m.Bisection.Upper))
	})
	row("rate per node, at least", "Gb/s", func(m *report.Compared) any { return perNode(m, m.Bisection.Lower) })
	row("rate per node, at most", "Gb/s", func(m *report.Compared) any { return perNode(m, m.Bisection.Upper) })
	row("rate per million, at most", "Gb/s", func(m *report.Compared) any {
		return m.PerMoney(rate(m, m.Bisection.Upper))
	})
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
		t.row(traffic.name+", network cost"+t.all()+" per Gb/s", "", func(m *report.Compared) any {
			return m.NetworkBy(rate(m, traffic.worst))
		})
	}
}

// inUnit is a length, a time or a power as a number in its own unit, and any other value as it is.
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
	write func(ctx context.Context, w io.Writer, c *report.Comparison) error
}

// compareChart is a chart of a comparison.
type compareChart struct {
	name string // without extension
	draw func(*report.Comparison, chart.Style) (*chart.Drawing, error)
}

// compareCharts are the charts of comparisons.
var compareCharts = []compareChart{
	{"delays", chart.Delays},
	{"break-even", chart.BreakEven},
	{"cost-delay", chart.CostDelay},
	{"cost", chart.Cost},
	{"lengths", chart.Lengths},
}

// chartsOf are the charts of a comparison: where all machines are compared as a whole, those of cost and lengths.
func chartsOf(c *report.Comparison) []compareChart {
	if c.AllWhole() {
		return compareCharts[len(compareCharts)-2:]
	}
	return compareCharts
}

// CompareNames lists the files of a comparison whose charts are written in some formats. One of machines that are all
// compared as a whole has fewer charts.
func CompareNames(formats []chart.Format) []string {
	out := []string{"compare.xlsx", "compare.html", "compare.csv", "compare.parquet"}
	for _, c := range compareCharts {
		for _, f := range formats {
			out = append(out, c.name+"."+string(f))
		}
	}
	return out
}

// CompareFiles writes the files of a comparison into dir as Files does those of
// a plan: all of them whole, or none.
func CompareFiles(ctx context.Context, c *report.Comparison, dir string, o chart.Options) ([]string, error) {
	files := []compareFile{
		{"compare.xlsx", CompareWorkbook},
		{"compare.html", ComparePage},
		{"compare.csv", CompareCSV},
		{"compare.parquet", CompareParquet},
	}
	var outputs []outfile.File
	for _, f := range files {
		outputs = append(outputs, outfile.File{Name: f.name, Write: func(ctx context.Context, w io.Writer) error {
			return f.write(ctx, w, c)
		}})
	}
	for _, drawn := range chartsOf(c) {
		d, err := drawn.draw(c, o.Style)
		if err != nil {
			return nil, err
		}
		for _, f := range o.Files(drawn.name, d) {
			outputs = append(outputs, outfile.File{Name: f.Name, Write: f.Write})
		}
	}
	return outfile.Set(ctx, dir, outputs, nil, nil)
}

//go:embed compare.html
var comparePage string

var pageTemplate = template.Must(template.New("compare").Parse(comparePage))

// ComparePage writes the table and the charts as one page that needs no other
// file.
func ComparePage(ctx context.Context, w io.Writer, c *report.Comparison) error {
	type picture struct {
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
		Terms    string
		Counts   string
		Networks bool
		Fastest  []string
		Favours  string
		Charts   []picture
		Floors   []picture
		Notes    []string
		Differs  differing

		Baseline    string
		Differences []string
		Rankings    []RankingTable

		Policy       string
		Style        template.CSS
		Data, Script template.JS
	}{
		Version: machine.Version, Terms: c.TermWords(), Counts: c.Count.Words(), Networks: !c.AllWhole(),
		Fastest: FastestWords(c), Favours: c.CostWarning(), Notes: CompareNotes(c), Differences: DifferenceWords(c),
		Rankings: RankingTables(c),
	}
	for i := range c.Machines {
		page.Machines = append(page.Machines, chart.Numbered(i, c.Machines[i].Machine))
	}
	if c.Baseline > 0 {
		page.Baseline = page.Machines[c.Baseline-1]
	}
	rows := CompareRows(c)
	dress, err := alternatives(page.Machines, rows).Dress()
	if err != nil {
		return err
	}
	page.Policy, page.Style = dress.Policy, template.CSS(dress.Style)
	page.Data, page.Script = template.JS(dress.Data), template.JS(dress.Script)
	page.Differs = differencesOf(rows, max(c.Baseline, 1)-1)
	currency := CommonCurrency(rows)
	for _, r := range rows {
		line := row{Figure: r.Figure, Unit: r.UnitWith(currency)}
		for i := range r.Values {
			v := value{Text: r.Text(i)}
			if c.Baseline > 0 {
				v.Against = r.Against(i, c.Baseline-1)
			}
			line.Values = append(line.Values, v)
		}
		page.Rows = append(page.Rows, line)
	}
	embedded := func(name string, png []byte) picture {
		return picture{name, template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(png))}
	}
	for i := range c.Machines {
		if m := &c.Machines[i]; m.Floor != nil {
			page.Floors = append(page.Floors, embedded(page.Machines[i], m.Floor))
		}
	}
	for _, f := range chartsOf(c) {
		d, err := f.draw(c, chart.Style{})
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := d.PNG(ctx, &b); err != nil {
			return err
		}
		page.Charts = append(page.Charts, embedded(f.name, b.Bytes()))
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
			why := ""
			if slices.ContainsFunc(c.Machines, func(m report.Compared) bool {
				return m.Reach != nil && m.Machine != name && m.Reach.HopsMean == c.Machines[r.Machine].Reach.HopsMean
			}) {
				why = ", by its shorter way alone where others have as few " + c.Count.Words()
			}
			out = append(out, fmt.Sprintf("%s has the least mean D for every alpha/beta%s", name, why))
		case math.IsInf(float64(r.To), 1):
			out = append(out, fmt.Sprintf("%s has the least mean D from alpha/beta = %s m", name,
				chart.Short(float64(r.From))))
		default:
			out = append(out, fmt.Sprintf("%s has the least mean D from alpha/beta = %s to %s m", name,
				chart.Short(float64(r.From)), chart.Short(float64(r.To))))
		}
	}
	return out
}

// CompareNotes are the notes of all machines, and what else restricts the
// figures.
func CompareNotes(c *report.Comparison) []string {
	out := append(c.TermWarnings(), rankingNotes(c)...)
	for _, r := range c.Refused {
		out = append(out, fmt.Sprintf("%s is not compared: %s", r.Machine, r.Why))
	}
	sets := map[string]bool{}
	for i := range c.Machines {
		m := &c.Machines[i]
		sets[m.PriceSet] = true
		if m.Delay != nil && !m.Delay.Exact {
			out = append(out, fmt.Sprintf("%s: delays from %s drawn sources; the greatest are lower bounds", m.Machine,
				grouped(int64(m.Delay.Sources))))
		}
		for _, s := range m.Cost.Omitted().Sentences() {
			out = append(out, m.Machine+": "+s)
		}
		if m.Breaches > 0 {
			out = append(out, fmt.Sprintf("%s breaks design rules in %s; plenum plan names them", m.Machine,
				plural(int64(m.Breaches), "place")))
		}
		if len(m.Warnings) > 0 {
			var rules []string
			for _, w := range m.Warnings {
				rules = append(rules, fmt.Sprintf("%s (%s)", w.Rule, grouped(int64(w.Count))))
			}
			out = append(out, m.Machine+" has warnings of design rules: "+english.List(rules))
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
