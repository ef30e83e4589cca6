package delay

import (
	"math"
	"math/bits"
	"slices"
)

const (
	// mostLanes is the number of sources that are searched from together: one for each bit of a mask.
	mostLanes = 64
	// fewLanes is the number of sources that are searched from together in the largest networks.
	fewLanes = 4
	// searchBytes is the memory that the figures of one search may take, unless it is from fewLanes: the searches are
	// faster while these stay in a core's cache.
	searchBytes = 4 << 20
	// manyPaths is the bound on the paths to a vertex from which a level is scaled down.
	manyPaths = 1e280
)

// searcher measures sources, several at a time, by breadth-first search. A source is a lane: a bit of the masks that
// tell from which sources a vertex was reached, and an index of the figures of every vertex. A level of the search is
// found for all lanes at once (M. Then et al., "The More the Merrier: Efficient Multi-Source Graph Traversal", Proc.
// VLDB Endowment 8(4), 2014). Then every vertex of the level gathers the paths over its arcs, in the order of the arcs,
// so that no figure depends on the other lanes.
type searcher struct {
	*tally
	targets []uint32 // vertices that have ends
	all     place    // sums over these
	alike   bool     // the ends of a vertex all take the same delay to enter, and the same to leave
	degree  float64  // the most arcs into a vertex

	groups []group
	lanes  int    // number of groups
	full   uint64 // their bits

	keys          []uint64 // by vertex and lane: of the fastest hop-minimal path
	paths         []paths  // alike, of vertices that forward
	ofTerminal    []paths  // of a vertex that does not: nobody asks for them again
	atSource      []paths  // of a source: a single path without delay
	seen          []uint64 // by vertex: lanes that have reached it
	now, next     []uint64 // by vertex: lanes that reach it in this level and in the next
	level, coming []uint32 // vertices of these levels
	views         [mostLanes]view
	found         [2]uint64 // lanes that have found ends in this level: at vertices themselves, and a link farther

	faster      *corrector
	open        uint64   // lanes in which a path with more hops could be faster than one of those found
	least, most []uint64 // by vertex: the least and the greatest key of all lanes
	starts      [mostLanes][]uint32

	// show, if set, is called after every search, before faster paths with more hops are looked for.
	show func(s *searcher)
	// silent searches are only shown.
	silent bool
}

// paths is the hop-minimal paths from a source to a vertex. Only the proportions within one level of a search matter,
// so both sums may be scaled together.
type paths struct {
	count float64
	sum   float64 // of their delays
}

// view sums up the vertices that a source has reached.
type view struct {
	level                           uint64 // ends in this level
	hops, key, least, mean          uint64 // sums over ends
	mostHops                        uint64
	mostKey                         uint64 // of a vertex that has ends
	mostLeast, mostMean, mostLength uint64
	up, ups                         uint64 // delay of entering, and the number of ends that take it, if alike
}

func newSearcher(t *tally) *searcher {
	n := t.net
	n.turn()
	s := &searcher{tally: t, alike: true, faster: newCorrector(n)}
	for v := range uint32(n.vertices()) {
		s.degree = max(s.degree, float64(n.intoFirst[v+1]-n.intoFirst[v]))
		p := n.at(v)
		if p.count == 0 {
			continue
		}
		s.targets = append(s.targets, v)
		s.all.count += p.count
		s.all.hops += p.hops
		s.all.time += p.time
		s.all.length += p.length
		first := n.ends[n.endsOf[v]]
		for _, e := range n.ends[n.endsOf[v]:n.endsOf[v+1]] {
			s.alike = s.alike && (e.up^first.up)>>n.lenBits == 0 && (e.down^first.down)>>n.lenBits == 0
		}
	}
	s.seen = make([]uint64, n.vertices())
	s.least, s.most = make([]uint64, n.vertices()), make([]uint64, n.vertices())
	s.now, s.next = make([]uint64, n.vertices()), make([]uint64, n.vertices())
	return s
}

