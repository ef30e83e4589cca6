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
// What each exchange would cost is kept in a matrix, of which a step updates every
// entry in constant time (A. M. Frieze et al., "Algorithms for assignment
// problems on an array processor", Parallel Computing 11 (2), 1989). For the
// entries of the two objects just exchanged, which Taillard computes anew in
// linear time each, the cost of every object at every location is kept as well:
// a step changes that matrix by a product of two vectors, and only in the rows
// of objects that have flow to one of the two.
type tabu struct {
	*model
	random *rand.PCG

	p        []int32 // the location of every object
	current  int64   // its cost
	best     []int32
	bestCost int64 // of best

	// costAt[i][j] is what object i would cost at the location of object j, all
	// others staying: rows and columns of objects of one class that can move.
	costAt []int64
	// delta[i][j], for i < j of one class, is what exchanging the two costs.
	delta     []int64
	rowLeast  []int64 // at most the least of the row of delta
	tabuUntil []int64 // the step up to which object i is not to go back to location k
	iteration int64

	// The vectors of a step that exchanges two: how the flow of each object to the
	// first differs from that to the second, and the distance of its location; back
	// is the other direction where the instance is asymmetric.
	flow, distance, flowBack, distanceBack []int64

	affected []int32 // objects whose flow to the two exchanged differs
	permuted []int64 // distances by the objects that stand there

	// tell, if set, hears of steps taken since the last time, and of the least cost since the start; untold are those
	// that it has not heard of.
	tell   func(steps, cost int64)
	untold int64
}

// infinite is more than any cost.
const infinite = math.MaxInt64 / 2

func newTabu(m *model) *tabu {
	square := func() []int64 { return make([]int64, m.movable*m.movable) }
	vector := func() []int64 { return make([]int64, m.movable) }
	return &tabu{
		model: m, p: make([]int32, m.n), best: make([]int32, m.n),
		costAt: square(), delta: square(), tabuUntil: square(), rowLeast: vector(),
		flow: vector(), distance: vector(), flowBack: vector(), distanceBack: vector(),
		permuted: make([]int64, m.n*m.n),
	}
}

// start begins anew from p.
func (t *tabu) start(p []int32, random *rand.PCG) {
	copy(t.p, p)
	copy(t.best, p)
	t.random, t.iteration, t.untold = random, 0, 0
	t.current = t.model.cost(p)
	t.bestCost = t.current
	clear(t.tabuUntil)
	t.computeCosts()
	for u := range t.movable {
		t.rowLeast[u] = infinite
		for v := u + 1; v < t.end[u]; v++ {
			d := t.exchange(u, v)
			t.delta[u*t.movable+v] = d
			t.rowLeast[u] = min(t.rowLeast[u], d)
		}
	}
}

