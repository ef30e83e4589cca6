package embed

import (
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/layout"
)

// MostBlocks is the most blocks of kinds that have rows of their own.
const MostBlocks = 10

// assignBlocks gives the racks of every block rows of their own that follow each other in one hall: the first that hold
// them, after those of the block before. Their places are no longer free.
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

// rowsFor finds the first rows from one on that hold the racks of a block, as few as can be, and gives them places
// there. It returns 0 rows where there are none.
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
			first++ // fewer rows of the hall hold no more
		}
	}
	return 0, 0
}

// refuseBlock says that a block of kinds found no rows, or that those of the blocks leave the others no positions.
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

// torn refuses rows of a block that do not follow each other, or that are not its own, as pinned boxes make them.
func (r *filled) torn() error {
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

// blockOf tells which block every row is of, 0 for none.
func (r *filled) blockOf() []int {
	out := make([]int, len(r.room.Rows))
	for i, place := range r.places {
		if b := r.f.racks[i].home.block; b > 0 {
			out[r.room.Places[place].Row] = b
		}
	}
	return out
}
