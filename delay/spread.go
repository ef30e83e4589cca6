package delay

import "math"

// Spread is a histogram of non-negative values that are added one at a time. It has 64 bins from 0 on; their
// width is the smallest power of two, at least 1/64, with which all values have a bin. It does not depend on the order
// of the values.
type Spread[T ~float64] struct {
	Width T // of a bin; 0 before the first value
	Count [spreadBins]int64
}

const (
	spreadBins = 64
	// narrowest is the smallest width of bins.
	narrowest = 1.0 / 64
)

// Add counts a value, which must be a number of at least 0. It ignores infinity.
func (s *Spread[T]) Add(v T) {
	if s.Width == 0 {
		s.Width = narrowest
	}
	for v >= s.Width*spreadBins {
		if math.IsInf(float64(v), 1) {
			return
		}
		for i := range spreadBins / 2 {
			s.Count[i] = s.Count[2*i] + s.Count[2*i+1]
		}
		clear(s.Count[spreadBins/2:])
		s.Width *= 2
	}
	s.Count[int(v/s.Width)]++
}

// Merge adds the values of another spread; the result is as if Add had counted all of them.
func (s *Spread[T]) Merge(o *Spread[T]) {
	if o.Width == 0 {
		return
	}
	for s.Width < o.Width {
		if s.Width == 0 {
			s.Width = o.Width
			break
		}
		for i := range spreadBins / 2 {
			s.Count[i] = s.Count[2*i] + s.Count[2*i+1]
		}
		clear(s.Count[spreadBins/2:])
		s.Width *= 2
	}
	each := int(s.Width / o.Width)
	for i, n := range o.Count {
		s.Count[i/each] += n
	}
}

// Bins returns the counts up to the last that is not zero.
func (s *Spread[T]) Bins() []int64 {
	last := 0
	for i, n := range s.Count {
		if n > 0 {
			last = i + 1
		}
	}
	return append([]int64{}, s.Count[:last]...)
}
