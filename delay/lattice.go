package delay

import (
	"cmp"
	"slices"
)

// lattice is a network in which every vertex has links to its neighbours along every dimension and no others, with the
// same delay both ways, and in which every vertex is a node without terminals. A dimension is a line or a ring.
type lattice struct {
	dims    []int
	strides []int
	wraps   []bool     // rings
	next    [][]uint64 // by dimension: key of the link from every vertex to the next
	hops    int        // of the longest hop-minimal path
	wide    [][]uint64 // next, with every row twice; made by widen
}

// noLink is the key in next of the last vertex of a line.
const noLink = ^uint64(0)

// newLattice returns nil for a network that is not such a lattice.
func newLattice(n *network, dims []int) *lattice {
	l := &lattice{dims: dims, wraps: make([]bool, len(dims)), next: make([][]uint64, len(dims))}
	size := 1
	for _, d := range dims {
		l.strides = append(l.strides, size)
		size *= d
	}
	if size != n.vertices() || !n.plain || size < 2 || !l.copyLinks(n) || !l.whole() {
		return nil
	}
	for d, side := range dims {
		if l.wraps[d] {
			side /= 2
		} else {
			side--
		}
		l.hops += side
	}
	return l
}

// perHop returns 1/h for every number h of hops, 0 for h = 0.
func (l *lattice) perHop() []float64 {
	per := make([]float64, l.hops+1)
	for h := 1; h <= l.hops; h++ {
		per[h] = 1 / float64(h)
	}
	return per
}

func (l *lattice) coordinate(v, d int) int { return v / l.strides[d] % l.dims[d] }

// copyLinks fills in next, and reports whether all arcs are between neighbours, single, and the same both ways.
func (l *lattice) copyLinks(n *network) bool {
	for d := range l.next {
		l.next[d] = slices.Repeat([]uint64{noLink}, n.vertices())
	}
	forth := 0
	at := make([]int, len(l.dims))
	for _, back := range []bool{false, true} {
		for v := range n.vertices() {
			for _, a := range n.arcs[n.first[v]:n.first[v+1]] {
				d, by := l.step(at, v, int(a.to))
				if d < 0 {
					return false
				}
				tail, key, around := v, n.weights[a.weight].key, max(2, l.dims[d]-1)
				switch by {
				case 1, -around:
				case -1, around:
					tail = int(a.to)
				default:
					return false
				}
				switch {
				case back:
					if l.next[d][tail] != key {
						return false
					}
				case tail == v:
					if l.next[d][v] != noLink { // a second link between the same vertices
						return false
					}
					l.next[d][v] = key
					forth++
				}
			}
			l.advance(at)
		}
	}
	return 2*forth == len(n.arcs)
}

// step returns the only dimension in which u differs from v, whose coordinates are at, and by how much; -1 where there
// is no such dimension.
func (l *lattice) step(at []int, v, u int) (d, by int) {
	way := u - v
	for d := len(l.strides) - 1; d >= 0; d-- {
		stride := l.strides[d]
		if way < stride && way > -stride {
			continue
		}
		if by = way / stride; by*stride != way || at[d]+by < 0 || at[d]+by >= l.dims[d] {
			break
		}
		return d, by
	}
	return -1, 0
}

// advance changes the coordinates of a vertex to those of the next vertex.
func (l *lattice) advance(at []int) {
	for d, side := range l.dims {
		if at[d]++; at[d] < side {
			return
		}
		at[d] = 0
	}
}

// whole reports whether no link is missing, and sets which dimensions are rings.
func (l *lattice) whole() bool {
	for d, next := range l.next {
		ends := 0
		for v, key := range next {
			if key != noLink {
				continue
			}
			if l.coordinate(v, d) != l.dims[d]-1 {
				return false
			}
			ends++
		}
		l.wraps[d] = ends == 0
		if ends > 0 && ends != len(next)/l.dims[d] {
			return false
		}
	}
	return true
}

// period returns the smallest divisor of the side of dimension d by which all links can be shifted along it without a
// change of their keys; the side itself if there is no smaller one.
func (l *lattice) period(d int) int {
	side, stride := l.dims[d], l.strides[d]
	repeats := func(shift int) bool {
		for _, next := range l.next {
			for block := range slices.Chunk(next, side*stride) {
				if !slices.Equal(block[shift*stride:], block[:(side-shift)*stride]) {
					return false
				}
			}
		}
		return true
	}
	for p := 1; p < side; p++ {
		if side%p == 0 && repeats(p) {
			return p
		}
	}
	return side
}

