package rounds

// send is step 2 of A(k) in one clique, as far as its nodes go: every message
// that A(k-1) brought to a node whose edges of level k lead to its copy takes
// one of them.
func (w *worker) send(k, c, slot int, path uint64) {
	r := w.r
	b := &r.buf[w.now]
	n1 := r.clique
	lo, count := b.start[c], b.count[c]
	own := c / r.power[k-2] % n1
	from, many := r.from[c*n1:(c+1)*n1], r.many[c*n1:(c+1)*n1]
	heads := w.heads[:n1+1] // messages by node; those that stay at n1
	clear(heads)
	last := b.last[lo : lo+count]
	w.departing(k, c, slot, last)
	want := w.want[:count]
	for m := range want {
		if last[m] != gone {
			heads[want[m]]++
		}
	}
	// The messages that stay leave with those that the own copy's edges keep.
	at := lo
	for j := range n1 {
		from[j], many[j] = at, heads[j]
		heads[j], at = at, at+heads[j]
		if j == own {
			many[j] += heads[n1]
			heads[n1], at = at, at+heads[n1]
		}
	}
	for m := range want {
		if last[m] != gone {
			g := want[m]
			r.order[heads[g]] = uint32(lo) + uint32(m)
			r.edge[heads[g]] = last[m]
			heads[g]++
		}
	}
	w.rng.start(r.opt.Seed, r.levels+2+k, c, path)
	t := &w.tally
	for j := range n1 {
		lo, hi := from[j], heads[j]
		if lo == hi || r.bundled && j == own {
			continue
		}
		staying := many[j] - (hi - lo)
		sent := w.fan(k, c*n1+j, int(lo), int(hi), path)
		if sent < int(hi-lo) { // some were lost: close the gap
			to := lo + int32(sent)
			copy(r.order[to:], r.order[hi:hi+staying])
			copy(r.edge[to:], r.edge[hi:hi+staying])
			t.lost += int64(int(hi-lo) - sent)
			many[j] = int32(sent) + staying
		}
	}
}

// departing fills w.want with the node that each message leaves from, or n1 for
// those that stay in their clique.
func (w *worker) departing(k, c, slot int, last []uint16) {
	if cap(w.want) < len(last) {
		w.want = make([]uint16, len(last)+len(last)/4)
	}
	want := w.want[:len(last)]
	copy(want, last)
	if w.r.faults == nil {
		return
	}
	for m, t := range w.slice(slot, c) {
		if last[m] != gone && (t == stay || w.r.digit(int(t), k) != int(last[m]) ||
			!w.r.faults.leads(c*w.r.clique+int(last[m]), k)) {
			want[m] = uint16(w.r.clique)
		}
	}
}

// fan spreads the messages in order[lo:hi] over the edges of level k of a node,
// and returns how many arrive: these come first in order.
func (w *worker) fan(k, v, lo, hi int, path uint64) int {
	r := w.r
	b := &r.buf[w.now]
	order, edge := r.order[lo:hi], r.edge[lo:hi]
	links := r.clique // that the node can use
	switch {
	case r.bundled:
		links = 1
	case r.faults != nil:
		links = r.faults.live(v, k)
	}
	width := links * r.capacity[k-1] // messages in a round
	if len(order) > width {          // who waits is left to chance
		for i := len(order) - 1; i > 0; i-- {
			j := w.rng.below(i + 1)
			order[i], order[j] = order[j], order[i]
		}
	}
	loop := -1
	if r.digit(v, k) == v%r.clique {
		loop = v % r.clique
	}
	arrived, round, spent := 0, 0, 0
	for try := 0; ; try++ {
		again := w.again[:0]
		for i := 0; i < len(order); i += width {
			round++
			n := min(width, len(order)-i)
			spent += round * n
			for x, m := range order[i : i+n] {
				if x%links == 0 { // as often as a link carries a message
					w.drawEdges(k, v, min(links, n-x), path)
				}
				e := w.pool[x%links]
				if r.loss > 0 && int(e) != loop && w.rng.happens(r.loss) {
					again = append(again, m)
					continue
				}
				b.rounds[m] += uint32(round)
				r.order[lo+arrived], edge[arrived] = m, e
				arrived++
				if r.wire != nil {
					w.crossUp(k, v, int(e), &b.wire[m])
				}
			}
			w.tally.hops[k] += int64(n)
		}
		w.again = again
		if len(again) == 0 {
			break
		}
		if try == r.opt.Retries {
			for _, m := range again {
				w.tally.dropped += fingerprint(b.id[m], b.target[m])
			}
			break
		}
		w.spare = append(w.spare[:0], again...)
		order = w.spare
	}
	w.tally.most[k] = max(w.tally.most[k], round)
	w.tally.rounds[k] += int64(spent)
	return arrived
}

