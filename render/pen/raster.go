package pen

import (
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"math"

	"github.com/fogleman/gg"
	bilinear "golang.org/x/image/draw"
	"golang.org/x/image/math/f64"

	"github.com/plenum-planner/plenum/internal/provenance"
	"github.com/plenum-planner/plenum/render/scene"
)

// painter draws a scene in pixels, one to a unit.
type painter struct {
	*Letters
	img *image.RGBA
	dc  *gg.Context
	// clips tells of every group that has begun whether it is cut off.
	clips []bool
}

// Raster draws a scene as a picture.
func Raster(l *Letters, s *scene.Scene) (*image.RGBA, error) {
	s = s.Legible()
	img := image.NewRGBA(image.Rect(0, 0, int(math.Ceil(s.W)), int(math.Ceil(s.H))))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	p := &painter{Letters: l, img: img, dc: gg.NewContextForRGBA(img)}
	for _, m := range s.Marks {
		if err := p.draw(m); err != nil {
			return nil, err
		}
	}
	return img, nil
}

func (p *painter) draw(m scene.Mark) error {
	switch m := m.(type) {
	case scene.Layer, scene.Link: // a picture has none
	case scene.Fill:
		draw.Draw(p.img, area(m.Box), image.NewUniform(m.Color), image.Point{}, draw.Over)
	case scene.Frame:
		p.frame(m)
	case scene.Path:
		p.path(m)
	case scene.Circle:
		p.dc.SetColor(m.Color)
		p.dc.DrawCircle(m.X, m.Y, m.Radius)
		if m.Width > 0 {
			p.dc.SetLineWidth(m.Width)
			p.dc.Stroke()
		} else {
			p.dc.Fill()
		}
	case scene.Hatch:
		p.hatch(m)
	case scene.Text:
		return p.text(m)
	case scene.Picture:
		part := p.img.SubImage(area(m.Within)).(*image.RGBA)
		bilinear.BiLinear.Transform(part, f64.Aff3(m.At), image.Black, m.Mask.Rect, draw.Over,
			&bilinear.Options{SrcMask: m.Mask})
	case scene.Turn:
		p.dc.Push()
		p.dc.RotateAbout(m.Angle, m.X, m.Y)
		p.clips = append(p.clips, false)
	case scene.Clip:
		p.dc.Push()
		p.dc.DrawRectangle(m.X0, m.Y0, m.X1-m.X0, m.Y1-m.Y0)
		p.dc.Clip()
		p.clips = append(p.clips, true)
	case scene.End:
		last := len(p.clips) - 1
		if p.clips[last] {
			p.dc.ResetClip()
		}
		p.dc.Pop()
		p.clips = p.clips[:last]
	default:
		return fmt.Errorf("pen: no way to draw %T", m)
	}
	return nil
}

// area is the pixels nearest to a Box, at least one each way.
func area(b scene.Box) image.Rectangle {
	r := image.Rect(int(math.Round(b.X0)), int(math.Round(b.Y0)), int(math.Round(b.X1)), int(math.Round(b.Y1)))
	r.Max.X, r.Max.Y = max(r.Max.X, r.Min.X+1), max(r.Max.Y, r.Min.Y+1)
	return r
}

func (p *painter) frame(f scene.Frame) {
	r, width := area(f.Box), int(f.Width)
	u := image.NewUniform(f.Color)
	for _, side := range []image.Rectangle{
		{r.Min, image.Pt(r.Max.X, r.Min.Y+width)},
		{image.Pt(r.Min.X, r.Max.Y-width), r.Max},
		{r.Min, image.Pt(r.Min.X+width, r.Max.Y)},
		{image.Pt(r.Max.X-width, r.Min.Y), r.Max},
	} {
		draw.Draw(p.img, side.Intersect(r), u, image.Point{}, draw.Over)
	}
}

func (p *painter) path(m scene.Path) {
	for _, line := range m.Lines {
		p.dc.NewSubPath()
		for _, q := range line {
			p.dc.LineTo(q[0], q[1])
		}
	}
	p.dc.SetColor(m.Color)
	if m.Filled {
		p.dc.Fill()
		return
	}
	p.dc.SetLineWidth(m.Width)
	p.dc.SetDash(m.Dash...)
	p.dc.Stroke()
	p.dc.SetDash()
}

func (p *painter) hatch(m scene.Hatch) {
	b := Rect(math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1))
	p.dc.NewSubPath()
	for _, q := range m.Points {
		p.dc.LineTo(q[0], q[1])
		b = Rect(min(b.X0, q[0]), min(b.Y0, q[1]), max(b.X1, q[0]), max(b.Y1, q[1]))
	}
	p.dc.ClosePath()
	p.dc.ClipPreserve()
	p.dc.SetColor(m.Color)
	p.dc.SetLineWidth(2)
	p.dc.Stroke()
	p.dc.SetLineWidth(1)
	for x := b.X0 - b.Height(); x < b.X1; x += m.Gap {
		p.dc.DrawLine(x, b.Y1, x+b.Height(), b.Y0)
		p.dc.Stroke()
	}
	p.dc.ResetClip()
}

func (p *painter) text(t scene.Text) error {
	k := Letter{t.Size, t.Bold}
	f, err := p.face(k)
	if err != nil {
		return err
	}
	p.dc.SetFontFace(f.Face)
	p.dc.SetColor(t.Color)
	p.dc.DrawString(t.Text, t.X-float64(t.Align*p.measured(t.Text, k)), t.Y)
	return nil
}

// EncodePNG writes a picture with the least effort: of drawings, files are as large, and take half the time.
func EncodePNG(w io.Writer, img image.Image) error {
	return (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(w, img)
}

// PNG writes a drawing as a picture, a pixel to a unit.
func (c *Canvas) PNG(ctx context.Context, w io.Writer) error {
	img, err := Raster(c.Letters, c.Scene)
	if err != nil {
		return err
	}
	return EncodePNG(provenance.PNG(ctx, w), img)
}
