package layout

import "github.com/plenum-planner/plenum/units"

// Standing is a position of a row that is stated by itself.
type Standing struct {
	Left units.Length // edge of its rack at smaller x
	// Off is how far the middle of its rack is from the middle of the row, towards +y.
	Off      units.Length
	Reserved bool   // stays empty
	For      string // what a reserved position is kept for, "" where it is not said
}

// violation is the least free floor between two positions of a row that are stated that counts as a gap.
const violation units.Length = 0.3

// layOutPositions lays out a row whose positions are stated one by one, but for its y.
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

// KeptFor is what a reserved position from 1 of a row from 0 is kept for, "" where it is not said.
func (s *RoomSpec) KeptFor(row, number int) string {
	if row >= len(s.List) {
		return ""
	}
	if l := &s.List[row]; l.Stand != nil {
		return l.Stand[number-1].For
	}
	return s.List[row].For
}

// gapsOfLongest are the positions of the longest row behind which there is a gap.
func (s *RoomSpec) gapsOfLongest() []int {
	var out []int
	if s.List != nil {
		for i := range s.List {
			if l := &s.List[i]; l.Stand != nil && l.Racks == s.PerRow {
				return s.breaches(l)
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

// violations are the positions of a row stated one by one behind which there is a gap.
func (s *RoomSpec) breaches(l *RowSpec) []int {
	types := l.types()
	var out []int
	for p := 1; p < len(l.Stand); p++ {
		of := 0
		if types != nil {
			of = types[p-1]
		}
		if l.Stand[p].Left-l.Stand[p-1].Left-s.Type(of).Width >= violation {
			out = append(out, p)
		}
	}
	return out
}

// GapsBefore counts the gaps before every position of a row, from 1.
func (s *RoomSpec) GapsBefore(row int) []int32 {
	var after []int
	n := s.PerRow
	if s.List != nil && row < len(s.List) && s.List[row].Stand != nil {
		n = s.List[row].Racks
		after = s.breaches(&s.List[row])
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

// RackName is how a rack position is called, and its number in its row.
type RackName struct {
	Name   string
	Number int
}

// RackNames are the names of rack positions that are not called by their rows and how many come before them.
type RackNames struct {
	rows [][]RackName
	at   map[string]Position
}

// NewRackNames takes the name of every position, row by row.
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

// All are the names of all positions, row by row.
func (n *RackNames) All() []string {
	var out []string
	for _, row := range n.rows {
		for i := range row {
			out = append(out, row[i].Name)
		}
	}
	return out
}

// of is the name of a position from 1 of a row from 0; false where there is none.
func (n *RackNames) of(row, position int) (name RackName, ok bool) {
	if n == nil || row < 0 || row >= len(n.rows) || position < 1 || position > len(n.rows[row]) {
		return name, false
	}
	return n.rows[row][position-1], true
}

// PositionNumber is the number by which a position from 1 of a row is known: its own where racks are listed.
func (r *Room) PositionNumber(row, position int) int {
	if name, ok := r.Spec.Names.of(row, position); ok {
		return name.Number
	}
	return position
}

// Survey is the floor with its rows and positions, without trays, of a spec that has nothing wrong.
func (s RoomSpec) Survey() *Room {
	r := &Room{Spec: s, KeepOuts: s.keepOuts(), Rows: s.lines()}
	for i := range r.Rows {
		r.stand(i)
	}
	return r
}
