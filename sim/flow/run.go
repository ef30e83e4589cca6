package flow

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/plenum-planner/plenum/routing"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/units"
)

// Result is how long a workload took.
type Result struct {
	Cycles int64 `json:"cycles"` // until the last message had arrived
	// JobCycles is the same for each of several jobs that were played side by side; left out for one.
	JobCycles []int64 `json:"job_cycles,omitempty"`

	Messages int64 `json:"messages"` // those that were delivered
	// Hops is channels between routers that a message crosses, mean over its parts and over all messages by their
	// length.
	Hops     float64 `json:"hops_mean"`
	FlitHops float64 `json:"flit_hops"` // phits over channels between routers
	// LatencyMean is the cycles from the time at which a message may be sent to its arrival, the wait for others of
	// its terminal included, mean over the messages.
	LatencyMean float64 `json:"latency_mean_cycles"`
	LatencyMax  int64   `json:"latency_max_cycles"` // that of the slowest message
	// BusiestUse is the share of the cycles in which the busiest channel between routers carries a phit.
	BusiestUse float64 `json:"busiest_use"`
	Changes    int64   `json:"rate_changes"` // times that rates were found anew
	// Wall is the time that the simulation took; it differs from run to run, and is left out unless
	// `--timing` asks for it.
	Wall units.Elapsed `json:"wall_s,omitzero"`
}

// message is one that waits or is sent.
type message struct {
	traffic.Message
	phits int64 // of its packets
	made  int64
	next  int32   // behind it at its terminal
	left  float64 // phits, while it is sent
	begun int64   // when that began
	since int64   // when left was known
	pace  float64 // the rate since then
	delay int64   // from its end to its arrival
	uses  []use
	hops  float64
	// stands and luck are those of rates.
	stands, luck float64
	// narrow tells that what is left goes one way, of several, until the buffers on it are full: these hold room phits.
	narrow bool
	room   float64
	last   bool // only its last packet is left
}

// event is a message that arrives, or that joins its terminal's queue, or that a schedule goes on (a slot below 0).
type event struct {
	at      int64
	order   int64
	slot    int32
	arrives bool
}

// usualBuffers is the packets that a buffer of package packet holds where links are
// short.
const usualBuffers = 4

// bufferShare is how much of the buffers of its first switch a terminal has filled while
// packets wait. Fitted: with a half, collective operations on tori, HyperX, dragonflies
// and thin trees are 5.5 % off those of packets on average, with none of it 6.8 %, with
// all 6.5 %.
const bufferShare = 0.5

// gate is what a terminal has in the network. It sends its next message when the one
// before has passed its link, and buffers hold what is left of all.
type gate struct {
	shut  bool
	until int64   // when the last message has passed the link at best
	left  float64 // phits of all its messages
	since int64
	pace  float64 // the sum of their rates
	// sends is the messages that it sends, the first one first.
	sends []int32
	// stands is the phits in buffers on the way, as what is behind is slower than the terminal's link; these hold room
	// at most.
	stands, room float64
}

type player struct {
	cfg      packet.Config
	charges  routing.Charges[int32]
	router   *router
	rng      *rand.Rand
	draws    rand.PCG
	rates    *rates
	by       []input // of a message to its receiver
	channels int
	job      traffic.Workload
	place    []int32

	now      int64
	events   events
	order    int64
	messages []message
	free     int32 // slot, -1 for none

	ends heapOf // of messages: when they have been sent

	// By terminal.
	first, last []int32 // messages that wait, -1
	gate        []gate
	gates       heapOf // of terminals: when they may send the next message

	// By router: messages from there that choose their way, those that go one way and those that began on all.
	oneWay, allWays [][]int32
	turns           heapOf // of messages that go one way: when buffers are full

	sent []float64 // phits, by channel

	patience float64
	due      int64   // when rates may be found again
	late     bool    // something has changed since they were found
	begun    []int32 // messages of this cycle
	lasts    float64 // cycles for which messages are sent, a sliding mean

	open            int64   // messages that have not arrived
	wanted, changed []int32 // terminals
	room            int64   // phits that the buffers of a port hold
	buffers         float64 // phits of a terminal that the network holds
	phits           float64
	waits           float64 // cycles, of all messages
	err             error
	Result
}