// mirror returns a c below the period such that reflecting dimension d, x to c-x modulo the
// side, leaves all keys the same; ok is false if there is none.
func (l *lattice) mirror(d, period int) (c int, ok bool) {
	side, stride := l.dims[d], l.strides[d]
	same := func(c int) bool {
		for e, next := range l.next {
			sum := c
			if e == d { // the link that follows x comes before c-x
				sum = c - 1 + side
			}
			for block := range slices.Chunk(next, side*stride) {
				for x := range side {
					y := (sum - x + side) % side
					if x < y && !slices.Equal(block[x*stride:(x+1)*stride], block[y*stride:(y+1)*stride]) {
						return false
					}
				}
			}
		}
		return true
	}
	for c := range period {
		if same(c) {
			return c, true
		}
	}
	return 0, false
}

// classes returns one vertex of each class of vertices that translations and reflections without a change of lengths
// map onto each other, with the number of vertices in the class. The delays from all vertices of a class have the same
// distribution.
func (l *lattice) classes() []group {
	groups := []group{{times: 1}}
	for d, side := range l.dims {
		period := l.period(d)
		c, mirrored := l.mirror(d, period)
		count := make([]uint64, period)
		for x := range period {
			first := x
			if mirrored {
				first = min(x, (c-x+period)%period)
			}
			count[first] += uint64(side / period)
		}
		var product []group
		for x, n := range count {
			if n == 0 {
				continue
			}
			for _, g := range groups {
				product = append(product, group{at: g.at + uint32(x*l.strides[d]), times: g.times * n})
			}
		}
		groups = product
	}
	for i := range groups {
		v := int(groups[i].at)
		groups[i].first, groups[i].last = v, v+1
	}
	return groups
}

// worker returns a function that measures groups of sources: several at once where rows are rings and the processor has
// AVX-512, else one by one.
func (l *lattice) worker(t *tally) func([]group) {
	if l.hasLanes() && t.samples == nil {
		return laneWorker(t, l)
	}
	return newSweeper(t, l).run
}

// abreast returns the number of sources that may be measured at once.
func (l *lattice) abreast() int { return lanes }

// work returns the work of one source measured alone, so that it does not depend on the processor.
func (l *lattice) work(n *network) uint64 { return 2 * uint64(n.vertices()) }

// hasLanes reports whether sources of a row can be measured together.
func (l *lattice) hasLanes() bool { return hasLanes && l.wraps[0] && l.dims[0] >= lanes }

// arrange sorts the groups of sources. If all sources are measured, it replaces them by one source for each class, and
// those of a row that are measured together follow each other; else those with the same first coordinate do.
func (l *lattice) arrange(groups []group, all bool) []group {
	if all {
		groups = l.classes()
	}
	if all && l.hasLanes() {
		slices.SortFunc(groups, func(a, b group) int { return cmp.Compare(a.at, b.at) })
		return groups
	}
	slices.SortFunc(groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(l.coordinate(int(a.at), 0), l.coordinate(int(b.at), 0)), cmp.Compare(a.at, b.at))
	})
	return groups
}

// offset is a coordinate of a dimension as seen from a source, with the stops
// before it on hop-minimal paths: one, or two at the far side of an even ring.
type offset struct {
	at, steps int
	ways      int
	from      [2]int // coordinates of the stops before
	link      [2]int // coordinates of the links from there
	// coordinate of the next stop across the far side of an odd ring, which has as many steps as this one; else -1
	rim int
}

// stops appends the coordinates of dimension d as seen from coordinate x, each after the stops
// before it on hop-minimal paths.
func (l *lattice) stops(out []offset, d, x int) []offset {
	side := l.dims[d]
	up, down := l.away(d, x)
	out = append(out, offset{at: x, rim: -1})
	for i := 1; i <= up; i++ {
		from := (x + i - 1) % side
		out = append(out, offset{
			at: (x + i) % side, steps: i, ways: 1, from: [2]int{from}, link: [2]int{from}, rim: -1,
		})
	}
	for i := 1; i <= down; i++ {
		at := (x - i + side) % side
		s := offset{at: at, steps: i, ways: 1, from: [2]int{(at + 1) % side}, link: [2]int{at}, rim: -1}
		if l.wraps[d] && side%2 == 1 && i == down {
			s.rim = (at - 1 + side) % side
		}
		out = append(out, s)
	}
	if up+down+1 < side {
		at := (x + side/2) % side
		before, after := (at-1+side)%side, (at+1)%side
		out = append(out, offset{
			at: at, steps: side / 2, ways: 2, from: [2]int{before, after}, link: [2]int{before, at}, rim: -1,
		})
	}
	return out
}

// away returns how many steps lead away from coordinate x in either direction, without the far side of an even ring.
func (l *lattice) away(d, x int) (up, down int) {
	if l.wraps[d] {
		half := (l.dims[d] - 1) / 2
		return half, half
	}
	return l.dims[d] - 1 - x, x
}
