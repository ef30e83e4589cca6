package qap

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
)

// tabu is a tabu search: every step exchanges the locations of the two objects
// for which that costs least, for better or worse, unless both would go back to
// where they stood a short while ago. How long a while is drawn anew for every
// step, as in E. Taillard, "Robust taboo search for the quadratic assignment
// problem", Parallel Computing 17 (4-5), 1991.
//
// What each exchange would cost is kept in a matrix, of which a step mends every
// entry in constant time (A. M. Frieze et al., "Algorithms for assignment
// problems on an array processor", Parallel Computing 11 (2), 1989). For the
// entries of the two objects just exchanged, which Taillard computes anew in
// linear time each, the cost of every object at every location is kept as well:
// a step changes that matrix by a product of two vectors, and only in the rows
// of objects that have flow to one of the two.
type tabu struct {
	*model
	random *rand.PCG

	p    []int32 // the location of every object
	at   int64   // its cost
	best []int32
	cost int64 // of best

	// visit[i][j] is what object i would cost at the location of object j, all
	// others staying: rows and columns of objects of one class that can move.
	visit []int64
	// delta[i][j], for i < j of one class, is what exchanging the two costs.
	delta []int64
	low   []int64 // at most the least of the row of delta
	until []int64 // the step up to which object i is not to go back to location k
	now   int64

	x, y, z, w []int64 // the vectors of a step
	touched    []int32 // objects whose flow to the two exchanged differs
	permuted   []int64
}

// never is more than any cost.
const never = math.MaxInt64 / 2

func newTabu(m *model) *tabu {
	square := func() []int64 { return make([]int64, m.free*m.free) }
	return &tabu{
		model: m, p: make([]int32, m.n), best: make([]int32, m.n),
		visit: square(), delta: square(), until: square(), low: make([]int64, m.free),
		x: make([]int64, m.free), y: make([]int64, m.free), z: make([]int64, m.free), w: make([]int64, m.free),
		permuted: make([]int64, m.n*m.n),
	}
}

// start begins anew from p.
func (t *tabu) start(p []int32, random *rand.PCG) {
	copy(t.p, p)
	copy(t.best, p)
	t.random, t.now = random, 0
	t.at = t.model.cost(p)
	t.cost = t.at
	clear(t.until)
	t.visits()
	for u := range t.free {
		t.low[u] = never
		for v := u + 1; v < t.end[u]; v++ {
			d := t.exchange(u, v)
			t.delta[u*t.free+v] = d
			t.low[u] = min(t.low[u], d)
		}
	}
}

// visits works out visit.
func (t *tabu) visits() {
	clear(t.visit)
	add := func(a func(i, k int) int64, b func(j, k int) int64) {
		for k := range t.n {
			row := t.permuted[k*t.n : (k+1)*t.n]
			for j := range t.free {
				row[j] = b(int(t.p[j]), int(t.p[k]))
			}
		}
		for i := range t.free {
			row := t.visit[i*t.free+t.begin[i] : i*t.free+t.end[i]]
			for k := range t.n {
				if v := a(i, k); v != 0 {
					t.addScaled(row, v, t.permuted[k*t.n+t.begin[i]:k*t.n+t.end[i]])
				}
			}
		}
	}
	n := t.n
	add(func(i, k int) int64 { return t.a[i*n+k] }, func(j, k int) int64 { return t.b[j*n+k] })
	if !t.symmetric {
		add(func(i, k int) int64 { return t.a[k*n+i] }, func(j, k int) int64 { return t.b[k*n+j] })
	}
}

// exchange is what exchanging u and v costs. The flow between the two does not
// change its sign with them and is put right.
func (t *tabu) exchange(u, v int) int64 {
	k, l := int(t.p[u]), int(t.p[v])
	d := t.visit[u*t.free+v] + t.visit[v*t.free+u] - t.visit[u*t.free+u] - t.visit[v*t.free+v]
	d += (t.da[u] - t.da[v]) * (t.db[l] - t.db[k])
	a, b := t.a[u*t.n+v], t.b[k*t.n+l]
	if t.symmetric {
		return d + 2*a*b
	}
	return d + (a+t.a[v*t.n+u])*(b+t.b[l*t.n+k])
}

