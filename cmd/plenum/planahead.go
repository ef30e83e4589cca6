package main

import (
	"context"
	"runtime/debug"

	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render"
)

// ahead writes the files of a plan ahead of its end: while delays over paths are measured, which takes one core for the
// most part, it writes the files without such delays; the others wait for them. No file gets its name before all are
// written. The zero value has not begun. Call end when it is no longer used.
type ahead struct {
	cancel  context.CancelFunc // nil where nothing was begun, and once it has ended
	pending *render.Pending
	done    chan struct{} // closed once paths or err is set
	paths   []string      // of the files written
	err     error
}

// begin starts to write all files of a plan into dir, in another goroutine. The plan has its cables but not its delays.
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

// files returns the paths of the files written. plan is complete. If begin was called, it waits for the files that were
// begun, and does not use dir and opt; else it writes the files that opt selects into dir.
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

// end cancels the writing if it goes on, so that none of its files is left. It does nothing if files has returned.
func (a *ahead) end() {
	if a.cancel != nil {
		a.cancel()
		<-a.done
		a.cancel = nil
	}
}
