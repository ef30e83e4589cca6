package packet

import (
	"fmt"
	"iter"
	"slices"
)

// A segment is the first packet in a buffer. It is there from the cycle in which its first phit arrives, or in which
// the last one of the packet before it leaves, to the one in which its last phit leaves.
type segment struct {
	out   int32 // output that it has been given, or noOut, or discard
	ahead int32 // lane of that output that it holds, -1 at a terminal
	came  int32 // phits that have arrived
	gone  int32 // phits of them that have left
}

// noSegment is that of a buffer without a packet.
var noSegment = segment{out: noOut, ahead: -1}

// A queue is the followers behind the first packet of a buffer, -1.
type queue struct{ first, last int32 }

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
// phit that takes it to the last one, and so is a terminal that takes one. A
// terminal sends one packet after the other, and need not hold what it sends to.
//
// What a switch does in a cycle is seen by others in a later one, when phits or room arrive there. So engines of a crew
// need no more of each other than those. A packet that lies in switches of several engines has a record in each: that
// of its first phit goes on with it, a copy stays until the last phit has left.
type worm struct {
	// By buffer.
	segments []segment
	queues   []queue // nil unless Options.SharedBuffers
	next     []int32 // of those whose first packets wait for the same output, -1
	// By output.
	waiting []int32 // buffer whose first packet waits for an open virtual channel of it, or for the terminal, -1
	// By lane of a channel.
	stopped []int32 // buffer whose first packet holds it and waits for room, -1
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
		segments: make([]segment, len(e.buffers)), next: make([]int32, len(e.buffers)),
		waiting: slices.Repeat([]int32{-1}, e.channels+terminals),
		stopped: slices.Repeat([]int32{-1}, e.channels*e.vcs),
		sending: make([]int32, terminals), unsent: make([]int32, terminals),
	}
	for b := range w.segments {
		w.segments[b] = noSegment
	}
	if e.cfg.SharedBuffers {
		w.queues = slices.Repeat([]queue{{-1, -1}}, len(e.buffers))
	}
	for t := range w.sending {
		w.sending[t] = -1
	}
	for out := range e.outputs {
		e.outputs[out].last, e.outputs[out].room = -1, e.credits[out*e.vcs]
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

// phitsLeft takes note of the room of phits, by lane; of a last one by ^lane. Packets that may choose are asked anew,
// others only if it is for them.
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
		o := &e.outputs[c]
		if !e.single {
			e.wheel.wake(o.from, e.now)
		}
		if o.held>>(lane-c*int32(e.vcs))&1 == 0 {
			e.resumeWaiting(c, o, lane, e.now)
		} else if e.credits[lane] == 1 { // there was none
			e.restart(lane)
		}
	}
}

// stop has the first packet of a buffer not ask until there is room for it on the lane that it holds.
func (e *engine) stop(lane, r, port, b int32) {
	e.worm.stopped[lane] = b
	e.absent(r, port, b, &e.inputs[port])
}

// restart has the packet that holds a lane ask, if it waits for room.
func (e *engine) restart(lane int32) {
	if b := e.worm.stopped[lane]; b >= 0 {
		e.worm.stopped[lane] = -1
		e.presentOne(b)
	}
}

// await has the first packet of a buffer, which goes nowhere else, not ask until a virtual channel of its output opens,
// or its terminal is free.
func (e *engine) await(out, r, port, b int32) {
	w := e.worm
	w.next[b], w.waiting[out] = w.waiting[out], b
	e.absent(r, port, b, &e.inputs[port])
}

// resumeWaiting has packets that wait for an output ask from a cycle on, if a lane of it that none holds is open.
func (e *engine) resumeWaiting(out int32, o *output, lane int32, at int64) {
	if e.worm.waiting[out] >= 0 && e.credits[lane] > e.closedAt(o) {
		e.resume(out, at)
	}
}

// resume has packets that wait for an output ask from a cycle on.
func (e *engine) resume(out int32, at int64) {
	w := e.worm
	b := w.waiting[out]
	if b < 0 {
		return
	}
	for ; b >= 0; b = w.next[b] {
		e.presentAt(b, at)
	}
	w.waiting[out] = -1
}

// closedAt is the most room on a lane at which it is not open: the next packet needs some, and unless
// Options.SharedBuffers a buffer that is known to be empty.
func (e *engine) closedAt(o *output) int32 {
	if e.cfg.SharedBuffers {
		return 0
	}
	return o.room - 1
}

