package render

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"strings"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// smallestCell is the least side, in pixels, of a container that is drawn in a picture; smallestShape in a file with an
// entry for each.
const smallestCell, smallestShape = 3, 8

// shades colour containers from the outermost inwards; places for boxes have a
// colour of their own.
var (
	shades = []color.RGBA{
		{0xee, 0xf2, 0xf6, 0xff},
		{0xd3, 0xe2, 0xf0, 0xff},
		{0xaf, 0xcb, 0xe6, 0xff},
		{0x86, 0xb0, 0xd8, 0xff},
		{0x5f, 0x93, 0xc4, 0xff},
	}
	placeCol = color.RGBA{0x86, 0xcf, 0xb0, 0xff}
)

// treeDrawing shows nested containers from above and from the front.
type treeDrawing struct {
	*canvas
	sheet
	tree  *layout.Tree
	least float64 // side of a container that is drawn, in pixels
}

// view is one side of nested containers: the axes that run to the right and up,
// and where its lower left corner is on the drawing.
type view struct {
	name        string
	right, up   int
	left, lower units.Length
}

func drawTree(ctx context.Context, l *letters, r *machine.Result, enlarged bool) (*canvas, error) {
	d := &treeDrawing{tree: r.Placement.Layout.Tree, least: smallestCell}
	if enlarged {
		d.least = smallestShape
	}
	views, w, h := d.views()
	b := newBlock(l, r, "Containers from above and from the front")
	p := paper{most: math.Inf(1), largest: largest}
	for range 2 { // the legend depends on the scale, and the scale on the legend's height
		d.sheet = p.arrange(float64(w), float64(h), b.headHeight, b.footHeight)
		b.legend = d.legend()
	}
	d.sheet = p.arrange(float64(w), float64(h), b.headHeight, b.footHeight)
	d.canvas = newCanvas(l, &d.sheet, orb.Point{})
	for _, v := range views {
		d.layer(strings.ReplaceAll(v.name, " ", "-"))
		d.container(ctx, v, 0, v.left, v.lower)
		d.name(v)
	}
	axes := "From above: x to the right, y upwards. From the front: x to the right, z (height) upwards."
	if enlarged {
		axes += " " + drafted(d.scene)
	}
	b.draw(d.canvas, &d.sheet, axes)
	return d.canvas, ctx.Err()
}

// views arranges the two views beside or above each other, whichever is the
// larger on a square, and returns the size of both.
func (d *treeDrawing) views() (v []view, w, h units.Length) {
	s := d.tree.Size(0)
	gap := 0.1 * max(s[0], s[1], s[2])
	top, front := view{name: "from above", right: 0, up: 1}, view{name: "from the front", right: 0, up: 2}
	besideW, besideH := 2*s[0]+gap, max(s[1], s[2])
	aboveW, aboveH := s[0], s[1]+s[2]+gap
	if max(besideW, besideH) <= max(aboveW, aboveH) {
		front.left = s[0] + gap
		return []view{top, front}, besideW, besideH
	}
	top.lower = s[2] + gap
	return []view{top, front}, aboveW, aboveH
}

// cellSize is the side of a cell of a container along an axis.
func (d *treeDrawing) cellSize(level, axis int) units.Length {
	if level+1 < len(d.tree.Levels) {
		return d.tree.Size(level + 1)[axis]
	}
	return d.tree.Levels[level].Pitch[axis]
}

// drawn tells whether the cells of a level are large enough to be seen.
func (d *treeDrawing) drawn(level int) bool {
	for axis := range 3 {
		if float64(d.cellSize(level, axis))*d.Scale < d.least {
			return false
		}
	}
	return true
}

// container draws a container and what is in it.
func (d *treeDrawing) container(ctx context.Context, v view, level int, x, y units.Length) {
	size := d.tree.Size(level)
	d.block(x, y, size[v.right], size[v.up], shades[min(level, len(shades)-1)], 0)
	if !d.drawn(level) || ctx.Err() != nil {
		return
	}
	l := &d.tree.Levels[level]
	for j := range l.Count[v.up] {
		for i := range l.Count[v.right] {
			cx, cy := x+units.Length(i)*l.Pitch[v.right], y+units.Length(j)*l.Pitch[v.up]
			if level+1 < len(d.tree.Levels) {
				d.container(ctx, v, level+1, cx, cy)
			} else {
				d.block(cx, cy, l.Pitch[v.right], l.Pitch[v.up], placeCol, 0.12)
			}
		}
	}
}

// point maps a point of a view to the picture.
func (d *treeDrawing) point(x, y units.Length) (px, py float64) { return d.at(float64(x), float64(y)) }

// block draws a rectangle, smaller than it is by a share of its sides.
func (d *treeDrawing) block(x, y, w, h units.Length, col color.RGBA, inset units.Length) {
	x0, y1 := d.point(x+inset*w, y+inset*h)
	x1, y0 := d.point(x+w-inset*w, y+h-inset*h)
	b := box{x0, y0, x1, y1}
	d.fill(b, col)
	if b.width() >= 6 && b.height() >= 6 {
		d.frame(b, 1, outline)
	}
}

// name writes the name of a view above it, and its dimensions.
func (d *treeDrawing) name(v view) {
	size := d.tree.Size(0)
	x0, y1 := d.point(v.left, v.lower)
	x1, y0 := d.point(v.left+size[v.right], v.lower+size[v.up])
	d.text(v.name, letter{size: 17, bold: true}, x0, y0-18, 0, ink)
	d.dimension(x0, y1+28, x1, y1+28, size[v.right].String())
	d.dimension(x0-30, y1, x0-30, y0, size[v.up].String())
}

// legend names the levels with their sizes.
func (d *treeDrawing) legend() []legendItem {
	var out []legendItem
	for i := range d.tree.Levels {
		l := &d.tree.Levels[i]
		what := "places for boxes"
		if i+1 < len(d.tree.Levels) {
			what = d.tree.Levels[i+1].Name
		}
		size := d.tree.Size(i)
		text := fmt.Sprintf("%s: %d × %d × %d %s, %s × %s × %s m", l.Name, l.Count[0], l.Count[1], l.Count[2], what,
			size[0].Number(), size[1].Number(), size[2].Number())
		if i > 0 && !d.drawn(i-1) {
			text += " (too small to draw)"
		}
		out = append(out, legendItem{text, filled(shades[min(i, len(shades)-1)])})
	}
	if d.drawn(len(d.tree.Levels) - 1) {
		out = append(out, legendItem{"place for a box", filled(placeCol)})
	}
	return out
}
