package layout

import (
	"math"
	"strconv"

	"github.com/plenum-planner/plenum/units"
)

// Point is a position: how far it is from the origin along each axis.
type Point struct{ X, Y, Z units.Length }

// Add returns p + q.
func (p Point) Add(q Point) Point { return Point{p.X + q.X, p.Y + q.Y, p.Z + q.Z} }

// Distance returns the straight-line distance from p to q.
func (p Point) Distance(q Point) units.Length {
	dx, dy, dz := float64(p.X-q.X), float64(p.Y-q.Y), float64(p.Z-q.Z)
	return units.Length(math.Sqrt(float64(dx*dx) + float64(dy*dy) + float64(dz*dz)))
}

// Manhattan returns the taxicab distance from p to q: the sum of the distances along the axes.
func (p Point) Manhattan(q Point) units.Length {
	return (p.X - q.X).Abs() + (p.Y - q.Y).Abs() + (p.Z - q.Z).Abs()
}

// Role says that the containers of a level are halls, rows of racks, or racks.
type Role string

// The roles that a level may have, from the outermost inwards.
const (
	RoleHall Role = "hall"
	RoleRow  Role = "row"
	RoleRack Role = "rack"
)

// Roles lists the roles from the outermost inwards: racks are in rows, rows in halls.
var Roles = []Role{RoleHall, RoleRow, RoleRack}

// Level is one level of the container tree.
type Level struct {
	Name string
	Is   Role // empty for a level that is neither a hall nor a row nor a rack
	// Traces is true if links between boxes whose innermost common container is on this level, or a deeper one, are
	// traces of a board or midplane, not cables.
	Traces bool
}

// Layout is a container tree with its slots.
type Layout struct {
	// Levels names the levels of containers, outermost first. Level 0 has one
	// container, which holds everything.
	Levels []Level
	// Room is the floor with its racks; nil for containers.
	Room *Room
	// Tree is the shape of containers; nil for rooms.
	Tree *Tree

	pos  []Point   // of each slot: centre of the footprint, bottom
	flip []bool    // of each slot: it is turned by 180 degrees
	unit []int16   // lowest rack unit of the slot, 0 outside racks
	cell []int32   // cell of the slot in its chassis, -1 for none; nil for containers
	in   [][]int32 // in[level][slot] is the slot's container, -1 for none

	chassis      [][]ChassisPlace // of each kind of chassis: the chassis in the racks
	chassisUnits []int            // of each kind of chassis: its height in rack units
}

// Slots returns the number of slots.
func (l *Layout) Slots() int { return len(l.pos) }

// Position returns the position of a slot: the centre of its footprint, at its
// bottom; for containers its centre.
func (l *Layout) Position(slot int32) Point { return l.pos[slot] }

// At returns the position in the room of a point of a box. offset is relative to the slot's position,
// for a box whose front is towards -y.
func (l *Layout) At(slot int32, offset Point) Point {
	p := l.pos[slot]
	if l.flip[slot] {
		return Point{p.X - offset.X, p.Y - offset.Y, p.Z + offset.Z}
	}
	return p.Add(offset)
}

// Unit returns the lowest rack unit of a slot, counted from 1 at the bottom of
// the rack; 0 for a slot that is in no rack.
func (l *Layout) Unit(slot int32) int { return int(l.unit[slot]) }

// Cell returns the number of a slot's cell in its chassis or innermost
// container, from 0, across the width or x first; -1 for a box that stands in
// the rack itself.
func (l *Layout) Cell(slot int32) int {
	if l.Tree != nil {
		return int(slot) % l.Tree.Cells(len(l.Tree.Levels)-1)
	}
	return int(l.cell[slot])
}

// Rear reports whether the front of a slot's box is at the rear of its rack.
func (l *Layout) Rear(slot int32) bool {
	return l.Room != nil && l.flip[slot] != l.Room.Places[l.in[RackLevel][slot]].Turned
}

// Innermost returns the name of the innermost container that holds the slot: "A03", "A03/midplane2", "cube4-0.2.3".
func (l *Layout) Innermost(slot int32) string {
	for level := len(l.in) - 1; level > 0; level-- {
		if c := l.in[level][slot]; c >= 0 {
			return l.ContainerName(level, c)
		}
	}
	return l.ContainerName(0, 0)
}

// LevelOf returns the level of a role, -1 if no level has it. At most one level has each role.
func (l *Layout) LevelOf(is Role) int {
	for i := range l.Levels {
		if l.Levels[i].Is == is {
			return i
		}
	}
	return -1
}

// InRack reports whether a container of this level is a rack or lies inside one.
func (l *Layout) InRack(level int) bool {
	rack := l.LevelOf(RoleRack)
	return rack >= 0 && level >= rack
}

// Stands returns the level of the containers by which reports group boxes: the racks or, in a layout without racks, the
// innermost containers.
func (l *Layout) Stands() int {
	if rack := l.LevelOf(RoleRack); rack >= 0 {
		return rack
	}
	return len(l.Levels) - 1
}

// CountOccupied counts the containers of a level that hold at least one of the slots.
func (l *Layout) CountOccupied(level int, slots []int32) int {
	seen := map[int32]struct{}{}
	last := int32(-1)
	for _, slot := range slots {
		if c := l.in[level][slot]; c >= 0 && c != last {
			last = c
			seen[c] = struct{}{}
		}
	}
	return len(seen)
}

// Rack returns the name of the rack of a slot, or of its innermost container in a layout without racks.
func (l *Layout) Rack(slot int32) string {
	return l.ContainerName(l.Stands(), l.Container(l.Stands(), slot))
}

// Container returns the container of the given level that holds the slot, -1
// if there is none.
func (l *Layout) Container(level int, slot int32) int32 { return l.in[level][slot] }

// Common returns the level of the innermost container that holds both slots.
func (l *Layout) Common(a, b int32) int {
	for level := len(l.in) - 1; level > 0; level-- {
		if c := l.in[level][a]; c >= 0 && c == l.in[level][b] {
			return level
		}
	}
	return 0
}

// LevelIndex returns the index of the level of a name, -1 if there is none.
func (l *Layout) LevelIndex(name string) int {
	for i := range l.Levels {
		if l.Levels[i].Name == name {
			return i
		}
	}
	return -1
}

// ContainerName returns the full name of a container: "A", "A03", "A03/midplane2".
func (l *Layout) ContainerName(level int, c int32) string {
	switch {
	case l.Tree != nil:
		return l.Tree.Name(level, c)
	case level == HallLevel:
		return l.Levels[HallLevel].Name
	case level == RowLevel:
		return l.Room.Rows[c].Name
	case level == RackLevel:
		return l.Room.Name(int(c))
	}
	p := l.chassis[level-RackLevel-1][c]
	return l.Room.Name(int(p.Place)) + "/" + l.Levels[level].Name + itoa(p.Number)
}

// Path returns the name of the innermost container that holds the slot and, in a rack, the slot's unit: "A03/U12".
func (l *Layout) Path(slot int32) string { return string(l.AppendPath(nil, slot)) }

// AppendPath appends the path of a slot.
func (l *Layout) AppendPath(b []byte, slot int32) []byte {
	b = append(b, l.Innermost(slot)...)
	if u := l.unit[slot]; u > 0 {
		b = append(b, "/U"...)
		if u < 10 {
			b = append(b, '0')
		}
		b = strconv.AppendInt(b, int64(u), 10)
	}
	return b
}
