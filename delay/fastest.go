package delay

import "math"

// corrector finds the fastest paths with any number of hops, starting from the fastest paths with the fewest hops. The
// delays of these are upper bounds, and they are the minimum if no arc leads to any vertex sooner (R. Bellman, "On a
// routing problem", Quarterly of Applied Mathematics 16, 1958). If an arc does, Dijkstra's algorithm propagates the
// lower delay; it visits only the vertices whose delay changes. These are few in a real machine, in which a hop costs
// more than a few metres of cable.
type corrector struct {
	net     *network
	dist    []uint64 // key from the source of every vertex reached
	source  uint32
	reached []uint32    // vertices reached: the source first, or all vertices
	levels  []span      // the levels of reached, if a search found it level by level
	heap    []candidate // vertices whose key was lowered
	bound   uint64      // vertices with this key or a higher one lead to no vertex sooner
	changed []uint32    // vertices whose key was lowered
	old     []uint64    // the keys of changed before that
	mark    []bool      // by vertex: whether it is in changed
	looked  uint64      // number of arcs looked at so far
}

// span is a level of a search: its vertices, and the lowest and the highest of their keys.
type span struct {
	first, last int // range of corrector.reached
	least, most uint64
}

// candidate is an entry of the heap: a vertex and its key at that time.
type candidate struct {
	key uint64
	v   uint32
}

func newCorrector(n *network) *corrector {
	return &corrector{
		net: n, dist: make([]uint64, n.vertices()), reached: make([]uint32, 0, n.vertices()),
		mark: make([]bool, n.vertices()),
	}
}

// start prepares for a search from a source.
func (c *corrector) start(source uint32) {
	c.source = source
	c.reached = append(c.reached[:0], source)
	c.levels = append(c.levels[:0], span{last: 1})
	c.dist[source] = 0
}

// reach adds the vertices of the next level of the search.
func (c *corrector) reach(level []state) {
	l := span{len(c.reached), len(c.reached) + len(level), math.MaxUint64, 0}
	for i := range level {
		key := level[i].key
		c.dist[level[i].v] = key
		c.reached = append(c.reached, level[i].v)
		l.least, l.most = min(l.least, key), max(l.most, key)
	}
	c.levels = append(c.levels, l)
}

// run lowers the keys in dist to those of the fastest paths, and reports whether any changed.
func (c *corrector) run() bool {
	c.forget()
	c.bound = 0
	for _, u := range c.reached {
		c.bound = max(c.bound, c.dist[u])
	}
	if len(c.net.weights) > 0 {
		c.bound -= min(c.bound, c.net.weights[0].key)
	}
	for _, u := range c.reached {
		if c.dist[u] < c.bound && (u < c.net.forward || u == c.source) {
			c.relax(u)
		}
	}
	return c.settle()
}

// forget clears the changes of the previous source.
func (c *corrector) forget() {
	for _, v := range c.changed {
		c.mark[v] = false
	}
	c.changed, c.old, c.heap = c.changed[:0], c.old[:0], c.heap[:0]
}

// settle propagates the keys that were lowered, by Dijkstra's algorithm, and reports whether there were any.
func (c *corrector) settle() bool {
	if len(c.heap) == 0 {
		return false
	}
	for len(c.heap) > 0 {
		top := c.pop()
		if top.key == c.dist[top.v] && top.key < c.bound && top.v < c.net.forward {
			c.relax(top.v)
		}
	}
	return true
}

// detourable reports whether a path with more than the given hops could be faster than a hop-minimal one to a vertex of
// the level: it assumes that every arc of such a path is as fast as the fastest arc of the network.
func (n *network) detourable(level []state, hops uint64) bool {
	if len(n.weights) == 0 {
		return false
	}
	least := (hops + n.more) * n.weights[0].key
	for i := range level {
		if level[i].key > least {
			return true
		}
	}
	return false
}

