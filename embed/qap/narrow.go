package qap

import (
	"math"
	"math/bits"
)

// narrow is deltas in numbers of 32 bits, eight at a time: what [wide] does, for instances of small numbers that are
// symmetric and where any object may stand anywhere but for those pinned.
//
// Of what objects cost at locations it keeps those at their own ones only. An exchange of r and s changes what each
// other object costs at the two locations, and what each of the two costs at its, but not the sums of both: what
// exchanges of s with the others cost follows from those of r, which are computed anew, and from those of before.
type narrow struct {
	*model
	p      []int32 // that of the search
	f      int     // objects that can move
	stride int     // f rounded up to words

	near []int16 // [i][k]: the distance between the locations of objects i and k, in rows as those of a16
	own  []int32 // what each object costs where it stands
	// delta[i][j], for j < i, is what exchanging the two costs; the others mean nothing.
	delta    []int32
	rowLeast []int32 // at most the least of the row of delta

	flow, distance []int32 // of a step, as in wide
	affected       []int32 // objects whose flow to the two exchanged differs, where they are few
	before         []int32 // what exchanges of r and of s with each other object cost before, together
	both           []int32 // what r costs where each other object stands, and that one where r does
	anewR, anewS   []int32 // what exchanges of the two cost now, less what the update will make of it
	rowR, rowS     []int16 // of near and a16, with columns exchanged

	saved struct {
		near                 []int16
		own, delta, rowLeast []int32
	}
}

// word is the numbers of 32 bits that the kernels take at a time, and lanes those of which one says something of each.
const (
	word  = 8
	lanes = 64
)

// fitsNarrow reports whether narrow will do: whether no exchange can cost more than fits, from any permutation.
func (m *model) fitsNarrow() bool {
	if !m.symmetric || m.movable == 0 || m.end[0] != m.movable {
		return false
	}
	n := m.n
	most := func(a []int64) (row, entry float64) { // most of a row in all, and of differences
		for i := range n {
			sum := 0.0
			for _, v := range a[i*n : (i+1)*n] {
				sum += math.Abs(float64(v))
				entry = max(entry, math.Abs(float64(v)))
			}
			row = max(row, sum)
		}
		return row, entry
	}
	rowA, entryA := most(m.a)
	rowB, entryB := most(m.b)
	bound := min(4*rowA*entryB, 4*rowB*entryA) + 4*float64(largest(m.da))*float64(largest(m.db))
	return bound < math.MaxInt32 && entryA <= math.MaxInt16 && entryB <= math.MaxInt16
}

func newNarrow(m *model) *narrow {
	f := m.movable
	stride := (f + word - 1) / word * word
	vector := func() []int32 { return make([]int32, stride) }
	rowLeast := make([]int32, stride+word) // words may begin at any row
	for i := range rowLeast {
		rowLeast[i] = math.MaxInt32 // of those that are not objects, too
	}
	return &narrow{
		model: m, f: f, stride: stride, near: make([]int16, stride*m.stride16), own: vector(),
		delta: make([]int32, f*stride), rowLeast: rowLeast, flow: vector(), distance: vector(),
		before: vector(), both: vector(), anewR: vector(), anewS: vector(),
		rowR: make([]int16, m.stride16), rowS: make([]int16, m.stride16),
	}
}

func (d *narrow) start(p []int32) {
	d.p = p
	n, f := d.n, d.f
	for i := range f {
		to := d.near[i*d.stride16:][:n]
		for k := range to {
			to[k] = int16(d.b[int(p[i])*n+int(p[k])])
		}
	}
	for r := range f {
		flow, near := d.rows(r)
		d.sumBoth(r, flow, near)
		d.own[r] = d.both[r] / 2
		d.rowLeast[r] = math.MaxInt32
		for v := range r {
			cost := d.both[v] - d.own[r] - d.own[v] + 2*int32(flow[v])*int32(near[v])
			d.delta[r*d.stride+v] = cost
			d.rowLeast[r] = min(d.rowLeast[r], cost)
		}
	}
}

// sumBoth works out both for an object, whose flows and distances are given.
func (d *narrow) sumBoth(r int, flow, near []int16) {
	sumBothAVX2(&d.near[0], &d.a16[0], &near[0], &flow[0], &d.both[0], d.stride, d.stride16)
	if d.diagonals {
		for v := range d.f {
			d.both[v] += int32(d.da[r]*d.db[d.p[v]] + d.da[v]*d.db[d.p[r]])
		}
	}
}

// rows are those of an object in a16 and near.
func (d *narrow) rows(i int) (flow, near []int16) {
	from, to := i*d.stride16, (i+1)*d.stride16
	return d.a16[from:to], d.near[from:to]
}

func (d *narrow) save() {
	d.saved.near = append(d.saved.near[:0], d.near...)
	d.saved.own = append(d.saved.own[:0], d.own...)
	d.saved.delta = append(d.saved.delta[:0], d.delta...)
	d.saved.rowLeast = append(d.saved.rowLeast[:0], d.rowLeast...)
}

func (d *narrow) restore() {
	copy(d.near, d.saved.near)
	copy(d.own, d.saved.own)
	copy(d.delta, d.saved.delta)
	copy(d.rowLeast, d.saved.rowLeast)
}

func (d *narrow) lowest() (int, int64) {
	least := int64(leastAVX2(&d.rowLeast[0], d.stride))
	return d.nextRow(0, d.f, least+1), least
}

func (d *narrow) nextRow(from, to int, limit int64) int {
	for least := int32(min(limit, math.MaxInt32)); from < to; from += lanes {
		if set := lanesBelow(d.rowLeast[from:], min(to-from, lanes), least); set != 0 {
			return from + bits.TrailingZeros64(set)
		}
	}
	return to
}

