package layout

import (
	"cmp"
	"slices"

	"github.com/plenum-planner/plenum/units"
)

// Trays are called by where they are: a piece of a row's tray by the rack positions above which it runs, a piece of a
// cross tray by the positions at whose ends it leaves the rows, and a declared path by its own name.

// Called says where two pieces of one tray and all between them are: "row D, D11-D17", "cross tray D11/G11" after
// position 11 of the rows D to G ("D00" is before the first), "row D, D11 first half" where a cross tray or an end of
// the row leaves no more, "cross tray above D11/G11" where it had to be laid above the racks, or the name of a path.
func (t *TrayNetwork) Called(first, last int32) string {
	a, b := t.Piece(first), t.Piece(last)
	row, crossing := t.rowOf(first)
	switch {
	case row < 0:
		return a.Name
	case crossing:
		other, _ := t.rowOf(last)
		from, to := min(row, other), max(row, other)+1
		at, above := t.before(a.From.X), ""
		if at < len(t.stopOf) && a.From.X > t.Stops[t.stopOf[at]]-t.room.Spec.Rack.Width/2+stopTolerance {
			at, above = at+1, "above "
		}
		return "cross tray " + above + t.room.positionName(from, at) + "/" + t.room.positionName(to, at)
	}
	x0, x1 := min(a.From.X, a.To.X, b.From.X, b.To.X), max(a.From.X, a.To.X, b.From.X, b.To.X)
	lo, hi := t.positionsOver(x0, x1)
	name, middle := a.Name+", "+t.room.positionName(row, lo), t.Stops[t.stopOf[lo-1]]
	switch {
	case hi > lo:
		name += "-" + t.room.positionName(row, hi)
	case x1 < middle+stopTolerance:
		name += " first half"
	case x0 > middle-stopTolerance:
		name += " second half"
	}
	if t.ledAround(first) && t.ledAround(last) {
		name += ", led around"
	}
	return name
}

// rowOf is the row of a piece of its tray, or that from which a piece of a cross tray goes to the next; -1 for a
// declared path.
func (t *TrayNetwork) rowOf(piece int32) (row int, crossing bool) {
	level := t.LevelOf(piece)
	p, n := t.plans[level], int(piece-t.base[level])
	rows, per := len(t.room.Rows), len(t.Stops)-1
	if n < rows*per {
		return n / per, false
	}
	if n -= rows * per; n < len(p.crosses)*t.gaps {
		return slices.Index(t.gap, int32(n%t.gaps)), true
	}
	if n -= len(p.crosses) * t.gaps; n < len(p.paths) {
		return -1, false
	}
	return p.detours[(n-len(p.paths))/detourPieces].row, false
}

// ledAround tells whether a piece is of a way around something.
func (t *TrayNetwork) ledAround(piece int32) bool {
	level := t.LevelOf(piece)
	p := t.plans[level]
	return piece-t.base[level] >= t.pathPiece(p, len(p.paths))
}

// before is the number of rack positions of a row that end at or before x.
func (t *TrayNetwork) before(x units.Length) int {
	half := t.room.Spec.Rack.Width / 2
	n, _ := slices.BinarySearchFunc(t.stopOf, x, func(stop int32, x units.Length) int {
		return cmp.Compare(t.Stops[stop]+half, x+stopTolerance)
	})
	return n
}

// positionsOver are the first and the last rack position of a row above which a tray from x0 to x1 runs, from 1; where
// it runs above none, that before it.
func (t *TrayNetwork) positionsOver(x0, x1 units.Length) (first, last int) {
	half := t.room.Spec.Rack.Width / 2
	first = t.before(x0) + 1 // the first that ends behind x0
	last, _ = slices.BinarySearchFunc(t.stopOf, x1, func(stop int32, x units.Length) int {
		return cmp.Compare(t.Stops[stop]-half+stopTolerance, x)
	})
	first = min(first, len(t.stopOf))
	return min(first, max(last, 1)), max(last, 1)
}
