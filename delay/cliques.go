package delay

import (
	"cmp"
	"math"
	"slices"
)

const (
	// fewMembers is the size from which a clique is kept: in smaller ones there is nothing to save.
	fewMembers = 4
	// coverSteps is how many steps an arc the cliques are looked for, at most.
	coverSteps = 256
	// manyMembers is the size above which the slack of a clique is only bounded.
	manyMembers = 128
)

// cover is the arcs of a network by cliques, vertices of which any two have a link: the rows of a HyperX, the groups of
// a dragonfly. Every link is in one clique at most. Once a search has followed the arcs of one member into a clique, it
// has reached all others, and those found then need not follow theirs.
type cover struct {
	arcs     []arc     // of every vertex, clique by clique; those in none come last, the fastest first
	segments []segment // of arcs
	first    []uint32  // segments of v are segments[first[v]:first[v+1]]
	members  [][]uint32
	// By arc from x into a clique: vertex u, to which it leads, leads to no member sooner unless the key of u is less
	// than that of x and the slack, if x has led to all of them.
	slack   []uint64
	least   []uint64 // by clique, the key of the fastest arc
	singles bool     // there are arcs in no clique
}

// segment is the arcs of a vertex into a clique, or those into none.
type segment struct {
	first, last uint32 // range of the arcs
	clique      uint32 // alone if none
	least       uint64 // key of the fastest
}

// alone is the clique of what is in none.
const alone = 0

func (c *cover) of(v uint32) []segment { return c.segments[c.first[v]:c.first[v+1]] }

// none is the arcs of v that are in no clique, nil if there are none.
func (c *cover) none(v uint32) *segment {
	last := c.first[v+1]
	if last == c.first[v] || c.segments[last-1].clique != alone {
		return nil
	}
	return &c.segments[last-1]
}

// newCover returns nil for a network without cliques.
func newCover(n *network) *cover {
	if n.more > 1 { // no three vertices are linked to each other
		return nil
	}
	f := cliqueFinder{
		net: n, clique: make([]uint32, len(n.arcs)), members: make([][]uint32, 1),
		count: make([]uint32, n.vertices()), seen: make([]uint32, n.vertices()),
		member: make([]bool, n.vertices()), common: make([]bool, n.vertices()), left: coverSteps * len(n.arcs),
	}
	for u := range n.forward {
		f.from(u)
	}
	if len(f.members) == 1 {
		return nil
	}
	return f.cover()
}

// cliqueFinder takes links into cliques, one clique after the other.
type cliqueFinder struct {
	net     *network
	clique  []uint32 // of every arc
	members [][]uint32
	count   []uint32 // how many members of the clique under way a vertex is linked to
	member  []bool   // which vertices these are
	common  []bool   // neighbours of both first members, while they are listed
	list    []uint32 // scratch: those that may join these two
	seen    []uint32 // number of the look at neighbours in which a vertex was last met
	looks   uint32
	left    int // steps
}

// free calls do for the different neighbours of u over links in no clique.
func (f *cliqueFinder) free(u uint32, do func(v uint32)) {
	n := f.net
	f.looks++
	f.left -= int(n.first[u+1] - n.first[u])
	for i := n.first[u]; i < n.first[u+1]; i++ {
		v := n.arcs[i].to
		if f.clique[i] == alone && v < n.forward && v != u && f.seen[v] != f.looks {
			f.seen[v] = f.looks
			do(v)
		}
	}
}

// from finds cliques in which u is the first.
func (f *cliqueFinder) from(u uint32) {
	var later []uint32
	f.free(u, func(v uint32) {
		if v > u {
			later = append(later, v)
		}
	})
	slices.Sort(later)
	tried := map[uint32]bool{}
	for _, v := range later {
		if f.left < 0 {
			return
		}
		if tried[v] {
			continue
		}
		tried[v] = true
		if members := f.grow(u, v, later, tried); len(members) >= fewMembers {
			f.take(members)
			for _, m := range members {
				tried[m] = true
			}
		}
	}
}

