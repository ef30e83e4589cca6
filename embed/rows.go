package embed

import (
	"slices"

	"github.com/plenum-planner/plenum/layout"
)

// rowLoad is the power (in W, with optics) and the weight (in kg) of the racks of a row.
type rowLoad struct{ power, weight float64 }

// add adds a rack to the load.
func (l *rowLoad) add(r *rackState) {
	l.power += r.power + r.plugged
	l.weight += r.weight
}

// within reports whether the load is within the limits of a row.
func (l rowLoad) within(s *layout.RoomSpec) bool {
	return (s.RowPower == 0 || l.power <= float64(s.RowPower)+1e-9) &&
		(s.RowWeight == 0 || l.weight <= float64(s.RowWeight)+1e-9)
}

// rowFiller gives racks the next free position, row by row. It skips positions of another rack type, and positions of
// rows whose load would exceed their limits.
type rowFiller struct {
	room   *layout.Room
	racks  []filledRack
	load   []rowLoad // of each row of the room, with the racks that have a position already
	rows   [][]int32 // free positions of each row, in the order in which they are filled; see assignTo
	row    int       // index in rows of the next position
	at     int       // index in rows[row] of the next position
	places []int32   // positions of the racks: the result
	how    order     // how strictly groups are kept together
	placed int       // number of racks that this filler gave a position
	ends   [][]int32 // for each position of rows: the index after the last of its section; nil until needed
}

// canPlace reports whether the next position has the type of a rack, and its row can bear the rack.
func (w *rowFiller) canPlace(rack int32) bool {
	place := &w.room.Places[w.rows[w.row][w.at]]
	if place.Type != w.racks[rack].state.of {
		return false
	}
	load := w.load[place.Row]
	load.add(&w.racks[rack].state)
	return load.within(&w.room.Spec)
}

// placeGroup places fl.inRack[lo:hi], a group of fl.groups[level] (or all racks, if level is len(fl.groups)), in one
// row if a row can hold it, else group by group of the next finer level. Level 0 is the finest. It reports whether
// there was room for all.
func (w *rowFiller) placeGroup(fl *floor, lo, hi, level int) bool {
	if w.startsRow(fl, hi-lo, level) {
		w.nextRow()
	}
	if w.how == tidy && level < len(fl.groups) && w.row < len(w.rows) {
		w.moveToSection(hi - lo)
	}
	above := level > 0 && slices.Contains(fl.rows[:level], true) // groups within start new rows
	if level <= 0 || !above && w.row < len(w.rows) && hi-lo <= w.freePlaces() {
		return w.placeInOrder(fl.inRack[lo:hi])
	}
	of := fl.groups[level-1]
	for i := lo; i < hi; {
		j := i + 1
		for j < hi && of[j] == of[i] {
			j++
		}
		if !w.placeGroup(fl, i, j, level-1) {
			return false
		}
		i = j
	}
	return true
}

// startsRow reports whether a group of n racks starts a new row although the current one has free positions left:
// because all groups of its level do (fl.rows), or because the group does not fit into the rest of the current row and
// either fits into the next row or is longer than the current row.
func (w *rowFiller) startsRow(fl *floor, n, level int) bool {
	if w.how < wholeRows || w.at == 0 || level < 0 || level >= len(fl.groups) {
		return false
	}
	if fl.rows[level] {
		return true
	}
	if w.row == len(w.rows) || n <= len(w.rows[w.row])-w.at {
		return false
	}
	return w.row+1 < len(w.rows) && n <= len(w.rows[w.row+1]) || n > len(w.rows[w.row])
}

// freePlaces returns the number of free positions left in the current row or, if groups are kept within sections, in
// its current section.
func (w *rowFiller) freePlaces() int {
	if w.how == tidy {
		return w.freeInSection(w.row, w.at)
	}
	return len(w.rows[w.row]) - w.at
}

