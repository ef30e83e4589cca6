package mapping

// positions tells where the vertices of a grid stand. Every vertex has the
// positions of its neighbours side by side, so that what a step costs is told by a
// look at a few words of memory; a vertex that moves says so to its neighbours.
type positions struct {
	first []int64  // of the graph
	at    []uint16 // column and row << 8 of each vertex
	lists []neighbourList
	near  []uint16 // positions of neighbours, list by list, each filled up with 0
	// slots tells, for every arc from a vertex, where in near its other end keeps
	// the position of the vertex.
	slots []int32
}

// neighbourList is where the positions of the neighbours of a vertex are.
type neighbourList struct {
	first   int32
	length  int16 // a multiple of listWord
	filling int16 // what was filled up
}

// listWord is the positions that the kernel takes at a time.
const listWord = 8

// newPositions lists neighbours for an instance on a grid.
func newPositions(t *instance, place []int32) *positions {
	n := t.g.Vertices()
	q := &positions{
		first: t.g.First, at: make([]uint16, n), lists: make([]neighbourList, n), slots: make([]int32, len(t.g.To)),
	}
	size := 0
	for v := range int32(n) {
		degree := int(t.g.degree(v))
		length := (degree + listWord - 1) / listWord * listWord
		q.lists[v] = neighbourList{int32(size), int16(length), int16(length - degree)}
		size += length
	}
	q.near = make([]uint16, size)
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

// of is where v stands.
func (q *positions) of(v int32) (x, y int) {
	at := q.at[v]
	return int(at & 0xff), int(at >> 8)
}

// put takes v to a column and row.
func (q *positions) put(v int32, x, y int) {
	at := uint16(x | y<<8)
	q.at[v] = at
	near := q.near
	for _, i := range q.slots[q.first[v]:q.first[v+1]] {
		near[i] = at
	}
}

// delta is how much the edges of v grow in all if it goes from column ax and row ay
// to column bx and row by and, unless u is negative, those of u if it goes back.
func (q *positions) delta(v, u int32, ax, ay, bx, by int) int {
	l := q.lists[v]
	var nearU []uint16
	filling := -int(l.filling)
	if u >= 0 {
		m := q.lists[u]
		nearU, filling = q.near[m.first:m.first+int32(m.length)], filling+int(m.filling)
	}
	d := distances(q.near[l.first:l.first+int32(l.length)], nearU, uint16(ax|ay<<8), uint16(bx|by<<8))
	return d + filling*(bx+by-ax-ay)
}
