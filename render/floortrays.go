package render

import (
	"fmt"
	"image/color"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
)

// trayFills are the words and colours of palette.TraySteps.
var trayFills = [...]struct {
	text string
	col  color.NRGBA
}{
	{"cable tray without cables", seeThrough(palette.Tray(0), 0xe0)},
	{"tray up to 25 % of its fill limit", seeThrough(palette.Tray(1), 0xe0)},
	{"up to 50 % of the limit", seeThrough(palette.Tray(2), 0xe0)},
	{"up to 75 % of the limit", seeThrough(palette.Tray(3), 0xe0)},
	{"up to the limit", seeThrough(palette.Tray(4), 0xe8)},
	{"above the limit", seeThrough(palette.Tray(5), 0xff)},
}

// seeThrough is a colour that what is behind it shows through.
func seeThrough(c color.RGBA, alpha uint8) color.NRGBA { return color.NRGBA{c.R, c.G, c.B, alpha} }

// unlimitedCol is of trays that state no cross-section.
var unlimitedCol = seeThrough(palette.Grey, 0xa8)

// backCol is of trays that step back behind the cables drawn on them.
var backCol = seeThrough(palette.Outline, 0x70)

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
		if fill <= palette.TraySteps[i]*limit {
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
func (d *roomDrawing) trayLegend() []pen.Item {
	switch {
	case d.trays == nil:
		return nil
	case d.cables != nil:
		return []pen.Item{{Text: "cable tray", Swatch: func(c *pen.Canvas, b pen.Box) {
			y := (b.Y0 + b.Y1) / 2
			c.Fill(pen.Rect(b.X0, y-2, b.X1, y+2), backCol)
		}}}
	case d.values != nil && d.values.Trays != nil:
		return []pen.Item{{Text: "cable tray, by the same scale", Swatch: func(c *pen.Canvas, b pen.Box) {
			y := (b.Y0 + b.Y1) / 2
			c.Fill(pen.Rect(b.X0, y-3, b.X1, y+3), palette.Heat(0.5))
		}}}
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
	var out []pen.Item
	item := func(text string, col color.Color) {
		out = append(out, pen.Item{Text: text, Swatch: func(c *pen.Canvas, b pen.Box) {
			y := (b.Y0 + b.Y1) / 2
			c.Fill(pen.Rect(b.X0, y-3, b.X1, y+3), col)
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
		text := fmt.Sprintf("line width: number of cables (most: %s)", grouped(d.most))
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
	d.Layer("trays")
	band := max(2, min(16, 0.3*float64(d.room.Spec.Rack.Depth)*d.Scale))
	levels := float64(len(d.trays.Rules))
	widest := max(1, band/levels)
	scale := 0.0 // of values
	if d.values != nil && d.values.Trays != nil {
		scale = d.values.most()
	}
	for piece := range int32(len(d.trays.Loads)) {
		if !d.trays.Network.Laid(piece) {
			continue
		}
		p := d.trays.Network.Piece(piece)
		col := unlimitedCol
		if i := d.trayFill(piece); d.cables != nil {
			col = backCol
		} else if scale > 0 {
			col = seeThrough(palette.Heat(d.values.Trays[piece]/scale), 0xff)
		} else if i >= 0 {
			col = trayFills[i].col
		}
		width := 1.0
		if d.most > 0 && d.cables == nil {
			width += (widest - 1) * float64(d.trays.Loads[piece].Cables) / float64(d.most)
		}
		aside := (float64(p.Level) - (levels-1)/2) * (band / levels)
		x0, y0 := d.point(layout.FloorPoint(p.From.X, p.From.Y))
		x1, y1 := d.point(layout.FloorPoint(p.To.X, p.To.Y))
		switch {
		case p.From.Y == p.To.Y:
			d.Bar(pen.Rect(x0, y0+aside-width/2, x1, y0+aside+width/2), col)
		case p.From.X == p.To.X:
			d.Bar(pen.Rect(x0+aside-width/2, y1, x0+aside+width/2, y0), col)
		default:
			d.Line(x0+aside, y0, x1+aside, y1, max(width, 1.5), col)
		}
	}
}
