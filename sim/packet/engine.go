package packet

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/plenum-planner/plenum/internal/bigarray"
	"github.com/plenum-planner/plenum/routing"
)

// A record is a packet in the network.
type record struct {
	routing.Header
	dst      int32 // terminal
	next     int32 // behind it in its buffer
	message  int32 // of a closed loop, -1
	distance int32 // cycles on links so far
	passed   int32 // cycles in routers and terminals so far
	ready    int64 // when it may go on
	made     int64
}

// A buffer is that of a virtual channel at an input port.
type buffer struct {
	ready      int64 // when its head may go on
	head, tail int32 // records, -1
	out        int32 // output that its head waits for: a channel, or channels + terminal; -1 unknown
	wants      int32 // channel that it is counted at as waiting for, -1
	lo, hi     uint8 // virtual channels that its head may use there
	room       uint8 // packets that must fit there
	class      uint8 // of the hop
	routed     bool  // its head has learnt of its arrival
}

// An input is an input port. It is of the router that it is at, as an output is of the one that it leaves: what engines
// of a crew write lies apart, and what one hop looks at together.
type input struct {
	waiting uint64 // virtual channels with something to send
	free    int64  // when it may send again
	source  int32  // output that leads to it: a channel, or channels + terminal
	credit  int32  // cycles until room that it returns is known there
	router  int32
	turn    uint8 // virtual channel that is asked first
	part    uint8 // engine that the source is of
	asleep  bool  // it is called when it may send again, and not looked at before
}

// An output is a channel, or a terminal: what leads to it, and what it sends.
type output struct {
	free    int64 // when it may send again
	sent    int64 // cells, since counting began
	port    int32 // input port that it leads to; of a terminal its own input, -1 if that has failed
	from    int32 // router that it leaves; of a terminal its own
	to      int32 // router that it leads to; of a terminal its own
	latency int32 // of a terminal that of its link
	room    int32 // sum of the credits of a channel, if steady; of worms, phits that a buffer behind it holds
	last    int32 // input port that was served last
	// Requests of its router in one cycle: how many so far, and the best of them.
	asked  int32
	winner int32  // buffer
	mark   uint32 // of its hop, with class and escape
	vc     uint8
	class  uint8
	escape bool
	part   uint8  // engine that it leads to
	held   uint64 // virtual channels that worms hold, of a terminal the first; it makes this a cache line
}

// perVCs divides the number of a buffer or lane by that of virtual channels: it is the input port or the output that it
// is of. A division takes longer.
func (e *engine) perVCs(i int32) int32 { return int32(uint64(i) * e.shareVC >> shareBits) }

// laneInto is the lane that leads to a buffer of an input port.
func (e *engine) laneInto(b, port int32, in *input) int32 { return b + (in.source-port)*int32(e.vcs) }

// behind is the buffer that a lane of an output leads to.
func (e *engine) behind(lane, out int32, o *output) int32 { return lane + (o.port-out)*int32(e.vcs) }

// shareBits has i * (shareVC*vcs - 2^shareBits), below 2^26 * 2^6, stay below 2^shareBits, so that perVCs is exact, and
// i * shareVC below 2^62.
const shareBits = 36

// noOut is an output that is not known yet; choose is one that depends on the
// state of the network, and listed one of the choices of its router.
const (
	noOut  int32 = -1
	choose int32 = -2
	listed int32 = -3
)

// never is a cycle that does not come.
const never int64 = math.MaxInt64

// An engine is the state of one run, or that of some routers and their terminals in
// a crew, whose engines share the arrays below.
type engine struct {
	cfg       Config
	net       *routing.Network
	fn        routing.Function
	step      routing.Stepper // fn, if single and it is one
	single    bool
	watches   bool // the hops of a packet change with the loads
	tracks    bool // loads are counted, as the routing or a choice of hops looks at them
	once      bool // packets decide at their source only
	broken    bool // terminals have failed
	undecided bool // and there neither
	stores    bool // packets go on when their last phit has come
	steady    bool // what packets choose from at a router is kept in choices
	classes   []routing.Range
	state     routing.State
	rng       *rand.Rand // draws from the stream of a router or terminal
	streams   streams
	now       int64

	vcs      int
	shareVC  uint64 // 2^shareBits over vcs, rounded up
	phits    int64
	cell     int64 // phits that room, and what is sent, is counted in: a packet, or one of a worm
	channels int

	charges routing.Charges[int32] // cycles in routers, and in terminals beside them

	// By router.
	choices   [][]routing.Hop // what was first offered there of several hops, if steady
	firstPort []int32
	idle      []bool  // no packet found its output closed when the router was last looked at
	closed    []int64 // until when its choices are, if none of them gets room, if steady
	// By input port; ports of a router follow each other.
	inputs []input
	// busyPorts has a bit for each input port with a packet, in words of its own
	// for each router.
	busyPorts []uint64
	firstWord []int32
	// By virtual channel of an input port.
	buffers []buffer

	// By output: channels, then terminals.
	outputs []output
	sizes   []int32 // cells that a buffer behind a channel holds
	want    []int32 // heads that wait for a channel
	// credits are cells for which there is room, as the sender knows it, by lane: virtual channel v of an output is
	// lane output*vcs + v.
	credits []int32

	// Outputs that are asked for in a cycle, of which nothing is sent yet: channels, of worms all, and terminals.
	touched, ending []int32
	lost            bool // a request at a router has lost
	early           bool // outputs may be found when a packet becomes the head of its buffer

	packets []record
	free    []int32 // records
	alive   int64   // packets in the network
	carried int64   // cells over channels between switches
	moved   int64   // when any packet moved last

	wheel wheel
	hops  []routing.Hop

	number uint8 // in its crew
	fair   bool  // its virtual channels share the room of FairVCs
	mail         // to and from the others of a crew
	terminals
	moving
	seen  seen
	ahead ahead
	worm  *worm // of wormhole switching, or nil
	stats stats
}

