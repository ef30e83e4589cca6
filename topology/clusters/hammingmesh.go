package clusters

import (
	"fmt"
	"iter"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/topology"
)

// hammingMesh is boards of a x b accelerators, joined as a mesh on the board,
// with x columns and y rows of boards (T. Hoefler et al., "HammingMesh: a
// network topology for large-scale deep learning", SC 2022, section III). The
// ends of every line of accelerators across a row of boards are joined by a
// switch, and so are those of every line down a column of boards.
//
// The paper joins the ends by one switch or a fat tree, as its ports suffice; here
// a line has a switch of its own with 2x or 2y ports, the smallest network that
// joins them all.
//
// The kinds are "switch", those of the rows before those of the columns, and "node", an accelerator, which forwards;
// the levels are board, row and column; the grouping is "board". Ports 0 to 3 of an accelerator lead east, west, south
// and north. Board i of a line is on ports 2i, by its west or north end, and 2i+1 of the switch.
type hammingMesh struct {
	across, down int // accelerators along a line of boards, in x and y
	a, b         int // accelerators on a board, in x and y
	kinds        []topology.Kind
	levels       []topology.Level
}

var _ topology.Symmetric = (*hammingMesh)(nil)

var hammingMeshFamily = topology.Family{
	Name:   "hammingmesh",
	Doc:    "boards of accelerators in a mesh, the rows and columns of boards joined by switches",
	Source: "T. Hoefler et al., HammingMesh: a network topology for large-scale deep learning, SC 2022, section III",
	Params: []topology.Param{
		{Name: "dims", Doc: "the columns and rows of boards (x and y in the paper)", Required: true},
		{Name: "board", Doc: "the columns and rows of accelerators on a board (a and b in the paper)", Required: true},
	},
	Zero:     HammingMesh{},
	Sizes:    hammingMeshSizes,
	SizesDoc: "square boards of side 2, 4 and 8, at most twice as many rows of boards as columns",
}

// HammingMesh is boards of accelerators, the rows and columns of boards joined by switches.
type HammingMesh struct {
	Dims topology.Ints `yaml:"dims,omitempty" json:"dims,omitempty"` // columns and rows of boards: x and y
	// columns and rows of accelerators on a board: a and b
	Board topology.Ints `yaml:"board,omitempty" json:"board,omitempty"`
}

// Family is "hammingmesh".
func (HammingMesh) Family() string { return "hammingmesh" }

// ShortName has the sides.
func (p HammingMesh) ShortName() string { return p.Family() + " " + p.Dims.Sides() }

// Build makes the boards and joins them.
func (p HammingMesh) Build(m *topology.Mistakes) topology.Graph {
	for _, pair := range []struct {
		name string
		list topology.Ints
	}{{"dims", p.Dims}, {"board", p.Board}} {
		if n := len(pair.list); n != 0 && n != 2 {
			m.Add(pair.name, "takes two numbers, not %d", n)
		}
		for i, v := range pair.list {
			if v < 1 || v > topology.MaxPorts/2 {
				m.AddAt(pair.name, i, "must be from 1 to %d, not %d", topology.MaxPorts/2, v)
			}
		}
	}
	if !m.None() {
		return nil
	}
	g := &hammingMesh{a: p.Board[0], b: p.Board[1], across: p.Dims[0] * p.Board[0], down: p.Dims[1] * p.Board[1]}
	g.levels = []topology.Level{{Name: "board"}, {Name: "row"}, {Name: "column"}}
	nodes, switches := arith.Times(int64(g.across), int64(g.down)), int64(g.across)+int64(g.down)
	m.Vertices("dims", nodes)
	if m.None() {
		m.Vertices("dims", nodes+switches)
	}
	if !m.None() {
		return nil
	}
	g.kinds = []topology.Kind{
		{Name: "switch", Count: int(switches), Role: topology.Switch, Ports: 2 * max(p.Dims[0], p.Dims[1])},
		{Name: "node", First: int(switches), Count: int(nodes), Role: topology.Node, Ports: 4},
	}
	return g
}

func (g *hammingMesh) Family() string         { return "hammingmesh" }
func (g *hammingMesh) Kinds() []topology.Kind { return g.kinds }

func (g *hammingMesh) Levels() []topology.Level { return g.levels }

func (g *hammingMesh) Groupings() []topology.Grouping {
	boards := g.across / g.a
	return []topology.Grouping{{Name: "board", Count: boards * (g.down / g.b), Of: func(v int) int32 {
		if v < g.kinds[0].Count {
			return -1
		}
		v -= g.kinds[0].Count
		return int32(v/g.across/g.b*boards + v%g.across/g.a)
	}}}
}

