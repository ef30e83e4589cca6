package machines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plenum-planner/plenum/deployability"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/parallel"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/study/sweep"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// Options changes how a search is made, not what it finds.
type Options struct {
	// Progress, if set, receives what is being done and how far it is.
	Progress func(stage string, done, total int)
	// All plans every candidate that keeps the limits, even one with bad bounds.
	All bool
	// Work, if set, keeps what has been planned; what it has already is not planned again.
	Work *Work
}

// race is a search under way.
type race struct {
	*Search
	opt   Options
	all   []*candidate
	order []*candidate // those that are planned unless bounds cut them, the least estimates first
	out   *Result
}

// Run makes the search. The error is a diag.List where the files are to blame, else that of ctx or of writing.
func (s *Search) Run(ctx context.Context, opt Options) (*Result, error) {
	r, err := s.begin(ctx, opt)
	if err != nil {
		return nil, err
	}
	if err := r.plan(ctx, sweep.Whole); err != nil {
		return nil, err
	}
	if err := r.conclude(ctx); err != nil {
		return nil, err
	}
	return r.out, nil
}

// RunPart plans the candidates of one of several parts, which must have work to add to, and marks it as done. The part
// with which all are done makes the search of what they have planned; for the others, the result is nil. Errors are
// those of Run, and a *sweep.DamagedError of a file of the work.
func (s *Search) RunPart(ctx context.Context, opt Options, part sweep.Part) (*Result, error) {
	r, err := s.begin(ctx, opt)
	if err != nil {
		return nil, err
	}
	if !opt.Work.isDone(part) {
		if err := r.plan(ctx, part); err != nil {
			return nil, err
		}
		if err := opt.Work.finish(ctx, part); err != nil {
			return nil, err
		}
	}
	if len(opt.Work.MissingParts(part.Of)) > 0 {
		return nil, nil
	}
	if err := opt.Work.read(); err != nil {
		return nil, err
	}
	for _, c := range r.order { // a part has other candidates cut
		c.fallen, c.planned, c.entry, c.currency = nil, nil, nil, ""
	}
	r.out.Planned, r.out.Currency = 0, ""
	if err := r.plan(ctx, sweep.Whole); err != nil {
		return nil, err
	}
	if err := r.conclude(ctx); err != nil {
		return nil, err
	}
	return r.out, nil
}

// Candidates counts the configurations of all families in the range. The error is a diag.List where there are too many
// or the search file names levels that none has.
func (s *Search) Candidates() (int, error) {
	all, err := s.enumerate()
	return len(all), err
}

// begin enumerates the candidates, and bounds and estimates them.
func (s *Search) begin(ctx context.Context, opt Options) (*race, error) {
	if opt.Progress == nil {
		opt.Progress = func(string, int, int) {}
	}
	opt.Progress("enumerating", 0, 1)
	all, err := s.enumerate()
	if err != nil {
		return nil, err
	}
	r := &race{Search: s, opt: opt, all: all, out: &Result{
		Name: s.Name, Objective: s.Objective.Name, Weights: s.Objective.Weights,
		NodesMin: s.MinNodes, NodesMax: s.MaxNodes, Families: s.Families, Fabric: s.Fabric,
		Enumerated: len(all), Pruned: []Pruned{}, Front: []Entry{}, Warnings: []string{}, Fallen: []Fallen{},
	}}
	for _, c := range all {
		if d := c.size.Diameter; s.Diameter > 0 && d > s.Diameter {
			c.fall(ByDiameter, fmt.Sprintf("its diameter is %d", d))
		} else if s.player != nil && c.size.Nodes < s.player.Nodes() {
			c.fall(ByWorkload, fmt.Sprintf("it has %d nodes, and the workload takes %d", c.size.Nodes,
				s.player.Nodes()))
		}
	}
	left := racingCandidates(all)
	if err := s.give(left); err != nil {
		return nil, err
	}
	if err := s.estimate(ctx, left, opt.Progress); err != nil {
		return nil, err
	}
	if err := unplannable(left); err != nil {
		return nil, err
	}
	r.order = racingCandidates(left)
	r.out.Estimated = len(r.order)
	slices.SortStableFunc(r.order, func(a, b *candidate) int { return cmp.Compare(a.order, b.order) })
	return r, nil
}

// racingCandidates returns the candidates that have not fallen out.
func racingCandidates(all []*candidate) []*candidate {
	var out []*candidate
	for _, c := range all {
		if c.fallen == nil {
			out = append(out, c)
		}
	}
	return out
}

// displayName is the topology of a candidate, with the part of its switches if the search names one.
func (c *candidate) displayName() string { return displayNameWith(c.size.Spec.String(), c.part) }

// displayNameWith is the name of a topology of switches of a part.
func displayNameWith(topology, part string) string {
	if part == "" {
		return topology
	}
	return topology + " of " + part
}

