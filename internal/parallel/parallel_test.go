package parallel

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

func TestEveryTaskIsDoneOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		done := make([]atomic.Int32, n)
		err := Each(t.Context(), n, func(_ context.Context, i int) error {
			done[i].Add(1)
			return nil
		})
		if err != nil {
			t.Errorf("%d tasks: %v", n, err)
		}
		for i := range done {
			if k := done[i].Load(); k != 1 {
				t.Errorf("task %d of %d was done %d times", i, n, k)
			}
		}
	}
}

func TestAWorkerDoesOneTaskAtATime(t *testing.T) {
	workers := []*struct{ busy, sum int }{{}, {}, {}}
	err := With(t.Context(), workers, 500, func(_ context.Context, w *struct{ busy, sum int }, i int) error {
		w.busy++
		if w.busy != 1 {
			t.Errorf("a worker has %d tasks", w.busy)
		}
		runtime.Gosched()
		w.sum += i
		w.busy--
		return nil
	})
	if sum := workers[0].sum + workers[1].sum + workers[2].sum; err != nil || sum != 500*499/2 {
		t.Errorf("the sum is %d, %v", sum, err)
	}
}

func TestTheLowestTaskThatFailedIsTold(t *testing.T) {
	const workers = 4
	both := make(chan struct{}, workers) // tasks 1 and 3 fail only when both have begun
	var begun atomic.Int32
	err := With(t.Context(), make([]struct{}, workers), 100, func(ctx context.Context, _ struct{}, i int) error {
		if i != 1 && i != 3 {
			<-ctx.Done()
			return fmt.Errorf("task %d: %w", i, ctx.Err())
		}
		if begun.Add(1) == 2 {
			close(both)
		}
		<-both
		return fmt.Errorf("task %d", i)
	})
	// Either may end the other's context first, but neither asks for it.
	if err == nil || err.Error() != "task 1" {
		t.Errorf("the error is %v", err)
	}
}

func TestNothingBeginsOnceTheContextHasEnded(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var done atomic.Int32
	err := Each(ctx, 1000, func(context.Context, int) error {
		if done.Add(1) == 10 {
			stop()
		}
		return nil
	})
	if n := int(done.Load()); !errors.Is(err, context.Canceled) || n > 10+runtime.GOMAXPROCS(0) {
		t.Errorf("%d tasks were done, %v", n, err)
	}
}

// A task that panics has the caller panic, who can recover from it.
func TestPanicsReachTheCaller(t *testing.T) {
	defer func() {
		f, ok := recover().(*Fault)
		if !ok || f.Value != "a fault" || !strings.Contains(f.Error(), "parallel_test.go") {
			t.Errorf("%v", f)
		}
	}()
	err := Each(t.Context(), 100, func(_ context.Context, task int) error {
		if task == 50 {
			panic("a fault")
		}
		return nil
	})
	t.Errorf("no panic, but %v", err)
}
