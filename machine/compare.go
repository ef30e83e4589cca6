package machine

import (
	"context"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology/measure"
	"github.com/plenum-planner/plenum/units"
)

// DefaultAlphas are the hop delays at which machines are compared unless others
// are given: an on-board router, a node with a router of its own, and a data
// centre switch. DefaultBeta is the propagation delay of fibre.
var DefaultAlphas = []units.Time{10, 100, 500}

// DefaultBeta goes with DefaultAlphas.
const DefaultBeta units.Propagation = 5

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
	Spec *spec.Spec
}

// Compare plans machines one after the other, keeps the figures of each and lets
// go of the rest. Machines of one name get different ones.
func Compare(ctx context.Context, machines []Candidate, opt CompareOptions) (*report.Comparison, error) {
	c := &report.Comparison{Version: Version, Alphas: opt.Alphas, Beta: opt.Beta}
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
func compared(
	ctx context.Context, of Candidate, progress func(stage string, done, total int),
) (*report.Compared, error) {
	p, err := PlanWith(ctx, of.Spec, Options{Summary: true, Paths: true, Progress: progress})
	if err != nil {
		return nil, err
	}
	progress("bounding the bisection", 0, 1)
	b, err := measure.Bisect(ctx, p.Graph, measure.HopEnds(p.Graph),
		measure.BisectionOptions{Seed: p.Spec.Embedding.Seed})
	if err != nil {
		return nil, err
	}
	b.Side = nil
	m := &report.Compared{
		Plan: p.Report(), File: of.File, Topology: p.Spec.Topology, Direct: p.Census.Switches == 0,
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
