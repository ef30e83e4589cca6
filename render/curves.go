package render

import (
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"
)

// Curve is a named line through points.
type Curve struct {
	Name   string
	Points [][2]float64 // by ascending x; points whose y is no number are left out
}

// CurveChart is a chart of lines that share their axes.
type CurveChart struct {
	Title, X, Y string
	Curves      []Curve
	// YMax cuts off what is higher; the chart ends at the highest point when 0.
	YMax float64
	// Diagonal draws y = x behind the curves.
	Diagonal bool
}

// Sizes of a chart of curves, in pixels.
const (
	chartWidth, chartHeight     = 1600, 1000
	chartLeft, chartRight       = 130, 50
	chartTop, chartBottom       = 90, 100
	legendLine, curveWidth, dot = 30, 3, 5
)

var curveColours = []color.RGBA{
	{0x1f, 0x77, 0xb4, 255},
	{0xd6, 0x27, 0x28, 255},
	{0x2c, 0xa0, 0x2c, 255},
	{0x94, 0x67, 0xbd, 255},
	{0xff, 0x7f, 0x0e, 255},
	{0x17, 0xbe, 0xcf, 255},
	{0x8c, 0x56, 0x4b, 255},
	{0xe3, 0x77, 0xc2, 255},
	{0x7f, 0x7f, 0x7f, 255},
	{0xbc, 0xbd, 0x22, 255},
}

// Curves draws a chart as a PNG. More curves than there are colours repeat them.
func Curves(w io.Writer, chart CurveChart) error {
	l, err := newLetters()
	if err != nil {
		return err
	}
	xMax, yMax := 0.0, 0.0
	for _, curve := range chart.Curves {
		for _, p := range curve.Points {
			if finite(p[0]) && finite(p[1]) {
				xMax, yMax = max(xMax, p[0]), max(yMax, p[1])
			}
		}
	}
	if xMax == 0 {
		return errors.New("render: a chart without a point")
	}
	if chart.YMax > 0 {
		yMax = min(yMax, chart.YMax)
	}
	if chart.Diagonal {
		yMax = max(yMax, xMax)
	}
	if yMax == 0 {
		yMax = 1
	}
	c := newCanvas(l, &sheet{W: chartWidth, H: chartHeight})
	p := plot{canvas: c, area: box{chartLeft, chartTop, chartWidth - chartRight, chartHeight - chartBottom}, x: ticks(xMax), y: ticks(yMax)}
	p.frame(chart)
	if chart.Diagonal {
		end := min(p.x.top, p.y.top)
		c.dc.SetDash(8, 8)
		c.line(p.px(0), p.py(0), p.px(end), p.py(end), 1, color.Gray{0x90})
		c.dc.SetDash()
	}
	for i, curve := range chart.Curves {
		p.curve(curve, curveColours[i%len(curveColours)])
	}
	p.legend(chart.Curves)
	if c.err != nil {
		return c.err
	}
	return png.Encode(w, c.img)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// scale is an axis from 0 to top in steps.
type scale struct{ top, step float64 }

// ticks chooses steps of 1, 2 or 5 times a power of ten, at most ten of them.
func ticks(most float64) scale {
	step := math.Pow(10, math.Floor(math.Log10(most/10)))
	for _, factor := range []float64{1, 2, 5, 10, 20} {
		if most/(factor*step) <= 10 {
			step *= factor
			break
		}
	}
	return scale{step * math.Ceil(most/step-1e-9), step}
}

// plot maps values to the area of a chart.
type plot struct {
	*canvas
	area box
	x, y scale
}

func (p *plot) px(v float64) float64 { return p.area.X0 + float64(v/p.x.top*p.area.width()) }
func (p *plot) py(v float64) float64 { return p.area.Y1 - float64(v/p.y.top*p.area.height()) }

// frame draws title, axes and grid.
func (p *plot) frame(chart CurveChart) {
	grid := color.Gray{0xdd}
	number := letter{size: 18}
	for i := 0; float64(i)*p.x.step <= p.x.top*1.000001; i++ {
		v := float64(i) * p.x.step
		p.line(p.px(v), p.area.Y0, p.px(v), p.area.Y1, 1, grid)
		p.text(tickText(v), number, p.px(v), p.area.Y1+22, 0.5, ink)
	}
	for i := 0; float64(i)*p.y.step <= p.y.top*1.000001; i++ {
		v := float64(i) * p.y.step
		p.line(p.area.X0, p.py(v), p.area.X1, p.py(v), 1, grid)
		p.text(tickText(v), number, p.area.X0-12, p.py(v), 1, ink)
	}
	p.canvas.frame(p.area, 1, ink)
	p.text(p.fit(chart.Title, letter{26, true}, p.area.width()), letter{26, true}, p.area.X0, p.area.Y0-40, 0, ink)
	p.text(chart.X, letter{size: 20}, (p.area.X0+p.area.X1)/2, p.area.Y1+62, 0.5, ink)
	p.dc.Push()
	x, y := p.area.X0-95, (p.area.Y0+p.area.Y1)/2
	p.dc.RotateAbout(-math.Pi/2, x, y)
	p.text(chart.Y, letter{size: 20}, x, y, 0.5, ink)
	p.dc.Pop()
}

func tickText(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e9)/1e9, 'g', 10, 64)
}

// curve draws a line and its points; a line that leaves the area at the top ends
// there.
func (p *plot) curve(curve Curve, col color.RGBA) {
	var last *[2]float64
	for i := range curve.Points {
		point := curve.Points[i]
		if !finite(point[0]) || !finite(point[1]) {
			continue
		}
		if last != nil {
			a, b := *last, point
			if a[1] <= p.y.top || b[1] <= p.y.top {
				a, b = clipped(a, b, p.y.top), clipped(b, a, p.y.top)
				p.line(p.px(a[0]), p.py(a[1]), p.px(b[0]), p.py(b[1]), curveWidth, col)
			}
		}
		if point[1] <= p.y.top {
			p.dc.SetColor(col)
			p.dc.DrawCircle(p.px(point[0]), p.py(point[1]), dot)
			p.dc.Fill()
		}
		last = &curve.Points[i]
	}
}

// clipped is a, or where the line from a to b crosses top if a is above it.
func clipped(a, b [2]float64, top float64) [2]float64 {
	if a[1] <= top {
		return a
	}
	share := (top - b[1]) / (a[1] - b[1])
	return [2]float64{b[0] + float64(share*(a[0]-b[0])), top}
}

// legend names the curves in the upper left corner.
func (p *plot) legend(curves []Curve) {
	k := letter{size: 18}
	shown := min(len(curves), 2*len(curveColours))
	width := 0.0
	for _, curve := range curves[:shown] {
		width = max(width, p.width(p.fit(curve.Name, k, 600), k))
	}
	b := box{p.area.X0 + 20, p.area.Y0 + 20, p.area.X0 + 90 + width, p.area.Y0 + 34 + float64(shown*legendLine)}
	p.fill(b, color.RGBA{255, 255, 255, 255})
	p.canvas.frame(b, 1, color.Gray{0xb0})
	for i, curve := range curves[:shown] {
		y := b.Y0 + 22 + float64(i*legendLine)
		p.line(b.X0+12, y, b.X0+46, y, curveWidth, curveColours[i%len(curveColours)])
		p.text(p.fit(curve.Name, k, 600), k, b.X0+56, y, 0, ink)
	}
	if rest := len(curves) - shown; rest > 0 {
		p.text(fmt.Sprintf("and %d more", rest), k, b.X0+56, b.Y1+12, 0, ink)
	}
}
