package asbuilt

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/plenum-planner/plenum/asbuilt/workorder"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/english"
	"github.com/plenum-planner/plenum/internal/growth"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

// Document is what `plenum diff --json` prints.
type Document struct {
	Version string     `json:"version"` // that of the program that compared the plans
	Old     string     `json:"old"`     // the name of the machine in the old plan
	New     string     `json:"new"`     // the name of the machine in the new plan
	Boxes   BoxCount   `json:"boxes"`   // patch panels left out
	Cables  CableCount `json:"cables"`  // traces of chassis left out
	// RewiredLinks is how many links between boxes of both plans the new one does not have any more.
	RewiredLinks int64 `json:"rewired_links"`
	// MovedLinks is how many links of the old plan the new one does not have between the same boxes.
	MovedLinks int64 `json:"moved_links"`
	// LeastMoved is a lower bound on moved links, for any positions of boxes in the topology of the new plan; 0
	// where none is known.
	LeastMoved int64      `json:"least_moved_links"`
	Ports      PortCount  `json:"ports"`       // of boxes that both plans have
	Panels     []Patching `json:"panel_racks"` // racks with patch panels at which something changes
	// Layers is what layers of patch panels between switches would change; left out where none are asked for.
	Layers []Layer `json:"panel_layers,omitempty"`
	// BoxChanges lists the boxes and panels that are not kept.
	BoxChanges []BoxChange `json:"box_changes"`
	Parts      []PartCount `json:"parts"`    // of both bills, those with a difference
	Currency   string      `json:"currency"` // the ISO 4217 code for all money: that of the new plan
	// BuyCost is the price of what the new bill has more, parts without a price left out.
	BuyCost    units.Money  `json:"buy_cost"`
	Labour     []LabourCost `json:"labour"`      // of pulling cables in, out, and from port to port
	LabourCost units.Money  `json:"labour_cost"` // of all of it, work without a price left out
	Steps      []StepList   `json:"steps"`       // from the old plan to the new
	Interrupts []Interrupt  `json:"interrupted"` // boxes without a path while some steps are taken
	Faults     []string     `json:"faults"`      // demands that no steps could keep
	// Work is the steps as a work order.
	Work *workorder.Order `json:"work_order"`
	// PowerCords counts inlets in outlets, without those on busbars; left out where no plan has a power schedule.
	PowerCords  *CableCount  `json:"power_cords,omitempty"`
	CordChanges []LineChange `json:"power_cord_changes,omitempty"` // those that are not kept
	// Hoses counts the hoses between racks and coolant distribution units in other racks; left out where no plan has
	// any.
	Hoses       *CableCount  `json:"hoses,omitempty"`
	HoseChanges []LineChange `json:"hose_changes,omitempty"` // those that are not kept, by rack
}

// BoxCount counts boxes by what becomes of them.
type BoxCount struct {
	Kept     int `json:"kept"`     // they stay where they are
	Moved    int `json:"moved"`    // they stand elsewhere
	Replaced int `json:"replaced"` // another part takes their place
	Added    int `json:"added"`    // in the new plan only
	Removed  int `json:"removed"`  // in the old plan only
}

// CableCount counts cables by what becomes of them. Relaid, re-plugged and exchanged ones are in both plans.
type CableCount struct {
	Kept int `json:"kept"` // both ends, the product
	// Replugged ones keep one end; the other is plugged in elsewhere.
	Replugged int `json:"replugged"`
	// Relaid ones keep both ends, but a box at them moves, so that they are out meanwhile.
	Relaid int `json:"relaid"`
	// Exchanged ones give way to another product between the same ports.
	Exchanged int `json:"exchanged"`
	Added     int `json:"added"`   // in the new plan only
	Removed   int `json:"removed"` // in the old plan only
}

// PortCount counts ports of boxes that both plans have, patch panels left out.
type PortCount struct {
	TakenUp int `json:"taken_up"` // free in the old plan, in use in the new: ports that were bought ahead
	GivenUp int `json:"given_up"` // in use in the old plan, free in the new
}

// Patching counts what changes at the patch panels of a rack.
type Patching struct {
	Rack   string `json:"rack"`   // its name
	Panels int    `json:"panels"` // at which something changes
	Out    int    `json:"out"`    // ends of cords and trunks that are pulled out
	In     int    `json:"in"`     // ends that are plugged in
}

