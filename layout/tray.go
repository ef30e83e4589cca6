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
	// Height and Width are those of the only level, if Levels is empty.
	Height, Width units.Length
	// Cross lists the rack positions after which a cross tray runs, by rising number; 0 is before the first rack. Where
	// rows differ, the numbers are those of the first of the longest rows: a cross tray connects all rows that extend
	// to its x, and skips rows between them that do not.
	Cross []int
	// Movable is true if Cross was not given by the user: cross trays may be moved to avoid obstacles.
	Movable bool
	// Unused is true if no cable runs on trays, so that they need not connect all racks.
	Unused bool
	Levels []TrayLevel
	Paths  []TrayPath
}

// TrayLevel is one layer of trays. A cable stays on one level.
type TrayLevel struct {
	Name   string
	Height units.Length // above the floor of the racks; negative under a raised floor
	Width  units.Length // of its trays together, for the distance to columns; 0 if not known
	Cross  []int        // nil stands for TraySpec.Cross
}

// TrayPath is a declared tray between rack positions of two rows, halls or floors.
type TrayPath struct {
	Name     string
	From, To Position
	Length   units.Length // between its ends; 0 stands for the taxicab distance, between floors for their heights
	Levels   []int        // levels that have it; nil for all
	// Openings are in walls or floors of halls: an end with one is there in place of From or To, and a tray leads from
	// it along the axes to the nearest point of the hall's rows. Halls with openings have walls.
	Openings [2]*Opening
	// Width and Height are the clear opening for the trays of one level; 0 for one as large as the trays.
	Width, Height units.Length
}

// Opening is where a path leaves a hall, through a wall or the floor.
type Opening struct {
	Hall int          // index of RoomSpec.Halls
	X, Y units.Length // from the hall's south-western corner
}

// Position is a position along a row, whether or not a rack can be there.
type Position struct{ Row, Number int } // Row from 0, Number from 1

// TrayNetwork is the network of trays of a room, cut into pieces: along a row
// from stop to stop (the ends of the row, the middle of every rack position, the
// cross trays), along a cross tray from row to row, every declared path, and three
// pieces wherever a row's tray is led around something.
// Pieces are numbered level by level: the rows, each from its lower end, then the
// cross trays, each from the first row, then the paths, each from its first end, then the ways around.
//
// Shortest routes are computed between junctions, the points at which a row's tray meets a cross tray or a path. The
// distances from a junction are computed when a cable first needs them. Graph returns the network for the algorithms of
// gonum.
type TrayNetwork struct {
	Levels []TrayLevel

	room      *Room
	rows      []rowStops // of each row
	paths     []TrayPath
	courses   []course    // of each path
	opens     bool        // some path has an opening
	plans     []*trayPlan // of each level; levels alike in the plane share one
	base      []int32     // first piece of each level, and the number of pieces
	placeStop []int32     // stop of each of Room.Places
	gap       []int32     // of each row: the number of the space between it and the next row of its hall, -1 for none
	gaps      int         // number of these spaces
	torn      bool        // some level does not connect all rack positions of a hall
}

// rowStops are the stops of a row's tray. Rows that are alike share the slices.
type rowStops struct {
	at    []units.Length // x of each, ascending
	of    []int32        // the stop of each position
	piece int32          // the number of the row's first piece on a level
	first int32          // the number of its first stop among those of all rows
}

// stopTolerance is the distance below which two stops count as one.
const stopTolerance units.Length = 1e-6

// layTrays lays out the trays of a room. cross has the x of the cross trays of levels without their own.
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
	t.setCourses()
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
		pieces += int64(p.pathPieces) + int64(detourPieces*len(p.detours))
		if pieces > math.MaxInt32 {
			return nil, diag.Fieldf("Trays", "more pieces of tray than can be numbered")
		}
	}
	t.base = append(t.base, int32(pieces))
	return t, nil
}

// boundaries returns the x after each of the given positions of the longest row. field is the field of an error.
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

