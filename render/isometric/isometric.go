// Package isometric draws containers from above, the front and the right at once: cubes within cubes, each open towards
// who looks, with the boxes in the innermost. Edges along the axes have the scale of the drawing.
package isometric

import (
	"cmp"
	"context"
	"image/color"
	"math"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// Drawing is containers to be drawn.
type Drawing struct {
	Tree *layout.Tree
	// Shade is the colour of containers of a level.
	Shade func(level int) color.RGBA
	// Box is the colour of the box in a slot, and whether there is one.
	Box func(slot int) (color.RGBA, bool)
	// Scale is the units of the drawing to a metre, and X and Y where the lowest corner at the left is.
	Scale, X, Y float64
	// Least is the shortest edge that is drawn, in units.
	Least float64

	// All draws also what others hide, and Inset is the share of a place that is left free at every side of its box: a
	// usual one where it is 0.
	All   bool
	Inset float64
}

// most is how many boxes or containers are drawn: what is in more than so many is drawn as one.
const most = 20_000

// cos30 is how far both axes of the floor go sideways; they go up and down by half.
var cos30 = math.Sqrt(3) / 2

// Extent is the size of the drawing of a tree, and the height of its lowest corner at the left, in metres.
func Extent(t *layout.Tree) (width, height, corner float64) {
	s := t.Size(0)
	across := float64(s[0] + s[1])
	return cos30 * across, float64(s[2]) + across/2, float64(s[0]) / 2
}

// point maps a place to the drawing: x to the right and down, y to the right and up, z up.
func (d *Drawing) point(p [3]float64) [2]float64 {
	return [2]float64{
		d.X + float64(d.Scale*cos30)*(p[0]+p[1]), d.Y - float64(d.Scale*(p[2]+float64((p[1]-p[0])/2))),
	}
}

// Point maps a place in metres to the drawing.
func (d *Drawing) Point(p [3]float64) [2]float64 { return d.point(p) }

// Depth is the number of levels whose containers are drawn with what they hold.
func (d *Drawing) Depth() int {
	drawn := 1
	for level := range d.Tree.Levels {
		l := &d.Tree.Levels[level]
		least := math.Inf(1)
		for a := range 3 {
			cell := float64(l.Pitch[a])
			if level+1 < len(d.Tree.Levels) {
				cell = float64(d.Tree.Size(level + 1)[a])
			}
			least = min(least, cell*d.Scale)
		}
		n := l.Count
		seen := n[0] * n[1] * n[2]
		if d.covers(level) { // those behind others in the direction of sight are not seen
			seen -= (n[0] - 1) * (n[1] - 1) * (n[2] - 1)
		}
		if drawn *= seen; least < d.Least || drawn > most {
			return level
		}
	}
	return len(d.Tree.Levels)
}

// covers reports whether a cell of a container hides the one behind it, at the next place along all three axes.
func (d *Drawing) covers(level int) bool {
	p := d.Tree.Levels[level].Pitch
	return !d.All && (p[0]-p[1]).Abs() < 1e-9 && (p[0]-p[2]).Abs() < 1e-9
}

// Draw draws the containers.
func (d *Drawing) Draw(ctx context.Context, c *pen.Canvas) {
	d.container(ctx, c, 0, d.Depth(), 0, [3]float64{})
}

// container draws a container: its sides behind what it holds, that, and its edges before it.
func (d *Drawing) container(ctx context.Context, c *pen.Canvas, level, depth, number int, at [3]float64) {
	if ctx.Err() != nil {
		return
	}
	s := d.Tree.Size(level)
	hi := [3]float64{at[0] + float64(s[0]), at[1] + float64(s[1]), at[2] + float64(s[2])}
	if level >= depth {
		d.solid(c, at, hi, d.Shade(level), true)
		return
	}
	d.behind(c, at, hi, d.Shade(level))
	l := &d.Tree.Levels[level]
	n := l.Count
	slots := d.Tree.Cells(level) / (n[0] * n[1] * n[2]) // of one cell
	covers := d.covers(level)
	last := level+1 == len(d.Tree.Levels)
	for i := range n[0] { // from behind: x and z upwards, y downwards
		for back := range n[1] {
			j := n[1] - 1 - back
			for k := range n[2] {
				cell := i + n[0]*(j+n[1]*k)
				slot := number + cell*slots
				behind := covers && i+1 < n[0] && j > 0 && k+1 < n[2]
				p := [3]float64{
					at[0] + float64(i)*float64(l.Pitch[0]), at[1] + float64(j)*float64(l.Pitch[1]),
					at[2] + float64(k)*float64(l.Pitch[2]),
				}
				switch {
				case !last && !behind:
					d.container(ctx, c, level+1, depth, slot, p)
				case last:
					if behind {
						if _, hidden := d.Box(slot + 1 - n[0] + n[0]*n[1]); hidden {
							continue
						}
					}
					if col, is := d.Box(slot); is {
						d.box(c, p, l, col)
					}
				}
			}
		}
	}
	d.edges(c, at, hi)
}

// box draws a box in its place.
func (d *Drawing) box(c *pen.Canvas, p [3]float64, l *layout.TreeLevel, col color.RGBA) {
	inset := cmp.Or(d.Inset, 0.12)
	var lo, hi [3]float64
	least := math.Inf(1)
	for a := range 3 {
		pitch := float64(l.Pitch[a])
		lo[a], hi[a] = p[a]+inset*pitch, p[a]+(1-inset)*pitch
		least = min(least, pitch*d.Scale)
	}
	d.solid(c, lo, hi, col, least >= 14)
}

// The light comes from above: shares of a colour that the sides have, the rest is black.
const fromAbove, fromFront, fromRight = 1, 0.86, 0.7

// solid draws a block that hides what is behind it.
func (d *Drawing) solid(c *pen.Canvas, lo, hi [3]float64, col color.RGBA, edges bool) {
	top := d.side(lo, hi, 2, true)
	front := d.side(lo, hi, 1, false)
	right := d.side(lo, hi, 0, true)
	c.Polygon(top, shaded(col, fromAbove))
	c.Polygon(front, shaded(col, fromFront))
	c.Polygon(right, shaded(col, fromRight))
	if edges {
		d.edges(c, lo, hi)
	}
}

// behind draws the three sides of a container that are behind what it holds.
func (d *Drawing) behind(c *pen.Canvas, lo, hi [3]float64, col color.RGBA) {
	c.Polygon(d.side(lo, hi, 2, false), shaded(col, 0.97))
	c.Polygon(d.side(lo, hi, 0, false), shaded(col, 0.94))
	c.Polygon(d.side(lo, hi, 1, true), shaded(col, fromAbove))
}

// edges draws those edges of a block that nothing in it hides.
func (d *Drawing) edges(c *pen.Canvas, lo, hi [3]float64) {
	width := 1.0
	if size := (hi[0] - lo[0]) * d.Scale; size < 40 {
		width = 0.5
	}
	middle := d.point([3]float64{hi[0], lo[1], hi[2]})
	around := [][2]float64{
		d.point([3]float64{lo[0], lo[1], lo[2]}), d.point([3]float64{lo[0], lo[1], hi[2]}),
		d.point([3]float64{lo[0], hi[1], hi[2]}), d.point([3]float64{hi[0], hi[1], hi[2]}),
		d.point([3]float64{hi[0], hi[1], lo[2]}), d.point([3]float64{hi[0], lo[1], lo[2]}),
	}
	lines := [][][2]float64{append(around, around[0])}
	for _, i := range []int{1, 3, 5} {
		lines = append(lines, [][2]float64{middle, around[i]})
	}
	c.Add(scene.Path{Lines: lines, Width: width, Color: pen.NRGBA(palette.Outline)})
}

// side is the corners of a side of a block: that across an axis, at its end or its beginning.
func (d *Drawing) side(lo, hi [3]float64, axis int, end bool) [][2]float64 {
	o, p := (axis+1)%3, (axis+2)%3
	at := lo[axis]
	if end {
		at = hi[axis]
	}
	var out [][2]float64
	for _, corner := range [4][2]float64{{lo[o], lo[p]}, {hi[o], lo[p]}, {hi[o], hi[p]}, {lo[o], hi[p]}} {
		var q [3]float64
		q[axis], q[o], q[p] = at, corner[0], corner[1]
		out = append(out, d.point(q))
	}
	return out
}

// shaded is a share of a colour.
func shaded(c color.RGBA, share float64) color.RGBA {
	dim := func(v uint8) uint8 { return uint8(math.Round(share * float64(v))) }
	return color.RGBA{dim(c.R), dim(c.G), dim(c.B), 0xff}
}

// Labels writes along the lower edge of the machine what a container of each level is called and how long it is, from
// the innermost one: as many as fit into a height, in units.
func (d *Drawing) Labels(c *pen.Canvas, height float64, text func(level int) string) {
	const first, step = 16.0, 24.0
	k := pen.Letter{Size: 15}
	levels := len(d.Tree.Levels)
	shown := max(0, min(levels, 1+int(math.Floor((height/cos30-first-12)/step))))
	sin, cos := math.Sincos(math.Pi / 6) // the edge runs down to the right
	at := d.point([3]float64{})
	for i := range shown {
		level := shown - 1 - i
		long := float64(d.Tree.Size(level)[0]) * d.Scale
		away := first + step*float64(i)
		x, y := at[0]-away*sin, at[1]+away*cos
		c.Line(x, y, x+long*cos, y+long*sin, 1, palette.Ink)
		for _, end := range []float64{0, long} {
			ex, ey := x+end*cos, y+end*sin
			c.Line(ex+5*sin, ey-5*cos, ex-5*sin, ey+5*cos, 1, palette.Ink)
		}
		s := text(level)
		w := c.Width(s, k)
		tx, ty := x+long/2*cos, y+long/2*sin
		c.Add(scene.Turn{Angle: math.Pi / 6, X: tx, Y: ty})
		if w+16 < long {
			x0, y0, x1, y1 := tx-w/2-6, ty-9, tx+w/2+6, ty+9
			c.Polygon([][2]float64{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, color.White)
			c.Text(s, k, tx, ty, 0.5, palette.Ink)
		} else { // behind a line that is too short
			c.Text(s, k, tx+long/2+8, ty, 0, palette.Ink)
		}
		c.Add(scene.End{})
	}
}
