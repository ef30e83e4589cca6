package packet

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"plenum/routing"
)

// A record is a packet in the network.
type record struct {
	routing.Header
	src, dst int32 // terminals
	next     int32 // behind it in its buffer, or in the list of free records
	message  int32 // of a closed loop, -1
	distance int32 // cycles on links so far
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
	routed     bool  // its head has been told of its arrival
}

// noOut is an output that is not known yet; choose is one that depends on the
// state of the network.
const (
	noOut  int32 = -1
	choose int32 = -2
)

// An engine is the state of one run, or that of some routers and their terminals in
// a crew, whose engines share the arrays below.
type engine struct {
	cfg     Config
	net     *routing.Network
	fn      routing.Function
	single  bool
	watches bool // the hops of a packet change with the loads
	tracks  bool // loads are counted, as the routing or a choice of hops looks at them
	once    bool // packets decide at their source only
	classes []routing.Range
	look    routing.Look
	rng     *rand.Rand // draws from the stream of a router or terminal
	streams streams
	now     int64

	vcs      int
	phits    int64
	cell     int64 // phits that room, and what is sent, is counted in: a packet, or one of a worm
	channels int

	// By router.
	firstPort []int32
	idle      []bool // no packet found its output closed when the router was last looked at
	// By input port; ports of a router follow each other.
	source  []int32 // channel that leads to it, or ^terminal
	router  []int32
	inFree  []int64 // when it may send again
	turn    []uint8 // virtual channel that is asked first
	waiting []uint64
	// busyPorts has a bit for each input port with a packet, in words of its own
	// for each router.
	busyPorts []uint64
	firstWord []int32
	// By virtual channel of an input port.
	buffers []buffer
	credits []int32 // cells for which there is room, as the sender knows it

	// By output: channels, then terminals.
	outFree []int64
	lastIn  []int32 // input port that was served last
	portOf  []int32 // input port that it leads to; of a terminal its own input
	latency []int32 // of channels; of terminals that of their link
	want    []int32 // heads that wait for a channel
	sent    []int64 // cells, since counting began
	credit  []int32 // cycles until returned room is known

	// Requests of one router in one cycle, by output.
	asked   []int32 // requests so far
	winner  []int32 // buffer
	winVC   []uint8
	winHop  []routing.Hop
	touched []int32

	packets []record
	free    int32
	alive   int64 // packets in the network
	carried int64 // cells over channels between switches
	moved   int64 // when any packet moved last

	wheel wheel
	hops  []routing.Hop

	routers [2]int32 // its own: from, to
	mail             // to and from the others of a crew
	terminals
	moving
	worm  *worm // of wormhole switching, or nil
	stats stats
}

// wheel holds what happens in the next cycles.
type wheel struct {
	mask    int64
	base    int32     // its first router
	words   int       // of a row of wakes
	wakes   []uint64  // routers to look at, by cycle
	woken   []int32   // how many there are, by cycle
	credits [][]int32 // buffers that a packet has left, by cycle
	heads   [][]int32 // buffers whose head may go on, by cycle
	calls   []int32   // terminals to look at, by cycle: a list through next
	next    []int32   // by terminal, -1
	due     []int64   // by terminal: when, -1 if it is in no list
	arrived [][]int32 // messages whose last packet arrives, by cycle
}