// BoxChange is a box or panel that is not kept.
type BoxChange struct {
	Box    string `json:"box"`    // its name, in the new plan if it is there
	Kind   string `json:"kind"`   // as in the topology, or `panel`
	Change Fate   `json:"change"` // `moved`, `replaced`, `added` or `removed`
	// What a plan does not have is left out.
	OldPart string `json:"old_part,omitempty"` // its part in the old plan
	Part    string `json:"part,omitempty"`     // its part in the new plan
	From    string `json:"from,omitempty"`     // its place in the old plan
	To      string `json:"to,omitempty"`       // its place in the new plan
}

// PartCount is a line of two bills, spares included.
type PartCount struct {
	Item catalog.Item `json:"part"` // the id of the part, with the length for a cable
	// Kind is `node`, `switch`, `adapter`, `cable`, `optic`, `panel`, `rack` or `tray`.
	Kind        catalog.Kind `json:"kind"`
	Description string       `json:"description,omitempty"` // as the catalog has it
	Old         int64        `json:"old"`                   // pieces in the old plan
	New         int64        `json:"new"`                   // pieces in the new plan
	Buy         int64        `json:"buy"`                   // what the new plan has more
	Free        int64        `json:"free"`                  // what it has less
	UnitCost    *units.Money `json:"unit_cost"`             // of the new bill; null without a price
	Cost        *units.Money `json:"cost"`                  // of what there is to buy; null without a price
}

// LabourCost is work on cables.
type LabourCost struct {
	Task     string       `json:"task"`      // the line of the bill with the price: install-in-row
	Moves    int64        `json:"moves"`     // cables
	UnitCost *units.Money `json:"unit_cost"` // of installing a cable; null without a price
	Cost     *units.Money `json:"cost"`      // of all of them; null without a price
}

// StepList is a step: what it disconnects may be disconnected in any order, then boxes are moved, then what it brings
// goes in.
type StepList struct {
	Step  int      `json:"step"`       // from 1
	Away  []string `json:"take_away"`  // boxes that leave their places, with these
	Stand []string `json:"stand"`      // boxes that are put in place, with their places
	Out   []Move   `json:"pull_out"`   // cables of the old plan
	In    []Move   `json:"plug_in"`    // cables of the new plan
	Paths int      `json:"paths"`      // that are kept between any two boxes
	Share float64  `json:"up_percent"` // the least share of links that stay up, as the option counts them
	Cut   []string `json:"cut"`        // boxes without a path during the step

	away, stand []string // names alone
}

// Move is a cable that is pulled out or plugged in.
type Move struct {
	Cable   string `json:"cable"`            // its id in the plan that has it so
	Product string `json:"product"`          // left empty where none fits
	A       string `json:"a_label"`          // one end
	B       string `json:"b_label"`          // the other end
	Change  string `json:"change,omitempty"` // `re-plugged`, `relaid` or `exchanged`
	Other   string `json:"other,omitempty"`  // then the id of the cable in the other plan
}

// wordOf words what becomes of cables that both plans have.
var wordOf = map[fate]string{replugged: "re-plugged", relaid: "relaid", exchanged: "exchanged"}

// Interrupt is a box that has no path for a time.
type Interrupt struct {
	Box    string `json:"box"`              // its name
	Fabric string `json:"fabric,omitempty"` // on which it has no path, of a machine that has several
	First  int    `json:"first_step"`       // in which it has none
	Last   int    `json:"last_step"`        // at whose end it has its paths again
}

