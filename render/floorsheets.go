package render

import (
	"cmp"
	"context"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// sheetScales are the usual scales of floor plans, the largest first; 1:k.
var sheetScales = []int{1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000}

// mostSheets is the most sheets that a plan is split over, and mostDetails the most that show the racks of a plan that
// is too small on one sheet for their names.
const mostSheets, mostDetails = 200, 40

// A unit of a sheet is a fifth of a millimetre: letters are some 3 mm high.
const (
	sheetUnit   = 0.2
	sheetMargin = 50  // units: 10 mm
	sheetBlock  = 250 // of the title block and the legend, below the drawing, at least
	titleWide   = 480 // of the title block
	keyWide     = 130 // of it for which sheet this is
	// sheetOverlap is what neighbouring sheets share, so that names at an edge are whole on one of them.
	sheetOverlap = 80
	// gutterLeft and gutterBelow are beside the drawing on one of several sheets: names of rows and numbers of racks.
	gutterLeft, gutterBelow = 64, 28
	legendTop               = 74 // of the legend, above its items
	legendLine              = 24
)

// planned is what is drawn on sheets: a room or containers.
type planned interface {
	// extent is the size of the drawing without what stands beside it, in metres.
	extent() (wide, high float64)
	// drawOn draws on a sheet, of which nothing but Plan and the size is set.
	drawOn(ctx context.Context, l *pen.Letters, s sheet) *pen.Canvas
	// names reports whether the names of racks can be read at the scale of the sheet.
	names() bool
	// edges are the names beside the plan.
	edges() (rowAt, numberAt []edgeName)
	legend() []pen.Item
}

// floorSheet is a plan on sheets.
type floorSheet struct {
	planned
	*pen.Letters
	sheet
	spec.TitleBlock
	paper  [2]float64 // units of a page, as it lies
	free   [2]float64 // of them for the drawing
	block  float64    // of them for the title block and the legend
	k      int        // the scale is 1:k
	across int
	down   int
	title  string
	what   string
	counts string
}

// Book writes pages of a machine as a PDF.
func Book(ctx context.Context, w io.Writer, r *machine.Result, what string, pages []scene.Page) error {
	return scene.Book(ctx, w, machineName(r)+": "+what, "Plenum "+machine.Version, pages)
}

// FloorPDF draws the floor plan on the sheets that the machine file states, as FloorSheets does.
func FloorPDF(ctx context.Context, w io.Writer, r *machine.Result) error {
	block := r.Spec.Drawing.Stated()
	pages, err := FloorSheets(ctx, r, FloorOptions{}, block.Sheet, block.SheetScale())
	for _, e := range diag.Fields(err) {
		e.Path = "drawing." + strings.ToLower(e.Path)
	}
	if err != nil {
		return err
	}
	return Book(ctx, w, r, "floor plan", pages)
}

// FloorSheets draws the floor plan, or containers, on sheets of paper at a true scale 1:k, split over as many as it
// takes, each with a title block of what the machine file states. A k of 0 is the largest usual scale at which one
// sheet is enough; where that is too small for the names of racks, further sheets show the floor at the smallest usual
// scale at which they can be read, up to mostDetails of them.
func FloorSheets(
	ctx context.Context, r *machine.Result, opt FloorOptions, size spec.Paper, k int,
) ([]scene.Page, error) {
	wide, high := size.Millimetres()
	if wide == 0 {
		return nil, diag.Fieldf("Sheet", "no sheet %q", size)
	}
	if err := opt.check(r); err != nil {
		return nil, err
	}
	l, err := pen.NewLetters()
	if err != nil {
		return nil, err
	}
	l.Spare = pen.Spare
	d := &floorSheet{Letters: l, TitleBlock: r.Spec.Drawing.Stated(), title: machineName(r), what: "Floor plan"}
	d.Sheet = size
	d.Date = cmp.Or(opt.Date, d.Date)
	d.counts = sheetCounts(r)
	const least = 6.0 / 72 * 25.4 / sheetUnit // 6 points
	if r.Room() == nil {
		d.what = "Containers"
		d.planned = newTreeDrawing(r, least)
	} else {
		if opt, err = opt.withDefaults(r); err != nil {
			return nil, err
		}
		room, err := newRoomDrawing(l, r, opt)
		if err != nil {
			return nil, err
		}
		room.least = least
		d.planned = room
	}
	upright := [2]float64{wide, high}
	if err := d.arrange(upright, k); err != nil {
		return nil, err
	}
	parts := []floorSheet{*d}
	if k == 0 && !d.names() {
		if detail := *d; detail.closer(upright) {
			parts = append(parts, detail)
		}
	}
	total := 0
	for i := range parts {
		total += parts[i].across * parts[i].down
	}
	var pages []scene.Page
	for i := range parts {
		if pages, err = parts[i].pages(ctx, pages, total); err != nil {
			return nil, err
		}
	}
	return pages, nil
}

// sheetCounts is the size of a machine in words.
func sheetCounts(r *machine.Result) string {
	report := r.Report()
	out := []string{plural(int64(report.Nodes), "node")}
	if report.Switches > 0 {
		out = append(out, english.Count(report.Switches, "switch"))
	}
	if report.Racks > 0 {
		out = append(out, plural(int64(report.Racks), "rack"))
	}
	return strings.Join(append(out, plural(report.Cables, "cable")), ", ")
}

// pages adds the sheets of a plan to others.
func (d *floorSheet) pages(ctx context.Context, pages []scene.Page, total int) ([]scene.Page, error) {
	c := d.drawOn(ctx, d.Letters, d.sheet)
	legend := d.legend()
	for row := range d.down {
		for column := range d.across {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			n := len(pages) + 1
			pages = append(pages, scene.Page{
				Scene: d.page(c.Scene, legend, column, row, n, total), Mark: fmt.Sprintf("Sheet %d", n),
			})
		}
	}
	return pages, nil
}

// lay lays the plan out at a scale 1:k on paper, as it lies, and returns how many sheets it takes.
func (d *floorSheet) lay(k int, paper [2]float64) int {
	wide, high := d.extent()
	scale := 1000 / sheetUnit / float64(k)
	d.paper, d.k = paper, k
	s := sheet{Scale: scale, W: wide*scale + leftOf + rightOf, H: high*scale + above + below}
	s.Plan = pen.Rect(leftOf, above, leftOf+wide*scale, above+high*scale)
	d.sheet = s
	switch p := d.planned.(type) { // whose legends depend on the scale
	case *roomDrawing:
		p.sheet = s
	case *treeDrawing:
		p.sheet = s
	}
	lines := d.legendLines(d.legend(), paper[0]-2*sheetMargin-titleWide)
	d.block = min(max(sheetBlock, legendTop+legendLine*float64(lines)+10), (paper[1]-2*sheetMargin)/2)
	d.free = [2]float64{paper[0] - 2*sheetMargin, paper[1] - 2*sheetMargin - d.block}
	d.across, d.down = sheetsFor(s.W, d.free[0]), sheetsFor(s.H, d.free[1])
	if d.across*d.down > 1 {
		d.free[0], d.free[1] = d.free[0]-gutterLeft, d.free[1]-gutterBelow
		d.across, d.down = sheetsFor(s.W, d.free[0]), sheetsFor(s.H, d.free[1])
	}
	return d.across * d.down
}

// sheetsFor is how many sheets with so much room each a length takes.
func sheetsFor(length, room float64) int {
	if length <= room {
		return 1
	}
	return int(math.Ceil((length - sheetOverlap) / (room - sheetOverlap)))
}

// turn lays the plan out at a scale 1:k on paper of a size, in millimetres, upright or lying: on fewer sheets.
func (d *floorSheet) turn(k int, mm [2]float64) int {
	wide, high := d.extent()
	upright := [2]float64{mm[0] / sheetUnit, mm[1] / sheetUnit}
	lying := [2]float64{upright[1], upright[0]}
	a, b := d.lay(k, upright), d.lay(k, lying)
	if a < b || a == b && high > wide {
		return d.lay(k, upright)
	}
	return b
}

// arrange finds the scale and how many sheets the drawing takes.
func (d *floorSheet) arrange(mm [2]float64, k int) error {
	if k > 0 {
		if n := d.turn(k, mm); n > mostSheets {
			return diag.Fieldf("Scale", "1:%d takes %d sheets, and more than %d are not drawn; choose a smaller "+
				"scale or larger sheets", k, n, mostSheets)
		}
		return nil
	}
	for _, k := range sheetScales {
		if d.turn(k, mm) == 1 {
			return nil
		}
	}
	for k := 10 * sheetScales[len(sheetScales)-1]; k < 1<<40; k *= 10 { // containers have no largest size
		if d.turn(k, mm) == 1 {
			return nil
		}
	}
	return diag.Fieldf("Scale", "the room is too large for one sheet at any usual scale; state a scale")
}

// closer takes the smallest usual scale at which racks have their names; false where there is none on mostDetails
// sheets, and none is needed.
func (d *floorSheet) closer(mm [2]float64) bool {
	for _, k := range slices.Backward(sheetScales) {
		if k >= d.k {
			continue
		}
		n := d.turn(k, mm)
		if n > mostDetails {
			return false
		}
		if d.names() {
			return true
		}
	}
	return false
}

// corner is where the drawing begins on a sheet.
func (d *floorSheet) corner() [2]float64 {
	if d.across*d.down > 1 {
		return [2]float64{sheetMargin + gutterLeft, sheetMargin}
	}
	return [2]float64{sheetMargin, sheetMargin}
}

// whole are marks without the texts that are not whole in a part of the drawing.
func (d *floorSheet) whole(marks []scene.Mark, part pen.Box) []scene.Mark {
	out := make([]scene.Mark, 0, len(marks))
	var groups []*scene.Turn // that are open; nil for a clip
	for _, m := range marks {
		switch k := m.(type) {
		case scene.Turn:
			groups = append(groups, &k)
		case scene.Clip:
			groups = append(groups, nil)
		case scene.End:
			groups = groups[:len(groups)-1]
		case scene.Text:
			x := k.X - float64(k.Align*d.Width(k.Text, pen.Letter{Size: k.Size, Bold: k.Bold}))
			box := pen.Rect(x, k.Y-k.Size, x+d.Width(k.Text, pen.Letter{Size: k.Size, Bold: k.Bold}), k.Y+0.3*k.Size)
			for _, turn := range slices.Backward(groups) {
				if turn != nil {
					box = turned(box, turn)
				}
			}
			if box.Within(part) != box {
				continue
			}
		}
		out = append(out, m)
	}
	return out
}

// turned is the upright box around one that is turned.
func turned(b pen.Box, turn *scene.Turn) pen.Box {
	sin, cos := math.Sincos(turn.Angle)
	out := pen.Rect(math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1))
	for _, p := range [...][2]float64{{b.X0, b.Y0}, {b.X1, b.Y0}, {b.X0, b.Y1}, {b.X1, b.Y1}} {
		dx, dy := p[0]-turn.X, p[1]-turn.Y
		x, y := turn.X+float64(dx*cos)-float64(dy*sin), turn.Y+float64(dx*sin)+float64(dy*cos)
		out = pen.Rect(min(out.X0, x), min(out.Y0, y), max(out.X1, x), max(out.Y1, y))
	}
	return out
}