// freeInSection returns the number of free positions of a row from index `at` to the next gap.
func (w *rowFiller) freeInSection(row, at int) int {
	if w.ends == nil {
		before := make([][]int32, len(w.room.Rows)) // gaps before the positions of every row
		for i := range before {
			if before[i] = before[0]; i == 0 || w.room.Spec.List != nil {
				before[i] = w.room.Spec.GapsBefore(i)
			}
		}
		for _, places := range w.rows {
			w.ends = append(w.ends, sectionEnds(w.room, places, before))
		}
	}
	if at >= len(w.rows[row]) {
		return 0
	}
	return int(w.ends[row][at]) - at
}

// sectionEnds returns, for every index of a list of positions, the index of the first later position that a gap (an
// aisle across the row, for example) separates from it; the length of the list if there is none. before has the number
// of gaps before every position of every row, as RoomSpec.GapsBefore counts them.
func sectionEnds(room *layout.Room, places []int32, before [][]int32) []int32 {
	ends := make([]int32, len(places))
	gaps := func(at int) int32 {
		p := &room.Places[places[at]]
		return before[p.Row][p.Number]
	}
	for at := len(places) - 1; at >= 0; at-- {
		ends[at] = int32(at + 1)
		if at+1 < len(places) && gaps(at) == gaps(at+1) {
			ends[at] = ends[at+1]
		}
	}
	return ends
}

// moveToSection moves on to the first section that has room for n racks, which may be the current one. If there is
// none, it does not move.
func (w *rowFiller) moveToSection(n int) {
	row, at := w.row, w.at
	for row < len(w.rows) {
		if at >= len(w.rows[row]) {
			row, at = row+1, 0
			continue
		}
		size := w.freeInSection(row, at)
		if size >= n {
			w.row, w.at = row, at
			return
		}
		at += size
	}
}

// placeUngrouped places the racks of fl.inRack again without regard to groups, each at the first free position of its
// type whose row can bear it, and reports whether there were enough. Unlike placeInOrder, it goes back to positions
// that an earlier rack skipped. Racks of other classes (network rows, ends and middles of rows) keep their positions.
func (w *rowFiller) placeUngrouped(fl *floor) bool {
	for i := range w.load {
		w.load[i] = rowLoad{}
	}
	for i := range fl.f.racks {
		if r := &fl.f.racks[i]; r.home.class != InRack {
			w.load[w.room.Places[w.places[i]].Row].add(&r.state)
		}
	}
	taken := make([]bool, len(w.room.Places))
	// next is the first index in free, by type, that may be free: it moves only past positions that were not skipped
	// because of the load of their row, since a lighter rack may still use those.
	next := make([]int, len(w.room.Spec.Types)+1)
	free := slices.Concat(w.rows...)
	w.placed = 0
	for _, r := range fl.inRack {
		rack, first, stands := &w.racks[r].state, true, false
		for i := next[rack.of]; i < len(free) && !stands; i++ {
			place := &w.room.Places[free[i]]
			if taken[free[i]] || place.Type != rack.of {
				continue
			}
			load := w.load[place.Row]
			if load.add(rack); !load.within(&w.room.Spec) {
				first = false
				continue
			}
			w.load[place.Row], w.places[r], taken[free[i]], stands = load, free[i], true, true
			if w.placed++; first {
				next[rack.of] = i + 1
			}
		}
		if !stands {
			return false
		}
	}
	return true
}

// nextRow moves on to the beginning of the next row.
func (w *rowFiller) nextRow() {
	w.row++
	w.at = 0
}

// placeInOrder places racks at the next positions of their types whose rows can bear them, and reports whether there
// were enough. Positions that it skips stay free.
func (w *rowFiller) placeInOrder(racks []int32) bool {
	for _, r := range racks {
		for w.row < len(w.rows) && (w.freePlaces() == 0 || !w.canPlace(r)) {
			if w.at++; w.at >= len(w.rows[w.row]) {
				w.nextRow()
			}
		}
		if w.row == len(w.rows) {
			return false
		}
		w.places[r] = w.rows[w.row][w.at]
		w.load[w.room.Places[w.places[r]].Row].add(&w.racks[r].state)
		w.at++
		w.placed++
	}
	return true
}
