package measure

import "github.com/plenum-planner/plenum/topology"

// minimalFinder finds the paths with the fewest hops between two vertices,
// again and again in the same graph: a search touches only what is nearer than
// its end.
type minimalFinder struct {
	out, in *topology.CSR
	// forward tells which vertices paths may lead through; nil means all.
	forward func(v int) bool
	// without is a vertex and a link that paths avoid, -1 for none.
	withoutVertex, withoutLink int32

	hops  []int32 // from the beginning of the search, -1 where it did not come
	local []int32 // number in the answer, -1 for none
	queue []int32
}

func newMinimalFinder(c *topology.CSR, forward func(v int) bool) *minimalFinder {
	f := &minimalFinder{
		out: c, in: reverseCSR(c), forward: forward, withoutVertex: -1, withoutLink: -1,
		hops: make([]int32, c.Vertices()), local: make([]int32, c.Vertices()),
	}
	for v := range f.hops {
		f.hops[v], f.local[v] = -1, -1
	}
	return f
}

// find returns the arcs of all paths with the fewest hops, without numbers of
// links, and their number of hops. In the result, to is vertex 0 and from is the
// last one. Without a path, paths is nil and hops -1.
func (f *minimalFinder) find(from, to int) (paths *topology.CSR, hops int) {
	f.search(from, to)
	defer func() {
		for _, v := range f.queue {
			f.hops[v] = -1
		}
	}()
	if f.hops[to] < 0 {
		return nil, -1
	}
	// Back from the end, a vertex with fewer hops never comes before one with
	// more: the last is from.
	back := []int32{int32(to)}
	f.local[to] = 0
	var tails, heads []int32
	for i := 0; i < len(back); i++ {
		v := back[i]
		for e := f.in.First[v]; e < f.in.First[v+1]; e++ {
			u := f.in.To[e]
			if f.hops[u] < 0 || f.hops[u] != f.hops[v]-1 || f.in.Link[e] == f.withoutLink || !f.leads(u, from) {
				continue
			}
			if f.local[u] < 0 {
				f.local[u] = int32(len(back))
				back = append(back, u)
			}
			tails, heads = append(tails, f.local[u]), append(heads, int32(i))
		}
	}
	for _, v := range back {
		f.local[v] = -1
	}
	x := newArcs(len(back), func(add func(a, b int32)) {
		for i, t := range tails {
			add(t, heads[i])
		}
	})
	return &topology.CSR{First: x.first, To: x.to}, int(f.hops[to])
}

// search sets hops for all vertices nearer than to, and for to; -1 for others.
func (f *minimalFinder) search(from, to int) {
	f.hops[from] = 0
	f.queue = append(f.queue[:0], int32(from))
	for i := 0; i < len(f.queue); i++ {
		v := f.queue[i]
		if f.hops[to] >= 0 && f.hops[v] >= f.hops[to] {
			return
		}
		if !f.leads(v, from) {
			continue
		}
		for e := f.out.First[v]; e < f.out.First[v+1]; e++ {
			w := f.out.To[e]
			if f.hops[w] < 0 && w != f.withoutVertex && f.out.Link[e] != f.withoutLink {
				f.hops[w] = f.hops[v] + 1
				f.queue = append(f.queue, w)
			}
		}
	}
}

// leads reports whether paths go on from v.
func (f *minimalFinder) leads(v int32, from int) bool {
	return int(v) == from || f.forward == nil || f.forward(int(v))
}

// reverseCSR returns the arcs of c in the opposite direction. Numbers of links are
// kept, 0 if c has none.
func reverseCSR(c *topology.CSR) *topology.CSR {
	r := &topology.CSR{
		First: make([]int64, len(c.First)+1), To: make([]int32, len(c.To)),
		Link: make([]int32, len(c.To)),
	}
	for _, w := range c.To {
		r.First[w+2]++
	}
	for v := range c.Vertices() {
		r.First[v+2] += r.First[v+1]
	}
	for v := range int32(c.Vertices()) {
		for e := c.First[v]; e < c.First[v+1]; e++ {
			at := &r.First[c.To[e]+1]
			r.To[*at] = v
			if c.Link != nil {
				r.Link[*at] = c.Link[e]
			}
			*at++
		}
	}
	r.First = r.First[:len(c.First)]
	return r
}
