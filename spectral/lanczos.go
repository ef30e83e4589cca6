package spectral

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

const (
	mostSteps   = 300     // iterations
	leastSteps  = 20      // that are made whatever they take
	memory      = 1 << 24 // entries of the vectors that are kept, beyond leastSteps
	checkEvery  = 20      // iterations
	goodEnough  = 1e-4    // residual over eigenvalue
	independent = 1e-10   // of a vector's length must be left
)

// Fiedler returns a lower bound of the second smallest eigenvalue of a Laplacian,
// and the vector of length 1 that goes with it, by Lanczos iterations with full
// orthogonalisation (G. H. Golub and C. F. Van Loan, Matrix Computations, 4th
// edition, section 10.3). The bound is the least Ritz value less the norm of its
// residual, at least 0: it holds once the iteration has come near the eigenvalue,
// which a random start misses with probability 0.
//
// Laplacian sets out to the matrix times x. Start has an entry, drawn at random,
// for each row, and is overwritten. The bound is 0 and the vector nil where ctx
// ends first, there are fewer than two rows, or start is constant.
func Fiedler(ctx context.Context, laplacian func(out, x []float64), start []float64) (bound float64, vector []float64) {
	n := len(start)
	if n < 2 || !orthonormal(start, nil) {
		return 0, nil
	}
	steps := min(mostSteps, n-1, max(leastSteps, memory/n))
	q := [][]float64{start}
	var alpha, beta []float64
	for ctx.Err() == nil {
		k := len(alpha)
		next := make([]float64, n)
		laplacian(next, q[k])
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
		last = last || len(alpha) == steps
		if last || len(alpha)%checkEvery == 0 {
			theta, y, ok := leastRitz(alpha, beta)
			if !ok {
				return 0, nil
			}
			if residual := before * math.Abs(y[k]); last || residual < goodEnough*theta {
				return max(0, theta-residual), combine(q, y)
			}
		}
		beta = append(beta, before)
		q = append(q, next)
	}
	return 0, nil
}

// combine sums the vectors q, each times its entry of y.
func combine(q [][]float64, y []float64) []float64 {
	out := make([]float64, len(q[0]))
	for j, c := range y {
		for i, x := range q[j] {
			out[i] += float64(c * x)
		}
	}
	return out
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
	if norm <= independent*before || norm == 0 {
		return false
	}
	for i := range x {
		x[i] /= norm
	}
	return true
}

// dot sums in order and without fused operations, which the assembly of gonum's
// floats does not on every machine.
func dot(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}

// leastRitz returns the least eigenvalue of a symmetric tridiagonal matrix and its
// vector.
func leastRitz(diagonal, beside []float64) (value float64, vector []float64, ok bool) {
	m := mat.NewSymDense(len(diagonal), nil)
	for i, d := range diagonal {
		m.SetSym(i, i, d)
		if i > 0 {
			m.SetSym(i-1, i, beside[i-1])
		}
	}
	var e mat.EigenSym
	if !e.Factorize(m, true) {
		return 0, nil, false
	}
	var v mat.Dense
	e.VectorsTo(&v)
	return e.Values(nil)[0], mat.Col(nil, 0, &v), true
}
