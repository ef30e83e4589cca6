package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// Sizes of a chart, in units: pixels of a PNG.
const (
	chartWidth, margin                    = 1600, 40
	legendHeight, legendGap, swatchWidth  = 32, 34, 36
	axisGap, tickGap, leastTick, leastRow = 12, 8, 90, 55
)

var (
	titleLetter   = pen.Letter{Size: 30, Bold: true}
	noteLetter    = pen.Letter{Size: 18}
	captionLetter = pen.Letter{Size: 15}
	legendLetter  = pen.Letter{Size: 16}
	tickLetter    = pen.Letter{Size: 16}
	axisLetter    = pen.Letter{Size: 17, Bold: true}
	markLetter    = pen.Letter{Size: 15, Bold: true}
	smallTitle    = pen.Letter{Size: 18, Bold: true}
)

// begin begins a chart of the given height below its head, with a legend below that; it returns the drawing and where
// the panels go.
func begin(title, note string, height float64, legend []pen.Item) (*Drawing, pen.Box, error) {
	l, err := pen.NewLetters()
	if err != nil {
		return nil, pen.Box{}, err
	}
	l.Spare = pen.Spare // for those who open an SVG without these letters
	fonts, err := newFonts()
	if err != nil {
		return nil, pen.Box{}, err
	}
	var widths []float64
	inner := float64(chartWidth - 2*margin)
	for _, i := range legend {
		widths = append(widths, min(swatchWidth+10+l.Width(i.Text, legendLetter), inner))
	}
	lines := pen.Flow(widths, inner, legendGap)
	const head = 96
	c := pen.New(l, chartWidth, margin+head+height+float64(legendHeight*len(lines))+margin)
	d := &Drawing{Canvas: c, fonts: fonts, vg: &canvas{pen: c}}
	c.Scene.Name, c.Scene.About = title, note
	c.Layer("words")
	version := "Plenum " + machine.Version
	c.Text(l.Fit(title, titleLetter, inner-c.Width(version, captionLetter)-30), titleLetter, margin, margin+16, 0,
		palette.Ink)
	c.Text(version, captionLetter, chartWidth-margin, margin+16, 1, palette.Faint)
	c.Text(l.Fit(note, noteLetter, inner), noteLetter, margin, margin+56, 0, palette.Faint)
	c.Layer("legend")
	y := margin + head + height + 8
	for _, line := range lines {
		x := float64(margin)
		for _, i := range line {
			legend[i].Swatch(c, pen.Box{X0: x, Y0: y + 7, X1: x + swatchWidth, Y1: y + legendHeight - 7})
			c.Text(l.Fit(legend[i].Text, legendLetter, inner-swatchWidth-10), legendLetter, x+swatchWidth+10,
				y+legendHeight/2, 0, palette.Ink)
			x += widths[i] + legendGap
		}
		y += legendHeight
	}
	c.Layer("data")
	return d, pen.Box{X0: margin, Y0: margin + head, X1: chartWidth - margin, Y1: margin + head + height}, nil
}

// empty says that there is nothing to draw.
func (d *Drawing) empty(b pen.Box, why string) {
	d.Frame(b, 1, palette.Outline)
	d.Text(d.Fit(why, noteLetter, b.Width()-20), noteLetter, (b.X0+b.X1)/2, (b.Y0+b.Y1)/2, 0.5, palette.Faint)
}

// Numbered is the name of machine i with its number.
func Numbered(i int, name string) string { return fmt.Sprintf("%d  %s", i+1, name) }

// panel is a plot in a part of a chart. Data is added, then it is drawn, and then words are written over it.
type panel struct {
	*plot.Plot
	d    *Drawing
	area draw.Canvas
	// Box is where the data is, once drawn.
	pen.Box
}

