package layout

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

// Wall is one of the four walls of a room. North is up on a plan: towards +y.
type Wall uint8

// The walls.
const (
	South Wall = iota // along y = 0
	East              // along x = width
	North             // along y = depth
	West              // along x = 0
)

// WallNames are the names of the walls.
var WallNames = [...]string{South: "south", East: "east", North: "north", West: "west"}

// Door is a door in a wall, with the floor before it that has to stay clear.
type Door struct {
	Name  string
	Wall  Wall
	At    units.Length // from the wall's western or southern end to the nearer edge of the door
	Width units.Length
	Clear units.Length // how far the clear floor reaches into the room
	Layer string       // layer of the drawing that it was read from, "" for none
}

// Opening returns the line of the door in its wall, in a room of the given size.
func (d *Door) Opening(width, depth units.Length) orb.LineString {
	a, b := d.At, d.At+d.Width
	switch d.Wall {
	case North:
		return orb.LineString{FloorPoint(a, depth), FloorPoint(b, depth)}
	case West:
		return orb.LineString{FloorPoint(0, a), FloorPoint(0, b)}
	case East:
		return orb.LineString{FloorPoint(width, a), FloorPoint(width, b)}
	}
	return orb.LineString{FloorPoint(a, 0), FloorPoint(b, 0)}
}

// Zone returns the floor before the door that has to stay clear.
func (d *Door) Zone(width, depth units.Length) orb.Bound {
	z := d.Opening(width, depth).Bound()
	switch c := float64(d.Clear); d.Wall {
	case South:
		z.Max[1] += c
	case North:
		z.Min[1] -= c
	case West:
		z.Max[0] += c
	case East:
		z.Min[0] -= c
	}
	return z
}

// Floor is the floor between four walls: that of a room, or of one of its halls.
type Floor struct {
	Hall  int // index of RoomSpec.Halls; 0 in a room without halls
	Bound orb.Bound
	Doors []Door
}

// Opening returns the line of a door in the walls around the floor.
func (f *Floor) Opening(d *Door) orb.LineString {
	line := d.Opening(f.size())
	for i := range line {
		line[i][0] += f.Bound.Min[0]
		line[i][1] += f.Bound.Min[1]
	}
	return line
}

// Zone returns the floor before a door that has to stay clear.
func (f *Floor) Zone(d *Door) orb.Bound {
	zone := d.Zone(f.size())
	for _, p := range []*orb.Point{&zone.Min, &zone.Max} {
		p[0] += f.Bound.Min[0]
		p[1] += f.Bound.Min[1]
	}
	return zone
}

// size returns the width and the depth.
func (f *Floor) size() (width, depth units.Length) {
	return units.Length(f.Bound.Max[0] - f.Bound.Min[0]), units.Length(f.Bound.Max[1] - f.Bound.Min[1])
}

// Floors returns the floor of a room with walls, or of each hall with walls; nil where nothing has walls.
func (s *RoomSpec) Floors() []Floor {
	if s.Width > 0 {
		return []Floor{{Bound: orb.Bound{Max: FloorPoint(s.Width, s.Depth)}, Doors: s.Doors}}
	}
	if !s.hallsHaveWalls() {
		return nil
	}
	out := make([]Floor, len(s.Halls))
	y := units.Length(0) // of the southern wall: halls are laid out one behind the other, also those of other floors
	for i := range out {
		h := &s.Halls[i]
		if i > 0 {
			y += h.Distance
		}
		out[i] = Floor{
			Hall: i, Bound: orb.Bound{Min: FloorPoint(0, y), Max: FloorPoint(h.Width, y+h.Depth)}, Doors: h.Doors,
		}
		y += h.Depth
	}
	return out
}

// hallsHaveWalls reports whether the halls of the room have walls.
func (s *RoomSpec) hallsHaveWalls() bool { return len(s.Halls) > 0 && s.Halls[0].Width > 0 }

// keepOuts returns the keep-outs of the spec, and the floor before the doors.
func (s *RoomSpec) keepOuts() []KeepOut {
	out := slices.Clip(s.KeepOuts)
	floors := s.Floors()
	for i := range floors {
		f := &floors[i]
		for j := range f.Doors {
			d := &f.Doors[j]
			out = append(out, KeepOut{Name: d.Name, Layer: d.Layer, Why: DoorZone, Area: f.Zone(d).ToPolygon()})
		}
	}
	return out
}

// fitTolerance is the length by which a room may be too small, for rounding errors.
const fitTolerance units.Length = 1e-6

