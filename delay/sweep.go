package delay

import "math"

// sweeper measures the sources of a lattice one at a time, without a search. A vertex follows from its predecessors:
// the neighbours that are one step nearer to the source. The sweep goes row by row along the first dimension, in which
// the data of neighbours is adjacent in memory: first all steps into a row from other rows, then the steps along the
// row.
//
// A hop-minimal path is an order in which the steps along the dimensions are taken. So the share of the paths
// to a vertex that come from its predecessor in a dimension is the number of steps in that dimension divided by the
// number of all steps.
type sweeper struct {
	*tally
	*lattice
	column int        // first coordinate of the source for which links are turned, or -1
	turned [][]uint64 // lattice.next with the source's column first in every row
	keys   []uint64   // by vertex, turned alike
	means  []float64
	per    []float64  // 1/hops
	stops  [][]offset // of every dimension but the first
	at     []int      // stop of each
	faster *corrector
	sooner []int // first vertices of rows from which an arc leads to a vertex sooner
	// receive, if not nil, gets the keys of the fastest hop-minimal paths of every sweep in place of the tally, each
	// row from the column of the source on.
	receive func(g group, keys []uint64)
	// observe, if not nil, gets the same keys as well as the tally.
	observe func(g group, keys []uint64)
}

func newSweeper(t *tally, l *lattice) *sweeper {
	size := t.net.vertices()
	s := &sweeper{
		tally: t, lattice: l, column: -1, keys: make([]uint64, size), means: make([]float64, size),
		per: l.perHop(), stops: make([][]offset, len(l.dims)), at: make([]int, len(l.dims)),
		faster: newCorrector(t.net),
	}
	for v := range size {
		s.faster.reached = append(s.faster.reached, uint32(v))
	}
	for range l.dims {
		s.turned = append(s.turned, make([]uint64, size))
	}
	return s
}

func (s *sweeper) run(groups []group) {
	for _, g := range groups {
		s.sweep(g)
	}
}

// sweep measures the paths from one vertex.
func (s *sweeper) sweep(g group) {
	s.turn(s.coordinate(int(g.at), 0))
	s.sooner = s.sooner[:0]
	var r row
	width := s.dims[0]
	up, down := s.away(0, s.column)
	along := up*(up+1)/2 + down*(down+1)/2
	far := max(up, down)
	if up+down+1 < width {
		far = width / 2
		along += far
	}
	for d := 1; d < len(s.dims); d++ {
		s.stops[d] = s.lattice.stops(s.stops[d][:0], d, s.coordinate(int(g.at), d))
		s.at[d] = 0
	}
	for more := true; more; more = nextStops(s.stops, s.at, 1) {
		start, steps := s.enter()
		keys, means := s.keys[start:start+width], s.means[start:start+width]
		s.walk(keys, means, s.turned[0][start:start+width], steps, up, down)
		if s.receive != nil {
			continue
		}
		s.lookBack(start)
		s.addRow(&r, keys, means, g.times)
		r.sums.hops += uint64(along + width*steps)
		r.peaks.hops = max(r.peaks.hops, uint64(steps+far))
	}
	if s.receive != nil {
		s.receive(g, s.keys)
		return
	}
	if s.observe != nil {
		s.observe(g, s.keys)
	}
	s.bins[s.net.own>>s.shift] -= g.times // the source itself
	r.pairs--
	r.keepFast()
	if len(s.sooner) > 0 {
		s.correct(&r, g.at)
	}
	s.finish(g, &r)
}

// turn fills turned with the links such that every row begins with column x.
func (s *sweeper) turn(x int) {
	if s.column == x {
		return
	}
	s.column = x
	width := s.dims[0]
	for d, next := range s.next {
		turned := s.turned[d]
		for i := 0; i < len(next); i += width {
			n := copy(turned[i:i+width], next[i+x:i+width])
			copy(turned[i+n:i+width], next[i:i+x])
		}
	}
}

// nextStops advances the stops of dimension from and the following ones, as an odometer does, and reports whether there
// was a next combination.
func nextStops(stops [][]offset, at []int, from int) bool {
	for d := from; d < len(at); d++ {
		if at[d]++; at[d] < len(stops[d]) {
			return true
		}
		at[d] = 0
	}
	return false
}

// start returns the first vertex of the row at the present stops, and the steps from the source
// to the row.
func (s *sweeper) start() (start, steps int) {
	for d := 1; d < len(s.at); d++ {
		p := &s.stops[d][s.at[d]]
		start += p.at * s.strides[d]
		steps += p.steps
	}
	return start, steps
}