func newEngine(cfg Config) (*engine, error) {
	var err error
	if cfg.Options, err = cfg.filled(); err != nil {
		return nil, err
	}
	n := cfg.Network
	if cfg.VCs == 0 {
		cfg.VCs = cfg.Routing.Classes()
	}
	classes := routing.Split(cfg.Routing, cfg.VCs)
	if classes == nil {
		return nil, fmt.Errorf("packet: routing %s needs %d virtual channels, not %d", cfg.Routing.Name(), cfg.Routing.Classes(), cfg.VCs)
	}
	if cfg.VCs > 64 {
		return nil, fmt.Errorf("packet: routing %s needs %d virtual channels on this network; 64 at most", cfg.Routing.Name(), cfg.VCs)
	}
	if cfg.Routing.Name() == "bubble" && cfg.BufferPackets == 1 {
		return nil, fmt.Errorf("packet: bubble flow control needs buffers of 2 packets")
	}
	e := &engine{
		cfg: cfg, net: n, fn: cfg.Routing, single: routing.Single(cfg.Routing), once: routing.AtSourceOnly(cfg.Routing), classes: classes,
		vcs: cfg.VCs, phits: int64(cfg.PacketPhits), channels: n.Channels(), free: -1,
		routers: [2]int32{0, int32(n.Routers())},
	}
	e.cell = e.phits
	if cfg.Switching == Wormhole {
		e.cell = 1
		if err := routing.Wormhole(cfg.Routing, cfg.SharedBuffers); err != nil {
			return nil, fmt.Errorf("packet: %w", err)
		}
	}
	e.watches = routing.Watches(cfg.Routing)
	e.tracks = !e.single || routing.Looks(cfg.Routing)
	e.streams = newStreams(cfg.Seed, n.Routers()+n.Terminals())
	e.rng = rand.New(&e.streams)
	e.look.Rand = e.rng
	if err := e.delays(); err != nil {
		return nil, err
	}
	if err := e.fits(); err != nil {
		return nil, err
	}
	e.build()
	switch {
	case e.cfg.Switching == Wormhole:
		e.newWorm()
	case e.cfg.Select == Room:
		e.moving = e.newMoving()
	}
	return e, nil
}

// delays fills in what follows from the lengths of links.
func (e *engine) delays() error {
	n, count := e.net, e.channels+e.net.Terminals()
	e.latency, e.credit = make([]int32, count), make([]int32, count)
	of := func(link int32) int32 {
		if e.cfg.Latency == nil {
			return 1
		}
		return max(e.cfg.Latency[link], 1)
	}
	if e.cfg.Latency != nil {
		links := 0
		for range n.Graph.Links() {
			links++
		}
		if links != len(e.cfg.Latency) {
			return fmt.Errorf("packet: %d latencies for %d links", len(e.cfg.Latency), links)
		}
		for i, l := range e.cfg.Latency {
			if l < 0 || l > 1<<22 {
				return fmt.Errorf("packet: a latency of %d cycles on link %d; from 0 to %d", l, i, 1<<22)
			}
		}
	}
	for c := range e.channels {
		e.latency[c] = of(n.Link[c])
		e.credit[c] = int32(e.cell) + e.latency[c]
	}
	for t, link := range n.TerminalLink {
		i := e.channels + t
		if link >= 0 {
			e.latency[i] = of(link)
		}
		e.credit[i] = int32(e.cell) + max(int32(e.cfg.Inject)+e.latency[i]-1, 0)
	}
	return nil
}

// maxBuffers is the most virtual channels of all inputs, and maxWheel the most
// words of the wheel: about 4 and 1 GB.
const maxBuffers, maxWheel = 1 << 26, 1 << 27

// fits refuses what would take too much memory.
func (e *engine) fits() error {
	if buffers := int64(e.channels+e.net.Terminals()) * int64(e.vcs); buffers > maxBuffers {
		return fmt.Errorf("packet: %d inputs with %d virtual channels; %d of these at most", e.channels+e.net.Terminals(), e.vcs, maxBuffers)
	}
	longest := e.longest()
	if words := longest * int64((e.net.Routers()+63)/64); words > maxWheel/2 {
		return fmt.Errorf("packet: delays of up to %d cycles are too long for a network of %d switches; choose a slower clock or shorter packets", longest, e.net.Routers())
	}
	return nil
}

