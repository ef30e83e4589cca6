package qap

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/plenum-planner/plenum/internal/parallel"
)

// The methods of lower bounds.
const (
	GilmoreLawler = "Gilmore-Lawler"
	Projection    = "projection"
)

// Bound is a cost that no permutation can go below.
type Bound struct {
	Value  int64
	Method string // that gave it
}

// the most objects whose eigenvalues are worked out.
const maxEigen = 1500

// LowerBound is the best of two bounds:
//   - Gilmore-Lawler: each object costs at each location at least the sum of its
//     flows and that location's distances when the largest flows take the
//     smallest distances; the cheapest assignment on these costs (P. C. Gilmore,
//     "Optimal and suboptimal algorithms for the quadratic assignment problem",
//     J. SIAM 10 (2), 1962; E. L. Lawler, "The quadratic assignment problem",
//     Management Science 9 (4), 1963). Flows out, flows in and the mean of both
//     are tried; flows to objects of a class take distances to its locations.
//   - Projection, where one of the matrices is symmetric: the least product of
//     the eigenvalues of the matrices projected on the vectors whose entries sum
//     to zero, with an assignment for the rest (S. W. Hadley, F. Rendl and H.
//     Wolkowicz, "A new lower bound via projection for the quadratic assignment
//     problem", Math. of Operations Research 17 (3), 1992). At most 1,500 objects.
//
// Costs of a symmetric instance are even, and so on: bounds are rounded up to
// what a cost can be.
func LowerBound(ctx context.Context, q *Instance) (Bound, error) {
	if err := q.Check(); err != nil {
		return Bound{}, err
	}
	m := newModel(q)
	best := Bound{math.MinInt64, GilmoreLawler}
	ways := []direction{flowsOut}
	if !m.symmetric {
		ways = []direction{flowsOut, flowsIn, flowsBoth}
	}
	root := m.root()
	for _, way := range ways {
		doubled, err := root.gilmoreLawler(ctx, way)
		if err != nil {
			return Bound{}, err
		}
		best.Value = max(best.Value, m.roundUp(doubled>>1+doubled&1))
	}
	if v, ok := m.projection(); ok {
		if v = m.roundUp(v); v > best.Value {
			best = Bound{v, Projection}
		}
	}
	return best, ctx.Err()
}

// roundUp raises a bound to the next cost that the common divisors of the
// entries allow.
func (m *model) roundUp(bound int64) int64 {
	if largest(m.da) > 0 && largest(m.db) > 0 {
		return bound
	}
	divisor := divisor(m.a) * divisor(m.b)
	if rest := bound % divisor; rest > 0 {
		return bound + divisor - rest
	} else if rest < 0 {
		return bound - rest
	}
	return bound
}

// divisor is the greatest common divisor, 1 where all are 0.
func divisor(list []int64) int64 {
	var d int64
	for _, v := range list {
		for v != 0 {
			d, v = v, d%v
		}
	}
	return max(d, -d, 1)
}

// direction says which flows of an object a bound counts.
type direction uint8

const (
	flowsOut direction = iota
	flowsIn
	flowsBoth // half each
)

// node is a problem of which part is assigned. Costs are doubled: an object
// counts each of its flows, so that a flow counts at both ends.
type node struct {
	*model
	objects, locations []int32 // not assigned, ascending
	fixed              int64   // cost of what is assigned
	linear             []int64 // of each object at each location: itself and its flows to what is assigned
	costs              []int64 // the matrix of the last bound
}

func (m *model) root() *node {
	r := &node{model: m, linear: make([]int64, m.n*m.n)}
	for i := range m.n {
		r.objects, r.locations = append(r.objects, int32(i)), append(r.locations, int32(i))
		for j := range m.n {
			r.linear[i*m.n+j] = 2 * m.da[i] * m.db[j]
		}
	}
	return r
}

// gilmoreLawler is a lower bound on the doubled cost.
func (r *node) gilmoreLawler(ctx context.Context, way direction) (int64, error) {
	k := len(r.objects)
	r.costs = slices.Clone(r.linear)
	add := func(in bool, factor int64) {
		flows := r.sortedEntries(r.a, r.objects, in, cmp.Compare[int64])
		distances := r.sortedEntries(r.b, r.locations, in, func(a, b int64) int { return cmp.Compare(b, a) })
		inParallel(ctx, k, func(i int) {
			b, e := r.class(i)
			for j := b; j < e; j++ {
				r.costs[i*k+j] += factor * product(flows[i*(k-1):(i+1)*(k-1)], distances[j*(k-1):(j+1)*(k-1)])
			}
		})
	}
	switch {
	case r.symmetric:
		add(false, 1)
	case way == flowsOut:
		add(false, 2)
	case way == flowsIn:
		add(true, 2)
	default:
		add(false, 1)
		add(true, 1)
	}
	sum := r.fixed
	for b := 0; b < k; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		_, e := r.class(b)
		size := e - b
		block := make([]int64, 0, size*size)
		for i := b; i < e; i++ {
			block = append(block, r.costs[i*k+b:i*k+e]...)
		}
		_, v := assign(size, block)
		sum += v
		b = e
	}
	return sum, nil
}

