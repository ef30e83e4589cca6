package render

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// Sheets are the sizes of paper that floor plans are drawn on, by name: the A series of ISO 216, in millimetres,
// upright.
var Sheets = map[string][2]float64{
	"A4": {210, 297}, "A3": {297, 420}, "A2": {420, 594}, "A1": {594, 841}, "A0": {841, 1189},
}

// sheetScales are the usual scales of floor plans, the largest first; 1:k.
var sheetScales = []int{10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000}

// mostSheets is the most sheets that a plan is split over.
const mostSheets = 200

// A unit of a sheet is a fifth of a millimetre: letters are some 3 mm high.
const (
	sheetUnit   = 0.2
	sheetMargin = 50  // units: 10 mm
	sheetBlock  = 210 // of the title block and the legend, below the drawing
	titleWide   = 420 // of the title block
	keyWide     = 90  // of it for which sheet this is
)

// ParseScale reads a scale, 1:50.
func ParseScale(s string) (int, error) {
	one, k, ok := strings.Cut(s, ":")
	n, err := strconv.Atoi(k)
	if !ok || one != "1" || err != nil || n < 1 || n > 100_000 {
		return 0, fmt.Errorf("expected a scale such as 1:50, up to 1:100000, not %q", s)
	}
	return n, nil
}

// floorSheet is a floor plan on sheets.
type floorSheet struct {
	*roomDrawing
	paper  [2]float64 // units of a page, as it lies
	free   [2]float64 // of them for the drawing
	k      int        // the scale is 1:k
	across int
	down   int
	title  string
	date   string
}

// Book writes pages of a machine as a PDF.
func Book(ctx context.Context, w io.Writer, r *machine.Result, what string, pages []scene.Page) error {
	return scene.Book(ctx, w, machineName(r)+": "+what, "Plenum "+machine.Version, pages)
}

// FloorSheets draws the floor plan on sheets of a size (see Sheets) at a true scale 1:k, split over as many sheets as
// it takes, each with a title block. A k of 0 is the largest usual scale at which one sheet is enough.
func FloorSheets(ctx context.Context, r *machine.Result, opt FloorOptions, size string, k int) ([]scene.Page, error) {
	if r.Room() == nil {
		return nil, errors.New("containers are drawn on one sheet only: floor.pdf")
	}
	mm, ok := Sheets[size]
	if !ok {
		return nil, fmt.Errorf("no sheet %q", size)
	}
	l, err := pen.NewLetters()
	if err != nil {
		return nil, err
	}
	l.Spare = pen.Spare
	room, err := newRoomDrawing(l, r, opt)
	if err != nil {
		return nil, err
	}
	room.least = 6.0 / 72 * 25.4 / sheetUnit // 6 points
	d := &floorSheet{roomDrawing: room, title: machineName(r), date: opt.Date}
	if err := d.arrange(mm, k); err != nil {
		return nil, err
	}
	d.Canvas = newCanvas(l, &d.sheet, room.room.Bound.Min)
	d.paint()
	whole, legend := d.Scene, d.legend()
	var pages []scene.Page
	for row := range d.down {
		for column := range d.across {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			pages = append(pages, scene.Page{
				Scene: d.page(whole, legend, column, row), Mark: fmt.Sprintf("Sheet %d", len(pages)+1),
			})
		}
	}
	return pages, nil
}

