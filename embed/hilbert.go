package embed

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// hilbertIndex returns the position of point x on the Hilbert curve through the grid of 2^bits points along each axis
// (J. Skilling, Programming the Hilbert curve, AIP Conference Proceedings 707, 2004). Points that follow each other on
// the curve are neighbours in the grid. The number of axes times bits is at most 64. It overwrites x.
func hilbertIndex(x []uint32, bits int) uint64 {
	n := len(x)
	// Inverse undo.
	for q := uint32(1) << (bits - 1); q > 1; q >>= 1 {
		p := q - 1
		for i := range n {
			if x[i]&q != 0 {
				x[0] ^= p
			} else {
				t := (x[0] ^ x[i]) & p
				x[0] ^= t
				x[i] ^= t
			}
		}
	}
	// Gray encode.
	for i := 1; i < n; i++ {
		x[i] ^= x[i-1]
	}
	t := uint32(0)
	for q := uint32(1) << (bits - 1); q > 1; q >>= 1 {
		if x[n-1]&q != 0 {
			t ^= q - 1
		}
	}
	for i := range n {
		x[i] ^= t
	}
	// The bits of all axes, the highest first, are the index.
	index := uint64(0)
	for b := bits - 1; b >= 0; b-- {
		for i := range n {
			index = index<<1 | uint64(x[i]>>b&1)
		}
	}
	return index
}

// alongHilbert sorts the numbers of points in the order of the Hilbert curve of the cube that contains them, or of the
// square if all have the same height. at returns a point.
func alongHilbert(items []int32, at func(i int32) layout.Point) {
	if len(items) == 0 {
		return
	}
	lo, hi := at(items[0]), at(items[0])
	for _, i := range items {
		p := at(i)
		lo = layout.Point{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
		hi = layout.Point{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
	}
	side := max(hi.X-lo.X, hi.Y-lo.Y, hi.Z-lo.Z, 1e-9)
	axes, bits := 3, 20
	if hi.Z == lo.Z {
		axes = 2
	}
	steps := float64(uint32(1)<<bits - 1)
	step := func(l units.Length) uint32 { return uint32(math.Round(float64(l/side) * steps)) }
	index := make([]uint64, len(items))
	rank := make([]int32, len(items))
	for k, i := range items {
		p := at(i)
		x := [3]uint32{step(p.X - lo.X), step(p.Y - lo.Y), step(p.Z - lo.Z)}
		index[k] = hilbertIndex(x[:axes], bits)
		rank[k] = int32(k)
	}
	slices.SortFunc(rank, func(a, b int32) int {
		return cmp.Or(cmp.Compare(index[a], index[b]), cmp.Compare(items[a], items[b]))
	})
	old := slices.Clone(items)
	for k, r := range rank {
		items[k] = old[r]
	}
}

// byNeighbours orders vertices such that linked groups are near each other in the order: the groups are those of the
// graph's coarsest level of groups, or, in a graph without groups, each switch with its terminals. Within a group,
// vertices are ordered by the finer levels. The family's own numbering of the groups is kept where it makes links at
// least as short.
func byNeighbours(g topology.Graph, want wanted) sequence {
	groupings := g.Groupings()
	n := topology.Vertices(g)
	group := make([]int32, n)
	count := int32(0)
	if len(groupings) > 0 {
		coarsest := groupings[len(groupings)-1]
		count = int32(coarsest.Count)
		for v := range group {
			if group[v] = coarsest.Of(v); group[v] < 0 {
				group[v] = count
				count++
			}
		}
	} else {
		count = groupBySwitch(g, group)
	}
	q := newQuotient(g, group, int(count))
	rank := q.frontalOrder()
	own, curve := func(v int32) int32 { return v }, func(v int32) int32 { return rank[v] }
	if q.estimateLength(own) <= q.estimateLength(curve) {
		for v := range rank {
			rank[v] = int32(v)
		}
	}
	s := byHierarchy(g, want)
	slices.SortStableFunc(s.order, func(a, b int32) int { return cmp.Compare(rank[group[a]], rank[group[b]]) })
	s.groupings = s.groupings[:0]
	for _, grouping := range groupings {
		of := make([]int32, n)
		for v := range of {
			of[v] = grouping.Of(v)
		}
		s.groupings = append(s.groupings, groupLevel{of: pick(of, s.order)})
	}
	if len(groupings) == 0 && int(count) < n {
		s.groupings = append(s.groupings, groupLevel{of: pick(group, s.order)})
	}
	return s
}

// groupBySwitch writes the group of every vertex: each vertex that is not a terminal is in a group with the terminals
// whose first link leads to it; a terminal without such a link is a group alone. It returns the number of groups.
func groupBySwitch(g topology.Graph, group []int32) int32 {
	count := int32(0)
	for _, k := range g.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			group[v] = -1
			if k.Role != topology.Terminal {
				group[v] = count
				count++
			}
		}
	}
	for l := range g.Links() {
		for _, e := range [2][2]int32{{l.A, l.B}, {l.B, l.A}} {
			if group[e[0]] < 0 && group[e[1]] >= 0 {
				group[e[0]] = group[e[1]]
			}
		}
	}
	for v := range group { // terminals without a link to a switch
		if group[v] < 0 {
			group[v] = count
			count++
		}
	}
	return count
}