// Orbits are the switches and accelerators by their place on a board, of which
// both mirrors look the same: boards of a row or column may be exchanged, and
// all of them mirrored.
func (g *hammingMesh) Orbits() []topology.Orbit {
	type place struct{ at, times int }
	places := func(side, boards int) []place {
		out := make([]place, 0, (side+1)/2)
		for i := range (side + 1) / 2 {
			p := place{i, 2 * boards}
			if 2*i == side-1 {
				p.times = boards
			}
			out = append(out, p)
		}
		return out
	}
	columns, rows := places(g.a, g.across/g.a), places(g.b, g.down/g.b)
	var out []topology.Orbit
	for _, y := range rows {
		out = append(out, topology.Orbit{Vertex: y.at, Size: y.times})
	}
	for _, x := range columns {
		out = append(out, topology.Orbit{Vertex: g.down + x.at, Size: x.times})
	}
	for _, y := range rows {
		for _, x := range columns {
			out = append(out, topology.Orbit{
				Vertex: g.kinds[1].First + y.at*g.across + x.at, Size: x.times * y.times,
			})
		}
	}
	return out
}

// Label is the line of a switch, or the column and row of an accelerator over
// all boards: "row 3", "column 0", "(5,3)".
func (g *hammingMesh) Label(v int) string {
	switch {
	case v < g.down:
		return fmt.Sprintf("row %d", v)
	case v < g.kinds[0].Count:
		return fmt.Sprintf("column %d", v-g.down)
	}
	v -= g.kinds[0].Count
	return fmt.Sprintf("(%d,%d)", v%g.across, v/g.across)
}

// Links yields the rows and then the columns of all boards, then the switches
// of the rows and those of the columns.
func (g *hammingMesh) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		_ = g.boards(0, g.a, g.across, 1, g.down, g.across, yield) &&
			g.boards(2, g.b, g.down, g.across, g.across, 1, yield) &&
			g.ends(0, g.a, g.across, 1, g.down, g.across, yield) &&
			g.ends(2, g.b, g.down, g.across, g.across, 1, yield)
	}
}

// boards joins the neighbours on every board, along lines of length
// accelerators that are step apart; lines are next apart.
func (g *hammingMesh) boards(port, side, length, step, lines, next int, yield func(topology.Link) bool) bool {
	l := topology.Link{PortA: int32(port), PortB: int32(port + 1), Width: 1}
	for line := range lines {
		first := g.kinds[1].First + line*next
		for i := range length {
			if (i+1)%side == 0 {
				continue
			}
			l.A, l.B = int32(first+i*step), int32(first+(i+1)*step)
			if !yield(l) {
				return false
			}
		}
	}
	return true
}

// ends joins both ends of every board on every line to the line's switch; a
// board of one accelerator has both on the same.
func (g *hammingMesh) ends(port, side, length, step, lines, next int, yield func(topology.Link) bool) bool {
	l := topology.Link{Level: int32(1 + port/2), Width: 1}
	for line := range lines {
		first := g.kinds[1].First + line*next
		l.A = int32(line)
		if port > 0 {
			l.A += int32(g.down)
		}
		for board := range length / side {
			l.B = int32(first + board*side*step)
			l.PortA, l.PortB = int32(2*board), int32(port+1)
			if side == 1 {
				l.PortB, l.Width = int32(port), 2
			}
			if !yield(l) {
				return false
			}
			if side == 1 {
				continue
			}
			l.B += int32((side - 1) * step)
			l.PortA, l.PortB = l.PortA+1, int32(port)
			if !yield(l) {
				return false
			}
		}
	}
	return true
}

// hammingMeshSizes offers square boards of 4, 16 and 64 accelerators (Hx2Mesh,
// Hx4Mesh and Hx8Mesh), with x columns and x to 2x rows of boards. Squares come
// first.
func hammingMeshSizes(s *topology.SizeSearch) {
	for _, a := range []int{2, 4, 8} {
		if a*a > s.MaxNodes {
			break
		}
		s.Cuboids(2, 1, a*a, func(sides []int, boards, from, to int) {
			rank := func(i int) int { return 1000 * (from + i) / sides[0] }
			size := func(i int) topology.Size { return hammingMeshSize(sides[0], from+i, a) }
			s.AddFittingRun(to-from+1, boards*from*a*a, boards*a*a, rank, size)
		})
	}
}

// hammingMeshSize is x times y boards of a times a accelerators, x and y at
// least 2. Distances in x and y add up: the longest lead from the middle of one
// board's line to its edge, to the switch and to the middle of another.
func hammingMeshSize(x, y, a int) topology.Size {
	nodes := x * y * a * a
	return topology.Size{
		Spec:  topology.Spec{Params: HammingMesh{Dims: topology.Ints{x, y}, Board: topology.Ints{a, a}}},
		Nodes: nodes, Switches: (x + y) * a, Ports: max(2*x, 2*y, 4),
		Links:    int64(nodes)/int64(a)*int64(a-1)*2 + 2*int64(x*y*a)*2,
		Diameter: 4 * ((a-1)/2 + 1),
	}
}
