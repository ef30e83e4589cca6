package layout

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

// TraySpec describes the trays for data cables: on every level a tray along the
// centre line of every row, and cross trays that join the rows of a hall.
type TraySpec struct {
	// Height and Width are those of the only level, where Levels is empty.
	Height, Width units.Length
	// Cross lists the rack positions after which a cross tray runs, ascending;
	// 0 is before the first rack. Where rows differ, they are those of the longest row, the first of several: a cross
	// tray runs over all rows that reach to it, and passes over those between that do not.
	Cross []int
	// Movable tells that Cross was not given: cross trays may be laid elsewhere to keep clear of what is in their way.
	Movable bool
	// Unused tells that no cable runs on trays, so that it does not matter what they join.
	Unused bool
	Levels []TrayLevel
	Paths  []TrayPath
}

// TrayLevel is one layer of trays. A cable stays on one level.
type TrayLevel struct {
	Name   string
	Height units.Length // above the floor of the racks; negative under a raised floor
	Width  units.Length // of its trays side by side, which keeps clear of columns; 0 where it is not known
	Cross  []int        // as TraySpec.Cross when nil
}

// TrayPath is a declared tray between rack positions of two rows, halls or floors.
type TrayPath struct {
	Name     string
	From, To Position
	Length   units.Length // along the axes when 0
	Levels   []int        // that have it; all when nil
}

// Position is a position along a row, whether or not a rack can stand there.
type Position struct{ Row, Number int } // Row from 0, Number from 1

// TrayNetwork is the network of trays of a room, cut into pieces: along a row
// from stop to stop (the ends of the row, the middle of every rack position, the
// cross trays), along a cross tray from row to row, every declared path, and three
// pieces wherever a row's tray is led around something.
// Pieces are numbered level by level: the rows, each from its lower end, then the
// cross trays, each from the first row, then the paths, then the ways around.
//
// Shortest ways go over junctions: where a row's tray meets a cross tray or a
// path. Distances between them are computed once for each junction that a cable
// needs; Graph hands the network to gonum's algorithms.
type TrayNetwork struct {
	Levels []TrayLevel

	room      *Room
	rows      []rowStops // of each row
	paths     []TrayPath
	plans     []*trayPlan // of each level; levels alike in the plane share one
	base      []int32     // first piece of each level, and the number of pieces
	placeStop []int32     // of each rack position that is free
	gap       []int32     // of each row: the number of the gap to the next row of its hall, -1 for none
	gaps      int         // in all
	torn      bool        // some level does not join all rack positions of a hall
}

// rowStops are the stops of a row's tray. Rows that are alike share what is in them.
type rowStops struct {
	at    []units.Length // x of each, ascending
	of    []int32        // the stop of each position
	piece int32          // the number of the row's first piece on a level
	first int32          // the number of its first stop among those of all rows
}

// stopTolerance is far less than racks and trays are apart.
const stopTolerance units.Length = 1e-6

// layTrays lays the trays of a room, with cross trays at the given x where a level has none of its own.
func layTrays(r *Room, cross []units.Length) (*TrayNetwork, error) {
	s := &r.Spec
	t := &TrayNetwork{room: r, Levels: slices.Clone(s.Trays.Levels), paths: s.Trays.Paths}
	if len(t.Levels) == 0 {
		t.Levels = []TrayLevel{{Name: "tray", Height: s.Trays.Height, Width: s.Trays.Width}}
	}
	several := false // rows in one hall
	t.gap = make([]int32, s.Rows)
	for row := range s.Rows {
		t.gap[row] = -1
		if row+1 < s.Rows && r.Rows[row].Hall == r.Rows[row+1].Hall {
			t.gap[row], several = int32(t.gaps), true
			t.gaps++
		}
	}
	crosses := make([][]units.Length, len(t.Levels))
	for i := range t.Levels {
		l, field := &t.Levels[i], "Trays.Cross"
		if crosses[i] = cross; l.Cross != nil {
			field = diag.Elem("Trays.Levels", i) + ".Cross"
			var err error
			if crosses[i], err = r.boundaries(l.Cross, field); err != nil {
				return nil, err
			}
		}
		if len(crosses[i]) == 0 && several {
			return nil, diag.Fieldf(field, "%d rows need at least one cross tray between them", s.Rows)
		}
	}
	if err := t.checkPaths(); err != nil {
		return nil, err
	}
	t.stops(crosses)
	if err := t.checkCourses(); err != nil {
		return nil, err
	}
	pieces, last := int64(0), &t.rows[len(t.rows)-1]
	for i := range t.Levels {
		t.plans = append(t.plans, t.plan(i, crosses[i]))
		p := t.plans[i]
		t.base = append(t.base, int32(pieces))
		pieces += int64(last.piece) + int64(len(last.at)-1) + int64(len(p.crosses)*t.gaps)
		pieces += int64(len(p.paths) + detourPieces*len(p.detours))
		if pieces > math.MaxInt32 {
			return nil, diag.Fieldf("Trays", "more pieces of tray than can be numbered")
		}
	}
	t.base = append(t.base, int32(pieces))
	return t, nil
}

