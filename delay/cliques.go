package delay

import (
	"cmp"
	"math"
	"slices"
)

const (
	// fewMembers is the minimum size of a clique of the cover; smaller ones save no time.
	fewMembers = 4
	// coverSteps limits the search for cliques: the steps for each arc of the network. When they are used up, the
	// search ends with the cliques found so far.
	coverSteps = 256
	// manyMembers is the size above which only an upper bound of the slack in a clique is computed: searches then
	// follow more arcs, with the same result.
	manyMembers = 128
)

// cover divides the arcs of a network into cliques and other arcs. The members of a clique are linked to each other:
// the rows of a HyperX, the groups of a dragonfly. A link is in at most one clique. Once a search has followed the arcs
// of one member into a clique, it has reached all other members, which then need not follow their arcs into it.
type cover struct {
	arcs     []arc      // arcs of each vertex, clique by clique; those in no clique come last, the fastest first
	segments []segment  // of arcs
	first    []uint32   // segments of v are segments[first[v]:first[v+1]]
	members  [][]uint32 // of each clique, sorted; members[alone] is empty
	// slack belongs to an arc from x to u within a clique, and has the index of the arc in arcs. If arcs of x have led
	// to all members, u leads to a member sooner only if the key of u is less than the key of x plus the slack. Keys
	// are those of scale: delay and length in one number.
	slack   []uint64
	least   []uint64 // of each clique, the key of its fastest arc
	singles bool     // whether there are arcs that are in no clique
}

// segment is the arcs of a vertex into one clique, or its arcs that are in no clique.
type segment struct {
	first, last uint32 // range of the arcs
	clique      uint32 // number of the clique, or alone
	least       uint64 // key of the fastest of the arcs
}

// alone stands in place of the number of a clique for arcs that are in no clique.
const alone = 0

// of returns the segments of a vertex.
func (c *cover) of(v uint32) []segment { return c.segments[c.first[v]:c.first[v+1]] }

// none returns the segment of the arcs of v that are in no clique, nil if there are none.
func (c *cover) none(v uint32) *segment {
	last := c.first[v+1]
	if last == c.first[v] || c.segments[last-1].clique != alone {
		return nil
	}
	return &c.segments[last-1]
}

// newCover returns a cover of a network, nil if it finds no cliques of at least fewMembers.
func newCover(n *network) *cover {
	if n.more > 1 { // the network is bipartite, so no three vertices are linked to each other
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

// cliqueFinder finds cliques greedily, one after the other, among the links that are in no clique yet.
type cliqueFinder struct {
	net     *network
	clique  []uint32   // of every arc
	members [][]uint32 // of every clique
	count   []uint32   // how many members of the clique being built a vertex is linked to
	member  []bool     // members of the clique being built
	common  []bool     // neighbours of the second member, while candidates are listed
	list    []uint32   // buffer for the candidates that may join the first two members
	seen    []uint32   // value of looks when free last visited a vertex
	looks   uint32     // number of calls of free
	left    int        // steps left
}

// free calls do once for each neighbour of u that forwards packets and to which a link leads that is in no clique.
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

// from finds cliques whose lowest member is u.
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
			f.addClique(members)
			for _, m := range members {
				tried[m] = true
			}
		}
	}
}

// grow returns a clique of u, v and further vertices of a list that are not in without. The clique may be smaller than
// fewMembers; it is nil if too few vertices could join u and v. grow tries the candidates with links to many other
// candidates first, so that a vertex that is linked to u and v by chance does not prevent a larger clique.
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
		back := 0 // members that x leads to; links may lead one way only
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

// addClique adds a clique: it sorts the members and assigns all arcs between them to the clique.
func (f *cliqueFinder) addClique(members []uint32) {
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

// cover returns the cover of the cliques found.
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

// loosen computes slack and least.
func (c *cover) loosen(n *network) {
	c.least, c.slack = make([]uint64, len(c.members)), make([]uint64, len(c.arcs))
	place := make([]int, n.vertices())
	for clique, members := range c.members[1:] {
		size := len(members)
		for i, m := range members {
			place[m] = i
		}
		keys := slices.Repeat([]uint64{math.MaxUint64}, size*size) // from every member, a row each, to every other
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

// slackOf returns the slack of an arc from x to member u of a clique: the maximum, over the other members, of the key
// of the arc from x less that of the arc from u, at least 0. from has the keys of the arcs of x, over those of the arcs
// of u, by member.
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
