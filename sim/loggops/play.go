package loggops

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/plenum-planner/plenum/sim/goal"
	"github.com/plenum-planner/plenum/units"
)

// An event is an operation that may begin, a message that arrived, or a class of
// those that wait for a CPU or an interface which may be free now: the highest two
// bits of its id.
const (
	begins  = 0 << 30
	arrives = 1 << 30
	wakes   = 2 << 30
	what    = 3 << 30
)

// The classes of a lane: what waits for the same things. The first two are kinds of
// operations.
const (
	sends    = 0
	messages = 1
	calcs    = 2
)

// class is what waits, by order.
type class struct {
	waiting waitHeap
	time    int64  // of the event that wakes it, if something waits
	order   uint32 // of that event
}

type player struct {
	schedule *goal.Schedule
	opt      Options
	queue
	ops      []operation
	lanes    []lane
	owner    []int32 // rank of each CPU
	busy     []busy
	cpus     int
	plain    bool // one CPU and interface for each rank, with the number of its lane
	classes  []class
	channels []channel
	wild     map[int32]*wild
	order    uint32
	began    int64 // operations
	arrived  int64 // messages
	freed    []int32
	lengths  lengths
}

// lengths is what messages of the length asked for last cost.
type lengths struct {
	size                         int64
	send, receive, gap, overhead int64
}

// Play plays a schedule. Mistakes in options are diag.FieldErrors; a schedule that does not come to an end is an
// *UnfinishedError, after all that can be played has been. Other errors are those of Options.Latency, of times that the
// clock cannot hold, and of ctx.
func Play(ctx context.Context, s *goal.Schedule, opt Options) (*Result, error) {
	start := time.Now()
	p, err := prepare(ctx, s, opt)
	if err != nil {
		return nil, err
	}
	r := &Result{Ranks: s.Ranks(), Ops: len(s.Ops()), Messages: s.Messages(), Prepared: units.Since(start)}
	start = time.Now()
	p.lengths.size = -1
	warmed := int64(0)
	p.coming = func(items []item) { warmed ^= p.warm(items) }
	p.start()
	if err := p.run(ctx); err != nil {
		return nil, err
	}
	r.Wall = units.Since(start)
	r.Events = p.began + p.arrived
	if err := p.findUnfinished(); err != nil {
		return nil, err
	}
	p.fill(r)
	return r, nil
}

// start puts what waits for nothing into the queue, rank by rank.
func (p *player) start() {
	for rank := range p.schedule.Ranks() {
		from, to := p.schedule.Of(rank)
		for kind := goal.Send; kind <= goal.Calc; kind++ {
			for op := from; op < to; op++ {
				if o := &p.ops[op]; o.waits == 0 && o.kind == kind {
					p.push(item{0, p.next(), begins | uint32(op)})
				}
			}
		}
	}
}

// warm reads what events that are to come will need, all at once, so that the memory
// is asked for many lines at a time and not for one after the other. What it returns
// depends on what was read, lest the reading be left out.
func (p *player) warm(items []item) (sum int64) {
	for _, x := range items {
		if id := x.id &^ what; x.id&what == wakes {
			sum += p.classes[id].time
		} else {
			sum += p.ops[id].size
		}
	}
	for _, x := range items {
		id := int32(x.id &^ what)
		lane, partner := id/3, int32(-1)
		switch x.id & what {
		case wakes:
			if w := p.classes[id].waiting; len(w) > 0 {
				sum += p.ops[uint32(w[0])].size
			}
		case arrives:
			lane, partner = p.ops[id].there, p.ops[id].partner
		default:
			lane = p.ops[id].lane
		}
		cpu, _ := p.of(lane)
		sum += cpu.cpu
		if partner >= 0 {
			sum += int64(p.ops[partner].waits)
		}
	}
	return sum
}