// RunJob plays a workload with task i on terminal place[i], from 0, until all its messages have arrived, and uses the
// workload up. No two tasks may be on the same terminal. PacketPhits and PhitBytes of cfg are those of
// packet.DefaultOptions when 0. Errors are those of a configuration or of places that cannot be, of messages without a
// path or with too many, of messages that wait for each other for ever, and that of ctx.
func RunJob(ctx context.Context, cfg packet.Config, w traffic.Workload, place []int32) (*Result, error) {
	start := time.Now()
	usual := packet.DefaultOptions()
	cfg.PacketPhits, cfg.PhitBytes = cmp.Or(cfg.PacketPhits, usual.PacketPhits), cmp.Or(cfg.PhitBytes, usual.PhitBytes)
	p, err := newPlayer(cfg, w, place)
	if err != nil {
		return nil, err
	}
	p.patience = patience
	if err := p.play(ctx); err != nil {
		return nil, err
	}
	p.Wall = units.Since(start)
	return &p.Result, nil
}

// RunAlone plays each of several jobs by itself, on the terminals that it has when all are played side by side, and
// returns the cycles until its last message had arrived. It uses the jobs up. Place has the terminals of all tasks, job
// after job. An error names the job, from 0.
func RunAlone(ctx context.Context, cfg packet.Config, jobs *traffic.SideBySide, place []int32) ([]int64, error) {
	if len(place) != jobs.Tasks() {
		return nil, fmt.Errorf("flow: places for %d of %d tasks", len(place), jobs.Tasks())
	}
	cycles := make([]int64, jobs.Jobs())
	for i := range cycles {
		job := jobs.Job(i)
		r, err := RunJob(ctx, cfg, job, place[:job.Tasks()])
		if err != nil {
			return nil, fmt.Errorf("job %d alone: %w", i, err)
		}
		cycles[i], place = r.Cycles, place[job.Tasks():]
	}
	return cycles, nil
}

// play plays the workload to its end.
func (p *player) play(ctx context.Context) error {
	p.job.Start(p.addMessage)
	for p.open > 0 && p.err == nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := p.settle(ctx); err != nil {
			return err
		}
		if !p.advance() {
			return fmt.Errorf("flow: nothing moves, but %d messages of the workload are not delivered", p.open)
		}
	}
	if p.err != nil {
		return p.err
	}
	p.fill()
	return nil
}

// newPlayer prepares a player; the error says what is wrong with the configuration or the places.
func newPlayer(cfg packet.Config, w traffic.Workload, place []int32) (*player, error) {
	if len(place) != w.Tasks() {
		return nil, fmt.Errorf("flow: places for %d of %d tasks", len(place), w.Tasks())
	}
	charges, err := cfg.Charges()
	if err != nil {
		return nil, err
	}
	n := cfg.Network
	terminals := n.Terminals()
	taken := make([]bool, terminals)
	for task, t := range place {
		switch {
		case t < 0 || int(t) >= terminals:
			return nil, fmt.Errorf("flow: task %d on terminal %d of %d", task, t, terminals)
		case taken[t]:
			return nil, fmt.Errorf("flow: two tasks on terminal %d", t)
		case n.Home[t] < 0:
			return nil, fmt.Errorf("flow: task %d on terminal %s, which has failed", task,
				n.Names.NameOrAddress(int(n.Terminal[t])))
		}
		taken[t] = true
	}
	p := &player{
		cfg: cfg, charges: charges, router: newRouter(cfg, charges), rng: rand.New(rand.NewPCG(cfg.Seed, 0)),
		rates: newRates(n.Channels()+terminals, n.Routers(), !cfg.FreeInputs), channels: n.Channels(),
		job: w, place: place, free: -1, first: make([]int32, terminals), last: make([]int32, terminals),
		oneWay: make([][]int32, n.Routers()), allWays: make([][]int32, n.Routers()),
		gate: make([]gate, terminals), sent: make([]float64, n.Channels()),
	}
	p.room = int64(min(cfg.Channels(), packet.FairVCs) * cmp.Or(cfg.BufferPackets, usualBuffers) * cfg.PacketPhits)
	p.buffers = float64(bufferShare * float64(p.room))
	for t := range terminals {
		p.first[t] = -1
	}
	return p, nil
}

// patience is the share of the mean time for which messages are sent that rates may stay
// as they are after something has changed. Tests hold it against 0.
const patience = 1.0 / 8

// lastsMean is how many messages the mean time goes back.
const lastsMean = 64

// addMessage takes a message from the workload.
func (p *player) addMessage(m traffic.Message) {
	p.open++
	slot := p.free
	if slot >= 0 {
		p.free = p.messages[slot].next
	} else {
		slot = int32(len(p.messages))
		p.messages = append(p.messages, message{})
	}
	phits := (int64(m.Bytes) + int64(p.cfg.PhitBytes) - 1) / int64(p.cfg.PhitBytes)
	packets := max((phits+int64(p.cfg.PacketPhits)-1)/int64(p.cfg.PacketPhits), 1)
	uses := p.messages[slot].uses[:0]
	p.messages[slot] = message{
		Message: m, phits: packets * int64(p.cfg.PacketPhits), next: -1, uses: uses, stands: 1,
		luck: p.draw(m.ID, float64(packets)),
	}
	if m.Delay > 0 {
		p.at(p.now+m.Delay, slot, false)
		return
	}
	p.join(slot)
}