// build lays out the arrays.
func (e *engine) build() {
	n := e.net
	terminals := n.Terminals()
	e.portOf = make([]int32, e.channels+terminals)
	e.firstPort = make([]int32, n.Routers()+1)
	e.idle = make([]bool, n.Routers())
	e.firstWord = make([]int32, n.Routers()+1)
	homeOf := make([][]int32, n.Routers())
	for t, r := range n.Home {
		if r >= 0 {
			homeOf[r] = append(homeOf[r], int32(t))
		} else {
			e.portOf[e.channels+t] = -1
		}
	}
	for r := range n.Routers() {
		for _, c := range n.Into(int32(r)) {
			e.portOf[c] = int32(len(e.source))
			e.source = append(e.source, c)
			e.router = append(e.router, int32(r))
		}
		for _, t := range homeOf[r] {
			e.portOf[e.channels+int(t)] = int32(len(e.source))
			e.source = append(e.source, ^t)
			e.router = append(e.router, int32(r))
		}
		e.firstPort[r+1] = int32(len(e.source))
		e.firstWord[r+1] = e.firstWord[r] + (e.firstPort[r+1]-e.firstPort[r]+63)/64
	}
	ports := len(e.source)
	e.inFree, e.turn, e.waiting = make([]int64, ports), make([]uint8, ports), make([]uint64, ports)
	e.busyPorts = make([]uint64, e.firstWord[n.Routers()])
	e.buffers, e.credits = make([]buffer, ports*e.vcs), make([]int32, ports*e.vcs)
	for i := range e.buffers {
		e.buffers[i] = buffer{head: -1, tail: -1, out: noOut, wants: -1}
		e.credits[i] = int32(e.size(e.source[i/e.vcs]))
	}
	outs := e.channels + terminals
	e.outFree, e.lastIn = make([]int64, outs), make([]int32, outs)
	e.want, e.sent = make([]int32, outs), make([]int64, outs)
	e.look.Wait, e.look.Sent = e.want[:e.channels], make([]int32, e.channels)
	for c := range e.look.Sent {
		e.look.Sent[c] = -int32((int64(e.roundTrip(int32(c)))*e.cell + e.phits - 1) / e.phits)
	}
	e.asked, e.winner, e.winVC, e.winHop = make([]int32, outs), make([]int32, outs), make([]uint8, outs), make([]routing.Hop, outs)
	e.wheel.build(e.longest(), e.routers, terminals)
}

// size is the cells that the buffers behind a channel or a terminal hold.
func (e *engine) size(source int32) int {
	packet := int(e.phits / e.cell)
	switch {
	case source < 0 && e.net.TerminalLink[^source] < 0:
		return e.cfg.InjectionPackets * packet
	case e.cfg.BufferPhits > 0:
		return e.cfg.BufferPhits
	case e.cfg.BufferPackets > 0:
		return e.cfg.BufferPackets * packet
	}
	return max(4*packet, e.roundTrip(source))
}

// roundTrip is the cells that must fit into a buffer for one stream of packets
// to use the whole link: those that are sent until the room of the first is known
// to be free again.
func (e *engine) roundTrip(source int32) int {
	i := int(source)
	pipeline := int64(e.cfg.Pipeline)
	if source < 0 {
		i = e.channels + int(^source)
		pipeline = int64(e.cfg.Inject)
	}
	cycles := pipeline + int64(e.latency[i]) + int64(e.credit[i])
	if e.cfg.Switching == StoreAndForward {
		cycles += e.phits - 1
	}
	return int((cycles + e.cell - 1) / e.cell)
}

// longest is the most cycles that anything is put off.
func (e *engine) longest() int64 {
	most := int64(0)
	for i := range e.latency {
		most = max(most, int64(e.latency[i]), int64(e.credit[i]))
	}
	return most + int64(e.cfg.Pipeline+e.cfg.Inject+e.cfg.Eject) + 2*e.phits + 2
}

func (w *wheel) build(longest int64, routers [2]int32, terminals int) {
	slots := int64(64)
	for slots < longest+1 {
		slots *= 2
	}
	w.mask = slots - 1
	w.base = routers[0]
	w.words = int(routers[1]-routers[0]+63) / 64
	w.wakes, w.woken = make([]uint64, int(slots)*w.words), make([]int32, slots)
	w.credits, w.heads, w.calls = make([][]int32, slots), make([][]int32, slots), make([]int32, slots)
	w.arrived = make([][]int32, slots)
	for i := range w.calls {
		w.calls[i] = -1
	}
	w.next, w.due = make([]int32, terminals), make([]int64, terminals)
	for t := range w.due {
		w.due[t] = -1
	}
}

