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
// join, level by level. Links are streamed to all cores and not kept.
func Lengths(ctx context.Context, g topology.Graph, pl *Placement) ([]LevelLength, error) {
	out := make([]LevelLength, len(g.Levels()))
	for i, l := range g.Levels() {
		out[i].Level = l.Name
	}
	type ends struct{ a, b, level, width int32 }
	type batch struct {
		links []ends
		sums  []LevelLength
		done  chan struct{}
	}
	workers := runtime.GOMAXPROCS(0)
	// Batches go to the workers through one channel and, in order, to the sum
	// through another; what has been summed up is used again.
	work := make(chan *batch, 2*workers)
	inOrder := make(chan *batch, 2*workers)
	free := make(chan *batch, 8*workers)
	var group errgroup.Group
	for range workers {
		group.Go(func() error {
			for b := range work {
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
			return nil
		})
	}
	group.Go(func() error {
		for b := range inOrder {
			<-b.done
			for i := range out {
				out[i].Links += b.sums[i].Links
				out[i].Total += b.sums[i].Total
				out[i].Max = max(out[i].Max, b.sums[i].Max)
			}
			select {
			case free <- b:
			default:
			}
		}
		return nil
	})
	next := func() *batch {
		select {
		case b := <-free:
			b.links = b.links[:0]
			return b
		default:
			return &batch{
				links: make([]ends, 0, lengthBatch), sums: make([]LevelLength, len(out)),
				done: make(chan struct{}, 1),
			}
		}
	}
	b := next()
	send := func() {
		work <- b
		inOrder <- b
		b = next()
	}
	for l := range g.Links() {
		b.links = append(b.links, ends{l.A, l.B, l.Level, l.Width})
		if len(b.links) == lengthBatch {
			send()
			if ctx.Err() != nil {
				break
			}
		}
	}
	send()
	close(work)
	close(inOrder)
	_ = group.Wait() // measuring cannot fail
	return out, context.Cause(ctx)
}
