package packet

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/plenum-planner/plenum/routing"
)

// A segment is a packet in one of the buffers that it lies in. It is there from the
// cycle in which the first phit is sent there to the one in which the last leaves.
type segment struct {
	packet int32
	buffer int32
	next   int32 // behind it in its buffer, or in the list of free segments
	out    int32 // output that it has been given, or noOut, or swallow
	to     int32 // the packet's segment behind the output, -1 at a terminal
	came   int32 // phits that have arrived
	gone   int32 // phits of them that have left
}

// swallow is the output of a packet that cannot be delivered.
const swallow int32 = -3

// A worm is what wormhole switching needs besides the arrays of the engine. Of
// these, credits count phits, and a buffer's head is the record of its first packet.
//
// An output virtual channel is the buffer behind it. It is held by a packet from the
// phit that takes it to the last one.
type worm struct {
	segments []segment
	free     int32
	// By buffer.
	front, back []int32 // segments, -1
	held        []bool
	size        []int32 // phits
	// By output.
	passing []int32 // packets that hold a virtual channel of it, or the terminal
	// By terminal.
	sending []int32 // segment of the packet that it is sending, -1
	unsent  []int32 // phits of it

	arrivals [][]int32 // segments that a phit reaches, by cycle
}

// newWorm is called when the arrays of the engine stand.
func (e *engine) newWorm() {
	buffers, terminals := len(e.buffers), e.net.Terminals()
	w := &worm{
		free:  -1,
		front: make([]int32, buffers), back: make([]int32, buffers), held: make([]bool, buffers),
		size:    append([]int32(nil), e.credits...),
		passing: make([]int32, e.channels+terminals),
		sending: make([]int32, terminals), unsent: make([]int32, terminals),
		arrivals: make([][]int32, e.wheel.mask+1),
	}
	for b := range w.front {
		w.front[b], w.back[b] = -1, -1
	}
	for t := range w.sending {
		w.sending[t] = -1
	}
	for out := range e.lastIn {
		e.lastIn[out] = -1
	}
	e.worm = w
}

// crawl plays the cycle e.now.
func (e *engine) crawl() {
	slot := e.now & e.wheel.mask
	if due := e.wheel.credits[slot]; len(due) > 0 {
		e.phitsLeft(due)
		e.wheel.credits[slot] = due[:0]
	}
	if e.wheel.calls[slot] >= 0 {
		e.callTerminals(slot)
	}
	if came := e.worm.arrivals[slot]; len(came) > 0 {
		e.phitsCame(came)
		e.worm.arrivals[slot] = came[:0]
	}
	if e.wheel.woken[slot] > 0 {
		e.wheel.woken[slot] = 0
		row := e.wheel.wakes[int(slot)*e.wheel.words : int(slot+1)*e.wheel.words]
		for i, word := range row {
			row[i] = 0
			for ; word != 0; word &= word - 1 {
				e.crawlAt(int32(i<<6 + bits.TrailingZeros64(word)))
			}
		}
	}
	e.now++
}

// phitsLeft takes note of the room of phits, by buffer; of a last one by ^buffer.
func (e *engine) phitsLeft(due []int32) {
	for _, b := range due {
		last := b < 0
		if last {
			b = ^b
		}
		e.credits[b]++
		c := e.source[int(b)/e.vcs]
		if c < 0 {
			e.roomAt(^c)
			continue
		}
		if last && e.tracks {
			e.state.Sent[c]--
		}
		e.wheel.wake(e.net.From[c], e.now)
	}
}

// phitsCame puts phits into buffers.
func (e *engine) phitsCame(came []int32) {
	w := e.worm
	for _, i := range came {
		s := &w.segments[i]
		s.came++
		if w.front[s.buffer] != i {
			continue
		}
		port := s.buffer / int32(e.vcs)
		r := e.router[port]
		e.waiting[port] |= 1 << (s.buffer % int32(e.vcs))
		e.mark(r, port)
		e.wheel.wake(r, e.now)
	}
}

