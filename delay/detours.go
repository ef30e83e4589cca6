package delay

// entry records how a search entered a clique: the members of the first level that reached it, from each of which it
// followed the arcs to all others.
type entry struct {
	level uint32 // where the vertices found from these members begin, as in searcher.visit
	seg   uint32 // segment of the member with the lowest key
	at    uint32 // that member
	least uint64 // its key
	most  uint64 // the highest key of these members
}

// expandCliques does the same as expand with a cover: it follows the arcs into a clique only from the members of the
// first level that reached it.
func (s *searcher) expandCliques(level []state, forward, start uint32) uint32 {
	c, weights, visit, next, base := s.cover, s.net.weights, s.visit, s.next, s.base
	tail, followed := start, uint32(0)
	for i := range level {
		u := &level[i]
		if u.v >= forward {
			continue
		}
		paths, sum, key := u.paths, u.sum, u.key
		for k := c.first[u.v]; k < c.first[u.v+1]; k++ {
			seg := &c.segments[k]
			if seg.clique != alone && !s.enter(u, k, start) {
				continue
			}
			followed += seg.last - seg.first
			for _, a := range c.arcs[seg.first:seg.last] {
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
	}
	s.followed += uint64(followed)
	return tail - start
}

// enter reports whether the arcs of a segment of u are to be followed, because no earlier level has entered its clique,
// and records u as one of the members that entered it.
func (s *searcher) enter(u *state, seg, start uint32) bool {
	clique := s.cover.segments[seg].clique
	e := &s.entries[clique]
	switch at := e.level - s.base; {
	case at < start:
		return false
	case at == start:
		e.most = max(e.most, u.key)
		if u.key < e.least {
			e.seg, e.at, e.least = seg, u.v, u.key
		}
	default:
		*e = entry{s.base + start, seg, u.v, u.key, u.key}
		s.entered = append(s.entered, clique)
	}
	return true
}

// detour does the same as corrector.run, after a search that found which arcs cannot lead anywhere sooner.
func (s *searcher) detour() bool {
	s.faster.forget()
	s.relaxDetours()
	s.faster.aim()
	return s.faster.settle()
}

// relaxDetours lowers keys along the arcs to the same level of the search or to an earlier one; the search itself has
// followed the arcs to the next level.
func (s *searcher) relaxDetours() {
	c, n := s.faster, s.net
	fastest, most := n.weights[0].key, uint64(0)
	for _, l := range c.levels {
		before := most
		most = max(most, l.most)
		bound := most
		if n.more > 1 { // in a bipartite network, no arc leads to the same level
			bound = before
		}
		if l.least+fastest >= bound || s.cover != nil && !s.cover.singles {
			continue
		}
		for _, u := range c.reached[l.first:l.last] {
			switch {
			case c.dist[u]+fastest >= bound || u >= n.forward && u != c.source:
			case s.cover == nil:
				c.relax(u)
			default:
				s.relaxSingles(u, bound)
			}
		}
	}
	if s.cover != nil {
		s.relaxInCliques()
	}
}

// aim sets the corrector's bound after a search.
func (c *corrector) aim() {
	c.bound = 0
	for _, l := range c.levels {
		c.bound = max(c.bound, l.most)
	}
	if len(c.net.weights) > 0 {
		c.bound -= min(c.bound, c.net.weights[0].key)
	}
}

// relaxSingles lowers keys along the arcs of u outside cliques. bound is the highest key of the vertices that they lead
// to.
func (s *searcher) relaxSingles(u uint32, bound uint64) {
	c, seg := s.faster, s.cover.none(u)
	if seg == nil {
		return
	}
	from := c.dist[u]
	for i, a := range s.cover.arcs[seg.first:seg.last] {
		key := from + s.net.weights[a.weight].key
		if key >= bound { // so are the keys of the slower arcs that follow
			s.looked += uint64(i)
			return
		}
		if key < c.dist[a.to] {
			c.lower(a.to, key)
		}
	}
	s.looked += uint64(seg.last - seg.first)
}

// relaxInCliques lowers keys along arcs within cliques, from the members that could lead to other members sooner.
func (s *searcher) relaxInCliques() {
	c, by := s.faster, s.cover
	for _, clique := range s.entered {
		e := &s.entries[clique]
		seg, least := &by.segments[e.seg], by.least[clique]
		from := e.least
		if from+least < e.most { // another member of its level may be one that it leads to sooner
			s.relaxIn(e.at, clique)
		}
		s.looked += uint64(seg.last - seg.first)
		slack := by.slack[seg.first:seg.last]
		for i, a := range by.arcs[seg.first:seg.last] {
			if c.dist[a.to] < from+slack[i] {
				s.relaxIn(a.to, clique)
			}
		}
	}
	if len(s.entered) == len(by.members)-1 {
		return
	}
	for clique := 1; clique < len(by.members); clique++ {
		if s.entries[clique].level < s.base { // not entered: all members were found in the last level, or none was
			s.relaxUnentered(uint32(clique))
		}
	}
}

// relaxUnentered lowers keys within a clique that the search has not entered, though it may have reached its members.
func (s *searcher) relaxUnentered(clique uint32) {
	c, members, most := s.faster, s.cover.members[clique], uint64(0)
	if s.visit[members[0]] < s.base {
		return
	}
	s.looked += uint64(len(members))
	for _, u := range members {
		most = max(most, c.dist[u])
	}
	for _, u := range members {
		if c.dist[u]+s.cover.least[clique] < most {
			s.relaxIn(u, clique)
		}
	}
}

// relaxIn lowers keys along the arcs of u into a clique.
func (s *searcher) relaxIn(u, clique uint32) {
	c, from := s.faster, s.faster.dist[u]
	for _, seg := range s.cover.of(u) {
		if seg.clique != clique {
			continue
		}
		s.looked += uint64(seg.last - seg.first)
		for _, a := range s.cover.arcs[seg.first:seg.last] {
			if key := from + s.net.weights[a.weight].key; key < c.dist[a.to] {
				c.lower(a.to, key)
			}
		}
	}
}
