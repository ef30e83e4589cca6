package scene

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/plenum-planner/plenum/internal/decimals"
	"github.com/plenum-planner/plenum/internal/provenance"
)

// fonts are asked for in this order; those with the same widths as what was measured first.
const fonts = "Go, 'Lucida Grande', 'Liberation Sans', Arial, Helvetica, sans-serif"

// Drafting is the scale of a drawing on paper: Drawn millimetres for every Real ones.
type Drafting struct{ Drawn, Real int }

// String is the scale as draughtsmen write it, 1:50.
func (d Drafting) String() string { return fmt.Sprintf("%d:%d", d.Drawn, d.Real) }

// sheetSide is the longer side of the largest sheet, an A0, in millimetres.
const sheetSide = 1189

// leastPoints is the size of the smallest letters on paper, in points.
const leastPoints = 6

// Drafting is the largest usual scale (1:1, 1:2, 1:5, 1:10, ...) at which a drawing to scale is no longer than an A0
// sheet, or that of its Paper. Where letters of less than 6 points would stand on that sheet, it is the scale at which
// they have 6, and a PDF has several sheets; a drawing that takes more than mostSheets is left on one, for screens.
func (s *Scene) Drafting() Drafting {
	d := s.onOneSheet()
	if s.Paper > 0 {
		return d
	}
	smallest := math.Inf(1)
	for _, m := range s.Marks {
		if t, ok := m.(Text); ok {
			smallest = min(smallest, t.Size)
		}
	}
	for _, larger := range d.larger() {
		if smallest*larger.millimetres(s)*72/25.4 >= leastPoints-1e-9 {
			if across, down, _ := s.tiles(larger.millimetres(s)); across*down <= mostSheets {
				return larger
			}
			break
		}
	}
	return d
}

// larger are a usual scale and all larger ones up to 1:1.
func (d Drafting) larger() []Drafting {
	out := []Drafting{d}
	for d.Drawn == 1 && d.Real > 1 {
		if lead := strings.TrimRight(strconv.Itoa(d.Real), "0"); lead == "5" {
			d.Real = d.Real * 2 / 5
		} else {
			d.Real /= 2
		}
		out = append(out, d)
	}
	return out
}

// millimetres are those of paper that a unit of a scene takes.
func (d Drafting) millimetres(s *Scene) float64 {
	return 1000 / s.Scale * float64(d.Drawn) / float64(d.Real)
}

// onOneSheet is the largest usual scale at which a drawing is no longer than an A0 sheet.
func (s *Scene) onOneSheet() Drafting {
	if s.Paper > 0 {
		if k := 1000 / (s.Scale * s.Paper); k < 1 {
			return Drafting{int(math.Round(1 / k)), 1}
		}
		return Drafting{1, int(math.Round(1000 / (s.Scale * s.Paper)))}
	}
	side := max(s.W, s.H) / s.Scale * 1000 // millimetres
	for unit := 1000; unit > 1; unit /= 10 {
		for _, n := range []int{1, 2, 5} {
			if k := unit / n; side*float64(k) <= sheetSide {
				return Drafting{k, 1}
			}
		}
	}
	for unit := 1; ; unit *= 10 {
		for _, n := range []int{1, 2, 5} {
			if side/float64(n*unit) <= sheetSide || unit >= 1e9 {
				return Drafting{1, n * unit}
			}
		}
	}
}

// svg writes a scene.
type svg struct {
	*bufio.Writer
	*Scene
	unit     float64 // units of the scene to one of the file
	decimals int
	groups   []string       // what ends the groups that are open
	layers   map[string]int // how often each has begun
	layer    string         // the one that begins with the next mark
	open     bool           // a layer is
	clips    int
}

// Grain is the unit of an SVG in metres, a millimetre or as much less as it takes that letters are some units high, for
// programs round their outlines; and its name.
func (s *Scene) Grain() (metres float64, name string) {
	switch {
	case s.Scale < 10e3:
		return 1e-3, "millimetre"
	case s.Scale < 10e6:
		return 1e-6, "micrometre"
	}
	return 1e-9, "nanometre"
}