// Document sums the difference up.
func (d *Difference) Document() *Document {
	doc := &Document{
		Version: machine.Version, Old: d.Old.Spec.Name, New: d.New.Spec.Name, RewiredLinks: d.rewired(),
		Ports:  d.ports(),
		Panels: d.patching(), Layers: d.Layers,
		Currency: d.New.Bill.Currency, Interrupts: d.interrupts(), Faults: d.Faults,
	}
	doc.MovedLinks, doc.LeastMoved = d.countMoved()
	for v := range d.Boxes {
		doc.box(&d.Boxes[v])
	}
	for side, of := range d.pairs.of {
		for _, f := range of {
			doc.Cables.count(side, f)
		}
	}
	for i := range d.Parts {
		p := &d.Parts[i]
		if p.Old == p.New {
			continue
		}
		c := PartCount{
			Item: p.Item, Kind: p.Kind, Description: p.Description, Old: p.Old, New: p.New, Buy: p.Buy(),
			Free:     p.Free(),
			UnitCost: p.UnitCost,
		}
		if p.UnitCost != nil {
			cost := *p.UnitCost * units.Money(c.Buy)
			c.Cost = &cost
			doc.BuyCost += cost
		}
		doc.Parts = append(doc.Parts, c)
	}
	for _, l := range d.labour() {
		c := LabourCost{Task: l.Task, Moves: l.Moves, UnitCost: l.UnitCost}
		if l.UnitCost != nil {
			cost := *l.UnitCost * units.Money(l.Moves)
			c.Cost = &cost
			doc.LabourCost += cost
		}
		doc.Labour = append(doc.Labour, c)
	}
	for i := range d.Steps {
		doc.Steps = append(doc.Steps, d.stepList(i))
	}
	doc.lines(d)
	doc.Work = d.order()
	if moves := doc.Moves(); moves != "" {
		doc.Work.Moved = "Moved: " + moves
	}
	return doc
}

// box counts a box, and lists it if it is not kept.
func (doc *Document) box(b *Box) {
	if !b.panel {
		counts := [...]*int{
			&doc.Boxes.Kept, &doc.Boxes.Moved, &doc.Boxes.Replaced, &doc.Boxes.Added,
			&doc.Boxes.Removed,
		}
		*counts[b.Fate]++
	}
	if b.Fate == Kept {
		return
	}
	c := BoxChange{Box: b.Name, Kind: b.Kind, Change: b.Fate, OldPart: b.OldPart, Part: b.Part}
	if b.From != nil {
		c.From = b.From.String()
	}
	if b.To != nil {
		c.To = b.To.String()
	}
	doc.BoxChanges = append(doc.BoxChanges, c)
}

// count counts a cable of the old plan, side 0, or the new. What is in both counts in the new one.
func (c *CableCount) count(side int, f fate) {
	switch {
	case f == goes && side == 0:
		c.Removed++
	case side == 0:
	case f == goes:
		c.Added++
	case f == stays:
		c.Kept++
	case f == relaid:
		c.Relaid++
	case f == exchanged:
		c.Exchanged++
	case f == replugged:
		c.Replugged++
	}
}

// Elsewhere is how many are in both plans, and have another end, product or place of a box at them.
func (c *CableCount) Elsewhere() int {
	return c.Replugged + c.Relaid + c.Exchanged
}

// rewired counts the links between boxes of both plans that the new one does not have.
func (d *Difference) rewired() int64 {
	count := map[[2]int32]int64{}
	for side, inv := range d.inv {
		for i := range inv.channels {
			ch := &inv.channels[i]
			if a, b := &d.Boxes[ch.a], &d.Boxes[ch.b]; a.From != nil && a.To != nil && b.From != nil && b.To != nil {
				count[[2]int32{min(ch.a, ch.b), max(ch.a, ch.b)}] += int64(1 - 2*side)
			}
		}
	}
	n := int64(0)
	for _, more := range count {
		n += max(more, 0)
	}
	return n
}

// Moves says how many links of the old plan move, and a lower bound on that; "" where none does.
func (doc *Document) Moves() string {
	if doc.MovedLinks == 0 {
		return ""
	}
	links := english.Count(doc.MovedLinks, "link") + " of the old plan"
	if doc.MovedLinks == doc.LeastMoved {
		return links + ", the fewest possible for this topology"
	}
	if doc.LeastMoved == 0 {
		return links + "; no lower bound for this topology is known"
	}
	return fmt.Sprintf("%s; a lower bound for this topology is %s", links, english.Grouped(doc.LeastMoved))
}

