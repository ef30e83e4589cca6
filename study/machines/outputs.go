package machines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/outfile"
	"github.com/plenum-planner/plenum/render"
	"github.com/plenum-planner/plenum/render/chart"
	"github.com/plenum-planner/plenum/render/page"
)

// Names of what is written beside the machine files of the front, with ChartFile.
const (
	PageFile     = "search.html"
	WorkbookFile = "search.xlsx"
	FrontFile    = "front.csv"
	FallenFile   = "fallen.csv"
)

// ChartFile is the name of the chart in a format.
func ChartFile(f chart.Format) string { return chartName + "." + string(f) }

const chartName = "search"

// SummaryFiles lists these names, with the chart in the formats of the options.
func SummaryFiles(charts chart.Options) []string {
	var out []string
	for _, f := range charts.Written() {
		out = append(out, ChartFile(f))
	}
	return append(out, PageFile, WorkbookFile, FrontFile, FallenFile)
}

// summaries writes the chart, the page, the workbook and the tables of a search, each where at puts its name.
func (s *Search) summaries(
	ctx context.Context, at func(name string) string, r *Result, charts chart.Options,
) error {
	front, fallen := r.frontTable(), r.fallenTable()
	d, err := r.chart().Draw(charts.Style)
	if err != nil {
		return err
	}
	headings := []string{
		"Family", "Topology", "Switch", "Nodes", "Switches", "Cables", "Objective", "Cables, m", "Cost", "Currency",
		"Power, W", "Mean delay, ns", "Mean hops", "Throughput at most", "File",
	}
	if r.hasLoads() {
		headings = append(headings, "Load of shortest paths")
	}
	if r.hasSteps() {
		headings = append(headings, "Time of a step, s", "Tokens/s", "Tokens/s per 1,000 "+r.Currency,
			"Tokens/s per kW")
	}
	words := []render.Table{
		withHeads(front, headings...),
		withHeads(fallen, "Family", "Topology", "Switch", "Nodes", "Reason", "Objective at least",
			"Mean delay at least, ns", "Better machine", "Detail"),
	}
	for _, f := range charts.Files(chartName, d) {
		err := outfile.Write(ctx, at(f.Name), func(w io.Writer) error { return f.Write(ctx, w) })
		if err != nil {
			return err
		}
	}
	return errors.Join(
		outfile.Write(ctx, at(PageFile), r.page(words).HTML),
		outfile.Write(ctx, at(WorkbookFile), func(w io.Writer) error {
			return render.Tables(ctx, w, "Search for a machine", words)
		}),
		outfile.Write(ctx, at(FrontFile), func(w io.Writer) error { return render.TableCSV(ctx, w, front) }),
		outfile.Write(ctx, at(FallenFile), func(w io.Writer) error { return render.TableCSV(ctx, w, fallen) }),
	)
}

// hasLoads reports whether the search asks for a load.
func (r *Result) hasLoads() bool { return r.Best != nil && r.Best.Load > 0 }

// hasSteps reports whether a workload was played on the machines of the front.
func (r *Result) hasSteps() bool { return r.Best != nil && r.Best.Step != nil }

// StepNotes say what the figures of the workload rest on; none without a workload.
func (r *Result) StepNotes() []string {
	if !r.hasSteps() {
		return nil
	}
	largest := r.Best
	for i := range r.Front { // the words tell where some have more nodes than the workload takes
		if r.Front[i].Nodes > largest.Nodes {
			largest = &r.Front[i]
		}
	}
	return largest.Step.Words(largest.Nodes)
}

// page shows the machines of the front, and the tables of them and of those that fell out.
func (r *Result) page(tables []render.Table) *page.Alternatives {
	out := &page.Alternatives{Title: "Search for a machine", Names: []string{}, Figures: []page.Figure{}}
	objective := page.Figure{Name: "objective", Lower: true}
	delay := page.Figure{Name: "mean delay", Unit: "ns", Lower: true}
	money := page.Figure{Name: "cost", Unit: r.Currency, Lower: true}
	power := page.Figure{Name: "power", Unit: "W", Lower: true}
	cables, nodes := page.Figure{Name: "cables", Lower: true}, page.Figure{Name: "nodes"}
	for i := range r.Front {
		e := &r.Front[i]
		out.Names = append(out.Names, e.DisplayName())
		add := func(f *page.Figure, v float64) { f.Values = append(f.Values, &v) }
		add(&objective, e.Score)
		add(&delay, float64(e.Delay))
		add(&money, e.Cost)
		add(&power, float64(e.Power))
		add(&cables, float64(e.Cables))
		add(&nodes, float64(e.Nodes))
	}
	out.Figures, out.Y = []page.Figure{objective, delay, money, power, cables, nodes}, 1
	if r.hasSteps() {
		step := page.Figure{Name: "time of a step", Unit: "s", Lower: true}
		for i := range r.Front {
			step.Values = append(step.Values, &r.Front[i].Step.Seconds)
		}
		out.Figures = append(out.Figures, step)
	}
	if againstMoney(r.Objective) {
		out.Y = 2
	}
	for _, t := range tables {
		out.Tables = append(out.Tables, page.Table{Title: t.Name, Columns: t.Columns, Rows: t.Rows, Notes: t.Notes})
	}
	return out
}

// withHeads returns a table with words for people above its columns.
func withHeads(t render.Table, words ...string) render.Table {
	t.Columns = words
	return t
}

