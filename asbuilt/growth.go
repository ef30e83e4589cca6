package asbuilt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/csvtable"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Growth is what `plenum diff --json` prints of more than two plans: a machine that grows from stage to stage.
type Growth struct {
	Version  string  `json:"version"`  // that of the program that compared the plans
	Currency string  `json:"currency"` // the ISO 4217 code for all money: that of every plan
	Stages   []Stage `json:"stages"`   // each from one plan to the next
	// PortsAhead is how many ports of the first plan are free there and taken up in some later plan.
	PortsAhead int64       `json:"ports_ahead"`
	BuyCost    units.Money `json:"buy_cost"`    // of all stages, parts without a price left out
	LabourCost units.Money `json:"labour_cost"` // of all stages, work without a price left out
}

// Stage is the way from one plan to the next. The figures are those by which Zhang, Niranjan Mysore, Supittayapornpong
// and Govindan compare how topologies grow ("Understanding Lifecycle Management Complexity of Datacenter Topologies",
// NSDI 2019, section 5): steps, and links rewired at a rack of patch panels in each.
type Stage struct {
	Stage int `json:"stage"` // from 1
	// RewireSteps is how many of the steps pull cables out.
	RewireSteps int `json:"rewire_steps"`
	PanelRacks  int `json:"panel_racks"` // racks with patch panels at which something changes
	Panels      int `json:"panels"`      // panels at which something changes
	// PanelMoves is how many ends of cords and trunks are pulled out of a rack of patch panels or plugged into it, on
	// the average of racks that are touched and steps that pull cables out; null where there are none.
	PanelMoves *float64 `json:"panel_moves_per_rack_step"`
	// PortsAhead is how many ports of the new plan are free there and taken up in some later plan: bought ahead.
	PortsAhead int64 `json:"ports_ahead"`
	// Reused is how much of what there is to buy has become free in stages before, piece by piece.
	Reused []Reuse `json:"reused"`
	// BuyCost is of what there is to buy, less what is reused; parts without a price are left out.
	BuyCost units.Money `json:"buy_cost"`
	Diff    *Document   `json:"diff"` // all that changes, and the steps
}

// Reuse is pieces that one stage gives and another takes.
type Reuse struct {
	Item     catalog.Item `json:"part"`     // the id of the part, with the length for a cable
	Quantity int64        `json:"quantity"` // pieces
}

// A CurrencyError refuses to add up stages whose bills are in different currencies.
type CurrencyError struct{ First, Currency, Other, OtherCurrency string }

// Error names both machines.
func (e *CurrencyError) Error() string {
	return fmt.Sprintf("the bill of %s is in %s, that of %s in %s: stages cannot be added up; give both one "+
		"prices.currency", e.First, e.Currency, e.Other, e.OtherCurrency)
}

// Grow compares plans one after the other, each with the next. It refuses an empty list.
func Grow(ctx context.Context, plans []*machine.Result, opt Options) (*Growth, error) {
	if len(plans) == 0 {
		return nil, errors.New("a growth needs the plan of a stage at least")
	}
	g := &Growth{Version: machine.Version, Currency: plans[0].Bill.Currency}
	life := &lifetime{}
	free := map[catalog.Item]int64{}
	for i := range plans[1:] {
		if c := plans[i+1].Bill.Currency; c != g.Currency {
			return nil, &CurrencyError{plans[0].Spec.Name, g.Currency, plans[i+1].Spec.Name, c}
		}
		d, err := Compare(ctx, plans[i], plans[i+1], opt)
		if err != nil {
			return nil, fmt.Errorf("stage %d: %w", i+1, err)
		}
		life.add(d.transition)
		st := Stage{Stage: i + 1, Diff: d.Document()}
		st.sum(free)
		g.BuyCost += st.BuyCost
		g.LabourCost += st.Diff.LabourCost
		g.Stages = append(g.Stages, st)
	}
	ahead := life.ahead()
	g.PortsAhead = ahead[0]
	for i := range g.Stages {
		g.Stages[i].PortsAhead = ahead[i+1]
	}
	return g, nil
}

// sum adds up a stage. Free is what stages before have left over, and what this one leaves.
func (st *Stage) sum(free map[catalog.Item]int64) {
	doc := st.Diff
	for i := range doc.Steps {
		if len(doc.Steps[i].Out) > 0 {
			st.RewireSteps++
		}
	}
	moves := 0
	for _, p := range doc.Panels {
		st.PanelRacks++
		st.Panels += p.Panels
		moves += p.Out + p.In
	}
	if n := st.PanelRacks * st.RewireSteps; n > 0 {
		mean := math.Round(float64(moves)/float64(n)*1e4) / 1e4
		st.PanelMoves = &mean
	}
	for i := range doc.Parts {
		p := &doc.Parts[i]
		n := min(p.Buy, free[p.Item])
		if n > 0 {
			st.Reused = append(st.Reused, Reuse{p.Item, n})
		}
		if p.UnitCost != nil {
			st.BuyCost += *p.UnitCost * units.Money(p.Buy-n)
		}
		free[p.Item] += p.Free - n
	}
}

