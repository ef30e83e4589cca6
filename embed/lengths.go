package embed

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// LevelLength sums up the straight-line distances between the ends of the links of one topology level, in metres.
type LevelLength struct {
	Level string
	Links int64 // a link of several parallel cables counts as many times
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

// lengthBatch is the number of links that are measured at a time. Batches are added up in their order, so that sums do
// not depend on the number of cores.
const lengthBatch = 1 << 13

// Lengths measures the straight-line distances between the boxes at the ends of the links of g, by topology level. It
// uses all cores and does not store the links. The only error is the cause of a cancelled ctx.
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

// linkBatch is a number of links that one worker measures, and their sums.
type linkBatch struct {
	links []measuredLink
	sums  []LevelLength
	done  chan struct{} // receives a value when sums are complete
}

// measuredLink is a link between vertices a and b; width is its number of parallel cables.
type measuredLink struct{ a, b, level, width int32 }

// measure fills in the sums of the batch.
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

// lengthSummer measures batches of links on all cores and adds them up in their order.
type lengthSummer struct {
	work    chan *linkBatch // batches for the workers
	inOrder chan *linkBatch // the same batches, in order, for the goroutine that adds them up
	free    chan *linkBatch // added batches, for reuse
	sums    []LevelLength
	group   errgroup.Group
}

// startLengths starts the goroutines of a lengthSummer that adds up into sums.
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

// add adds the sums of a batch, and offers the batch for reuse.
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

// empty returns a batch without links.
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

// send hands a batch over to be measured and added up.
func (s *lengthSummer) send(b *linkBatch) {
	s.work <- b
	s.inOrder <- b
}

// finish waits until all batches that were sent are added up.
func (s *lengthSummer) finish() {
	close(s.work)
	close(s.inOrder)
	_ = s.group.Wait() // measuring cannot fail
}
