package machine

import (
	"cmp"
	"slices"

	"github.com/plenum-planner/plenum/embed"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/fabrics"
)

// plugByPlace plugs the boxes of fabrics whose order is by place into them anew, now that they stand: boxes of a rack
// on
// one switch as far as it has ports, then those of the next rack of the row. The switches among the racks take turns in
// the same order. It returns the placement with their places.
func (r *resolved) plugByPlace(pl *embed.Placement) (*embed.Placement, error) {
	kinds := r.graph.Kinds()
	changed := false
	for i, f := range r.fabrics {
		if len(r.spec.Fabrics) == 0 || r.spec.Fabrics[i].Order != spec.ByPlace || pl.Layout.Room == nil {
			continue
		}
		order := fabrics.InTurn(f.ends)
		slices.SortStableFunc(order, func(a, b fabrics.Box) int {
			return comparePlaces(pl, f.vertex(kinds, a), f.vertex(kinds, b))
		})
		if places := fabrics.PlacesOf(f.bare); places.Taken(f.ends, order) > places.Count {
			continue // boxes with several ports would leave some free in another order
		}
		part, err := f.plug(order)
		if err != nil {
			return nil, err
		}
		r.woven[f.part] = part
		if !changed {
			own := *pl
			own.Slot = slices.Clone(pl.Slot)
			pl, changed = &own, true
		}
		if len(r.pins) > 0 {
			continue // switches stand where they are told to
		}
		for _, at := range f.switches {
			if k := kinds[at.Kind]; r.packs[at.Kind].Place == spec.InRack {
				slots := pl.Slot[k.First : k.First+k.Count]
				slices.SortStableFunc(slots, func(a, b int32) int { return compareSlots(pl.Layout, a, b) })
			}
		}
	}
	if changed {
		r.graph = fabrics.Join(kinds, r.woven)
	}
	return pl, nil
}

// vertex is the vertex of the machine that a box of the ends of a fabric is.
func (f *fabric) vertex(kinds []topology.Kind, b fabrics.Box) int {
	at := f.attached[b.Kind]
	return kinds[at.Kind].First + at.First + b.Number
}

func comparePlaces(pl *embed.Placement, a, b int) int {
	return compareSlots(pl.Layout, pl.Slot[a], pl.Slot[b])
}

// compareSlots orders slots of a room by row, rack and height.
func compareSlots(l *layout.Layout, a, b int32) int {
	at, other := l.Container(layout.RackLevel, a), l.Container(layout.RackLevel, b)
	p, q := &l.Room.Places[at], &l.Room.Places[other]
	return cmp.Or(cmp.Compare(p.Row, q.Row), cmp.Compare(p.Number, q.Number), cmp.Compare(l.Unit(a), l.Unit(b)))
}
