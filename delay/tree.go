package delay

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// tree is a network of switches in ranks above the vertices that have ends (the leaves, of rank 0): every link leads
// one rank up or down, and the vertices at the top of a part of the network all have equally many links to each part
// below. A k-ary n-tree is such a tree, and so are most trees of leaves, spines and cores. The hop-minimal paths
// between two leaves lead up to the top of the smallest part that holds both and down again, over every switch at the
// top.
//
// Vertices are sorted into places: by rank, the leaves first, and within a rank those of a part follow each other.
type tree struct {
	net     *network
	leaves  int      // number of leaves; these have the first places
	vertex  []uint32 // vertex at each place
	place   []uint32 // place of each vertex
	parts   []part
	blocks  []block
	tails   []uint32 // places of the tails of blocks
	down    []uint64 // keys of the arcs of blocks, head by head, from every tail to the head
	back    []uint64 // keys of the same arcs in the other direction
	nearest []uint64 // by place: the lowest key of the arcs from it in back
	climbs  []climb
	home    []uint32 // by leaf: the part of rank 0 that contains only the leaf
	// upMean and downMean have, by rank of a part and by leaf, the mean delay of the paths from the leaf to the top of
	// the part and back. The mean delay of a pair is the sum of both, as every path up can be combined with every path
	// down.
	upMean, downMean [][]uint64
}

// part is a connected component of the vertices up to a rank. The vertices of that rank are its top.
type part struct {
	rank        int
	parent      int32    // index of the part above, -1 for the last
	first, last int      // range of its leaves
	top         []uint32 // places of its top
	blocks      [2]int   // range in tree.blocks of the arcs from its top to the tops of its children
	children    []int32  // parts of the rank below
	climb       int      // index in tree.climbs of the first arc from its top up
	degree      int      // arcs from its top to each vertex of its parent's top
}

// block is a set of vertices (heads) that have links to the same vertices one rank above (tails).
type block struct {
	head, heads int // first place of the heads, and their number
	tail, tails int // first index in tree.tails, and the number of tails
	arc         int // index in tree.down and tree.back of the first of its heads x tails arcs
}

// climb is an arc that leads up.
type climb struct {
	from uint32 // place of its tail
	key  uint64
}

// mostTree is the limit of the sum of the delays of all paths between a leaf and the top of a part.
const mostTree = 1 << 62

// newTree returns nil for a network that is not such a tree.
func newTree(n *network) *tree {
	b := treeBuilder{net: n}
	if n.plain || n.more < 2 || !b.rankAll() || !b.linkRanks() || !b.divide() {
		return nil
	}
	return b.build()
}

// treeBuilder determines whether a network is a tree, and its parts.
type treeBuilder struct {
	net   *network
	rank  []int32 // of every vertex
	most  int32   // highest rank
	up    [][]arc // of every vertex: its arcs to the rank above
	down  [][]arc // of every vertex: the arcs from the rank above to it, in the same order
	part  []int32 // of every vertex: the part that it is at the top of
	parts []part
}

// rankAll sets the rank of every vertex, the number of hops to the nearest vertex that has ends, and reports whether
// all vertices have one and there are switches above the leaves.
func (b *treeBuilder) rankAll() bool {
	n := b.net
	b.rank = slices.Repeat([]int32{-1}, n.vertices())
	var queue []uint32
	for v := range uint32(n.vertices()) {
		if n.at(v).count > 0 {
			b.rank[v] = 0
			queue = append(queue, v)
		}
	}
	for at := 0; at < len(queue); at++ {
		v := queue[at]
		b.most = b.rank[v]
		for _, a := range n.arcs[n.first[v]:n.first[v+1]] {
			if b.rank[a.to] < 0 {
				b.rank[a.to] = b.rank[v] + 1
				queue = append(queue, a.to)
			}
		}
	}
	return len(queue) == n.vertices() && b.most > 0
}

