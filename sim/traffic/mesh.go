package traffic

import (
	"fmt"
	"math"
)

// mesh numbers the tasks of a grid: task = c0 + dims[0]*(c1 + dims[1]*...).
type mesh struct {
	dims   []int32
	stride []int32
	tasks  int32
}

func newMesh(dims []int) (mesh, error) {
	m := mesh{}
	n := 1
	if len(dims) == 0 || len(dims) > 16 {
		return m, fmt.Errorf("a mesh has from 1 to 16 dimensions, not %d", len(dims))
	}
	for _, side := range dims {
		if side < 1 || side > math.MaxInt32/n {
			return m, fmt.Errorf("the mesh %v has a side below 1 or more than %d tasks", dims, math.MaxInt32)
		}
		m.dims = append(m.dims, int32(side))
		m.stride = append(m.stride, int32(n))
		n *= side
	}
	m.tasks = int32(n)
	return m, nil
}

func (m *mesh) coordinate(task int32, d int) int32 { return task / m.stride[d] % m.dims[d] }

// step returns the neighbour of a task one step up (or down) in dimension d, or
// -1 at the border.
func (m *mesh) step(task int32, d int, up bool) int32 {
	c := m.coordinate(task, d)
	switch {
	case up && c < m.dims[d]-1:
		return task + m.stride[d]
	case !up && c > 0:
		return task - m.stride[d]
	}
	return -1
}

// ring is step on a mesh whose rims are joined; -1 where a side is 1.
func (m *mesh) ring(task int32, d int, up bool) int32 {
	if m.dims[d] == 1 {
		return -1
	}
	if next := m.step(task, d, up); next >= 0 {
		return next
	}
	around := (m.dims[d] - 1) * m.stride[d]
	if up {
		return task - around
	}
	return task + around
}

// countPreceding counts the neighbours that come before a task in a sweep up, or in
// one down.
func (m *mesh) countPreceding(task int32, up bool) uint8 {
	n := uint8(0)
	for d := range m.dims {
		if m.step(task, d, !up) >= 0 {
			n++
		}
	}
	return n
}

// issuer numbers messages.
type issuer struct{ next int64 }

func (i *issuer) send(emit func(Message), src, dst, bytes int32, tag int64) {
	m := Message{ID: i.next, Src: src, Dst: dst, Bytes: bytes, Tag: tag}
	i.next++
	emit(m)
}

// errBytes refuses lengths that no message can have.
func errBytes(bytes int32) error {
	if bytes < 1 {
		return fmt.Errorf("a message has at least 1 byte, not %d", bytes)
	}
	return nil
}

// squarish are the sides of the square or cube of n tasks, or, where there is
// none, of the grid that comes nearest, no side more than twice another: 512 tasks
// are 32 x 16.
func squarish(n, dims int) ([]int, error) {
	if n < 1 {
		return nil, fmt.Errorf("needs at least 1 task, not %d", n)
	}
	sides := nearlyEqualSides(n, dims)
	if sides[0] > 2*sides[dims-1] {
		shape := map[int]string{2: "square", 3: "cube"}[dims]
		return nil, fmt.Errorf("%d tasks fill no %s, nor a grid of sides that are at most twice each other; give "+
			"dims, like %s",
			n, shape, Grid{Dims: sides})
	}
	return sides, nil
}

// nearlyEqualSides are the sides, largest first, of the grid of n tasks with the
// fewest neighbours across: the least sum of sides.
func nearlyEqualSides(n, dims int) []int {
	if dims == 1 {
		return []int{n}
	}
	var best []int
	least := math.MaxInt
	for side := 1; side <= n/side; side++ {
		if n%side != 0 {
			continue
		}
		for _, s := range []int{side, n / side} {
			rest := nearlyEqualSides(n/s, dims-1)
			if rest[0] > s {
				continue
			}
			sum := s
			for _, r := range rest {
				sum += r
			}
			if sum < least {
				least, best = sum, append([]int{s}, rest...)
			}
		}
	}
	return best
}
