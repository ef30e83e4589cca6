package packet

import (
	"sync"
	"sync/atomic"
	"time"
)

// A turn is the cycle that a crew is at. Each of its workers plays an engine of its own, which is in the caches of its
// core, and then what nobody has begun to play: where other programs have taken the core of a worker, the others wait
// for what it is in the middle of, but not for it to come back. Workers that have nothing to do stay awake at first, as
// cycles are short and to be woken takes longer than many of them.
type turn struct {
	claims   []claim // by engine
	asleep   atomic.Int32
	sleeping sync.Mutex
	woken    sync.Cond
	_        [64]byte // what all write lies apart from what those who wait look at
	left     atomic.Int32
	_        [64]byte
	now      atomic.Int64
	_        [64]byte
}

// A claim is the cycle from which on nobody has begun to play an engine.
type claim struct {
	from atomic.Int64
	_    [56]byte
}

// awake is how long a worker looks before it sleeps: about twice what it takes to wake one up.
const awake = 200 * time.Microsecond

// start sets the cycle that is to be played first.
func (t *turn) start(now int64, engines int) {
	if t.claims == nil {
		t.claims = make([]claim, engines)
		t.woken.L = &t.sleeping
	}
	for k := range t.claims {
		t.claims[k].from.Store(now)
	}
	t.left.Store(int32(engines))
	t.now.Store(now)
}

// claim reports whether it is for the caller to play an engine in a cycle.
func (t *turn) claim(engine int, now int64) bool {
	return t.claims[engine].from.CompareAndSwap(now, now+1)
}

// isLast notes that an engine has been played, and reports whether all have.
func (t *turn) isLast() bool { return t.left.Add(-1) == 0 }

// next lets a cycle begin.
func (t *turn) next(now int64) {
	t.left.Store(int32(len(t.claims)))
	t.now.Store(now)
	if t.asleep.Load() > 0 {
		t.sleeping.Lock() // who has seen the cycle before under it waits by now
		t.woken.Broadcast()
		t.sleeping.Unlock()
	}
}

// wait returns the next cycle when it has begun.
func (t *turn) wait(now int64) int64 {
	for start := time.Now(); time.Since(start) < awake; {
		for range 256 {
			if at := t.now.Load(); at != now {
				return at
			}
		}
	}
	t.asleep.Add(1)
	defer t.asleep.Add(-1)
	t.sleeping.Lock()
	defer t.sleeping.Unlock()
	for t.now.Load() == now {
		t.woken.Wait()
	}
	return t.now.Load()
}