// isOpen tells whether a packet may take a virtual channel: no other holds it, and the
// buffer behind has room, or is known to be empty unless Options.SharedBuffers.
func (e *engine) isOpen(b int32) bool {
	if e.worm.held[b] {
		return false
	}
	if e.cfg.SharedBuffers {
		return e.credits[b] > 0
	}
	return e.credits[b] == e.worm.size[b]
}

// roomiestOpen is the open virtual channel with most room of those from lo to hi-1
// of an input port, -1 if there is none.
func (e *engine) roomiestOpen(port int32, lo, hi int) int32 {
	best := int32(-1)
	for v := lo; v < hi; v++ {
		b := port*int32(e.vcs) + int32(v)
		if e.isOpen(b) && (best < 0 || e.credits[b] > e.credits[best]) {
			best = b
		}
	}
	return best
}

// startSegment has a packet begin to enter a buffer.
func (e *engine) startSegment(b, packet int32) int32 {
	w := e.worm
	i := w.free
	if i >= 0 {
		w.free = w.segments[i].next
	} else {
		i = int32(len(w.segments))
		w.segments = append(w.segments, segment{})
	}
	w.segments[i] = segment{packet: packet, buffer: b, next: -1, out: noOut, to: -1}
	w.held[b] = true
	if w.front[b] < 0 {
		w.front[b] = i
		e.buffers[b].head = packet
	} else {
		w.segments[w.back[b]].next = i
	}
	w.back[b] = i
	return i
}

// sendPhit puts a phit on its way to a segment.
func (e *engine) sendPhit(to int32, at int64) {
	w := e.worm
	e.credits[w.segments[to].buffer]--
	slot := at & e.wheel.mask
	w.arrivals[slot] = append(w.arrivals[slot], to)
}

// crawlAt lets each input port at a router send a phit, and each output take one.
func (e *engine) crawlAt(r int32) {
	e.streams.use(int(r))
	first := e.firstPort[r]
	active := false
	e.touched = e.touched[:0]
	for k := e.firstWord[r]; k < e.firstWord[r+1]; k++ {
		for word := e.busyPorts[k]; word != 0; word &= word - 1 {
			port := first + (k-e.firstWord[r])<<6 + int32(bits.TrailingZeros64(word))
			mask := e.waiting[port]
			base := int(port) * e.vcs
			turn := uint(e.turn[port])
			for _, part := range [2]uint64{mask >> turn << turn, mask & (1<<turn - 1)} {
				for ; part != 0; part &= part - 1 {
					asked, swallowed := e.askPhit(r, port, int32(base+bits.TrailingZeros64(part)))
					active = active || asked || swallowed
					if asked && !e.cfg.FreeInputs {
						goto served
					}
				}
			}
		served:
		}
	}
	for _, out := range e.touched {
		e.asked[out] = 0
		e.forward(r, out)
	}
	if active { // others may go now, and room and virtual channels that are given up count
		e.wheel.wake(r, e.now+1)
	}
}

// askPhit lets the first phit of a buffer ask for its output.
func (e *engine) askPhit(r, port, b int32) (asked, swallowed bool) {
	w, buf := e.worm, &e.buffers[b]
	s := &w.segments[w.front[b]]
	if s.out == noOut && buf.out == noOut && !e.decide(r, b) || s.out == swallow {
		e.swallowPhit(r, b)
		return false, true
	}
	switch {
	case s.to >= 0:
		if e.credits[w.segments[s.to].buffer] == 0 {
			return false, false
		}
		e.request(s.out, port, b, 0, nil)
	case s.out >= 0: // into its terminal
		e.request(s.out, port, b, 0, nil)
	case buf.out == choose:
		return e.askAnyOpen(r, port, b)
	case int(buf.out) >= e.channels:
		if w.passing[buf.out] > 0 {
			return false, false
		}
		e.request(buf.out, port, b, 0, nil)
	default:
		into := e.portOf[buf.out]
		to := e.roomiestOpen(into, int(buf.lo), int(buf.hi))
		if to < 0 {
			return false, false
		}
		e.request(buf.out, port, b, uint8(to-into*int32(e.vcs)), nil)
	}
	return true, false
}

