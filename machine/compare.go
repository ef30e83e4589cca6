package machine

import (
	"cmp"
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
	// Progress, if set, is told what is being done.
	Progress func(stage string, done, total int)
}

// NewComparison begins a comparison without machines.
func NewComparison(opt CompareOptions) *Comparison {
	c := &Comparison{Alphas: opt.Alphas, Beta: opt.Beta}
	if len(c.Alphas) == 0 {
		c.Alphas = slices.Clone(DefaultAlphas)
	}
	if c.Beta == 0 {
		c.Beta = DefaultBeta
	}
	return c
}

// Add plans a machine, keeps its figures and lets go of the rest. File is what it
// was asked for by.
func (c *Comparison) Add(ctx context.Context, file string, spec *Spec, opt CompareOptions) error {
	if opt.Progress == nil {
		opt.Progress = func(string, int, int) {}
	}
	p, err := PlanWith(ctx, spec, Options{Summary: true, Paths: true, Progress: opt.Progress})
	if err != nil {
		return err
	}
	opt.Progress("bounding the bisection", 0, 1)
	b, err := measure.Bisect(ctx, p.Graph, measure.HopEnds(p.Graph), measure.BisectionOptions{Seed: p.Spec.Embedding.Seed})
	if err != nil {
		return err
	}
	b.Side = nil
	m := Compared{
		Report: p.Report(), File: file, Topology: p.Spec.Topology, Direct: p.Census.Switches == 0,
		Bisection: *b, Rate: p.slowest(), Breaches: p.Violations.Errors(),
	}
	if p.Delay != nil {
		r := p.Delay.Reach()
		m.Reach = &r
	}
	c.Machines = append(c.Machines, m)
	return nil
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

// Finish gives machines of one name different ones. It is called when all are
// there.
func (c *Comparison) Finish() {
	seen := map[string]int{}
	for i := range c.Machines {
		m := c.Machines[i].Report
		seen[m.Machine]++
		if n := seen[m.Machine]; n > 1 {
			m.Machine = fmt.Sprintf("%s (%d)", m.Machine, n)
		}
	}
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
func (m *Compared) OfMedium(medium catalog.Medium) (cables int64, metres float64) {
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

// Crossing is where two machines have the same D.
type Crossing struct {
	A, B int // machines, A before B
	// Mean is alpha/beta for the average D, Max for the maximal one.
	Mean, Max delay.BreakEven
	// MoreHops is the machine with more hops on average: it is the faster one
	// below Mean.
	MoreHops int
}

// Crossings compares all pairs of machines whose paths are known.
func (c *Comparison) Crossings() []Crossing {
	var out []Crossing
	for a := range c.Machines {
		for b := a + 1; b < len(c.Machines); b++ {
			x, y := c.Machines[a].Reach, c.Machines[b].Reach
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

// Reign is a range of alpha/beta, in metres, in which one machine has the least
// average D.
type Reign struct {
	Machine  int
	From, To units.Length // To is infinite in the last
}

// Reigns divides all alpha/beta among the machines that are fastest somewhere.
// Of equally fast ones the first counts.
func (c *Comparison) Reigns() []Reign {
	var out []Reign
	at := func(i int, ratio float64) float64 {
		r := c.Machines[i].Reach
		return float64(ratio*r.HopsMean) + float64(r.PathMean)
	}
	now := -1
	better := func(i, j int, ratio float64) int { // at ratio and just above it
		a, b := c.Machines[i].Reach, c.Machines[j].Reach
		return cmp.Or(cmp.Compare(at(i, ratio), at(j, ratio)), cmp.Compare(a.HopsMean, b.HopsMean))
	}
	for i := range c.Machines {
		if c.Machines[i].Reach != nil && (now < 0 || better(i, now, 0) < 0) {
			now = i
		}
	}
	if now < 0 {
		return nil
	}
	from := 0.0
	for {
		next, to := -1, math.Inf(1)
		for i := range c.Machines {
			if c.Machines[i].Reach == nil || c.Machines[i].Reach.HopsMean >= c.Machines[now].Reach.HopsMean {
				continue
			}
			b := c.Machines[now].Reach.BreakEvenMean(*c.Machines[i].Reach)
			r := max(float64(b.Ratio), from)
			if b.Crosses && (r < to || r == to && c.Machines[i].Reach.HopsMean < c.Machines[next].Reach.HopsMean) {
				next, to = i, r
			}
		}
		out = append(out, Reign{now, units.Length(from), units.Length(to)})
		if next < 0 {
			return out
		}
		now, from = next, to
	}
}
