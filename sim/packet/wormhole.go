package packet

import (
	"fmt"
)

// A segment is a packet in one of the buffers that it lies in. It is there from the
// cycle in which the first phit is sent there to the one in which the last leaves.
type segment struct {
	packet int32
	buffer int32
	lane   int32 // of the output that sends into the buffer
	next   int32 // behind it in its buffer, or in the list of free segments
	out    int32 // output that it has been given, or noOut, or discard
	to     int32 // the packet's segment behind the output, -1 at a terminal
	came   int32 // phits that have arrived
	gone   int32 // phits of them that have left
}

// discard is the output of a packet that cannot be delivered.
const discard int32 = -3

// A worm is what wormhole switching needs besides the arrays of the engine. Of
// these, credits count phits, and a buffer's head is the record of its first packet.
//
// An output virtual channel is a lane. It is held by a packet from the
// phit that takes it to the last one.
type worm struct {
	segments []segment
	free     int32
	// By buffer.
	front, back []int32 // segments, -1
	// By lane.
	held []bool
	size []int32 // phits
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
		front: make([]int32, buffers), back: make([]int32, buffers), held: make([]bool, len(e.credits)),
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
	for out := range e.outputs {
		e.outputs[out].last = -1
	}
	e.worm = w
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

// phitsCame puts the phits that arrive in a cycle into buffers.
func (e *engine) phitsCame(slot int64) {
	w := e.worm
	came := w.arrivals[slot]
	for _, i := range came {
		s := &w.segments[i]
		s.came++
		if w.front[s.buffer] == i {
			e.presentOne(s.buffer)
		}
	}
	w.arrivals[slot] = came[:0]
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

// startSegment has a packet begin to enter the buffer behind a virtual channel of an output.
func (e *engine) startSegment(out, vc, packet int32) int32 {
	w := e.worm
	lane, b := out*int32(e.vcs)+vc, e.outputs[out].port*int32(e.vcs)+vc
	i := w.free
	if i >= 0 {
		w.free = w.segments[i].next
	} else {
		i = int32(len(w.segments))
		w.segments = append(w.segments, segment{})
	}
	w.segments[i] = segment{packet: packet, buffer: b, lane: lane, next: -1, out: noOut, to: -1}
	w.held[lane] = true
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
	e.credits[w.segments[to].lane]--
	slot := at & e.wheel.mask
	w.arrivals[slot] = append(w.arrivals[slot], to)
}

// askPhit is ask for the first phit of a buffer.
func (e *engine) askPhit(r, port, b int32) (asked bool, when int64) {
	w, buf := e.worm, &e.buffers[b]
	s := &w.segments[w.front[b]]
	if s.out == noOut && buf.out == noOut && !e.decide(r, b, buf) || s.out == discard {
		e.discardPhit(r, b)
		return false, e.now + 1
	}
	switch {
	case s.to >= 0:
		if e.credits[w.segments[s.to].lane] == 0 {
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
func (e *engine) forward(r, out int32) {
	w := e.worm
	o := &e.outputs[out]
	b := o.winner
	buf, port, i := &e.buffers[b], e.perVCs(b), w.front[b]
	packet := w.segments[i].packet
	e.moved = e.now
	o.last = port
	o.sent++
	if !e.cfg.FreeInputs {
		e.passTurn(&e.inputs[port], port, b)
	}
	if w.segments[i].out == noOut {
		w.segments[i].out = out
		w.passing[out]++
		if e.tracks {
			e.waitFor(buf, -1)
		}
		if int(out) < e.channels {
			p := &e.packets[packet]
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
			to := e.startSegment(out, int32(o.vc), packet)
			w.segments[i].to = to
		}
	}
	to := w.segments[i].to
	if to >= 0 {
		e.carried++
		e.sendPhit(to, e.now+int64(e.cfg.Pipeline)+int64(o.latency))
	}
	if e.takePhit(r, b) {
		w.passing[out]--
		if to >= 0 {
			w.held[w.segments[to].lane] = false
		} else {
			e.deliver(r, packet, 0)
		}
	}
}

// takePhit takes a phit out of a buffer and tells whether it is a packet's last.
func (e *engine) takePhit(r, b int32) (last bool) {
	w := e.worm
	i, port := w.front[b], e.perVCs(b)
	s := &w.segments[i]
	s.gone++
	left := s.came - s.gone
	last = int64(s.gone) == e.phits
	back := s.lane
	if last {
		back = ^s.lane
		buf := &e.buffers[b]
		buf.out, buf.routed, buf.head = noOut, false, -1
		w.front[b] = s.next
		s.next, w.free = w.free, i
		if next := w.front[b]; next >= 0 {
			left, buf.head = w.segments[next].came, w.segments[next].packet
		}
	}
	if left == 0 {
		e.absent(r, port, b, &e.inputs[port])
	}
	e.giveBack(&e.inputs[port], back)
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
	if w.sending[t] < 0 {
		out := int32(e.channels) + t
		lane := e.roomiestOpen(out, 0, e.vcs)
		if lane < 0 {
			s.noRoom = true
			return
		}
		i := e.newPacket(t)
		w.sending[t], w.unsent[t] = e.startSegment(out, lane-out*int32(e.vcs), i), int32(e.phits)
	}
	to := w.sending[t]
	lane := w.segments[to].lane
	if e.credits[lane] == 0 {
		s.noRoom = true
		return
	}
	e.moved = e.now
	e.sendPhit(to, e.now+int64(e.cfg.Inject)+int64(e.outputs[e.channels+int(t)].latency))
	s.linkFree = e.now + 1
	w.unsent[t]--
	if w.unsent[t] > 0 {
		e.wheel.call(t, s.linkFree)
		return
	}
	w.held[lane], w.sending[t] = false, -1
	e.sentPacket(t)
}

// auditWorm counts the packets in the buffers, and for each buffer holds its room
// against the phits in it, on the way to it, and on the way back as room.
func (e *engine) auditWorm() (inside int64, err error) {
	w := e.worm
	phits := make([]int32, len(e.credits))
	seen := make([]bool, len(e.packets))
	for b := range w.front {
		for i := w.front[b]; i >= 0; i = w.segments[i].next {
			s := &w.segments[i]
			phits[s.lane] += s.came - s.gone
			if !seen[s.packet] {
				seen[s.packet] = true
				inside++
			}
		}
	}
	for slot := range w.arrivals {
		for _, i := range w.arrivals[slot] {
			phits[w.segments[i].lane]++
		}
		for _, lane := range e.wheel.credits[slot] {
			phits[max(lane, ^lane)]++
		}
	}
	for lane, n := range phits {
		if n+e.credits[lane] != w.size[lane] {
			return 0, fmt.Errorf("packet: a buffer of %d phits with room for %d has %d at %s", w.size[lane],
				e.credits[lane], n, e.net.Label(e.outputs[lane/e.vcs].to))
		}
	}
	return inside, nil
}
