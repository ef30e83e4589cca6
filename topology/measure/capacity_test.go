package measure_test

import (
	"context"
	"iter"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
	"github.com/plenum-planner/plenum/topology/throughput"
)

// widened is a graph that has parallel channels in place of a capacity.
type widened struct{ topology.Graph }

func (w widened) Levels() []topology.Level {
	var out []topology.Level
	for _, l := range w.Graph.Levels() {
		out = append(out, topology.Level{Name: l.Name})
	}
	return out
}

func (w widened) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		levels := w.Graph.Levels()
		for l := range w.Graph.Links() {
			l.Width *= max(1, levels[l.Level].Capacity)
			if !yield(l) {
				return
			}
		}
	}
}

// A capacity of c is c parallel channels in the bounds of bisection and throughput.
func TestCapacityIsParallelChannels(t *testing.T) {
	for _, f := range topology.Families() {
		t.Run(f.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p, g := graphtest.Member(t, f.Name, 80)
				given := map[string]int{}
				for _, l := range g.Levels() {
					given[l.Name] = rapid.IntRange(1, 5).Draw(t, "capacity")
				}
				g, err := topology.New(topology.Spec{
					Params: p, LevelCapacity: topology.LevelCapacity{Capacity: given},
				})
				if err != nil {
					t.Fatal(err)
				}
				checkBisection(t, topology.Spec{Params: p}, g)
				ends := measure.HopEnds(g)
				a, b := graphtest.Bisect(t, g, ends), graphtest.Bisect(t, widened{g}, ends)
				if a.Lower > b.Upper || b.Lower > a.Upper {
					t.Fatalf("%d to %d channels, %d to %d of parallel links", a.Lower, a.Upper, b.Lower, b.Upper)
				}
				x, errX := throughput.Of(context.Background(), g)
				y, errY := throughput.Of(context.Background(), widened{g})
				if (errX == nil) != (errY == nil) {
					t.Fatalf("%v, %v of parallel links", errX, errY)
				}
				if errX != nil {
					return
				}
				near := func(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-9*math.Abs(a) }
				if x.Channels != y.Channels || x.Ports != y.Ports || !near(x.Uniform, y.Uniform) ||
					!near(x.Worst, y.Worst) {
					t.Fatalf("%+v, %+v of parallel links", *x, *y)
				}
			})
		})
	}
}
