package mapping

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// algebraicConnectivity returns a lower bound of the second smallest eigenvalue
// of the Laplacian, by Lanczos iterations with full orthogonalisation (G. H.
// Golub and C. F. Van Loan, Matrix Computations, 4th edition, section 10.3). The
// bound is the least Ritz value less the norm of its residual: it holds once the
// iteration has come near the eigenvalue, which a random start misses with
// probability 0. It is 0 where the iteration did not come near any.
func (g *Graph) algebraicConnectivity() float64 {
	n := g.Vertices()
	const most, memory = 300, 1 << 24
	steps := min(most, n-1, max(20, memory/n))
	rng := newRandom(2, 3)
	start := make([]float64, n)
	for i := range start {
		start[i] = float64(rng.next()>>11)/(1<<53) - 0.5
	}
	if !orthonormal(start, nil) {
		return 0
	}
	q := [][]float64{start}
	var alpha, beta []float64
	for {
		k := len(alpha)
		next := make([]float64, n)
		g.laplacian(next, q[k])
		alpha = append(alpha, dot(next, q[k]))
		for i, x := range q[k] {
			next[i] -= float64(alpha[k] * x)
			if k > 0 {
				next[i] -= float64(beta[k-1] * q[k-1][i])
			}
		}
		before := math.Sqrt(dot(next, next))
		last := !orthonormal(next, q) || before < 1e-9*math.Abs(alpha[0])
		if last {
			before = 0
		}
		last = last || len(alpha) >= steps
		if last || len(alpha)%20 == 0 {
			theta, end, ok := leastRitz(alpha, beta)
			if !ok {
				return 0
			}
			residual := before * math.Abs(end)
			if last || residual < 1e-4*theta {
				return max(0, theta-residual)
			}
		}
		beta = append(beta, before)
		q = append(q, next)
	}
}

// laplacian sets out to the Laplacian times x.
func (g *Graph) laplacian(out, x []float64) {
	for v := range out {
		sum := 0.0
		for k := g.First[v]; k < g.First[v+1]; k++ {
			sum += float64(float64(g.weight(k)) * (x[v] - x[g.To[k]]))
		}
		out[v] = sum
	}
}

// orthonormal makes x orthogonal to the constant vector and to all of q, and of
// length 1; false if nothing is left of it.
func orthonormal(x []float64, q [][]float64) bool {
	before := math.Sqrt(dot(x, x))
	for range 2 {
		mean := 0.0
		for _, v := range x {
			mean += v
		}
		mean /= float64(len(x))
		for i := range x {
			x[i] -= mean
		}
		for _, y := range q {
			c := dot(x, y)
			for i, v := range y {
				x[i] -= float64(c * v)
			}
		}
	}
	norm := math.Sqrt(dot(x, x))
	if norm <= 1e-10*before || norm == 0 {
		return false
	}
	for i := range x {
		x[i] /= norm
	}
	return true
}

func dot(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}

// leastRitz returns the least eigenvalue of a symmetric tridiagonal matrix and
// the last entry of its vector.
func leastRitz(diagonal, beside []float64) (value, end float64, ok bool) {
	m := mat.NewSymDense(len(diagonal), nil)
	for i, d := range diagonal {
		m.SetSym(i, i, d)
		if i > 0 {
			m.SetSym(i-1, i, beside[i-1])
		}
	}
	var e mat.EigenSym
	if !e.Factorize(m, true) {
		return 0, 0, false
	}
	var v mat.Dense
	e.VectorsTo(&v)
	return e.Values(nil)[0], v.At(len(diagonal)-1, 0), true
}
