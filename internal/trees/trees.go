// Package trees has the arithmetic of trees of switches: how ports are divided between down
// and up, how many switches a tier needs, and how far apart terminals are.
package trees

import (
	"math"
	"sort"

	"github.com/plenum-planner/plenum/internal/arith"
)

// maxPorts is more than any switch has.
const maxPorts = math.MaxUint16

// SplitRadix returns the most down ports that leave enough up ports.
func SplitRadix(radix int, taper float64) (down, up int) {
	down = sort.Search(max(0, radix-1), func(i int) bool { return i+1+UpPorts(i+1, taper) > radix })
	if down == 0 {
		return 0, 0
	}
	return down, UpPorts(down, taper)
}

// DownPorts returns the most down ports, up to most, for which up are enough.
func DownPorts(most int, taper float64, up int) int {
	return sort.Search(max(0, most), func(i int) bool { return UpPorts(i+1, taper) > up })
}

// UpPorts is down/taper rounded up, where rounding errors of the division do
// not count. It stops above any number of ports.
func UpPorts(down int, taper float64) int {
	return int(math.Min(math.Ceil(float64(down)/taper-1e-9), maxPorts+1))
}

// FewestUpper returns how many upper switches with the given number of down
// ports take up the channels of lower switches: the fewest that divide up, so
// that every pair has links of the same width, or the fewest at all if those
// are more than up.
func FewestUpper(lower, up, ports int) int {
	fewest := arith.CeilDiv(lower*up, ports)
	for n := fewest; n <= up; n++ {
		if up%n == 0 {
			return n
		}
	}
	return fewest
}

// A Tier of a tree divides its n terminals into groups of the given Size, the
// last of which may be smaller;
// Hops is the distance between two terminals of a
// group that no lower tier has in one.
type Tier struct{ Size, Hops int }

// Distances is the diameter of a tree with n terminals and their mean
// distance; the last tier has all of them in one group.
func Distances(n int, tiers []Tier) (diameter int, mean float64) {
	pairs := func(size int) float64 { // ordered, in one group or the same terminal
		last := float64(n % size)
		return float64(n/size)*float64(size)*float64(size) + last*last
	}
	sum, below := 0.0, float64(n)
	for _, t := range tiers {
		p := pairs(t.Size)
		if p > below {
			sum += float64(t.Hops) * (p - below)
			diameter = t.Hops
		}
		below = p
	}
	if n < 2 {
		return 0, math.NaN()
	}
	return diameter, sum / float64(n) / float64(n-1)
}

// ClosNodes is the most nodes of a folded Clos network whose leaves have d down
// ports.
func ClosNodes(tiers, radix, d int) int64 {
	if tiers == 1 {
		return int64(radix)
	}
	n := arith.Times(int64(d), int64(radix))
	for range tiers - 2 {
		n = arith.Times(n, int64(radix/2))
	}
	return n
}
