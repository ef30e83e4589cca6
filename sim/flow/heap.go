package flow

import "container/heap"

// heapOf is numbers with times, as a heap in which each knows its place.
type heapOf struct {
	heap []int32
	at   []int32 // place of each number, -1
	time []int64
}

// first is the number of the earliest time, of several the lowest; -1 if there is none.
func (e *heapOf) first() int32 {
	if len(e.heap) == 0 {
		return -1
	}
	return e.heap[0]
}

// Len implements heap.Interface.
func (e *heapOf) Len() int { return len(e.heap) }

// Less implements heap.Interface.
func (e *heapOf) Less(i, j int) bool {
	a, b := e.heap[i], e.heap[j]
	return e.time[a] < e.time[b] || e.time[a] == e.time[b] && a < b
}

// Swap implements heap.Interface.
func (e *heapOf) Swap(i, j int) {
	e.heap[i], e.heap[j] = e.heap[j], e.heap[i]
	e.at[e.heap[i]], e.at[e.heap[j]] = int32(i), int32(j)
}

// Push implements heap.Interface.
func (e *heapOf) Push(x any) {
	e.at[x.(int32)] = int32(len(e.heap))
	e.heap = append(e.heap, x.(int32))
}

// Pop implements heap.Interface.
func (e *heapOf) Pop() any {
	last := len(e.heap) - 1
	t := e.heap[last]
	e.heap = e.heap[:last]
	e.at[t] = -1
	return t
}

// set gives a number another time.
func (e *heapOf) set(t int32, time int64) {
	for int(t) >= len(e.at) {
		e.at, e.time = append(e.at, -1), append(e.time, 0)
	}
	e.time[t] = time
	if e.at[t] < 0 {
		heap.Push(e, t)
	} else {
		heap.Fix(e, int(e.at[t]))
	}
}

// remove takes a number out, if it is in.
func (e *heapOf) remove(t int32) {
	if int(t) < len(e.at) && e.at[t] >= 0 {
		heap.Remove(e, int(e.at[t]))
	}
}
