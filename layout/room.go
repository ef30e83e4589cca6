package layout

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

// RackType has the dimensions and limits of a type of racks.
type RackType struct {
	Name                 string       // "" in a room with one type
	Listed               string       // name of the type in a list of racks
	Units                int          // usable rack units
	Width, Depth, Height units.Length // outside
	Base                 units.Length // height of the bottom of U1 above the floor
	Power                units.Power  // limit of the power of its contents, 0 for none stated
	Weight               units.Mass   // limit of the weight of its contents, 0 for none stated
}

// Gap is free floor after a rack position of every row.
type Gap struct {
	After int // number of the position, from 1 to RoomSpec.PerRow - 1
	Width units.Length
}

// RoomSpec describes a room with racks in rows.
type RoomSpec struct {
	Rows, PerRow int // number of rows, and of rack positions in each
	// Spare is true if Rows is the number of rows that the floor has room for, of which only the first are used as far
	// as racks need them; with List, of its spare rows.
	Spare bool
	// Width and Depth are the floor between the walls, along x and y; 0 for a floor as large as its rows need.
	Width, Depth units.Length
	Doors        []Door // in walls
	Rack         RackType
	Cold, Hot    units.Length // aisle widths
	AisleClear   units.Length // of every aisle beside columns and keep-outs; 0 for none stated
	Alternate    bool         // rows face +y and -y in turn, the first of a hall +y; if false, all face -y
	Gaps         []Gap        // by rising After
	Margin       units.Length // free floor around the rows
	KeepOuts     []KeepOut
	RowPower     units.Power     // limit of the power of a row, 0 for none stated
	RowWeight    units.Mass      // limit of the weight of a row, 0 for none stated
	FloorLoad    units.FloorLoad // limit of the load on the floor, 0 for none stated
	Trays        TraySpec
	// Halls divide the rows; their numbers of rows add up to Rows. Empty for one hall.
	Halls []Hall
	// List states every row, by rising y. Rows is then the number of rows, and PerRow the positions of the longest row.
	// Nil if all rows are alike.
	List []RowSpec
	// Types are further rack types besides Rack, for stretches of the rows of List.
	Types []RackType
	Names *RackNames // names of the positions of List; nil if these are named by row and number
}

// Hall is a hall, or a floor of a building, with a part of the rows.
type Hall struct {
	Name string
	Rows int
	// Distance is the distance from the last row of the previous hall to the first row.
	// Where halls have walls, it is the distance from the northern wall of the previous hall to the southern wall.
	Distance units.Length
	Floor    units.Length // height of its floor above the floor of the first hall
	// Width and Depth are the floor between its walls, along x and y; 0 for a hall without walls. Either all halls of a
	// room have walls or none has. Doors are in these walls.
	Width, Depth units.Length
	Doors        []Door
}

// Row is one row of racks, laid out. Rows run along x and follow each other by rising y. The slices have an element for
// each position, position 1 first.
type Row struct {
	Name     string
	Hall     int            // index in RoomSpec.Halls; 0 if there are none
	Z        units.Length   // height of its floor
	Y        units.Length   // centre line
	Turned   bool           // fronts face +y, else -y
	X0, X1   units.Length   // left edge of the first position, right edge of the last
	Y0, Y1   units.Length   // edges of the strip that contains all racks of the row
	Depth    units.Length   // Y1 - Y0
	Ladder   orb.LineString // course of its tray: the centre line
	Position []int32        // index in Room.Places; -1 where no rack can be
	Left     []units.Length // x of the left edge
	types    []int          // rack type as in Place.Type; nil if every position has type 0
	off      []units.Length // y of the middle less Y; nil if every position is on the centre line
}

// Place is one rack position.
type Place struct {
	Row, Number int          // Row is an index in Room.Rows, Number counts from 1 along the row
	Type        int          // rack type: 0 is RoomSpec.Rack, n is RoomSpec.Types[n-1]
	X, Y        units.Length // middle of the rack
	Turned      bool         // its front faces +y, else -y
}

