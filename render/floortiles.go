package render

import (
	"math"
	"strconv"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
)

// leastTile is the least side of a tile that is drawn, in units of the drawing, and mostTiles the most along a side of
// the room.
const leastTile, mostTiles = 8, 5000

// tileLine is one direction of the grid of tiles, in metres: the first tile that reaches into the room and how many do.
type tileLine struct {
	start, side float64
	count       int
}

// tileLines are the columns and the rows of the grid.
func (d *roomDrawing) tileLines() (columns, rows tileLine) {
	line := func(corner, side, lo, hi float64) tileLine {
		const slip = 1e-6 // of a tile, that the edge of the room may lie beyond one
		first := math.Floor((lo-corner)/side + slip)
		return tileLine{corner + first*side, side, int(math.Ceil((hi-corner)/side-slip) - first)}
	}
	w, h := d.tile.Size()
	b := d.room.Bound
	return line(float64(d.tile.X), float64(w), b.Min[0], b.Max[0]),
		line(float64(d.tile.Y), float64(h), b.Min[1], b.Max[1])
}

// tiled reports whether there are tiles that can be distinguished.
func (d *roomDrawing) tiled() bool {
	if d.tile == nil {
		return false
	}
	columns, rows := d.tileLines()
	return min(columns.side, rows.side)*d.Scale >= leastTile && max(columns.count, rows.count) <= mostTiles
}

// tiles draws the grid of a raised floor.
func (d *roomDrawing) tiles() {
	if !d.tiled() {
		return
	}
	d.Layer("tiles")
	columns, rows := d.tileLines()
	p := d.Plan
	var lines [][][2]float64
	for i := range columns.count + 1 {
		if x, _ := d.point([2]float64{columns.start + float64(i)*columns.side, 0}); x > p.X0 && x < p.X1 {
			lines = append(lines, [][2]float64{{x, p.Y0}, {x, p.Y1}})
		}
	}
	for i := range rows.count + 1 {
		if _, y := d.point([2]float64{0, rows.start + float64(i)*rows.side}); y > p.Y0 && y < p.Y1 {
			lines = append(lines, [][2]float64{{p.X0, y}, {p.X1, y}})
		}
	}
	if len(lines) > 0 {
		d.Add(scene.Path{Lines: lines, Width: 1, Color: seeThrough(palette.Outline, 0x58)})
	}
}

// tileNames names columns of tiles along the upper edge and rows along the right one, all of them or as many as can be
// read.
func (d *roomDrawing) tileNames() {
	if !d.tiled() {
		return
	}
	d.Layer("tile-names")
	columns, rows := d.tileLines()
	k := pen.Letter{Size: 12}
	p := d.Plan
	const room = 10 // between two names
	step := every((d.Width(layout.RowName(columns.count-1), k) + room) / (columns.side * d.Scale))
	for i := 0; i < columns.count; i += step {
		x0, _ := d.point([2]float64{columns.start + float64(i)*columns.side, 0})
		x1, _ := d.point([2]float64{columns.start + float64(i+1)*columns.side, 0})
		x0, x1 = max(x0, p.X0), min(x1, p.X1) // of tiles that were cut, what is in the room
		d.Text(layout.RowName(i), k, (x0+x1)/2, p.Y0-20, 0.5, palette.Faint)
	}
	step = every((k.Size + room) / (rows.side * d.Scale))
	for i := 0; i < rows.count; i++ {
		if i > 0 && (i+1)%step != 0 { // 1, then round numbers
			continue
		}
		_, y0 := d.point([2]float64{0, rows.start + float64(i+1)*rows.side})
		_, y1 := d.point([2]float64{0, rows.start + float64(i)*rows.side})
		y0, y1 = max(y0, p.Y0), min(y1, p.Y1)
		d.Text(strconv.Itoa(i+1), k, p.X1+12, (y0+y1)/2, 0, palette.Faint)
	}
}

// tileLegend explains the grid.
func (d *roomDrawing) tileLegend() []pen.Item {
	if d.tile == nil {
		return nil
	}
	w, h := d.tile.Size()
	text := "tiles of the raised floor, " + w.String() + " × " + h.String()
	if !d.tiled() {
		return []pen.Item{{Text: text + ": too small to draw", Swatch: func(*pen.Canvas, pen.Box) {}}}
	}
	return []pen.Item{{Text: text + ", A1 at the lower left", Swatch: func(c *pen.Canvas, b pen.Box) {
		c.Fill(b, palette.Ground)
		c.Frame(b, 1, palette.Outline)
		c.Line((b.X0+b.X1)/2, b.Y0, (b.X0+b.X1)/2, b.Y1, 1, palette.Outline)
	}}}
}
