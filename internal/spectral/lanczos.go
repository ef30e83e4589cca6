package spectral

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

const (
	mostSteps   = 300     // highest number of iterations
	leastSteps  = 20      // iterations that the limit of memory allows in any case
	memory      = 1 << 24 // limit of the entries of all vectors
	checkEvery  = 20      // iterations between two checks for the end
	goodEnough  = 1e-4    // residual, relative to the eigenvalue, at which iterations end
	independent = 1e-10   // share of a vector's length that must remain after orthogonalization
	halfDigits  = 0x1p-26 // largest tolerated product of two vectors of length 1: half of their digits
)

// Fiedler returns a lower bound of the second smallest eigenvalue of a Laplacian, and the vector of length 1 that goes
// with it, by Lanczos iterations (G. H. Golub and C. F. Van Loan, Matrix Computations, 4th edition, section 10.3) whose
// vectors are made orthogonal to all earlier ones when the estimated loss of orthogonality exceeds half of the digits
// (H. D. Simon, "The Lanczos algorithm with partial reorthogonalization", Mathematics of Computation 42 (165), 1984,
// doi:10.1090/S0025-5718-1984-0725988-X); up to then, Ritz values are as exact as with full reorthogonalization. The
// bound is the smallest Ritz value less the norm of its residual, at least 0. It holds once the iteration has come near
// the eigenvalue, which a random start misses with probability 0.
//
// laplacian sets out to the matrix times x. start has an entry, drawn at random, for each row, and is overwritten. The
// bound is 0 and the vector nil if ctx ends first, there are fewer than two rows, or start is constant.
func Fiedler(ctx context.Context, laplacian func(out, x []float64), start []float64) (bound float64, vector []float64) {
	return fiedler(ctx, laplacian, start, halfDigits)
}

// fiedler does the same as Fiedler with a given tolerance of the products of two vectors; with 0, every vector
// is made orthogonal to all earlier ones.
func fiedler(
	ctx context.Context, laplacian func(out, x []float64), start []float64, loss float64,
) (bound float64, vector []float64) {
	n := len(start)
	if n < 2 || !orthonormal(start, nil) {
		return 0, nil
	}
	steps := min(mostSteps, n-1, max(leastSteps, memory/n))
	q := [][]float64{start}
	lost := losses{most: loss}
	var alpha, beta []float64
	for ctx.Err() == nil {
		k := len(alpha)
		next := make([]float64, n)
		laplacian(next, q[k])
		alpha = append(alpha, dot(next, q[k]))
		subtract(next, q[k], alpha[k])
		if k > 0 {
			subtract(next, q[k-1], beta[k-1])
		}
		before := length(next)
		against := [][]float64{}
		if lost.step(alpha, append(beta, before), n) {
			against = q
		}
		last := !orthonormal(next, against) || before < 1e-9*math.Abs(alpha[0])
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

// losses estimates the loss of orthogonality: of[k] is about the product of the last vector and vector k, before[k] the
// same for the vector before the last.
type losses struct {
	of, before []float64
	most       float64 // largest tolerated product
	scale      float64 // estimate of the norm of the matrix
	again      bool    // the last vector was made orthogonal, and so must be the next one
}

// step updates the estimate for the next vector, whose length is the last element of beta, and reports whether it has
// to be made orthogonal to all earlier ones. It assumes rounding errors several times larger than they can be.
func (l *losses) step(alpha, beta []float64, rows int) bool {
	const rounding = 0x1p-49
	j := len(alpha) - 1
	l.scale = max(l.scale, math.Abs(alpha[j])+2*beta[j])
	if j == 0 {
		l.of = []float64{1}
	}
	noise := rounding * math.Sqrt(float64(rows)) * l.scale
	next := make([]float64, j+2)
	next[j+1] = 1
	most := 0.0
	for k := range j + 1 {
		sum := 0.0
		if k < j {
			sum = float64(beta[k]*l.of[k+1]) + float64((alpha[k]-alpha[j])*l.of[k]) - float64(beta[j-1]*l.before[k])
			if k > 0 {
				sum += float64(beta[k-1] * l.of[k-1])
			}
		}
		next[k] = (sum + math.Copysign(noise, sum)) / beta[j]
		most = max(most, math.Abs(next[k]))
	}
	all := l.again || !(most <= l.most) // NaN after a vector of length 0
	l.again = all && !l.again
	if all {
		for k := range j + 1 {
			next[k] = rounding
		}
	}
	l.before, l.of = l.of, next
	return all
}

// combine returns the sum of the vectors of q, each multiplied by its entry of y.
func combine(q [][]float64, y []float64) []float64 {
	out := make([]float64, len(q[0]))
	for j, c := range y {
		subtract(out, q[j], -c)
	}
	return out
}

// orthonormal makes x orthogonal to the constant vector and to all of q, and scales it to length 1. It returns false if
// x is, up to rounding, a combination of them.
func orthonormal(x []float64, q [][]float64) bool {
	before := length(x)
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
			subtract(x, y, dot(x, y))
		}
	}
	norm := length(x)
	if norm <= independent*before || norm == 0 {
		return false
	}
	for i := range x {
		x[i] /= norm
	}
	return true
}

// subtract subtracts c times y from x.
func subtract(x, y []float64, c float64) {
	for i, v := range y {
		x[i] -= float64(c * v)
	}
}

// length returns the Euclidean norm of x.
func length(x []float64) float64 { return math.Sqrt(dot(x, x)) }

// dot returns the dot product. It sums every fourth product, then the four sums, always in this order and
// without fused operations, so that the result is the same on every machine; that of gonum's floats package is not.
func dot(x, y []float64) float64 {
	var a, b, c, d float64
	y = y[:len(x)]
	i := 0
	for ; i+4 <= len(x); i += 4 {
		a += float64(x[i] * y[i])
		b += float64(x[i+1] * y[i+1])
		c += float64(x[i+2] * y[i+2])
		d += float64(x[i+3] * y[i+3])
	}
	for ; i < len(x); i++ {
		a += float64(x[i] * y[i])
	}
	return (a + b) + (c + d)
}

// leastRitz returns the smallest eigenvalue of a symmetric tridiagonal matrix and its eigenvector. beside has the
// elements beside the diagonal.
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
