package render

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/scene"
)

// chartWidth is the width of a chart, in pixels.
const chartWidth = 1600

var (
	chartTitle = letter{30, true}
	chartNote  = letter{18, false}
	tickLetter = letter{16, false}
	axisLetter = letter{17, true}
	markLetter = letter{15, true}
	smallTitle = letter{18, true}
)

// palette tells up to twelve things apart, also by those who see few colours;
// further ones repeat it with broken lines.
var palette = []color.RGBA{
	{0x1f, 0x77, 0xb4, 0xff},
	{0xd6, 0x5f, 0x00, 0xff},
	{0x2c, 0x8c, 0x3c, 0xff},
	{0xb5, 0x1e, 0x5b, 0xff},
	{0x6a, 0x4c, 0x9c, 0xff},
	{0x8c, 0x56, 0x4b, 0xff},
	{0x00, 0x9e, 0x9e, 0xff},
	{0xc4, 0x9a, 0x00, 0xff},
	{0x4d, 0x4d, 0x4d, 0xff},
	{0xe3, 0x77, 0xc2, 0xff},
	{0x7a, 0x9a, 0x01, 0xff},
	{0x56, 0xb4, 0xe9, 0xff},
}

func colour(i int) color.RGBA { return palette[i%len(palette)] }

// axis maps values to pixels, in proportion or by their logarithms.
type axis struct {
	label    string
	lo, hi   float64
	log      bool
	integral bool    // only whole numbers make sense
	from, to float64 // pixels of lo and hi
}

// logarithmic tells whether values spread so widely that their logarithms are
// drawn.
func logarithmic(lo, hi float64) bool { return lo > 0 && hi/lo > 20 }

// widen makes a range that has room around its values and is not empty.
func (a *axis) widen() {
	switch {
	case !(a.hi >= a.lo): // nothing to draw
		a.lo, a.hi = 0, 1
	case a.log:
		a.lo, a.hi = a.lo/1.25, a.hi*1.25
	default:
		room := (a.hi - a.lo) * 0.06
		if room == 0 {
			room = max(math.Abs(a.hi)*0.1, 1e-9)
		}
		if a.lo > 0 || a.lo-room < 0 && a.lo >= 0 {
			a.lo = max(0, a.lo-room)
		} else {
			a.lo -= room
		}
		a.hi += room
	}
}

func (a *axis) at(v float64) float64 {
	share := (v - a.lo) / (a.hi - a.lo)
	if a.log {
		share = math.Log(max(v, a.lo*1e-3)/a.lo) / math.Log(a.hi/a.lo)
	}
	return a.from + (a.to-a.from)*min(max(share, -0.1), 1.1)
}

// ticks are round values inside the range.
func (a *axis) ticks(most int) []float64 {
	var out []float64
	if a.log {
		for _, digits := range [][]float64{{1, 2, 5}, {1, 3}, {1}} {
			out = out[:0]
			for e := math.Floor(math.Log10(a.lo)); e <= math.Ceil(math.Log10(a.hi)); e++ {
				for _, d := range digits {
					if v := d * math.Pow(10, e); v >= a.lo*(1-1e-9) && v <= a.hi*(1+1e-9) {
						out = append(out, v)
					}
				}
			}
			if len(out) <= most {
				return out
			}
		}
		return thinned(out, most)
	}
	unit := math.Pow(10, math.Floor(math.Log10((a.hi-a.lo)/float64(most))))
	for _, n := range []float64{1, 2, 5, 10} {
		if (a.hi-a.lo)/(n*unit) <= float64(most) {
			unit *= n
			break
		}
	}
	if a.integral {
		unit = max(unit, 1)
	}
	for i := math.Ceil(a.lo/unit - 1e-9); i*unit <= a.hi+unit*1e-9; i++ {
		out = append(out, i*unit+0) // + 0: no negative zero
	}
	return out
}

// thinned leaves out values between others.
func thinned(values []float64, most int) []float64 {
	step := (len(values) + most - 1) / max(most, 1)
	var out []float64
	for i := 0; i < len(values); i += max(step, 1) {
		out = append(out, values[i])
	}
	return out
}

// most digits that labels of ticks take beyond those of short.
const mostMore = 12

