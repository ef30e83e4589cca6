package topology

import (
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/plenum-planner/plenum/internal/arith"
)

// ibt is a torus with interlaced bypass rings (P. Zhang, R. Powell and Y. Deng,
// "Interlacing bypass rings to torus networks for more efficient networks",
// IEEE Trans. Parallel Distrib. Syst. 22(2), 2011, section 2.1):
// iBT(N1 x ... x Nn; L = m; l = <l1, ..., lk>). Every node has two bypass links
// beside those of the torus, in one of the first m dimensions and of one of k
// lengths. With s the sum of its first m coordinates, counted from 0, they lie
// in dimension (s mod m) + 1 and have length l_h, h = floor((s mod mk)/m) + 1.
// All lengths and the first m sides are multiples of mk, so that both ends of a
// bypass link agree on dimension and length.
//
// Where a length is half a side, the two bypass links of a node are one. The
// paper counts them as two: its degree is 2n + 2 throughout.
//
// The only kind is "node"; the levels are dim1 ... dimN for the links of the torus and bypass1 ... bypassK for the
// bypass links of each length, in the order of the lengths; there are no groupings. The ports of the torus come first;
// the last but one leads up the bypass ring and the last one down, and where all lengths are half a side, there is one
// for both.
//
// Nodes with equal s mod mk are one orbit, and those of several s where turning
// the rings round or exchanging dimensions of equal side makes them equal.
type ibt struct {
	grid
	bypassDims int   // m
	lengths    []int // l
}

var (
	_ Lattice   = (*ibt)(nil)
	_ Symmetric = (*ibt)(nil)
	_ Formulas  = (*ibt)(nil)

	_ DistanceFormula = (*ibt)(nil)
)

var ibtFamily = Family{
	Name: "ibt",
	Doc:  "a torus with bypass rings of several lengths interlaced in some of its dimensions",
	Source: "P. Zhang, R. Powell and Y. Deng, Interlacing bypass rings to torus networks for more efficient " +
		"networks, IEEE TPDS 22(2), 2011, section 2.1",
	Params: []Param{
		dimsParam,
		{
			Name: "bypass_dims", Doc: "the number of dimensions with bypass rings, the first ones, at least 1",
			Required: true,
		},
		{Name: "bypass_lengths", Doc: "the lengths of the bypass links, each a multiple of bypass_dims x number of " +
			"lengths, as the sides of the dimensions with bypass rings must be", Required: true},
		optionalTerminals,
	},
	Zero:  IBT{},
	Sizes: ibtSizes,
	SizesDoc: "two to four dimensions, sides equal but for the last, which is up to twice as long; bypass rings " +
		"in one to all of them; one or two lengths, up to half a side and 12 times the least",
}

// IBT is a torus with interlaced bypass rings: iBT(N1 x ... x Nn; L = m; l = <l1, ..., lk>) in
// the source.
type IBT struct {
	Dims Ints `yaml:"dims,omitempty" json:"dims,omitempty"` // points in each dimension: N
	// the first dimensions, with bypass rings: L
	BypassDims int `yaml:"bypass_dims,omitempty" json:"bypass_dims,omitempty"`
	// in the order in which they take turns: l
	BypassLengths Ints `yaml:"bypass_lengths,omitempty" json:"bypass_lengths,omitempty"`
	// nodes on each switch; 0 where it is a node itself
	Terminals int `yaml:"terminals,omitempty" json:"terminals,omitempty"`
}

// Family is "ibt".
func (IBT) Family() string { return "ibt" }

// ShortName has the sides.
func (p IBT) ShortName() string { return sidesName(p.Family(), p.Dims) }

// Build makes the torus with its bypass rings.
func (p IBT) Build(m *Mistakes) Graph {
	return WithTerminals(p.routers(m), p.Terminals, m)
}

