package render

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/route"
)

// faultCol is the colour of racks with differences.
var faultCol = palette.Tint(palette.Orange, 0.55)

// faults colours racks by whether anything in them differs, and prints how much.
func (s *rackShades) faults(r *machine.Result, f *route.Faults) {
	s.fillRacks(r, palette.White)
	s.figures = make([]string, len(s.of))
	for place := range s.of {
		if n := f.Racks[int32(place)]; n > 0 {
			s.of[place] = shade{[]color.RGBA{faultCol}, differences(n)}
			s.figures[place] = strconv.Itoa(n)
		}
	}
	if f.Count > 0 {
		s.legend = append(s.legend, pen.Item{Text: "rack with differences, and how many", Swatch: pen.Filled(faultCol)})
	}
	s.legend = append(s.legend, pen.Item{Text: "rack without", Swatch: pen.Filled(palette.White)})
}

func differences(n int) string { return plural(int64(n), "difference") }

// faultDash is that of the lines of planned links, in units of the drawing.
var faultDash = []float64{7, 5}

// faultLegend explains the lines of differences.
func faultLegend(f *route.Faults) []pen.Item {
	blank := func(*pen.Canvas, pen.Box) {}
	words := "nothing that is seen differs from the plan"
	if f.Count > 0 {
		words = differences(f.Count) + " from the plan"
	}
	if f.Unknown > 0 {
		words += fmt.Sprintf("; %s unknown, which no source sees", plural(int64(f.Unknown), "planned link"))
	}
	out := []pen.Item{{Text: words, Swatch: blank}}
	if f.Count == 0 {
		return out
	}
	line := func(col color.RGBA, dash []float64) func(c *pen.Canvas, b pen.Box) {
		return func(c *pen.Canvas, b pen.Box) {
			y := (b.Y0 + b.Y1) / 2
			c.Dash = dash
			c.Line(b.X0, y, b.X1, y, faultWidth, col)
			c.Dash = nil
		}
	}
	for _, k := range f.Kinds {
		if slices.ContainsFunc(f.Lines, func(l route.FaultLine) bool { return l.Kind == k }) {
			out = append(out, pen.Item{Text: k, Swatch: line(f.Colour(k), nil)})
		}
	}
	return append(out,
		pen.Item{Text: "unbroken: where cables are", Swatch: line(palette.Ink, nil)},
		pen.Item{Text: "dashed: where they belong", Swatch: line(palette.Ink, faultDash)},
		pen.Item{Text: "within a rack", Swatch: func(c *pen.Canvas, b pen.Box) {
			c.Ring((b.X0+b.X1)/2, (b.Y0+b.Y1)/2, 6, faultWidth, palette.Ink)
		}})
}

// overLines clears the floor of a rack for a word, where lines may cross it or the rack has several colours.
func (d *roomDrawing) overLines(place int, text string, k pen.Letter, x, y float64) {
	several := d.shades != nil && d.shades.of != nil && len(d.shades.of[place].cols) > 1
	u, w := d.crossing(), d.Width(text, k)+4
	label := pen.Rect(x-w/2, y-0.6*k.Size, x+w/2, y+0.6*k.Size)
	crossed := d.cables != nil && (u.slanted || len(u.over(label)) > 0)
	if d.faults == nil && !several && !crossed || text == "" || d.racks[place] == empty && !crossed {
		return
	}
	col := palette.White
	if crossed && !several {
		col = d.contentCol(d.racks[place])
		if d.shades != nil && d.shades.of != nil && len(d.shades.of[place].cols) == 1 {
			col = d.shades.of[place].cols[0]
		}
	}
	if d.faults != nil && d.faults.Racks[int32(place)] > 0 {
		col = faultCol
	}
	d.Fill(label, col)
}

// faultWidth and faultPitch are the width of a line and the distance of two between the same racks, in units of the
// drawing.
const faultWidth, faultPitch = 2.4, 4.5

// faultLines draws what differs as straight lines between racks, those between the same racks beside each other, and as
// rings within racks.
func (d *roomDrawing) faultLines() {
	if d.faults == nil {
		return
	}
	d.Layer("differences")
	lines, lanes, most := d.faults.Lanes(d.rackAt)
	for i, l := range lines {
		col := d.faults.Colour(l.Kind)
		if d.Dash = nil; l.Planned {
			d.Dash = faultDash
		}
		if l.A == l.B {
			d.faultRing(l, lanes[i], col)
		} else {
			d.faultLine(l, float64(lanes[i])-float64(most[i]-1)/2, most[i], col)
		}
	}
	d.Dash = nil
}

// rackAt is the middle of a rack position.
func (d *roomDrawing) rackAt(place int32) (x, y float64) {
	p := d.room.Places[place]
	return d.point(layout.FloorPoint(p.X, p.Y))
}

// faultLine draws a line so many lanes aside, of most lanes.
func (d *roomDrawing) faultLine(l route.FaultLine, lane float64, most int, col color.RGBA) {
	x0, y0 := d.rackAt(l.A)
	x1, y1 := d.rackAt(l.B)
	rack := d.room.Spec.Rack
	wide, deep := float64(rack.Width)*d.Scale, float64(rack.Depth)*d.Scale
	room := 0.8 * wide // for all lanes
	if math.Abs(y0-y1) < 1 {
		room = 0.8 * deep
	}
	aside := lane * min(faultPitch, room/float64(most))
	long := math.Hypot(x1-x0, y1-y0)
	dx, dy := -(y1-y0)/long*aside, (x1-x0)/long*aside
	d.Line(x0+dx, y0+dy, x1+dx, y1+dy, faultWidth, col)
	d.Disc(x0+dx, y0+dy, 1.5*faultWidth, col)
	d.Disc(x1+dx, y1+dy, 1.5*faultWidth, col)
}

// faultRing draws links within a rack.
func (d *roomDrawing) faultRing(l route.FaultLine, n int, col color.RGBA) {
	x, y := d.rackAt(l.A)
	wide := float64(d.room.Spec.Rack.Width) * d.Scale
	x += 0.3 * wide // beside the ends of lines
	radius := min(4+faultPitch*float64(n), max(0.17*wide, 2))
	if d.Dash == nil {
		d.Ring(x, y, radius, faultWidth, col)
		return
	}
	const steps = 32
	var points [][2]float64
	for i := range steps + 1 {
		a := 2 * math.Pi * float64(i) / steps
		points = append(points, [2]float64{x + radius*math.Cos(a), y + radius*math.Sin(a)})
	}
	d.Polyline(points, faultWidth, col)
}
