package render

import (
	"cmp"
	"context"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
	"github.com/plenum-planner/plenum/units"
)

// TrayPlan draws the trays from above, to scale, as a PNG: every piece with its number in trays.csv, 13 for T0013, and
// cross trays with the rack positions that they join. Where there are several levels, their numbers stand above each
// other. What would be too small to read at the scale of the picture is left out. A plan without trays (see Lacks) is
// an error.
func TrayPlan(ctx context.Context, w io.Writer, r *machine.Result) error {
	c, err := drawTrays(ctx, r, false)
	if err != nil {
		return err
	}
	return c.PNG(ctx, w)
}

// TrayPlanSVG draws the same as TrayPlan, as an SVG like that of FloorSVG: it can be enlarged, and pieces that are half
// as long as a rack is wide have their numbers however large the room.
func TrayPlanSVG(ctx context.Context, w io.Writer, r *machine.Result) error {
	c, err := drawTrays(ctx, r, true)
	if err != nil {
		return err
	}
	return scene.SVG(ctx, w, c.Scene)
}

// TrayPlanPDF draws the same as TrayPlanSVG, as a PDF of one page at a usual scale, with layers.
func TrayPlanPDF(ctx context.Context, w io.Writer, r *machine.Result) error {
	c, err := drawTrays(ctx, r, true)
	if err != nil {
		return err
	}
	return scene.PDF(ctx, w, c.Scene)
}

// TrayPlanDXF draws the same as a DXF like that of FloorDXF, with the numbers of trays on a layer of their own.
func TrayPlanDXF(ctx context.Context, w io.Writer, r *machine.Result) error {
	c, err := drawTrays(ctx, r, true)
	if err != nil {
		return err
	}
	c.Scene.About = "A unit is a metre; x and y are those of the room."
	return scene.DXF(w, c.Scene, append(slices.Clone(dxfLayers), scene.DXFLayer{Name: "tray-numbers", Colour: 4}))
}

// drawTrays draws the trays from above: for a picture, or to be enlarged.
func drawTrays(ctx context.Context, r *machine.Result, enlarged bool) (*pen.Canvas, error) {
	if r.Schedule.Trays == nil {
		return nil, errNoTrays
	}
	l, err := pen.NewLetters()
	if err != nil {
		return nil, err
	}
	if enlarged {
		l.Spare = pen.Spare
	}
	d := &trayDrawing{roomDrawing: roomDrawing{
		counted: countedCables(r.Schedule),
		room:    r.Room(), racks: rackContents(r), trays: r.Schedule.Trays, least: leastLetter,
	}}
	d.count()
	b := newBlock(l, r, "Tray plan")
	b.legend = d.legend()
	bound := d.room.Bound
	d.digits = pen.Letter{Size: leastNumber}
	widest := l.Width(strconv.Itoa(d.trays.Network.Pieces()), d.digits) + 6
	p := paper{label: max(widest, labelled) / float64(d.room.Spec.Rack.Width), most: closest, largest: largest}
	if enlarged {
		d.Canvas = &pen.Canvas{Letters: l}
		p.label = max(2*widest/float64(d.room.Spec.Rack.Width), d.scaleForNames())
		p.most, p.largest = max(closest, p.label), math.Inf(1)
	}
	d.sheet = p.arrange(bound.Max[0]-bound.Min[0], bound.Max[1]-bound.Min[1], b.headHeight, b.footHeight)
	d.digits.Size = max(leastNumber, min(mostNumber, math.Floor(float64(d.room.Spec.Rack.Width)*d.Scale/6)))
	d.Canvas = newCanvas(l, &d.sheet, bound.Min)
	d.paint()
	text := d.explained()
	if enlarged {
		text += " " + drafted(d.Scene)
	}
	b.draw(d.Canvas, &d.sheet, text)
	describe(d.Canvas, r)
	return d.Canvas, ctx.Err()
}

// Sizes of the numbers of pieces.
const leastNumber, mostNumber = 11, 15

