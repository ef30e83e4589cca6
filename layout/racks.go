package layout

import (
	"slices"

	"github.com/plenum-planner/plenum/units"
)

// Levels of a layout of racks. A level for each kind of chassis follows.
const (
	HallLevel = iota
	RowLevel
	RackLevel
)

// RoomLevels returns the levels of a room of racks, without those of chassis.
func RoomLevels() []Level {
	return []Level{{Name: "hall", Is: RoleHall}, {Name: "row", Is: RoleRow}, {Name: "rack", Is: RoleRack}}
}

// Chassis is an enclosure in a rack that holds boxes in a grid of slots.
type Chassis struct {
	Name   string
	Units  int
	Slots  [3]int          // across the width, the depth and the height
	Pitch  [3]units.Length // between neighbouring slots; 0 fills the chassis evenly
	Traces bool            // links inside are traces, not cables
	// PerRack is the highest number of these chassis in one rack, 0 for as many as fit.
	PerRack int
	// Power and Weight are those of a chassis without boxes; 0 if they are not stated.
	Power  units.Power
	Weight units.Mass
}

// Cells returns the number of slots.
func (c *Chassis) Cells() int { return c.Slots[0] * c.Slots[1] * c.Slots[2] }

// Cell returns the position of slot i relative to the centre of the chassis's
// footprint, at its bottom. Slots are numbered across the width first, then
// the depth (front to rear), then the height.
func (c *Chassis) Cell(i int, t RackType) Point {
	size := [3]units.Length{t.Width, t.Depth, units.Length(c.Units) * units.RackUnit}
	index := [3]int{i % c.Slots[0], i / c.Slots[0] % c.Slots[1], i / (c.Slots[0] * c.Slots[1])}
	var p [3]units.Length
	for a := range 3 {
		pitch := c.Pitch[a]
		if pitch == 0 {
			pitch = size[a] / units.Length(c.Slots[a])
		}
		p[a] = pitch * units.Length(float64(index[a])-float64(c.Slots[a]-1)/2)
	}
	return Point{p[0], p[1], p[2] + size[2]/2}
}

// ChassisPlace is the place of a chassis in a rack.
type ChassisPlace struct {
	Place  int32 // rack position
	Number int   // among those of its kind in the rack, from 1 at the bottom
	Unit   int   // lowest rack unit
}

// RackBuilder lays out slots in the racks of a room.
type RackBuilder struct {
	l     *Layout
	kinds []Chassis
}

// NewRackBuilder starts a layout of about n slots in the room's racks, with the given kinds of chassis.
func NewRackBuilder(r *Room, kinds []Chassis, n int) *RackBuilder {
	l := &Layout{Room: r, chassis: make([][]ChassisPlace, len(kinds))}
	for _, k := range kinds {
		l.chassisUnits = append(l.chassisUnits, k.Units)
	}
	l.Levels = RoomLevels()
	for _, k := range kinds {
		l.Levels = append(l.Levels, Level{Name: k.Name, Traces: k.Traces})
	}
	l.pos = make([]Point, 0, n)
	l.flip = make([]bool, 0, n)
	l.unit = make([]int16, 0, n)
	l.cell = make([]int32, 0, n)
	l.in = make([][]int32, len(l.Levels))
	for i := range l.in {
		l.in[i] = make([]int32, 0, n)
	}
	return &RackBuilder{l: l, kinds: kinds}
}

// AddChassis puts a chassis into a rack and returns its number, from 0, among those of its kind in all racks. kind is
// an index in the kinds of NewRackBuilder. Whether its units are free is not checked.
func (b *RackBuilder) AddChassis(kind int, p ChassisPlace) int32 {
	b.l.chassis[kind] = append(b.l.chassis[kind], p)
	return int32(len(b.l.chassis[kind]) - 1)
}

// AddBox adds a slot for a box that is mounted in the rack itself, with its front at the front of the rack or at the
// rear, and returns the slot.
func (b *RackBuilder) AddBox(place int32, unit int, rear bool) int32 {
	t := b.l.Room.Type(place)
	slot := b.add(place, unit, Point{Z: t.UnitHeight(unit)}, -1, -1, -1)
	if rear {
		b.l.flip[slot] = !b.l.flip[slot]
	}
	return slot
}

