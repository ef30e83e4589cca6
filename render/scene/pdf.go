package scene

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/plenum-planner/plenum/internal/provenance"
)

// pdf writes a scene on a page of a PDF.
type pdf struct {
	*fpdf.Fpdf
	*Scene
	mm     float64        // of the page to a unit
	high   float64        // the page, in millimetres
	layers map[string]int // by name
	open   bool           // a layer is
	ends   []func()       // of the groups that are open
	images int
	links  []int // to the pages
	raw    []byte
}

// PDF writes a scene as a PDF of one page, which is as large as it has to be at the scale of Drafting, or a pixel of a
// screen to a unit where nothing is to scale. Its layers can be switched on and off, and its fonts are in it.
func PDF(ctx context.Context, w io.Writer, s *Scene) error {
	return Book(ctx, w, s.Name, s.About, s.Sheets())
}

// Millimetres are those of the paper that a unit takes.
func (s *Scene) Millimetres() float64 {
	const screen = 25.4 / 96 // of a pixel
	switch {
	case s.Paper > 0:
		return s.Paper
	case s.Scale > 0:
		return s.Drafting().millimetres(s)
	}
	return screen
}

// brief cuts a text that is the title of a PDF or of a page: readers show it on one line, and a string of a PDF has at
// most 32,767 bytes (ISO 32000-1, annex C).
func brief(s string) string {
	const most = 255
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

// Page is a page of a Book.
type Page struct {
	*Scene
	// Mark names the page in the list of contents of a reader; those of no name are not in it.
	Mark string
}

// Book writes scenes as the pages of a PDF as PDF does one. Links lead to its pages.
func Book(ctx context.Context, w io.Writer, name, about string, pages []Page) error {
	if len(pages) == 0 {
		return errors.New("scene: a book without a page")
	}
	pages = slices.Clone(pages)
	for i := range pages {
		pages[i].Scene = pages[i].Legible()
	}
	o := &pdf{layers: map[string]int{}}
	o.Fpdf = fpdf.NewCustom(&fpdf.InitType{UnitStr: "mm", Size: pages[0].size()})
	at := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) // a plan has no time: the same plan, the same bytes
	o.SetCreationDate(at)
	o.SetModificationDate(at)
	o.SetCatalogSort(true)
	o.SetTitle(brief(name), true)
	o.SetSubject(brief(about), true)
	o.SetCreator("Plenum", true)
	o.SetXmpMetadata(provenance.XMP(ctx))
	o.SetAutoPageBreak(false, 0)
	o.SetMargins(0, 0, 0)
	o.AddUTF8FontFromBytes("Go", "", goregular.TTF)
	o.AddUTF8FontFromBytes("Go", "B", gobold.TTF)
	for range pages {
		o.links = append(o.links, o.AddLink())
	}
	for i, p := range pages {
		if err := o.page(i, p); err != nil {
			return err
		}
	}
	return o.Output(w)
}

func (p Page) size() fpdf.SizeType {
	mm := p.Millimetres()
	return fpdf.SizeType{Wd: p.W * mm, Ht: p.H * mm}
}

// page adds a page.
func (o *pdf) page(i int, p Page) error {
	mm := p.Millimetres()
	o.Scene, o.mm, o.high = p.Scene, mm, p.H*mm
	orientation := "P" // which only reports whether to swap the sides of a size
	o.AddPageFormat(orientation, p.size())
	o.SetLink(o.links[i], 0, -1)
	if p.Mark != "" {
		o.Bookmark(brief(p.Mark), 0, 0)
	}
	o.SetLineCapStyle("round")
	o.SetLineJoinStyle("round")
	for _, m := range p.Marks {
		if err := o.draw(m); err != nil {
			return err
		}
	}
	if len(o.ends) > 0 {
		return errors.New("scene: a group without an end")
	}
	if o.open {
		o.EndLayer()
		o.open = false
	}
	return nil
}

