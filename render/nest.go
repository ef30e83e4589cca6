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
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render/isometric"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// smallestCell is the least side, in pixels, of a container that is drawn in a picture; smallestShape in a file with an
// entry for each.
const smallestCell, smallestShape = 3, 8

// Boxes have the colours of racks of their kind, free places are white.
var (
	placeCol = palette.White
	boxCols  = [...]color.RGBA{
		boxOfNode: contents[nodes].col, boxOfSwitch: contents[network].col, service: contents[serving].col,
	}
	boxTexts = [...]string{boxOfNode: "node", boxOfSwitch: "switch", service: "service box"}
)

// treeBox is what stands in a place.
type treeBox uint8

const (
	noBox treeBox = iota
	boxOfNode
	boxOfSwitch
	service
)

// treeDrawing shows containers from above, from the front, and isometrically.
type treeDrawing struct {
	*pen.Canvas
	sheet
	tree  *layout.Tree
	boxes []treeBox // of each slot
	least float64   // side of a container that is drawn, in pixels
}

// view is one side of containers: the axes that run to the right and up, and where its lower left corner is on the
// drawing.
type view struct {
	name        string
	right, up   int
	left, lower units.Length
}

func drawTree(ctx context.Context, l *pen.Letters, r *machine.Result, enlarged bool) (*pen.Canvas, error) {
	d := &treeDrawing{tree: r.Placement.Layout.Tree, least: smallestCell}
	if enlarged {
		d.least = smallestShape
	}
	views, w, h := d.views()
	d.find(r)
	b := newBlock(l, r, "Containers from three sides, from above and from the front")
	p := paper{most: math.Inf(1), largest: largest}
	for range 2 { // the legend depends on the scale, and the scale on the legend's height
		d.sheet = p.arrange(float64(w), float64(h), b.headHeight, b.footHeight)
		b.legend = d.legend()
	}
	d.sheet = p.arrange(float64(w), float64(h), b.headHeight, b.footHeight)
	d.Canvas = newCanvas(l, &d.sheet, orb.Point{})
	d.Layer("isometric")
	d.isometric(views[0]).Draw(ctx, d.Canvas)
	d.labels(views[0])
	for _, v := range views[1:] {
		d.Layer(strings.ReplaceAll(v.name, " ", "-"))
		d.container(ctx, v, 0, v.left, v.lower, 0)
		d.name(v)
	}
	axes := "From three sides: x to the right and down, y to the right and up, z (height) up, each to scale. " +
		"From above: x right, y up. From the front: x right, z up."
	if enlarged {
		axes += " " + drafted(d.Scene)
	}
	b.draw(d.Canvas, &d.sheet, axes)
	return d.Canvas, ctx.Err()
}

// find finds what stands in every slot.
func (d *treeDrawing) find(r *machine.Result) {
	d.boxes = make([]treeBox, r.Placement.Layout.Slots())
	for i, k := range r.Schedule.Kinds {
		is := boxOfNode
		switch {
		case k.Role == topology.Switch:
			is = boxOfSwitch
		case i < len(r.Spec.Boxes) && r.Spec.Boxes[i].Role == spec.Service:
			is = service
		}
		for v := k.First; v < k.First+k.Count; v++ {
			d.boxes[r.Placement.Slot[v]] = is
		}
	}
}

// isometric is the drawing from three sides.
func (d *treeDrawing) isometric(v view) *isometric.Drawing {
	_, _, corner := isometric.Extent(d.tree)
	x, y := d.point(v.left, v.lower+units.Length(corner))
	return &isometric.Drawing{
		Tree: d.tree, Scale: d.Scale, X: x, Y: y, Least: max(d.least, 5),
		Shade: func(level int) color.RGBA { return palette.Container(level) },
		Box:   func(slot int) (color.RGBA, bool) { return boxCols[d.boxes[slot]], d.boxes[slot] != noBox },
	}
}

// labels names the drawing from three sides, and its levels along its lower edge.
func (d *treeDrawing) labels(v view) {
	_, h, _ := isometric.Extent(d.tree)
	x, y := d.point(v.left, v.lower+units.Length(h))
	d.Text(v.name, pen.Letter{Size: 17, Bold: true}, x, y-18, 0, palette.Ink)
	d.isometric(v).Labels(d.Canvas, below-8, func(level int) string {
		return fmt.Sprintf("%s: %v", d.tree.Levels[level].Name, d.tree.Size(level)[0])
	})
}

// views arranges the three views so that they are as large as can be on a square: that from three sides at the left,
// or above, and of the other two that from above over that from the front, or beside it. It returns the size of all.
func (d *treeDrawing) views() (v []view, w, h units.Length) {
	s := d.tree.Size(0)
	gap := 0.15 * max(s[0], s[1], s[2])
	iw, ih, _ := isometric.Extent(d.tree)
	three := view{name: "from three sides"}
	threeW, threeH := units.Length(iw), units.Length(ih)
	best := units.Length(math.Inf(1))
	for _, aside := range []bool{true, false} {
		for _, over := range []bool{true, false} {
			top, front := view{name: "from above", right: 0, up: 1}, view{name: "from the front", right: 0, up: 2}
			twoW, twoH := s[0], s[1]+s[2]+gap
			if top.lower = s[2] + gap; !over {
				top.lower, front.left = 0, s[0]+gap
				twoW, twoH = 2*s[0]+gap, max(s[1], s[2])
			}
			first, allW, allH := three, max(threeW, twoW), threeH+gap+twoH
			if aside {
				allW, allH = threeW+2*gap+twoW, max(threeH, twoH)
				top.left, front.left = top.left+threeW+2*gap, front.left+threeW+2*gap
			} else {
				first.lower = twoH + gap
			}
			if larger := max(allW, allH); larger < best {
				best, v, w, h = larger, []view{first, top, front}, allW, allH
			}
		}
	}
	return v, w, h
}

