package packet

import (
	"container/heap"
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/bigarray"
	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/traffic"
)

// terminals is the state of what sends.
type terminals struct {
	open      *OpenLoop
	injection traffic.Injection
	silent    int // terminals that never send

	senders []sender // by terminal

	job             traffic.Workload
	place           []int32 // terminal of each task
	messages        []message
	freeSlot        int32
	delayed         delayed
	unsettled       int64 // messages that are not delivered
	settledMessages int64
	finished        int64 // when the last one was
	emit            func(traffic.Message)
}

// sender is what a terminal sends.
type sender struct {
	nextMade int64 // of an open loop: when its next message is made
	made     int64 // when the message that it is sending was made
	linkFree int64
	left     int32 // packets of that message
	dst      int32 // its destination
	message  int32 // of a closed loop
	first    int32 // message that waits first, -1
	last     int32
	noRoom   bool
}

// message is one of a closed loop that is under way.
type message struct {
	traffic.Message
	left int32 // packets to deliver
	next int32
	made int64
	end  int64 // when the last packet so far is there
}

func (e *engine) newTerminals() {
	n := e.net.Terminals()
	t := &e.terminals
	t.senders = bigarray.Make[sender](n)
	for i := range t.senders {
		t.senders[i] = sender{message: -1, first: -1, last: -1}
	}
	t.freeSlot = -1
}

// startOpen has every terminal that sends look for its first message.
func (e *engine) startOpen(o *OpenLoop) error {
	e.newTerminals()
	packets := 1.0
	if o.Sizes != nil {
		packets = 0
		const draws = 4096 // the mean of packets, which sizes are rounded up to
		for range draws {
			packets += float64((int64(o.Sizes.Draw(e.rng)) + e.phits - 1) / e.phits)
		}
		packets /= draws
	}
	if !(o.Load > 0 && o.Load <= 1) {
		return diag.Fieldf("Load", "must be above 0 and at most 1 phit per cycle, not %v", o.Load)
	}
	t := &e.terminals
	t.open = o
	t.injection = traffic.Injection{Rate: o.Load / (packets * float64(e.phits)), Burst: o.Burst}
	if o.Burst > 0 {
		t.injection.Within = int64(packets * float64(e.phits))
	}
	if err := t.injection.Check(); err != nil {
		return diag.Fieldf("Load", "%v", err)
	}
	for i := range int32(len(t.senders)) {
		e.streams.use(e.net.Routers() + int(i))
		if e.net.Home[i] < 0 || o.Pattern.Destination(i, e.rng) < 0 {
			t.silent++
			t.senders[i].nextMade = math.MaxInt64
			continue
		}
		t.senders[i].nextMade = t.injection.First(e.rng)
		e.wheel.call(i, t.senders[i].nextMade)
	}
	return nil
}

// startJob emits the first messages of a workload.
func (e *engine) startJob(w traffic.Workload, place []int32) error {
	e.newTerminals()
	if len(place) != w.Tasks() {
		return fmt.Errorf("packet: places for %d of %d tasks", len(place), w.Tasks())
	}
	taken := make([]bool, e.net.Terminals())
	for task, t := range place {
		switch {
		case t < 0 || int(t) >= len(taken):
			return fmt.Errorf("packet: task %d on terminal %d of %d", task, t, len(taken))
		case taken[t]:
			return fmt.Errorf("packet: two tasks on terminal %d", t)
		case e.net.Home[t] < 0:
			return fmt.Errorf("packet: task %d on terminal %s, which has failed", task,
				e.net.Names.NameOrAddress(int(e.net.Terminal[t])))
		}
		taken[t] = true
	}
	e.job, e.place = w, place
	e.emit = e.addMessage
	w.Start(e.emit)
	return nil
}

