package delay

import (
	"math/bits"
	"sync"
)

// group is a vertex of the network to search from and those of its ends that
// are sources.
type group struct {
	at          uint32
	first, last int    // range of the sources
	times       uint64 // number of vertices equivalent by symmetry, of which only this one is searched from
}

// sums are totals over pairs, in the units of keys. least and mean are the lowest and the mean delay of the hop-minimal
// paths, length is that of the fastest of them; fast and reach are the delay and the length of the fastest path with
// any number of hops, and detours counts the pairs for which that is faster than all hop-minimal paths.
type sums struct{ pairs, hops, least, mean, length, fast, reach, detours uint64 }

// peaks are maxima over pairs.
type peaks struct{ hops, least, mean, length, fast, reach uint64 }

// raise sets every maximum to at least that of q.
func (p *peaks) raise(q peaks) {
	p.hops = max(p.hops, q.hops)
	p.least = max(p.least, q.least)
	p.mean = max(p.mean, q.mean)
	p.length = max(p.length, q.length)
	p.fast = max(p.fast, q.fast)
	p.reach = max(p.reach, q.reach)
}

// wide is a sum of integers in 128 bits.
type wide struct{ hi, lo uint64 }

// add adds v.
func (w *wide) add(v wide) {
	var carry uint64
	w.lo, carry = bits.Add64(w.lo, v.lo, 0)
	w.hi += v.hi + carry
}

// addTimes adds n times v.
func (w *wide) addTimes(v, n uint64) {
	hi, lo := bits.Mul64(v, n)
	w.add(wide{hi, lo})
}

// addWide adds n times v.
func (w *wide) addWide(v wide, n uint64) {
	w.addTimes(v.lo, n)
	w.hi += v.hi * n
}

func (w wide) float() float64 { return float64(w.hi)*(1<<64) + float64(w.lo) }

// row has the results of one search: from the vertex of the group to all ends.
type row struct {
	sums
	peaks
}

// keepFast sets the figures of the fastest paths to those of the fastest hop-minimal paths, before faster ones are
// looked for.
func (r *row) keepFast() {
	r.sums.fast, r.sums.reach = r.sums.least, r.sums.length
	r.peaks.fast, r.peaks.reach = r.peaks.least, r.peaks.length
}

// tally sums up the results of one worker. All sums are of integers, so that they do not depend on the order.
type tally struct {
	net     *network
	sources []int32  // ends that are sources, by vertex
	samples []sums   // of every source, or nil
	bins    []uint64 // pairs by delay
	shift   uint     // bin of a delay: delay>>shift

	pairs, detours                         uint64
	hops, least, mean, length, fast, reach wide
	peaks
	ends endPairs // counts pairs of ends in the bins
	rest func()   // if not nil, adds what a worker has counted elsewhere to the bins
	// buffers
	up        []bundle
	times     []uint64
	reached   reached
	placeSums []placeSum // by number of a place
	touched   []uint32   // indices of the placeSums that are not empty
}

// binsPool keeps the bins of one measurement for the next. Allocating them takes half of the time of measuring a small
// machine.
var binsPool sync.Pool

// count gives the tally bins, so that it counts pairs by delay. release returns them to the pool.
func (t *tally) count() {
	if kept, ok := binsPool.Get().(*[fineBins]uint64); ok {
		clear(kept[:])
		t.bins = kept[:]
	} else {
		t.bins = make([]uint64, fineBins)
	}
	t.ends = newEndPairs(t.bins, t.shift, t.net.downs)
}

// release returns the bins to the pool, after completeBins and after the last use of them.
func (t *tally) release() {
	if t.bins == nil {
		return
	}
	binsPool.Put((*[fineBins]uint64)(t.bins))
	t.bins = nil
}

// completeBins adds to the bins the pairs that have been collected but not counted in them yet.
func (t *tally) completeBins() {
	t.ends.countAll()
	if t.rest != nil {
		t.rest()
	}
}

