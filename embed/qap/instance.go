package qap

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// MaxN is the largest number of objects.
const MaxN = 4096

// the greatest sum of flows times the greatest distance, so that sums and
// differences of costs stay exact.
const maxMagnitude = 1 << 56

// Instance is a problem: a permutation p costs the sum over all i and j of
// A[i][j] B[p(i)][p(j)].
type Instance struct {
	N    int
	A, B []int64 // rows one after the other

	// Pins are the locations of objects that must not move, -1 for those that
	// may; nil when all may.
	Pins []int
	// ObjectClass and LocationClass restrict objects to locations of their own
	// class; nil when any object may stand anywhere. Every class has as many
	// objects as locations.
	ObjectClass, LocationClass []int
}

// Cost is the cost of a permutation: p[i] is the location of object i.
func (q *Instance) Cost(p []int) int64 {
	var sum int64
	for i, k := range p {
		a, b := q.A[i*q.N:(i+1)*q.N], q.B[k*q.N:(k+1)*q.N]
		for j, l := range p {
			sum += a[j] * b[l]
		}
	}
	return sum
}

// Check says what is wrong with an instance.
func (q *Instance) Check() error {
	if q.N < 1 || q.N > MaxN {
		return fmt.Errorf("qap: %d objects; there may be 1 to %d", q.N, MaxN)
	}
	if len(q.A) != q.N*q.N || len(q.B) != q.N*q.N {
		return fmt.Errorf("qap: matrices of %d and %d entries for %d objects", len(q.A), len(q.B), q.N)
	}
	if magnitude(q.A, q.B) > maxMagnitude {
		return errors.New("qap: entries are too large for exact costs")
	}
	return q.checkPlaces()
}

// magnitude bounds the cost of any permutation; it is never less than the true
// bound, and saturates.
func magnitude(a, b []int64) uint64 {
	sum := uint64(0)
	for _, v := range a {
		var carry uint64
		if sum, carry = bits.Add64(sum, size(v), 0); carry != 0 {
			return 1<<64 - 1
		}
	}
	high, low := bits.Mul64(max(sum, 1), max(largest(b), 1))
	if high != 0 {
		return 1<<64 - 1
	}
	return low
}

func largest(a []int64) uint64 {
	most := uint64(0)
	for _, v := range a {
		most = max(most, size(v))
	}
	return most
}

func size(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// checkPlaces checks pins and classes.
func (q *Instance) checkPlaces() error {
	if q.Pins != nil && len(q.Pins) != q.N {
		return fmt.Errorf("qap: %d pins for %d objects", len(q.Pins), q.N)
	}
	if (q.ObjectClass == nil) != (q.LocationClass == nil) {
		return errors.New("qap: classes of objects go with classes of locations")
	}
	if q.ObjectClass != nil && (len(q.ObjectClass) != q.N || len(q.LocationClass) != q.N) {
		return fmt.Errorf("qap: classes of %d objects and %d locations, not %d", len(q.ObjectClass), len(q.LocationClass), q.N)
	}
	taken := make([]bool, q.N)
	for i, k := range q.Pins {
		switch {
		case k == -1:
		case k < 0 || k >= q.N:
			return fmt.Errorf("qap: object %d is pinned to location %d of %d", i, k, q.N)
		case taken[k]:
			return fmt.Errorf("qap: two objects are pinned to location %d", k)
		case q.ObjectClass != nil && q.ObjectClass[i] != q.LocationClass[k]:
			return fmt.Errorf("qap: object %d of class %d is pinned to location %d of class %d", i, q.ObjectClass[i], k, q.LocationClass[k])
		default:
			taken[k] = true
		}
	}
	balance := map[int]int{}
	for i := range q.ObjectClass {
		balance[q.ObjectClass[i]]++
		balance[q.LocationClass[i]]--
	}
	for i := range q.ObjectClass {
		for _, c := range []int{q.ObjectClass[i], q.LocationClass[i]} {
			if balance[c] > 0 {
				return fmt.Errorf("qap: class %d has %d objects more than locations", c, balance[c])
			} else if balance[c] < 0 {
				return fmt.Errorf("qap: class %d has %d locations more than objects", c, -balance[c])
			}
		}
	}
	return nil
}

// Allows says whether p is a permutation that keeps to pins and classes; the
// error says where not.
func (q *Instance) Allows(p []int) error {
	if len(p) != q.N {
		return fmt.Errorf("qap: a permutation of %d for %d objects", len(p), q.N)
	}
	taken := make([]bool, q.N)
	for i, k := range p {
		switch {
		case k < 0 || k >= q.N:
			return fmt.Errorf("qap: object %d stands at location %d of %d", i, k, q.N)
		case taken[k]:
			return fmt.Errorf("qap: two objects stand at location %d", k)
		case q.Pins != nil && q.Pins[i] >= 0 && q.Pins[i] != k:
			return fmt.Errorf("qap: object %d stands at location %d and is pinned to %d", i, k, q.Pins[i])
		case q.ObjectClass != nil && q.ObjectClass[i] != q.LocationClass[k]:
			return fmt.Errorf("qap: object %d of class %d stands at location %d of class %d", i, q.ObjectClass[i], k, q.LocationClass[k])
		}
		taken[k] = true
	}
	return nil
}

// model is an instance made ready: objects and locations are renumbered so that
// those of a class stand together and the classes of one, pins among them, come
// last; diagonals stand apart; and where one matrix is symmetric both are made
// so.
type model struct {
	n    int
	free int // objects that can move: 0 to free-1
	// begin and end hold the class of each object; the locations of the class
	// have the same range.
	begin, end []int

	// The cost is the sum of a[i][j] b[p(i)][p(j)] over i < j if symmetric and
	// over all i and j otherwise, and that of da[i] db[p(i)]. The diagonals of a
	// and b are 0.
	symmetric bool
	a, b      []int64
	da, db    []int64

	// narrow says that the kernels for numbers of 32 bits will do.
	narrow bool

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
	m.narrow = fast && largest(m.a) < 1<<29 && largest(m.b) < 1<<29
	return m
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
			m.free = i + 1
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

// inside turns a permutation into the model's numbers.
func (m *model) inside(p []int) []int32 {
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

// outside turns a permutation of the model into one of the instance.
func (m *model) outside(p []int32) []int {
	out := make([]int, m.n)
	for i, k := range p {
		out[m.object[i]] = m.location[k]
	}
	return out
}
