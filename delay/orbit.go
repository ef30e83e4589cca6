package delay

import (
	"cmp"
	"math"
	"slices"
)

// lanes is the number of sources that are measured together.
const lanes = 8

// orbit is the search from vertex 0 of a vertex-transitive lattice: the translation that maps vertex 0 to s maps arcs
// to arcs. The search from s then visits the translated vertices in the same order, over the translated arcs and with
// the same numbers of paths; only lengths may differ.
type orbit struct {
	dims   []int
	arcs   [][]uint32 // arcs[i][v]: index of the weight of the arc from vertex v along offset i
	visits []uint32   // vertices, each after those that its steps come from
	steps  []step     // last arcs of the hop-minimal paths to each visit, in the order of visits
	stepOf []uint32   // index of the first step of each visit
	spare  []step     // the other arcs into each visit
	spares []uint32   // index in spare of the first of them
	hops   uint64     // sum of the hops from a source to all vertices
	most   uint64     // maximum of these hops
}

// step is an arc of the search, seen from its head.
type step struct {
	from  uint32  // tail, by its index in visits
	tail  uint32  // tail, by its vertex
	arc   uint32  // index of the arc's offset
	share float64 // share of the hop-minimal paths to the head that take the arc
}

// newOrbit returns nil for a network in which the translations of a lattice of the given sides do not map arcs to arcs.
func newOrbit(n *network, dims []int) *orbit {
	size := 1
	for _, d := range dims {
		size *= d
	}
	if size != n.vertices() || !n.plain || size < 2 {
		return nil
	}
	o := &orbit{dims: dims}
	degree := int(n.first[1])
	if degree*size != len(n.arcs) {
		return nil
	}
	offsets := make([]uint32, degree)
	o.arcs = make([][]uint32, degree)
	for i := range o.arcs {
		o.arcs[i] = make([]uint32, size)
	}
	type headed struct {
		offset, weight uint32
	}
	row := make([]headed, degree)
	for v := range size {
		arcs := n.arcs[n.first[v]:n.first[v+1]]
		if len(arcs) != degree {
			return nil
		}
		for i, a := range arcs {
			row[i] = headed{o.translate(a.to, uint32(v), -1), a.weight}
		}
		slices.SortStableFunc(row, func(a, b headed) int { return int(int64(a.offset) - int64(b.offset)) })
		for i, x := range row {
			if v == 0 {
				offsets[i] = x.offset
			}
			if offsets[i] != x.offset {
				return nil
			}
			o.arcs[i][v] = x.weight
		}
	}
	o.search(offsets)
	return o
}

// worker implements method, as do the following three.
func (o *orbit) worker(t *tally) func([]group) { return newMover(t, o).run }

func (o *orbit) arrange(groups []group, _ bool) []group { return groups }

func (o *orbit) abreast() int { return lanes }

func (o *orbit) work(n *network) uint64 { return uint64(len(n.arcs)) }

// translate returns the vertex whose coordinates are those of a plus sign times those of b, modulo the sides.
func (o *orbit) translate(a, b uint32, sign int) uint32 {
	var out, stride uint32 = 0, 1
	for _, d := range o.dims {
		size := uint32(d)
		nextA, nextB := a/size, b/size
		x := int(a-nextA*size) + sign*int(b-nextB*size)
		switch { // in place of a division
		case x < 0:
			x += d
		case x >= d:
			x -= d
		}
		out += uint32(x) * stride
		stride *= size
		a, b = nextA, nextB
	}
	return out
}

// search searches from vertex 0 along the given offsets and fills in visits, steps and sums. Every offset
// has its opposite among them.
func (o *orbit) search(offsets []uint32) {
	size := 1
	for _, d := range o.dims {
		size *= d
	}
	const unseen = math.MaxUint32
	hops := make([]uint32, size)
	for v := range hops {
		hops[v] = unseen
	}
	hops[0] = 0
	paths := make([]float64, size)
	paths[0] = 1
	o.visits = append(o.visits, 0)
	for first := 0; first < len(o.visits); {
		last, most := len(o.visits), 0.0
		for _, u := range o.visits[first:last] {
			for _, offset := range offsets {
				to := o.translate(u, offset, 1)
				if hops[to] == unseen {
					hops[to] = hops[u] + 1
					o.visits = append(o.visits, to)
				}
				if hops[to] == hops[u]+1 {
					paths[to] += paths[u]
					most = max(most, paths[to])
				}
			}
		}
		for _, v := range o.visits[last:] { // scaled to avoid overflow; only the proportions within a level matter
			paths[v] = max(paths[v]/most, 1e-200)
			o.hops += uint64(hops[v])
			o.most = uint64(hops[v])
		}
		first = last
	}
	o.link(offsets, o.order(hops, offsets), hops, paths)
}