// boundaries are the x after the given positions of the longest row.
func (r *Room) boundaries(cross []int, field string) ([]units.Length, error) {
	out := make([]units.Length, 0, len(cross))
	for _, c := range cross {
		if c < 0 || c > r.Spec.PerRow {
			return nil, diag.Fieldf(field, "a cross tray after rack position %d: a row has %d positions", c,
				r.Spec.PerRow)
		}
		out = append(out, r.boundary(r.longest(), c))
	}
	return out, nil
}

// checkPaths finds declared paths that join no two rows.
func (t *TrayNetwork) checkPaths() error {
	s := &t.room.Spec
	for i, p := range t.paths {
		for _, end := range []struct {
			key string
			at  Position
		}{{"From", p.From}, {"To", p.To}} {
			if end.at.Row < 0 || end.at.Row >= s.Rows || end.at.Number < 1 ||
				end.at.Number > len(t.room.Rows[end.at.Row].Left) {
				return diag.Fieldf(diag.Elem("Trays.Paths", i)+"."+end.key,
					"there is no such rack position in %d rows of %d", s.Rows, s.PerRow)
			}
		}
		if p.From.Row == p.To.Row {
			return diag.Fieldf(diag.Elem("Trays.Paths", i)+".To", "both ends are on one row, whose own tray joins them")
		}
	}
	return nil
}

// checkCourses finds declared paths that run through something: those without a length of their own, which run
// straight.
func (t *TrayNetwork) checkCourses() error {
	for i := range t.paths {
		p := &t.paths[i]
		for level := range t.Levels {
			if p.Length > 0 || p.Levels != nil && !slices.Contains(p.Levels, level) {
				continue
			}
			a, b := t.over(p.From, level), t.over(p.To, level)
			line := orb.LineString{FloorPoint(a.X, a.Y), FloorPoint(b.X, b.Y)}
			for _, k := range t.obstaclesOf(level) {
				if k.isCrossedBy(line) {
					at := k.Area.Bound().Center()
					return diag.Fieldf(diag.Elem("Trays.Paths", i), "the straight line from end to end runs through "+
						"%s at x %.2f m, y %.2f m\ngive the length of the way around it, or other ends",
						k.what(), at[0], at[1])
				}
			}
		}
	}
	return nil
}

// stops collects the stops of the rows.
func (t *TrayNetwork) stops(crosses [][]units.Length) {
	r := t.room
	t.rows = make([]rowStops, len(r.Rows))
	pieces, stops := 0, 0
	for i := range r.Rows {
		row, at := &r.Rows[i], &t.rows[i]
		if i > 0 && r.Spec.List == nil {
			*at = t.rows[0]
		} else {
			at.at = []units.Length{row.X0, row.X1}
			for p := range row.Left {
				at.at = append(at.at, r.At(i, p+1).X)
			}
			for _, c := range crosses {
				for _, x := range c {
					if row.reaches(x) {
						at.at = append(at.at, x)
					}
				}
			}
			slices.Sort(at.at)
			at.at = slices.CompactFunc(at.at, func(a, b units.Length) bool { return (a - b).Abs() < stopTolerance })
			for p := range row.Left {
				at.of = append(at.of, at.near(r.At(i, p+1).X))
			}
		}
		at.piece, at.first = int32(pieces), int32(stops)
		pieces, stops = pieces+len(at.at)-1, stops+len(at.at)
	}
	t.placeStop = make([]int32, len(r.Places))
	for i := range r.Places {
		t.placeStop[i] = t.rows[r.Places[i].Row].of[r.Places[i].Number-1]
	}
}

