package topology

import (
	"iter"
	"math"
	"math/bits"
	"strconv"
)

// shifted is a two-dimensional torus in which the lengths of the bypass links
// shift from row to row: the shifted recursive torus SRT (Y. Inoguchi and S.
// Horiguchi, "Shifted recursive torus interconnection for high performance
// computing", HPC-Asia 1997) on 2^n x 2^n nodes, and a network like packed
// exponential connections (see pecFamily).
//
// Node (x, y) of a torus of N = 2^n columns has the bypass links (x +- 2^(t+1),
// y) and (x, y +- 2^(t+1)), where t is the number of trailing zero bits of (x +
// b y) mod N; there are none if that is 0 or N/2. For SRT, b = 2^floor(n/2) + 1
// (or - 1, with the same distances). No text of the source was at hand: this
// definition was constructed to fit, and does so exactly, the figures for 128 x
// 128 nodes in Table 1 of P. Zhang, R. Powell and Y. Deng, IEEE TPDS 22(2),
// 2011. Where a step is half a side, the two links of a node in this dimension
// are one.
//
// The only kind is "node"; the levels are dim1, dim2 for the links of the torus and bypass1 ... bypass(n-1) for bypass
// links of lengths 2, 4, ... N/2; there are no groupings. Ports 0 to 3 are those of the torus, ports 4 to 7 those of
// the bypass links in the same order: up and down in x, up and down in y.
//
// Nodes with the same |x + b y| modulo N/2 are one orbit.
type shifted struct {
	grid
	slant int // b
}

var (
	_ Lattice   = (*shifted)(nil)
	_ Symmetric = (*shifted)(nil)
	_ Formulas  = (*shifted)(nil)
)

var srtFamily = Family{
	Name: "srt",
	Doc:  "shifted recursive torus: a square torus with bypass links of lengths 2, 4, 8, ...",
	Source: "Y. Inoguchi and S. Horiguchi, Shifted recursive torus interconnection for high performance computing, " +
		"HPC-Asia 1997 (construction fitted to published figures)",
	Params: []Param{
		{Name: "dims", Doc: "two equal sides, a power of two from 4 to 32768", Required: true}, optionalTerminals,
	},
	Zero:     SRT{},
	Sizes:    srtSizes,
	SizesDoc: "all",
}

