package machine

import (
	"context"
	"slices"

	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/spec"
)

// byRacks fills in the number of boxes of a kind whose count is left out: for the time being those of one rack. Only
// boxes beside the units of racks may be counted so, as they make no racks themselves.
func (w *weaver) byRacks(i int) {
	b := &w.spec.Boxes[i]
	if b.Count > 0 {
		return
	}
	b.Count = max(b.PerRack, 1)
	path := diag.Elem("boxes", i)
	entry := b.Box()
	if !w.besideUnits(&entry) {
		w.fault(path+".count", "missing\nonly boxes beside the units of racks (a part with zero_u) are as many as "+
			"there are racks")
		return
	}
	if w.spec.Embedding.Placement != "" {
		w.fault(path+".count", "missing\nwith places that are given, state it")
		return
	}
	for _, j := range w.racked {
		if other := &w.spec.Boxes[j]; other.Racks == b.Racks {
			w.fault(path+".count", "missing\n%s stands beside the units of the same racks, and has no count either",
				other.Name)
			return
		}
	}
	w.racked = append(w.racked, i)
}

// mostRackRounds bounds how often boxes are placed to count racks. Racks only become more: with the switches that more
// boxes beside them are plugged into.
const mostRackRounds = 16

// resolveRacked resolves a spec. Where boxes are as many as there are racks for them, it places all boxes, counts the
// racks, and does so again with so many boxes until that does not change.
func resolveRacked(ctx context.Context, given *spec.Spec) (*resolved, error) {
	r, err := resolve(given)
	if err != nil || len(r.racked) == 0 {
		return r, err
	}
	own := *given
	own.Boxes = slices.Clone(r.spec.Boxes)
	racked := r.racked
	for range mostRackRounds {
		pl, err := r.structured(ctx, r.embedding())
		if err != nil {
			return nil, r.spelled(err)
		}
		more := false
		for _, i := range racked {
			b := &own.Boxes[i]
			if n := max(b.PerRack, 1) * r.racksFor(pl, i); n > b.Count {
				b.Count, more = n, true
			}
		}
		if !more {
			return r, nil
		}
		if r, err = resolve(&own); err != nil {
			return nil, err
		}
	}
	return nil, diag.Fieldf(diag.Elem("boxes", racked[0])+".count", "the number of racks grows with that of the boxes "+
		"beside them\nstate it")
}

// racksFor counts the racks whose units a kind of boxes may stand beside: those of its name, or all but those of the
// names of other such kinds, without racks that hold other such boxes.
func (r *resolved) racksFor(pl *embed.Placement, kind int) int {
	taken := map[int32]bool{}
	names := map[string]bool{}
	kinds := r.graph.Kinds()
	for i := range r.boxes {
		if i == kind || !r.boxes[i].Part.ZeroU {
			continue
		}
		names[r.packs[i].Racks] = true
		for v := kinds[i].First; v < kinds[i].First+kinds[i].Count; v++ {
			taken[pl.Layout.Container(layout.RackLevel, pl.Slot[v])] = true
		}
	}
	n := 0
	for _, rack := range pl.Racks {
		own := rack.Name == r.packs[kind].Racks
		if r.packs[kind].Racks == "" {
			own = rack.Name == "" || !names[rack.Name]
		}
		if own && !taken[rack.Place] {
			n++
		}
	}
	return n
}
