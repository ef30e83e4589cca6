// Package triangle has the triangular distribution, by which figures are drawn that have a least, a likely and a
// greatest value.
package triangle

import "math"

// Triangle is a triangular distribution.
type Triangle struct{ low, likely, high, span, left float64 }

// New returns the distribution with bounds and the likeliest value; that moves to the nearer bound if it is outside.
func New(low, likely, high float64) Triangle {
	t := Triangle{low: low, likely: likely, high: high, span: high - low}
	if t.span > 0 {
		t.likely = min(max(likely, low), high)
		t.left = (t.likely - low) / t.span
	}
	return t
}

// At returns the quantile u, from 0 to 1, within the bounds. Without a span it is the likely value.
func (t *Triangle) At(u float64) float64 {
	switch {
	case t.span <= 0:
		return t.likely
	case u < t.left:
		return t.low + math.Sqrt(float64(u*t.span)*(t.likely-t.low))
	}
	return max(t.low, t.high-math.Sqrt(float64((1-u)*t.span)*(t.high-t.likely)))
}
