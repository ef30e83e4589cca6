package delay

// searchesSeveral reports whether run searches several sources at once: only if the network has cliques, and arcs
// outside them. Each of those arcs is then looked at once for all sources, instead of once for each. It saves time
// because the sources are close to each other, as in a group of a dragonfly, so that their keys differ little.
func (s *searcher) searchesSeveral() bool { return s.cover != nil && s.cover.singles }

// searchSeveral gives the same results as search for each of several groups, at most `lanes`. It does not support
// receive.
func (s *searcher) searchSeveral(groups []group) {
	for len(s.others) < len(groups) {
		s.others = append(s.others, newCorrector(s.net))
		s.most = make([]uint64, s.net.vertices())
	}
	var rows [lanes]row
	var open []*corrector
	for i, g := range groups {
		s.faster = s.others[i]
		rows[i] = s.find(g)
		if s.observe != nil {
			s.observe(g, s.faster.reached, s.faster.dist)
		}
		s.faster.forget()
		switch {
		case !s.detours:
		case len(s.faster.reached) < s.net.vertices(): // keys of vertices that were not reached are undefined
			s.relaxDetours()
		default:
			s.relaxInCliques()
			open = append(open, s.faster)
		}
		s.endSearch()
	}
	if len(open) > 0 {
		s.relaxSinglesOfSeveral(open)
	}
	for i, g := range groups {
		c, r := s.others[i], &rows[i]
		c.aim()
		changed := c.settle()
		if s.receive != nil {
			continue
		}
		r.keepFast()
		if changed {
			s.recordFast(r, c)
		}
		s.finish(g, r)
	}
}

// relaxSinglesOfSeveral lowers keys along the arcs outside cliques, for several sources that each reach all vertices.
// It skips an arc that cannot lower the key of its head for any source: the lowest key of its tail over all sources,
// plus its delay, is not below the highest key of its head.
func (s *searcher) relaxSinglesOfSeveral(open []*corrector) {
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
			if least+weight >= peak { // true for the slower arcs that follow as well
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
