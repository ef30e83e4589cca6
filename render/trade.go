package render

import (
	"fmt"
	"io"
	"math"
	"slices"
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
		chart.Note += fmt.Sprintf("; %s farther away not drawn", grouped(int64(far)))
	}
}

// Trade draws a chart as a PNG.
func Trade(w io.Writer, chart TradeChart) error {
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
	var legend []legendItem
	for i, g := range groups {
		legend = append(legend, legendItem{g, func(c *canvas, b box) {
			c.disc((b.X0+b.X1)/2, (b.Y0+b.Y1)/2, 7, colour(i))
		}})
	}
	can, area, err := picture(chart.Title, chart.Note, 800, legend)
	if err != nil {
		return err
	}
	area = box{area.X0 + 90, area.Y0, area.X1 - 10, area.Y1 - 70}
	if len(groups) == 0 {
		can.empty(area, "there is nothing to draw")
		return encode(w, can, nil)
	}
	x.log, y.log = logarithmic(x.lo, x.hi), logarithmic(y.lo, y.hi)
	x.widen()
	y.widen()
	p := newPanel(area, x, y)
	p.grid(can)
	p.steps(can, chart.Best)
	for _, q := range chart.Bounded {
		can.ring(p.x.at(q.X), p.y.at(q.Y), 4, 1.5, colour(slices.Index(groups, q.Group)))
	}
	for _, q := range chart.Beaten {
		can.disc(p.x.at(q.X), p.y.at(q.Y), 4, colour(slices.Index(groups, q.Group)))
	}
	var points [][2]float64
	var words []string
	for _, q := range chart.Best {
		at := [2]float64{p.x.at(q.X), p.y.at(q.Y)}
		can.disc(at[0], at[1], 9, colour(slices.Index(groups, q.Group)))
		points, words = append(points, at), append(words, can.fit(q.Label, markLetter, 420))
	}
	can.spread(points, words, nil, p.box)
	return encode(w, can, nil)
}

// steps draws the edge of what is not beaten: right of it and above is something that is at least as good.
func (p *panel) steps(c *canvas, best []TradePoint) {
	var line [][2]float64
	for i, q := range best {
		if i == 0 {
			line = append(line, [2]float64{q.X, p.y.hi})
		} else {
			line = append(line, [2]float64{q.X, best[i-1].Y})
		}
		line = append(line, [2]float64{q.X, q.Y})
	}
	if len(best) == 0 {
		return
	}
	line = append(line, [2]float64{p.x.hi, best[len(best)-1].Y})
	for i, q := range line {
		line[i] = [2]float64{p.x.at(q[0]), p.y.at(q[1])}
	}
	c.polyline(line, 2, outline)
}
