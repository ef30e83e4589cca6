package delay

// corrector finds the fastest paths of all, of any number of hops, from the
// fastest among those with the fewest hops: these bound the delays from above,
// and where no arc leads to a vertex sooner they are the fastest (R. Bellman, "On
// a routing problem", Quarterly of Applied Mathematics 16, 1958). Where one does,
// the better delay spreads by Dijkstra's algorithm, which settles the vertices
// it concerns once each and leaves the others alone. In a real machine a hop
// costs more than a few metres, so that there are few of them.
type corrector struct {
	net     *network
	dist    []uint64 // keys from the source, of the vertices reached: of vertex v at v*stride+lane
	stride  int
	lane    int
	seen    []uint64 // by vertex: has the bit of the lane if it was reached; nil if reached has these
	source  uint32
	reached []uint32
	heap    []candidate
	bound   uint64   // from vertices with such a key or a greater, no arc leads sooner to any
	old     []uint64 // keys before, of the vertices concerned
	changed []uint32 // these
	mark    []bool   // by vertex, for them
}

// candidate is a vertex that may be reached by a key.
type candidate struct {
	key uint64
	v   uint32
}

// newCorrector has no keys yet.
func newCorrector(n *network) *corrector {
	return &corrector{net: n, stride: 1, mark: make([]bool, n.vertices())}
}

// at is the key of a vertex.
func (c *corrector) at(v uint32) *uint64 { return &c.dist[int(v)*c.stride+c.lane] }

// run makes the delays the least there are and tells whether any changed.
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
		if top.key == *c.at(top.v) && top.key < c.bound && top.v < c.net.forward {
			c.relax(top.v)
		}
	}
	return true
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
	n, from := c.net, *c.at(u)
	for _, a := range n.arcs[n.first[u]:n.first[u+1]] {
		if key := from + n.weights[a.weight].key; key < *c.at(a.to) {
			c.lower(a.to, key)
		}
	}
}

func (c *corrector) lower(v uint32, key uint64) {
	if !c.mark[v] {
		c.mark[v] = true
		c.changed = append(c.changed, v)
		c.old = append(c.old, *c.at(v))
	}
	*c.at(v) = key
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

// replace puts the key of a faster path to the ends of a place in a row in place of that before, and tells whether what
// was the greatest is so no more.
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
		lowered = n.replace(r, &most, p, c.old[i], *c.at(v)) || lowered
	}
	if !lowered { // what was the greatest still is, or a longer way that is faster
		return
	}
	r.peaks.fast, r.peaks.reach = 0, 0
	raise := func(v uint32) {
		if p := n.at(v); p.count > 0 && v != c.source {
			time, length := n.split(*c.at(v))
			r.raise(peaks{fast: time + p.maxTime, reach: length + p.maxLength})
		}
	}
	if c.seen == nil {
		for _, v := range c.reached {
			raise(v)
		}
		return
	}
	for v, lanes := range c.seen {
		if lanes>>c.lane&1 != 0 {
			raise(uint32(v))
		}
	}
}