// draw draws one mark.
func (o *pdf) draw(m Mark) error {
	switch m := m.(type) {
	case Layer:
		return o.begin(string(m))
	case Fill:
		o.paint(m.Color)
		o.Rect(o.mm*m.X0, o.mm*m.Y0, o.mm*max(m.X1-m.X0, 1), o.mm*max(m.Y1-m.Y0, 1), "F")
	case Frame:
		b := m.inset()
		o.stroke(m.Width, m.Color)
		o.Rect(o.mm*b.X0, o.mm*b.Y0, o.mm*(b.X1-b.X0), o.mm*(b.Y1-b.Y0), "D")
	case Path:
		o.path(m)
	case Circle:
		style := "F"
		if o.paint(m.Color); m.Width > 0 {
			style = "D"
			o.stroke(m.Width, m.Color)
		}
		o.Circle(o.mm*m.X, o.mm*m.Y, o.mm*m.Radius, style)
	case Hatch:
		o.hatch(m)
	case Text:
		o.text(m)
	case Picture:
		return o.picture(m)
	case Link:
		if m.Page < 1 || m.Page > len(o.links) {
			return fmt.Errorf("scene: a link to page %d of %d", m.Page, len(o.links))
		}
		o.Link(o.mm*m.X0, o.mm*m.Y0, o.mm*(m.X1-m.X0), o.mm*(m.Y1-m.Y0), o.links[m.Page-1])
	case Turn:
		o.TransformBegin()
		o.TransformRotate(-m.Angle*180/math.Pi, o.mm*m.X, o.mm*m.Y)
		o.ends = append(o.ends, o.TransformEnd)
	case Clip:
		o.ClipRect(o.mm*m.X0, o.mm*m.Y0, o.mm*(m.X1-m.X0), o.mm*(m.Y1-m.Y0), false)
		o.ends = append(o.ends, o.ClipEnd)
	case End:
		last := len(o.ends) - 1
		o.ends[last]()
		o.ends = o.ends[:last]
	default:
		return fmt.Errorf("scene: no way to write %T", m)
	}
	return nil
}

// begin begins a layer.
func (o *pdf) begin(name string) error {
	if len(o.ends) > 0 {
		return errors.New("scene: a layer inside a group")
	}
	if o.open {
		o.EndLayer()
	}
	id, ok := o.layers[name]
	if !ok {
		id = o.AddLayer(name, true)
		o.layers[name] = id
	}
	o.BeginLayer(id)
	o.open = true
	return nil
}

// paint fills with a colour from now on.
func (o *pdf) paint(c color.NRGBA) {
	o.SetFillColor(int(c.R), int(c.G), int(c.B))
	o.opacity(c)
}

// stroke draws lines of a width, in units, from now on.
func (o *pdf) stroke(width float64, c color.NRGBA) {
	o.SetDrawColor(int(c.R), int(c.G), int(c.B))
	o.SetLineWidth(o.mm * width)
	o.opacity(c)
}

func (o *pdf) opacity(c color.NRGBA) {
	if alpha := float64(c.A) / 255; alpha != o.alpha() {
		o.SetAlpha(alpha, "Normal")
	}
}

func (o *pdf) alpha() float64 {
	alpha, _ := o.GetAlpha()
	return alpha
}

func (o *pdf) path(m Path) {
	style := "F"
	if o.paint(m.Color); !m.Filled {
		style = "D"
		o.stroke(m.Width, m.Color)
	}
	if len(m.Dash) > 0 {
		var dash []float64
		for _, d := range m.Dash {
			dash = append(dash, o.mm*d)
		}
		o.SetDashPattern(dash, 0)
		defer o.SetDashPattern(nil, 0)
	}
	drawn := false
	for _, line := range m.Lines {
		if m.Filled && isRectangle(line) {
			o.rectangle(line[0], line[2])
			drawn = true
			continue
		}
		for i, p := range line {
			if i == 0 {
				o.MoveTo(o.mm*p[0], o.mm*p[1])
			} else {
				o.LineTo(o.mm*p[0], o.mm*p[1])
			}
		}
		drawn = drawn || len(line) > 0
	}
	if drawn {
		o.DrawPath(style)
	}
}

