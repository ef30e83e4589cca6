package delay

import (
	"cmp"
	"math"

	"github.com/plenum-planner/plenum/units"
)

// BreakEven is the quotient alpha/beta, in metres, at which two machines have the same D. Below it the machine with the
// shorter paths is faster, above it the one with fewer hops.
type BreakEven struct {
	Ratio units.Length
	// Crosses is false if one machine has neither more hops nor longer paths than the other: it is never slower, and
	// Ratio is NaN.
	Crosses bool
}

// breakEven compares a machine of a hops and path length x with one of b hops and path length y.
func breakEven(a, b float64, x, y units.Length) BreakEven {
	r := (float64(y) - float64(x)) / (a - b)
	if math.IsNaN(r) || math.IsInf(r, 0) || r < 0 {
		return BreakEven{units.Length(math.NaN()), false}
	}
	return BreakEven{units.Length(r), true}
}

// BreakEvenMean returns the break-even of the average D.
func (r Reach) BreakEvenMean(o Reach) BreakEven {
	return breakEven(r.HopsMean, o.HopsMean, r.PathMean, o.PathMean)
}

// BreakEvenMax returns the break-even of the maximal D.
func (r Reach) BreakEvenMax(o Reach) BreakEven {
	return breakEven(r.HopsMax, o.HopsMax, r.PathMax, o.PathMax)
}

// Crossing has the break-evens of two machines.
type Crossing struct {
	A, B int // indices of the machines, A < B
	// Mean is for the average D, Max for the maximal one.
	Mean, Max BreakEven
	// MoreHops is the machine with more hops on average, A if they have as many: it is the faster one
	// below Mean.
	MoreHops int
}

// Crossings returns the break-evens of all pairs of machines that are not nil, by A, then by B, also of pairs that do
// not cross.
func Crossings(machines []*Reach) []Crossing {
	var out []Crossing
	for a, x := range machines {
		for b := a + 1; b < len(machines); b++ {
			y := machines[b]
			if x == nil || y == nil {
				continue
			}
			k := Crossing{A: a, B: b, Mean: x.BreakEvenMean(*y), Max: x.BreakEvenMax(*y), MoreHops: a}
			if y.HopsMean > x.HopsMean {
				k.MoreHops = b
			}
			out = append(out, k)
		}
	}
	return out
}

// Fastest is a range of alpha/beta, in metres, in which one machine has the lowest average D.
type Fastest struct {
	Machine  int          // index
	From, To units.Length // To is infinite in the last range
}

// FastestMachines divides the range of alpha/beta from 0 to infinity into ranges by the machine with the lowest average
// D, in rising order without gaps. Of equally fast machines it takes the first; it skips machines that are nil, and
// returns nil if all are.
func FastestMachines(machines []*Reach) []Fastest {
	now := fastestAtZero(machines)
	if now < 0 {
		return nil
	}
	var out []Fastest
	from := 0.0
	for {
		next, to := overtaker(machines, now, from)
		out = append(out, Fastest{now, units.Length(from), units.Length(to)})
		if next < 0 {
			return out
		}
		now, from = next, to
	}
}

// fastestAtZero returns the machine with the shortest mean path and, of equal ones, the fewest
// mean hops; -1 if all are nil.
func fastestAtZero(machines []*Reach) int {
	now := -1
	for i, r := range machines {
		if r == nil {
			continue
		}
		if now < 0 || cmp.Or(cmp.Compare(r.PathMean, machines[now].PathMean),
			cmp.Compare(r.HopsMean, machines[now].HopsMean)) < 0 {
			now = i
		}
	}
	return now
}

// overtaker returns the machine with fewer hops than machine now that, of all of these, becomes as fast as it at the
// lowest alpha/beta from `from` upwards, and that ratio; -1 and infinity for none.
func overtaker(machines []*Reach, now int, from float64) (next int, at float64) {
	next, at = -1, math.Inf(1)
	for i, r := range machines {
		if r == nil || r.HopsMean >= machines[now].HopsMean {
			continue
		}
		b := machines[now].BreakEvenMean(*r)
		ratio := max(float64(b.Ratio), from)
		if b.Crosses && (ratio < at || ratio == at && r.HopsMean < machines[next].HopsMean) {
			next, at = i, ratio
		}
	}
	return next, at
}
