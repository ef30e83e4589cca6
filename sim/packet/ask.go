package packet

import (
	"math"
	"slices"

	"github.com/plenum-planner/plenum/routing"
)

// ask lets the head of a buffer ask for an output. If it asks for none, when is
// the cycle to try again in; never if returned room will tell.
func (e *engine) ask(r, port, b int32, buf *buffer) (asked bool, when int64) {
	if e.worm != nil {
		return e.askPhit(r, port, b)
	}
	if buf.out == noOut && !e.decide(r, b, buf) {
		return false, e.now + 1 // what is behind it may go in the next cycle
	}
	if buf.out == choose {
		asked, when = e.askAny(r, port, b)
		if !asked && e.watches {
			when = e.now + 1
		}
		return asked, when
	}
	if buf.out == listed {
		return e.askListed(r, port, b)
	}
	out := buf.out
	o := &e.outputs[out]
	if o.free > e.now {
		e.putOff(r, port, b, buf, o.free)
		return false, o.free
	}
	if int(out) >= e.channels {
		if e.enters(&e.ending, out, o, port, b) {
			o.winner = b
		}
		return true, 0
	}
	vc, ok := e.roomiest(out, buf.lo, buf.hi, int32(buf.room))
	if !ok {
		return false, never
	}
	if e.enters(&e.touched, out, o, port, b) {
		o.winner, o.vc = b, vc
	}
	return true, 0
}

// roomiest is the virtual channel of an output with most room of those from lo to
// hi-1, if any has enough.
func (e *engine) roomiest(out int32, lo, hi uint8, room int32) (uint8, bool) {
	credits := e.credits[int(out)*e.vcs:]
	best, most := uint8(0), room-1
	for v := lo; v < hi; v++ {
		if credits[v] > most {
			best, most = v, credits[v]
		}
	}
	return best, most >= room
}

// decide tells the head of a buffer that it has arrived and finds its output, as
// far as that does not depend on the network's state. It returns false if the
// packet was undeliverable and is gone.
func (e *engine) decide(r, b int32, buf *buffer) bool {
	p := &e.packets[buf.head]
	if !buf.routed && (!e.once || p.Last < 0) {
		buf.routed = true
		e.fn.Arrive(&p.Header, r, &e.state)
	}
	if !e.find(buf, p, r) {
		e.drop(b)
		return false
	}
	return true
}

// find finds the output of the head of a buffer at a router, as far as that does not depend on the network's state. It
// returns false if the packet is undeliverable.
func (e *engine) find(buf *buffer, p *record, r int32) bool {
	if p.HasArrived(r) {
		e.requestTerminal(buf, p)
		return true
	}
	if e.step != nil {
		channel, class, room := e.step.Step(&p.Header, r)
		if channel >= 0 {
			e.settle(buf, channel, class, room)
		}
		return channel >= 0
	}
	if !e.single && !e.steady {
		buf.out = choose
		return true
	}
	e.hops = e.fn.Next(&p.Header, r, &e.state, e.hops[:0])
	switch {
	case len(e.hops) == 0:
		return false
	case len(e.hops) == 1:
		hop := &e.hops[0]
		e.settle(buf, hop.Channel, hop.Class, hop.Room)
		return true
	case e.choices[r] == nil:
		e.choices[r] = slices.Clone(e.hops)
	}
	buf.out = choose
	if slices.Equal(e.hops, e.choices[r]) {
		buf.out = listed
	}
	return true
}

// findEarly finds the output of a packet that becomes the head of a buffer, while it is in the caches, if it does not
// matter when.
func (e *engine) findEarly(buf *buffer, p *record, r int32) {
	if e.early && (p.Last >= 0 || e.undecided) {
		e.find(buf, p, r) // if there is none, it is dropped when it asks
	}
}

// requestTerminal has the head of a buffer ask for its terminal.
func (e *engine) requestTerminal(buf *buffer, p *record) {
	buf.out, buf.lo, buf.hi = int32(e.channels)+p.dst, 0, 1
}

// askListed is askAny for a head that may take the choices of its router.
func (e *engine) askListed(r, port, b int32) (asked bool, when int64) {
	if e.closed[r] > e.now {
		return false, e.closed[r]
	}
	hops := e.choices[r]
	t := tier{hop: -1, room: math.Inf(-1)}
	when = never
	for i := range hops {
		c := hops[i].Channel
		o := &e.outputs[c]
		if o.room == 0 {
			continue
		}
		if o.free > e.now {
			when = min(when, o.free)
			continue
		}
		e.offer(&t, i, 0, e.share(o.room-o.asked, c, e.vcs))
	}
	if t.hop < 0 {
		e.closed[r] = when
		return false, when
	}
	hop := &hops[t.hop]
	vc, _ := e.roomiest(hop.Channel, 0, uint8(e.vcs), 1)
	e.request(hop.Channel, port, b, vc, hop)
	return true, 0
}