// abreastOf is how many sources are searched from together, of a number of groups.
func (n *network) abreastOf(groups int) int {
	return min(max(fewLanes, searchBytes/max(1, 8*n.vertices()+16*int(n.forward))), max(fewLanes, groups/16), mostLanes)
}

// run measures the paths from the ends of at most mostLanes groups to all ends.
func (s *searcher) run(groups []group) {
	s.begin(groups)
	s.find()
	if s.show != nil {
		s.show(s)
	}
	if s.silent {
		return
	}
	var rows [mostLanes]row
	missed := uint64(0)
	for _, v := range s.targets {
		missed |= s.full &^ s.seen[v]
	}
	for b, g := range groups {
		rows[b] = s.row(g, b, missed>>b&1 > 0)
		rows[b].keepFast()
	}
	if s.open != 0 {
		for b := range groups {
			s.starts[b] = s.starts[b][:0]
		}
		s.lookForDetours(s.open)
		for b := range groups {
			if len(s.starts[b]) > 0 {
				s.correct(&rows[b], b)
			}
		}
	}
	for b, g := range groups {
		s.finish(g, &rows[b])
	}
}

// begin prepares a search from some groups.
func (s *searcher) begin(groups []group) {
	n := s.net
	s.groups, s.lanes, s.full = groups, len(groups), math.MaxUint64>>(mostLanes-len(groups))
	if size := n.vertices() * s.lanes; len(s.keys) < size {
		s.keys, s.paths = make([]uint64, size), make([]paths, int(n.forward)*s.lanes)
		s.ofTerminal, s.atSource = make([]paths, s.lanes), slices.Repeat([]paths{{count: 1}}, s.lanes)
	}
	clear(s.seen)
	s.open = 0
	for v := range s.least {
		s.least[v], s.most[v] = math.MaxUint64, 0
	}
	s.level = s.level[:0]
	for b, g := range groups {
		if s.now[g.at] == 0 {
			s.level = append(s.level, g.at)
		}
		s.now[g.at] |= 1 << b
		s.seen[g.at] |= 1 << b
		s.keys[int(g.at)*s.lanes+b], s.least[g.at] = 0, 0
		if g.at < n.forward {
			s.paths[int(g.at)*s.lanes+b] = paths{count: 1}
		}
		s.views[b] = view{}
		if s.alike && !s.silent {
			s.views[b].up, _ = n.split(n.ends[s.sources[g.first]].up)
			s.views[b].ups = uint64(g.last-g.first) * g.times
		}
	}
}

// find searches level by level.
func (s *searcher) find() {
	n := s.net
	left, bound := n.vertices()*s.lanes-s.lanes, 1.0
	for hops := uint64(1); len(s.level) > 0; hops++ {
		for _, u := range s.level {
			from := s.now[u]
			if left == 0 {
				continue
			}
			for _, a := range n.arcs[n.first[u]:n.first[u+1]] {
				if reached := from &^ s.seen[a.to]; reached != 0 {
					if s.next[a.to] == 0 {
						s.coming = append(s.coming, a.to)
					}
					s.next[a.to] |= reached
				}
			}
		}
		for _, v := range s.coming {
			reached := s.next[v]
			keys, to := s.keys[int(v)*s.lanes:][:s.lanes], s.ofTerminal
			if v < n.forward {
				to = s.paths[int(v)*s.lanes:]
			}
			s.gather(v, reached, keys, to[:s.lanes])
			if !s.silent {
				s.record(v, reached, keys, to[:s.lanes])
			}
			s.seen[v] |= reached
			left -= bits.OnesCount64(reached)
		}
		if bound *= s.degree; bound > manyPaths {
			s.rescale()
			bound = 1
		}
		s.count(hops)
		for _, u := range s.level {
			s.now[u] = 0
		}
		s.level = s.level[:0]
		for _, v := range s.coming {
			if v < n.forward {
				s.now[v] = s.next[v]
				s.level = append(s.level, v)
			}
			s.next[v] = 0
		}
		s.coming = s.coming[:0]
	}
}