// DisplayName is the topology for people, with the part of its switches if the search names one.
func (e *Entry) DisplayName() string { return displayNameWith(e.Topology, e.Switch) }

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
	least, err := s.floor(ctx, c)
	if err == nil {
		err = s.checkNetwork(ctx, c, least)
	}
	if err == nil && c.fallen == nil {
		c.hops, c.hopsMean = least.HopDelays, least.Hops
		c.least = s.leastOf(&c.size, least, c.acceptedTraffic(least.Rate))
		e, failed := machine.Estimate(ctx, withoutOptimizer(c.spec))
		if err = failed; err == nil {
			about := estimatedFigures(c.least, e)
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

// floor bounds the plan of a candidate. Of a fabric only the rate, the hop delays and the graph are known: the bounds
// of money, power, delay and cables, which hold for machines with one topology, are 0, so that they cut no candidate.
func (s *Search) floor(ctx context.Context, c *candidate) (*machine.Least, error) {
	if s.Fabric == "" {
		return machine.LeastOf(ctx, c.spec)
	}
	f, err := machine.FloorOf(ctx, c.spec, s.Fabric)
	if err != nil {
		return nil, err
	}
	c.graph = f.Graph
	return &machine.Least{HopDelays: f.HopDelays, Rate: f.Rate}, nil
}

// withoutOptimizer returns a machine with its own parts and places that no optimiser has searched for, whose estimate
// is quick.
func withoutOptimizer(s *spec.Spec) *spec.Spec {
	own := *s
	own.Prices.Model = ""
	e := &own.Embedding
	e.Effort, e.Objective, e.Weights, e.Together = spec.NoEffort, "", nil, nil
	return &own
}

// limit rejects a candidate whose power or delay is above what is asked for.
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

// plan plans the candidates of a part that bounds do not reject, those of the least estimates first. Of other parts it
// takes what is known when it begins, so that it cuts more of its own.
//
// A part plans what the whole search does, but for a few: what cuts a candidate in a part comes before it, and is
// planned in the whole as well or cut there by what is better still, so that the whole cuts the candidate, too. That
// fails only where the two would be planned side by side; the whole search then plans the candidate itself.
func (r *race) plan(ctx context.Context, part sweep.Part) error {
	var done []*candidate
	var batch []int
	flush := func() error {
		if err := r.planAll(ctx, batch, done); err != nil {
			return err
		}
		for _, i := range batch {
			c := r.order[i]
			if c.fallen == nil || c.fallen.Reason != ByBounds {
				r.out.Planned++
			}
			if c.fallen == nil {
				done = append(done, c)
			}
			r.out.Currency = cmp.Or(r.out.Currency, c.currency)
		}
		batch = batch[:0]
		return nil
	}
	for i, c := range r.order {
		if !part.Has(i) && r.opt.Work.of(c) == nil {
			continue
		}
		if !r.opt.All && r.cut(c, &c.least, done) {
			continue
		}
		if batch = append(batch, i); len(batch) == atOnce {
			r.opt.Progress("planning", i+1-len(batch), len(r.order))
			if err := flush(); err != nil {
				return err
			}
		}
	}
	r.opt.Progress("planning", len(r.order)-len(batch), len(r.order))
	return flush()
}

// cut rejects a candidate whose lower bounds a machine that was planned beats; it reports whether one does.
func (s *Search) cut(c *candidate, least *figures, done []*candidate) bool {
	bound := least.axes(&s.Objective)
	by := better(done, bound, &s.Objective)
	if by == nil {
		return false
	}
	c.fall(ByBounds, fmt.Sprintf("it has at least %.10g by %v, and %.10g of the other axis", bound[0], &s.Objective,
		bound[1]))
	c.fallen.figures(bound, s.Objective.Name)
	c.fallen.By = by.displayName()
	return true
}

// cabledBounds returns the lower bounds of a candidate that is planned but for its delays.
func (c *candidate) cabledBounds(f *cabledFigures) *figures {
	out := c.least
	out.cables, out.metres, out.money, out.power = float64(f.Cables), f.Metres, f.Cost, f.Power
	out.delay = f.LeastDelay
	if f.BundleTypes != nil {
		out.bundleTypes = float64(*f.BundleTypes)
	}
	return &out
}

// planAll plans candidates, by their places in the order, of which it is not known yet what that gives. It does not
// measure the delays of one that machines that are done beat without them.
func (r *race) planAll(ctx context.Context, batch []int, done []*candidate) error {
	if r.opt.All {
		done = nil
	}
	var anew []int
	for _, i := range batch {
		c := r.order[i]
		o := r.opt.Work.of(c)
		if o == nil || !o.isFinal() && better(done, c.cabledBounds(o.Cabled).axes(&r.Objective), &r.Objective) == nil {
			anew = append(anew, i)
			continue
		}
		r.addOutcome(c, o, done)
	}
	if len(anew) == 0 {
		return nil
	}
	planned := make([]*outcome, len(anew))
	err := parallel.Each(ctx, len(anew), func(ctx context.Context, k int) (err error) {
		planned[k], err = r.planOne(ctx, r.order[anew[k]], done)
		if err != nil || r.opt.Work == nil {
			return err
		}
		return r.opt.Work.add(ctx, anew[k], planned[k])
	})
	if err != nil {
		return err
	}
	for k, i := range anew {
		r.addOutcome(r.order[i], planned[k], done)
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

// planOne plans a candidate, up to where it is known that a machine that is done beats it or that it breaks a design
// rule: before its delays are measured, which take most of the time. The error is that of ctx.
func (s *Search) planOne(ctx context.Context, c *candidate, done []*candidate) (*outcome, error) {
	o := &outcome{Topology: c.size.Spec.String(), Switch: c.part}
	measuring, stop := context.WithCancel(ctx)
	defer stop()
	beaten := false
	cabled := func(p *machine.Result) {
		if s.breaks(p, o) {
			stop()
			return
		}
		r := p.Report()
		f := cabledFigures{
			Cables: r.Cables, Metres: float64(r.Length.Total), Cost: r.Cost.Total.Float(), Power: float64(r.Power),
			LeastDelay: c.least.delay,
		}
		if s.Objective.Name == BundleTypes {
			if f.BundleTypes = deployability.BundleTypes(p.Schedule); f.BundleTypes == nil {
				o.Reason = Unplannable
				o.Detail = "it has no racks or no list of cables, so that types of bundles are unknown"
				stop()
				return
			}
		}
		if f.LeastDelay > 0 { // it is 0 where delays are those of a sample
			f.LeastDelay += float64(p.LeastWire(c.hopsMean))
		}
		o.Currency, o.Cabled = r.Currency, &f
		if beaten = better(done, c.cabledBounds(&f).axes(&s.Objective), &s.Objective) != nil; beaten {
			stop()
		}
	}
	p, err := machine.PlanWith(measuring, c.spec, machine.Options{
		Summary: s.Objective.Name != BundleTypes && s.player == nil, Paths: true, Cabled: cabled,
	})
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case beaten || o.isFinal():
		return o, nil
	case err != nil:
		o.Reason, o.Detail = Unplannable, inWords(err)
		return o, nil
	}
	network, err := p.Fabric(s.Fabric)
	if err != nil {
		return nil, err
	}
	if network.Delay == nil {
		o.Reason, o.Detail = Unplannable, "there are too many links to measure paths"
		return o, nil
	}
	r := p.Report()
	delays := r.Delay
	for i := range r.Fabrics {
		if r.Fabrics[i].Name == s.Fabric {
			delays = r.Fabrics[i].Delay
		}
	}
	o.Currency = r.Currency
	o.Entry = &Entry{
		Family: c.size.Spec.Family(), Topology: o.Topology, Switch: c.part, Nodes: r.Nodes, Switches: r.Switches,
		Cables: r.Cables, Metres: float64(r.Length.Total), Cost: r.Cost.Total.Float(), Power: float64(r.Power),
		PowerBasis: r.PowerBasis, Delay: float64(delays.NsMean), Hops: delays.HopsMean, Unpriced: []string{},
		NotInBill: r.Cost.NotInBill, BundleTypes: o.Cabled.BundleTypes, Load: c.load,
	}
	if len(s.Capacity) > 0 {
		o.Entry.Levels = levelsOf(p, network)
	}
	for _, u := range p.Bill.Unpriced {
		o.Entry.Unpriced = append(o.Entry.Unpriced, u.String())
	}
	if s.player != nil {
		if o.Entry.Step, err = s.play(ctx, p); err != nil {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			o.Entry, o.Reason, o.Detail = nil, Unplannable, inWords(err)
			return o, nil
		}
	}
	for _, in := range p.Inputs() {
		o.Inputs = append(o.Inputs, s.fromMachine(in.Path))
	}
	return o, nil
}

// play plays the workload on a plan.
func (s *Search) play(ctx context.Context, p *machine.Result) (*report.Step, error) {
	network, err := p.Fabric(s.Fabric)
	if err != nil {
		return nil, err
	}
	step, err := s.player.Play(ctx, p, network)
	if err != nil {
		return nil, err
	}
	r := p.Report()
	step.Rate(r.Cost.Total, r.Power)
	return step, nil
}

// breaks reports whether a plan breaks design rules, and has the outcome say so.
func (s *Search) breaks(p *machine.Result, o *outcome) bool {
	n := p.Violations.Errors()
	if n > 0 {
		o.Reason, o.Detail = ByRules, fmt.Sprintf("its plan breaks design rules %d times", n)
	}
	return n > 0
}

// fromMachine is a path as the machine file names it, the same in every working directory.
func (s *Search) fromMachine(path string) string {
	if rel, err := filepath.Rel(filepath.Dir(s.path), path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// addOutcome adds the result of planning a candidate.
func (s *Search) addOutcome(c *candidate, o *outcome, done []*candidate) {
	c.currency = o.Currency
	if o.Cabled != nil && s.cut(c, c.cabledBounds(o.Cabled), done) {
		return
	}
	if o.Entry == nil {
		c.fall(o.Reason, o.Detail)
		return
	}
	e := *o.Entry
	e.machine = c.machine
	for _, in := range o.Inputs {
		if filepath.IsLocal(in) {
			in = filepath.Join(filepath.Dir(s.path), in)
		}
		e.inputs = append(e.inputs, in)
	}
	c.entry = &e
	c.planned = &figures{
		nodes: float64(e.Nodes), money: e.Cost, power: e.Power, delay: e.Delay, cables: float64(e.Cables),
		metres: e.Metres, accepted: c.least.accepted, switches: float64(e.Switches),
	}
	if e.Step != nil {
		c.planned.step, c.planned.tokens = e.Step.Seconds, s.tokens
	}
	if e.BundleTypes != nil {
		c.planned.bundleTypes = float64(*e.BundleTypes)
	}
	s.limit(c, c.planned, "")
}

// conclude finds the front among what was planned, and sums up what fell out. The error is that of ctx.
func (r *race) conclude(ctx context.Context) error {
	s, all, out := r.Search, r.all, r.out
	planned := slices.DeleteFunc(slices.Clone(all), func(c *candidate) bool { return c.fallen != nil })
	front := slices.Clone(planned)
	for _, c := range planned {
		at := c.planned.axes(&s.Objective)
		if by := better(planned, at, &s.Objective); by != nil {
			c.fall(Dominated, fmt.Sprintf("it has %.10g by %v, and %.10g of the other axis", at[0], &s.Objective,
				at[1]))
			c.fallen.figures(at, s.Objective.Name)
			c.fallen.By = by.displayName()
		}
	}
	front = racingCandidates(front)
	slices.SortStableFunc(front, func(a, b *candidate) int {
		x, y := a.planned.axes(&s.Objective), b.planned.axes(&s.Objective)
		return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]))
	})
	for _, c := range front {
		if err := c.throughput(ctx); err != nil {
			return err
		}
		c.entry.axes, c.entry.Score = c.planned.axes(&s.Objective), c.planned.by(&s.Objective)
		out.Front = append(out.Front, *c.entry)
	}
	if len(out.Front) > 0 {
		out.Best = &out.Front[0]
	}
	if w := hopWarning(r.order); w != "" {
		out.Warnings = append(out.Warnings, w)
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
	return nil
}

// throughput bounds that of a machine of the front, where a bound is known. The error is that of ctx.
func (c *candidate) throughput(ctx context.Context) error {
	b := c.carried
	if b == nil {
		g := c.graph
		if g == nil {
			var err error
			if g, err = topology.New(c.size.Spec); err != nil {
				return err
			}
		}
		b, _ = measure.Throughput(ctx, g, nil) // without a bound, there is none to report
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if b != nil && !math.IsInf(b.Uniform, 0) {
		c.entry.Throughput = &b.Uniform
	}
	return nil
}

// hopWarning says that the front compares hop delays, if those of the candidates differ; "" otherwise.
func hopWarning(all []*candidate) string {
	var delays []string
	families := map[string][]string{}
	for _, c := range all {
		var each []string
		for _, t := range c.hops {
			each = append(each, t.String())
		}
		text := strings.Join(each, " and ")
		if families[text] == nil {
			delays = append(delays, text)
		}
		if f := c.size.Spec.Family(); !slices.Contains(families[text], f) {
			families[text] = append(families[text], f)
		}
	}
	if len(delays) < 2 {
		return ""
	}
	var words []string
	for _, d := range delays {
		words = append(words, fmt.Sprintf("%s in %s", d, english.List(families[d])))
	}
	return "the front compares hop delays besides topologies: " + strings.Join(words, "; ") +
		"; the key equal: {hop: TIME} holds them equal"
}

// figures are listed with a candidate that fell out.
func (f *Fallen) figures(axes [2]float64, objective string) {
	switch {
	case objective == Delay:
		f.Least, f.LeastDelay = &axes[1], &axes[0]
	case againstMoney(objective):
		f.Least, f.LeastMoney = &axes[0], &axes[1]
	default:
		f.Least, f.LeastDelay = &axes[0], &axes[1]
	}
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
