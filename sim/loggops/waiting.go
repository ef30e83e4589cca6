package loggops

// waitHeap is what waits, the lowest order first: the order in the high half, what it
// is in the low one.
type waitHeap []uint64

func (h waitHeap) order() uint32 { return uint32(h[0] >> 32) }

func (h *waitHeap) push(order, id uint32) {
	*h = append(*h, uint64(order)<<32|uint64(id))
	heap := *h
	for i := len(heap) - 1; i > 0; {
		up := (i - 1) / 2
		if heap[up] <= heap[i] {
			return
		}
		heap[up], heap[i] = heap[i], heap[up]
		i = up
	}
}

func (h *waitHeap) pop() uint32 {
	heap := *h
	first, last := heap[0], len(heap)-1
	heap[0] = heap[last]
	heap = heap[:last]
	*h = heap
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(heap) {
			break
		}
		if down+1 < len(heap) && heap[down+1] < heap[down] {
			down++
		}
		if heap[i] <= heap[down] {
			break
		}
		heap[i], heap[down] = heap[down], heap[i]
		i = down
	}
	return uint32(first)
}
