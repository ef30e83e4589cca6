package mapping

import (
	"math"
	"slices"
)

// bisection is a graph to be cut into two sides, 0 and 1.
type bisection struct {
	first  []int64
	to     []int32
	weight []int64  // of arcs
	size   []int64  // of vertices
	bias   []int64  // cost of side 1 less that of side 0, from what lies outside; may be nil
	fixed  []int8   // the side of a vertex, -1 where it is free; may be nil
	limit  [2]int64 // size that each side has room for
}

func (h *bisection) vertices() int { return len(h.first) - 1 }

// cutQuality ranks the cuts of a bisection: first by how much the sides exceed their limits, in all; then by the weight
// of the edges cut and the bias of the vertices on side 1.
type cutQuality struct{ overload, cut int64 }

func (a cutQuality) less(b cutQuality) bool {
	return a.overload < b.overload || a.overload == b.overload && a.cut < b.cut
}

func (h *bisection) quality(side []int8) cutQuality {
	var x cutQuality
	var load [2]int64
	for v := range side {
		s := side[v]
		load[s] += h.size[v]
		for k := h.first[v]; k < h.first[v+1]; k++ {
			if u := h.to[k]; int(u) > v && side[u] != s {
				x.cut += h.weight[k]
			}
		}
		if h.bias != nil && s == 1 {
			x.cut += h.bias[v]
		}
	}
	x.overload = max(0, load[0]-h.limit[0]) + max(0, load[1]-h.limit[1])
	return x
}

const (
	coarsest    = 80 // vertices below which a graph is not made coarser
	initialCuts = 8  // first bisections of the coarsest graph
)

// bisect cuts h in two: by heavy-edge matching it is made coarser until it is small, cut there, and refined as it is
// made finer again (G. Karypis and V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular
// graphs", SIAM J. Sci. Comput. 20, 1998). The result is the side of each vertex, 0 or 1. Sides may exceed their
// limits.
func (h *bisection) bisect(rng *random) []int8 {
	n := h.vertices()
	if n <= coarsest {
		return h.initialCut(rng)
	}
	coarse, of := h.coarsen(rng)
	if coarse.vertices() > n*19/20 {
		return h.initialCut(rng)
	}
	above := coarse.bisect(rng)
	side := make([]int8, n)
	for v := range side {
		side[v] = above[of[v]]
	}
	h.refine(side, rng)
	return side
}

// bestCut is the best of several bisections.
func (h *bisection) bestCut(times int, rng *random) []int8 {
	var best []int8
	var least cutQuality
	for range times {
		side := h.bisect(rng)
		if x := h.quality(side); best == nil || x.less(least) {
			best, least = side, x
		}
	}
	return best
}

// initialCut is the best of several cuts that grow from random vertices.
func (h *bisection) initialCut(rng *random) []int8 {
	var best []int8
	var least cutQuality
	for range initialCuts {
		side := h.growGreedily(rng)
		h.refine(side, rng)
		if x := h.quality(side); best == nil || x.less(least) {
			best, least = side, x
		}
	}
	return best
}

// growGreedily starts with all vertices on side 1, but those fixed to side 0. It moves a random vertex to side 0, then
// always the one with the greatest gain, until side 0 has its share of the size: in proportion to the limits.
func (h *bisection) growGreedily(rng *random) []int8 {
	n := h.vertices()
	side := make([]int8, n)
	total, load := int64(0), int64(0)
	for v := range side {
		side[v] = 1
		total += h.size[v]
	}
	if h.fixed != nil {
		for v := range side {
			if h.fixed[v] == 0 {
				side[v] = 0
				load += h.size[v]
			}
		}
	}
	share := total
	if sum := addSaturated(h.limit[0], h.limit[1]); sum > 0 {
		share = int64(float64(total) * float64(h.limit[0]) / float64(sum))
	}
	gain := make([]int64, n)
	for v := range gain {
		gain[v] = h.gain(side, int32(v))
	}
	q := newGainQueue(n)
	for v := range int32(n) {
		if side[v] == 1 && (h.fixed == nil || h.fixed[v] < 0) {
			q.push(v, gain[v])
		}
	}
	first := true
	for load < share && q.size() > 0 {
		v := q.top()
		if first {
			v, first = q.heap[rng.below(q.size())], false
		}
		q.remove(v)
		if load+h.size[v] > h.limit[0] {
			continue
		}
		side[v] = 0
		load += h.size[v]
		for k := h.first[v]; k < h.first[v+1]; k++ {
			if u := h.to[k]; q.has(u) {
				gain[u] += 2 * h.weight[k]
				q.push(u, gain[u])
			}
		}
	}
	return side
}

