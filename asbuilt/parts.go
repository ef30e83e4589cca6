package asbuilt

import (
	"cmp"
	"slices"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/units"
)

// Part is a line of two bills.
type Part struct {
	Item        catalog.Item
	Kind        catalog.Kind
	Description string
	Old, New    int64 // pieces in either plan, spares included
	// UnitCost is that of the new bill, nil where it has no price.
	UnitCost *units.Money
}

// Buy is the pieces that the new plan has more.
func (p *Part) Buy() int64 { return max(p.New-p.Old, 0) }

// Free is the pieces that the new plan does not need any more.
func (p *Part) Free() int64 { return max(p.Old-p.New, 0) }

// parts sets the pieces of two bills side by side, in the order of bills: by kind, then by part.
func parts(old, new *cost.Bill) []Part {
	index := map[catalog.Item]int{}
	var out []Part
	for side, bill := range [2]*cost.Bill{old, new} {
		for i := range bill.Rows {
			r := &bill.Rows[i]
			if !pieces(r.Kind) {
				continue
			}
			at, ok := index[r.Item]
			if !ok {
				at = len(out)
				index[r.Item] = at
				out = append(out, Part{Item: r.Item, Kind: r.Kind, Description: r.Description})
			}
			if side == 0 {
				out[at].Old += r.Qty + r.Spares
			} else {
				out[at].New += r.Qty + r.Spares
				out[at].UnitCost = r.UnitCost
			}
		}
	}
	slices.SortFunc(out, func(a, b Part) int {
		return cmp.Or(cmp.Compare(slices.Index(catalog.Kinds, a.Kind), slices.Index(catalog.Kinds, b.Kind)),
			a.Item.Compare(b.Item))
	})
	return out
}

// pieces reports whether lines of a kind are things that one buys.
func pieces(k catalog.Kind) bool {
	return k != catalog.KindLabour && k != catalog.KindFreight && k != catalog.KindContingency
}

// Labour is the work of a difference.
type Labour struct {
	Task  string // the id of the line of the bill: install-in-row
	Moves int64  // cables pulled in, pulled out or plugged in elsewhere
	// UnitCost is that of installing such a cable, nil where neither bill has a price.
	UnitCost *units.Money
}

// labour counts the moves of cables by where they run: a cable that is pulled out or led to another port is as much
// work as one that is installed.
func (d *Difference) labour() []Labour {
	count := map[string]int64{}
	add := func(side int, c int) {
		inv := d.inv[side]
		seg := &inv.s.Segments[inv.cables[c].first]
		count[cost.InstallLabour(inv.s.Placement.Layout, int(seg.Within))]++
	}
	for c, f := range d.pairs.of[0] {
		if f == goes || f == exchanged {
			add(0, c)
		}
	}
	for c, f := range d.pairs.of[1] {
		if f != stays {
			add(1, c)
		}
	}
	var out []Labour
	for _, id := range cost.LabourIDs {
		if count[id] == 0 {
			continue
		}
		l := Labour{Task: id, Moves: count[id]}
		for _, bill := range [2]*cost.Bill{d.Old.Bill, d.New.Bill} {
			if i := slices.IndexFunc(bill.Rows, func(r cost.Row) bool { return r.Item.Part == id }); i >= 0 &&
				bill.Rows[i].UnitCost != nil {
				l.UnitCost = bill.Rows[i].UnitCost
			}
		}
		out = append(out, l)
	}
	return out
}
