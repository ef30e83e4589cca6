package machines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology/throughput"
)

// Why candidates fall out.
const (
	ByDiameter   = "diameter"   // it is greater than asked for
	ByThroughput = "throughput" // an upper bound of it is below what is asked for, or not known
	ByBisection  = "bisection"  // two halves with fewer channels between them were found
	ByRate       = "rate"       // a port is slower than asked for
	Unplannable  = "unplannable"
	ByPower      = "power"     // a lower bound of it, or the plan's, is above what is asked for
	ByDelay      = "delay"     // likewise
	ByBounds     = "bounds"    // a planned machine is better than its lower bounds
	ByRules      = "rules"     // the plan breaks a design rule
	Dominated    = "dominated" // a planned machine is better than its plan
)

// reasons lists why candidates fall out, in the order in which it is tried.
var reasons = []string{
	ByDiameter, ByThroughput, ByBisection, ByRate, Unplannable, ByPower, ByDelay, ByBounds, ByRules, Dominated,
}

// Result is what a search found.
type Result struct {
	Name string `json:"name"` // that of the search file
	// Objective is what the best machine has least of; `weighted` for a sum of several.
	Objective string `json:"objective"`
	// Weights are those of the sum, in the currency by unit of each figure; left out for other objectives.
	Weights    *Weights `json:"weights,omitempty"`
	NodesMin   int      `json:"nodes_min"`  // the least number of nodes that was asked for
	NodesMax   int      `json:"nodes_max"`  // the greatest number of nodes that was asked for
	Families   []string `json:"families"`   // those that were searched
	Currency   string   `json:"currency"`   // the ISO 4217 code for all money; empty where nothing was planned
	Enumerated int      `json:"enumerated"` // the configurations of all families in the range
	// Pruned is how many fell out, by the reason; those that were planned and are not on the front are among them.
	Pruned    []Pruned `json:"pruned"`
	Estimated int      `json:"estimated"` // candidates whose money and delay were bounded and estimated
	Planned   int      `json:"planned"`   // candidates that were planned in full
	// Front are the machines of which no planned one is better in both the objective and the mean delay (of the
	// objective delay: in delay and money), by the objective.
	Front []Entry `json:"front"`
	Best  *Entry  `json:"best"` // the first of the front; null where there is none
	// Fallen are all candidates that fell out, in the order of enumeration.
	Fallen []Fallen `json:"fallen"`
}

// Pruned counts the candidates that fell out for a reason.
type Pruned struct {
	// Reason is `diameter`, `throughput`, `bisection`, `rate`, `unplannable`, `power`, `delay`, `bounds`, `rules` or
	// `dominated`; docs/search.md#machines-of-any-family.
	Reason string `json:"reason"`
	Count  int    `json:"count"` // how many fell out
}

// Fallen is a candidate that fell out.
type Fallen struct {
	Family   string `json:"family"`   // of the topology
	Topology string `json:"topology"` // what to write into a machine file
	// Switch is the part that its switches are of; left out where the search names none.
	Switch string `json:"switch,omitempty"`
	Nodes  int    `json:"nodes"`  // how many there are
	Reason string `json:"reason"` // as in `pruned`
	Detail string `json:"detail"` // the figure or bound that decided, in words
	// Least is the lower bound of the objective (of money, where that is delay), or the plan's figure where it was
	// planned; left out where neither is known.
	Least *float64 `json:"least,omitempty"`
	// LeastDelay is the lower bound of the mean delay, or the plan's; left out where neither is known.
	LeastDelay *float64 `json:"delay_least_ns,omitempty"`
	By         string   `json:"by,omitempty"` // the planned topology that is better; left out where none decided
}