// cycle plays the cycle e.now.
func (e *engine) cycle() {
	slot := e.now & e.wheel.mask
	e.state.Seen = e.seen.loads[e.now&1]
	e.takeCredits(e.wheel.credits, slot)
	for _, from := range e.from {
		e.takeCredits(from.credits, slot)
	}
	if len(e.wheel.calls[slot]) > 0 {
		e.callTerminals(slot)
	}
	if e.worm != nil {
		e.phitsCame(e.worm.arrivals, slot)
		for _, from := range e.from {
			e.phitsCame(from.phits, slot)
		}
	} else if heads := e.wheel.heads[slot]; len(heads) > 0 {
		batches(e.ahead.looks, heads, e.seePorts, e.present)
		e.wheel.heads[slot] = heads[:0]
	}
	if ports := e.wheel.ports[slot]; len(ports) > 0 {
		e.getUp(ports)
		e.wheel.ports[slot] = ports[:0]
	}
	if e.wheel.woken[slot] {
		e.wheel.woken[slot] = false
		row := e.wheel.wakes[int(slot)*e.wheel.words : int(slot+1)*e.wheel.words]
		for i, word := range row {
			if word == 0 {
				continue
			}
			row[i] = 0
			e.routeAll(e.wheel.base+int32(i<<6), word)
		}
		e.sendAll()
	}
	e.seeLeaving(&e.leaving, e.now)
	e.publish()
	e.now++
}

// takeCredits takes note of the room that is returned in a slot of a list, which is then empty.
func (e *engine) takeCredits(credits [][]int32, slot int64) {
	due := credits[slot]
	if len(due) == 0 {
		return
	}
	if e.worm != nil {
		e.phitsLeft(due)
	} else {
		batches(e.ahead.looks, due, e.seeLanes, e.takeReturned)
	}
	credits[slot] = due[:0]
}

// routeAll routes the routers of a word of bits, from a first one on.
func (e *engine) routeAll(first int32, word uint64) {
	for word != 0 {
		some := word
		if e.ahead.looks && e.ahead.decides {
			some = e.seeRouters(first, word)
		}
		for word &^= some; some != 0; some &= some - 1 {
			e.route(first + int32(bits.TrailingZeros64(some)))
		}
		if e.ahead.looks { // while what it has seen is in the caches
			e.sendAll()
		}
	}
}

// takeReturned takes note of the room that packets have left, by lane.
func (e *engine) takeReturned(due []int32) {
	for _, lane := range due {
		e.credits[lane]++
		c := e.perVCs(lane)
		if int(c) >= e.channels {
			e.roomAt(c - int32(e.channels))
			continue
		}
		if e.steady {
			e.outputs[c].room++
			e.closed[e.net.From[c]] = 0
		}
		if e.tracks {
			e.state.Sent[c]--
			e.note(c)
		}
		if r := e.net.From[c]; !e.idle[r] {
			e.wheel.wake(r, e.now)
		}
	}
}

// route serves the input ports of a router. What has won an output is sent later, that of many routers at a time: who
// goes from one to the other for each of them often guesses wrong how many there are.
func (e *engine) route(r int32) {
	e.streams.use(int(r))
	first := e.firstPort[r]
	again := never
	idle := true
	e.lost = false
	before := len(e.touched)
	for w := e.firstWord[r]; w < e.firstWord[r+1]; w++ {
		for word := e.busyPorts[w]; word != 0; word &= word - 1 {
			port := first + (w-e.firstWord[r])<<6 + int32(bits.TrailingZeros64(word))
			in := &e.inputs[port]
			if in.free > e.now {
				e.busyPorts[w] &^= word & -word
				e.rest(port, in)
				continue
			}
			blocked, when := e.servePort(r, port, in)
			idle = idle && !blocked
			again = min(again, when)
		}
	}
	e.idle[r] = idle
	// A worm goes on in the next cycle, and what it has given up counts there.
	if e.lost || e.worm != nil && len(e.touched) > before {
		again = min(again, e.now+1)
	}
	if again < never {
		e.wheel.wake(r, again)
	}
}

