package render

import (
	"cmp"
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/route"
)

// laneWidth and lanePitch are the most width of the line of cables and the distance of two, in units of the drawing;
// leastLane is the width of a line of the fewest.
const laneWidth, leastLane, lanePitch = 2.4, 1.2, 3.2

// cableEnds is the layer of the marks where chosen cables end, and of the columns of cables inside racks.
const cableEnds = "cable-ends"

// cableLegend explains the lines of chosen cables: how many are chosen, each class, what a line or the width of a band
// means, and the columns in racks.
func (d *roomDrawing) cableLegend(c *route.Runs, separate bool) []pen.Item {
	var out []pen.Item
	count := fmt.Sprintf("%s of %s", grouped(c.Cables), plural(c.All, "cable"))
	if c.Cables == c.All {
		count = plural(c.All, "cable")
	}
	if c.Words != "" {
		count += ": " + c.Words
	}
	out = append(out, pen.Item{Text: count, Swatch: func(c *pen.Canvas, b pen.Box) {
		for _, off := range []float64{-4, 0, 4} {
			y := (b.Y0+b.Y1)/2 + off
			c.Line(b.X0, y, b.X1, y, 1, palette.Ink)
		}
	}})
	for _, k := range c.Classes {
		text := fmt.Sprintf("%s: %s, %s", k.Name, plural(k.Cables, "cable"), distance(k.Metres))
		out = append(out, pen.Item{Text: text, Swatch: func(c *pen.Canvas, b pen.Box) {
			y := (b.Y0 + b.Y1) / 2
			c.Fill(pen.Rect(b.X0, y-2, b.X1, y+2), k.Color)
		}})
	}
	if len(c.Runs) > 0 {
		text := "a line: the cables of its colour between two racks, which lie in the tray, wider for more (most: " +
			grouped(mostInRun(c)) + ")"
		if !separate {
			text = fmt.Sprintf("band width: number of %s (most: %s)", d.counted, grouped(route.MostOn(c.Stretches())))
		}
		out = append(out, pen.Item{Text: text, Swatch: func(k *pen.Canvas, b pen.Box) {
			y, half := (b.Y0+b.Y1)/2, b.Height()/2
			if separate {
				k.Line(b.X0, y, b.X1, y, laneWidth, palette.Ink)
				return
			}
			k.Polygon([][2]float64{{b.X0, y - 1}, {b.X1, y - half}, {b.X1, y + half}, {b.X0, y + 1}}, palette.Faint)
		}})
	}
	if len(c.Runs) > 0 && !d.allCables {
		text := "dot: the cables end in this rack"
		out = append(out, pen.Item{Text: text, Swatch: func(k *pen.Canvas, b pen.Box) {
			col := palette.Ink
			if separate {
				col = c.Classes[0].Color
			}
			k.Disc((b.X0+b.X1)/2, (b.Y0+b.Y1)/2, laneWidth, col)
		}})
	}
	if most := c.MostInside(); most > 0 {
		text := fmt.Sprintf("column in a rack: %s inside it (full: %s)", d.counted, grouped(most))
		out = append(out, pen.Item{Text: text, Swatch: func(k *pen.Canvas, b pen.Box) {
			// A rack with its column, wider than on the floor so that it is seen.
			column := pen.Rect(b.X0+3, b.Y0+2, b.X0+12, b.Y1-2)
			k.Fill(b, palette.Behind(palette.NodeFill))
			k.Frame(b, 1, palette.Outline)
			k.Fill(column, palette.Free)
			k.Fill(pen.Rect(column.X0, b.Y0+0.4*b.Height(), column.X1, column.Y1), c.Classes[0].Color)
			k.Frame(column, 1, palette.RackSide)
		}})
	}
	return out
}

// mostInRun is the most cables of a run.
func mostInRun(c *route.Runs) int64 {
	most := int64(1)
	for i := range c.Runs {
		most = max(most, c.Runs[i].Cables)
	}
	return most
}

// cableLayers returns the names of layers of the classes in a DXF: "cables-" and at most 18 letters and digits of the
// class's name. A name that an earlier class has gets the number of the class, from 1, at its end.
func cableLayers(c *route.Runs) []string {
	var out []string
	for i, k := range c.Classes {
		slug := strings.Map(func(r rune) rune {
			switch {
			case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_':
				return r
			case r >= 'A' && r <= 'Z':
				return r - 'A' + 'a'
			}
			return '-'
		}, k.Name)
		const most = 18 // of the 31 characters of a name
		name := "cables-" + slug[:min(len(slug), most)]
		if slices.Contains(out, name) {
			name += "-" + strconv.Itoa(i+1)
		}
		out = append(out, name)
	}
	return out
}

