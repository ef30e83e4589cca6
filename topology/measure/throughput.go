package measure

import (
	"context"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/throughput"
)

// Throughput bounds the traffic that g carries by hops and by a cut into halves: that of cut, which is a Bisection of
// g, or that of a short search if cut is nil. Without a partition (cut.Side is nil) only the hops count. The errors are
// those of [throughput.Of].
func Throughput(ctx context.Context, g topology.Graph, cut *Bisection) (*throughput.Bound, error) {
	b, err := throughput.Of(ctx, g)
	if err != nil {
		return nil, err
	}
	if cut == nil {
		if cut, err = Bisect(ctx, g, hopEnds(ctx, g), BisectionOptions{Work: 1, Runs: 2}); err != nil {
			return nil, err
		}
	}
	if cut.Side != nil {
		b.Cut(g, cut.Side)
	}
	return b, ctx.Err()
}