// linkRanks fills in up and down, and reports whether all arcs lead one rank up or down and there is one back for each.
func (b *treeBuilder) linkRanks() bool {
	n := b.net
	b.up, b.down = make([][]arc, n.vertices()), make([][]arc, n.vertices())
	for v := range uint32(n.vertices()) {
		for _, a := range n.arcs[n.first[v]:n.first[v+1]] {
			switch b.rank[a.to] - b.rank[v] {
			case 1:
				b.up[v] = append(b.up[v], a)
			case -1:
				b.down[a.to] = append(b.down[a.to], arc{v, a.weight})
			default:
				return false
			}
		}
	}
	order := func(x, y arc) int { return cmp.Or(cmp.Compare(x.to, y.to), cmp.Compare(x.weight, y.weight)) }
	for v, up := range b.up {
		slices.SortFunc(up, order)
		slices.SortFunc(b.down[v], order)
		if !slices.EqualFunc(up, b.down[v], func(x, y arc) bool { return x.to == y.to }) {
			return false
		}
	}
	return true
}

// divide finds the parts, and reports whether links to the parts below are distributed evenly and there is one part of
// the highest rank.
func (b *treeBuilder) divide() bool {
	n := b.net
	group := make([]uint32, n.vertices()) // union-find: another vertex of the same part, or itself at the root
	for v := range group {
		group[v] = uint32(v)
	}
	find := func(v uint32) uint32 {
		for group[v] != v {
			group[v] = group[group[v]]
			v = group[v]
		}
		return v
	}
	b.part = make([]int32, n.vertices())
	of := make([][]uint32, b.most+1)
	for v := range uint32(n.vertices()) {
		of[b.rank[v]] = append(of[b.rank[v]], v)
	}
	for rank, vertices := range of {
		if rank > 0 {
			for _, v := range of[rank-1] {
				for _, a := range b.up[v] {
					group[find(v)] = find(a.to)
				}
			}
		}
		number := map[uint32]int32{}
		first := len(b.parts)
		for _, v := range vertices {
			root := find(v)
			i, known := number[root]
			if !known {
				i = int32(len(b.parts))
				number[root] = i
				b.parts = append(b.parts, part{rank: rank, parent: -1})
			}
			b.part[v] = i
			b.parts[i].top = append(b.parts[i].top, v)
		}
		if rank > 0 && !b.adopt(of[rank-1], first) {
			return false
		}
	}
	return len(b.parts[len(b.parts)-1].top) == len(of[b.most])
}

// adopt makes the parts whose tops are the given vertices children of the parts from first on. It reports whether all
// vertices at the top of a part have equally many arcs to each child.
func (b *treeBuilder) adopt(vertices []uint32, first int) bool {
	type pair struct {
		child  int32
		parent uint32 // a vertex
	}
	count := map[pair]int{}
	for _, v := range vertices {
		child := &b.parts[b.part[v]]
		if len(b.up[v]) == 0 {
			return false
		}
		for _, a := range b.up[v] {
			count[pair{b.part[v], a.to}]++
			if child.parent < 0 {
				child.parent = b.part[a.to]
				p := &b.parts[child.parent]
				p.children = append(p.children, b.part[v])
			}
		}
	}
	for i := range b.parts[first:] {
		for _, c := range b.parts[first+i].children {
			child := &b.parts[c]
			for _, v := range b.parts[first+i].top {
				links := count[pair{c, v}]
				if links == 0 || child.degree > 0 && child.degree != links {
					return false
				}
				child.degree = links
			}
		}
	}
	return true
}

// worker returns a function that measures groups of sources.
func (t *tree) worker(of *tally) func([]group) { return newTreeSweeper(of, t).run }

// arrange sorts sources by place, so that those in the same part follow each other.
func (t *tree) arrange(groups []group, _ bool) []group {
	slices.SortFunc(groups, func(a, b group) int { return cmp.Compare(t.place[a.at], t.place[b.at]) })
	return groups
}

func (t *tree) abreast() int { return abreast }