// SRT is a shifted recursive torus.
type SRT struct {
	Dims Ints `yaml:"dims,omitempty" json:"dims,omitempty"` // columns and rows
	// nodes on each switch; 0 where it is a node itself
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`
}

// Family is "srt".
func (SRT) Family() string { return "srt" }

// ShortName has the sides.
func (p SRT) ShortName() string { return sidesName(p.Family(), p.Dims) }

// Build makes the torus with its bypass links.
func (p SRT) Build(m *Mistakes) Graph {
	return WithTerminals(p.routers(m), p.Terminals, m)
}

// routers is the network without terminals.
func (p SRT) routers(m *Mistakes) Graph {
	n := m.twoPowers(p.Dims)
	if m.None() && p.Dims[0] != p.Dims[1] {
		m.Add("dims", "the two sides must be equal, not %d and %d", p.Dims[0], p.Dims[1])
	}
	if !m.None() {
		return nil
	}
	return newShifted(p.Family(), p.Dims, n, 1<<(n/2)+1)
}

// twoPowers reports dims unless they are two powers of two that make a torus
// which can be numbered. It returns the logarithm of the first.
func (m *Mistakes) twoPowers(dims []int) int {
	if len(dims) != 2 {
		if len(dims) > 0 {
			m.Add("dims", "takes two sides, not %d", len(dims))
		}
		return 0
	}
	for i, side := range dims {
		if side < 4 || side > 1<<15 || side&(side-1) != 0 {
			m.AddAt("dims", i, "must be a power of two from 4 to 32768, not %d", side)
		}
	}
	return bits.Len(uint(dims[0])) - 1
}

func newShifted(family string, dims Ints, n, slant int) *shifted {
	levels := appendLevels(nil, 2)
	for t := 1; t < n; t++ {
		levels = append(levels, Level{Name: "bypass" + strconv.Itoa(t)})
	}
	return &shifted{
		grid: grid{
			family: family,
			dims:   []int{dims[0], dims[1]},
			kinds:  []Kind{{Name: "node", Count: dims[0] * dims[1], Role: Node, Ports: 8}},
			levels: levels,
		},
		slant: slant,
	}
}

// Links yields the torus, then one length after the other, row by row, and in
// each row the links in x before those in y.
func (g *shifted) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		for l := range g.grid.Links() {
			if !yield(l) {
				return
			}
		}
		for t := range len(g.levels) - 2 {
			if !g.bypasses(t, yield) {
				return
			}
		}
	}
}

// bypasses yields the links of the nodes whose sum has t trailing zeros.
func (g *shifted) bypasses(t int, yield func(Link) bool) bool {
	columns, rows := g.dims[0], g.dims[1]
	length := 2 << t
	level := int32(2 + t)
	x := rowLinks{
		link: Link{PortA: 4, PortB: 5, Level: level, Width: 1},
		side: columns, end: columns, period: length, dx: length,
	}
	if 2*length == columns {
		x.end = length
	}
	y := rowLinks{
		link: Link{PortA: 6, PortB: 7, Level: level, Width: 1},
		side: columns, end: columns, period: length,
	}
	for row := range rows {
		x.row = row * columns
		x.first = (1<<t - g.slant*row) & (length - 1)
		if !x.links(yield) {
			return false
		}
		if length >= rows || 2*length == rows && row >= length {
			continue
		}
		y.row, y.first, y.by = x.row, x.first, length*columns
		if row+length >= rows {
			y.by -= rows * columns
		}
		if !y.links(yield) {
			return false
		}
	}
	return true
}

// Orbits are classes of nodes by their sum modulo half the columns, where sums
// s and -s are alike: translations keep the sum, the reflection of both
// coordinates changes its sign, and a change by half the columns changes no
// link.
func (g *shifted) Orbits() []Orbit {
	classes := g.dims[0] / 2
	each := 2 * g.dims[1]
	orbits := []Orbit{{0, each}}
	for s := 1; s < classes/2; s++ {
		orbits = append(orbits, Orbit{s, 2 * each})
	}
	return append(orbits, Orbit{classes / 2, each})
}

// ClosedForms gives the degrees, with coincident links counted once, and the
// plane cut across the first dimension.
func (g *shifted) ClosedForms() ClosedForms {
	n := len(g.levels) - 1 // 2^n columns
	// The most links have the nodes with the shortest bypasses.
	most := 4 + min(g.dims[0]/2-1, 2) + min(g.dims[1]/2-1, 2)
	return ClosedForms{
		DegreeMin: 4, DegreeMax: most, Diameter: -1, MeanHops: math.NaN(),
		Bisection: float64(g.dims[1]) * float64(2*n-1),
		BisectionSource: "cut by two planes that halve the 2^n columns: (2n - 1) x rows; " +
			"fits Table 1 of Zhang et al., IEEE TPDS 22(2), 2011",
	}
}

// srtSizes offers all SRT networks.
func srtSizes(s *SizeSearch) {
	for n := 2; n <= 15; n++ {
		dims := Ints{1 << n, 1 << n}
		s.Add(0, shiftedSize(SRT{Dims: dims}, n, dims))
	}
}

func shiftedSize(p Params, n int, dims Ints) Size {
	columns, rows := dims[0], dims[1]
	z := gridSize(p, true, dims)
	z.Diameter = -1
	z.Ports += min(columns/2-1, 2) + min(rows/2-1, 2)
	for t := range n - 1 {
		length := 2 << t
		for _, side := range [2]int{columns, rows} { // of the nodes with t trailing zeros
			switch {
			case 2*length == side:
				z.Links += int64(z.Nodes / length / 2)
			case length < side:
				z.Links += int64(z.Nodes / length)
			}
		}
	}
	return z
}
