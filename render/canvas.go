package render

import (
	"image/color"
	"math"
	"strings"

	"github.com/paulmach/orb"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"

	"github.com/plenum-planner/plenum/render/scene"
)

// box is a rectangle of a picture, in pixels, y downwards.
type box struct{ X0, Y0, X1, Y1 float64 }

func (b box) width() float64  { return b.X1 - b.X0 }
func (b box) height() float64 { return b.Y1 - b.Y0 }

// within is the part of b in c.
func (b box) within(c box) box {
	return box{max(b.X0, c.X0), max(b.Y0, c.Y0), min(b.X1, c.X1), min(b.Y1, c.Y1)}
}

func (b box) overlaps(c box) bool {
	return b.X0 < c.X1 && c.X0 < b.X1 && b.Y0 < c.Y1 && c.Y0 < b.Y1
}

// Sizes of a picture, in pixels.
const (
	largest  = 4000 // of either side
	smallest = 1600 // width
	comfort  = 1900 // of the longer side of a drawing, unless its labels need more
	margin   = 40
	// Beside the drawing stand row names and dimensions.
	leftOf, rightOf, above, below = 120, 40, 40, 100
)

// sheet is where the parts of a picture go: above each other the head, the
// drawing and the foot. None of them overlaps another.
type sheet struct {
	W, H  float64
	Head  box
	Plan  box // the drawing alone, without the dimensions beside it
	Foot  box
	Scale float64 // pixels to a metre
}

// paper is what limits a drawing.
type paper struct {
	label   float64 // the scale at which its labels can be read, in pixels to a metre
	most    float64 // the largest scale
	largest float64 // pixels of either side
}

// arrange lays out a picture of something that is w by h metres; head and foot
// tell how high they are in a given width.
func (p paper) arrange(w, h float64, head, foot func(width float64) float64) sheet {
	w, h = max(w, 0.01), max(h, 0.01)
	inner := float64(smallest - 2*margin)
	const rounded = 4 // up to whole pixels
	mostWide := p.largest - rounded - 2*margin - leftOf - rightOf
	mostHigh := max(p.largest-rounded-2*margin-above-below-head(inner)-foot(inner), 100)
	scale := max(min(comfort/w, comfort/h), p.label)
	scale = min(scale, p.most, mostWide/w, mostHigh/h)
	s := sheet{Scale: scale}
	planW, planH := w*scale, h*scale
	if !math.IsInf(p.largest, 1) { // a picture
		planW, planH = math.Ceil(planW), math.Ceil(planH)
	}
	s.W = max(smallest, planW+leftOf+rightOf+2*margin)
	inner = s.W - 2*margin
	s.Head = box{margin, margin, s.W - margin, margin + math.Ceil(head(inner))}
	x := math.Floor((s.W+leftOf-rightOf)/2 - planW/2)
	y := s.Head.Y1 + above
	s.Plan = box{x, y, x + planW, y + planH}
	y = s.Plan.Y1 + below
	s.Foot = box{margin, y, s.W - margin, y + math.Ceil(foot(inner))}
	s.H = s.Foot.Y1 + margin
	return s
}

// at maps a point of the drawing, in metres from its lower left corner, to the
// picture.
func (s *sheet) at(x, y float64) (px, py float64) {
	return s.Plan.X0 + float64(x*s.Scale), s.Plan.Y1 - float64(y*s.Scale)
}

// letters measures text and makes the faces to draw it.
type letters struct {
	fonts [2]*opentype.Font // regular, bold
	faces map[letter]font.Face
	spare float64 // what texts may be wider in the end, as a share
}

// spare is what the letters of other fonts are wider than those of Go, which a drawing's reader need not have: DejaVu
// Sans, the widest of those in use, by up to 15 % in bold words.
const spare = 0.15

type letter struct {
	size float64
	bold bool
}

func newLetters() (*letters, error) {
	l := &letters{faces: map[letter]font.Face{}}
	for i, ttf := range [][]byte{goregular.TTF, gobold.TTF} {
		f, err := opentype.Parse(ttf)
		if err != nil {
			return nil, err
		}
		l.fonts[i] = f
	}
	return l, nil
}