// routers is the network without terminals.
func (p IBT) routers(m *Mistakes) Graph {
	points := m.checkDims(p.Dims)
	m.Ports("dims", 2*int64(len(p.Dims))+2)
	if p.BypassDims < 0 || p.BypassDims > len(p.Dims) && len(p.Dims) > 0 {
		m.Add("bypass_dims", "must be from 1 to the %s, not %d", plural(len(p.Dims), "dimension"), p.BypassDims)
	}
	if !m.None() {
		return nil
	}
	p.checkBypasses(m)
	if !m.None() {
		return nil
	}
	levels := appendLevels(nil, len(p.Dims))
	for h := range p.BypassLengths {
		levels = append(levels, Level{Name: "bypass" + strconv.Itoa(h+1)})
	}
	return &ibt{
		grid: grid{
			family: p.Family(),
			dims:   slices.Clone(p.Dims),
			kinds:  []Kind{{Name: "node", Count: points, Role: Node, Ports: gridPorts(p.Dims) + p.bypassPorts()}},
			levels: levels,
		},
		bypassDims: p.BypassDims,
		lengths:    slices.Clone(p.BypassLengths),
	}
}

// bypassPorts is two, or one where every bypass leads half way round its ring, so that both of a node are one link.
func (p IBT) bypassPorts() int {
	whole := func(side int) bool { return side != 2*p.BypassLengths[0] }
	if len(p.BypassLengths) > 1 || slices.ContainsFunc(p.Dims[:p.BypassDims], whole) {
		return 2
	}
	return 1
}

// checkBypasses reports lengths and sides that are not multiples of mk, and lengths that lead to a node itself, to its
// neighbour on the torus or further.
func (p IBT) checkBypasses(m *Mistakes) {
	const rule = "is not divisible by bypass_dims x number of lengths = %d"
	period := p.BypassDims * len(p.BypassLengths)
	shortest := math.MaxInt
	for d, side := range p.Dims[:p.BypassDims] {
		if side%period != 0 {
			m.AddAt("dims", d, "side %d "+rule, side, period)
		}
		shortest = min(shortest, side)
	}
	for h, l := range p.BypassLengths {
		switch {
		case l%period != 0:
			m.AddAt("bypass_lengths", h, "bypass length %d "+rule, l, period)
		case l < 2 || l > shortest-2:
			m.AddAt("bypass_lengths", h,
				"must be from 2 to 2 less than the shortest side with bypass rings, which is %d, not %d", shortest, l)
		}
	}
}

// Links yields the torus, then for each length the bypasses of one dimension
// after the other, by their lower end on the ring.
func (g *ibt) Links() iter.Seq[Link] {
	return func(yield func(Link) bool) {
		for l := range g.grid.Links() {
			if !yield(l) {
				return
			}
		}
		for h := range g.lengths {
			stride := 1
			for d := range g.bypassDims {
				if !g.bypasses(h, d, stride, yield) {
					return
				}
				stride *= g.dims[d]
			}
		}
	}
}

// bypasses yields the links of the h-th length in dimension d, whose
// neighbours are stride apart, row by row along the first dimension.
func (g *ibt) bypasses(h, d, stride int, yield func(Link) bool) bool {
	n, length, side := len(g.dims), g.lengths[h], g.dims[d]
	port := int32(gridPorts(g.dims))
	period := g.bypassDims * len(g.lengths)
	r := rowLinks{
		link: Link{PortA: port, PortB: int32(g.kinds[0].Ports) - 1, Level: int32(n + h), Width: 1},
		side: g.dims[0], end: g.dims[0], period: period,
	}
	half := 2*length == side
	if d == 0 {
		r.dx = length
		if half {
			r.end = length
		}
	}
	at := make([]int, n) // coordinates of the start of the row
	sum := 0             // of at in the dimensions with bypasses
	for r.row = 0; r.row < g.kinds[0].Count; r.row += r.side {
		r.first = (d + g.bypassDims*h + period - sum%period) % period
		skip := false
		if d > 0 {
			r.by = length * stride
			if at[d]+length >= side {
				r.by -= side * stride
				skip = half
			}
		}
		if !skip && !r.links(yield) {
			return false
		}
		for i := 1; i < n; i++ {
			if at[i]++; i < g.bypassDims {
				sum++
			}
			if at[i] < g.dims[i] {
				break
			}
			if i < g.bypassDims {
				sum -= at[i]
			}
			at[i] = 0
		}
	}
	return true
}

