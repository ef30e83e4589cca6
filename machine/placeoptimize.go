package machine

import (
	"context"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// alternative is a placement with its violations, figures and bill.
type alternative struct {
	*embed.Placement
	*evaluation
}

// optimizePlacement returns the optimized placement of p, or the one that known has from an earlier plan with the same
// inputs (a nil known has none). plain is the placement without optimizing, nil if the strategy finds none.
//
// With plain, selectBest decides whether the result is the optimized placement, the one that the optimizer started from
// or plain, and the second result is the total of the bill of plain. Without plain, the result is the placement that
// the optimizer finds, without a check of rules beyond those of embed.Place; the second result is nil. The error is
// that of embed.Place, of measuring a placement, or of ctx.
func (r *resolved) optimizePlacement(
	ctx context.Context, p *embed.Problem, plain *embed.Placement, known *known,
) (*embed.Placement, *units.Money, error) {
	if plain == nil {
		pl, err := known.placed(ctx, r, func() (*embed.Placement, error) { return embed.Place(ctx, p) })
		return pl, nil, err
	}
	before, err := r.newAlternative(ctx, plain, nil)
	if err != nil {
		return nil, nil, err
	}
	pl, err := known.placed(ctx, r, func() (*embed.Placement, error) {
		best, err := r.optimizeWithinPower(ctx, p, before)
		if err == nil {
			best, err = r.selectBest(ctx, p, before, best)
		}
		return best.Placement, err
	})
	if err != nil {
		return nil, nil, err
	}
	return pl, &before.bill, nil
}

// newAlternative evaluates a placement. If err, the error with which placing ended, is not nil, it returns that
// instead.
func (r *resolved) newAlternative(ctx context.Context, pl *embed.Placement, err error) (alternative, error) {
	if err != nil {
		return alternative{}, err
	}
	j, err := r.evaluate(ctx, pl)
	return alternative{pl, j}, err
}

// optimizeWithinPower optimizes the placement. If more racks and rows exceed their power limits than in before
// (accepted violations not counted), it raises the estimated power of optics to that of the placement found, and
// optimizes again: mostRefills times at most. It returns the last placement found, which may still exceed limits: when
// the tries are used up, when a placement with the raised estimate is not found, or when the optimizer was interrupted.
// p is unchanged.
func (r *resolved) optimizeWithinPower(ctx context.Context, p *embed.Problem, before alternative) (alternative, error) {
	pl, err := embed.Place(ctx, p)
	best, err := r.newAlternative(ctx, pl, err)
	if err != nil {
		return best, err
	}
	counting := *p
	counting.Kinds = slices.Clone(p.Kinds)
	if room := before.Layout.Room; room != nil {
		counting.Room = new(*p.Room)
		counting.Room.Rows, counting.Room.PerRow = room.Spec.Rows, room.Spec.PerRow
	}
	for range mostRefills {
		if best.overloads() <= before.overloads() || best.Optimized.Interrupted || !plug(&counting, best.plugged) {
			break
		}
		pl, err := embed.Place(ctx, &counting)
		if ctx.Err() != nil {
			return best, ctx.Err()
		}
		if err != nil {
			break // there is no placement with so much free power in every rack
		}
		if best, err = r.newAlternative(ctx, pl, nil); err != nil {
			return best, err
		}
	}
	return best, nil
}

// selectBest selects one of three placements: before, without optimizing; after, optimized; and the start, which the
// optimizer began with, if a strategy other than that of before made it (it is made again here). The first case that
// holds decides:
//   - Groups have to be together (p.Together): after, since the others may separate groups. If after breaks a rule of
//     severity error that before keeps, a note says so.
//   - after breaks such a rule: before, with a note.
//   - The objective has no figures (it is about delays, or mixed): after, though its objective may be worse than
//     before's.
//   - Otherwise the one with the lowest evaluation.figures, cables measured from port to port; the start only if it
//     breaks no rule of severity error that before keeps. Of equals, after comes first, then the start.
//
// The Optimized report of the result describes the placement selected.
func (r *resolved) selectBest(ctx context.Context, p *embed.Problem, before, after alternative) (alternative, error) {
	report := after.Optimized
	together := len(p.Together) > 0
	if broken := after.breaks(before.evaluation); len(broken) > 0 {
		if together {
			after.Notes = append(after.Notes, fmt.Sprintf("the optimised places break %s, which the places without "+
				"optimising keep: what has to stand together leaves no other", english.List(broken)))
			return after, nil
		}
		before.Notes = append(before.Notes, fmt.Sprintf("the places are those without optimising: all that was found "+
			"breaks %s, which they keep", english.List(broken)))
		after = before
		report.After, report.Strategy, report.RackBoundMethods = report.Before, p.EffectiveStrategy(), nil
	}
	if together || after.figures == nil {
		after.Optimized = report
		return after, nil
	}
	if report.Strategy != p.EffectiveStrategy() {
		q := *p
		q.Optimizer, q.Strategy = nil, report.Strategy
		pl, err := embed.Place(ctx, &q)
		start, err := r.newAlternative(ctx, pl, err)
		if err != nil {
			return start, err
		}
		if slices.Compare(after.figures, start.figures) > 0 && len(start.breaks(before.evaluation)) == 0 {
			after = start
			report.After = report.Start
		}
	}
	if slices.Compare(after.figures, before.figures) > 0 {
		after = before
		report.After, report.Strategy, report.RackBoundMethods = report.Before, p.EffectiveStrategy(), nil
	}
	after.Optimized = report
	return after, nil
}
