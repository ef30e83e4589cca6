package chart

import (
	"fmt"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
)

// Sizes of a chart, in units: pixels of a PNG for screens, 0.15 mm on paper.
const (
	chartWidth               = 1600
	legendGap, swatchWidth   = 30, 44
	axisGap, tickGap         = 8, 8
	leastColumn, leastRow    = 80, 40 // between two ticks
	mostNoteLines, mostTitle = 4, 2
)

var (
	titleLetter   = pen.Letter{Size: 30, Bold: true}
	paperTitle    = pen.Letter{Size: 22, Bold: true}
	noteLetter    = pen.Letter{Size: 18}
	paperNote     = pen.Letter{Size: 16}
	captionLetter = pen.Letter{Size: 15}
	legendLetter  = pen.Letter{Size: 16}
	tickLetter    = pen.Letter{Size: 16}
	axisLetter    = pen.Letter{Size: 17, Bold: true}
	markLetter    = pen.Letter{Size: 15, Bold: true}
	smallTitle    = pen.Letter{Size: 18, Bold: true}
)

// head is what a chart says of itself.
type head struct{ title, note string }

// sizes are what differs between screens and paper.
type sizes struct {
	width, margin, legendHeight float64
	title, note                 pen.Letter
	version                     string
}

func (s Style) sizes() sizes {
	if s.printed() {
		return sizes{onPaper(s.Width), 10, 22, paperTitle, paperNote, ""}
	}
	return sizes{chartWidth, 40, 30, titleLetter, noteLetter, "Plenum " + machine.Version}
}

// begin begins a chart with a legend below its panels; it returns the drawing and where the panels go. They have the
// given height on screens, and on paper what the page leaves them, but at least the least.
func begin(s Style, h head, height, least float64, legend []pen.Item) (*Drawing, pen.Box, error) {
	l, err := pen.NewLetters()
	if err != nil {
		return nil, pen.Box{}, err
	}
	l.Spare = pen.Spare // for those who open an SVG without these letters
	z := s.sizes()
	inner := z.width - 2*z.margin
	var widths []float64
	for _, i := range legend {
		widths = append(widths, min(swatchWidth+10+l.Width(i.Text, legendLetter), inner))
	}
	lines := pen.Flow(widths, inner, legendGap)
	c := pen.New(l, z.width, 0)
	d := &Drawing{Canvas: c, Style: s}
	c.Scene.Name, c.Scene.About, c.Scene.Fonts = h.title, h.note, true
	top := z.margin
	if !s.Bare {
		top = d.head(h, z)
	}
	foot := z.margin
	if len(lines) > 0 {
		foot += 8 + z.legendHeight*float64(len(lines))
	}
	if s.printed() {
		c.Scene.Paper, c.Scene.Bare = paper, true
		height = max(onPaper(s.Height)-top-foot, least)
	}
	c.Scene.H = top + height + foot
	c.Layer("legend")
	y := top + height + 8
	for _, line := range lines {
		x := z.margin
		for _, i := range line {
			legend[i].Swatch(c, pen.Box{X0: x, Y0: y + 5, X1: x + swatchWidth, Y1: y + z.legendHeight - 5})
			c.Text(l.Fit(legend[i].Text, legendLetter, inner-swatchWidth-10), legendLetter, x+swatchWidth+10,
				y+z.legendHeight/2, 0, palette.Ink)
			x += widths[i] + legendGap
		}
		y += z.legendHeight
	}
	c.Layer("data")
	return d, pen.Box{X0: z.margin, Y0: top, X1: z.width - z.margin, Y1: top + height}, nil
}

// head writes title, version and note, and returns where they end.
func (d *Drawing) head(h head, z sizes) float64 {
	d.Layer("words")
	inner := z.width - 2*z.margin
	wide := inner
	if z.version != "" {
		d.Text(z.version, captionLetter, z.width-z.margin, z.margin+z.title.Size/2, 1, palette.Faint)
		wide -= d.Width(z.version, captionLetter) + 30
	}
	y := z.margin
	for _, line := range d.Wrap(h.title, z.title, wide, mostTitle) {
		d.Text(line, z.title, z.margin, y+z.title.Size/2, 0, palette.Ink)
		y += 1.25 * z.title.Size
	}
	y += 0.2 * z.title.Size
	for _, line := range d.Wrap(h.note, z.note, inner, mostNoteLines) {
		d.Text(line, z.note, z.margin, y+z.note.Size/2, 0, palette.Faint)
		y += 1.3 * z.note.Size
	}
	return y + 0.6*z.note.Size
}

// empty says that there is nothing to draw.
func (d *Drawing) empty(b pen.Box, why string) {
	d.Frame(b, 1, palette.Outline)
	lines := d.Wrap(why, noteLetter, b.Width()-20, mostNoteLines)
	y := (b.Y0+b.Y1)/2 - float64(len(lines)-1)*0.65*noteLetter.Size
	for _, line := range lines {
		d.Text(line, noteLetter, (b.X0+b.X1)/2, y, 0.5, palette.Ink)
		y += 1.3 * noteLetter.Size
	}
}

// Numbered is the name of machine i with its number.
func Numbered(i int, name string) string { return fmt.Sprintf("%d  %s", i+1, name) }
