package delay

import (
	"math"

	"github.com/plenum-planner/plenum/units"
)

// Reach is what the CLEX paper's delay is made of (arXiv:1607.00298, section
// II-A): hops and metres that a message travels, on average and at most.
type Reach struct {
	HopsMean, HopsMax float64
	PathMean, PathMax units.Length
}

// Reach is that of the hop-minimal paths.
func (r *Result) Reach() Reach {
	return Reach{r.HopsMean, float64(r.HopsMax), r.PathMean, r.PathMax}
}

// D is alpha*hops + beta*distance, average and maximal. The maximum takes the
// most hops and the longest way of any message, which need not be the same, as
// the paper does.
func (r Reach) D(alpha units.Time, beta units.Propagation) (mean, most units.Time) {
	return units.Time(r.HopsMean)*alpha + beta.Over(r.PathMean), units.Time(r.HopsMax)*alpha + beta.Over(r.PathMax)
}

// BreakEven is the quotient alpha/beta, in metres, at which two machines have
// the same D. Below it the machine with the shorter way is faster, above it the
// one with fewer hops.
type BreakEven struct {
	Ratio units.Length
	// Crosses is false where one machine has neither more hops nor a longer way
	// than the other: it is never slower, and Ratio is NaN.
	Crosses bool
}

// breakEven compares hops a, b and ways x, y.
func breakEven(a, b float64, x, y units.Length) BreakEven {
	r := (float64(y) - float64(x)) / (a - b)
	if math.IsNaN(r) || math.IsInf(r, 0) || r < 0 {
		return BreakEven{units.Length(math.NaN()), false}
	}
	return BreakEven{units.Length(r), true}
}

// BreakEvenMean compares average D, BreakEvenMax maximal D.
func (r Reach) BreakEvenMean(o Reach) BreakEven {
	return breakEven(r.HopsMean, o.HopsMean, r.PathMean, o.PathMean)
}

// BreakEvenMax compares maximal D.
func (r Reach) BreakEvenMax(o Reach) BreakEven {
	return breakEven(r.HopsMax, o.HopsMax, r.PathMax, o.PathMax)
}

// Typical is one hop delay and one propagation delay in place of all of a model:
// the mean hop delay of entering a vertex over a link, terminals left out, and the
// mean propagation delay of a metre of link, ends left out. Passes is the number
// of ends of links at vertices of each kind, 0 for terminals.
func (m Model) Typical(passes []int64, l Links) (alpha units.Time, beta units.Propagation) {
	var hops, metres, time, wire float64
	for kind, n := range passes {
		hops += float64(n)
		time += float64(n) * float64(m.Hop[kind])
	}
	for i, length := range l.Length {
		metres += float64(length)
		wire += float64(length) * float64(m.Media[l.Medium[i]].Propagation)
	}
	if hops > 0 {
		alpha = units.Time(time / hops)
	}
	if metres > 0 {
		beta = units.Propagation(wire / metres)
	}
	return alpha, beta
}