// enter computes the keys of the present row from its predecessor rows, and the sums of its means, which walk divides
// by the hops.
func (s *sweeper) enter() (start, steps int) {
	width := s.dims[0]
	start, steps = s.start()
	keys, means := s.keys[start:start+width], s.means[start:start+width]
	if steps == 0 {
		for i := range keys {
			keys[i], means[i] = math.MaxInt64, 0
		}
		keys[0] = 0
		return start, 0
	}
	var waiting inflow
	entered := false
	for d := 1; d < len(s.at); d++ {
		p := &s.stops[d][s.at[d]]
		for way := range p.ways {
			from := start + (p.from[way]-p.at)*s.strides[d]
			link := start + (p.link[way]-p.at)*s.strides[d]
			in := inflow{
				s.keys[from : from+width], s.means[from : from+width], s.turned[d][link : link+width],
				float64(p.steps) / float64(p.ways),
			}
			switch {
			case entered:
				in.join(keys, means, s.net.lenBits)
			case waiting.keys == nil:
				waiting = in
			default:
				waiting.with(in, keys, means, s.net.lenBits)
				entered = true
			}
		}
	}
	if !entered {
		waiting.begin(keys, means, s.net.lenBits)
	}
	return start, steps
}

// inflow is a predecessor of a row with the links between them. steps is the weight of its paths: the steps from the
// source in the dimension of these links, half of them for each of two predecessors in one dimension.
type inflow struct {
	keys  []uint64
	means []float64
	links []uint64
	steps float64
}

// begin sets keys and means to those of the paths over a.
func (a inflow) begin(keys []uint64, means []float64, lenBits uint) {
	n := len(keys)
	ak, am, al := a.keys[:n], a.means[:n], a.links[:n]
	means, lenBits = means[:n], lenBits&63
	for i := range keys {
		link := al[i]
		keys[i] = ak[i] + link
		means[i] = a.steps * (am[i] + float64(int64(link>>lenBits)))
	}
}

// with sets keys and means to those of the paths over a and b.
func (a inflow) with(b inflow, keys []uint64, means []float64, lenBits uint) {
	n := len(keys)
	ak, am, al := a.keys[:n], a.means[:n], a.links[:n]
	bk, bm, bl := b.keys[:n], b.means[:n], b.links[:n]
	means, lenBits = means[:n], lenBits&63
	for i := range keys {
		x, y := al[i], bl[i]
		keys[i] = min(ak[i]+x, bk[i]+y)
		means[i] = float64(a.steps*(am[i]+float64(int64(x>>lenBits)))) +
			float64(b.steps*(bm[i]+float64(int64(y>>lenBits))))
	}
}

// join adds the paths over a to keys and means.
func (a inflow) join(keys []uint64, means []float64, lenBits uint) {
	n := len(keys)
	ak, am, al := a.keys[:n], a.means[:n], a.links[:n]
	means, lenBits = means[:n], lenBits&63
	for i := range keys {
		link := al[i]
		keys[i] = min(keys[i], ak[i]+link)
		means[i] += float64(a.steps * (am[i] + float64(int64(link>>lenBits))))
	}
}

// walk computes the keys and means of a row from those of its predecessors: it takes the steps along the row, away from
// its first vertex to both sides. steps is the number of steps to the row.
func (s *sweeper) walk(keys []uint64, means []float64, links []uint64, steps, up, down int) {
	n, lenBits := len(keys), s.net.lenBits&63
	means, links = means[:n], links[:n]
	means[0] *= s.per[steps]
	per := s.per[steps:]
	upKey, upMean := keys[0], means[0]
	downKey, downMean := upKey, upMean
	both := min(up, down)
	for i := 1; i <= both; i++ { // both sides in one loop: the processor computes the two chains in parallel
		hops, share := per[i], float64(i)*per[i]
		x, y := links[i-1], links[n-i]
		upKey = min(keys[i], upKey+x)
		upMean = float64(share*upMean) + float64(means[i]*hops) + float64(share*float64(int64(x>>lenBits)))
		keys[i], means[i] = upKey, upMean
		downKey = min(keys[n-i], downKey+y)
		downMean = float64(share*downMean) + float64(means[n-i]*hops) + float64(share*float64(int64(y>>lenBits)))
		keys[n-i], means[n-i] = downKey, downMean
	}
	step := func(to, from, link, i int) {
		keys[to] = min(keys[to], keys[from]+links[link])
		means[to] = (means[to] + float64(float64(i)*(means[from]+float64(int64(links[link]>>lenBits))))) * per[i]
	}
	for i := both + 1; i <= up; i++ {
		step(i, i-1, i-1, i)
	}
	for i := both + 1; i <= down; i++ {
		step(n-i, (n-i+1)%n, n-i, i)
	}
	if far := up + 1; far+down < n {
		keys[far] = min(keys[far], keys[far-1]+links[far-1], keys[(far+1)%n]+links[far])
		time := means[far-1] + float64(int64(links[far-1]>>lenBits)) + means[(far+1)%n] +
			float64(int64(links[far]>>lenBits))
		means[far] = (means[far] + float64(0.5*float64(far)*time)) * per[far]
	}
}

