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

// Compared is one machine of a comparison. It holds figures only, not the plan, so that many large machines can be
// compared at once.
type Compared struct {
	*Plan
	File     string        // path of the machine file or name of the example, as given by the user
	Topology topology.Spec // as in the machine file; empty for a whole machine
	// Whole machines have several fabrics, all of which are compared: Plan.Fabrics has their topologies and delays.
	// Bisection, throughput and D are of one network, and whole machines have none.
	Whole bool
	// Direct machines have no switches: every node forwards packets.
	Direct bool
	// Reach has the hops, as Comparison.Count counts them, and the distances of which D is the sum; nil if no paths
	// were measured.
	Reach *delay.Reach
	// Traversed is Reach with the routers that paths traverse in place of hops.
	Traversed *delay.Reach
	Routers   Routers
	Bisection measure.Bisection
	// Throughput has upper bounds on accepted traffic; nil if none is known.
	Throughput *throughput.Bound
	// Rate is the data rate of the slowest port: every channel of the bisection carries at least that. It is 0 if no
	// port states a rate.
	Rate units.Rate
	// Accepted has the simulated accepted traffic, an entry for each pattern of Comparison.Traffic; empty without
	// simulation.
	Accepted []Accepted
	// Deployability is how hard the machine is to build, to repair and to grow; nil where that was not asked for.
	Deployability *Deployability
	// Step has the results of the workload that was simulated; nil without a workload.
	Step *Step
	// Breaches is the number of violations of design rules of severity error, accepted ones left out.
	Breaches int
	// Warnings are those of severity warning, by rule, accepted ones left out.
	Warnings []RuleCount
	// Floor is a picture of the machine from above, as PNG; empty where none was drawn.
	Floor []byte
}

// Comparison is several machines side by side.
type Comparison struct {
	Version  string // of Plenum
	Machines []Compared
	Alphas   []units.Time
	Beta     units.Propagation
	// Count says what counts as a hop in D, break-even points and the fastest machines.
	Count delay.Count
	// Equal has the values that replaced those of the machine files in all plans.
	Equal spec.Equal
	// Traffic lists the patterns that were simulated. Unequal has a sentence about each condition of the simulations
	// that was not the same for all machines.
	Traffic, Unequal []string
	// Baseline is the number of the machine that the others are set against, from 1; 0 for none.
	Baseline int
	// Refused are the machines that no part makes in the way that was asked for.
	Refused []Refused
	// Differences lists the fields in which machine files differ from that of the baseline.
	Differences []Difference
}

// Refused is a machine that is not compared, as no part leads the lanes of its ports in the way that was asked for.
type Refused struct {
	Machine string `json:"machine"` // its name
	Shuffle string `json:"shuffle"` // the way
	Why     string `json:"why"`     // what no part has
}

// Difference is a field of a machine file whose value differs from that in the file of the baseline.
type Difference struct {
	Machine string `json:"machine"` // its name
	Field   string `json:"field"`   // the path in the machine file: `cabling.slack.percent`
	// Baseline is the value in the file of the baseline, as JSON has it; empty where that leaves the field out.
	Baseline string `json:"baseline"`
	Value    string `json:"value"` // the value in the file of the machine; empty where that leaves the field out
}

// reaches returns Reach of every machine.
func (c *Comparison) reaches() []*delay.Reach {
	var out []*delay.Reach
	for i := range c.Machines {
		out = append(out, c.Machines[i].Reach)
	}
	return out
}

// Crossings returns, for each pair of machines with known paths, the alpha/beta at which their D is equal.
func (c *Comparison) Crossings() []delay.Crossing { return delay.Crossings(c.reaches()) }

// RuleCount is how many violations of a design rule count.
type RuleCount struct {
	Rule  string // id
	Count int
}

// Fastest returns the ranges of alpha/beta in which each machine has the lowest mean D.
func (c *Comparison) Fastest() []delay.Fastest { return delay.FastestMachines(c.reaches()) }

// D returns alpha x hops + beta x distance, the mean and the maximum over paths; NaN if the paths of the machine are
// not known.
func (m *Compared) D(alpha units.Time, beta units.Propagation) (mean, most units.Time) {
	if m.Reach == nil {
		return units.Time(math.NaN()), units.Time(math.NaN())
	}
	return m.Reach.D(alpha, beta)
}

// PerNode returns an amount of money divided by the number of nodes, rounded to a cent; 0 without nodes.
func (m *Compared) PerNode(total units.Money) units.Money {
	if m.Nodes == 0 {
		return 0
	}
	return units.Money(math.Round(float64(total) / float64(m.Nodes)))
}

// PerMoney returns a figure divided by the total cost of the machine, for a million units of its currency; NaN if the
// machine costs nothing.
func (m *Compared) PerMoney(figure float64) float64 {
	if m.Cost.Total <= 0 {
		return math.NaN()
	}
	return figure / m.Cost.Total.Float() * 1e6
}

// Bounds returns upper bounds on the rate at which all nodes together can send uniform and worst-case traffic: the
// bounds of Throughput, and what the ports of the nodes carry. They are NaN if no bound is known.
func (m *Compared) Bounds() (uniform, worst units.Rate) {
	if m.Throughput == nil || m.Rate <= 0 {
		return units.Rate(math.NaN()), units.Rate(math.NaN())
	}
	ports := float64(m.Rate) * float64(m.Throughput.Ports)
	return units.Rate(ports * min(1, m.Throughput.Uniform)), units.Rate(ports * min(1, m.Throughput.Worst))
}

// NetworkBy returns the cost of the network (without nodes and racks) per Gb/s of the given rate; NaN if either is not
// known.
func (m *Compared) NetworkBy(rate units.Rate) float64 {
	if m.Cost.Network <= 0 || !(rate > 0) {
		return math.NaN()
	}
	return m.Cost.Network.Float() / float64(rate)
}

// OfMedium returns the number and the total length of the cables of a medium.
func (m *Compared) OfMedium(medium catalog.Medium) (cables int64, metres units.Length) {
	for _, l := range m.Lengths {
		if l.Medium == medium {
			return l.Cables, l.Total
		}
	}
	return 0, 0
}

// Media lists the media that any of the machines uses, in the order of catalog.Media.
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

// OneCurrency reports whether the costs of all machines are in the same currency, and so can be compared.
func (c *Comparison) OneCurrency() bool {
	for i := range c.Machines {
		if c.Machines[i].Currency != c.Machines[0].Currency {
			return false
		}
	}
	return true
}
