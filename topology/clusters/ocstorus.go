package clusters

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/internal/arith"
	"github.com/plenum-planner/plenum/topology"
)

// ocsTorus is a torus of chips that is cut into cubes, with optical circuit switches where the cubes meet (N. P. Jouppi
// et al., "TPU v4: an optically reconfigurable supercomputer for machine learning with hardware support for
// embeddings", ISCA 2023, section 2): within a cube, chips are cabled to each other; a link that leaves a cube leads to
// a circuit switch. Links that leave by the two opposite faces of a dimension at the same place, of all cubes, share a
// circuit switch, which thus can join any cube to any other in that dimension.
//
// The graph has the cables, and the circuit switches as vertices. Packets see another graph, Logical: the graph which a
// table of circuits makes. The table of the family makes the torus; twisted, it shifts by n in every side of 2n where a
// side of n closes (J. M. Camara et al., "Twisted torus topologies for enhanced interconnection networks", IEEE TPDS 21
// (12), 2010, for two and three dimensions).
//
// The kinds are "node", a chip, and "ocs"; the levels are dim1 ... dimN within cubes and optical; the grouping is
// "cube". Ports 2d and 2d+1 of a chip lead up and down dimension d. Cube c is on port 2c of a circuit switch by its
// upper face and on port 2c+1 by its lower one. Chips and cubes are numbered with the first dimension fastest.
type ocsTorus struct {
	dims   []int // chips
	cubes  []int // of each dimension
	side   int
	twist  bool
	faces  int // circuit switches of a dimension
	kinds  []topology.Kind
	levels []topology.Level
}

var (
	_ topology.Counted   = (*ocsTorus)(nil)
	_ topology.Optical   = (*ocsTorus)(nil)
	_ topology.Placeable = (*ocsTorus)(nil)
	_ CircuitSwitched    = (*ocsTorus)(nil)
)

var ocsTorusFamily = topology.Family{
	Name: "ocs-torus",
	Doc:  "a torus of chips in cubes, joined by optical circuit switches where the cubes meet",
	Source: "N. P. Jouppi et al., TPU v4: an optically reconfigurable supercomputer for machine learning with " +
		"hardware " +
		"support for embeddings, ISCA 2023, section 2",
	Params: []topology.Param{
		{Name: "dims", Doc: "the number of chips in each dimension, each a multiple of side", Required: true},
		{Name: "side", Doc: "the number of chips along a side of a cube, at least 2; 4 when left out"},
		{Name: "twist", Doc: "shifts the links that close a side of n by n in every side of 2n; sides are n and 2n " +
			"then"},
	},
	Zero: OCSTorus{},
}

// OCSTorus is a torus of chips in cubes, joined by optical circuit switches.
type OCSTorus struct {
	Dims  topology.Ints `yaml:"dims,omitempty" json:"dims,omitempty"`   // chips in each dimension
	Side  int           `yaml:"side,omitempty" json:"side,omitempty"`   // chips along a side of a cube, 4 when left out
	Twist bool          `yaml:"twist,omitempty" json:"twist,omitempty"` // links that close a side of n shift by n
}

// Family is "ocs-torus".
func (OCSTorus) Family() string { return "ocs-torus" }

// ShortName has the sides.
func (p OCSTorus) ShortName() string { return p.Family() + " " + p.Dims.Sides() }

// Build makes the cubes.
func (p OCSTorus) Build(m *topology.Mistakes) topology.Graph {
	g := &ocsTorus{dims: slices.Clone(p.Dims), side: p.Side, twist: p.Twist, faces: 1}
	if g.side == 0 {
		g.side = 4
	}
	m.Within("side", g.side, 2, topology.MaxPorts)
	if n := len(p.Dims); n > 6 {
		m.Add("dims", "takes up to 6 numbers, not %d", n)
	}
	if !m.None() {
		return nil
	}
	chips := int64(1)
	for i, n := range p.Dims {
		if n < g.side || n%g.side != 0 {
			m.AddAt("dims", i, "must be a multiple of the side of a cube, %d, not %d", g.side, n)
			continue
		}
		chips = arith.Times(chips, int64(n))
		g.cubes = append(g.cubes, n/g.side)
		g.levels = append(g.levels, topology.Level{Name: "dim" + strconv.Itoa(i+1)})
		if i > 0 {
			g.faces = int(min(arith.Times(int64(g.faces), int64(g.side)), topology.MaxVertices))
		}
	}
	if least := slices.Min(p.Dims); p.Twist && m.None() && (slices.Max(p.Dims) != 2*least ||
		slices.ContainsFunc(p.Dims, func(n int) bool { return n != least && n != 2*least })) {
		m.Add("twist", "is for sides of n and 2n, not %s", p.Dims.Sides())
	}
	if !m.None() {
		return nil
	}
	m.Vertices("dims", chips)
	if !m.None() {
		return nil
	}
	switches := arith.Times(int64(len(g.dims)), int64(g.faces))
	m.Vertices("dims", chips+switches)
	ports := 2
	for _, n := range g.cubes {
		ports *= n
	}
	m.Ports("dims", int64(ports))
	if !m.None() {
		return nil
	}
	g.levels = append(g.levels, topology.Level{Name: "optical"})
	g.kinds = []topology.Kind{
		{Name: "node", Count: int(chips), Role: topology.Node, Ports: 2 * len(g.dims)},
		{Name: "ocs", First: int(chips), Count: int(switches), Role: topology.Switch, Ports: ports},
	}
	return g
}

