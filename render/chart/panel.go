package chart

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// panel is a plot in a part of a chart: its axes are drawn when it begins, then data, then words over it.
type panel struct {
	d *Drawing
	// Box is where the data is.
	pen.Box
	x, y   axis
	ticksX []tick
	ticksY []tick
}

// tick is a mark of an axis: where it stands on the drawing, and its label.
type tick struct {
	at    float64
	label string
}

// panel draws the axes of one that fills an area, with their labels.
func (d *Drawing) panel(area pen.Box, x, y axis) *panel {
	p := &panel{d: d, Box: area, x: x, y: y}
	d.panels = append(d.panels, p)
	below := d.axisLabel(x.label, area.Width(), 2)
	p.Y1 -= 1.25*axisLetter.Size*float64(len(below)) + axisGap + 1.25*tickLetter.Size + tickGap
	p.Y0 += tickLetter.Size / 2
	var beside []string
	if y.label != "" {
		beside = d.axisLabel(y.label, p.Height(), 3)
		p.X0 += 1.25*axisLetter.Size*float64(len(beside)) + axisGap
	}
	p.vertical(area)
	p.horizontal(area)
	d.Layer("axes")
	d.Canvas.Fill(p.Box, palette.Ground)
	for _, t := range p.ticksX {
		d.Line(t.at, p.Y0, t.at, p.Y1, 1, palette.Grid)
		d.Line(t.at, p.Y1, t.at, p.Y1+tickGap, 1, palette.Outline)
		d.Text(t.label, tickLetter, t.at, p.Y1+tickGap+0.7*tickLetter.Size, 0.5, palette.Ink)
	}
	for _, t := range p.ticksY {
		if t.label == "" {
			continue
		}
		if y.names == nil {
			d.Line(p.X0, t.at, p.X1, t.at, 1, palette.Grid)
			d.Line(p.X0-tickGap, t.at, p.X0, t.at, 1, palette.Outline)
		}
		d.Text(t.label, tickLetter, p.X0-tickGap-4, t.at, 1, palette.Ink)
	}
	for i, line := range below {
		at := area.Y1 - 1.25*axisLetter.Size*(float64(len(below)-i)-0.5)
		half := d.Width(line, axisLetter) / 2
		d.Text(line, axisLetter, min(max((p.X0+p.X1)/2, area.X0+half), area.X1-half), at, 0.5, palette.Ink)
	}
	for i, line := range beside {
		half := d.Width(line, axisLetter) / 2
		d.Turned(line, axisLetter, area.X0+1.25*axisLetter.Size*(float64(i)+0.5),
			min(max((p.Y0+p.Y1)/2, area.Y0+half), area.Y1-half), palette.Ink)
	}
	d.Layer("data")
	d.Frame(p.Box, 1, palette.Outline)
	return p
}

// axisLabel breaks the label of an axis into lines. Where it is too long, words are left out before its unit, which
// stands in brackets at the end.
func (d *Drawing) axisLabel(text string, width float64, most int) []string {
	lines := d.Wrap(text, axisLetter, width, most)
	at := strings.LastIndex(text, " (")
	if strings.Join(lines, " ") == strings.Join(strings.Fields(text), " ") || at < 0 {
		return lines
	}
	for words := strings.Fields(text[:at]); len(words) > 0; words = words[:len(words)-1] {
		short := strings.Join(words, " ") + " …" + text[at:]
		if lines := d.Wrap(short, axisLetter, width, most); strings.Join(lines, " ") == short {
			return lines
		}
	}
	return lines
}

// vertical finds the ticks of the vertical axis and makes room for their labels.
func (p *panel) vertical(area pen.Box) {
	var at []float64
	words := p.y.names
	if words == nil {
		at = p.y.ticks(int(p.Height() / leastRow))
		words = tickLabels(at)
	} else {
		for i := range words {
			at = append(at, float64(i))
		}
	}
	wide := 0.0
	for _, word := range words {
		wide = max(wide, p.d.Width(word, tickLetter))
	}
	if wide > 0 {
		p.X0 = min(p.X0+wide+tickGap+4, area.X1-1)
	}
	for i, v := range at {
		p.ticksY = append(p.ticksY, tick{p.at(0, v)[1], words[i]})
	}
}

// horizontal finds the ticks of the horizontal axis: as many as have room side by side.
func (p *panel) horizontal(area pen.Box) {
	const gap = 12
	right := p.X1
	for most := max(3, int(p.Width()/leastColumn)); ; most-- {
		at := p.x.ticks(most)
		words := tickLabels(at)
		p.X1 = right
		if len(at) > 0 { // half of the last label is beyond its tick
			last := len(at) - 1
			half := p.d.Width(words[last], tickLetter) / 2
			p.X1 = min(right, p.X1-max(0, p.at(at[last], 0)[0]+half-area.X1))
		}
		p.ticksX = p.ticksX[:0]
		end, clear := math.Inf(-1), true
		for i, v := range at {
			x, half := p.at(v, 0)[0], p.d.Width(words[i], tickLetter)/2
			if clear = clear && x-half >= end+gap; !clear && most > 3 {
				break
			} else if x-half >= end+gap {
				p.ticksX = append(p.ticksX, tick{x, words[i]})
				end = x + half
			}
		}
		if clear || most <= 3 {
			return
		}
	}
}

