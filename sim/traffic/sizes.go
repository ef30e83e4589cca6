package traffic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Sizes is a distribution of message sizes. Its unit is that of whoever asks:
// bytes or phits. The zero value draws nothing; use ParseSizes.
type Sizes struct {
	ranges []sizeRange
}

type sizeRange struct {
	lo, hi int32   // drawn uniformly, both ends included
	upTo   float64 // share of this range and those before it
}

// ParseSizes reads a size ("16"), a range whose sizes are equally likely
// ("8-64"), or a list of these with their shares ("8*0.9,64*0.1"). Sizes are from
// 1 to 2^31-1; the shares are weights and need not add up to 1. With an error, the sizes must not be used.
func ParseSizes(text string) (Sizes, error) {
	var s Sizes
	total := 0.0
	for item := range strings.SplitSeq(text, ",") {
		span, share, weighted := strings.Cut(item, "*")
		weight := 1.0
		if weighted {
			w, err := strconv.ParseFloat(share, 64)
			if err != nil || !(w > 0 && w <= 1e9) {
				return s, fmt.Errorf("sizes %q: %q is not a share above 0", text, share)
			}
			weight = w
		}
		low, high, isRange := strings.Cut(span, "-")
		if !isRange {
			high = low
		}
		lo, err1 := strconv.ParseInt(low, 10, 32)
		hi, err2 := strconv.ParseInt(high, 10, 32)
		if err1 != nil || err2 != nil || lo < 1 || hi < lo {
			return s, fmt.Errorf("sizes %q: %q is neither a size like 16 nor a range like 8-64", text, span)
		}
		total += weight
		s.ranges = append(s.ranges, sizeRange{int32(lo), int32(hi), total})
	}
	for i := range s.ranges {
		s.ranges[i].upTo /= total
	}
	return s, nil
}

// Draw returns a size in bytes. It panics if the sizes were not read by ParseSizes.
func (s Sizes) Draw(r *rand.Rand) int32 {
	if len(s.ranges) == 1 && s.ranges[0].lo == s.ranges[0].hi {
		return s.ranges[0].lo
	}
	u := r.Float64()
	last := len(s.ranges) - 1
	for _, c := range s.ranges[:last] {
		if u < c.upTo {
			return c.draw(r)
		}
	}
	return s.ranges[last].draw(r)
}

func (c sizeRange) draw(r *rand.Rand) int32 {
	return c.lo + int32(r.Int64N(int64(c.hi)-int64(c.lo)+1))
}

// Mean is the mean size.
func (s Sizes) Mean() float64 {
	mean, before := 0.0, 0.0
	for _, c := range s.ranges {
		mean += (c.upTo - before) * (float64(c.lo) + float64(c.hi)) / 2
		before = c.upTo
	}
	return mean
}

// Max is the largest size that may be drawn.
func (s Sizes) Max() int32 {
	most := int32(math.MinInt32)
	for _, c := range s.ranges {
		most = max(most, c.hi)
	}
	return most
}
