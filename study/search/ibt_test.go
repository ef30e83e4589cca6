package search

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// TestPaperIBTIsTheBest holds the result of the exhaustive search of P. Zhang, R. Powell and Y. Deng, IEEE TPDS 22(2),
// 2011, section 2.3: of about 32,000 nodes of degree 8, iBT(30 x 30 x 36; L = 3; l = <6, 12>) is the best.
func TestPaperIBTIsTheBest(t *testing.T) {
	if os.Getenv("PLENUM_LONG") == "" {
		t.Skip("takes half a minute of processor time: set PLENUM_LONG=1")
	}
	r, err := IBTs(t.Context(), IBTQuery{MinNodes: 31000, MaxNodes: 33000, Degree: 8})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d regarded, %d measured", r.Regarded, r.Measured)
	if best := fmt.Sprint(topology.Spec{Params: r.Best[0].IBT}); best !=
		"{family: ibt, dims: [30, 30, 36], bypass_dims: 3, bypass_lengths: [6, 12]}" ||
		math.Abs(r.Best[0].HopsMean*32399/32400-7.5152) > 5e-5 || r.Best[0].Diameter != 12 {
		t.Errorf("%+v", r.Best[0])
	}
}

// slowIBTs measures everything that there is.
func slowIBTs(t *rapid.T, q IBTQuery) []float64 {
	n := q.Degree/2 - 1
	var means []float64
	var dims []int
	var lengths func(p topology.IBT, k int)
	lengths = func(p topology.IBT, k int) {
		if k == 0 {
			g, err := topology.New(p)
			if err != nil {
				t.Fatal(err)
			}
			means = append(means, hops(t, g).Mean)
			return
		}
		period := p.BypassDims * cap(p.BypassLengths)
		for l := period; l <= slices.Min(p.Dims[:p.BypassDims])-2; l += period {
			if l >= 2 {
				lengths(topology.IBT{
					Dims: p.Dims, BypassDims: p.BypassDims, BypassLengths: append(p.BypassLengths, l),
				}, k-1)
			}
		}
	}
	var extend func(product int)
	extend = func(product int) {
		if len(dims) < n {
			for side := 3; product*side <= q.MaxNodes; side++ {
				dims = append(dims, side)
				extend(product * side)
				dims = dims[:len(dims)-1]
			}
			return
		}
		if product < q.MinNodes {
			return
		}
		for m := 1; m <= n; m++ {
			for k := 1; m*k <= slices.Min(dims[:m]); k++ {
				odd := func(side int) bool { return side%(m*k) != 0 }
				if !slices.ContainsFunc(dims[:m], odd) && (q.MaxLengths == 0 || k <= q.MaxLengths) {
					lengths(topology.IBT{
						Dims: slices.Clone(dims), BypassDims: m,
						BypassLengths: make(topology.Ints, 0, k),
					}, k)
				}
			}
		}
	}
	extend(1)
	slices.Sort(means)
	return means
}

func hops(t *rapid.T, g topology.Graph) *measure.HopStats {
	h, err := measure.Hops(t.Context(), g, measure.Routers, measure.HopOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestIBTsAreTheBest compares with all that there is, in small ranges.
func TestIBTsAreTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		degree := rapid.SampledFrom([]int{4, 6, 8}).Draw(t, "degree")
		q := IBTQuery{
			MinNodes: rapid.IntRange(4, 90).Draw(t, "from"), Degree: degree,
			MaxLengths: rapid.IntRange(0, 3).Draw(t, "lengths"), Top: rapid.IntRange(1, 4).Draw(t, "top"),
		}
		if degree == 4 { // a single ring has very many
			q.MinNodes /= 4
			q.MinNodes++
		}
		q.MaxNodes = q.MinNodes + rapid.IntRange(0, 4).Draw(t, "more")
		want := slowIBTs(t, q)
		r, err := IBTs(t.Context(), q)
		if (err == nil) != (len(want) > 0) {
			t.Fatalf("%v, of %d", err, len(want))
		}
		if err != nil {
			return
		}
		for i, b := range r.Best {
			g, err := topology.New(b.IBT)
			if err != nil {
				t.Fatal(err)
			}
			h := hops(t, g)
			if math.Abs(h.Mean-b.HopsMean) > 1e-9 || h.Diameter != b.Diameter || topology.Count(g).Nodes != b.Nodes {
				t.Fatalf("%+v, measured %v and %d", b, h.Mean, h.Diameter)
			}
			if i == 0 && math.Abs(b.HopsMean-want[0]) > 1e-9 {
				t.Fatalf("%+v, but there is one of %v", b, want[0])
			}
			if worse := slices.IndexFunc(want, func(x float64) bool { return x > b.HopsMean+1e-9 }); worse >= 0 &&
				i > worse {
				t.Fatalf("%+v is number %d, but number %d at least", b, i, worse)
			}
		}
	})
}

