package route

// Bands are lines that lie above each other as one, as wide as their number: on the floor of the report (bandMetres,
// leastBand, fewLines and paintInside in page/assets/bands.js, which a test compares) as in drawings.
const (
	// BandMetres is the width of the band with the most cables, in metres of the floor.
	BandMetres = 0.4
	// LeastBand is the width of a band that has any cables, in units of a drawing.
	LeastBand = 0.8
	// FewLines is the number of cables above each other up to which single lines are drawn in place of bands.
	FewLines = 24
	// leastWidest is the width of the band with the most cables where BandMetres would be less, in units.
	leastWidest = 4
)

// Sum is the sum of counts by class.
func Sum(counts []int64) int64 {
	var n int64
	for _, k := range counts {
		n += k
	}
	return n
}

// MostOn is the most cables on one of some stretches, 0 without any.
func MostOn(sums []Stretch) int64 {
	var most int64
	for i := range sums {
		most = max(most, sums[i].Total())
	}
	return most
}

// MostInside is the most cables that stay in one rack, 0 without any.
func (c *Runs) MostInside() int64 {
	var most int64
	for _, counts := range c.Inside {
		most = max(most, Sum(counts))
	}
	return most
}

// Widest is the width of the band with the most cables, in units of a drawing with so many units to a metre.
func Widest(scale float64) float64 { return max(leastWidest, BandMetres*scale) }

// Corners are how far the band of a stretch goes on before its beginning and after its end, in units.
func (s *Stretch) Corners(most int64, widest float64) (before, after float64) {
	half := widest / float64(max(most, 1)) / 2
	return half * float64(s.Beyond[0]), half * float64(s.Beyond[1])
}

// Widths are the widths of a stretch's classes beside each other, in units, where that of most cables is widest units
// wide: in proportion to their cables, and LeastBand at least where there are any.
func (s *Stretch) Widths(most int64, widest float64) []float64 {
	out := make([]float64, len(s.Cables))
	for k, n := range s.Cables {
		if n > 0 {
			out[k] = max(LeastBand, widest*float64(n)/float64(most))
		}
	}
	return out
}