// page is one sheet, n of total.
func (d *floorSheet) page(whole *scene.Scene, legend []pen.Item, column, row, n, total int) *scene.Scene {
	c := pen.New(d.Letters, d.paper[0], d.paper[1])
	c.Scene.Paper, c.Scene.Name = sheetUnit, d.title
	c.Scene.Scale = d.sheet.Scale
	x, y := float64(column)*(d.free[0]-sheetOverlap), float64(row)*(d.free[1]-sheetOverlap)
	part := pen.Rect(x, y, x+d.free[0], y+d.free[1])
	at := d.corner()
	if d.across == 1 { // in the middle
		at[0] += (d.free[0] - whole.W) / 2
		part.X1 = whole.W
	}
	if d.down == 1 {
		at[1] += (d.free[1] - whole.H) / 2
		part.Y1 = whole.H
	}
	c.Scene.X, c.Scene.Y = whole.X+at[0]-part.X0, whole.Y+at[1]-part.Y0
	c.Scene.About = fmt.Sprintf("Plenum %s. Scale 1:%d.", machine.Version, d.k)
	shown := *whole
	shown.Marks = d.whole(whole.Marks, part)
	for _, m := range shown.Part(part, at[0], at[1]) {
		c.Add(m)
	}
	c.Layer("sheet")
	d.edgeNames(c, column, row, [2]float64{at[0] - part.X0, at[1] - part.Y0})
	frame := pen.Rect(sheetMargin, sheetMargin, d.paper[0]-sheetMargin, d.paper[1]-sheetMargin)
	c.Frame(frame, 2, palette.Ink)
	top := frame.Y1 - d.block
	c.Line(frame.X0, top, frame.X1, top, 2, palette.Ink)
	d.titleBlock(c, pen.Rect(frame.X1-titleWide, top, frame.X1, frame.Y1), row*d.across+column+1, n, total)
	d.legendBlock(c, pen.Rect(frame.X0, top, frame.X1-titleWide, frame.Y1), legend)
	return c.Scene
}

