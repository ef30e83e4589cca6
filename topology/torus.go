package topology

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
)

// grid is an n-dimensional torus or mesh: the points of a lattice, each joined
// to the next in every dimension, and in a torus the last to the first (W. J.
// Dally and B. Towles, Principles and Practices of Interconnection Networks,
// Morgan Kaufmann 2004, section 5.1: k-ary n-cubes and n-meshes, here with a
// side for each dimension).
//
// A side of 2 has one link between its two points in a torus too, unless sides are doubled, a side of 1 has none. The
// only kind is "node"; the levels are dim1 ... dimN, one for each dimension; there are no groupings. Dimension by
// dimension, a port leads to the next point and one to the previous; a side of 2 takes one port and a side of 1 none,
// as there are no more links. A doubled side of 2 takes two ports, each on the same of the other point. At the edges of
// a mesh, ports stay empty.
type grid struct {
	family  string
	dims    []int
	open    []bool // dimensions that are lines; nil where all are rings
	doubled bool   // rings of 2 have two parallel links
	kinds   []Kind
	levels  []Level
}

// plainGrid is a torus or mesh without any further links: what holds for it need not
// hold for the families that build on a grid.
type plainGrid struct{ grid }

var (
	_ PlainLattice     = (*plainGrid)(nil)
	_ Symmetric        = (*plainGrid)(nil)
	_ Formulas         = (*plainGrid)(nil)
	_ Counted          = (*plainGrid)(nil)
	_ LevelSymmetric   = (*plainGrid)(nil)
	_ DimensionOrdered = (*plainGrid)(nil)
	_ UsualRouter      = (*plainGrid)(nil)
	_ FloodBounded     = (*plainGrid)(nil)
)

var dimsParam = Param{
	Name: "dims", Doc: "the number of points in each dimension, each at least 1", Required: true,
}

var torusFamily = Family{
	Name:   "torus",
	Doc:    "a grid of nodes in any number of dimensions, each dimension a ring, or some of them lines",
	Source: "W. J. Dally and B. Towles, Principles and Practices of Interconnection Networks, 2004, section 5.1",
	Params: []Param{
		dimsParam,
		{Name: "wrap", Doc: "for each dimension, whether it is a ring (true) or a line (false); all are rings when " +
			"left out"},
		{Name: "doubled_sides", Doc: "whether a ring of 2 points has two parallel links, each on a port of its own; " +
			"one link when left out"},
		optionalTerminals,
	},
	Zero:     Torus{},
	Sizes:    func(s *SizeSearch) { gridSizes(s, true, func(dims Ints) Params { return Torus{Dims: dims} }) },
	SizesDoc: "two to six dimensions, the longest side at most twice the shortest",
}

// Torus is a grid of nodes each of whose dimensions is a ring, or some of them a line.
type Torus struct {
	Dims Ints `yaml:"dims,omitempty" json:"dims,omitempty"` // points in each dimension
	// whether each dimension is a ring; all are if the list is empty
	Wrap []bool `yaml:"wrap,omitempty" json:"wrap,omitempty"`
	// two parallel links between the points of a ring of 2
	DoubledSides bool `yaml:"doubled_sides,omitempty" json:"doubled_sides,omitempty"`
	// nodes on each switch; 0 where it is a node itself
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`
}

// Family is "torus".
func (Torus) Family() string { return "torus" }

// ShortName has the sides, and what is unusual about them.
func (p Torus) ShortName() string {
	name := sidesName(p.Family(), p.Dims)
	if len(p.Wrap) > 0 {
		word := " open in"
		for d, wrap := range p.Wrap {
			if !wrap {
				name += fmt.Sprintf("%s dim%d", word, d+1)
				word = ","
			}
		}
	}
	if p.DoubledSides {
		name += " doubled"
	}
	return name
}

// Build makes the grid with its rings and lines.
func (p Torus) Build(m *Mistakes) Graph {
	return WithTerminals(p.routers(m), p.Terminals, m)
}

// routers is the network without terminals.
func (p Torus) routers(m *Mistakes) Graph {
	g := grid{family: p.Family(), dims: slices.Clone(p.Dims), doubled: p.DoubledSides}
	if len(p.Wrap) > 0 {
		if len(p.Wrap) != len(p.Dims) {
			m.Add("wrap", "must say true or false for each of the %s, not for %d", plural(len(p.Dims), "dimension"),
				len(p.Wrap))
		}
		for _, wrap := range p.Wrap {
			g.open = append(g.open, !wrap)
		}
		if !slices.Contains(g.open, true) {
			g.open = nil
		}
	}
	return newGrid(g, m)
}

var meshFamily = Family{
	Name:     "mesh",
	Doc:      "a grid of nodes in any number of dimensions, each dimension a line",
	Source:   "W. J. Dally and B. Towles, Principles and Practices of Interconnection Networks, 2004, section 5.1",
	Params:   []Param{dimsParam, optionalTerminals},
	Zero:     Mesh{},
	Sizes:    func(s *SizeSearch) { gridSizes(s, false, func(dims Ints) Params { return Mesh{Dims: dims} }) },
	SizesDoc: "two to six dimensions, the longest side at most twice the shortest",
}

// Mesh is a grid of nodes each of whose dimensions is a line.
type Mesh struct {
	Dims Ints `yaml:"dims,omitempty" json:"dims,omitempty"` // points in each dimension
	// nodes on each switch; 0 where it is a node itself
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`
}