// askAnyOpen lets the first phit of a packet with several hops ask for the best of
// them. A later tier counts only if no virtual channel of the earlier ones is open.
func (e *engine) askAnyOpen(r, port, b int32) (asked, swallowed bool) {
	buf := &e.buffers[b]
	if e.watches {
		e.waitFor(buf, -1) // not for itself
	}
	e.hops = e.fn.Next(&e.packets[buf.head].Header, r, &e.state, e.hops[:0])
	if len(e.hops) == 0 {
		e.drop(b)
		e.swallowPhit(r, b)
		return false, true
	}
	for tier := uint8(0); tier < 4; tier++ {
		best, to, more := e.openHop(tier)
		if best >= 0 {
			hop := &e.hops[best]
			e.waitFor(buf, hop.Channel)
			e.request(hop.Channel, port, b, uint8(to%int32(e.vcs)), hop)
			return true, false
		}
		if !more {
			break
		}
	}
	if buf.wants < 0 {
		e.waitFor(buf, e.hops[0].Channel)
	}
	return false, false
}

// openHop finds the hop of a tier, and the buffer behind it, with most room of those
// that are open; for Idle channels that no packet is passing over come first. It is
// -1 if none is open.
func (e *engine) openHop(tier uint8) (best int, to int32, more bool) {
	best = -1
	most, ties := int32(-1), uint32(0)
	for i := range e.hops {
		hop := &e.hops[i]
		if hop.Tier != tier {
			more = more || hop.Tier > tier
			continue
		}
		vcs := e.classes[hop.Class]
		b := e.roomiestOpen(e.portOf[hop.Channel], vcs.From, vcs.To)
		if b < 0 {
			continue
		}
		room := e.credits[b]
		if e.cfg.Select == Idle {
			room = e.roomOf(hop.Channel, vcs)
			if e.worm.passing[hop.Channel] == 0 {
				room += math.MaxInt32 / 2
			}
		}
		switch {
		case room > most:
			best, to, most, ties = i, b, room, 1
		case room == most:
			if ties++; e.rng.Uint32N(ties) == 0 {
				best, to = i, b
			}
		}
	}
	return best, to, more
}

// forward sends the phit that has won an output.
func (e *engine) forward(r, out int32) {
	w := e.worm
	b := e.winner[out]
	buf, port, i := &e.buffers[b], b/int32(e.vcs), w.front[b]
	packet := w.segments[i].packet
	e.moved = e.now
	e.lastIn[out] = port
	e.sent[out]++
	if !e.cfg.FreeInputs {
		e.turn[port] = uint8((b%int32(e.vcs) + 1) % int32(e.vcs))
	}
	if w.segments[i].out == noOut {
		w.segments[i].out = out
		w.passing[out]++
		if e.tracks {
			e.waitFor(buf, -1)
		}
		if int(out) < e.channels {
			hop := e.winHop[out]
			if buf.out != choose {
				hop = routing.Hop{Channel: out, Class: buf.class}
			}
			p := &e.packets[packet]
			p.Take(hop)
			p.distance += e.latency[out]
			if e.tracks {
				e.state.Sent[out]++
			}
			to := e.startSegment(e.portOf[out]*int32(e.vcs)+int32(e.winVC[out]), packet)
			w.segments[i].to = to
		}
	}
	to := w.segments[i].to
	if to >= 0 {
		e.carried++
		e.sendPhit(to, e.now+int64(e.cfg.Pipeline)+int64(e.latency[out]))
	}
	if e.takePhit(r, b) {
		w.passing[out]--
		if to >= 0 {
			w.held[w.segments[to].buffer] = false
		} else {
			e.deliver(r, packet, 0)
		}
	}
}

