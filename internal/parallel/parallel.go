// Package parallel shares numbered tasks among as many goroutines as there are cores.
//
// Which goroutine does which task is left to chance, so a task must do the same on any: its result is to depend on its
// number alone.
package parallel

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Fault is what With panics with when a task has panicked.
type Fault struct {
	Value any    // what the task panicked with
	Stack []byte // where
}

// Error says what and where.
func (f *Fault) Error() string { return fmt.Sprintf("%v\n\n%s", f.Value, f.Stack) }

// Cores is how many goroutines n tasks are shared among.
func Cores(n int) int { return max(0, min(runtime.GOMAXPROCS(0), n)) }

// Each calls do for the tasks 0 ... n-1, as many at a time as there are cores. An error, or the end of ctx, keeps tasks
// from being begun, and ends the context that those under way were given. Each returns when all of them have returned:
// the error of the lowest task that failed by itself, or that of ctx. A task that panics has Each panic, with a *Fault.
func Each(ctx context.Context, n int, do func(ctx context.Context, task int) error) error {
	return With(ctx, make([]struct{}, Cores(n)), n, func(ctx context.Context, _ struct{}, task int) error {
		return do(ctx, task)
	})
}

// With is Each with one goroutine for each of the workers, which holds what tasks done one after the other can use
// again: memory to work in, or sums that are added up in the end.
func With[W any](ctx context.Context, workers []W, n int, do func(ctx context.Context, w W, task int) error) error {
	group, inner := errgroup.WithContext(ctx)
	var next atomic.Int64
	errs := make([]error, len(workers)) // each worker stops at its first
	failed := make([]int, len(workers)) // task that it is of
	var fault atomic.Pointer[Fault]
	for i, w := range workers {
		group.Go(func() (err error) {
			defer func() {
				if p := recover(); p != nil {
					err = &Fault{Value: p, Stack: debug.Stack()}
					fault.CompareAndSwap(nil, err.(*Fault))
				}
			}()
			for inner.Err() == nil {
				task := int(next.Add(1)) - 1
				if task >= n {
					break
				}
				if err := do(inner, w, task); err != nil {
					errs[i], failed[i] = err, task
					return err
				}
			}
			return nil
		})
	}
	err := group.Wait()
	if f := fault.Load(); f != nil {
		panic(f) // where it can be recovered: a panic of another goroutine ends the program
	}
	if err == nil {
		return ctx.Err()
	}
	first := -1
	for i, err := range errs {
		// What ended because another task failed is not the cause.
		if err != nil && !errors.Is(err, context.Canceled) && (first < 0 || failed[i] < failed[first]) {
			first = i
		}
	}
	if first >= 0 {
		return errs[first]
	}
	return ctx.Err()
}
