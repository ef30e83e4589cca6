package machine

import (
	"context"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/units"
)

// alternative is a placement and what it comes to.
type alternative struct {
	*embed.Placement
	*judged
}

// optimized optimises a placement, nil if the strategy that goes without optimising
// places nothing. The result breaks no rule that the placement keeps, or the placement stays; with every cable measured
// from port to port, not from rack to rack, it is no worse. It returns the total of the bill without optimising too.
func (r *resolved) optimized(
	ctx context.Context, p *embed.Problem, plain *embed.Placement, known *known,
) (*embed.Placement, *units.Money, error) {
	if plain == nil {
		pl, err := known.placed(ctx, r, func() (*embed.Placement, error) { return embed.Place(ctx, p) })
		return pl, nil, err
	}
	before, err := r.alternative(ctx, plain, nil)
	if err != nil {
		return nil, nil, err
	}
	pl, err := known.placed(ctx, r, func() (*embed.Placement, error) {
		best, err := r.optimizeWithinPower(ctx, p, before)
		if err == nil {
			best, err = r.better(ctx, p, before, best)
		}
		return best.Placement, err
	})
	if err != nil {
		return nil, nil, err
	}
	return pl, &before.bill, nil
}

// alternative judges a placement that was found without an error.
func (r *resolved) alternative(ctx context.Context, pl *embed.Placement, err error) (alternative, error) {
	if err != nil {
		return alternative{}, err
	}
	j, err := r.judge(ctx, pl)
	return alternative{pl, j}, err
}

// optimizeWithinPower optimizes the placement; if a rack or row exceeds its power limit, it raises the estimated power
// of optics and tries again.
func (r *resolved) optimizeWithinPower(ctx context.Context, p *embed.Problem, before alternative) (alternative, error) {
	pl, err := embed.Place(ctx, p)
	best, err := r.alternative(ctx, pl, err)
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
		if best, err = r.alternative(ctx, pl, nil); err != nil {
			return best, err
		}
	}
	return best, nil
}

// better holds an optimised placement against the one without optimising and
// against its start. Where groups have to stand together, these need not keep that,
// and the optimised one is taken.
func (r *resolved) better(ctx context.Context, p *embed.Problem, before, after alternative) (alternative, error) {
	told := after.Optimized
	rules := len(p.Together) > 0
	if broken := after.breaks(before.judged); len(broken) > 0 {
		if rules {
			after.Notes = append(after.Notes, fmt.Sprintf("the optimised places break %s, which the places without "+
				"optimising keep: what has to stand together leaves no other", english.List(broken)))
			return after, nil
		}
		before.Notes = append(before.Notes, fmt.Sprintf("the places are those without optimising: all that was found "+
			"breaks %s, which they keep", english.List(broken)))
		after = before
		told.After, told.Strategy, told.RackBoundMethods = told.Before, p.EffectiveStrategy(), nil
	}
	if rules || after.figures == nil {
		after.Optimized = told
		return after, nil
	}
	if told.Strategy != p.EffectiveStrategy() {
		q := *p
		q.Optimizer, q.Strategy = nil, told.Strategy
		pl, err := embed.Place(ctx, &q)
		start, err := r.alternative(ctx, pl, err)
		if err != nil {
			return start, err
		}
		if slices.Compare(after.figures, start.figures) > 0 && len(start.breaks(before.judged)) == 0 {
			after = start
			told.After = told.Start
		}
	}
	if slices.Compare(after.figures, before.figures) > 0 {
		after = before
		told.After = told.Before
	}
	after.Optimized = told
	return after, nil
}
