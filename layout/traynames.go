package layout

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/plenum-planner/plenum/units"
)

// Trays are named by their location: a piece of a row's tray by the rack positions below it, a piece of a
// cross tray by the positions after which it leaves the rows, and a declared path by its own name.

// DescribeRun returns the location of two pieces of one tray and all pieces between them: "row D, D11-D17"; "cross tray
// D11/G11" for one after position 11 of the rows D to G ("D00" is before the first position); "row D, D11 first half"
// where the run covers half a position; "cross tray above D11/G11" for one above racks; or the name of a path, with "to
// row D" for the tray from its opening to that row. Where a cross tray or an opening meets a row above a rack, the text
// also has the x of the ends, as positions do not distinguish the pieces.
func (t *TrayNetwork) DescribeRun(first, last int32) string {
	a, b := t.Piece(first), t.Piece(last)
	row, crossing := t.rowOf(first)
	switch {
	case row < 0:
		return t.describePath(first, last)
	case crossing:
		from, to := row, t.rowAcross(last)
		if other, _ := t.rowOf(last); other < row {
			from, to = other, t.rowAcross(first)
		}
		at, above := t.endsBefore(from, a.From.X)
		behind, _ := t.endsBefore(to, a.From.X)
		name := "cross tray "
		if above {
			name += "above "
		}
		name += t.room.PositionName(from, at) + "/" + t.room.PositionName(to, behind)
		if t.astray(from, a.From.X) {
			name += fmt.Sprintf(" (x %v)", a.From.X.Round4())
		}
		return name
	}
	x0, x1 := min(a.From.X, a.To.X, b.From.X, b.To.X), max(a.From.X, a.To.X, b.From.X, b.To.X)
	lo, hi := t.positionsOver(row, x0, x1)
	name, middle := a.Name+", "+t.room.PositionName(row, lo), t.stopAt(row, t.rows[row].of[lo-1])
	switch {
	case hi > lo && strings.Contains(t.room.PositionName(row, hi), "-"):
		name += " to " + t.room.PositionName(row, hi)
	case hi > lo:
		name += "-" + t.room.PositionName(row, hi)
	case x1 < middle+stopTolerance:
		name += " first half"
	case x0 > middle-stopTolerance:
		name += " second half"
	}
	if t.astray(row, x0) || t.astray(row, x1) {
		name += fmt.Sprintf(" (x %v to %v)", x0.Round4(), x1.Round4())
	}
	if t.ledAround(first) && t.ledAround(last) {
		name += ", led around"
	}
	return name
}

// describePath returns the name of a declared path; with the row to which it leads if both pieces are between that row
// and the opening of the path.
func (t *TrayNetwork) describePath(first, last int32) string {
	level := t.LevelOf(first)
	p, base := t.plans[level], t.base[level]+t.firstOfPaths(t.plans[level])
	path, a := t.pathOf(p, int(first-base))
	_, b := t.pathOf(p, int(last-base))
	name, c := t.paths[path].Name, &t.courses[path]
	if (a < c.between) == (b < c.between) && (a > c.between) == (b > c.between) && a != c.between {
		name += " to row " + t.room.Rows[c.end(a).row].Name
	}
	return name
}

// rowOf returns the row of a piece of a row's tray or of a detour around an obstacle; for a piece of a cross tray, the
// row from which it leads to the next row, and true; for a declared path -1.
func (t *TrayNetwork) rowOf(piece int32) (row int, crossing bool) {
	level := t.LevelOf(piece)
	p, n := t.plans[level], int(piece-t.base[level])
	rows := t.pieceCount()
	if n < rows {
		row, _ = t.rowOfPiece(int32(n))
		return row, false
	}
	if n -= rows; n < len(p.crosses)*t.gaps {
		return slices.Index(t.gap, int32(n%t.gaps)), true
	}
	if n -= len(p.crosses) * t.gaps; n < p.pathPieces {
		return -1, false
	}
	return p.detours[(n-p.pathPieces)/detourPieces].row, false
}

// ledAround reports whether a piece belongs to a detour around an obstacle.
func (t *TrayNetwork) ledAround(piece int32) bool {
	level := t.LevelOf(piece)
	p := t.plans[level]
	return piece-t.base[level] >= t.firstOfPaths(p)+int32(p.pathPieces)
}

// rowAcross returns the row at which a piece of a cross tray ends.
func (t *TrayNetwork) rowAcross(piece int32) int {
	level := t.LevelOf(piece)
	p, n := t.plans[level], int(piece-t.base[level])-t.pieceCount()
	row := slices.Index(t.gap, int32(n%t.gaps))
	if to := t.across(p, n/t.gaps, row); to >= 0 {
		return to
	}
	return row + 1
}

// endsBefore returns the position of a row after which a cross tray at x leaves it, and whether the tray is above the
// rack of that position.
func (t *TrayNetwork) endsBefore(row int, x units.Length) (position int, above bool) {
	at := t.before(row, x)
	if left := t.room.Rows[row].Left; at < len(left) && x > left[at]+stopTolerance {
		return at + 1, true
	}
	return at, false
}

// astray reports whether a stop of a row is neither above the middle of a position, nor between two positions, nor at
// an end of the row. Such a stop is at a cross tray that runs between the racks of another row, whose positions are at
// other x, or before the opening of a path.
func (t *TrayNetwork) astray(row int, x units.Length) bool {
	if t.room.Spec.List == nil && !t.opens {
		return false
	}
	of := t.rows[row].of
	if _, middle := slices.BinarySearch(of, t.rows[row].near(x)); middle {
		return false
	}
	at := t.before(row, x)
	return (t.room.boundary(row, at)-x).Abs() > stopTolerance &&
		(t.room.boundary(row, min(at+1, len(of)))-x).Abs() > stopTolerance
}

// before returns the number of rack positions of a row that end at or before x.
func (t *TrayNetwork) before(row int, x units.Length) int {
	l := &t.room.Rows[row]
	return sort.Search(len(l.Left), func(p int) bool {
		return l.Left[p]+t.room.Spec.Type(l.typeOf(p)).Width >= x+stopTolerance
	})
}

// positionsOver returns the first and the last rack position, from 1, of a row below a tray from x0 to x1; if there is
// none below it, the one before it.
func (t *TrayNetwork) positionsOver(row int, x0, x1 units.Length) (first, last int) {
	first = t.before(row, x0) + 1 // the first that ends behind x0
	left := t.room.Rows[row].Left
	last = sort.Search(len(left), func(p int) bool { return left[p]+stopTolerance >= x1 })
	first = min(first, len(t.rows[row].of))
	return min(first, max(last, 1)), max(last, 1)
}
