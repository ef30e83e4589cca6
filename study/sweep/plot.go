package sweep

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/interval"
	"github.com/plenum-planner/plenum/render/chart"
)

// PlotOptions names columns of a table: a curve of Y over X for each value of By, or one if By is empty.
type PlotOptions struct {
	X, Y, By string
	// LogX and LogY have axes of decades.
	LogX, LogY bool
	// Order of the curves, one of PlotOrders; the first of them if empty.
	Order string
	// Curves are the values of By that are drawn, in this order; all if there are none.
	Curves []string
	// Title of the chart and labels of its axes, in place of those that the names of the study and of the columns give.
	Title, XLabel, YLabel string
}

// The orders of curves.
const (
	ByValue = "value" // of By: numbers by size, then texts by their letters
	ByTable = "table" // as they come first in the table, which is the order of the sweep file
	ByEnd   = "end"   // by Y at their last point, the highest first, as they end in the picture
)

// PlotOrders lists the orders of curves.
func PlotOrders() []string { return []string{ByValue, ByTable, ByEnd} }

// maxCurves is the most curves of a chart that can be distinguished.
const maxCurves = 24

// sums are the rows of a place on a curve.
type sums struct {
	total       float64
	rows        int
	combination int       // of the values of the axes, in the first of them
	repeats     []float64 // while all are repeats of it
}

// add adds a row.
func (s *sums) add(combination int, y float64) {
	if s.rows == 0 {
		s.combination = combination
	}
	if len(s.repeats) == s.rows && s.combination == combination {
		s.repeats = append(s.repeats, y)
	} else {
		s.repeats = nil
	}
	s.total, s.rows = s.total+y, s.rows+1
}

// Plot makes a chart. Where several rows have the same X and By, such as repeats, it has their mean; where all of them
// are repeats, an error bar is the 95 % confidence interval of the mean, by Student's t. Titles and units of the axes
// come from the names of the columns, and from the values where these have units. Mistakes are diag.FieldErrors of the
// options.
func (t *Table) Plot(ctx context.Context, o PlotOptions) (chart.CurveChart, error) {
	var wrong diag.FieldErrors
	readX, err := t.numeric(ctx, &wrong, "X", o.X)
	if err != nil {
		return chart.CurveChart{}, err
	}
	readY, err := t.numeric(ctx, &wrong, "Y", o.Y)
	if err != nil {
		return chart.CurveChart{}, err
	}
	if o.By != "" {
		t.checkColumn(&wrong, "By", o.By)
	}
	if o.Order != "" && !slices.Contains(PlotOrders(), o.Order) {
		wrong.Add("Order", "%q is not an order of curves\n%s", o.Order,
			cmp.Or(diag.Suggest(o.Order, PlotOrders(), ""), "there are "+strings.Join(PlotOrders(), ", ")))
	}
	if len(o.Curves) > 0 && (o.By == "" || o.Order != "") {
		wrong.Add("Curves", "names values of the column that tells the curves apart, in their order\n"+
			"it goes with such a column, and without another order")
	}
	if wrong != nil {
		return chart.CurveChart{}, wrong
	}
	g, err := t.readCurves(ctx, o, readX, readY)
	if err != nil {
		return chart.CurveChart{}, err
	}
	curves := g.curves
	for i, by := range o.Curves {
		if curves[by] == nil {
			wrong.Add(diag.Elem("Curves", i), "no row with both %s and %s has %s of %s", o.X, o.Y, by, o.By)
		}
	}
	if len(curves) == 0 && len(o.Curves) == 0 {
		wrong.Add("Y", "no row has both %s and %s", o.X, o.Y)
	}
	if len(curves) > maxCurves {
		wrong.Add("By", "%s has %d values\n%d curves are the most that can be "+
			"distinguished", o.By, len(curves), maxCurves)
	}
	if wrong != nil {
		return chart.CurveChart{}, wrong
	}
	currency := strings.Join(g.currencies, ", ")
	x, unitX := t.title(o.X, currency)
	y, unitY := t.title(o.Y, currency)
	by, unitBy := t.title(o.By, currency)
	drawn := chart.CurveChart{
		Title: cmp.Or(o.Title, t.Name, "Sweep"), Fit: true, LogX: o.LogX, LogY: o.LogY,
		XName: o.X, YName: o.Y, By: o.By,
		X: cmp.Or(o.XLabel, axisLabel(x, cmp.Or(readX.unit, unitX))),
		Y: cmp.Or(o.YLabel, axisLabel(y, cmp.Or(readY.unit, unitY))),
	}
	fewest, most, barred := math.MaxInt, 0, false
	for by, points := range curves {
		curve := chart.Curve{Name: by}
		for _, x := range slices.Sorted(maps.Keys(points)) {
			s := points[x]
			_, half := interval.Mean(s.repeats)
			curve.Points = append(curve.Points, chart.Point{X: x, Y: s.total / float64(s.rows), HalfWidth: half})
			barred = barred || half > 0
			fewest, most = min(fewest, s.rows), max(most, s.rows)
		}
		drawn.Curves = append(drawn.Curves, curve)
	}
	slices.SortFunc(drawn.Curves, func(a, b chart.Curve) int { return o.compare(g.order, a, b) })
	drawn.Note = describeMean(fewest, most)
	if o.By != "" {
		drawn.Note = "Curves: " + axisLabel(by, unitBy) + ". " + drawn.Note
	}
	for _, c := range drawn.Curves {
		for _, p := range c.Points {
			if o.LogX && p.X <= 0 {
				wrong.Add("LogX", "%s is %g at a point: a logarithmic axis shows values above 0 only", o.X, p.X)
				return drawn, wrong
			}
			if o.LogY && p.Y <= 0 {
				wrong.Add("LogY", "%s is %g at a point: a logarithmic axis shows values above 0 only", o.Y, p.Y)
				return drawn, wrong
			}
		}
	}
	if barred {
		drawn.Note += " Error bars: 95 % confidence interval over repeats."
	}
	return drawn, nil
}

