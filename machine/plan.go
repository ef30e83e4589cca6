package machine

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/delay"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// MaxScheduled is the number of links up to which every cable is listed. A
// machine with more is planned as a summary: counts, lengths, cost and floor,
// but no cable schedule.
const MaxScheduled = 10_000_000

// MaxPathLinks is the number of links up to which a summary measures paths if
// it is asked to: about 50 bytes each.
const MaxPathLinks = 40_000_000

// MaxVertices is the most nodes and switches of a machine that is planned.
const MaxVertices = 1 << 24

// Result is a planned machine.
type Result struct {
	Spec   *Spec // with its defaults filled in
	Graph  topology.Graph
	Census topology.Census

	Catalog   *catalog.Catalog
	Prices    *catalog.PriceSet
	Placement *embed.Placement
	Schedule  *cabling.Schedule
	Bill      *cost.Bill
	// Operation is nil where the machine file has no tariff, Uncertainty where no
	// price is a range.
	Operation   *cost.Operation
	Uncertainty *cost.Uncertainty
	PerUnit     *cost.PerUnit
	// Delay is about paths between nodes; nil where the plan is a summary.
	Delay *delay.Result
	// Stretch is how much longer the paths are than straight lines; nil where the
	// plan is a summary.
	Stretch *delay.Stretch
	// Routed is the delays along the paths of routing functions that were asked
	// for.
	Routed []*delay.Routed
	// Alpha and Beta stand for all hop and propagation delays in the CLEX paper's
	// definition of delay, alpha*hops + beta*distance.
	Alpha units.Time
	Beta  units.Propagation
	// Model and Links are what delays are made of: every link with its length and
	// medium, in the order of Graph.Links. Empty where the plan is a summary.
	Model delay.Model
	Links delay.Links
	// LevelDelay and LayoutDelay are the delays of links by topology level and
	// by layout level.
	LevelDelay, LayoutDelay []delay.Class
	// Lengths are those that the cables of every medium need.
	Lengths []CableLengths

	Violations cabling.Violations
	Notes      []string

	trayParts []*catalog.Part // of each level of trays
}

// Options changes how a spec is planned, not what is planned.
type Options struct {
	// Summary leaves out the cable schedule and the delays over paths.
	Summary bool
	// Paths measures the delays over paths in a summary, too.
	Paths bool
	// Settle, when done, ends the optimising of places: the best placement so
	// far is planned.
	Settle context.Context
	// Progress, if set, is told what is being done and how far it is.
	Progress func(stage string, done, total int)
}

// Plan plans a machine.
func Plan(ctx context.Context, spec *Spec) (*Result, error) {
	return PlanWith(ctx, spec, Options{})
}

const oneWay = "%d of the links carry one way only, which no cable of the catalog does\n" +
	"a clex can be planned with bundled: true"