// wake has a router looked at in a cycle.
func (w *wheel) wake(router int32, at int64) {
	slot := at & w.mask
	router -= w.base
	word := &w.wakes[int(slot)*w.words+int(router>>6)]
	bit := uint64(1) << (router & 63)
	if *word&bit == 0 {
		*word |= bit
		w.woken[slot]++
	}
}

// call has a terminal looked at in a cycle, unless it is to be looked at already.
func (w *wheel) call(terminal int32, at int64) {
	if w.due[terminal] >= 0 {
		return
	}
	slot := at & w.mask
	w.due[terminal] = at
	w.next[terminal] = w.calls[slot]
	w.calls[slot] = terminal
}

// cycle plays the cycle e.now.
func (e *engine) cycle() {
	if e.worm != nil {
		e.crawl()
		return
	}
	slot := e.now & e.wheel.mask
	if due := e.wheel.credits[slot]; len(due) > 0 {
		e.returned(due)
		e.wheel.credits[slot] = due[:0]
	}
	for _, from := range e.from {
		if due := from.credits[slot]; len(due) > 0 {
			e.returned(due)
			from.credits[slot] = due[:0]
		}
	}
	if e.wheel.calls[slot] >= 0 {
		e.callTerminals(slot)
	}
	if heads := e.wheel.heads[slot]; len(heads) > 0 {
		e.appear(heads)
		e.wheel.heads[slot] = heads[:0]
	}
	if e.wheel.woken[slot] > 0 {
		e.wheel.woken[slot] = 0
		row := e.wheel.wakes[int(slot)*e.wheel.words : int(slot+1)*e.wheel.words]
		for i, word := range row {
			if word == 0 {
				continue
			}
			row[i] = 0
			for ; word != 0; word &= word - 1 {
				e.route(e.wheel.base + int32(i<<6+bits.TrailingZeros64(word)))
			}
		}
	}
	e.now++
}

// returned takes note of the room that packets have left.
func (e *engine) returned(due []int32) {
	for _, b := range due {
		e.credits[b]++
		port := int(b) / e.vcs
		c := e.source[port]
		if c >= 0 {
			if e.tracks {
				e.look.Sent[c]--
			}
			if r := e.net.From[c]; !e.idle[r] {
				e.wheel.wake(r, e.now)
			}
		} else {
			e.roomAt(^c)
		}
	}
}

// route lets the packets at a router ask for outputs and sends those that get one.
func (e *engine) route(r int32) {
	e.streams.use(int(r))
	first := e.firstPort[r]
	again := int64(math.MaxInt64)
	idle := true
	e.touched = e.touched[:0]
	for w := e.firstWord[r]; w < e.firstWord[r+1]; w++ {
		for word := e.busyPorts[w]; word != 0; word &= word - 1 {
			port := first + (w-e.firstWord[r])<<6 + int32(bits.TrailingZeros64(word))
			if free := e.inFree[port]; free > e.now {
				again = min(again, free)
				continue
			}
			mask := e.waiting[port]
			base := int(port) * e.vcs
			turn := uint(e.turn[port])
			// virtual channels from turn on, then those below it
			for _, part := range [2]uint64{mask >> turn << turn, mask & (1<<turn - 1)} {
				for ; part != 0; part &= part - 1 {
					b := int32(base + bits.TrailingZeros64(part))
					if e.buffers[b].ready > e.now {
						continue
					}
					asked, when := e.ask(r, port, b)
					if asked {
						if !e.cfg.FreeInputs {
							goto served
						}
						continue
					}
					idle = false
					again = min(again, when)
				}
			}
		served:
		}
	}
	e.idle[r] = idle
	asks := 0
	for _, out := range e.touched {
		asks += int(e.asked[out])
		e.asked[out] = 0
		e.send(r, out, e.winner[out], e.winVC[out], e.winHop[out])
	}
	if asks > len(e.touched) { // some have lost
		again = min(again, e.now+1)
	}
	if again < math.MaxInt64 {
		e.wheel.wake(r, again)
	}
}

