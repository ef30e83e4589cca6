package stock

import (
	"container/heap"
	"math"
	"slices"
)

// price is what a unit of flow costs: purchases without a price, money, length. They are compared in this order.
type price [3]int64

func (p price) plus(q price) price  { return price{p[0] + q[0], p[1] + q[1], p[2] + q[2]} }
func (p price) minus(q price) price { return price{p[0] - q[0], p[1] - q[1], p[2] - q[2]} }
func (p price) less(q price) bool   { return slices.Compare(p[:], q[:]) < 0 }

// worse reports whether a path costs more than it saves; its length does not count.
func (p price) worse() bool { return p[0] > 0 || p[0] == 0 && p[1] > 0 }

// network is a graph of arcs with capacities and prices. Arc i and i^1 are one and its reverse. At first every arc
// leads from a node to one of a higher number.
//
// Arcs to the sink are apart: a node's cheaper ones come first, and as nothing comes back from the sink, one that is
// full is never looked at again.
type network struct {
	out   [][]int32 // arcs of every node but those to the sink
	final [][]int32 // arcs to the sink, the cheapest first
	next  []int32   // of final: the first that is not full
	to    []int32
	left  []int64 // capacity
	price []price

	potential []price
	reached   []bool
	distance  []price
	via       []int32 // arc by which a node is reached
	queue     queue
}

func newNetwork(nodes int) network {
	return network{
		out: make([][]int32, nodes), final: make([][]int32, nodes), next: make([]int32, nodes),
		potential: make([]price, nodes), reached: make([]bool, nodes),
		distance: make([]price, nodes), via: make([]int32, nodes),
	}
}

// add adds an arc and returns its number.
func (n *network) add(from, to int32, capacity int64, p price) int32 {
	arc := n.arc(from, to, capacity, p)
	n.out[from] = append(n.out[from], arc)
	n.out[to] = append(n.out[to], arc+1)
	return arc
}

// end adds an arc to the sink, which costs no less than those that the node has.
func (n *network) end(from, sink int32, capacity int64, p price) {
	n.final[from] = append(n.final[from], n.arc(from, sink, capacity, p))
}

func (n *network) arc(from, to int32, capacity int64, p price) int32 {
	arc := int32(len(n.to))
	n.to = append(n.to, to, from)
	n.left = append(n.left, capacity, 0)
	n.price = append(n.price, p, price{}.minus(p))
	return arc
}

// open is the cheapest arc to the sink that is not full, -1 for none.
func (n *network) open(node int32) int32 {
	final := n.final[node]
	for int(n.next[node]) < len(final) && n.left[final[n.next[node]]] == 0 {
		n.next[node]++
	}
	if int(n.next[node]) == len(final) {
		return -1
	}
	return final[n.next[node]]
}

// flow is what runs over an arc.
func (n *network) flow(arc int32) int64 { return n.left[arc^1] }

// maximise sends units from source to sink, the cheapest first, until another one would cost more than it saves.
func (n *network) maximise(source, sink int32) {
	n.begin(source)
	for n.search(source, sink) {
		for v := range n.potential {
			if n.reached[v] && n.distance[v].less(n.distance[sink]) {
				n.potential[v] = n.potential[v].plus(n.distance[v])
			} else {
				n.potential[v] = n.potential[v].plus(n.distance[sink])
			}
		}
		if n.potential[sink].minus(n.potential[source]).worse() {
			return
		}
		units := int64(math.MaxInt64)
		for v := sink; v != source; v = n.to[n.via[v]^1] {
			units = min(units, n.left[n.via[v]])
		}
		for v := sink; v != source; v = n.to[n.via[v]^1] {
			n.left[n.via[v]] -= units
			if back := n.via[v] ^ 1; n.left[back] <= math.MaxInt64-units {
				n.left[back] += units
			}
		}
	}
}

// begin finds potentials under which no arc has a negative price: the cheapest ways from the source, in the order of
// the nodes, as no arc leads back yet. Nodes that it does not reach are never reached.
func (n *network) begin(source int32) {
	n.reached[source] = true
	for v := range n.out {
		if !n.reached[v] {
			continue
		}
		n.each(int32(v), func(arc int32) {
			to := n.to[arc]
			if p := n.potential[v].plus(n.price[arc]); !n.reached[to] || p.less(n.potential[to]) {
				n.potential[to], n.reached[to] = p, true
			}
		})
	}
}

// each visits the arcs of a node that are not full, of those to the sink the cheapest only.
func (n *network) each(node int32, visit func(arc int32)) {
	for _, arc := range n.out[node] {
		if n.left[arc] > 0 {
			visit(arc)
		}
	}
	if arc := n.open(node); arc >= 0 {
		visit(arc)
	}
}

// search finds the cheapest way to the sink by Dijkstra's algorithm over reduced prices. It reports whether there is
// one.
func (n *network) search(source, sink int32) bool {
	clear(n.reached)
	n.queue = append(n.queue[:0], entry{node: source})
	n.reached[source], n.distance[source] = true, price{}
	for len(n.queue) > 0 {
		e := heap.Pop(&n.queue).(entry)
		v := e.node
		if n.distance[v].less(e.distance) {
			continue
		}
		if v == sink {
			return true
		}
		n.each(v, func(arc int32) {
			to := n.to[arc]
			d := e.distance.plus(n.price[arc]).plus(n.potential[v]).minus(n.potential[to])
			if !n.reached[to] || d.less(n.distance[to]) {
				n.reached[to], n.distance[to], n.via[to] = true, d, arc
				heap.Push(&n.queue, entry{to, d})
			}
		})
	}
	return false
}

// entry is a node with a distance at which it was reached.
type entry struct {
	node     int32
	distance price
}

// queue is a heap of entries, the nearest first, of equally near ones the one of the lower number.
type queue []entry

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	if q[i].distance != q[j].distance {
		return q[i].distance.less(q[j].distance)
	}
	return q[i].node < q[j].node
}

func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(entry)) }

func (q *queue) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	*q = (*q)[:last]
	return e
}