// run takes steps and reports how many it took; it takes fewer only when the
// context is done.
func (t *tabu) run(ctx context.Context, steps int64) int64 {
	for done := range steps {
		if done&31 == 0 && ctx.Err() != nil {
			return done
		}
		r, s := t.choose()
		if r < 0 {
			return steps // nothing can move
		}
		t.forbid(r, s)
		t.swap(r, s)
		if t.at < t.cost {
			t.cost = t.at
			copy(t.best, t.p)
		}
	}
	return steps
}

// choose finds the best exchange that is not forbidden, or leads to a new best;
// where all are forbidden, any. Rows that cannot hold a better one are passed
// over.
func (t *tabu) choose() (r, s int) {
	if t.free == 0 {
		return -1, -1
	}
	t.now++
	r, s = -1, -1
	found, aspired := int64(never), t.cost-t.at
	first := below(t.random, t.free)
	for i := range t.free {
		u := first + i
		if u >= t.free {
			u -= t.free
		}
		if t.low[u] >= found {
			continue
		}
		pu, until := int(t.p[u]), t.until[u*t.free:(u+1)*t.free]
		low := int64(never)
		row := t.delta[u*t.free : u*t.free+t.end[u]]
		for v := u + 1; v < len(row); v++ {
			d := row[v]
			low = min(low, d)
			if d >= found {
				continue
			}
			if d < aspired || until[t.p[v]] < t.now || t.until[v*t.free+pu] < t.now {
				found, r, s = d, u, v
			}
		}
		t.low[u] = low
	}
	if r < 0 {
		r = below(t.random, t.free)
		s = t.begin[r] + below(t.random, t.end[r]-t.begin[r]-1)
		if s >= r {
			s++
		}
		r, s = min(r, s), max(r, s)
	}
	return r, s
}

// forbid keeps both from going back for a while.
func (t *tabu) forbid(r, s int) {
	t.until[r*t.free+int(t.p[r])] = t.now + t.tenure(t.end[r]-t.begin[r])
	t.until[s*t.free+int(t.p[s])] = t.now + t.tenure(t.end[r]-t.begin[r])
}

// tenure draws a number of steps for an object of a class of so many.
func (t *tabu) tenure(members int) int64 {
	u := float64(t.random.Uint64()>>11) / (1 << 53)
	return int64(u * u * u * 8 * float64(members))
}

// swap exchanges the locations of r and s, of one class, r < s.
func (t *tabu) swap(r, s int) {
	t.at += t.delta[r*t.free+s]
	t.vectors(r, s)
	f := t.free
	for _, i := range t.touched {
		b, e := t.begin[i], t.end[i]
		t.addScaled(t.visit[int(i)*f+b:int(i)*f+e], t.x[i], t.y[b:e])
		if !t.symmetric {
			t.addScaled(t.visit[int(i)*f+b:int(i)*f+e], t.z[i], t.w[b:e])
		}
	}
	for i := t.begin[r]; i < t.end[r]; i++ {
		t.visit[i*f+r], t.visit[i*f+s] = t.visit[i*f+s], t.visit[i*f+r]
	}
	t.p[r], t.p[s] = t.p[s], t.p[r]
	t.mend(r, s)
	for v := t.begin[r]; v < t.end[r]; v++ {
		if v != r {
			t.put(min(v, r), max(v, r))
		}
		if v != s && v != r {
			t.put(min(v, s), max(v, s))
		}
	}
}

func (t *tabu) put(u, v int) {
	d := t.exchange(u, v)
	t.delta[u*t.free+v] = d
	t.low[u] = min(t.low[u], d)
}