func (p *player) at(time int64, slot int32, arrives bool) {
	p.order++
	p.events.push(event{time, p.order, slot, arrives})
}

// wakeAt has the schedule that is played go on at a time.
func (p *player) wakeAt(time int64, mark int32) {
	p.open++
	p.at(time, -1-mark, false)
}

// join puts a message behind the others of its sender.
func (p *player) join(slot int32) {
	m := &p.messages[slot]
	m.made = p.now
	t := p.place[m.Src]
	if p.first[t] < 0 {
		p.first[t] = slot
	} else {
		p.messages[p.last[t]].next = slot
	}
	p.last[t] = slot
	p.wanted = append(p.wanted, t)
}

// begin has a terminal send its next message, if it may.
func (p *player) begin(t int32) {
	slot := p.first[t]
	if slot < 0 || p.gate[t].shut {
		return
	}
	m := &p.messages[slot]
	p.first[t], m.next = m.next, -1
	n, to := p.cfg.Network, p.place[m.Dst]
	way := &route{}
	if n.Home[t] != n.Home[to] {
		if way, p.err = p.way(slot); p.err != nil {
			return
		}
	}
	g := &p.gate[t]
	if len(g.sends) > 0 {
		m.stands = behind
	}
	p.enter(slot, way, float64(m.phits))
	p.begun = append(p.begun, slot)
	m.left, m.begun, m.since, m.pace = float64(m.phits), p.now, p.now, 0
	p.notePassed(g)
	g.shut, g.until = true, p.now+m.phits
	g.left += m.left
	g.sends = append(g.sends, slot)
	p.phits += m.left
}

// link is the cycles of a terminal's own link.
func (p *player) link(t int32) int64 { return int64(p.cfg.TerminalLatency(t)) }

// notePassed takes what a terminal's messages have sent so far, and what of it stands in buffers. These empty when it
// sends nothing.
func (p *player) notePassed(g *gate) {
	filled := -1.0
	if len(g.sends) > 0 {
		filled = max(1-g.pace, 0)
	}
	g.stands = min(max(g.stands+float64(filled*float64(p.now-g.since)), 0), g.room)
	g.left -= float64(g.pace * float64(p.now-g.since))
	g.since = p.now
}

// settle has those terminals send that have something new, and finds the rates, or puts
// that off.
func (p *player) settle(ctx context.Context) error {
	for i, t := range p.wanted {
		if i%askedEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		p.begin(t)
	}
	p.wanted = p.wanted[:0]
	switch {
	case !p.rates.stale():
	case p.now < p.due:
		for _, slot := range p.begun {
			if p.rates.uses[slot] != nil {
				p.rates.guess(slot)
				p.repace(slot)
			}
		}
		p.late = true
	default:
		p.Changes++
		changed, err := p.rates.settle(ctx)
		if err != nil {
			return err
		}
		for _, slot := range changed {
			p.repace(slot)
		}
		p.due, p.late = p.now+int64(p.patience*p.lasts), false
	}
	p.begun = p.begun[:0]
	for _, t := range p.changed {
		if g := &p.gate[t]; g.shut {
			open := max(g.until, p.now+1)
			if over := g.left - p.buffers; over > 0 {
				open = max(open, p.now+int64(math.Ceil(over/g.pace-1e-9)))
			}
			p.gates.set(t, open)
		}
	}
	p.changed = p.changed[:0]
	return nil
}

// leastRate is the least rate of a message that has one, so that every message ends.
const leastRate = 1.0 / 4096

// repace takes note of the rate of a message.
func (p *player) repace(slot int32) {
	m := &p.messages[slot]
	rate := p.rates.rate[slot]
	if rate == 0 && m.pace == 0 {
		return
	}
	rate = max(rate, leastRate)
	if rate == m.pace && !m.narrow {
		return
	}
	m.left -= float64(m.pace * float64(p.now-m.since))
	old := m.pace
	m.since, m.pace = p.now, rate
	rest := math.Ceil(max(m.left, 0)/rate - 1e-9)
	p.ends.set(slot, p.now+max(int64(rest), 1))
	if m.last {
		return
	}
	t := p.place[m.Src]
	g := &p.gate[t]
	p.notePassed(g)
	g.pace += rate - old
	if m.narrow {
		p.turn(slot)
	}
	p.changed = append(p.changed, t)
}