// isRectangle reports whether a line is a rectangle of the directions of the page, its first side level.
func isRectangle(line [][2]float64) bool {
	return len(line) == 4 && line[0][1] == line[1][1] && line[1][0] == line[2][0] && line[2][1] == line[3][1] &&
		line[3][0] == line[0][0]
}

// rectangle adds a rectangle to the path, in a third of the bytes of its four sides and in the same direction. Its far
// corner is rounded as that of a neighbour is, so that no seam shows between them.
func (o *pdf) rectangle(a, b [2]float64) {
	k := o.GetConversionRatio()
	round := func(v float64) float64 { return math.Round(100*v) / 100 }
	x0, y0 := round(k*o.mm*a[0]), round(k*(o.high-o.mm*a[1]))
	x1, y1 := round(k*o.mm*b[0]), round(k*(o.high-o.mm*b[1]))
	o.raw = o.raw[:0]
	for _, v := range []float64{x0, y0, x1 - x0, y1 - y0} {
		o.raw = append(strconv.AppendFloat(o.raw, v, 'f', 2, 64), ' ')
	}
	o.RawWriteStr(string(append(o.raw, "re"...)))
}

func (o *pdf) hatch(h Hatch) {
	b := Box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	var points []fpdf.PointType
	for _, p := range h.Points {
		points = append(points, fpdf.PointType{X: o.mm * p[0], Y: o.mm * p[1]})
		b = Box{min(b.X0, p[0]), min(b.Y0, p[1]), max(b.X1, p[0]), max(b.Y1, p[1])}
	}
	high := b.Y1 - b.Y0
	o.stroke(1, h.Color)
	o.ClipPolygon(points, false)
	for x := b.X0 - high; x < b.X1; x += h.Gap {
		o.Line(o.mm*x, o.mm*b.Y1, o.mm*(x+high), o.mm*b.Y0)
	}
	o.ClipEnd()
	o.Polygon(points, "D")
}

func (o *pdf) text(t Text) {
	style := ""
	if t.Bold {
		style = "B"
	}
	o.SetFont("Go", style, 0)
	o.SetFontUnitSize(o.mm * t.Size)
	o.SetTextColor(int(t.Color.R), int(t.Color.G), int(t.Color.B))
	o.opacity(t.Color)
	o.Text(o.mm*t.X-float64(t.Align*o.GetStringWidth(t.Text)), o.mm*t.Y, t.Text)
}

// picture draws a picture by a matrix, which PDF has in points with y upwards: a pixel is a millimetre at first.
func (o *pdf) picture(p Picture) error {
	r := p.Mask.Rect
	var data bytes.Buffer
	if err := png.Encode(&data, p.black()); err != nil {
		return err
	}
	o.images++
	name := fmt.Sprintf("picture %d", o.images)
	options := fpdf.ImageOptions{ImageType: "PNG"}
	o.RegisterImageOptionsReader(name, options, &data)
	m := p.local()
	a, b, c, d, e, f := o.mm*m[0], o.mm*m[1], o.mm*m[2], o.mm*m[3], o.mm*m[4], o.mm*m[5]
	k := o.GetConversionRatio()
	o.opacity(color.NRGBA{A: 255})
	in := p.Within
	o.ClipRect(o.mm*in.X0, o.mm*in.Y0, o.mm*(in.X1-in.X0), o.mm*(in.Y1-in.Y0), false)
	o.TransformBegin()
	o.Transform(fpdf.TransformMatrix{
		A: a, B: -d, C: -b, D: e, E: k * (float64(b*o.high) + c), F: k * (o.high - float64(e*o.high) - f),
	})
	o.ImageOptions(name, 0, 0, float64(r.Dx()), float64(r.Dy()), false, options, 0, "")
	o.TransformEnd()
	o.ClipEnd()
	return nil
}
