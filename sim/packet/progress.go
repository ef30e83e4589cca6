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
