package layout

import (
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/units"
)

// TrayLeg is a part of a route: a run of pieces with consecutive numbers, both ends included. To is
// less than From if the route takes them by falling number.
type TrayLeg struct{ From, To int32 }

// reverse returns the leg in the opposite direction.
func (g TrayLeg) reverse() TrayLeg { return TrayLeg{g.To, g.From} }

// Pieces calls visit with the number of every piece of the leg.
func (g TrayLeg) Pieces(visit func(piece int32)) {
	step := int32(1)
	if g.To < g.From {
		step = -1
	}
	for p := g.From; ; p += step {
		visit(p)
		if p == g.To {
			return
		}
	}
}

// ReverseRoute returns the same route from its other end.
func ReverseRoute(way []TrayLeg) []TrayLeg {
	out := slices.Clone(way)
	slices.Reverse(out)
	for i := range out {
		out[i] = out[i].reverse()
	}
	return out
}

// TrayPiece is one piece of tray.
type TrayPiece struct {
	Level    int
	Name     string // "row C", "cross 2", or the name of a path
	From, To Point
	Length   units.Length
}

// rowPiece returns the number, within a level, of the piece of a row's tray that begins at a stop.
func (t *TrayNetwork) rowPiece(row int, stop int32) int32 {
	return t.rows[row].piece + stop
}

// crossPiece returns the number, within a level, of the piece of a cross tray in a space between two rows.
func (t *TrayNetwork) crossPiece(cross int, gap int32) int32 {
	return int32(t.pieceCount()+cross*t.gaps) + gap
}

// detour returns the pieces of detour i of a plan.
func (t *TrayNetwork) detour(p *trayPlan, i int) TrayLeg {
	first := t.firstOfPaths(p) + int32(p.pathPieces) + int32(detourPieces*i)
	return TrayLeg{first, first + detourPieces - 1}
}

// detourLength returns the length of a detour.
func (t *TrayNetwork) detourLength(d *trayDetour) units.Length {
	return t.stopAt(d.row, d.to) - t.stopAt(d.row, d.from) + 2*(d.y-t.room.Rows[d.row].Y).Abs()
}

// along returns the pieces of a row between two different stops.
func (t *TrayNetwork) along(row int, from, to int32) TrayLeg {
	if from < to {
		return TrayLeg{t.rowPiece(row, from), t.rowPiece(row, to-1)}
	}
	return TrayLeg{t.rowPiece(row, from-1), t.rowPiece(row, to)}
}

// Pieces returns the number of pieces of all levels.
func (t *TrayNetwork) Pieces() int { return int(t.base[len(t.Levels)]) }

// LevelOf returns the level of a piece.
func (t *TrayNetwork) LevelOf(piece int32) int {
	i, found := slices.BinarySearch(t.base, piece)
	if !found {
		i--
	}
	return i
}

// Piece describes a piece.
func (t *TrayNetwork) Piece(piece int32) TrayPiece {
	level := t.LevelOf(piece)
	p, n := t.plans[level], int(piece-t.base[level])
	rows, along := t.room.Rows, t.pieceCount()
	z := t.Levels[level].Height
	if n < along {
		at, i := t.rowOfPiece(int32(n))
		row, stops := &rows[at], t.rows[at].at
		return TrayPiece{
			level, "row " + row.Name,
			Point{stops[i], row.Y, row.Z + z},
			Point{stops[i+1], row.Y, row.Z + z},
			stops[i+1] - stops[i],
		}
	}
	n -= along
	if n < len(p.crosses)*t.gaps {
		c, row := n/t.gaps, slices.Index(t.gap, int32(n%t.gaps))
		x, a, b := p.crosses[c], &rows[row], &rows[t.rowAcross(piece)]
		return TrayPiece{level, fmt.Sprintf("cross %d", c+1), Point{x, a.Y, a.Z + z}, Point{x, b.Y, b.Z + z}, b.Y - a.Y}
	}
	n -= len(p.crosses) * t.gaps
	if n >= p.pathPieces {
		n -= p.pathPieces
		d := &p.detours[n/detourPieces]
		at := t.corners(d, z)
		from, to := at[n%detourPieces], at[n%detourPieces+1]
		return TrayPiece{level, "row " + rows[d.row].Name, from, to, from.Manhattan(to)}
	}
	path, at := t.pathOf(p, n)
	c := &t.courses[path]
	from, to := c.corners[at], c.corners[at+1]
	from.Z, to.Z = from.Z+z, to.Z+z
	return TrayPiece{level, t.paths[path].Name, from, to, c.lengths[at]}
}

