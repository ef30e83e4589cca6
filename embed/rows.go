package embed

import (
	"slices"

	"github.com/plenum-planner/plenum/layout"
)

// rowLoad is what the racks of a row draw, including optics, and weigh.
type rowLoad struct{ power, weight float64 }

func (l *rowLoad) add(r *rackState) {
	l.power += r.power + r.plugged
	l.weight += r.weight
}

// within reports whether the load keeps to the limits of a row.
func (l rowLoad) within(s *layout.RoomSpec) bool {
	return (s.RowPower == 0 || l.power <= float64(s.RowPower)+1e-9) &&
		(s.RowWeight == 0 || l.weight <= float64(s.RowWeight)+1e-9)
}

// rowFiller hands out places row by row. Places of a row whose load would grow
// beyond its limits are passed over.
type rowFiller struct {
	room   *layout.Room
	racks  []filledRack
	load   []rowLoad // of each row of the room
	rows   [][]int32
	row    int
	at     int
	places []int32
	how    order
	stood  int       // racks that stand
	ends   [][]int32 // of each place of rows: that behind the last of its section; nil until needed
}

// bears reports whether the next place is for racks of the type of one, and its row bears it.
func (w *rowFiller) bears(rack int32) bool {
	place := &w.room.Places[w.rows[w.row][w.at]]
	if place.Type != w.racks[rack].state.of {
		return false
	}
	load := w.load[place.Row]
	load.add(&w.racks[rack].state)
	return load.within(&w.room.Spec)
}

// group stands inRack[lo:hi], a group of nest level, in one row if one can
// hold it. It reports whether there was room.
func (w *rowFiller) group(fl *floor, lo, hi, level int) bool {
	if w.startsRow(fl, hi-lo, level) {
		w.nextRow()
	}
	if w.how == tidy && level < len(fl.groups) && w.row < len(w.rows) {
		w.toSection(hi - lo)
	}
	above := level > 0 && slices.Contains(fl.rows[:level], true) // groups within start new rows
	if level <= 0 || !above && w.row < len(w.rows) && hi-lo <= w.freePlaces() {
		return w.inTurn(fl.inRack[lo:hi])
	}
	of := fl.groups[level-1]
	for i := lo; i < hi; {
		j := i + 1
		for j < hi && of[j] == of[i] {
			j++
		}
		if !w.group(fl, i, j, level-1) {
			return false
		}
		i = j
	}
	return true
}

// startsRow reports whether a group of n racks starts a row, rather than to go on in
// one that is partly filled: because all groups of its level do, because the
// next row holds it whole, or because none does.
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

// freePlaces returns the number of free places in the row at hand, or in its section where
// these are not to be left.
func (w *rowFiller) freePlaces() int {
	if w.how == tidy {
		return w.section(w.row, w.at)
	}
	return len(w.rows[w.row]) - w.at
}

// section is the number of free places of a row from a place to the next gap.
func (w *rowFiller) section(row, at int) int {
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

// sectionEnds finds, for every place of a list, the first of the list behind it that is beyond a gap.
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

// toSection goes on to the next section that holds n racks, if one does and what is
// left of the one at hand does not.
func (w *rowFiller) toSection(n int) {
	row, at := w.row, w.at
	for row < len(w.rows) {
		if at >= len(w.rows[row]) {
			row, at = row+1, 0
			continue
		}
		size := w.section(row, at)
		if size >= n {
			w.row, w.at = row, at
			return
		}
		at += size
	}
}

// afresh stands all racks anew, each at the first place for its type whose row bears it. It reports whether there were
// enough.
func (w *rowFiller) afresh(fl *floor) bool {
	for i := range w.load {
		w.load[i] = rowLoad{}
	}
	for i := range fl.f.racks {
		if r := &fl.f.racks[i]; r.home.class != InRack {
			w.load[w.room.Places[w.places[i]].Row].add(&r.state)
		}
	}
	taken := make([]bool, len(w.room.Places))
	next := make([]int, len(w.room.Spec.Types)+1)
	free := slices.Concat(w.rows...)
	w.stood = 0
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
			if w.stood++; first {
				next[rack.of] = i + 1
			}
		}
		if !stands {
			return false
		}
	}
	return true
}

func (w *rowFiller) nextRow() {
	w.row++
	w.at = 0
}

// inTurn stands racks at the next places whose rows bear them. It reports whether
// there were enough.
func (w *rowFiller) inTurn(racks []int32) bool {
	for _, r := range racks {
		for w.row < len(w.rows) && (w.freePlaces() == 0 || !w.bears(r)) {
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
		w.stood++
	}
	return true
}
