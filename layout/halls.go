package layout

import (
	"fmt"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/units"
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

// HallOpening is an opening for cables in a wall or floor of a hall.
type HallOpening struct {
	Path    string // name of the path through it
	Hall    int
	Wall    Wall
	InFloor bool // it is in the floor or the ceiling, not in the Wall
	X, Y    units.Length
	// Width is that of the opening, 0 where nothing states it.
	Width units.Length
}

// HallOpenings returns the openings through which declared paths leave halls, path by path.
func (r *Room) HallOpenings() []HallOpening {
	floors := r.Spec.Floors()
	var out []HallOpening
	for i := range r.Spec.Trays.Paths {
		p := &r.Spec.Trays.Paths[i]
		for _, o := range p.Openings {
			if o == nil || o.Hall >= len(floors) {
				continue
			}
			b := floors[o.Hall].Bound
			g := HallOpening{
				Path: p.Name, Hall: o.Hall, X: units.Length(b.Min[0]) + o.X, Y: units.Length(b.Min[1]) + o.Y,
				Width: p.Width,
			}
			wide, deep := floors[o.Hall].size()
			switch {
			case o.Y <= stopTolerance:
				g.Wall = South
			case o.Y >= deep-stopTolerance:
				g.Wall = North
			case o.X <= stopTolerance:
				g.Wall = West
			case o.X >= wide-stopTolerance:
				g.Wall = East
			default:
				g.InFloor = true
			}
			out = append(out, g)
		}
	}
	return out
}

// HasSeveralFloors reports whether halls are on floors of different heights, which plans draw one behind the other.
func (r *Room) HasSeveralFloors() bool {
	for i := range r.Spec.Halls {
		if r.Spec.Halls[i].Floor != r.Spec.Halls[0].Floor {
			return true
		}
	}
	return false
}