// SVG writes a scene as a drawing of lines and texts. Where it is to scale, a unit of the file is a Grain of the floor,
// x and -y are those of the floor, and width and height are those of the sheet at the scale of Drafting.
func SVG(ctx context.Context, w io.Writer, s *Scene) error {
	out := &svg{Writer: bufio.NewWriterSize(w, 1<<16), Scene: s, unit: 1, decimals: 2, layers: map[string]int{}}
	width, height := out.number(s.W), out.number(s.H)
	if s.Paper > 0 {
		mm := func(v float64) string { return strconv.FormatFloat(v*s.Paper, 'f', 2, 64) + "mm" }
		width, height = mm(s.W), mm(s.H)
	}
	x, y := 0.0, 0.0
	if s.Scale > 0 {
		grain, _ := s.Grain()
		out.unit = s.Scale * grain
		out.decimals = max(0, 2+int(math.Ceil(math.Log10(out.unit)))) // a hundredth of a unit of the scene
		d := s.Drafting()
		mm := func(v float64) string {
			return strconv.FormatFloat(v/s.Scale*1000*float64(d.Drawn)/float64(d.Real), 'f', 2, 64) + "mm"
		}
		width, height = mm(s.W), mm(s.H)
		x, y = -s.X, -s.Y
	}
	fmt.Fprintf(out, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+
		`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" `+
		`width="%s" height="%s" viewBox="%s %s %s %s" font-family="%s">`+"\n",
		width, height, out.number(x), out.number(y), out.number(s.W), out.number(s.H), fonts)
	fmt.Fprintf(out, "<title>%s</title>\n<desc>%s</desc>\n", escaped(s.Name), escaped(s.About))
	out.WriteString(provenance.SVG(ctx))
	if err := out.fontFaces(); err != nil {
		return err
	}
	out.patterns()
	out.rect(Box{0, 0, s.W, s.H}, `fill="#ffffff"`, "")
	for i := 0; i < len(s.Marks); i++ {
		if _, begins := s.Marks[i].(Layer); !begins {
			out.begin()
		}
		if f, ok := s.Marks[i].(Fill); ok && i+1 < len(s.Marks) {
			if edge, ok := s.Marks[i+1].(Frame); ok && edge.Box == f.Box {
				out.framed(f, edge)
				i++
				continue
			}
		}
		if err := out.draw(s.Marks[i]); err != nil {
			return err
		}
	}
	for len(out.groups) > 0 {
		out.end()
	}
	if out.open {
		out.WriteString("</g>\n")
	}
	out.WriteString("</svg>\n")
	return out.Flush()
}

// fontFaces writes the letters that the drawing has into it, where it asks for them: the font Go with the outlines of
// these letters only.
func (o *svg) fontFaces() error {
	if !o.Fonts {
		return nil
	}
	var used [2][]rune // regular, bold
	for _, m := range o.Marks {
		if t, ok := m.(Text); ok {
			i := 0
			if t.Bold {
				i = 1
			}
			used[i] = append(used[i], []rune(t.Text)...)
		}
	}
	for i, face := range []struct {
		ttf    []byte
		weight string
	}{{goregular.TTF, "normal"}, {gobold.TTF, "bold"}} {
		if len(used[i]) == 0 {
			continue
		}
		data, err := subset(face.ttf, used[i])
		if err != nil {
			return err
		}
		fmt.Fprintf(o, "<style>@font-face{font-family:Go;font-weight:%s;src:url(data:font/ttf;base64,%s)}</style>\n",
			face.weight, base64.StdEncoding.EncodeToString(data))
	}
	return nil
}