// Family is "mesh".
func (Mesh) Family() string { return "mesh" }

// ShortName has the sides.
func (p Mesh) ShortName() string { return sidesName(p.Family(), p.Dims) }

// Build makes the grid without rings.
func (p Mesh) Build(m *Mistakes) Graph {
	return WithTerminals(p.routers(m), p.Terminals, m)
}

// routers is the network without terminals.
func (p Mesh) routers(m *Mistakes) Graph {
	return newGrid(grid{
		family: p.Family(), dims: slices.Clone(p.Dims), open: slices.Repeat([]bool{true}, len(p.Dims)),
	}, m)
}

// newGrid checks the sides and adds kinds and levels.
func newGrid(g grid, m *Mistakes) Graph {
	points := m.checkDims(g.dims)
	m.Ports("dims", 2*int64(len(g.dims)))
	if !m.None() {
		return nil
	}
	ports := 0
	for d := range g.dims {
		ports += g.portsOf(d)
	}
	g.kinds = []Kind{{Name: "node", Count: points, Role: Node, Ports: ports}}
	g.levels = appendLevels(nil, len(g.dims))
	return &plainGrid{g}
}

// ring reports whether a dimension is a ring, of however few points.
func (g *grid) ring(d int) bool { return g.open == nil || !g.open[d] }

// doubles reports whether a dimension has two parallel links between its two points.
func (g *grid) doubles(d int) bool { return g.doubled && g.dims[d] == 2 && g.ring(d) }

// rings reports whether no dimension has ends: a line of 2 points has none that differ.
func (g *grid) rings() bool {
	for d, side := range g.dims {
		if side > 2 && !g.ring(d) {
			return false
		}
	}
	return true
}

// portsOf is the number of ports of a point for a dimension.
func (g *grid) portsOf(d int) int {
	if g.doubles(d) {
		return 2
	}
	return min(g.dims[d]-1, 2)
}

// gridPorts is the number of ports of a point for all its sides, none of them doubled.
func gridPorts(dims []int) int {
	ports := 0
	for _, side := range dims {
		ports += min(side-1, 2)
	}
	return ports
}

// ports returns the ports that lead to the next and to the previous point along dimension d; on a side of 2 that is not
// doubled they are the same.
func (g *grid) ports(d int) (next, previous int) {
	for i := range d {
		next += g.portsOf(i)
	}
	return next, next + g.portsOf(d) - 1
}

func (g *grid) Family() string          { return g.family }
func (g *grid) Kinds() []Kind           { return g.kinds }
func (g *grid) Levels() []Level         { return g.levels }
func (g *grid) Groupings() []Grouping   { return nil }
func (g *grid) Label(v int) string      { return pointLabel(g.dims, v) }
func (g *grid) Dims() []int             { return g.dims }
func (g *grid) TerminalsPerRouter() int { return 0 }

// Wraps is false for a torus of side 2 or less: there is no ring to go round.
func (g *grid) Wraps(d int) bool { return g.ring(d) && g.dims[d] > 2 }

