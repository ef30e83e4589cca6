package delay

import (
	"math"
	"slices"
	"unsafe"
)

// laneSweeper measures several sources at once that are neighbours in a row of a lattice whose rows are rings. It does
// for all of them what sweeper does for one: relative to its source, each visits the vertices in the same order, and
// the keys of the links that they take are adjacent in memory. A lane is a source. Sums, maxima and means are the same
// as those of sweeper, to the last bit.
//
// Rows of keys are kept only as long as they are needed, so that they stay in the cache of a core: the stops of the
// second dimension are visited in blocks, each with all stops of the other dimensions. All keys are also written to
// kept, which is read only if a path with more hops is faster.
type laneSweeper struct {
	*tally
	*lattice
	stops [][]offset // of every dimension but the first
	order [][]int    // number of the stop of each coordinate
	at    []int      // stop of each dimension
	sides [][2]int   // steps up and down, by dimension
	// Stops of the second dimension that are gone through now, from the first to before the last: at most a block.
	first, last, block int
	// Rows of the block: slots of the stops of other dimensions, each with those of the block.
	recent laneRows
	// Rows of the second dimension that other blocks go on from: the first, the last upwards and the last downwards.
	edges   [3]laneRows
	kept    []lane // keys of all vertices, each row from the column of the first source on
	per     []float64
	args    passRowArgs
	in      []inflowLanes
	times   lane // sources that each lane stands for; 0 if it has none
	sums    laneSums
	bins    [][lanes]uint32 // vertices reached by time and lane, since times last changed
	lastBin int             // the last bin that is not empty
	most    uint64          // an upper bound of the counts in bins
	rows    [lanes]row      // results of the sources
	sooner  []int           // first vertices of rows in which an arc leads to a vertex sooner
	lower   *laneCorrector
}

// laneRows holds rows of keys and of mean delays.
type laneRows struct {
	keys  []lane
	means []flane
}

func newLaneRows(n int) laneRows { return laneRows{alignedLanes(n), make([]flane, n)} }

// passRowArgs is what assembly works on: a row of width vertices, the one of the sources first.
type passRowArgs struct {
	keys    *lane          // of the row
	means   *flane         // likewise
	kept    *lane          // where keys are written as well, at a multiple of 64 bytes
	links   *uint64        // along the row, from the column of the first source on
	per     *float64       // 1 by the hops to the row and the steps along it
	bins    *[lanes]uint32 // by time and lane
	at      *[lanes]uint32 // scratch: the bins of the vertices
	inflows *inflowLanes
	count   int // of inflows
	sums    *laneSums
	lenBits uint64
	shift   uint64 // of a time to its bin
	own     uint64 // the delay of a source itself, which is added before
	steps   int    // along the row to either side
	width   int    // 2 steps + 1, or + 2
}

// inflowLanes is a row from which another is entered, the links between them from the column of the first source on,
// and the number of steps that can be the last.
type inflowLanes struct {
	keys  *lane
	means *flane
	links *uint64
	steps float64
}

// laneSums is sums and greatest values of the vertices reached, by lane.
type laneSums struct{ keys, times, means, mostKey, mostLength, mostMean lane }

// alignedLanes allocates n lanes at an address that is a multiple of 64 bytes.
func alignedLanes(n int) []lane {
	const size = unsafe.Sizeof(lane{})
	raw := make([]uint64, n*lanes+lanes)
	skip := (-uintptr(unsafe.Pointer(&raw[0]))) % size / 8
	return unsafe.Slice((*lane)(unsafe.Pointer(&raw[skip])), n)
}

// rowBytes is the memory for the rows that are read repeatedly: half of the second-level cache of a usual core.
const rowBytes = 1 << 19

// mostSlots is the number of rows that are kept of the stops of the last dimension: the source's, two on the way up,
// and two on the way down.
const mostSlots = 5

// laneWorker measures sources side by side for a tally.
func laneWorker(t *tally, l *lattice) func([]group) { return newLaneSweeper(t, l).run }

func newLaneSweeper(t *tally, l *lattice) *laneSweeper {
	l.widen()
	size, width := t.net.vertices(), l.dims[0]
	s := &laneSweeper{
		tally: t, lattice: l, stops: make([][]offset, len(l.dims)), order: make([][]int, len(l.dims)),
		at: make([]int, len(l.dims)), sides: make([][2]int, len(l.dims)), kept: alignedLanes(size),
		bins: make([][lanes]uint32, len(t.bins)), per: l.perHop(),
		in: make([]inflowLanes, 2*len(l.dims)),
	}
	const vertex = int(unsafe.Sizeof(lane{}) + unsafe.Sizeof(flane{}))
	slots, others := 1, 1
	for d := 1; d < len(l.dims); d++ {
		s.order[d] = make([]int, l.dims[d])
		switch {
		case d == 1: // as many as fit the room together with as many before them
			s.block = min(max(1, rowBytes/2/(width*vertex)), l.dims[1])
			slots *= s.block
		case d == len(l.dims)-1:
			slots *= min(mostSlots, l.dims[d])
			others *= l.dims[d]
		default:
			slots *= l.dims[d]
			others *= l.dims[d]
		}
	}
	s.recent = newLaneRows(slots * width)
	if len(l.dims) > 1 {
		for i := range s.edges {
			s.edges[i] = newLaneRows(others * width)
		}
	}
	s.args = passRowArgs{
		at: &make([][lanes]uint32, width)[0], inflows: &s.in[0],
		lenBits: uint64(t.net.lenBits), shift: uint64(t.shift), own: t.net.own, width: width,
	}
	s.args.bins, s.args.sums = &s.bins[0], &s.sums
	t.rest = s.count
	s.lower = newLaneCorrector(l, s.kept)
	return s
}

