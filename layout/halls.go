package layout

import (
	"fmt"

	"github.com/paulmach/orb"
)

// Title returns the name of a hall for drawings, with the height of its floor where that is another than that of the
// first hall.
func (h *Hall) Title() string {
	if h.Floor == 0 {
		return h.Name
	}
	return fmt.Sprintf("%s, floor at %v", h.Name, h.Floor.Round4())
}

// HallBounds returns the floor of each hall: between its walls, or under its rows where halls have no walls. It is nil
// for a room without halls.
func (r *Room) HallBounds() []orb.Bound {
	var out []orb.Bound
	if r.Spec.hallsHaveWalls() {
		for _, f := range r.Spec.Floors() {
			out = append(out, f.Bound)
		}
		return out
	}
	for hall := range r.Spec.Halls {
		b, some := orb.Bound{}, false
		for i := range r.Rows {
			row := &r.Rows[i]
			if row.Hall != hall {
				continue
			}
			of := orb.Bound{Min: FloorPoint(row.X0, row.Y0), Max: FloorPoint(row.X1, row.Y1)}
			if some {
				of = b.Union(of)
			}
			b, some = of, true
		}
		out = append(out, b)
	}
	return out
}
