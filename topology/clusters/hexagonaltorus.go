package clusters

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/topology"
)

// hexagonalTorus is a torus of x columns and y rows whose nodes are joined along the columns, along the rows and along
// one diagonal: six neighbours each, as the cells of a honeycomb have (L. A. Plana, S. B. Furber, S. Temple, M. Khan,
// Y. Shi, J. Wu and S. Yang, "A GALS infrastructure for a massively parallel multiprocessor", IEEE Design and Test of
// Computers 24 (5), 2007: the chips of SpiNNaker).
//
// The boards of SpiNNaker, which are hexagons of 48 chips, are joined in the same way but stand askew to the torus of
// the chips: a triad is three boards, and there are x columns and y rows of triads. With the steps east e, north n and
// north-east e + n, triads are 2e + n and n - e apart, and the boards of a triad are at 0, n and e + n. Sides of
// triads are periods in these directions. The published wiring of machines of 24 and 120 boards (examples/spinnaker)
// is that of 4 x 2 and 8 x 5 triads.
//
// The only kind is "node"; the levels are x, y and diagonal; there are no groupings. Ports 0 to 2 lead east, north and
// north-east, ports 3 to 5 west, south and south-west.
type hexagonalTorus struct {
	x, y   int
	triads bool
	kinds  []topology.Kind
	levels []topology.Level
}

// hexagonalLattice is one without triads, whose nodes are the points of a grid.
type hexagonalLattice struct{ hexagonalTorus }

// hexagonalTriads is one of triads.
type hexagonalTriads struct{ hexagonalTorus }

// triadGrid lays a torus of triads out: the nodes of a triad side by side, and the triads by column and row. No link
// leads farther than to one of the eight triads around, so a torus folded along both has only short ones.
type triadGrid struct{ hexagonalTorus }

var (
	_ topology.Symmetric      = (*hexagonalTorus)(nil)
	_ topology.Formulas       = (*hexagonalTorus)(nil)
	_ topology.Counted        = (*hexagonalTorus)(nil)
	_ topology.LevelSymmetric = (*hexagonalTorus)(nil)
	_ topology.UsualRouter    = (*hexagonalTorus)(nil)
	_ topology.Lattice        = (*hexagonalLattice)(nil)
	_ topology.Gridded        = (*hexagonalTriads)(nil)
)

var hexagonalTorusFamily = topology.Family{
	Name: "hexagonal-torus",
	Doc:  "a torus of two dimensions with links along one diagonal as well: six neighbours for every node",
	Source: "L. A. Plana et al., A GALS infrastructure for a massively parallel multiprocessor, IEEE Design and Test " +
		"of Computers 24 (5), 2007; triads from SpiNNaker's published wiring",
	Params: []topology.Param{
		{
			Name: "dims", Doc: "the columns and rows, each at least 3; of triads, each at least 1",
			Required: true,
		},
		{Name: "triads", Doc: "whether there are three nodes at every point, as SpiNNaker's boards are joined; one " +
			"when left out"},
		topology.TerminalsParam(),
	},
	Zero:     HexagonalTorus{},
	Sizes:    hexagonalTorusSizes,
	SizesDoc: "the longer side at most twice the shorter, with triads and without",
}

