package delay

import "math"

// corrector finds the fastest paths of all, of any number of hops, from the
// fastest among those with the fewest hops: these bound the delays from above,
// and where no arc leads to a vertex sooner they are the fastest (R. Bellman, "On
// a routing problem", Quarterly of Applied Mathematics 16, 1958). Where one does,
// the better delay spreads by Dijkstra's algorithm, which settles the vertices
// it concerns once each and leaves the others alone. In a real machine a hop
// costs more than a few metres, so that there are few of them.
type corrector struct {
	net     *network
	dist    []uint64 // keys from the source, of the vertices reached
	source  uint32
	reached []uint32 // the source first, or all vertices
	levels  []span   // of reached, if a search has found it level by level
	heap    []candidate
	bound   uint64   // from vertices with such a key or a greater, no arc leads sooner to any
	old     []uint64 // keys before, of the vertices concerned
	changed []uint32 // these
	mark    []bool   // by vertex, for them
	looked  uint64   // arcs that were looked at so far
}

// span is the vertices of a level of a search, and the least and the greatest of their keys.
type span struct {
	first, last int // range of corrector.reached
	least, most uint64
}

// candidate is a vertex that may be reached by a key.
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

// start begins at a source.
func (c *corrector) start(source uint32) {
	c.source = source
	c.reached = append(c.reached[:0], source)
	c.levels = append(c.levels[:0], span{last: 1})
	c.dist[source] = 0
}

// reach takes the vertices of a level of the search.
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

// run makes the delays the least there are and reports whether any changed.
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

// forget makes ready for another source.
func (c *corrector) forget() {
	for _, v := range c.changed {
		c.mark[v] = false
	}
	c.changed, c.old, c.heap = c.changed[:0], c.old[:0], c.heap[:0]
}

// settle spreads the delays that were lowered.
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

// detourable reports whether a path with more hops than a level has could be faster
// than one that leads there: if all its arcs were as fast as the fastest of all.
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

// moreHops is how many hops the paths between two vertices have more than the
// fewest, if they do: at least two in a network of two sides without arcs within
// either.
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

// relax follows the arcs of u.
func (c *corrector) relax(u uint32) {
	n, from := c.net, c.dist[u]
	c.looked += uint64(n.first[u+1] - n.first[u])
	for _, a := range n.arcs[n.first[u]:n.first[u+1]] {
		if key := from + n.weights[a.weight].key; key < c.dist[a.to] {
			c.lower(a.to, key)
		}
	}
}

func (c *corrector) lower(v uint32, key uint64) {
	if !c.mark[v] {
		c.mark[v] = true
		c.changed = append(c.changed, v)
		c.old = append(c.old, c.dist[v])
	}
	c.dist[v] = key
	c.push(candidate{key, v})
}

// push and pop keep a binary heap, the least key first.
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

// replace puts the key of a faster path to the ends of a place in a row in place of that before, and reports whether
// what was the greatest is so no more.
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

// recordFast puts the delays of the fastest paths into a row in place of those
// of the fastest hop-minimal ones.
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
	if !lowered { // what was the greatest still is, or a longer way that is faster
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
