package machine

import (
	"runtime/debug"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/parallel"
)

// behind records what cables do to signals in a goroutine of its own, segment by segment in their order, while further
// ones are scheduled on another core.
type behind struct {
	signals *signals
	own     []cabling.Segment // that are not passed on yet, where the schedule keeps none
	at      int               // of those that it keeps, the first that is not passed on yet
	full    chan passed       // to the goroutine
	empty   chan []cabling.Segment
	done    chan struct{}
	fault   *parallel.Fault // of a panic; known once done is closed
}

// passed is segments, with what their schedule said of them by then.
type passed struct {
	of       cabling.Schedule // its products and panels
	segments []cabling.Segment
	own      bool // they are in memory that comes back by empty
}

// atATime is how many segments are passed on at a time: far more work than passing them on.
const atATime = 1 << 12

// newBehind starts the goroutine that records segments in s. It ends with end, which has to be called.
func newBehind(s *signals) *behind {
	const under = 3 // way: some that are filled, some that wait and some that are recorded
	b := &behind{
		signals: s, full: make(chan passed, under), empty: make(chan []cabling.Segment, under),
		done: make(chan struct{}),
	}
	for range under {
		b.empty <- nil
	}
	go func() {
		defer close(b.done)
		for p := range b.full {
			if b.fault == nil {
				b.record(&p)
			}
			if p.own {
				b.empty <- p.segments[:0]
			}
		}
	}()
	return b
}

func (b *behind) record(p *passed) {
	defer func() {
		if value := recover(); value != nil {
			b.fault = &parallel.Fault{Value: value, Stack: debug.Stack()}
		}
	}()
	for i := range p.segments {
		b.signals.visit(&p.of, &p.segments[i])
	}
}

// visit hands a segment to signals.visit, later and in the goroutine of b. If the schedule keeps its segments, seg has
// to be its last and must not change afterwards; else it is copied.
func (b *behind) visit(s *cabling.Schedule, seg *cabling.Segment) {
	if s.Segments != nil {
		if len(s.Segments)-b.at == atATime {
			b.pass(s)
		}
		return
	}
	if b.own == nil {
		b.own = <-b.empty
	}
	if b.own = append(b.own, *seg); len(b.own) == atATime {
		b.pass(s)
	}
}

// pass hands the segments that wait to the goroutine, if there are any, and blocks while too many are not recorded yet.
// Products are added to a schedule, and never changed.
func (b *behind) pass(s *cabling.Schedule) {
	p := passed{of: cabling.Schedule{Products: s.Products, Patching: s.Patching}}
	if s.Segments != nil {
		p.segments = s.Segments[b.at:]
		b.at = len(s.Segments)
	} else {
		p.segments, p.own = b.own, true
		b.own = nil
	}
	if len(p.segments) > 0 {
		b.full <- p
	}
}

// end passes on the segments of the schedule that are left, or drops them if s is nil, and waits until all are
// recorded. It is called once, and nothing is visited after it. It panics with a *parallel.Fault if recording has
// panicked.
func (b *behind) end(s *cabling.Schedule) {
	if s != nil {
		b.pass(s)
	}
	close(b.full)
	<-b.done
	if b.fault != nil {
		panic(b.fault)
	}
}
