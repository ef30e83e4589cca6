package loggops

import (
	"cmp"
	"container/heap"
	"math/bits"
	"slices"
)

// item is an event: at a time, and of those of the same time by its order.
type item struct {
	time  int64
	order uint32
	id    uint32 // what happens, see event
}

func compareOrder(a, b item) int { return cmp.Compare(a.order, b.order) }

// queue is a monotone priority queue: nothing is pushed before the time of what was
// popped last. Items stand in buckets by the highest byte in which their time differs
// from now, so that each moves at most once for each byte (R. Ahuja, K. Mehlhorn, J.
// Orlin and R. Tarjan, "Faster algorithms for the shortest path problem", J. ACM 37,
// 1990, section 2, with digits of eight bits).
type queue struct {
	now     int64
	current []item // at now, by order; those before at are done
	at      int
	late    orderHeap // at now as well: those pushed out of their order
	buckets [8][256][]item
	used    [8][4]uint64 // bits of the buckets that hold something
	free    [][]item     // memory of buckets that were emptied
	count   int
	// coming, if not nil, receives items some time before they are popped.
	coming func(items []item)
}

// orderHeap is items of one time.
type orderHeap []item

func (h orderHeap) Len() int           { return len(h) }
func (h orderHeap) Less(i, j int) bool { return h[i].order < h[j].order }
func (h orderHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *orderHeap) Push(x any)        { *h = append(*h, x.(item)) }
func (h *orderHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}

// push adds an item, not before now.
func (q *queue) push(x item) {
	q.count++
	q.put(x)
}

func (q *queue) put(x item) {
	differ := uint64(x.time ^ q.now)
	if differ == 0 {
		if n := len(q.current); n > q.at && q.current[n-1].order > x.order {
			heap.Push(&q.late, x)
			return
		}
		q.current = append(q.current, x)
		return
	}
	level := (bits.Len64(differ) - 1) >> 3
	digit := byte(x.time >> (8 * level))
	bucket := &q.buckets[level][digit]
	if *bucket == nil && len(q.free) > 0 {
		last := len(q.free) - 1
		*bucket, q.free = q.free[last], q.free[:last]
	}
	*bucket = append(*bucket, x)
	q.used[level][digit>>6] |= 1 << (digit & 63)
}

// pop takes the first item; the queue must not be empty.
func (q *queue) pop() item {
	q.count--
	if q.at == len(q.current) && len(q.late) == 0 {
		q.advance()
	}
	if len(q.late) > 0 && (q.at == len(q.current) || q.late[0].order < q.current[q.at].order) {
		return heap.Pop(&q.late).(item)
	}
	x := q.current[q.at]
	q.at++
	return x
}

// advance moves now to the next time at which there is something.
func (q *queue) advance() {
	q.current, q.at = q.current[:0], 0
	level, digit := q.earliest()
	bucket := q.buckets[level][digit]
	q.buckets[level][digit] = nil
	q.used[level][digit>>6] &^= 1 << (digit & 63)
	if level == 0 {
		q.now = bucket[0].time
		if cap(q.current) > 0 {
			q.free = append(q.free, q.current)
		}
		q.current = bucket
	} else {
		if q.coming != nil && level <= 2 {
			q.coming(bucket)
		}
		q.now = bucket[0].time
		for _, x := range bucket {
			q.now = min(q.now, x.time)
		}
		for _, x := range bucket {
			if x.time == q.now {
				q.current = append(q.current, x) // sorted below
			} else {
				q.put(x)
			}
		}
		q.free = append(q.free, bucket[:0])
	}
	if !slices.IsSortedFunc(q.current, compareOrder) {
		slices.SortFunc(q.current, compareOrder)
	}
}

// earliest is the bucket of the earliest times.
func (q *queue) earliest() (level, digit int) {
	for level := range q.used {
		for word, set := range q.used[level] {
			if set != 0 {
				return level, word<<6 + bits.TrailingZeros64(set)
			}
		}
	}
	panic("loggops: the queue is empty")
}