// arrange finds the scale and how many sheets the drawing takes.
func (d *floorSheet) arrange(mm [2]float64, k int) error {
	bound := d.room.Bound
	wide, high := bound.Max[0]-bound.Min[0], bound.Max[1]-bound.Min[1]
	upright := [2]float64{mm[0] / sheetUnit, mm[1] / sheetUnit}
	lying := [2]float64{upright[1], upright[0]}
	try := func(k int, paper [2]float64) int {
		scale := 1000 / sheetUnit / float64(k)
		d.paper, d.k = paper, k
		d.free = [2]float64{paper[0] - 2*sheetMargin, paper[1] - 2*sheetMargin - sheetBlock}
		s := sheet{Scale: scale, W: wide*scale + leftOf + rightOf, H: high*scale + above + below}
		s.Plan = pen.Rect(leftOf, above, leftOf+wide*scale, above+high*scale)
		d.sheet = s
		d.across, d.down = int(math.Ceil(s.W/d.free[0])), int(math.Ceil(s.H/d.free[1]))
		return d.across * d.down
	}
	best := func(k int) int {
		a, b := try(k, upright), try(k, lying)
		if a < b || a == b && high > wide {
			return try(k, upright)
		}
		return b
	}
	if k > 0 {
		if n := best(k); n > mostSheets {
			return fmt.Errorf("1:%d takes %d sheets, and more than %d are not drawn; choose a smaller scale or larger "+
				"sheets",
				k, n, mostSheets)
		}
		return nil
	}
	for _, k := range sheetScales {
		if best(k) == 1 {
			return nil
		}
	}
	return errors.New("the room is too large for one sheet at any usual scale; state a scale")
}

// page is one sheet.
func (d *floorSheet) page(whole *scene.Scene, legend []pen.Item, column, row int) *scene.Scene {
	c := pen.New(d.Letters, d.paper[0], d.paper[1])
	c.Scene.Paper, c.Scene.Name = sheetUnit, d.title
	x, y := float64(column)*d.free[0], float64(row)*d.free[1]
	part := pen.Rect(x, y, x+d.free[0], y+d.free[1])
	at := [2]float64{sheetMargin, sheetMargin}
	if d.across == 1 { // in the middle
		at[0] += (d.free[0] - whole.W) / 2
		part.X1 = whole.W
	}
	if d.down == 1 {
		at[1] += (d.free[1] - whole.H) / 2
		part.Y1 = whole.H
	}
	c.Layer("drawing")
	for _, m := range whole.Part(part, at[0], at[1]) {
		c.Add(m)
	}
	c.Layer("sheet")
	d.edgeNames(c, column, row)
	frame := pen.Rect(sheetMargin, sheetMargin, d.paper[0]-sheetMargin, d.paper[1]-sheetMargin)
	c.Frame(frame, 2, palette.Ink)
	top := frame.Y1 - sheetBlock
	c.Line(frame.X0, top, frame.X1, top, 2, palette.Ink)
	d.titleBlock(c, pen.Rect(frame.X1-titleWide, top, frame.X1, frame.Y1), row*d.across+column+1)
	d.legendBlock(c, pen.Rect(frame.X0, top, frame.X1-titleWide, frame.Y1), legend)
	return c.Scene
}

// edgeNames says what stands to the left of the plan and below it on the sheets that are not at these edges as well.
func (d *floorSheet) edgeNames(c *pen.Canvas, column, row int) {
	k := pen.Letter{Size: 14, Bold: true}
	const high = 20
	tag := func(text string, x, y float64) { // in the middle
		w := c.Width(text, k) + 8
		c.Fill(pen.Rect(x-w/2, y-high/2, x+w/2, y+high/2), color.White)
		c.Text(text, k, x, y, 0.5, palette.Ink)
	}
	top, left := sheetMargin-float64(row)*d.free[1], sheetMargin-float64(column)*d.free[0]
	if column > 0 {
		for _, n := range d.rowAt {
			if y := n.at + top; y > sheetMargin+high && y < sheetMargin+d.free[1]-2*high {
				tag(n.text, sheetMargin+4+c.Width(n.text, k)/2, y)
			}
		}
	}
	if row < d.down-1 {
		for _, n := range d.numberAt {
			if x := n.at + left; x > sheetMargin+high && x < sheetMargin+d.free[0]-high {
				tag(n.text, x, sheetMargin+d.free[1]-high/2)
			}
		}
	}
}

