package packet

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/plenum-planner/plenum/routing"
)

// A crew plays one run on several cores. The switches, and the terminals at each, are
// shared out to as many engines (shareOut). What an engine does in a cycle
// can be noticed at a switch of another one in the next cycle at the earliest: a
// packet and returned room are one cycle or more under way. So all engines play a
// cycle, at the same time and in any order, before the next one begins (turn). As every
// switch and terminal has a random stream of its own, and nothing else depends on the
// order in which a cycle looks at them, the result is that of one engine.
type crew struct {
	engines []*engine
	turn    turn
	// tell receives the cycles simulated and expected; it may be nil.
	tell     func(cycles, of int64)
	expected int64
}

// mail is what passes between the engines of a crew.
type mail struct {
	part     []uint8 // engine of each router; nil without a crew
	to, from []*post // by engine
	call     []*wheel
}

// post is what one engine has for another.
type post struct {
	credits [][]int32     // lanes of which a buffer has been left, by cycle
	phits   [][]phit      // of worms, all but the first ones, by cycle
	packets [2][]transfer // packets sent, by parity of the cycle
	leaving [2][]int32    // lanes behind which a packet has begun to leave, by parity of the cycle
}

// transfer is a packet on its way into a buffer.
type transfer struct {
	record
	buffer int32
}

// leastHops is the fewest hops in a cycle of an engine for which a crew is worth its waiting. A hop takes some 100 ns,
// and several times as long where packets ask often; engines wait for each other for a microsecond.
var leastHops = 150.0

// newCrew has a run that is about to start played by as many engines as it may be.
func newCrew(e *engine) *crew {
	c := &crew{engines: []*engine{e}}
	// All wheels together take no more than a single one may.
	n := min(e.cfg.Cores, e.net.Routers(), 64, maxWheel/max(len(e.wheel.wakes), 1))
	if n > 1 {
		if leastHops > 0 {
			n = min(n, int(e.offeredLoad()*e.hopsPerPacket()/leastHops))
		}
		if n > 1 {
			c.divide(e, n)
		}
	}
	return c
}

// offeredLoad returns what terminals send in a cycle, packets or phits of worms: of a job, those of tasks that send
// half of the time.
func (e *engine) offeredLoad() float64 {
	phits := 0.5 * float64(len(e.place))
	if e.open != nil {
		phits = e.open.Load * float64(len(e.senders)-e.silent)
	}
	return phits / float64(e.cell)
}

// divide makes n engines of the first one, which has played nothing yet. Their arrays
// are the same; what is not by router, port, channel or terminal is each one's own.
func (c *crew) divide(e *engine, n int) {
	part := e.shareOut(n)
	for i := range e.inputs {
		in := &e.inputs[i]
		in.part = part[e.outputs[in.source].from]
		e.outputs[in.source].part = part[in.router]
	}
	calls := e.wheel.due
	for k := 1; k < n; k++ {
		other := *e
		c.engines = append(c.engines, &other)
	}
	var wheels []*wheel
	for k, o := range c.engines {
		o.rng = rand.New(&o.streams)
		o.state = routing.State{Wait: e.state.Wait, Sent: e.state.Sent, Rand: o.rng}
		o.hops, o.touched, o.ending, o.ahead.list = nil, nil, nil, nil
		o.seen.changed, o.leaving = [2][]int32{}, nil
		o.wheel = wheel{}
		o.wheel.build(e.longest(), span(part, k), len(calls))
		o.part, o.number = part, uint8(k)
		o.to, o.from = make([]*post, n), make([]*post, n)
		wheels = append(wheels, &o.wheel)
		if e.worm != nil {
			o.ownWorm()
		}
	}
	for k, o := range c.engines {
		o.call = wheels
		for j, other := range c.engines {
			if j != k {
				o.to[j] = &post{credits: make([][]int32, e.wheel.mask+1), phits: make([][]phit, e.wheel.mask+1)}
				other.from[k] = o.to[j]
			}
		}
	}
	for k, o := range c.engines {
		o.from = slices.Delete(o.from, k, k+1)
	}
	for t, at := range calls {
		if at >= 0 {
			e.wheelOf(int32(t)).call(int32(t), at)
		}
	}
}

// wheelOf is the wheel that a terminal is called by.
func (e *engine) wheelOf(t int32) *wheel {
	if e.part == nil {
		return &e.wheel
	}
	return e.call[e.part[e.net.Home[t]]]
}

