package cabling

import (
	"fmt"
	"math"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Goal is the objective that an optimizer of placements minimizes: a weighted sum over links of their money, their
// length and the delay on them, each as a Meter measures it. Costs are integers in units that differ from goal to goal:
// only those of one goal are comparable.
type Goal struct {
	meter *Meter
	opt   GoalOptions
	terms []goalTerm
	// share is the part of all paths that each link is on, and shareUnit the part
	// that weighs 1: for the mean delay.
	share     []float64
	shareUnit float64
}

var _ embed.Goal = (*Goal)(nil)

// GoalOptions says what a Goal adds up.
type GoalOptions struct {
	// Money, Length and Delay are what a unit of the currency, a metre of cable and
	// a nanosecond of mean delay are worth; at least one is above 0.
	Money, Length, Delay float64
	// Install is the labour of a cable by layout level of the lowest container that holds both ends, and Terminate that
	// of fibre on top. Money needs an entry for every level.
	Install   []units.Money
	Terminate units.Money
	// Wire returns the delay of a link, and Loads is how many of the paths between all ordered pairs of nodes are on
	// each link, in the order of Graph.Links. Both are needed if Delay is above 0, else ignored.
	Wire  func(*Measured) units.Time
	Loads []float64
}

// figure is what a link counts for.
type figure uint8

const (
	moneyFigure figure = iota
	lengthFigure
	delayFigure
)

// goalTerm is one term of the sum with the integer that stands for one unit of
// it: currency, metres, nanoseconds.
type goalTerm struct {
	figure figure
	weight float64
	unit   float64
}

// fine is what a unit becomes of a term that is alone: hundredths of the currency,
// millimetres, picoseconds.
var fine = [...]float64{moneyFigure: 100, lengthFigure: 1000, delayFigure: 1000}

// large is a large figure of a link, by which units are chosen.
var large = [...]float64{moneyFigure: 2000, lengthFigure: 100, delayFigure: 600}

// mostGoalClasses is the most classes of terms that an optimiser takes.
const mostGoalClasses = 128

// NewGoal prepares a goal for the links of a problem among the sites of its placement. The error is that of NewMeter,
// or says that there are more classes of terms than the optimizer takes.
func NewGoal(p *Problem, opt GoalOptions) (*Goal, error) {
	meter, err := NewMeter(p)
	if err != nil {
		return nil, err
	}
	g := &Goal{meter: meter, opt: opt}
	for i, weight := range [...]float64{moneyFigure: opt.Money, lengthFigure: opt.Length, delayFigure: opt.Delay} {
		if weight > 0 {
			g.terms = append(g.terms, goalTerm{figure: figure(i), weight: weight})
		}
	}
	if n := meter.Classes() * len(g.terms); n > mostGoalClasses {
		return nil, fmt.Errorf("an objective of %d terms for %d classes of links is more than the optimiser can weigh",
			len(g.terms), meter.Classes())
	}
	if opt.Delay > 0 {
		g.weighPaths(p.Graph)
	}
	g.scale()
	return g, nil
}

// weighPaths finds what part of all paths each link is on.
func (g *Goal) weighPaths(graph topology.Graph) {
	nodes := float64(topology.Count(graph).Nodes)
	g.share = make([]float64, len(g.opt.Loads))
	sum := 0.0
	for i, load := range g.opt.Loads {
		g.share[i] = load / max(nodes*(nodes-1), 1)
		sum += g.share[i]
	}
	g.shareUnit = 1
	if sum > 0 {
		g.shareUnit = sum / float64(len(g.share)) / 1000 // the mean weighs 1000
	}
}

// scale gives every term its unit: alone a fine one; together they keep their
// ratio.
func (g *Goal) scale() {
	if len(g.terms) == 1 {
		g.terms[0].unit = fine[g.terms[0].figure]
		return
	}
	// A unit of the mean delay is spread over the links by their shares of paths.
	worth := func(t *goalTerm) float64 {
		if t.figure == delayFigure {
			return t.weight * g.shareUnit
		}
		return t.weight
	}
	largest := 0.0
	for i := range g.terms {
		largest = max(largest, worth(&g.terms[i])*large[g.terms[i].figure])
	}
	for i := range g.terms {
		g.terms[i].unit = worth(&g.terms[i]) * 2e7 / largest
	}
}

// Classes is the number of classes of terms: those of links, for each term.
func (g *Goal) Classes() int { return g.meter.Classes() * len(g.terms) }

// Terms appends a term for each figure of the goal to which the i-th link of the graph, from 0, contributes. Its weight
// is the number of channels; for delay it is the link's share of paths, 1000 for a link with the mean share, at least
// 1.
func (g *Goal) Terms(terms []embed.Term, i int, l *topology.Link) []embed.Term {
	class := g.meter.Class(l)
	for k := range g.terms {
		weight := int64(l.Width)
		if g.terms[k].figure == delayFigure {
			weight = max(1, int64(math.Round(g.share[i]/g.shareUnit)))
		}
		terms = append(terms, embed.Term{Class: k*g.meter.Classes() + class, Weight: weight})
	}
	return terms
}

// Cost is what a link of a class of terms costs from site a to site b for a weight of 1. A trace has no length and no
// labour.
func (g *Goal) Cost(class int, a, b int32) int64 {
	n := g.meter.Classes()
	t := &g.terms[class/n]
	m := g.meter.Between(class%n, a, b)
	switch t.figure {
	case moneyFigure:
		return int64(math.Round(float64(g.money(&m)) * t.unit))
	case lengthFigure:
		if m.Trace {
			return 0
		}
		return int64(math.Round(float64(m.Length) * t.unit))
	}
	return int64(math.Round(float64(g.opt.Wire(&m)) * t.unit))
}

// money is that of a cable with its optics and its labour.
func (g *Goal) money(m *Measured) units.Price {
	price := m.Cost
	if !m.Trace {
		price += g.opt.Install[m.Within].Price()
	}
	if m.Product != nil && m.Product.Part.Cable.Medium.Fibre() {
		price += g.opt.Terminate.Price()
	}
	return price
}
