package measure

import "math/bits"

// gains is vertices by the channels that moving them to the other side saves, the most first; of those that save as
// many, the one that came last (L. W. Hagen, D. J.-H. Huang and A. B. Kahng, "On implementation choices for iterative
// improvement partitioning algorithms", IEEE Trans. CAD 16 (10), 1997: better than first come or by chance). Vertices
// stand in one list for each gain; where there would be very many lists, some neighbouring gains share one.
type gains struct {
	gain       []int64
	next, prev []int32  // in the list of the vertex
	first      []int32  // of each list
	filled     []uint64 // lists with vertices, as bits
	top        int      // no word of filled above it has any
	least      int64    // gain of list 0
	shift      uint     // gains of a list, as a power of two
}

const (
	absent = -2 // in next: the vertex is in no list
	none   = -1 // no vertex

	mostGains = 1 << 16 // lists
)

// newGains makes empty gains for the vertices of p; a vertex is to stand in no two of them.
func (p *cutGraph) newGains(number int) []*gains {
	n := p.vertices()
	most := int64(1)
	for v := range n {
		sum := int64(0)
		for _, width := range p.width[p.first[v]:p.first[v+1]] {
			sum += width
		}
		most = max(most, sum)
	}
	shift := uint(max(0, bits.Len64(uint64(2*most))-bits.Len(mostGains)+1))
	out := make([]*gains, number)
	gain, next, prev := make([]int64, n), make([]int32, n), make([]int32, n)
	for i := range out {
		h := &gains{gain: gain, next: next, prev: prev, least: -most, shift: shift}
		h.first = make([]int32, h.list(most)+1)
		h.filled = make([]uint64, len(h.first)/64+1)
		h.clear()
		out[i] = h
	}
	return out
}

func (h *gains) list(gain int64) int { return int((gain - h.least) >> h.shift) }

func (h *gains) holds(v int32) bool { return h.next[v] != absent }

// best is the vertex to move first, none if there is none.
func (h *gains) best() int32 {
	for h.top > 0 && h.filled[h.top] == 0 {
		h.top--
	}
	if h.filled[h.top] == 0 {
		return none
	}
	return h.first[h.top*64+bits.Len64(h.filled[h.top])-1]
}

func (h *gains) push(v int32) {
	list := h.list(h.gain[v])
	after := h.first[list]
	h.first[list], h.next[v], h.prev[v] = v, after, none
	if after != none {
		h.prev[after] = v
	}
	h.filled[list/64] |= 1 << (list % 64)
	h.top = max(h.top, list/64)
}

func (h *gains) remove(v int32) {
	before, after := h.prev[v], h.next[v]
	h.next[v] = absent
	if after != none {
		h.prev[after] = before
	}
	if before != none {
		h.next[before] = after
		return
	}
	list := h.list(h.gain[v])
	h.first[list] = after
	if after == none {
		h.filled[list/64] &^= 1 << (list % 64)
	}
}

// change adds to the gain of a vertex in a list.
func (h *gains) change(v int32, by int64) {
	h.remove(v)
	h.gain[v] += by
	h.push(v)
}

// clear takes all vertices out, of all gains made together.
func (h *gains) clear() {
	for i := range h.next {
		h.next[i] = absent
	}
	for i := range h.first {
		h.first[i] = none
	}
	clear(h.filled)
	h.top = 0
}
