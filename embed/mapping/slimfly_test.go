package mapping_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/embed/mapping"
)

// partitions yields the ways to write m as a sum of parts, largest first.
func partitions(m, most int, parts []int, yield func([]int)) {
	if m == 0 {
		yield(parts)
		return
	}
	for p := min(m, most); p >= 1; p-- {
		partitions(m-p, p, append(parts[:len(parts):len(parts)], p), yield)
	}
}

// leastOnLine is the least sum of distances of all pairs of vertices on a line
// whose places hold these numbers of vertices, in the best order of the places: a
// line between two places with s of m vertices on one side parts s (m-s) pairs.
func leastOnLine(m int, parts []int) int {
	known := map[string]int{}
	var least func(left []int, s int) int
	least = func(left []int, s int) int {
		if len(left) <= 1 {
			return 0
		}
		key := fmt.Sprint(left)
		if v, ok := known[key]; ok {
			return v
		}
		best := math.MaxInt
		for i, p := range left {
			if i > 0 && left[i-1] == p {
				continue
			}
			rest := slices.Delete(slices.Clone(left), i, i+1)
			best = min(best, (s+p)*(m-s-p)+least(rest, s+p))
		}
		known[key] = best
		return best
	}
	return least(parts, 0)
}

// leastApart bounds the sum of the distances of all pairs of m vertices on a grid
// of places for c of them from below: the sums along the two axes are those of
// numbers in columns and rows, of which any k rows have at most min(a, ck) of the
// a vertices of a column (D. Gale, Pacific J. Math. 7, 1957; H. J. Ryser, Canad.
// J. Math. 9, 1957).
func leastApart(m, c int) int {
	type line struct {
		parts []int
		cost  int
	}
	var all []line
	partitions(m, m, nil, func(parts []int) {
		all = append(all, line{parts, leastOnLine(m, parts)})
	})
	fits := func(columns, rows []int) bool {
		sum := 0
		for k, r := range rows {
			sum += r
			room := 0
			for _, a := range columns {
				room += min(a, c*(k+1))
			}
			if sum > room {
				return false
			}
		}
		return true
	}
	best := math.MaxInt
	for _, a := range all {
		for _, b := range all {
			if a.cost+b.cost < best && fits(a.parts, b.parts) {
				best = a.cost + b.cost
			}
		}
	}
	return best
}

// The bound on pairs against trying everything.
func TestLeastApart(t *testing.T) {
	for m := 1; m <= 6; m++ {
		for c := 1; c <= 3; c++ {
			best := math.MaxInt
			at := make([]int, m) // in a square of 4 x 4, in order
			var try func(i, sum int)
			try = func(i, sum int) {
				if sum >= best {
					return
				}
				if i == m {
					best = sum
					return
				}
				from := 0
				if i > 0 {
					from = at[i-1]
				}
				for p := from; p < 16; p++ {
					if i >= c && at[i-c] == p {
						continue
					}
					at[i] = p
					more := 0
					for _, q := range at[:i] {
						more += max(p%4-q%4, q%4-p%4) + p/4 - q/4
					}
					try(i+1, sum+more)
				}
			}
			try(0, 0)
			if got := leastApart(m, c); got != best {
				t.Errorf("%d vertices, %d to a place: %d, by trying everything %d", m, c, got, best)
			}
		}
	}
}

