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

// RackType is the outside and the inside of every rack of a room.
type RackType struct {
	Units                int          // usable rack units
	Width, Depth, Height units.Length // outside
	Base                 units.Length // floor to the bottom of U1
	Power                units.Power  // most power, 0 for no stated limit
	Weight               units.Mass   // most load, 0 for no stated limit
}

// Gap is free floor after rack position After of every row.
type Gap struct {
	After int
	Width units.Length
}

// RoomSpec says how a room of racks in rows is laid out.
type RoomSpec struct {
	Rows, PerRow int // rack positions
	// Spare tells that Rows is all that the floor holds, not what was asked for: racks stand in the first of them.
	Spare bool
	// Width and Depth are the floor between the walls, along x and y; 0 for a floor as large as its rows ask for.
	Width, Depth units.Length
	Doors        []Door // in walls
	Rack         RackType
	Cold, Hot    units.Length // aisle widths
	Alternate    bool         // neighbouring rows face each other
	Gaps         []Gap        // ascending
	Margin       units.Length // free floor around the rows
	KeepOuts     []KeepOut
	RowPower     units.Power     // most that a row may draw, 0 for no stated limit
	RowWeight    units.Mass      // most that a row may weigh, 0 for no stated limit
	FloorLoad    units.FloorLoad // most that the floor bears, 0 for no stated limit
	Trays        TraySpec
	// Halls divide the rows; their numbers of rows add up to Rows. One hall when
	// empty.
	Halls []Hall
}

// Hall is a hall, or a floor of a building, with some of the rows.
type Hall struct {
	Name string
	Rows int
	// Distance is the free floor before the first row, from the last row of the
	// hall before.
	Distance units.Length
	Floor    units.Length // height of the floor above that of the first hall
}

// Row is one row of racks.
type Row struct {
	Name     string
	Hall     int          // index of RoomSpec.Halls
	Z        units.Length // of its floor
	Y        units.Length // centre line
	Turned   bool         // fronts face +y
	X0, X1   units.Length // ends
	Ladder   orb.LineString
	Position []int32 // rack at each position, -1 where a keep-out blocks it
}

// Place is one rack position.
type Place struct {
	Row, Number int // Number counts from 1 along the row
	X, Y        units.Length
	Turned      bool
}

// Aisle is the floor between two rows.
type Aisle struct {
	Cold  bool
	Bound orb.Bound
}

// Room is a floor with rack positions, whether or not racks stand on them.
type Room struct {
	Spec   RoomSpec
	Rows   []Row
	Places []Place // the free rack positions, row by row
	Lost   []Lost  // the others
	// KeepOuts are those of Spec, and the floor before its doors.
	KeepOuts []KeepOut
	Aisles   []Aisle
	Bound    orb.Bound
	Trays    *TrayNetwork
}

// FloorPoint is a point of the floor as package orb has it, in metres.
func FloorPoint(x, y units.Length) orb.Point { return orb.Point{float64(x), float64(y)} }

