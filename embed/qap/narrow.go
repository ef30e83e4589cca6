package qap

import "math"

// narrow is deltas in numbers of 32 bits, eight at a time: what [wide] does, for
// instances that are symmetric and where any object may stand anywhere but for
// those pinned. Costs at locations and running differences may wrap around; what an
// exchange costs fits.
type narrow struct {
	*model
	p      []int32 // that of the search
	f      int     // objects that can move
	stride int     // f rounded up to words
	avx2   bool    // that the kernels may be used

	// costAt[i][j] is what object i would cost at the location of object j, but for a multiple of 1 << 32; its part of
	// the diagonals is in it.
	costAt []int32
	// delta[i][j], for j < i, is what exchanging the two costs; the others mean nothing.
	delta    []int32
	rowLeast []int32 // at most the least of the row of delta

	flow, distance []int32 // of a step, as in wide; 0 from f on
	affected       []int32 // objects whose flow to the two exchanged differs
	fromR, fromS   []int32 // distances from the new locations of the two exchanged to those of all
	columnR        []int32 // of costAt
	columnS        []int32
	diagonal       []int32

	saved struct{ costAt, delta, rowLeast []int32 }
}

// word is the numbers of 32 bits that the kernels take at a time.
const word = 8

// fitsNarrow tells whether narrow will do: whether no exchange can cost more than fits, from whatever permutation.
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
	return bound < math.MaxInt32 && entryA < math.MaxInt32 && entryB < math.MaxInt32
}

func newNarrow(m *model) *narrow {
	f := m.movable
	stride := (f + word - 1) / word * word
	vector := func() []int32 { return make([]int32, stride) }
	return &narrow{
		model: m, f: f, stride: stride, avx2: hasAVX2, costAt: make([]int32, f*stride), delta: make([]int32, f*stride),
		rowLeast: vector(), flow: vector(), distance: vector(), fromR: vector(), fromS: vector(),
		columnR: vector(), columnS: vector(), diagonal: vector(),
	}
}

func (d *narrow) start(p []int32) {
	d.p = p
	clear(d.costAt)
	n, f := d.n, d.f
	for k := range n {
		for i := range f {
			d.flow[i] = d.a32[k*n+i]
			d.distance[i] = d.b32[int(p[k])*n+int(p[i])]
		}
		d.addProduct()
	}
	for i := range f {
		for j := range f {
			d.costAt[i*d.stride+j] += int32(d.da[i] * d.db[p[j]])
		}
	}
	for u := range f {
		d.rowLeast[u] = math.MaxInt32
		for v := range u {
			c := d.costAt
			cost := c[u*d.stride+v] + c[v*d.stride+u] - c[u*d.stride+u] - c[v*d.stride+v] +
				2*d.a32[u*n+v]*d.b32[int(p[u])*n+int(p[v])]
			d.delta[u*d.stride+v] = cost
			d.rowLeast[u] = min(d.rowLeast[u], cost)
		}
	}
}

func (d *narrow) save() {
	d.saved.costAt = append(d.saved.costAt[:0], d.costAt...)
	d.saved.delta = append(d.saved.delta[:0], d.delta...)
	d.saved.rowLeast = append(d.saved.rowLeast[:0], d.rowLeast...)
}

func (d *narrow) restore() {
	copy(d.costAt, d.saved.costAt)
	copy(d.delta, d.saved.delta)
	copy(d.rowLeast, d.saved.rowLeast)
}

func (d *narrow) nextRow(from, to int, limit int64) int {
	return from + d.firstBelow(d.rowLeast[from:to], limit)
}

func (d *narrow) nextBelow(u, from int, limit int64) (int, int64) {
	row := d.delta[u*d.stride+from : u*d.stride+u]
	if v := d.firstBelow(row, limit); v < len(row) {
		return from + v, int64(row[v])
	}
	if from == 0 {
		d.rowLeast[u] = int32(min(limit, math.MaxInt32))
	}
	return u, 0
}

// firstBelow is the first index of what is less than limit, or the length of the row.
func (d *narrow) firstBelow(row []int32, limit int64) int {
	limit = min(limit, math.MaxInt32)
	i := 0
	if n := len(row) &^ (word - 1); d.avx2 && n > 0 {
		if i = firstBelowAVX2(&row[0], n, int32(limit)); i < n {
			return i
		}
	}
	for ; i < len(row); i++ {
		if int64(row[i]) < limit {
			break
		}
	}
	return i
}

