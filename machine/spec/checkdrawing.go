package spec

import (
	"math"
	"path/filepath"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout/drawing"
)

// Roles are the layers by what is drawn on them.
func (l *DrawingLayers) Roles() drawing.Roles {
	return drawing.Roles{
		drawing.Outline: l.Outline, drawing.Walls: l.Walls, drawing.Columns: l.Columns, drawing.KeepOuts: l.KeepOuts,
		drawing.Doors: l.Doors,
	}
}

// Edged reports whether a drawing, if there is one, gives the room its walls.
func (d *Drawing) Edged(r *Room) bool {
	return d != nil && (len(d.Layers.Outline) > 0 || len(d.Layers.Walls) > 0 && r.Width == nil && r.Depth == nil)
}

// checkDrawing checks what is said about a drawing without looking at it.
func (s *Spec) checkDrawing(report Reporter) {
	r := &s.Room
	d := r.Drawing
	if d == nil {
		return
	}
	if d.File == "" {
		report("room.drawing.file", "a drawing needs a file")
	}
	for i, v := range d.Origin {
		const most = 1e12
		if !(math.Abs(v) <= most) {
			report(diag.Elem("room.drawing.origin", i), "%v is not a coordinate of a building", v)
		}
	}
	if n := len(d.Origin); n != 0 && n != 2 {
		report("room.drawing.origin", "a point has two coordinates, not %d\nwrite [x, y]", n)
	}
	if math.Abs(d.Rotate) > 360 {
		report("room.drawing.rotate", "%v degrees are more than a full turn", d.Rotate)
	}
	if strings.EqualFold(filepath.Ext(d.File), ".png") {
		for role, names := range d.Layers.Roles() {
			if len(names) > 0 {
				report("room.drawing.layers."+string(role),
					"a picture has no layers\nremove them; it is only shown under "+
						"the floor plan")
			}
		}
	}
	if !d.Edged(r) {
		return
	}
	layers := "room.drawing.layers.outline"
	if len(d.Layers.Outline) == 0 {
		layers = "room.drawing.layers.walls"
	}
	const both = "cannot be combined with %s, which gives the room its walls\nremove one of them"
	if r.Width != nil {
		report("room.width", both, layers)
	}
	if r.Depth != nil {
		report("room.depth", both, layers)
	}
	if len(r.Halls) > 0 {
		report("room.halls", both, layers)
	}
	if d.Origin != nil {
		report("room.drawing.origin",
			"cannot be combined with %s, whose corner is that of the room\nremove one of them",
			layers)
	}
}
