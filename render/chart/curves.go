package chart

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
)

// Curve is a named line through points.
type Curve struct {
	Name string
	// Group has curves share a colour and their line in the legend, where it stands in place of their names; Mark then
	// tells them apart, written at the last point.
	Group, Mark string
	Points      [][2]float64 // by ascending x; those that are no numbers are left out
	// Bars are half the heights of the error bars of the points, no bar where 0; none at all when empty.
	Bars []float64
}

// span is the least and the greatest value that a point shows, its error bar included.
func (c *Curve) span(i int) (lo, hi float64) {
	y, half := c.Points[i][1], 0.0
	if len(c.Bars) > 0 {
		half = c.Bars[i]
	}
	return y - half, y + half
}

// CurveChart is a chart of lines that share their axes, which start at 0 unless Fit is set.
type CurveChart struct {
	Title, Note, X, Y string
	Curves            []Curve
	// YMax cuts off what is higher; the chart ends at the highest point when 0.
	YMax float64
	// Diagonal draws y = x behind the curves.
	Diagonal bool
	// Fit has the axes go from the least to the greatest value, wherever they lie, with some room.
	Fit bool
	// LogX and LogY have axes show decades, from the least to the greatest value; values must be above 0.
	LogX, LogY bool
	// Groups are those of the curves whose colours are the same in several charts, in the same order in each.
	Groups []string
	// Height of the panel, in pixels of a PNG; 800 where 0.
	Height float64
}

// Draw draws the chart.
func (chart *CurveChart) Draw() (*Drawing, error) {
	x, y, err := chart.axes()
	if err != nil {
		return nil, err
	}
	styles, legend := chart.styles()
	d, area, err := begin(chart.Title, chart.Note, cmp.Or(chart.Height, 800), legend)
	if err != nil {
		return nil, err
	}
	whole := area
	if slices.ContainsFunc(chart.Curves, func(c Curve) bool { return c.Mark != "" }) {
		area.X1 -= markRoom
	}
	p := d.panel(area, x, y)
	if chart.Diagonal {
		end := min(x.hi, y.hi)
		p.Add(&plotter.Line{XYs: plotter.XYs{{}, {X: end, Y: end}}, LineStyle: draw.LineStyle{
			Color: palette.Faint, Width: 1, Dashes: []vg.Length{8, 8},
		}})
	}
	for i, curve := range chart.Curves {
		p.curve(styles[i], curve.Points)
		p.bars(palette.Series(styles[i]), &curve)
		p.dots(palette.Series(styles[i]), 5, 0, curve.Points...)
	}
	p.draw()
	p.mark(chart.Curves, whole)
	return d, nil
}

// markRoom is what marks take to the right of a panel.
const markRoom = 170

// mark writes the marks of curves at their last points, inside a box and clear of the points of all.
func (p *panel) mark(curves []Curve, inside pen.Box) {
	var ends, others [][2]float64
	var marks []string
	for _, curve := range curves {
		for i, q := range curve.Points {
			switch {
			case !finite(q):
			case i == len(curve.Points)-1 && curve.Mark != "":
				ends, marks = append(ends, p.at(q[0], q[1])), append(marks, curve.Mark)
			default:
				others = append(others, p.at(q[0], q[1]))
			}
		}
	}
	p.d.spread(ends, marks, others, inside)
}

// styles are the colour and pattern of every curve, by number, and the legend.
func (chart *CurveChart) styles() ([]int, []pen.Item) {
	styles := make([]int, len(chart.Curves))
	var legend []pen.Item
	seen := map[string]int{}
	next := len(chart.Groups)
	for i, curve := range chart.Curves {
		style, ok := seen[curve.Group]
		if !ok || curve.Group == "" {
			if style = slices.Index(chart.Groups, curve.Group); style < 0 {
				style, next = next, next+1
			}
			seen[curve.Group] = style
			legend = append(legend, pen.Item{Text: cmp.Or(curve.Group, curve.Name), Swatch: stroke(style)})
		}
		styles[i] = style
	}
	return styles, legend
}

// axes are the ranges of the chart.
func (chart *CurveChart) axes() (x, y axis, err error) {
	x, y = axis{label: chart.X}, axis{label: chart.Y}
	x.log, y.log = chart.LogX, chart.LogY
	if chart.Fit || x.log {
		x.lo, x.hi = math.Inf(1), math.Inf(-1)
	}
	if chart.Fit || y.log {
		y.lo, y.hi = math.Inf(1), math.Inf(-1)
	}
	points := 0
	for _, curve := range chart.Curves {
		for i, p := range curve.Points {
			if finite(p) {
				lo, hi := curve.span(i)
				if y.log && lo <= 0 {
					lo = p[1] // the axis has no place for the end of the bar
				}
				x.lo, x.hi = min(x.lo, p[0]), max(x.hi, p[0])
				y.lo, y.hi = min(y.lo, lo), max(y.hi, hi)
				points++
			}
		}
	}
	if points == 0 || !chart.Fit && x.hi == 0 {
		return x, y, errors.New("chart: a chart without a point")
	}
	if x.log && x.lo <= 0 || y.log && y.lo <= 0 {
		return x, y, errors.New("chart: a logarithmic axis cannot show what is not above 0")
	}
	if chart.Fit || x.log {
		x.widen()
	}
	if chart.Fit || y.log {
		y.widen()
		return x, y, nil
	}
	if chart.YMax > 0 {
		y.hi = min(y.hi, chart.YMax)
	}
	if chart.Diagonal {
		y.hi = max(y.hi, x.hi)
	}
	y.hi = max(y.hi*1.03, 1e-9)
	return x, y, nil
}

func finite(p [2]float64) bool {
	sum := p[0] + p[1]
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}
