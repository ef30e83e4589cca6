package packet

import "fmt"

// A segment is the first packet in a buffer. It is there from the cycle in which its first phit arrives, or in which
// the last one of the packet before it leaves, to the one in which its last phit leaves.
type segment struct {
	out         int32 // output that it has been given, or noOut, or discard
	ahead       int32 // lane of that output that it holds, -1 at a terminal
	came        int32 // phits that have arrived
	gone        int32 // phits of them that have left
	first, last int32 // followers behind it in its buffer, -1
}

// A follower is a packet in a buffer behind another one: none of its phits has left.
type follower struct {
	packet int32
	came   int32
	next   int32 // behind it in its buffer, or in the list of those that are free
}

// A phit is on its way into a buffer, the first one of a packet with that.
type phit struct {
	buffer int32
	packet int32 // -1 of a later phit
}

// discard is the output of a packet that cannot be delivered.
const discard int32 = -3

// A worm is what wormhole switching needs besides the arrays of the engine. Of
// these, credits count phits, and a buffer's head is the record of its first packet.
//
// An output virtual channel is a lane. It is held by a packet from the
// phit that takes it to the last one.
//
// What a switch does in a cycle is seen by others in a later one, when phits or room arrive there. So engines of a crew
// need no more of each other than those. A packet that lies in switches of several engines has a record in each: that
// of its first phit goes on with it, a copy stays until the last phit has left.
type worm struct {
	// By buffer.
	segments []segment
	// By lane.
	held []bool
	size []int32 // phits
	// By output.
	passing []int32 // packets that hold a virtual channel of it, or the terminal
	// By terminal.
	sending []int32 // lane that it is sending a packet to, -1
	unsent  []int32 // phits of it

	followers []follower
	free      int32    // follower
	arrivals  [][]phit // by cycle
}

// newWorm is called when the arrays of the engine stand.
func (e *engine) newWorm() {
	terminals := e.net.Terminals()
	w := &worm{
		segments: make([]segment, len(e.buffers)),
		held:     make([]bool, len(e.credits)),
		size:     append([]int32(nil), e.credits...),
		passing:  make([]int32, e.channels+terminals),
		sending:  make([]int32, terminals), unsent: make([]int32, terminals),
	}
	for b := range w.segments {
		w.segments[b] = segment{out: noOut, ahead: -1, first: -1, last: -1}
	}
	for t := range w.sending {
		w.sending[t] = -1
	}
	for out := range e.outputs {
		e.outputs[out].last = -1
	}
	e.worm = w
	e.ownWorm()
}

// ownWorm gives an engine what it does not share with the others of its crew.
func (e *engine) ownWorm() {
	w := *e.worm
	w.followers, w.free, w.arrivals = nil, -1, make([][]phit, e.wheel.mask+1)
	e.worm = &w
}

// phitsLeft takes note of the room of phits, by lane; of a last one by ^lane.
func (e *engine) phitsLeft(due []int32) {
	for _, lane := range due {
		last := lane < 0
		if last {
			lane = ^lane
		}
		e.credits[lane]++
		c := e.perVCs(lane)
		if int(c) >= e.channels {
			e.roomAt(c - int32(e.channels))
			continue
		}
		if last && e.tracks {
			e.state.Sent[c]--
			e.note(c)
		}
		e.wheel.wake(e.outputs[c].from, e.now)
	}
}

// phitsCame puts the phits of a list that arrive in a cycle, in its slot, into buffers.
func (e *engine) phitsCame(arrivals [][]phit, slot int64) {
	w := e.worm
	for _, p := range arrivals[slot] {
		s := &w.segments[p.buffer]
		switch {
		case p.packet >= 0 && e.buffers[p.buffer].head >= 0:
			w.follow(s, p.packet)
			continue
		case p.packet >= 0:
			e.buffers[p.buffer].head = p.packet
		case s.last >= 0:
			w.followers[s.last].came++
			continue
		}
		s.came++
		if s.came-s.gone == 1 {
			e.presentOne(p.buffer)
		}
	}
	arrivals[slot] = arrivals[slot][:0]
}

// follow puts a packet whose first phit has come behind those in a buffer.
func (w *worm) follow(s *segment, packet int32) {
	i := w.free
	if i >= 0 {
		w.free = w.followers[i].next
	} else {
		i = int32(len(w.followers))
		w.followers = append(w.followers, follower{})
	}
	w.followers[i] = follower{packet: packet, came: 1, next: -1}
	if s.last >= 0 {
		w.followers[s.last].next = i
	} else {
		s.first = i
	}
	s.last = i
}

