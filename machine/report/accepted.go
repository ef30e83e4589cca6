package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/units"
)

// Accepted is the traffic of a pattern that a machine accepts, simulated while all nodes send at the full rate of a
// port.
type Accepted struct {
	Traffic string // the pattern
	Routing string // the name of the routing function
	VCs     int    // virtual channels of a port
	Buffer  int    // packets that the buffer of each holds
	Nodes   int    // number of nodes that send and receive
	// Share is delivered phits per cycle and node, a share of what a port carries, and HalfWidth half of its 95 %
	// confidence interval.
	Share, HalfWidth float64
	// Bound is an upper bound on Share, for any routing; NaN if none is known for the traffic.
	Bound float64
	// Stationary is true if the warm-up ended by itself, before its limit.
	Stationary bool
	// Port is the data rate of a port; 0 if it is not known.
	Port units.Rate
}

// PerNode returns the accepted rate of a node; NaN if the rate of a port is not known.
func (a *Accepted) PerNode() units.Rate {
	if a.Port <= 0 {
		return units.Rate(math.NaN())
	}
	return units.Rate(a.Share) * a.Port
}

// Rate returns the accepted rate of all nodes together; NaN if the rate of a port is not known.
func (a *Accepted) Rate() units.Rate { return a.PerNode() * units.Rate(a.Nodes) }

// TotalBy returns the total of the bill per Gb/s of the given rate; NaN if either is not known.
func (m *Compared) TotalBy(rate units.Rate) float64 {
	if m.Cost.Total <= 0 || !(rate > 0) {
		return math.NaN()
	}
	return m.Cost.Total.Float() / float64(rate)
}

// Ranking has the machines in ascending order of the cost of their networks per accepted Gb/s.
type Ranking struct {
	Traffic string
	// Order lists indexes in Comparison.Machines, the lowest cost first. Machines for which it is not known are left
	// out.
	Order []int
}

// Rankings returns a ranking for each simulated traffic; none if costs are in different currencies.
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

// Place returns the place of a machine, given by its index, in a ranking, from 1; 0 if it is left out.
func (r *Ranking) Place(machine int) int { return slices.Index(r.Order, machine) + 1 }