// begin prepares the tally for a search from g, and returns the results for the ends of g's own vertex as targets.
func (t *tally) begin(g group) row {
	n := t.net
	t.times = t.times[:0]
	for _, e := range t.sources[g.first:g.last] {
		time, _ := n.split(n.ends[e].up)
		t.times = append(t.times, time)
	}
	t.up = bundleUp(t.up[:0], t.times)
	if n.plain {
		return row{}
	}
	// The group's own vertex as a target; its maxima follow in finish, which
	// leaves out the pairs of an end with itself.
	p := n.at(g.at)
	t.ends.from(t.up)
	t.ends.wait(0, p.down)
	return row{sums: sums{pairs: p.count, hops: p.hops, least: p.time, mean: p.time, length: p.length}}
}

// level adds the vertices of a level of a search, which are the given hops away, to the results r.
func (t *tally) level(r *row, level []state, hops uint64) {
	n := t.net
	if t.placeSums == nil {
		t.placeSums = make([]placeSum, len(n.places))
	}
	for i := range level {
		x := &level[i]
		at := n.placeOf[x.v]
		p, c := &n.places[at], &t.placeSums[at]
		if p.count == 0 {
			continue
		}
		time, length := n.split(x.key)
		mean := uint64(int64(x.sum/x.paths + 0.5))
		if c.size == 0 {
			t.touched = append(t.touched, at)
		}
		c.size++
		c.least += time
		c.mean += mean
		c.length += length
		c.mostLeast = max(c.mostLeast, time)
		c.mostMean = max(c.mostMean, mean)
		c.mostLength = max(c.mostLength, length)
		t.ends.wait(time, p.down)
	}
	for _, at := range t.touched {
		t.addPlace(r, &n.places[at], &t.placeSums[at], hops)
		t.placeSums[at] = placeSum{}
	}
	t.touched = t.touched[:0]
}

// placeSum sums up the paths to the vertices of a level that have the same place: the sums and maxima of least, mean
// and length, and the number of vertices.
type placeSum struct {
	size, least, mean, length       uint64
	mostLeast, mostMean, mostLength uint64
}

// addPlace adds the ends of the vertices that c sums up, whose place is p, to the results r.
func (t *tally) addPlace(r *row, p *place, c *placeSum, hops uint64) {
	r.pairs += p.count * c.size
	r.sums.hops += c.size * (p.count*hops + p.hops)
	r.sums.least += p.count*c.least + c.size*p.time
	r.sums.mean += p.count*c.mean + c.size*p.time
	r.sums.length += p.count*c.length + c.size*p.length
	r.raise(peaks{
		hops: hops + p.maxHops, least: c.mostLeast + p.maxTime, mean: c.mostMean + p.maxTime,
		length: c.mostLength + p.maxLength,
	})
}

// tile is the number of ends that are computed and then added at a time, so that they stay in the first-level cache.
const tile = 64

// reached is a buffer of ends of a plain network: the keys of the fastest hop-minimal paths to them and the mean delays
// of these paths, without the delay of the source itself.
type reached struct {
	keys  [tile]uint64
	means [tile]float64
}

// own adds the first n ends of t.reached to the results r, except for their hops, which the caller adds.
func (t *tally) own(r *row, n int) {
	lenBits, shift, bins, source := t.net.lenBits&63, t.shift&63, t.bins, t.net.own
	mask := uint64(1)<<lenBits - 1
	s, p := r.sums, r.peaks
	means := t.reached.means[:n]
	for i, key := range t.reached.keys[:n] {
		time, length := key>>lenBits, key&mask
		mean := uint64(int64(means[i] + 0.5))
		s.least += time
		s.mean += mean
		s.length += length
		p.least = max(p.least, time)
		p.mean = max(p.mean, mean)
		p.length = max(p.length, length)
		bins[(source+time)>>shift]++
	}
	s.pairs += uint64(n)
	r.sums, r.peaks = s, p
}

// levelPlain does the same as level in a plain network.
func (t *tally) levelPlain(r *row, level []state, hops uint64) {
	for rest := level; len(rest) > 0; {
		n := min(len(rest), tile)
		for i := range rest[:n] {
			t.reached.keys[i], t.reached.means[i] = rest[i].key, rest[i].sum/rest[i].paths
		}
		t.own(r, n)
		rest = rest[n:]
	}
	r.sums.hops += uint64(len(level)) * hops
	r.peaks.hops = hops
}