// rowLinks joins every period-th point of a row of a torus, from the point
// first to before the point end, to the point dx further round the row and by
// vertices on.
type rowLinks struct {
	link               Link
	row, side          int // vertex of the row's first point, number of points
	first, end, period int
	dx, by             int // dx from 0 to side
}

func (r *rowLinks) links(yield func(Link) bool) bool {
	l := r.link
	x, straight := r.first, min(r.end, r.side-r.dx)
	on := r.row + r.dx + r.by
	for ; x < straight; x += r.period {
		l.A, l.B = int32(r.row+x), int32(on+x)
		if !yield(l) {
			return false
		}
	}
	on -= r.side
	for ; x < r.end; x += r.period {
		l.A, l.B = int32(r.row+x), int32(on+x)
		if !yield(l) {
			return false
		}
	}
	return true
}

// class is the bypass dimension and length, counting from 0, of the nodes
// whose first coordinates sum to s modulo mk.
func (g *ibt) class(s int) (d, h int) { return s % g.bypassDims, s / g.bypassDims }

// Orbits tries the symmetries that take every sum s to c + s or to c - s and
// permute the dimensions with bypasses.
func (g *ibt) Orbits() []Orbit {
	period := g.bypassDims * len(g.lengths)
	least := make([]int, period) // sum of the same orbit
	for s := range least {
		least[s] = s
	}
	for c := range period {
		for _, sign := range []int{1, -1} {
			if !g.symmetry(c, sign) {
				continue
			}
			for s := range least {
				image := (c + sign*s + period) % period
				a, b := least[s], least[image]
				if a == b {
					continue
				}
				for i := range least {
					if least[i] == max(a, b) {
						least[i] = min(a, b)
					}
				}
			}
		}
	}
	size := make([]int, period)
	for _, s := range least {
		size[s] += g.kinds[0].Count / period
	}
	var orbits []Orbit
	for s, n := range size {
		if n > 0 {
			orbits = append(orbits, Orbit{Vertex: s, Size: n})
		}
	}
	return orbits
}

// symmetry reports whether sum s behaves as c + sign s once dimensions are
// permuted.
func (g *ibt) symmetry(c, sign int) bool {
	period := g.bypassDims * len(g.lengths)
	to := make([]int, g.bypassDims)
	for s := range period {
		d, h := g.class(s)
		e, i := g.class((c + sign*s + period) % period)
		if s < g.bypassDims {
			to[d] = e // the first m sums cover the dimensions in order
		}
		if to[d] != e || g.lengths[h] != g.lengths[i] || g.dims[d] != g.dims[e] {
			return false
		}
	}
	return true
}

// ClosedForms gives the degrees with coincident links counted once, and the
// plane cut. The paper states neither diameter nor mean.
func (g *ibt) ClosedForms() ClosedForms {
	torus, most, least := 0, 0, 2
	for _, side := range g.dims {
		torus += min(side-1, 2)
	}
	for _, side := range g.dims[:g.bypassDims] {
		for _, l := range g.lengths {
			if 2*l == side {
				least = 1
			} else {
				most = 2
			}
		}
	}
	c := ClosedForms{
		DegreeMin: torus + least, DegreeMax: torus + max(least, most),
		Diameter: -1, MeanHops: math.NaN(), Bisection: g.planeCut(),
		CostDegree: float64(torus + 2), // as in Table 1, whether links coincide or not
	}
	if !math.IsNaN(c.Bisection) {
		c.BisectionSource = "minimum cut by two planes that halve an even side N, A (2 + sum of c_i), A nodes in a " +
			"plane, c_i = 2 l_i/mk or N/2mk where l_i = N/2; fits Table 1 of Zhang et al."
	}
	return c
}