// moreHops returns the lowest number of hops that a path which is not hop-minimal has more than a hop-minimal one: 2 in
// a bipartite network, else 1.
func (n *network) moreHops() uint64 {
	side := make([]int8, n.vertices())
	var queue []uint32
	for root := range side {
		if side[root] != 0 {
			continue
		}
		side[root] = 1
		queue = append(queue[:0], uint32(root))
		for len(queue) > 0 {
			v := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			for _, a := range n.arcs[n.first[v]:n.first[v+1]] {
				switch side[a.to] {
				case 0:
					side[a.to] = -side[v]
					queue = append(queue, a.to)
				case side[v]:
					return 1
				}
			}
		}
	}
	return 2
}

// relax follows the arcs of u and lowers the keys of the vertices that it reaches sooner.
func (c *corrector) relax(u uint32) {
	n, from := c.net, c.dist[u]
	c.looked += uint64(n.first[u+1] - n.first[u])
	for _, a := range n.arcs[n.first[u]:n.first[u+1]] {
		if key := from + n.weights[a.weight].key; key < c.dist[a.to] {
			c.lower(a.to, key)
		}
	}
}

// lower sets a lower key of a vertex.
func (c *corrector) lower(v uint32, key uint64) {
	if !c.mark[v] {
		c.mark[v] = true
		c.changed = append(c.changed, v)
		c.old = append(c.old, c.dist[v])
	}
	c.dist[v] = key
	c.push(candidate{key, v})
}

// push adds to the binary heap, whose first element has the lowest key.
func (c *corrector) push(x candidate) {
	c.heap = append(c.heap, x)
	i := len(c.heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if c.heap[up].key <= x.key {
			break
		}
		c.heap[i] = c.heap[up]
		i = up
	}
	c.heap[i] = x
}

// pop removes the candidate with the lowest key.
func (c *corrector) pop() candidate {
	top, last := c.heap[0], len(c.heap)-1
	x := c.heap[last]
	c.heap = c.heap[:last]
	i := 0
	for {
		down := 2*i + 1
		if down >= last {
			break
		}
		if down+1 < last && c.heap[down+1].key < c.heap[down].key {
			down++
		}
		if c.heap[down].key >= x.key {
			break
		}
		c.heap[i] = c.heap[down]
		i = down
	}
	if last > 0 {
		c.heap[i] = x
	}
	return top
}

// replace replaces the key of the fastest path to the ends of a place by a lower one in the sums of a row. It reports
// whether the old key had the maximum delay or length of the row (most), which must then be computed again.
func (n *network) replace(r *row, most *peaks, p *place, old, key uint64) (lowered bool) {
	before, lengthBefore := n.split(old)
	now, lengthNow := n.split(key)
	r.sums.fast -= p.count * (before - now)
	r.sums.reach += p.count * (lengthNow - lengthBefore) // modulo 2^64
	if now < before {
		r.detours += p.count
	}
	r.raise(peaks{fast: now + p.maxTime, reach: lengthNow + p.maxLength})
	return before+p.maxTime == most.fast || lengthBefore+p.maxLength == most.reach
}

// recordFast replaces the delays of the fastest hop-minimal paths in a row by those of the fastest paths.
func (t *tally) recordFast(r *row, c *corrector) {
	n := t.net
	most, lowered := r.peaks, false
	for i, v := range c.changed {
		p := n.at(v)
		if p.count == 0 {
			continue
		}
		lowered = n.replace(r, &most, p, c.old[i], c.dist[v]) || lowered
	}
	if !lowered { // the maxima are the old ones, or those of longer paths that are faster
		return
	}
	r.peaks.fast, r.peaks.reach = 0, 0
	for _, v := range c.reached {
		if p := n.at(v); p.count > 0 && v != c.source {
			time, length := n.split(c.dist[v])
			r.raise(peaks{fast: time + p.maxTime, reach: length + p.maxLength})
		}
	}
}