func (l *letters) face(k letter) (font.Face, error) {
	if f, ok := l.faces[k]; ok {
		return f, nil
	}
	i := 0
	if k.bold {
		i = 1
	}
	f, err := opentype.NewFace(l.fonts[i], &opentype.FaceOptions{Size: k.size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return nil, err
	}
	l.faces[k] = f
	return f, nil
}

// width is how wide a text is.
func (l *letters) width(s string, k letter) float64 {
	f, err := l.face(k)
	if err != nil {
		return 0 // raster reports it
	}
	return float64(font.MeasureString(f, s)) / 64 * (1 + l.spare)
}

// fit shortens a text to a width, with an ellipsis for what is left out.
func (l *letters) fit(s string, k letter, width float64) string {
	s = l.legible(strings.Join(strings.Fields(s), " "))
	if l.width(s, k) <= width {
		return s
	}
	runes := []rune(s)
	lo, hi := 0, len(runes)
	for lo < hi { // the most runes that fit
		mid := (lo + hi + 1) / 2
		if l.width(string(runes[:mid])+"…", k) <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if lo == 0 {
		return ""
	}
	return strings.TrimRight(string(runes[:lo]), " ") + "…"
}

// legible replaces what the font has no letter for by question marks.
func (l *letters) legible(s string) string {
	var buffer sfnt.Buffer
	return strings.Map(func(r rune) rune {
		if i, err := l.fonts[0].GlyphIndex(&buffer, r); err != nil || i == 0 {
			return '?'
		}
		return r
	}, s)
}

// flow breaks things of the given widths into lines.
func flow(widths []float64, width, gap float64) [][]int {
	var lines [][]int
	x := math.Inf(1)
	for i, w := range widths {
		if x+w > width {
			lines = append(lines, nil)
			x = 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], i)
		x += w + gap
	}
	return lines
}

// canvas is a drawing being made: what is drawn becomes marks of a scene.
type canvas struct {
	*letters
	scene *scene.Scene
	dash  []float64 // of lines; none for unbroken ones
}

// newCanvas begins a drawing on a sheet whose lower left corner is somewhere on the floor.
func newCanvas(l *letters, s *sheet, corner orb.Point) *canvas {
	return &canvas{letters: l, scene: &scene.Scene{
		W: s.W, H: s.H, Scale: s.Scale,
		X: s.Plan.X0 - float64(corner[0]*s.Scale), Y: s.Plan.Y1 + float64(corner[1]*s.Scale),
	}}
}

func (c *canvas) add(m scene.Mark) { c.scene.Marks = append(c.scene.Marks, m) }

// layer puts what is drawn from now on on a layer.
func (c *canvas) layer(name string) { c.add(scene.Layer(name)) }

// nrgba is a colour as scenes have it.
func nrgba(col color.Color) color.NRGBA { return color.NRGBAModel.Convert(col).(color.NRGBA) }

// fill paints a box, in a picture whole pixels: sharp, and fast enough for every rack of a hall.
func (c *canvas) fill(b box, col color.Color) {
	c.add(scene.Fill{Box: scene.Box(b), Color: nrgba(col)})
}

// bar paints a line that runs along an axis.
func (c *canvas) bar(b box, col color.Color) {
	c.add(scene.Fill{Box: scene.Box(b), Color: nrgba(col), Bar: true})
}

// frame paints the edge of a box, on its inside.
func (c *canvas) frame(b box, width int, col color.Color) {
	c.add(scene.Frame{Box: scene.Box(b), Width: float64(width), Color: nrgba(col)})
}

// line draws a line of the given width.
func (c *canvas) line(x0, y0, x1, y1, width float64, col color.Color) {
	c.polyline([][2]float64{{x0, y0}, {x1, y1}}, width, col)
}

// polyline draws a line through points.
func (c *canvas) polyline(points [][2]float64, width float64, col color.Color) {
	c.add(scene.Path{Lines: [][][2]float64{points}, Width: width, Dash: c.dash, Color: nrgba(col)})
}

// disc fills a circle.
func (c *canvas) disc(x, y, radius float64, col color.Color) {
	c.add(scene.Circle{X: x, Y: y, Radius: radius, Color: nrgba(col)})
}

// ring draws a circle.
func (c *canvas) ring(x, y, radius, width float64, col color.Color) {
	c.add(scene.Circle{X: x, Y: y, Radius: radius, Width: width, Color: nrgba(col)})
}

// text draws a text with the middle of its height at y. Align is 0 for left of
// it at x, 0.5 for the middle, 1 for the right.
func (c *canvas) text(s string, k letter, x, y, align float64, col color.Color) {
	y += float64(0.35 * k.size)
	c.add(scene.Text{Text: s, X: x, Y: y, Align: align, Size: k.size, Bold: k.bold, Color: nrgba(col)})
}

// turned draws a text with its middle at x and y, upwards.
func (c *canvas) turned(s string, k letter, x, y float64, col color.Color) {
	c.add(scene.Turn{Angle: -math.Pi / 2, X: x, Y: y})
	c.text(s, k, x, y, 0.5, col)
	c.add(scene.End{})
}

// dimension draws a dimension line between two points of a horizontal or
// vertical line, with its length in words.
func (c *canvas) dimension(x0, y0, x1, y1 float64, s string) {
	const tick = 6
	k := letter{size: 16}
	c.line(x0, y0, x1, y1, 1, ink)
	dx, dy := 0.0, float64(tick)
	if x0 == x1 {
		dx, dy = tick, 0
	}
	for _, p := range [][2]float64{{x0, y0}, {x1, y1}} {
		c.line(p[0]-dx, p[1]-dy, p[0]+dx, p[1]+dy, 1, ink)
	}
	w := c.width(s, k)
	x, y := (x0+x1)/2, (y0+y1)/2
	if x0 == x1 {
		c.add(scene.Turn{Angle: -math.Pi / 2, X: x, Y: y})
		defer func() { c.add(scene.End{}) }()
	}
	if w+20 < math.Hypot(x1-x0, y1-y0) {
		b := box{x - w/2 - 6, y - 11, x - w/2 - 6 + w + 12, y - 11 + 22}
		c.polygon([][2]float64{{b.X0, b.Y0}, {b.X1, b.Y0}, {b.X1, b.Y1}, {b.X0, b.Y1}}, color.White)
	} else {
		y += 20 // too short to be broken: beside the line
	}
	c.text(s, k, x, y, 0.5, ink)
}

// hatch draws slanted lines inside a polygon.
func (c *canvas) hatch(points [][2]float64, gap float64, col color.Color) {
	if len(points) > 0 {
		c.add(scene.Hatch{Points: points, Gap: gap, Color: nrgba(col)})
	}
}

// polygon fills a polygon.
func (c *canvas) polygon(points [][2]float64, col color.Color) {
	c.add(scene.Path{Lines: [][][2]float64{points}, Filled: true, Color: nrgba(col)})
}

// legendItem explains one colour or sign of a drawing.
type legendItem struct {
	text   string
	swatch func(c *canvas, b box)
}

// filled is the swatch of a colour.
func filled(col color.Color) func(*canvas, box) {
	return func(c *canvas, b box) {
		c.fill(b, col)
		c.frame(b, 1, ink)
	}
}

// hatched is the swatch of something hatched.
func hatched(col color.Color) func(*canvas, box) {
	return func(c *canvas, b box) {
		c.hatch([][2]float64{{b.X0, b.Y0}, {b.X1, b.Y0}, {b.X1, b.Y1}, {b.X0, b.Y1}}, 8, col)
	}
}

// Colours.
var (
	ink      = color.RGBA{0x22, 0x2b, 0x36, 0xff}
	faint    = color.RGBA{0x6b, 0x75, 0x80, 0xff}
	outline  = color.RGBA{0x9a, 0xa3, 0xad, 0xff}
	floorCol = color.RGBA{0xf7, 0xf7, 0xf4, 0xff}
)
