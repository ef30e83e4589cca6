// Package memo keeps results that take long to compute by what they are computed from.
package memo

import (
	"container/list"
	"context"
	"sync"
)

// A Memo keeps values by their keys up to a total weight, and drops those that were asked for longest ago first. Any
// number of goroutines may use one.
type Memo[K comparable, V any] struct {
	most int64

	mu     sync.Mutex
	weight int64
	used   list.List // of *entry, the last used first
	kept   map[K]*list.Element
	begun  map[K]chan struct{} // closed when the computation ends
}

type entry[K comparable, V any] struct {
	key    K
	value  V
	weight int64
}

// New returns a memo that keeps values of at most so much weight.
func New[K comparable, V any](most int64) *Memo[K, V] {
	return &Memo[K, V]{most: most, kept: map[K]*list.Element{}, begun: map[K]chan struct{}{}}
}

// Get returns the value of a key, which fresh computes if it is not kept, with its weight in the same unit as that of
// New. A weight below 0 keeps a value from being kept. While one goroutine computes the value of a key, others that ask
// for it wait; if it fails or its value is not kept, each of them computes its own. The error is that of fresh, or that
// of ctx.
func (m *Memo[K, V]) Get(ctx context.Context, key K, fresh func() (V, int64, error)) (V, error) {
	for {
		m.mu.Lock()
		if e, ok := m.kept[key]; ok {
			m.used.MoveToFront(e)
			m.mu.Unlock()
			return e.Value.(*entry[K, V]).value, nil
		}
		other, computing := m.begun[key]
		if !computing {
			break
		}
		m.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			var none V
			return none, context.Cause(ctx)
		}
	}
	done := make(chan struct{})
	m.begun[key] = done
	m.mu.Unlock()
	weight := int64(-1) // if fresh panics
	var value V
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.begun, key)
		close(done)
		m.keep(key, value, weight)
	}()
	value, own, err := fresh()
	if err == nil {
		weight = own
	}
	return value, err
}

// keep adds a value and drops others until all have room. One that is too heavy by itself is not kept.
func (m *Memo[K, V]) keep(key K, value V, weight int64) {
	if weight < 0 || weight > m.most {
		return
	}
	m.kept[key] = m.used.PushFront(&entry[K, V]{key, value, weight})
	m.weight += weight
	for m.weight > m.most {
		oldest := m.used.Back()
		e := m.used.Remove(oldest).(*entry[K, V])
		delete(m.kept, e.key)
		m.weight -= e.weight
	}
}