// draw writes one mark.
func (o *svg) draw(m Mark) error {
	switch m := m.(type) {
	case Layer:
		if len(o.groups) > 0 {
			return errors.New("scene: a layer inside a group")
		}
		o.layer = string(m)
	case Fill:
		o.rect(m.Box, paint("fill", m.Color), m.title())
	case Frame:
		o.rect(m.inset(), `fill="none" `+o.stroke(m.Width, m.Color), "")
	case Path:
		o.path(m)
	case Circle:
		style := paint("fill", m.Color)
		if m.Width > 0 {
			style = `fill="none" ` + o.stroke(m.Width, m.Color)
		}
		o.put(`<circle cx="`, o.x(m.X), `" cy="`, o.y(m.Y), `" r="`, o.number(m.Radius), `" `, style, "/>\n")
	case Hatch:
		fmt.Fprintf(o, `<path d="%s" fill="url(#%s)" %s/>`+"\n", o.lines([][][2]float64{m.Points}, true), m.pattern(),
			o.stroke(1, m.Color)) // of the two units' width, half lies outside, where nothing is hatched
	case Text:
		o.text(m)
	case Picture:
		return o.picture(m)
	case Link: // one drawing has no pages
	case Turn:
		fmt.Fprintf(o, `<g transform="rotate(%s %s %s)">`+"\n",
			strconv.FormatFloat(m.Angle*180/math.Pi, 'f', -1, 32), o.x(m.X), o.y(m.Y))
		o.groups = append(o.groups, "</g>\n")
	case Clip:
		o.clip(m.Box)
		o.groups = append(o.groups, "</g>\n")
	case End:
		o.end()
	default:
		return fmt.Errorf("scene: no way to write %T", m)
	}
	return nil
}

// end ends the innermost group.
func (o *svg) end() {
	last := len(o.groups) - 1
	o.WriteString(o.groups[last])
	o.groups = o.groups[:last]
}

// begin begins a layer, now that there is something on it.
func (o *svg) begin() {
	if o.layer == "" {
		return
	}
	if o.open {
		o.WriteString("</g>\n")
	}
	id := o.layer
	if o.layers[id]++; o.layers[id] > 1 {
		id += "-" + strconv.Itoa(o.layers[id])
	}
	o.layer, o.open = "", true
	fmt.Fprintf(o, `<g id="%s">`+"\n", escaped(id))
}

// clip begins a group that is cut off.
func (o *svg) clip(b Box) {
	o.clips++
	fmt.Fprintf(o, `<clipPath id="clip%d">`, o.clips)
	o.rect(b, "", "")
	fmt.Fprintf(o, `</clipPath><g clip-path="url(#clip%d)">`+"\n", o.clips)
}

// inset is the middle of the edge of a frame.
func (f Frame) inset() Box {
	half := f.Width / 2
	return Box{f.X0 + half, f.Y0 + half, f.X1 - half, f.Y1 - half}
}

// title is what is shown of a rectangle that is pointed at.
func (f Fill) title() string {
	if f.About == "" {
		return f.Name
	}
	return f.Name + ": " + f.About
}

// framed writes a rectangle with its edge as one.
func (o *svg) framed(f Fill, edge Frame) {
	o.rect(edge.inset(), paint("fill", f.Color)+" "+o.stroke(edge.Width, edge.Color), f.title())
}

// rect writes a rectangle that is a unit wide and high at least, so that it is seen.
func (o *svg) rect(b Box, style, name string) {
	o.put(`<rect x="`, o.x(b.X0), `" y="`, o.y(b.Y0), `" width="`, o.number(max(b.X1-b.X0, 1)), `" height="`,
		o.number(max(b.Y1-b.Y0, 1)), `" `, style)
	if name == "" {
		o.put("/>\n")
		return
	}
	o.put("><title>", escaped(name), "</title></rect>\n")
}

func (o *svg) path(p Path) {
	if p.Filled {
		o.put(`<path d="`, o.lines(p.Lines, true), `" `, paint("fill", p.Color), "/>\n")
		return
	}
	style := o.stroke(p.Width, p.Color)
	if len(p.Dash) > 0 {
		var dash []string
		for _, d := range p.Dash {
			dash = append(dash, o.number(d))
		}
		style += ` stroke-dasharray="` + strings.Join(dash, " ") + `"`
	}
	o.put(`<path d="`, o.lines(p.Lines, false), `" fill="none" stroke-linecap="round" stroke-linejoin="round" `, style,
		"/>\n")
}

// lines are the data of a path.
func (o *svg) lines(lines [][][2]float64, closed bool) string {
	var b strings.Builder
	for _, l := range lines {
		for i, p := range l {
			if i == 0 {
				b.WriteByte('M')
			} else {
				b.WriteByte('L')
			}
			b.WriteString(o.x(p[0]))
			b.WriteByte(' ')
			b.WriteString(o.y(p[1]))
		}
		if closed {
			b.WriteByte('Z')
		}
	}
	return b.String()
}