// gain returns by how much cutQuality.cut falls if v changes its side.
func (h *bisection) gain(side []int8, v int32) int64 {
	g := int64(0)
	for k := h.first[v]; k < h.first[v+1]; k++ {
		if side[h.to[k]] == side[v] {
			g -= h.weight[k]
		} else {
			g += h.weight[k]
		}
	}
	if h.bias != nil {
		if side[v] == 0 {
			g -= h.bias[v]
		} else {
			g += h.bias[v]
		}
	}
	return g
}

// refine moves single vertices in passes, each as often as once, and keeps the
// best prefix of every pass (C. M. Fiduccia and R. M. Mattheyses, "A linear-time
// heuristic for improving network partitions", DAC 1982).
func (h *bisection) refine(side []int8, rng *random) {
	n := h.vertices()
	gain := make([]int64, n)
	queues := [2]*gainQueue{newGainQueue(n), newGainQueue(n)}
	var moved []int32
	locked := make([]bool, n)
	for range 8 {
		now := h.quality(side)
		best, bestAt := now, 0
		var load [2]int64
		largest := int64(0)
		for v := range int32(n) {
			load[side[v]] += h.size[v]
			largest = max(largest, h.size[v])
			gain[v] = h.gain(side, v)
			locked[v] = h.fixed != nil && h.fixed[v] >= 0
		}
		for _, q := range queues {
			q.clear()
		}
		// Only vertices at the border are worth moving, unless a side is too large.
		for v := range int32(n) {
			if !locked[v] && (now.overload > 0 || h.onBoundary(side, v)) {
				queues[side[v]].push(v, gain[v])
			}
		}
		moved = moved[:0]
		allowance := max(64, min(n/10, 2000))
		for len(moved)-bestAt < allowance {
			from := h.sideToMove(queues, load, largest)
			if from < 0 {
				break
			}
			v := queues[from].top()
			queues[from].remove(v)
			locked[v] = true
			load[from] -= h.size[v]
			load[1-from] += h.size[v]
			now.cut -= gain[v]
			now.overload = max(0, load[0]-h.limit[0]) + max(0, load[1]-h.limit[1])
			side[v] = int8(1 - from)
			moved = append(moved, v)
			for k := h.first[v]; k < h.first[v+1]; k++ {
				u := h.to[k]
				if locked[u] {
					continue
				}
				if int(side[u]) == from {
					gain[u] += 2 * h.weight[k]
				} else {
					gain[u] -= 2 * h.weight[k]
				}
				queues[side[u]].push(u, gain[u])
			}
			if now.less(best) {
				best, bestAt = now, len(moved)
			}
		}
		for _, v := range moved[bestAt:] {
			side[v] = 1 - side[v]
		}
		if bestAt == 0 {
			return
		}
	}
}

func (h *bisection) onBoundary(side []int8, v int32) bool {
	if h.bias != nil && h.bias[v] != 0 {
		return true
	}
	for k := h.first[v]; k < h.first[v+1]; k++ {
		if side[h.to[k]] != side[v] {
			return true
		}
	}
	return false
}

// sideToMove is the side to move from: the larger one where it is too large, else that with the
// greater gain whose move leaves the other side no more than one vertex too
// large; -1 when there is none.
func (h *bisection) sideToMove(queues [2]*gainQueue, load [2]int64, largest int64) int {
	for s := range 2 {
		if load[s] > h.limit[s] && queues[s].size() > 0 {
			return s
		}
	}
	from, best := -1, int64(math.MinInt64)
	for s := range 2 {
		if queues[s].size() == 0 {
			continue
		}
		v := queues[s].top()
		if load[1-s]+h.size[v] > addSaturated(h.limit[1-s], largest) {
			continue
		}
		if g := queues[s].key[v]; g > best {
			from, best = s, g
		}
	}
	return from
}

