package rounds

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/diag"
)

// A tower of twos is as high as its iterated logarithm says.
func TestLogStar(t *testing.T) {
	tower := 1.0
	for height := range 5 {
		if got := LogStar(tower); got != height {
			t.Errorf("log* %g is %d, expected %d", tower, got, height)
		}
		if above := 1.01 * tower; LogStar(above) != height+1 {
			t.Errorf("log* %g is %d, expected %d", above, LogStar(above), height+1)
		}
		tower = math.Exp2(tower)
	}
	if got := LogStar(math.MaxFloat64); got != 5 {
		t.Errorf("log* of the greatest number is %d, expected 5", got)
	}
}

// No run is faster than the lower bounds, and no message is slower than all steps together.
func TestBoundsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOptions(t)
		o.Capacity = nil
		if err := o.CheckBounds(); err != nil {
			t.Fatal(err)
		}
		r, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		b := r.Bounds(o)
		switch {
		case b.Least > b.Rounds:
			t.Fatalf("%d rounds, %d at least", b.Rounds, b.Least)
		case r.RoundsMax > b.Rounds:
			t.Fatalf("a message took %d rounds, all steps %d", r.RoundsMax, b.Rounds)
		case b.Least*b.PerRound < max(r.SentMax, r.ReceivedMax),
			(b.Least-1)*b.PerRound >= max(r.SentMax, r.ReceivedMax):
			t.Fatalf("%d rounds at least of %d and %d messages", b.Least, r.SentMax, r.ReceivedMax)
		}
		for k, l := range b.Levels {
			if (l.Least == nil) != (k > 0 && o.Topology.Bundled) {
				t.Fatalf("level %d of %+v: least rounds %v", l.Level, o.Topology, l.Least)
			}
			if got := r.Levels[k].MaxRounds; l.Least != nil && got < *l.Least {
				t.Fatalf("level %d: %d rounds, %d at least", l.Level, got, *l.Least)
			}
			if calls := r.Levels[k].AvgHops; k > 0 && !o.Topology.Bundled && calls != float64(l.Calls) {
				t.Fatalf("level %d: %d calls, a hop in each, but %g hops", l.Level, l.Calls, calls)
			}
		}
	})
}

// Theorem II.6: for a fixed number of levels, rounds grow no faster than the bound, so that the constant stays within a
// range however large cliques are. With each level it grows by about a factor of two: "a closer examination of the
// involved constants reveals that they grow exponentially" in the levels.
func TestConstantsOfTheTheorem(t *testing.T) {
	constant := func(clique, levels int) float64 {
		o := Options{Topology: clex(clique, levels), Load: clique, Seed: 1}
		b := mustRun(t, o).Bounds(o)
		t.Logf("cliques of %d, %d levels: %d rounds, order %.2f, constant %.2f; in cliques %.2f", clique, levels,
			b.Rounds, b.Whole.Order, b.Whole.Constant, b.Clique.Constant)
		if b.Clique.Constant > 3 {
			t.Errorf("cliques of %d, %d levels: corollary II.5 needs a constant of %.2f", clique, levels,
				b.Clique.Constant)
		}
		return b.Whole.Constant
	}
	for _, clique := range []int{8, 16, 32, 64} {
		if c := constant(clique, 2); c < 2 || c > 5 {
			t.Errorf("cliques of %d: a constant of %.2f, not between 2 and 5", clique, c)
		}
	}
	before := constant(8, 1)
	for levels := 2; levels <= 5; levels++ {
		c := constant(8, levels)
		if growth := c / before; growth < 1.5 || growth > 3 {
			t.Errorf("level %d: the constant grows by %.2f", levels, growth)
		}
		before = c
	}
}

// A given traffic has the bounds of its busiest node: all messages go to one node of 16, which takes 8 a round.
func TestBoundsOfAHotNode(t *testing.T) {
	o := Options{Topology: clex(4, 2), Seed: 1}
	for v := range int32(16) {
		for range v {
			o.Messages = append(o.Messages, Message{v, 5})
		}
	}
	r := mustRun(t, o)
	if r.SentMax != 15 || r.ReceivedMax != 120 {
		t.Errorf("%d sent and %d received at most, expected 15 and 120", r.SentMax, r.ReceivedMax)
	}
	if b := r.Bounds(o); b.PerRound != 8 || b.Least != 15 || b.Whole.LogStar != 3 || b.Whole.Order != 120./4+3 {
		t.Errorf("%+v", b)
	}
}

// What the bounds do not cover is refused by field.
func TestBoundsRefuse(t *testing.T) {
	for _, c := range []struct {
		fields string
		set    func(*Options)
	}{
		{"", func(*Options) {}},
		{"", func(o *Options) { o.Capacity = map[string]int{"level2": 1} }},
		{"Topology.capacity", func(o *Options) { o.Capacity = map[string]int{"level2": 4} }},
		{"", func(o *Options) { o.Topology.Bundled, o.Capacity = true, map[string]int{"level2": 4} }},
		{"Topology.capacity", func(o *Options) { o.Topology.Bundled, o.Capacity = true, map[string]int{"level2": 1} }},
		{"Loss FailNodes FailLinks", func(o *Options) { o.Loss, o.FailNodes, o.FailLinks = 0.1, 0.1, 0.1 }},
		{"FailNodes FailLinks", func(o *Options) { o.FailedNodes, o.FailedLinks = []int32{1}, []Edge{{0, 1, 0}} }},
	} {
		o := DefaultOptions()
		o.Topology = clex(4, 2)
		c.set(&o)
		var fields []string
		for _, e := range diag.Fields(o.CheckBounds()) {
			fields = append(fields, e.Path)
		}
		if got := strings.Join(fields, " "); got != c.fields {
			t.Errorf("%v: mistakes in %q, expected %q", o.CheckBounds(), got, c.fields)
		}
	}
}
