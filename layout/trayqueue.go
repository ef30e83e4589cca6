package layout

import "github.com/plenum-planner/plenum/units"

// reached is a junction with its distance from the start, or with its price.
type reached[T units.Length | int64] struct {
	at   int32
	cost T
}

// before reports whether r comes before o in a queue.
func (r reached[T]) before(o reached[T]) bool {
	return r.cost < o.cost || r.cost == o.cost && r.at < o.at
}

// junctionQueue is a heap of junctions: the first is the nearest one and, of equally near ones, the one with the lowest
// number. It does not use package container/heap, whose conversions to an interface would take most of the time of a
// search.
type junctionQueue[T units.Length | int64] []reached[T]

// push adds a junction.
func (q *junctionQueue[T]) push(x reached[T]) {
	h := append(*q, x)
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !x.before(h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = x
	*q = h
}

// pop removes the first junction. The queue must not be empty.
func (q *junctionQueue[T]) pop() reached[T] {
	h := *q
	first, x := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	i := 0
	for 2*i+1 < len(h) {
		child := 2*i + 1
		if child+1 < len(h) && h[child+1].before(h[child]) {
			child++
		}
		if !h[child].before(x) {
			break
		}
		h[i] = h[child]
		i = child
	}
	if len(h) > 0 {
		h[i] = x
	}
	*q = h
	return first
}
