package render

import (
	"image"
	"image/color"
	"math"

	"github.com/plenum-planner/plenum/layout/drawing"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// Colours of the building's drawing, which stays behind everything else.
var (
	underlayCol  = color.RGBA{0xb4, 0xb8, 0xbd, 0xff}
	underlayText = color.RGBA{0x9a, 0x9f, 0xa6, 0xff}
)

// underlay draws the drawing of the building on the floor, clipped at its edge. Layers that are hidden in the drawing
// stay so.
func (d *roomDrawing) underlay() {
	b := d.building
	if b == nil {
		return
	}
	d.Layer("building")
	if b.Picture != nil {
		d.picture(b)
		return
	}
	d.Add(scene.Clip{Box: d.Plan})
	defer func() { d.Add(scene.End{}) }()
	var lines [][][2]float64
	for i := range b.Shapes {
		if s := &b.Shapes[i]; !b.Layers[s.Layer].Hidden {
			if line := d.drawn(s); len(line) > 0 {
				lines = append(lines, line)
			}
		}
	}
	d.Add(scene.Path{Lines: lines, Width: 1.2, Color: pen.NRGBA(underlayCol)})
	for i := range b.Texts {
		if t := &b.Texts[i]; !b.Layers[t.Layer].Hidden {
			d.written(t)
		}
	}
}

// drawn is the line of a shape, without points that would fall on the same pixel.
func (d *roomDrawing) drawn(s *drawing.Shape) (line [][2]float64) {
	bound := s.Points.Bound()
	if !bound.Intersects(d.room.Bound) {
		return nil
	}
	var last [2]float64
	for i, p := range s.Points {
		x, y := d.point(p)
		if i > 0 && i < len(s.Points)-1 && math.Hypot(x-last[0], y-last[1]) < 0.7 {
			continue
		}
		last = [2]float64{x, y}
		line = append(line, last)
	}
	return line
}

// written draws a text of the drawing that can be read at the scale.
func (d *roomDrawing) written(t *drawing.Text) {
	const least, most = 9, 40
	size := math.Floor(min(t.Height*d.Scale/0.72, most)) // its capitals are as high as asked for
	if size < least || !d.room.Bound.Contains(t.At) {
		return
	}
	x, y := d.point(t.At)
	d.Add(scene.Turn{Angle: -t.Angle, X: x, Y: y})
	k := pen.Letter{Size: size}
	d.Text(t.Text, k, x, y-0.35*size, 0, underlayText)
	d.Add(scene.End{})
}

// picture draws a picture under the floor plan: it darkens the floor by less than half of its own darkness.
func (d *roomDrawing) picture(b *drawing.Drawing) {
	faded := image.NewAlpha(b.Picture.Bounds())
	for y := faded.Rect.Min.Y; y < faded.Rect.Max.Y; y++ {
		for x := faded.Rect.Min.X; x < faded.Rect.Max.X; x++ {
			r, g, bl, a := b.Picture.At(x, y).RGBA()
			grey := (299*r+587*g+114*bl)/1000 + 0xffff - a // on white
			faded.SetAlpha(x, y, color.Alpha{A: uint8((0xffff - min(grey, 0xffff)) * 2 / 5 >> 8)})
		}
	}
	at, scale := b.At, d.Scale
	x0, y0 := d.at(at.C-d.room.Bound.Min[0], at.F-d.room.Bound.Min[1])
	m := [6]float64{at.A * scale, at.B * scale, x0, -at.D * scale, -at.E * scale, y0}
	m[2] -= m[0]*float64(faded.Rect.Min.X) + m[1]*float64(faded.Rect.Min.Y)
	m[5] -= m[3]*float64(faded.Rect.Min.X) + m[4]*float64(faded.Rect.Min.Y)
	d.Add(scene.Picture{Mask: faded, At: m, Within: d.Plan})
}