// at maps a value to the drawing.
func (p *panel) at(x, y float64) [2]float64 {
	return [2]float64{p.X0 + float64(p.x.norm(x)*p.Width()), p.Y1 - float64(p.y.norm(y)*p.Height())}
}

// inside reports whether a point of the drawing is in the panel or on its edge.
func (p *panel) inside(at [2]float64) bool {
	const near = 1e-6
	return at[0] >= p.X0-near && at[0] <= p.X1+near && at[1] >= p.Y0-near && at[1] <= p.Y1+near
}

// look is how a thing that is distinguished is drawn: nothing of it repeats together in 28 things, and the pattern and
// the marker tell as much without the colour.
type look struct {
	colour color.RGBA
	dash   []float64
	shape  int
}

// dashes are the patterns of lines, shapes the number of markers.
var dashes = [...][]float64{nil, {12, 6}, {3, 6}, {14, 6, 3, 6}}

const shapes = 7

func looks(i int) look { return look{palette.Series(i), dashes[i%len(dashes)], i % shapes} }

// line draws a line through values, cut off where it leaves the panel, and returns where it leaves it at the top.
func (p *panel) line(k look, width float64, values [][2]float64) (out [][2]float64) {
	var pieces [][][2]float64
	var last [2]float64
	begun := false
	for _, v := range values {
		if !finite(v) {
			continue
		}
		q := p.at(v[0], v[1])
		if !begun {
			last, begun = q, true
			continue
		}
		a, b, ok := cut(last, q, p.Box)
		if ok {
			if n := len(pieces); n > 0 && pieces[n-1][len(pieces[n-1])-1] == a {
				pieces[n-1] = append(pieces[n-1], b)
			} else {
				pieces = append(pieces, [][2]float64{a, b})
			}
			if q[1] < p.Y0-1e-6 && b != q && math.Abs(b[1]-p.Y0) < 1e-6 {
				out = append(out, b)
			}
		}
		last = q
	}
	if len(pieces) > 0 {
		p.d.Add(scene.Path{Lines: pieces, Width: width, Dash: k.dash, Color: pen.NRGBA(k.colour)})
	}
	return out
}

// cut is the part of a line between two points that is in a box: Liang and Barsky, "A new concept and method for line
// clipping", ACM Transactions on Graphics 3(1), 1984.
func cut(a, b [2]float64, in pen.Box) (from, to [2]float64, ok bool) {
	dx, dy := b[0]-a[0], b[1]-a[1]
	lo, hi := 0.0, 1.0
	for _, side := range [...][2]float64{
		{-dx, a[0] - in.X0}, {dx, in.X1 - a[0]}, {-dy, a[1] - in.Y0}, {dy, in.Y1 - a[1]},
	} {
		p, q := side[0], side[1]
		switch {
		case p == 0 && q < 0:
			return from, to, false
		case p < 0:
			lo = max(lo, q/p)
		case p > 0:
			hi = min(hi, q/p)
		}
	}
	if lo > hi {
		return from, to, false
	}
	from, to = a, b
	if lo > 0 {
		from = [2]float64{a[0] + float64(lo*dx), a[1] + float64(lo*dy)}
	}
	if hi < 1 {
		to = [2]float64{a[0] + float64(hi*dx), a[1] + float64(hi*dy)}
	}
	return from, to, true
}

