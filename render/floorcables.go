package render

import (
	"fmt"
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

// laneWidth and lanePitch are the width of the line of a cable and the distance of two, in units of the drawing.
const laneWidth, lanePitch = 1.8, 3.2

// cableEnds is the layer of the marks at which chosen cables end.
const cableEnds = "cable-ends"

// cableLegend explains the lines of chosen cables.
func cableLegend(c *route.Runs, separate bool) []pen.Item {
	var out []pen.Item
	count := fmt.Sprintf("%s of %s", grouped(c.Cables), plural(c.All, "cable"))
	if c.Words != "" {
		count += ": " + c.Words
	}
	out = append(out, pen.Item{Text: count, Swatch: func(*pen.Canvas, pen.Box) {}})
	for _, k := range c.Classes {
		text := fmt.Sprintf("%s: %s, %s", k.Name, plural(k.Cables, "cable"), distance(k.Metres))
		out = append(out, pen.Item{Text: text, Swatch: func(c *pen.Canvas, b pen.Box) {
			y := (b.Y0 + b.Y1) / 2
			c.Fill(pen.Rect(b.X0, y-2, b.X1, y+2), k.Color)
		}})
	}
	if len(c.Runs) > 0 {
		text := "a line stands for the cables of its colour between two racks"
		if !separate {
			var most int64
			for _, s := range c.Stretches() {
				most = max(most, s.Total())
			}
			text = fmt.Sprintf("lines of cables are as wide as their number (most: %s)", grouped(most))
		}
		out = append(out, pen.Item{Text: text, Swatch: func(*pen.Canvas, pen.Box) {}})
	}
	if len(c.Inside) > 0 {
		var n int64
		for _, k := range c.Inside {
			n += k
		}
		text := fmt.Sprintf("rack in which chosen cables begin and end (%s)", grouped(n))
		out = append(out, pen.Item{Text: text, Swatch: func(c *pen.Canvas, b pen.Box) {
			c.Ring((b.X0+b.X1)/2, (b.Y0+b.Y1)/2, 6, 2, palette.Ink)
		}})
	}
	return out
}

// cableLayers are those of a DXF, one for each class.
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

// mostWide is how wide the cables on one line may be drawn together: clear of the names of racks.
func (d *roomDrawing) mostWide() float64 {
	return max(6, min(60, 0.4*float64(d.room.Spec.Rack.Depth)*d.Scale))
}

// cableLanes are the lanes of the chosen cables at the scale of the drawing; nil where they are drawn as sums. Names
// can be read between thin lines.
func (d *roomDrawing) cableLanes() []int {
	return d.cables.Lanes(1 + 2*int(d.mostWide()/lanePitch))
}

// cableLines draws the chosen cables along their ways.
func (d *roomDrawing) cableLines() {
	if d.cables == nil {
		return
	}
	names := cableLayers(d.cables)
	lanes := d.cableLanes()
	sums := d.cables.Stretches()
	for class := range d.cables.Classes {
		d.Layer(names[class])
		if lanes != nil {
			d.laneLines(class, lanes)
		} else {
			d.sumLines(class, sums)
		}
	}
	d.Layer(cableEnds)
	d.cableEnds(lanes)
}

// laneLines draws the runs of a class one by one.
func (d *roomDrawing) laneLines(class int, lanes []int) {
	col := d.cables.Classes[class].Color
	for i := range d.cables.Runs {
		run := &d.cables.Runs[i]
		if run.Class != class {
			continue
		}
		d.Polyline(d.lane(run, lanes[i]), laneWidth, col)
	}
}

// lane is the line of a run in its lane. It ends within its racks.
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

// sumLines draws the cables of a class as lines as wide as their number, beside those of the classes before it.
func (d *roomDrawing) sumLines(class int, sums []route.Stretch) {
	var most int64
	for i := range sums {
		most = max(most, sums[i].Total())
	}
	col := d.cables.Classes[class].Color
	for i := range sums {
		s := &sums[i]
		if s.Cables[class] == 0 {
			continue
		}
		wide := func(n int64) float64 { return max(1, d.mostWide()*float64(n)/float64(most)) }
		all, before := 0.0, 0.0
		for k, n := range s.Cables {
			if n > 0 {
				all += wide(n)
				if k < class {
					before += wide(n)
				}
			}
		}
		width := wide(s.Cables[class])
		aside := before - all/2 // of the nearer edge
		x0, y0 := d.point(s.From)
		x1, y1 := d.point(s.To)
		switch {
		case y0 == y1:
			d.Bar(pen.Rect(x0, y0+aside, x1, y0+aside+width), col)
		case x0 == x1:
			d.Bar(pen.Rect(x0+aside, y1, x0+aside+width, y0), col)
		default:
			aside += width / 2
			d.Line(x0+aside, y0, x1+aside, y1, width, col)
		}
	}
}

// cableEnds marks the racks at which chosen cables end.
func (d *roomDrawing) cableEnds(lanes []int) {
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
				d.Disc(p[0], p[1], 1.5*laneWidth, d.cables.Classes[run.Class].Color)
			}
		}
	case radius >= 1:
		for _, place := range d.cables.Ends {
			x, y := at(place)
			d.Disc(x, y, radius, palette.Ink)
		}
	}
	if radius < 1 {
		return
	}
	for _, place := range slices.Sorted(maps.Keys(d.cables.Inside)) {
		x, y := at(place)
		d.Ring(x, y, 1.8*radius, max(1, 0.4*radius), palette.Ink)
	}
}