// trayDrawing is a plan view of the trays of a room.
type trayDrawing struct {
	roomDrawing
	digits pen.Letter
	// unnumbered counts the pieces of rows that are too short for their numbers, when drawn.
	unnumbered int64
}

// Colours of a tray plan: racks and aisles step back.
var (
	paleCol  = color.RGBA{0xf1, 0xf3, 0xf5, 0xff}
	stoodCol = color.RGBA{0xdd, 0xe3, 0xea, 0xff}
	crossInk = color.RGBA{0x3b, 0x2f, 0x80, 0xff}
)

// legend explains what is drawn, and only that.
func (d *trayDrawing) legend() []pen.Item {
	var out []pen.Item
	if slices.ContainsFunc(d.racks, func(c content) bool { return c != empty }) {
		out = append(out, pen.Item{Text: "rack", Swatch: pen.Filled(stoodCol)})
	}
	if slices.Contains(d.racks, empty) {
		out = append(out, pen.Item{Text: contents[empty].text, Swatch: pen.Filled(paleCol)})
	}
	return slices.Concat(out, d.trayLegend(), d.keptLegend())
}

// explained says how the numbers are to be read.
func (d *trayDrawing) explained() string {
	text := "Numbers are those of the pieces of tray in trays.csv: 13 is " + d.trays.ID(12) + "."
	if n := len(d.trays.Network.Levels); n > 1 {
		var names []string
		for _, l := range d.trays.Network.Levels {
			names = append(names, l.Name)
		}
		text += " From the tray outwards: " + strings.Join(names, ", ") + "."
	}
	if name, before := d.crossTray(); name != "" {
		text += " Cross trays have the names of the positions after which they leave two rows, such as " + name
		if before != "" {
			text += "; " + before + " is before the first racks"
		}
		text += "."
	}
	if n := d.unnumbered; n > 0 {
		text += " Too short for a number: " + plural(n, "piece") + "."
	}
	return text
}

// crossTray returns the name of a cross tray that is drawn, and of one that leaves its rows before their first
// positions; "" for none.
func (d *trayDrawing) crossTray() (name, before string) {
	n := d.trays.Network
	for piece := range int32(n.Pieces()) {
		if !n.IsLaid(piece) {
			continue
		}
		of, crosses := strings.CutPrefix(n.DescribeRun(piece, piece), "cross tray ")
		if !crosses || strings.Contains(of, " ") { // above a rack, or with its x
			continue
		}
		isFirst := false
		for row := range d.room.Rows {
			isFirst = isFirst || strings.HasPrefix(of, d.room.PositionName(row, 0)+"/")
		}
		if isFirst {
			before = cmp.Or(before, of)
		} else {
			name = cmp.Or(name, of)
		}
	}
	if name == "" {
		return before, ""
	}
	return name, before
}

// paint draws the trays over their racks.
func (d *trayDrawing) paint() {
	d.Layer("floor")
	d.Fill(d.Plan, palette.Ground)
	d.Layer("racks")
	for i, p := range d.room.Places {
		b := d.footprint(p)
		col := paleCol
		if d.racks[i] != empty {
			col = stoodCol
		}
		d.Fill(b, col)
		if b.Width() >= 4 && b.Height() >= 4 {
			d.Frame(b, 1, palette.Outline)
		}
	}
	d.keepOuts()
	d.trayLines()
	d.Layer("rack-names")
	d.rackNames()
	d.Layer("names")
	d.keepOutNames()
	d.rowNames()
	d.Layer("tray-numbers")
	d.numbers()
	d.walls()
	d.dimensions()
}