// marker draws the marker of a look, as its edge only where hollow.
func marker(c *pen.Canvas, k look, x, y, radius float64, hollow bool) {
	polygon := func(corners ...[2]float64) {
		points := make([][2]float64, len(corners))
		for i, q := range corners {
			points[i] = [2]float64{x + float64(q[0]*radius), y + float64(q[1]*radius)}
		}
		if !hollow {
			c.Polygon(points, k.colour)
			return
		}
		c.Polygon(points, palette.Ground)
		c.Add(scene.Path{Lines: [][][2]float64{append(points, points[0])}, Width: 2, Color: pen.NRGBA(k.colour)})
	}
	stroke := func(d float64, ends ...[2]float64) {
		var lines [][][2]float64
		for _, q := range ends {
			qx, qy := float64(q[0]*radius*d), float64(q[1]*radius*d)
			lines = append(lines, [][2]float64{{x - qx, y - qy}, {x + qx, y + qy}})
		}
		width := 3.0
		if hollow {
			width = 1.5
		}
		c.Add(scene.Path{Lines: lines, Width: width, Color: pen.NRGBA(k.colour)})
	}
	switch k.shape {
	case 0:
		if hollow {
			c.Disc(x, y, radius, palette.Ground)
			c.Ring(x, y, radius, 2, k.colour)
			return
		}
		c.Disc(x, y, radius, k.colour)
	case 1:
		polygon([2]float64{-0.9, -0.9}, [2]float64{0.9, -0.9}, [2]float64{0.9, 0.9}, [2]float64{-0.9, 0.9})
	case 2:
		polygon([2]float64{0, -1.2}, [2]float64{1.1, 0.8}, [2]float64{-1.1, 0.8})
	case 3:
		polygon([2]float64{0, -1.3}, [2]float64{1.3, 0}, [2]float64{0, 1.3}, [2]float64{-1.3, 0})
	case 4:
		stroke(1, [2]float64{1, 1}, [2]float64{1, -1})
	case 5:
		polygon([2]float64{0, 1.2}, [2]float64{1.1, -0.8}, [2]float64{-1.1, -0.8})
	default:
		stroke(1.2, [2]float64{1, 0}, [2]float64{0, 1})
	}
}

// along draws markers on a line that has none at its values: some at even distances, those of each look elsewhere.
func (p *panel) along(i int, values [][2]float64) {
	const every, places = 5, 8
	k := looks(i)
	for n := range every {
		share := (float64(n) + (float64(i%places)+0.5)/places) / every
		x := p.X0 + float64(share*p.Width())
		for j := 1; j < len(values); j++ {
			a, b := p.at(values[j-1][0], values[j-1][1]), p.at(values[j][0], values[j][1])
			if a[0] <= x && x < b[0] {
				q := [2]float64{x, a[1] + float64((b[1]-a[1])*(x-a[0])/(b[0]-a[0]))}
				if p.inside(q) {
					marker(p.d.Canvas, k, q[0], q[1], 6, false)
				}
				break
			}
		}
	}
}

// swatch is that of line i with its marker.
func swatch(i int) func(*pen.Canvas, pen.Box) {
	return func(c *pen.Canvas, b pen.Box) {
		k := looks(i)
		y := (b.Y0 + b.Y1) / 2
		c.Dash = k.dash
		c.Line(b.X0, y, b.X1, y, 3, k.colour)
		c.Dash = nil
		marker(c, k, (b.X0+b.X1)/2, y, 6, false)
	}
}

// spot is the swatch of markers of look i, without a line.
func spot(i int) func(*pen.Canvas, pen.Box) {
	return func(c *pen.Canvas, b pen.Box) {
		marker(c, looks(i), (b.X0+b.X1)/2, (b.Y0+b.Y1)/2, 7, false)
	}
}

// label is a text at a point: the first of its words, long before short, that finds a place is written, or none.
type label struct {
	at    [2]float64
	words []string
}

// placeLabels writes labels beside their points, where they overlap neither another label nor a point.
func (d *Drawing) placeLabels(all []label, others [][2]float64, inside pen.Box) {
	const radius = 9
	dot := func(p [2]float64) pen.Box {
		return pen.Box{X0: p[0] - radius, Y0: p[1] - radius, X1: p[0] + radius, Y1: p[1] + radius}
	}
	var dots, written []pen.Box
	for _, l := range all {
		dots = append(dots, dot(l.at))
	}
	for _, p := range others {
		dots = append(dots, dot(p))
	}
	for _, l := range all {
		for _, word := range l.words {
			w := d.Width(word, markLetter)
			best, least := pen.Box{}, math.Inf(1)
			for _, away := range []float64{14, 30, 48, 68, 92} {
				for k := range 12 {
					angle := float64(k) * math.Pi / 6
					x, y := l.at[0]+math.Cos(angle)*(away+w/2), l.at[1]-math.Sin(angle)*(away+4)
					b := pen.Box{X0: x - w/2 - 2, Y0: y - 10, X1: x + w/2 + 2, Y1: y + 10}
					cost := away
					if k == 0 {
						cost++ // lines often run on to the right
					}
					if cost < least && b.Within(inside) == b && !slices.ContainsFunc(written, b.Overlaps) &&
						!slices.ContainsFunc(dots, b.Overlaps) {
						best, least = b, cost
					}
				}
			}
			if math.IsInf(least, 1) {
				continue
			}
			written = append(written, best)
			x, y := (best.X0+best.X1)/2, (best.Y0+best.Y1)/2
			if math.Hypot(x-l.at[0], y-l.at[1]) > 40+w/2 {
				d.Line(l.at[0], l.at[1], x, y, 1, palette.Faint)
				d.Fill(best, palette.Ground)
			}
			d.Text(word, markLetter, x, y, 0.5, palette.Ink)
			break
		}
	}
}
