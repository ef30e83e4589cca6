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

// plugByPlace connects the boxes of fabrics whose order is by place to switches anew, once all boxes have a place: the
// boxes of a rack to one switch as far as it has ports, then those of the next rack in the row. Switches in racks among
// the boxes are numbered in the same order. In fabrics of another order it connects boxes anew only where boxes that
// exist keep their switches. It returns the machine with these connections, and the placement with the new places of
// its switches; r and pl themselves if nothing changes, without a room, and beside an error.
func (r *resolved) plugByPlace(pl *embed.Placement) (*resolved, *embed.Placement, error) {
	if pl.Layout.Room == nil {
		return r, pl, nil
	}
	own, moved, err := r.pluggedAnew(pl, func(a, b int) int {
		return compareSlots(pl.Layout, pl.Slot[a], pl.Slot[b])
	})
	if err != nil || own == r {
		return r, pl, err
	}
	return own, numberedByPlace(pl, moved), nil
}

// numberedByPlace returns a copy of a placement in which the switches of each of the kinds are numbered in the order of
// compareSlots; pl is not changed. It needs a room.
func numberedByPlace(pl *embed.Placement, kinds []topology.Kind) *embed.Placement {
	with := *pl
	with.Slot = slices.Clone(pl.Slot)
	for _, k := range kinds {
		slices.SortStableFunc(with.Slot[k.First:k.First+k.Count], func(a, b int32) int {
			return compareSlots(pl.Layout, a, b)
		})
	}
	return &with
}

// pluggedAnew connects the boxes of fabrics whose order is by place to switches in the order of compare, which compares
// the places of two vertices; boxes at equal places stay in the order of the fabric's ends. If pl is not nil, boxes
// that exist keep their switches, in fabrics of any order; it is nil for an estimate. A fabric stays as it is if its
// boxes with several ports would not fit in this order. It returns a machine with the resulting graph, r itself if
// nothing changes, and the kinds of switches to number in the same order.
func (r *resolved) pluggedAnew(pl *embed.Placement, compare func(a, b int) int) (*resolved, []topology.Kind, error) {
	if len(r.spec.Fabrics) == 0 {
		return r, nil, nil
	}
	kinds := r.graph.Kinds()
	own, changed := *r, false
	own.fabrics, own.woven = slices.Clone(r.fabrics), slices.Clone(r.woven)
	var moved []topology.Kind
	for i, f := range r.fabrics {
		if r.spec.Fabrics[i].Order != spec.ByPlace {
			if pl == nil {
				continue
			}
			if seats := r.keptInList(f, pl); seats != nil {
				anew := *f
				anew.seats = seats
				part, err := anew.plug(nil)
				if err != nil {
					return nil, nil, err
				}
				own.fabrics[i], own.woven[f.part], changed = &anew, part, true
			}
			continue
		}
		order := fabrics.InTurn(f.ends)
		slices.SortStableFunc(order, func(a, b fabrics.Box) int {
			return compare(f.vertex(kinds, a), f.vertex(kinds, b))
		})
		anew := *f
		turning := r.numberedAnew(f)
		if pl != nil {
			anew.seats = r.keptSeats(f, numberedByPlace(pl, turning), order)
		}
		places := fabrics.PlacesOf(f.bare)
		if anew.seats == nil && places.CountTaken(f.ends, order) > places.Count {
			continue // in this order, boxes with several ports would not fit: some ports of switches would stay free
		}
		part, err := anew.plug(order)
		if err != nil {
			return nil, nil, err
		}
		own.fabrics[i], own.woven[f.part], changed = &anew, part, true
		moved = append(moved, turning...)
	}
	if !changed {
		return r, nil, nil
	}
	own.graph = fabrics.Join(kinds, own.woven)
	return &own, moved, nil
}

// numberedAnew returns the kinds of switches of a fabric that are numbered in the order of their places: those in racks
// among the boxes; nil if the file sets any place, of these or other boxes.
func (r *resolved) numberedAnew(f *fabric) []topology.Kind {
	if len(r.pins) > 0 {
		return nil
	}
	var out []topology.Kind
	for _, at := range f.switches {
		if r.packs[at.Kind].Place == spec.InRack {
			out = append(out, r.graph.Kinds()[at.Kind])
		}
	}
	return out
}

// vertex returns the vertex of the machine for a box of the fabric. kinds are those of the machine.
func (f *fabric) vertex(kinds []topology.Kind, b fabrics.Box) int {
	at := f.attached[b.Kind]
	return kinds[at.Kind].First + at.First + b.Number
}

// compareSlots orders slots in racks of a room by row, by position in the row, and by rack unit, the lowest first.
func compareSlots(l *layout.Layout, a, b int32) int {
	at, other := l.Container(layout.RackLevel, a), l.Container(layout.RackLevel, b)
	p, q := &l.Room.Places[at], &l.Room.Places[other]
	return cmp.Or(cmp.Compare(p.Row, q.Row), cmp.Compare(p.Number, q.Number), cmp.Compare(l.Unit(a), l.Unit(b)))
}