// drawCore draws a network all of whose dimensions have bypasses.
func drawCore(t *rapid.T) topology.IBT {
	m, k := rapid.IntRange(1, 3).Draw(t, "m"), rapid.IntRange(1, 3).Draw(t, "k")
	p := topology.IBT{BypassDims: m}
	for range m {
		p.Dims = append(p.Dims, m*k*rapid.IntRange(2, 3).Draw(t, "side"))
	}
	for d := range p.Dims {
		for p.Dims[d] < m*k+2 || p.Dims[d] < 4 {
			p.Dims[d] += m * k
		}
	}
	most := (slices.Min(p.Dims) - 2) / (m * k)
	for range k {
		p.BypassLengths = append(p.BypassLengths, m*k*rapid.IntRange(1, most).Draw(t, "length"))
	}
	if slices.Min(p.BypassLengths) < 2 {
		t.Skip("a length of 1")
	}
	return p
}

// TestMeasureCore compares sets of bits with the search of package measure, and the distances within sums of those of
// rings.
func TestMeasureCore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawCore(t)
		g, err := topology.New(p)
		if err != nil {
			t.Fatal(err)
		}
		d, whole := measureCore(p, 0, math.Inf(1))
		if h := hops(t, g); !whole || math.Abs(h.MeanWithSelf-d.mean) > 1e-9 || h.Diameter != d.diameter {
			t.Fatalf("%v: %v, measured %v and %d", p, d, h.MeanWithSelf, h.Diameter)
		}
		if _, whole := measureCore(p, 0, d.mean*(1-1e-9)); whole {
			t.Fatalf("%v: no limit", p)
		}
	})
}

// TestBallsHold compares the bound by balls with measured means.
func TestBallsHold(t *testing.T) {
	s := &ibtSearch{balls: map[int]ball{}}
	rapid.Check(t, func(t *rapid.T) {
		p := drawCore(t)
		d, _ := measureCore(p, 0, math.Inf(1))
		nodes := 1
		for _, side := range p.Dims {
			nodes *= side
		}
		if bound := s.ballMean(len(p.Dims), len(p.Dims)*len(p.BypassLengths), nodes); bound > d.mean+1e-9 {
			t.Fatalf("%v: %v, but bound %v", p, d.mean, bound)
		}
	})
}

// TestBallsAreReached counts what is reached where no side or length is in the way.
func TestBallsAreReached(t *testing.T) {
	s := &ibtSearch{balls: map[int]ball{}}
	s.ballMean(1, 1, 10)
	// One dimension of a large period: bypasses at s are of their own.
	type point struct {
		u int
		c [9]int // of s from -4 to 4
	}
	seen := map[point]bool{}
	front := map[[2]any]bool{{point{}, 0}: true}
	for r := 0; r <= 4; r++ {
		next := map[[2]any]bool{}
		for f := range front {
			p, at := f[0].(point), f[1].(int)
			seen[p] = true
			for _, by := range []int{1, -1} {
				q := p
				q.u += by
				next[[2]any{q, at + by}] = true
				if at >= -4 && at <= 4 {
					q := p
					q.c[at+4] += by
					next[[2]any{q, at}] = true
				}
			}
		}
		if float64(len(seen)) != s.balls[1][r] {
			t.Errorf("%d within %d hops, counted %v", len(seen), r, s.balls[1][r])
		}
		front = next
	}
	for dims, want := range []float64{1, 9, 41, 129} {
		if got := crossPolytope(dims, 4); got != want {
			t.Errorf("%v points of %d dimensions, expected %v", got, dims, want)
		}
	}
}

func TestIBTMistakes(t *testing.T) {
	_, err := IBTs(t.Context(), IBTQuery{MinNodes: 10, MaxNodes: 5, Degree: 7, MaxLengths: -1, Top: -1})
	if found := diag.Fields(err); len(found) != 4 {
		t.Errorf("%v", err)
	}
	if _, err := IBTs(t.Context(), IBTQuery{MinNodes: 5, MaxNodes: 5, Degree: 8}); err == nil {
		t.Error("5 nodes in three dimensions")
	}
}
