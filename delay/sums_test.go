package delay

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Sums of 128 bits are those of integers without a limit.
func TestWideSums(t *testing.T) {
	exact := func(w wide) *big.Int {
		x := new(big.Int).SetUint64(w.hi)
		return x.Add(x.Lsh(x, 64), new(big.Int).SetUint64(w.lo))
	}
	rapid.Check(t, func(t *rapid.T) {
		var sum wide
		want := new(big.Int)
		for range rapid.IntRange(1, 5).Draw(t, "terms") {
			v := wide{rapid.Uint64Range(0, 1<<30).Draw(t, "hi"), rapid.Uint64().Draw(t, "lo")}
			n := rapid.Uint64Range(0, 1<<30).Draw(t, "n")
			switch rapid.IntRange(0, 2).Draw(t, "how") {
			case 0:
				sum.add(v)
				want.Add(want, exact(v))
			case 1:
				sum.addTimes(v.lo, n)
				want.Add(want, new(big.Int).Mul(new(big.Int).SetUint64(v.lo), new(big.Int).SetUint64(n)))
			default:
				sum.addWide(v, n)
				want.Add(want, new(big.Int).Mul(exact(v), new(big.Int).SetUint64(n)))
			}
		}
		if exact(sum).Cmp(want) != 0 {
			t.Fatalf("%v; want %v", exact(sum), want)
		}
		if f, _ := new(big.Float).SetInt(want).Float64(); math.Abs(sum.float()-f) > 1e-15*f {
			t.Fatalf("%g; want %g", sum.float(), f)
		}
	})
}

// Delays and lengths from the least to the greatest that are taken add up without an overflow, or are refused. In a
// star every path has two links.
func TestSumsOfAnySizeAreExactOrRefused(t *testing.T) {
	refused, measured := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n := 1 << rapid.IntRange(1, 12).Draw(t, "terminals")
		hop := units.Time(math.Ldexp(1, rapid.IntRange(0, 40).Draw(t, "hop")))
		length := units.Length(math.Ldexp(1, rapid.IntRange(-12, 24).Draw(t, "length"))).Round4()
		g := leafSpine(1, 1, n, 1)
		m := Model{Media: []Medium{{"optic", 5, 0}}}
		for range g.kinds {
			m.Hop = append(m.Hop, hop)
		}
		var l Links
		for range g.links {
			l.Add(length, 0)
		}
		r, err := Paths(context.Background(), g, topology.NewCSR(g), m, l, Options{})
		if err != nil {
			refused++
			return
		}
		measured++
		// Start of the source, and two links of which each has its wire and the hop of what it enters.
		want := 3*hop + 2*units.Time(5*length)
		if !near(float64(r.LeastMean), float64(want)) || !near(float64(r.LeastMax), float64(want)) ||
			!near(float64(r.PathMean), 2*float64(length)) || !near(float64(r.FastestMean), float64(want)) {
			t.Fatalf("%d terminals, %v, %v: %v on average, %v at most over %v; want %v", n, hop, length, r.LeastMean,
				r.LeastMax, r.PathMean, want)
		}
	})
	if refused == 0 || measured < 10 {
		t.Errorf("%d refused, %d measured", refused, measured)
	}
}

// A torus or a mesh that lacks links, or has more than it should, is measured as it is, not as a lattice.
func TestDisturbedLatticesEqualBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 7))
		dims := [][]int{{5}, {3, 4}, {4, 4}, {2, 3, 3}, {6, 2}}[rng.IntN(5)]
		g := torus(dims...)
		if rng.IntN(2) == 0 {
			g = lines(dims...)
		}
		n := topology.Vertices(g)
		for range rng.IntN(3) {
			i := rng.IntN(len(g.links))
			g.links = slices.Delete(g.links, i, i+1)
		}
		for range rng.IntN(3) {
			switch link := g.links[rng.IntN(len(g.links))]; rng.IntN(3) {
			case 0:
				g.link(int(link.A), int(link.B), int(link.Level))
			case 1:
				g.link(int(link.B), int(link.A), int(link.Level))
			default:
				if a, b := rng.IntN(n), rng.IntN(n); a != b {
					g.link(a, b, 0)
				}
			}
		}
		m, l := model(g), lengths(g, rng, 1+rng.IntN(12))
		c := topology.NewCSR(g)
		want, leasts := brute(g, c, m, l)
		got, err := Paths(context.Background(), g, c, m, l, Options{})
		if err != nil {
			t.Fatal(err)
		}
		agree(t, got, want, leasts)
	})
}

// The progress of every method rises to the total, which stays the same until a sample goes on after its first.
func TestProgressOfEveryMethod(t *testing.T) {
	same := func(g topology.Graph) Links { // a product of rings
		var l Links
		for range g.Links() {
			l.Add(2, 0)
		}
		return l
	}
	rng := rand.New(rand.NewPCG(3, 8))
	for name, c := range map[string]struct {
		g   topology.Graph
		l   Links
		opt Options
	}{
		"product":  {torus(6, 5, 4), same(torus(6, 5, 4)), Options{}},
		"tree":     {leafSpine(6, 3, 4, 1), lengths(leafSpine(6, 3, 4, 1), rng, 5), Options{}},
		"searches": {hyperX(4, 2), lengths(hyperX(4, 2), rng, 5), Options{}},
		"sample":   {hyperX(4, 2), lengths(hyperX(4, 2), rng, 5), Options{Limit: 1, Sources: 9}},
		"sample in two": {hyperX(4, 3), lengths(hyperX(4, 3), rng, 50), Options{
			Limit: 1, Sources: 40, First: 10, Within: 1e-9,
		}},
		"first of sample": {hyperX(4, 3), lengths(hyperX(4, 3), rng, 50), Options{
			Limit: 1, Sources: 40, First: 10, Within: 1,
		}},
	} {
		last, all := 0, 0
		c.opt.Progress = func(done, total int) {
			if done <= last || done > total || all != 0 && total != all && c.opt.Within == 0 {
				t.Errorf("%s: %d of %d after %d of %d", name, done, total, last, all)
			}
			last, all = done, total
		}
		measured(t, c.g, model(c.g), c.l, c.opt)
		if last == 0 || last != all && c.opt.Within != 1 {
			t.Errorf("%s: ends at %d of %d", name, last, all)
		}
	}
}
