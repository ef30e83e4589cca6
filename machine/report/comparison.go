package report

import (
	"math"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
	"github.com/plenum-planner/plenum/topology/throughput"
	"github.com/plenum-planner/plenum/units"
)

// Compared is one machine of a comparison. It holds figures only, so that many
// large machines can stand beside each other.
type Compared struct {
	*Plan
	File     string        // what it was asked for by
	Topology topology.Spec // as in the machine file; none of a whole machine
	// Whole machines have several fabrics, all of which are compared: Plan.Fabrics has their topologies and delays.
	// Bisection, throughput and D are of one network, and whole machines have none.
	Whole bool
	// Direct machines have no switches: every node forwards packets.
	Direct bool
	// Reach is what D is made of, by Comparison.Count; nil where no paths were measured.
	Reach *delay.Reach
	// Traversed is the same with the routers that paths traverse.
	Traversed *delay.Reach
	Routers   Routers
	Bisection measure.Bisection
	// Throughput bounds the traffic that is carried; nil where no bound is known.
	Throughput *throughput.Bound
	// Rate is the slowest of all ports, what a channel of the bisection carries at
	// least.
	Rate units.Rate
	// Accepted is what was simulated to be accepted, an entry for each traffic of Comparison.Traffic; none where
	// nothing was simulated.
	Accepted []Accepted
	// Deployability is how hard the machine is to build, to repair and to grow; nil where that was not asked for.
	Deployability *Deployability
	// Step is the workload that was played; nil where none was.
	Step *Step
	// Breaches is the number of design rules of severity error that are broken.
	Breaches int
	// Floor is a picture of the machine from above, as PNG; empty where none was drawn.
	Floor []byte
}

// Comparison is several machines side by side.
type Comparison struct {
	Version  string // of Plenum
	Machines []Compared
	Alphas   []units.Time
	Beta     units.Propagation
	// Count is what D, the break-even points and the fastest machines count.
	Count delay.Count
	// Equal is what the machines were planned with in place of what their files say.
	Equal spec.Equal
	// Traffic is the patterns whose accepted throughput was simulated, and Unequal says in what the machines were
	// then not on equal terms.
	Traffic, Unequal []string
	// Baseline is the number of the machine that the others are set against, from 1; 0 for none.
	Baseline int
	// Refused are the machines that no part makes in the way that was asked for.
	Refused []Refused
	// Differences are where the files of the others say something else than that of the baseline.
	Differences []Difference
}

// Refused is a machine that is not compared, as no part leads the lanes of its ports in the way that was asked for.
type Refused struct {
	Machine string `json:"machine"` // its name
	Shuffle string `json:"shuffle"` // the way
	Why     string `json:"why"`     // what no part has
}

// Difference is a field of the machine file that a machine has otherwise than the baseline.
type Difference struct {
	Machine string `json:"machine"` // its name
	Field   string `json:"field"`   // the path in the machine file: `cabling.slack.percent`
	// Baseline is the value in the file of the baseline, as JSON has it; empty where that leaves the field out.
	Baseline string `json:"baseline"`
	Value    string `json:"value"` // the value in the file of the machine; empty where that leaves the field out
}

// reaches are those of the machines.
func (c *Comparison) reaches() []*delay.Reach {
	var out []*delay.Reach
	for i := range c.Machines {
		out = append(out, c.Machines[i].Reach)
	}
	return out
}

// Crossings compares all pairs of machines whose paths are known.
func (c *Comparison) Crossings() []delay.Crossing { return delay.Crossings(c.reaches()) }

// Fastest divides all alpha/beta among the machines that have the least average D
// somewhere.
func (c *Comparison) Fastest() []delay.Fastest { return delay.FastestMachines(c.reaches()) }

// D is alpha*hops + beta*distance of a machine, NaN where its paths are not
// known.
func (m *Compared) D(alpha units.Time, beta units.Propagation) (mean, most units.Time) {
	if m.Reach == nil {
		return units.Time(math.NaN()), units.Time(math.NaN())
	}
	return m.Reach.D(alpha, beta)
}

// PerNode is a sum of money for each node, rounded to a cent.
func (m *Compared) PerNode(total units.Money) units.Money {
	if m.Nodes == 0 {
		return 0
	}
	return units.Money(math.Round(float64(total) / float64(m.Nodes)))
}

// PerMoney is what of a figure a million units of money buy; NaN for nothing.
func (m *Compared) PerMoney(figure float64) float64 {
	if m.Cost.Total <= 0 {
		return math.NaN()
	}
	return figure / m.Cost.Total.Float() * 1e6
}

// Bounds is the rate that all nodes together send at most, of uniform traffic and of the worst: the bounds of the
// throughput, and what their ports carry. NaN where it is not known.
func (m *Compared) Bounds() (uniform, worst units.Rate) {
	if m.Throughput == nil || m.Rate <= 0 {
		return units.Rate(math.NaN()), units.Rate(math.NaN())
	}
	ports := float64(m.Rate) * float64(m.Throughput.Ports)
	return units.Rate(ports * min(1, m.Throughput.Uniform)), units.Rate(ports * min(1, m.Throughput.Worst))
}

// NetworkBy is what the network costs, without nodes and racks, by a unit of a rate; NaN where either is not known.
func (m *Compared) NetworkBy(rate units.Rate) float64 {
	if m.Cost.Network <= 0 || !(rate > 0) {
		return math.NaN()
	}
	return m.Cost.Network.Float() / float64(rate)
}

// OfMedium returns cables and metres of a medium.
func (m *Compared) OfMedium(medium catalog.Medium) (cables int64, metres units.Length) {
	for _, l := range m.Lengths {
		if l.Medium == medium {
			return l.Cables, l.Total
		}
	}
	return 0, 0
}

// Media lists the media that any machine uses, in the order of the catalog's.
func (c *Comparison) Media() []catalog.Medium {
	var out []catalog.Medium
	for _, medium := range catalog.Media {
		if slices.ContainsFunc(c.Machines, func(m Compared) bool { n, _ := m.OfMedium(medium); return n > 0 }) {
			out = append(out, medium)
		}
	}
	return out
}

// AllWhole reports whether all machines have several fabrics that are compared together: then there are no delays,
// bisections and throughputs of machines to compare.
func (c *Comparison) AllWhole() bool {
	return !slices.ContainsFunc(c.Machines, func(m Compared) bool { return !m.Whole })
}

// OneCurrency reports whether costs can be compared.
func (c *Comparison) OneCurrency() bool {
	for i := range c.Machines {
		if c.Machines[i].Currency != c.Machines[0].Currency {
			return false
		}
	}
	return true
}