// lifetime follows boxes through stages, and the ports that each plan uses.
type lifetime struct {
	boxes int32            // that were seen in any plan
	last  []int32          // of each vertex of the last plan, the box that it is
	there []map[int32]bool // of each plan
	used  []map[lifePort]bool
}

// lifePort is a port of a box, by its name.
type lifePort struct {
	box  int32
	name string
}

// add adds the plan that a transition leads to, and the one before if it is the first.
func (l *lifetime) add(t *transition) {
	if l.last == nil {
		l.last = make([]int32, topology.Vertices(t.inv[0].plan.Graph))
		for v := range l.last {
			l.last[v] = l.boxes
			l.boxes++
		}
		l.plan(t.inv[0])
	}
	of := map[int32]int32{} // of the boxes of the transition
	for v, box := range l.last {
		if at := t.inv[0].box[v]; t.boxes[at].Fate != Replaced {
			of[at] = box
		}
	}
	l.last = make([]int32, topology.Vertices(t.inv[1].plan.Graph))
	for v := range l.last {
		box, ok := of[t.inv[1].box[v]]
		if !ok {
			box = l.boxes
			l.boxes++
		}
		l.last[v] = box
	}
	l.plan(t.inv[1])
}

// plan notes the boxes of the last plan and the ports that it uses.
func (l *lifetime) plan(inv *inventory) {
	there, used := map[int32]bool{}, map[lifePort]bool{}
	for _, box := range l.last {
		there[box] = true
	}
	for i := range inv.s.Segments {
		seg := &inv.s.Segments[i]
		for _, e := range [2]struct {
			v    int32
			port uint16
		}{{seg.A, seg.PortA}, {seg.B, seg.PortB}} {
			if inv.s.Panel(e.v) < 0 {
				used[lifePort{l.last[e.v], inv.s.PortName(e.v, e.port)}] = true
			}
		}
	}
	l.there, l.used = append(l.there, there), append(l.used, used)
}

// ahead counts for each plan the ports of its boxes that it leaves free and that a later plan takes up.
func (l *lifetime) ahead() []int64 {
	out := make([]int64, len(l.used))
	later := map[lifePort]bool{}
	for i := len(l.used) - 1; i >= 0; i-- {
		for p := range later {
			if l.there[i][p.box] && !l.used[i][p] {
				out[i]++
			}
		}
		for p := range l.used[i] {
			later[p] = true
		}
	}
	return out
}

// WriteCSV writes a line for every stage, as comma-separated values.
func (g *Growth) WriteCSV(ctx context.Context, w io.Writer) error {
	out := csvtable.NewWriter(ctx, w, []string{
		"stage", "old", "new", "boxes_added", "boxes_moved", "boxes_replaced", "boxes_removed", "cables_kept",
		"cables_replugged", "cables_relaid", "cables_exchanged", "cables_added", "cables_removed", "rewired_links",
		"ports_taken_up", "ports_given_up", "ports_ahead", "panel_racks", "panels", "panel_moves_per_rack_step",
		"steps",
		"rewire_steps", "boxes_interrupted", "buy_cost", "labour_cost", "currency",
		"power_cords_added", "power_cords_removed", "power_cords_elsewhere", "hoses_added", "hoses_removed",
		"hoses_elsewhere",
	})
	for i := range g.Stages {
		st := &g.Stages[i]
		d := st.Diff
		out.Int(int64(st.Stage))
		out.Texts(d.Old, d.New)
		for _, n := range []int{
			d.Boxes.Added, d.Boxes.Moved, d.Boxes.Replaced, d.Boxes.Removed, d.Cables.Kept, d.Cables.Replugged,
			d.Cables.Relaid, d.Cables.Exchanged, d.Cables.Added, d.Cables.Removed, int(d.RewiredLinks), d.Ports.TakenUp,
			d.Ports.GivenUp, int(st.PortsAhead), st.PanelRacks, st.Panels,
		} {
			out.Int(int64(n))
		}
		if st.PanelMoves != nil {
			out.Text(strconv.FormatFloat(*st.PanelMoves, 'f', -1, 64))
		} else {
			out.Empty(1)
		}
		for _, n := range []int{len(d.Steps), st.RewireSteps, d.Interrupted()} {
			out.Int(int64(n))
		}
		out.Texts(st.BuyCost.Decimal(), d.LabourCost.Decimal(), g.Currency)
		for _, c := range []*CableCount{d.PowerCords, d.Hoses} {
			if c == nil {
				c = &CableCount{}
			}
			for _, n := range []int{c.Added, c.Removed, c.Elsewhere()} {
				out.Int(int64(n))
			}
		}
		if err := out.End(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Interrupted counts the boxes that have no path on some fabric for a time.
func (doc *Document) Interrupted() int {
	boxes := map[string]bool{}
	for i := range doc.Interrupts {
		boxes[doc.Interrupts[i].Box] = true
	}
	return len(boxes)
}
