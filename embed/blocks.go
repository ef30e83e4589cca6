package embed

import (
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
)

// MostBlocks is the highest number of blocks (Problem.Contiguous): sets of kinds that have rows of their own.
const MostBlocks = 10

// assignBlocks gives the racks of every block adjacent rows of their own in one hall: the first rows that hold them, in
// the order of the blocks. It marks all positions of these rows as not free. It reports whether every block found rows.
func (fl *floor) assignBlocks(room *layout.Room, free []bool, places []int32, how order) bool {
	fl.cramped = 0
	next := 0 // row
	for _, part := range fl.blocks {
		first, rows := part.rowsFor(room, next, places, how)
		if rows == 0 {
			fl.cramped = part.block
			return false
		}
		for i := range room.Places {
			if row := room.Places[i].Row; row >= first && row < first+rows {
				free[i] = false
			}
		}
		next = first + rows
	}
	return true
}

// rowsFor finds the first adjacent rows, from row `from` on, that hold the racks of the block, as few as possible, and
// gives the racks positions there. It returns 0 rows if there are none.
func (fl *floor) rowsFor(room *layout.Room, from int, places []int32, how order) (first, rows int) {
	for first = from; first < len(room.Rows); first++ {
		hall := room.Rows[first].Hall
		for end := first + 1; end <= len(room.Rows) && room.Rows[end-1].Hall == hall; end++ {
			free := make([]bool, len(room.Places))
			for i := range room.Places {
				row := room.Places[i].Row
				free[i] = row >= first && row < end
			}
			if fl.assignPart(room, free, places, how) {
				return first, end - first
			}
		}
		for first+1 < len(room.Rows) && room.Rows[first+1].Hall == hall {
			first++ // if all rows of the hall from here on are too few, so are fewer of them
		}
	}
	return 0, 0
}

// refuseBlock returns the error about a block that found no rows, or about blocks whose rows leave too few positions
// for the other racks.
func (fl *floor) refuseBlock(room *layout.Room) error {
	n := 0
	for i := range fl.f.racks {
		if fl.f.racks[i].home.block == fl.cramped {
			n++
		}
	}
	if fl.cramped == 0 {
		return diag.Fieldf("Contiguous",
			"the rows that are for these boxes alone leave too few positions for the %s of "+
				"others: the room has %s", english.Count(n, "rack"), english.Count(len(room.Rows), "row"))
	}
	return diag.Fieldf(diag.Elem("Contiguous", fl.cramped-1),
		"the %s of %s find no rows of their own that follow each other: the room has %s%s",
		english.Count(n, "rack"), fl.p.Contiguous[fl.cramped-1], english.Count(len(room.Rows), "row"),
		map[bool]string{true: ", and blocks before take some"}[fl.cramped > 1])
}

// checkContiguous returns an error if pinned boxes have made the rows of a block not adjacent, shared with other boxes,
// or in two halls; nil otherwise.
func (r *filled) checkContiguous() error {
	p := r.f.p
	if len(p.Contiguous) == 0 {
		return nil
	}
	holds := make([][]bool, len(r.room.Rows)) // of each row, the blocks
	for i := range holds {
		holds[i] = make([]bool, len(p.Contiguous)+1)
	}
	for i, place := range r.places {
		if r.f.racks[i].state.boxes > 0 {
			holds[r.room.Places[place].Row][r.f.racks[i].home.block] = true
		}
	}
	for b := range len(p.Contiguous) {
		path, last := diag.Elem("Contiguous", b), -1
		for row := range holds {
			if !holds[row][b+1] {
				continue
			}
			switch name := r.room.Rows[row].Name; {
			case last >= 0 && last != row-1:
				return diag.Fieldf(path, "the given places have %s in row %s and in row %s, and not between",
					p.Contiguous[b], r.room.Rows[last].Name, name)
			case slices.Index(holds[row], true) != b+1 || slices.Contains(holds[row][b+2:], true):
				return diag.Fieldf(path, "the given places have other boxes in row %s than %s", name, p.Contiguous[b])
			case last >= 0 && r.room.Rows[last].Hall != r.room.Rows[row].Hall:
				return diag.Fieldf(path, "the given places have %s in two halls", p.Contiguous[b])
			}
			last = row
		}
	}
	return nil
}

// blockOf returns the number of the block that each row belongs to, 0 for none.
func (r *filled) blockOf() []int {
	out := make([]int, len(r.room.Rows))
	for i, place := range r.places {
		if b := r.f.racks[i].home.block; b > 0 {
			out[r.room.Places[place].Row] = b
		}
	}
	return out
}
