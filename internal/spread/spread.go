// Package spread chooses from many values, each at a point of a range, some that are spread
// evenly over it: the range is divided into steps of equal ratio, and every step gives its
// best value, then its second best and so on. Runs of values that get worse are counted
// without looking at more of them than may be chosen, and memory does not grow with them.
package spread

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/plenum-planner/plenum/internal/arith"
)

// maxSteps is the most steps that a range is divided in.
const maxSteps = 100

// Selection collects values of a range and keeps the best of each step.
type Selection[T any] struct {
	min, max int // points
	limit    int
	compare  func(a, b *T) int

	bounds []int // step i has the points bounds[i] to bounds[i+1]-1
	steps  [][]ranked[T]
	most   int // values that a step needs to keep
	kept   int
	total  int
}

// ranked is a value with its rank.
type ranked[T any] struct {
	rank  int
	value *T
}

// New begins a selection of up to limit values at the points first to last, of which first is
// at least 1. The range has as many steps as the limit, but at most 100. A value is better
// than another if its rank is lower, and among equal ranks if compare puts it first.
func New[T any](first, last, limit int, compare func(a, b *T) int) *Selection[T] {
	s := &Selection[T]{min: first, max: last, limit: limit, most: limit, compare: compare}
	steps := min(limit, maxSteps)
	ratio := float64(last+1) / float64(first)
	s.bounds = []int{first}
	for i := 1; i < steps; i++ {
		bound := int(math.Ceil(float64(first) * math.Pow(ratio, float64(i)/float64(steps))))
		if bound > s.bounds[len(s.bounds)-1] && bound <= last {
			s.bounds = append(s.bounds, bound)
		}
	}
	s.bounds = append(s.bounds, last+1)
	s.steps = make([][]ranked[T], len(s.bounds)-1)
	return s
}

// Steps are the points at which the steps begin.
func (s *Selection[T]) Steps() []int { return s.bounds[: len(s.bounds)-1 : len(s.bounds)-1] }

// Add offers a value at a point. One outside the range is left out.
func (s *Selection[T]) Add(rank, point int, value T) {
	if point < s.min || point > s.max {
		return
	}
	s.total++
	s.offer(s.stepOf(point), rank, 0, func(int) T { return value })
}

// AddRun offers n values of which the i-th is at the point base + slope i. Those outside the
// range are left out. From one to the next, the rank rises, or it stays and compare does not
// put the next first.
func (s *Selection[T]) AddRun(n, base, slope int, rank func(int) int, value func(int) T) {
	from, to := 0, n
	switch {
	case slope > 0:
		from = max(0, arith.CeilDiv(s.min-base, slope))
		if base > s.max {
			return
		}
		to = min(n, (s.max-base)/slope+1)
	case slope < 0:
		from = max(0, arith.CeilDiv(base-s.max, -slope))
		if base < s.min {
			return
		}
		to = min(n, (base-s.min)/-slope+1)
	case base < s.min || base > s.max:
		return
	}
	s.total += max(0, to-from)
	for from < to {
		step, end := s.stepOf(base+slope*from), to
		if slope > 0 {
			end = min(to, arith.CeilDiv(s.bounds[step+1]-base, slope))
		} else if slope < 0 {
			end = min(to, (base-s.bounds[step])/-slope+1)
		}
		for i := from; i < end && s.offer(step, rank(i), i, value); i++ {
		}
		from = end
	}
}

// ChosenValues lists the chosen values, those of the first step first, and tells how many others
// there are in the range.
func (s *Selection[T]) ChosenValues() (values []T, leftOut int) {
	level := s.level()
	list := func(rows []ranked[T]) {
		for _, row := range rows {
			values = append(values, *row.value)
		}
	}
	for _, rows := range s.steps {
		list(rows[:min(len(rows), level)])
	}
	for _, rows := range s.steps { // one more of the first steps until the limit is reached
		if len(rows) > level && len(values) < s.limit {
			list(rows[level : level+1])
		}
	}
	return values, s.total - len(values)
}

// stepOf is the step of a point in the range.
func (s *Selection[T]) stepOf(point int) int {
	i, found := slices.BinarySearch(s.bounds, point)
	if found {
		return i
	}
	return i - 1
}

// offer keeps value(i) if it is among the best of a step, and reports whether it is.
func (s *Selection[T]) offer(step, rank, i int, value func(int) T) bool {
	rows := s.steps[step]
	full := len(rows) >= s.most
	if full && rank > rows[s.most-1].rank {
		return false
	}
	v := value(i)
	row := ranked[T]{rank, &v}
	if full && s.order(row, rows[s.most-1]) >= 0 {
		return false
	}
	at, _ := slices.BinarySearchFunc(rows, row, func(a, b ranked[T]) int {
		return cmp.Or(s.order(a, b), -1) // behind its equals
	})
	if full {
		rows = rows[:s.most-1]
		s.kept -= len(s.steps[step]) - len(rows)
	}
	s.steps[step] = slices.Insert(rows, at, row)
	if s.kept++; s.kept > 2*s.limit+len(s.steps) {
		s.prune()
	}
	return true
}

func (s *Selection[T]) order(a, b ranked[T]) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), s.compare(a.value, b.value))
}

// level is how many values each step may list so that all together are within the limit.
func (s *Selection[T]) level() int {
	return sort.Search(s.limit, func(level int) bool {
		sum := 0
		for _, rows := range s.steps {
			sum += min(len(rows), level+1)
		}
		return sum > s.limit
	})
}

// prune drops what cannot be listed any more: the level only falls while steps fill up.
func (s *Selection[T]) prune() {
	s.most = min(s.most, s.level()+1)
	s.kept = 0
	for i, rows := range s.steps {
		if len(rows) > s.most {
			clear(rows[s.most:])
			s.steps[i] = rows[:s.most]
		}
		s.kept += len(s.steps[i])
	}
}