// cableLanes returns the lane of each run of cables at the scale of the drawing, or nil if they are drawn as bands:
// where lanes would be wider than the widest band or Runs.Lanes has none, or all cables are drawn and more than
// route.FewLines lie on each other.
func (d *roomDrawing) cableLanes() []int {
	if d.allCables && route.MostOn(d.cables.Stretches()) > route.FewLines { // as on the report's floor
		return nil
	}
	return d.cables.Lanes(1 + 2*int(route.Widest(d.Scale)/lanePitch))
}

// cableLines draws the chosen cables along their routes, in lanes or as bands, with marks at their ends unless all
// cables are drawn, and the columns of cables inside racks.
func (d *roomDrawing) cableLines() {
	if d.cables == nil {
		return
	}
	names := cableLayers(d.cables)
	lanes := d.cableLanes()
	sums := d.cables.Stretches()
	// Of each class, the stretches with the most cables are drawn last.
	slices.SortStableFunc(sums, func(a, b route.Stretch) int { return cmp.Compare(a.Total(), b.Total()) })
	if lanes == nil {
		d.Layer("cable-edges")
		d.bandEdges(sums)
	}
	for class := range d.cables.Classes {
		d.Layer(names[class])
		if lanes != nil {
			d.laneLines(class, lanes)
		} else {
			d.bands(class, sums)
		}
	}
	d.Layer(cableEnds)
	if !d.allCables {
		d.markEnds(lanes)
	}
	d.insideColumns()
}

// laneLines draws the runs of a class one by one.
func (d *roomDrawing) laneLines(class int, lanes []int) {
	col, most := d.cables.Classes[class].Color, float64(mostInRun(d.cables))
	for i := range d.cables.Runs {
		run := &d.cables.Runs[i]
		if run.Class != class {
			continue
		}
		wide := leastLane + (laneWidth-leastLane)*float64(run.Cables)/most
		if most == 1 {
			wide = laneWidth
		}
		d.Polyline(d.lane(run, lanes[i]), wide, col)
	}
}

// lane returns the line of a run in its lane, in units of the drawing: each point is shifted right and down by the
// lane's distance from the middle, but the ends along their piece no farther than the racks reach. A run has at least
// two points.
func (d *roomDrawing) lane(run *route.Run, lane int) [][2]float64 {
	aside := lanePitch * float64(lane)
	reach := 0.35 * float64(d.room.Spec.Rack.Width) * d.Scale
	near := max(-reach, min(aside, reach))
	out := make([][2]float64, len(run.Points))
	for i, p := range run.Points {
		x, y := d.point(p)
		out[i] = [2]float64{x + aside, y + aside}
		beside := i + 1 // of an end, the other point of its piece
		switch i {
		case 0:
		case len(run.Points) - 1:
			beside = i - 1
		default:
			continue
		}
		if q := run.Points[beside]; math.Abs(q[1]-p[1]) < 1e-4 { // along x
			out[i][0] = x + near
		} else {
			out[i][1] = y + near
		}
	}
	return out
}

// bands draws the cables of a class as lines as wide as their number, beside those of the classes before it.
func (d *roomDrawing) bands(class int, sums []route.Stretch) {
	most, widest := route.MostOn(sums), route.Widest(d.Scale)
	col := d.cables.Classes[class].Color
	for i := range sums {
		s := &sums[i]
		if s.Cables[class] == 0 {
			continue
		}
		all, before := 0.0, 0.0
		widths := s.Widths(most, widest)
		for k, w := range widths {
			all += w
			if k < class {
				before += w
			}
		}
		width := widths[class]
		aside := before - all/2 // of the nearer edge
		x0, y0, x1, y1 := d.bandEnds(s, most, widest)
		d.bar(x0, y0, x1, y1, aside+width/2, width, col)
	}
}