// work estimates the work of a source by measuring a few blocks of sources: the maximum of the steps, one step for
// every leaf, and the mean work of counting pairs of ends.
func (t *tree) work(n *network) uint64 {
	of := &tally{net: n, sources: n.everyEnd(), shift: n.binShift()}
	groups := t.arrange(n.groupUp(of.sources), true)
	of.count()
	defer of.release()
	s := newTreeSweeper(of, t)
	most, measured := uint64(0), 0
	blocks := min(trials, (len(groups)+abreast-1)/abreast)
	for i := range blocks {
		before, at := s.steps(), i*max(0, len(groups)-abreast)/max(1, blocks-1)
		some := groups[at:min(at+abreast, len(groups))]
		s.run(some)
		most = max(most, (s.steps()-before)/uint64(len(some)))
		measured += len(some)
	}
	of.completeBins()
	return most + uint64(t.leaves) + s.ends.steps()/uint64(measured)
}

// build returns the tree, with vertices sorted into places; nil if there are so many paths that sums could overflow.
func (b *treeBuilder) build() *tree {
	n := b.net
	t := &tree{net: n, parts: b.parts, place: make([]uint32, n.vertices())}
	tiers := make([][]uint32, b.most+1)
	root := len(b.parts) - 1
	tiers[b.most] = b.parts[root].top
	b.appendTiers(tiers, root)
	for _, tier := range tiers {
		for _, v := range tier {
			t.place[v] = uint32(len(t.vertex))
			t.vertex = append(t.vertex, v)
		}
	}
	t.leaves = len(tiers[0])
	t.home = make([]uint32, t.leaves)
	t.nearest = make([]uint64, len(t.vertex))
	for v := range t.leaves {
		t.home[v] = uint32(b.part[t.vertex[v]])
	}
	for i := range t.parts {
		p := &t.parts[i]
		for k, v := range p.top {
			p.top[k] = t.place[v]
		}
		if p.rank == 0 {
			p.first, p.last = int(p.top[0]), int(p.top[0])+1
		}
	}
	for i := range t.parts { // children come before their parents
		p := &t.parts[i]
		for k, c := range p.children {
			child := &t.parts[c]
			if k == 0 {
				p.first = child.first
			}
			p.first, p.last = min(p.first, child.first), max(p.last, child.last)
			b.climbTo(t, child, p)
		}
	}
	for _, p := range b.descent(root) {
		b.block(t, p)
	}
	if !t.sum() {
		return nil
	}
	return t
}

// below lists the tops of the children of a part such that vertices with links to the same vertices above follow each
// other.
func (b *treeBuilder) below(p *part) []uint32 {
	var heads []uint32
	for _, c := range p.children {
		heads = append(heads, b.parts[c].top...)
	}
	slices.SortFunc(heads, func(u, v uint32) int {
		return cmp.Or(slices.CompareFunc(b.up[u], b.up[v], func(x, y arc) int { return cmp.Compare(x.to, y.to) }),
			cmp.Compare(u, v))
	})
	return heads
}

// appendTiers appends the vertices below a part to the tier of their rank.
func (b *treeBuilder) appendTiers(tiers [][]uint32, i int) {
	p := &b.parts[i]
	if p.rank == 0 {
		return
	}
	tiers[p.rank-1] = append(tiers[p.rank-1], b.below(p)...)
	for _, c := range p.children {
		b.appendTiers(tiers, int(c))
	}
}

// descent lists a part and all parts below it, each before its children.
func (b *treeBuilder) descent(i int) []*part {
	p := &b.parts[i]
	out := []*part{p}
	for _, c := range p.children {
		out = append(out, b.descent(int(c))...)
	}
	return out
}

