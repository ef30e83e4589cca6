package topology

import (
	"iter"
	"math"
	"slices"
	"strconv"
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
// The only kind is "node"; the levels are dim1 ... dimN for the links of the
// torus and bypass1 ... bypassK for the bypass links of each length, in the
// order of the lengths; there are no nests. Ports 0 ... 2n-1 are those of the
// torus; port 2n leads up the bypass ring and port 2n+1 down.
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
	},
	Zero: IBT{},
}

// IBT is a torus with interlaced bypass rings: iBT(N1 x ... x Nn; L = m; l = <l1, ..., lk>) in
// the source.
type IBT struct {
	Dims Ints `yaml:"dims,omitempty" json:"dims,omitempty"` // points in each dimension: N
	// the first dimensions, with bypass rings: L
	BypassDims int `yaml:"bypass_dims,omitempty" json:"bypass_dims,omitempty"`
	// in the order in which they take turns: l
	BypassLengths Ints `yaml:"bypass_lengths,omitempty" json:"bypass_lengths,omitempty"`
}

// Family is "ibt".
func (IBT) Family() string { return "ibt" }

// ShortName has the sides.
func (p IBT) ShortName() string { return sidesName(p.Family(), p.Dims) }

// Build makes the torus with its bypass rings.
func (p IBT) Build(m *Mistakes) Graph {
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
	n := len(p.Dims)
	levels := appendLevels(nil, n)
	for h := range p.BypassLengths {
		levels = append(levels, Level{Name: "bypass" + strconv.Itoa(h+1)})
	}
	return &ibt{
		grid: grid{
			family: p.Family(),
			dims:   slices.Clone(p.Dims),
			wrap:   true,
			kinds:  []Kind{{Name: "node", Count: points, Role: Node, Ports: 2*n + 2}},
			levels: levels,
		},
		bypassDims: p.BypassDims,
		lengths:    slices.Clone(p.BypassLengths),
	}
}

// checkBypasses reports lengths and sides that are no multiples of mk, and
// lengths that lead to a node itself, to its neighbour on the torus or further.
func (p IBT) checkBypasses(m *Mistakes) {
	const rule = "is not divisible by bypass_dims x number of lengths = %d"
	period := p.BypassDims * len(p.BypassLengths)
	shortest := math.MaxInt
	for d, side := range p.Dims[:p.BypassDims] {
		if side%period != 0 {
			m.Named("dims", d, "side %d "+rule, side, period)
		}
		shortest = min(shortest, side)
	}
	for h, l := range p.BypassLengths {
		switch {
		case l%period != 0:
			m.Named("bypass_lengths", h, "bypass length %d "+rule, l, period)
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
	period := g.bypassDims * len(g.lengths)
	r := rowLinks{
		link: Link{PortA: int32(2 * n), PortB: int32(2*n + 1), Level: int32(n + h), Width: 1},
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

// symmetry tells whether sum s behaves as c + sign s once dimensions are
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
		c.BisectionSource = "least cut by two planes that halve an even side N, A (2 + sum of c_i), A nodes in a " +
			"plane, " +
			"c_i = 2 l_i/mk or N/2mk where l_i = N/2; fits Table 1 of Zhang et al."
	}
	return c
}

// planeCut is NaN if no side is even.
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

// IBTDistance2 is the number of hops between two points of
// iBT(dims[0] x dims[1]; L = 2; l = <length>) by the formula of section 3.2 of
// the paper. It is exact if length is at least 4 and divides both sides.
// Elsewhere the formula may exceed the distance and never falls short of it:
// on 32 x 32 with length 6, for 22 % of the pairs of points, by up to 2.
//
// The printed text is taken with two corrections: the shortest way round a
// ring of N points is t = D if 2|D| <= N and D - N sgn(D) otherwise, and halves
// round towards zero in b = round(t/l).
func IBTDistance2(dims [2]int, length int, from, to [2]int) int {
	bypass, rest, ring := ibtParts(dims[:], length, from[:], to[:])
	alpha, beta, gamma := ibtTerms(bypass, rest, from[:], to[:])
	phi := 0
	if alpha == 0 && (beta == 2 || gamma == 5 || gamma == 10) {
		phi = 2
	}
	return ring + phi
}

// IBTDistance3 is the number of hops between two points of
// iBT(dims[0] x dims[1] x dims[2]; L = 3; l = <length>) by the formula of
// section 3.3 of the paper, corrected as in IBTDistance2. It is exact if length
// is at least 6 and divides all sides. Elsewhere the formula may exceed the
// distance and never falls short of it: on 30 x 30 x 36 with lengths 9, 12 and
// 15, for 35, 46 and 33 % of the pairs of points, by up to 4, 8 and 4.
func IBTDistance3(dims [3]int, length int, from, to [3]int) int {
	bypass, rest, ring := ibtParts(dims[:], length, from[:], to[:])
	alpha, beta, gamma := ibtTerms(bypass, rest, from[:], to[:])
	phi := 0
	switch {
	case alpha == 0 && (gamma == 6 || gamma == 11):
		phi = 4
	case alpha < 2 && gamma == (5-2*alpha)*beta:
		phi = 2
	case alpha == 2 && rest[0]+rest[1]+rest[2] == 0 && gamma == beta*beta+2:
		phi = 2
	}
	return ring + phi
}

// ibtParts splits the shortest way on the torus into bypass hops and the hops
// that remain, and returns the number of both together.
func ibtParts(dims []int, length int, from, to []int) (bypass, rest [3]int, hops int) {
	for d, side := range dims {
		t := to[d] - from[d]
		switch {
		case 2*t > side:
			t -= side
		case -2*t > side:
			t += side
		}
		b := (abs(t) + (length-1)/2) / length
		if t < 0 {
			b = -b
		}
		bypass[d], rest[d] = b, t-length*b
		hops += abs(bypass[d]) + abs(rest[d])
	}
	return bypass, rest, hops
}

// ibtTerms are alpha, beta and gamma of the distance formulas.
func ibtTerms(bypass, rest [3]int, from, to []int) (alpha, beta, gamma int) {
	var use [3]int
	s1, s2 := 0, 0
	for d := range from {
		alpha += rest[d] * rest[d]
		if bypass[d] != 0 {
			beta++
			use[d]++
		}
		s1 += from[d]
		s2 += to[d]
	}
	use[s1%len(from)]++
	use[s2%len(from)]++
	for _, u := range use {
		gamma += u * u
	}
	return alpha, beta, gamma
}

func abs(n int) int { return max(n, -n) }
