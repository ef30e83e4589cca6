package machine

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/embed/mapping"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// Objectives of an optimised placement, and the names of weights.
const (
	Money   = "money"   // of cables, optics and labour
	Length  = "length"  // of all cables
	Longest = "longest" // the longest cable, then the length of all
	MeanNs  = "delay"   // the mean delay of links over the paths of all pairs of nodes
)

// NoEffort leaves places as the strategy fills them.
const NoEffort = "none"

// Optimising is the stage that Options.Progress is told while places are
// optimised.
const Optimising = "optimising places"

// Efforts lists the values of embedding.effort.
func Efforts() []string { return []string{NoEffort, "quick", "normal", "thorough"} }

// efforts are those of an optimised placement.
var efforts = map[string]mapping.Effort{"quick": mapping.Quick, "normal": mapping.Normal, "thorough": mapping.Thorough}

// optimizer is what improves the placement, nil for none.
func (r *resolved) optimizer(ctx context.Context, opt *Options) *embed.Optimizer {
	e := &r.spec.Embedding
	effort, ok := efforts[e.Effort]
	if !ok {
		return nil
	}
	o := &embed.Optimizer{
		Effort: effort, Settle: opt.Settle,
		Goal:     func(pl *embed.Placement) (embed.Goal, error) { return r.goal(ctx, pl) },
		Progress: func(done, total, _ int64) { opt.Progress(Optimising, int(done>>10), int(total>>10)) },
	}
	switch w := r.weights(); {
	case e.Objective == Longest:
		o.Objective.LongestFirst = true
	case w[Longest] > 0:
		o.Objective.Lambda = max(1, int64(math.Round(w[Longest]/w[Length])))
	}
	return o
}

// weights are those of the objective.
func (r *resolved) weights() map[string]float64 {
	e := &r.spec.Embedding
	switch {
	case len(e.Weights) > 0:
		return e.Weights
	case e.Objective == Longest:
		return map[string]float64{Length: 1}
	}
	return map[string]float64{e.Objective: 1}
}

// goal adds up weighted terms over links.
type goal struct {
	meter *cabling.Meter
	terms []goalTerm
	loads []float64 // of every link, for the mean delay
	// loadUnit is the load that weighs 1.
	loadUnit float64
	room     *layout.Room // nil for nested containers
	// wages are for a cable in a rack, in a row, from row to row or between
	// containers; fibre comes on top.
	wages map[string]float64
	delay *Delay
}

// goalTerm is one term with the integer that stands for one unit of it:
// currency, metres, nanoseconds.
type goalTerm struct {
	name string
	unit float64
}

func (r *resolved) goal(ctx context.Context, pl *embed.Placement) (*goal, error) {
	meter, err := cabling.NewMeter(r.cabling(pl, true))
	if err != nil {
		return nil, err
	}
	g := &goal{meter: meter, delay: &r.spec.Delay}
	weights := r.weights()
	wages := cost.NewWages(items(r.spec.Prices.Unit), r.offers, r.prices)
	g.room, g.wages = pl.Layout.Room, map[string]float64{}
	for _, id := range cost.LabourIDs {
		g.wages[id] = wages(id, 0).Unit.Float()
	}
	for _, name := range []string{Money, Length, MeanNs} {
		if weights[name] > 0 {
			g.terms = append(g.terms, goalTerm{name: name})
		}
	}
	if n := meter.Classes() * len(g.terms); n > 128 {
		return nil, fmt.Errorf("an objective of %d terms for %d classes of links is more than the optimiser can weigh", len(g.terms), meter.Classes())
	}
	if weights[MeanNs] > 0 {
		if err := g.weighLoads(ctx, r.graph, r.spec.Embedding.Seed); err != nil {
			return nil, err
		}
	}
	g.scale(weights)
	return g, nil
}

// typical is a large figure of a link: what a unit is chosen by.
var typical = map[string]float64{Money: 2000, Length: 100, MeanNs: 600}

// scale gives every term its unit: alone a hundredth of the currency, a
// millimetre or a picosecond; together they keep their ratio.
func (g *goal) scale(weights map[string]float64) {
	if len(g.terms) == 1 {
		g.terms[0].unit = map[string]float64{Money: 100, Length: 1000, MeanNs: 1000}[g.terms[0].name]
		return
	}
	// A unit of the mean delay is spread over the links by their loads.
	share := func(name string) float64 {
		if name == MeanNs {
			return weights[name] * g.loadUnit
		}
		return weights[name]
	}
	largest := 0.0
	for _, t := range g.terms {
		largest = max(largest, share(t.name)*typical[t.name])
	}
	for i := range g.terms {
		g.terms[i].unit = share(g.terms[i].name) * 2e7 / largest
	}
}