// crossUp adds the wire of edge e of level k.
func (w *worker) crossUp(k, v, e int, wire *uint32) {
	level := k - 1
	if w.r.digit(v, k) == v%w.r.clique {
		level = 0
	}
	w.cross(wire, w.wireOf(v, w.r.along(v, k, e), level))
}

// drawEdges draws n edges of level k of a node, at random and all different,
// into the front of w.pool.
func (w *worker) drawEdges(k, v, n int, path uint64) {
	r := w.r
	pool := w.pool[:r.clique]
	if r.bundled {
		i := uint16(r.digit(v, k))
		for x := range n {
			pool[x] = i
		}
		return
	}
	links := 0
	if r.faults != nil {
		links = r.faults.edges(v, k-1, pool)
	} else {
		links = copy(pool, w.identity)
	}
	rng := &w.rng
	if r.opt.Reading.Subset == PairSubset {
		rng = &w.shared
		rng.start(r.opt.Seed, 3*r.levels+k, v/r.power[k-1]*r.clique+v%r.clique, path)
	}
	for x := range n {
		y := x + rng.below(links-x)
		pool[x], pool[y] = pool[y], pool[x]
	}
}

// layOut makes room in the other store for the messages of a copy of C(k) after
// a hop.
func (r *run) layOut(now, k, copy int) {
	n1, sub := r.clique, r.power[k-2]
	first, _ := r.cliques(k, copy)
	to := &r.buf[now^1]
	at := r.buf[now].start[first]
	for j := range n1 {
		for c := first; c < first+sub; c++ {
			n := int32(0)
			for i := range n1 {
				n += r.many[(c+i*sub)*n1+j]
			}
			to.start[c+j*sub], to.count[c+j*sub] = at, n
			at += n
		}
	}
}

// gather moves to a clique the messages that a hop of level k brings it, from
// the cliques that differ from it in digit k only, in their order.
func (w *worker) gather(k, c int, live uint64) {
	r := w.r
	n1, sub := r.clique, r.power[k-2]
	j := c / sub % n1
	a, b := &r.buf[w.now], &r.buf[w.now^1]
	at := b.start[c]
	for i := range n1 {
		node := (c+(i-j)*sub)*n1 + j
		lo, n := r.from[node], r.many[node]
		order, edge := r.order[lo:lo+n], r.edge[lo:lo+n]
		target, id, rounds := b.target[at:at+n], b.id[at:at+n], b.rounds[at:at+n]
		last := b.last[at : at+n]
		copy(last, edge)
		for x, m := range order {
			target[x] = a.target[m]
			id[x] = a.id[m]
			rounds[x] = a.rounds[m]
		}
		if a.wire != nil {
			pick(b.wire[at:at+n], a.wire, order, 0)
		}
		if a.aim != nil {
			pick(b.aim[at:at+n], a.aim, order, 0)
		}
		for bits, s := live, 0; bits != 0; bits, s = bits>>1, s+1 {
			if bits&1 != 0 {
				to := w.slots[s][w.now^1]
				pick(to[int(at)-w.base:int(at+n)-w.base], w.slots[s][w.now], order, uint32(w.base))
			}
		}
		at += n
	}
}

// pick fills to with the elements of from that order numbers, less base.
func pick(to, from []uint32, order []uint32, base uint32) {
	for x, m := range order {
		to[x] = from[m-base]
	}
}
