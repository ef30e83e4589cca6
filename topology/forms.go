package topology

import "math"

// withoutSelf takes a mean over all ordered pairs of n ends, at distance 0 from
// themselves, to the mean over those of different ends; NaN if there are none.
func withoutSelf(mean float64, n int) float64 {
	if n < 2 {
		return math.NaN()
	}
	return mean * float64(n) / float64(n-1)
}

// starForms is the closed forms of one switch with its terminals.
func starForms(terminals int) ClosedForms {
	c := ClosedForms{MeanHops: math.NaN(), Bisection: -1}
	if terminals > 1 {
		c.Diameter, c.MeanHops = 2, 2
	}
	return c
}

// halves is the number of pairs of one of floor(n/2) with one of ceil(n/2).
func halves(n int) float64 { return float64(n/2) * float64(n-n/2) }
