package chart

import (
	"image"
	"image/color"
	"math"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// typeface is the name under which gonum/plot finds the letters of Go.
const typeface = "Go"

// newFonts are the letters of all drawings, for gonum/plot.
func newFonts() (*font.Cache, error) {
	var all font.Collection
	for _, f := range []struct {
		ttf    []byte
		weight xfont.Weight
	}{{goregular.TTF, xfont.WeightNormal}, {gobold.TTF, xfont.WeightBold}} {
		face, err := opentype.Parse(f.ttf)
		if err != nil {
			return nil, err
		}
		all = append(all, font.Face{Font: font.Font{Typeface: typeface, Weight: f.weight}, Face: face})
	}
	return font.NewCache(all), nil
}

// style is how gonum/plot writes letters.
func (d *Drawing) style(k pen.Letter, col color.Color, x text.XAlignment, y text.YAlignment) text.Style {
	f := font.Font{Typeface: typeface, Size: font.Length(k.Size)}
	if k.Bold {
		f.Weight = xfont.WeightBold
	}
	return text.Style{Color: col, Font: f, XAlign: x, YAlign: y, Handler: handler{text.Plain{Fonts: d.fonts}, d.vg}}
}

// handler writes texts as marks that keep their alignment: the letters of a reader may be wider than ours.
type handler struct {
	text.Plain
	on *canvas
}

// Draw writes one line of text.
func (h handler) Draw(_ vg.Canvas, s string, sty text.Style, pt vg.Point) {
	f := h.Fonts.Lookup(sty.Font, sty.Font.Size)
	height := sty.Height(s)
	k := pen.Letter{Size: float64(sty.Font.Size), Bold: sty.Font.Weight == xfont.WeightBold}
	// Where the baseline is above the point, before the text is turned.
	rise := height*vg.Length(sty.YAlign) - f.Extents().Ascent + sty.Font.Size
	x, y := h.on.at(pt)
	m := scene.Text{
		Text: h.on.pen.Legible(s), X: x, Y: y - float64(rise), Align: -float64(sty.XAlign), Size: k.Size, Bold: k.Bold,
		Color: pen.NRGBA(sty.Color),
	}
	if sty.Rotation == 0 {
		h.on.pen.Add(m)
		return
	}
	h.on.pen.Add(scene.Turn{Angle: -sty.Rotation, X: x, Y: y})
	h.on.pen.Add(m)
	h.on.pen.Add(scene.End{})
}

// canvas has gonum/plot draw on a scene, a point to a unit, so that charts are written by what writes all drawings: in
// the same letters, with layers, the same bytes at any time (the PDF of gonum/plot has its date), and as marks that
// tests can read. It needs neither transforms nor images: nothing that is drawn here turns anything but text.
type canvas struct {
	pen   *pen.Canvas
	now   state
	saved []state
}

// state is what a canvas saves and restores.
type state struct {
	width float64
	dash  []float64
	color color.NRGBA
	shift vg.Point
}

// at maps a point, whose y runs upwards, to the scene.
func (c *canvas) at(p vg.Point) (x, y float64) {
	p = p.Add(c.now.shift)
	return float64(p.X), c.pen.Scene.H - float64(p.Y)
}

func (c *canvas) SetLineWidth(w vg.Length) { c.now.width = float64(w) }

func (c *canvas) SetLineDash(pattern []vg.Length, _ vg.Length) {
	c.now.dash = nil
	for _, d := range pattern {
		c.now.dash = append(c.now.dash, float64(d))
	}
}

func (c *canvas) SetColor(col color.Color) {
	if col == nil {
		col = color.Black
	}
	c.now.color = pen.NRGBA(col)
}

func (c *canvas) Translate(p vg.Point) { c.now.shift = c.now.shift.Add(p) }
func (c *canvas) Push()                { c.saved = append(c.saved, c.now) }

func (c *canvas) Pop() {
	last := len(c.saved) - 1
	c.now, c.saved = c.saved[last], c.saved[:last]
}

// Rotate and Scale are not needed: texts are turned by their handler.
func (c *canvas) Rotate(float64)         { panic("chart: a canvas that is turned") }
func (c *canvas) Scale(float64, float64) { panic("chart: a canvas that is scaled") }

// DrawImage is not needed either.
func (c *canvas) DrawImage(vg.Rectangle, image.Image) { panic("chart: a picture on a canvas") }

func (c *canvas) FillString(f font.Face, p vg.Point, s string) {
	x, y := c.at(p)
	c.pen.Add(scene.Text{
		Text: c.pen.Legible(s), X: x, Y: y, Size: float64(f.Font.Size), Bold: f.Font.Weight == xfont.WeightBold,
		Color: c.now.color,
	})
}

func (c *canvas) Stroke(p vg.Path) {
	if c.now.width <= 0 {
		return
	}
	if x, y, radius, ok := c.circle(p); ok {
		c.pen.Add(scene.Circle{X: x, Y: y, Radius: radius, Width: c.now.width, Color: c.now.color})
		return
	}
	c.pen.Add(scene.Path{Lines: c.lines(p), Width: c.now.width, Dash: c.now.dash, Color: c.now.color})
}

func (c *canvas) Fill(p vg.Path) {
	if x, y, radius, ok := c.circle(p); ok {
		c.pen.Add(scene.Circle{X: x, Y: y, Radius: radius, Color: c.now.color})
		return
	}
	lines := c.lines(p)
	if b, ok := upright(lines); ok {
		c.pen.Add(scene.Fill{Box: b, Color: c.now.color})
		return
	}
	c.pen.Add(scene.Path{Lines: lines, Filled: true, Color: c.now.color})
}

// circle is a path that is one.
func (c *canvas) circle(p vg.Path) (x, y, radius float64, ok bool) {
	for _, q := range p {
		switch {
		case q.Type == vg.ArcComp && math.Abs(q.Angle) >= 2*math.Pi:
			x, y = c.at(q.Pos)
			radius, ok = float64(q.Radius), true
		case q.Type == vg.ArcComp, q.Type == vg.LineComp, q.Type == vg.CurveComp:
			return 0, 0, 0, false
		}
	}
	return x, y, radius, ok
}

// lines are a path's, which has no curves but circles.
func (c *canvas) lines(p vg.Path) (out [][][2]float64) {
	for _, q := range p {
		x, y := c.at(q.Pos)
		last := len(out) - 1
		switch {
		case q.Type == vg.MoveComp:
			out = append(out, [][2]float64{{x, y}})
		case q.Type == vg.LineComp && last >= 0:
			out[last] = append(out[last], [2]float64{x, y})
		case q.Type == vg.CloseComp && last >= 0:
			out[last] = append(out[last], out[last][0])
		}
	}
	return out
}

// upright is the box of a polygon that is an upright rectangle.
func upright(lines [][][2]float64) (b scene.Box, ok bool) {
	if len(lines) != 1 || len(lines[0]) < 4 {
		return b, false
	}
	b = scene.Box{X0: math.Inf(1), Y0: math.Inf(1), X1: math.Inf(-1), Y1: math.Inf(-1)}
	for _, p := range lines[0] {
		b = scene.Box{X0: min(b.X0, p[0]), Y0: min(b.Y0, p[1]), X1: max(b.X1, p[0]), Y1: max(b.Y1, p[1])}
	}
	for i, p := range lines[0] {
		corner := (p[0] == b.X0 || p[0] == b.X1) && (p[1] == b.Y0 || p[1] == b.Y1)
		if next := lines[0][(i+1)%len(lines[0])]; !corner || next[0] != p[0] && next[1] != p[1] {
			return b, false
		}
	}
	return b, true
}