// offsets returns where the racks of a row begin: the left edge of every
// position.
func (s *RoomSpec) offsets() []units.Length {
	out := make([]units.Length, s.PerRow)
	x, gap := s.Margin, 0
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

// NewRoom places the rows: the first row's fronts face the first cold aisle;
// with Alternate rows, cold and hot aisles follow each other. What is wrong in a
// field of s is a diag.FieldError.
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
	offset := s.offsets()
	r := &Room{Spec: s, KeepOuts: s.keepOuts()}
	width, depth := s.Rack.Width, s.Rack.Depth
	x0 := s.Margin
	x1 := offset[s.PerRow-1] + width
	y := s.Margin
	hall, inHall := 0, 0 // of the row, and its number in it
	for i := range s.Rows {
		if inHall++; i == 0 {
			inHall = 0
		}
		apart := len(s.Halls) > 0 && inHall == s.Halls[hall].Rows
		if apart {
			hall, inHall = hall+1, 0
			y += s.Halls[hall].Distance
		}
		turned := s.Alternate && inHall%2 == 0
		if i > 0 && !apart {
			aisle := Aisle{Cold: !s.Alternate || inHall%2 == 1}
			w := s.aisle(inHall)
			aisle.Bound = orb.Bound{Min: FloorPoint(x0, y), Max: FloorPoint(x1, y+w)}
			r.Aisles = append(r.Aisles, aisle)
			y += w
		}
		row := Row{
			Name: RowName(i), Hall: hall, Y: y + depth/2, Turned: turned, X0: x0, X1: x1,
			Position: make([]int32, s.PerRow),
		}
		if len(s.Halls) > 0 {
			row.Z = s.Halls[hall].Floor
		}
		row.Ladder = orb.LineString{FloorPoint(x0, row.Y), FloorPoint(x1, row.Y)}
		near := r.keepOutsOf(y, y+depth)
		for p := range s.PerRow {
			place := Place{Row: i, Number: p + 1, X: offset[p] + width/2, Y: row.Y, Turned: turned}
			floor := place.Footprint(s.Rack)
			blocking := slices.IndexFunc(near, func(k *KeepOut) bool { return k.covers(floor) })
			if blocking >= 0 {
				row.Position[p] = -1
				r.Lost = append(r.Lost, Lost{i, p + 1, near[blocking].Why})
				continue
			}
			row.Position[p] = int32(len(r.Places))
			r.Places = append(r.Places, place)
		}
		r.Rows = append(r.Rows, row)
		y += depth
	}
	r.Bound = orb.Bound{Max: FloorPoint(s.Width, s.Depth)}
	if s.Width == 0 {
		r.Bound.Max = FloorPoint(x1+x0, y+s.Margin)
		for _, k := range r.KeepOuts {
			r.Bound = r.Bound.Union(k.Area.Bound())
		}
	}
	trays, err := newTrayNetwork(r, offset)
	if err != nil {
		return nil, err
	}
	r.Trays = trays
	return r, nil
}

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

// RowName returns the letter code of row i, counted from 0: A ... Z, AA, AB, ...
func RowName(i int) string {
	s := ""
	for i++; i > 0; i = (i - 1) / 26 {
		s = string(rune('A'+(i-1)%26)) + s
	}
	return s
}

// ParsePosition reads the name of a rack position: "A03" is the third of the
// first row.
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

// Name returns the name of a rack position: row letter and number, "A03".
func (r *Room) Name(place int) string {
	p := &r.Places[place]
	return r.positionName(p.Row, p.Number)
}

// positionName is the name that a rack has, or would have, at a position of a row from 1.
func (r *Room) positionName(row, position int) string {
	number := itoa(position)
	zeros := max(2, len(itoa(r.Spec.PerRow))) - len(number)
	return r.Rows[row].Name + "0000000000"[:max(0, min(zeros, 10))] + number
}

// UnitHeight returns the height above the floor of the bottom of rack unit u.
func (t RackType) UnitHeight(u int) units.Length {
	return t.Base + units.Length(u-1)*units.RackUnit
}

// The longest run of racks that may stand unbroken, and the cross-aisle between two.
const (
	longestRun              = 20
	walkway    units.Length = 1.2
)

// Complete fills in what depends on the length of the rows: without Gaps, a
// cross-aisle of 1.2 m after every 20 racks (the longest row that may stand
// unbroken); without cross trays, one at both ends of the rows, in every gap,
// and between so that at most ten racks lie between two.
func (s RoomSpec) Complete() RoomSpec {
	const reach = 10
	if s.Gaps == nil {
		for p := longestRun; p < s.PerRow; p += longestRun {
			s.Gaps = append(s.Gaps, Gap{After: p, Width: walkway})
		}
	}
	if s.Trays.Cross == nil {
		ends := []int{0}
		for _, g := range s.Gaps {
			if g.After < s.PerRow {
				ends = append(ends, g.After)
			}
		}
		ends = append(ends, s.PerRow)
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
