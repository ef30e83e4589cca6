package machine

import (
	"context"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/units"
)

// mostRefills is the highest number of times that racks are filled anew because optics draw more than was assumed.
const mostRefills = 4

// structured places the boxes by the strategy alone, without an optimizer. Racks and rows get no more power than they
// supply, optics and cables included, as far as refill achieves it, and switches of a tier are spread over racks and
// feeds (spreadRisks). The limits that this needed stay in p.
//
// Before switches stand in racks of their own, there may be too few racks for the boxes beside the units of racks.
// Where a placement fails, racks are found without regard to these boxes, and then all boxes are placed within the
// limits that this needed.
func (r *resolved) structured(ctx context.Context, p *embed.Problem) (*embed.Placement, error) {
	pl, err := r.structuredOnce(ctx, p)
	if err == nil || ctx.Err() != nil || p.Sizing || !r.maySpread() || !r.hasBeside() {
		return pl, err
	}
	sizing := *p
	sizing.Sizing = true
	sized, failed := r.structuredOnce(ctx, &sizing)
	if failed != nil {
		return pl, err
	}
	sizing.Sizing = false
	spread, failed := embed.Place(ctx, &sizing)
	if failed != nil {
		return pl, err
	}
	*p, spread.Notes = sizing, sized.Notes
	return spread, nil
}

// hasBeside reports whether any boxes stand beside the units of racks.
func (r *resolved) hasBeside() bool {
	return slices.ContainsFunc(r.boxes, func(b *cabling.Box) bool { return b != nil && b.Part.ZeroU })
}

// structuredOnce is structured for racks that suffice for the boxes beside their units from the start.
func (r *resolved) structuredOnce(ctx context.Context, p *embed.Problem) (*embed.Placement, error) {
	if len(p.Pins) > 0 && p.Room != nil && (p.Room.Rows == 0 || p.Room.PerRow == 0) {
		// The room is sized as if nothing were pinned.
		free := *p
		free.Pins, free.Sizing = nil, true
		if _, err := r.structured(ctx, &free); err != nil {
			return nil, err
		}
	}
	pl, err := embed.Place(ctx, p)
	if err == nil && r.maybeOverloaded(pl) {
		pl, err = r.refill(ctx, p, pl)
	}
	if err != nil {
		return pl, err
	}
	return r.spreadRisks(ctx, p, pl)
}

// refill places the boxes again if racks or rows draw more than they can, optics and cables included. Their power
// depends on the places of boxes; it assumes, for every box of a kind, the highest power of the optics and cable ends
// in one of them. It returns the placement with the fewest errors, best if none is better, and the power that this
// assumes stays in p.
func (r *resolved) refill(ctx context.Context, p *embed.Problem, best *embed.Placement) (*embed.Placement, error) {
	least, err := r.evaluate(ctx, best)
	if err != nil {
		return nil, err
	}
	last := least
	counted := plugged(p)
	for range mostRefills {
		if last.overloads() == 0 || !plug(p, last.plugged) {
			break
		}
		pl, err := embed.Place(ctx, p)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			if diag.Fields(err) == nil {
				return nil, err
			}
			best.Notes = []string{"not every rack can be given what it draws with all that is plugged in: " +
				r.spelled(err).Error()}
			break
		}
		if last, err = r.evaluate(ctx, pl); err != nil {
			return nil, err
		}
		if last.violations.Errors() < least.violations.Errors() {
			best, least, counted = pl, last, plugged(p)
		}
	}
	for i := range p.Kinds {
		p.Kinds[i].Plugged = counted[i]
	}
	return best, nil
}

// plugged returns the power of optics and cable ends that is assumed for each kind of box.
func plugged(p *embed.Problem) []units.Power {
	var out []units.Power
	for i := range p.Kinds {
		out = append(out, p.Kinds[i].Plugged)
	}
	return out
}

// plug raises the power that is assumed for each kind of box to at least most, and reports whether any has risen.
func plug(p *embed.Problem, most []units.Power) bool {
	more := false
	for i := range p.Kinds {
		if k := &p.Kinds[i]; most[i] > k.Plugged {
			k.Plugged, more = most[i], true
		}
	}
	return more
}