// climbTo adds the arcs from the top of a child to the top of its parent p to tree.climbs.
func (b *treeBuilder) climbTo(t *tree, child, p *part) {
	number := make(map[uint32]int, len(p.top))
	for i, v := range p.top {
		number[v] = i
	}
	child.climb = len(t.climbs)
	t.climbs = slices.Grow(t.climbs, len(p.top)*child.degree)[:child.climb+len(p.top)*child.degree]
	filled := make([]int, len(p.top))
	for _, at := range child.top {
		for _, a := range b.up[t.vertex[at]] {
			i := number[t.place[a.to]]
			t.climbs[child.climb+i*child.degree+filled[i]] = climb{at, b.net.weights[a.weight].key}
			filled[i]++
		}
	}
}

// block adds the blocks of the arcs from the top of a part to the tops of its children.
func (b *treeBuilder) block(t *tree, p *part) {
	p.blocks = [2]int{len(t.blocks), len(t.blocks)}
	var places []uint32
	for _, c := range p.children {
		places = append(places, t.parts[c].top...)
	}
	slices.Sort(places)
	var before []arc
	for _, at := range places {
		v := t.vertex[at]
		up := b.up[v]
		if len(before) == 0 || !slices.EqualFunc(before, up, func(x, y arc) bool { return x.to == y.to }) {
			t.blocks = append(t.blocks, block{int(at), 0, len(t.tails), len(up), len(t.down)})
			for _, a := range up {
				t.tails = append(t.tails, t.place[a.to])
			}
			before = up
		}
		t.blocks[len(t.blocks)-1].heads++
		nearest := uint64(math.MaxInt64) // of a vertex that does not forward packets
		for i, a := range up {
			back := b.net.weights[a.weight].key
			t.down = append(t.down, b.net.weights[b.down[v][i].weight].key)
			t.back = append(t.back, back)
			if v < b.net.forward {
				nearest = min(nearest, back)
			}
		}
		t.nearest[at] = nearest
	}
	p.blocks[1] = len(t.blocks)
}

// sum computes upMean and downMean, and reports whether the sums of the delays of all paths between a leaf and a
// top are below mostTree.
func (t *tree) sum() bool {
	ranks := t.parts[len(t.parts)-1].rank
	t.upMean, t.downMean = make([][]uint64, ranks+1), make([][]uint64, ranks+1)
	size := len(t.vertex)
	ways, up, dn := make([]uint64, size), make([]uint64, size), make([]uint64, size)
	for rank := 1; rank <= ranks; rank++ {
		upMean, downMean := make([]uint64, t.leaves), make([]uint64, t.leaves)
		for i := range t.parts {
			p := &t.parts[i]
			if p.rank != rank {
				continue
			}
			for _, v := range p.top {
				ways[v], up[v], dn[v] = 1, 0, 0
			}
			t.sumBelow(p, ways, up, dn)
			most := slices.Max(ways[p.first:p.last])
			if over, total := bits.Mul64(most, t.net.maxTime); over > 0 || total >= mostTree {
				return false
			}
			for leaf := p.first; leaf < p.last; leaf++ {
				all := ways[leaf]
				upMean[leaf], downMean[leaf] = (up[leaf]+all/2)/all, (dn[leaf]+all/2)/all
			}
		}
		t.upMean[rank], t.downMean[rank] = upMean, downMean
	}
	return true
}

// sumBelow computes the number of paths to the vertices below a part (ways) and the sums of their delays in both
// directions, given those of its top. The sums may overflow if there are too many paths, which ways then shows.
func (t *tree) sumBelow(p *part, ways, up, dn []uint64) {
	for _, b := range t.blocks[p.blocks[0]:p.blocks[1]] {
		tails := t.tails[b.tail : b.tail+b.tails]
		arc := b.arc
		for v := b.head; v < b.head+b.heads; v++ {
			ways[v], up[v], dn[v] = 0, 0, 0
			for _, from := range tails {
				there, _ := t.net.split(t.down[arc])
				back, _ := t.net.split(t.back[arc])
				ways[v] = min(ways[v]+ways[from], mostTree)
				up[v] += up[from] + ways[from]*back
				dn[v] += dn[from] + ways[from]*there
				arc++
			}
		}
	}
	for _, c := range p.children {
		t.sumBelow(&t.parts[c], ways, up, dn)
	}
}
