package serve

import (
	"context"
	"time"
)

// outcome is what a call has returned, or the value of its panic.
type outcome[T any] struct {
	value    T
	err      error
	panicked any
}

func (o outcome[T]) result() (T, bool, error) {
	if o.panicked != nil {
		panic(o.panicked)
	}
	return o.value, false, o.err
}

// callBounded calls a function that reads or writes files, which may hang. If the function has not returned so long
// after the context has ended, it is left behind, and the error is why the context has ended.
func callBounded[T any](
	ctx context.Context, patience time.Duration, do func(context.Context) (T, error),
) (value T, left bool, err error) {
	ended := make(chan outcome[T], 1)
	go func() {
		var o outcome[T]
		defer func() {
			o.panicked = recover()
			ended <- o
		}()
		o.value, o.err = do(ctx)
	}()
	select {
	case o := <-ended:
		return o.result()
	case <-ctx.Done():
	}
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case o := <-ended:
		return o.result()
	case <-late.C:
	}
	select { // it may have ended at the same time
	case o := <-ended:
		return o.result()
	default:
		return value, true, context.Cause(ctx)
	}
}