// cellSize is the side of a cell of a container along an axis.
func (d *treeDrawing) cellSize(level, axis int) units.Length {
	if level+1 < len(d.tree.Levels) {
		return d.tree.Size(level + 1)[axis]
	}
	return d.tree.Levels[level].Pitch[axis]
}

// drawn reports whether the cells of a level are large enough to be seen.
func (d *treeDrawing) drawn(level int) bool {
	for axis := range 3 {
		if float64(d.cellSize(level, axis))*d.Scale < d.least {
			return false
		}
	}
	return true
}

// container draws a container and what is in it.
func (d *treeDrawing) container(ctx context.Context, v view, level int, x, y units.Length, slot int) {
	size := d.tree.Size(level)
	d.block(x, y, size[v.right], size[v.up], palette.Container(level), 0)
	if !d.drawn(level) || ctx.Err() != nil {
		return
	}
	l := &d.tree.Levels[level]
	n := l.Count
	each := d.tree.Cells(level) / (n[0] * n[1] * n[2]) // slots of a cell
	step := [3]int{1, n[0], n[0] * n[1]}
	nearest := slot // of what is seen: the lowest y from the front, the highest z from above
	if v.up == 1 {
		nearest += (n[2] - 1) * step[2] * each
	}
	for j := range n[v.up] {
		for i := range n[v.right] {
			cx, cy := x+units.Length(i)*l.Pitch[v.right], y+units.Length(j)*l.Pitch[v.up]
			at := nearest + (i*step[v.right]+j*step[v.up])*each
			if level+1 < len(d.tree.Levels) {
				d.container(ctx, v, level+1, cx, cy, at)
				continue
			}
			is := d.boxes[at]
			col := placeCol
			if is != noBox {
				col = boxCols[is]
			}
			d.block(cx, cy, l.Pitch[v.right], l.Pitch[v.up], col, 0.12)
		}
	}
}

// point maps a point of a view to the picture.
func (d *treeDrawing) point(x, y units.Length) (px, py float64) { return d.at(float64(x), float64(y)) }

// block draws a rectangle, smaller than it is by a share of its sides.
func (d *treeDrawing) block(x, y, w, h units.Length, col color.RGBA, inset units.Length) {
	x0, y1 := d.point(x+inset*w, y+inset*h)
	x1, y0 := d.point(x+w-inset*w, y+h-inset*h)
	b := pen.Rect(x0, y0, x1, y1)
	d.Fill(b, col)
	if b.Width() >= 6 && b.Height() >= 6 {
		d.Frame(b, 1, palette.Outline)
	}
}

// name writes the name of a view above it, and its dimensions.
func (d *treeDrawing) name(v view) {
	size := d.tree.Size(0)
	x0, y1 := d.point(v.left, v.lower)
	x1, y0 := d.point(v.left+size[v.right], v.lower+size[v.up])
	d.Text(v.name, pen.Letter{Size: 17, Bold: true}, x0, y0-18, 0, palette.Ink)
	d.Dimension(x0, y1+28, x1, y1+28, size[v.right].String())
	d.Dimension(x0-30, y1, x0-30, y0, size[v.up].String())
}

// legend names the levels with their sizes.
func (d *treeDrawing) legend() []pen.Item {
	var out []pen.Item
	for i := range d.tree.Levels {
		l := &d.tree.Levels[i]
		what := "places for boxes"
		if i+1 < len(d.tree.Levels) {
			what = d.tree.Levels[i+1].Name
		}
		size := d.tree.Size(i)
		name := l.Name
		if l.Is != "" && string(l.Is) != name {
			name += " (" + string(l.Is) + ")"
		}
		text := fmt.Sprintf("%s: %d × %d × %d %s, %s × %s × %s m", name, l.Count[0], l.Count[1], l.Count[2], what,
			size[0].Number(), size[1].Number(), size[2].Number())
		if i > 0 && !d.drawn(i-1) {
			text += " (too small to draw)"
		}
		out = append(out, pen.Item{Text: text, Swatch: pen.Filled(palette.Container(i))})
	}
	if d.drawn(len(d.tree.Levels) - 1) {
		var seen [len(boxTexts)]bool
		for _, is := range d.boxes {
			seen[is] = true
		}
		for is, text := range boxTexts {
			if seen[is] && text != "" {
				out = append(out, pen.Item{Text: text, Swatch: pen.Filled(boxCols[is])})
			}
		}
		if seen[noBox] {
			out = append(out, pen.Item{Text: "free place for a box", Swatch: pen.Filled(placeCol)})
		}
	}
	return out
}
