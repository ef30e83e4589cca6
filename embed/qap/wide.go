package qap

import "math"

// wide is deltas in numbers of 64 bits, for any instance.
//
// What each exchange would cost is kept in a matrix, of which a step updates every
// entry in constant time (A. M. Frieze et al., "Algorithms for assignment
// problems on an array processor", Parallel Computing 11 (2), 1989). For the
// entries of the two objects just exchanged, which Taillard computes anew in
// linear time each, the cost of every object at every location is kept as well:
// a step changes that matrix by a product of two vectors, and only in the rows
// of objects that have flow to one of the two.
type wide struct {
	*model
	p []int32 // that of the search

	// costAt[i][j] is what object i would cost at the location of object j, all
	// others staying: rows and columns of objects of one class that can move.
	costAt []int64
	// delta[i][j], for i > j of one class, is what exchanging the two costs.
	delta    []int64
	rowLeast []int64 // at most the least of the row of delta

	// The vectors of a step that exchanges two: how the flow of each object to the
	// first differs from that to the second, and the distance of its location; back
	// is the other direction where the instance is asymmetric.
	flow, distance, flowBack, distanceBack []int64

	affected []int32 // objects whose flow to the two exchanged differs
	permuted []int64 // distances by the objects that stand there

	saved struct{ costAt, delta, rowLeast []int64 }
}

// infinite is more than any cost.
const infinite = math.MaxInt64 / 2

func newWide(m *model) *wide {
	square := func() []int64 { return make([]int64, m.movable*m.movable) }
	vector := func() []int64 { return make([]int64, m.movable) }
	return &wide{
		model: m, costAt: square(), delta: square(), rowLeast: vector(),
		flow: vector(), distance: vector(), flowBack: vector(), distanceBack: vector(),
		permuted: make([]int64, m.n*m.n),
	}
}

func (t *wide) start(p []int32) {
	t.p = p
	t.computeCosts()
	for u := range t.movable {
		t.rowLeast[u] = infinite
		for v := t.begin[u]; v < u; v++ {
			d := t.cost(u, v)
			t.delta[u*t.movable+v] = d
			t.rowLeast[u] = min(t.rowLeast[u], d)
		}
	}
}

func (t *wide) save() {
	t.saved.costAt = append(t.saved.costAt[:0], t.costAt...)
	t.saved.delta = append(t.saved.delta[:0], t.delta...)
	t.saved.rowLeast = append(t.saved.rowLeast[:0], t.rowLeast...)
}

func (t *wide) restore() {
	copy(t.costAt, t.saved.costAt)
	copy(t.delta, t.saved.delta)
	copy(t.rowLeast, t.saved.rowLeast)
}

func (t *wide) lowest() (int, int64) {
	row, least := 0, int64(infinite)
	for u, c := range t.rowLeast {
		if c < least {
			row, least = u, c
		}
	}
	return row, least
}

func (t *wide) nextRow(from, to int, limit int64) int {
	for u := from; u < to; u++ {
		if t.rowLeast[u] < limit {
			return u
		}
	}
	return to
}

func (t *wide) below(list []entry, u int, limit int64) []entry {
	b, least := t.begin[u], limit
	for v, d := range t.delta[u*t.movable+b : u*t.movable+u] {
		if d < limit {
			list = append(list, entry{b + v, d})
			least = min(least, d)
		}
	}
	t.rowLeast[u] = least
	return list
}

func (t *wide) entry(u, v int) int64 { return t.delta[u*t.movable+v] }

// computeCosts works out costAt.
func (t *wide) computeCosts() {
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

// cost is what exchanging u and v costs. The flow between the two does not
// change its sign with them and is put right.
func (t *wide) cost(u, v int) int64 {
	k, l := int(t.p[u]), int(t.p[v])
	d := t.costAt[u*t.movable+v] + t.costAt[v*t.movable+u] - t.costAt[u*t.movable+u] - t.costAt[v*t.movable+v]
	d += (t.da[u] - t.da[v]) * (t.db[l] - t.db[k])
	a, b := t.a[u*t.n+v], t.b[k*t.n+l]
	if t.symmetric {
		return d + 2*a*b
	}
	return d + (a+t.a[v*t.n+u])*(b+t.b[l*t.n+k])
}

func (t *wide) exchange(r, s int) int64 {
	r, s = max(r, s), min(r, s)
	cost := t.delta[r*t.movable+s]
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
			t.recompute(max(v, r), min(v, r))
		}
		if v != s && v != r {
			t.recompute(max(v, s), min(v, s))
		}
	}
	return cost
}

// recompute works out one entry of delta anew.
func (t *wide) recompute(u, v int) {
	d := t.cost(u, v)
	t.delta[u*t.movable+v] = d
	t.rowLeast[u] = min(t.rowLeast[u], d)
}

// differences works out by what the exchange of r and s changes costAt: the product
// of flow and distance, and of both in the other direction.
func (t *wide) differences(r, s int) {
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

// updateDeltas brings delta up to date for pairs without r and s, s < r; what it makes of
// the others is never less than they are.
func (t *wide) updateDeltas(r, s int) {
	f := t.movable
	for u := s + 1; u < t.end[r]; u++ {
		t.delta[u*f+s] = infinite
		if u > r {
			t.delta[u*f+r] = infinite
		}
	}
	sparse := 4*len(t.affected) < f
	for u := range f {
		b := t.begin[u]
		if u == b || u == r || u == s {
			continue
		}
		row := t.delta[u*f+b : u*f+u]
		if sparse && t.flow[u] == 0 && (t.symmetric || t.flowBack[u] == 0) {
			t.updateAffected(row, u)
		} else {
			t.updateRow(row, u)
		}
	}
	t.rowLeast[r], t.rowLeast[s] = infinite, infinite
}

// updateRow brings the row of u up to date.
func (t *wide) updateRow(row []int64, u int) {
	b := t.begin[u]
	least := t.subtract(row, t.flow[b:u], t.distance[b:u], t.flow[u], t.distance[u])
	if !t.symmetric {
		least = t.subtract(row, t.flowBack[b:u], t.distanceBack[b:u], t.flowBack[u], t.distanceBack[u])
	}
	t.rowLeast[u] = least
}

// updateAffected brings the row of an object up to date that has no flow to the
// two exchanged: only entries of objects that have some change.
func (t *wide) updateAffected(row []int64, u int) {
	flow, distance, flowBack, distanceBack := t.flow, t.distance, t.flowBack, t.distanceBack
	least, b := t.rowLeast[u], t.begin[u]
	for _, v := range t.affected {
		if int(v) < b || int(v) >= u {
			continue
		}
		d := row[int(v)-b] + flow[v]*(distance[u]-distance[v])
		if !t.symmetric {
			d += flowBack[v] * (distanceBack[u] - distanceBack[v])
		}
		row[int(v)-b] = d
		least = min(least, d)
	}
	t.rowLeast[u] = least
}

// addScaled adds x times y to row.
func (t *wide) addScaled(row []int64, x int64, y []int64) {
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
func (t *wide) subtract(row, x, y []int64, xu, yu int64) int64 {
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
