package delay

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"slices"
)

// product is a network that is the Cartesian product of smaller networks, its factors: its vertices are the points of a
// lattice, every arc leads along one dimension, and its head and its key depend only on the coordinates of the
// dimensions of its factor. Hops, delays and mean delays are then sums over the factors, and so are their maxima, so
// that the figures of all pairs follow from those of the factors.
type product struct {
	factors []*factor
}

// factor is the network of a set of the dimensions.
type factor struct {
	net    *network
	by     method
	groups []group
	found  *tally       // results of measure
	times  distribution // of all ordered pairs of vertices, each vertex with itself included
}

// distribution has the number of pairs of each delay, in rising order of delays.
type distribution []bundle

// mostSums limits the number of sums of delays of factors that are computed.
const mostSums = 1 << 31

// newProduct returns nil for a network that is not a product of at least two factors. dims are the sides of its
// lattice.
func newProduct(n *network, dims []int) *product {
	size := 1
	for _, d := range dims {
		size *= d
	}
	if len(dims) < 2 || size != n.vertices() || size < 2 || int(n.forward) != size || !n.sameEnds() {
		return nil
	}
	for i, v := range n.order {
		if int(v) != i {
			return nil
		}
	}
	l := &lattice{dims: dims}
	stride := 1
	for _, d := range dims {
		l.strides = append(l.strides, stride)
		stride *= d
	}
	marks := l.leads(n)
	if marks == nil {
		return nil
	}
	groups := l.independent(marks)
	if len(groups) < 2 {
		return nil
	}
	p := &product{}
	for _, of := range groups {
		p.factors = append(p.factors, l.factor(n, of))
	}
	return p
}

// sameEnds reports whether all vertices have the same ends.
func (n *network) sameEnds() bool {
	first := n.ends[:n.endsOf[1]]
	for v := range n.vertices() {
		if !slices.Equal(n.ends[n.endsOf[v]:n.endsOf[v+1]], first) {
			return false
		}
	}
	return len(first) > 0
}

// leads returns, by dimension and vertex, a number that identifies the coordinates to which the arcs along the
// dimension lead and their weights. It returns nil if an arc leads along several dimensions.
func (l *lattice) leads(n *network) [][]uint32 {
	marks := make([][]uint32, len(l.dims))
	lists := make([][]byte, len(l.dims))
	for d := range marks {
		marks[d] = make([]uint32, n.vertices())
	}
	number := map[string]uint32{}
	type lead struct {
		d, to  int
		weight uint32
	}
	var row []lead
	at := make([]int, len(l.dims))
	for v := range n.vertices() {
		row = row[:0]
		for _, a := range n.arcs[n.first[v]:n.first[v+1]] {
			d, by := l.step(at, v, int(a.to))
			if d < 0 {
				return nil
			}
			row = append(row, lead{d, at[d] + by, a.weight})
		}
		l.advance(at)
		slices.SortFunc(row, func(a, b lead) int {
			return cmp.Or(cmp.Compare(a.d, b.d), cmp.Compare(a.to, b.to), cmp.Compare(a.weight, b.weight))
		})
		for d := range lists {
			lists[d] = lists[d][:0]
		}
		for _, x := range row {
			list := binary.LittleEndian.AppendUint32(lists[x.d], uint32(x.to))
			lists[x.d] = binary.LittleEndian.AppendUint32(list, x.weight)
		}
		for d, list := range lists {
			i, known := number[string(list)]
			if !known {
				i = uint32(len(number))
				number[string(list)] = i
			}
			marks[d][v] = i
		}
	}
	return marks
}

// independent divides the dimensions into groups such that the arcs along the dimensions of a group do not depend on
// the coordinates of other groups. marks is the result of leads.
func (l *lattice) independent(marks [][]uint32) [][]int {
	group := make([]int, len(l.dims)) // the first dimension of its group
	for d := range group {
		group[d] = d
	}
	for d, mark := range marks {
		for e := range l.dims {
			if group[d] == group[e] || !l.varies(mark, e) {
				continue
			}
			from, to := max(group[d], group[e]), min(group[d], group[e])
			for i, g := range group {
				if g == from {
					group[i] = to
				}
			}
		}
	}
	var out [][]int
	for first := range group {
		var of []int
		for d, g := range group {
			if g == first {
				of = append(of, d)
			}
		}
		if len(of) > 0 {
			out = append(out, of)
		}
	}
	return out
}

