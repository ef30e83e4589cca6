package layout

import "github.com/plenum-planner/plenum/units"

// Standing is a position of a row whose positions are stated one by one.
type Standing struct {
	Left units.Length // edge of its rack at smaller x
	// Off is the distance of the middle of its rack from the middle of the row, positive towards +y.
	Off      units.Length
	Reserved bool   // the position is to stay empty
	For      string // purpose of a reserved position, "" if not stated
}

// leastGap is the smallest distance between two stated positions of a row that counts as a gap.
const leastGap units.Length = 0.3

// layOutPositions lays out a row whose positions are stated one by one, except for its y.
func (s *RoomSpec) layOutPositions(row *Row, stand []Standing) {
	lo, hi := units.Length(0), units.Length(0)
	row.Left = make([]units.Length, len(stand))
	for p := range stand {
		row.Left[p] = stand[p].Left
		half := s.Type(row.typeOf(p)).Depth / 2
		if p == 0 {
			lo, hi = stand[p].Off-half, stand[p].Off+half
		}
		lo, hi = min(lo, stand[p].Off-half), max(hi, stand[p].Off+half)
		if stand[p].Off != 0 && row.off == nil {
			row.off = make([]units.Length, len(stand))
		}
	}
	for p := range row.off {
		row.off[p] = stand[p].Off
	}
	row.X0, row.Depth = row.Left[0], hi-lo
}

// KeptFor returns the purpose of a reserved position (from 1) of a row (from 0), "" if not stated.
func (s *RoomSpec) KeptFor(row, number int) string {
	if row >= len(s.List) {
		return ""
	}
	if l := &s.List[row]; l.Stand != nil {
		return l.Stand[number-1].For
	}
	return s.List[row].For
}

// gapsOfLongest returns the numbers of the positions of the longest row that have a gap after them.
func (s *RoomSpec) gapsOfLongest() []int {
	var out []int
	if s.List != nil {
		for i := range s.List {
			if l := &s.List[i]; l.Stand != nil && l.Racks == s.PerRow {
				return s.gapsAfter(l)
			}
		}
	}
	for _, g := range s.Gaps {
		if g.After < s.PerRow {
			out = append(out, g.After)
		}
	}
	return out
}

// gapsAfter returns the numbers of the positions of a row, which are stated one by one, that have a gap after them.
func (s *RoomSpec) gapsAfter(l *RowSpec) []int {
	types := l.types()
	var out []int
	for p := 1; p < len(l.Stand); p++ {
		of := 0
		if types != nil {
			of = types[p-1]
		}
		if l.Stand[p].Left-l.Stand[p-1].Left-s.Type(of).Width >= leastGap {
			out = append(out, p)
		}
	}
	return out
}

// GapsBefore returns the number of gaps before every position of a row; the index is the number of the position, from
// 1.
func (s *RoomSpec) GapsBefore(row int) []int32 {
	var after []int
	n := s.PerRow
	if s.List != nil && row < len(s.List) && s.List[row].Stand != nil {
		n = s.List[row].Racks
		after = s.gapsAfter(&s.List[row])
	} else {
		for _, g := range s.Gaps {
			if g.After < s.PerRow {
				after = append(after, g.After)
			}
		}
	}
	before := make([]int32, n+1)
	for _, p := range after {
		before[max(p+1, 0)]++
	}
	for i := 1; i < len(before); i++ {
		before[i] += before[i-1]
	}
	return before
}

// RackName is the name of a rack position, and its number in its row.
type RackName struct {
	Name   string
	Number int
}

// RackNames are the names of the rack positions of a room if these do not follow from row and number.
type RackNames struct {
	rows [][]RackName
	at   map[string]Position
}

// NewRackNames returns the RackNames of the given names of all positions, row by row.
func NewRackNames(rows [][]RackName) *RackNames {
	n := &RackNames{rows: rows, at: map[string]Position{}}
	for row, names := range rows {
		for i := range names {
			n.at[names[i].Name] = Position{row, i + 1}
		}
	}
	return n
}

// Position finds the position of a name.
func (n *RackNames) Position(name string) (Position, bool) {
	p, ok := n.at[name]
	return p, ok
}

// All returns the names of all positions, row by row.
func (n *RackNames) All() []string {
	var out []string
	for _, row := range n.rows {
		for i := range row {
			out = append(out, row[i].Name)
		}
	}
	return out
}

// of returns the name of a position (from 1) of a row (from 0); false if there is none.
func (n *RackNames) of(row, position int) (name RackName, ok bool) {
	if n == nil || row < 0 || row >= len(n.rows) || position < 1 || position > len(n.rows[row]) {
		return name, false
	}
	return n.rows[row][position-1], true
}

// PositionNumber returns the number of a position (counted from 1) of a row for output: the number that a list of racks
// gives it, else the position itself.
func (r *Room) PositionNumber(row, position int) int {
	if name, ok := r.Spec.Names.of(row, position); ok {
		return name.Number
	}
	return position
}

// Survey returns the room with its rows and positions, but without trays. The spec must be valid.
func (s RoomSpec) Survey() *Room {
	r := &Room{Spec: s, KeepOuts: s.keepOuts(), Rows: s.layOutRows()}
	for i := range r.Rows {
		r.addPositions(i)
	}
	return r
}
