package packet

import "sync"

// counter counts what has been done and tells it, one at a time.
type counter struct {
	lock        sync.Mutex
	done, total int
	tell        func(done, total int)
}

func (c *counter) one() {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.done++
	if c.tell != nil {
		c.tell(c.done, c.total)
	}
}

// cycleCounter adds up the cycles of runs that go side by side, and those to come.
type cycleCounter struct {
	lock     sync.Mutex
	done, of []int64
	tell     func(cycles, of int64)
}

// newCycleCounter counts runs, each of which takes so many cycles at least.
func newCycleCounter(least []int64, tell func(cycles, of int64)) *cycleCounter {
	return &cycleCounter{done: make([]int64, len(least)), of: least, tell: tell}
}

// run receives the cycles of one of the runs; nil if nobody listens.
func (c *cycleCounter) run(i int) func(cycles, of int64) {
	if c.tell == nil {
		return nil
	}
	return func(cycles, of int64) {
		c.lock.Lock()
		defer c.lock.Unlock()
		c.done[i], c.of[i] = cycles, of
		var done, all int64
		for k := range c.done {
			done, all = done+c.done[k], all+c.of[k]
		}
		c.tell(done, all)
	}
}