// HexagonalTorus is a torus whose nodes have six neighbours.
type HexagonalTorus struct {
	Dims topology.Ints `yaml:"dims,omitempty" json:"dims,omitempty"` // columns and rows
	// three nodes at every point
	Triads bool `yaml:"triads,omitempty" json:"triads,omitempty"`
	// nodes on each switch; 0 where it is a node itself
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`
}

// Family is "hexagonal-torus".
func (HexagonalTorus) Family() string { return "hexagonal-torus" }

// ShortName has the sides.
func (p HexagonalTorus) ShortName() string {
	if p.Triads {
		return p.Family() + " 3x" + p.Dims.Sides()
	}
	return p.Family() + " " + p.Dims.Sides()
}

// Build makes the torus.
func (p HexagonalTorus) Build(m *topology.Mistakes) topology.Graph {
	return topology.WithTerminals(p.routers(m), p.Terminals, m)
}

// routers is the network without terminals.
func (p HexagonalTorus) routers(m *topology.Mistakes) topology.Graph {
	if n := len(p.Dims); n != 0 && n != 2 {
		m.Add("dims", "takes two numbers, not %d", n)
	}
	least, each := 3, 1
	if p.Triads {
		least, each = 1, 3
	}
	for i, side := range p.Dims {
		if side < least || side > topology.MaxVertices {
			m.AddAt("dims", i, "must be from %d to %d, not %d", least, topology.MaxVertices, side)
		}
	}
	if !m.None() {
		return nil
	}
	nodes := arith.Times(arith.Times(int64(p.Dims[0]), int64(p.Dims[1])), int64(each))
	m.Vertices("dims", nodes)
	if !m.None() {
		return nil
	}
	g := hexagonalTorus{
		x: p.Dims[0], y: p.Dims[1], triads: p.Triads,
		kinds:  []topology.Kind{{Name: "node", Count: int(nodes), Role: topology.Node, Ports: 6}},
		levels: []topology.Level{{Name: "x"}, {Name: "y"}, {Name: "diagonal"}},
	}
	if p.Triads {
		return &hexagonalTriads{g}
	}
	return &hexagonalLattice{g}
}

func (g *hexagonalTorus) Family() string                 { return "hexagonal-torus" }
func (g *hexagonalTorus) Kinds() []topology.Kind         { return g.kinds }
func (g *hexagonalTorus) Groupings() []topology.Grouping { return nil }

func (g *hexagonalTorus) Levels() []topology.Level { return g.levels }

// Label is column and row, and of triads the node's number in its triad: "(5,3)", "(2,1,0)".
func (g *hexagonalTorus) Label(v int) string {
	if g.triads {
		return fmt.Sprintf("(%d,%d,%d)", v/3%g.x, v/3/g.x, v%3)
	}
	return fmt.Sprintf("(%d,%d)", v%g.x, v/g.x)
}

// Grid has a dimension for the nodes of a triad, one for the columns, and one for the rows.
func (g *hexagonalTriads) Grid() topology.Lattice { return &triadGrid{g.hexagonalTorus} }

// Dims are the nodes of a triad, the columns, and the rows.
func (g *triadGrid) Dims() []int { return []int{3, g.x, g.y} }

// Wraps is true for columns and rows.
func (g *triadGrid) Wraps(d int) bool { return d > 0 }

// TerminalsPerRouter is 0: the nodes forward themselves.
func (g *triadGrid) TerminalsPerRouter() int { return 0 }

// Dims are the columns and rows.
func (g *hexagonalLattice) Dims() []int { return []int{g.x, g.y} }

// Wraps is true: both are rings.
func (g *hexagonalLattice) Wraps(int) bool { return true }

// TerminalsPerRouter is 0: the nodes forward themselves.
func (g *hexagonalLattice) TerminalsPerRouter() int { return 0 }

// triadSteps are, for the steps of each level from each of the nodes of a triad, the columns and rows of triads to go
// and the node of the triad that is reached.
var triadSteps = [3][3]struct{ x, y, node int }{
	{{0, -1, 1}, {0, 0, 2}, {1, 0, 0}},
	{{0, 0, 1}, {0, 1, 2}, {1, 1, 0}},
	{{0, 0, 2}, {1, 1, 0}, {1, 0, 1}},
}

// Links yields one level after the other, node by node.
func (g *hexagonalTorus) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		for level := range 3 {
			l := topology.Link{PortA: int32(level), PortB: int32(level + 3), Level: int32(level), Width: 1}
			for v := range g.kinds[0].Count {
				l.A, l.B = int32(v), int32(g.next(v, level))
				if !yield(l) {
					return
				}
			}
		}
	}
}

// next is the node a step of a level on.
func (g *hexagonalTorus) next(v, level int) int {
	if !g.triads {
		x, y := v%g.x, v/g.x
		if level != 1 {
			x = (x + 1) % g.x
		}
		if level != 0 {
			y = (y + 1) % g.y
		}
		return y*g.x + x
	}
	s := triadSteps[level][v%3]
	x, y := (v/3%g.x+s.x)%g.x, (v/3/g.x+s.y+g.y)%g.y
	return 3*(y*g.x+x) + s.node
}

// Orbits is one: steps commute, so shifts take any node to any other.
func (g *hexagonalTorus) Orbits() []topology.Orbit {
	return []topology.Orbit{{Vertex: 0, Size: g.kinds[0].Count}}
}

// SameLevels holds for the same reason.
func (g *hexagonalTorus) SameLevels() bool { return true }

// ClosedForms has the degree, which parallel links of the smallest triads would lower.
func (g *hexagonalTorus) ClosedForms() topology.ClosedForms {
	return topology.ClosedForms{
		DegreeMin: 6, DegreeMax: 6, Diameter: -1, MeanHops: math.NaN(), Bisection: math.NaN(), SingleLinks: true,
	}
}

// LevelChannels has a link of every level for every node.
func (g *hexagonalTorus) LevelChannels() []int64 {
	return slices.Repeat([]int64{int64(g.kinds[0].Count)}, 3)
}

// UsualRouting is any minimal path.
func (g *hexagonalTorus) UsualRouting() string { return "min-adaptive" }

// hexagonalTorusSizes offers near-square tori of nodes and of triads. Squares come first.
func hexagonalTorusSizes(s *topology.SizeSearch) {
	for _, each := range []int{1, 3} {
		s.Cuboids(2, 1, each, func(sides []int, points, from, to int) {
			if sides[0] < 3 || s.MaxPorts < 6 {
				return
			}
			s.AddFittingRun(to-from+1, each*points*from, each*points,
				func(i int) int { return 1000 * (from + i) / sides[0] },
				func(i int) topology.Size {
					nodes := each * points * (from + i)
					return topology.Size{
						Spec: topology.Spec{Params: HexagonalTorus{
							Dims: topology.Ints{sides[0], from + i}, Triads: each > 1,
						}},
						Nodes: nodes, Ports: 6, Links: 3 * int64(nodes), Diameter: -1,
					}
				})
		})
	}
}