// slimFlyBound is what no placement of the Slim Fly of q = 17 on 17 x 17 racks of two goes below. The proof:
//
//  1. 578 routers fill 289 racks of two, so s = 34 i of the n = 578 stand left of line i between two columns, or above
//     line i between two rows, i = 1 ... 16. A link costs the lines that it crosses: the cost is the sum of their cuts.
//  2. A router has 8 neighbours in its own group of 17, and one in each of the 17 groups of the other kind. So the
//     Laplacian L maps functions that are constant on groups to such functions, with eigenvalues 0 (once), 17 (32
//     times) and 34 (once), and functions that sum up to 0 on every group to such functions, the least eigenvalue being
//     20.89 (computed).
//  3. The cut of a set S with g_j routers of group j is x'Lx for its indicator x. Of |x|^2 = s, the constant functions
//     have s^2/n, the others that are constant on groups A = (sum of g_j^2)/17 - s^2/n, the rest s - s^2/n - A. So the
//     cut is at least 17 A + 20.89 (s - s^2/n - A) = 17 s(n-s)/n + 3.89/17 (sum of g_j (17-g_j)).
//  4. The first term, over all 32 lines, is 17 x 3,264 = 55,488. In the second, a line parts g_j (17-g_j) pairs of
//     group j, and a pair is parted by as many lines as it is steps apart: over all lines it is the sum of the
//     distances of all pairs of a group.
//  5. 17 routers, two to a rack, are at least 252 steps apart in all: the least over all numbers in columns and in rows
//     that go together (Gale-Ryser). 55,488 + 34 x 252 x 3.89/17 = 57,448.6.
func slimFlyBound(t *testing.T, g *mapping.Graph) float64 {
	const q, n, load = 17, 2 * 17 * 17, 2
	if g.Vertices() != n {
		t.Fatalf("%d routers", g.Vertices())
	}
	// The groups: a router has as many neighbours in a group as any other router
	// of its own group has: 8 in its own and 1 in each of the other kind.
	laplacian := mat.NewSymDense(n, nil)
	for v := range n {
		var count [2 * q]int
		for _, u := range g.To[g.First[v]:g.First[v+1]] {
			count[u/q]++
			laplacian.SetSym(v, int(u), -1)
		}
		for j, c := range count {
			want := 0
			switch {
			case j == v/q:
				want = (q - 1) / 2
			case j/q != v/q/q:
				want = 1
			}
			if c != want {
				t.Fatalf("router %d has %d neighbours in group %d, not %d", v, c, j, want)
			}
		}
	}
	// The eigenvalues of functions that sum up to 0 on every group; those constant
	// on groups, whose eigenvalues are 0, 17 and 34, are lifted out of the way.
	const lift = 100
	for v := range n {
		laplacian.SetSym(v, v, laplacian.At(v, v)+float64(g.First[v+1]-g.First[v]))
		for u := v - v%q; u <= v; u++ {
			laplacian.SetSym(u, v, laplacian.At(u, v)+float64(lift)/q)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(laplacian, false) {
		t.Fatal("no eigenvalues")
	}
	third := slices.Min(e.Values(nil)) - 1e-6
	crossings := 0.0
	for i := 1; i < q; i++ {
		s := float64(i * q * load)
		crossings += 2 * s * (n - s) / n
	}
	apart := leastApart(q, load)
	bound := q*crossings + (third-q)*2*float64(apart)
	t.Logf("third eigenvalue %.4f, routers of a group %d apart, bound %.0f", third, apart, math.Ceil(bound))
	return bound
}

// No placement of the Slim Fly is 5 % below Scotch's 59,373, and none is below
// the bound.
func TestSlimFlyBound(t *testing.T) {
	g := graph(t, slimFly17)
	bound := slimFlyBound(t, g)
	if bound <= 0.95*59_373 {
		t.Errorf("a bound of %.0f does not exclude 5 %% below 59,373", bound)
	}
	capacity := repeat(2, 17*17)
	p := &mapping.Problem{Graph: g, Costs: mapping.Grid(17, 17), Capacity: capacity}
	r, err := mapping.Map(context.Background(), p, mapping.Options{Effort: mapping.Quick})
	if err != nil {
		t.Fatal(err)
	}
	if float64(r.Score.Sum) < bound {
		t.Errorf("a placement costs %d, less than the bound %.0f", r.Score.Sum, bound)
	}
}

// The two pieces that the bound is made of, on any placement: what crosses a line,
// and the pairs of a group that it parts.
func TestSlimFlyCrossings(t *testing.T) {
	g := graph(t, slimFly17)
	rapid.Check(t, func(t *rapid.T) {
		place := mapping.Random(g.Vertices(), repeat(2, 17*17), rapid.Uint64().Draw(t, "seed"))
		pairs, parted := 0, 0
		for group := range 34 {
			in := place[group*17:][:17]
			for i, a := range in {
				for _, b := range in[:i] {
					pairs += int(max(a%17-b%17, b%17-a%17) + max(a/17-b/17, b/17-a/17))
				}
			}
			for line := range int32(16) {
				left, above := 0, 0
				for _, a := range in {
					if a%17 <= line {
						left++
					}
					if a/17 <= line {
						above++
					}
				}
				parted += left*(17-left) + above*(17-above)
			}
		}
		if pairs != parted {
			t.Fatalf("the routers of groups are %d apart, lines part %d pairs", pairs, parted)
		}
		if bound := 17*3264 + (20.8902-17)/17*float64(pairs); float64(sum(g, place, 17)) < bound {
			t.Fatalf("a placement costs %d, less than %.0f for its groups", sum(g, place, 17), bound)
		}
	})
}
