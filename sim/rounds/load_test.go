package rounds

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/topology"
)

// Nothing is lost under any load that is simulated, however many phases it takes.
func TestHeavyLoads(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	opt := DefaultOptions()
	opt.Topology = topology.CLEX{Clique: 2, Levels: 1}
	opt.Load = 24_000 // 12,000 phases and more
	r, err := Run(t.Context(), opt)
	if err != nil || r.Delivered != r.Messages || r.Levels[0].MaxRounds < 2*maxPhases {
		t.Fatalf("%+v, %v", r, err)
	}
	opt.Topology, opt.Load = topology.CLEX{Clique: 4, Levels: 2}, 1_000_000
	if _, err = Run(t.Context(), opt); err == nil || !strings.Contains(err.Error(), "are the most that are simulated") {
		t.Errorf("%v", err)
	}
	opt.Load = 1 << 60
	if _, err = Run(t.Context(), opt); err == nil {
		t.Error("2^60 messages a node are taken")
	}
}

// A run that takes minutes ends soon after its context.
func TestHeavyLoadsStop(t *testing.T) {
	opt := DefaultOptions()
	opt.Topology = topology.CLEX{Clique: 4, Levels: 2}
	opt.Load = 400_000
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := Run(ctx, opt); err != context.DeadlineExceeded {
		t.Errorf("%v", err)
	}
}
