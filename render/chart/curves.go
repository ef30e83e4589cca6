package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
)

// Point is a place on a curve. Points of which X or Y is not a finite number are left out.
type Point struct {
	X, Y float64
	// HalfWidth of the confidence interval of Y, which is drawn as a bar; 0 for none.
	HalfWidth float64
	// Saturated marks a load that the network does not accept: its marker is hollow, and a dotted line stands at the
	// lowest of them.
	Saturated bool
}

// Curve is a named line through points.
type Curve struct {
	Name string
	// Group has curves share a colour and their line in the legend, where it stands in place of their names; Mark then
	// tells them apart, written at the last point.
	Group, Mark string
	Points      []Point // by ascending x
}

// CurveChart is a chart of lines that share their axes, which start at 0 unless Fit is set.
type CurveChart struct {
	Title, Note string
	// X and Y are the labels of the axes, with their units in brackets.
	X, Y string
	// XName, YName and By name the columns of the data: the labels of the axes and "curve" where they are empty.
	XName, YName, By string
	Curves           []Curve
	// YMax is where the vertical axis ends: curves leave the panel above it. 0 has it end at the highest point.
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
func (chart *CurveChart) Draw(style Style) (*Drawing, error) {
	x, y, err := chart.axes()
	if err != nil {
		return nil, err
	}
	numbers, legend := chart.styles()
	d, area, err := begin(style, head{chart.Title, chart.Note}, cmp.Or(chart.Height, 800), leastPanel, legend)
	if err != nil {
		return nil, err
	}
	d.Data = chart.data()
	if !slices.ContainsFunc(chart.Curves, func(c Curve) bool { return slices.ContainsFunc(c.Points, Point.drawn) }) {
		d.empty(area, "There is nothing to draw.")
		return d, nil
	}
	whole := area
	room := 0.0
	for _, c := range chart.Curves {
		if c.Mark != "" {
			room = max(room, d.Width(c.Mark, markLetter)+24)
		}
	}
	area.X1 -= min(room, area.Width()/4)
	p := d.panel(area, x, y)
	if chart.Diagonal {
		p.line(look{colour: palette.Faint, dash: []float64{8, 8}}, 1.5,
			[][2]float64{{max(x.lo, y.lo), max(x.lo, y.lo)}, {min(x.hi, y.hi), min(x.hi, y.hi)}})
	}
	for i := range chart.Curves {
		p.curve(looks(numbers[i]), &chart.Curves[i])
	}
	p.mark(chart.Curves, whole)
	return d, nil
}

// leastPanel is the least height of a panel, on paper 33 mm.
const leastPanel = 220

// curve draws a curve with its intervals and markers.
func (p *panel) curve(k look, c *Curve) {
	var line [][2]float64
	for _, q := range c.Points {
		line = append(line, [2]float64{q.X, q.Y})
	}
	for _, q := range c.Points {
		if q.Saturated && q.drawn() {
			if at := p.at(q.X, p.y.lo)[0]; at >= p.X0 && at <= p.X1 {
				p.d.Dash = []float64{2, 5}
				p.d.Line(at, p.Y0, at, p.Y1, 1.5, k.colour)
				p.d.Dash = nil
			}
			break
		}
	}
	for _, q := range c.Points {
		if q.HalfWidth > 0 && q.drawn() {
			p.bar(k, q)
		}
	}
	for _, exit := range p.line(k, 3, line) { // an arrow where the curve leaves the panel
		x, y := min(max(exit[0], p.X0+7), p.X1-7), p.Y0
		p.d.Polygon([][2]float64{{x, y}, {x - 7, y + 12}, {x + 7, y + 12}}, k.colour)
	}
	for _, q := range c.Points {
		if at := p.at(q.X, q.Y); q.drawn() && p.inside(at) {
			marker(p.d.Canvas, k, at[0], at[1], 6, q.Saturated)
		}
	}
}

// bar draws the interval of a point, as far as it is in the panel.
func (p *panel) bar(k look, q Point) {
	lo, hi := q.Y-q.HalfWidth, q.Y+q.HalfWidth
	if p.y.log {
		lo = max(lo, p.y.lo)
	}
	a, b, ok := cut(p.at(q.X, lo), p.at(q.X, hi), p.Box)
	if !ok {
		return
	}
	p.d.Line(a[0], a[1], b[0], b[1], 1.5, k.colour)
	for _, end := range []struct{ v, y float64 }{{lo, a[1]}, {hi, b[1]}} {
		if math.Abs(p.at(q.X, end.v)[1]-end.y) < 1e-6 {
			p.d.Line(max(a[0]-6, p.X0), end.y, min(a[0]+6, p.X1), end.y, 1.5, k.colour)
		}
	}
}

// mark writes the marks of curves at their last points, inside a box and clear of the points of all.
func (p *panel) mark(curves []Curve, inside pen.Box) {
	var ends []label
	var others [][2]float64
	for _, curve := range curves {
		for i, q := range curve.Points {
			at := p.at(q.X, q.Y)
			switch {
			case !q.drawn() || !p.inside(at):
			case i == len(curve.Points)-1 && curve.Mark != "":
				ends = append(ends, label{at, []string{curve.Mark}})
			default:
				others = append(others, at)
			}
		}
	}
	p.d.placeLabels(ends, others, inside)
}

// styles are the numbers of the looks of every curve, and the legend. A curve without a name is not in the legend.
func (chart *CurveChart) styles() ([]int, []pen.Item) {
	styles := make([]int, len(chart.Curves))
	var legend []pen.Item
	seen := map[string]int{}
	next := len(chart.Groups)
	saturated := false
	for i, curve := range chart.Curves {
		style, ok := seen[curve.Group]
		if !ok || curve.Group == "" {
			if style = slices.Index(chart.Groups, curve.Group); style < 0 {
				style, next = next, next+1
			}
			seen[curve.Group] = style
			if name := cmp.Or(curve.Group, curve.Name); name != "" {
				legend = append(legend, pen.Item{Text: name, Swatch: swatch(style)})
			}
		}
		styles[i] = style
		saturated = saturated || slices.ContainsFunc(curve.Points, func(p Point) bool { return p.Saturated })
	}
	if saturated {
		const text = "saturated (accepts less than 95 % of the offered load)"
		legend = append(legend, pen.Item{Text: text, Swatch: saturation})
	}
	return styles, legend
}

// saturation is the swatch of what marks saturated loads.
func saturation(c *pen.Canvas, b pen.Box) {
	c.Dash = []float64{2, 5}
	c.Line(b.X0+6, b.Y0, b.X0+6, b.Y1, 1.5, palette.Ink)
	c.Dash = nil
	marker(c, look{colour: palette.Ink}, (b.X0+b.X1)/2, (b.Y0+b.Y1)/2, 6, true)
}

// axes are the ranges of the chart.
func (chart *CurveChart) axes() (x, y axis, err error) {
	x = axis{label: chart.X, log: chart.LogX, lo: math.Inf(1), hi: math.Inf(-1)}
	y = axis{label: chart.Y, log: chart.LogY, lo: math.Inf(1), hi: math.Inf(-1)}
	for _, curve := range chart.Curves {
		for _, p := range curve.Points {
			if !p.drawn() {
				continue
			}
			x.lo, x.hi = min(x.lo, p.X), max(x.hi, p.X)
			y.lo, y.hi = min(y.lo, p.Y), max(y.hi, p.Y)
			if half := p.HalfWidth; half > 0 && !math.IsInf(half, 1) {
				y.hi = max(y.hi, p.Y+half)
				if !y.log || p.Y > half {
					y.lo = min(y.lo, p.Y-half)
				}
			}
		}
	}
	for _, a := range []*axis{&x, &y} {
		if a.log && a.lo <= 0 {
			return x, y, fmt.Errorf("chart: a logarithmic axis cannot show %g: values must be above 0", a.lo)
		}
	}
	for _, a := range []*axis{&x, &y} {
		if !chart.Fit && !a.log && a.lo >= 0 && a.hi > 0 { // from 0 on; the ends of a load need no room
			a.lo = 0
			if a == &y {
				a.hi *= 1.03
			}
			continue
		}
		a.widen()
	}
	if chart.YMax > 0 && y.hi > chart.YMax {
		y.hi = chart.YMax
	}
	if chart.Diagonal && !y.log {
		y.hi = max(y.hi, x.hi)
	}
	return x, y, nil
}

// data is the table of all points.
func (chart *CurveChart) data() *Table {
	t := &Table{Head: []string{cmp.Or(chart.By, "curve"), cmp.Or(chart.XName, chart.X), cmp.Or(chart.YName, chart.Y)}}
	var bars, saturated bool
	for _, c := range chart.Curves {
		bars = bars || slices.ContainsFunc(c.Points, func(p Point) bool { return p.HalfWidth > 0 })
		saturated = saturated || slices.ContainsFunc(c.Points, func(p Point) bool { return p.Saturated })
	}
	if bars {
		t.Head = append(t.Head, "95 % half-width of "+t.Head[2])
	}
	if saturated {
		t.Head = append(t.Head, "saturated")
	}
	for _, c := range chart.Curves {
		for _, p := range c.Points {
			row := []any{cmp.Or(c.Name, chart.Y), p.X, p.Y}
			if bars {
				row = append(row, any(nil))
				if p.HalfWidth > 0 {
					row[3] = p.HalfWidth
				}
			}
			if saturated {
				row = append(row, p.Saturated)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// drawn reports whether the point can be drawn.
func (p Point) drawn() bool { return finite([2]float64{p.X, p.Y}) }

// finite reports whether both coordinates can be drawn: the difference of two of them is a number, too.
func finite(p [2]float64) bool {
	const most = 1e300
	return math.Abs(p[0]) <= most && math.Abs(p[1]) <= most
}
