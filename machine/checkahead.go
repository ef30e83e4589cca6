package machine

import (
	"context"

	"github.com/plenum-planner/plenum/machine/spec"
)

// Check finds what keeps a machine from being planned, as far as that is known without cables: mistakes in the spec,
// parts that are missing, a machine that is too large, boxes that do not fit into the room. Places are not optimised.
// The error is that of PlanWith.
func Check(ctx context.Context, given *spec.Spec, opt Options) error {
	stopped, stop := context.WithCancel(ctx)
	stop()
	opt.Stop, opt.Progress = stopped, func(string, int, int) {}
	p := &planning{given: given, opt: opt}
	const counted = 2 // stages
	err := p.run(ctx, stages[:counted])
	if err == nil {
		// Where the strategy alone fails, the first places that the optimiser begins with may still fit.
		if _, err = p.names.structured(ctx, p.names.embedding()); err != nil {
			_, _, err = place(ctx, p.names, opt, nil)
		}
	}
	if err != nil {
		return located(given, err)
	}
	return nil
}