// sendAll sends what has won an output, after a look at all of it: packets of large networks are not in the caches.
func (e *engine) sendAll() {
	if e.worm == nil {
		e.seeWinners(e.touched)
	}
	for _, out := range e.touched {
		o := &e.outputs[out]
		o.asked = 0
		if e.worm != nil {
			e.forward(out, o)
		} else {
			e.send(out, o)
		}
	}
	e.touched = e.touched[:0]
	for _, out := range e.ending {
		o := &e.outputs[out]
		o.asked = 0
		e.deliver(o.from, e.win(o, &e.buffers[o.winner]), e.phits-1)
	}
	e.ending = e.ending[:0]
}

// servePort lets the virtual channels of an input port that may send ask for outputs, the one whose turn it is first:
// until one of them asks, or all of them with Options.FreeInputs. It reports whether one was blocked, and when to serve
// the port again for those that do not ask now; never if returned room will tell.
func (e *engine) servePort(r, port int32, in *input) (blocked bool, again int64) {
	again = never
	// The channel whose turn it is becomes bit 0, and those below it come last.
	base, turn := port*int32(e.vcs), int(in.turn)
	for mask := bits.RotateLeft64(in.waiting, -turn); mask != 0; mask &= mask - 1 {
		b := base + int32((bits.TrailingZeros64(mask)+turn)&63)
		buf := &e.buffers[b]
		if buf.ready > e.now {
			again = min(again, buf.ready)
			continue
		}
		asked, when := e.ask(r, port, b, buf)
		switch {
		case !asked:
			blocked = true
			again = min(again, when)
		case !e.cfg.FreeInputs:
			return blocked, again
		}
	}
	return blocked, again
}

// takeHop has a packet take the hop that it has chosen of several, to the channel that it has won.
func (o *output) takeHop(p *record, out int32) {
	p.Take(routing.Hop{Channel: out, Mark: o.mark, Class: o.class, Escape: o.escape})
}

// win takes the packet that has won an output out of its buffer.
func (e *engine) win(o *output, buf *buffer) int32 {
	i, b := buf.head, o.winner
	port := e.perVCs(b)
	e.moved = e.now
	o.free = e.now + e.phits
	o.last = port
	o.sent++
	e.removeHead(o.from, port, b, buf, e.packets[i].next)
	return i
}

// cross takes note of a packet that leaves a router, and returns the cycles that its first phit takes through the
// router and over the link.
func (e *engine) cross(p *record, o *output) int64 {
	router := e.charges.Router[o.from]
	p.passed += router
	p.distance += o.latency
	return int64(router) + int64(o.latency)
}

// send moves the packet that has won a channel.
func (e *engine) send(out int32, o *output) {
	buf := &e.buffers[o.winner]
	only, class := buf.out > choose, buf.class
	i := e.win(o, buf)
	p := &e.packets[i]
	e.carried++
	if only {
		p.Cross(out, class)
	} else {
		o.takeHop(p, out)
	}
	p.ready = e.now + e.cross(p, o)
	if e.stores {
		p.ready += e.phits - 1
	}
	to := o.port*int32(e.vcs) + int32(o.vc)
	if e.lastVC != nil {
		e.lastVC[out] = o.vc
	}
	e.credits[out*int32(e.vcs)+int32(o.vc)]--
	if e.steady {
		o.room--
	}
	if e.tracks {
		e.state.Sent[out]++
		e.note(out)
	}
	if o.part != e.number {
		e.handOver(o.part, to, i)
		e.release(i)
		return
	}
	e.enter(to, i, p, o.to)
}

// enter puts a packet into a buffer of a router.
func (e *engine) enter(b, i int32, p *record, r int32) {
	p.next = -1
	buf := &e.buffers[b]
	if buf.head >= 0 {
		e.packets[buf.tail].next = i
		buf.tail = i
		return
	}
	buf.head, buf.tail = i, i
	buf.ready = max(buf.ready, p.ready)
	e.expect(b, buf)
	e.findEarly(buf, p, r)
}

// expect has the head of a buffer seen when it may go on.
func (e *engine) expect(b int32, buf *buffer) {
	due := &e.wheel.heads[buf.ready&e.wheel.mask]
	*due = append(*due, b)
}

// present notes that buffers have something to send, and has their routers look at it.
func (e *engine) present(buffers []int32) {
	for _, b := range buffers {
		e.presentOne(b)
	}
}