// ask lets the head of a buffer ask for an output. If it asks for none, when is
// the cycle to try again in; math.MaxInt64 if returned room will tell.
func (e *engine) ask(r, port, b int32) (asked bool, when int64) {
	buf := &e.buffers[b]
	if buf.out == noOut && !e.decide(r, b) {
		return false, e.now + 1 // what is behind it may go in the next cycle
	}
	if buf.out == choose {
		asked, when = e.askAny(r, port, b)
		if !asked && e.watches {
			when = e.now + 1
		}
		return asked, when
	}
	out := buf.out
	if free := e.outFree[out]; free > e.now {
		return false, free
	}
	vc := uint8(0)
	if int(out) < e.channels {
		var ok bool
		if vc, ok = e.roomiest(out, buf.lo, buf.hi, int32(buf.room)); !ok {
			return false, math.MaxInt64
		}
	}
	e.request(out, port, b, vc, nil)
	return true, 0
}

// roomiest is the virtual channel with most room of those from lo to hi-1, if any
// has enough.
func (e *engine) roomiest(channel int32, lo, hi uint8, room int32) (uint8, bool) {
	credits := e.credits[int(e.portOf[channel])*e.vcs:]
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
func (e *engine) decide(r, b int32) bool {
	buf := &e.buffers[b]
	p := &e.packets[buf.head]
	if !buf.routed && (!e.once || p.Last < 0) {
		buf.routed = true
		e.fn.Arrive(&p.Header, r, &e.look)
	}
	if p.Arrived(r) {
		buf.out, buf.lo, buf.hi = int32(e.channels)+p.dst, 0, 1
		return true
	}
	if !e.single {
		buf.out = choose
		return true
	}
	e.hops = e.fn.Next(&p.Header, r, &e.look, e.hops[:0])
	if len(e.hops) == 0 {
		e.drop(b)
		return false
	}
	e.settle(buf, e.hops[0])
	return true
}

// settle fixes the hop of a head.
func (e *engine) settle(buf *buffer, hop routing.Hop) {
	vcs := e.classes[hop.Class]
	buf.out, buf.lo, buf.hi = hop.Channel, uint8(vcs.From), uint8(vcs.To)
	buf.room, buf.class = max(hop.Room, 1), hop.Class
	if e.tracks {
		e.waitFor(buf, hop.Channel)
	}
}

// waitFor counts a head as waiting for a channel.
func (e *engine) waitFor(buf *buffer, channel int32) {
	if buf.wants == channel {
		return
	}
	if buf.wants >= 0 {
		e.want[buf.wants]--
	}
	buf.wants = channel
	if channel >= 0 {
		e.want[channel]++
	}
}

// askAny lets a head with several hops ask for the best of them. Of a tier, hops
// with a free output and room come first. The next tier counts only if this one is
// blocked: no hop of it has room, unless the packet is the only one that waits for
// one whose output is busy.
func (e *engine) askAny(r, port, b int32) (asked bool, when int64) {
	buf := &e.buffers[b]
	if e.watches {
		e.waitFor(buf, -1) // not for itself
	}
	p := &e.packets[buf.head]
	e.hops = e.fn.Next(&p.Header, r, &e.look, e.hops[:0])
	if len(e.hops) == 0 {
		e.drop(b)
		return false, e.now + 1
	}
	if e.lastLeft != nil {
		return e.askByRoom(port, b)
	}
	when = math.MaxInt64
	for tier := uint8(0); tier < 4; tier++ {
		t := e.view(tier)
		when = min(when, t.free)
		if t.best >= 0 {
			hop := &e.hops[t.best]
			e.waitFor(buf, hop.Channel)
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

// sole tells whether a head is the only one that waits for the channel of a hop of
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

// tierView is what there is of a tier among the hops of a head.
type tierView struct {
	best int   // hop to ask for, -1
	vc   uint8 // on which virtual channel
	busy int32 // channel with room whose output is busy, that fewest wait for; -1
	free int64 // when the first busy output will be free
	more bool  // there are later tiers
}

func (e *engine) view(tier uint8) tierView {
	t := tierView{best: -1, busy: -1, free: math.MaxInt64}
	most, ties := int32(-1), uint32(0)
	for i := range e.hops {
		hop := &e.hops[i]
		if hop.Tier != tier {
			t.more = t.more || hop.Tier > tier
			continue
		}
		vcs := e.classes[hop.Class]
		v, ok := e.roomiest(hop.Channel, uint8(vcs.From), uint8(vcs.To), int32(max(hop.Room, 1)))
		if !ok {
			continue
		}
		if free := e.outFree[hop.Channel]; free > e.now {
			t.free = min(t.free, free)
			if t.busy < 0 || e.want[hop.Channel] < e.want[t.busy] {
				t.busy = hop.Channel
			}
			continue
		}
		room := e.roomOf(hop.Channel, vcs)
		switch {
		case room > most:
			t.best, most, ties, t.vc = i, room, 1, v
		case room == most:
			ties++
			if e.rng.Uint32N(ties) == 0 {
				t.best, t.vc = i, v
			}
		}
	}
	return t
}

// roomOf is the room of a class on a channel.
func (e *engine) roomOf(channel int32, vcs routing.Range) int32 {
	credits := e.credits[int(e.portOf[channel])*e.vcs:]
	sum := int32(0)
	for v := vcs.From; v < vcs.To; v++ {
		sum += credits[v]
	}
	return sum
}

// request enters a buffer among those that ask for an output and lets the arbiter
// decide between it and the winner so far.
func (e *engine) request(out, port, b int32, vc uint8, hop *routing.Hop) {
	e.asked[out]++
	count := e.asked[out]
	if count == 1 {
		e.touched = append(e.touched, out)
	} else if !e.beats(out, port, b, count) {
		return
	}
	e.winner[out], e.winVC[out] = b, vc
	if hop != nil {
		e.winHop[out] = *hop
	}
}

// beats tells whether a buffer takes an output from the winner so far of count-1
// requests.
func (e *engine) beats(out, port, b, count int32) bool {
	other := e.winner[out]
	switch e.cfg.Arbiter {
	case Transit:
		// Ports from other switches come first, so all before this one are its like.
		if e.source[port] < 0 && e.source[other/int32(e.vcs)] >= 0 {
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
	last := e.lastIn[out]
	return port > last && other/int32(e.vcs) <= last
}

// send moves the head of a buffer to an output.
func (e *engine) send(r, out, b int32, vc uint8, hop routing.Hop) {
	buf := &e.buffers[b]
	port := b / int32(e.vcs)
	i := buf.head
	p := &e.packets[i]
	e.moved = e.now
	e.outFree[out] = e.now + e.phits
	e.lastIn[out] = port
	e.sent[out]++
	if buf.out != choose {
		hop = routing.Hop{Channel: out, Class: buf.class}
	}
	e.leave(r, port, b)
	if int(out) >= e.channels {
		e.deliver(r, i, e.phits-1)
		return
	}
	e.carried++
	p.Take(hop)
	p.distance += e.latency[out]
	p.ready = e.now + int64(e.cfg.Pipeline) + int64(e.latency[out])
	if e.cfg.Switching == StoreAndForward {
		p.ready += e.phits - 1
	}
	to := e.portOf[out]*int32(e.vcs) + int32(vc)
	if e.lastVC != nil {
		e.lastVC[out] = vc
	}
	e.credits[to]--
	if e.tracks {
		e.look.Sent[out]++
	}
	if next := e.net.To[out]; next < e.routers[0] || next >= e.routers[1] {
		e.handOver(next, to, i)
		return
	}
	e.enter(to, i)
}

// enter puts a packet into a buffer.
func (e *engine) enter(b, i int32) {
	p := &e.packets[i]
	p.next = -1
	buf := &e.buffers[b]
	if buf.head >= 0 {
		e.packets[buf.tail].next = i
		buf.tail = i
		return
	}
	buf.head, buf.tail = i, i
	buf.ready = max(buf.ready, p.ready)
	e.expect(b)
}

// expect has the head of a buffer seen when it may go on.
func (e *engine) expect(b int32) {
	slot := e.buffers[b].ready & e.wheel.mask
	e.wheel.heads[slot] = append(e.wheel.heads[slot], b)
}

// appear has routers look at heads.
func (e *engine) appear(heads []int32) {
	for _, b := range heads {
		port := b / int32(e.vcs)
		r := e.router[port]
		e.waiting[port] |= 1 << (b % int32(e.vcs))
		e.mark(r, port)
		e.wheel.wake(r, e.now)
	}
}

// mark notes that a port has a packet.
func (e *engine) mark(r, port int32) {
	local := port - e.firstPort[r]
	e.busyPorts[e.firstWord[r]+local>>6] |= 1 << (local & 63)
}

// leave takes the head out of a buffer that it leaves in the cycles from now on.
func (e *engine) leave(r, port, b int32) {
	buf := &e.buffers[b]
	if e.tracks {
		e.waitFor(buf, -1)
	}
	if e.lastLeft != nil {
		e.lastLeft[b] = e.now
	}
	free := e.now + e.phits
	if !e.cfg.FreeInputs {
		e.inFree[port] = free
		e.turn[port] = uint8((b%int32(e.vcs) + 1) % int32(e.vcs))
	}
	e.unlink(r, port, b, free)
	e.giveBack(port, b)
}

// giveBack returns the room of a buffer to who sends into it.
func (e *engine) giveBack(port, b int32) {
	credits, source := e.wheel.credits, e.source[port]
	if source < 0 {
		source = int32(e.channels) + ^source
	} else if from := e.net.From[source]; from < e.routers[0] || from >= e.routers[1] {
		credits = e.to[e.part[from]].credits
	}
	slot := (e.now + int64(e.credit[source])) & e.wheel.mask
	credits[slot] = append(credits[slot], b)
}

// unlink takes the head out of its buffer. The packet behind it may go from a time
// on, or when it has come.
func (e *engine) unlink(r, port, b int32, free int64) {
	buf := &e.buffers[b]
	buf.head = e.packets[buf.head].next
	buf.out, buf.routed, buf.ready = noOut, false, free
	if buf.head >= 0 {
		ready := e.packets[buf.head].ready
		if ready <= free {
			e.wheel.wake(r, free)
			return
		}
		buf.ready = ready
		e.expect(b)
	} else {
		buf.tail = -1
	}
	e.waiting[port] &^= 1 << (b % int32(e.vcs))
	if e.waiting[port] != 0 {
		e.wheel.wake(r, free)
		return
	}
	local := port - e.firstPort[r]
	e.busyPorts[e.firstWord[r]+local>>6] &^= 1 << (local & 63)
}

// drop takes an undeliverable packet out of the network.
func (e *engine) drop(b int32) {
	if e.worm != nil {
		e.waitFor(&e.buffers[b], -1)
		e.worm.segments[e.worm.front[b]].out = swallow
		return
	}
	port := b / int32(e.vcs)
	r := e.router[port]
	buf := &e.buffers[b]
	i := buf.head
	e.waitFor(buf, -1)
	e.unlink(r, port, b, e.now+1)
	e.giveBack(port, b)
	e.moved = e.now
	e.lose(i)
}

// take is a record for a new packet.
func (e *engine) take() int32 {
	i := e.free
	if i >= 0 {
		e.free = e.packets[i].next
		return i
	}
	e.packets = append(e.packets, record{})
	return int32(len(e.packets) - 1)
}

func (e *engine) release(i int32) {
	e.packets[i].next = e.free
	e.free = i
}
