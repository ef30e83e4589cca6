package traffic

import (
	"fmt"
	"strings"
)

// Grid lays terminals out on a grid of routers. Terminal t sits on router
// t/PerRouter; router r has coordinates r = c0 + Dims[0]*(c1 + ...), as in
// topology.Lattice.
type Grid struct {
	Dims      []int
	PerRouter int // terminals of a router, at least 1
}

// Terminals is the number of terminals on the grid.
func (g Grid) Terminals() int {
	n := g.PerRouter
	for _, side := range g.Dims {
		n *= side
	}
	return n
}

// String writes the sides with an x between them: 4x4x2.
func (g Grid) String() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(g.Dims), " ", "x"), "[]")
}

// move returns the fixed pattern that changes the coordinates of the router and
// keeps the place on the router.
func (g Grid) move(change func(dim, c int) int) fixed {
	return fill(g.Terminals(), func(t int) int {
		return g.destination(t, change)
	})
}

// destination returns the terminal to which terminal t sends: that of the same number on the router with the changed
// coordinates.
func (g Grid) destination(t int, change func(dim, c int) int) int {
	router, stride, to := t/g.PerRouter, 1, 0
	for d, side := range g.Dims {
		c := change(d, router%side)
		to += c * stride
		stride *= side
		router /= side
	}
	return to*g.PerRouter + t%g.PerRouter
}

// Tornado returns the pattern in which each coordinate c of a side k becomes
// c + ceil(k/2) - 1 mod k: just under half way round (Dally and Towles 2004,
// table 3.1). In a dimension of 1 or 2 routers the coordinate stays, so that a
// hypercube sends to itself.
func Tornado(g Grid) Pattern {
	return g.move(func(d, c int) int { return (c + (g.Dims[d]+1)/2 - 1) % g.Dims[d] })
}

// Neighbour returns the pattern in which every coordinate c becomes c + 1 mod k
// (Dally and Towles 2004, table 3.1).
func Neighbour(g Grid) Pattern {
	return g.move(func(d, c int) int { return (c + 1) % g.Dims[d] })
}

// Swap2 returns the pattern of the HyperX paper (section 4): "the even-numbered
// nodes exchange messages with a peer across the bisection in one dimension and
// the odd-numbered nodes exchange messages with a peer across the bisection in
// another dimension". A peer across the bisection of dimension d has coordinate
// c + k/2 mod k there and is the same otherwise. Nodes are numbered as
// terminals are; even ones use dimension even, odd ones dimension odd.
//
// Both sides must be even. A node and its peer must be both even or both odd, or
// they would not exchange messages: with an odd number of terminals on a router
// that asks for sides which are multiples of 4, or for a stride that is even. Anything else, and equal dimensions, are
// an error.
func Swap2(g Grid, even, odd int) (Pattern, error) {
	for _, d := range []int{even, odd} {
		if d < 0 || d >= len(g.Dims) {
			return nil, fmt.Errorf("swap2 has no dimension %d: the grid %s has dimensions 0 to %d", d, g, len(g.Dims)-1)
		}
		if g.Dims[d]%2 != 0 {
			return nil, fmt.Errorf("swap2 needs an even side in dimension %d, not %d", d, g.Dims[d])
		}
	}
	if even == odd {
		return nil, fmt.Errorf("swap2 needs two different dimensions, not %d twice", even)
	}
	f := fill(g.Terminals(), func(t int) int {
		across := even
		if t%2 == 1 {
			across = odd
		}
		return g.destination(t, func(d, c int) int {
			if d == across {
				c = (c + g.Dims[d]/2) % g.Dims[d]
			}
			return c
		})
	})
	for t, peer := range f {
		if int(f[peer]) != t {
			return nil, fmt.Errorf("swap2 on the grid %s with %d terminals a router: terminal %d would send to %d, "+
				"which sends to %d; take sides that are multiples of 4 or an even number of terminals",
				g, g.PerRouter, t, peer, f[peer])
		}
	}
	return f, nil
}
