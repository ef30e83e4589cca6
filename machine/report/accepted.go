package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/units"
)

// Accepted is what a machine was simulated to accept of some traffic while all of its nodes send all that a port can.
type Accepted struct {
	Traffic string // the pattern
	Routing string // the name of the function
	VCs     int    // virtual channels of a port
	Buffer  int    // packets that the buffer of each holds
	Nodes   int    // those that send and receive
	// Share is delivered phits per cycle and node, a share of what a port carries, and HalfWidth half of its 95 %
	// confidence interval.
	Share, HalfWidth float64
	// Bound is what Share is at most, for any routing; NaN where no bound is known for the traffic.
	Bound float64
	// Stationary is whether the warm-up came to an end by itself.
	Stationary bool
	// Port is the rate of a port; 0 where none is known.
	Port units.Rate
}

// PerNode is the rate at which a node's traffic is accepted; NaN where no rate is known.
func (a *Accepted) PerNode() units.Rate {
	if a.Port <= 0 {
		return units.Rate(math.NaN())
	}
	return units.Rate(a.Share) * a.Port
}

// Rate is that of all nodes together; NaN where no rate is known.
func (a *Accepted) Rate() units.Rate { return a.PerNode() * units.Rate(a.Nodes) }

// TotalBy is the total of the bill by a unit of a rate; NaN where either is not known.
func (m *Compared) TotalBy(rate units.Rate) float64 {
	if m.Cost.Total <= 0 || !(rate > 0) {
		return math.NaN()
	}
	return m.Cost.Total.Float() / float64(rate)
}

// Ranking is the machines in the order of what they cost by accepted Gb/s.
type Ranking struct {
	Traffic string
	// Order is numbers of machines: those whose network costs least by accepted Gb/s first. Machines for which that is
	// not known are left out.
	Order []int
}

// Rankings orders the machines, once for each traffic that was simulated; there are none where costs are in different
// currencies.
func (c *Comparison) Rankings() []Ranking {
	out := []Ranking{}
	if !c.OneCurrency() {
		return out
	}
	for t, name := range c.Traffic {
		by := func(i int) float64 { return c.Machines[i].NetworkBy(c.Machines[i].Accepted[t].Rate()) }
		r := Ranking{Traffic: name}
		for i := range c.Machines {
			if !math.IsNaN(by(i)) {
				r.Order = append(r.Order, i)
			}
		}
		slices.SortStableFunc(r.Order, func(i, j int) int { return cmp.Compare(by(i), by(j)) })
		out = append(out, r)
	}
	return out
}

// Place is the place of a machine in a ranking, from 1; 0 where it has none.
func (r *Ranking) Place(machine int) int { return slices.Index(r.Order, machine) + 1 }