// computeCosts works out costAt.
func (t *tabu) computeCosts() {
	clear(t.costAt)
	add := func(a func(i, k int) int64, b func(j, k int) int64) {
		for k := range t.n {
			row := t.permuted[k*t.n : (k+1)*t.n]
			for j := range t.movable {
				row[j] = b(int(t.p[j]), int(t.p[k]))
			}
		}
		for i := range t.movable {
			row := t.costAt[i*t.movable+t.begin[i] : i*t.movable+t.end[i]]
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
	d := t.costAt[u*t.movable+v] + t.costAt[v*t.movable+u] - t.costAt[u*t.movable+u] - t.costAt[v*t.movable+v]
	d += (t.da[u] - t.da[v]) * (t.db[l] - t.db[k])
	a, b := t.a[u*t.n+v], t.b[k*t.n+l]
	if t.symmetric {
		return d + 2*a*b
	}
	return d + (a+t.a[v*t.n+u])*(b+t.b[l*t.n+k])
}

// tellWork is the entries of the delta matrix that are updated between two words of progress, some tenths of a second.
const tellWork = 1 << 27

// run takes steps and reports how many it took; it takes fewer only when the
// context is done.
func (t *tabu) run(ctx context.Context, steps int64) int64 {
	for done := range steps {
		if done&31 == 0 && ctx.Err() != nil {
			return done
		}
		if t.untold++; t.tell != nil && t.untold*int64(t.movable*t.movable) >= tellWork {
			t.tell(t.untold, t.bestCost)
			t.untold = 0
		}
		r, s := t.choose()
		if r < 0 {
			return steps // nothing can move
		}
		t.forbid(r, s)
		t.swap(r, s)
		if t.current < t.bestCost {
			t.bestCost = t.current
			copy(t.best, t.p)
		}
	}
	return steps
}

// choose finds the best exchange that is not forbidden, or leads to a new best;
// where all are forbidden, any. Rows that cannot hold a better one are passed
// over.
func (t *tabu) choose() (r, s int) {
	if t.movable == 0 {
		return -1, -1
	}
	t.iteration++
	r, s = -1, -1
	found, aspired := int64(infinite), t.bestCost-t.current
	first := below(t.random, t.movable)
	for i := range t.movable {
		u := first + i
		if u >= t.movable {
			u -= t.movable
		}
		if t.rowLeast[u] >= found {
			continue
		}
		pu, until := int(t.p[u]), t.tabuUntil[u*t.movable:(u+1)*t.movable]
		low := int64(infinite)
		row := t.delta[u*t.movable : u*t.movable+t.end[u]]
		for v := u + 1; v < len(row); v++ {
			d := row[v]
			low = min(low, d)
			if d >= found {
				continue
			}
			if d < aspired || until[t.p[v]] < t.iteration || t.tabuUntil[v*t.movable+pu] < t.iteration {
				found, r, s = d, u, v
			}
		}
		t.rowLeast[u] = low
	}
	if r < 0 {
		r = below(t.random, t.movable)
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
	t.tabuUntil[r*t.movable+int(t.p[r])] = t.iteration + t.tenure(t.end[r]-t.begin[r])
	t.tabuUntil[s*t.movable+int(t.p[s])] = t.iteration + t.tenure(t.end[r]-t.begin[r])
}

// tenure draws a number of steps for an object of a class of so many.
func (t *tabu) tenure(members int) int64 {
	u := float64(t.random.Uint64()>>11) / (1 << 53)
	return int64(u * u * u * 8 * float64(members))
}

// swap exchanges the locations of r and s, of one class, r < s.
func (t *tabu) swap(r, s int) {
	t.current += t.delta[r*t.movable+s]
	t.differences(r, s)
	f := t.movable
	for _, i := range t.affected {
		b, e := t.begin[i], t.end[i]
		t.addScaled(t.costAt[int(i)*f+b:int(i)*f+e], t.flow[i], t.distance[b:e])
		if !t.symmetric {
			t.addScaled(t.costAt[int(i)*f+b:int(i)*f+e], t.flowBack[i], t.distanceBack[b:e])
		}
	}
	for i := t.begin[r]; i < t.end[r]; i++ {
		t.costAt[i*f+r], t.costAt[i*f+s] = t.costAt[i*f+s], t.costAt[i*f+r]
	}
	t.p[r], t.p[s] = t.p[s], t.p[r]
	t.updateDeltas(r, s)
	for v := t.begin[r]; v < t.end[r]; v++ {
		if v != r {
			t.recompute(min(v, r), max(v, r))
		}
		if v != s && v != r {
			t.recompute(min(v, s), max(v, s))
		}
	}
}

// recompute works out one entry of delta anew.
func (t *tabu) recompute(u, v int) {
	d := t.exchange(u, v)
	t.delta[u*t.movable+v] = d
	t.rowLeast[u] = min(t.rowLeast[u], d)
}

// differences works out by what the exchange of r and s changes costAt: the product
// of flow and distance, and of both in the other direction.
func (t *tabu) differences(r, s int) {
	n, k, l := t.n, int(t.p[r]), int(t.p[s])
	t.affected = t.affected[:0]
	bk, bl := t.b[k*n:(k+1)*n], t.b[l*n:(l+1)*n]
	ar, as := t.a[r*n:r*n+t.movable], t.a[s*n:s*n+t.movable]
	if t.symmetric {
		for i, v := range ar {
			t.flow[i] = v - as[i]
			if t.flow[i] != 0 {
				t.affected = append(t.affected, int32(i))
			}
			t.distance[i] = bl[t.p[i]] - bk[t.p[i]]
		}
		return
	}
	for i := range t.movable {
		t.flow[i] = t.a[i*n+r] - t.a[i*n+s]
		t.flowBack[i] = ar[i] - as[i]
		if t.flow[i] != 0 || t.flowBack[i] != 0 {
			t.affected = append(t.affected, int32(i))
		}
		pi := int(t.p[i])
		t.distance[i] = t.b[pi*n+l] - t.b[pi*n+k]
		t.distanceBack[i] = bl[pi] - bk[pi]
	}
}

// updateDeltas brings delta up to date for pairs without r and s; what it makes of
// the others is never less than they are.
func (t *tabu) updateDeltas(r, s int) {
	f := t.movable
	for u := t.begin[r]; u < s; u++ {
		if u < r {
			t.delta[u*f+r] = infinite
		}
		t.delta[u*f+s] = infinite
	}
	sparse := 4*len(t.affected) < f
	for u := range f {
		e := t.end[u]
		if u+1 >= e || u == r || u == s {
			continue
		}
		row := t.delta[u*f : u*f+e]
		if sparse && t.flow[u] == 0 && (t.symmetric || t.flowBack[u] == 0) {
			t.updateAffected(row, u)
		} else {
			t.updateRow(row, u)
		}
	}
	t.rowLeast[r], t.rowLeast[s] = infinite, infinite
}

// updateRow brings the row of u up to date.
func (t *tabu) updateRow(row []int64, u int) {
	e := len(row)
	least := t.subtract(row[u+1:], t.flow[u+1:e], t.distance[u+1:e], t.flow[u], t.distance[u])
	if !t.symmetric {
		least = t.subtract(row[u+1:], t.flowBack[u+1:e], t.distanceBack[u+1:e], t.flowBack[u], t.distanceBack[u])
	}
	t.rowLeast[u] = least
}

// updateAffected brings the row of an object up to date that has no flow to the
// two exchanged: only entries of objects that have some change.
func (t *tabu) updateAffected(row []int64, u int) {
	flow, distance, flowBack, distanceBack := t.flow, t.distance, t.flowBack, t.distanceBack
	least := t.rowLeast[u]
	for _, v := range t.affected {
		if int(v) <= u || int(v) >= len(row) {
			continue
		}
		d := row[v] + flow[v]*(distance[u]-distance[v])
		if !t.symmetric {
			d += flowBack[v] * (distanceBack[u] - distanceBack[v])
		}
		row[v] = d
		least = min(least, d)
	}
	t.rowLeast[u] = least
}

// addScaled adds x times y to row.
func (t *tabu) addScaled(row []int64, x int64, y []int64) {
	row = row[:len(y)]
	if n := len(y) &^ 3; t.fits32 && n > 0 {
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
	low := int64(infinite)
	if n := len(row) &^ 3; t.fits32 && n > 0 {
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
