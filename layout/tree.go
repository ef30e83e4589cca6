package layout

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/units"
)

func itoa(i int) string { return strconv.Itoa(i) }

// TreeLevel is one level of containers.
type TreeLevel struct {
	Name  string
	Is    Role            // empty for a level that is neither a hall nor a row nor a rack
	Count [3]int          // cells along x, y and z: containers of the next level, or slots
	Pitch [3]units.Length // from cell to cell; 0 stands for the size of a cell plus Gap
	Gap   units.Length    // free space between neighbouring cells
	// Traces is true if links inside a container of this level are traces, not cables.
	Traces bool
}

// Tree is the shape of containers, outermost first. A zero Tree is not usable: it has no level.
type Tree struct {
	Levels []TreeLevel
	size   [][3]units.Length // outside size of a container of each level
	cells  []int             // slots below one container of each level
}

// MaxSlots is the largest number of slots of a layout.
const MaxSlots = math.MaxInt32

// NewTree returns the shape of containers, with missing pitches completed. A slot is a cuboid
// whose sides are the innermost pitches.
func NewTree(levels []TreeLevel) (*Tree, error) {
	t := &Tree{Levels: slices.Clone(levels)}
	t.size, t.cells = make([][3]units.Length, len(levels)), make([]int, len(levels))
	inner := [3]units.Length{}
	n := 1
	for i := len(levels) - 1; i >= 0; i-- {
		l := &t.Levels[i]
		for a := range 3 {
			if l.Count[a] < 1 {
				return nil, fmt.Errorf("container %s: count %d is not positive", l.Name, l.Count[a])
			}
			if n > MaxSlots/l.Count[a] {
				return nil, fmt.Errorf("container %s: more than %d places", l.Name, MaxSlots)
			}
			n *= l.Count[a]
			if l.Pitch[a] == 0 {
				l.Pitch[a] = inner[a] + l.Gap
			}
			if l.Pitch[a] < inner[a]-1e-9 {
				return nil, fmt.Errorf("container %s: pitch %g m is less than the %g m of what it holds",
					l.Name, float64(l.Pitch[a]), float64(inner[a]))
			}
			if l.Pitch[a] <= 0 {
				return nil, fmt.Errorf("container %s: the innermost level needs a pitch", l.Name)
			}
			if inner[a] == 0 {
				inner[a] = l.Pitch[a]
			}
			t.size[i][a] = units.Length(l.Count[a]-1)*l.Pitch[a] + inner[a]
		}
		inner = t.size[i]
		t.cells[i] = n
	}
	return t, nil
}

// Size returns the outside dimensions of a container of the given level.
func (t *Tree) Size(level int) [3]units.Length { return t.size[level] }

// Gap returns the free space along x, y and z between neighbouring cells of a
// container of the given level: the pitch less the size of a cell. At the
// innermost level, whose cells are slots, it is 0.
func (t *Tree) Gap(level int) (gap [3]units.Length) {
	if level == len(t.Levels)-1 {
		return gap
	}
	for a := range gap {
		gap[a] = max(0, (t.Levels[level].Pitch[a] - t.size[level+1][a]).Round4())
	}
	return gap
}

// Index returns the cell of a slot in its container of the given level: its number along x, y and z, from 0.
func (t *Tree) Index(level, slot int) [3]int {
	l := &t.Levels[level]
	below := t.cells[level] / (l.Count[0] * l.Count[1] * l.Count[2])
	cell := slot % t.cells[level] / below
	return [3]int{cell % l.Count[0], cell / l.Count[0] % l.Count[1], cell / (l.Count[0] * l.Count[1])}
}

// Cells returns the number of slots in one container of the given level.
func (t *Tree) Cells(level int) int { return t.cells[level] }

// Layout lays out the slots: the cells of a container are numbered x fastest,
// then y, then z, and a container's slots are consecutive.
func (t *Tree) Layout() *Layout {
	n := t.cells[0]
	l := &Layout{
		Tree: t, pos: make([]Point, n), flip: make([]bool, n), unit: make([]int16, n),
		in: make([][]int32, len(t.Levels)),
	}
	for i := range t.Levels {
		l.Levels = append(l.Levels, Level{Name: t.Levels[i].Name, Is: t.Levels[i].Is, Traces: t.Levels[i].Traces})
		l.in[i] = make([]int32, n)
		for s := range n {
			l.in[i][s] = int32(s / t.cells[i])
		}
	}
	for s := range n {
		l.pos[s] = t.position(s)
	}
	return l
}

// position returns the centre of a slot.
func (t *Tree) position(slot int) Point {
	var p [3]units.Length
	for i := range t.Levels {
		l := &t.Levels[i]
		index := t.Index(i, slot)
		for a := range 3 {
			p[a] += units.Length(index[a]) * l.Pitch[a]
		}
	}
	last := &t.Levels[len(t.Levels)-1]
	return Point{p[0] + last.Pitch[0]/2, p[1] + last.Pitch[1]/2, p[2] + last.Pitch[2]/2}
}

// Origin returns the lowest corner of container c of the given level.
func (t *Tree) Origin(level int, c int32) Point {
	p := t.position(int(c) * t.cells[level])
	last := &t.Levels[len(t.Levels)-1]
	return Point{p.X - last.Pitch[0]/2, p.Y - last.Pitch[1]/2, p.Z - last.Pitch[2]/2}
}

// Name returns the name of a container, which has the cell of each level down to it: "cube4-0.2.3".
func (t *Tree) Name(level int, c int32) string {
	if level == 0 {
		return t.Levels[0].Name
	}
	parts := make([]string, level)
	rest := int(c)
	for i := level; i > 0; i-- {
		up := &t.Levels[i-1]
		n := up.Count[0] * up.Count[1] * up.Count[2]
		cell := rest % n
		rest /= n
		parts[i-1] = fmt.Sprintf("%s-%d.%d.%d",
			t.Levels[i].Name, cell%up.Count[0], cell/up.Count[0]%up.Count[1], cell/(up.Count[0]*up.Count[1]))
	}
	return strings.Join(parts, "/")
}
