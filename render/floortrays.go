package render

import (
	"fmt"
	"image/color"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
)

// trayFills are the words and colours of palette.TraySteps. On racks that are coloured by a quantity, trays have the
// colours beside, as one colour would mean two figures.
var trayFills = [...]struct {
	text        string
	col, beside color.NRGBA
}{
	{"tray without cables", seeThrough(palette.BareTray, 0xff), seeThrough(palette.BareTray, 0xff)},
	{"tray up to 25 % of its fill limit", seeThrough(palette.Tray(1), 0xe0), seeThrough(palette.TrayBeside(1), 0xff)},
	{"up to 50 % of the limit", seeThrough(palette.Tray(2), 0xe0), seeThrough(palette.TrayBeside(2), 0xff)},
	{"up to 75 % of the limit", seeThrough(palette.Tray(3), 0xe0), seeThrough(palette.TrayBeside(3), 0xff)},
	{"up to the limit", seeThrough(palette.Tray(4), 0xe8), seeThrough(palette.TrayBeside(4), 0xff)},
	{"above the limit", seeThrough(palette.Tray(5), 0xff), seeThrough(palette.TrayBeside(5), 0xff)},
}

// besideQuantity reports whether the racks are coloured by a quantity.
func (d *roomDrawing) besideQuantity() bool { return d.shades != nil && d.shades.byQuantity }

// trayCol is the colour of trays of a step.
func (d *roomDrawing) trayCol(step int) color.NRGBA {
	if d.besideQuantity() {
		return trayFills[step].beside
	}
	return trayFills[step].col
}

// seeThrough is a colour that what is behind it shows through.
func seeThrough(c color.RGBA, alpha uint8) color.NRGBA { return color.NRGBA{c.R, c.G, c.B, alpha} }

// unlimitedCol is of trays that state no cross-section.
var unlimitedCol = seeThrough(palette.Grey, 0xa8)

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

// hasBareTray reports whether a piece of tray that is drawn has no cables.
func (d *roomDrawing) hasBareTray() bool {
	for piece := range int32(len(d.trays.Loads)) {
		if d.trays.Network.IsLaid(piece) && d.trays.Network.LevelOf(piece) == 0 && d.trays.Loads[piece].Cables == 0 {
			return true
		}
	}
	return false
}

// trayLegend explains the trays.
func (d *roomDrawing) trayLegend() []pen.Item {
	switch {
	case d.trays == nil:
		return nil
	case d.cables != nil && d.allCables && d.cableLanes() == nil && !d.hasBareTray():
		return nil // under their bands none is to be seen
	case d.cables != nil:
		return []pen.Item{{Text: "cable tray", Swatch: func(c *pen.Canvas, b pen.Box) {
			y := (b.Y0 + b.Y1) / 2
			c.Dash = trayDash
			c.Line(b.X0, y, b.X1, y, trayLine, palette.Grey)
			c.Dash = nil
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
		if !d.trays.Network.IsLaid(int32(piece)) {
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
		switch {
		case !seen[i]:
		case i == 0: // a thin line, as on the floor
			out = append(out, pen.Item{Text: f.text, Swatch: func(c *pen.Canvas, b pen.Box) {
				y := (b.Y0 + b.Y1) / 2
				c.Fill(pen.Rect(b.X0, y-leastTray/2, b.X1, y+leastTray/2), d.trayCol(i))
			}})
		default:
			item(f.text, d.trayCol(i))
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
		text := fmt.Sprintf("line width: number of %s (most: %s)", d.counted, grouped(d.most))
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
	if d.cables != nil {
		d.Layer("trays")
	}
	band := max(2, min(16, 0.3*float64(d.room.Spec.Rack.Depth)*d.Scale))
	levels := float64(len(d.trays.Rules))
	widest := max(leastTray, band/levels)
	scale := 0.0 // of values
	if d.values != nil && d.values.Trays != nil {
		scale = d.values.largest()
	}
	line := func(piece int32, width, more float64, col color.Color) {
		p := d.trays.Network.Piece(piece)
		aside := (float64(p.Level) - (levels-1)/2) * (band / levels)
		x0, y0 := d.point(layout.FloorPoint(p.From.X, p.From.Y))
		x1, y1 := d.point(layout.FloorPoint(p.To.X, p.To.Y))
		if p.From.X != p.To.X && p.From.Y != p.To.Y {
			width = max(width, 1.5)
		}
		d.bar(x0, y0, x1, y1, aside, width+more, col)
	}
	if d.cables != nil { // where trays are, behind the cables
		d.Dash = trayDash
		defer func() { d.Dash = nil }()
		for piece := range int32(len(d.trays.Loads)) {
			if p := d.trays.Network.Piece(piece); p.Level == 0 && d.trays.Network.IsLaid(piece) {
				x0, y0 := d.point(layout.FloorPoint(p.From.X, p.From.Y))
				x1, y1 := d.point(layout.FloorPoint(p.To.X, p.To.Y))
				d.Line(x0, y0, x1, y1, trayLine, palette.Grey)
			}
		}
		return
	}
	widths, cols := make([]float64, len(d.trays.Loads)), make([]color.NRGBA, len(d.trays.Loads))
	for piece := range int32(len(d.trays.Loads)) {
		cols[piece] = unlimitedCol
		if i := d.trayFill(piece); scale > 0 {
			cols[piece] = seeThrough(palette.Heat(d.values.Trays[piece]/scale), 0xff)
		} else if i >= 0 {
			cols[piece] = d.trayCol(i)
		}
		widths[piece] = leastTray
		if d.most > 0 {
			widths[piece] += (widest - leastTray) * float64(d.trays.Loads[piece].Cables) / float64(d.most)
		}
	}
	// Edges of their own set trays off from racks of the same colour.
	d.Layer("tray-edges")
	for piece := range int32(len(d.trays.Loads)) {
		if d.trays.Network.IsLaid(piece) && (scale > 0 || !d.besideQuantity()) {
			line(piece, widths[piece], min(2*trayEdge, widths[piece]/2), palette.White)
		}
	}
	d.Layer("trays")
	for piece := range int32(len(d.trays.Loads)) {
		if d.trays.Network.IsLaid(piece) {
			line(piece, widths[piece], 0, cols[piece])
		}
	}
}

// trayLine and trayDash are of the line of a tray that lies behind cables. A tray that is coloured is leastTray units
// wide at least, so that one without cables is seen, and has light edges of trayEdge units, or a quarter of its width:
// wider ones would be what is seen of a thin tray.
const trayLine, leastTray, trayEdge = 1.2, 2.0, 1.5

var trayDash = []float64{6, 4}
