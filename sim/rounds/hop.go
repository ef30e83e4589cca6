package rounds

// send is step 2 of A(k) in one clique, as far as its nodes go: every message
// that A(k-1) brought to a node whose edges of level k lead to its copy takes
// one of them.
func (w *worker) send(k, c, slot int, path uint64) {
	r := w.r
	b := &r.buf[w.now]
	n1 := r.clique
	lo, count := b.start[c], b.count[c]
	from, many := r.from[c*n1:(c+1)*n1], r.many[c*n1:(c+1)*n1]
	heads := w.heads[:n1+1] // messages by node; those that stay at n1
	clear(heads)
	last := b.last[lo : lo+count]
	w.fillDepartures(k, c, slot, last)
	want := w.want[:count]
	for m := range want {
		if last[m] != gone {
			heads[want[m]]++
		}
	}
	r.stay[c] = heads[n1]
	at := lo + heads[n1]
	heads[n1] = lo
	for j := range n1 {
		from[j], many[j] = at, heads[j]
		heads[j], at = at, at+heads[j]
	}
	for m := range want {
		if last[m] != gone {
			g := want[m]
			r.order[heads[g]] = uint32(lo) + uint32(m)
			r.edge[heads[g]] = last[m]
			heads[g]++
		}
	}
	w.drawEdges(k, c, path)
	w.rng.start(r.opt.Seed, r.levels+2+k, c, path)
	for j := range n1 {
		if many[j] == 0 {
			continue
		}
		sent := w.fan(k, c*n1+j, int(from[j]), int(from[j]+many[j]))
		w.tally.lost += int64(many[j]) - int64(sent)
		many[j] = int32(sent)
	}
}