// Entry is a machine of the front.
type Entry struct {
	Family   string `json:"family"`   // of the topology
	Topology string `json:"topology"` // what to write into a machine file
	// Switch is the part that its switches are of; left out where the search names none.
	Switch   string  `json:"switch,omitempty"`
	Nodes    int     `json:"nodes"`         // vertices that send and receive messages
	Switches int     `json:"switches"`      // vertices that only pass messages on
	Cables   int64   `json:"cables"`        // pieces of cable
	Score    float64 `json:"score"`         // the figure of the objective
	Metres   float64 `json:"length_m"`      // what the cables need along their ways, in all
	Cost     float64 `json:"cost"`          // the total of the bill
	Power    float64 `json:"power_w"`       // what all boxes, optics and cables draw
	Delay    float64 `json:"delay_mean_ns"` // of the fastest path with the fewest hops, mean over the pairs of nodes
	Hops     float64 `json:"hops_mean"`     // links on a path with the fewest, mean over the pairs
	// Throughput is the upper bound of uniform traffic, as a share of what the ports of the nodes send; null where none
	// is known.
	Throughput *float64 `json:"throughput"`
	Unpriced   []string `json:"unpriced"` // the items of the bill without a price, which the cost leaves out
	// File is the machine file that was written; left out without a directory.
	File string `json:"file,omitempty"`

	machine *yaml.Node
	inputs  []string
	axes    [2]float64 // of the front
}

// Options changes how a search is made, not what it finds.
type Options struct {
	// Progress, if set, is told what is being done and how far it is.
	Progress func(stage string, done, total int)
	// All plans every candidate that keeps the limits, whatever its bounds.
	All bool
}

// Run makes the search. The error is a diag.List where the files are to blame, else that of ctx.
func (s *Search) Run(ctx context.Context, opt Options) (*Result, error) {
	if opt.Progress == nil {
		opt.Progress = func(string, int, int) {}
	}
	opt.Progress("enumerating", 0, 1)
	all, err := s.enumerate()
	if err != nil {
		return nil, err
	}
	out := &Result{
		Name: s.Name, Objective: s.Objective.Name, Weights: s.Objective.Weights,
		NodesMin: s.MinNodes, NodesMax: s.MaxNodes, Families: s.Families,
		Enumerated: len(all), Pruned: []Pruned{}, Front: []Entry{}, Fallen: []Fallen{},
	}
	for _, c := range all {
		if d := c.size.Diameter; s.Diameter > 0 && d > s.Diameter {
			c.fall(ByDiameter, fmt.Sprintf("its diameter is %d", d))
		}
	}
	left := racing(all)
	if err := s.give(left); err != nil {
		return nil, err
	}
	if err := s.estimate(ctx, left, opt.Progress); err != nil {
		return nil, err
	}
	if err := unplannable(left); err != nil {
		return nil, err
	}
	left = racing(left)
	out.Estimated = len(left)
	if err := s.plan(ctx, left, opt, out); err != nil {
		return nil, err
	}
	s.conclude(all, out)
	return out, nil
}

// racing are the candidates that have not fallen out.
func racing(all []*candidate) []*candidate {
	var out []*candidate
	for _, c := range all {
		if c.fallen == nil {
			out = append(out, c)
		}
	}
	return out
}

// called is the topology of a candidate, with the part of its switches if the search names one.
func (c *candidate) called() string { return calledWith(c.size.Spec.String(), c.part) }

// calledWith is the name of a topology of switches of a part.
func calledWith(topology, part string) string {
	if part == "" {
		return topology
	}
	return topology + " of " + part
}

// Called is the topology for people, with the part of its switches if the search names one.
func (e *Entry) Called() string { return calledWith(e.Topology, e.Switch) }

// fall takes a candidate out.
func (c *candidate) fall(reason, detail string) {
	c.fallen = &Fallen{
		Family: c.size.Spec.Family(), Topology: c.size.Spec.String(), Switch: c.part, Nodes: c.size.Nodes,
		Reason: reason, Detail: detail,
	}
}