func (d *narrow) exchange(r, s int) int64 {
	r, s = max(r, s), min(r, s)
	cost := d.delta[r*d.stride+s]
	d.differences(r, s)
	d.addProduct()
	d.p[r], d.p[s] = d.p[s], d.p[r]
	d.exchangeColumns(r, s)
	// The entries of the two are made such that the update makes them right.
	d.flow[r], d.flow[s], d.distance[r], d.distance[s] = 0, 0, 0, 0
	d.renew(r, d.columnR, d.fromR)
	d.renew(s, d.columnS, d.fromS)
	d.delta[r*d.stride+s] = -cost
	if 4*len(d.affected) < d.f {
		d.updateSparse(r, s)
	} else {
		d.update(0, d.f)
	}
	return int64(cost)
}

// differences works out by what the exchange of r and s changes costAt.
func (d *narrow) differences(r, s int) {
	n, k, l := d.n, int(d.p[r]), int(d.p[s])
	bk, bl := d.b32[k*n:(k+1)*n], d.b32[l*n:(l+1)*n]
	ar, as := d.a32[r*n:r*n+d.f], d.a32[s*n:s*n+d.f]
	p, flow, distance := d.p[:len(ar)], d.flow[:len(ar)], d.distance[:len(ar)]
	as, fromR, fromS := as[:len(ar)], d.fromR[:len(ar)], d.fromS[:len(ar)]
	d.affected = d.affected[:0]
	for i, v := range ar {
		there := p[i]
		fromR[i], fromS[i] = bl[there], bk[there]
		distance[i] = fromR[i] - fromS[i]
		flow[i] = v - as[i]
		if flow[i] != 0 {
			d.affected = append(d.affected, int32(i))
		}
	}
}

// exchangeColumns exchanges columns r and s of costAt, and keeps them and the diagonal.
func (d *narrow) exchangeColumns(r, s int) {
	columnR, columnS, diagonal := d.columnR[:d.f], d.columnS[:d.f], d.diagonal[:d.f]
	for i := range columnR {
		row := d.costAt[i*d.stride : (i+1)*d.stride]
		row[r], row[s] = row[s], row[r]
		columnR[i], columnS[i], diagonal[i] = row[r], row[s], row[i]
	}
}

// renew works out what exchanges of r cost, less what the update will make of it.
func (d *narrow) renew(r int, column, from []int32) {
	f := d.f
	row, a := d.costAt[r*d.stride:][:f], d.a32[r*d.n:][:f]
	column, from, diagonal := column[:f], from[:f], d.diagonal[:f]
	flow, distance, own := d.flow[:f], d.distance[:f], d.diagonal[r]
	to := d.delta[r*d.stride:][:r]
	for v := range to {
		to[v] = row[v] + column[v] - own - diagonal[v] + 2*a[v]*from[v] + flow[v]*distance[v]
	}
	for v := r + 1; v < f; v++ {
		d.delta[v*d.stride+r] = row[v] + column[v] - own - diagonal[v] + 2*a[v]*from[v] + flow[v]*distance[v]
	}
}

// updateSparse updates where few objects are affected.
func (d *narrow) updateSparse(r, s int) {
	flow, distance := d.flow, d.distance
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

// addProduct adds the product of flow and distance to costAt.
func (d *narrow) addProduct() {
	if d.avx2 {
		addProductAVX2(&d.costAt[0], &d.flow[0], &d.distance[0], d.f, d.stride)
		return
	}
	for i, x := range d.flow[:d.f] {
		row := d.costAt[i*d.stride : (i+1)*d.stride]
		for j, y := range d.distance {
			row[j] += x * y
		}
	}
}

// update brings rows from ... to-1 up to date.
func (d *narrow) update(from, to int) {
	if d.avx2 {
		updateAVX2(&d.delta[0], &d.flow[0], &d.distance[0], &d.rowLeast[0], from, to, d.stride)
		return
	}
	for u := from; u < to; u++ {
		row := d.delta[u*d.stride:][:u]
		least := int32(math.MaxInt32)
		for v := range row {
			row[v] -= (d.flow[u] - d.flow[v]) * (d.distance[u] - d.distance[v])
			least = min(least, row[v])
		}
		d.rowLeast[u] = least
	}
}
