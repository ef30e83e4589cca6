package main

import (
	"context"
	"runtime/debug"

	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// ahead writes the files of a plan that do not tell delays over paths while these are measured, for the most part on
// one core. None gets its name before all of them are written. The zero value has not begun.
type ahead struct {
	cancel  context.CancelFunc // nil where nothing was begun, and once it has ended
	pending *render.Pending
	done    chan struct{} // closed once there are paths or an error
	paths   []string
	err     error
}

// begin begins to write all files of a plan.
func (a *ahead) begin(ctx context.Context, plan *machine.Result, dir string) {
	ctx, a.cancel = context.WithCancel(ctx)
	a.pending, a.done = render.NewPending(), make(chan struct{})
	go func() {
		defer close(a.done)
		defer func() {
			if p := recover(); p != nil {
				a.err = &parallel.Fault{Value: p, Stack: debug.Stack()}
			}
		}()
		a.paths, a.err = render.Files(ctx, plan, dir, render.Options{Pending: a.pending})
	}()
}

// files ends what was begun, now that the whole plan is known, or writes the files that are asked for.
func (a *ahead) files(
	ctx context.Context, plan *machine.Result, dir string, opt render.Options,
) ([]string, error) {
	if a.cancel == nil {
		return render.Files(ctx, plan, dir, opt)
	}
	a.pending.Known(plan)
	<-a.done
	a.end()
	return a.paths, a.err
}

// end leaves nothing of what was begun and not ended.
func (a *ahead) end() {
	if a.cancel != nil {
		a.cancel()
		<-a.done
		a.cancel = nil
	}
}
