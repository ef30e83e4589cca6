package layout

import (
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

// RowSpec states one row of a room whose rows differ.
type RowSpec struct {
	Name  string // "" stands for RowName of its number
	Racks int    // number of positions
	// X and Y are the left edge of the first position, and the edge of the row nearer to y = 0. A nil X stands for the
	// margin, a nil Y for the usual aisle after the rows before.
	X, Y     *units.Length
	Turned   *bool // fronts face +y; nil stands for the direction that RoomSpec.Alternate gives
	Reserved []Stretch
	Types    []TypeStretch // stretches with a rack type other than 0
	For      string        // purpose of the reserved positions, "" if not stated
	Spare    bool          // see RoomSpec.Spare; the rows after it are spare too
	// Stand states every position of the row, by rising x; X and Reserved are nil then. Nil if the positions are
	// adjacent.
	Stand []Standing
}

// TypeStretch is a stretch of positions with racks of a type; Type is as in Place.
type TypeStretch struct {
	Stretch
	Type int
}

// Stretch is a range of positions of a row, by their numbers from 1, both ends included.
type Stretch struct{ First, Last int }

// FirstRows returns the spec with only the first n rows. Gaps that none of them reaches are left out.
func (s RoomSpec) FirstRows(n int) RoomSpec {
	s.Rows = n
	if s.List == nil {
		return s
	}
	s.List, s.PerRow = s.List[:n], 0
	for i := range s.List {
		s.PerRow = max(s.PerRow, s.List[i].Racks)
	}
	s.Gaps = slices.DeleteFunc(slices.Clone(s.Gaps), func(g Gap) bool { return g.After >= s.PerRow })
	return s
}

// LeastRows returns the number of rows that are used even if fewer hold all racks: those that are not spare.
func (s *RoomSpec) LeastRows() int {
	if s.List == nil || !s.Spare {
		return s.Rows
	}
	return slices.IndexFunc(s.List, func(l RowSpec) bool { return l.Spare })
}

// reservedPositions reports, for every position, whether it is to stay empty; nil if none is.
func (l *RowSpec) reservedPositions() []bool {
	if len(l.Reserved) == 0 && l.Stand == nil {
		return nil
	}
	out := make([]bool, l.Racks)
	for _, s := range l.Reserved {
		for p := max(s.First, 1); p <= min(s.Last, l.Racks); p++ {
			out[p-1] = true
		}
	}
	for p := range l.Stand {
		out[p] = l.Stand[p].Reserved
	}
	return out
}

// types returns the rack type of each position, nil if all are of type 0.
func (l *RowSpec) types() []int {
	if len(l.Types) == 0 {
		return nil
	}
	out := make([]int, l.Racks)
	for _, s := range l.Types {
		for p := max(s.First, 1); p <= min(s.Last, l.Racks); p++ {
			out[p-1] = s.Type
		}
	}
	return out
}

// typeOf returns the rack type of a position, counted from 0.
func (r *Row) typeOf(p int) int {
	if r.types == nil {
		return 0
	}
	return r.types[p]
}

// widen corrects the positions of a row, which are laid out for racks of type 0, for the widths of its rack types, and
// sets the depth of the row to that of its deepest rack.
func (s *RoomSpec) widen(row *Row) {
	if row.types == nil {
		return
	}
	more := units.Length(0)
	row.Depth = 0
	for p, t := range row.types {
		row.Left[p] += more
		more += s.Type(t).Width - s.Rack.Width
		row.Depth = max(row.Depth, s.Type(t).Depth)
	}
}

// Type returns a rack type by its number, as in Place.Type.
func (s *RoomSpec) Type(i int) *RackType {
	if i == 0 {
		return &s.Rack
	}
	return &s.Types[i-1]
}

// TypeAt returns the rack type of a position (from 1) of a row (from 0); type 0 if there is no such position.
func (s *RoomSpec) TypeAt(row, number int) *RackType {
	if s.List != nil && row >= 0 && row < len(s.List) {
		for _, t := range s.List[row].Types {
			if number >= t.First && number <= t.Last {
				return s.Type(t.Type)
			}
		}
	}
	return &s.Rack
}

// Type returns the rack type of a place.
func (r *Room) Type(place int32) *RackType { return r.Spec.Type(r.Places[place].Type) }

// Tallest returns the number of rack units of the tallest rack type.
func (s *RoomSpec) Tallest() int {
	most := s.Rack.Units
	for i := range s.Types {
		most = max(most, s.Types[i].Units)
	}
	return most
}

// RowName returns the name of row i, counted from 0.
func (s *RoomSpec) RowName(i int) string {
	if s.List != nil && i < len(s.List) && s.List[i].Name != "" {
		return s.List[i].Name
	}
	return RowName(i)
}

// RowRacks returns the number of positions of row i, 0 if it is not known yet.
func (s *RoomSpec) RowRacks(i int) int {
	if s.List != nil && i >= 0 && i < len(s.List) {
		return s.List[i].Racks
	}
	return s.PerRow
}

// RowNumber returns the number of the row of a name, from 0; -1 if there is none. Without List any letters name a row:
// the number may be Rows or more.
func (s *RoomSpec) RowNumber(name string) int {
	if s.List == nil {
		p, ok := ParsePosition(name + "1")
		if !ok || name != strings.TrimRight(name, "0123456789") {
			return -1
		}
		return p.Row
	}
	for i := range s.List {
		if s.RowName(i) == name {
			return i
		}
	}
	return -1
}

// Position finds a rack position by its name: by Names if these are stated, else by the name of its row and its number,
// "A03", and "12-03" where the name of the row ends with a digit. Without Names, whether the row has so many positions
// is not checked, and without List neither whether there is such a row.
func (s *RoomSpec) Position(name string) (Position, bool) {
	if s.Names != nil {
		return s.Names.Position(name)
	}
	if s.List == nil {
		return ParsePosition(name)
	}
	row := strings.TrimRight(name, "0123456789")
	n, err := strconv.Atoi(name[len(row):])
	if err != nil || n < 1 || n > MaxPlaces {
		return Position{}, false
	}
	for _, called := range []string{row, strings.TrimSuffix(row, "-")} {
		if i := s.RowNumber(called); i >= 0 && called != "" {
			return Position{i, n}, true
		}
	}
	return Position{}, false
}

// Example returns the name of a position, as an example for messages.
func (s *RoomSpec) Example() string {
	if s.List == nil {
		return "A03"
	}
	if name, ok := s.Names.of(0, min(3, s.RowRacks(0))); ok {
		return name.Name
	}
	return s.positionName(s.RowName(0), min(3, s.RowRacks(0)))
}

// checkList returns a diag.FieldError if the rows of List are not possible as they are stated.
func (s *RoomSpec) checkList() error {
	if len(s.List) != s.Rows {
		return diag.Fieldf("List", "%d rows are stated, of %d in all", len(s.List), s.Rows)
	}
	names := map[string]int{}
	for i := range s.List {
		l, at := &s.List[i], diag.Elem("List", i)
		if l.Racks < 1 || l.Racks > s.PerRow {
			return diag.Fieldf(at+".Racks", "a row of %d racks in a room whose longest has %d", l.Racks, s.PerRow)
		}
		if l.Stand != nil && len(l.Stand) != l.Racks {
			return diag.Fieldf(at+".Stand", "%d of %d positions are stated", len(l.Stand), l.Racks)
		}
		if other, again := names[s.RowName(i)]; again {
			return diag.Fieldf(at+".Name", "row %d is called %s as well", other+1, s.RowName(i))
		}
		names[s.RowName(i)] = i
		for k, r := range l.Reserved {
			if r.First < 1 || r.Last < r.First || r.Last > l.Racks {
				return diag.Fieldf(diag.Elem(at+".Reserved", k), "positions %d to %d of a row of %d", r.First, r.Last,
					l.Racks)
			}
		}
	}
	for i := range s.List {
		var taken []bool
		for k, t := range s.List[i].Types {
			at := diag.Elem(diag.Elem("List", i)+".Types", k)
			if t.First < 1 || t.Last < t.First || t.Last > s.List[i].Racks {
				return diag.Fieldf(at, "positions %d to %d of a row of %d", t.First, t.Last, s.List[i].Racks)
			}
			if t.Type < 0 || t.Type > len(s.Types) {
				return diag.Fieldf(at, "racks of type %d, of %d types", t.Type, len(s.Types))
			}
			if taken == nil {
				taken = make([]bool, s.List[i].Racks)
			}
			for p := t.First; p <= t.Last; p++ {
				if taken[p-1] {
					return diag.Fieldf(at, "position %d has a type already", p)
				}
				taken[p-1] = true
			}
		}
	}
	return s.checkFloor(s.layOutRows())
}

// checkFloor returns a diag.FieldError if rows are outside the room, overlap, or are not sorted by y.
func (s *RoomSpec) checkFloor(rows []Row) error {
	first := 0 // row of the hall
	floors := s.Floors()
	for i := range rows {
		r, l, at := &rows[i], &s.List[i], diag.Elem("List", i)
		if rows[first].Hall != r.Hall {
			first = i
		}
		margin := func(given *units.Length) units.Length {
			if given != nil {
				return 0
			}
			return s.Margin
		}
		if i > 0 && r.Y0 < rows[i-1].Y0-fitTolerance {
			return diag.Fieldf(at+".Y", "row %s stands at y = %v, the row %s before it at %v\n"+
				"list the rows from the south wall to the north", r.Name, r.Y0.Round4(), rows[i-1].Name,
				rows[i-1].Y0.Round4())
		}
		if floors != nil {
			name, floor := "the room", &floors[0]
			if len(s.Halls) > 0 {
				name, floor = "hall "+s.Halls[r.Hall].Name, &floors[r.Hall]
			}
			wide, deep := floor.size()
			south := units.Length(floor.Bound.Min[1])
			x, y := at+".Racks", at
			if l.X != nil {
				x = at + ".X"
			}
			if l.Y != nil {
				y = at + ".Y"
			}
			if end := (r.X1 + margin(l.X)).Round4(); end > wide+fitTolerance {
				return diag.Fieldf(x, "row %s takes up to x = %v; %s is %v wide", r.Name, end, name, wide.Round4())
			}
			if r.Y0 < south-fitTolerance {
				return diag.Fieldf(y, "row %s begins at y = %v; %s begins at %v", r.Name, r.Y0.Round4(), name,
					south.Round4())
			}
			if end := (r.Y1 + margin(l.Y) - south).Round4(); end > deep+fitTolerance {
				from := ""
				if south > 0 {
					from = ", from y = " + south.Round4().String()
				}
				return diag.Fieldf(y, "row %s takes up to y = %v; %s is %v deep%s\n"+
					"%s would have to be at least %v deep for all rows", r.Name, (end + south).Round4(),
					name, deep.Round4(), from, name, s.depthFor(rows, r.Hall, south))
			}
		}
		for j := i - 1; j >= first && rows[j].Y1 > r.Y0-s.deepest(); j-- {
			o := &rows[j]
			if o.Y1 > r.Y0+fitTolerance && o.X1 > r.X0+fitTolerance && r.X1 > o.X0+fitTolerance {
				return diag.Fieldf(at, "row %s stands on the floor of row %s: from x %v to %v, from y %v to %v",
					r.Name, o.Name, max(o.X0, r.X0).Round4(), min(o.X1, r.X1).Round4(), r.Y0.Round4(),
					min(o.Y1, r.Y1).Round4())
			}
		}
	}
	return nil
}

// depthFor returns the depth that the rows of a hall need, with the margins of rows that state no y.
func (s *RoomSpec) depthFor(rows []Row, hall int, south units.Length) units.Length {
	most := units.Length(0)
	for i := range rows {
		if rows[i].Hall != hall {
			continue
		}
		end := rows[i].Y1 - south
		if s.List[i].Y == nil {
			end += s.Margin
		}
		most = max(most, end)
	}
	return most.Round4()
}

// deepest returns the depth of the deepest rack type.
func (s *RoomSpec) deepest() units.Length {
	most := s.Rack.Depth
	for i := range s.Types {
		most = max(most, s.Types[i].Depth)
	}
	return most
}

// aisles sets Aisles: the floor between each row and the nearest row of its hall before it that it overlaps in x.
func (r *Room) aisles() {
	for i := 1; i < len(r.Rows); i++ {
		row := &r.Rows[i]
		for j := i - 1; j >= 0 && r.Rows[j].Hall == row.Hall; j-- {
			before := &r.Rows[j]
			x0, x1 := max(before.X0, row.X0), min(before.X1, row.X1)
			if x0 >= x1 || before.Y1 >= row.Y0 {
				continue
			}
			r.Aisles = append(r.Aisles, Aisle{
				Cold: before.Turned || !row.Turned, Before: j, After: i,
				Bound: orb.Bound{Min: FloorPoint(x0, before.Y1), Max: FloorPoint(x1, row.Y0)},
			})
			break
		}
	}
}

// longest returns the number of the first row with the most positions.
func (r *Room) longest() int {
	return max(0, slices.IndexFunc(r.Rows, func(row Row) bool { return len(row.Left) == r.Spec.PerRow }))
}

// boundary returns the x of the boundary after position c of a row, from 1: the middle of a gap there or the edge
// between two racks. It is an end of the row for 0 and for the last position.
func (r *Room) boundary(row, c int) units.Length {
	l := &r.Rows[row]
	if c == 0 {
		return l.X0
	}
	end := l.Left[c-1] + r.Spec.Type(l.typeOf(c-1)).Width
	if c == len(l.Left) {
		return end
	}
	return (end + l.Left[c]) / 2
}
