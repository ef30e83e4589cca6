package machine

import (
	"context"
	"testing"

	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/units"
)

// TestCyclesFollowLengths: cycles are nanoseconds times the clock, rounded up, and
// double with the propagation delay.
func TestCyclesFollowLengths(t *testing.T) {
	spec, err := Parse("hyperx.yaml", []byte("topology: {family: hyperx, dims: [4, 4], terminals: 2}\n"))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := Plan(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	beta := func(x units.Propagation) delay.Override { return delay.Override{Propagation: &x} }
	once, twice := plan.Cycles(100, beta(5)), plan.Cycles(100, beta(10))
	for i := range plan.Links.Count() {
		metres, _ := plan.Links.At(i)
		length := float64(metres)
		if got := float64(once.Link[i]); got < 500*length-1e-6 || got >= 500*length+1+1e-6 && got > 1 {
			t.Fatalf("link %d of %.4f m takes %v cycles of 10 ps at 5 ns/m", i, length, got)
		}
		if d := twice.Link[i] - 2*once.Link[i]; d > 0 || d < -1 {
			t.Fatalf("link %d takes %d cycles, and %d at twice the delay", i, once.Link[i], twice.Link[i])
		}
	}
	media := plan.Cycles(1, delay.Override{})
	if media.Link[0] < 1 || len(media.Link) != plan.Links.Count() {
		t.Errorf("%d links, the first of %d cycles", len(media.Link), media.Link[0])
	}
	summary, err := PlanWith(context.Background(), spec, Options{Summary: true})
	if err != nil {
		t.Fatal(err)
	}
	if summary.Cycles(1, delay.Override{}) != nil {
		t.Error("a summary has lengths")
	}
}