// quotient is the graph whose vertices are groups. Two groups with any links between them have one edge.
type quotient struct {
	first []int   // of each group: the index of its first neighbour in to, and at the end the length of to
	to    []int32 // neighbours of the groups
}

func (q *quotient) neighbours(v int32) []int32 { return q.to[q.first[v]:q.first[v+1]] }

// newQuotient returns the graph of count groups, given the group of each vertex of g. Links within a group are left
// out.
func newQuotient(g topology.Graph, group []int32, count int) *quotient {
	degree := make([]int, count+1)
	for l := range g.Links() {
		if a, b := group[l.A], group[l.B]; a != b {
			degree[a]++
			degree[b]++
		}
	}
	next := make([]int, count+1)
	for v := range count {
		next[v+1] = next[v] + degree[v]
	}
	to := make([]int32, next[count])
	first := slices.Clone(next)
	for l := range g.Links() {
		if a, b := group[l.A], group[l.B]; a != b {
			to[next[a]], to[next[b]] = b, a
			next[a]++
			next[b]++
		}
	}
	q := &quotient{first: make([]int, count+1)}
	for v := range count {
		list := to[first[v]:next[v]]
		slices.Sort(list)
		q.to = append(q.to, slices.Compact(list)...)
		q.first[v+1] = len(q.to)
	}
	return q
}

// ends returns one vertex of each connected component to begin an order with: a pseudo-peripheral one, whose distance
// to the furthest other vertex is large (A. George and J. W. H. Liu, An implementation of a pseudoperipheral node
// finder, ACM TOMS 5(3), 1979).
func (q *quotient) ends() []int32 {
	n := int32(len(q.first) - 1)
	degree := func(v int32) int { return q.first[v+1] - q.first[v] }
	depth := make([]int32, n)
	for v := range depth {
		depth[v] = -1
	}
	known := make([]bool, n)
	var queue []int32
	// search returns one of the vertices furthest from a vertex, of minimum degree among these, and its distance.
	search := func(from int32) (end, far int32) {
		queue = append(queue[:0], from)
		depth[from] = 0
		for i := 0; i < len(queue); i++ {
			for _, w := range q.neighbours(queue[i]) {
				if depth[w] < 0 {
					depth[w] = depth[queue[i]] + 1
					queue = append(queue, w)
				}
			}
		}
		end = queue[len(queue)-1]
		far = depth[end]
		for _, w := range queue {
			if depth[w] == far && degree(w) < degree(end) {
				end = w
			}
		}
		for _, w := range queue {
			depth[w] = -1
			known[w] = true
		}
		return end, far
	}
	var out []int32
	for v := range n {
		if known[v] {
			continue
		}
		from := v
		end, far := search(from)
		for {
			other, further := search(end)
			if further <= far {
				break
			}
			from, end, far = end, other, further
		}
		out = append(out, from)
	}
	return out
}

// frontalOrder ranks the vertices one by one: of those with a link to a ranked vertex, the next is the one whose number
// of links to unranked vertices less its links to ranked ones is smallest; of equal ones, the one that was reached
// first (A. J. McAllister, A new heuristic algorithm for the linear arrangement problem, University of New Brunswick,
// TR-99-126a, 1999). It returns the rank of each vertex.
func (q *quotient) frontalOrder() []int32 {
	n := len(q.first) - 1
	rank := make([]int32, n)
	inside := make([]int, n) // links to ranked vertices
	reached := make([]int32, n)
	for v := range rank {
		rank[v], reached[v] = -1, -1
	}
	outside := func(v int32) int { return q.first[v+1] - q.first[v] - 2*inside[v] }
	touched, next := int32(0), int32(0)
	for _, start := range q.ends() {
		front := frontier{{outside(start), touched, start}}
		for len(front) > 0 {
			at := heap.Pop(&front).(candidate)
			if rank[at.v] >= 0 || at.outside != outside(at.v) {
				continue // outdated: the vertex has a rank, or a newer entry in the heap
			}
			rank[at.v] = next
			next++
			for _, w := range q.neighbours(at.v) {
				if rank[w] >= 0 {
					continue
				}
				if reached[w] < 0 {
					reached[w] = touched
					touched++
				}
				inside[w]++
				heap.Push(&front, candidate{outside(w), reached[w], w})
			}
		}
	}
	return rank
}

// candidate is a vertex that may be ranked next; outside is its links to
// vertices without a rank less those to vertices with one.
type candidate struct {
	outside    int
	reached, v int32
}

// frontier is a heap of candidates.
type frontier []candidate

func (f frontier) Len() int { return len(f) }
func (f frontier) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(f[i].outside, f[j].outside), cmp.Compare(f[i].reached, f[j].reached),
		cmp.Compare(f[i].v, f[j].v)) < 0
}
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)   { *f = append(*f, x.(candidate)) }
func (f *frontier) Pop() any {
	old := *f
	x := old[len(old)-1]
	*f = old[:len(old)-1]
	return x
}

// estimateLength estimates the total length of the links if vertices stand in the order of their ranks along a curve
// that fills a plane: two points n ranks apart are then about the square root of n apart.
func (q *quotient) estimateLength(rank func(v int32) int32) float64 {
	sum := 0.0
	for v := range int32(len(q.first) - 1) {
		for _, w := range q.neighbours(v) {
			if w > v {
				sum += math.Sqrt(math.Abs(float64(rank(v) - rank(w))))
			}
		}
	}
	return sum
}
