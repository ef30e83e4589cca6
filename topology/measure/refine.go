package measure

import "slices"

// refine moves vertices between the sides, the most profitable first, each
// once a pass, and keeps the best partition that was met on the way. During a
// pass the sides may be slack off balance; what is kept is no less balanced
// than the start.
func (p *cutGraph) refine(side []uint8, slack int64) {
	n := p.vertices()
	r := refinement{p: p, side: side, slack: slack, gains: [2]*gains(p.newGains(2))}
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
			v := r.gains[from].best()
			saved += r.gains[from].gain[v]
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

// refinement is a pass of refine: the vertices that have not been moved stand among the gains
// of their side.
type refinement struct {
	p      *cutGraph
	side   []uint8
	slack  int64
	weight [2]int64 // of the sides
	gains  [2]*gains
}

// off is the difference of the sides.
func (r *refinement) off() int64 {
	return max(r.weight[0], r.weight[1]) - min(r.weight[0], r.weight[1])
}

// begin puts every vertex among the gains of its side, the lowest number last.
func (r *refinement) begin() {
	r.weight = r.p.sideWeight(r.side)
	for _, h := range r.gains {
		h.clear()
	}
	r.p.gainsOf(r.side, r.gains[0].gain)
	for v, s := range slices.Backward(r.side) {
		r.gains[s].push(int32(v))
	}
}

// from is the side to move a vertex from: the heavier one, or that of the greater gain if
// they are balanced; -1 if no vertex may be moved.
func (r *refinement) from() int {
	from := -1
	for s, h := range r.gains {
		v := h.best()
		if v == none {
			continue
		}
		weight := r.p.weight[v]
		after := r.weight[s] - weight - (r.weight[1-s] + weight)
		after = max(after, -after)
		if weight > 0 && after > r.off() && after > 2*r.slack {
			continue
		}
		balanced := r.off() <= r.p.total%2
		if from < 0 || weight > 0 && r.weight[s] > r.weight[1-s] && !balanced ||
			balanced && h.gain[v] > h.gain[r.gains[from].best()] {
			from = s
		}
	}
	return from
}

// move takes v to the other side and out of the gains.
func (r *refinement) move(v int32) {
	from := r.side[v]
	r.gains[from].remove(v)
	r.weight[from] -= r.p.weight[v]
	r.weight[1-from] += r.p.weight[v]
	r.side[v] = 1 - from
	for i := r.p.first[v]; i < r.p.first[v+1]; i++ {
		u := r.p.to[i]
		h := r.gains[r.side[u]]
		if !h.holds(u) {
			continue
		}
		if r.side[u] == from {
			h.change(u, 2*r.p.width[i])
		} else {
			h.change(u, -2*r.p.width[i])
		}
	}
}

// gainsOf sets the channels that moving each vertex to the other side would save. It does not branch on the sides,
// which are as good as random.
func (p *cutGraph) gainsOf(side []uint8, gain []int64) {
	for v, s := range side {
		sum := int64(0)
		to := p.to[p.first[v]:p.first[v+1]]
		width := p.width[p.first[v]:p.first[v+1]]
		for i, u := range to {
			sum += (2*int64(side[u]^s) - 1) * width[i]
		}
		gain[v] = sum
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
	h := p.newGains(1)[0]
	p.gainsOf(side, h.gain)
	for v, s := range slices.Backward(side) {
		if int(s) == from && p.weight[v] > 0 {
			h.push(int32(v))
		}
	}
	for v := h.best(); v != none && w[from]-w[1-from] > p.total%2; v = h.best() {
		h.remove(v)
		if w[from]-w[1-from]-2*p.weight[v] < -(p.total % 2) {
			continue
		}
		side[v] = uint8(1 - from)
		w[from] -= p.weight[v]
		w[1-from] += p.weight[v]
		for i := p.first[v]; i < p.first[v+1]; i++ {
			if u := p.to[i]; h.holds(u) {
				h.change(u, 2*p.width[i])
			}
		}
	}
}
