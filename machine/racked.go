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
	switch {
	case !w.sound(path) || w.unsound[b.Part] || w.heldUnread():
		return
	case !w.besideUnits(&entry):
		w.fault(path+".count", "missing\nonly boxes beside the units of racks (a part with zero_u) are as many as "+
			"there are racks")
		return
	case w.spec.Embedding.Placement != "":
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

// mostRackRounds bounds how often boxes are placed to count racks. More boxes beside racks are plugged into more
// switches, which may stand in racks of their own, or take racks from other boxes.
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
	racked, exact := r.racked, false
	for range mostRackRounds {
		p := r.embedding()
		p.Sizing = true
		pl, err := r.structured(ctx, p)
		if err != nil {
			return nil, r.spelled(err)
		}
		more, fewer := false, map[int]int{}
		for _, i := range racked {
			b := &own.Boxes[i]
			switch n := max(max(b.PerRack, 1)*r.racksFor(pl, i), 1); {
			case n > b.Count:
				b.Count, more = n, true
			case n < b.Count:
				fewer[i] = n
			}
		}
		if !more && len(fewer) == 0 {
			return r, nil
		}
		if !more || exact { // grown first, so that the numbers do not go up and down
			exact = true
			for i, n := range fewer {
				own.Boxes[i].Count = n
			}
		}
		if r, err = resolve(&own); err != nil {
			return nil, err
		}
	}
	return nil, diag.Fieldf(diag.Elem("boxes", racked[0])+".count", "no number of boxes fits that of the racks, which "+
		"changes with it\nstate it")
}

// racksFor counts the racks whose units a kind of boxes may stand beside: those of its name, or all but those of the
// names of other such kinds, without racks that hold other such boxes.
func (r *resolved) racksFor(pl *embed.Placement, kind int) int {
	taken := map[int32]bool{}
	names := map[string]bool{}
	shared := map[int32]bool{} // racks with boxes that share those of the name, such as pinned ones among nodes
	kinds := r.graph.Kinds()
	for i := range r.boxes {
		if !r.boxes[i].Part.ZeroU && r.packs[i].Racks == r.packs[kind].Racks {
			for v := kinds[i].First; v < kinds[i].First+kinds[i].Count; v++ {
				shared[pl.Layout.Container(layout.RackLevel, pl.Slot[v])] = true
			}
		}
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
		own := rack.Name == r.packs[kind].Racks || shared[rack.Place]
		if r.packs[kind].Racks == "" {
			own = rack.Name == "" || !names[rack.Name]
		}
		if own && !taken[rack.Place] {
			n++
		}
	}
	return n
}