// lanesBelow has bit i set where number i of a row, of some up to 64, is less than limit.
func lanesBelow(row []int32, numbers int, limit int32) uint64 {
	return belowAVX2(&row[0], numbers, limit) & (1<<numbers - 1)
}

func (d *narrow) below(list []entry, u int, limit int64) []entry {
	most := int32(min(limit, math.MaxInt32))
	row, least := d.delta[u*d.stride:][:d.stride], most
	for from := 0; from < u; from += lanes {
		for set := lanesBelow(row[from:], min(u-from, lanes), most); set != 0; set &= set - 1 {
			v := from + bits.TrailingZeros64(set)
			list = append(list, entry{v, int64(row[v])})
			least = min(least, row[v])
		}
	}
	d.rowLeast[u] = least
	return list
}

func (d *narrow) entry(u, v int) int64 { return int64(d.delta[u*d.stride+v]) }

func (d *narrow) exchange(r, s int) int64 {
	r, s = max(r, s), min(r, s)
	cost := d.delta[r*d.stride+s]
	flowR, nearR := d.rows(r)
	flowS, nearS := d.rows(s)
	changed := differencesAVX2(&flowR[0], &flowS[0], &nearR[0], &nearS[0], &d.flow[0], &d.distance[0], d.stride)
	d.addBefore(r, s)
	d.p[r], d.p[s] = d.p[s], d.p[r]
	copy(d.rowR, nearR)
	copy(nearR, nearS)
	copy(nearS, d.rowR)
	// Until their columns are exchanged as well, rows of near go with flows that are: what is written to them here and
	// there is not read at once.
	copy(d.rowR, nearR)
	copy(d.rowS, flowR)
	d.rowR[r], d.rowR[s] = d.rowR[s], d.rowR[r]
	d.rowS[r], d.rowS[s] = d.rowS[s], d.rowS[r]
	d.sumBoth(r, d.rowS, d.rowR)
	ownR := d.both[r] / 2
	ownS := d.own[r] + d.own[s] + cost - ownR
	d.renew(r, s, ownR, cost)
	d.own[r], d.own[s] = ownR, ownS
	d.exchangeColumns(r, s)
	// The entries of the two are made such that the update makes them right.
	d.flow[r], d.flow[s], d.distance[r], d.distance[s] = 0, 0, 0, 0
	d.delta[r*d.stride+s] = -cost
	if 4*changed < d.f {
		d.updateSparse(r, s)
	} else {
		d.update(0, d.f)
	}
	return int64(cost)
}

// addBefore keeps what exchanges of the two cost, together.
func (d *narrow) addBefore(r, s int) {
	rowR, rowS, before := d.delta[r*d.stride:][:r], d.delta[s*d.stride:][:s], d.before
	for v, c := range rowS {
		before[v] = c + rowR[v]
	}
	for v := s + 1; v < r; v++ {
		before[v] = rowR[v] + d.delta[v*d.stride+s]
	}
	for v := r + 1; v < d.f; v++ {
		row := d.delta[v*d.stride:]
		before[v] = row[r] + row[s]
	}
}

// exchangeColumns exchanges the columns of the two in near.
func (d *narrow) exchangeColumns(r, s int) {
	for u := 0; u < d.f*d.stride16; u += d.stride16 {
		row := d.near[u:]
		row[r], row[s] = row[s], row[r]
	}
}

// renewal is what renewAVX2 works on: n numbers each, a positive multiple of 8.
type renewal struct {
	both, before, own, flow, distance *int32
	flowR, flowS, nearR, nearS        *int16
	anewR, anewS                      *int32
	n                                 int64
	ownR, cost                        int32
}

// renew works out what exchanges of the two cost, less what the update will make of it.
func (d *narrow) renew(r, s int, ownR, cost int32) {
	renewAVX2(&renewal{
		both: &d.both[0], before: &d.before[0], own: &d.own[0], flow: &d.flow[0], distance: &d.distance[0],
		flowR: &d.a16[r*d.stride16], flowS: &d.a16[s*d.stride16],
		nearR: &d.near[r*d.stride16], nearS: &d.near[s*d.stride16],
		anewR: &d.anewR[0], anewS: &d.anewS[0], n: int64(d.stride), ownR: ownR, cost: cost,
	})
	copy(d.delta[r*d.stride:][:r], d.anewR)
	copy(d.delta[s*d.stride:][:s], d.anewS)
	for v := s + 1; v < r; v++ {
		d.delta[v*d.stride+s] = d.anewS[v]
	}
	for v := r + 1; v < d.f; v++ {
		row := d.delta[v*d.stride:]
		row[r], row[s] = d.anewR[v], d.anewS[v]
	}
}

// updateSparse updates where few objects are affected.
func (d *narrow) updateSparse(r, s int) {
	flow, distance := d.flow, d.distance
	d.affected = d.affected[:0]
	for i, x := range flow[:d.f] {
		if x != 0 {
			d.affected = append(d.affected, int32(i))
		}
	}
	for u := range d.f {
		if flow[u] != 0 || u == r || u == s {
			d.update(u, u+1)
			continue
		}
		row, least := d.delta[u*d.stride:][:u], d.rowLeast[u]
		if u > r {
			least = min(least, row[r])
		}
		if u > s {
			least = min(least, row[s])
		}
		for _, v := range d.affected {
			if int(v) >= u {
				break
			}
			row[v] += flow[v] * (distance[u] - distance[v])
			least = min(least, row[v])
		}
		d.rowLeast[u] = least
	}
}

// update brings rows from ... to-1 up to date.
func (d *narrow) update(from, to int) {
	updateAVX2(&d.delta[0], &d.flow[0], &d.distance[0], &d.rowLeast[0], from, to, d.stride)
}
