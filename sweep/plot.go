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
	"github.com/plenum-planner/plenum/render/chart"
)

// PlotOptions names columns of a table: a curve of Y over X for each value of By, or one if By is empty.
type PlotOptions struct{ X, Y, By string }

// maxCurves is the most curves of a chart that can be told apart.
const maxCurves = 24

// sums are the rows of a place on a curve.
type sums struct {
	total float64
	rows  int
}

// Plot makes a chart. Where several rows have the same X and By, such as repeats, it has their mean. Mistakes are
// diag.FieldErrors of the options.
func (t *Table) Plot(ctx context.Context, o PlotOptions) (chart.CurveChart, error) {
	var wrong diag.FieldErrors
	t.numeric(&wrong, "X", o.X)
	t.numeric(&wrong, "Y", o.Y)
	if o.By != "" {
		t.known(&wrong, "By", o.By)
	}
	if wrong != nil {
		return chart.CurveChart{}, wrong
	}
	curves := map[string]map[float64]*sums{}
	fewest, most := math.MaxInt, 0
	err := t.each(ctx, func(r row) error {
		var x, y float64
		by, found := "", 0
		for _, c := range r.cells {
			if c.value == "null" {
				continue
			}
			if c.name == o.X {
				x, _ = strconv.ParseFloat(c.value, 64)
				found++
			}
			if c.name == o.Y {
				y, _ = strconv.ParseFloat(c.value, 64)
				found++
			}
			if c.name == o.By {
				by = unquoted(c.value)
			}
		}
		if found < 2 && (found == 0 || o.X != o.Y) {
			return nil
		}
		if curves[by] == nil {
			curves[by] = map[float64]*sums{}
		}
		if curves[by][x] == nil {
			curves[by][x] = &sums{}
		}
		s := curves[by][x]
		s.total, s.rows = s.total+y, s.rows+1
		return nil
	})
	if err != nil {
		return chart.CurveChart{}, err
	}
	if len(curves) == 0 {
		wrong.Add("Y", "no row has both %s and %s", o.X, o.Y)
	}
	if len(curves) > maxCurves {
		wrong.Add("By", "%s has %d values\n%d curves are the most that can be told apart", o.By, len(curves), maxCurves)
	}
	if wrong != nil {
		return chart.CurveChart{}, wrong
	}
	drawn := chart.CurveChart{Title: cmp.Or(t.Name, "Sweep"), X: o.X, Y: o.Y, Fit: true}
	for _, by := range slices.SortedFunc(maps.Keys(curves), byNumber) {
		curve := chart.Curve{Name: by}
		for _, x := range slices.Sorted(maps.Keys(curves[by])) {
			s := curves[by][x]
			curve.Points = append(curve.Points, chart.Point{X: x, Y: s.total / float64(s.rows)})
			fewest, most = min(fewest, s.rows), max(most, s.rows)
		}
		drawn.Curves = append(drawn.Curves, curve)
	}
	if o.By == "" {
		drawn.Curves[0].Name = o.Y
	} else {
		drawn.Note = "curves: " + o.By
	}
	drawn.Note = strings.TrimPrefix(drawn.Note+"; "+averaged(fewest, most), "; ")
	return drawn, nil
}

// averaged says of how many rows a place on a curve is the mean.
func averaged(fewest, most int) string {
	switch {
	case most == 1:
		return "a dot is a point"
	case fewest == most:
		return "a dot is the mean of " + english.GroupedCount(int64(most), "point")
	}
	return fmt.Sprintf("a dot is the mean of %s to %s", english.Grouped(int64(fewest)),
		english.GroupedCount(int64(most), "point"))
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

// known refuses a name that no column has.
func (t *Table) known(wrong *diag.FieldErrors, field, name string) bool {
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

// numeric refuses a column that has no numbers.
func (t *Table) numeric(wrong *diag.FieldErrors, field, name string) {
	if !t.known(wrong, field, name) {
		return
	}
	if k := t.columns[t.index[name]].kind; k != whole && k != decimal {
		wrong.Add(field, "%s has no numbers\nwhat has none can tell curves apart", name)
	}
}