// reaches reports whether a row's tray runs to an x.
func (r *Row) reaches(x units.Length) bool { return x > r.X0-stopTolerance && x < r.X1+stopTolerance }

// near is the first stop that is not before an x.
func (s *rowStops) near(x units.Length) int32 {
	i, _ := slices.BinarySearch(s.at, x-stopTolerance)
	return int32(i)
}

// stopAt is the x of a stop.
func (t *TrayNetwork) stopAt(row int, stop int32) units.Length { return t.rows[row].at[stop] }

// stopCount is the number of stops of all rows, pieceCount that of the pieces between them.
func (t *TrayNetwork) stopCount() int {
	last := &t.rows[len(t.rows)-1]
	return int(last.first) + len(last.at)
}

func (t *TrayNetwork) pieceCount() int { return t.stopCount() - len(t.rows) }

// rowOfPiece is the row that has a piece, and the stop at which the piece begins.
func (t *TrayNetwork) rowOfPiece(piece int32) (row int, stop int32) {
	row, found := slices.BinarySearchFunc(t.rows, piece, func(s rowStops, piece int32) int {
		return cmp.Compare(s.piece, piece)
	})
	if !found {
		row--
	}
	return row, piece - t.rows[row].piece
}

// nextAcross is the row to which a cross tray at x goes on from a row: the next of its hall that reaches to it, -1
// where
// there is none or the row does not reach to it itself.
func (r *Room) nextAcross(row int, x units.Length) int {
	if !r.Rows[row].reaches(x) {
		return -1
	}
	for next := row + 1; next < len(r.Rows) && r.Rows[next].Hall == r.Rows[row].Hall; next++ {
		if r.Rows[next].reaches(x) {
			return next
		}
	}
	return -1
}

// pathLength is what is declared, or the way along the axes between its ends.
func (t *TrayNetwork) pathLength(p *TrayPath) units.Length {
	if p.Length > 0 {
		return p.Length
	}
	return t.over(p.From, 0).Manhattan(t.over(p.To, 0))
}

// over is the point on a level above a position.
func (t *TrayNetwork) over(p Position, level int) Point {
	row := &t.room.Rows[p.Row]
	at := &t.rows[p.Row]
	return Point{at.at[at.of[p.Number-1]], row.Y, row.Z + t.Levels[level].Height}
}

// Floor is the height of the floor under a rack position.
func (t *TrayNetwork) Floor(place int32) units.Length {
	return t.room.Rows[t.room.Places[place].Row].Z
}

// Length returns the total length of the trays of a level.
func (t *TrayNetwork) Length(level int) units.Length {
	total := units.Length(0)
	p := t.plans[level]
	for row := range t.room.Rows {
		at := t.rows[row].at
		last := int32(len(at) - 1)
		if t.areJoined(p, row, 0, last) {
			total += t.room.Rows[row].X1 - t.room.Rows[row].X0
			continue
		}
		for s := range last {
			if t.areJoined(p, row, s, s+1) {
				total += at[s+1] - at[s]
			}
		}
	}
	for row := range t.room.Rows {
		n, next := 0, row+1
		for c := range p.crosses {
			to := t.across(p, c, row)
			if to < 0 {
				continue
			}
			if to != next && n > 0 {
				total += units.Length(n) * (t.room.Rows[next].Y - t.room.Rows[row].Y)
				n = 0
			}
			n, next = n+1, to
		}
		if n > 0 {
			total += units.Length(n) * (t.room.Rows[next].Y - t.room.Rows[row].Y)
		}
	}
	for _, i := range p.paths {
		total += t.pathLength(&t.paths[i])
	}
	for i := range p.detours {
		total += t.detourLength(&p.detours[i])
	}
	return total
}

// Crosses returns the x of every cross tray of a level, ascending.
func (t *TrayNetwork) Crosses(level int) []units.Length { return slices.Clone(t.plans[level].crosses) }

// IsConnected reports whether every level joins all rack positions at which racks can stand.
func (t *TrayNetwork) IsConnected() bool { return len(t.room.Spec.Halls) < 2 && !t.torn }
