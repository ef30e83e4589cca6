package delay

import "math"

// Spread is a histogram of values that come by one at a time, none of which is
// negative: 64 bins from 0 on, of a width that is a power of two and the least
// that holds them all. It does not depend on their order.
type Spread[T ~float64] struct {
	Width T // of a bin; 0 before the first value
	Count [spreadBins]int64
}

const (
	spreadBins = 64
	// narrowest is the width of bins of a spread whose values are all small.
	narrowest = 1.0 / 64
)

// Add counts a value.
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

// Merge adds the values of another spread.
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

// Bins is the counts up to the last that is not zero.
func (s *Spread[T]) Bins() []int64 {
	last := 0
	for i, n := range s.Count {
		if n > 0 {
			last = i + 1
		}
	}
	return append([]int64{}, s.Count[:last]...)
}