// varies reports whether the marks of vertices depend on coordinate d.
func (l *lattice) varies(mark []uint32, d int) bool {
	stride, side := l.strides[d], l.dims[d]
	for block := range slices.Chunk(mark, side*stride) {
		if !slices.Equal(block[stride:], block[:(side-1)*stride]) {
			return true
		}
	}
	return false
}

// factor returns the factor of the given dimensions: the network of the vertices whose other coordinates are 0.
func (l *lattice) factor(n *network, dims []int) *factor {
	sides := make([]int, len(dims))
	size := 1
	for i, d := range dims {
		sides[i] = l.dims[d]
		size *= l.dims[d]
	}
	f := &network{
		scale: n.scale, forward: uint32(size), first: make([]uint32, 1, size+1), weights: n.weights, plain: true,
		endsOf: make([]int32, size+1), ends: make([]end, size),
		places: []place{{count: 1}}, placeOf: make([]uint32, size),
		downs: [][]bundle{{{0, 1}}}, more: n.more,
	}
	in := make(map[uint32]uint32, size) // vertices of the factor by those of the network
	vertices := make([]uint32, size)
	for i := range vertices {
		rest, v := i, 0
		for k, d := range dims {
			v += rest % sides[k] * l.strides[d]
			rest /= sides[k]
		}
		vertices[i], in[uint32(v)] = uint32(v), uint32(i)
		f.endsOf[i+1] = int32(i + 1)
	}
	for _, v := range vertices {
		for _, a := range n.arcs[n.first[v]:n.first[v+1]] {
			if to, ok := in[a.to]; ok {
				f.arcs = append(f.arcs, arc{to, a.weight})
			}
		}
		f.first = append(f.first, uint32(len(f.arcs)))
	}
	f.more = f.moreHops()
	out := &factor{net: f, by: bySource{}}
	if sides[0] >= shortRow {
		if rows := newLattice(f, sides); rows != nil {
			out.by = rows
		}
	}
	out.groups = out.by.arrange(f.groupUp(f.everyEnd()), true)
	return out
}

// work returns the work of measuring all factors, in the unit of Options.Work.
func (p *product) work() uint64 {
	sum := uint64(0)
	for _, f := range p.factors {
		sum += uint64(len(f.groups)) * f.by.work(f.net)
	}
	return sum
}

// measure measures all pairs of the network n. ok is false if vertices of a factor do not reach each other, or if there
// are too many different delays; then n must be searched.
func (p *product) measure(ctx context.Context, n *network, progress func(done, total int),
) (r *Result, ok bool, err error) {
	total := 0
	for _, f := range p.factors {
		total += len(f.groups)
	}
	before := 0
	for _, f := range p.factors {
		tell := progress
		if progress != nil {
			start := before
			tell = func(done, _ int) { progress(start+done, total) }
		}
		if err := f.measure(ctx, tell); err != nil {
			return nil, false, err
		}
		size := uint64(f.net.vertices())
		if f.found.pairs != size*(size-1) {
			return nil, false, nil
		}
		before += len(f.groups)
	}
	t := &tally{net: n, sources: n.everyEnd(), shift: n.binShift()}
	t.count()
	defer t.release()
	if !p.fillBins(t) {
		return nil, false, nil
	}
	p.sum(t)
	return t.result(), true, nil
}

// measure measures all pairs of a factor.
func (f *factor) measure(ctx context.Context, progress func(done, total int)) error {
	var counts []map[uint64]uint64
	add := func(count map[uint64]uint64, keys []uint64, times uint64) {
		for _, key := range keys {
			time, _ := f.net.split(key)
			count[time] += times
		}
	}
	var err error
	f.found, err = f.net.searchAll(ctx, f.net.everyEnd(), f.groups, lanes, nil, progress, func(t *tally) func([]group) {
		t.count()
		count := map[uint64]uint64{}
		counts = append(counts, count)
		if l, ok := f.by.(*lattice); ok {
			s := newSweeper(t, l)
			s.observe = func(g group, keys []uint64) { add(count, keys, g.times) }
			return s.run
		}
		s := newSearcher(t, nil)
		s.observe = func(_ group, reached []uint32, keys []uint64) {
			for _, v := range reached {
				time, _ := f.net.split(keys[v])
				count[time]++
			}
		}
		return s.run
	})
	f.found.release()
	for _, count := range counts[1:] {
		for time, n := range count {
			counts[0][time] += n
		}
	}
	for _, time := range slices.Sorted(maps.Keys(counts[0])) {
		f.times = append(f.times, bundle{time, counts[0][time]})
	}
	return err
}