// weighLoads finds what part of all paths each link is on.
func (g *goal) weighLoads(ctx context.Context, graph topology.Graph, seed uint64) error {
	loads, err := measure.LinkLoads(ctx, graph, measure.LoadOptions{Seed: seed})
	if err != nil {
		return err
	}
	nodes := float64(topology.Count(graph).Nodes)
	sum := 0.0
	for i := range loads {
		loads[i] /= max(nodes*(nodes-1), 1)
		sum += loads[i]
	}
	g.loads, g.loadUnit = loads, 1
	if sum > 0 {
		g.loadUnit = sum / float64(len(loads)) / 1000 // the mean weighs 1000
	}
	return nil
}

func (g *goal) Classes() int { return g.meter.Classes() * len(g.terms) }

func (g *goal) Terms(terms []embed.Term, i int, l *topology.Link) []embed.Term {
	class := g.meter.Class(l)
	for k := range g.terms {
		weight := int64(l.Width)
		if g.terms[k].name == MeanNs {
			weight = max(1, int64(math.Round(g.loads[i]/g.loadUnit)))
		}
		terms = append(terms, embed.Term{Class: k*g.meter.Classes() + class, Weight: weight})
	}
	return terms
}

func (g *goal) Cost(class int, a, b int32) int64 {
	n := g.meter.Classes()
	t := &g.terms[class/n]
	m := g.meter.Between(class%n, a, b)
	switch t.name {
	case Money:
		price := m.Cost
		switch {
		case m.Trace:
		case m.InRack:
			price += g.wages[cost.InstallInRack]
		case g.room == nil:
			price += g.wages[cost.InstallBetweenRacks]
		case g.room.Places[a].Row == g.room.Places[b].Row:
			price += g.wages[cost.InstallInRow]
		default:
			price += g.wages[cost.InstallCrossRow]
		}
		if m.Product != nil && m.Product.Part.Cable.Medium.Fibre() {
			price += g.wages[cost.TerminateFibre]
		}
		return int64(math.Round(price * t.unit))
	case Length:
		if m.Trace {
			return 0
		}
		return int64(math.Round(float64(m.Length) * t.unit))
	}
	return int64(math.Round(float64(g.delay.linkDelay(&m)) * t.unit))
}

// notWorse holds an optimised placement against its start with every cable
// measured from port to port, not from rack to rack, and returns the better one.
// It trusts the optimiser where the objective is about delays, or mixed, or
// where the start need not keep rules.
func (r *resolved) notWorse(ctx context.Context, p *embed.Problem, pl *embed.Placement) (*embed.Placement, error) {
	if e := &r.spec.Embedding; e.Objective == "" || e.Objective == MeanNs || len(e.Together)+len(e.Apart) > 0 {
		return pl, nil
	}
	q := *p
	q.Optimizer, q.Strategy = nil, pl.Optimized.Strategy
	start, err := embed.Place(ctx, &q)
	if err != nil {
		return nil, err
	}
	before, err := r.exactly(ctx, start)
	if err != nil {
		return nil, err
	}
	after, err := r.exactly(ctx, pl)
	if err != nil {
		return nil, err
	}
	if slices.Compare(after, before) > 0 {
		start.Optimized = pl.Optimized
		start.Optimized.After = start.Optimized.Before
		return start, nil
	}
	return pl, nil
}

// exactly measures every cable of a placement: what the objective is about,
// first things first.
func (r *resolved) exactly(ctx context.Context, pl *embed.Placement) ([]float64, error) {
	s, err := cabling.Run(ctx, r.cabling(pl, true))
	if err != nil {
		return nil, err
	}
	var total, longest float64
	for _, tallies := range s.Tallies {
		for _, t := range tallies {
			total += float64(t.CableMetres)
			longest = max(longest, float64(t.LongestCable))
		}
	}
	switch r.spec.Embedding.Objective {
	case Money:
		breaches := float64(s.Violations.Count(cabling.RuleReach))
		return []float64{breaches, float64(cost.NewBill(r.bill(pl, s)).Total)}, nil
	case Longest:
		return []float64{longest, total}, nil
	}
	return []float64{total}, nil
}