// Fit returns the spec with Rows and PerRow, where they are 0, set to as many as fit between the walls; Spare is set if
// Rows was 0. It returns a diag.FieldError if given numbers do not fit, or listed rows are not possible. Other specs
// without walls are returned unchanged.
func (s RoomSpec) Fit() (RoomSpec, error) {
	if s.List != nil {
		return s, s.checkList()
	}
	if s.hallsHaveWalls() {
		return s.fitHalls()
	}
	if s.Width == 0 {
		return s, nil
	}
	perRow, rows := s.mostPerRow(), s.mostRows()
	switch {
	case perRow == 0:
		return s, diag.Fieldf("Width", "no rack of %v stands between walls %v apart with %v of free floor before both"+
			"\nstate a smaller margin if that floor need not be free", s.Rack.Width, s.Width, s.Margin)
	case rows == 0:
		return s, diag.Fieldf("Depth", "no row of racks of %v stands between walls %v apart with %v of free floor "+
			"before both\nstate a smaller margin if that floor need not be free", s.Rack.Depth, s.Depth, s.Margin)
	case s.PerRow > perRow:
		return s, diag.Fieldf("PerRow", "%d racks of %v, with gaps of %v and %v of free floor at both ends, take %v; "+
			"the room is %v wide\nat most %d fit", s.PerRow, s.Rack.Width, s.gapsWithin(s.PerRow), s.Margin,
			(s.rowLength(s.PerRow) + 2*s.Margin).Round4(), s.Width, perRow)
	case s.Rows > rows:
		return s, diag.Fieldf("Rows", "%d rows with their aisles and %v of free floor at both sides take %v; "+
			"the room is %v deep\nat most %d fit", s.Rows, s.Margin, (s.rowsDepth(s.Rows) + 2*s.Margin).Round4(),
			s.Depth, rows)
	}
	if s.PerRow == 0 {
		s.PerRow = perRow
	}
	if s.Rows == 0 {
		s.Rows, s.Spare = min(rows, MaxPlaces/s.PerRow), true
	}
	return s, nil
}

// fitHalls is Fit where the halls have walls: PerRow, where it is 0, becomes what fits into the narrowest hall.
func (s RoomSpec) fitHalls() (RoomSpec, error) {
	least := MaxPlaces
	for i := range s.Halls {
		h := &s.Halls[i]
		one := s
		one.Halls, one.Width, one.Depth, one.Rows = nil, h.Width, h.Depth, h.Rows
		fitting, err := one.Fit()
		if faults := diag.Fields(err); len(faults) > 0 {
			f := *faults[0]
			if f.Path != "PerRow" {
				f.Path = diag.Elem("Halls", i) + "." + f.Path
			}
			f.Message = "hall " + h.Name + ": " + f.Message
			return s, &f
		}
		least = min(least, fitting.PerRow)
	}
	s.PerRow = least
	return s, nil
}

// gapsWithin returns the total width of the gaps in a row of n racks.
func (s *RoomSpec) gapsWithin(n int) units.Length {
	total := units.Length(0)
	if s.Gaps == nil {
		return units.Length((max(n, 1)-1)/longestRun) * walkway
	}
	for _, g := range s.Gaps {
		if g.After < n {
			total += g.Width
		}
	}
	return total
}

// rowLength returns the length of a row of n racks, from end to end.
func (s *RoomSpec) rowLength(n int) units.Length {
	return units.Length(n)*s.Rack.Width + s.gapsWithin(n)
}

// mostPerRow returns the highest number of racks in a row between the walls.
func (s *RoomSpec) mostPerRow() int {
	n := s.mostUnbroken()
	for n > 0 && s.rowLength(n) > s.Width-2*s.Margin+fitTolerance {
		n--
	}
	return n
}

// mostUnbroken returns the highest number of racks in a row between the walls without gaps.
func (s *RoomSpec) mostUnbroken() int {
	free := float64(s.Width - 2*s.Margin + fitTolerance)
	return int(min(max(free/float64(s.Rack.Width), 0), MaxPlaces))
}

// rowsDepth returns the depth of n rows with the aisles between them.
func (s *RoomSpec) rowsDepth(n int) units.Length {
	total := units.Length(n) * s.Rack.Depth
	for row := 1; row < n; row++ {
		total += s.aisle(row)
	}
	return total
}

// mostRows returns the highest number of rows between the walls.
func (s *RoomSpec) mostRows() int {
	free := s.Depth - 2*s.Margin + fitTolerance
	used, n := s.Rack.Depth, 0
	for ; used <= free && n < MaxPlaces; n++ {
		used += s.aisle(n+1) + s.Rack.Depth
	}
	return n
}

// aisle returns the width of the aisle before row i of a hall, counted from 0.
func (s *RoomSpec) aisle(i int) units.Length {
	return s.aisleBetween(s.Alternate && i%2 == 1, s.Alternate && i%2 == 0)
}

