package qap

import (
	"cmp"
	"math"
	"slices"
)

// model is an instance made ready: objects and locations are renumbered so that
// those of a class stand together and the classes of one, pins among them, come
// last; diagonals stand apart; and where one matrix is symmetric both are made
// so.
type model struct {
	n       int
	movable int // objects that can move: 0 to movable-1
	// begin and end hold the class of each object; the locations of the class
	// have the same range.
	begin, end []int

	// The cost is the sum of a[i][j] b[p(i)][p(j)] over i < j if symmetric and
	// over all i and j otherwise, and that of da[i] db[p(i)]. The diagonals of a
	// and b are 0.
	symmetric bool
	a, b      []int64
	da, db    []int64

	// fits32 says that the kernels for numbers of 32 bits will do.
	fits32 bool

	// narrow says that what exchanges cost fits 32 bits, and entries 16. a16 is matrix a then, in rows of stride16
	// numbers, as many as the objects that can move, rounded up to words; diagonals says that there are some in both.
	narrow    bool
	a16       []int16
	stride16  int
	diagonals bool

	// distancesFirst says that a rather holds the distances and b the flows. nearest
	// lists for each location, or else each object, those of its class that are
	// nearest, itself first.
	distancesFirst bool
	nearest        [][]int32

	object, location []int // what the numbers were before
}

func newModel(q *Instance) *model {
	n := q.N
	m := &model{
		n: n, begin: make([]int, n), end: make([]int, n),
		a: make([]int64, n*n), b: make([]int64, n*n), da: make([]int64, n), db: make([]int64, n),
	}
	m.number(q)
	symmetricA, symmetricB := symmetric(q.A, n), symmetric(q.B, n)
	m.symmetric = symmetricA || symmetricB
	fill := func(to, diagonal, from []int64, was []int, fold bool) {
		for i, wi := range was {
			for j, wj := range was {
				switch {
				case i == j:
					diagonal[i] = from[wi*n+wi]
				case fold:
					to[i*n+j] = from[wi*n+wj] + from[wj*n+wi]
				default:
					to[i*n+j] = from[wi*n+wj]
				}
			}
		}
	}
	fill(m.a, m.da, q.A, m.object, symmetricB && !symmetricA)
	fill(m.b, m.db, q.B, m.location, symmetricA)
	m.fits32 = hasAVX2 && largest(m.a) < 1<<29 && largest(m.b) < 1<<29
	if m.narrow = m.fitsNarrow(); m.narrow {
		m.shorten()
	}
	m.distancesFirst = variation(m.a) < variation(m.b)
	m.nearest = m.neighbours()
	return m
}

// shorten fills in the matrix of 16 bits.
func (m *model) shorten() {
	const line = 16
	m.stride16 = (m.n + line - 1) / line * line
	m.a16 = make([]int16, (m.movable+word-1)/word*word*m.stride16)
	for i := range m.movable {
		for k, v := range m.a[i*m.n : (i+1)*m.n] {
			m.a16[i*m.stride16+k] = int16(v)
		}
	}
	m.diagonals = largest(m.da) > 0 && largest(m.db) > 0
}

// sparse tells that steps change few costs: that three quarters of matrix a or more are 0.
func (m *model) sparse() bool {
	some := 0
	for _, v := range m.a {
		if v != 0 {
			some++
		}
	}
	return 4*some <= len(m.a)
}

// neighbours works out nearest: up to a sixth of the objects for each.
func (m *model) neighbours() [][]int32 {
	distance := m.b
	if m.distancesFirst {
		distance = m.a
	}
	near := make([][]int32, m.movable)
	most := max(2, m.movable/6)
	for i := range near {
		list := make([]int32, 0, m.end[i]-m.begin[i])
		for j := m.begin[i]; j < m.end[i]; j++ {
			list = append(list, int32(j))
		}
		from := func(j int32) int64 {
			if int(j) == i {
				return math.MinInt64
			}
			return distance[i*m.n+int(j)] + distance[int(j)*m.n+i]
		}
		slices.SortStableFunc(list, func(j, k int32) int { return cmp.Compare(from(j), from(k)) })
		near[i] = slices.Clone(list[:min(len(list), most)])
	}
	return near
}

// number sorts objects and locations by class.
func (m *model) number(q *Instance) {
	type entry struct{ lone, class, was int }
	objects, locations := make([]entry, m.n), make([]entry, m.n)
	members := map[int]int{}
	for i := range m.n {
		objects[i].was, locations[i].was = i, i
		if q.ObjectClass != nil {
			objects[i].class, locations[i].class = q.ObjectClass[i], q.LocationClass[i]
		}
		if q.Pins == nil || q.Pins[i] < 0 {
			members[objects[i].class]++
		}
	}
	for i, k := range q.Pins {
		if k >= 0 {
			objects[i].lone, locations[k].lone = 2+i, 2+i
		}
	}
	for i := range m.n {
		for _, e := range []*entry{&objects[i], &locations[i]} {
			if e.lone == 0 && members[e.class] == 1 {
				e.lone = 1
			}
		}
	}
	order := func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.lone, b.lone), cmp.Compare(a.class, b.class), cmp.Compare(a.was, b.was))
	}
	slices.SortFunc(objects, order)
	slices.SortFunc(locations, order)
	for i := range m.n {
		m.object, m.location = append(m.object, objects[i].was), append(m.location, locations[i].was)
		m.begin[i] = i
		if e := objects[i]; e.lone == 0 {
			m.movable = i + 1
			if i > 0 && objects[i-1].class == e.class {
				m.begin[i] = m.begin[i-1]
			}
		}
	}
	for i := m.n - 1; i >= 0; i-- {
		m.end[i] = i + 1
		if i+1 < m.n && m.begin[i+1] == m.begin[i] {
			m.end[i] = m.end[i+1]
		}
	}
}

func symmetric(a []int64, n int) bool {
	for i := range n {
		for j := range i {
			if a[i*n+j] != a[j*n+i] {
				return false
			}
		}
	}
	return true
}

// cost is the cost of p, in the model's numbers.
func (m *model) cost(p []int32) int64 {
	var sum int64
	for i, k := range p {
		sum += m.da[i] * m.db[k]
		a, b := m.a[i*m.n:(i+1)*m.n], m.b[int(k)*m.n:(int(k)+1)*m.n]
		if m.symmetric {
			a = a[:i]
		}
		for j, v := range a {
			sum += v * b[p[j]]
		}
	}
	return sum
}

// toModel turns a permutation into the model's numbers.
func (m *model) toModel(p []int) []int32 {
	at := make([]int32, m.n)
	for k, was := range m.location {
		at[was] = int32(k)
	}
	out := make([]int32, m.n)
	for i, was := range m.object {
		out[i] = at[p[was]]
	}
	return out
}

// fromModel turns a permutation of the model into one of the instance.
func (m *model) fromModel(p []int32) []int {
	out := make([]int, m.n)
	for i, k := range p {
		out[m.object[i]] = m.location[k]
	}
	return out
}

// variation is the standard deviation of the entries over their mean, squared.
// Flows vary more than distances do.
func variation(a []int64) float64 {
	sum, squares := 0.0, 0.0
	for _, v := range a {
		sum += float64(v)
		squares += float64(v) * float64(v)
	}
	return squares * float64(len(a)) / (sum * sum)
}
