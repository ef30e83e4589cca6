package memo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"
)

// A memo returns what is computed anew, and computes what a plain list of the last used values does not have.
func TestMemoIsAListOfTheLastUsed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most = 10
		m := New[int, string](most)
		weightOf := func(key int) int64 { return int64(key%5) - 1 } // of key 0 below 0
		var used []int                                              // the last used first
		for range rapid.IntRange(1, 60).Draw(t, "calls") {
			key := rapid.IntRange(0, 12).Draw(t, "key")
			computed := false
			got, err := m.Get(context.Background(), key, func() (string, int64, error) {
				computed = true
				return fmt.Sprint(key), weightOf(key), nil
			})
			if got != fmt.Sprint(key) || err != nil {
				t.Fatalf("%d is %q, %v", key, got, err)
			}
			at := slices.Index(used, key)
			if computed != (at < 0) {
				t.Fatalf("%d is computed: %v, last used are %v", key, computed, used)
			}
			if at >= 0 {
				used = slices.Delete(used, at, at+1)
			}
			if weightOf(key) < 0 {
				continue
			}
			used = slices.Insert(used, 0, key)
			total := int64(0)
			for i, k := range used {
				if total += weightOf(k); total > most {
					used = used[:i]
					break
				}
			}
		}
	})
}

// Those who ask for a value while it is computed wait for it; a failure is not kept.
func TestMemoComputesOnce(t *testing.T) {
	m := New[int, int](100)
	var computed atomic.Int64
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			got, err := m.Get(context.Background(), 1, func() (int, int64, error) {
				if computed.Add(1) == 1 {
					return 0, 1, errors.New("the first fails")
				}
				return 7, 1, nil
			})
			if err == nil && got != 7 {
				t.Errorf("%d", got)
			}
		})
	}
	all.Wait()
	if n := computed.Load(); n != 2 {
		t.Errorf("computed %d times", n)
	}
}

// Who waits for another goroutine is ended by its own context.
func TestMemoWaitsNoLongerThanItsContext(t *testing.T) {
	m := New[int, int](100)
	begun, end := make(chan struct{}), make(chan struct{})
	var other sync.WaitGroup
	other.Go(func() {
		_, _ = m.Get(context.Background(), 1, func() (int, int64, error) {
			close(begun)
			<-end
			return 1, 1, nil
		})
	})
	<-begun
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Get(ctx, 1, func() (int, int64, error) { return 2, 1, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	close(end)
	other.Wait()
}

// A panic goes on to its caller, and others compute the value.
func TestMemoAfterAPanic(t *testing.T) {
	m := New[int, int](100)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		_, _ = m.Get(context.Background(), 1, func() (int, int64, error) { panic("a fault") })
	}()
	got, err := m.Get(context.Background(), 1, func() (int, int64, error) { return 3, 1, nil })
	if got != 3 || err != nil {
		t.Errorf("%d, %v", got, err)
	}
}
