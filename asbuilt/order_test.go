package asbuilt

import (
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/asbuilt/workorder"
)

// checkOrder makes the moves of a work order by what they say alone: which plug leaves which port and which is plugged
// in where. Of cables that carry several links, and of trunks, it follows the first.
func checkOrder(t *rapid.T, d *Difference) {
	at := map[[2]any]int{} // by box and port: the cable
	next := 0
	number := [2]map[string]int32{{}, {}}
	for side, inv := range d.inv {
		for v, b := range inv.box {
			number[side][inv.s.Device(int32(v))] = b
		}
	}
	key := func(side int, e *workorder.End) [2]any {
		v, ok := number[side][e.Box]
		if !ok {
			t.Fatalf("there is no box %s", e.Box)
		}
		return [2]any{v, e.Port}
	}
	for c := range d.inv[0].cables {
		next++
		for _, p := range d.inv[0].cables[c].plugs {
			at[key(0, d.inv[0].workEnd(p))] = next
		}
	}
	plug := func(e *workorder.End, cable int, m *workorder.Move) {
		if k := key(1, e); at[k] != 0 {
			t.Fatalf("move %d, %s %s: %s is taken", m.Move, m.Do, m.Cable, e)
		} else {
			at[k] = cable
		}
	}
	order := d.order()
	boxes := 0
	for i := range order.Steps {
		for k := range order.Steps[i].Moves {
			m := &order.Steps[i].Moves[k]
			switch m.Do {
			case workorder.TakeOut, workorder.PullOut, workorder.Unplug:
				from, other := key(0, m.From), key(0, m.Other)
				if at[from] == 0 || at[from] != at[other] {
					t.Fatalf("move %d, %s %s: no cable leads from %s to %s", m.Move, m.Do, m.Cable, m.From, m.Other)
				}
				delete(at, from)
				if m.Do != workorder.Unplug {
					delete(at, other)
				}
			case workorder.PlugIn:
				hangs := at[key(1, m.Other)]
				if hangs == 0 {
					t.Fatalf("move %d: no cable hangs at %s", m.Move, m.Other)
				}
				plug(m.To, hangs, m)
			case workorder.Lay:
				next++
				plug(m.To, next, m)
				plug(m.Other, next, m)
			default:
				boxes++
			}
		}
	}
	doc := d.Document()
	if n := doc.Boxes.Added + doc.Boxes.Removed + 2*(doc.Boxes.Moved+doc.Boxes.Replaced); boxes < n {
		t.Fatalf("%d moves of boxes, expected at least %d", boxes, n)
	}
	for c := range d.inv[1].cables {
		p := d.inv[1].cables[c].plugs
		a, b := key(1, d.inv[1].workEnd(p[0])), key(1, d.inv[1].workEnd(p[1]))
		if at[a] == 0 || at[a] != at[b] {
			t.Fatalf("cable %s is not plugged in in the end", d.inv[1].s.CableID(int64(c)+1))
		}
		delete(at, a)
		delete(at, b)
	}
	if len(at) > 0 {
		t.Fatalf("%d plugs more than planned: %v", len(at), at)
	}
}
