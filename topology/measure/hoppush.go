package measure

import "math/bits"

// pushing is the state of a search along the arcs out of the vertices that were reached
// last, besides which sources have reached each vertex.
type pushing struct {
	cur, nxt      []line  // sources that reached it in the last hop and in this one
	mask, nxtMask []uint8 // words of them that are not zero
	active        []int32 // vertices whose mask is not zero
	touched       []int32
}

// beginPushing goes on from a step: what has changed in it is the frontier.
func (w *hopWorker) beginPushing() {
	if w.cur == nil {
		vertices := len(w.seen)
		w.cur, w.nxt = make([]line, vertices), make([]line, vertices)
		w.mask, w.nxtMask = make([]uint8, vertices), make([]uint8, vertices)
	}
	w.active = w.active[:0]
	for _, p := range w.parts {
		for v := p.begin; v < p.end; v++ {
			w.nxt[v], w.nxtMask[v] = line{}, 0
			w.cur[v] = w.seen[v].without(&w.next[v])
			w.mask[v] = w.cur[v].mask()
			if w.mask[v] != 0 {
				w.active = append(w.active, v)
			}
		}
	}
}

// push goes along the arcs out of the frontier, word by word, and counts the pairs that meet.
func (w *hopWorker) push() uint64 {
	touched := w.touched[:0]
	for _, v := range w.active {
		heads := w.out.of(v)
		for m := w.mask[v]; m != 0; m &= m - 1 {
			k := bits.TrailingZeros8(m) & (lineWords - 1)
			x, bit := w.cur[v][k], uint8(1)<<k
			for _, u := range heads {
				if w.nxtMask[u] == 0 {
					touched = append(touched, u)
				}
				w.nxtMask[u] |= bit
				w.nxt[u][k] |= x
			}
		}
		w.cur[v], w.mask[v] = line{}, 0
	}
	w.active = w.active[:0]
	w.work = 0
	pairs := uint64(0)
	for _, u := range touched {
		fresh, seen := &w.nxt[u], &w.seen[u]
		for k := range fresh {
			fresh[k] &^= seen[k]
			seen[k] |= fresh[k]
		}
		m := fresh.mask()
		w.nxtMask[u] = m
		if m == 0 {
			continue
		}
		w.active = append(w.active, u)
		w.work += int64(bits.OnesCount8(m)) * (w.out.first[u+1] - w.out.first[u])
		pairs += w.tally(u, fresh)
	}
	w.touched = touched
	w.cur, w.nxt = w.nxt, w.cur
	w.mask, w.nxtMask = w.nxtMask, w.mask
	return pairs
}
