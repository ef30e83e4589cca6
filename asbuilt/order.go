package asbuilt

import (
	"cmp"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/asbuilt/workorder"
)

// order is the steps as a work order: within each, what comes out, boxes, and what goes in, each by place.
func (d *Difference) order() *workorder.Order {
	o := &workorder.Order{
		Machine: d.New.Spec.Name, From: d.Old.Spec.Name, To: d.New.Spec.Name, Steps: []workorder.Step{},
		Faults: append([]string{}, d.Faults...),
	}
	if o.From == o.To {
		o.From, o.To = "the old plan", "the new plan"
	}
	take, back := map[string]int{}, map[string]int{}
	for i := range d.Steps {
		st := &d.Steps[i]
		step := workorder.Step{
			Paths: st.Paths, Share: math.Floor(st.Capacity*1e6) / 1e6, Cut: []string{}, Moves: []workorder.Move{},
		}
		for _, c := range st.Cut {
			step.Cut = append(step.Cut, d.Boxes[c.Box].Name)
		}
		for _, c := range d.byPlace(0, st.Out) {
			m := d.takeOut(c)
			if m.Source == workorder.ToStock {
				back[m.Product]++
			}
			step.Moves = append(step.Moves, m)
		}
		for _, v := range st.Away {
			b := &d.Boxes[v]
			step.Moves = append(step.Moves, workorder.Move{
				Do: workorder.TakeAway, Product: b.OldPart, From: place(b, b.From), Note: b.Fate.String(),
			})
		}
		for _, v := range st.Stand {
			b := &d.Boxes[v]
			m := workorder.Move{Do: workorder.Stand, Product: b.Part, To: place(b, b.To), Note: b.Fate.String()}
			if b.From != nil {
				m.From = place(b, b.From)
			}
			step.Moves = append(step.Moves, m)
		}
		for _, c := range d.byPlace(1, st.In) {
			m := d.bring(c)
			if m.Source == workorder.FromStock {
				take[m.Product]++
			}
			step.Moves = append(step.Moves, m)
		}
		o.Steps = append(o.Steps, step)
	}
	reasons := map[string]string{}
	for c := range d.inv[1].cables {
		if why := d.relabel(int32(c)); why != "" {
			reasons[d.inv[1].s.CableID(int64(c)+1)] = why
		}
	}
	o.Labels = workorder.LabelsOf(d.New, reasons)
	o.Take, o.Return = workorder.Count(take, d.New.Bill.Rows), workorder.Count(back, nil)
	o.Number()
	o.SetColours(d.New)
	return o
}

// byPlace orders cables of a plan by where their first ends are.
func (d *Difference) byPlace(side int, cables []int32) []int32 {
	out := slices.Clone(cables)
	inv := d.inv[side]
	slot := func(c int32) int32 {
		p := inv.cables[c].plugs
		return min(inv.s.Placement.Slot[p[0].v], inv.s.Placement.Slot[p[1].v])
	}
	slices.SortStableFunc(out, func(a, b int32) int { return cmp.Compare(slot(a), slot(b)) })
	return out
}

// place is where a box stands.
func place(b *Box, p *Place) *workorder.End {
	return &workorder.End{Rack: p.Container, Unit: p.Unit, Box: b.Name}
}

// workEnd is a port of a cable.
func (inv *inventory) workEnd(p plug) *workorder.End { return workorder.At(inv.s, p.v, p.port) }

// keeps is the plug of a re-plugged cable that stays in its port, and the one that does not: of the old plan, side 0,
// or the new.
func (d *Difference) keeps(side int, c int32) (stays, moves plug) {
	a, b := &d.inv[side].cables[c], &d.inv[1-side].cables[d.pairs.other[side][c]]
	lower, higher := a.plugs[0], a.plugs[1]
	if a.turned {
		lower, higher = higher, lower
	}
	if slices.Contains(b.legs[0][:], a.legs[0][0]) {
		return lower, higher
	}
	return higher, lower
}

// takeOut is what is done to a cable of the old plan.
func (d *Difference) takeOut(c int32) workorder.Move {
	inv := d.inv[0]
	k := &inv.cables[c]
	m := workorder.Move{Cable: inv.s.CableID(int64(c) + 1), Product: d.products.text[k.item]}
	m.From, m.Other = inv.workEnd(k.plugs[0]), inv.workEnd(k.plugs[1])
	switch d.pairs.of[0][c] {
	case relaid:
		m.Do, m.Source = workorder.PullOut, workorder.Reused
	case replugged:
		stay, move := d.keeps(0, c)
		m.Do, m.Source, m.From, m.Other = workorder.Unplug, workorder.Reused, inv.workEnd(move), inv.workEnd(stay)
	default:
		m.Do, m.Source = workorder.TakeOut, workorder.ToStock
	}
	return m
}

// bring is what is done to a cable of the new plan.
func (d *Difference) bring(c int32) workorder.Move {
	inv := d.inv[1]
	k := &inv.cables[c]
	m := workorder.Move{Do: workorder.Lay, Cable: inv.s.CableID(int64(c) + 1), Product: d.products.text[k.item]}
	m.To, m.Other = inv.workEnd(k.plugs[0]), inv.workEnd(k.plugs[1])
	if o := d.pairs.other[1][c]; o >= 0 {
		m.Was = d.inv[0].s.CableID(int64(o) + 1)
	}
	switch d.pairs.of[1][c] {
	case relaid:
		m.Source = workorder.Reused
	case replugged:
		stay, move := d.keeps(1, c)
		m.Do, m.Source, m.To, m.Other = workorder.PlugIn, workorder.Reused, inv.workEnd(move), inv.workEnd(stay)
	case exchanged:
		was := &d.inv[0].cables[d.pairs.other[1][c]]
		m.Source, m.Note = workorder.FromStock, "in place of "+d.products.text[was.item]
	default:
		m.Source = workorder.FromStock
	}
	return m
}

// relabel says why a cable of the new plan gets labels, "" where they stand on it already.
func (d *Difference) relabel(c int32) string {
	o := d.pairs.other[1][c]
	if o < 0 {
		return workorder.NewCable
	}
	now, was := &d.inv[1].cables[c], &d.inv[0].cables[o]
	ends := [2]string{d.inv[1].label(now.plugs[0]), d.inv[1].label(now.plugs[1])}
	old := [2]string{d.inv[0].label(was.plugs[0]), d.inv[0].label(was.plugs[1])}
	same := d.inv[0].s.CableID(int64(o)+1) == d.inv[1].s.CableID(int64(c)+1) &&
		(old == ends || old == [2]string{ends[1], ends[0]})
	switch f := d.pairs.of[1][c]; {
	case f == exchanged:
		return workorder.OtherProduct
	case same:
		return ""
	case f == replugged:
		return workorder.Elsewhere
	}
	return workorder.Renamed
}