// grow lists a clique with u, v and others of a list, but for those that are to be left out. Of these, the ones
// linked to many others come first: a vertex that is linked to u and v by chance keeps none out that belong together.
func (f *cliqueFinder) grow(u, v uint32, of []uint32, without map[uint32]bool) []uint32 {
	f.free(v, func(x uint32) { f.common[x] = true })
	back := f.common[u]
	list := f.list[:0]
	for _, x := range of {
		if f.common[x] && !without[x] {
			list = append(list, x)
		}
	}
	f.list = list
	f.free(v, func(x uint32) { f.common[x] = false })
	if !back || len(list) < fewMembers-2 {
		return nil
	}
	for _, x := range list {
		f.free(x, func(y uint32) { f.count[y]++ })
	}
	slices.SortStableFunc(list, func(a, b uint32) int { return cmp.Compare(f.count[b], f.count[a]) })
	for _, x := range list {
		f.free(x, func(y uint32) { f.count[y] = 0 })
	}
	var members []uint32
	join := func(x uint32) {
		members = append(members, x)
		f.member[x] = true
		f.free(x, func(y uint32) { f.count[y]++ })
	}
	join(u)
	join(v)
	for _, x := range list {
		if f.count[x] < uint32(len(members)) {
			continue
		}
		back := 0 // links may lead one way only
		f.free(x, func(y uint32) {
			if f.member[y] {
				back++
			}
		})
		if back == len(members) {
			join(x)
		}
	}
	for _, x := range members {
		f.member[x] = false
		f.free(x, func(y uint32) { f.count[y] = 0 })
	}
	return members
}

// take makes a clique of vertices.
func (f *cliqueFinder) take(members []uint32) {
	n := f.net
	slices.Sort(members)
	f.looks++
	for _, m := range members {
		f.seen[m] = f.looks
	}
	for _, m := range members {
		for i := n.first[m]; i < n.first[m+1]; i++ {
			if to := n.arcs[i].to; f.seen[to] == f.looks && to != m {
				f.clique[i] = uint32(len(f.members))
			}
		}
	}
	f.members = append(f.members, members)
}

// cover sorts the arcs.
func (f *cliqueFinder) cover() *cover {
	n := f.net
	c := &cover{
		arcs: make([]arc, 0, len(n.arcs)), first: make([]uint32, 1, n.vertices()+1), members: f.members,
	}
	var order []uint32
	for v := range n.vertices() {
		order = order[:0]
		for i := n.first[v]; i < n.first[v+1]; i++ {
			order = append(order, i)
		}
		slices.SortStableFunc(order, func(a, b uint32) int {
			x, y := f.clique[a], f.clique[b]
			if x == alone && y == alone {
				return cmp.Compare(n.arcs[a].weight, n.arcs[b].weight)
			}
			return cmp.Compare(x-1, y-1) // alone comes last
		})
		for i, a := range order {
			if i == 0 || f.clique[a] != f.clique[order[i-1]] {
				at := uint32(len(c.arcs))
				c.segments = append(c.segments, segment{at, at, f.clique[a], n.weights[n.arcs[a].weight].key})
			}
			c.arcs = append(c.arcs, n.arcs[a])
			s := &c.segments[len(c.segments)-1]
			s.last++
			s.least = min(s.least, n.weights[n.arcs[a].weight].key)
		}
		c.first = append(c.first, uint32(len(c.segments)))
	}
	c.singles = slices.Contains(f.clique, alone)
	c.loosen(n)
	return c
}

// loosen finds the slack of the arcs.
func (c *cover) loosen(n *network) {
	c.least, c.slack = make([]uint64, len(c.members)), make([]uint64, len(c.arcs))
	place := make([]int, n.vertices())
	for clique, members := range c.members[1:] {
		size := len(members)
		for i, m := range members {
			place[m] = i
		}
		keys := slices.Repeat([]uint64{math.MaxUint64}, size*size) // from every member to every other
		own := make([]*segment, size)
		c.least[clique+1] = math.MaxUint64
		for i, m := range members {
			row := keys[i*size : (i+1)*size]
			row[i] = 0
			for k, seg := range c.of(m) {
				if seg.clique == uint32(clique+1) {
					own[i] = &c.of(m)[k]
				}
			}
			c.least[clique+1] = min(c.least[clique+1], own[i].least)
			for _, a := range c.arcs[own[i].first:own[i].last] {
				key, to := n.weights[a.weight].key, &row[place[a.to]]
				*to = min(*to, key)
			}
		}
		for i, seg := range own {
			from := keys[i*size : (i+1)*size]
			most := slices.Max(from)
			for k, a := range c.arcs[seg.first:seg.last] {
				slack := most - c.least[clique+1]
				if size <= manyMembers {
					slack = slackOf(from, keys[place[a.to]*size:(place[a.to]+1)*size], place[a.to])
				}
				c.slack[int(seg.first)+k] = slack
			}
		}
	}
}

// slackOf is how much sooner at most a member of a clique is entered from another one than from u, 0 if it never is.
func slackOf(from, over []uint64, u int) uint64 {
	most := int64(0)
	over = over[:len(from)]
	for v, key := range from {
		if d := int64(key - over[v]); d > most && v != u {
			most = d
		}
	}
	return uint64(most)
}