// Links yields one dimension after the other, and in each the links by their
// lower end, those that close a ring after the others of their plane.
func (g *grid) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		points := g.kinds[0].Count
		stride := 1
		for d, side := range g.dims {
			next, previous := g.ports(d)
			l := Link{PortA: int32(next), PortB: int32(previous), Level: int32(d), Width: 1}
			if g.doubles(d) {
				l.PortB, l.Width = l.PortA, 2
			}
			last := stride * (side - 1)
			for plane := 0; plane < points; plane += stride * side {
				for a := plane; a < plane+last; a++ {
					l.A, l.B = int32(a), int32(a+stride)
					if !yield(l) {
						return
					}
				}
				if !g.Wraps(d) {
					continue
				}
				for b := plane; b < plane+stride; b++ {
					l.A, l.B = int32(b+last), int32(b)
					if !yield(l) {
						return
					}
				}
			}
			stride *= side
		}
	}
}

// Orbits returns one orbit if all dimensions are rings. Otherwise it tells points apart by their distance from the
// nearer end of every line; that lines of equal length may be exchanged is not used.
func (g *grid) Orbits() []Orbit {
	out := []Orbit{{0, 1}}
	stride := 1
	for d, side := range g.dims {
		if g.ring(d) {
			for i := range out {
				out[i].Size *= side
			}
			stride *= side
			continue
		}
		lower := out
		out = nil
		for c := range (side + 1) / 2 {
			times := 2
			if 2*c == side-1 {
				times = 1
			}
			for _, o := range lower {
				out = append(out, Orbit{o.Vertex + c*stride, o.Size * times})
			}
		}
		stride *= side
	}
	return out
}

// channels is the number of links that a plane across a dimension cuts for each of
// the points beside it: two where a ring closes.
func (g *grid) channels(d int) int {
	if g.Wraps(d) || g.doubles(d) {
		return 2
	}
	return min(g.dims[d]-1, 1)
}

// ClosedForms are those of the rings or lines that the grid is the product of.
func (g *grid) ClosedForms() ClosedForms {
	c := ClosedForms{SingleLinks: true}
	c.Bisection, c.BisectionSource = g.bisection()
	sum := 0.0
	for d, side := range g.dims {
		k := float64(side)
		c.DegreeMax += min(side-1, 2)
		if g.ring(d) {
			c.DegreeMin += min(side-1, 2)
			c.Diameter += side / 2
			sum += float64(side*side/4) / k
		} else {
			c.DegreeMin += min(side-1, 1)
			c.Diameter += side - 1
			sum += (k - 1/k) / 3
		}
		c.SingleLinks = c.SingleLinks && !g.doubles(d)
	}
	c.MeanHops = withoutSelf(sum, g.kinds[0].Count)
	return c
}

// bisection cuts across the side where that takes fewest links. If the side is
// odd, one layer is left over, which the next best side halves, and so on. That is
// known to be the least if all dimensions are rings or all are lines; else if the first
// side is even. It is negative where it is not known.
func (g *grid) bisection() (float64, string) {
	order := make([]int, len(g.dims))
	for d := range order {
		order[d] = d
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(g.channels(a)*g.dims[b], g.channels(b)*g.dims[a]),
			cmp.Compare(g.dims[a]%2, g.dims[b]%2))
	})
	sum, layer := 0, g.kinds[0].Count
	for _, d := range order {
		layer /= g.dims[d]
		sum += g.channels(d) * layer
		if g.dims[d]%2 == 0 {
			break
		}
	}
	const odd = "; after an odd side the cut through the one layer left over comes on top (J. Arjona Aroca and A. " +
		"Fernandez Anta, IEEE TPDS 25 (3), 2014)"
	lines := true
	for d := range g.dims {
		lines = lines && g.channels(d) < 2
	}
	switch {
	case lines && g.open != nil:
		return float64(sum), "N/k for the longest side k if it is even" + odd
	case g.rings() && !g.doubled:
		return float64(sum), "2 N/k for the longest side k if it is even, N/2 for sides of 2, which have single " +
			"links: 2 n^(D-1) or n^(D-1) for equal sides n in " + exascaleSource + odd
	case g.rings():
		return float64(sum), "2 N/k for the longest side k if it is even" + odd
	case len(order) > 0 && g.dims[order[0]]%2 == 0:
		return float64(sum), "2 N/k for a ring and N/k for a line of k points, of the side where that is least: all " +
			"pairs of nodes in dimension order load no link more than N^2/4 paths over as many links do"
	}
	return -1, ""
}