// frontTable has a row for each machine of the front.
func (r *Result) frontTable() render.Table {
	t := render.Table{Name: "Front", Columns: []string{
		"family", "topology", "switch", "nodes", "switches", "cables", "score", "length_m", "cost", "currency",
		"power_w", "delay_mean_ns", "hops_mean", "throughput", "file",
	}}
	if r.hasLoads() {
		t.Columns = append(t.Columns, "load")
	}
	if r.hasSteps() {
		t.Columns = append(t.Columns, "step_s", "tokens_per_s", "tokens_per_s_per_1000", "tokens_per_s_per_kw")
	}
	t.Notes = append(t.Notes, r.Warnings...)
	unpriced := map[string]bool{}
	for i := range r.Front {
		e := &r.Front[i]
		t.Rows = append(t.Rows, []any{
			e.Family, e.Topology, e.Switch, int64(e.Nodes), int64(e.Switches), e.Cables, e.Score, e.Metres, e.Cost,
			r.Currency, e.Power, e.Delay, e.Hops, valueOrNil(e.Throughput),
			filepath.Base(e.File), // they stand beside it
		})
		last := &t.Rows[len(t.Rows)-1]
		if r.hasLoads() {
			*last = append(*last, e.Load)
		}
		if s := e.Step; s != nil {
			*last = append(*last, s.Seconds, valueOrNil(s.Tokens), valueOrNil(s.TokensByCost),
				valueOrNil(s.TokensByPower))
		}
		for _, l := range e.NotInBill {
			if !unpriced[l.Level] {
				unpriced[l.Level] = true
				t.Notes = append(t.Notes, "Costs leave out "+l.Level+", for which the machine file names no part.")
			}
		}
		for _, u := range e.Unpriced {
			if !unpriced[u] {
				unpriced[u] = true
				t.Notes = append(t.Notes, u+" has no price, and costs leave it out.")
			}
		}
	}
	for _, s := range append(r.PowerNotes(), r.StepNotes()...) {
		t.Notes = append(t.Notes, s+".")
	}
	return t
}

// PowerNotes say which power the machines of the front are compared by, where the machine names a basis.
func (r *Result) PowerNotes() []string {
	var out []string
	add := func(s string) {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for i := range r.Front {
		p := r.Front[i].PowerBasis
		if p == nil {
			continue
		}
		add(fmt.Sprintf("figures of power are %s power", p.Basis))
		for _, o := range p.Instead {
			add(fmt.Sprintf("%s states no %s power: %s is counted", o.Part, p.Basis, o.BasisName()))
		}
	}
	return out
}

// fallenTable has a row for each candidate that fell out.
func (r *Result) fallenTable() render.Table {
	t := render.Table{Name: "Fallen", Columns: []string{
		"family", "topology", "switch", "nodes", "reason", "least", "delay_least_ns", "better", "detail",
	}}
	for i := range r.Fallen {
		f := &r.Fallen[i]
		t.Rows = append(t.Rows, []any{
			f.Family, f.Topology, f.Switch, int64(f.Nodes), f.Reason,
			valueOrNil(f.Least), valueOrNil(f.LeastDelay), f.By,
			f.Detail,
		})
	}
	return t
}

// valueOrNil returns a figure, nil where there is none.
func valueOrNil(v *float64) any {
	if v == nil {
		return nil
	}
	return *v
}

// chart is the front, with what fell out behind it: the figures of what was planned, and lower bounds.
func (r *Result) chart() chart.TradeChart {
	x, y := r.axisNames()
	c := chart.TradeChart{
		Title: "Search for a machine", X: x, Y: y,
		Note: fmt.Sprintf("%s. Large, with the number of its file: the Pareto front (lower is better on both axes). "+
			"Small: planned and beaten. Hollow: lower bounds of candidates that were skipped.",
			english.Count(r.Enumerated, "configuration")),
	}
	if r.Name != "" {
		c.Title = r.Name
	}
	for i := range r.Front {
		e := &r.Front[i]
		c.Best = append(c.Best, chart.TradePoint{
			Group: e.Family, Label: fmt.Sprintf("%d %s", i+1, e.Family), X: e.axes[0], Y: e.axes[1],
		})
	}
	for i := range r.Fallen {
		f := &r.Fallen[i]
		if f.Least == nil {
			continue
		}
		q := chart.TradePoint{Group: f.Family, X: *f.Least}
		switch r.Objective {
		case Delay:
			q.X, q.Y = *f.LeastDelay, *f.Least
		case StepTime:
			q.Y = *f.LeastMoney
		default:
			q.Y = *f.LeastDelay
		}
		switch f.Reason {
		case Dominated:
			c.Beaten = append(c.Beaten, q)
		case ByBounds:
			c.Bounded = append(c.Bounded, q)
		}
	}
	return c
}

// Goal is the objective in words.
func (r *Result) Goal() string { return (&Objective{Name: r.Objective, Weights: r.Weights}).String() }

// axisNames are what the two axes of the front are called, with their units.
func (r *Result) axisNames() (x, y string) {
	money, delay := "cost ("+r.Currency+")", "mean delay (ns)"
	switch r.Objective {
	case Delay:
		return delay, money
	case MoneyPerNode:
		return "cost per node (" + r.Currency + ")", delay
	case MoneyPerThroughput:
		return "cost per Gb/s that is accepted at most (" + r.Currency + ")", delay
	case Weighted:
		return r.Goal() + " (" + r.Currency + ")", delay
	case Power:
		return "power (W)", delay
	case Cables:
		return "cables", delay
	case Metres:
		return "cables (m)", delay
	case Switches:
		return "switches", delay
	case BundleTypes:
		return "types of bundles", delay
	case StepTime:
		return "time of a step (s)", money
	case MoneyPerTokens:
		return "cost (" + r.Currency + ") per token/s", delay
	}
	return money, delay
}
