package flow

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/plenum-planner/plenum/sim/packet"
	"github.com/plenum-planner/plenum/topology"
)

// Rates that are found less often than messages begin and end give nearly the times of
// rates that are found each time, which is the slow twin.
func TestRatesMayWait(t *testing.T) {
	for name, of := range map[string]struct {
		params  topology.Params
		routing string
	}{
		"torus":     {topology.Torus{Dims: topology.Ints{4, 4, 4}}, "dor"},
		"hyperx":    {topology.HyperX{Dims: topology.Ints{4, 4}, Terminals: 4}, "dor"},
		"dragonfly": {topology.Dragonfly{P: 2, A: 4, H: 2}, "minimal"},
		"thin tree": {topology.ThinTree{Down: 4, Up: 2, Levels: 3}, "tree"},
	} {
		g, err := topology.New(of.params)
		if err != nil {
			t.Fatal(err)
		}
		s, err := packet.NewSubject(g, packet.Setup{Options: packet.DefaultOptions(), Routing: of.routing}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range []string{
			"recursive-halving-all-reduce:tasks=64,bytes=262144", "all-to-all:tasks=64,bytes=4096",
			"all-to-all:tasks=64,bytes=8192,window=2", "halo:tasks=64,bytes=65536", "BU:tasks=64", "M2:tasks=64",
			"W3:tasks=64", "BT:tasks=64",
		} {
			suite := packet.Suite{Seeds: 1, Placement: "random"}
			job, place, err := suite.Job(s, w)
			if err != nil {
				t.Fatal(err)
			}
			played := func(patience float64) *Result {
				p, err := newPlayer(s.Config, job.New(), place)
				if err != nil {
					t.Fatal(err)
				}
				p.patience = patience
				if err := p.play(context.Background()); err != nil {
					t.Fatal(err)
				}
				return &p.Result
			}
			exact, fast := played(0), played(patience)
			off := float64(fast.Cycles)/float64(exact.Cycles) - 1
			t.Logf("%-10s %-50s %+.3f, %d changes of rates for %d", name, w, off, fast.Changes, exact.Changes)
			if math.Abs(off) > 0.08 {
				t.Errorf("%s, %s: %d cycles, at once %d", name, w, fast.Cycles, exact.Cycles)
			}
			if fast.Messages != exact.Messages || fast.Changes > exact.Changes {
				t.Errorf("%s, %s: %d messages and %d changes, at once %d and %d", name, w, fast.Messages, fast.Changes,
					exact.Messages, exact.Changes)
			}
		}
	}
}

// endsAt ends when it has been asked so often.
type endsAt struct {
	context.Context
	questions int
}

func (c *endsAt) Err() error {
	if c.questions--; c.questions < 0 {
		return context.Canceled
	}
	return nil
}

// A run hears within its first cycle that it is to end: there, as many messages begin as there are tasks, and finding
// the rates of a quarter of a million takes seconds.
func TestFirstCycleHearsTheEnd(t *testing.T) {
	g, err := topology.New(topology.Torus{Dims: topology.Ints{16, 16, 16}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := packet.NewSubject(g, packet.Setup{Options: packet.DefaultOptions(), Routing: "dor"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	suite := packet.Suite{Seeds: 1, Placement: "random"}
	job, place, err := suite.Job(s, "all-to-all:bytes=4096")
	if err != nil {
		t.Fatal(err)
	}
	for _, questions := range []int{2, 4, 6, 12, 24} {
		p, err := newPlayer(s.Config, job.New(), place)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.play(&endsAt{t.Context(), questions}); !errors.Is(err, context.Canceled) {
			t.Errorf("after %d questions: %v", questions, err)
		}
		if p.now > 0 || len(p.begun) == 0 {
			t.Errorf("after %d questions, cycle %d is reached, and %d messages wait for rates", questions, p.now,
				len(p.begun))
		}
	}
}
