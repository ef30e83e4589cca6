package topology

import (
	"iter"
	"math"
)

// rdt is the recursive diagonal torus RDT(2,4,1)/alpha (Y. Yang, A. Funahashi,
// A. Jouraku, H. Nishi, H. Amano and T. Sueyoshi, "Recursive diagonal torus: an
// interconnection network for massively parallel computers", IEEE Trans.
// Parallel Distrib. Syst. 12(7), 2001): a two-dimensional torus, each node of
// which also takes part in one of four upper tori, its rank. Ranks 1 and 3 link
// diagonally, to (+-2, +-2) and (+-16, +-16), ranks 2 and 4 straight, to (+-8,
// 0), (0, +-8) and (+-64, 0), (0, +-64). The rank of a node repeats every four
// nodes in both dimensions:
//
//	y mod 4 = 0   1 1 3 3
//	y mod 4 = 1   4 4 2 2
//	y mod 4 = 2   3 3 1 1
//	y mod 4 = 3   2 2 4 4
//
// No text of the source was at hand: the assignment of ranks was constructed to
// fit, and does so exactly, the distances for 128 x 128 nodes in Table 1 of P.
// Zhang, R. Powell and Y. Deng, IEEE TPDS 22(2), 2011. Links that coincide
// because a step is half a side are one. Sides may be any multiples of 4; a
// step longer than half a side is left out.
//
// The only kind is "node"; the levels are dim1, dim2 for the links of the torus and rank1 ... rank4; there are no
// groupings. Ports 0 to 3 are those of the torus. Ports 4 and 5 lead along (+, +) or (+, 0) and back, ports 6 and 7
// along (+, -) or (0, +) and back.
//
// The nodes of a rank are one orbit.
type rdt struct{ grid }

var (
	_ Lattice   = (*rdt)(nil)
	_ Symmetric = (*rdt)(nil)
	_ Formulas  = (*rdt)(nil)
)

var rdtFamily = Family{
	Name: "rdt",
	Doc:  "recursive diagonal torus RDT(2,4,1)/alpha: a torus whose nodes take turns in four larger-meshed tori",
	Source: "Y. Yang et al., Recursive diagonal torus, IEEE TPDS 12(7), 2001 (assignment of ranks fitted to " +
		"published figures)",
	Params: []Param{
		{
			Name: "dims", Doc: "two sides, multiples of 4; from 128 on all ranks have links",
			Required: true,
		},
		optionalTerminals,
	},
	Zero:     RDT{},
	Sizes:    rdtSizes,
	SizesDoc: "the longer side at most twice the shorter",
}