// class is the range of what is left of the class of the i-th object left.
func (r *node) class(i int) (b, e int) {
	o := r.objects[i]
	b, _ = slices.BinarySearch(r.objects, int32(r.begin[o]))
	e, _ = slices.BinarySearch(r.objects, int32(r.end[o]))
	return b, e
}

// sortedEntries gives each of those left its entries to the others, class by class.
func (r *node) sortedEntries(from []int64, left []int32, in bool, order func(a, b int64) int) []int64 {
	k := len(left)
	out := make([]int64, 0, k*(k-1))
	for i, v := range left {
		for b := 0; b < k; {
			_, e := r.class(b)
			start := len(out)
			for j := b; j < e; j++ {
				switch {
				case j == i:
				case in:
					out = append(out, from[int(left[j])*r.n+int(v)])
				default:
					out = append(out, from[int(v)*r.n+int(left[j])])
				}
			}
			slices.SortFunc(out[start:], order)
			b = e
		}
	}
	return out
}

func product(a, b []int64) int64 {
	b = b[:len(a)]
	var sum int64
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// inParallel calls f for 0 to n-1, unless the context ends.
func inParallel(ctx context.Context, n int, f func(i int)) {
	if n < 32 {
		for i := range n {
			f(i)
		}
		return
	}
	_ = parallel.Each(ctx, n, func(_ context.Context, i int) error { // callers ask ctx
		f(i)
		return nil
	})
}

// projection is the projection bound of Hadley, Rendl and Wolkowicz, rounded
// down by more than what rounding can have added.
func (m *model) projection() (int64, bool) {
	n := m.n
	high, scaled := bits.Mul64(magnitude(m.a, m.b), 4*uint64(n))
	if !m.symmetric || n < 3 || n > maxEigen || high != 0 || scaled > 1<<62 {
		return 0, false
	}
	rowsA, sumA := rowSums(m.a, n)
	rowsB, sumB := rowSums(m.b, n)
	eigenA, okA := projectedEigenvalues(m.a, rowsA, sumA)
	eigenB, okB := projectedEigenvalues(m.b, rowsB, sumB)
	if !okA || !okB {
		return 0, false
	}
	// In the paper's terms the matrices are a and b/2, and the linear part holds
	// the diagonals; it is n times as large here.
	var linear int64
	for b := 0; b < n; b = m.end[b] {
		size := m.end[b] - b
		costs := make([]int64, 0, size*size)
		for i := b; i < m.end[b]; i++ {
			for j := b; j < m.end[b]; j++ {
				costs = append(costs, rowsA[i]*rowsB[j]+int64(n)*m.da[i]*m.db[j])
			}
		}
		_, v := assign(size, costs)
		linear += v
	}
	var quadratic, scale float64
	for i, v := range eigenA {
		w := eigenB[len(eigenB)-1-i] // ascending against descending
		quadratic += v * w / 2
		scale += math.Abs(v*w) / 2
	}
	constant := float64(sumA) * float64(sumB) / (2 * float64(n) * float64(n))
	bound := quadratic + float64(linear)/float64(n) - constant
	scale += norm(eigenA)*norm(eigenB) + math.Abs(constant) + math.Abs(float64(linear))/float64(n)
	return int64(math.Ceil(bound - 1e-10*scale - 1e-6)), true
}

func rowSums(a []int64, n int) (rows []int64, sum int64) {
	rows = make([]int64, n)
	for i := range rows {
		for _, v := range a[i*n : (i+1)*n] {
			rows[i] += v
		}
		sum += rows[i]
	}
	return rows, sum
}

// projectedEigenvalues returns the eigenvalues, ascending, of a symmetric matrix projected on
// the vectors whose entries sum to zero: those of the projected matrix but for
// one zero, which belongs to the direction that is projected away.
func projectedEigenvalues(a, rows []int64, sum int64) ([]float64, bool) {
	n := len(rows)
	p := mat.NewSymDense(n, nil)
	mean := float64(sum) / float64(n) / float64(n)
	for i := range n {
		for j := i; j < n; j++ {
			p.SetSym(i, j, float64(a[i*n+j])-float64(rows[i]+rows[j])/float64(n)+mean)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(p, false) {
		return nil, false
	}
	values := e.Values(nil)
	zero := 0
	for i, v := range values {
		if math.Abs(v) < math.Abs(values[zero]) {
			zero = i
		}
	}
	return slices.Delete(values, zero, zero+1), true
}

func norm(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum)
}
