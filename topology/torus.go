package topology

import (
	"cmp"
	"iter"
	"slices"
)

// grid is an n-dimensional torus or mesh: the points of a lattice, each joined
// to the next in every dimension, and in a torus the last to the first (W. J.
// Dally and B. Towles, Principles and Practices of Interconnection Networks,
// Morgan Kaufmann 2004, section 5.1: k-ary n-cubes and n-meshes, here with a
// side for each dimension).
//
// A side of 2 has one link between its two points in a torus too, a side of 1
// has none. The only kind is "node"; the levels are dim1 ... dimN, one for each
// dimension; there are no nests. Dimension by dimension, a port leads to the next
// point and one to the previous; a side of 2 takes one port and a side of 1 none, as
// there are no more links. At the edges of a mesh, ports stay empty.
type grid struct {
	family string
	dims   []int
	wrap   bool
	kinds  []Kind
	levels []Level
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
	Name:     "torus",
	Doc:      "a grid of nodes in any number of dimensions, each dimension a ring",
	Source:   "W. J. Dally and B. Towles, Principles and Practices of Interconnection Networks, 2004, section 5.1",
	Params:   []Param{dimsParam},
	Zero:     Torus{},
	Sizes:    func(s *SizeSearch) { gridSizes(s, true, func(dims Ints) Params { return Torus{dims} }) },
	SizesDoc: "two to six dimensions, the longest side at most twice the shortest",
}

// Torus is a grid of nodes each of whose dimensions is a ring.
type Torus struct {
	Dims Ints `yaml:"dims,omitempty" json:"dims,omitempty"` // points in each dimension
}

// Family is "torus".
func (Torus) Family() string { return "torus" }

// ShortName has the sides.
func (p Torus) ShortName() string { return sidesName(p.Family(), p.Dims) }

// Build makes the grid with rings.
func (p Torus) Build(m *Mistakes) Graph { return newGrid(p.Family(), true, p.Dims, m) }

var meshFamily = Family{
	Name:     "mesh",
	Doc:      "a grid of nodes in any number of dimensions, each dimension a line",
	Source:   "W. J. Dally and B. Towles, Principles and Practices of Interconnection Networks, 2004, section 5.1",
	Params:   []Param{dimsParam},
	Zero:     Mesh{},
	Sizes:    func(s *SizeSearch) { gridSizes(s, false, func(dims Ints) Params { return Mesh{dims} }) },
	SizesDoc: "two to six dimensions, the longest side at most twice the shortest",
}

// Mesh is a grid of nodes each of whose dimensions is a line.
type Mesh struct {
	Dims Ints `yaml:"dims,omitempty" json:"dims,omitempty"` // points in each dimension
}

// Family is "mesh".
func (Mesh) Family() string { return "mesh" }

// ShortName has the sides.
func (p Mesh) ShortName() string { return sidesName(p.Family(), p.Dims) }

// Build makes the grid without rings.
func (p Mesh) Build(m *Mistakes) Graph { return newGrid(p.Family(), false, p.Dims, m) }

func newGrid(family string, wrap bool, dims Ints, m *Mistakes) Graph {
	points := m.checkDims(dims)
	m.Ports("dims", 2*int64(len(dims)))
	if !m.None() {
		return nil
	}
	return &plainGrid{grid{
		family: family,
		dims:   append([]int(nil), dims...),
		wrap:   wrap,
		kinds:  []Kind{{Name: "node", Count: points, Role: Node, Ports: gridPorts(dims)}},
		levels: appendLevels(nil, len(dims)),
	}}
}

// gridPorts is the number of ports of a point for all its sides.
func gridPorts(dims []int) int {
	ports := 0
	for _, side := range dims {
		ports += min(side-1, 2)
	}
	return ports
}

// ports lead to the next and to the previous point along a dimension; on a side of 2 they are one.
func (g *grid) ports(d int) (next, previous int) {
	next = gridPorts(g.dims[:d])
	return next, next + gridPorts(g.dims[d:d+1]) - 1
}

func (g *grid) Family() string          { return g.family }
func (g *grid) Kinds() []Kind           { return g.kinds }
func (g *grid) Levels() []Level         { return g.levels }
func (g *grid) Nests() []Nest           { return nil }
func (g *grid) Label(v int) string      { return pointLabel(g.dims, v) }
func (g *grid) Dims() []int             { return g.dims }
func (g *grid) TerminalsPerRouter() int { return 0 }

// Wraps is false for a torus of side 2 or less: there is no ring to go round.
func (g *grid) Wraps(d int) bool { return g.wrap && g.dims[d] > 2 }

