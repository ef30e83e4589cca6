package machine

import (
	"context"
	"errors"
	"fmt"

	"plenum/cabling"
	"plenum/catalog"
	"plenum/cost"
	"plenum/delay"
	"plenum/embed"
	"plenum/layout"
	"plenum/topology"
)

// MaxScheduled is the number of links up to which every cable is listed. A
// machine with more is planned as a summary: counts, lengths, cost and floor,
// but no cable schedule.
const MaxScheduled = 10_000_000

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
	// Delay is about paths between nodes; nil where the plan is a summary.
	Delay *delay.Result
	// LevelDelay and LayoutDelay are the delays of links by topology level and
	// by layout level.
	LevelDelay, LayoutDelay []delay.Class

	Violations cabling.Violations
	Notes      []string
}

// Options changes how a spec is planned, not what is planned.
type Options struct {
	// Summary leaves out the cable schedule and the delays over paths.
	Summary bool
	// Progress, if set, is told what is being done and how far it is.
	Progress func(stage string, done, total int)
}

// Plan plans a machine.
func Plan(ctx context.Context, spec *Spec) (*Result, error) {
	return PlanWith(ctx, spec, Options{})
}

// PlanWith plans a machine with options. Errors in the spec are Diagnostics if
// the spec was read from a file. The spec is not changed.
func PlanWith(ctx context.Context, spec *Spec, opt Options) (*Result, error) {
	if opt.Progress == nil {
		opt.Progress = func(string, int, int) {}
	}
	r, err := resolve(spec)
	if err != nil {
		return nil, err
	}
	p := &Result{Spec: r.spec, Graph: r.graph, Catalog: r.catalog, Prices: r.prices}
	opt.Progress("counting links", 0, 1)
	p.Census = topology.Count(p.Graph)
	summary := opt.Summary
	if !summary && p.Census.Links > MaxScheduled {
		summary = true
		p.Notes = append(p.Notes, fmt.Sprintf("%d links are more than the %d that a schedule lists: this is a summary without cable schedule and path delays", p.Census.Links, MaxScheduled))
	}

	opt.Progress("placing boxes", 0, 1)
	p.Placement, err = embed.Place(ctx, r.embedding())
	if err != nil {
		return nil, r.spec.locate(err)
	}
	opt.Progress("scheduling cables", 0, 1)
	p.Schedule, err = cabling.Run(ctx, r.cabling(p.Placement, summary))
	if err != nil {
		return nil, err
	}
	p.Violations = p.Schedule.Violations
	p.Bill = cost.NewBill(r.bill(p.Placement, p.Schedule))
	for _, part := range p.Bill.Unpriced {
		p.Violations.Add(cabling.RulePrice, part, "%s has no price for %s; the total excludes it", p.Prices.Name, part)
	}
	if err := p.measure(ctx, summary, opt.Progress); err != nil {
		return nil, err
	}
	return p, nil
}

// Broken tells whether the plan breaks a design rule of severity error.
func (p *Result) Broken() bool {
	for _, v := range p.Violations.List() {
		if v.Severity == cabling.Error {
			return true
		}
	}
	return false
}

// locate turns an error about a part of the spec into a diagnostic with its
// place in the file; without a file it stays what it is.
func (s *Spec) locate(err error) error {
	var input *embed.InputError
	if s.source == nil || !errors.As(err, &input) {
		return err
	}
	s.source.At(input.Path, "%s", input.Reason)
	return s.source.Err()
}

// rackType is what a rack part is to a layout.
func rackType(p *catalog.Part) layout.RackType {
	t := layout.RackType{Units: p.Units, Width: p.Width, Depth: p.Depth, Height: p.Height}
	if p.Rack != nil {
		t.Base, t.Power, t.Weight = p.Rack.Base, p.Rack.Power, p.Rack.Weight
	}
	return t
}
