package layout

import (
	"slices"
	"sort"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/units"
)

// Trays do not run through obstacles: keep-outs that reach up to them. A piece of a row's tray that would is left
// out, and the tray makes a detour in three pieces (aside, along, and back), if that stays on its side of the middle of
// the aisle. A piece of a cross tray that would is left out.

// trayClearance is the distance between a detour and the obstacle.
const trayClearance units.Length = 0.05

// trayDetour is the detour of a row's tray around an obstacle.
type trayDetour struct {
	row      int
	from, to int32        // stops, from < to
	y        units.Length // of the part that runs along the row
}

// detourPieces is the number of pieces of a detour: aside, along and back.
const detourPieces = 3

// blocks reports whether a keep-out reaches up to trays at a height above its floor.
func (k *KeepOut) blocks(height units.Length) bool {
	return k.Why == Column || k.Why == Walled || height >= 0 && k.Height > height
}

// halfWidth returns half the width of the trays of a level, limited to half the depth of the racks and at least 0.05 m.
func (t *TrayNetwork) halfWidth(level int) units.Length {
	const least = 0.1
	return min(max(t.Levels[level].Width, least), max(t.room.Spec.deepest(), least)) / 2
}

// obstacles are the keep-outs that trays of one level cannot run through.
type obstacles []*KeepOut

// obstaclesOf returns the obstacles of a level.
func (t *TrayNetwork) obstaclesOf(level int) obstacles {
	var out obstacles
	for i := range t.room.KeepOuts {
		if k := &t.room.KeepOuts[i]; k.blocks(t.Levels[level].Height) {
			out = append(out, k)
		}
	}
	return out
}

// between returns the obstacles that reach into the band of the floor from y0 to y1.
func (o obstacles) between(y0, y1 units.Length) obstacles {
	var out obstacles
	for _, k := range o {
		if b := k.Area.Bound(); b.Max[1] > float64(y0) && b.Min[1] < float64(y1) {
			out = append(out, k)
		}
	}
	return out
}

// meets reports whether an obstacle overlaps an area of the floor.
func (o obstacles) meets(b orb.Bound) bool {
	return slices.ContainsFunc(o, func(k *KeepOut) bool { return k.covers(b) })
}

// strip returns the area of the floor under a tray from a to b, along one of the axes. half is half its width.
func strip(a, b orb.Point, half units.Length) orb.Bound {
	s := orb.MultiPoint{a, b}.Bound()
	side := 0
	if a[1] == b[1] {
		side = 1
	}
	s.Min[side] -= float64(half)
	s.Max[side] += float64(half)
	return s
}

// obstruct finds the pieces of a level that obstacles block, and the detours of rows' trays.
func (t *TrayNetwork) obstruct(p *trayPlan, level int) {
	all := t.obstaclesOf(level)
	if len(all) == 0 {
		return
	}
	half := t.halfWidth(level)
	p.section = make([]int32, t.stopCount())
	p.closed = make([]bool, len(p.crosses)*t.gaps)
	for row := range t.room.Rows {
		blocked := t.blockedAlong(row, all, half)
		section := p.section[t.rows[row].first:][:len(t.rows[row].at)]
		for i, is := range blocked {
			section[i+1] = section[i]
			if is {
				section[i+1]++
			}
		}
		for _, run := range runs(blocked) {
			if d, ok := t.around(row, run, blocked, all, half); ok {
				p.detours = append(p.detours, d)
			}
		}
		if g := t.gap[row]; g >= 0 {
			for c, x := range p.crosses {
				if to := t.across(p, c, row); to >= 0 {
					p.closed[c*t.gaps+int(g)] = t.isClosed(row, to, x, all, half)
				}
			}
		}
	}
}

// isClosed reports whether an obstacle blocks a cross tray at x from a row to another.
func (t *TrayNetwork) isClosed(row, to int, x units.Length, all obstacles, half units.Length) bool {
	a, b := t.room.Rows[row].Y, t.room.Rows[to].Y
	return all.between(a, b).meets(strip(FloorPoint(x, a), FloorPoint(x, b), half))
}

// blockedAlong reports, for each piece of a row's tray, whether an obstacle blocks it.
func (t *TrayNetwork) blockedAlong(row int, all obstacles, half units.Length) []bool {
	y, stops := t.room.Rows[row].Y, t.rows[row].at
	blocked := make([]bool, len(stops)-1)
	for _, k := range all.between(y-half, y+half) {
		x0, x1 := units.Length(k.Area.Bound().Min[0]), units.Length(k.Area.Bound().Max[0])
		first := sort.Search(len(blocked), func(i int) bool { return stops[i+1] > x0 })
		for i := first; i < len(blocked) && stops[i] < x1; i++ {
			a, b := FloorPoint(stops[i], y), FloorPoint(stops[i+1], y)
			blocked[i] = blocked[i] || k.covers(strip(a, b, half))
		}
	}
	return blocked
}

// runs returns the first and the last index of each run of blocked pieces.
func runs(blocked []bool) [][2]int {
	var out [][2]int
	for i, is := range blocked {
		switch {
		case !is:
		case i > 0 && blocked[i-1]:
			out[len(out)-1][1] = i
		default:
			out = append(out, [2]int{i, i})
		}
	}
	return out
}