// gathered are the rows of a plot.
type gathered struct {
	curves            map[string]map[float64]*sums // by the value of By and of X
	order, currencies []string                     // of By as they come first, and of money
}

// readCurves reads the rows that have all values of a plot.
func (t *Table) readCurves(ctx context.Context, o PlotOptions, readX, readY *quantity) (*gathered, error) {
	g := &gathered{curves: map[string]map[float64]*sums{}}
	measure, _, _ := strings.Cut(o.Y, ".")
	err := t.each(ctx, func(r row) error {
		var x, y float64
		var hasX, hasY bool
		by, currency := "", ""
		for _, c := range r.cells {
			if c.value == "null" {
				continue
			}
			if c.name == o.X {
				x, hasX = readX.read(c.value)
			}
			if c.name == o.Y {
				y, hasY = readY.read(c.value)
			}
			if c.name == o.By {
				by = unquote(c.value)
			}
			if c.name == measure+".currency" {
				currency = unquote(c.value)
			}
		}
		if !hasX || !hasY || len(o.Curves) > 0 && !slices.Contains(o.Curves, by) {
			return nil
		}
		if currency != "" && !slices.Contains(g.currencies, currency) {
			g.currencies = append(g.currencies, currency)
		}
		if g.curves[by] == nil {
			g.curves[by] = map[float64]*sums{}
			g.order = append(g.order, by)
		}
		if g.curves[by][x] == nil {
			g.curves[by][x] = &sums{}
		}
		g.curves[by][x].add(r.number/max(t.Repeats, 1), y)
		return nil
	})
	return g, err
}

// compare orders curves; table is the values of By in their order in the table.
func (o *PlotOptions) compare(table []string, a, b chart.Curve) int {
	if len(o.Curves) > 0 {
		return cmp.Compare(slices.Index(o.Curves, a.Name), slices.Index(o.Curves, b.Name))
	}
	switch o.Order {
	case ByTable:
		return cmp.Compare(slices.Index(table, a.Name), slices.Index(table, b.Name))
	case ByEnd:
		end := func(c chart.Curve) float64 { return c.Points[len(c.Points)-1].Y }
		return cmp.Or(cmp.Compare(end(b), end(a)), byNumber(a.Name, b.Name))
	}
	return byNumber(a.Name, b.Name)
}

// describeMean says of how many rows a place on a curve is the mean.
func describeMean(fewest, most int) string {
	switch {
	case most == 1:
		return "Each marker is one row."
	case fewest == most:
		return "Each marker is the mean of " + english.Count(most, "row") + "."
	}
	return fmt.Sprintf("Each marker is the mean of %s to %s.", english.Grouped(int64(fewest)),
		english.Count(most, "row"))
}

// byNumber orders texts that are numbers by these, others behind them by their letters.
func byNumber(a, b string) int {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	switch {
	case err1 == nil && err2 == nil:
		return cmp.Or(cmp.Compare(x, y), strings.Compare(a, b))
	case err1 == nil:
		return -1
	case err2 == nil:
		return 1
	}
	return strings.Compare(a, b)
}

// checkColumn refuses a name that no column has.
func (t *Table) checkColumn(wrong *diag.FieldErrors, field, name string) bool {
	if _, ok := t.index[name]; ok {
		return true
	}
	var names []string
	for _, c := range t.columns {
		names = append(names, c.name)
	}
	hint := diag.Suggest(name, names, "")
	wrong.Add(field, "there is no column %q\n%s", name, cmp.Or(hint, "the first line of "+CSVName+" names them"))
	return false
}

// numeric finds how a column is read as numbers, and refuses one that cannot be.
func (t *Table) numeric(ctx context.Context, wrong *diag.FieldErrors, field, name string) (*quantity, error) {
	if !t.checkColumn(wrong, field, name) {
		return nil, nil
	}
	q, err := t.quantity(ctx, name)
	if q == nil && err == nil {
		wrong.Add(field, "%s has no numbers, nor values of one quantity with their units\n"+
			"use it to tell curves apart", name)
	}
	return q, err
}