// labels writes the values of ticks as short does or, where that gives two ticks the same
// label, in full: 10.01k and 10.02k, not 10k twice.
func labels(ticks []float64) []string {
	write := func(more int) (out []string, differ bool) {
		seen := map[string]bool{}
		for _, v := range ticks {
			out = append(out, shortened(v, more))
			seen[out[len(out)-1]] = true
		}
		return out, len(seen) == len(ticks)
	}
	out, differ := write(0)
	for more := 1; !differ && more < mostMore; more++ {
		if out, differ = write(more); differ {
			if next, _ := write(more + 1); !slices.Equal(out, next) {
				differ = false // a digit is cut off yet
			}
		}
	}
	return out
}

// apart writes values as short does, with as many more digits as tell all of them apart that differ: 224.1k and 224.3k,
// not 224k twice.
func apart(values []float64) (out []string) {
	for more := range mostMore {
		out = out[:0]
		alike := false
		value := map[string]float64{}
		for _, v := range values {
			text := shortened(v, more)
			other, seen := value[text]
			alike = alike || seen && other != v
			value[text] = v
			out = append(out, text)
		}
		if !alike {
			break
		}
	}
	return out
}

// short writes a number in a few characters: 0.02, 350, 12k, 3.4M, 1.2G.
func short(v float64) string { return shortened(v, 0) }