func (g *ocsTorus) Family() string           { return ocsTorusFamily.Name }
func (g *ocsTorus) Kinds() []topology.Kind   { return g.kinds }
func (g *ocsTorus) Levels() []topology.Level { return g.levels }

// cube is the cube of a chip.
func (g *ocsTorus) cube(chip int) int {
	cube, stride := 0, 1
	for d, n := range g.dims {
		cube += chip % n / g.side * stride
		stride *= g.cubes[d]
		chip /= n
	}
	return cube
}

// Groupings are the cubes.
func (g *ocsTorus) Groupings() []topology.Grouping {
	return []topology.Grouping{{Name: "cube", Count: g.kinds[1].Ports / 2, Of: func(v int) int32 {
		if v >= g.kinds[0].Count {
			return -1
		}
		return int32(g.cube(v))
	}}}
}

// Label is the coordinates of a chip, or the dimension and number of a circuit switch: "(3,0,7)", "dim2.5".
func (g *ocsTorus) Label(v int) string {
	if v >= g.kinds[0].Count {
		v -= g.kinds[0].Count
		return fmt.Sprintf("dim%d.%d", v/g.faces+1, v%g.faces)
	}
	at := make([]string, len(g.dims))
	for d, n := range g.dims {
		at[d] = strconv.Itoa(v % n)
		v /= n
	}
	return "(" + strings.Join(at, ",") + ")"
}

// Links yields one dimension after the other within the cubes, then the optical links chip by chip.
func (g *ocsTorus) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		stride := 1
		for d, n := range g.dims {
			l := topology.Link{PortA: int32(2 * d), PortB: int32(2*d + 1), Level: int32(d), Width: 1}
			for v := range g.kinds[0].Count {
				if v/stride%n%g.side == g.side-1 {
					continue
				}
				if l.A, l.B = int32(v), int32(v+stride); !yield(l) {
					return
				}
			}
			stride *= n
		}
		for v := range g.kinds[0].Count {
			if !g.optical(v, yield) {
				return
			}
		}
	}
}

// optical yields the links of a chip to circuit switches.
func (g *ocsTorus) optical(v int, yield func(topology.Link) bool) bool {
	cube, stride := g.cube(v), 1
	for d, n := range g.dims {
		at := v / stride % n % g.side
		stride *= n
		face := 1 // the lower one
		switch at {
		case g.side - 1:
			face = 0
		case 0:
		default:
			continue
		}
		if !yield(topology.Link{
			A: int32(v), B: int32(g.kinds[1].First + d*g.faces + g.place(v, d)), PortA: int32(2*d + face),
			PortB: int32(2*cube + face), Level: int32(len(g.dims)), Width: 1,
		}) {
			return false
		}
	}
	return true
}

// place is the number of a chip among those of a face across dimension d.
func (g *ocsTorus) place(v, d int) int {
	place, stride := 0, 1
	for e, n := range g.dims {
		if e != d {
			place += v % n % g.side * stride
			stride *= g.side
		}
		v /= n
	}
	return place
}

// CircuitKind is the second.
func (g *ocsTorus) CircuitKind() int { return 1 }

// Circuits yields the table of the torus: in every circuit switch, the upper face of each cube is joined to the lower
// face of the next.
func (g *ocsTorus) Circuits() iter.Seq[Circuit] {
	return func(yield func(Circuit) bool) {
		for d := range g.dims {
			for place := range g.faces {
				for cube := range g.kinds[1].Ports / 2 {
					if !yield(Circuit{
						Switch: int32(g.kinds[1].First + d*g.faces + place),
						PortA:  int32(2 * cube), PortB: int32(2*g.next(cube, d) + 1),
					}) {
						return
					}
				}
			}
		}
	}
}

// next is the cube after another in dimension d.
func (g *ocsTorus) next(cube, d int) int {
	at := make([]int, len(g.cubes))
	for e, n := range g.cubes {
		at[e] = cube % n
		cube /= n
	}
	if at[d]++; at[d] == g.cubes[d] {
		at[d] = 0
		for e, n := range g.cubes {
			if g.twist && n == 2*g.cubes[d] {
				at[e] = (at[e] + g.cubes[d]) % n
			}
		}
	}
	out := 0
	for e := len(at) - 1; e >= 0; e-- {
		out = out*g.cubes[e] + at[e]
	}
	return out
}

// Logical is the torus, as the table of the family makes it of the cables.
func (g *ocsTorus) Logical() topology.Logical {
	out, err := Through(g, g.Circuits())
	if err != nil {
		panic(err) // the table of the family is right
	}
	return &orderedTorus{out, g.dims}
}

// orderedTorus is a torus, which may be twisted, with its chips in the order of their coordinates.
type orderedTorus struct {
	topology.Logical
	dims []int
}

var _ topology.GridOrdered = (*orderedTorus)(nil)

// GridSides are the chips along each dimension.
func (g *orderedTorus) GridSides() []int { return g.dims }

// LevelChannels: of every line, those within cubes; two for every place on the faces across each dimension of each
// cube.
func (g *ocsTorus) LevelChannels() []int64 {
	out := make([]int64, len(g.levels))
	for d := range g.dims {
		lines := int64(g.kinds[0].Count / g.side)
		out[d] = lines * int64(g.side-1)
		out[len(g.dims)] += 2 * lines
	}
	return out
}

// PlacementGroups are the cubes.
func (g *ocsTorus) PlacementGroups() (strategy string, grouping int) { return "groups", 0 }