// finish adds the results of a search to the tally: for each source of g, the way from it to the vertex of g is added,
// and the pair of the source with itself is left out.
func (t *tally) finish(g group, r *row) {
	if t.net.plain {
		s, p, own := r.sums, r.peaks, t.net.own
		if s.pairs > 0 {
			s.least, s.mean, s.fast = s.least+s.pairs*own, s.mean+s.pairs*own, s.fast+s.pairs*own
			p.least, p.mean, p.fast = p.least+own, p.mean+own, p.fast+own
		}
		t.source(g.first, s, p, g.times)
		return
	}
	n := t.net
	home := n.ends[n.endsOf[g.at]:n.endsOf[g.at+1]]
	one, two := topTwo(home, func(e end) uint64 { time, _ := n.split(e.down); return time })
	far, farther := topTwo(home, func(e end) uint64 { _, length := n.split(e.down); return length })
	hop, hopTwo := topTwo(home, func(e end) uint64 { return e.hops })
	for i := g.first; i < g.last; i++ {
		e := n.ends[t.sources[i]]
		upTime, upLength := n.split(e.up)
		downTime, downLength := n.split(e.down)
		t.bins[(upTime+downTime)>>t.shift]--
		s := sums{
			pairs:  r.pairs - 1,
			hops:   r.sums.hops + r.pairs*e.hops - 2*e.hops,
			least:  r.sums.least + r.pairs*upTime - upTime - downTime,
			mean:   r.sums.mean + r.pairs*upTime - upTime - downTime,
			length: r.sums.length + r.pairs*upLength - upLength - downLength,
			fast:   r.sums.fast + r.pairs*upTime - upTime - downTime,
			reach:  r.sums.reach + r.pairs*upLength - upLength - downLength,

			detours: r.detours,
		}
		var p peaks
		if int(r.pairs) > len(home) {
			p = r.peaks
			p.hops += e.hops
			p.least += upTime
			p.mean += upTime
			p.length += upLength
			p.fast += upTime
			p.reach += upLength
		}
		if len(home) > 1 {
			other := upTime + except(downTime, one, two)
			p.raise(peaks{
				hops:   e.hops + except(e.hops, hop, hopTwo),
				least:  other,
				mean:   other,
				length: upLength + except(downLength, far, farther),
				fast:   other,
				reach:  upLength + except(downLength, far, farther),
			})
		}
		t.source(i, s, p, 1)
	}
}

// source adds the results of source i, multiplied by times, the number of sources equivalent to it.
func (t *tally) source(i int, s sums, p peaks, times uint64) {
	t.pairs += s.pairs * times
	t.hops.addTimes(s.hops, times)
	t.least.addTimes(s.least, times)
	t.mean.addTimes(s.mean, times)
	t.length.addTimes(s.length, times)
	t.fast.addTimes(s.fast, times)
	t.reach.addTimes(s.reach, times)
	t.detours += s.detours * times
	t.raise(p)
	if t.samples != nil {
		t.samples[i] = s
	}
}

// merge adds what another worker found.
func (t *tally) merge(o *tally) {
	t.pairs += o.pairs
	t.hops.add(o.hops)
	t.least.add(o.least)
	t.mean.add(o.mean)
	t.length.add(o.length)
	t.fast.add(o.fast)
	t.reach.add(o.reach)
	t.detours += o.detours
	t.raise(o.peaks)
	for i, n := range o.bins {
		t.bins[i] += n
	}
}

// topTwo returns the two greatest values among the ends.
func topTwo(ends []end, value func(end) uint64) (first, second uint64) {
	for _, e := range ends {
		switch v := value(e); {
		case v > first:
			first, second = v, first
		case v > second:
			second = v
		}
	}
	return first, second
}

// except returns the greatest value of the others, given one value v and the two greatest of all.
func except(v, first, second uint64) uint64 {
	if v == first {
		return second
	}
	return first
}