// panel begins one that fills an area with its axes and their labels.
func (d *Drawing) panel(b pen.Box, x, y axis) *panel {
	p := plot.New()
	p.TextHandler = handler{text.Plain{Fonts: d.fonts}, d.vg}
	p.Legend.TextStyle = d.style(legendLetter, palette.Ink, text.XLeft, text.YCenter) // measured, if empty
	p.BackgroundColor = nil
	x.label = d.Fit(x.label, axisLetter, b.Width())
	y.label = d.Fit(y.label, axisLetter, b.Height())
	x.set(&p.X, int(b.Width()/leastTick))
	y.set(&p.Y, max(2, int(b.Height()/leastRow)))
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle = d.style(axisLetter, palette.Ink, text.XCenter, text.YBottom)
		a.Label.Padding = axisGap
		a.Padding, a.Tick.Length = 0, tickGap
		a.LineStyle.Color, a.Tick.LineStyle.Color = palette.Outline, palette.Outline
		a.LineStyle.Width, a.Tick.LineStyle.Width = 1, 1
	}
	p.X.Tick.Label = d.style(tickLetter, palette.Ink, text.XCenter, text.YTop)
	p.Y.Tick.Label = d.style(tickLetter, palette.Ink, text.XRight, text.YCenter)
	if y.names != nil {
		p.Y.Tick.Label.Font.Size, p.Y.Tick.Length = vg.Length(legendLetter.Size), 0
	}
	out := &panel{Plot: p, d: d, area: draw.Canvas{Canvas: d.vg, Rectangle: vg.Rectangle{
		Min: vg.Point{X: vg.Length(b.X0), Y: vg.Length(d.Scene.H - b.Y1)},
		Max: vg.Point{X: vg.Length(b.X1), Y: vg.Length(d.Scene.H - b.Y0)},
	}}}
	grid := plotter.NewGrid()
	grid.Vertical = draw.LineStyle{Color: palette.Grid, Width: 1}
	grid.Horizontal = grid.Vertical
	if y.names != nil {
		grid.Horizontal.Color = nil
	}
	p.Add(ground{}, grid)
	return out
}

// ground is behind the data.
type ground struct{}

// Plot fills the panel.
func (ground) Plot(c draw.Canvas, _ *plot.Plot) {
	c.SetColor(palette.Ground)
	c.Canvas.Fill(c.Rectangle.Path())
}

// draw draws axes and data.
func (p *panel) draw() {
	p.Plot.Draw(p.area)
	r := p.DataCanvas(p.area).Rectangle
	h := p.d.Scene.H
	p.Box = pen.Box{X0: float64(r.Min.X), Y0: h - float64(r.Max.Y), X1: float64(r.Max.X), Y1: h - float64(r.Min.Y)}
	p.d.Frame(p.Box, 1, palette.Outline)
}

// at maps a value to the drawing, once the panel is drawn.
func (p *panel) at(x, y float64) [2]float64 {
	return [2]float64{
		p.X0 + float64(p.Plot.X.Norm(x)*p.Width()), p.Y1 - float64(p.Plot.Y.Norm(y)*p.Height()),
	}
}

// broken is the pattern of the lines of thing i.
func broken(i int) []float64 {
	switch palette.Round(i) {
	case 0:
		return nil
	case 1:
		return []float64{12, 6}
	}
	return []float64{3, 5}
}

// lines is how the line of thing i looks.
func lines(i int, width float64) draw.LineStyle {
	s := draw.LineStyle{Color: palette.Series(i), Width: vg.Length(width)}
	for _, d := range broken(i) {
		s.Dashes = append(s.Dashes, vg.Length(d))
	}
	return s
}

// points is values as gonum/plot takes them, finite ones only.
func points(values [][2]float64) plotter.XYs {
	var out plotter.XYs
	for _, q := range values {
		if finite(q) {
			out = append(out, plotter.XY{X: q[0], Y: q[1]})
		}
	}
	return out
}

// curve adds a line through points. What is outside the panel is cut off where the line leaves it.
func (p *panel) curve(i int, values [][2]float64) {
	if all := points(values); len(all) > 0 {
		p.Add(&plotter.Line{XYs: all, LineStyle: lines(i, 3)})
	}
}