// handOver sends a packet to a buffer of another engine's switch. Its record here is done with, that of a worm when the
// last phit has left.
func (e *engine) handOver(part uint8, buffer, i int32) {
	p := &e.to[part].packets[e.now&1]
	*p = append(*p, transfer{e.packets[i], buffer})
	e.alive--
}

// receive takes over the packets that were sent here in the last cycle.
func (e *engine) receive() {
	for _, from := range e.from {
		p := &from.packets[(e.now-1)&1]
		batches(e.ahead.looks, *p, e.seeTransfers, func(came []transfer) {
			for k := range came {
				i := e.newRecord()
				e.packets[i] = came[k].record
				e.alive++
				b := came[k].buffer
				if e.worm != nil {
					e.toArrive(b, i, e.packets[i].ready)
					continue
				}
				e.enter(b, i, &e.packets[i], e.inputs[e.perVCs(b)].router)
			}
		})
		*p = (*p)[:0]
		e.seeLeaving(&from.leaving[(e.now-1)&1], e.now-1)
	}
}

// play plays cycles up to a time, or to the end of a job.
func (c *crew) play(end int64) {
	if len(c.engines) == 1 {
		for e := c.engines[0]; e.now < end && c.begin(); {
			e.cycle()
		}
		return
	}
	if c.engines[0].now >= end || !c.begin() {
		return
	}
	c.turn.start(c.engines[0].now, len(c.engines))
	// No pool of workers: all must go at once, and none can fail.
	var all sync.WaitGroup
	for k := range c.engines {
		all.Go(func() { c.work(k, end) })
	}
	all.Wait()
	for _, e := range c.engines {
		e.receive()
	}
}

// work plays an engine up to a time, and others that wait to be played.
func (c *crew) work(own int, end int64) {
	t := &c.turn
	for now := t.now.Load(); now < end; now = t.wait(now) {
		for i := range c.engines {
			k := (own + i) % len(c.engines)
			if !t.claim(k, now) {
				continue
			}
			e := c.engines[k]
			e.receive()
			e.cycle()
			if !t.isLast() {
				continue
			}
			if now+1 < end && !c.begin() {
				t.next(never)
			} else {
				t.next(now + 1)
			}
		}
	}
}

// begin settles a job before a cycle, while nothing is played. It returns false at the job's end.
func (c *crew) begin() bool {
	for _, e := range c.engines {
		if e.begins() {
			c.settle()
			return c.engines[0].unsettled > 0
		}
	}
	return true
}

// begins reports whether a job has something to report in this cycle, or to send anew.
func (e *engine) begins() bool {
	arrived := len(e.wheel.arrived[e.now&e.wheel.mask]) > 0
	return e.job != nil && (arrived || len(e.delayed) > 0 && e.delayed[0].at <= e.now)
}

// settle tells a job of the messages that have arrived. The first engine keeps its books.
func (c *crew) settle() {
	e := c.engines[0]
	for len(e.delayed) > 0 && e.delayed[0].at <= e.now {
		e.join(e.delayed.pop().slot)
	}
	var ended []int32
	for _, o := range c.engines {
		arrived := &o.wheel.arrived[e.now&e.wheel.mask]
		ended = append(ended, *arrived...)
		*arrived = (*arrived)[:0]
	}
	slices.Sort(ended)
	e.reportArrivals(ended)
	for _, o := range c.engines {
		o.messages = e.messages
	}
}

// sumStats adds the counts of all engines to the first one, which it returns.
func (c *crew) sumStats() *engine {
	e := c.engines[0]
	for _, o := range c.engines[1:] {
		e.stats.injected += o.stats.injected
		e.stats.delivered += o.stats.delivered
		e.stats.lost += o.stats.lost
		e.stats.undeliverable += o.stats.undeliverable
		e.stats.merge(&o.stats.window)
		o.stats.window.clear()
		o.stats = stats{window: o.stats.window}
		e.carried += o.carried
		o.carried = 0
	}
	return e
}

// alive counts the packets in the network, moved is when any of them moved last.
func (c *crew) alive() (alive, moved int64) {
	for _, e := range c.engines {
		alive += e.alive
		moved = max(moved, e.moved)
	}
	return alive, moved
}

// until plays an open loop up to a time and returns the engine that has the sums.
func (c *crew) until(ctx context.Context, end int64) (*engine, error) {
	e := c.engines[0]
	for e.now < end {
		c.play(min(end, e.now+1024))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if alive, moved := c.alive(); alive > 0 && e.now-moved > int64(e.cfg.Patience) {
			return nil, c.stuck(alive, moved)
		}
		if c.tell != nil {
			c.tell(e.now, max(c.expected, e.now))
		}
	}
	return c.sumStats(), nil
}