// around returns the shortest detour of a row's tray around a run of blocked pieces, on either side. It may leave the
// row up to three stops before the run and return as many after it. There is none at the ends of a row, or if it would
// leave the room or cross the middle of an aisle.
func (t *TrayNetwork) around(row int, run [2]int, blocked []bool, all obstacles, half units.Length) (trayDetour, bool) {
	const back = 3 // stops to which a tray goes back to find room for its turn
	if run[0] == 0 || run[1] == len(blocked)-1 {
		return trayDetour{}, false
	}
	y := t.room.Rows[row].Y
	below, above := t.aside(row, -1), t.aside(row, 1)
	near := all.between(y-below, y+above)
	best, found := trayDetour{}, false
	length := func(d trayDetour) units.Length { return t.stopAt(row, d.to) - t.stopAt(row, d.from) + 2*(d.y-y).Abs() }
	for i := run[0]; i >= max(run[0]-back, 0) && (i == run[0] || !blocked[i]); i-- {
		for j := run[1] + 1; j <= min(run[1]+1+back, len(blocked)) && (j == run[1]+1 || !blocked[j-1]); j++ {
			for _, side := range []struct{ sign, limit units.Length }{{1, above}, {-1, below}} {
				d := trayDetour{row: row, from: int32(i), to: int32(j)}
				var ok bool
				d.y, ok = t.clearOf(&d, side.sign, side.limit, near, half)
				if ok && (!found || length(d) < length(best)) {
					best, found = d, true
				}
			}
		}
	}
	return best, found
}

// aside returns how far a detour of a row's tray may go from the row's centre line, towards the next row (1) or the
// previous one (-1).
func (t *TrayNetwork) aside(row, towards int) units.Length {
	rows := t.room.Rows
	if other := t.room.neighbour(row, towards); other >= 0 {
		return (rows[other].Y - rows[row].Y).Abs() / 2
	}
	return rows[row].Depth/2 + t.room.Spec.Margin
}

// clearOf moves a detour aside until no obstacle blocks it, and returns the y at which it runs; false if that is not
// possible within the limit.
func (t *TrayNetwork) clearOf(d *trayDetour, sign, limit units.Length, near obstacles, half units.Length,
) (units.Length, bool) {
	y, x0, x1 := t.room.Rows[d.row].Y, t.stopAt(d.row, d.from), t.stopAt(d.row, d.to)
	at := y
	for range len(near) + 1 {
		along := strip(FloorPoint(x0-half, at), FloorPoint(x1+half, at), half)
		i := slices.IndexFunc(near, func(k *KeepOut) bool { return k.covers(along) })
		if i < 0 {
			break
		}
		b := near[i].Area.Bound()
		if at = units.Length(b.Max[1]) + half + trayClearance; sign < 0 {
			at = units.Length(b.Min[1]) - half - trayClearance
		}
	}
	if sign*(at-y) <= 0 || sign*(at-y)+half > limit+1e-9 {
		return 0, false
	}
	for _, x := range []units.Length{x0, x1} {
		if near.meets(strip(FloorPoint(x, y), FloorPoint(x, at), half)) {
			return 0, false
		}
	}
	return at, !near.meets(strip(FloorPoint(x0-half, at), FloorPoint(x1+half, at), half))
}

// corners returns the four corners of a detour, from its end at the lower x.
func (t *TrayNetwork) corners(d *trayDetour, height units.Length) [detourPieces + 1]Point {
	row := &t.room.Rows[d.row]
	z, x0, x1 := row.Z+height, t.stopAt(d.row, d.from), t.stopAt(d.row, d.to)
	return [...]Point{{x0, row.Y, z}, {x0, d.y, z}, {x1, d.y, z}, {x1, row.Y, z}}
}

// areJoined reports whether the tray of a row connects two of its stops directly, with no blocked piece between them.
func (t *TrayNetwork) areJoined(p *trayPlan, row int, a, b int32) bool {
	return p.section == nil || p.section[t.rows[row].first+a] == p.section[t.rows[row].first+b]
}

// IsObstructed reports whether the trays of a level have detours around obstacles, or cross trays are interrupted by
// them.
func (t *TrayNetwork) IsObstructed(level int) bool {
	p := t.plans[level]
	return len(p.detours) > 0 || slices.Contains(p.closed, true)
}

// IsLaid reports whether a piece exists: pieces that obstacles block have numbers but do not exist.
func (t *TrayNetwork) IsLaid(piece int32) bool {
	level := t.LevelOf(piece)
	p, n := t.plans[level], int(piece-t.base[level])
	rows := t.pieceCount()
	switch {
	case n < rows:
		row, stop := t.rowOfPiece(int32(n))
		return t.areJoined(p, row, stop, stop+1)
	case n < rows+len(p.crosses)*t.gaps:
		n -= rows
		return t.across(p, n/t.gaps, slices.Index(t.gap, int32(n%t.gaps))) >= 0
	}
	return true
}