// cursor describes pieces one after the other. It is fast if many successive ones are of the same row.
type cursor struct {
	t           *TrayNetwork
	first, last int32 // pieces of the present row: first to last-1
	stops       []units.Length
	level       int
	name        string
	y, z        units.Length
}

// piece returns the same as TrayNetwork.Piece.
func (c *cursor) piece(piece int32) TrayPiece {
	if piece < c.first || piece >= c.last {
		level := c.t.LevelOf(piece)
		n := piece - c.t.base[level]
		if int(n) >= c.t.pieceCount() {
			return c.t.Piece(piece)
		}
		row, stop := c.t.rowOfPiece(n)
		at := &c.t.room.Rows[row]
		c.stops, c.first = c.t.rows[row].at, piece-stop
		c.last = c.first + int32(len(c.stops)) - 1
		c.level, c.name, c.y, c.z = level, "row "+at.Name, at.Y, at.Z+c.t.Levels[level].Height
	}
	from, to := c.stops[piece-c.first], c.stops[piece-c.first+1]
	return TrayPiece{c.level, c.name, Point{from, c.y, c.z}, Point{to, c.y, c.z}, to - from}
}

// Segment is the part of a route that runs on one tray.
type Segment struct {
	Name   string // where it is: "row C, C03-C11"
	Length units.Length
}

// Describe returns the trays of a route in order, each with the length of the route on it.
func (t *TrayNetwork) Describe(way []TrayLeg) []Segment {
	var out []Segment
	tray, first, last := "", int32(0), int32(0) // of the present segment
	end := func(length units.Length) {
		if len(out) > 0 {
			out[len(out)-1] = Segment{t.DescribeRun(first, last), length}
		}
	}
	at := cursor{t: t}
	length := units.Length(0)
	for _, g := range way {
		g.Pieces(func(piece int32) {
			if piece >= at.first && piece < at.last && tray == at.name { // most are of the row of the one before
				length += at.stops[piece-at.first+1] - at.stops[piece-at.first]
				last = piece
				return
			}
			p := at.piece(piece)
			if len(out) == 0 || p.Name != tray {
				end(length)
				tray, first, length = p.Name, piece, 0
				out = append(out, Segment{})
			}
			last = piece
			length += p.Length
		})
	}
	end(length)
	return out
}

// Follow appends the corners of a route, which begins at the end nearer to the point near: the ends of its pieces,
// without those in the middle of a straight line along an axis.
func (t *TrayNetwork) Follow(out []Point, way []TrayLeg, near Point) []Point {
	apart := func(p, q Point) units.Length { return (p.X - q.X).Abs() + (p.Y - q.Y).Abs() }
	at, first := near, len(out)
	pieces := cursor{t: t}
	for _, leg := range way {
		leg.Pieces(func(piece int32) {
			p := pieces.piece(piece)
			from, to := p.From, p.To
			if apart(to, at) < apart(from, at) {
				from, to = to, from
			}
			if len(out) == first {
				out = append(out, from)
			}
			if n := len(out); n > first+1 && alongAxis(out[n-2], out[n-1], to) {
				out = out[:n-1]
			}
			out = append(out, to)
			at = to
		})
	}
	return out
}

// alongAxis reports whether q is on the line along an axis from p to r.
func alongAxis(p, q, r Point) bool {
	return p.Z == q.Z && q.Z == r.Z && (p.X == q.X && q.X == r.X || p.Y == q.Y && q.Y == r.Y)
}
