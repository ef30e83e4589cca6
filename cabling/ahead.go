package cabling

import (
	"context"
	"runtime/debug"

	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// A link is scheduled in two steps. What does not depend on the links before it, as how far its ends are from each
// other, is measured ahead, on another core; all else, as products, bundles and numbers, goes by what came first.

// reach is what is measured of a channel between racks on trays, besides its ways.
type reach struct {
	heights units.Length // of both ports over their floors
	pair    int32        // number of the racks among rackPairs
	barred  uint8        // groups of media that find no tray between them, a bit each
}

// measured is a link whose channels have been measured.
type measured struct {
	link   topology.Link
	a, b   uint16 // kinds of its ends
	common uint8
	trace  bool
}

// batch is some links, one after the other, that are measured and not scheduled yet.
type batch struct {
	links    []measured
	segments []Segment    // of all channels, as far as they are known
	kept     bool         // they are where the schedule is to have them
	own      []Segment    // memory for those that are not
	reaches  []reach      // of the channels on trays
	options  []trayOption // of those, by group of media
}

// atATime is how many links are passed on at a time: far more work than passing them on, and not more than stays in
// the caches of two cores.
const atATime = 1 << 10

// surveyor measures links for a schedule.
type surveyor struct {
	w    *worker   // of its own, where it is to measure ahead
	kept []Segment // of the schedule, all that there will be; none where segments go elsewhere
	at   int       // the first of them of the batch at hand
}

// begin makes a batch empty.
func (s *surveyor) begin(p *batch) *batch {
	p.links, p.reaches, p.options, p.segments = p.links[:0], p.reaches[:0], p.options[:0], p.own[:0]
	if s.at < len(s.kept) {
		p.segments = s.kept[s.at:s.at]
	}
	return p
}

// end finds out where the segments of a batch are.
func (s *surveyor) end(p *batch) *batch {
	p.kept = s.at < len(s.kept) && len(p.segments) > 0 && &p.segments[0] == &s.kept[s.at]
	if !p.kept { // there are more than were counted, and those are in memory of their own
		p.own = p.segments
	}
	s.at += len(p.segments)
	return p
}

// all measures all links, and passes on those of a batch, for the next one; it ends early where there is none.
func (s *surveyor) all(p *batch, pass func(*batch) *batch) {
	w, index, first := s.w, int32(0), int64(0)
	s.begin(p)
	for l := range topology.Cables(w.p.Graph) {
		ch := w.channel(&l)
		ch.first = first
		first += int64(l.Width)
		p.links = append(p.links, measured{l, uint16(ch.a.index), uint16(ch.b.index), uint8(ch.common), ch.trace})
		for n := range l.Width {
			w.plug(&ch, n)
			s.channel(p, &ch, index)
		}
		index++
		if len(p.links) == atATime {
			if p = pass(s.end(p)); p == nil {
				return
			}
			s.begin(p)
		}
	}
	pass(s.end(p))
}

// channel measures a channel of a link for a batch.
func (s *surveyor) channel(p *batch, ch *channel, index int32) {
	if n := len(p.segments); n < cap(p.segments) {
		p.segments = p.segments[:n+1]
	} else {
		p.segments = append(p.segments, Segment{})
	}
	// One field after the other, as all together would be put together elsewhere and copied.
	seg := &p.segments[len(p.segments)-1]
	seg.A, seg.B, seg.Link, seg.Cable, seg.Bundle, seg.Length = ch.link.A, ch.link.B, index, 0, 0, 0
	seg.PortA, seg.PortB, seg.Product = uint16(ch.portA), uint16(ch.portB), IsTrace
	seg.Level, seg.Within = uint8(ch.link.Level), uint8(ch.common)
	w := s.w
	r := &w.s.router
	switch {
	case ch.trace:
		seg.Length = r.trace(end{slot: w.slot[ch.link.A]}, end{slot: w.slot[ch.link.B]})
	case !r.onTrays(ch.common):
		seg.Length = w.bare(ch)
	default:
		sp := w.across(ch)
		var barred uint8
		p.options, barred = r.trays.options(p.options, r, sp, w.pairs.runsOf(sp.pair))
		p.reaches = append(p.reaches, reach{sp.heights, sp.pair, barred})
	}
}

// bare is the length of a cable that lies on no tray.
func (w *worker) bare(ch *channel) units.Length {
	a, b := w.slot[ch.link.A], w.slot[ch.link.B]
	return w.s.router.bare(
		w.layout.At(a, ch.a.box.Box.Port(int(ch.portA))), w.layout.At(b, ch.b.box.Box.Port(int(ch.portB))),
		w.rack(ch.link.A), ch.common, ch.a.box.Beyond+ch.b.box.Beyond)
}

// links schedules all links, which another core measures meanwhile.
func (w *worker) links(ctx context.Context) error {
	s := &surveyor{w: w}
	if w.patcher == nil && w.shuffler == nil {
		own := *w
		s.w, s.kept = &own, w.s.Segments[:cap(w.s.Segments)]
		w.mountings, w.pairs = mountings{}, rackPairs{}
		defer func() { w.mountings, w.pairs = own.mountings, own.pairs }()
	}
	first := int64(0)
	schedule := func(p *batch) {
		first = w.batch(p, first)
	}
	if w.patcher == nil && w.shuffler == nil {
		if err := s.ahead(ctx, schedule); err != nil {
			return err
		}
	} else { // cords and trunks are measured with the same memory
		s.all(&batch{}, func(p *batch) *batch {
			if ctx.Err() != nil {
				return nil
			}
			schedule(p)
			return p
		})
	}
	w.lit.count()
	return ctx.Err()
}

// batch schedules links that are measured, the first channel of which has the number first, and returns that of the
// next one.
func (w *worker) batch(p *batch, first int64) int64 {
	w.at = p
	var ch channel
	segments, reaches, options := p.segments, p.reaches, p.options
	for i := range p.links {
		m := &p.links[i]
		ch.link, ch.first, ch.common, ch.trace = m.link, first, int(m.common), m.trace
		ch.a, ch.b = &w.kinds[m.a], &w.kinds[m.b]
		width := int(m.link.Width)
		first += int64(width)
		if !m.trace && w.s.router.onTrays(ch.common) {
			groups := width * len(w.s.router.trays.groups)
			ch.reaches, reaches = reaches[:width], reaches[width:]
			ch.ways, options = options[:groups], options[groups:]
		}
		w.link(&ch, segments[:width])
		segments = segments[width:]
	}
	return first
}

// ahead measures links in a goroutine of its own, while those before them are scheduled.
func (s *surveyor) ahead(ctx context.Context, schedule func(*batch)) error {
	const under = 3 // way: one that is measured, one that waits and one that is scheduled
	full, empty := make(chan *batch, under), make(chan *batch, under)
	for range under {
		empty <- &batch{}
	}
	stop := make(chan struct{})
	var fault *parallel.Fault // known once full is closed
	go func() {
		defer close(full)
		defer func() {
			if value := recover(); value != nil {
				fault = &parallel.Fault{Value: value, Stack: debug.Stack()}
			}
		}()
		s.all(<-empty, func(p *batch) *batch {
			full <- p
			select {
			case p := <-empty:
				return p
			case <-stop:
				return nil
			}
		})
	}()
	defer func() {
		close(stop)
		for range full { // until it has ended
		}
	}()
	for p := range full {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		schedule(p)
		empty <- p
	}
	if fault != nil {
		panic(fault)
	}
	return nil
}