// Aisle is the floor between two neighbouring rows of a hall, where both extend.
type Aisle struct {
	Cold   bool // the fronts of at least one of the rows face it
	Before int  // index in Room.Rows of the row on its southern side
	After  int  // of that on its northern side
	Bound  orb.Bound
}

// Room is a floor with rack positions, whether or not racks stand on them. Lengths are in metres, x to the east and y
// to the north. The origin is the south-western corner of the floor, of the first hall where halls have walls.
type Room struct {
	Spec   RoomSpec
	Rows   []Row
	Places []Place // the positions at which racks can be, row by row
	Lost   []Lost  // the other positions, row by row: keep-outs cover them, or they are reserved
	// KeepOuts are those of Spec, and the floor before its doors.
	KeepOuts []KeepOut
	Aisles   []Aisle
	Bound    orb.Bound
	Trays    *TrayNetwork

	names []string // names of the places; nil while the room is being laid out
}

// FloorPoint returns a point of the floor as a point of package orb, in metres.
func FloorPoint(x, y units.Length) orb.Point { return orb.Point{float64(x), float64(y)} }

// offsets returns the left edge of every position of a row of n positions that begins at x and has racks of type 0.
func (s *RoomSpec) offsets(n int, x units.Length) []units.Length {
	out := make([]units.Length, n)
	gap := 0
	for p := range out {
		for ; gap < len(s.Gaps) && s.Gaps[gap].After <= p; gap++ {
			x += s.Gaps[gap].Width
		}
		out[p] = x + units.Length(p)*s.Rack.Width
	}
	return out
}

// MaxPlaces is the largest number of rack positions of a room.
const MaxPlaces = 1 << 22

// NewRoom lays out the rows and trays of a room. It does not call Complete: without Gaps or cross trays in s, there are
// none. With RoomSpec.Alternate, the first aisle of a hall is cold, and hot and cold aisles alternate. Without, and if
// List does not turn rows, every aisle has fronts on one side and backs on the other, and the greater of both widths.
// It returns an error if there are no rows, more than MaxPlaces positions, or rows or obstacles that do not fit the
// floor; diag.Fields returns the errors about fields of s.
func NewRoom(s RoomSpec) (*Room, error) {
	if s.Rows < 1 || s.PerRow < 1 || s.Rows > MaxPlaces/s.PerRow {
		return nil, fmt.Errorf("a room of %d rows of %d racks; at most %d rack positions are supported",
			s.Rows, s.PerRow, MaxPlaces)
	}
	for _, g := range s.Gaps {
		if g.After < 1 || g.After >= s.PerRow {
			return nil, diag.Fieldf("Gaps", "a gap after rack position %d: a row has %d positions", g.After, s.PerRow)
		}
	}
	if err := s.checkHalls(); err != nil {
		return nil, err
	}
	if _, err := s.Fit(); err != nil {
		return nil, err
	}
	r := s.Survey()
	x1, y1 := units.Length(0), units.Length(0)
	for i := range r.Rows {
		row := &r.Rows[i]
		x1, y1 = max(x1, row.X1), max(y1, row.Y1)
	}
	r.aisles()
	if floors := s.Floors(); len(floors) > 0 {
		r.Bound = floors[0].Bound
		for i := range floors {
			r.Bound = r.Bound.Union(floors[i].Bound)
		}
	} else {
		r.Bound = orb.Bound{Max: FloorPoint(x1+s.Margin, y1+s.Margin)}
		for _, k := range r.KeepOuts {
			r.Bound = r.Bound.Union(k.Area.Bound())
		}
	}
	trays, err := newTrayNetwork(r)
	if err != nil {
		return nil, err
	}
	r.Trays = trays
	r.names = make([]string, len(r.Places)) // computed once, as they are needed for every box
	for place, p := range r.Places {
		r.names[place] = r.PositionName(p.Row, p.Number)
	}
	return r, nil
}

