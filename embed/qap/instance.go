package qap

import (
	"errors"
	"fmt"
	"math/bits"
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
		return fmt.Errorf("qap: classes of %d objects and %d locations, not %d",
			len(q.ObjectClass), len(q.LocationClass), q.N)
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
			return fmt.Errorf("qap: object %d of class %d is pinned to location %d of class %d",
				i, q.ObjectClass[i], k, q.LocationClass[k])
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
			return fmt.Errorf("qap: object %d of class %d stands at location %d of class %d",
				i, q.ObjectClass[i], k, q.LocationClass[k])
		}
		taken[k] = true
	}
	return nil
}
