// Package pen draws on scenes: it measures text, keeps what is drawn as marks (render/scene), and makes pictures of
// pixels of them. What is drawn it does not know.
package pen

import (
	"image/color"
	"math"

	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/scene"
)

// Box is a rectangle of a drawing, in units, y downwards.
type Box = scene.Box

// Rect is the box between two corners.
func Rect(x0, y0, x1, y1 float64) Box { return Box{X0: x0, Y0: y0, X1: x1, Y1: y1} }

// Canvas is a drawing being made: what is drawn becomes marks of a scene.
type Canvas struct {
	*Letters
	// Scene has the marks.
	Scene *scene.Scene
	// Dash is that of lines; none for unbroken ones.
	Dash []float64
}

// New begins a drawing that is not to scale.
func New(l *Letters, width, height float64) *Canvas {
	return &Canvas{Letters: l, Scene: &scene.Scene{W: width, H: height}}
}

// Add adds a mark.
func (c *Canvas) Add(m scene.Mark) { c.Scene.Marks = append(c.Scene.Marks, m) }

// Layer puts what is drawn from now on on a layer.
func (c *Canvas) Layer(name string) { c.Add(scene.Layer(name)) }

// NRGBA is a colour as scenes have it.
func NRGBA(col color.Color) color.NRGBA { return color.NRGBAModel.Convert(col).(color.NRGBA) }

// Fill paints a box, in a picture whole pixels: sharp, and fast enough for every rack of a hall.
func (c *Canvas) Fill(b Box, col color.Color) {
	c.Add(scene.Fill{Box: b, Color: NRGBA(col)})
}

// Bar paints a line that runs along an axis.
func (c *Canvas) Bar(b Box, col color.Color) {
	c.Add(scene.Fill{Box: b, Color: NRGBA(col), Bar: true})
}

// Frame paints the edge of a box, on its inside.
func (c *Canvas) Frame(b Box, width int, col color.Color) {
	c.Add(scene.Frame{Box: b, Width: float64(width), Color: NRGBA(col)})
}

// Line draws a line of the given width.
func (c *Canvas) Line(x0, y0, x1, y1, width float64, col color.Color) {
	c.Polyline([][2]float64{{x0, y0}, {x1, y1}}, width, col)
}

// Polyline draws a line through points.
func (c *Canvas) Polyline(points [][2]float64, width float64, col color.Color) {
	c.Add(scene.Path{Lines: [][][2]float64{points}, Width: width, Dash: c.Dash, Color: NRGBA(col)})
}

// Disc fills a circle.
func (c *Canvas) Disc(x, y, radius float64, col color.Color) {
	c.Add(scene.Circle{X: x, Y: y, Radius: radius, Color: NRGBA(col)})
}

// Ring draws a circle.
func (c *Canvas) Ring(x, y, radius, width float64, col color.Color) {
	c.Add(scene.Circle{X: x, Y: y, Radius: radius, Width: width, Color: NRGBA(col)})
}

// Text draws a text with the middle of its height at y. Align is 0 for left of
// it at x, 0.5 for the middle, 1 for the right.
func (c *Canvas) Text(s string, k Letter, x, y, align float64, col color.Color) {
	y += float64(0.35 * k.Size)
	c.Add(scene.Text{Text: s, X: x, Y: y, Align: align, Size: k.Size, Bold: k.Bold, Color: NRGBA(col)})
}

// Turned draws a text with its middle at x and y, upwards.
func (c *Canvas) Turned(s string, k Letter, x, y float64, col color.Color) {
	c.Add(scene.Turn{Angle: -math.Pi / 2, X: x, Y: y})
	c.Text(s, k, x, y, 0.5, col)
	c.Add(scene.End{})
}

// Dimension draws a dimension line between two points of a horizontal or
// vertical line, with its length in words.
func (c *Canvas) Dimension(x0, y0, x1, y1 float64, s string) {
	const tick = 6
	k := Letter{Size: 16}
	c.Line(x0, y0, x1, y1, 1, palette.Ink)
	dx, dy := 0.0, float64(tick)
	if x0 == x1 {
		dx, dy = tick, 0
	}
	for _, p := range [][2]float64{{x0, y0}, {x1, y1}} {
		c.Line(p[0]-dx, p[1]-dy, p[0]+dx, p[1]+dy, 1, palette.Ink)
	}
	w := c.Width(s, k)
	x, y := (x0+x1)/2, (y0+y1)/2
	if x0 == x1 {
		c.Add(scene.Turn{Angle: -math.Pi / 2, X: x, Y: y})
		defer func() { c.Add(scene.End{}) }()
	}
	if w+20 < math.Hypot(x1-x0, y1-y0) {
		b := Rect(x-w/2-6, y-11, x-w/2-6+w+12, y-11+22)
		c.Polygon([][2]float64{{b.X0, b.Y0}, {b.X1, b.Y0}, {b.X1, b.Y1}, {b.X0, b.Y1}}, color.White)
	} else {
		y += 20 // too short to be broken: beside the line
	}
	c.Text(s, k, x, y, 0.5, palette.Ink)
}

// Hatch draws slanted lines inside a polygon.
func (c *Canvas) Hatch(points [][2]float64, gap float64, col color.Color) {
	if len(points) > 0 {
		c.Add(scene.Hatch{Points: points, Gap: gap, Color: NRGBA(col)})
	}
}

// Polygon fills a polygon.
func (c *Canvas) Polygon(points [][2]float64, col color.Color) {
	c.Add(scene.Path{Lines: [][][2]float64{points}, Filled: true, Color: NRGBA(col)})
}

// Item explains one colour or sign of a drawing.
type Item struct {
	// Text is what it stands for, Swatch draws it.
	Text   string
	Swatch func(c *Canvas, b Box)
}

// Filled is the swatch of a colour.
func Filled(col color.Color) func(*Canvas, Box) {
	return func(c *Canvas, b Box) {
		c.Fill(b, col)
		c.Frame(b, 1, palette.Ink)
	}
}

// Hatched is the swatch of something hatched.
func Hatched(col color.Color) func(*Canvas, Box) {
	return func(c *Canvas, b Box) {
		c.Hatch([][2]float64{{b.X0, b.Y0}, {b.X1, b.Y0}, {b.X1, b.Y1}, {b.X0, b.Y1}}, 8, col)
	}
}