// estimate bounds and estimates candidates, on all cores.
func (s *Search) estimate(ctx context.Context, left []*candidate, progress func(string, int, int)) error {
	const batch = 64
	for from := 0; from < len(left); from += batch {
		progress("estimating", from, len(left))
		some := left[from:min(from+batch, len(left))]
		err := parallel.Each(ctx, len(some), func(ctx context.Context, i int) error {
			return s.weigh(ctx, some[i])
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// weigh bounds and estimates a candidate. The error is that of ctx.
func (s *Search) weigh(ctx context.Context, c *candidate) error {
	least, err := machine.LeastOf(ctx, c.spec)
	if err == nil {
		err = s.meets(ctx, c, least)
	}
	if err == nil && c.fallen == nil {
		c.least = leastOf(c.size.Nodes, least, c.accepted(least.Rate))
		unmodelled := *c.spec
		unmodelled.Prices.Model = ""
		e, failed := machine.Estimate(ctx, &unmodelled)
		if err = failed; err == nil {
			about := estimated(c.least, e)
			c.order = about.by(&s.Objective)
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	switch {
	case err != nil:
		c.refused = err
		c.fall(Unplannable, inWords(err))
	case c.fallen == nil:
		s.limit(c, &c.least, "at least ")
	}
	return nil
}

// limit takes out a candidate whose power or delay is above what is asked for.
func (s *Search) limit(c *candidate, f *figures, atLeast string) {
	switch {
	case s.Power > 0 && f.power > float64(s.Power):
		c.fall(ByPower, fmt.Sprintf("it draws %s%.0f W", atLeast, f.power))
	case s.Delay > 0 && f.delay > float64(s.Delay):
		c.fall(ByDelay, fmt.Sprintf("its mean delay is %s%.2f ns", atLeast, f.delay))
	}
	if c.fallen != nil {
		c.fallen.figures(f.axes(&s.Objective), s.Objective.Name)
	}
}

// unplannable is what is wrong with the first candidate where none can be planned: it is then in the machine that all
// start from.
func unplannable(left []*candidate) error {
	for _, c := range left {
		if c.refused == nil {
			return nil
		}
	}
	if len(left) == 0 {
		return nil
	}
	return fmt.Errorf("no candidate can be planned; the first is %v\n%w", left[0].size.Spec, left[0].refused)
}

// atOnce is how many candidates are planned side by side. It does not depend on the machine, so that what falls out by
// bounds does not either.
const atOnce = 4

// plan plans the candidates that bounds do not take out, those of the least estimates first.
func (s *Search) plan(ctx context.Context, left []*candidate, opt Options, out *Result) error {
	order := slices.Clone(left)
	slices.SortStableFunc(order, func(a, b *candidate) int { return cmp.Compare(a.order, b.order) })
	var done, batch []*candidate
	for i, c := range order {
		bound := c.least.axes(&s.Objective)
		if by := better(done, bound, &s.Objective); by != nil && !opt.All {
			c.fall(ByBounds, fmt.Sprintf("it has at least %.10g by %v, and %.10g of the other axis", bound[0],
				&s.Objective, bound[1]))
			c.fallen.figures(bound, s.Objective.Name)
			c.fallen.By = by.called()
		} else {
			batch = append(batch, c)
		}
		if len(batch) < atOnce && i < len(order)-1 {
			continue
		}
		opt.Progress("planning", i+1-len(batch), len(order))
		err := parallel.Each(ctx, len(batch), func(ctx context.Context, i int) error {
			return s.planOne(ctx, batch[i])
		})
		if err != nil {
			return err
		}
		out.Planned += len(batch)
		for _, c := range batch {
			if c.fallen == nil {
				done = append(done, c)
			}
			out.Currency = cmp.Or(out.Currency, c.currency)
		}
		batch = batch[:0]
	}
	return nil
}

// better is the first machine that beats figures, nil if none does.
func better(done []*candidate, figures [2]float64, objective *Objective) *candidate {
	for _, p := range done {
		if beats(p.planned.axes(objective), figures) {
			return p
		}
	}
	return nil
}

// planOne plans a candidate. The error is that of ctx.
func (s *Search) planOne(ctx context.Context, c *candidate) error {
	p, err := machine.PlanWith(ctx, c.spec, machine.Options{Summary: true, Paths: true})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		c.fall(Unplannable, inWords(err))
		return nil
	case p.Network.Delay == nil:
		c.fall(Unplannable, "there are too many links to measure paths")
		return nil
	case p.Violations.Errors() > 0:
		c.fall(ByRules, fmt.Sprintf("its plan breaks design rules %d times", p.Violations.Errors()))
		return nil
	}
	r := p.Report()
	c.planned = &figures{
		nodes: float64(r.Nodes), money: r.Cost.Total.Float(), power: float64(r.Power),
		delay: float64(r.Delay.NsMean), cables: float64(r.Cables), metres: float64(r.Length.Total),
		accepted: c.least.accepted,
	}
	c.currency = r.Currency
	c.entry = &Entry{
		Family: c.size.Spec.Family(), Topology: c.size.Spec.String(), Switch: c.part, Nodes: r.Nodes,
		Switches: r.Switches, Cables: r.Cables, Metres: c.planned.metres, Cost: c.planned.money, Power: c.planned.power,
		Delay: c.planned.delay, Hops: r.Delay.HopsMean, Unpriced: []string{}, machine: c.machine,
	}
	for _, u := range p.Bill.Unpriced {
		c.entry.Unpriced = append(c.entry.Unpriced, u.String())
	}
	b := c.carried
	if b == nil {
		b, _ = throughput.Of(ctx, p.Graph) // without a bound, there is none to tell
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if b != nil && !math.IsInf(b.Uniform, 0) {
		c.entry.Throughput = &b.Uniform
	}
	for _, in := range p.Inputs() {
		c.entry.inputs = append(c.entry.inputs, in.Path)
	}
	s.limit(c, c.planned, "")
	return nil
}

// conclude finds the front among what was planned, and sums up what fell out.
func (s *Search) conclude(all []*candidate, out *Result) {
	planned := slices.DeleteFunc(slices.Clone(all), func(c *candidate) bool { return c.fallen != nil })
	front := slices.Clone(planned)
	for _, c := range planned {
		at := c.planned.axes(&s.Objective)
		if by := better(planned, at, &s.Objective); by != nil {
			c.fall(Dominated, fmt.Sprintf("it has %.10g by %v, and %.10g of the other axis", at[0], &s.Objective,
				at[1]))
			c.fallen.figures(at, s.Objective.Name)
			c.fallen.By = by.called()
		}
	}
	front = racing(front)
	slices.SortStableFunc(front, func(a, b *candidate) int {
		x, y := a.planned.axes(&s.Objective), b.planned.axes(&s.Objective)
		return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]))
	})
	for _, c := range front {
		c.entry.axes, c.entry.Score = c.planned.axes(&s.Objective), c.planned.by(&s.Objective)
		out.Front = append(out.Front, *c.entry)
	}
	if len(out.Front) > 0 {
		out.Best = &out.Front[0]
	}
	count := map[string]int{}
	for _, c := range all {
		if c.fallen != nil {
			out.Fallen = append(out.Fallen, *c.fallen)
			count[c.fallen.Reason]++
		}
	}
	for _, reason := range reasons {
		if n := count[reason]; n > 0 {
			out.Pruned = append(out.Pruned, Pruned{reason, n})
		}
	}
}

// figures are told with a candidate that fell out.
func (f *Fallen) figures(axes [2]float64, objective string) {
	if objective == Delay {
		axes[0], axes[1] = axes[1], axes[0]
	}
	f.Least, f.LeastDelay = &axes[0], &axes[1]
}

// inWords is an error on one line, without places in files.
func inWords(err error) string {
	var words []string
	var list diag.List
	switch fields := diag.Fields(err); {
	case errors.As(err, &list):
		for _, d := range list {
			words = append(words, (&diag.FieldError{
				Subject: d.Subject, Path: d.Path, Message: d.Message, Suggestion: d.Suggestion,
			}).Error())
		}
	case fields != nil:
		for _, e := range fields {
			words = append(words, e.Error())
		}
	default:
		words = append(words, err.Error())
	}
	const most = 3
	if more := len(words) - most; more > 0 {
		words = append(words[:most], fmt.Sprintf("%d more", more))
	}
	return strings.Join(strings.Fields(strings.Join(words, "; ")), " ")
}
