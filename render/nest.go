package render

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
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
	small float64   // size of the smallest letters
	sides []view
	w, h  units.Length // of all views
}

// view is one side of containers: the axes that run to the right and up, and where its lower left corner is on the
// drawing.
type view struct {
	name        string
	right, up   int
	left, lower units.Length
}

// newTreeDrawing begins a drawing of containers whose smallest letters have a size.
func newTreeDrawing(r *machine.Result, letters float64) *treeDrawing {
	d := &treeDrawing{tree: r.Placement.Layout.Tree, least: smallestShape, small: letters}
	d.sides, d.w, d.h = d.views()
	d.find(r)
	return d
}

func drawTree(ctx context.Context, l *pen.Letters, r *machine.Result, enlarged bool) (*pen.Canvas, error) {
	d := newTreeDrawing(r, leastLetter)
	if !enlarged {
		d.least = smallestCell
	}
	b := newBlock(l, r, "Containers from three sides, from above and from the front")
	p := paper{most: math.Inf(1), largest: largest}
	for range 2 { // the legend depends on the scale, and the scale on the legend's height
		d.sheet = p.arrange(float64(d.w), float64(d.h), b.headHeight, b.footHeight)
		b.legend = d.legend()
	}
	d.sheet = p.arrange(float64(d.w), float64(d.h), b.headHeight, b.footHeight)
	d.drawOn(ctx, l, d.sheet)
	axes := "From three sides: x to the right and down, y to the right and up, z (height) up, each to scale. " +
		"From above: x right, y up. From the front: x right, z up."
	if enlarged {
		axes += " " + drafted(d.Scene)
	}
	b.draw(d.Canvas, &d.sheet, axes)
	return d.Canvas, ctx.Err()
}

// extent is the size of all views.
func (d *treeDrawing) extent() (wide, high float64) { return float64(d.w), float64(d.h) }

// names reports whether containers have names: the outer ones have them at every scale.
func (d *treeDrawing) names() bool { return true }

// edges are none: names stand beside the containers.
func (d *treeDrawing) edges() (rowAt, numberAt []edgeName) { return nil, nil }

// drawOn draws all views on a sheet.
func (d *treeDrawing) drawOn(ctx context.Context, l *pen.Letters, s sheet) *pen.Canvas {
	d.sheet = s
	d.Canvas = newCanvas(l, &d.sheet, orb.Point{})
	d.Layer("isometric")
	d.isometric(d.sides[0]).Draw(ctx, d.Canvas)
	d.labels(d.sides[0])
	for _, v := range d.sides[1:] {
		d.Layer(strings.ReplaceAll(v.name, " ", "-"))
		d.container(ctx, v, 0, v.left, v.lower, 0)
	}
	d.Layer("names") // on top, as views are close to each other on small sheets
	for _, v := range d.sides[1:] {
		d.name(v)
		if v.up == 1 {
			d.containerNames(v)
		}
	}
	return d.Canvas
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

// containerNames writes the numbers of rows and racks of the view from above, as their names in placement.csv end: of
// rows to the right of the view, of racks below each, where there is room between them.
func (d *treeDrawing) containerNames(v view) {
	row, rack := -1, -1
	for i := range d.tree.Levels {
		switch d.tree.Levels[i].Is {
		case layout.RoleRow:
			row = i
		case layout.RoleRack:
			rack = i
		}
	}
	if row > 0 {
		d.rowsFromAbove(v, row)
	}
	if rack > 0 {
		d.racksFromAbove(v, rack)
	}
}

// number is what sets a container apart from the others of its parent: its place along the axes that have several.
func (d *treeDrawing) number(level int, c int32) string {
	up := &d.tree.Levels[level-1]
	index := d.tree.Index(level-1, int(c)*d.tree.Cells(level))
	var parts []string
	for a, n := range up.Count {
		if n > 1 {
			parts = append(parts, strconv.Itoa(index[a]))
		}
	}
	return strings.Join(parts, ".")
}

// flat reports whether no container of a level stands above another.
func (d *treeDrawing) flat(level int) bool {
	return !slices.ContainsFunc(d.tree.Levels[:level], func(l layout.TreeLevel) bool { return l.Count[2] > 1 })
}

// containersOf is how many containers a level has.
func (d *treeDrawing) containersOf(level int) int32 {
	return int32(len(d.boxes) / d.tree.Cells(level))
}

// rowsFromAbove names the rows, to the right of the view, where they are far enough apart.
func (d *treeDrawing) rowsFromAbove(v view, row int) {
	k := pen.Letter{Size: 14, Bold: true}
	size := d.tree.Size(0)
	last := math.Inf(1)
	across := slices.ContainsFunc(d.tree.Levels[:row], func(l layout.TreeLevel) bool { return l.Count[0] > 1 })
	if across || !d.flat(row) {
		return
	}
	for c := range d.containersOf(row) {
		at := d.tree.Origin(row, c)
		x, y := d.point(v.left+size[0], v.lower+at.Y+d.tree.Size(row)[1]/2)
		if last-y < k.Size+2 {
			continue
		}
		last = y
		d.Text(d.tree.Levels[row].Name+" "+d.number(row, c), k, x+10, y, 0, palette.Ink)
	}
}

// racksFromAbove numbers the racks, below each, where there is room between them.
func (d *treeDrawing) racksFromAbove(v view, rack int) {
	if !d.flat(rack) {
		return
	}
	wide, high := math.Inf(1), math.Inf(1) // room for a number
	for i := range d.tree.Levels[:rack] {
		if l := &d.tree.Levels[i]; l.Count[0] > 1 {
			wide = min(wide, float64(l.Pitch[0])*d.Scale)
		}
		if d.tree.Levels[i].Count[1] > 1 {
			high = min(high, float64(d.tree.Gap(i)[1])*d.Scale)
		}
	}
	n := d.containersOf(rack)
	numbers, widest := make([]string, n), ""
	for c := range n {
		if numbers[c] = d.number(rack, c); len(numbers[c]) > len(widest) {
			widest = numbers[c]
		}
	}
	const largest, between = 12, 4
	k := pen.Letter{Size: min(largest, high-between)}
	for k.Size >= d.small && d.Width(widest, k)+between > wide {
		k.Size--
	}
	if k.Size < d.small {
		return
	}
	for c := range n {
		at := d.tree.Origin(rack, c)
		x, y := d.point(v.left+at.X+d.tree.Size(rack)[0]/2, v.lower+at.Y)
		d.Text(numbers[c], k, x, y+between/2+k.Size/2, 0.5, palette.Ink)
	}
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