// numbers writes the number of every piece beside it.
func (d *trayDrawing) numbers() {
	n := d.trays.Network
	for piece := range int32(n.Pieces()) {
		if !n.IsLaid(piece) {
			continue
		}
		p := n.Piece(piece)
		number := strconv.Itoa(int(piece) + 1)
		x0, y0 := d.point(layout.FloorPoint(p.From.X, p.From.Y))
		x1, y1 := d.point(layout.FloorPoint(p.To.X, p.To.Y))
		x, y := (x0+x1)/2, (y0+y1)/2
		width, line := d.Width(number, d.digits), d.digits.Size+3
		switch called := n.DescribeRun(piece, piece); {
		case p.From.Y == p.To.Y: // of a row, or led around: in the half of the racks without their names
			switch long := math.Abs(x1-x0) + 3; {
			case width+4 <= long: // with its plate
				d.plate(number, x, y+d.side(p)*(line+4+line*float64(p.Level)), d.ground(p))
			case line <= long && len(n.Levels) == 1: // upright
				d.upright(number, x, y+d.side(p)*(line+width/2-2), d.ground(p))
			default:
				d.unnumbered++
			}
		case strings.HasPrefix(called, "cross tray "):
			if p.Level == 0 { // names once, for all levels
				number = d.numbered(number, strings.TrimPrefix(called, "cross tray "))
			}
			if aisle := math.Abs(y1-y0) - float64(d.room.Spec.Rack.Depth)*d.Scale; aisle > line {
				d.plate(number, x, y+line*float64(p.Level), color.White)
			}
		case p.Name != called: // from a row to the way around something
		default:
			d.plate(d.numbered(number, p.Name), x, y+line*float64(p.Level), color.White)
		}
	}
}

// numbered is the number of a piece with its name behind it, in the space between neighbouring cross trays and beside
// the outermost of them.
func (d *trayDrawing) numbered(number, name string) string {
	const most = 140 // pixels
	room := float64(most)
	x := slices.Sorted(slices.Values(d.trays.Network.Crosses(0)))
	for i := 1; i < len(x); i++ {
		if gap := float64(x[i]-x[i-1]) * d.Scale; gap > 0 {
			room = min(room, gap-6)
		}
	}
	name = d.FitName(name, d.digits, room-d.Width(number+" ()", d.digits))
	if name == "" {
		return number
	}
	return number + " (" + name + ")"
}

// side is the side of a row's tray, downwards, on which the racks have no names.
func (d *trayDrawing) side(p layout.TrayPiece) float64 {
	if row := d.rowOf(p); row != nil && row.Turned {
		return -1
	}
	return 1
}

// rowOf is the row whose tray has a piece, nil for none: where a tray is led around something.
func (d *trayDrawing) rowOf(p layout.TrayPiece) *layout.Row {
	i, found := slices.BinarySearchFunc(d.room.Rows, p.From.Y, func(r layout.Row, y units.Length) int {
		return cmp.Compare(r.Y, y)
	})
	for ; found && i < len(d.room.Rows) && d.room.Rows[i].Y == p.From.Y; i++ {
		if row := &d.room.Rows[i]; row.X0 <= max(p.From.X, p.To.X) && row.X1 >= min(p.From.X, p.To.X) {
			return row
		}
	}
	return nil
}

// ground is the colour of the racks below a piece of a row's tray.
func (d *trayDrawing) ground(p layout.TrayPiece) color.Color {
	row := d.rowOf(p)
	if row == nil {
		return palette.Ground
	}
	for _, place := range row.Position {
		if place < 0 {
			continue
		}
		reach := 0.51 * d.room.Type(place).Width // on the border of two racks, the ground is that of the first
		if (d.room.Places[place].X - (p.From.X+p.To.X)/2).Abs() >= reach {
			continue
		}
		if d.racks[place] != empty {
			return stoodCol
		}
		return paleCol
	}
	return palette.Ground
}

// upright writes a text upwards on a ground of its own.
func (d *trayDrawing) upright(text string, x, y float64, ground color.Color) {
	w, h := d.Width(text, d.digits), d.digits.Size
	d.Fill(pen.Rect(x-h/2-1, y-w/2-2, x+h/2+1, y+w/2+2), ground)
	d.Turned(text, d.digits, x, y, crossInk)
}

// plate writes a text on a ground of its own.
func (d *trayDrawing) plate(text string, x, y float64, ground color.Color) {
	w, h := d.Width(text, d.digits), d.digits.Size
	d.Fill(pen.Rect(x-w/2-2, y-h/2-1, x+w/2+2, y+h/2+1), ground)
	d.Text(text, d.digits, x, y, 0.5, crossInk)
}
