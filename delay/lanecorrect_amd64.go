package delay

// laneCorrector finds the fastest paths with any number of hops from several sources at once, starting from the keys of
// the fastest hop-minimal paths. A row in which an arc leads to a vertex sooner is put into a queue; processing it puts
// the adjacent rows whose keys it lowers into the queue, until that is empty (R. Bellman, "On a routing problem",
// Quarterly of Applied Mathematics 16, 1958).
type laneCorrector struct {
	*lattice
	keys    []lane // of all vertices; correct lowers them to those of the fastest paths
	queue   []int  // first vertices of the rows to process
	waits   []bool // by row: whether it is in the queue
	saved   []int  // by row: index in old of its keys before the change; -1 for rows that have not changed
	old     []lane
	changed []int // first vertices of the rows that have changed
	column  int   // of the first source
}

func newLaneCorrector(l *lattice, keys []lane) *laneCorrector {
	rows := len(keys) / l.dims[0]
	c := &laneCorrector{lattice: l, keys: keys, waits: make([]bool, rows), saved: make([]int, rows)}
	for i := range c.saved {
		c.saved[i] = -1
	}
	return c
}

// correct lowers the keys, starting from the rows (sooner) in which an arc leads to a vertex sooner, and replaces the
// delays of the fastest hop-minimal paths in rows by those of the fastest paths. times is the number of sources that
// each lane stands for, 0 for unused lanes.
func (c *laneCorrector) correct(n *network, column int, sooner []int, rows *[lanes]row, times *lane) {
	width := c.dims[0]
	for _, start := range c.changed {
		c.saved[start/width] = -1
	}
	c.column, c.old, c.changed = column, c.old[:0], c.changed[:0]
	for _, start := range sooner {
		c.wait(start)
	}
	for i := 0; i < len(c.queue); i++ {
		start := c.queue[i]
		c.waits[start/width] = false
		c.goOn(start)
	}
	c.queue = c.queue[:0]
	for b := range rows {
		if times[b] > 0 {
			c.record(n, &rows[b], b)
		}
	}
}

// wait puts a row into the queue.
func (c *laneCorrector) wait(start int) {
	if row := start / c.dims[0]; !c.waits[row] {
		c.waits[row] = true
		c.queue = append(c.queue, start)
	}
}

// goOn processes a row: it lowers keys along the row, then those of the adjacent rows.
func (c *laneCorrector) goOn(start int) {
	width := c.dims[0]
	row := &c.keys[start]
	links := c.wideAt(0, start, c.column)
	if aroundAVX512(row, links, width) {
		c.save(start)
		for alongAVX512(row, links, width) {
			continue
		}
	}
	for d := 1; d < len(c.dims); d++ {
		x, side, stride := c.coordinate(start, d), c.dims[d], c.strides[d]
		if x+1 < side || c.wraps[d] {
			c.lead(start, start+((x+1)%side-x)*stride, c.wideAt(d, start, c.column))
		}
		if x > 0 || c.wraps[d] {
			to := start + ((x+side-1)%side-x)*stride
			c.lead(start, to, c.wideAt(d, to, c.column))
		}
	}
}

// lead lowers the keys of a row that an adjacent row reaches sooner, and puts it into the queue if there are any.
func (c *laneCorrector) lead(start, to int, links *uint64) {
	width := c.dims[0]
	if !leadsAVX512(&c.keys[start], &c.keys[to], links, width) {
		return
	}
	c.save(to)
	lowerAVX512(&c.keys[start], &c.keys[to], links, width)
	c.wait(to)
}

// save copies the keys of a row before its first change.
func (c *laneCorrector) save(start int) {
	width := c.dims[0]
	if row := start / width; c.saved[row] < 0 {
		c.saved[row] = len(c.old)
		c.old = append(c.old, c.keys[start:start+width]...)
		c.changed = append(c.changed, start)
	}
}

// record replaces the fastest hop-minimal paths from the source of lane b in its row of results by the fastest paths.
func (c *laneCorrector) record(n *network, r *row, b int) {
	width := c.dims[0]
	most, lowered := r.peaks, false
	for _, start := range c.changed {
		old := c.old[c.saved[start/width]:]
		for x := range width {
			if key := c.keys[start+x][b]; key != old[x][b] {
				lowered = n.replace(r, &most, n.at(0), old[x][b], key) || lowered // all places are alike
			}
		}
	}
	if !lowered { // the maxima are the old ones, or those of longer paths that are faster
		return
	}
	r.peaks.fast, r.peaks.reach = 0, 0
	for i := range c.keys {
		time, length := n.split(c.keys[i][b])
		r.raise(peaks{fast: time, reach: length})
	}
}