// Links yields one dimension after the other, and in each the links by their
// lower end, those that close a ring after the others of their plane.
func (g *grid) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		points := g.kinds[0].Count
		stride := 1
		for d, side := range g.dims {
			next, previous := g.ports(d)
			l := Link{PortA: int32(next), PortB: int32(previous), Level: int32(d), Width: 1}
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

// Orbits is one for a torus. The symmetries of a mesh that count are the
// mirrors of its dimensions.
func (g *grid) Orbits() []Orbit {
	out := []Orbit{{0, 1}}
	stride := 1
	for _, side := range g.dims {
		if g.wrap {
			out[0].Size *= side
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

// channels is the number of links that a plane across a dimension of the given
// side cuts for each of the points beside it: two where a ring closes.
func (g *grid) channels(side int) int {
	if g.wrap && side > 2 {
		return 2
	}
	return min(side-1, 1)
}

// ClosedForms are those of the rings or lines that the grid is the product of.
func (g *grid) ClosedForms() ClosedForms {
	c := ClosedForms{
		SingleLinks: true, Bisection: g.bisection(),
		BisectionSource: "N/k for the longest side k if it is even; after an odd side the cut through the one layer " +
			"left over comes on top (J. Arjona Aroca and A. Fernandez Anta, IEEE TPDS 25 (3), 2014)",
	}
	if g.wrap {
		c.BisectionSource = "2 N/k for the longest side k if it is even, N/2 for sides of 2, which have single " +
			"links: 2 n^(D-1) or n^(D-1) for equal sides n in " +
			exascaleSource + "; after an odd side the cut through the one layer left over comes on top (J. Arjona " +
			"Aroca and A. Fernandez Anta, IEEE TPDS 25 (3), 2014)"
	}
	c.DegreeMax, c.Diameter = gridPorts(g.dims), gridDiameter(g.wrap, g.dims)
	sum := 0.0
	for _, side := range g.dims {
		k := float64(side)
		if g.wrap {
			c.DegreeMin += min(side-1, 2)
			sum += float64(side*side/4) / k
		} else {
			c.DegreeMin += min(side-1, 1)
			sum += (k - 1/k) / 3
		}
	}
	c.MeanHops = withoutSelf(sum, g.kinds[0].Count)
	return c
}

// bisection cuts across the side where that takes fewest links. If the side is
// odd, one layer is left over, which the next best side halves, and so on.
func (g *grid) bisection() float64 {
	dims := slices.Clone(g.dims)
	slices.SortFunc(dims, func(a, b int) int { return cmp.Compare(g.channels(a)*b, g.channels(b)*a) })
	sum, layer := 0, g.kinds[0].Count
	for _, side := range dims {
		layer /= side
		sum += g.channels(side) * layer
		if side%2 == 0 {
			break
		}
	}
	return float64(sum)
}

// SameLevels holds for a torus: shifts take a link to all others of its
// dimension.
func (g *plainGrid) SameLevels() bool { return g.wrap }

// LevelChannels: of every line of a dimension, its side if it wraps, else one fewer.
func (g *plainGrid) LevelChannels() []int64 {
	out := make([]int64, len(g.dims))
	for d, side := range g.dims {
		out[d] = int64(g.kinds[0].Count/side) * int64(side-1)
		if g.Wraps(d) {
			out[d] += int64(g.kinds[0].Count / side)
		}
	}
	return out
}

// OrderedLoad is the greatest load of a link, both ways together, if every node sends a unit to every other,
// dimension by dimension, half of it either way round where that is as far.
func (g *plainGrid) OrderedLoad() float64 {
	most := 0.0
	for _, side := range g.dims {
		if n := g.channels(side); n > 0 { // the pairs on either side of a link, N/side times
			most = max(most, float64(2/n*(side*side/4))*float64(g.kinds[0].Count/side))
		}
	}
	return most
}

// DimensionPorts are those to the next and to the previous point.
func (g *plainGrid) DimensionPorts(d int) (p DimensionPorts) {
	p.Next, p.Previous = g.ports(d)
	return p
}

// UsualRouting is dimension order.
func (g *plainGrid) UsualRouting() string { return "dor" }

// FloodBound is half a ring of every dimension of a torus, as the CLEX paper has it (C.
// Lenzen and R. Wattenhofer, arXiv:1607.00298, section II-C); a mesh has none.
func (g *plainGrid) FloodBound(int) []LevelHops {
	if !g.wrap {
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

// gridSize is a torus, or a mesh if it does not wrap.
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