// fillBins counts all pairs of ends by delay in the bins of t. It returns false if that would take more than mostSums
// sums.
func (p *product) fillBins(t *tally) bool {
	n := t.net
	home := n.ends[:n.endsOf[1]]
	sums := map[uint64]uint64{}
	for _, from := range home {
		for _, to := range home {
			up, _ := n.split(from.up)
			down, _ := n.split(to.down)
			sums[up+down]++
		}
	}
	all := []distribution{sortedDistribution(sums)}
	for _, f := range p.factors {
		all = append(all, f.times)
	}
	for len(all) > 2 { // replace the two shortest distributions by their sum
		slices.SortStableFunc(all, func(a, b distribution) int { return cmp.Compare(len(a), len(b)) })
		if len(all[0])*len(all[1]) > mostSums/512 {
			return false
		}
		sums := map[uint64]uint64{}
		for _, a := range all[0] {
			for _, b := range all[1] {
				sums[a.time+b.time] += a.count * b.count
			}
		}
		all = append(all[2:], sortedDistribution(sums))
	}
	if len(all[0])*len(all[1]) > mostSums {
		return false
	}
	for _, a := range all[0] {
		for _, b := range all[1] {
			t.bins[(a.time+b.time)>>t.shift] += a.count * b.count
		}
	}
	for _, e := range home { // no end is paired with itself
		up, _ := n.split(e.up)
		down, _ := n.split(e.down)
		t.bins[(up+down)>>t.shift] -= uint64(n.vertices())
	}
	return true
}

func sortedDistribution(counts map[uint64]uint64) distribution {
	out := make(distribution, 0, len(counts))
	for _, time := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, bundle{time, counts[time]})
	}
	return out
}

// sum fills in the sums and maxima of t over all pairs of ends.
func (p *product) sum(t *tally) {
	n := t.net
	home := n.ends[:n.endsOf[1]]
	ends, size := uint64(len(home)), uint64(n.vertices())
	direct := uint64(1) // pairs of vertices without a detour
	for _, f := range p.factors {
		own := uint64(f.net.vertices())
		others := size / own
		times := ends * others * ends * others
		t.hops.addWide(f.found.hops, times)
		t.least.addWide(f.found.least, times)
		t.mean.addWide(f.found.mean, times)
		t.length.addWide(f.found.length, times)
		t.fast.addWide(f.found.fast, times)
		t.reach.addWide(f.found.reach, times)
		direct *= own*own - f.found.detours
		q := f.found.peaks
		t.peaks = peaks{
			t.peaks.hops + q.hops, t.peaks.least + q.least, t.peaks.mean + q.mean, t.peaks.length + q.length,
			t.peaks.fast + q.fast, t.peaks.reach + q.reach,
		}
	}
	t.detours = (size*size - direct) * ends * ends
	t.pairs = size*ends*size*ends - size*ends
	var hop, maxUp, maxDown, farUp, farDown uint64
	// Every end is left for all others and entered from all others.
	others := size * (size*ends - 1)
	for _, e := range home {
		upTime, upLength := n.split(e.up)
		downTime, downLength := n.split(e.down)
		hop = max(hop, e.hops)
		maxUp, maxDown = max(maxUp, upTime), max(maxDown, downTime)
		farUp, farDown = max(farUp, upLength), max(farDown, downLength)
		t.hops.addTimes(2*e.hops, others)
		for _, sum := range []*wide{&t.least, &t.mean, &t.fast} {
			sum.addTimes(upTime+downTime, others)
		}
		for _, sum := range []*wide{&t.length, &t.reach} {
			sum.addTimes(upLength+downLength, others)
		}
	}
	t.peaks.hops += 2 * hop
	t.peaks.least += maxUp + maxDown
	t.peaks.mean += maxUp + maxDown
	t.peaks.fast += maxUp + maxDown
	t.peaks.length += farUp + farDown
	t.peaks.reach += farUp + farDown
}
