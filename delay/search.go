package delay

import "math"

// state is a vertex that a search has reached, with sums over the hop-minimal paths that lead to it. Only the
// proportions of paths within one level of a search matter, so both sums may be scaled by a common factor.
type state struct {
	paths float64 // number of hop-minimal paths from the source
	sum   float64 // sum of their delays
	key   uint64  // lowest key of them
	v     uint32
}

// searcher measures sources one at a time by breadth-first search.
type searcher struct {
	*tally
	visit     []uint32 // by vertex: base plus its number in the order of visits; less than base if not visited
	base      uint32
	cur, next []state // buffers of the present and the next level
	maxDegree float64
	faster    *corrector
	cover     *cover       // nil if there are no cliques
	entries   []entry      // by clique
	entered   []uint32     // cliques entered in this search
	followed  uint64       // number of arcs followed so far
	looked    uint64       // number of arcs looked at for detours so far, without those of correctors
	others    []*corrector // of sources that are searched from together
	most      []uint64     // highest key of these, by vertex
	// detours is true if a path with more hops could be faster than one of those found.
	detours bool
	// receive, if not nil, gets the results of every search in place of the tally: the vertices that were reached, the
	// source first, and the keys of the fastest hop-minimal paths by vertex. It needs a searcher without a cover.
	receive func(g group, reached []uint32, keys []uint64)
	// observe, if not nil, gets the same results as well as the tally.
	observe func(g group, reached []uint32, keys []uint64)
}

// manyPaths is the number of paths to a vertex above which a level may be scaled down, to avoid overflow.
const manyPaths = 1e280

func newSearcher(t *tally, c *cover) *searcher {
	n := t.net
	s := &searcher{tally: t, base: 1, faster: newCorrector(n), cover: c}
	if c != nil {
		s.entries = make([]entry, len(c.members))
	}
	s.visit = make([]uint32, n.vertices())
	s.cur = make([]state, n.vertices())
	s.next = make([]state, n.vertices())
	for v := range n.vertices() {
		s.maxDegree = max(s.maxDegree, float64(n.first[v+1]-n.first[v]))
	}
	return s
}

func (s *searcher) run(groups []group) {
	if s.searchesSeveral() {
		s.searchSeveral(groups)
		return
	}
	for _, g := range groups {
		s.search(g)
	}
}

// search measures the paths from the ends of g to all ends.
func (s *searcher) search(g group) {
	r := s.find(g)
	defer s.endSearch()
	if s.receive != nil {
		s.receive(g, s.faster.reached, s.faster.dist)
		return
	}
	if s.observe != nil {
		s.observe(g, s.faster.reached, s.faster.dist)
	}
	r.keepFast()
	if s.detours && s.detour() {
		s.recordFast(&r, s.faster)
	}
	s.finish(g, &r)
}

// steps returns the work so far, in the unit of Options.Work: arcs followed, and arcs looked at for detours, which take
// about a quarter of the time.
func (s *searcher) steps() uint64 {
	looked := s.looked + s.faster.looked
	for _, c := range s.others {
		if c != s.faster {
			looked += c.looked
		}
	}
	return s.followed + looked/4
}

// endSearch ends a search: every vertex counts as not visited from then on.
func (s *searcher) endSearch() { s.base += uint32(s.net.vertices()) }

// find searches from g, and returns the results of the hop-minimal paths.
func (s *searcher) find(g group) row {
	n := uint32(s.net.vertices())
	if s.base > math.MaxUint32-2*n {
		clear(s.visit)
		clear(s.entries)
		s.base = 1
	}
	var r row
	if s.receive == nil {
		r = s.begin(g)
	}
	s.cur[0] = state{paths: 1, v: g.at}
	s.visit[g.at] = s.base
	s.faster.start(g.at)
	s.entered = s.entered[:0]
	start, bound := uint32(1), 1.0
	level := s.cur[:1]
	s.detours = false
	for hops := uint64(1); start < n; hops++ { // the arcs of the last level lead nowhere
		forward := s.net.forward
		if hops == 1 {
			forward = n // the source may be a terminal
		}
		found := uint32(0)
		if s.cover == nil {
			found = s.expand(level, forward, start)
		} else {
			found = s.expandCliques(level, forward, start)
		}
		if found == 0 {
			break
		}
		start += found
		s.cur, s.next = s.next, s.cur
		level = s.cur[:found]
		s.faster.reach(level)
		s.detours = s.detours || s.net.detourable(level, hops)
		if bound *= s.maxDegree; bound > manyPaths {
			rescale(level)
			bound = 1
		}
		switch {
		case s.receive != nil:
		case s.net.plain:
			s.levelPlain(&r, level, hops)
		default:
			s.level(&r, level, hops)
		}
	}
	return r
}

// expand follows the arcs of a level to the vertices of the next level, whose numbers in the order of visits begin with
// start, and returns how many there are. Vertices from forward on are not left.
func (s *searcher) expand(level []state, forward, start uint32) uint32 {
	first, arcs, weights, visit, next, base := s.net.first, s.net.arcs, s.net.weights, s.visit, s.next, s.base
	tail := start
	for i := range level {
		u := &level[i]
		if u.v >= forward {
			continue
		}
		paths, sum, key := u.paths, u.sum, u.key
		s.followed += uint64(first[u.v+1] - first[u.v])
		for _, a := range arcs[first[u.v]:first[u.v+1]] {
			at := visit[a.to] - base
			if at < start {
				continue
			}
			w := &weights[a.weight]
			if at >= tail {
				visit[a.to] = base + tail
				next[tail-start] = state{paths, sum + float64(paths*w.time), key + w.key, a.to}
				tail++
				continue
			}
			x := &next[at-start]
			x.paths += paths
			x.sum += sum + float64(paths*w.time)
			x.key = min(x.key, key+w.key)
		}
	}
	return tail - start
}

// rescale scales the numbers of paths of a level to at most 1. Proportions below 1e-200 are raised to it.
func rescale(level []state) {
	most := 0.0
	for i := range level {
		most = max(most, level[i].paths)
	}
	for i := range level {
		x := &level[i]
		mean := x.sum / x.paths
		x.paths = max(x.paths/most, 1e-200)
		x.sum = float64(mean * x.paths)
	}
}
