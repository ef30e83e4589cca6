package packet

import (
	"fmt"

	"github.com/plenum-planner/plenum/routing"
)

// A segment is a packet in one of the buffers that it lies in. It is there from the
// cycle in which the first phit is sent there to the one in which the last leaves.
type segment struct {
	packet int32
	buffer int32
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

// phitsCame puts the phits that arrive in a cycle into buffers.
func (e *engine) phitsCame(slot int64) {
	w := e.worm
	came := w.arrivals[slot]
	for _, i := range came {
		s := &w.segments[i]
		s.came++
		if w.front[s.buffer] == i {
			e.present(s.buffer)
		}
	}
	w.arrivals[slot] = came[:0]
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

// askPhit is ask for the first phit of a buffer.
func (e *engine) askPhit(r, port, b int32) (asked bool, when int64) {
	w, buf := e.worm, &e.buffers[b]
	s := &w.segments[w.front[b]]
	if s.out == noOut && buf.out == noOut && !e.decide(r, b) || s.out == discard {
		e.discardPhit(r, b)
		return false, e.now + 1
	}
	switch {
	case s.to >= 0:
		if e.credits[w.segments[s.to].buffer] == 0 {
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
		into := e.portOf[buf.out]
		to := e.roomiestOpen(into, int(buf.lo), int(buf.hi))
		if to < 0 {
			return false, never
		}
		e.request(buf.out, port, b, uint8(to-into*int32(e.vcs)), nil)
	}
	return true, 0
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
		e.passTurn(port, b)
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
		e.absent(r, port, b)
	}
	e.giveBack(port, back)
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
