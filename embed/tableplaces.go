package embed

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// number reads a number from 1 to most; what is its name for messages. It reports a mistake and returns false for any
// other text.
func (t *tableReader) number(f tableField, what string, most int) (int, bool) {
	n, err := strconv.Atoi(f.text)
	switch {
	case f.text == "":
		t.fail(f.column, "a %s is missing", what)
	case err != nil:
		t.fail(f.column, "%q is not a %s", f.text, what)
	case n < 1 || n > most:
		t.fail(f.column, "%s %d: they are 1 to %d", what, n, most)
	default:
		return n, true
	}
	return 0, false
}

// inTree reads a place in containers.
func (t *tableReader) inTree(pin *Pin, container, cell, _ tableField) {
	tree := t.p.Tree
	last := len(tree.Levels) - 1
	level, at, ok := containerNumber(tree, container.text)
	if !ok || level != last {
		t.noContainer(container)
		return
	}
	cells := tree.Cells(last)
	n := 1
	if cells > 1 || cell.text != "" {
		if n, ok = t.number(cell, "cell", cells); !ok {
			return
		}
	}
	pin.Slot = int32(at*cells + n - 1)
	if t.slots == nil {
		t.slots = make([]int, tree.Cells(0))
	}
	if line := t.slots[pin.Slot]; line > 0 {
		t.fail(container.column, "this place is taken by line %d", line)
		return
	}
	t.slots[pin.Slot] = t.line
}

// containerNumber returns the level of the container of a name, and its number among the containers of the level. The
// outermost container has the name of its level, or "".
func containerNumber(tree *layout.Tree, name string) (level, number int, ok bool) {
	rest := name
	if rest == tree.Levels[0].Name {
		rest = ""
	}
	for rest != "" {
		if level++; level == len(tree.Levels) {
			return 0, 0, false
		}
		up := &tree.Levels[level-1]
		prefix := tree.Levels[level].Name + "-"
		if level > 1 {
			prefix = "/" + prefix
		}
		after, ok := strings.CutPrefix(rest, prefix)
		index, tail, more := strings.Cut(after, "/")
		if more {
			tail = "/" + tail
		}
		var x [3]int
		parts := strings.Split(index, ".")
		for a := range x {
			n, err := -1, error(nil)
			if len(parts) == 3 {
				n, err = strconv.Atoi(parts[a])
			}
			ok = ok && err == nil && n >= 0 && n < up.Count[a]
			x[a] = n
		}
		if !ok {
			return 0, 0, false
		}
		number = number*product(up.Count[:]) + (x[2]*up.Count[1]+x[1])*up.Count[0] + x[0]
		rest = tail
	}
	return level, number, true
}

// noContainer reports a text that is not the name of a container of the last level.
func (t *tableReader) noContainer(f tableField) {
	t.fail(f.column, "%q is not a container of the last level: the last is %s", f.text, lastContainer(t.p.Tree))
}

// lastContainer returns the name of the last container of the innermost level.
func lastContainer(tree *layout.Tree) string {
	var b strings.Builder
	for i := 1; i < len(tree.Levels); i++ {
		if i > 1 {
			b.WriteByte('/')
		}
		c := tree.Levels[i-1].Count
		fmt.Fprintf(&b, "%s-%d.%d.%d", tree.Levels[i].Name, c[0]-1, c[1]-1, c[2]-1)
	}
	if b.Len() == 0 {
		return tree.Levels[0].Name
	}
	return b.String()
}

// inRoom reads a place in a rack.
func (t *tableReader) inRoom(pin *Pin, container, cell, unit tableField) {
	rest, ok := t.rack(pin, container)
	if !ok {
		return
	}
	kind := topology.KindOf(t.kinds, int(pin.Vertex))
	k := &t.p.Kinds[kind]
	limit := t.p.Room.TypeAt(pin.Row, pin.Rack).Units
	if k.chassis() < 0 {
		if rest != "" {
			t.fail(container.column, "a %s stands in the rack itself, not in %q",
				t.kinds[kind].Name, strings.TrimPrefix(rest, "/"))
			return
		}
		if cell.text != "" {
			t.fail(cell.column, "a %s stands in the rack itself, which has no cells", t.kinds[kind].Name)
			return
		}
		if pin.Unit, ok = t.number(unit, "unit", max(limit-max(k.Box.Units, 1)+1, 0)); ok {
			t.occupy(pin, unit, k.Box.Units, false)
		}
		return
	}
	pin.Chassis = k.chassis()
	c := &t.p.Chassis[k.chassis()]
	digits, named := strings.CutPrefix(rest, "/"+c.Name)
	n, err := strconv.Atoi(digits)
	if !named || err != nil || n < 1 || n > limit {
		t.fail(container.column, "a %s stands in a chassis: write its number after the rack, as in A01/%s1",
			t.kinds[kind].Name, c.Name)
		return
	}
	pin.Number = n
	place, ok := t.number(cell, "cell", c.Cells())
	if !ok {
		return
	}
	pin.Cell = place - 1
	if pin.Unit, ok = t.number(unit, "unit", max(limit-c.Units+1, 0)); !ok {
		return
	}
	if t.chassis == nil {
		t.chassis = map[chassisKey]*tableChassis{}
	}
	key := chassisKey{rackKey{pin.Row, pin.Rack}, pin.Chassis, pin.Number}
	held := t.chassis[key]
	if held == nil {
		held = &tableChassis{pin.Unit, t.line, map[int]int{}}
		if !t.occupy(pin, unit, c.Units, true) {
			return
		}
		t.chassis[key] = held
	}
	if held.unit != pin.Unit {
		t.fail(unit.column, "the chassis is at unit %d on line %d", held.unit, held.line)
		return
	}
	if line, again := held.cells[pin.Cell]; again {
		t.fail(cell.column, "this cell is taken by line %d", line)
		return
	}
	held.cells[pin.Cell] = t.line
}