// AddBeside adds a slot for a box that is mounted upright beside the units of a rack, with its front at the front of
// the rack or at the rear. n is its number among these in the rack, from 0: they are at the left and the right side in
// turn, each pair further inwards. unit is the rack unit at the height of its middle.
func (b *RackBuilder) AddBeside(place int32, unit, n int, rear bool, box *Box) int32 {
	t := b.l.Room.Type(place)
	at := Point{
		X: max(0, (t.Width-box.Width)/2-units.Length(n/2)*box.Width),
		Y: -max(0, (t.Depth-box.Depth)/2), Z: t.UnitHeight(unit) + units.RackUnit/2,
	}
	if n%2 == 0 {
		at.X = -at.X
	}
	if rear {
		at.Y = -at.Y
	}
	slot := b.add(place, unit, at, -1, -1, -1)
	if rear {
		b.l.flip[slot] = !b.l.flip[slot]
	}
	return slot
}

// AddCell adds the slot of one cell, from 0, of a chassis by the number that AddChassis returned, and returns the slot.
func (b *RackBuilder) AddCell(kind int, chassis int32, cell int) int32 {
	c := b.l.chassis[kind][chassis]
	t := b.l.Room.Type(c.Place)
	offset := b.kinds[kind].Cell(cell, *t)
	offset.Z += t.UnitHeight(c.Unit)
	return b.add(c.Place, c.Unit, offset, kind, chassis, cell)
}

// add adds a slot at an offset from the middle of a rack's floor. kind and chassis are those of its chassis, -1 for
// none.
func (b *RackBuilder) add(place int32, unit int, offset Point, kind int, chassis int32, cell int) int32 {
	l := b.l
	p := l.Room.Places[place]
	if p.Turned {
		offset.X, offset.Y = -offset.X, -offset.Y
	}
	l.pos = append(l.pos, Point{p.X, p.Y, l.Room.Rows[p.Row].Z}.Add(offset))
	l.flip = append(l.flip, p.Turned)
	l.unit = append(l.unit, int16(unit))
	l.cell = append(l.cell, int32(cell))
	l.in[HallLevel] = append(l.in[HallLevel], 0)
	l.in[RowLevel] = append(l.in[RowLevel], int32(p.Row))
	l.in[RackLevel] = append(l.in[RackLevel], place)
	for k := range l.chassis {
		c := int32(-1)
		if k == kind {
			c = chassis
		}
		l.in[RackLevel+1+k] = append(l.in[RackLevel+1+k], c)
	}
	return int32(len(l.pos) - 1)
}

// Layout returns the finished layout.
func (b *RackBuilder) Layout() *Layout { return b.l }

// Stand is the place of a box in a rack, with its front at the front of the rack.
type Stand struct {
	Place int32 // rack position
	Unit  int   // lowest rack unit
}

// With returns a copy of the layout with a further slot for each stand, after all others.
func (l *Layout) With(stands []Stand) *Layout {
	out := *l
	out.pos, out.flip = slices.Clone(l.pos), slices.Clone(l.flip)
	out.unit, out.cell = slices.Clone(l.unit), slices.Clone(l.cell)
	out.in = make([][]int32, len(l.in))
	for i := range l.in {
		out.in[i] = slices.Clone(l.in[i])
	}
	b := &RackBuilder{l: &out}
	for _, s := range stands {
		b.AddBox(s.Place, s.Unit, false)
	}
	return &out
}

// Chassis returns the chassis that holds a slot and its kind, an index in the kinds of NewRackBuilder; false for a slot
// that is not in a chassis.
func (l *Layout) Chassis(slot int32) (kind int, at ChassisPlace, ok bool) {
	for k := range l.chassis {
		if c := l.in[RackLevel+1+k][slot]; c >= 0 {
			return k, l.chassis[k][c], true
		}
	}
	return 0, ChassisPlace{}, false
}

// ChassisUnits returns the height in rack units of the chassis that holds a slot; 0 for a slot that is not in a
// chassis.
func (l *Layout) ChassisUnits(slot int32) int {
	for k, units := range l.chassisUnits {
		if l.in[RackLevel+1+k][slot] >= 0 {
			return units
		}
	}
	return 0
}
