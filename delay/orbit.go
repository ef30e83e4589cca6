package delay

import (
	"math"
	"slices"
)

// lanes is the number of sources that are handled together.
const lanes = 8

// orbit is the search from vertex 0 of a lattice that looks the same from every
// vertex: whatever translation takes 0 to s takes arcs to arcs. The search
// from s then visits the translated vertices in the same order, over the
// translated arcs and with the same numbers of paths; lengths differ.
type orbit struct {
	dims   []int
	arcs   [][]uint32 // weights of the arcs of all vertices, by offset
	visits []uint32   // vertices in the order of the search
	levels []int      // visits[levels[h]:levels[h+1]] are h hops away
	steps  []step     // into each visit, in the order of visits
	stepOf []uint32   // first step of each visit
	widest int        // vertices of a level at most
}

// step is an arc of the search, seen from its head.
type step struct {
	from  uint32  // tail, counted within its level
	tail  uint32  // tail as a vertex
	arc   uint32  // index of its offset
	share float64 // of the head's paths that come this way
}

// newOrbit returns nil for a network that does not look the same from every
// vertex.
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

// translate adds sign times the coordinates of b to those of a.
func (o *orbit) translate(a, b uint32, sign int) uint32 {
	var out, stride uint32 = 0, 1
	for _, d := range o.dims {
		size := uint32(d)
		x := (int(a%size) + sign*int(b%size) + d) % d
		out += uint32(x) * stride
		stride *= size
		a, b = a/size, b/size
	}
	return out
}

// search runs from vertex 0 along the offsets.
func (o *orbit) search(offsets []uint32) {
	size := 1
	for _, d := range o.dims {
		size *= d
	}
	const unseen = math.MaxUint32
	index := make([]uint32, size) // in visits
	for v := range index {
		index[v] = unseen
	}
	index[0] = 0
	o.visits = append(o.visits, 0)
	o.levels = append(o.levels, 0, 1)
	level := []state{{paths: 1}}
	o.stepOf = append(o.stepOf, 0, 0)
	o.widest = 1
	for len(level) > 0 {
		first := uint32(len(o.visits))
		base := first - uint32(len(level))
		var next []state
		var into [][]step
		for i, u := range level {
			for g, offset := range offsets {
				to := o.translate(u.v, offset, 1)
				if index[to] < first {
					continue
				}
				if index[to] == unseen {
					index[to] = uint32(len(o.visits))
					o.visits = append(o.visits, to)
					next = append(next, state{v: to})
					into = append(into, nil)
				}
				at := index[to] - first
				next[at].paths += u.paths
				into[at] = append(into[at], step{uint32(i), o.visits[base+uint32(i)], uint32(g), u.paths})
			}
		}
		for i := range next {
			for _, s := range into[i] {
				s.share /= next[i].paths
				o.steps = append(o.steps, s)
			}
			o.stepOf = append(o.stepOf, uint32(len(o.steps)))
		}
		if len(next) > 0 {
			o.levels = append(o.levels, len(o.visits))
			rescale(next)
		}
		o.widest = max(o.widest, len(next))
		level = next
	}
}

// lane is the state of one vertex of the search for several sources.
type lane struct {
	key  [lanes]uint64
	mean [lanes]float64
}

// mover measures sources by moving the search to them.
type mover struct {
	*tally
	*orbit
	moved     [][lanes]uint32 // where each vertex goes for each source
	rowStart  []uint32        // where the rows of the first dimension go, if rowsOf moves to the first of its own
	rowsOf    int
	cur, next []lane
	rows      [lanes]row
}

// tile is the number of vertices that are evaluated and recorded in turn, so
// that they stay in the first-level cache.
const tile = 64

func newMover(t *tally, o *orbit) *mover {
	size := t.net.vertices()
	return &mover{
		tally:    t,
		orbit:    o,
		moved:    make([][lanes]uint32, size),
		rowStart: make([]uint32, size/o.dims[0]),
		rowsOf:   -1,
		cur:      make([]lane, o.widest),
		next:     make([]lane, o.widest),
	}
}

// run measures at most as many groups as there are lanes; the lanes beyond
// them repeat the last.
func (m *mover) run(groups []group) {
	for b := range lanes {
		m.move(b, int(groups[min(b, len(groups)-1)].at))
		m.rows[b] = row{}
	}
	m.cur[0] = lane{}
	for hops := 1; hops+1 < len(m.levels); hops++ {
		first, last := m.levels[hops], m.levels[hops+1]
		for from := first; from < last; from += tile {
			to := min(from+tile, last)
			level := m.next[from-first : to-first]
			m.advance(level, from)
			for b := range groups {
				m.record(&m.rows[b], level, b, uint64(hops))
			}
		}
		m.cur, m.next = m.next, m.cur
	}
	for b, g := range groups {
		m.finish(g, &m.rows[b])
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

// advance evaluates the visits from the given one on, all of one level.
func (m *mover) advance(level []lane, from int) {
	weights := m.net.weights
	for i := range level {
		steps := m.steps[m.stepOf[from+i]:m.stepOf[from+i+1]]
		s := &steps[0]
		level[i].start(&m.cur[s.from], &m.moved[s.tail], m.arcs[s.arc], weights, s.share)
		for k := range steps[1:] {
			s := &steps[k+1]
			level[i].join(&m.cur[s.from], &m.moved[s.tail], m.arcs[s.arc], weights, s.share)
		}
	}
}

// start comes from u over the arcs of the vertices at, by a share of all paths.
func (x *lane) start(u *lane, at *[lanes]uint32, arcs []uint32, w []weight, share float64) {
	for b := range lanes {
		a := &w[arcs[at[b]]]
		x.key[b] = u.key[b] + a.key
		x.mean[b] = share * (u.mean[b] + a.time)
	}
}

// join comes from one more vertex than before.
func (x *lane) join(u *lane, at *[lanes]uint32, arcs []uint32, w []weight, share float64) {
	for b := range lanes {
		a := &w[arcs[at[b]]]
		x.key[b] = min(x.key[b], u.key[b]+a.key)
		x.mean[b] += float64(share * (u.mean[b] + a.time))
	}
}

// record adds vertices found by lane b, all at a distance of hops.
func (m *mover) record(r *row, level []lane, b int, hops uint64) {
	lenBits, shift, bins := m.net.lenBits&63, m.shift&63, m.bins
	mask := uint64(1)<<lenBits - 1
	s, p := r.sums, r.peaks
	for i := range level {
		key := level[i].key[b]
		time, length := key>>lenBits, key&mask
		mean := uint64(int64(level[i].mean[b] + 0.5))
		s.least += time
		s.mean += mean
		s.length += length
		p.least = max(p.least, time)
		p.mean = max(p.mean, mean)
		p.length = max(p.length, length)
		bins[time>>shift]++
	}
	s.pairs += uint64(len(level))
	s.hops += uint64(len(level)) * hops
	p.hops = hops
	r.sums, r.peaks = s, p
}
