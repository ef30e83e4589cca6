package delay

// laneCorrector finds the fastest paths with any number of hops from up to `lanes` sources at once, starting from the
// fastest hop-minimal paths. It works on a lattice whose rows, the vertices that differ in the first coordinate only,
// are rings. The sources are in one row, less than `lanes` columns apart. The key of a path is its delay and, in the
// low lenBits bits, its length: the lower key is the faster path. A lane holds one key for each source.
//
// Rows are named by their first vertex. A row of keys begins with the column of the source: keys[row+x][b] is the key
// of the vertex of that row in column (column + b + x) modulo the width, from the source in column + b.
//
// Rows with an arc that leads to a lower key are put into a queue. Processing a row puts the adjacent rows whose keys
// it lowers into the queue, until that is empty (R. Bellman, "On a routing problem", Quarterly of Applied Mathematics
// 16, 1958).
type laneCorrector struct {
	*lattice
	keys    []lane // of all vertices; correct lowers them to those of the fastest paths
	queue   []int  // rows to process
	waits   []bool // by index of the row: whether it is in the queue
	saved   []int  // by index of the row: where its keys before the first change begin in old; -1 if unchanged
	old     []lane
	changed []int // rows that have changed since correct began
	column  int   // first coordinate of the source of lane 0
}

// newLaneCorrector returns a corrector that lowers keys in place. The caller sets keys before each call of correct.
func newLaneCorrector(l *lattice, keys []lane) *laneCorrector {
	rows := len(keys) / l.dims[0]
	c := &laneCorrector{lattice: l, keys: keys, waits: make([]bool, rows), saved: make([]int, rows)}
	for i := range c.saved {
		c.saved[i] = -1
	}
	return c
}

// correct lowers the keys from those of the fastest hop-minimal paths to those of the fastest paths, and changes the
// results of every source accordingly (see record). column is the column of the source of lane 0. start has the rows
// from which, or in which, some arc leads to a lower key. times is the number of sources that each lane stands for; the
// results of lanes with 0 stay.
func (c *laneCorrector) correct(n *network, column int, start []int, results *[lanes]row, times *lane) {
	width := c.dims[0]
	for _, row := range c.changed {
		c.saved[row/width] = -1
	}
	c.column, c.old, c.changed = column, c.old[:0], c.changed[:0]
	for _, row := range start {
		c.enqueue(row)
	}
	for i := 0; i < len(c.queue); i++ {
		row := c.queue[i]
		c.waits[row/width] = false
		c.process(row)
	}
	c.queue = c.queue[:0]
	for b := range results {
		if times[b] > 0 {
			c.record(n, &results[b], b)
		}
	}
}

// enqueue puts a row into the queue, unless it is there.
func (c *laneCorrector) enqueue(row int) {
	if i := row / c.dims[0]; !c.waits[i] {
		c.waits[i] = true
		c.queue = append(c.queue, row)
	}
}

// process lowers the keys of a row by the arcs along it, until none can be lowered, then those of the adjacent rows.
func (c *laneCorrector) process(row int) {
	width := c.dims[0]
	keys := &c.keys[row]
	links := c.wideAt(0, row, c.column)
	if aroundAVX512(keys, links, width) {
		c.save(row)
		for alongAVX512(keys, links, width) {
			continue
		}
	}
	for d := 1; d < len(c.dims); d++ {
		x, side, stride := c.coordinate(row, d), c.dims[d], c.strides[d]
		if x+1 < side || c.wraps[d] {
			c.lowerAdjacent(row, row+((x+1)%side-x)*stride, c.wideAt(d, row, c.column))
		}
		if x > 0 || c.wraps[d] {
			to := row + ((x+side-1)%side-x)*stride
			c.lowerAdjacent(row, to, c.wideAt(d, to, c.column))
		}
	}
}

// lowerAdjacent lowers the keys of row `to` where the arcs from the adjacent row `from` lead to lower ones, and puts
// `to` into the queue if any is lower. links has the keys of the links between the rows, from the column of lane 0's
// source on.
func (c *laneCorrector) lowerAdjacent(from, to int, links *uint64) {
	width := c.dims[0]
	if !leadsAVX512(&c.keys[from], &c.keys[to], links, width) {
		return
	}
	c.save(to)
	lowerAVX512(&c.keys[from], &c.keys[to], links, width)
	c.enqueue(to)
}

// save copies the keys of a row before its first change.
func (c *laneCorrector) save(row int) {
	width := c.dims[0]
	if i := row / width; c.saved[i] < 0 {
		c.saved[i] = len(c.old)
		c.old = append(c.old, c.keys[row:row+width]...)
		c.changed = append(c.changed, row)
	}
}

// record replaces, in the results r of the source of lane b, the delays and lengths of the fastest hop-minimal paths by
// those of the fastest paths (sums.fast, sums.reach and their maxima), and adds the faster ones to detours.
func (c *laneCorrector) record(n *network, r *row, b int) {
	width := c.dims[0]
	most, lowered := r.peaks, false
	for _, row := range c.changed {
		old := c.old[c.saved[row/width]:]
		for x := range width {
			if key := c.keys[row+x][b]; key != old[x][b] {
				// Every vertex of a lattice is one node, so that the place of vertex 0 does for all.
				lowered = n.replace(r, &most, n.at(0), old[x][b], key) || lowered
			}
		}
	}
	// Unless a vertex with a maximum has a lower key now, the maxima are the old ones, or greater lengths of faster
	// paths, which replace has already noted.
	if !lowered {
		return
	}
	r.peaks.fast, r.peaks.reach = 0, 0
	for i := range c.keys {
		time, length := n.split(c.keys[i][b])
		r.raise(peaks{fast: time, reach: length})
	}
}