// edgeNames says what stands to the left of the plan and below it on the sheets that are not at these edges as well.
// The drawing begins at origin, which is beyond the sheet on those to the right and below.
func (d *floorSheet) edgeNames(c *pen.Canvas, column, row int, origin [2]float64) {
	k := pen.Letter{Size: 14, Bold: true}
	const high = 20
	tag := func(text string, x, y float64) { // in the middle
		w := c.Width(text, k) + 8
		c.Fill(pen.Rect(x-w/2, y-high/2, x+w/2, y+high/2), color.White)
		c.Text(text, k, x, y, 0.5, palette.Ink)
	}
	rowAt, numberAt := d.edges()
	at := d.corner()
	if column > 0 {
		for _, n := range rowAt {
			if y := n.at + origin[1]; y > sheetMargin+high && y < sheetMargin+d.free[1]-high {
				tag(n.text, sheetMargin+4+c.Width(n.text, k)/2, y)
			}
		}
	}
	if row < d.down-1 {
		for _, n := range numberAt {
			if x := n.at + origin[0]; x > at[0]+high && x < at[0]+d.free[0]-high {
				tag(n.text, x, sheetMargin+d.free[1]+gutterBelow/2)
			}
		}
	}
}

// key shows which of the sheets one is: all of them, in the shape of their parts of the plan, with their numbers if
// all of these can be read.
func (d *floorSheet) key(c *pen.Canvas, b pen.Box, n int) {
	scale := min(b.Width()/(float64(d.across)*d.free[0]), b.Height()/(float64(d.down)*d.free[1]))
	wide, high := scale*d.free[0], scale*d.free[1]
	x, y := b.X1-wide*float64(d.across), b.Y0
	k, last := pen.Letter{Size: math.Floor(min(14, 0.7*high))}, strconv.Itoa(d.across*d.down)
	for k.Size >= leastLetter && c.Width(last, k) > wide-2 {
		k.Size--
	}
	for i := range d.across * d.down {
		at := pen.Rect(x+float64(i%d.across)*wide, y+float64(i/d.across)*high, 0, 0)
		at.X1, at.Y1 = at.X0+wide, at.Y0+high
		col := color.RGBA(palette.White)
		if i == n-1 {
			col = palette.Ink
		}
		c.Fill(at, col)
		c.Frame(at, 1, palette.Outline)
		if k.Size >= leastLetter {
			c.Text(strconv.Itoa(i+1), k, (at.X0+at.X1)/2, (at.Y0+at.Y1)/2, 0.5, palette.On(col))
		}
	}
}