// layOutRows returns the rows, without Row.Position.
func (s *RoomSpec) layOutRows() []Row {
	out := make([]Row, s.Rows)
	var alike []units.Length // left edges of the positions if all rows are alike
	if s.List == nil {
		alike = s.offsets(s.PerRow, s.Margin)
	}
	far := s.Margin      // edge of the rows so far
	hall, inHall := 0, 0 // of the row, and its number in it
	var floors []Floor   // of the halls, where these have walls
	if s.Width == 0 {
		floors = s.Floors()
	}
	for i := range out {
		if inHall++; i == 0 {
			inHall = 0
		}
		apart := len(s.Halls) > 0 && inHall == s.Halls[hall].Rows
		if apart {
			hall, inHall = hall+1, 0
			if far += s.Halls[hall].Distance; floors != nil {
				far = units.Length(floors[hall].Bound.Min[1]) + s.Margin
			}
		}
		row := &out[i]
		*row = Row{
			Name: s.RowName(i), Hall: hall, Turned: s.Alternate && inHall%2 == 0, X0: s.Margin,
			Left: alike, Depth: s.Rack.Depth,
		}
		own := &RowSpec{}
		if s.List != nil {
			own = &s.List[i]
			if own.Turned != nil {
				row.Turned = *own.Turned
			}
			if own.X != nil {
				row.X0 = *own.X
			}
			row.types = own.types()
			if own.Stand != nil {
				s.layOutPositions(row, own.Stand)
			} else {
				row.Left = s.offsets(own.Racks, row.X0)
				s.widen(row)
			}
		}
		last := len(row.Left) - 1
		row.X1 = row.Left[last] + s.Type(row.typeOf(last)).Width
		if row.Y0 = far; i > 0 && !apart {
			row.Y0 += s.aisleBetween(out[i-1].Turned, row.Turned)
		}
		if own.Y != nil {
			row.Y0 = *own.Y
		}
		row.Y, row.Y1 = row.Y0+row.Depth/2, row.Y0+row.Depth
		far = max(far, row.Y1)
		if len(s.Halls) > 0 {
			row.Z = s.Halls[hall].Floor
		}
		row.Ladder = orb.LineString{FloorPoint(row.X0, row.Y), FloorPoint(row.X1, row.Y)}
	}
	return out
}

// At returns a position of a row, by the row's index from 0 and its number from 1, whether or not a rack can be there.
// It panics if there is no such position.
func (r *Room) At(row, number int) Place {
	l := &r.Rows[row]
	t := l.typeOf(number - 1)
	p := Place{
		Row: row, Number: number, Type: t, X: l.Left[number-1] + r.Spec.Type(t).Width/2, Y: l.Y, Turned: l.Turned,
	}
	if l.off != nil {
		p.Y += l.off[number-1]
	}
	return p
}

// addPositions determines at which positions of row i racks can be, sets Row.Position, and adds each position to Places
// or Lost.
func (r *Room) addPositions(i int) {
	s, row := &r.Spec, &r.Rows[i]
	row.Position = make([]int32, len(row.Left))
	var reserved []bool
	if s.List != nil {
		reserved = s.List[i].reservedPositions()
	}
	near := r.keepOutsOf(row.Y0, row.Y1)
	for p := range row.Position {
		place := r.At(i, p+1)
		floor := place.Footprint(*s.Type(place.Type))
		blocking := slices.IndexFunc(near, func(k *KeepOut) bool { return k.bars(floor) })
		row.Position[p] = -1
		switch {
		case blocking >= 0:
			r.Lost = append(r.Lost, Lost{i, p + 1, near[blocking].Why, near[blocking].Layer})
		case reserved != nil && reserved[p]:
			r.Lost = append(r.Lost, Lost{Row: i, Number: p + 1, Why: Reserved})
		default:
			row.Position[p] = int32(len(r.Places))
			r.Places = append(r.Places, place)
		}
	}
}

// checkHalls returns an error if a hall has no rows, or if the rows of all halls are not those of s.
func (s *RoomSpec) checkHalls() error {
	rows := 0
	for i, h := range s.Halls {
		if h.Rows < 1 {
			return diag.Fieldf(diag.Elem("Halls", i)+".Rows", "a hall has at least one row")
		}
		rows += min(h.Rows, MaxPlaces)
	}
	if len(s.Halls) > 0 && rows != s.Rows {
		return diag.Fieldf("Halls", "%d rows in the halls, %d in all", rows, s.Rows)
	}
	return nil
}