// planeCut returns the fewest links that two planes across an even side cut, by the formula of ClosedForms; NaN if no
// side is even.
func (g *ibt) planeCut() float64 {
	least := math.NaN()
	period := float64(g.bypassDims * len(g.lengths))
	for d, side := range g.dims {
		if side%2 != 0 {
			continue
		}
		across := float64(min(side-1, 2))
		for _, l := range g.lengths {
			switch l = min(l, side-l); {
			case d >= g.bypassDims:
			case 2*l == side:
				across += float64(side) / (2 * period)
			default:
				across += 2 * float64(l) / period
			}
		}
		cut := across * float64(g.kinds[0].Count/side)
		if math.IsNaN(least) || cut < least {
			least = cut
		}
	}
	return least
}

// ibtSizes offers networks in two to four dimensions with sides that are equal
// but for the last, which is up to twice as long; with bypass rings in the first
// m dimensions for every m; with one or two bypass lengths. Lengths are the
// valid ones, multiples of m times their number, up to half of the shorter side
// and at most 12 times the least. Cubes come first, and then the lengths
// with the fewest hops along a side, by estimate.
func ibtSizes(s *SizeSearch) {
	for n := 2; n <= 4; n++ {
		for m := 1; m <= n; m++ {
			for k := 1; k <= 2; k++ {
				for side := m * k; ; side += m * k {
					points := int64(1)
					for range n {
						points = arith.Times(points, int64(side))
					}
					if points > int64(s.MaxNodes) {
						break
					}
					if side > 2 {
						ibtLengths(side, m, k, func(lengths Ints) { ibtsWithLengths(s, n, side, m, lengths) })
					}
				}
			}
		}
	}
}

// ibtLengths calls visit with k lengths in ascending order, which are valid
// during the call only.
func ibtLengths(side, m, k int, visit func(Ints)) {
	longest := min(side/2, side-2, 12*m*k)
	lengths := make(Ints, k)
	for a := max(m*k, 2); a <= longest; a += m * k {
		lengths[0] = a
		if k == 1 {
			visit(lengths)
			continue
		}
		for b := a + m*k; b <= longest; b += m * k {
			lengths[1] = b
			visit(lengths)
		}
	}
}

// ibtsWithLengths offers the networks with n-1 equal sides.
func ibtsWithLengths(s *SizeSearch, n, side, m int, lengths Ints) {
	period := m * len(lengths)
	unit := 1 // of the last side
	if m == n {
		unit = period
	}
	points := 1
	for range n - 1 {
		points *= side
	}
	count := (min(2*side, s.MaxNodes/points)-side)/unit + 1
	switch {
	case s.MaxPorts >= 2*n+2:
	case s.MaxPorts == 2*n+1 && 2*lengths[0] == side: // the two bypass links of a node are one
		if m == n {
			count = 1
		}
	default:
		return
	}
	// The hops along a side, by each length as far as the next longer one serves.
	hops, reach := 0.0, float64(side)
	for h := len(lengths) - 1; h >= 0; h-- {
		hops += reach / 4 / float64(lengths[h])
		reach = float64(lengths[h])
	}
	hops += reach/4 + float64(period)/2
	s.AddRun(count, points*side, points*unit,
		func(i int) int { return 1000*(side+i*unit)/side<<20 + min(int(100*hops), 1<<20-1) },
		func(i int) Size {
			dims := slices.Repeat(Ints{side}, n)
			dims[n-1] += i * unit
			return ibtSize(dims, m, slices.Clone(lengths))
		})
}

func ibtSize(dims Ints, m int, lengths Ints) Size {
	z := gridSize(IBT{Dims: dims, BypassDims: m, BypassLengths: lengths}, true, dims)
	z.Diameter = -1
	bypasses := 0
	for _, side := range dims[:m] {
		for _, l := range lengths {
			links := z.Nodes / (m * len(lengths))
			if 2*l == side {
				links /= 2
				bypasses = max(bypasses, 1)
			} else {
				bypasses = 2
			}
			z.Links += int64(links)
		}
	}
	z.Ports += bypasses
	return z
}