// leftBehind makes the packet behind the first one of a buffer, all of which has left, the first: it returns that, -1
// if there is none.
func (w *worm) leftBehind(s *segment) (packet int32) {
	i := s.first
	if i < 0 {
		*s = segment{out: noOut, ahead: -1, first: -1, last: -1}
		return -1
	}
	f := &w.followers[i]
	last := s.last
	if f.next < 0 {
		last = -1
	}
	*s = segment{out: noOut, ahead: -1, came: f.came, first: f.next, last: last}
	packet = f.packet
	f.next, w.free = w.free, i
	return packet
}

// isOpen tells whether a packet may take a virtual channel: no other holds it, and the
// buffer behind has room, or is known to be empty unless Options.SharedBuffers.
func (e *engine) isOpen(lane int32) bool {
	if e.worm.held[lane] {
		return false
	}
	if e.cfg.SharedBuffers {
		return e.credits[lane] > 0
	}
	return e.credits[lane] == e.worm.size[lane]
}

// roomiestOpen is the lane with most room of the open virtual channels from lo to hi-1
// of an output, -1 if there is none.
func (e *engine) roomiestOpen(out int32, lo, hi int) int32 {
	best := int32(-1)
	for v := lo; v < hi; v++ {
		lane := out*int32(e.vcs) + int32(v)
		if e.isOpen(lane) && (best < 0 || e.credits[lane] > e.credits[best]) {
			best = lane
		}
	}
	return best
}

// sendPhit puts a phit on its way over a lane, to arrive at a time; a first one with its packet, others with -1. A
// first one to another engine's switch goes there by handOver.
func (e *engine) sendPhit(o *output, lane, buffer, packet int32, at int64) {
	e.credits[lane]--
	switch {
	case o.part == e.number:
		e.toArrive(buffer, packet, at)
	case packet < 0:
		due := &e.to[o.part].phits[at&e.wheel.mask]
		*due = append(*due, phit{buffer, packet})
	default:
		e.packets[packet].ready = at
		e.handOver(o.part, buffer, packet)
	}
}

// toArrive has a phit arrive in a buffer of an engine's own at a time.
func (e *engine) toArrive(buffer, packet int32, at int64) {
	due := &e.worm.arrivals[at&e.wheel.mask]
	*due = append(*due, phit{buffer, packet})
}

// askPhit is ask for the first phit of a buffer.
func (e *engine) askPhit(r, port, b int32) (asked bool, when int64) {
	w, buf := e.worm, &e.buffers[b]
	s := &w.segments[b]
	if s.out == noOut && buf.out == noOut && !e.decide(r, b, buf) || s.out == discard {
		e.discardPhit(r, b)
		return false, e.now + 1
	}
	switch {
	case s.ahead >= 0:
		if e.credits[s.ahead] == 0 {
			return false, never
		}
		e.request(s.out, port, b, 0, nil)
	case s.out >= 0: // into its terminal
		e.request(s.out, port, b, 0, nil)
	case buf.out == choose:
		asked, when = e.askAny(r, port, b)
		if s.out == discard {
			e.discardPhit(r, b)
		}
		return asked, when
	case int(buf.out) >= e.channels:
		if w.passing[buf.out] > 0 {
			return false, never
		}
		e.request(buf.out, port, b, 0, nil)
	default:
		lane := e.roomiestOpen(buf.out, int(buf.lo), int(buf.hi))
		if lane < 0 {
			return false, never
		}
		e.request(buf.out, port, b, uint8(lane-buf.out*int32(e.vcs)), nil)
	}
	return true, 0
}

// forward sends the phit that has won an output.
func (e *engine) forward(out int32, o *output) {
	w := e.worm
	b := o.winner
	buf, port, s := &e.buffers[b], e.perVCs(b), &w.segments[b]
	packet, first := buf.head, s.out == noOut
	e.moved = e.now
	o.last = port
	o.sent++
	if !e.cfg.FreeInputs {
		e.passTurn(&e.inputs[port], port, b)
	}
	if first {
		s.out = out
		w.passing[out]++
		if e.tracks {
			e.waitFor(buf, -1)
		}
		if int(out) < e.channels {
			e.takeLane(out, o, buf, s)
		}
	}
	lane := s.ahead
	if lane >= 0 {
		e.carried++
		to := e.behind(lane, out, o)
		at := e.now + e.pipeline + int64(o.latency)
		if first {
			e.sendPhit(o, lane, to, packet, at)
		} else {
			e.sendPhit(o, lane, to, -1, at)
		}
	}
	if !e.takePhit(o.from, b) {
		return
	}
	w.passing[out]--
	switch {
	case lane < 0:
		e.deliver(o.from, packet, 0)
	case o.part != e.number:
		e.release(packet)
		fallthrough
	default:
		w.held[lane] = false
	}
}

// takeLane has the first packet of a buffer hold the virtual channel that it has won.
func (e *engine) takeLane(out int32, o *output, buf *buffer, s *segment) {
	p := &e.packets[buf.head]
	if buf.out > choose {
		p.Cross(out, buf.class)
	} else {
		o.chosen(p, out)
	}
	p.distance += o.latency
	if e.tracks {
		e.state.Sent[out]++
		e.note(out)
	}
	s.ahead = out*int32(e.vcs) + int32(o.vc)
	e.worm.held[s.ahead] = true
}

