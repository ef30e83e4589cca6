package measure_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// bruteBounded lists all paths of at most so many hops as sets of arcs.
func bruteBounded(c *topology.CSR, from, to, hops int, forward func(v int) bool) (paths [][]int64) {
	passed := make([]bool, c.Vertices())
	var arcs []int64
	var walk func(v int)
	walk = func(v int) {
		if v == to {
			paths = append(paths, append([]int64(nil), arcs...))
			return
		}
		if len(arcs) == hops || v != from && !forward(v) {
			return
		}
		passed[v] = true
		for e := c.First[v]; e < c.First[v+1]; e++ {
			if w := int(c.To[e]); !passed[w] {
				arcs = append(arcs, e)
				walk(w)
				arcs = arcs[:len(arcs)-1]
			}
		}
		passed[v] = false
	}
	walk(from)
	return paths
}

// mostDisjoint tries all sets of paths.
func mostDisjoint(paths [][]int64, taken map[int64]bool) int {
	if len(paths) == 0 {
		return 0
	}
	most := mostDisjoint(paths[1:], taken)
	for _, e := range paths[0] {
		if taken[e] {
			return most
		}
	}
	for _, e := range paths[0] {
		taken[e] = true
	}
	most = max(most, 1+mostDisjoint(paths[1:], taken))
	for _, e := range paths[0] {
		delete(taken, e)
	}
	return most
}

func TestPathsWithinOfAnyGraph(t *testing.T) {
	bracketed, exact := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		g := graphtest.DrawGraph(t)
		c := topology.NewCSR(g)
		n := c.Vertices()
		from, to := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")
		stops := rapid.IntRange(-1, n-1).Draw(t, "stops")
		forward := func(v int) bool { return v != stops }
		_, least := measure.MinimalPaths(c, from, to, forward)
		if from == to || least < 0 {
			t.Skip("no path")
		}
		for extra := -1; extra < 3; extra++ {
			got := measure.PathsWithin(c, from, to, least+extra, forward)
			paths := bruteBounded(c, from, to, least+extra, forward)
			switch {
			case extra > 1 && got.Paths != nil:
				t.Fatalf("%v paths with %d more hops, which are not counted", got.Paths, extra)
			case extra <= 1 && got.Paths.Cmp(big.NewInt(int64(len(paths)))) != 0:
				t.Fatalf("%v paths of at most %d hops, expected %d", got.Paths, got.Hops, len(paths))
			}
			if len(paths) > 14 {
				continue
			}
			most := mostDisjoint(paths, map[int64]bool{})
			if got.LinkDisjointLower > most || got.LinkDisjointUpper < most {
				t.Fatalf("%d to %d paths of at most %d hops share no link, truth %d", got.LinkDisjointLower,
					got.LinkDisjointUpper, got.Hops, most)
			}
			if bracketed++; got.LinkDisjointLower == got.LinkDisjointUpper {
				exact++
			}
		}
	})
	t.Logf("%d of %d brackets meet", exact, bracketed)
	if exact*10 < bracketed*8 {
		t.Errorf("%d of %d brackets meet", exact, bracketed)
	}
}

// TestHyperXBoundedPaths holds sections 3.1 and 3.2 of I. Snir, "HyperX: topology, routing, and packaging of efficient
// large-scale networks", 2021, against the graph: with delta coordinates in which two switches differ, delta! shortest
// paths, delta of which share no link; delta + the sum of S_i - 2 over these coordinates that have at most delta + 1
// hops and share no link; and what the failure of a link leaves of both.
func TestHyperXBoundedPaths(t *testing.T) {
	dims := []int{3, 4, 5}
	g := graphtest.New(t, topology.HyperX{Dims: dims, Terminals: 1})
	routers := func(v int) bool { return v < 60 }
	at := func(v int) [3]int { return [3]int{v % 3, v / 3 % 4, v / 12} }
	differ := func(v, w int) (n int) {
		for d, x := range at(v) {
			if x != at(w)[d] {
				n++
			}
		}
		return n
	}
	factorial := func(n int) *big.Int { return measure.HyperXMinimalPaths(n) }
	var links []topology.Link
	for l := range g.Links() {
		links = append(links, l)
	}
	whole := topology.NewCSR(g)
	for _, to := range []int{59, 57, 12, 1} { // which differ from switch 0 in all, two, one and one of the coordinates
		delta, almost := differ(0, to), differ(0, to)
		degree := 0
		for d, side := range dims {
			degree += side - 1
			if at(to)[d] != 0 {
				almost += side - 2
			}
		}
		if p := measure.PathsBetween(whole, 0, to, routers); p.LinkDisjoint != degree || p.NodeDisjoint != degree ||
			p.MinimalDisjoint != delta || p.Minimal.Cmp(factorial(delta)) != 0 {
			t.Errorf("to %d: %+v, expected %d paths that share nothing, %d of them minimal", to, p, degree, delta)
		}
		p := measure.PathsWithin(whole, 0, to, delta+1, routers)
		if p.LinkDisjointLower != almost || p.LinkDisjointUpper != almost {
			t.Errorf("to %d: %+v, expected %d paths of at most %d hops that share no link", to, p, almost, delta+1)
		}
		for i, l := range links {
			a, b := int(l.A), int(l.B)
			if b >= 60 {
				continue
			}
			f := &measure.Failed{Graph: g, Link: make([]bool, len(links))}
			f.Link[i] = true
			c := topology.NewCSR(f)
			if differ(0, a) > differ(0, b) {
				a, b = b, a
			}
			on := differ(0, a)+1+differ(b, to) == delta && differ(0, b) == differ(0, a)+1
			left, disjoint := factorial(delta), delta
			if on {
				left = new(big.Int).Sub(left, new(big.Int).Mul(factorial(differ(0, a)), factorial(differ(b, to))))
				if a == 0 || b == to {
					disjoint--
				}
			}
			p := measure.PathsBetween(c, 0, to, routers)
			if p.Hops != delta && (delta > 1 || !on) {
				t.Fatalf("to %d without %d-%d: %d hops", to, a, b, p.Hops)
			}
			if p.Hops == delta && (p.Minimal.Cmp(left) != 0 || p.MinimalDisjoint != disjoint) {
				t.Errorf("to %d without %d-%d: %v minimal paths, %d share no link, expected %v, %d", to, a, b,
					p.Minimal, p.MinimalDisjoint, left, disjoint)
			}
			if p.LinkDisjoint < degree-1 {
				t.Errorf("to %d without %d-%d: %d paths share no link, expected %d at least", to, a, b, p.LinkDisjoint,
					degree-1)
			}
			short := measure.PathsWithin(c, 0, to, delta+1, routers)
			if short.LinkDisjointUpper < almost-1 || short.LinkDisjointLower > almost {
				t.Errorf("to %d without %d-%d: %+v, expected %d or one less", to, a, b, short, almost)
			}
			// A link of one of these dimensions at either end takes one of the paths away.
			d := 0
			for at(a)[d] == at(b)[d] {
				d++
			}
			if (a == 0 || b == to || a == to || b == 0) && at(to)[d] != 0 && short.LinkDisjointUpper != almost-1 {
				t.Errorf("to %d without %d-%d: %+v, expected %d", to, a, b, short, almost-1)
			}
		}
	}
}
