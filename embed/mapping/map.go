package mapping

import (
	"context"
	"fmt"
	"slices"
)

// Options tune a search. The zero value is normal effort from seed 0.
type Options struct {
	Effort Effort
	Seed   uint64
	// Starts are placements to start from, besides those that the optimiser makes
	// itself. Those that break a rule are mended first; Map fails if one cannot be mended.
	Starts [][]int32
	// OnlyStarts leaves out the optimiser's own starts, unless Starts is empty.
	OnlyStarts bool
	// Progress receives every new best and from time to time, one call at a time. It does not influence the result.
	Progress func(Progress)
}

// Progress is how far a search is.
type Progress struct {
	Steps, Total int64 // taken, and expected in all
	Best         Score // so far, among what was scored exactly
}

// Result is a placement and how it was found.
type Result struct {
	Place []int32
	Score Score
	// Start is the score of the first given start as it was, if it holds every
	// rule.
	Start *Score
	Steps int64 // proposals looked at
	// Interrupted says that the context ended the search early.
	Interrupted bool
}

// Settle turns a place for every vertex into a placement that holds every rule and departs little from it; a placement
// that holds every rule stays. The objective does not matter. The error wraps ErrInfeasible if no such placement was
// found.
func Settle(p *Problem, place []int32, seed uint64) ([]int32, error) {
	t, err := newInstance(p)
	if err != nil {
		return nil, err
	}
	s := &search{problem: p, instance: t, options: Options{Seed: seed}}
	if err := s.addStart(0, place); err != nil {
		return nil, err
	}
	return s.best, nil
}

// Map finds a place for every vertex. The result is never worse than a given start that holds every rule. It depends on
// the problem, the options and nothing else, unless ctx ends early. More effort never makes it worse, since each effort
// begins with all steps of the lower ones. When ctx ends, Map returns the best placement so far, with
// Result.Interrupted and no error; it makes one if there is none. The error is about an invalid problem, start or
// effort, or wraps ErrInfeasible.
func Map(ctx context.Context, p *Problem, o Options) (*Result, error) {
	t, err := newInstance(p)
	if err != nil {
		return nil, err
	}
	s := &search{ctx: ctx, problem: p, instance: t, options: o}
	for i, start := range o.Starts {
		if err := s.addStart(i, start); err != nil {
			return nil, err
		}
	}
	if o.Effort == "" {
		o.Effort = Normal
	}
	last := slices.Index(Efforts(), o.Effort)
	if last < 0 {
		return nil, fmt.Errorf("there is no effort %q", o.Effort)
	}
	levels := Efforts()[:last+1]
	for _, e := range levels {
		s.total += s.expectedSteps(e)
	}
	for i, e := range levels {
		if err := s.runEffort(e, uint64(i)); err != nil {
			return nil, err
		}
	}
	return &Result{
		Place: s.best, Score: s.score, Start: s.startScore, Steps: s.steps, Interrupted: ctx.Err() != nil,
	}, nil
}