// bar draws a line of a width between two points, shifted by aside: down if it runs along x, else to the right. Of a
// line along x, x0 is at most x1.
func (d *roomDrawing) bar(x0, y0, x1, y1, aside, width float64, col color.Color) {
	switch {
	case y0 == y1:
		d.Bar(pen.Rect(x0, y0+aside-width/2, x1, y0+aside+width/2), col)
	case x0 == x1:
		d.Bar(pen.Rect(x0+aside-width/2, min(y0, y1), x0+aside+width/2, max(y0, y1)), col)
	default:
		d.Line(x0+aside, y0, x1+aside, y1, width, col)
	}
}

// bandEdge is the width of the light edge on both sides of a band, in units: it stands out from what is under it.
const bandEdge = 1.2

// bandEdges draws the light edges of bands, below all of them.
func (d *roomDrawing) bandEdges(sums []route.Stretch) {
	most, widest := route.MostOn(sums), route.Widest(d.Scale)
	for i := range sums {
		s := &sums[i]
		all := 2 * bandEdge
		for _, w := range s.Widths(most, widest) {
			all += w
		}
		x0, y0, x1, y1 := d.bandEnds(s, most, widest)
		d.bar(x0, y0, x1, y1, 0, all, palette.White)
	}
}

// bandEnds returns where the band of a stretch begins and ends, in units of the drawing: at corners, so far beyond the
// stretch that the corner is filled.
func (d *roomDrawing) bandEnds(s *route.Stretch, most int64, widest float64) (x0, y0, x1, y1 float64) {
	x0, y0 = d.point(s.From)
	x1, y1 = d.point(s.To)
	length := math.Hypot(x1-x0, y1-y0)
	before, after := s.Corners(most, widest)
	if length > 0 {
		dx, dy := (x1-x0)/length, (y1-y0)/length
		x0, y0, x1, y1 = x0-dx*before, y0-dy*before, x1+dx*after, y1+dy*after
	}
	return x0, y0, x1, y1
}

// markEnds marks where chosen cables end: with lanes, both ends of each run in the colour of its class; as bands, the
// middle of each rack, unless the mark would be smaller than a unit.
func (d *roomDrawing) markEnds(lanes []int) {
	at := func(place int32) (x, y float64) {
		p := d.room.Places[place]
		return d.point(layout.FloorPoint(p.X, p.Y))
	}
	radius := min(5, 0.12*float64(d.room.Spec.Rack.Width)*d.Scale)
	switch {
	case lanes != nil:
		for i := range d.cables.Runs {
			run := &d.cables.Runs[i]
			line := d.lane(run, lanes[i])
			for _, p := range [...][2]float64{line[0], line[len(line)-1]} {
				d.Disc(p[0], p[1], laneWidth, d.cables.Classes[run.Class].Color)
			}
		}
	case radius >= 1:
		for _, place := range d.cables.Ends {
			x, y := at(place)
			d.Disc(x, y, radius, palette.Ink)
		}
	}
}

// leastColumned is the width of a rack, in units, from which on it shows how many cables it has inside.
const leastColumned = 7

// insideColumns draws how many cables are inside each rack: a column at its left edge, or beside the cables that run
// over it, full in the rack with the most. Each class that has any is at least one unit high, even if the column then
// grows beyond its frame. Racks that are drawn narrower than leastColumned have none.
func (d *roomDrawing) insideColumns() {
	most := d.cables.MostInside()
	for _, place := range slices.Sorted(maps.Keys(d.cables.Inside)) {
		b := d.footprint(d.room.Places[place])
		if b.Width() < leastColumned {
			continue
		}
		wide, tall := max(3, 0.13*b.Width()), 0.5*b.Height()
		foot := (b.Y0+b.Y1)/2 + tall/2
		clear := d.crossing().clear(pen.Rect(b.X0, foot-tall, b.X1, foot))
		if clear.Width() < wide+4 {
			clear = b
		}
		x := clear.X0 + 0.06*b.Width() + 1
		d.Fill(pen.Rect(x, foot-tall, x+wide, foot), palette.Free)
		up := 0.0
		for class, n := range d.cables.Inside[place] {
			if n > 0 {
				high := max(1, tall*float64(n)/float64(most))
				d.Fill(pen.Rect(x, foot-up-high, x+wide, foot-up), d.cables.Classes[class].Color)
				up += high
			}
		}
		d.Frame(pen.Rect(x, foot-tall, x+wide, foot), 1, palette.RackSide)
	}
}