// notStated stands for what the machine file does not state.
const notStated = "not stated"

// titleBlock says what a sheet is of: number is the sheet's among those of its part of the plan, n of all total.
func (d *floorSheet) titleBlock(c *pen.Canvas, b pen.Box, number, n, total int) {
	c.Line(b.X0, b.Y0, b.X0, b.Y1, 2, palette.Ink)
	x, width := b.X0+14, b.Width()-28
	bold, plain, small := pen.Letter{Size: 20, Bold: true}, pen.Letter{Size: 14}, pen.Letter{Size: 12}
	c.Text(c.Fit(d.title, bold, width), bold, x, b.Y0+24, 0, palette.Ink)
	c.Text(c.Fit(d.counts, plain, width), plain, x, b.Y0+50, 0, palette.Ink)
	c.Line(b.X0, b.Y0+68, b.X1, b.Y0+68, 1, palette.Outline)
	split := d.across*d.down > 1
	sheets := fmt.Sprintf("%d of %d", n, total)
	if split {
		d.key(c, pen.Rect(b.X1-14-keyWide, b.Y0+136, b.X1-14, b.Y1-12), number)
	}
	rows := [][2]string{
		{"drawing", d.what},
		{"project", d.Project},
		{"author", d.Author},
		{"revision", d.Revision},
		{"date", d.Date},
		{"scale", fmt.Sprintf("1:%d at %s", d.k, d.TitleBlock.Sheet)},
		{"sheet", sheets},
		{"planned by", "Plenum " + machine.Version},
	}
	const line, caption = 21, 84
	y := b.Y0 + 84
	for _, r := range rows {
		c.Text(r[0], small, x, y, 0, palette.Faint)
		room := width - caption
		if split && y > b.Y0+136 {
			room -= keyWide + 8
		}
		col := palette.Ink
		if r[1] == "" {
			r[1], col = notStated, palette.Faint
		}
		c.Text(c.Fit(r[1], plain, room), plain, x+caption, y, 0, col)
		y += line
	}
}