// RDT is a recursive diagonal torus RDT(2,4,1)/alpha.
type RDT struct {
	Dims Ints `yaml:"dims,omitempty" json:"dims,omitempty"` // columns and rows
	// nodes on each switch; 0 where it is a node itself
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`
}

// Family is "rdt".
func (RDT) Family() string { return "rdt" }

// ShortName has the sides.
func (p RDT) ShortName() string { return sidesName(p.Family(), p.Dims) }

// rdtRanks is the rank of a node, counting from 0, by y mod 4 and x mod 4.
var rdtRanks = [4][4]int{{0, 0, 2, 2}, {3, 3, 1, 1}, {2, 2, 0, 0}, {1, 1, 3, 3}}

// Build makes the torus with the links of its ranks.
func (p RDT) Build(m *Mistakes) Graph {
	return WithTerminals(p.routers(m), p.Terminals, m)
}

// routers is the network without terminals.
func (p RDT) routers(m *Mistakes) Graph {
	points := m.checkDims(p.Dims)
	if len(p.Dims) > 0 && len(p.Dims) != 2 {
		m.Add("dims", "takes two sides, not %d", len(p.Dims))
	}
	for i, side := range p.Dims {
		if side > 0 && side%4 != 0 {
			m.AddAt("dims", i, "side %d is not divisible by 4", side)
		}
	}
	if !m.None() {
		return nil
	}
	levels := appendLevels(nil, 2)
	for _, name := range []string{"rank1", "rank2", "rank3", "rank4"} {
		levels = append(levels, Level{Name: name})
	}
	return &rdt{grid{
		family: p.Family(),
		dims:   []int{p.Dims[0], p.Dims[1]},
		kinds:  []Kind{{Name: "node", Count: points, Role: Node, Ports: 8}},
		levels: levels,
	}}
}

// A stride is the step of half of the links of a rank; the other half are those
// that come in. half is the dimension, counting from 1, in which only the links
// from the first half of the torus are taken, because the step is its own
// opposite.
type stride struct{ dx, dy, half int }

// strides are the steps of a rank, those that coincide left out.
func (g *rdt) strides(rank int) []stride {
	n := [4]int{2, 8, 16, 64}[rank]
	columns, rows := g.dims[0], g.dims[1]
	if rank%2 == 0 {
		switch {
		case 2*n > columns || 2*n > rows:
			return nil
		case 2*n == columns && 2*n == rows:
			return []stride{{n, n, 1}}
		case 2*n == columns || 2*n == rows: // (n, -n) is the opposite of (n, n), or the same
			return []stride{{n, n, 0}}
		}
		return []stride{{n, n, 0}, {n, -n, 0}}
	}
	var s []stride
	if 2*n <= columns {
		s = append(s, stride{n, 0, 0})
		if 2*n == columns {
			s[0].half = 1
		}
	}
	if 2*n <= rows {
		up := stride{0, n, 0}
		if 2*n == rows {
			up.half = 2
		}
		s = append(s, up)
	}
	return s
}

// Links yields the torus, then one rank after the other, and in each one step
// after the other, row by row.
func (g *rdt) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		for l := range g.grid.Links() {
			if !yield(l) {
				return
			}
		}
		for rank := range 4 {
			for _, s := range g.strides(rank) {
				if !g.rankLinks(rank, s, yield) {
					return
				}
			}
		}
	}
}

// rankLinks yields the links of a rank that have one stride.
func (g *rdt) rankLinks(rank int, s stride, yield func(Link) bool) bool {
	columns, rows := g.dims[0], g.dims[1]
	port := int32(4)
	if s.dy < 0 || s.dx == 0 {
		port = 6
	}
	r := rowLinks{
		link: Link{PortA: port, PortB: port + 1, Level: int32(2 + rank), Width: 1},
		side: columns, end: columns, period: 4, dx: s.dx,
	}
	if s.half == 1 {
		r.end = s.dx
	}
	if s.half == 2 {
		rows = s.dy
	}
	for y := range rows {
		r.row = y * columns
		to := (y + s.dy + g.dims[1]) % g.dims[1]
		r.by = (to - y) * columns
		for x, at := range rdtRanks[y%4] {
			if r.first = x; at == rank && !r.links(yield) {
				return false
			}
		}
	}
	return true
}

// Orbits holds a node of each rank: translations by (4, 0), (0, 4) and (2, 2),
// and the reflection that takes x to 1 - x, keep all ranks.
func (g *rdt) Orbits() []Orbit {
	each := g.kinds[0].Count / 4
	return []Orbit{{0, each}, {2, each}, {g.dims[0], each}, {g.dims[0] + 2, each}}
}

// ClosedForms gives the degrees, with coincident links counted once, and the
// bisection as published.
func (g *rdt) ClosedForms() ClosedForms {
	c := ClosedForms{DegreeMin: math.MaxInt, Diameter: -1, MeanHops: math.NaN()}
	columns := float64(g.dims[0])
	across := 2.0 // links across both planes for each row of the torus
	for rank := range 4 {
		degree := 4
		for _, s := range g.strides(rank) {
			if degree += 2; s.half > 0 {
				degree--
			}
		}
		c.DegreeMin, c.DegreeMax = min(c.DegreeMin, degree), max(c.DegreeMax, degree)
		switch n := float64([4]int{2, 8, 16, 64}[rank]); {
		case 2*n < columns:
			across += 4 * n / 4 // two steps from a quarter of the nodes
		case 2*n == columns:
			across += columns / 8
		}
	}
	if g.dims[0] == g.dims[1] {
		c.Bisection = across * float64(g.dims[1])
		c.BisectionSource = "cut by two planes that halve a square torus, with the straight links of ranks 2 and 4 " +
			"counted as if diagonal: fits Table 1 of Zhang et al., IEEE TPDS 22(2), 2011; fewer links are cut " +
			"(128 x 128: 5120, not 5632)"
	} else {
		c.Bisection = math.NaN()
	}
	return c
}

// rdtSizes offers near-square networks: the longer side is at most twice the
// shorter. Squares come first.
func rdtSizes(s *SizeSearch) {
	s.Cuboids(2, 4, 1, func(sides []int, points, from, to int) {
		rank := func(i int) int { return 1000 * (from + 4*i) / sides[0] }
		size := func(i int) Size { return rdtSize(Ints{sides[0], from + 4*i}) }
		s.AddFittingRun((to-from)/4+1, points*from, 4*points, rank, size)
	})
}

func rdtSize(dims Ints) Size {
	z := gridSize(RDT{Dims: dims}, true, dims)
	z.Diameter = -1
	g := &rdt{grid{dims: dims}}
	most := 0
	for rank := range 4 {
		ports := 0
		for _, step := range g.strides(rank) {
			links := z.Nodes / 4
			if ports += 2; step.half > 0 {
				ports--
				links /= 2
			}
			z.Links += int64(links)
		}
		most = max(most, ports)
	}
	z.Ports += most
	return z
}
