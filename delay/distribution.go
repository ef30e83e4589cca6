package delay

import (
	"math"
	"math/bits"

	"github.com/plenum-planner/plenum/units"
)

const (
	fineBins   = 1 << 16
	coarseBins = 64
)

// Histogram counts pairs of nodes by minimum delay: Pairs[i] have a delay in [i*Width, (i+1)*Width).
type Histogram struct {
	Width units.Time
	Pairs []int64
}

// binShift returns the binary logarithm of the width of the fine bins, in units of the scale: at least about a
// picosecond, and such that the longest possible path has a bin.
func (s scale) binShift() uint {
	shift := max(0, s.timeBits-10)
	return uint(max(shift, bits.Len64(s.maxTime)-bits.Len(fineBins-1)))
}

// coarsen merges fine bins into 64 bins whose width, in ns, is 1, 2, 2.5 or 5 times a power
// of ten: the smallest such multiple of the fine width with which the greatest delay has a bin.
func coarsen(bins []uint64, fine, greatest float64) Histogram {
	width := niceWidth(fine, greatest)
	h := Histogram{units.Time(width), make([]int64, coarseBins)}
	each := int(width / fine)
	for i, n := range bins {
		if n > 0 {
			h.Pairs[i/each] += int64(n)
		}
	}
	return h
}

// niceWidth returns the width of the bins of coarsen.
func niceWidth(fine, greatest float64) float64 {
	for power := -1; ; power++ {
		for _, digit := range []float64{1, 2, 2.5, 5} {
			width := digit * math.Pow10(power)
			if width*coarseBins > greatest && math.Mod(width, fine) == 0 {
				return width
			}
		}
	}
}

// percentile returns the upper edge of the first bin up to which at least the share p of all
// pairs is counted.
func percentile(bins []uint64, fine float64, pairs uint64, p float64) float64 {
	need := uint64(math.Ceil(p * float64(pairs)))
	var sum uint64
	for i, n := range bins {
		if sum += n; n > 0 && sum >= need {
			return float64(i+1) * fine
		}
	}
	return 0
}
