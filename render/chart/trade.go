package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

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
		chart.Note += fmt.Sprintf(" Not drawn: %s farther away.", english.Count(far, "point"))
	}
}

// Draw draws the chart.
func (chart TradeChart) Draw(style Style) (*Drawing, error) {
	data := chart.data()
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
		legend = append(legend, pen.Item{Text: g, Swatch: spot(i)})
	}
	d, area, err := begin(style, head{chart.Title, chart.Note}, 800, leastPanel, legend)
	if err != nil {
		return nil, err
	}
	d.Data = data
	if len(groups) == 0 {
		d.empty(area, "There is nothing to draw.")
		return d, nil
	}
	x.log, y.log = logarithmic(x.lo, x.hi), logarithmic(y.lo, y.hi)
	x.widen()
	y.widen()
	p := d.panel(area, x, y)
	others := p.steps(chart.Best)
	for _, kind := range []struct {
		points []TradePoint
		radius float64
		hollow bool
	}{{chart.Bounded, 5, true}, {chart.Beaten, 4, false}, {chart.Best, 9, false}} {
		for _, q := range kind.points {
			at := p.at(q.X, q.Y)
			marker(d.Canvas, looks(slices.Index(groups, q.Group)), at[0], at[1], kind.radius, kind.hollow)
			others = append(others, at)
		}
	}
	var all []label
	for _, q := range chart.Best {
		number, _, _ := strings.Cut(q.Label, " ")
		all = append(all, label{p.at(q.X, q.Y), []string{d.Fit(q.Label, markLetter, min(420, p.Width()/2)), number}})
	}
	d.placeLabels(all, others, p.Box)
	return d, nil
}

// data is the table of all points, also of those that are too far away to be drawn.
func (chart *TradeChart) data() *Table {
	t := &Table{Head: []string{"kind", "group", "label", chart.X, chart.Y}}
	for _, kind := range []struct {
		name   string
		points []TradePoint
	}{{"front", chart.Best}, {"beaten", chart.Beaten}, {"lower bound", chart.Bounded}} {
		for _, q := range kind.points {
			t.add(kind.name, q.Group, q.Label, q.X, q.Y)
		}
	}
	return t
}

// steps draws the Pareto front: right of it and above is something that is at least as good. It returns points along
// the line, of which labels stay clear.
func (p *panel) steps(best []TradePoint) (along [][2]float64) {
	if len(best) == 0 {
		return nil
	}
	edge := [][2]float64{{best[0].X, p.y.hi}}
	for i, q := range best {
		if i > 0 {
			edge = append(edge, [2]float64{q.X, best[i-1].Y})
		}
		edge = append(edge, [2]float64{q.X, q.Y})
	}
	edge = append(edge, [2]float64{p.x.hi, best[len(best)-1].Y})
	p.line(look{colour: palette.Outline}, 2, edge)
	const apart = 12
	for i := 1; i < len(edge); i++ {
		a, b := p.at(edge[i-1][0], edge[i-1][1]), p.at(edge[i][0], edge[i][1])
		n := math.Ceil(math.Hypot(b[0]-a[0], b[1]-a[1]) / apart)
		for k := range int(n) {
			share := float64(k) / n
			x, y := a[0]+float64((b[0]-a[0])*share), a[1]+float64((b[1]-a[1])*share)
			along = append(along, [2]float64{x, y})
		}
	}
	return along
}