// coarsen matches vertices along heavy edges and returns the graph in which each pair is one vertex, and the vertex of
// it that each vertex has become. Only vertices fixed to the same side, or both free, become one, and only if they are
// not too large together.
func (h *bisection) coarsen(rng *random) (*bisection, []int32) {
	n := h.vertices()
	total := int64(0)
	for _, s := range h.size {
		total += s
	}
	most := max(1, total*3/(2*coarsest))
	of := make([]int32, n)
	order := make([]int32, n)
	for v := range of {
		of[v], order[v] = -1, int32(v)
	}
	rng.shuffle(order)
	// Vertices of few arcs first: they have the least choice.
	slices.SortStableFunc(order, func(a, b int32) int {
		return int(min(h.first[a+1]-h.first[a], 1<<30)) - int(min(h.first[b+1]-h.first[b], 1<<30))
	})
	m := int32(0)
	for _, v := range order {
		if of[v] >= 0 {
			continue
		}
		mate, heaviest := v, int64(-1)
		for k := h.first[v]; k < h.first[v+1]; k++ {
			u := h.to[k]
			if of[u] < 0 && u != v && h.weight[k] > heaviest && h.size[v]+h.size[u] <= most &&
				(h.fixed == nil || h.fixed[u] == h.fixed[v]) {
				mate, heaviest = u, h.weight[k]
			}
		}
		of[v], of[mate] = m, m
		m++
	}
	return h.contract(of, int(m)), of
}

// contract returns the graph that has one vertex for each set of vertices; of is the set of each vertex.
func (h *bisection) contract(of []int32, m int) *bisection {
	c := &bisection{first: make([]int64, 1, m+1), size: make([]int64, m), limit: h.limit}
	if h.bias != nil {
		c.bias = make([]int64, m)
	}
	if h.fixed != nil {
		c.fixed = make([]int8, m)
	}
	start := make([]int32, m+1)
	for v, w := range of {
		start[w+1]++
		c.size[w] += h.size[v]
		if h.bias != nil {
			c.bias[w] += h.bias[v]
		}
		if h.fixed != nil {
			c.fixed[w] = h.fixed[v]
		}
	}
	for w := range m {
		start[w+1] += start[w]
	}
	members := make([]int32, len(of))
	next := slices.Clone(start)
	for v, w := range of {
		members[next[w]] = int32(v)
		next[w]++
	}
	at := make([]int64, m) // 1 + where the arc to a vertex stands
	for w := range int32(m) {
		begin := int64(len(c.to))
		for _, v := range members[start[w]:start[w+1]] {
			for k := h.first[v]; k < h.first[v+1]; k++ {
				x := of[h.to[k]]
				if x == w {
					continue
				}
				if i := at[x] - 1; i >= begin {
					c.weight[i] += h.weight[k]
					continue
				}
				c.to = append(c.to, x)
				c.weight = append(c.weight, h.weight[k])
				at[x] = int64(len(c.to))
			}
		}
		c.first = append(c.first, int64(len(c.to)))
	}
	return c
}

// gainQueue is a priority queue of vertices, the greatest key first, equal keys by
// number.
type gainQueue struct {
	heap []int32
	key  []int64
	at   []int32 // 1 + index in heap, 0 when out
}

func newGainQueue(n int) *gainQueue { return &gainQueue{key: make([]int64, n), at: make([]int32, n)} }

func (q *gainQueue) size() int          { return len(q.heap) }
func (q *gainQueue) top() int32         { return q.heap[0] }
func (q *gainQueue) has(v int32) bool   { return q.at[v] > 0 }
func (q *gainQueue) set(i int, v int32) { q.heap[i], q.at[v] = v, int32(i+1) }

func (q *gainQueue) clear() {
	for _, v := range q.heap {
		q.at[v] = 0
	}
	q.heap = q.heap[:0]
}

// before reports whether v comes before u.
func (q *gainQueue) before(v, u int32) bool {
	return q.key[v] > q.key[u] || q.key[v] == q.key[u] && v < u
}

// push puts v in, or gives it a new key.
func (q *gainQueue) push(v int32, key int64) {
	q.key[v] = key
	if q.at[v] == 0 {
		q.heap = append(q.heap, v)
		q.at[v] = int32(len(q.heap))
	}
	q.sift(int(q.at[v]) - 1)
}

func (q *gainQueue) remove(v int32) {
	i, last := int(q.at[v])-1, len(q.heap)-1
	q.at[v] = 0
	w := q.heap[last]
	q.heap = q.heap[:last]
	if w != v {
		q.set(i, w)
		q.sift(i)
	}
}

// sift moves the vertex at i up or down to where it belongs.
func (q *gainQueue) sift(i int) {
	v := q.heap[i]
	for i > 0 {
		up := (i - 1) / 2
		if !q.before(v, q.heap[up]) {
			break
		}
		q.set(i, q.heap[up])
		i = up
	}
	for {
		down := 2*i + 1
		if down >= len(q.heap) {
			break
		}
		if down+1 < len(q.heap) && q.before(q.heap[down+1], q.heap[down]) {
			down++
		}
		if !q.before(q.heap[down], v) {
			break
		}
		q.set(i, q.heap[down])
		i = down
	}
	q.set(i, v)
}
