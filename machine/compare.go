package machine

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
	"github.com/plenum-planner/plenum/units"
)

// DefaultAlphas are the hop delays at which machines are compared unless others
// are given: an on-board router, a node with a router of its own, and a data
// centre switch. DefaultBeta is the propagation delay of fibre.
var DefaultAlphas = []units.Time{10, 100, 500}

// DefaultBeta goes with DefaultAlphas.
const DefaultBeta units.Propagation = 5

// Compared is one machine of a comparison. It holds figures only, so that many
// large machines can stand beside each other.
type Compared struct {
	*Report
	File     string        // what it was asked for by
	Topology topology.Spec // as in the machine file
	// Direct machines have no switches: every node passes messages on.
	Direct bool
	// Reach is what D is made of; nil where no paths were measured.
	Reach     *delay.Reach
	Bisection measure.Bisection
	// Rate is the slowest of all ports, what a channel of the bisection carries at
	// least.
	Rate units.Rate
	// Breaches is the number of design rules of severity error that are broken.
	Breaches int
}

// Comparison is several machines side by side.
type Comparison struct {
	Machines []Compared
	Alphas   []units.Time
	Beta     units.Propagation
}

// CompareOptions says how machines are compared.
type CompareOptions struct {
	Alphas []units.Time      // DefaultAlphas when empty
	Beta   units.Propagation // DefaultBeta when zero
	// Progress, if set, is told what is being done, after the name of the file.
	Progress func(stage string, done, total int)
}

// Candidate is a machine to compare.
type Candidate struct {
	File string // what it was asked for by
	Spec *Spec
}

// Compare plans machines one after the other, keeps the figures of each and lets
// go of the rest. Machines of one name get different ones.
func Compare(ctx context.Context, machines []Candidate, opt CompareOptions) (*Comparison, error) {
	c := &Comparison{Alphas: opt.Alphas, Beta: opt.Beta}
	if len(c.Alphas) == 0 {
		c.Alphas = slices.Clone(DefaultAlphas)
	}
	if c.Beta == 0 {
		c.Beta = DefaultBeta
	}
	seen := map[string]int{}
	for _, of := range machines {
		progress := func(stage string, done, total int) {
			if opt.Progress != nil {
				opt.Progress(of.File+": "+stage, done, total)
			}
		}
		m, err := compared(ctx, of, progress)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", of.File, err)
		}
		seen[m.Machine]++
		if n := seen[m.Machine]; n > 1 {
			m.Machine = fmt.Sprintf("%s (%d)", m.Machine, n)
		}
		c.Machines = append(c.Machines, *m)
	}
	return c, nil
}

// compared plans a machine as a summary with its paths.
func compared(ctx context.Context, of Candidate, progress func(stage string, done, total int)) (*Compared, error) {
	p, err := PlanWith(ctx, of.Spec, Options{Summary: true, Paths: true, Progress: progress})
	if err != nil {
		return nil, err
	}
	progress("bounding the bisection", 0, 1)
	b, err := measure.Bisect(ctx, p.Graph, measure.HopEnds(p.Graph), measure.BisectionOptions{Seed: p.Spec.Embedding.Seed})
	if err != nil {
		return nil, err
	}
	b.Side = nil
	m := &Compared{
		Report: p.Report(), File: of.File, Topology: p.Spec.Topology, Direct: p.Census.Switches == 0,
		Bisection: *b, Rate: p.slowest(), Breaches: p.Violations.Errors(),
	}
	if p.Delay != nil {
		r := p.Delay.Reach()
		m.Reach = &r
	}
	return m, nil
}

// slowest is the rate of the slowest port that any box has, 0 where none states
// one.
func (p *Result) slowest() units.Rate {
	var slow units.Rate
	for _, b := range p.Schedule.Boxes {
		for i := range b.Part.Ports {
			if r := b.Part.Ports[i].Rate; r > 0 && (slow == 0 || r < slow) {
				slow = r
			}
		}
	}
	return slow
}

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

// OneCurrency tells whether costs can be compared.
func (c *Comparison) OneCurrency() bool {
	for i := range c.Machines {
		if c.Machines[i].Currency != c.Machines[0].Currency {
			return false
		}
	}
	return true
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