// run plays events until there are none.
func (p *player) run(ctx context.Context) error {
	total := len(p.ops) + p.schedule.Messages()
	for n := int64(0); p.count > 0; n++ {
		if n&(1<<16-1) == 0 && p.opt.Progress != nil {
			p.opt.Progress(int(p.began+p.arrived), total)
		}
		if err := checkContext(ctx, n); err != nil {
			return err
		}
		x := p.pop()
		id := int32(x.id &^ what)
		switch x.id & what {
		case wakes:
			p.wake(id, x.order)
		case arrives:
			p.tryOrWait(p.ops[id].there, messages, x)
		default:
			switch o := &p.ops[id]; o.kind {
			case goal.Recv:
				p.receive(id)
			case goal.Send:
				p.tryOrWait(o.lane, sends, x)
			default:
				p.tryOrWait(o.lane, calcs, x)
			}
		}
	}
	return ctx.Err()
}

// of is the CPU and the interface of a lane.
func (p *player) of(lane int32) (cpu, nic *busy) {
	if p.plain {
		b := &p.busy[lane]
		return b, b
	}
	l := p.lanes[lane]
	return &p.busy[l.cpu], &p.busy[l.nic]
}

// available is when what a class of a lane takes is free.
func (p *player) available(lane, kind int32) int64 {
	cpu, nic := p.of(lane)
	switch kind {
	case sends:
		return max(cpu.cpu, nic.send)
	case messages:
		return max(cpu.cpu, nic.recv)
	}
	return cpu.cpu
}

// tryOrWait begins what happens, or has it wait until its class is woken.
func (p *player) tryOrWait(lane, kind int32, x item) {
	free := p.available(lane, kind)
	if free <= p.now {
		p.begin(kind, int32(x.id&^what))
		return
	}
	c := 3*lane + kind
	class := &p.classes[c]
	first := len(class.waiting) == 0
	class.waiting.push(x.order, x.id&^what)
	// A class that is woken too early goes on sleeping, with the right order.
	if first || free == class.time && x.order < class.order {
		p.sleep(c, class, free)
	}
}

// sleep has a class woken for what comes first in it.
func (p *player) sleep(c int32, class *class, until int64) {
	class.time, class.order = until, class.waiting.order()
	p.push(item{until, class.order, wakes | uint32(c)})
}

// wake begins the first of a class, if what it takes is free and no later event has
// been set for it.
func (p *player) wake(c int32, order uint32) {
	class := &p.classes[c]
	if len(class.waiting) == 0 || class.time != p.now || class.order != order {
		return
	}
	lane, kind := c/3, c%3
	if free := p.available(lane, kind); free > p.now {
		p.sleep(c, class, free)
		return
	}
	p.begin(kind, int32(class.waiting.pop()))
	if len(class.waiting) > 0 {
		p.sleep(c, class, max(p.now, p.available(lane, kind)))
	}
}

// begin begins an operation, or takes a message in.
func (p *player) begin(kind, op int32) {
	switch kind {
	case sends:
		p.send(op)
	case messages:
		p.message(op)
	default:
		p.calculate(op)
	}
}

func (p *player) calculate(op int32) {
	o := &p.ops[op]
	end := p.now + o.size*1000
	cpu, _ := p.of(o.lane)
	cpu.cpu = end
	p.began++
	p.finish(op, o, p.now, end)
	p.release()
}

// cost is what a length costs.
func (p *player) cost(size int64) *lengths {
	if c := &p.lengths; c.size != size {
		rest := float64(max(size-1, 0))
		per := p.opt.Params
		most := max(per.OverheadByte, per.GapByte)
		*c = lengths{
			size:     size,
			send:     picoseconds(float64(per.Overhead)) + picoseconds(rest*float64(per.OverheadByte)),
			receive:  picoseconds(float64(per.Overhead)) + picoseconds(rest*float64(most)),
			gap:      picoseconds(float64(per.Gap)) + picoseconds(rest*float64(per.GapByte)),
			overhead: picoseconds(float64(per.Overhead)),
		}
	}
	return &p.lengths
}

func (p *player) send(op int32) {
	o := &p.ops[op]
	cost := p.cost(o.size)
	cpu, nic := p.of(o.lane)
	cpu.cpu = p.now + cost.send
	nic.send = p.now + cost.gap
	p.began++
	p.push(item{p.now + cost.overhead + o.latency, p.next(), arrives | uint32(op)})
	if o.size > p.opt.Rendezvous {
		p.noteStart(op, o)
	} else {
		p.finish(op, o, p.now, p.now+cost.send)
	}
	p.release()
}

