package flow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/plenum-planner/plenum/sim/goal"
	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/sim/traffic"
	"github.com/plenum-planner/plenum/units"
)

// RunSchedule plays a schedule with rank i on terminal place[i] until all its operations have ended; cycle is the time
// of a cycle. Calculations take their time on their CPU of the rank, one after the other, rounded up to whole cycles. A
// send ends when it begins: it waits neither for its receive nor for the message to leave. A receive ends when its
// message has arrived. Messages between the same ranks with the same tag are alike, and those of a rank to itself take
// no time.
//
// Receives from any rank or with any tag are refused before anything is played; operations that never begin are an
// error at the end.
func RunSchedule(ctx context.Context, cfg packet.Config, s *goal.Schedule, place []int32, cycle units.Time) (
	*Result, error,
) {
	start := time.Now()
	usual := packet.DefaultOptions()
	cfg.PacketPhits, cfg.PhitBytes = cmp.Or(cfg.PacketPhits, usual.PacketPhits), cmp.Or(cfg.PhitBytes, usual.PhitBytes)
	w := &scheduled{
		Schedule: s, cycle: float64(cycle), parts: map[int32]int{}, busy: map[rankCPU]int64{},
		posted: map[channel][]int32{}, arrived: map[channel]int{},
	}
	for op, o := range s.Ops() {
		if o.Kind == goal.Recv && (o.Peer == goal.AnySource || o.Tag == goal.AnyTag) {
			return nil, errors.New("flow: a receive takes a message from any rank or with any tag; flows need both")
		}
		w.waits = append(w.waits, s.Waits(int32(op)))
	}
	w.rank = make([]int32, len(w.waits))
	for r := range s.Ranks() {
		from, to := s.Of(r)
		for op := from; op < to; op++ {
			w.rank[op] = int32(r)
		}
	}
	p, err := newPlayer(cfg, w, place)
	if err != nil {
		return nil, err
	}
	w.player, p.patience = p, patience
	if err := p.play(ctx); err != nil {
		return nil, err
	}
	if n := len(w.waits) - w.done; n > 0 {
		return nil, fmt.Errorf("flow: %d operations of the schedule never end, as no message comes for a receive", n)
	}
	p.Wall = units.Since(start)
	return &p.Result, nil
}

// scheduled is a schedule as a workload.
type scheduled struct {
	*goal.Schedule
	player  *player
	cycle   float64 // nanoseconds
	rank    []int32 // of each operation
	waits   []int32 // operations that each waits for
	done    int
	sent    int64             // messages
	parts   map[int32]int     // messages on their way of a send
	busy    map[rankCPU]int64 // when the CPU is free
	posted  map[channel][]int32
	arrived map[channel]int // messages without a receive
	begins  []int32         // operations that nothing holds any more
}

type rankCPU struct {
	rank int32
	cpu  uint8
}

// channel is what a receive takes messages of.
type channel struct {
	src, dst int32
	tag      uint32
}

// Tasks is the number of ranks.
func (w *scheduled) Tasks() int { return w.Ranks() }

// Start begins the operations that wait for none.
func (w *scheduled) Start(emit func(traffic.Message)) {
	for op, n := range w.waits {
		if n == 0 {
			w.begins = append(w.begins, int32(op))
		}
	}
	w.run(emit)
}

// Delivered ends the receive of a message that has arrived whole.
func (w *scheduled) Delivered(m traffic.Message, emit func(traffic.Message)) {
	op := int32(m.Tag)
	if w.parts[op]--; w.parts[op] == 0 {
		delete(w.parts, op)
		w.arrive(op)
		w.run(emit)
	}
}

// wake ends a calculation, or begins one whose CPU is free.
func (w *scheduled) wake(mark int32, emit func(traffic.Message)) {
	if op := mark / 2; mark%2 == 0 {
		w.release(op, true)
	} else {
		w.end(op)
	}
	w.run(emit)
}

// run begins operations until all that are left wait.
func (w *scheduled) run(emit func(traffic.Message)) {
	for next := 0; next < len(w.begins); next++ { // in order, as receives take messages in the order of their begins
		op := w.begins[next]
		o := &w.Ops()[op]
		rank := w.rank[op]
		if o.Kind == goal.Calc {
			w.calculate(op, o)
			continue
		}
		w.release(op, true)
		if o.Kind == goal.Recv {
			from := channel{o.Peer, rank, o.Tag}
			if w.arrived[from] > 0 {
				w.arrived[from]--
				w.end(op)
			} else {
				w.posted[from] = append(w.posted[from], op)
			}
			continue
		}
		w.end(op)
		if o.Peer == rank {
			w.arrive(op)
			continue
		}
		left := max(o.Size, 1)
		w.parts[op] = int((left + math.MaxInt32 - 1) / math.MaxInt32)
		for ; left > 0; left -= math.MaxInt32 {
			emit(traffic.Message{
				ID: w.sent, Src: rank, Dst: o.Peer, Bytes: int32(min(left, math.MaxInt32)), Tag: int64(op),
			})
			w.sent++
		}
	}
	w.begins = w.begins[:0]
}

// calculate has a calculation take its CPU when that is free.
func (w *scheduled) calculate(op int32, o *goal.Op) {
	on := rankCPU{w.rank[op], o.CPU}
	begin := max(w.player.now, w.busy[on])
	end := begin + int64(math.Ceil(float64(o.Size)/w.cycle-1e-9))
	w.busy[on] = end
	if begin == w.player.now {
		w.release(op, true)
	} else {
		w.player.wakeAt(begin, 2*op)
	}
	if end == w.player.now {
		w.end(op)
	} else {
		w.player.wakeAt(end, 2*op+1)
	}
}

// arrive hands the message of a send to its receive.
func (w *scheduled) arrive(op int32) {
	o := &w.Ops()[op]
	at := channel{w.rank[op], o.Peer, o.Tag}
	if list := w.posted[at]; len(list) > 0 {
		w.posted[at] = list[1:]
		w.end(list[0])
		return
	}
	w.arrived[at]++
}

// end ends an operation.
func (w *scheduled) end(op int32) {
	w.done++
	w.release(op, false)
}

// release has those operations begin that wait for nothing but the begin, or the end, of another.
func (w *scheduled) release(op int32, onStart bool) {
	for _, d := range w.Dependents(op) {
		if d.OnStart() != onStart {
			continue
		}
		if w.waits[d.Op()]--; w.waits[d.Op()] == 0 {
			w.begins = append(w.begins, d.Op())
		}
	}
}
