package search

import (
	"math/bits"
	"slices"
)

// gridDistances adds up distances by breadth-first searches from many sources at once: a bit for each source, and for
// each vertex the set of the sources that have reached it.
type gridDistances struct {
	nodes, degree int
	blocks        []sourceBlock
	one, oneNext  []uint64 // the sets of a block of up to 64 sources, now and a hop later
	two, twoNext  [][2]uint64
	four, fourth  [][4]uint64
}

// A sourceBlock is sources that are searched from together.
type sourceBlock struct {
	sources []int32 // up to 256
	weight  int64   // how many vertices each stands for
	// far[h] is a lower bound on what is still to be added when h hops are done: for every later hop the pairs that
	// are too far apart on the floor to be joined by then. It ends with a zero.
	far []int64
	all int64 // the sum of far[0] of the blocks that follow, with their weights
}

// newGridDistances prepares searches on graphs over the points of a grid, from the lowest vertex of every orbit.
func newGridDistances(g *grid) *gridDistances {
	d := &gridDistances{nodes: g.nodes, degree: g.degree}
	add := func(sources []int32, weight int64) {
		for len(sources) > 0 {
			n := min(len(sources), 256)
			d.blocks = append(d.blocks, sourceBlock{sources: sources[:n], weight: weight, far: g.far(sources[:n])})
			sources = sources[n:]
		}
	}
	var whole, fixed []int32
	for v := range int32(g.nodes) {
		switch orbit := g.orbits[v][:g.symmetry]; {
		case g.symmetry > 1 && orbit[1] == v:
			fixed = append(fixed, v)
		case slices.Min(orbit) == v:
			whole = append(whole, v)
		}
	}
	add(whole, int64(g.symmetry))
	add(fixed, 1)
	for i := len(d.blocks) - 2; i >= 0; i-- {
		next := &d.blocks[i+1]
		d.blocks[i].all = next.all + next.weight*next.far[0]
	}
	d.one, d.oneNext = make([]uint64, g.nodes), make([]uint64, g.nodes)
	d.two, d.twoNext = make([][2]uint64, g.nodes), make([][2]uint64, g.nodes)
	d.four, d.fourth = make([][4]uint64, g.nodes), make([][4]uint64, g.nodes)
	return d
}

// sum is the sum of the distances over ordered pairs and the diameter. A pair that is not connected counts as many
// hops as there are vertices. A sum above limit is given up as soon as it is known to be: what is returned then is a
// number above limit.
func (d *gridDistances) sum(neighbours []int32, limit int64) (total int64, diameter int) {
	for i := range d.blocks {
		b := &d.blocks[i]
		if total+b.weight*b.far[0]+b.all > limit {
			return limit + 1, 0
		}
		most := (limit - total - b.all) / b.weight
		var part int64
		var hops int
		switch n := len(b.sources); {
		case n <= 64:
			part, hops = d.from64(neighbours, b, most)
		case n <= 128:
			part, hops = d.from128(neighbours, b, most)
		default:
			part, hops = d.from256(neighbours, b, most)
		}
		if part > most {
			return limit + 1, 0
		}
		total += b.weight * part
		diameter = max(diameter, hops)
	}
	return total, diameter
}

// A hopCount adds up distances as the sum over hops of the pairs that are farther apart.
type hopCount struct {
	block           *sourceBlock
	pairs, reached  int64
	sum, limit      int64
	hops, unrelated int
}

func (d *gridDistances) newHopCount(b *sourceBlock, limit int64) hopCount {
	n := int64(len(b.sources))
	return hopCount{block: b, pairs: n * int64(d.nodes), reached: n, limit: limit, unrelated: d.nodes}
}

// next takes the pairs that are joined after one hop more, and reports whether to go on.
func (c *hopCount) next(reached int64) bool {
	left := c.pairs - c.reached
	if reached == c.reached { // nothing joins the others
		c.sum += left * int64(c.unrelated-c.hops)
		return false
	}
	c.sum += left
	c.hops++
	c.reached = reached
	if c.reached == c.pairs {
		return false
	}
	// Each pair that is left is at least one hop more.
	far := max(c.pairs-c.reached, c.block.far[min(c.hops, len(c.block.far)-1)])
	if c.sum+far > c.limit {
		c.sum = c.limit + 1
		return false
	}
	return true
}

func (d *gridDistances) from64(neighbours []int32, b *sourceBlock, limit int64) (int64, int) {
	now, next := d.one, d.oneNext
	clear(now)
	for i, v := range b.sources {
		now[v] |= 1 << i
	}
	c := d.newHopCount(b, limit)
	for {
		reached := 0
		for v, rest := 0, neighbours; v < len(now); v, rest = v+1, rest[d.degree:] {
			x := now[v]
			for _, w := range rest[:d.degree] {
				x |= now[w]
			}
			next[v] = x
			reached += bits.OnesCount64(x)
		}
		if !c.next(int64(reached)) {
			return c.sum, c.hops
		}
		now, next = next, now
	}
}

func (d *gridDistances) from128(neighbours []int32, b *sourceBlock, limit int64) (int64, int) {
	now, next := d.two, d.twoNext
	clear(now)
	for i, v := range b.sources {
		now[v][i/64] |= 1 << (i % 64)
	}
	c := d.newHopCount(b, limit)
	for {
		reached := 0
		for v, rest := 0, neighbours; v < len(now); v, rest = v+1, rest[d.degree:] {
			x0, x1 := now[v][0], now[v][1]
			for _, w := range rest[:d.degree] {
				y := &now[w]
				x0 |= y[0]
				x1 |= y[1]
			}
			next[v] = [2]uint64{x0, x1}
			reached += bits.OnesCount64(x0) + bits.OnesCount64(x1)
		}
		if !c.next(int64(reached)) {
			return c.sum, c.hops
		}
		now, next = next, now
	}
}

func (d *gridDistances) from256(neighbours []int32, b *sourceBlock, limit int64) (int64, int) {
	now, next := d.four, d.fourth
	clear(now)
	for i, v := range b.sources {
		now[v][i/64] |= 1 << (i % 64)
	}
	c := d.newHopCount(b, limit)
	for {
		reached := 0
		for v, rest := 0, neighbours; v < len(now); v, rest = v+1, rest[d.degree:] {
			x0, x1, x2, x3 := now[v][0], now[v][1], now[v][2], now[v][3]
			for _, w := range rest[:d.degree] {
				y := &now[w]
				x0 |= y[0]
				x1 |= y[1]
				x2 |= y[2]
				x3 |= y[3]
			}
			next[v] = [4]uint64{x0, x1, x2, x3}
			reached += bits.OnesCount64(x0) + bits.OnesCount64(x1) + bits.OnesCount64(x2) + bits.OnesCount64(x3)
		}
		if !c.next(int64(reached)) {
			return c.sum, c.hops
		}
		now, next = next, now
	}
}