// PlacementReport tells how places were optimised. Figures are in the unit of
// the objective: currency, metres, or nanoseconds; of weights in no unit. They
// are measured from rack to rack, with every kind of box at its mean height.
type PlacementReport struct {
	Strategy    embed.Strategy `json:"strategy"` // of the start, "given" where a table gave every place
	Effort      string         `json:"effort"`
	Objective   string         `json:"objective"`
	Unit        string         `json:"unit,omitempty"`
	Before      float64        `json:"before"`
	After       float64        `json:"after"`
	LowerBound  *float64       `json:"lower_bound"`
	GapToBound  *float64       `json:"gap_to_bound"` // (after - lower_bound) / after
	BoundMethod string         `json:"bound_method,omitempty"`
	// RackBound is what the racks, filled as they are, cost at least wherever they
	// stand.
	RackBound        *float64 `json:"rack_bound"`
	GapToRackBound   *float64 `json:"gap_to_rack_bound"` // (after - rack_bound) / after
	RackBoundMethods []string `json:"rack_bound_methods,omitempty"`
	Steps            int64    `json:"steps"`
	Interrupted      bool     `json:"interrupted,omitempty"`
}

// placementReport is nil where nothing was optimised.
func (p *Result) placementReport() *PlacementReport {
	o := p.Placement.Optimized
	if o == nil {
		return nil
	}
	e := &p.Spec.Embedding
	r := &PlacementReport{
		Strategy: o.Strategy, Effort: e.Effort, Objective: e.Objective,
		Steps: o.Steps, Interrupted: o.Interrupted,
	}
	if o.Given {
		r.Strategy = "given"
	}
	unit, before, after := 1.0, o.Before.Sum, o.After.Sum
	switch e.Objective {
	case Money:
		unit, r.Unit = 100, p.Prices.Currency
	case Length, Longest:
		unit, r.Unit = 1000, "m"
	case MeanNs:
		unit, r.Unit = 1000, "ns, weighted with loads"
	default:
		r.Objective = "weights"
	}
	if e.Objective == Longest {
		before, after = o.Before.Longest, o.After.Longest
	} else if e.Weights[Longest] == 0 {
		bounded := func(bound int64) (value, gap *float64) {
			v := round(float64(bound) / unit)
			if after > 0 {
				g := round(float64(after-bound) / float64(after))
				gap = &g
			}
			return &v, gap
		}
		if o.BoundMethod != "" {
			r.LowerBound, r.GapToBound = bounded(o.Bound)
			r.BoundMethod = o.BoundMethod
		}
		if len(o.RackBoundMethods) > 0 {
			r.RackBound, r.GapToRackBound = bounded(o.RackBound)
			r.RackBoundMethods = o.RackBoundMethods
		}
	}
	r.Before, r.After = round(float64(before)/unit), round(float64(after)/unit)
	return r
}

// Objectives lists the values of embedding.objective.
func Objectives() []string { return []string{Money, Length, Longest, MeanNs} }

// checkObjective refuses what cannot be weighed together.
func (s *Spec) checkObjective(report reporter) {
	e := &s.Embedding
	optimised := e.Effort != "" && e.Effort != NoEffort
	if e.Objective != "" && !slices.Contains(Objectives(), e.Objective) {
		return // the decoder has said so
	}
	switch {
	case !optimised && e.Objective != "":
		report("embedding.objective", "nothing is optimised without an effort\ngive effort: quick, normal or thorough")
	case !optimised && len(e.Weights) > 0:
		report("embedding.weights", "nothing is optimised without an effort\ngive effort: quick, normal or thorough")
	case e.Objective != "" && len(e.Weights) > 0:
		report("embedding.weights", "cannot be combined with an objective\nremove one of them")
	}
	for key, given := range map[string]bool{"together": len(e.Together) > 0, "apart": len(e.Apart) > 0} {
		switch {
		case given && !optimised:
			report("embedding."+key, "only the optimiser keeps it\ngive effort: quick, normal or thorough")
		case given && len(s.Room.Containers) > 0:
			report("embedding."+key, "nested containers have no racks\nremove it")
		}
	}
	for name, w := range e.Weights {
		switch {
		case !slices.Contains(Objectives(), name):
			report(diag.Key("embedding.weights", name), "nothing that can be weighed; there are %v", Objectives())
		case !(w > 0) || w > 1e9:
			report(diag.Key("embedding.weights", name), "%v is not a weight above 0 and up to 1e9", w)
		}
	}
	if w := e.Weights; w[Longest] > 0 && (len(w) != 2 || w[Length] <= 0) {
		report(diag.Key("embedding.weights", Longest), "the longest cable can be weighed against the length of all cables only\ngive weights for length and longest, or objective: longest")
	}
}
