package packet

import (
	"context"
	"math"
	"runtime"

	"github.com/plenum-planner/plenum/internal/parallel"
)

// Share is the number of cores for each of n runs that go side by side.
func Share(n int) int { return max(1, runtime.GOMAXPROCS(0)/max(n, 1)) }

// Sweep runs the loads side by side. Each run has the seed of cfg: it is the same
// alone.
func Sweep(ctx context.Context, cfg Config, open OpenLoop, loads []float64) ([]*Result, error) {
	out := make([]*Result, len(loads))
	cfg.Cores = max(cfg.Cores, Share(len(loads)))
	err := parallel.Each(ctx, len(loads), func(ctx context.Context, i int) error {
		o := open
		o.Load = loads[i]
		var err error
		out[i], err = Run(ctx, cfg, o)
		return err
	})
	return out, err
}

// Saturated tells whether the network takes less than 95 % of what is offered. That
// is told by what stays behind, which unlike Accepted does not depend on how many
// messages happened to be made.
func (r *Result) Saturated() bool { return r.Behind > 0.05 }

// Saturation is the load at which a network saturates.
type Saturation struct {
	// Load is the highest that was found to be carried, in phits per cycle and terminal.
	Load  float64 `json:"load"`
	Above float64 `json:"above"` // the lowest that was found not to be; 1 where all are
	// Accepted is what is delivered at `load`, in phits per cycle and terminal.
	Accepted float64 `json:"accepted"`
	Full     float64 `json:"full"` // what is delivered at a load of 1
	Runs     int     `json:"runs"` // simulations that it took
}

// FindSaturation halves the interval between a load that is carried and one that
// is not until it is at most the share Tolerance of its upper end, or below 1/1000
// of a phit per cycle. The load of open does not matter.
func FindSaturation(ctx context.Context, cfg Config, open OpenLoop) (*Saturation, error) {
	m, err := open.filled()
	if err != nil {
		return nil, err
	}
	s := &Saturation{Above: 1}
	open.Progress = halvings(&m, &s.Runs, open.Progress)
	for load := 1.0; ; load = (s.Load + s.Above) / 2 {
		open.Load = load
		r, err := Run(ctx, cfg, open)
		if err != nil {
			return nil, err
		}
		s.Runs++
		if load == 1 {
			s.Full = r.Accepted
		}
		if r.Saturated() {
			s.Above = load
		} else {
			s.Load, s.Accepted = load, r.Accepted
		}
		if load == 1 && !r.Saturated() || s.Above-s.Load <= max(m.Tolerance*s.Above, 0.001) {
			return s, nil
		}
	}
}

// halvings tells of the cycles of all runs of a search for saturation, those to come as few as they may be.
func halvings(m *Measurement, runs *int, tell func(cycles, of int64)) func(cycles, of int64) {
	if tell == nil {
		return nil
	}
	expected := 1 + int(math.Ceil(-math.Log2(max(m.Tolerance, 0.001))))
	before, last, run := int64(0), int64(0), 0
	return func(cycles, of int64) {
		if *runs > run {
			before, run = before+last, *runs
		}
		last = cycles
		tell(before+cycles, before+of+int64(max(0, expected-run-1))*m.least())
	}
}