// settle fixes the hop of a head.
func (e *engine) settle(buf *buffer, channel int32, class, room uint8) {
	vcs := &e.classes[class]
	buf.out, buf.lo, buf.hi = channel, uint8(vcs.From), uint8(vcs.To)
	buf.room, buf.class = max(room, 1), class
	if e.tracks {
		e.waitFor(buf, channel)
	}
}

// waitFor counts a head as waiting for a channel.
func (e *engine) waitFor(buf *buffer, channel int32) {
	if buf.wants == channel || !e.tracks {
		return
	}
	if buf.wants >= 0 {
		e.want[buf.wants]--
		e.note(buf.wants)
	}
	buf.wants = channel
	if channel >= 0 {
		e.want[channel]++
		e.note(channel)
	}
}

// askAny lets a head with several hops ask for the best of them. The next tier counts
// only if this one is blocked: no hop of it has room, unless the packet is the only one
// that waits for one whose output is busy.
func (e *engine) askAny(r, port, b int32) (asked bool, when int64) {
	buf := &e.buffers[b]
	if e.watches {
		e.waitFor(buf, -1) // not for itself
	}
	e.hops = e.fn.Next(&e.packets[buf.head].Header, r, &e.state, e.hops[:0])
	if len(e.hops) == 0 {
		e.drop(b)
		return false, e.now + 1
	}
	when = never
	for tier := uint8(0); tier < 4; tier++ {
		t := e.weighTier(tier)
		when = min(when, t.free)
		if t.hop >= 0 {
			hop := &e.hops[t.hop]
			e.waitFor(buf, hop.Channel)
			if e.outputs[hop.Channel].free > e.now {
				return false, e.now + 1 // with Room, which then chooses anew
			}
			e.request(hop.Channel, port, b, t.vc, hop)
			return true, 0
		}
		if buf.wants < 0 && t.busy >= 0 {
			e.waitFor(buf, t.busy)
		}
		if !t.more {
			break
		}
		if t.busy >= 0 && e.sole(buf, tier) {
			return false, e.now + 1
		}
	}
	if buf.wants < 0 {
		e.waitFor(buf, e.hops[0].Channel)
	}
	return false, when
}

// sole reports whether a head is the only one that waits for the channel of a hop of
// a tier.
func (e *engine) sole(buf *buffer, tier uint8) bool {
	if e.want[buf.wants] != 1 {
		return false
	}
	for i := range e.hops {
		if e.hops[i].Channel == buf.wants && e.hops[i].Tier == tier {
			return true
		}
	}
	return false
}

// request enters a buffer among those that ask for an output and lets the arbiter
// decide between it and the winner so far.
func (e *engine) request(out, port, b int32, vc uint8, hop *routing.Hop) {
	o := &e.outputs[out]
	if !e.enters(&e.touched, out, o, port, b) {
		return
	}
	o.winner, o.vc = b, vc
	if hop != nil {
		o.mark, o.class, o.escape = hop.Mark, hop.Class, hop.Escape
	}
}

// enters counts a buffer among those that ask for an output of a list, and reports whether it is the winner so far.
func (e *engine) enters(list *[]int32, out int32, o *output, port, b int32) bool {
	if o.asked++; o.asked == 1 {
		*list = append(*list, out)
		return true
	}
	e.lost = true
	loser := b
	wins := e.beats(o, port, b)
	if wins {
		loser = o.winner
	}
	if buf := &e.buffers[loser]; buf.out > choose && e.worm == nil {
		e.putOff(o.from, e.perVCs(loser), loser, buf, e.now+e.phits)
	}
	return wins
}

// putOff has the head of a buffer that goes nowhere else ask when its output may be free.
func (e *engine) putOff(r, port, b int32, buf *buffer, until int64) {
	buf.ready = until
	if until > e.now+1 {
		e.expect(b, buf)
		e.absent(r, port, b, &e.inputs[port])
	}
}

// beats reports whether a buffer takes an output from the winner so far of the requests
// before this one.
func (e *engine) beats(o *output, port, b int32) bool {
	other, count := o.winner, o.asked
	switch e.cfg.Arbiter {
	case Transit:
		// Ports from other switches come first, so all before this one are its like.
		channels := int32(e.channels)
		if e.inputs[port].source >= channels && e.inputs[e.perVCs(other)].source < channels {
			return false
		}
		return e.rng.Uint32N(uint32(count)) == 0
	case Random:
		return e.rng.Uint32N(uint32(count)) == 0
	case Age:
		return e.packets[e.buffers[b].head].made < e.packets[e.buffers[other].head].made
	}
	// Ports come in ascending order: the first after the last one served wins, and
	// the lowest if there is none after it.
	return port > o.last && e.perVCs(other) <= o.last
}