// takePhit takes a phit out of a buffer and tells whether it is a packet's last.
func (e *engine) takePhit(r, b int32) (last bool) {
	port := e.perVCs(b)
	in, s := &e.inputs[port], &e.worm.segments[b]
	s.gone++
	last = int64(s.gone) == e.phits
	back := e.laneInto(b, port, in)
	if last {
		back = ^back
		buf := &e.buffers[b]
		buf.out, buf.routed = noOut, false
		buf.head = e.worm.leftBehind(s)
	}
	if s.came == s.gone {
		e.absent(r, port, b, in)
	}
	e.giveBack(in, back)
	return last
}

// discardPhit takes a phit of an undeliverable packet out of the network.
func (e *engine) discardPhit(r, b int32) {
	packet := e.buffers[b].head
	e.moved = e.now
	if e.takePhit(r, b) {
		e.lose(packet)
	}
}

// servePhit lets a terminal send a phit if it has one.
func (e *engine) servePhit(t int32) {
	w := e.worm
	s := &e.senders[t]
	if w.sending[t] < 0 && s.left == 0 && !e.nextMessage(t) {
		return
	}
	if s.linkFree > e.now {
		e.wheel.call(t, s.linkFree)
		return
	}
	out, packet := int32(e.channels)+t, int32(-1)
	if w.sending[t] < 0 {
		lane := e.roomiestOpen(out, 0, e.vcs)
		if lane < 0 {
			s.noRoom = true
			return
		}
		packet = e.newPacket(t)
		w.held[lane] = true
		w.sending[t], w.unsent[t] = lane, int32(e.phits)
	}
	lane, o := w.sending[t], &e.outputs[out]
	if e.credits[lane] == 0 {
		s.noRoom = true
		return
	}
	e.moved = e.now
	to := e.behind(lane, out, o)
	e.sendPhit(o, lane, to, packet, e.now+int64(e.cfg.Inject)+int64(o.latency))
	s.linkFree = e.now + 1
	w.unsent[t]--
	if w.unsent[t] > 0 {
		e.wheel.call(t, s.linkFree)
		return
	}
	w.held[lane], w.sending[t] = false, -1
	e.sentPacket(t)
}

// heldWorms counts the packets in an engine's buffers and on the way to them, and those of them whose first phit has
// gone to another engine.
func (e *engine) heldWorms() (own, gone int64) {
	w := e.worm
	const none, here, elsewhere = 0, 1, 2
	where := make([]uint8, len(e.packets))
	for b := range e.ownBuffers() {
		s, packet := &w.segments[b], e.buffers[b].head
		if packet < 0 {
			continue
		}
		where[packet] = max(where[packet], here)
		if s.ahead >= 0 && e.outputs[s.out].part != e.number {
			where[packet] = elsewhere
		}
		for i := s.first; i >= 0; i = w.followers[i].next {
			where[w.followers[i].packet] = here
		}
	}
	for _, due := range w.arrivals {
		for _, p := range due {
			if p.packet >= 0 {
				where[p.packet] = here
			}
		}
	}
	for _, at := range where {
		if at != none {
			own++
		}
		if at == elsewhere {
			gone++
		}
	}
	return own, gone
}

// auditPhits holds the room of each buffer against the phits in it, on the way to it, and on the way back as room.
func (c *crew) auditPhits() error {
	first := c.engines[0]
	phits := make([]int32, len(first.credits))
	arriving := func(arrivals [][]phit) {
		for _, due := range arrivals {
			for _, p := range due {
				port := first.perVCs(p.buffer)
				phits[first.laneInto(p.buffer, port, &first.inputs[port])]++
			}
		}
	}
	returning := func(credits [][]int32) {
		for _, due := range credits {
			for _, lane := range due {
				phits[max(lane, ^lane)]++
			}
		}
	}
	for _, e := range c.engines {
		for b := range e.ownBuffers() {
			s, port := &e.worm.segments[b], e.perVCs(b)
			n := s.came - s.gone
			for i := s.first; i >= 0; i = e.worm.followers[i].next {
				n += e.worm.followers[i].came
			}
			phits[e.laneInto(b, port, &e.inputs[port])] += n
		}
		arriving(e.worm.arrivals)
		returning(e.wheel.credits)
		for _, from := range e.from {
			arriving(from.phits)
			returning(from.credits)
		}
	}
	for lane, n := range phits {
		if n+first.credits[lane] != first.worm.size[lane] {
			return fmt.Errorf("packet: a buffer of %d phits with room for %d has %d at %s", first.worm.size[lane],
				first.credits[lane], n, first.net.Label(first.outputs[lane/first.vcs].to))
		}
	}
	return nil
}
