package embed

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// LevelLength is about the straight lines between the ends of the links of one
// topology level.
type LevelLength struct {
	Level string
	Links int64 // channels
	Total units.Length
	Max   units.Length
}

// Mean is the mean length of a link, 0 if there are none.
func (l *LevelLength) Mean() units.Length {
	if l.Links == 0 {
		return 0
	}
	return l.Total / units.Length(l.Links)
}

// lengthBatch is the number of links that are measured at a time. Sums are
// taken over batches in their order, so that cores cannot change them.
const lengthBatch = 1 << 13

// Lengths measures the straight lines between the boxes that the links of g
// join, level by level. Links are streamed to all cores and not kept. The error
// is that of ctx.
func Lengths(ctx context.Context, g topology.Graph, pl *Placement) ([]LevelLength, error) {
	out := make([]LevelLength, len(g.Levels()))
	for i, l := range g.Levels() {
		out[i].Level = l.Name
	}
	s := startLengths(pl, out)
	b := s.empty()
	for l := range topology.Cables(g) {
		b.links = append(b.links, measuredLink{l.A, l.B, l.Level, l.Width})
		if len(b.links) == lengthBatch {
			s.send(b)
			b = s.empty()
			if ctx.Err() != nil {
				break
			}
		}
	}
	s.send(b)
	s.finish()
	return out, context.Cause(ctx)
}

// linkBatch is links that are measured together, and what they sum up to.
type linkBatch struct {
	links []measuredLink
	sums  []LevelLength
	done  chan struct{}
}

type measuredLink struct{ a, b, level, width int32 }

// measure sums up the links.
func (b *linkBatch) measure(pl *Placement) {
	clear(b.sums)
	for _, l := range b.links {
		s := &b.sums[l.level]
		d := pl.Layout.Position(pl.Slot[l.a]).Distance(pl.Layout.Position(pl.Slot[l.b]))
		s.Links += int64(l.width)
		s.Total += units.Length(float64(d) * float64(l.width))
		s.Max = max(s.Max, d)
	}
	b.done <- struct{}{}
}

// lengthSummer has batches measured by all cores and adds them up in their order.
// They go to the workers through one channel and, in order, to the sum through
// another; what has been summed up is used again.
type lengthSummer struct {
	work, inOrder, free chan *linkBatch
	sums                []LevelLength
	group               errgroup.Group
}

// startLengths starts to add up into sums.
func startLengths(pl *Placement, sums []LevelLength) *lengthSummer {
	workers := runtime.GOMAXPROCS(0)
	s := &lengthSummer{
		work: make(chan *linkBatch, 2*workers), inOrder: make(chan *linkBatch, 2*workers),
		free: make(chan *linkBatch, 8*workers), sums: sums,
	}
	for range workers {
		s.group.Go(func() error {
			for b := range s.work {
				b.measure(pl)
			}
			return nil
		})
	}
	s.group.Go(func() error {
		for b := range s.inOrder {
			<-b.done
			s.add(b)
		}
		return nil
	})
	return s
}

// add adds what a batch sums up to, and keeps the batch for further links.
func (s *lengthSummer) add(b *linkBatch) {
	for i := range s.sums {
		s.sums[i].Links += b.sums[i].Links
		s.sums[i].Total += b.sums[i].Total
		s.sums[i].Max = max(s.sums[i].Max, b.sums[i].Max)
	}
	select {
	case s.free <- b:
	default:
	}
}

// empty is a batch without links.
func (s *lengthSummer) empty() *linkBatch {
	select {
	case b := <-s.free:
		b.links = b.links[:0]
		return b
	default:
		return &linkBatch{
			links: make([]measuredLink, 0, lengthBatch), sums: make([]LevelLength, len(s.sums)),
			done: make(chan struct{}, 1),
		}
	}
}

// send has a batch measured and added.
func (s *lengthSummer) send(b *linkBatch) {
	s.work <- b
	s.inOrder <- b
}

// finish waits for the sums of all that was sent.
func (s *lengthSummer) finish() {
	close(s.work)
	close(s.inOrder)
	_ = s.group.Wait() // measuring cannot fail
}
