package spectral

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestLossesDoNotMatter: orthogonalising when too much would be lost gives the bound and the vector of orthogonalising
// always.
func TestLossesDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 350).Draw(t, "rows")
		ring := rapid.Bool().Draw(t, "ring")
		most := rapid.SampledFrom([]int{1, 9, 1000000}).Draw(t, "greatest weight")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		type edge struct {
			a, b   int
			weight float64
		}
		var edges []edge
		for v := range n {
			if ring {
				edges = append(edges, edge{v, (v + 1) % n, 1})
			}
		}
		for range rapid.IntRange(0, 4*n).Draw(t, "edges") {
			edges = append(edges, edge{r.IntN(n), r.IntN(n), float64(1 + r.IntN(most))})
		}
		laplacian := func(out, x []float64) {
			clear(out)
			for _, e := range edges {
				d := e.weight * (x[e.a] - x[e.b])
				out[e.a] += d
				out[e.b] -= d
			}
		}
		start := make([]float64, n)
		for i := range start {
			start[i] = r.NormFloat64()
		}
		want, wantVector := fiedler(context.Background(), laplacian, slices.Clone(start), 0)
		got, vector := fiedler(context.Background(), laplacian, start, halfDigits)
		if math.Abs(got-want) > 1e-6*float64(most) || (vector == nil) != (wantVector == nil) {
			t.Fatalf("bound %.12g, expected %.12g", got, want)
		}
		if vector == nil {
			return
		}
		if length := length(vector); math.Abs(length-1) > 1e-6 {
			t.Fatalf("vector of length %g", length)
		}
	})
}

// TestFewAreMadeOrthogonal keeps the point of it: on a graph with a gap few vectors need it.
func TestFewAreMadeOrthogonal(t *testing.T) {
	const n = 5000
	r := rand.New(rand.NewPCG(1, 2))
	to := make([][2]int, 4*n)
	for i := range to {
		to[i] = [2]int{i % n, r.IntN(n)}
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	orthonormal(x, nil)
	q := [][]float64{x}
	lost := losses{most: halfDigits}
	var alpha, beta []float64
	full := 0
	for k := range 100 {
		next := make([]float64, n)
		for _, e := range to {
			d := q[k][e[0]] - q[k][e[1]]
			next[e[0]] += d
			next[e[1]] -= d
		}
		alpha = append(alpha, dot(next, q[k]))
		subtract(next, q[k], alpha[k])
		if k > 0 {
			subtract(next, q[k-1], beta[k-1])
		}
		beta = append(beta, length(next))
		against := [][]float64{}
		if lost.step(alpha, beta, n) {
			full++
			against = q
		}
		orthonormal(next, against)
		for j, y := range q {
			if d := math.Abs(dot(next, y)); d > 4*halfDigits {
				t.Fatalf("vectors %d and %d: product %g", j, k+1, d)
			}
		}
		q = append(q, next)
	}
	if full == 0 || full > 30 {
		t.Errorf("%d of 100 vectors were made orthogonal to all", full)
	}
	t.Log(full)
}