// takePhit takes a phit out of a buffer and tells whether it is a packet's last.
func (e *engine) takePhit(r, b int32) (last bool) {
	w := e.worm
	i, port := w.front[b], b/int32(e.vcs)
	s := &w.segments[i]
	s.gone++
	left := s.came - s.gone
	last = int64(s.gone) == e.phits
	back := b
	if last {
		back = ^b
		buf := &e.buffers[b]
		buf.out, buf.routed, buf.head = noOut, false, -1
		w.front[b] = s.next
		s.next, w.free = w.free, i
		if next := w.front[b]; next >= 0 {
			left, buf.head = w.segments[next].came, w.segments[next].packet
		}
	}
	if left == 0 {
		e.waiting[port] &^= 1 << (b % int32(e.vcs))
		if e.waiting[port] == 0 {
			local := port - e.firstPort[r]
			e.busyPorts[e.firstWord[r]+local>>6] &^= 1 << (local & 63)
		}
	}
	source := e.source[port]
	if source < 0 {
		source = int32(e.channels) + ^source
	}
	slot := (e.now + int64(e.credit[source])) & e.wheel.mask
	e.wheel.credits[slot] = append(e.wheel.credits[slot], back)
	return last
}

// swallowPhit takes a phit of an undeliverable packet out of the network.
func (e *engine) swallowPhit(r, b int32) {
	packet := e.buffers[b].head
	e.moved = e.now
	if e.takePhit(r, b) {
		e.lose(packet)
	}
}

// servePhit lets a terminal send a phit if it has one.
func (e *engine) servePhit(t int32) {
	w := e.worm
	if w.sending[t] < 0 && e.left[t] == 0 && !e.nextMessage(t) {
		return
	}
	if e.linkFree[t] > e.now {
		e.wheel.call(t, e.linkFree[t])
		return
	}
	if w.sending[t] < 0 {
		b := e.roomiestOpen(e.portOf[e.channels+int(t)], 0, e.vcs)
		if b < 0 {
			e.noRoom[t] = true
			return
		}
		i := e.newPacket(t)
		w.sending[t], w.unsent[t] = e.startSegment(b, i), int32(e.phits)
	}
	to := w.sending[t]
	b := w.segments[to].buffer
	if e.credits[b] == 0 {
		e.noRoom[t] = true
		return
	}
	e.moved = e.now
	e.sendPhit(to, e.now+int64(e.cfg.Inject)+int64(e.latency[e.channels+int(t)]))
	e.linkFree[t] = e.now + 1
	w.unsent[t]--
	if w.unsent[t] > 0 {
		e.wheel.call(t, e.linkFree[t])
		return
	}
	w.held[b], w.sending[t] = false, -1
	e.sentPacket(t)
}

// auditWorm counts the packets in the buffers, and for each buffer holds its room
// against the phits in it, on the way to it, and on the way back as room.
func (e *engine) auditWorm() (inside int64, err error) {
	w := e.worm
	phits := make([]int32, len(e.buffers))
	seen := make([]bool, len(e.packets))
	for b := range w.front {
		for i := w.front[b]; i >= 0; i = w.segments[i].next {
			s := &w.segments[i]
			phits[b] += s.came - s.gone
			if !seen[s.packet] {
				seen[s.packet] = true
				inside++
			}
		}
	}
	for slot := range w.arrivals {
		for _, i := range w.arrivals[slot] {
			phits[w.segments[i].buffer]++
		}
		for _, b := range e.wheel.credits[slot] {
			phits[max(b, ^b)]++
		}
	}
	for b, n := range phits {
		if n+e.credits[b] != w.size[b] {
			return 0, fmt.Errorf("packet: a buffer of %d phits with room for %d has %d at %s", w.size[b], e.credits[b],
				n, e.net.Label(e.router[b/e.vcs]))
		}
	}
	return inside, nil
}