// legendSwatch is the width of a swatch in a legend, and legendBetween what is between two items, in units.
const legendSwatch, legendBetween = 26, 22

// legendText is the size of the letters of a legend.
var legendText = pen.Letter{Size: 13}

// legendLines is how many lines a legend takes in a width.
func (d *floorSheet) legendLines(legend []pen.Item, width float64) int {
	x, lines := 0.0, 1
	for _, item := range legend {
		w := legendSwatch + 8 + d.Width(item.Text, legendText)
		if x > 0 && x+w > width-28 {
			x, lines = 0, lines+1
		}
		x += w + legendBetween
	}
	return lines
}

// legendBlock explains the drawing, with a scale bar, the axes of the room, and north where it is stated.
func (d *floorSheet) legendBlock(c *pen.Canvas, b pen.Box, legend []pen.Item) {
	x, y := b.X0+14, b.Y0+20
	end := scaleBar(c, x, y, d.sheet.Scale)
	arrow(c, end+40, y+34)
	if d.North != nil {
		northArrow(c, end+150, y+16, 20, *d.North)
	} else {
		c.Text("north: "+notStated, pen.Letter{Size: 12}, end+110, y+30, 0, palette.Faint)
	}
	y = b.Y0 + legendTop
	left := x
	for i, item := range legend {
		w := legendSwatch + 8 + c.Width(item.Text, legendText)
		if x > left && x+w > b.X1-14 {
			x, y = left, y+legendLine
		}
		if y+10 > b.Y1 {
			c.Text(fmt.Sprintf("and %d more", len(legend)-i), legendText, b.X1-14, b.Y1-10, 1, palette.Faint)
			return
		}
		item.Swatch(c, pen.Rect(x, y-7, x+legendSwatch, y+7))
		c.Text(c.Fit(item.Text, legendText, b.X1-14-x-legendSwatch-8), legendText, x+legendSwatch+8, y, 0, palette.Ink)
		x += w + legendBetween
	}
}

// arrow shows the axes of the room.
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

// northArrow draws an arrow to the north around a point, half of it so long: degrees clockwise from the y axis, which
// is up.
func northArrow(c *pen.Canvas, x, y, long, degrees float64) {
	wide := 0.4 * long
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	at := func(right, up float64) [2]float64 {
		return [2]float64{
			x + float64(right*cos) + float64(up*sin), y + float64(right*sin) - float64(up*cos),
		}
	}
	c.Polygon([][2]float64{at(0, long), at(wide, -long), at(0, -long/2)}, palette.Ink)
	c.Polyline([][2]float64{at(0, long), at(-wide, -long), at(0, -long/2), at(0, long)}, 1.5, palette.Ink)
	const letter = 9 // beyond the tip
	name := at(0, long+letter)
	c.Text("N", pen.Letter{Size: 13, Bold: true}, name[0], name[1], 0.5, palette.Ink)
}
