package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
)

// TradeChart is a chart of things of which less is better in both of two respects: those that nothing beats, joined by
// a line of steps, and behind them the others.
type TradeChart struct {
	Title, Note, X, Y string
	Best              []TradePoint // by ascending X, each with a label
	Beaten            []TradePoint
	// Bounded are lower bounds of others: where nothing to the left of them or below can be.
	Bounded []TradePoint
}

// TradePoint is a thing in a TradeChart.
type TradePoint struct {
	Group string // has a colour of its own
	Label string
	X, Y  float64
}

// near is how many times as far as the best the others may be that are drawn.
const near = 2.5

// within leaves out what is so far away that the best would be drawn on a few pixels, and says how many that are.
func (chart *TradeChart) within() {
	x, y := 0.0, 0.0
	for _, q := range chart.Best {
		x, y = max(x, q.X), max(y, q.Y)
	}
	far := 0
	for _, points := range []*[]TradePoint{&chart.Beaten, &chart.Bounded} {
		var kept []TradePoint
		for _, q := range *points {
			if len(chart.Best) == 0 || q.X <= near*x && q.Y <= near*y {
				kept = append(kept, q)
			}
		}
		far += len(*points) - len(kept)
		*points = kept
	}
	if far > 0 {
		chart.Note += fmt.Sprintf("; %s farther away not drawn", english.Grouped(int64(far)))
	}
}

// Draw draws the chart.
func (chart TradeChart) Draw() (*Drawing, error) {
	chart.within()
	var groups []string
	x := axis{label: chart.X, lo: math.Inf(1), hi: math.Inf(-1)}
	y := axis{label: chart.Y, lo: math.Inf(1), hi: math.Inf(-1)}
	for _, points := range [][]TradePoint{chart.Best, chart.Beaten, chart.Bounded} {
		for _, q := range points {
			if !slices.Contains(groups, q.Group) {
				groups = append(groups, q.Group)
			}
			x.lo, x.hi = min(x.lo, q.X), max(x.hi, q.X)
			y.lo, y.hi = min(y.lo, q.Y), max(y.hi, q.Y)
		}
	}
	var legend []pen.Item
	for i, g := range groups {
		legend = append(legend, pen.Item{Text: g, Swatch: func(c *pen.Canvas, b pen.Box) {
			c.Disc((b.X0+b.X1)/2, (b.Y0+b.Y1)/2, 7, palette.Series(i))
			if palette.Round(i) > 0 {
				c.Ring((b.X0+b.X1)/2, (b.Y0+b.Y1)/2, 9, 1.5, palette.Ink)
			}
		}})
	}
	d, area, err := begin(chart.Title, chart.Note, 800, legend)
	if err != nil {
		return nil, err
	}
	if len(groups) == 0 {
		d.empty(area, "there is nothing to draw")
		return d, nil
	}
	x.log, y.log = logarithmic(x.lo, x.hi), logarithmic(y.lo, y.hi)
	x.widen()
	y.widen()
	p := d.panel(area, x, y)
	p.steps(chart.Best, x, y)
	col := func(q TradePoint) color.RGBA { return palette.Series(slices.Index(groups, q.Group)) }
	for _, q := range chart.Bounded {
		p.dots(col(q), 4, 1.5, [2]float64{q.X, q.Y})
	}
	for _, q := range chart.Beaten {
		p.dots(col(q), 4, 0, [2]float64{q.X, q.Y})
	}
	for _, q := range chart.Best {
		p.dots(col(q), 9, 0, [2]float64{q.X, q.Y})
		if palette.Round(slices.Index(groups, q.Group)) > 0 {
			p.dots(palette.Ink, 11, 1.5, [2]float64{q.X, q.Y})
		}
	}
	p.draw()
	var points [][2]float64
	var words []string
	for _, q := range chart.Best {
		points, words = append(points, p.at(q.X, q.Y)), append(words, d.Fit(q.Label, markLetter, 420))
	}
	d.spread(points, words, nil, p.Box)
	return d, nil
}

// steps adds the edge of what is not beaten: right of it and above is something that is at least as good.
func (p *panel) steps(best []TradePoint, x, y axis) {
	if len(best) == 0 {
		return
	}
	edge := plotter.XYs{{X: best[0].X, Y: y.hi}}
	for _, q := range best {
		edge = append(edge, plotter.XY{X: q.X, Y: q.Y})
	}
	edge = append(edge, plotter.XY{X: x.hi, Y: best[len(best)-1].Y})
	p.Add(&plotter.Line{
		XYs: edge, StepStyle: plotter.PostStep, LineStyle: draw.LineStyle{Color: palette.Outline, Width: 2},
	})
}