// vectors works out by what the exchange of r and s changes visit: the product
// of x and y, and of z and w for the flows in the other direction.
func (t *tabu) vectors(r, s int) {
	n, k, l := t.n, int(t.p[r]), int(t.p[s])
	t.touched = t.touched[:0]
	bk, bl := t.b[k*n:(k+1)*n], t.b[l*n:(l+1)*n]
	ar, as := t.a[r*n:r*n+t.free], t.a[s*n:s*n+t.free]
	if t.symmetric {
		for i, v := range ar {
			t.x[i] = v - as[i]
			if t.x[i] != 0 {
				t.touched = append(t.touched, int32(i))
			}
			t.y[i] = bl[t.p[i]] - bk[t.p[i]]
		}
		return
	}
	for i := range t.free {
		t.x[i] = t.a[i*n+r] - t.a[i*n+s]
		t.z[i] = ar[i] - as[i]
		if t.x[i] != 0 || t.z[i] != 0 {
			t.touched = append(t.touched, int32(i))
		}
		pi := int(t.p[i])
		t.y[i] = t.b[pi*n+l] - t.b[pi*n+k]
		t.w[i] = bl[pi] - bk[pi]
	}
}

// mend brings delta up to date for pairs without r and s; what it makes of the
// others is never less than they are.
func (t *tabu) mend(r, s int) {
	f := t.free
	for u := t.begin[r]; u < s; u++ {
		if u < r {
			t.delta[u*f+r] = never
		}
		t.delta[u*f+s] = never
	}
	sparse := 4*len(t.touched) < f
	for u := range f {
		e := t.end[u]
		if u+1 >= e || u == r || u == s {
			continue
		}
		row := t.delta[u*f : u*f+e]
		switch {
		case !sparse || t.x[u] != 0 || !t.symmetric && t.z[u] != 0:
			if t.symmetric {
				t.low[u] = t.subtract(row[u+1:], t.x[u+1:e], t.y[u+1:e], t.x[u], t.y[u])
			} else {
				t.subtract(row[u+1:], t.x[u+1:e], t.y[u+1:e], t.x[u], t.y[u])
				t.low[u] = t.subtract(row[u+1:], t.z[u+1:e], t.w[u+1:e], t.z[u], t.w[u])
			}
		case t.symmetric:
			for _, v := range t.touched {
				if int(v) > u && int(v) < e {
					row[v] += t.x[v] * (t.y[u] - t.y[v])
					t.low[u] = min(t.low[u], row[v])
				}
			}
		default:
			for _, v := range t.touched {
				if int(v) > u && int(v) < e {
					row[v] += t.x[v]*(t.y[u]-t.y[v]) + t.z[v]*(t.w[u]-t.w[v])
					t.low[u] = min(t.low[u], row[v])
				}
			}
		}
	}
	t.low[r], t.low[s] = never, never
}

// addScaled adds x times y to row.
func (t *tabu) addScaled(row []int64, x int64, y []int64) {
	row = row[:len(y)]
	if n := len(y) &^ 3; t.narrow && n > 0 {
		addScaledAVX2(&row[0], &y[0], n, x)
		row, y = row[n:], y[n:]
	}
	for j, v := range y {
		row[j] += x * v
	}
}

// subtract takes (xu - x)(yu - y) from row and returns the least of it.
func (t *tabu) subtract(row, x, y []int64, xu, yu int64) int64 {
	x, y = x[:len(row)], y[:len(row)]
	low := int64(never)
	if n := len(row) &^ 3; t.narrow && n > 0 {
		low = subtractAVX2(&row[0], &x[0], &y[0], n, xu, yu, low)
		row, x, y = row[n:], x[n:], y[n:]
	}
	for j, d := range row {
		d -= (xu - x[j]) * (yu - y[j])
		row[j] = d
		low = min(low, d)
	}
	return low
}

// below draws a number from 0 to n-1. rand.Rand promises no fixed sequence.
func below(random *rand.PCG, n int) int {
	high, _ := bits.Mul64(random.Uint64(), uint64(n))
	return int(high)
}