// gather takes the paths over all arcs into v, for the lanes that reach it now.
func (s *searcher) gather(v uint32, reached uint64, keys []uint64, to []paths) {
	n, lanes := s.net, s.lanes
	entered := uint64(0)
	for _, a := range n.into[n.intoFirst[v]:n.intoFirst[v+1]] {
		over := s.now[a.to] & reached
		if over == 0 {
			continue
		}
		w := &n.weights[a.weight]
		fromKeys, from := s.keys[int(a.to)*lanes:][:len(keys)], s.atSource[:len(keys)]
		if a.to < n.forward {
			from = s.paths[int(a.to)*lanes:][:len(keys)]
		}
		to := to[:len(keys)]
		switch {
		case over == s.full && entered == 0:
			for b, key := range fromKeys {
				p := from[b]
				keys[b], to[b] = key+w.key, paths{p.count, p.sum + float64(p.count*w.time)}
			}
		case over == s.full && entered == s.full:
			for b, key := range fromKeys {
				p, q := from[b], &to[b]
				keys[b] = min(keys[b], key+w.key)
				q.count += p.count
				q.sum += p.sum + float64(p.count*w.time)
			}
		default:
			for m := over &^ entered; m != 0; m &= m - 1 {
				b := bits.TrailingZeros64(m)
				p := from[b]
				keys[b], to[b] = fromKeys[b]+w.key, paths{p.count, p.sum + float64(p.count*w.time)}
			}
			for m := over & entered; m != 0; m &= m - 1 {
				b := bits.TrailingZeros64(m)
				p, q := from[b], &to[b]
				keys[b] = min(keys[b], fromKeys[b]+w.key)
				q.count += p.count
				q.sum += p.sum + float64(p.count*w.time)
			}
		}
		entered |= over
	}
}

// rescale brings the paths to the vertices of the coming level to at most 1 in every lane, keeping their proportions
// down to 1e-200.
func (s *searcher) rescale() {
	var most [mostLanes]float64
	each := func(do func(b int, p *paths)) {
		for _, v := range s.coming {
			if v >= s.net.forward {
				continue
			}
			for m := s.next[v]; m != 0; m &= m - 1 {
				b := bits.TrailingZeros64(m)
				do(b, &s.paths[int(v)*s.lanes+b])
			}
		}
	}
	each(func(b int, p *paths) { most[b] = max(most[b], p.count) })
	each(func(b int, p *paths) {
		mean := p.sum / p.count
		p.count = max(p.count/most[b], 1e-200)
		p.sum = float64(mean * p.count)
	})
}

// record adds a vertex that lanes have reached to their views.
func (s *searcher) record(v uint32, reached uint64, keys []uint64, to []paths) {
	n := s.net
	least, most := s.least[v], s.most[v]
	p := n.at(v)
	if p.count == 0 {
		for m := reached; m != 0; m &= m - 1 {
			key := keys[bits.TrailingZeros64(m)]
			least, most = min(least, key), max(most, key)
		}
		s.least[v], s.most[v] = least, most
		return
	}
	s.found[p.maxHops] |= reached
	lenBits, shift, bins := n.lenBits&63, s.shift&63, s.bins
	mask := uint64(1)<<lenBits - 1
	count, maxTime, maxLength := p.count, p.maxTime, p.maxLength
	for m := reached; m != 0; m &= m - 1 {
		b := bits.TrailingZeros64(m)
		key, view := keys[b], &s.views[b&(mostLanes-1)]
		time, length := key>>lenBits, key&mask
		mean := uint64(int64(to[b].sum/to[b].count + 0.5))
		least, most = min(least, key), max(most, key)
		view.level += count
		view.key += count * key
		view.least += count * time
		view.mean += count * mean
		view.mostKey = max(view.mostKey, key)
		view.mostLeast = max(view.mostLeast, time+maxTime)
		view.mostMean = max(view.mostMean, mean+maxTime)
		view.mostLength = max(view.mostLength, length+maxLength)
		if s.alike { // maxTime is that of all ends
			bins[(view.up+time+maxTime)>>shift] += view.ups * count
		}
	}
	s.least[v], s.most[v] = least, most
}

