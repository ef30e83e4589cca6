package cabling

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/topology"
)

// mount lays trunks between racks and stands the panels in which they end.
func (w *worker) mount(k *patcher) error {
	p := &Patching{Part: k.panel, Kept: k.kept, Links: k.served, first: int32(topology.Vertices(w.p.Graph))}
	w.s.Patching, w.patcher = p, k
	if p.Method = w.p.Structured.Method; p.Method == "" {
		p.Method = PolarityMethod(p.Part)
	}
	if p.Method == Reversed && hasAngled(p.Part.Panel) {
		w.s.Violations.Add(RulePolarity, p.Part.ID,
			"%s plugs are angled, and the adapters of method B join them key up to "+
				"key up", p.Part.Panel.RearConnector())
	}
	order := make([]int32, 0, len(k.pairs))
	for i := range k.pairs {
		if int(k.pairs[i].links) >= k.rules.AtLeast {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(x, y int32) int {
		a, b := &k.pairs[x], &k.pairs[y]
		return cmp.Or(cmp.Compare(a.a, b.a), cmp.Compare(a.b, b.b), cmp.Compare(a.level, b.level))
	})
	racks := make([][]Panel, len(w.layout.Room.Places)) // panels of each rack
	end := func(rack int32, legs int, links uint16) (panel int32, port uint16) {
		list := racks[rack]
		if n := len(list); n == 0 || list[n-1].Ports+legs > k.panel.Panel.Ports {
			list = append(list, Panel{Rack: rack})
		}
		last := &list[len(list)-1]
		port = uint16(last.Ports)
		last.Ports += legs
		last.Links += int(links)
		racks[rack] = list
		return int32(len(list) - 1), port
	}
	for _, i := range order {
		pair := &k.pairs[i]
		pair.first = int32(len(p.Trunks))
		largest := k.trunks[len(k.trunks)-1].Cable.Legs
		part := k.trunks[slices.IndexFunc(k.trunks, func(t *catalog.Part) bool { return t.Cable.Legs == largest })]
		for _, t := range slices.Backward(k.trunks) {
			if k.fill(t) >= pair.links {
				part = t
			}
		}
		pair.fill = k.fill(part)
		for at := int32(0); at < pair.links; at += pair.fill {
			t := Trunk{Part: part, Product: NoProduct, Links: uint16(min(pair.links-at, pair.fill))}
			t.A, t.PortA = end(pair.a, p.Positions(part), t.Links)
			t.B, t.PortB = end(pair.b, p.Positions(part), t.Links)
			p.Trunks = append(p.Trunks, t)
			pair.count++
		}
	}
	return w.placePanels(k, racks, order)
}

// placePanels puts panels into the highest free units of their racks, and numbers them. The error names racks that are
// full.
func (w *worker) placePanels(k *patcher, racks [][]Panel, order []int32) error {
	p := w.s.Patching
	used := w.usedUnits()
	height := max(k.panel.Units, 1)
	first := make([]int32, len(racks))
	if err := w.checkPanelRacks(racks); err != nil {
		return err
	}
	var full []string
	for rack, list := range racks {
		first[rack] = int32(len(p.Panels))
		units := w.layout.Room.Type(int32(rack)).Units
		for _, panel := range list {
			u, ok := used[rack].Free(height, units, true)
			if !ok {
				full = append(full, fmt.Sprintf("%s (%dU for panels, %dU free)", w.layout.Room.Name(rack),
					len(list)*height, units-w.usedUnits()[rack].Len()))
				break
			}
			used[rack].Add(u, height)
			panel.Unit, panel.Part = u, cmp.Or(k.rules.PanelsOf[w.layout.Room.Name(rack)], k.panel)
			p.Panels = append(p.Panels, panel)
		}
	}
	if len(full) > 0 {
		more := ""
		if len(full) > 4 {
			more = fmt.Sprintf(" and %d more", len(full)-4)
			full = full[:4]
		}
		return diag.Fieldf("Structured",
			"no room for the panels in rack %s%s\nleave units free: embedding.free_units, fewer boxes in a rack "+
				"(per_rack), a taller rack, or fewer links over panels (at_least, levels)",
			strings.Join(full, ", "), more)
	}
	for _, i := range order {
		pair := &k.pairs[i]
		for t := pair.first; t < pair.first+pair.count; t++ {
			p.Trunks[t].A += first[pair.a]
			p.Trunks[t].B += first[pair.b]
		}
	}
	w.standPanels()
	return nil
}

// checkPanelRacks returns an error for racks that are to have other panels and have none.
func (w *worker) checkPanelRacks(racks [][]Panel) error {
	var known []string
	for rack, list := range racks {
		if len(list) > 0 {
			known = append(known, w.layout.Room.Name(rack))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.p.Structured.PanelsOf)) {
		if !slices.Contains(known, name) {
			return diag.Fieldf("Structured.panels["+name+"]", "no rack with panels is called %s\n%s", name,
				diag.Suggest(name, known, "those with panels are "))
		}
	}
	return nil
}

// standPanels gives all panels a place in the layout.
func (w *worker) standPanels() {
	p := w.s.Patching
	p.digits = max(2, len(strconv.Itoa(len(p.Panels))))
	p.boxes = map[*catalog.Part]panelBox{}
	stands := make([]layout.Stand, len(p.Panels))
	for i := range p.Panels {
		panel := &p.Panels[i]
		stands[i] = layout.Stand{Place: panel.Rack, Unit: panel.Unit}
		if _, ok := p.boxes[panel.Part]; !ok {
			p.boxes[panel.Part] = newPanelBox(panel.Part)
		}
	}
	pl := *w.s.Placement
	pl.Layout = pl.Layout.With(stands)
	pl.Slot = slices.Clone(pl.Slot)
	for i := range stands {
		pl.Slot = append(pl.Slot, int32(pl.Layout.Slots()-len(stands)+i))
	}
	w.s.Placement, w.layout, w.slot, w.s.router.layout = &pl, pl.Layout, pl.Slot, pl.Layout
}

func newPanelBox(part *catalog.Part) panelBox {
	height, ports, rows := max(part.Units, 1), part.Panel.Ports, 1
	if ports > 12 {
		rows = 2
	}
	box := func(count, rows int) *layout.Box {
		return layout.NewBox(height, part.Width, part.Depth,
			[]layout.Ports{{Count: count, PerCage: 1, Rows: rows, Rear: true}})
	}
	return panelBox{box(ports, rows), box(1, 1).Port(0)}
}

// usedUnits are the units that boxes and chassis take in every rack.
func (w *worker) usedUnits() []layout.UnitSet {
	used := make([]layout.UnitSet, len(w.layout.Room.Places))
	for i, k := range w.s.Kinds {
		height := w.p.Boxes[i].Box.Units
		for v := k.First; v < k.First+k.Count; v++ {
			slot := w.slot[v]
			h := height
			if c := w.layout.ChassisUnits(slot); c > 0 {
				h = c
			}
			used[w.layout.Container(layout.RackLevel, slot)].Add(w.layout.Unit(slot), h)
		}
	}
	return used
}