// addMessage takes a message from the workload.
func (e *engine) addMessage(m traffic.Message) {
	t := &e.terminals
	t.unsettled++
	slot := t.freeSlot
	if slot >= 0 {
		t.freeSlot = t.messages[slot].next
	} else {
		slot = int32(len(t.messages))
		t.messages = append(t.messages, message{})
	}
	phits := (int64(m.Bytes) + int64(e.cfg.PhitBytes) - 1) / int64(e.cfg.PhitBytes)
	packets := max((phits+e.phits-1)/e.phits, 1)
	t.messages[slot] = message{Message: m, left: int32(packets), next: -1}
	if m.Delay > 0 {
		heap.Push(&t.delayed, later{e.now + m.Delay, m.ID, slot})
		return
	}
	e.join(slot)
}

// join puts a message behind the others of its sender.
func (e *engine) join(slot int32) {
	t := &e.terminals
	m := &t.messages[slot]
	m.made = e.now
	from := t.place[m.Src]
	s := &t.senders[from]
	if s.first < 0 {
		s.first = slot
	} else {
		t.messages[s.last].next = slot
	}
	s.last = slot
	if s.left == 0 {
		e.wheelOf(from).call(from, e.now)
	}
}

// later is a message that joins its queue later on.
type later struct {
	at   int64
	id   int64
	slot int32
}

type delayed []later

func (d delayed) Len() int { return len(d) }
func (d delayed) Less(i, j int) bool {
	return d[i].at < d[j].at || d[i].at == d[j].at && d[i].id < d[j].id
}
func (d delayed) Swap(i, j int) { d[i], d[j] = d[j], d[i] }
func (d *delayed) Push(x any)   { *d = append(*d, x.(later)) }
func (d *delayed) Pop() any {
	old := *d
	x := old[len(old)-1]
	*d = old[:len(old)-1]
	return x
}

// pop takes the first one.
func (d *delayed) pop() later { return heap.Pop(d).(later) }

// reportArrivals tells the workload of messages that have arrived.
func (e *engine) reportArrivals(slots []int32) {
	t := &e.terminals
	for _, slot := range slots {
		m := t.messages[slot].Message
		t.messages[slot].next = t.freeSlot
		t.freeSlot = slot
		t.unsettled--
		t.settledMessages++
		t.finished = e.now
		traffic.NoteEnd(t.job, m, e.now)
		t.job.Delivered(m, t.emit)
	}
}

// callTerminals looks at the terminals of a slot whose time has come.
func (e *engine) callTerminals(slot int64) {
	w := &e.wheel
	due := w.calls[slot]
	w.calls[slot], w.calling = w.calling[:0], due
	if !e.ahead.looks {
		for _, t := range due {
			if e.isDue(t, slot) {
				e.serve(t)
			}
		}
		return
	}
	for some := range slices.Chunk(due, batch) {
		e.seeTerminals(some)
		list := e.ahead.list[:0]
		for _, t := range some {
			if e.isDue(t, slot) {
				list = append(list, t)
			}
		}
		e.ahead.list = list
		e.drawAhead(list)
		for _, t := range list {
			e.serve(t)
		}
	}
}

// isDue reports whether the time of a terminal in a slot has come, and puts it off to a later turn of the wheel if
// not.
func (e *engine) isDue(t int32, slot int64) bool {
	w := &e.wheel
	if w.due[t] > e.now {
		w.calls[slot] = append(w.calls[slot], t)
		return false
	}
	w.due[t] = -1
	return true
}

// roomAt has a terminal look again that had found no room.
func (e *engine) roomAt(t int32) {
	if s := &e.senders[t]; s.noRoom {
		s.noRoom = false
		e.wheel.call(t, e.now)
	}
}

// serve lets a terminal send a packet if it has one.
func (e *engine) serve(t int32) {
	if e.worm != nil {
		e.servePhit(t)
		return
	}
	s := &e.senders[t]
	if s.left == 0 && !e.nextMessage(t) {
		return
	}
	if s.linkFree > e.now {
		e.wheel.call(t, s.linkFree)
		return
	}
	out := int32(e.channels) + t
	vc, ok := e.roomiest(out, 0, uint8(e.vcs), 1)
	if !ok {
		s.noRoom = true
		return
	}
	e.enterAt(out, vc)
	s.linkFree = e.now + e.phits
	e.sentPacket(t)
}