func (e *engine) presentOne(b int32) { e.presentAt(b, e.now) }

// presentAt notes that a buffer has something to send, at which its router looks in a cycle.
func (e *engine) presentAt(b int32, at int64) {
	port := e.perVCs(b)
	in := &e.inputs[port]
	in.waiting |= 1 << (b - port*int32(e.vcs))
	if !in.asleep {
		e.busy(port, in.router, at)
	}
}

// busy has the router of a port look at it in a cycle.
func (e *engine) busy(port, r int32, at int64) {
	local := port - e.firstPort[r]
	e.busyPorts[e.firstWord[r]+local>>6] |= 1 << (local & 63)
	e.wheel.wake(r, at)
}

// rest has a port that sends looked at when it may send again.
func (e *engine) rest(port int32, in *input) {
	if !in.asleep {
		in.asleep = true
		due := &e.wheel.ports[in.free&e.wheel.mask]
		*due = append(*due, port)
	}
}

// getUp has ports that may send again looked at.
func (e *engine) getUp(ports []int32) {
	for _, port := range ports {
		in := &e.inputs[port]
		in.asleep = false
		if in.waiting != 0 {
			e.busy(port, in.router, e.now)
		}
	}
}

// absent notes that a buffer has nothing to send, and reports whether its port has nothing either.
func (e *engine) absent(r, port, b int32, in *input) bool {
	in.waiting &^= 1 << (b - port*int32(e.vcs))
	if in.waiting != 0 {
		return false
	}
	local := port - e.firstPort[r]
	e.busyPorts[e.firstWord[r]+local>>6] &^= 1 << (local & 63)
	return true
}

// removeHead removes the head of a buffer, which leaves it in the cycles from now on; behind is the packet after it, or
// -1.
func (e *engine) removeHead(r, port, b int32, buf *buffer, behind int32) {
	if e.tracks {
		e.waitFor(buf, -1)
	}
	free := e.now + e.phits
	in := &e.inputs[port]
	if e.lastLeft != nil {
		e.tellLeaving(in, e.laneInto(b, port, in))
	}
	if !e.cfg.FreeInputs {
		in.free = free
		e.passTurn(in, port, b)
	}
	e.unlink(r, port, b, buf, in, behind, free)
}

// passTurn has the virtual channel after the one that was served asked first.
func (e *engine) passTurn(in *input, port, b int32) {
	turn := b - port*int32(e.vcs) + 1
	if turn == int32(e.vcs) {
		turn = 0
	}
	in.turn = uint8(turn)
}

// giveBack returns room of a lane to who sends into it; of a worm's last phit, as ^lane.
func (e *engine) giveBack(in *input, lane int32) {
	credits := e.wheel.credits
	if in.part != e.number {
		credits = e.to[in.part].credits
	}
	due := &credits[(e.now+int64(in.credit))&e.wheel.mask]
	*due = append(*due, lane)
}

// unlink takes the head out of its buffer and returns its room. The packet behind it may go from a time on, or when it
// has come.
func (e *engine) unlink(r, port, b int32, buf *buffer, in *input, behind int32, free int64) {
	e.giveBack(in, e.laneInto(b, port, in))
	buf.head, buf.out, buf.routed, buf.ready = behind, noOut, false, free
	if behind >= 0 {
		p := &e.packets[behind]
		e.findEarly(buf, p, r)
		if p.ready <= free {
			e.wheel.wake(r, free)
			return
		}
		buf.ready = p.ready
		e.expect(b, buf)
	} else {
		buf.tail = -1
	}
	if !e.absent(r, port, b, in) {
		e.wheel.wake(r, free)
	}
}

// drop takes an undeliverable packet out of the network, as a worm a phit at a time.
func (e *engine) drop(b int32) {
	if e.worm != nil {
		e.waitFor(&e.buffers[b], -1)
		e.worm.segments[b].out = discard
		return
	}
	port := e.perVCs(b)
	in := &e.inputs[port]
	buf := &e.buffers[b]
	i := buf.head
	e.waitFor(buf, -1)
	e.unlink(in.router, port, b, buf, in, e.packets[i].next, e.now+1)
	e.moved = e.now
	e.lose(i)
}

// newRecord returns the index of a record for a new packet.
func (e *engine) newRecord() int32 {
	if last := len(e.free) - 1; last >= 0 {
		i := e.free[last]
		e.free = e.free[:last]
		return i
	}
	if len(e.packets) == cap(e.packets) {
		// By a quarter, as the runtime does, but on large pages.
		grown := bigarray.Make[record](len(e.packets) + len(e.packets)/4 + 256)[:len(e.packets)]
		copy(grown, e.packets)
		e.packets = grown
	}
	e.packets = e.packets[:len(e.packets)+1]
	return int32(len(e.packets) - 1)
}

func (e *engine) release(i int32) { e.free = append(e.free, i) }