// order sorts the visits row by row if every vertex then still comes after those that lead to it, so that data that is
// read in turn is adjacent in memory. Along each ring of a torus, the order is outwards in one direction, then in the
// other, then the farthest point. It returns the index in visits of each vertex.
func (o *orbit) order(hops, offsets []uint32) []uint32 {
	rank := func(v uint32) uint32 {
		var out, stride uint32 = 0, 1
		for _, d := range o.dims {
			n, x := uint32(d), v%uint32(d)
			switch half := n / 2; {
			case n%2 == 0 && x == half:
				x = n - 1
			case x > half:
				x = half + n%2 + n - 1 - x
			}
			out += x * stride
			stride *= n
			v /= n
		}
		return out
	}
	index := make([]uint32, len(hops))
	for v := range index {
		index[v] = rank(uint32(v))
	}
	for _, u := range o.visits {
		for _, offset := range offsets {
			if to := o.translate(u, offset, 1); hops[to] > hops[u] && index[to] < index[u] {
				for i, v := range o.visits {
					index[v] = uint32(i)
				}
				return index
			}
		}
	}
	if len(o.visits) == len(index) { // ranks are the numbers from 0 on in another order
		for v, i := range index {
			o.visits[i] = uint32(v)
		}
		return index
	}
	slices.SortFunc(o.visits, func(a, b uint32) int { return cmp.Compare(index[a], index[b]) })
	for i, v := range o.visits {
		index[v] = uint32(i)
	}
	return index
}

// link lists the arcs into every visit: those of hop-minimal paths in steps, the others in spare.
func (o *orbit) link(offsets, index, hops []uint32, paths []float64) {
	o.stepOf, o.spares = append(o.stepOf, 0), append(o.spares, 0)
	for _, v := range o.visits {
		from := len(o.steps)
		all := 0.0
		for g, offset := range offsets {
			tail := o.translate(v, offset, -1)
			s := step{from: index[tail], tail: tail, arc: uint32(g)}
			switch {
			case hops[tail]+1 == hops[v]:
				s.share = paths[tail]
				all += paths[tail]
				o.steps = append(o.steps, s)
			case v != 0:
				o.spare = append(o.spare, s)
			}
		}
		for i := range o.steps[from:] {
			o.steps[from+i].share /= all
		}
		o.stepOf = append(o.stepOf, uint32(len(o.steps)))
		o.spares = append(o.spares, uint32(len(o.spare)))
	}
}

// lane has one figure of a vertex for each of the sources that are measured together, and flane likewise.
type (
	lane  [lanes]uint64
	flane [lanes]float64
)

// mover measures sources by translating the search of an orbit to them.
type mover struct {
	*tally
	*orbit
	moved    [][lanes]uint32 // the vertex that each vertex is translated to, for each source
	rowStart []uint32        // the first vertex of every row, translated by rowsOf
	rowsOf   int             // first vertex of the row of the last source, -1 at first
	keys     []lane          // by visit
	means    []flane
	rows     [lanes]row
	faster   *corrector
}

func newMover(t *tally, o *orbit) *mover {
	size := t.net.vertices()
	return &mover{
		tally:    t,
		orbit:    o,
		moved:    make([][lanes]uint32, size),
		rowStart: make([]uint32, size/o.dims[0]),
		rowsOf:   -1,
		keys:     make([]lane, len(o.visits)),
		means:    make([]flane, len(o.visits)),
		faster:   newCorrector(t.net),
	}
}

