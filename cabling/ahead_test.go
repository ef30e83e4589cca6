package cabling

import (
	"context"
	"errors"
	"iter"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/topology"
)

// inTurn schedules a problem as Run does, but measures links in turn with scheduling them, by the same worker, and
// keeps segments in memory of their own first. Trays are taken as they come.
func inTurn(t rapid.TB, p *Problem) *Schedule {
	t.Helper()
	w, err := start(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	first := int64(0)
	(&surveyor{w: w}).all(&batch{}, func(p *batch) *batch {
		first = w.batch(p, first)
		return p
	})
	w.lit.count()
	return w.s
}

// same tells schedules apart in what does not hang together with rerouting.
func same(t rapid.TB, got, want *Schedule) {
	t.Helper()
	for name, pair := range map[string][2]any{
		"segments": {got.Segments, want.Segments}, "products": {got.Products, want.Products},
		"tallies": {got.Tallies, want.Tallies}, "bundles": {got.Bundles, want.Bundles},
		"ways": {got.Ways, want.Ways}, "power": {got.RackPower, want.RackPower}, "cables": {got.Cables, want.Cables},
		"violations": {got.Violations, want.Violations},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s differ", name)
		}
	}
}

// TestMeasuredAhead: links that are measured ahead are scheduled as those that are measured in turn.
func TestMeasuredAhead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawMachine(t)
		s, err := Run(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		same(t, s, inTurn(t, p))
	})
}

// long is a machine of more links than are measured at a time.
func long(t testing.TB) *Problem {
	t.Helper()
	p, err := machineOf(newGraph(t, topology.Torus{Dims: []int{16, 12, 8}}), directParts, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestMeasuredFarAhead is TestMeasuredAhead of a machine of several batches, also where more links come than were
// counted, so that there is no room for their segments where they are to be. What is visited is what is kept.
func TestMeasuredFarAhead(t *testing.T) {
	for _, channels := range []int64{0, 1, 3 * atATime / 2, 1 << 20} {
		p := long(t)
		want := inTurn(t, p)
		p.Channels = channels
		var visited []Segment
		p.Visit = func(s *Schedule, seg *Segment) {
			visited = append(visited, *seg)
			if last := len(s.Segments) - 1; !p.Summary && seg != &s.Segments[last] {
				t.Fatalf("segment %d is not the last that is kept", last)
			}
		}
		s := run(t, p)
		same(t, s, want)
		if !reflect.DeepEqual(visited, s.Segments) {
			t.Error("others are visited than kept")
		}
		visited, p.Summary = nil, true
		run(t, p)
		if !reflect.DeepEqual(visited, want.Segments) {
			t.Error("others are visited in a summary")
		}
	}
}

// failing is a graph that fails after so many links.
type failing struct {
	topology.Graph
	after int
	fail  func()
}

func (b failing) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		n := 0
		for l := range b.Graph.Links() {
			if n++; n > b.after {
				b.fail()
			}
			if !yield(l) {
				return
			}
		}
	}
}

// TestFaultsAhead: a panic while links are measured is one of the schedule, and a context that ends then ends it.
func TestFaultsAhead(t *testing.T) {
	p := long(t)
	p.Channels = topology.Count(p.Graph).Links
	whole := p.Graph
	fails := false // once links have been counted
	p.Graph = failing{whole, 3000, func() {
		if fails {
			panic("a fault")
		}
	}}
	w, err := start(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	fails = true
	func() {
		defer func() {
			if f, ok := recover().(*parallel.Fault); !ok || f.Value != "a fault" {
				t.Errorf("%v", f)
			}
		}()
		err := w.links(t.Context())
		t.Errorf("no panic, but %v", err)
	}()
	ctx, cancel := context.WithCancel(t.Context())
	p.Graph = failing{whole, 2000, cancel}
	if _, err := Run(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