// shortened is short with more digits.
func shortened(v float64, more int) string {
	x := math.Abs(v)
	if x != 0 && x < 1e-3 || x >= 1e15 {
		return strconv.FormatFloat(v, 'g', 2+more, 64)
	}
	suffix := ""
	for _, s := range []string{"k", "M", "G", "T"} {
		if x < 9999.5 && (suffix == "" || x < 999.5) {
			break
		}
		x, v, suffix = x/1e3, v/1e3, s
	}
	digits := 0
	if x < 99.95 && x != 0 {
		digits = max(0, 2-int(math.Floor(math.Log10(x))))
	}
	text := strconv.FormatFloat(v, 'f', digits+more, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text + suffix
}

// panel is a drawing area with two axes.
type panel struct {
	box
	x, y axis
}

// newPanel fits axes into an area, outside which the ticks stand.
func newPanel(b box, x, y axis) *panel {
	p := &panel{b, x, y}
	p.x.from, p.x.to = b.X0, b.X1
	p.y.from, p.y.to = b.Y1, b.Y0
	return p
}

// grid draws ticks, lines behind the data and the labels of the axes.
func (p *panel) grid(c *canvas) {
	c.fill(p.box, floorCol)
	shade := color.RGBA{0xdd, 0xe1, 0xe6, 0xff}
	xTicks := p.x.ticks(int(p.width() / 90))
	xLabels := labels(xTicks)
	for i, v := range xTicks {
		x := p.x.at(v)
		c.line(x, p.Y0, x, p.Y1, 1, shade)
		c.text(xLabels[i], tickLetter, x, p.Y1+16, 0.5, ink)
	}
	yTicks := p.y.ticks(max(2, int(p.height()/55)))
	yLabels := labels(yTicks)
	for i, v := range yTicks {
		y := p.y.at(v)
		c.line(p.X0, y, p.X1, y, 1, shade)
		c.text(yLabels[i], tickLetter, p.X0-8, y, 1, ink)
	}
	c.frame(p.box, 1, outline)
	c.text(c.fit(p.x.label, axisLetter, p.width()), axisLetter, (p.X0+p.X1)/2, p.Y1+42, 0.5, ink)
	if p.y.label == "" {
		return
	}
	c.turned(c.fit(p.y.label, axisLetter, p.height()), axisLetter, p.X0-72, (p.Y0+p.Y1)/2, ink)
}

// broken is the pattern of the lines of thing i.
func broken(i int) []float64 {
	switch i / len(palette) {
	case 0:
		return nil
	case 1:
		return []float64{12, 6}
	}
	return []float64{3, 5}
}

// curve draws a line through points inside the panel.
func (p *panel) curve(c *canvas, i int, points [][2]float64) {
	var line [][2]float64
	for _, q := range points {
		line = append(line, [2]float64{p.x.at(q[0]), p.y.at(q[1])})
	}
	c.add(scene.Clip{Box: scene.Box{X0: p.X0, Y0: p.Y0 - 2, X1: p.X1, Y1: p.Y1 + 2}})
	c.dash = broken(i)
	c.polyline(line, 3, colour(i))
	c.dash = nil
	c.add(scene.End{})
}

// stroke is the swatch of line i.
func stroke(i int) func(*canvas, box) {
	return func(c *canvas, b box) {
		c.dash = broken(i)
		c.line(b.X0, (b.Y0+b.Y1)/2, b.X1, (b.Y0+b.Y1)/2, 4, colour(i))
		c.dash = nil
	}
}

// spread places texts around points so that few overlap each other, the points
// or others, and draws them.
func (c *canvas) spread(points [][2]float64, words []string, others [][2]float64, inside box) {
	const radius = 9
	var taken []box
	for _, p := range slices.Concat(points, others) {
		taken = append(taken, box{p[0] - radius, p[1] - radius, p[0] + radius, p[1] + radius})
	}
	for i, p := range points {
		w := c.width(words[i], markLetter)
		var best box
		least, found := math.Inf(1), false
		for _, away := range []float64{14, 30, 48, 68, 92} {
			for k := range 12 {
				angle := float64(k) * math.Pi / 6
				x, y := p[0]+math.Cos(angle)*(away+w/2), p[1]-math.Sin(angle)*(away+4)
				b := box{x - w/2 - 2, y - 9, x + w/2 + 2, y + 9}
				cost := away
				if b.X0 < inside.X0 || b.X1 > inside.X1 || b.Y0 < inside.Y0 || b.Y1 > inside.Y1 {
					cost += 400
				}
				for _, t := range taken {
					if b.overlaps(t) {
						cost += 300
					}
				}
				if cost < least {
					best, least, found = b, cost, true
				}
			}
		}
		if !found {
			continue
		}
		taken = append(taken, best)
		x, y := (best.X0+best.X1)/2, (best.Y0+best.Y1)/2
		if math.Hypot(x-p[0], y-p[1]) > 40+w/2 {
			c.line(p[0], p[1], x, y, 1, faint)
			c.fill(best, floorCol)
		}
		c.text(words[i], markLetter, x, y, 0.5, ink)
	}
}

// picture begins a chart of the given height below its head, with a legend
// below that; it returns the canvas and where the drawing goes.
func picture(title, note string, height float64, legend []legendItem) (*canvas, box, error) {
	l, err := newLetters()
	if err != nil {
		return nil, box{}, err
	}
	var widths []float64
	inner := float64(chartWidth - 2*margin)
	for _, i := range legend {
		widths = append(widths, min(swatchWidth+10+l.width(i.text, legendLetter), inner))
	}
	lines := flow(widths, inner, legendGap)
	const head = 96
	s := sheet{W: chartWidth, H: margin + head + height + float64(legendHeight*len(lines)) + margin}
	c := newCanvas(l, &s, orb.Point{})
	version := "Plenum " + machine.Version
	c.text(l.fit(title, chartTitle, inner-c.width(version, captionLetter)-30), chartTitle, margin, margin+16, 0, ink)
	c.text(version, captionLetter, chartWidth-margin, margin+16, 1, faint)
	c.text(l.fit(note, chartNote, inner), chartNote, margin, margin+56, 0, faint)
	y := margin + head + height + 8
	for _, line := range lines {
		x := float64(margin)
		for _, i := range line {
			legend[i].swatch(c, box{x, y + 7, x + swatchWidth, y + legendHeight - 7})
			c.text(l.fit(legend[i].text, legendLetter, inner-swatchWidth-10), legendLetter, x+swatchWidth+10,
				y+legendHeight/2, 0, ink)
			x += widths[i] + legendGap
		}
		y += legendHeight
	}
	return c, box{margin, margin + head, chartWidth - margin, margin + head + height}, nil
}

// empty says that there is nothing to draw.
func (c *canvas) empty(b box, why string) {
	c.frame(b, 1, outline)
	c.text(c.fit(why, chartNote, b.width()-20), chartNote, (b.X0+b.X1)/2, (b.Y0+b.Y1)/2, 0.5, faint)
}

// numbered is the name of machine i with its number.
func numbered(i int, name string) string { return fmt.Sprintf("%d  %s", i+1, name) }