// fillDepartures fills w.want with the node that each message leaves from, or n1 for
// those that stay in their clique.
func (w *worker) fillDepartures(k, c, slot int, last []uint16) {
	if cap(w.want) < len(last) {
		w.want = make([]uint16, len(last)+len(last)/4)
	}
	want := w.want[:len(last)]
	copy(want, last)
	if w.r.bundled {
		own := c / w.r.power[k-2] % w.r.clique
		for m, j := range last {
			if int(j) == own {
				want[m] = uint16(w.r.clique) // in its copy already
			}
		}
	}
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
func (w *worker) fan(k, v, lo, hi int) int {
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
	width := links * r.capacity[k-1]      // messages in a round
	for i := len(order) - 1; i > 0; i-- { // who waits, and who takes which edge
		j := w.rng.below(i + 1)
		order[i], order[j] = order[j], order[i]
	}
	edges := w.edges
	if r.faults != nil {
		edges = w.liveEdges(k, v)
	}
	loop := -1
	if i := r.digit(v, k); r.along(v, k, i) == v {
		loop = i
	}
	arrived, round, spent := 0, 0, 0
	for try := 0; ; try++ {
		again := w.again[:0]
		for i := 0; i < len(order); i += width {
			round++
			n := min(width, len(order)-i)
			spent += round * n
			for x, m := range order[i : i+n] {
				e := edges[x%links]
				if r.bundled {
					e = uint16(r.digit(v, k))
				}
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
	level, to := k-1, w.r.along(v, k, e)
	if to/w.r.clique == v/w.r.clique {
		level = 0
	}
	w.cross(wire, w.wireOf(v, to, level))
}

// drawEdges draws the order in which the nodes of a copy of C(k-1) use their edges of
// level k during one call: every node uses the first of them. It is the same for all
// cliques of the copy.
func (w *worker) drawEdges(k, c int, path uint64) {
	r := w.r
	w.shared.start(r.opt.Seed, 2*r.levels+2+k, c/r.power[k-2], path)
	copy(w.edges, w.identity)
	for x := range w.edges {
		y := x + w.shared.below(len(w.edges)-x)
		w.edges[x], w.edges[y] = w.edges[y], w.edges[x]
	}
}

// liveEdges is the edges that drawEdges drew less those of a node that have failed.
func (w *worker) liveEdges(k, v int) []uint16 {
	if w.r.bundled {
		return w.edges
	}
	live := w.pool[:0]
	for _, e := range w.edges {
		if w.r.faults.works(v, k, int(e)) {
			live = append(live, e)
		}
	}
	return live
}

// layOut makes room in the other store for the messages of a copy of C(k) after
// a hop: in each clique first for those that stay.
func (r *run) layOut(now, k, copy int) {
	n1 := r.clique
	first, last := r.cliques(k, copy)
	to := &r.buf[now^1]
	for c := first; c < last; c++ {
		to.count[c] = r.stay[c]
	}
	step := r.power[k-2] / n1 // cliques between those that two edges lead to
	for v := first * n1; v < last*n1; v++ {
		// In the bundled form too, edge e leads step e cliques further.
		clique := (v/r.power[k]*r.power[k] + v%n1*r.power[k-1] + v%r.power[k-1]/n1) / n1
		for _, e := range r.edge[r.from[v] : r.from[v]+r.many[v]] {
			to.count[clique+int(e)*step]++
		}
	}
	at := r.buf[now].start[first]
	for c := first; c < last; c++ {
		to.start[c] = at
		at += to.count[c]
	}
}

// groups is the number of parts into which a hop of level k falls in a copy of C(k).
// The cliques to which the messages of a part go take in no others.
func (r *run) groups(k int) int { return max(r.clique, r.power[k-2]) }

// scatter moves the messages of a part of a hop: those at the nodes (i, v, y, j) for
// all digits i and y, where the number of the part gives the digits v between them and
// the last, j. They go to the nodes (j, e, v, y), on level 2 from (i, j) to (j, e). With
// them come the messages that stay in the cliques that these go to.
func (w *worker) scatter(k, copy, group int, live uint64) {
	r := w.r
	n1, sub := r.clique, r.power[k-2]
	v, j := group/n1, group%n1
	first, _ := r.cliques(k, copy)
	step, inner := sub/n1, n1 // inner digits y, and e
	if k == 2 {
		inner = 1
	}
	a, b := &r.buf[w.now], &r.buf[w.now^1]
	at := w.heads[:inner]
	take, put := w.take[:0], w.put[:0]
	for e := range inner {
		c := first + j*sub + e*step + v
		at[e] = b.start[c]
		for p := a.start[c]; p < a.start[c]+r.stay[c]; p++ {
			take, put = append(take, r.order[p]), append(put, at[e])
			b.last[at[e]] = r.edge[p]
			at[e]++
		}
	}
	for i := range n1 {
		for y := range inner {
			node := (first+i*sub+v*n1+y)*n1 + j
			lo, hi := r.from[node], r.from[node]+r.many[node]
			for p, e := range r.edge[lo:hi] {
				to, last := int(e), uint16(y)
				if k == 2 {
					to, last = 0, e
				}
				take, put = append(take, r.order[int(lo)+p]), append(put, at[to])
				b.last[at[to]] = last
				at[to]++
			}
		}
	}
	w.take, w.put = take, put
	for x, m := range take {
		b.target[put[x]] = a.target[m]
		b.id[put[x]] = a.id[m]
		b.rounds[put[x]] = a.rounds[m]
	}
	if a.wire != nil {
		carry(b.wire, a.wire, take, put, 0)
	}
	if a.aim != nil {
		carry(b.aim, a.aim, take, put, 0)
	}
	for bits, s := live, 0; bits != 0; bits, s = bits>>1, s+1 {
		if bits&1 != 0 {
			carry(w.slots[s][w.now^1], w.slots[s][w.now], take, put, w.base)
		}
	}
}

// carry copies the elements that take numbers to the places in put, both less base.
func carry(to, from []uint32, take []uint32, put []int32, base int) {
	for x, m := range take {
		to[int(put[x])-base] = from[int(m)-base]
	}
}
