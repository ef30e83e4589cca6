package packet

import (
	"context"
	"runtime"

	"github.com/plenum-planner/plenum/internal/parallel"
)

// Share is the number of cores for each of n runs that go side by side.
func Share(n int) int { return max(1, runtime.GOMAXPROCS(0)/max(n, 1)) }

// Sweep runs the loads side by side and returns the results in their order. Each run has the seed of cfg: it is the
// same alone. With an error, results are nil where runs have not ended.
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

// IsSaturated reports whether the network takes less than 95 % of what is offered. That
// shows in what stays behind, which unlike Accepted does not depend on how many messages happened to be made.
func (r *Result) IsSaturated() bool { return r.Behind > mostBehind }

// mostBehind is the share of the offered load that stays behind in a network that is not
// saturated.
const mostBehind = 0.05

// steady reports whether what was measured is that of a network that does not change: it is not saturated, and its
// batches do not differ by too much.
func (r *Result) steady() bool {
	within := func(half, mean float64) bool { return half <= mostSpread*mean }
	return !r.IsSaturated() && within(r.HalfWidth, r.Accepted) && within(r.Latency.HalfWidth, r.Latency.Mean)
}

// mostSpread is the largest half-width of a confidence interval of a stationary network, as a share of the mean.
const mostSpread = 0.1

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
