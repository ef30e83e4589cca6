package topology

import "github.com/plenum-planner/plenum/internal/arith"

// IBTDistance2 is the number of hops between two points of
// iBT(dims[0] x dims[1]; L = 2; l = <length>) by the formula of section 3.2 of P.
// Zhang, R. Powell and Y. Deng, "Interlacing bypass rings to torus networks for
// more efficient networks", IEEE Trans. Parallel Distrib. Syst. 22(2), 2011.
// It is exact if length is at least 4 and divides both sides.
// Elsewhere the formula may exceed the distance and never falls short of it:
// on 32 x 32 with length 6, for 22 % of the pairs of points, by up to 2.
//
// The printed text is taken with two corrections: the shortest way round a
// ring of N points is t = D if 2|D| <= N and D - N sgn(D) otherwise, and halves
// round towards zero in b = round(t/l).
//
// Sides and length must be at least 1.
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
// section 3.3 of that paper, corrected as in IBTDistance2. It is exact if length
// is at least 6 and divides all sides. Elsewhere the formula may exceed the
// distance and never falls short of it: on 30 x 30 x 36 with lengths 9, 12 and
// 15, for 35, 46 and 33 % of the pairs of points, by up to 4, 8 and 4. Sides
// and length must be at least 1.
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

// FormulaHops is IBTDistance2 or IBTDistance3 with the hops in the other dimensions added, which are those of a torus.
// The paper has formulas for bypass links of one length in two or three dimensions.
func (g *ibt) FormulaHops(from, to int) (hops int, exact, ok bool) {
	m := g.bypassDims
	if len(g.lengths) != 1 || m < 2 || m > 3 {
		return 0, false, false
	}
	p, q := make([]int, max(3, len(g.dims))), make([]int, max(3, len(g.dims)))
	for d, side := range g.dims {
		p[d], q[d] = from%side, to%side
		from, to = from/side, to/side
		if d >= m {
			apart := arith.Abs(p[d] - q[d])
			hops += min(apart, side-apart)
		}
	}
	length := g.lengths[0]
	exact = length >= 2*m
	for _, side := range g.dims[:m] {
		exact = exact && side%length == 0
	}
	if m == 2 {
		return hops + IBTDistance2([2]int(g.dims), length, [2]int(p), [2]int(q)), exact, true
	}
	return hops + IBTDistance3([3]int(g.dims), length, [3]int(p), [3]int(q)), exact, true
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
		b := (arith.Abs(t) + (length-1)/2) / length
		if t < 0 {
			b = -b
		}
		bypass[d], rest[d] = b, t-length*b
		hops += arith.Abs(bypass[d]) + arith.Abs(rest[d])
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