// RowName returns the letter code of row i, counted from 0: A ... Z, AA, AB, ... The method RoomSpec.RowName prefers
// the name that List gives.
func RowName(i int) string {
	s := ""
	for i++; i > 0; i = (i - 1) / 26 {
		s = string(rune('A'+(i-1)%26)) + s
	}
	return s
}

// ParsePosition reads the name of a rack position by row letters, in upper case, and number, with any leading zeros:
// "A03" is the third of the first row, Position{0, 3}. It returns false for anything else, such as a name of
// RoomSpec.Names or a row name that ends with a digit. Whether a room has so many rows and positions is not checked.
func ParsePosition(name string) (Position, bool) {
	letters := strings.TrimRight(name, "0123456789")
	row := 0
	for _, c := range letters {
		if c < 'A' || c > 'Z' || row > MaxPlaces {
			return Position{}, false
		}
		row = row*26 + int(c-'A') + 1
	}
	n, err := strconv.Atoi(name[len(letters):])
	return Position{row - 1, n}, row > 0 && err == nil && n > 0 && n <= MaxPlaces
}

// Name returns the name of a rack position, by its index in Places. It is the same as PositionName of that position.
func (r *Room) Name(place int) string {
	if r.names != nil {
		return r.names[place]
	}
	p := &r.Places[place]
	return r.PositionName(p.Row, p.Number)
}

// PositionName returns the name of a position, by the row's index from 0 and its number from 1, whether or not a rack
// can be there: the name that RoomSpec.Names has, else row name and number, "A03". Numbers have two digits at least,
// and as many as PerRow. A dash separates the number from a row name that ends with a digit.
func (r *Room) PositionName(row, position int) string {
	if name, ok := r.Spec.Names.of(row, position); ok {
		return name.Name
	}
	return r.Spec.positionName(r.Rows[row].Name, position)
}

// PositionOf returns what a position, counted from 1, of row i, counted from 0, is called without names of its own.
func (s *RoomSpec) PositionOf(i, position int) string { return s.positionName(s.RowName(i), position) }

// positionName returns the name of a position: the name of its row and its number, with a dash between if the name of
// the row ends with a digit.
func (s *RoomSpec) positionName(row string, position int) string {
	number := itoa(position)
	zeros := max(2, len(itoa(s.PerRow))) - len(number)
	if last := row[len(row)-1]; last >= '0' && last <= '9' {
		row += "-"
	}
	return row + "0000000000"[:max(0, min(zeros, 10))] + number
}

// UnitHeight returns the height above the floor of the bottom of rack unit u, counted from 1. u may be above t.Units.
func (t RackType) UnitHeight(u int) units.Length {
	return t.Base + units.Length(u-1)*units.RackUnit
}

// The default gaps of Complete.
const (
	longestRun              = 20 // racks between two gaps
	walkway    units.Length = 1.2
)

// Complete returns the spec with the defaults that depend on the length of the rows. If Gaps is nil, there is a
// cross-aisle of 1.2 m after every 20 racks, unless rows are stated in List. If Trays.Cross is nil, there is one cross
// tray at both ends of the rows, one in every gap, and further ones such that at most ten racks are between two; these
// are Trays.Movable. An empty slice, not nil, stays: there are none.
func (s RoomSpec) Complete() RoomSpec {
	const reach = 10
	if s.Gaps == nil && s.List == nil {
		for p := longestRun; p < s.PerRow; p += longestRun {
			s.Gaps = append(s.Gaps, Gap{After: p, Width: walkway})
		}
	}
	if s.Trays.Cross == nil {
		ends := append(append([]int{0}, s.gapsOfLongest()...), s.PerRow)
		s.Trays.Cross, s.Trays.Movable = []int{0}, true
		for i := 1; i < len(ends); i++ {
			from, racks := ends[i-1], ends[i]-ends[i-1]
			parts := (racks + reach - 1) / reach
			for k := 1; k <= parts; k++ {
				s.Trays.Cross = append(s.Trays.Cross, from+racks*k/parts)
			}
		}
	}
	return s
}