// key shows which of the sheets one is.
func (d *floorSheet) key(c *pen.Canvas, b pen.Box, n int) {
	side := min(b.Width()/float64(d.across), b.Height()/float64(d.down), 22)
	x, y := b.X1-side*float64(d.across), b.Y0
	for i := range d.across * d.down {
		at := pen.Rect(x+float64(i%d.across)*side, y+float64(i/d.across)*side, 0, 0)
		at.X1, at.Y1 = at.X0+side, at.Y0+side
		if i == n-1 {
			c.Fill(at, palette.Ink)
		}
		c.Frame(at, 1, palette.Outline)
	}
}

// titleBlock says what a sheet is of.
func (d *floorSheet) titleBlock(c *pen.Canvas, b pen.Box, n int) {
	c.Line(b.X0, b.Y0, b.X0, b.Y1, 2, palette.Ink)
	x, width := b.X0+14, b.Width()-28
	bold, plain, small := pen.Letter{Size: 20, Bold: true}, pen.Letter{Size: 15}, pen.Letter{Size: 12}
	c.Text(c.Fit(d.title, bold, width), bold, x, b.Y0+26, 0, palette.Ink)
	c.Text("Floor plan", plain, x, b.Y0+54, 0, palette.Ink)
	c.Line(b.X0, b.Y0+74, b.X1, b.Y0+74, 1, palette.Outline)
	sheets := d.across * d.down
	rows := [][2]string{
		{"scale", fmt.Sprintf("1:%d", d.k)},
		{"sheet", fmt.Sprintf("%d of %d", n, sheets)},
		{"planned by", "Plenum " + machine.Version},
		{"date", d.date},
	}
	if sheets > 1 {
		d.key(c, pen.Rect(b.X1-14-keyWide, b.Y0+84, b.X1-14, b.Y1-14), n)
		rows[1][1] += fmt.Sprintf(", %d across, %d down", d.across, d.down)
	}
	y := b.Y0 + 92
	for _, r := range rows {
		if r[1] == "" {
			continue
		}
		c.Text(r[0], small, x, y, 0, palette.Faint)
		c.Text(c.Fit(r[1], plain, width-90-keyWide), plain, x+90, y, 0, palette.Ink)
		y += 30
	}
}

// legendBlock explains the drawing, with a scale bar and the axes of the room.
func (d *floorSheet) legendBlock(c *pen.Canvas, b pen.Box, legend []pen.Item) {
	x, y := b.X0+14, b.Y0+20
	end := scaleBar(c, x, y, d.Scale)
	arrow(c, end+40, y+30)
	y += 54
	left, small := x, pen.Letter{Size: 13}
	const line, swatch = 24, 26
	for i, item := range legend {
		w := swatch + 8 + c.Width(item.Text, small)
		if x > left && x+w > b.X1-14 {
			x, y = left, y+line
		}
		if y+line > b.Y1 {
			c.Text(fmt.Sprintf("and %d more", len(legend)-i), small, b.X1-14, b.Y1-10, 1, palette.Faint)
			return
		}
		item.Swatch(c, pen.Rect(x, y-7, x+swatch, y+7))
		c.Text(c.Fit(item.Text, small, b.X1-14-x-swatch-8), small, x+swatch+8, y, 0, palette.Ink)
		x += w + 22
	}
}

// arrow shows the axes of the room: which way is north, nobody has said.
func arrow(c *pen.Canvas, x, y float64) {
	const long, head = 34, 6
	k := pen.Letter{Size: 12, Bold: true}
	c.Line(x, y, x+long, y, 2, palette.Ink)
	c.Line(x, y, x, y-long, 2, palette.Ink)
	c.Polygon([][2]float64{{x + long + head, y}, {x + long, y - 4}, {x + long, y + 4}}, palette.Ink)
	c.Polygon([][2]float64{{x, y - long - head}, {x - 4, y - long}, {x + 4, y - long}}, palette.Ink)
	c.Text("x", k, x+long+head+4, y, 0, palette.Ink)
	c.Text("y", k, x+8, y-long, 0, palette.Ink)
}