// run measures groups whose order is that of the lattice.
func (s *laneSweeper) run(groups []group) {
	width := s.dims[0]
	for len(groups) > 0 {
		first, n := int(groups[0].at), 1
		for n < len(groups) {
			v := int(groups[n].at)
			if v/width != first/width || v-first >= lanes {
				break
			}
			n++
		}
		s.sweep(groups[:n])
		groups = groups[n:]
	}
}

// sweep measures the paths from vertices of one row that are less than `lanes` columns apart.
func (s *laneSweeper) sweep(groups []group) {
	source := int(groups[0].at)
	column, width := s.coordinate(source, 0), s.dims[0]
	s.sums, s.sooner = laneSums{}, s.sooner[:0]
	s.standFor(groups)
	for d := range s.dims {
		up, down := s.away(d, s.coordinate(source, d))
		s.sides[d] = [2]int{up, down}
		if d > 0 {
			s.stops[d] = s.lattice.stops(s.stops[d][:0], d, s.coordinate(source, d))
			for i, p := range s.stops[d] {
				s.order[d][p.at] = i
			}
		}
	}
	steps := s.sides[0][0]
	s.args.steps = steps
	along := steps * (steps + 1)
	far := steps
	if 2*steps+1 < width {
		far++
		along += far
	}
	var all row
	all.pairs = uint64(s.tally.net.vertices() - 1)
	s.eachRow(func(start, hops int) {
		s.pass(column, start, hops)
		all.sums.hops += uint64(along + width*hops)
		all.peaks.hops = max(all.peaks.hops, uint64(hops+far))
	})
	for _, g := range groups {
		s.rows[int(g.at)-source] = s.rowOf(all, int(g.at)-source)
	}
	for b := range lanes {
		s.bins[s.net.own>>s.shift][b]-- // the source itself
	}
	s.lastBin = max(s.lastBin, int((slices.Max(s.sums.mostKey[:])>>s.net.lenBits+s.net.own)>>s.shift))
	if len(s.sooner) > 0 {
		s.lower.correct(s.net, column, s.sooner, &s.rows, &s.times)
	}
	for _, g := range groups {
		s.finish(g, &s.rows[int(g.at)-source])
	}
}

// standFor sets times to the number of sources that each lane stands for.
func (s *laneSweeper) standFor(groups []group) {
	var times lane
	for _, g := range groups {
		times[g.at-groups[0].at] = g.times
	}
	reached := uint64(s.tally.net.vertices())
	if times != s.times || s.most+reached > math.MaxUint32 {
		s.count()
	}
	s.times = times
	s.most += reached
}

// count adds the counts of bins to the distribution of the tally, and clears them.
func (s *laneSweeper) count() {
	for i := range s.bins[:s.lastBin+1] {
		sum := uint64(0)
		for b, n := range s.bins[i] {
			sum += uint64(n) * s.times[b]
		}
		s.tally.bins[i] += sum
		s.bins[i] = [lanes]uint32{}
	}
	s.lastBin, s.most = 0, 0
}

// rowOf returns the results of the source in lane b; r has the figures that all lanes share.
func (s *laneSweeper) rowOf(r row, b int) row {
	r.sums.least, r.sums.mean = s.sums.times[b], s.sums.means[b]
	r.sums.length = s.sums.keys[b] - r.sums.least<<s.net.lenBits
	r.raise(peaks{
		least: s.sums.mostKey[b] >> s.net.lenBits, mean: s.sums.mostMean[b], length: s.sums.mostLength[b],
	})
	r.keepFast()
	return r
}

// eachRow calls do for every row, after the rows that lead into it: block by block of the second dimension, within
// each block by the stops of the last dimension. start is the first vertex of the row, hops the hops to it.
func (s *laneSweeper) eachRow(do func(start, hops int)) {
	clear(s.at)
	if len(s.dims) == 1 {
		do(0, 0)
		return
	}
	up, down := s.sides[1][0], s.sides[1][1]
	for s.first = 0; s.first < len(s.stops[1]); s.first = s.last {
		s.last = len(s.stops[1])
		for _, end := range []int{up + 1, up + down + 1} { // a block is on one side of the source
			if s.first < end {
				s.last = min(s.last, end)
			}
		}
		s.last = min(s.last, s.first+s.block)
		for more := true; more; more = nextStops(s.stops, s.at, 2) {
			start, hops := 0, 0
			for d := 2; d < len(s.dims); d++ {
				p := &s.stops[d][s.at[d]]
				start += p.at * s.strides[d]
				hops += p.steps
			}
			for i := s.first; i < s.last; i++ {
				s.at[1] = i
				p := &s.stops[1][i]
				do(start+p.at*s.strides[1], hops+p.steps)
			}
			s.storeLanes()
		}
	}
}

