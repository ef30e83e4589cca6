package delay

// together reports whether detours are looked for from several sources at once. That saves time where there are arcs
// that are in no clique: each is looked at once for all sources. The sources are close to each other, as in a group of
// a dragonfly, so that their keys differ little.
func (s *searcher) together() bool { return s.cover != nil && s.cover.singles }

// searchTogether does the same as search for several groups, at most `lanes`.
func (s *searcher) searchTogether(groups []group) {
	for len(s.others) < len(groups) {
		s.others = append(s.others, newCorrector(s.net))
		s.most = make([]uint64, s.net.vertices())
	}
	var rows [lanes]row
	var open []*corrector
	for i, g := range groups {
		s.faster = s.others[i]
		rows[i] = s.find(g)
		if s.show != nil {
			s.show(g, s.faster.reached, s.faster.dist)
		}
		s.faster.forget()
		switch {
		case !s.detours:
		case len(s.faster.reached) < s.net.vertices(): // the keys of vertices that are not reached are not valid
			s.look()
		default:
			s.lookInCliques()
			open = append(open, s.faster)
		}
		s.leave()
	}
	if len(open) > 0 {
		s.lookAloneFor(open)
	}
	for i, g := range groups {
		c, r := s.others[i], &rows[i]
		c.aim()
		changed := c.settle()
		if s.tell != nil {
			continue
		}
		r.keepFast()
		if changed {
			s.recordFast(r, c)
		}
		s.finish(g, r)
	}
}

// lookAloneFor follows the arcs that are in no clique for several sources, each of which reaches all vertices. It skips
// an arc that, from the lowest key of its tail over all sources, does not lead to its head sooner than the highest key
// of the head.
func (s *searcher) lookAloneFor(open []*corrector) {
	n, by, most := s.net, s.cover, s.most
	copy(most, open[0].dist)
	for _, c := range open[1:] {
		for v, key := range c.dist {
			most[v] = max(most[v], key)
		}
	}
	peak := uint64(0)
	for _, key := range most {
		peak = max(peak, key)
	}
	for u := range n.forward {
		seg := by.none(u)
		if seg == nil {
			continue
		}
		least := open[0].dist[u]
		for _, c := range open[1:] {
			least = min(least, c.dist[u])
		}
		s.looked += uint64(seg.last - seg.first)
		for _, a := range by.arcs[seg.first:seg.last] {
			weight := n.weights[a.weight].key
			if least+weight >= peak { // so are those that follow
				break
			}
			if least+weight >= most[a.to] {
				continue
			}
			s.looked += uint64(len(open))
			for _, c := range open {
				if key := c.dist[u] + weight; key < c.dist[a.to] {
					c.lower(a.to, key)
				}
			}
		}
	}
}
