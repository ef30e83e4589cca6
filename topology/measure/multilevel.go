package measure

import (
	"math"
	"math/rand/v2"
)

// multilevel partitions the vertices into two sides, as equal as their weights
// allow: it partitions a coarser graph and refines the result here.
func (p *cutGraph) multilevel(rng *rand.Rand) []uint8 {
	const coarsest = 60
	if p.vertices() > coarsest {
		if c, into := p.coarser(rng); c.vertices() < p.vertices()*19/20 {
			coarse := c.multilevel(rng)
			side := make([]uint8, p.vertices())
			for v, to := range into {
				side[v] = coarse[to]
			}
			p.balance(side)
			p.refine(side, p.slack())
			return side
		}
	}
	var best []uint8
	least := int64(math.MaxInt64)
	for range 8 {
		side := p.grow(rng)
		p.balance(side)
		p.refine(side, p.slack())
		if cut := p.cutWeight(side); cut < least {
			best, least = side, cut
		}
	}
	return best
}

// grow collects half the ends around a random vertex, always the neighbour
// that adds the fewest channels to the cut.
func (p *cutGraph) grow(rng *rand.Rand) []uint8 {
	n := p.vertices()
	side := make([]uint8, n)
	h := p.newGains(1)[0]
	for v := range side {
		side[v] = 1
		for i := p.first[v]; i < p.first[v+1]; i++ {
			h.gain[v] -= p.width[i]
		}
	}
	for sum := int64(0); sum < p.total/2; {
		v := h.best()
		if v == none {
			v = int32(rng.IntN(n))
			for side[v] == 0 {
				v = (v + 1) % int32(n)
			}
		} else {
			h.remove(v)
		}
		side[v] = 0
		sum += p.weight[v]
		for i := p.first[v]; i < p.first[v+1]; i++ {
			u := p.to[i]
			if side[u] == 0 {
				continue
			}
			if h.holds(u) {
				h.change(u, 2*p.width[i])
				continue
			}
			h.gain[u] += 2 * p.width[i]
			h.push(u)
		}
	}
	return side
}

// coarser merges each vertex with the neighbour that it shares most channels
// with, in random order, and returns the merged graph and the vertex there of
// every vertex. Vertices with a single neighbour join it, however many. No merged
// vertex weighs more than a twentieth of all.
func (p *cutGraph) coarser(rng *rand.Rand) (*cutGraph, []int32) {
	n := p.vertices()
	into := make([]int32, n)
	for v := range into {
		into[v] = -1
	}
	limit := max(1, p.total/20)
	var weight []int64
	single := func(v int32) bool { return p.first[v+1]-p.first[v] == 1 }
	for _, i := range rng.Perm(n) {
		v := int32(i)
		if into[v] >= 0 || single(v) {
			continue
		}
		best, most := int32(-1), int64(0)
		for i := p.first[v]; i < p.first[v+1]; i++ {
			if u := p.to[i]; into[u] < 0 && !single(u) && p.width[i] > most && p.weight[u]+p.weight[v] <= limit {
				best, most = u, p.width[i]
			}
		}
		into[v] = int32(len(weight))
		weight = append(weight, p.weight[v])
		if best >= 0 {
			into[best] = into[v]
			weight[into[v]] += p.weight[best]
		}
	}
	for v := range into {
		if into[v] >= 0 {
			continue
		}
		if to := into[p.to[p.first[v]]]; to >= 0 && weight[to]+p.weight[v] <= limit {
			into[v] = to
			weight[to] += p.weight[v]
			continue
		}
		into[v] = int32(len(weight))
		weight = append(weight, p.weight[v])
	}
	return p.merge(into, weight), into
}

// merge returns the graph of the merged vertices, its parallel edges added up.
func (p *cutGraph) merge(into []int32, weight []int64) *cutGraph {
	m := len(weight)
	members := newArcs(m, func(add func(a, b int32)) {
		for v, to := range into {
			add(to, int32(v))
		}
	})
	c := &cutGraph{weight: weight, total: p.total, first: make([]int64, 1, m+1)}
	c.to, c.width = make([]int32, 0, len(p.to)), make([]int64, 0, len(p.to))
	at := make([]int64, m) // place of the edge to each vertex, if not below the row's first
	for v := range at {
		at[v] = -1
	}
	for x := range int32(m) {
		begin := int64(len(c.to))
		for _, v := range members.of(x) {
			for i := p.first[v]; i < p.first[v+1]; i++ {
				y := into[p.to[i]]
				if y == x {
					continue
				}
				if at[y] < begin {
					at[y] = int64(len(c.to))
					c.to = append(c.to, y)
					c.width = append(c.width, 0)
				}
				c.width[at[y]] += p.width[i]
			}
		}
		c.first = append(c.first, int64(len(c.to)))
	}
	return c
}
