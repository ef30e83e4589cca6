package rounds

import "github.com/plenum-planner/plenum/units"

// maxPhases ends a call of A(1) in which nearly everything is lost: after so many phases, and a few more if the direct
// phase left much over, the messages that remain count as lost. Without losses there is no limit: in every phase a
// message arrives, or has a chance to where links have failed.
const maxPhases = 10_000

// checkEvery is the number of phases after which relay checks whether the run was cancelled.
const checkEvery = 64

// clique is A(1) on clique c: it sends each message to the node of the clique whose number modulo the clique size is
// that of the message's destination/div. The destinations are in slot (see worker.slice). The path of calls seeds the
// random numbers, together with the level and c.
func (w *worker) clique(c, slot, div int, path uint64) {
	r := w.r
	b := &r.buf[w.now]
	lo, count := int(b.start[c]), int(b.count[c])
	if count == 0 {
		return
	}
	if cap(w.want) < count {
		w.want = make([]uint16, count+count/4)
	}
	want := w.want[:count]
	last := b.last[lo : lo+count]
	n1 := uint32(r.clique)
	if r.faults == nil && div == 1 {
		for m, t := range w.slice(slot, c) {
			want[m] = uint16(t % n1)
		}
	} else {
		div := uint32(div)
		for m, t := range w.slice(slot, c) {
			want[m] = uint16(t / div % n1)
			if t == stay || last[m] == gone {
				want[m] = gone
			}
		}
	}
	w.rng.start(r.opt.Seed, 1, c, path)
	active := w.direct(c, want, last)
	if active == 0 {
		return
	}
	t := &w.tally
	t.load[1] = max(t.load[1], int64(active))
	t.remain(0, active)
	t.remain(1, len(w.rest))
	rounds := b.rounds[lo : lo+count]
	if r.faults == nil {
		for m := range want {
			last[m] = want[m]
			rounds[m]++
		}
	} else {
		for m := range want {
			if want[m] != gone {
				last[m] = want[m]
				rounds[m]++
			}
		}
	}
	t.rounds[1] += int64(active)
	most := 1
	if len(w.rest) > 0 {
		phases := w.relay(c)
		most += 2 * phases
		if r.opt.Reading.Handshake && r.opt.Mode == Dense {
			most += 2
		}
	}
	t.most[1] = max(t.most[1], most)
}

// direct is the first phase: every link takes one of the messages for it, drawn at random. A message at its destination
// takes the loop there. The messages that do not arrive are in w.rest afterwards, by the nodes that hold them. It
// returns the number of messages that take part, delivered or not: all except those whose want is gone.
func (w *worker) direct(c int, want, last []uint16) int {
	r := w.r
	n1 := r.clique
	holder, rivals := w.holder, w.rivals
	clear(rivals)
	rest := w.rest[:0]
	active, first := 0, c*n1
	failing := r.faults != nil
	for m, d := range want {
		if d == gone {
			continue
		}
		active++
		s := last[m]
		if failing && r.faults.isBroken(first+int(s), first+int(d)) {
			rest = append(rest, pending{message: int32(m), from: s, to: d})
			continue
		}
		key := int(s)*n1 + int(d)
		n := rivals[key] + 1
		rivals[key] = n
		switch {
		case n == 1:
			holder[key] = int32(m)
		case w.rng.below(int(n)) == 0:
			rest = append(rest, pending{message: holder[key], from: s, to: d})
			holder[key] = int32(m)
		default:
			rest = append(rest, pending{message: int32(m), from: s, to: d})
		}
	}
	w.tally.hops[1] += int64(active - len(rest))
	if r.loss > 0 || r.wire != nil {
		b := &r.buf[w.now]
		for m, d := range want {
			if d == gone {
				continue
			}
			s := last[m]
			key := int(s)*n1 + int(d)
			switch {
			case rivals[key] == 0 || holder[key] != int32(m):
			case r.loss > 0 && s != d && w.rng.happens(r.loss):
				rest = append(rest, pending{message: int32(m), from: s, to: d})
			case r.wire != nil:
				w.cross(&b.wire[int(b.start[c])+m], w.wireOf(first+int(s), first+int(d), 0))
			}
		}
	}
	w.rest = rest
	if len(rest) > 0 {
		w.groupRest()
	}
	return active
}