// count counts the hops to the vertices of the coming level, which have been recorded.
func (s *searcher) count(hops uint64) {
	fastest := uint64(math.MaxUint64) // of a path with more hops, if all its arcs are as fast as the fastest of all
	if len(s.net.weights) > 0 {
		fastest = (hops + s.net.more) * s.net.weights[0].key
	}
	for b := range s.groups {
		view := &s.views[b]
		view.hops += hops * view.level
		view.level = 0
		if view.mostKey > fastest {
			s.open |= 1 << b
		}
		for more, lanes := range s.found {
			if lanes>>b&1 > 0 {
				view.mostHops = hops + uint64(more)
			}
		}
	}
	s.found = [2]uint64{}
}

// row is what a lane has found of the fastest hop-minimal paths, the source's own ends as targets included. It may have
// missed some targets.
func (s *searcher) row(g group, b int, missed bool) row {
	n, v := s.net, &s.views[b]
	r := s.tally.begin(g)
	all, own := s.all, n.at(g.at)
	for _, u := range s.targets {
		if s.alike && !missed {
			break
		}
		if s.seen[u]>>b&1 == 0 {
			p := n.at(u)
			all.count -= p.count
			all.hops -= p.hops
			all.time -= p.time
			all.length -= p.length
		} else if !s.alike && u != g.at {
			s.ends.wait(s.keys[int(u)*s.lanes+b]>>n.lenBits, n.at(u).down)
		}
	}
	if n.plain { // its own end is left out
		all.count -= own.count
		all.hops -= own.hops
		all.time -= own.time
		all.length -= own.length
	}
	r.sums = sums{
		pairs: all.count, hops: v.hops + all.hops, least: v.least + all.time, mean: v.mean + all.time,
		length: v.key - v.least<<n.lenBits + all.length,
	}
	r.peaks = peaks{hops: v.mostHops, least: v.mostLeast, mean: v.mostMean, length: v.mostLength}
	return r
}

// lookForDetours lists, by lane, the vertices from which an arc leads sooner to another. Only where an arc leads sooner
// from the least key of its tail to the greatest of its head may it do so in a lane.
func (s *searcher) lookForDetours(open uint64) {
	n, lanes := s.net, s.lanes
	peak := uint64(0)
	for b := range s.groups {
		peak = max(peak, s.views[b].mostKey)
	}
	for u := range int(n.forward) {
		least := s.least[u]
		if least >= peak {
			continue
		}
		sooner := uint64(0)
		from := s.keys[u*lanes:][:lanes]
		for _, a := range n.arcs[n.first[u]:n.first[u+1]] {
			key := n.weights[a.weight].key
			if least+key >= peak { // so are those that follow
				break
			}
			if least+key >= s.most[a.to] {
				continue
			}
			to := s.keys[int(a.to)*lanes:][:len(from)]
			for b, far := range from {
				if far+key < to[b] {
					sooner |= 1 << (b & (mostLanes - 1))
				}
			}
		}
		for m := sooner & s.seen[u] & open; m != 0; m &= m - 1 {
			b := bits.TrailingZeros64(m)
			s.starts[b] = append(s.starts[b], uint32(u))
		}
	}
}

// correct goes on from the arcs that lead to a vertex sooner.
func (s *searcher) correct(r *row, b int) {
	c := s.faster
	c.forget()
	c.dist, c.stride, c.lane, c.seen = s.keys, s.lanes, b, s.seen
	c.source = s.groups[b].at
	c.bound = s.views[b].mostKey - min(s.views[b].mostKey, s.net.weights[0].key)
	for _, u := range s.starts[b] {
		c.relax(u)
	}
	if c.settle() {
		s.recordFast(r, c)
	}
}