// lookBack adds the present row to sooner if an arc leads to its head sooner than all hop-minimal paths do. It looks at
// the arcs from the row to its predecessors, along the row, and across the far side of odd rings.
func (s *sweeper) lookBack(start int) {
	width := s.dims[0]
	keys := s.keys[start : start+width]
	sooner := around(keys, s.turned[0][start:start+width], s.wraps[0])
	for d := 1; d < len(s.at); d++ {
		p := &s.stops[d][s.at[d]]
		at := func(coordinate int) int { return start + (coordinate-p.at)*s.strides[d] }
		for way := range p.ways {
			from, link := at(p.from[way]), at(p.link[way])
			sooner |= nearer(keys, s.keys[from:from+width], s.turned[d][link:link+width])
		}
		if p.rim >= 0 {
			rim := at(p.rim)
			over, links := s.keys[rim:rim+width], s.turned[d][rim:rim+width]
			if ahead := nearer(keys, over, links) | nearer(over, keys, links); ahead>>63 != 0 {
				s.sooner = append(s.sooner, start, rim)
			}
		}
	}
	if sooner>>63 != 0 {
		s.sooner = append(s.sooner, start)
	}
}

// nearer returns a number whose bit 63 is set if an arc from a row (from) leads sooner to a vertex of another row than
// that vertex's key.
func nearer(from, row, links []uint64) (sooner uint64) {
	row, links = row[:len(from)], links[:len(from)]
	for i, key := range from {
		sooner |= key + links[i] - row[i]
	}
	return sooner
}

// around does the same as nearer for the arcs along one row, in both directions.
func around(keys, links []uint64, ring bool) (sooner uint64) {
	last := len(keys) - 1
	links = links[:len(keys)]
	before := keys[0]
	for i, key := range keys[1:] {
		way := key - before
		sooner |= (links[i] - way) | (links[i] + way)
		before = key
	}
	if way := keys[0] - before; ring {
		sooner |= (links[last] - way) | (links[last] + way)
	}
	return sooner
}

// addRow adds the vertices of a row to the results r, and to the distribution, in which each counts as many times as
// there are sources like this one.
func (s *sweeper) addRow(r *row, keys []uint64, means []float64, times uint64) {
	lenBits, shift, bins, source := s.net.lenBits&63, s.shift&63, s.bins, s.net.own
	mask := uint64(1)<<lenBits - 1
	means = means[:len(keys)]
	var sum, least, mean, mostKey, mostLength, mostMean uint64
	for i, key := range keys {
		m := uint64(int64(means[i] + 0.5))
		time := key >> lenBits
		sum += key
		least += time
		mean += m
		mostKey = max(mostKey, key)
		mostLength = max(mostLength, key&mask)
		mostMean = max(mostMean, m)
		bins[(source+time)>>shift] += times
	}
	r.pairs += uint64(len(keys))
	r.sums.least += least
	r.sums.mean += mean
	r.sums.length += sum - least<<lenBits
	r.raise(peaks{least: mostKey >> lenBits, mean: mostMean, length: mostLength})
}

// correct finds the fastest paths, starting from the rows with an arc that leads to a vertex sooner.
func (s *sweeper) correct(r *row, source uint32) {
	c, width := s.faster, s.dims[0]
	c.forget()
	c.source, c.bound = source, (r.peaks.least+1)<<s.net.lenBits-s.net.weights[0].key
	for i := 0; i < len(s.keys); i += width { // turned back
		n := copy(c.dist[i:i+s.column], s.keys[i+width-s.column:i+width])
		copy(c.dist[i+n:i+width], s.keys[i:])
	}
	for _, start := range s.sooner {
		for v := start; v < start+width; v++ {
			c.relax(uint32(v))
		}
	}
	if c.settle() {
		s.recordFast(r, c)
	}
}
