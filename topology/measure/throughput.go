package measure

import (
	"context"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/throughput"
)

// Throughput bounds the traffic that g carries by hops and by the best halves that are known: those of cut, or where it
// is nil those that a short search finds. A cut of another graph than g is an error of the caller. The errors are those
// of [throughput.Of].
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
