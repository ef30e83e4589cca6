package spectral_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/plenum-planner/plenum/internal/spectral"
)

// laplacian is the dense Laplacian of weighted edges.
func laplacian(n int, edges [][3]float64) *mat.SymDense {
	m := mat.NewSymDense(n, nil)
	for _, e := range edges {
		a, b, w := int(e[0]), int(e[1]), e[2]
		m.SetSym(a, a, m.At(a, a)+w)
		m.SetSym(b, b, m.At(b, b)+w)
		m.SetSym(a, b, m.At(a, b)-w)
	}
	return m
}

func times(m mat.Matrix) func(out, x []float64) {
	return func(out, x []float64) { mat.NewVecDense(len(out), out).MulVec(m, mat.NewVecDense(len(x), x)) }
}

func start(n int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]float64, n)
	for i := range out {
		out[i] = r.NormFloat64()
	}
	return out
}

func ring(n int) (edges [][3]float64) {
	for v := range n {
		edges = append(edges, [3]float64{float64(v), float64((v + 1) % n), 1})
	}
	return edges
}

func complete(n int, weight float64) (edges [][3]float64) {
	for v := range n {
		for u := range v {
			edges = append(edges, [3]float64{float64(u), float64(v), weight})
		}
	}
	return edges
}

func random(n, m int, seed uint64) [][3]float64 {
	r := rand.New(rand.NewPCG(seed, 2))
	edges := ring(n)
	for range m {
		if a, b := r.IntN(n), r.IntN(n); a != b {
			edges = append(edges, [3]float64{float64(a), float64(b), float64(1 + r.IntN(9))})
		}
	}
	return edges
}

var graphs = []struct {
	name  string
	n     int
	edges [][3]float64
}{
	{"pair", 2, [][3]float64{{0, 1, 5}}},
	{"path of 3", 3, [][3]float64{{0, 1, 1}, {1, 2, 1}}},
	{"star", 9, [][3]float64{{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {0, 4, 1}, {0, 5, 1}, {0, 6, 1}, {0, 7, 1}, {0, 8, 1}}},
	{"ring of 60", 60, ring(60)},
	{"complete of 12, weights 3", 12, complete(12, 3)},
	{"sparse", 80, random(80, 40, 1)},
	{"dense", 80, random(80, 900, 2)},
	{"more rows than steps", 400, random(400, 800, 3)},
	{"two pieces", 6, [][3]float64{{0, 1, 1}, {1, 2, 1}, {3, 4, 1}, {4, 5, 1}}},
	{"no edges", 5, nil},
}

// TestFiedlerEqualsDense: the bound is at most the second eigenvalue that a dense
// solver finds, and near it; the vector is one of that eigenvalue.
func TestFiedlerEqualsDense(t *testing.T) {
	for _, g := range graphs {
		m := laplacian(g.n, g.edges)
		var dense mat.EigenSym
		if !dense.Factorize(m, false) {
			t.Fatalf("%s: no eigenvalues", g.name)
		}
		values := dense.Values(nil)
		want, scale := values[1], 1+values[g.n-1]
		for seed := range uint64(3) {
			got, v := spectral.Fiedler(context.Background(), times(m), start(g.n, seed))
			if got < 0 || got > want+1e-9*scale || got < want*(1-2e-4)-1e-9*scale {
				t.Errorf("%s: bound %.12g, eigenvalue %.12g", g.name, got, want)
			}
			if len(v) != g.n {
				t.Fatalf("%s: vector of %d", g.name, len(v))
			}
			x := mat.NewVecDense(g.n, v)
			var mx mat.VecDense
			mx.MulVec(m, x)
			mx.AddScaledVec(&mx, -want, x)
			sum, norm, off := mat.Sum(x), mat.Norm(x, 2), mat.Norm(&mx, 2)
			if math.Abs(sum) > 1e-9 || math.Abs(norm-1) > 1e-9 || off > 2e-2*want+1e-7*scale {
				t.Errorf("%s: vector of sum %g, length %g, %g off", g.name, sum, norm, off)
			}
		}
	}
}

func TestFiedlerWithoutAnswer(t *testing.T) {
	m := times(laplacian(4, ring(4)))
	ended, end := context.WithCancel(context.Background())
	end()
	for name, c := range map[string]struct {
		ctx   context.Context
		start []float64
	}{
		"ended":    {ended, start(4, 1)},
		"constant": {context.Background(), []float64{2, 2, 2, 2}},
		"one row":  {context.Background(), []float64{1}},
		"no rows":  {context.Background(), nil},
	} {
		if bound, v := spectral.Fiedler(c.ctx, m, c.start); bound != 0 || v != nil {
			t.Errorf("%s: %g, %v", name, bound, v)
		}
	}
}
