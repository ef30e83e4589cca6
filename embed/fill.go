package embed

import (
	"cmp"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
)

// Fill is the order in which the rack positions of a room are filled.
type Fill uint8

// The ways to fill rows.
const (
	FillByGroups   Fill = iota // keep groups of racks together; positions may stay free for that
	FillRows                   // row by row, without free positions between racks
	FillColdAisles             // by pairs of rows that face a common cold aisle, without free positions
	FillHotAisles              // by pairs of rows with a common hot aisle behind them, without free positions
)

// assignInTurn gives racks the first free positions, row by row or by pairs of rows, and reports whether all found one.
// Where these violate limits of rows or anti-affinity rules, it tries again with more positions, and moves racks up
// within their rows to leave no free ones between them.
func (fl *floor) assignInTurn(room *layout.Room, free []bool, places []int32) bool {
	n := len(fl.inRack)
	for i := range fl.f.racks {
		if at := fl.f.racks[i].home; at.class != InRack && at.block == fl.block &&
			fl.f.placedTemplate(int32(i)) == nil {
			n++
		}
	}
	most := 0
	for _, is := range free {
		if is {
			most++
		}
	}
	rows := fl.p.unitsOfRows(room)
	for m := min(n, most); ; m = min(m+max(1, n/16), most) {
		first := firstPlaces(room, rows, free, m)
		if fl.assignTo(room, first, places, anywhere) {
			closeHoles(room, fl, places, first)
			kept := fl.block > 0 || fl.keepApart(room, places, first)
			if kept {
				closeHoles(room, fl, places, first)
			}
			if fl.tooClose = fl.block == 0 && fl.f.antiAffinityViolation(room, places) != nil; !fl.tooClose {
				return true
			}
		}
		if m == most {
			return false
		}
	}
}

// unitsOfRows lists the units that are filled one after the other: single rows, or pairs of rows at the same aisle.
func (p *Problem) unitsOfRows(room *layout.Room) [][]int {
	var out [][]int
	paired := make([]bool, len(room.Rows))
	for i := range room.Rows {
		if paired[i] {
			continue
		}
		unit := []int{i}
		if j := p.partner(room, i, paired); j >= 0 {
			unit, paired[j] = append(unit, j), true
		}
		out = append(out, unit)
	}
	return out
}

// partner returns the row on the other side of the aisle that row i forms a pair at, -1 if there is none: the nearest
// row of the same hall at a larger Y that overlaps it in X. It must be turned the other way and not be in a pair yet.
func (p *Problem) partner(room *layout.Room, i int, paired []bool) int {
	a := &room.Rows[i]
	if p.Fill == FillRows || a.Turned != (p.Fill == FillColdAisles) {
		return -1
	}
	best := -1
	for j := range room.Rows {
		b := &room.Rows[j]
		if b.Hall == a.Hall && b.Y > a.Y+room.Spec.Rack.Depth/2 && b.X0 < a.X1 && a.X0 < b.X1 &&
			(best < 0 || b.Y < room.Rows[best].Y) {
			best = j
		}
	}
	if best >= 0 && (paired[best] || room.Rows[best].Turned == a.Turned) {
		return -1
	}
	return best
}

// firstPlaces marks the first n of the free positions: all of the first units of rows, and of the last unit the
// positions of smallest X, in both rows of a pair alike.
func firstPlaces(room *layout.Room, unitsOfRows [][]int, free []bool, n int) []bool {
	first := make([]bool, len(room.Places))
	for _, rows := range unitsOfRows {
		var places []int32
		for _, row := range rows {
			for _, place := range room.Rows[row].Position {
				if place >= 0 && free[place] {
					places = append(places, place)
				}
			}
		}
		slices.SortStableFunc(places, func(a, b int32) int {
			return cmp.Compare(millimetres(room.Places[a].X), millimetres(room.Places[b].X))
		})
		for _, place := range places[:min(n, len(places))] {
			first[place] = true
		}
		n -= min(n, len(places))
	}
	return first
}

// closeHoles moves the racks of each row with free positions between racks to the first positions of the row: racks of
// class EndOfRow last, and racks of class MiddleOfRow in the middle.
func closeHoles(room *layout.Room, fl *floor, places []int32, free []bool) {
	racks := fl.f.racks
	rackAt := make([]int32, len(room.Places))
	for i := range rackAt {
		rackAt[i] = -1
	}
	for r, place := range places {
		if racks[r].home.block == fl.block {
			rackAt[place] = int32(r)
		}
	}
	for i := range room.Rows {
		var row, others, middles, ends []int32
		hole, holes := false, false
		for _, place := range room.Rows[i].Position {
			if place < 0 || !free[place] {
				continue
			}
			row = append(row, place)
			r := rackAt[place]
			if r < 0 {
				hole = true
				continue
			}
			holes = holes || hole
			switch racks[r].home.class {
			case EndOfRow:
				ends = append(ends, r)
			case MiddleOfRow:
				middles = append(middles, r)
			default:
				others = append(others, r)
			}
		}
		if !holes {
			continue
		}
		half := len(others) / 2
		for k, r := range slices.Concat(others[:half], middles, others[half:], ends) {
			places[r] = row[k]
		}
	}
}

// checkHoles returns an error if pinned boxes leave a free position between racks although Problem.Fill does not allow
// one; nil otherwise.
func (r *filled) checkHoles() error {
	if r.f.p.Fill == FillByGroups {
		return nil
	}
	held := make([]bool, len(r.room.Places))
	for i, place := range r.places {
		held[place] = r.f.racks[i].state.boxes > 0
	}
	for i := range r.room.Rows {
		last, hole := false, int32(-1)
		for _, place := range r.room.Rows[i].Position {
			switch {
			case place < 0:
			case held[place] && hole >= 0:
				return diag.Fieldf("Fill", "the given places leave rack position %s free between racks\n"+
					"leave fill out, or list places without holes", r.room.Name(int(hole)))
			case held[place]:
				last = true
			case last && hole < 0:
				hole = place
			}
		}
	}
	return nil
}
