package cli

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// grace is how long work that was interrupted may take to end by itself.
const grace = time.Second

// Heard does work that does not look for interrupts all the time, or for none. A second after one it is given up, and
// the error is that of ctx: the work goes on beside until the process ends, so that it must write nothing.
func Heard(ctx context.Context, work func() error) error {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("panic: %v\n\n%s", p, debug.Stack())
			}
		}()
		done <- work()
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(grace):
		return ctx.Err()
	}
}