// SameLevels holds where all dimensions are rings: shifts take a link to all others of its
// dimension.
func (g *plainGrid) SameLevels() bool { return g.rings() }

// LevelChannels: of every line of a dimension, its side if it wraps, else one fewer.
func (g *plainGrid) LevelChannels() []int64 {
	out := make([]int64, len(g.dims))
	for d, side := range g.dims {
		out[d] = int64(g.kinds[0].Count/side) * int64(side-1)
		if g.Wraps(d) || g.doubles(d) {
			out[d] += int64(g.kinds[0].Count / side)
		}
	}
	return out
}

// OrderedLoad is the greatest load of a link, both ways together, if every node sends a unit to every other,
// dimension by dimension, half of it either way round where that is as far.
func (g *plainGrid) OrderedLoad() float64 {
	most := 0.0
	for d, side := range g.dims {
		if n := g.channels(d); n > 0 { // the pairs on either side of a link, N/side times
			most = max(most, float64(2/n*(side*side/4))*float64(g.kinds[0].Count/side))
		}
	}
	return most
}

// DimensionPorts are those to the next and to the previous point; a doubled side is fully joined by links of two
// channels.
func (g *plainGrid) DimensionPorts(d int) (p DimensionPorts) {
	p.Next, p.Previous = g.ports(d)
	if g.doubles(d) {
		return DimensionPorts{Full: true, First: p.Next, Width: 2}
	}
	return p
}

// UsualRouting is dimension order.
func (g *plainGrid) UsualRouting() string { return "dor" }

// FloodBound is half a ring of every dimension of a torus, as the CLEX paper has it (C.
// Lenzen and R. Wattenhofer, arXiv:1607.00298, section II-C); a grid with lines has none.
func (g *plainGrid) FloodBound(int) []LevelHops {
	if !g.rings() {
		return nil
	}
	out := make([]LevelHops, len(g.dims))
	for d, side := range g.dims {
		out[d] = LevelHops{Level: d, Hops: side / 2}
	}
	return out
}

// gridSizes offers near-cubic tori and meshes: sides in ascending order, in two
// to six dimensions, the largest at most twice the smallest. Cubes come first.
func gridSizes(s *SizeSearch, wrap bool, params func(Ints) Params) {
	for n := 2; n <= 6; n++ {
		s.Cuboids(n, 1, 1, func(sides []int, points, from, to int) {
			rank := func(i int) int {
				last := from + i
				return 1000*last/sides[0]<<20 + gridDiameter(wrap, sides) + gridDiameter(wrap, []int{last})
			}
			size := func(i int) Size {
				dims := append(append(make(Ints, 0, n), sides...), from+i)
				return gridSize(params(dims), wrap, dims)
			}
			ports := gridPorts(sides)
			if from == 2 { // has one port less than a longer side
				if ports+1 <= s.MaxPorts {
					s.AddRun(1, points*from, points, rank, size)
				}
				from++
			}
			if ports+2 <= s.MaxPorts {
				s.AddRun(to-from+1, points*from, points, rank, size)
			}
		})
	}
}

func gridDiameter(wrap bool, dims []int) int {
	d := 0
	for _, side := range dims {
		if wrap {
			d += side / 2
		} else {
			d += side - 1
		}
	}
	return d
}

// gridSize returns the size of a torus, or of a mesh if wrap is false.
func gridSize(p Params, wrap bool, dims Ints) Size {
	z := Size{Spec: Spec{Params: p}, Nodes: 1, Ports: gridPorts(dims), Diameter: gridDiameter(wrap, dims)}
	for _, side := range dims {
		z.Links = z.Links*int64(side) + int64(z.Nodes)*int64(side-1)
		if wrap && side > 2 {
			z.Links += int64(z.Nodes)
		}
		z.Nodes *= side
	}
	return z
}

// regularSize is a graph whose nodes, which are routers, all have the same
// ports.
func regularSize(p Params, nodes, ports, diameter int) Size {
	return Size{
		Spec: Spec{Params: p}, Nodes: nodes, Ports: ports, Links: int64(nodes) * int64(ports) / 2,
		Diameter: diameter,
	}
}