// groupRest sorts w.rest by the nodes that hold the messages, keeping their order otherwise.
func (w *worker) groupRest() {
	heads := w.heads[:w.r.clique+1]
	clear(heads)
	for i := range w.rest {
		heads[w.rest[i].from+1]++
	}
	for s := range w.r.clique {
		heads[s+1] += heads[s]
	}
	if cap(w.grouped) < len(w.rest) {
		w.grouped = make([]pending, 2*len(w.rest))
	}
	grouped := w.grouped[:len(w.rest)]
	for _, p := range w.rest {
		grouped[heads[p.from]] = p
		heads[p.from]++
	}
	w.rest, w.grouped = grouped, w.rest
}

// relay runs the phases after the first, until w.rest is empty, and returns their number. In each phase, every message
// asks some relays, every relay takes one request for each destination, and the messages with a relay are sent.
// Messages that cannot be delivered leave w.rest too (strand, lose). If the run is cancelled, relay returns early.
func (w *worker) relay(c int) int {
	if w.r.faults != nil {
		w.strand(c)
	}
	phase, most := 0, maxPhases+4*len(w.rest)/w.r.clique
	for len(w.rest) > 0 {
		phase++
		if phase%checkEvery == 0 && w.ctx.Err() != nil {
			break // the cancelled run returns no result
		}
		if phase > most && w.r.loss > 0 {
			for _, p := range w.rest {
				w.lose(c, p)
			}
			break
		}
		w.request(c, w.r.opt.Reading.copies(phase))
		w.serve(c, phase)
		w.tally.remain(phase+1, len(w.rest))
	}
	return phase
}

// strand removes from w.rest the messages that failures keep from their destination, directly and by way of every
// relay. They stay at their nodes, from which detours of the calling algorithm take them up.
func (w *worker) strand(c int) {
	f, first := w.r.faults, c*w.r.clique
	b := &w.r.buf[w.now]
	kept := w.rest[:0]
	for _, p := range w.rest {
		s, d := first+int(p.from), first+int(p.to)
		reachable := !f.isBroken(s, d)
		for v := first; v < first+w.r.clique && !reachable; v++ {
			reachable = !f.isBroken(s, v) && !f.isBroken(v, d)
		}
		if reachable {
			kept = append(kept, p)
		} else {
			b.last[b.start[c]+p.message] = p.from
		}
	}
	w.rest = kept
}

// lose removes a message from the run and counts it as lost.
func (w *worker) lose(c int, p pending) {
	b := &w.r.buf[w.now]
	m := int(b.start[c] + p.message)
	b.last[m] = gone
	w.tally.lost++
	w.tally.dropped += fingerprint(b.id[m], b.target[m])
}

// request draws the relays that messages ask in a phase, up to copies for each message. With Reading.Unbalanced, every
// message draws its own. Otherwise the messages of a node ask over different links: if it has too few links for all
// copies, each message asks fewer relays; if it has more messages than links, some, drawn at random, wait for the next
// phase.
func (w *worker) request(c, copies int) {
	r := w.r
	n1, rest := r.clique, w.rest
	clear(w.rivals)
	w.asks = w.asks[:0]
	pool := w.pool[:n1]
	for i := 0; i < len(rest); {
		j := i + 1
		for j < len(rest) && rest[j].from == rest[i].from {
			j++
		}
		s := rest[i].from
		links := w.links(c, int(s), pool)
		asking, each := j-i, min(copies, links)
		if !r.opt.Reading.Unbalanced {
			if asking > links {
				for x := range links {
					y := x + w.rng.below(asking-x)
					rest[i+x], rest[i+y] = rest[i+y], rest[i+x]
				}
				for x := i + links; x < j; x++ {
					rest[x].asked = 0
				}
				asking = links
			}
			each = max(1, min(each, links/max(1, asking)))
		}
		drawn := 0
		for x := i; x < i+asking; x++ {
			p := &rest[x]
			p.asks, p.asked = int32(len(w.asks)), int32(each)
			if r.opt.Reading.Unbalanced {
				drawn = 0
			}
			for range each {
				y := drawn + w.rng.below(links-drawn)
				pool[drawn], pool[y] = pool[y], pool[drawn]
				w.ask(c, p, pool[drawn])
				drawn++
			}
		}
		i = j
	}
}