// checkPaths returns an error about a declared path that does not connect two different rows.
func (t *TrayNetwork) checkPaths() error {
	s := &t.room.Spec
	for i, p := range t.paths {
		var halls [2]int
		for k, end := range []struct {
			key string
			at  Position
		}{{"From", p.From}, {"To", p.To}} {
			if o := p.Openings[k]; o != nil {
				if err := s.checkOpening(o, diag.Elem("Trays.Paths", i)+"."+end.key); err != nil {
					return err
				}
				halls[k] = o.Hall
				continue
			}
			if end.at.Row < 0 || end.at.Row >= s.Rows || end.at.Number < 1 ||
				end.at.Number > len(t.room.Rows[end.at.Row].Left) {
				return diag.Fieldf(diag.Elem("Trays.Paths", i)+"."+end.key,
					"there is no such rack position in %d rows of %d", s.Rows, s.PerRow)
			}
			halls[k] = t.room.Rows[end.at.Row].Hall
		}
		opens := p.Openings != [2]*Opening{}
		if opens && halls[0] == halls[1] {
			return diag.Fieldf(diag.Elem("Trays.Paths", i)+".To", "both ends are in hall %s, whose cross trays join "+
				"its rows", s.Halls[halls[0]].Name)
		}
		if !opens && p.From.Row == p.To.Row {
			return diag.Fieldf(diag.Elem("Trays.Paths", i)+".To", "both ends are on one row, whose own tray joins them")
		}
	}
	return nil
}

// checkCourses returns an error about a declared path that runs through an obstacle. Between the ends of a path only
// those without a stated length are checked, as these run straight.
func (t *TrayNetwork) checkCourses() error {
	for i := range t.paths {
		p, c := &t.paths[i], &t.courses[i]
		for level := range t.Levels {
			if p.Levels != nil && !slices.Contains(p.Levels, level) {
				continue
			}
			for piece := range c.pieces() {
				between := piece == c.between
				if between && p.Length > 0 {
					continue
				}
				a, b := c.corners[piece], c.corners[piece+1]
				line := orb.LineString{FloorPoint(a.X, a.Y), FloorPoint(b.X, b.Y)}
				for _, k := range t.obstaclesOf(level) {
					if !k.isCrossedBy(line) {
						continue
					}
					at := k.Area.Bound().Center()
					field := diag.Elem("Trays.Paths", i)
					if between {
						return diag.Fieldf(field, "the straight line from end to end runs through %s at x %.2f m, "+
							"y %.2f m\ngive the length of the way around it, or other ends", k.What(), at[0], at[1])
					}
					return diag.Fieldf(field, "the tray from the opening to row %s runs through %s at x %.2f m, y "+
						"%.2f m\nput the opening elsewhere", t.room.Rows[c.end(piece).row].Name, k.What(), at[0], at[1])
				}
			}
		}
	}
	return nil
}

// stops sets the stops of all rows and rack positions. crosses has the x of the cross trays of each level.
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
			for k := range t.courses {
				for _, e := range t.courses[k].ends {
					if e.opens && (e.row == i || r.Spec.List == nil) {
						at.at = append(at.at, e.x)
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
	for i := range t.courses {
		for k := range t.courses[i].ends {
			e := &t.courses[i].ends[k]
			e.stop = t.rows[e.row].near(e.x)
		}
	}
}

// reaches reports whether x is within a row's tray.
func (r *Row) reaches(x units.Length) bool { return x > r.X0-stopTolerance && x < r.X1+stopTolerance }

// near returns the first stop at x or after it.
func (s *rowStops) near(x units.Length) int32 {
	i, _ := slices.BinarySearch(s.at, x-stopTolerance)
	return int32(i)
}

// stopAt returns the x of a stop.
func (t *TrayNetwork) stopAt(row int, stop int32) units.Length { return t.rows[row].at[stop] }

// stopCount returns the number of stops of all rows.
func (t *TrayNetwork) stopCount() int {
	last := &t.rows[len(t.rows)-1]
	return int(last.first) + len(last.at)
}

// pieceCount returns the number of pieces of the trays of all rows on a level.
func (t *TrayNetwork) pieceCount() int { return t.stopCount() - len(t.rows) }

// rowOfPiece returns the row of a piece of a row's tray, and the stop at which the piece begins.
func (t *TrayNetwork) rowOfPiece(piece int32) (row int, stop int32) {
	row, found := slices.BinarySearchFunc(t.rows, piece, func(s rowStops, piece int32) int {
		return cmp.Compare(s.piece, piece)
	})
	if !found {
		row--
	}
	return row, piece - t.rows[row].piece
}

// nextAcross returns the next row that a cross tray at x connects to a row: the next row of its hall whose tray reaches
// x; -1 if there is none or the row's own tray does not reach x.
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

// Floor returns the height of the floor under a rack position, relative to the first hall.
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
		total += t.courses[i].length()
	}
	for i := range p.detours {
		total += t.detourLength(&p.detours[i])
	}
	return total
}

// Crosses returns the x of every cross tray of a level, ascending.
func (t *TrayNetwork) Crosses(level int) []units.Length { return slices.Clone(t.plans[level].crosses) }

// IsConnected reports whether every level connects all rack positions at which racks can be.
func (t *TrayNetwork) IsConnected() bool { return len(t.room.Spec.Halls) < 2 && !t.torn }