// sentPacket has a terminal look for its next packet when its link is free.
func (e *engine) sentPacket(t int32) {
	s := &e.senders[t]
	s.left--
	if s.left > 0 || e.job != nil {
		if s.left > 0 || s.first >= 0 {
			e.wheel.call(t, s.linkFree)
		}
		return
	}
	e.wheel.call(t, max(s.nextMade, s.linkFree))
}

// nextMessage takes the next message of a terminal; false if it has none now.
func (e *engine) nextMessage(t int32) bool {
	s := &e.senders[t]
	if e.job != nil {
		slot := s.first
		if slot < 0 {
			return false
		}
		m := &e.messages[slot]
		s.first = m.next
		s.message, s.dst, s.left, s.made = slot, e.place[m.Dst], m.left, m.made
		return true
	}
	e.streams.use(e.net.Routers() + int(t))
	for {
		if s.nextMade > e.now {
			e.wheel.call(t, s.nextMade)
			return false
		}
		s.made = s.nextMade
		s.nextMade += e.injection.Gap(e.rng)
		packets := int64(1)
		if e.open.Sizes != nil {
			packets = (int64(e.open.Sizes.Draw(e.rng)) + e.phits - 1) / e.phits
		}
		dst := e.open.Pattern.Destination(t, e.rng)
		if e.broken && e.net.Home[dst] < 0 {
			e.stats.undeliverable += packets
			continue
		}
		s.dst, s.left = dst, int32(packets)
		return true
	}
}

// enterAt puts a new packet of the terminal of an output into the buffer of its first switch.
func (e *engine) enterAt(out int32, vc uint8) {
	o := &e.outputs[out]
	i := e.newPacket(out - int32(e.channels))
	e.credits[out*int32(e.vcs)+int32(vc)]--
	e.enter(o.port*int32(e.vcs)+int32(vc), i, &e.packets[i], o.to)
}

// inject is the cycles that a packet takes at its source before its link or router.
func (e *engine) inject(t int32) int64 { return int64(e.cfg.Inject) + int64(e.charges.Terminal[t]) }

// newPacket is the next packet of a terminal.
func (e *engine) newPacket(t int32) int32 {
	i := e.newRecord()
	p := &e.packets[i]
	s, o := &e.senders[t], &e.outputs[e.channels+int(t)]
	latency := o.latency
	*p = record{
		Header: routing.NewHeader(o.from, e.net.Home[s.dst]),
		dst:    s.dst, message: s.message, made: s.made,
		distance: latency, passed: int32(e.inject(t)),
		ready: e.now + e.inject(t) + int64(latency),
	}
	if e.cfg.Switching == StoreAndForward && latency > 0 {
		p.ready += e.phits - 1
	}
	e.alive++
	e.stats.injected++
	return i
}

// deliver hands a packet to its terminal, to which its last phit is sent after a
// number of cycles.
func (e *engine) deliver(r, i int32, rest int64) {
	p := &e.packets[i]
	if e.net.Home[p.dst] != r {
		panic(fmt.Sprintf("packet: a packet for terminal %d is delivered at router %d", p.dst, r))
	}
	latency := e.outputs[e.channels+int(p.dst)].latency
	p.distance += latency
	last := e.charges.Router[r] + e.charges.Terminal[p.dst] + int32(e.cfg.Eject)
	p.passed += last
	at := e.now + int64(last) + int64(latency) + rest
	e.stats.add(e, p, at)
	if p.message >= 0 {
		m := &e.messages[p.message]
		m.end = max(m.end, at)
		if m.left--; m.left == 0 {
			slot := max(m.end, e.now+1) & e.wheel.mask
			e.wheel.arrived[slot] = append(e.wheel.arrived[slot], p.message)
		}
	}
	e.alive--
	e.release(i)
}

// lose gives up a packet that cannot be delivered.
func (e *engine) lose(i int32) {
	e.stats.undeliverable++
	e.stats.lost++
	e.alive--
	e.release(i)
}