// run measures at most `lanes` groups of sources; unused lanes repeat the last one.
func (m *mover) run(groups []group) {
	for b := range lanes {
		m.move(b, int(groups[min(b, len(groups)-1)].at))
		m.rows[b] = row{}
	}
	for from := 1; from < len(m.visits); from += tile {
		to := min(from+tile, len(m.visits))
		m.advance(from, to)
		for b := range groups {
			m.record(&m.rows[b], from, to, b)
		}
	}
	slower := m.check()
	for b, g := range groups {
		r := &m.rows[b]
		r.sums.hops, r.peaks.hops = m.orbit.hops, m.orbit.most
		r.keepFast()
		if slower&(1<<b) != 0 {
			m.correct(r, b, g.at)
		}
		m.finish(g, r)
	}
}

// correct finds the fastest paths of lane b, in which a path with more hops is faster than a hop-minimal one.
func (m *mover) correct(r *row, b int, source uint32) {
	c := m.faster
	c.source, c.reached = source, c.reached[:0]
	for i, v := range m.visits {
		at := m.moved[v][b]
		c.dist[at] = m.keys[i][b]
		c.reached = append(c.reached, at)
	}
	if c.run() {
		m.recordFast(r, c)
	}
}

// move translates every vertex by s for lane b.
func (m *mover) move(b, s int) {
	width := m.dims[0]
	x := s % width
	if s-x != m.rowsOf {
		m.rowsOf = s - x
		for i := range m.rowStart {
			m.rowStart[i] = m.translate(uint32(i*width), uint32(s-x), 1)
		}
	}
	for i, start := range m.rowStart {
		line := m.moved[i*width : (i+1)*width]
		to := start + uint32(x)
		for v := range line[:width-x] {
			line[v][b] = to
			to++
		}
		to = start
		for v := width - x; v < width; v++ {
			line[v][b] = to
			to++
		}
	}
}

// advance computes the keys and means of a range of visits.
func (m *mover) advance(from, to int) {
	weights := m.net.weights
	for i := from; i < to; i++ {
		steps := m.steps[m.stepOf[i]:m.stepOf[i+1]]
		key, mean := &m.keys[i], &m.means[i]
		s := &steps[0]
		start(key, mean, &m.keys[s.from], &m.means[s.from], &m.moved[s.tail], m.arcs[s.arc], weights, s.share)
		for k := range steps[1:] {
			s := &steps[k+1]
			join(key, mean, &m.keys[s.from], &m.means[s.from], &m.moved[s.tail], m.arcs[s.arc], weights, s.share)
		}
	}
}

// start sets the key and the mean of a vertex from those of a tail. The arcs leave the vertices in at, one for each
// lane; share is the share of the paths that take them.
func start(key *lane, mean *flane, tail *lane, tailMean *flane, at *[lanes]uint32, arcs []uint32, w []weight,
	share float64,
) {
	for b := range lanes {
		a := &w[arcs[at[b]]]
		key[b] = tail[b] + a.key
		mean[b] = share * (tailMean[b] + a.time)
	}
}

// join updates the key and the mean of a vertex with a further tail.
func join(key *lane, mean *flane, tail *lane, tailMean *flane, at *[lanes]uint32, arcs []uint32, w []weight,
	share float64,
) {
	for b := range lanes {
		a := &w[arcs[at[b]]]
		key[b] = min(key[b], tail[b]+a.key)
		mean[b] += float64(share * (tailMean[b] + a.time))
	}
}

// check returns a bit for each lane: whether an arc that no hop-minimal path takes leads to a vertex sooner.
func (m *mover) check() uint {
	var sooner lane
	weights := m.net.weights
	for i := 1; i < len(m.visits); i++ {
		key := &m.keys[i]
		spare := m.spare[m.spares[i]:m.spares[i+1]]
		for k := range spare {
			s := &spare[k]
			tail, at, arcs := &m.keys[s.from], &m.moved[s.tail], m.arcs[s.arc]
			for b := range lanes {
				sooner[b] |= tail[b] + weights[arcs[at[b]]].key - key[b] // negative: bit 63
			}
		}
	}
	bits := uint(0)
	for b, x := range sooner {
		bits |= uint(x>>63) << b
	}
	return bits
}

// record adds a range of visits, as lane b has reached them, to a row of results.
func (m *mover) record(r *row, from, to, b int) {
	for i := range to - from {
		m.reached.keys[i], m.reached.means[i] = m.keys[from+i][b], m.means[from+i][b]
	}
	m.own(r, to-from)
}
