package traffic

import (
	"fmt"
	"math/rand/v2"
)

// HotSpot returns the pattern in which each of n terminals sends a message with probability fraction to one of the hot
// terminals, all of them equally likely, and otherwise to any terminal but itself, hot ones included, as in Uniform (G.
// F. Pfister and V. A. Norton, "Hot spot contention and combining in multistage interconnection networks", IEEE Trans.
// Computers C-34, 1985, section 2). A hot terminal that draws itself draws uniformly instead. A single terminal sends
// nothing. fraction is from 0 to 1, and hot has terminals from 0 to n-1, at least one; all else is an error. A terminal
// that is in hot twice is twice as likely.
func HotSpot(n int, fraction float64, hot []int32) (Pattern, error) {
	if !(fraction >= 0 && fraction <= 1) {
		return nil, fmt.Errorf("hotspot needs a fraction from 0 to 1, not %v", fraction)
	}
	if len(hot) == 0 {
		return nil, fmt.Errorf("hotspot needs at least one hot terminal")
	}
	for _, t := range hot {
		if t < 0 || int(t) >= n {
			return nil, fmt.Errorf("hotspot has no terminal %d: they count from 0 to %d", t, n-1)
		}
	}
	return hotSpot{uniform(n), fraction, append([]int32(nil), hot...)}, nil
}

type hotSpot struct {
	uniform  uniform // over all terminals but the sender
	fraction float64
	hot      []int32
}

func (h hotSpot) Destination(src int32, r *rand.Rand) int32 {
	if h.uniform < 2 {
		return -1
	}
	if r.Float64() < h.fraction {
		if dst := h.hot[r.IntN(len(h.hot))]; dst != src {
			return dst
		}
	}
	return h.uniform.Destination(src, r)
}