// links fills pool with the nodes of clique c to which a node can send, itself included, and returns their number.
// Nodes are numbered within the clique.
func (w *worker) links(c, from int, pool []uint16) int {
	if f := w.r.faults; f != nil {
		return f.edges(c*w.r.clique+from, 0, pool)
	}
	return copy(pool, w.identity)
}

// ask sends a request, or in light traffic a copy of the message, to a relay. A request can be lost, and a relay
// without a link to the destination ignores it. Of the others for one destination, the relay takes one at random.
func (w *worker) ask(c int, p *pending, relay uint16) {
	r := w.r
	if r.opt.Mode == Light {
		w.tally.hops[1]++
	}
	void := r.loss > 0 && relay != p.from && w.rng.happens(r.loss)
	if r.faults != nil && !void {
		void = r.faults.isBroken(c*r.clique+int(relay), c*r.clique+int(p.to))
	}
	number := int32(len(w.asks))
	w.asks = append(w.asks, ask{relay, void})
	if void {
		return
	}
	key := int(relay)*r.clique + int(p.to)
	n := w.rivals[key] + 1
	w.rivals[key] = n
	if n == 1 || w.rng.below(int(n)) == 0 {
		w.holder[key] = number
	}
}

// serve sends every message by way of a relay that took its request, or in light traffic the copies that relays took,
// and keeps in w.rest the messages that did not arrive.
func (w *worker) serve(c, phase int) {
	r := w.r
	b := &r.buf[w.now]
	lo := int(b.start[c])
	light := r.opt.Mode == Light
	spent := uint32(2 * phase)
	if r.opt.Reading.Handshake && !light {
		spent += 2
	}
	kept := w.rest[:0]
	for _, p := range w.rest {
		relay, arrived := -1, false
		var least units.Time
		for i := p.asks; i < p.asks+p.asked && !(arrived && !light); i++ {
			a := w.asks[i]
			if a.void || w.holder[int(a.relay)*r.clique+int(p.to)] != i {
				continue
			}
			if relay >= 0 && !light {
				break // a second relay took a request for it, but the message is sent once
			}
			relay = int(a.relay)
			if !w.pass(p, a.relay, light) {
				continue
			}
			if r.wire != nil {
				ns := w.relayWire(c, p, relay, light)
				if !arrived || ns < least {
					least = ns
				}
			}
			arrived = true
		}
		if !arrived {
			kept = append(kept, p)
			continue
		}
		m := lo + int(p.message)
		b.rounds[m] += spent
		w.tally.rounds[1] += int64(spent)
		if r.wire != nil {
			w.cross(&b.wire[m], least)
		}
	}
	w.rest = kept
}

// pass sends a message over the links to and from a relay that took its request, each of which can lose it. A copy is
// at the relay already and takes the second link only. It reports whether the message arrived.
func (w *worker) pass(p pending, relay uint16, copied bool) bool {
	r := w.r
	if !copied {
		w.tally.hops[1]++
		if r.loss > 0 && relay != p.from && w.rng.happens(r.loss) {
			return false
		}
	}
	w.tally.hops[1]++
	return r.loss == 0 || relay == p.to || !w.rng.happens(r.loss)
}

// relayWire returns the propagation time by way of a relay. With Reading.Handshake, it includes the time of the request
// and its answer in dense traffic.
func (w *worker) relayWire(c int, p pending, relay int, light bool) units.Time {
	first := c * w.r.clique
	there := w.wireOf(first+int(p.from), first+relay, 0)
	ns := there + w.wireOf(first+relay, first+int(p.to), 0)
	if w.r.opt.Reading.Handshake && !light {
		ns += 2 * there
	}
	return ns
}