// phitsCame puts the phits of a list that arrive in a cycle, in its slot, into buffers.
func (e *engine) phitsCame(arrivals [][]phit, slot int64) {
	w := e.worm
	for _, p := range arrivals[slot] {
		s := &w.segments[p.buffer]
		switch {
		case p.packet >= 0 && e.buffers[p.buffer].head >= 0:
			w.follow(&w.queues[p.buffer], p.packet)
			continue
		case p.packet >= 0:
			e.buffers[p.buffer].head = p.packet
		case w.queues != nil && w.queues[p.buffer].last >= 0:
			w.followers[w.queues[p.buffer].last].came++
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
func (w *worm) follow(q *queue, packet int32) {
	i := w.free
	if i >= 0 {
		w.free = w.followers[i].next
	} else {
		i = int32(len(w.followers))
		w.followers = append(w.followers, follower{})
	}
	w.followers[i] = follower{packet: packet, came: 1, next: -1}
	if q.last >= 0 {
		w.followers[q.last].next = i
	} else {
		q.first = i
	}
	q.last = i
}

// leftBehind makes the packet behind the first one of a buffer, all of which has left, the first: it returns that, -1
// if there is none.
func (w *worm) leftBehind(b int32) (packet int32) {
	w.segments[b] = noSegment
	if w.queues == nil || w.queues[b].first < 0 {
		return -1
	}
	q := &w.queues[b]
	i := q.first
	f := &w.followers[i]
	q.first = f.next
	if f.next < 0 {
		q.last = -1
	}
	w.segments[b].came = f.came
	f.next, w.free = w.free, i
	return f.packet
}

// roomiestOpen is the lane with most room of the open virtual channels from lo to hi-1 of an output, -1 if there is
// none: no other packet holds it, and there is room for a packet to take it.
func (e *engine) roomiestOpen(out int32, o *output, held uint64, lo, hi int) int32 {
	lane, most := int32(-1), e.closedAt(o)
	first := out * int32(e.vcs)
	for v := lo; v < hi; v++ {
		if room := e.credits[first+int32(v)]; room > most && held>>v&1 == 0 {
			lane, most = first+int32(v), room
		}
	}
	return lane
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
			e.stop(s.ahead, r, port, b)
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
		if e.outputs[buf.out].held != 0 {
			e.await(buf.out, r, port, b)
			return false, never
		}
		e.request(buf.out, port, b, 0, nil)
	default:
		o := &e.outputs[buf.out]
		lane := e.roomiestOpen(buf.out, o, o.held, int(buf.lo), int(buf.hi))
		if lane < 0 {
			e.await(buf.out, r, port, b)
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
		if e.tracks {
			e.waitFor(buf, -1)
		}
		if int(out) < e.channels {
			e.takeLane(out, o, buf, s)
		} else {
			o.held = 1
		}
	}
	lane := s.ahead
	if lane >= 0 {
		e.carried++
		to := e.behind(lane, out, o)
		at := e.now + int64(e.charges.Router[o.from]) + int64(o.latency)
		if first {
			e.sendPhit(o, lane, to, packet, at)
		} else {
			e.sendPhit(o, lane, to, -1, at)
		}
	}
	if !e.takePhit(o.from, b) {
		return
	}
	if lane < 0 {
		o.held = 0
		e.resume(out, e.now+1)
		e.deliver(o.from, packet, 0)
		return
	}
	o.held &^= 1 << (lane - out*int32(e.vcs))
	e.resumeWaiting(out, o, lane, e.now+1)
	if o.part != e.number {
		e.release(packet)
	}
}

// takeLane has the first packet of a buffer hold the virtual channel that it has won.
func (e *engine) takeLane(out int32, o *output, buf *buffer, s *segment) {
	p := &e.packets[buf.head]
	if buf.out > choose {
		p.Cross(out, buf.class)
	} else {
		o.takeHop(p, out)
	}
	e.cross(p, o)
	if e.tracks {
		e.state.Sent[out]++
		e.note(out)
	}
	s.ahead = out*int32(e.vcs) + int32(o.vc)
	o.held |= 1 << o.vc
}

// takePhit takes a phit out of a buffer and reports whether it is a packet's last.
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
		buf.head = e.worm.leftBehind(b)
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
	o := &e.outputs[out]
	if w.sending[t] < 0 {
		lane := e.roomiestOpen(out, o, 0, 0, e.vcs)
		if lane < 0 {
			s.noRoom = true
			return
		}
		packet = e.newPacket(t)
		w.sending[t], w.unsent[t] = lane, int32(e.phits)
	}
	lane := w.sending[t]
	if e.credits[lane] == 0 {
		s.noRoom = true
		return
	}
	e.moved = e.now
	to := e.behind(lane, out, o)
	e.sendPhit(o, lane, to, packet, e.now+e.inject(t)+int64(o.latency))
	s.linkFree = e.now + 1
	w.unsent[t]--
	if w.unsent[t] > 0 {
		e.wheel.call(t, s.linkFree)
		return
	}
	w.sending[t] = -1
	e.sentPacket(t)
}

// behind has the followers in a buffer.
func (w *worm) behind(b int32) iter.Seq[*follower] {
	return func(yield func(*follower) bool) {
		if w.queues == nil {
			return
		}
		for i := w.queues[b].first; i >= 0 && yield(&w.followers[i]); i = w.followers[i].next {
		}
	}
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
		for f := range w.behind(b) {
			where[f.packet] = here
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
			for f := range e.worm.behind(b) {
				n += f.came
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
		if o := &first.outputs[lane/first.vcs]; n+first.credits[lane] != o.room {
			return fmt.Errorf("packet: a buffer of %d phits with room for %d has %d at %s", o.room,
				first.credits[lane], n, first.net.Label(o.to))
		}
	}
	return nil
}
