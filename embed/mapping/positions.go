package mapping

import "unsafe"

// positions tells where the vertices of a grid stand. Every vertex has the
// positions of its neighbours side by side, so that the cost of a step follows from a
// look at a few words of memory; a vertex that moves says so to its neighbours.
type positions struct {
	first []int64  // of the graph
	at    []uint16 // column and row << 8 of each vertex
	lists []neighbourList
	near  []uint16 // positions of neighbours, list by list, each filled up with 0
	// cacheLines tells that every list has a cache line for itself, and that all are of as many neighbours.
	cacheLines bool
	// slots tells, for every arc from a vertex, where in near its other end keeps
	// the position of the vertex.
	slots []int32
}

// neighbourList is where the positions of the neighbours of a vertex are.
type neighbourList struct {
	first   int32
	length  int16 // a multiple of listWord
	filling int16 // number of elements at the end that only fill the list up
}

const (
	listWord  = 8  // the positions that the kernel takes at a time
	cacheLine = 32 // those that the kernel of lists in cache lines takes
)

// newPositions lists neighbours for an instance on a grid.
func newPositions(t *instance, place []int32) *positions {
	n := t.g.Vertices()
	q := &positions{
		first: t.g.First, at: make([]uint16, n), lists: make([]neighbourList, n), slots: make([]int32, len(t.g.To)),
	}
	q.cacheLines = hasCacheLineKernel && t.g.fillsCacheLines()
	word := listWord
	if q.cacheLines {
		word = cacheLine
	}
	size := 0
	for v := range int32(n) {
		degree := int(t.g.degree(v))
		length := (degree + word - 1) / word * word
		q.lists[v] = neighbourList{int32(size), int16(length), int16(length - degree)}
		size += length
	}
	q.near = onCacheLine(size)
	listed := make([]int32, n)
	for k, u := range t.g.To {
		q.slots[k] = q.lists[u].first + listed[u]
		listed[u]++
	}
	for v, p := range place {
		at := t.costs.at[p]
		q.put(int32(v), int(at.x), int(at.y))
	}
	return q
}

// fillsCacheLines reports whether all vertices have as many neighbours, which fill more than half of a cache line and
// fit one. Lists of fewer take less memory one behind the other.
func (g *Graph) fillsCacheLines() bool {
	if g.Vertices() == 0 {
		return false
	}
	degree := g.degree(0)
	for v := range int32(g.Vertices()) {
		if g.degree(v) != degree {
			return false
		}
	}
	return degree > cacheLine/2 && degree <= cacheLine
}

// onCacheLine makes a list of n positions that begins with a cache line.
func onCacheLine(n int) []uint16 {
	list := make([]uint16, n+cacheLine-1)
	const bytes = 2 * cacheLine
	first := int(-uintptr(unsafe.Pointer(unsafe.SliceData(list)))%bytes) / 2
	return list[first : first+n : first+n]
}

// of returns the column and row of v.
func (q *positions) of(v int32) (x, y int) {
	at := q.at[v]
	return int(at & 0xff), int(at >> 8)
}

// put sets the position of v, also in the lists of its neighbours.
func (q *positions) put(v int32, x, y int) {
	at := uint16(x | y<<8)
	q.at[v] = at
	near := q.near
	for _, i := range q.slots[q.first[v]:q.first[v+1]] {
		near[i] = at
	}
}

// delta returns by how much the edges of v grow in all if v goes from column ax and row ay to column bx and row by,
// plus, unless u is negative, by how much those of u grow if u goes the other way. Each is computed as if the other
// vertex stayed: an edge between v and u, which keeps its length, is counted too low by twice the distance.
func (q *positions) delta(v, u int32, ax, ay, bx, by int) int {
	a, b := uint16(ax|ay<<8), uint16(bx|by<<8)
	if q.cacheLines && u >= 0 {
		return distancesInLine(&q.near[int(v)*cacheLine], &q.near[int(u)*cacheLine], a, b)
	}
	l := q.lists[v]
	var nearU []uint16
	filling := -int(l.filling)
	if u >= 0 {
		m := q.lists[u]
		nearU, filling = q.near[m.first:m.first+int32(m.length)], filling+int(m.filling)
	}
	d := distances(q.near[l.first:l.first+int32(l.length)], nearU, a, b)
	return d + filling*(bx+by-ax-ay)
}
