package embed

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/topology"
)

// packing is how densely racks are filled.
type packing uint8

// The packings, each denser than the one before.
const (
	// packGroups keeps groups of boxes together, which may leave room in racks.
	packGroups packing = iota
	// packInOrder fills racks in the order of the groups, whose boxes share racks with those of other groups: each box
	// goes to the rack of the box before it, else to the first rack with room.
	packInOrder
	// packTallest fills racks as packInOrder does, but with the tallest boxes first, and lets kinds without named racks
	// share those of their class.
	packTallest
	packings // how many there are
)

// placeInRoom places the boxes by the first packing that fits into the room. The error is that of packGroups.
func placeInRoom(ctx context.Context, p *Problem) (*Placement, error) {
	pl, refused := p.placeByPacking(ctx)
	if refused == nil || p.Grouped {
		return pl, refused
	}
	q := *p
	q.trial = true
	for q.packing = packInOrder; q.packing < packings && ctx.Err() == nil; q.packing++ {
		pl, err := q.placeByPacking(ctx)
		if err != nil {
			continue
		}
		pl.SharesRacks, pl.Notes = true, append(pl.Notes, q.packingNote(ctx, pl))
		return pl, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, refused
}

// placeByPacking places the boxes by Problem.packing: it fills racks, gives them positions, moves pinned boxes to their
// places, and optimizes if the problem has an Optimizer.
func (p *Problem) placeByPacking(ctx context.Context) (*Placement, error) {
	if p.Optimizer != nil {
		return optimizeRoom(ctx, p)
	}
	r, err := p.fillRoom(ctx)
	if err != nil {
		return nil, err
	}
	return r.f.placement(r.room, r.places), nil
}

// packingNote returns a note about a placement that is denser than packGroups: what it gives up, and what would avoid
// that.
func (p *Problem) packingNote(ctx context.Context, pl *Placement) string {
	how := "boxes of different groups share racks"
	if p.packing == packTallest {
		how = "boxes are in the first racks with room for them, the tallest first, regardless of their groups"
	}
	free, grouped := len(pl.Layout.Room.Places), *p
	grouped.packing = packGroups
	f := newFiller(&grouped)
	if _, _, err := f.fillRacks(); err != nil || ctx.Err() != nil || len(f.racks) <= free {
		return fmt.Sprintf("%s, %d in all: kept together, the groups do not fit into the room; a larger room, or "+
			"racks with higher limits, would keep them together", how, len(pl.Racks))
	}
	return fmt.Sprintf("%s, %d in all: kept together, the groups take %d, and the room has %s; a room with %d would "+
		"keep them together", how, len(pl.Racks), len(f.racks), english.Count(free, "rack position"), len(f.racks))
}

// fillDensely puts the vertices of a sequence, and those without a group, into new racks of a home by Problem.packing.
func (f *filler) fillDensely(s sequence, loose []int32, at home) error {
	first := len(f.racks)
	f.home, f.open = at, false
	if f.p.packing == packTallest {
		return f.firstFit(sequence{order: f.tallestFirst(slices.Concat(s.order, loose))}, first)
	}
	if err := f.firstFit(s, first); err != nil {
		return err
	}
	return f.distribute(loose, first)
}

// firstFit puts each vertex of a sequence into the rack of the vertex before (not by packTallest), else into the first
// rack with room, from the given one on, else into a new one. It keeps groups of Problem.Together in one rack each
// where a rack holds them.
func (f *filler) firstFit(s sequence, first int) error {
	end := f.keptTogether(&s)
	last := int32(-1)         // the rack of the box before
	var full [mostKinds]int32 // for each kind, racks before this one have no room
	for i := range full {
		full[i] = int32(first)
	}
	for lo := 0; lo < len(s.order); {
		hi := end(lo)
		if f.p.packing == packInOrder && last >= 0 && f.intoRack(last, &s, lo, hi) {
			lo = hi
			continue
		}
		kind := topology.KindOf(f.kinds, int(s.order[lo]))
		alike := hi-lo == 1 && f.antiAffinity.of == nil && s.seal == nil
		from := int32(first)
		if alike {
			from = full[kind]
		}
		for last = from; int(last) < len(f.racks) && !f.intoRack(last, &s, lo, hi); last++ {
		}
		if alike {
			full[kind] = last
		}
		if int(last) == len(f.racks) && !f.intoNewRack(&s, lo, hi) {
			if hi-lo == 1 {
				return f.tooLarge(s.order[lo])
			}
			end = func(lo int) int { return lo + 1 } // no rack holds the group
			last = -1
			continue
		}
		lo = hi
	}
	return nil
}

// intoRack adds order[lo:hi] to a rack by its number, and reports whether there is room for all of them.
func (f *filler) intoRack(rack int32, s *sequence, lo, hi int) bool {
	if !f.tryGroup(&f.racks[rack].state, s, lo, hi) {
		return false
	}
	f.keepIn(rack)
	return true
}

// intoNewRack adds order[lo:hi] to a new rack of the first type of f.home with room for all of them, and reports
// whether there is one.
func (f *filler) intoNewRack(s *sequence, lo, hi int) bool {
	for _, of := range f.nextTypes(f.home) {
		if f.tryGroup(&rackState{of: of}, s, lo, hi) {
			f.open = false
			f.openRack(of)
			f.keep()
			f.open = false
			return true
		}
	}
	return false
}

// keptTogether returns a function that returns the end of the boxes from lo on which have to share a rack: those of a
// group of Problem.Together, the largest that lo is in, else a single box.
func (f *filler) keptTogether(s *sequence) func(lo int) int {
	levels := slices.DeleteFunc(slices.Clone(f.p.Graph.Groupings()), func(g topology.Grouping) bool {
		return !slices.Contains(f.p.Together, g.Name)
	})
	return func(lo int) int {
		for _, g := range slices.Backward(levels) {
			group, hi := g.Of(int(s.order[lo])), lo+1
			for hi < len(s.order) && g.Of(int(s.order[hi])) == group {
				hi++
			}
			if group >= 0 {
				return hi
			}
		}
		return lo + 1
	}
}

// tallestFirst returns the groups of Problem.Together, the largest first, then the other vertices as compareHeights has
// their kinds.
func (f *filler) tallestFirst(order []int32) []int32 {
	s := sequence{order: order}
	end := f.keptTogether(&s)
	var parts [][]int32
	for lo := 0; lo < len(order); lo = end(lo) {
		parts = append(parts, order[lo:end(lo)])
	}
	slices.SortStableFunc(parts, func(a, b []int32) int {
		kindA, kindB := topology.KindOf(f.kinds, int(a[0])), topology.KindOf(f.kinds, int(b[0]))
		return cmp.Or(cmp.Compare(len(b), len(a)), f.compareHeights(kindA, kindB))
	})
	return slices.Concat(parts...)
}

// compareHeights compares two kinds by how many types of racks they may be in, the fewest first, then by height, the
// tallest first, then by number.
func (f *filler) compareHeights(a, b int) int {
	return cmp.Or(cmp.Compare(len(f.p.Kinds[a].types()), len(f.p.Kinds[b].types())),
		cmp.Compare(f.height(b), f.height(a)), cmp.Compare(a, b))
}

// height returns the rack units of a box of a kind, or of its chassis.
func (f *filler) height(kind int) int {
	k := &f.p.Kinds[kind]
	if c := k.chassis(); c >= 0 {
		return f.p.Chassis[c].Units
	}
	return k.Box.Units
}
