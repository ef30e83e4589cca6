package render

import (
	"fmt"
	"image/color"
	"math"

	"github.com/plenum-planner/plenum/layout"
)

// trayFills are the colours of trays by how much of their limit is used.
var trayFills = [...]struct {
	upTo float64 // share of the limit
	text string
	col  color.NRGBA
}{
	{0, "cable tray without cables", color.NRGBA{0x8c, 0x8c, 0x8c, 0xb0}},
	{0.25, "tray up to 25 % of its fill limit", color.NRGBA{0x2f, 0x7d, 0x4f, 0xc8}},
	{0.5, "up to 50 % of the limit", color.NRGBA{0x9a, 0xa5, 0x1c, 0xd0}},
	{0.75, "up to 75 % of the limit", color.NRGBA{0xd9, 0x9a, 0x00, 0xd8}},
	{1, "up to the limit", color.NRGBA{0xd0, 0x5f, 0x00, 0xe0}},
	{math.Inf(1), "above the limit", color.NRGBA{0xc0, 0x10, 0x30, 0xff}},
}

// unlimitedCol is of trays that state no cross-section.
var unlimitedCol = color.NRGBA{0x8a, 0x56, 0x00, 0xa8}

// trayFill is the index in trayFills of a piece; -1 where it has no limit.
func (d *roomDrawing) trayFill(piece int32) int {
	limit := d.trays.Rules[d.trays.Network.LevelOf(piece)].Fill
	fill := d.trays.Fill(piece)
	switch {
	case d.trays.Loads[piece].Cables == 0:
		return 0
	case limit == 0 || fill == 0:
		return -1
	case d.trays.Excess(piece) > 0:
		return len(trayFills) - 1
	}
	for i := 1; i < len(trayFills)-2; i++ {
		if fill <= trayFills[i].upTo*limit {
			return i
		}
	}
	return len(trayFills) - 2
}

// count finds the fullest piece of tray.
func (d *roomDrawing) count() {
	if d.trays == nil {
		return
	}
	for i := range d.trays.Loads {
		d.most = max(d.most, d.trays.Loads[i].Cables)
	}
}

// trayLegend explains the trays.
func (d *roomDrawing) trayLegend() []legendItem {
	if d.trays == nil {
		return nil
	}
	var seen [len(trayFills)]bool
	unlimited, unknown, atLeast := false, false, false
	for piece := range d.trays.Loads {
		if !d.trays.Network.Laid(int32(piece)) {
			continue
		}
		l := &d.trays.Loads[piece]
		atLeast = atLeast || l.Bare > 0 && l.Area() > 0
		switch i := d.trayFill(int32(piece)); {
		case i >= 0:
			seen[i] = true
		case l.Bare > 0 && l.Area() == 0:
			unknown = true
		default:
			unlimited = true
		}
	}
	var out []legendItem
	item := func(text string, col color.Color) {
		out = append(out, legendItem{text, func(c *canvas, b box) {
			y := (b.Y0 + b.Y1) / 2
			c.fill(box{b.X0, y - 3, b.X1, y + 3}, col)
		}})
	}
	for i, f := range trayFills {
		if seen[i] {
			item(f.text, f.col)
		}
	}
	if unlimited {
		item("cable tray without a stated cross-section", unlimitedCol)
	}
	if unknown {
		item("fill not known: cables without a stated diameter", unlimitedCol)
	}
	if atLeast {
		item("fills are lower bounds: some cables state no diameter", color.Transparent)
	}
	if d.most > 0 && len(out) > 0 {
		text := fmt.Sprintf("trays are as wide as their share of cables (most: %s)", grouped(d.most))
		if n := len(d.trays.Rules); n > 1 {
			text += ", levels side by side:"
			for i, l := range d.trays.Network.Levels {
				if i > 0 {
					text += ","
				}
				text += " " + l.Name
			}
		}
		item(text, color.Transparent)
	}
	return out
}

// trayLines draws the trays, each piece as wide as its share of the cables, the
// levels side by side.
func (d *roomDrawing) trayLines() {
	if d.trays == nil {
		return
	}
	d.layer("trays")
	band := max(2, min(16, 0.3*float64(d.room.Spec.Rack.Depth)*d.Scale))
	levels := float64(len(d.trays.Rules))
	widest := max(1, band/levels)
	for piece := range int32(len(d.trays.Loads)) {
		if !d.trays.Network.Laid(piece) {
			continue
		}
		p := d.trays.Network.Piece(piece)
		col := unlimitedCol
		if i := d.trayFill(piece); i >= 0 {
			col = trayFills[i].col
		}
		width := 1.0
		if d.most > 0 {
			width += (widest - 1) * float64(d.trays.Loads[piece].Cables) / float64(d.most)
		}
		aside := (float64(p.Level) - (levels-1)/2) * (band / levels)
		x0, y0 := d.point(layout.FloorPoint(p.From.X, p.From.Y))
		x1, y1 := d.point(layout.FloorPoint(p.To.X, p.To.Y))
		switch {
		case p.From.Y == p.To.Y:
			d.bar(box{x0, y0 + aside - width/2, x1, y0 + aside + width/2}, col)
		case p.From.X == p.To.X:
			d.bar(box{x0 + aside - width/2, y1, x0 + aside + width/2, y0}, col)
		default:
			d.line(x0+aside, y0, x1+aside, y1, max(width, 1.5), col)
		}
	}
}
