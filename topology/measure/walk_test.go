package measure_test

import (
	"context"
	"errors"
	"iter"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// interrupting cancels at a link, and counts those that are walked from then on.
type interrupting struct {
	topology.Graph
	cancel context.CancelFunc
	left   int // links until then
	after  int
}

func (g *interrupting) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		for l := range g.Graph.Links() {
			if g.left--; g.left == 0 {
				g.cancel()
			}
			if g.left < 0 {
				g.after++
			}
			if !yield(l) {
				return
			}
		}
	}
}

// TestWalksEndWithContext interrupts every walk over the links at its beginning: at most a few thousand links are
// walked after that.
func TestWalksEndWithContext(t *testing.T) {
	tree := graphtest.New(t, topology.KAryNTree{Down: 64, Levels: 3})
	rails := graphtest.New(t, topology.FatTree{Nodes: 2_000, Radix: 256, Rails: 8})
	for name, g := range map[string]topology.Graph{
		"one link a terminal": tree, "rails": rails,
	} {
		links := 0
		for range g.Links() {
			links++
		}
		for walks := range 3 {
			for what, run := range map[string]func(context.Context, topology.Graph) error{
				"routers": func(ctx context.Context, g topology.Graph) error {
					_, err := measure.Hops(ctx, g, measure.Routers, measure.HopOptions{})
					return err
				},
				"terminals": func(ctx context.Context, g topology.Graph) error {
					_, err := measure.Hops(ctx, g, measure.Terminals, measure.HopOptions{})
					return err
				},
				"measure": func(ctx context.Context, g topology.Graph) error {
					opt := measure.MeasureOptions{Metrics: []measure.Metric{measure.MetricHops}}
					_, err := measure.Measure(ctx, g, opt)
					return err
				},
			} {
				ctx, cancel := context.WithCancel(context.Background())
				i := &interrupting{Graph: g, cancel: cancel, left: walks*links + 10}
				err := run(ctx, i)
				if i.left > 0 && walks > 1 && err == nil {
					continue // there are not so many walks
				}
				if !errors.Is(err, context.Canceled) {
					t.Errorf("%s, %s, walk %d: %v", name, what, walks, err)
				}
				if i.after > 20_000 {
					t.Errorf("%s, %s, walk %d: %d of %d links after the interrupt", name, what, walks, i.after, links)
				}
				cancel()
			}
		}
	}
}