// advance goes to the next time at which something happens, and plays it; false if
// there is none.
func (p *player) advance() bool {
	next := int64(math.MaxInt64)
	if len(p.events) > 0 {
		next = p.events[0].at
	}
	if p.late {
		next = min(next, p.due)
	}
	for _, h := range []*heapOf{&p.ends, &p.turns, &p.gates} {
		if first := h.first(); first >= 0 {
			next = min(next, h.time[first])
		}
	}
	if next == math.MaxInt64 {
		return false
	}
	p.now = next
	for slot := p.ends.first(); slot >= 0 && p.ends.time[slot] == next; slot = p.ends.first() {
		p.noteSent(slot)
	}
	for slot := p.turns.first(); slot >= 0 && p.turns.time[slot] == next; slot = p.turns.first() {
		p.useAllWays(slot)
	}
	for t := p.gates.first(); t >= 0 && p.gates.time[t] == next; t = p.gates.first() {
		p.gates.remove(t)
		p.gate[t].shut = false
		p.wanted = append(p.wanted, t)
	}
	for len(p.events) > 0 && p.events[0].at == next {
		switch e := p.events.pop(); {
		case e.slot < 0:
			p.open--
			p.Cycles = p.now
			p.job.(*scheduled).wake(-1-e.slot, p.addMessage)
		case e.arrives:
			p.noteArrival(e.slot)
		default:
			p.join(e.slot)
		}
	}
	return true
}

// noteSent notes that a message has been sent, or its last packet.
func (p *player) noteSent(slot int32) {
	p.ends.remove(slot)
	m := &p.messages[slot]
	if m.last {
		p.rates.end(slot)
		p.at(max(p.now+m.delay, p.now+1), slot, true)
		return
	}
	tail, stays := p.tail(slot)
	if !stays && p.rates.shares(slot) { // its last packet waits until one that is being sent has passed
		m.delay += int64(p.rng.Uint32N(uint32(p.cfg.PacketPhits)))
	}
	p.rates.end(slot)
	t := p.place[m.Src]
	g := &p.gate[t]
	p.notePassed(g)
	m.left -= float64(m.pace * float64(p.now-m.since))
	g.pace -= m.pace
	g.left -= m.left // what rounding to whole cycles has left
	forget(&g.sends, slot)
	if len(g.sends) > 0 {
		first := g.sends[0]
		p.messages[first].stands = 1
		p.rates.unblock(first)
	}
	p.changed = append(p.changed, t)
	p.loosen(slot)
	p.lasts += (float64(p.now-m.begun) - p.lasts) / lastsMean
	if !stays {
		p.at(max(p.now+m.delay, p.now+1), slot, true)
		return
	}
	m.last, m.since, m.pace = true, p.now, 0
	m.left = float64(p.cfg.PacketPhits)
	m.uses = append(m.uses[:0], tail)
	p.rates.begin(slot, m.uses)
	p.begun = append(p.begun, slot)
}

// noteArrival tells the workload of a message.
func (p *player) noteArrival(slot int32) {
	m := p.messages[slot]
	p.messages[slot].next = p.free
	p.free = slot
	p.open--
	p.Messages++
	p.Cycles = p.now
	p.waits += float64(p.now - m.made)
	p.LatencyMax = max(p.LatencyMax, p.now-m.made)
	traffic.NoteEnd(p.job, m.Message, p.now)
	p.job.Delivered(m.Message, p.addMessage)
}

// fill sums up.
func (p *player) fill() {
	p.JobCycles = traffic.JobEnds(p.job)
	if p.Messages == 0 {
		return
	}
	p.Hops, p.LatencyMean = p.FlitHops/p.phits, p.waits/float64(p.Messages)
	for _, phits := range p.sent {
		p.BusiestUse = max(p.BusiestUse, phits/float64(p.Cycles))
	}
}

// events is a heap of them, the earliest first and of those of a time the first that was
// put in.
type events []event

func (a event) before(b event) bool { return a.at < b.at || a.at == b.at && a.order < b.order }

func (e *events) push(x event) {
	*e = append(*e, x)
	list := *e
	for i := len(list) - 1; i > 0; {
		up := (i - 1) / 2
		if list[up].before(list[i]) {
			return
		}
		list[up], list[i] = list[i], list[up]
		i = up
	}
}

func (e *events) pop() event {
	list := *e
	first, last := list[0], len(list)-1
	list[0] = list[last]
	list = list[:last]
	*e = list
	for i := 0; ; {
		down := 2*i + 1
		if down+1 < last && list[down+1].before(list[down]) {
			down++
		}
		if down >= last || list[i].before(list[down]) {
			return first
		}
		list[i], list[down] = list[down], list[i]
		i = down
	}
}