// PlanWith plans a machine with options. Errors in the spec are a diag.List if
// the spec was read from a file. The spec is not changed.
func PlanWith(ctx context.Context, spec *Spec, opt Options) (*Result, error) {
	if opt.Progress == nil {
		opt.Progress = func(string, int, int) {}
	}
	var faults diag.FieldErrors
	r := resolve(spec, faults.Add)
	if r == nil {
		return nil, spec.locate(faults)
	}
	p := &Result{Spec: r.spec, Graph: r.graph, Catalog: r.catalog, Prices: r.prices}
	opt.Progress("counting links", 0, 1)
	p.Census = topology.Count(p.Graph)
	if p.Census.Simplex > 0 {
		return nil, spec.refuse("topology", oneWay, p.Census.Simplex)
	}
	summary := opt.Summary
	if !summary && p.Census.Links > MaxScheduled {
		summary = true
		p.Notes = append(p.Notes, fmt.Sprintf("%d links are more than the %d that a schedule lists: this is a summary without cable schedule and path delays", p.Census.Links, MaxScheduled))
	}

	opt.Progress("placing boxes", 0, 1)
	var err error
	if p.Placement, err = r.embed(ctx, &opt); err != nil {
		return nil, spec.located(err)
	}
	p.Notes = append(p.Notes, r.placed()...)
	if o := p.Placement.Optimized; o != nil {
		p.Notes = append(p.Notes, o.Notes...)
	}
	opt.Progress("scheduling cables", 0, 1)
	paths := !summary
	if summary && opt.Paths {
		if paths = p.Census.Links <= MaxPathLinks; !paths {
			p.Notes = append(p.Notes, fmt.Sprintf("the delays of paths are not measured over more than %d links", MaxPathLinks))
		}
	}
	delays := newDelays(r, p.Placement.Layout, paths)
	cables := r.cabling(p.Placement, summary)
	rules := cabling.NewChecker(cables)
	cables.Visit = func(s *cabling.Schedule, seg *cabling.Segment) {
		delays.visit(s, seg)
		rules.Visit(s, seg)
	}
	cables.Again = func() {
		delays, rules = newDelays(r, p.Placement.Layout, paths), cabling.NewChecker(cables)
	}
	p.Schedule, err = cabling.Run(ctx, cables)
	if err = cmp.Or(err, delays.err); err != nil {
		var input *embed.InputError
		if errors.As(err, &input) {
			return nil, spec.refuse(input.Path, "%s", input.Reason)
		}
		return nil, err
	}
	p.mountPanels()
	p.trayParts = r.trayParts()
	rules.Finish(p.Schedule, p.trayParts)
	r.counted(p.Schedule)
	p.Violations = p.Schedule.Violations
	p.Bill = cost.NewBill(r.bill(p.Placement, p.Schedule))
	p.Notes = append(p.Notes, p.consolidated()...)
	p.Notes = append(p.Notes, p.structuredNotes()...)
	p.Notes = append(p.Notes, p.Bill.Notes...)
	if err := p.reckon(ctx, rules.Lit()); err != nil {
		return nil, err
	}
	for _, item := range p.Bill.Unpriced {
		p.Violations.Add(cabling.RulePrice, item.String(), "%s has no price for %s; the total excludes it", p.Prices.Name, item)
	}
	p.separate()
	p.loadRacks(r.rack)
	p.unusedSuppressions(summary)
	p.LevelDelay, p.LayoutDelay = delays.level, delays.layout
	p.Lengths = delays.byMedium()
	if paths {
		if err := p.measurePaths(ctx, delays, opt.Progress); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// embed places the boxes.
func (r *resolved) embed(ctx context.Context, opt *Options) (*embed.Placement, error) {
	p := r.embedding()
	p.Optimizer = r.optimizer(ctx, opt)
	pl, err := embed.Place(ctx, p)
	if err == nil && pl.Optimized != nil {
		pl, err = r.notWorse(ctx, p, pl)
	}
	var input *embed.InputError
	if errors.As(err, &input) {
		return nil, diag.FieldErrors{diag.Fieldf(input.Path, "%s", input.Reason)}
	}
	return pl, err
}

// located gives mistakes in a spec their places in its file.
func (s *Spec) located(err error) error {
	if faults, ok := err.(diag.FieldErrors); ok {
		return s.locate(faults)
	}
	return err
}

// Placed is a machine whose boxes have places but no cables yet.
type Placed struct {
	Spec      *Spec // with its defaults filled in
	Graph     topology.Graph
	Placement *embed.Placement
	Strategy  embed.Strategy // that was used
	// Lengths are those of straight lines between the boxes of linked vertices.
	Lengths []embed.LevelLength
	Notes   []string
}

// Place places the boxes of a machine and measures straight lines between them.
// Unlike Plan it takes links that carry one way only.
func Place(ctx context.Context, spec *Spec) (*Placed, error) {
	var faults diag.FieldErrors
	r := resolve(spec, faults.Add)
	if r == nil {
		return nil, spec.locate(faults)
	}
	p := &Placed{Spec: r.spec, Graph: r.graph, Strategy: r.embedding().Chosen(), Notes: r.placed()}
	var err error
	if p.Placement, err = r.embed(ctx, &Options{Progress: func(string, int, int) {}}); err != nil {
		return nil, spec.located(err)
	}
	p.Lengths, err = embed.Lengths(ctx, p.Graph, p.Placement)
	return p, err
}

// Broken tells whether the plan breaks a design rule of severity error.
func (p *Result) Broken() bool {
	return p.Violations.Errors() > 0
}

// locate turns mistakes into a diag.List with their places in the file that
// the spec was read from; without a file they stay what they are.
func (s *Spec) locate(faults diag.FieldErrors) error {
	if s.source == nil {
		return faults
	}
	doc := *s.source
	doc.found = nil
	for _, f := range faults {
		doc.judge(f)
	}
	return doc.err()
}

// refuse is the error for a mistake in the value at a path of the spec; see
// diag.Fieldf.
func (s *Spec) refuse(path, format string, args ...any) error {
	return s.locate(diag.FieldErrors{diag.Fieldf(path, format, args...)})
}

// rackType is what a rack part is to a layout.
func rackType(p *catalog.Part) layout.RackType {
	t := layout.RackType{Units: p.Units, Width: p.Width, Depth: p.Depth, Height: p.Height}
	if p.Rack != nil {
		t.Base, t.Power, t.Weight = p.Rack.Base, p.Rack.Power, p.Rack.Weight
	}
	return t
}