// countMoved counts the links of the old plan that the new one does not have between the same boxes, and returns a
// lower bound on that for all positions that boxes can take among those of their kind.
func (d *Difference) countMoved() (moved, least int64) {
	kinds := newNames()
	var of [2][]int32
	var position []int32
	for v := range d.Boxes {
		b, kind := &d.Boxes[v], kinds.of(d.Boxes[v].Kind)
		at, was, is := int32(v), kind, kind
		if b.From == nil {
			was, at = -1, -1
		}
		if b.To == nil {
			is, at = -1, -1
		}
		of[0], of[1], position = append(of[0], was), append(of[1], is), append(position, at)
	}
	var links [2][][2]int32
	for side, inv := range d.inv {
		for i := range inv.channels {
			links[side] = append(links[side], [2]int32{inv.channels[i].a, inv.channels[i].b})
		}
	}
	g := growth.New(of[0], of[1], links[0], links[1])
	if moved = g.Moves(position); moved > 0 {
		least = g.Least()
	}
	return moved, least
}

// ports counts the ports of boxes of both plans that one of them uses.
func (d *Difference) ports() PortCount {
	used := [2]map[end]bool{{}, {}}
	for side, inv := range d.inv {
		for i := range inv.channels {
			for _, e := range inv.channels[i].ports {
				if b := &d.Boxes[e.box()]; b.From != nil && b.To != nil {
					used[side][e] = true
				}
			}
		}
	}
	only := func(a, b map[end]bool) (n int) {
		for e := range a {
			if !b[e] {
				n++
			}
		}
		return n
	}
	return PortCount{TakenUp: only(used[1], used[0]), GivenUp: only(used[0], used[1])}
}

// patching counts what changes at patch panels, by rack.
func (d *Difference) patching() []Patching {
	racks := map[string]*Patching{}
	seen := map[int32]bool{}
	for side, inv := range d.inv {
		for c := range inv.cables {
			if d.pairs.of[side][c] == stays {
				continue
			}
			for _, plug := range inv.cables[c].plugs {
				v := inv.box[plug.v]
				b := &d.Boxes[v]
				if !b.panel {
					continue
				}
				rack := cmp.Or(b.To, b.From).Container
				if racks[rack] == nil {
					racks[rack] = &Patching{Rack: rack}
				}
				if !seen[v] {
					seen[v] = true
					racks[rack].Panels++
				}
				if side == 0 {
					racks[rack].Out++
				} else {
					racks[rack].In++
				}
			}
		}
	}
	var out []Patching
	for _, rack := range slices.Sorted(maps.Keys(racks)) {
		out = append(out, *racks[rack])
	}
	return out
}

// interrupts lists who is cut off from which step to which.
func (d *Difference) interrupts() []Interrupt {
	var out []Interrupt
	open := map[Cut]int{}
	for i := range d.Steps {
		for _, c := range d.Steps[i].Cut {
			if at, ok := open[c]; ok && out[at].Last == i {
				out[at].Last = i + 1
				continue
			}
			open[c] = len(out)
			out = append(out, Interrupt{Box: d.Boxes[c.Box].Name, Fabric: c.Network, First: i + 1, Last: i + 1})
		}
	}
	return out
}

// stepList words a step.
func (d *Difference) stepList(i int) StepList {
	st := &d.Steps[i]
	out := StepList{Step: i + 1, Paths: st.Paths, Share: math.Floor(st.Capacity*1e6) / 1e6}
	for _, v := range st.Away {
		out.Away = append(out.Away, d.Boxes[v].Name+" from "+d.Boxes[v].From.String())
		out.away = append(out.away, d.Boxes[v].Name)
	}
	for _, v := range st.Stand {
		out.Stand = append(out.Stand, d.Boxes[v].Name+" at "+d.Boxes[v].To.String())
		out.stand = append(out.stand, d.Boxes[v].Name)
	}
	for _, c := range st.Out {
		out.Out = append(out.Out, d.move(0, c))
	}
	for _, c := range st.In {
		out.In = append(out.In, d.move(1, c))
	}
	for _, c := range st.Cut {
		out.Cut = append(out.Cut, d.Boxes[c.Box].Name)
	}
	return out
}

// move words a cable that is pulled out of the old plan or plugged in by the new.
func (d *Difference) move(side int, c int32) Move {
	inv := d.inv[side]
	k := &inv.cables[c]
	m := Move{
		Cable: inv.s.CableID(int64(c) + 1), Product: d.products.text[k.item],
		A: inv.label(k.plugs[0]), B: inv.label(k.plugs[1]),
		Change: wordOf[d.pairs.of[side][c]],
	}
	if o := d.pairs.other[side][c]; o >= 0 {
		m.Other = d.inv[1-side].s.CableID(int64(o) + 1)
	}
	return m
}