func (o *svg) text(t Text) {
	style := ""
	switch t.Align {
	case 0.5:
		style = ` text-anchor="middle"`
	case 1:
		style = ` text-anchor="end"`
	}
	if t.Bold {
		style += ` font-weight="bold"`
	}
	o.put(`<text x="`, o.x(t.X), `" y="`, o.y(t.Y), `" font-size="`, o.number(t.Size), `"`, style, " ",
		paint("fill", t.Color), ">", escaped(t.Text), "</text>\n")
}

// picture writes a picture as PNG.
func (o *svg) picture(p Picture) error {
	r := p.Mask.Rect
	o.clip(p.Within)
	m := p.local()
	m[2], m[5] = m[2]-o.X, m[5]-o.Y
	fmt.Fprintf(o, `<image width="%d" height="%d" transform="matrix(`, r.Dx(), r.Dy())
	for i, j := range []int{0, 3, 1, 4, 2, 5} {
		if i > 0 {
			o.WriteByte(' ')
		}
		o.WriteString(strconv.FormatFloat(m[j]/o.unit, 'g', 9, 64))
	}
	o.WriteString(`)" preserveAspectRatio="none" xlink:href="data:image/png;base64,`)
	encoder := base64.NewEncoder(base64.StdEncoding, o)
	if err := errors.Join(png.Encode(encoder, p.black()), encoder.Close()); err != nil {
		return err
	}
	o.WriteString("\"/></g>\n")
	return nil
}

// patterns defines the hatches that occur.
func (o *svg) patterns() {
	seen := map[string]bool{}
	for _, m := range o.Marks {
		h, ok := m.(Hatch)
		if !ok || seen[h.pattern()] {
			continue
		}
		seen[h.pattern()] = true
		g, far, near := o.number(h.Gap), o.number(1.25*h.Gap), o.number(-0.25*h.Gap)
		fmt.Fprintf(o, `<defs><pattern id="%s" patternUnits="userSpaceOnUse" width="%s" height="%s">`+
			`<path d="M%s %sL%s %sM%s %sL%s %sM%s %sL%s %s" %s/></pattern></defs>`+"\n", h.pattern(), g, g,
			near, far, far, near, near, o.number(0.25*h.Gap), o.number(0.25*h.Gap), near,
			o.number(0.75*h.Gap), far, far, o.number(0.75*h.Gap), o.stroke(1, h.Color))
	}
}

// pattern is the name of what a polygon is hatched with.
func (h Hatch) pattern() string {
	return fmt.Sprintf("hatch-%02x%02x%02x-%g", h.Color.R, h.Color.G, h.Color.B, h.Gap)
}

func (o *svg) stroke(width float64, col color.NRGBA) string {
	return paint("stroke", col) + ` stroke-width="` + o.number(width) + `"`
}

// paint is the attributes of a colour.
func paint(what string, c color.NRGBA) string {
	text := what + `="#` + hex.EncodeToString([]byte{c.R, c.G, c.B}) + `"`
	if c.A < 255 {
		text += " " + what + `-opacity="` + strconv.FormatFloat(float64(c.A)/255, 'f', 3, 64) + `"`
	}
	return text
}

func (o *svg) x(v float64) string {
	if o.Scale > 0 {
		v -= o.X
	}
	return o.number(v)
}

func (o *svg) y(v float64) string {
	if o.Scale > 0 {
		v -= o.Y
	}
	return o.number(v)
}

// number writes a length of the scene in units of the file.
func (o *svg) number(v float64) string {
	return string(decimals.AppendFixed(o.AvailableBuffer(), v/o.unit, o.decimals))
}

// put writes texts one after the other.
func (o *svg) put(texts ...string) {
	for _, text := range texts {
		o.WriteString(text)
	}
}

// escaped makes a text part of a document; what XML cannot hold becomes U+FFFD.
func escaped(s string) string {
	if strings.IndexFunc(s, func(r rune) bool {
		return r < ' ' || r > '~' || r == '"' || r == '\'' || r == '&' || r == '<' || r == '>'
	}) < 0 {
		return s
	}
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) // a Builder takes everything
	return b.String()
}
