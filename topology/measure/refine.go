package measure

// gains is the vertices of one side by the channels that moving them saves.
type gains struct {
	heap []int32
	at   []int32 // place in the heap, -1 outside
	gain []int64
}

func (h *gains) less(i, j int) bool {
	a, b := h.heap[i], h.heap[j]
	return h.gain[a] > h.gain[b] || h.gain[a] == h.gain[b] && a < b
}

func (h *gains) swap(i, j int) {
	h.heap[i], h.heap[j] = h.heap[j], h.heap[i]
	h.at[h.heap[i]], h.at[h.heap[j]] = int32(i), int32(j)
}

func (h *gains) fix(i int) {
	for i > 0 && h.less(i, (i-1)/2) {
		h.swap(i, (i-1)/2)
		i = (i - 1) / 2
	}
	for {
		c := 2*i + 1
		if c >= len(h.heap) {
			return
		}
		if c+1 < len(h.heap) && h.less(c+1, c) {
			c++
		}
		if !h.less(c, i) {
			return
		}
		h.swap(i, c)
		i = c
	}
}

func (h *gains) push(v int32) {
	h.at[v] = int32(len(h.heap))
	h.heap = append(h.heap, v)
	h.fix(len(h.heap) - 1)
}

func (h *gains) remove(v int32) {
	i := int(h.at[v])
	last := len(h.heap) - 1
	h.swap(i, last)
	h.heap = h.heap[:last]
	h.at[v] = -1
	if i < last {
		h.fix(i)
	}
}

// refine moves vertices between the sides, the most profitable first, each
// once a pass, and keeps the best partition that was met on the way. During a
// pass the sides may be slack off balance; what is kept is no less balanced
// than the start.
func (p *cutGraph) refine(side []uint8, slack int64) {
	n := p.vertices()
	r := refinement{p: p, side: side, slack: slack, gain: make([]int64, n), at: make([]int32, n)}
	tries := max(50, min(n/20, 2000)) // moves without a gain
	for range 12 {
		r.begin()
		start := max(r.off(), p.total%2)
		var moved []int32
		saved, best, kept := int64(0), int64(0), 0
		for len(moved)-kept < tries {
			from := r.from()
			if from < 0 {
				break
			}
			v := r.heaps[from].heap[0]
			saved += r.gain[v]
			r.move(v)
			moved = append(moved, v)
			if r.off() <= start && saved > best {
				best, kept = saved, len(moved)
			}
		}
		for _, v := range moved[kept:] {
			side[v] = 1 - side[v]
		}
		if best == 0 {
			return
		}
	}
}

// refinement is a pass of refine: the vertices that have not been moved stand in the heap of
// their side.
type refinement struct {
	p      *cutGraph
	side   []uint8
	slack  int64
	weight [2]int64 // of the sides
	gain   []int64
	at     []int32
	heaps  [2]*gains
}

// off is the difference of the sides.
func (r *refinement) off() int64 {
	return max(r.weight[0], r.weight[1]) - min(r.weight[0], r.weight[1])
}

// begin puts every vertex in the heap of its side.
func (r *refinement) begin() {
	r.weight = r.p.sideWeight(r.side)
	r.heaps = [2]*gains{{at: r.at, gain: r.gain}, {at: r.at, gain: r.gain}}
	r.p.gainsOf(r.side, r.gain)
	for v := range r.at {
		r.at[v] = -1
	}
	for v, s := range r.side {
		r.heaps[s].push(int32(v))
	}
}

// from is the side to move a vertex from: the heavier one, or that of the greater gain if
// they are balanced; -1 if no vertex may be moved.
func (r *refinement) from() int {
	from := -1
	for s, h := range r.heaps {
		if len(h.heap) == 0 {
			continue
		}
		v := h.heap[0]
		weight := r.p.weight[v]
		after := r.weight[s] - weight - (r.weight[1-s] + weight)
		after = max(after, -after)
		if weight > 0 && after > r.off() && after > 2*r.slack {
			continue
		}
		balanced := r.off() <= r.p.total%2
		if from < 0 || weight > 0 && r.weight[s] > r.weight[1-s] && !balanced ||
			balanced && r.gain[v] > r.gain[r.heaps[from].heap[0]] {
			from = s
		}
	}
	return from
}

// move takes v to the other side and out of its heap.
func (r *refinement) move(v int32) {
	from := r.side[v]
	r.heaps[from].remove(v)
	r.weight[from] -= r.p.weight[v]
	r.weight[1-from] += r.p.weight[v]
	r.side[v] = 1 - from
	for i := r.p.first[v]; i < r.p.first[v+1]; i++ {
		u := r.p.to[i]
		if r.at[u] < 0 {
			continue
		}
		if r.side[u] == from {
			r.gain[u] += 2 * r.p.width[i]
		} else {
			r.gain[u] -= 2 * r.p.width[i]
		}
		r.heaps[r.side[u]].fix(int(r.at[u]))
	}
}

// gainsOf sets the channels that moving each vertex to the other side would save.
func (p *cutGraph) gainsOf(side []uint8, gain []int64) {
	for v := range side {
		gain[v] = 0
		for i := p.first[v]; i < p.first[v+1]; i++ {
			if side[p.to[i]] == side[v] {
				gain[v] -= p.width[i]
			} else {
				gain[v] += p.width[i]
			}
		}
	}
}

// balance moves vertices from the heavier side until the halves are equal, the
// most profitable first; it needs vertices that weigh 1.
func (p *cutGraph) balance(side []uint8) {
	w := p.sideWeight(side)
	from := 0
	if w[1] > w[0] {
		from = 1
	}
	if w[from]-w[1-from] <= p.total%2 {
		return
	}
	h := &gains{at: make([]int32, p.vertices()), gain: make([]int64, p.vertices())}
	p.gainsOf(side, h.gain)
	for v := range h.at {
		h.at[v] = -1
	}
	for v, s := range side {
		if int(s) == from && p.weight[v] > 0 {
			h.push(int32(v))
		}
	}
	for len(h.heap) > 0 && w[from]-w[1-from] > p.total%2 {
		v := h.heap[0]
		h.remove(v)
		if w[from]-w[1-from]-2*p.weight[v] < -(p.total % 2) {
			continue
		}
		side[v] = uint8(1 - from)
		w[from] -= p.weight[v]
		w[1-from] += p.weight[v]
		for i := p.first[v]; i < p.first[v+1]; i++ {
			if u := p.to[i]; h.at[u] >= 0 {
				h.gain[u] += 2 * p.width[i]
				h.fix(int(h.at[u]))
			}
		}
	}
}
