package render

import (
	"cmp"
	"errors"
	"image/color"
	"io"
	"math"
	"slices"
)

// Curve is a named line through points.
type Curve struct {
	Name string
	// Group has curves share a colour and their line in the legend, where it stands in place of their names; Mark then
	// tells them apart, written at the last point.
	Group, Mark string
	Points      [][2]float64 // by ascending x; those that are no numbers are left out
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
	// Height of the panel in pixels; 800 where 0.
	Height float64
}

// Curves draws a chart as a PNG.
func Curves(w io.Writer, chart CurveChart) error {
	x, y, err := chart.axes()
	if err != nil {
		return err
	}
	styles, legend := chart.styles()
	c, area, err := picture(chart.Title, chart.Note, cmp.Or(chart.Height, 800), legend)
	if err != nil {
		return err
	}
	area.X0, area.Y1 = area.X0+80, area.Y1-70
	whole := area
	if slices.ContainsFunc(chart.Curves, func(c Curve) bool { return c.Mark != "" }) {
		area.X1 -= markRoom
	}
	p := newPanel(area, x, y)
	p.grid(c)
	if chart.Diagonal {
		end := min(x.hi, y.hi)
		c.dash = []float64{8, 8}
		c.line(p.x.at(0), p.y.at(0), p.x.at(end), p.y.at(end), 1, faint)
		c.dash = nil
	}
	for i, curve := range chart.Curves {
		p.dotted(c, styles[i], curve.Points)
	}
	p.mark(c, chart.Curves, whole)
	return encode(w, c, nil)
}

// markRoom is what marks take to the right of a panel, in pixels.
const markRoom = 170

// mark writes the marks of curves at their last points, inside a box and clear of the points of all.
func (p *panel) mark(c *canvas, curves []Curve, inside box) {
	var ends, others [][2]float64
	var marks []string
	for _, curve := range curves {
		for i, q := range curve.Points {
			at := [2]float64{p.x.at(q[0]), p.y.at(q[1])}
			if i == len(curve.Points)-1 && curve.Mark != "" {
				ends, marks = append(ends, at), append(marks, curve.Mark)
			} else {
				others = append(others, at)
			}
		}
	}
	c.spread(ends, marks, others, inside)
}

// styles are the colour and pattern of every curve, by number, and the legend.
func (chart *CurveChart) styles() ([]int, []legendItem) {
	styles := make([]int, len(chart.Curves))
	var legend []legendItem
	seen := map[string]int{}
	next := len(chart.Groups)
	for i, curve := range chart.Curves {
		style, ok := seen[curve.Group]
		if !ok || curve.Group == "" {
			if style = slices.Index(chart.Groups, curve.Group); style < 0 {
				style, next = next, next+1
			}
			seen[curve.Group] = style
			legend = append(legend, legendItem{cmp.Or(curve.Group, curve.Name), stroke(style)})
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
		for _, p := range curve.Points {
			if finite(p) {
				x.lo, x.hi = min(x.lo, p[0]), max(x.hi, p[0])
				y.lo, y.hi = min(y.lo, p[1]), max(y.hi, p[1])
				points++
			}
		}
	}
	if points == 0 || !chart.Fit && x.hi == 0 {
		return x, y, errors.New("render: a chart without a point")
	}
	if x.log && x.lo <= 0 || y.log && y.lo <= 0 {
		return x, y, errors.New("render: a logarithmic axis cannot show what is not above 0")
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

// dotted draws a line with a dot at every point. What is higher than the panel is
// cut off where the line leaves it.
func (p *panel) dotted(c *canvas, i int, points [][2]float64) {
	var part [][2]float64
	for _, q := range points {
		if !finite(q) {
			continue
		}
		if n := len(part); n > 0 && (part[n-1][1] > p.y.hi) != (q[1] > p.y.hi) {
			a := part[n-1]
			share := (p.y.hi - a[1]) / (q[1] - a[1])
			part = append(part, [2]float64{a[0] + float64(share*(q[0]-a[0])), p.y.hi})
		}
		part = append(part, q)
	}
	var line [][2]float64
	for _, q := range part {
		if q[1] <= p.y.hi {
			line = append(line, q)
		} else if len(line) > 0 {
			p.curve(c, i, line)
			line = nil
		}
	}
	if len(line) > 0 {
		p.curve(c, i, line)
	}
	for _, q := range points {
		if finite(q) && q[1] <= p.y.hi {
			p.dot(c, q, colour(i))
		}
	}
}

func (p *panel) dot(c *canvas, q [2]float64, col color.Color) {
	c.disc(p.x.at(q[0]), p.y.at(q[1]), 5, col)
}