// occupy marks the units of a box or chassis as taken by the present line, and reports whether all were free.
func (t *tableReader) occupy(pin *Pin, at tableField, height int, chassis bool) bool {
	if t.units == nil {
		t.units = map[rackKey][]int{}
	}
	key := rackKey{pin.Row, pin.Rack}
	if t.units[key] == nil {
		t.units[key] = make([]int, t.p.Room.TypeAt(pin.Row, pin.Rack).Units)
	}
	taken := t.units[key][pin.Unit-1 : pin.Unit-1+height]
	for i, line := range taken {
		if line != 0 {
			what := "box"
			if line < 0 {
				what, line = "chassis", -line
			}
			t.fail(at.column, "unit %d is taken by the %s of line %d", pin.Unit+i, what, line)
			return false
		}
	}
	for i := range taken {
		if taken[i] = t.line; chassis {
			taken[i] = -t.line
		}
	}
	return true
}

// rack reads the rack from the beginning of a container's name, such as A03, row A/rack 3 or row 1/rack 3, sets it in
// the pin, and returns the rest of the name, which is "" or begins with a slash.
func (t *tableReader) rack(pin *Pin, container tableField) (rest string, ok bool) {
	text := container.text
	if t.p.Room.Names != nil {
		return t.readNamedRack(pin, container)
	}
	row, rack := "", ""
	if after, long := strings.CutPrefix(text, "row "); long {
		var tail string
		row, tail, _ = strings.Cut(after, "/")
		tail, ok = strings.CutPrefix(tail, "rack ")
		if !ok {
			t.fail(container.column, "%q is not a rack: write %s or row %s/rack 3", text, t.p.Room.Example(),
				t.p.Room.RowName(0))
			return "", false
		}
		rack, rest, ok = strings.Cut(tail, "/")
	} else {
		row, rest, ok = strings.Cut(text, "/")
		named := strings.TrimRight(row, "0123456789")
		row, rack = named, row[len(named):]
		if t.p.Room.List != nil && rowNumber(t.p.Room, row) < 0 {
			row = strings.TrimSuffix(row, "-")
		}
	}
	if ok {
		rest = "/" + rest
	}
	n := rowNumber(t.p.Room, row)
	x, err := strconv.Atoi(rack)
	s := t.p.Room
	switch {
	case n < 0 || err != nil || x < 1:
		t.fail(container.column, "%q is not a rack: write %s or row %s/rack 3", text, s.Example(),
			s.RowName(0))
	case s.Rows > 0 && n >= s.Rows:
		t.fail(container.column, "row %s: the room has %d rows, the last is %s", row, s.Rows, s.RowName(s.Rows-1))
	case s.RowRacks(n) > 0 && x > s.RowRacks(n):
		t.fail(container.column, "rack %d: a row has %d", x, s.RowRacks(n))
	case n >= mostRow || x > mostRow:
		t.fail(container.column, "%q is beyond the largest room", text)
	default:
		pin.Row, pin.Rack = n, x
		return rest, true
	}
	return "", false
}

// readNamedRack does the same as rack in a room whose racks have names of their own.
func (t *tableReader) readNamedRack(pin *Pin, container tableField) (rest string, ok bool) {
	name, rest, more := strings.Cut(container.text, "/")
	if more {
		rest = "/" + rest
	}
	at, ok := t.p.Room.Names.Position(name)
	if !ok {
		advice := "write the name of one in the list of racks, such as " + t.p.Room.Example()
		if near, close := diag.Closest(name, t.p.Room.Names.All()); close {
			advice = diag.DidYouMean(near)
		}
		t.fail(container.column, "there is no rack %q\n%s", name, advice)
	}
	pin.Row, pin.Rack = at.Row, at.Number
	return rest, ok
}

// mostRow is the highest number of rows, and of racks in a row, that a table may name in a room of unknown size.
const mostRow = 1 << 11

// rowNumber returns the number, from 0, of a row that is given by letters, as RowName writes it,
// or by a number from 1; -1 for other texts. Rows of RoomSpec.List are found by their names.
func rowNumber(s *layout.RoomSpec, name string) int {
	if s.List != nil {
		return s.RowNumber(name)
	}
	if n, err := strconv.Atoi(name); err == nil && n > 0 && n <= layout.MaxPlaces {
		return n - 1
	}
	if name == "" || len(name) > 5 {
		return -1
	}
	n := 0
	for _, c := range name {
		if c < 'A' || c > 'Z' {
			return -1
		}
		n = 26*n + int(c-'A') + 1
	}
	return n - 1
}