func (p *player) receive(op int32) {
	o := &p.ops[op]
	p.began++
	p.noteStart(op, o)
	if message, ok := p.post(op); ok {
		p.meet(message)
		p.noteEnd(op, o, p.now)
		o.done = true
	}
	p.release()
}

// message takes a message in.
func (p *player) message(op int32) {
	o := &p.ops[op]
	cost := p.cost(o.size)
	end := p.now + cost.receive
	cpu, nic := p.of(o.there)
	cpu.cpu = end
	nic.recv = p.now + cost.gap
	p.arrived++
	if receive, ok := p.arrive(op); ok {
		p.meet(op)
		r := &p.ops[receive]
		p.noteEnd(receive, r, end)
		r.done = true
		p.release()
	}
}

// meet ends a send by rendezvous.
func (p *player) meet(message int32) {
	o := &p.ops[message]
	o.done = true
	if o.size > p.opt.Rendezvous {
		cpu, _ := p.of(o.lane)
		cpu.cpu = max(cpu.cpu, p.now)
		p.noteEnd(message, o, p.now)
	}
}

// finish frees those that wait for the beginning of an operation, and then those that
// wait for its end.
func (p *player) finish(op int32, o *operation, start, end int64) {
	if o.needs != nobody {
		p.settle(op, true, start)
		p.settle(op, false, end)
	}
}

func (p *player) noteStart(op int32, o *operation) {
	if o.needs != nobody {
		p.settle(op, true, p.now)
	}
}

func (p *player) noteEnd(op int32, o *operation, end int64) {
	if o.needs != nobody {
		p.settle(op, false, end)
	}
}

// settle takes a dependence from those that wait for the beginning or the end of an
// operation.
func (p *player) settle(op int32, start bool, at int64) {
	o := &p.ops[op]
	if o.needs == one {
		p.settleOne(o.first, start, at)
		return
	}
	for _, d := range p.schedule.Dependents(op) {
		p.settleOne(d, start, at)
	}
}

func (p *player) settleOne(d goal.Dependent, start bool, at int64) {
	if d.OnStart() != start {
		return
	}
	waiting := &p.ops[d.Op()]
	waiting.ready = max(waiting.ready, at)
	if waiting.waits--; waiting.waits == 0 {
		p.freed = append(p.freed, d.Op())
	}
}

func (p *player) next() uint32 {
	p.order++
	return p.order
}

// release puts what has become free into the queue.
func (p *player) release() {
	if len(p.freed) > 1 {
		slices.SortStableFunc(p.freed, func(a, b int32) int {
			x, y := &p.ops[a], &p.ops[b]
			return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(x.kind, y.kind))
		})
	}
	for _, op := range p.freed {
		o := &p.ops[op]
		cpu, nic := p.of(o.lane)
		at := max(o.ready, cpu.cpu)
		if o.kind == goal.Send {
			at = max(at, nic.send)
		}
		p.push(item{at, p.next(), begins | uint32(op)})
	}
	p.freed = p.freed[:0]
}

// fill sums up what ranks took.
func (p *player) fill(r *Result) {
	r.Finish = make([]units.Time, r.Ranks)
	for i, b := range p.busy[:p.cpus] {
		t := &r.Finish[p.owner[i]]
		*t = max(*t, units.Time(float64(b.cpu)/1000))
	}
	r.FinishMin = units.Time(math.Inf(1))
	sum := 0.0
	for rank, t := range r.Finish {
		sum += float64(t)
		r.FinishMin = min(r.FinishMin, t)
		if t > r.Makespan {
			r.Makespan, r.Last = t, rank
		}
	}
	r.FinishMean = units.Time(sum / float64(r.Ranks))
	latencies := 0.0
	for i := range p.ops {
		if o := &p.ops[i]; o.kind == goal.Send {
			latencies += float64(o.latency) / 1000
			r.LatencyMax = max(r.LatencyMax, units.Time(float64(o.latency)/1000))
		}
	}
	if r.Messages > 0 {
		r.LatencyMean = units.Time(latencies / float64(r.Messages))
	}
}
