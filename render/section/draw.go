package section

import (
	"cmp"
	"context"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// A page is an upright A4 sheet of which a unit is a fifth of a millimetre, so that a picture with a pixel to a unit
// can be read as well.
const (
	unitMM       = 0.2
	pageW, pageH = 1050, 1485
	margin       = 60
	headEnd      = 190
	footStart    = 1380
	inner        = pageW - 2*margin
	gap          = 40
	dimensioned  = 30 // below a tray, for its width
	metal        = 3  // of the bottom and the sides of a tray
	lineHigh     = 22
	mostParts    = 8 // products listed below a section
)

// scales are those of sections, the largest first: 1:1, 1:2, ...
var scales = []float64{1, 2, 2.5, 4, 5, 7.5, 10, 15, 20, 25, 50, 100}

var (
	titleLetter = pen.Letter{Size: 30, Bold: true}
	headLetter  = pen.Letter{Size: 17, Bold: true}
	lineLetter  = pen.Letter{Size: 15}
	smallLetter = pen.Letter{Size: 13}
)

// Options says what is drawn, and what is written beside it.
type Options struct {
	// Trays are the pieces to draw (see Of); the fullest of each level when empty.
	Trays []string
	// Date stands in the head; empty for none.
	Date string
}

// drawing draws sections at one scale.
type drawing struct {
	*pen.Letters
	machine, date string
	k             float64 // the scale is 1:k
	scale         float64 // units to a metre
	colours       map[string]color.RGBA
}

// cell is a section as it is drawn.
type cell struct {
	*Section
	trays      [][]cable
	wide, high float64 // of all, in units
	limited    bool
}

// Pages draws the sections on as many pages as they take.
func Pages(r *machine.Result, opt Options) ([]scene.Page, error) { return draw(r, opt, false) }

// draw draws pages; a single one may be cut to what is on it.
func draw(r *machine.Result, opt Options, cut bool) ([]scene.Page, error) {
	sections, err := Of(r, opt.Trays)
	if err != nil {
		return nil, err
	}
	l, err := pen.NewLetters()
	if err != nil {
		return nil, err
	}
	l.Spare = pen.Spare
	d := &drawing{Letters: l, machine: cmp.Or(r.Spec.Name, "Unnamed machine"), date: opt.Date}
	d.paint(sections)
	cells := d.arrange(sections)
	var pages []scene.Page
	for first := 0; first < len(cells); {
		c := pen.New(l, pageW, pageH)
		c.Scene.Paper, c.Scene.Scale, c.Scene.Name = unitMM, d.scale, d.machine
		c.Scene.Y = pageH
		next, end := d.page(c, cells, first)
		if first == 0 && next == len(cells) && cut { // a picture is no higher than it has to be
			c.Scene.H = end + pageH - footStart
			c.Scene.Y = c.Scene.H
		}
		pages = append(pages, scene.Page{Scene: c.Scene, Mark: "Trays from " + cells[first].ID})
		first = next
	}
	for i := range pages {
		d.head(&pen.Canvas{Letters: l, Scene: pages[i].Scene}, i+1, len(pages))
	}
	return pages, nil
}

// Draw draws the sections on one page. More than it takes are an error.
func Draw(r *machine.Result, opt Options) (*pen.Canvas, error) {
	pages, err := draw(r, opt, true)
	if err != nil {
		return nil, err
	}
	if len(pages) > 1 {
		return nil, diag.Fieldf("Trays", "the sections take %d pages, and a picture is one: name fewer, or write a PDF",
			len(pages))
	}
	l, err := pen.NewLetters()
	if err != nil {
		return nil, err
	}
	return &pen.Canvas{Letters: l, Scene: pages[0].Scene}, nil
}

// PDF writes pages.
func PDF(ctx context.Context, w io.Writer, r *machine.Result, pages []scene.Page) error {
	name := cmp.Or(r.Spec.Name, "Unnamed machine")
	return scene.Book(ctx, w, name+": tray sections", "Plenum "+machine.Version, pages)
}

// paint gives products their colours, the same in all sections.
func (d *drawing) paint(sections []Section) {
	var ids []string
	for i := range sections {
		for _, p := range sections[i].Parts {
			ids = append(ids, p.Part.ID)
		}
	}
	slices.Sort(ids)
	d.colours = map[string]color.RGBA{}
	for i, id := range slices.Compact(ids) {
		d.colours[id] = palette.Tint(palette.Series(i), 0.75/float64(1+palette.Round(i)))
	}
}

// arrange finds the scale: the largest usual one at which the widest section fits on a page, or half of it where there
// are several and their cables can still be seen.
func (d *drawing) arrange(sections []Section) []cell {
	cells := make([]cell, len(sections))
	widest, tallest := 0.0, 0.0
	for i := range sections {
		s := &sections[i]
		cells[i] = cell{Section: s, trays: s.laid(), limited: s.Width > 0 && s.Depth > 0}
		high := float64(s.Depth)
		for _, tray := range cells[i].trays {
			for _, c := range tray {
				high = max(high, c.y+c.r)
			}
		}
		cells[i].high = high
		widest, tallest = max(widest, s.assumed()*float64(s.Trays)), max(tallest, high)
	}
	fits := func(most float64) bool {
		for _, d.k = range scales {
			d.scale = 1000 / unitMM / d.k
			if widest*d.scale+2*margin <= most && tallest*d.scale < 700 {
				return true
			}
		}
		return false
	}
	const small = 5 // 1:5
	if len(sections) < 3 || !fits((inner-gap)/2) || d.k > small {
		fits(inner)
	}
	for i := range cells {
		c := &cells[i]
		c.wide = c.assumed()*float64(c.Trays)*d.scale + float64(2*metal*c.Trays)
		c.high = c.high*d.scale + 96 + lineHigh*float64(min(len(c.Parts), mostParts+1)) + 70 + dimensioned
		if c.Bare > 0 {
			c.high += lineHigh
		}
	}
	return cells
}

// page draws as many sections as fit, row by row, and returns the next, and how far down they reach.
func (d *drawing) page(c *pen.Canvas, cells []cell, first int) (next int, end float64) {
	const least = 400 // of a cell, for its words
	y := float64(headEnd)
	for i := first; i < len(cells); {
		x, high, n := float64(margin), 0.0, i
		for n < len(cells) { // a row
			wide := max(cells[n].wide, least)
			if n > i && x+wide > pageW-margin {
				break
			}
			x, high, n = x+wide+gap, max(high, cells[n].high), n+1
		}
		if y+high > footStart && i > first {
			return i, y
		}
		x = margin
		for ; i < n; i++ {
			d.section(c, &cells[i], x, y, max(cells[i].wide, least))
			x += max(cells[i].wide, least) + gap
		}
		y += high
	}
	return len(cells), y
}

// section draws one at a place.
func (d *drawing) section(c *pen.Canvas, s *cell, x, y, wide float64) {
	c.Layer("words")
	c.Text(c.Fit(s.ID+"  "+s.Name, headLetter, wide), headLetter, x, y+12, 0, palette.Ink)
	c.Text(c.Fit(s.filled(), smallLetter, wide), smallLetter, x, y+36, 0, palette.Ink)
	d.gauge(c, s, x, y+54, min(wide, 300))
	c.Layer("trays")
	parts := lineHigh * float64(min(len(s.Parts), mostParts+1))
	if s.Bare > 0 {
		parts += lineHigh
	}
	bottom := y + s.high - 70 - dimensioned - parts
	each := s.assumed() * d.scale
	for i, cables := range s.trays {
		x0 := x + metal + float64(i)*(each+2*metal)
		d.tray(c, s, x0, bottom, each)
		for _, k := range cables {
			px, py, r := x0+k.x*d.scale, bottom-k.y*d.scale, k.r*d.scale
			c.Disc(px, py, r, d.colours[k.part.ID])
			c.Ring(px, py, max(r-0.5, 0.25), min(1, r/3), palette.Ink)
		}
	}
	c.Layer("words")
	if s.limited {
		d.measures(c, s, x, bottom, each)
	}
	y = bottom + 24 + dimensioned
	for i, p := range s.Parts {
		if i == mostParts && len(s.Parts) > mostParts+1 {
			c.Text(fmt.Sprintf("and %d more products", len(s.Parts)-i), smallLetter, x+28, y, 0, palette.Faint)
			y += lineHigh
			break
		}
		c.Disc(x+8, y, 7, d.colours[p.Part.ID])
		text := fmt.Sprintf("%s × %s", english.Grouped(p.Cables), p.Part.ID)
		if p.Part.Cable.Diameter > 0 {
			text += ", " + strconv.FormatFloat(float64(p.Part.Cable.Diameter)*1e3, 'f', -1, 64) + " mm"
		}
		c.Text(c.Fit(text, smallLetter, wide-28), smallLetter, x+28, y, 0, palette.Ink)
		y += lineHigh
	}
	if s.Bare > 0 {
		text := english.Count(s.Bare, "cable") + " without a stated diameter: not drawn, and not in the fill"
		c.Text(c.Fit(text, smallLetter, wide), smallLetter, x, y, 0, palette.Faint)
	}
}

// measures draws the width of the first tray below it, and the depth of the last beside it.
func (d *drawing) measures(c *pen.Canvas, s *cell, x, bottom, each float64) {
	text := func(v float64) string { return strconv.FormatFloat(v*1e3, 'f', -1, 64) + " mm" }
	c.Dimension(x+metal, bottom+20, x+metal+each, bottom+20, text(float64(s.Width)))
	right := x + float64(len(s.trays))*(each+2*metal) + 14
	c.Dimension(right, bottom, right, bottom-float64(s.Depth)*d.scale, text(float64(s.Depth)))
}

// filled says how full a section is.
func (s *Section) filled() string {
	text := english.Count(s.Cables, "cable")
	if s.Width == 0 || s.Depth == 0 {
		return text + "; the tray states no cross-section"
	}
	mm := func(v float64) string { return strconv.FormatFloat(v*1e3, 'f', -1, 64) }
	text += ", " + percent(s.Fill) + " of "
	if s.Trays > 1 {
		text += strconv.Itoa(s.Trays) + " × "
	}
	text += mm(float64(s.Width)) + " × " + mm(float64(s.Depth)) + " mm"
	if s.Limit > 0 {
		text += ", limit " + percent(s.Limit)
	}
	if s.Over {
		text += ": too full"
	}
	return text
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + " %" }

// gauge draws the fill beside its limit.
func (d *drawing) gauge(c *pen.Canvas, s *cell, x, y, wide float64) {
	if !s.limited {
		return
	}
	c.Fill(pen.Rect(x, y, x+wide, y+8), palette.Grid)
	col := palette.Blue
	if s.Over {
		col = palette.Vermillion
	}
	if s.Fill > 0 {
		c.Fill(pen.Rect(x, y, x+wide*min(s.Fill, 1), y+8), col)
	}
	if s.Limit > 0 {
		c.Fill(pen.Rect(x+wide*s.Limit-1, y-4, x+wide*s.Limit+1, y+12), palette.Ink)
	}
}

// tray draws the metal of a tray, or a line for one that states no cross-section.
func (d *drawing) tray(c *pen.Canvas, s *cell, x, bottom, wide float64) {
	if !s.limited {
		c.Fill(pen.Rect(x-metal, bottom, x+wide+metal, bottom+metal), palette.Outline)
		return
	}
	top := bottom - float64(s.Depth)*d.scale
	c.Fill(pen.Rect(x, top, x+wide, bottom), palette.Ground)
	c.Polyline([][2]float64{
		{x - metal/2.0, top},
		{x - metal/2.0, bottom + metal/2.0},
		{x + wide + metal/2.0, bottom + metal/2.0},
		{x + wide + metal/2.0, top},
	}, metal, palette.Grey)
}

// head writes what stands above and below the sections of a page.
func (d *drawing) head(c *pen.Canvas, n, of int) {
	c.Layer("sheet")
	c.Text(c.Fit(d.machine, titleLetter, inner), titleLetter, margin, margin+20, 0, palette.Ink)
	text := fmt.Sprintf("Tray sections, scale 1:%s", strconv.FormatFloat(d.k, 'f', -1, 64))
	if of > 1 {
		text += fmt.Sprintf(", page %d of %d", n, of)
	}
	c.Text(text, lineLetter, margin, margin+60, 0, palette.Faint)
	right := "Plenum " + machine.Version
	if d.date != "" {
		right += ", " + d.date
	}
	c.Text(c.Fit(right, lineLetter, inner/2), lineLetter, pageW-margin, margin+60, 1, palette.Faint)
	c.Line(margin, margin+84, pageW-margin, margin+84, 1, palette.Outline)
	foot := c.Scene.H - pageH + footStart
	c.Line(margin, foot+10, pageW-margin, foot+10, 1, palette.Outline)
	c.Text("Circles are cables of their outside diameters, laid from the bottom up, the largest first. The bar is the "+
		"fill, its mark the limit.", smallLetter, margin, foot+30, 0, palette.Faint)
	d.scaleBar(c, margin, foot+52)
}

// scaleBar draws a length of a round number of millimetres: a picture need not be shown at its scale.
func (d *drawing) scaleBar(c *pen.Canvas, x, y float64) {
	const least, high = 100, 6 // units
	mm := 1.0
	for i := 0; mm/1000*d.scale < least; i++ {
		mm = math.Pow(10, float64(i/3)) * [...]float64{1, 2, 5}[i%3]
	}
	wide := mm / 1000 * d.scale
	c.Fill(pen.Rect(x, y, x+wide/2, y+high), palette.Ink)
	c.Frame(pen.Rect(x, y, x+wide, y+high), 1, palette.Ink)
	c.Text("0", smallLetter, x, y+18, 0, palette.Ink)
	c.Text(strconv.FormatFloat(mm, 'f', -1, 64)+" mm", smallLetter, x+wide, y+18, 0.5, palette.Ink)
}