// aisleBetween returns the width of the aisle between two rows, given whether the row at smaller y (below) and the
// other one (above) are turned.
func (s *RoomSpec) aisleBetween(below, above bool) units.Length {
	switch {
	case below == above: // fronts on one side, backs on the other
		return max(s.Cold, s.Hot)
	case above:
		return s.Hot
	}
	return s.Cold
}

// BearingDepth returns the depth of the floor that bears the racks of a row: their own depth and half of the aisles at
// both sides. Where there is no aisle, it is the margin up to the wall, but at most half of the wider type of aisle.
func (r *Room) BearingDepth(row int) units.Length {
	s := &r.Spec
	beside := func(towards int) units.Length {
		if other := r.neighbour(row, towards); other >= 0 {
			return max(0, (r.Rows[other].Y-r.Rows[row].Y).Abs()-(r.Rows[other].Depth+r.Rows[row].Depth)/2) / 2
		}
		return min(s.Margin, max(s.Cold, s.Hot)/2)
	}
	return r.Rows[row].Depth + beside(-1) + beside(1)
}

// neighbour returns the next row of the same hall before (-1) or after (1) a row, without rows at the same y; -1 if
// there is none.
func (r *Room) neighbour(row, towards int) int {
	for other := row + towards; other >= 0 && other < len(r.Rows) &&
		r.Rows[other].Hall == r.Rows[row].Hall; other += towards {
		if (r.Rows[other].Y - r.Rows[row].Y).Abs() > stopTolerance {
			return other
		}
	}
	return -1
}

// Supply counts the rack positions of a room.
type Supply struct {
	Rows, PerRow int         // PerRow of the longest row
	Shortest     int         // positions of the shortest row
	Kept         []Kept      // reserved positions, by purpose
	Free         int         // positions at which racks can be
	Lost         [Causes]int // other positions, by cause
	// Gaps is the number of positions by which each row is shorter because of its gaps, if rows extend from wall to
	// wall.
	Gaps int
	// Layers counts the positions lost to keep-outs that were read from a drawing, by cause and layer.
	Layers []LayerLoss
}

// LayerLoss counts the positions that are lost to the keep-outs of a layer of a drawing.
type LayerLoss struct {
	Why       Cause
	Layer     string
	Positions int
}

// Words returns the number of rows and their lengths as text: "4 rows of 8", "4 rows of 6 to 10".
func (s *Supply) Words() string {
	if s.Shortest < s.PerRow {
		return fmt.Sprintf("%d rows of %d to %d", s.Rows, s.Shortest, s.PerRow)
	}
	return fmt.Sprintf("%d rows of %d", s.Rows, s.PerRow)
}

// Kept counts positions that are reserved for one purpose.
type Kept struct {
	For   string // "" if not stated
	Count int
}

// keep counts a position that is reserved for a purpose.
func (s *Supply) keep(why string) {
	at := slices.IndexFunc(s.Kept, func(k Kept) bool { return k.For == why })
	if at < 0 {
		at = len(s.Kept)
		s.Kept = append(s.Kept, Kept{For: why})
	}
	s.Kept[at].Count++
}

// lose counts a position that is lost to a keep-out of a layer.
func (s *Supply) lose(why Cause, layer string) {
	at := slices.IndexFunc(s.Layers, func(l LayerLoss) bool { return l.Why == why && l.Layer == layer })
	if at < 0 {
		at = len(s.Layers)
		s.Layers = append(s.Layers, LayerLoss{Why: why, Layer: layer})
	}
	s.Layers[at].Positions++
}

// Supply counts the rack positions of the room.
func (r *Room) Supply() Supply {
	s := &r.Spec
	out := Supply{Rows: len(r.Rows), PerRow: s.PerRow, Shortest: s.PerRow, Free: len(r.Places)}
	for i := range s.List {
		out.Shortest = min(out.Shortest, s.List[i].Racks)
	}
	for _, l := range r.Lost {
		out.Lost[l.Why]++
		switch {
		case l.Why == Reserved:
			out.keep(s.KeptFor(l.Row, l.Number))
		case l.Layer != "":
			out.lose(l.Why, l.Layer)
		}
	}
	slices.SortFunc(out.Layers, func(a, b LayerLoss) int {
		return cmp.Or(cmp.Compare(a.Why, b.Why), cmp.Compare(a.Layer, b.Layer))
	})
	fewer := s.mostUnbroken() - s.PerRow
	if s.Width > 0 && s.List == nil && float64(fewer) <= math.Ceil(float64(s.gapsWithin(s.PerRow)/s.Rack.Width)) {
		out.Gaps = fewer
	}
	return out
}
