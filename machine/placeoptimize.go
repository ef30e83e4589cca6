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

// optimizePlacement returns the optimized placement of p. plain is the placement without optimizing, nil if the
// strategy finds none. The result keeps every rule of severity error that plain keeps, except if groups have to be
// together (see selectBest), and its objective, with every cable measured from port to port, is not worse; otherwise
// plain is the result. It also returns the total of the bill of plain, nil without plain.
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

// newAlternative judges a placement; it passes on the error with which placing ended.
func (r *resolved) newAlternative(ctx context.Context, pl *embed.Placement, err error) (alternative, error) {
	if err != nil {
		return alternative{}, err
	}
	j, err := r.evaluate(ctx, pl)
	return alternative{pl, j}, err
}

// optimizeWithinPower optimizes the placement; if more racks or rows exceed their power limits than before optimizing,
// it raises the estimated power of optics to that of this placement and tries again, mostRefills times at most.
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
			break // racks so much emptier do not fit
		}
		if best, err = r.newAlternative(ctx, pl, nil); err != nil {
			return best, err
		}
	}
	return best, nil
}

// selectBest selects the best of three placements: before, without optimizing; after, optimized; and the start from
// which the optimizer came to after. If after breaks a rule of severity error that before keeps, before is selected.
// Otherwise the lowest figures of the objective decide; without figures, as for objectives with delays, after is
// selected. If groups have to be together (p.Together), after is always selected, since before and the start may
// separate groups.
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
		report.After = report.Before
	}
	after.Optimized = report
	return after, nil
}
