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

// A tier of a tree divides its n terminals into groups of the given size, the
// last of which may be smaller; hops is the distance between two terminals of a
// group that no lower tier has in one.
type tier struct{ size, hops int }

// treeDistances is the diameter of a tree with n terminals and their mean
// distance; the last tier has all of them in one group.
func treeDistances(n int, tiers []tier) (diameter int, mean float64) {
	pairs := func(size int) float64 { // ordered, in one group or the same terminal
		last := float64(n % size)
		return float64(n/size)*float64(size)*float64(size) + last*last
	}
	sum, below := 0.0, float64(n)
	for _, t := range tiers {
		p := pairs(t.size)
		if p > below {
			sum += float64(t.hops) * (p - below)
			diameter = t.hops
		}
		below = p
	}
	if n < 2 {
		return 0, math.NaN()
	}
	return diameter, sum / float64(n) / float64(n-1)
}

// halves is the number of pairs of one of floor(n/2) with one of ceil(n/2).
func halves(n int) float64 { return float64(n/2) * float64(n-n/2) }