// bars adds the error bars of a curve. One that leads below a logarithmic axis ends at its lower end.
func (p *panel) bars(col color.RGBA, c *Curve) {
	var at plotter.XYs
	var off plotter.YErrors
	for i, q := range c.Points {
		lo, hi := c.span(i)
		if !finite(q) || lo == hi {
			continue
		}
		at = append(at, plotter.XY{X: q[0], Y: q[1]})
		off = append(off, struct{ Low, High float64 }{q[1] - max(lo, p.Y.Min), hi - q[1]})
	}
	if len(at) > 0 {
		p.Add(&plotter.YErrorBars{
			XYs: at, YErrors: off, LineStyle: draw.LineStyle{Color: col, Width: 2}, CapWidth: 12,
		})
	}
}

// dots adds a disc at every point inside the panel, or a ring where ring is above 0.
func (p *panel) dots(col color.RGBA, radius, ring float64, values ...[2]float64) {
	if all := points(values); len(all) > 0 {
		s := draw.GlyphStyle{Color: col, Radius: vg.Length(radius), Shape: draw.CircleGlyph{}}
		if ring > 0 {
			s.Shape = hoop(ring)
		}
		p.Add(&plotter.Scatter{XYs: all, GlyphStyle: s})
	}
}

// hoop is a ring of a width.
type hoop vg.Length

// DrawGlyph draws one.
func (h hoop) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: s.Color, Width: vg.Length(h)})
	var p vg.Path
	p.Move(vg.Point{X: at.X + s.Radius, Y: at.Y})
	p.Arc(at, s.Radius, 0, 2*math.Pi)
	p.Close()
	c.Canvas.Stroke(p)
}

// stroke is the swatch of line i.
func stroke(i int) func(*pen.Canvas, pen.Box) {
	return func(c *pen.Canvas, b pen.Box) {
		c.Dash = broken(i)
		c.Line(b.X0, (b.Y0+b.Y1)/2, b.X1, (b.Y0+b.Y1)/2, 4, palette.Series(i))
		c.Dash = nil
	}
}

// spread places texts around points so that few overlap each other, the points
// or others, and draws them.
func (d *Drawing) spread(points [][2]float64, words []string, others [][2]float64, inside pen.Box) {
	const radius = 9
	var taken []scene.Box
	for _, p := range slices.Concat(points, others) {
		taken = append(taken, scene.Box{X0: p[0] - radius, Y0: p[1] - radius, X1: p[0] + radius, Y1: p[1] + radius})
	}
	for i, p := range points {
		w := d.Width(words[i], markLetter)
		var best scene.Box
		least, found := math.Inf(1), false
		for _, away := range []float64{14, 30, 48, 68, 92} {
			for k := range 12 {
				angle := float64(k) * math.Pi / 6
				x, y := p[0]+math.Cos(angle)*(away+w/2), p[1]-math.Sin(angle)*(away+4)
				b := scene.Box{X0: x - w/2 - 2, Y0: y - 9, X1: x + w/2 + 2, Y1: y + 9}
				cost := away
				if k == 0 {
					cost++ // lines often run on to the right
				}
				if b.X0 < inside.X0 || b.X1 > inside.X1 || b.Y0 < inside.Y0 || b.Y1 > inside.Y1 {
					cost += 400
				}
				for _, t := range taken {
					if b.Overlaps(t) {
						cost += 300
					}
				}
				if cost < least {
					best, least, found = b, cost, true
				}
			}
		}
		if !found {
			continue
		}
		taken = append(taken, best)
		x, y := (best.X0+best.X1)/2, (best.Y0+best.Y1)/2
		if math.Hypot(x-p[0], y-p[1]) > 40+w/2 {
			d.Line(p[0], p[1], x, y, 1, palette.Faint)
			d.Canvas.Fill(best, palette.Ground)
		}
		d.Text(words[i], markLetter, x, y, 0.5, palette.Ink)
	}
}