// slot returns where in recent the row at the present stops begins, except that dimension d is at the given stop.
func (s *laneSweeper) slot(d, stop int) int {
	out, stride := 0, 1
	for e := 1; e < len(s.at); e++ {
		at := s.at[e]
		if e == d {
			at = stop
		}
		switch {
		case e == 1:
			out, stride = at-s.first, s.block
		case e == len(s.at)-1 && s.dims[e] > mostSlots:
			up, down := s.sides[e][0], s.sides[e][1]
			switch {
			case at == 0 || at > up+down:
				at = 0
			case at <= up:
				at = 1 + at&1
			default:
				at = 3 + (at-up)&1
			}
			out += at * stride
		default:
			out += at * stride
			stride *= s.dims[e]
		}
	}
	return out * s.dims[0]
}

// edge returns where in edges the rows at the present stops begin.
func (s *laneSweeper) edge() int {
	out, stride := 0, 1
	for d := 2; d < len(s.at); d++ {
		out += s.at[d] * stride
		stride *= s.dims[d]
	}
	return out * s.dims[0]
}

// edgeOf returns which of the edges a stop of the second dimension belongs to.
func (s *laneSweeper) edgeOf(stop int) int {
	switch {
	case stop == 0:
		return 0
	case stop <= s.sides[1][0]:
		return 1
	}
	return 2
}

// storeLanes copies the rows of the present block that other blocks need to edges.
func (s *laneSweeper) storeLanes() {
	width, at := s.dims[0], s.edge()
	keep := func(stop int) {
		from, to := s.slot(1, stop), &s.edges[s.edgeOf(stop)]
		copy(to.keys[at:at+width], s.recent.keys[from:from+width])
		copy(to.means[at:at+width], s.recent.means[from:from+width])
	}
	if s.first == 0 {
		keep(0)
	}
	if s.last-1 > 0 {
		keep(s.last - 1)
	}
}

// before returns the keys and means of the row at another stop of dimension d.
func (s *laneSweeper) before(d, stop int) (*lane, *flane) {
	if d == 1 && stop < s.first {
		at, e := s.edge(), &s.edges[s.edgeOf(stop)]
		return &e.keys[at], &e.means[at]
	}
	at := s.slot(d, stop)
	return &s.recent.keys[at], &s.recent.means[at]
}

// wideAt returns the links of dimension d of a row, from a column on.
func (l *lattice) wideAt(d, start, column int) *uint64 {
	width := l.dims[0]
	return &l.wide[d][start/width*(2*width+lanes)+column]
}

// widen makes copies of the links with every row repeated, so that a row can be read around the ring from any column.
func (l *lattice) widen() {
	if l.wide != nil {
		return
	}
	width := l.dims[0]
	for _, next := range l.next {
		wide := make([]uint64, 0, len(next)/width*(2*width+lanes))
		for row := range slices.Chunk(next, width) {
			wide = append(wide, row...)
			wide = append(wide, row...)
			wide = append(wide, row[:lanes]...)
		}
		l.wide = append(l.wide, wide)
	}
}

// pass computes the keys and means of a row from those of the rows that lead into it.
func (s *laneSweeper) pass(column, start, hops int) {
	at, count := s.slot(0, 0), 0
	a := &s.args
	for d := 1; d < len(s.at); d++ {
		p := &s.stops[d][s.at[d]]
		for way := range p.ways {
			in := &s.in[count]
			in.keys, in.means = s.before(d, s.order[d][p.from[way]])
			in.links = s.wideAt(d, start+(p.link[way]-p.at)*s.strides[d], column)
			in.steps = float64(p.steps) / float64(p.ways)
			count++
		}
	}
	a.keys, a.means, a.kept = &s.recent.keys[at], &s.recent.means[at], &s.kept[start]
	a.links, a.per, a.count = s.wideAt(0, start, column), &s.per[hops], count
	if passRowAVX512(a) {
		s.sooner = append(s.sooner, start)
	}
	for d := 1; d < len(s.at); d++ {
		p := &s.stops[d][s.at[d]]
		if p.rim < 0 {
			continue
		}
		rim := start + (p.rim-p.at)*s.strides[d]
		over, _ := s.before(d, s.order[d][p.rim])
		links := s.wideAt(d, rim, column)
		if leadsAVX512(a.keys, over, links, s.dims[0]) || leadsAVX512(over, a.keys, links, s.dims[0]) {
			s.sooner = append(s.sooner, start, rim)
		}
	}
}
