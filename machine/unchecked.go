package machine

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine/report"
	"github.com/plenum-planner/plenum/machine/spec"
)

// Unchecked says of design rules that had nothing to check why: what neither the machine file nor a part states. The
// keys are the ids of the rules. PartlyChecked has rules that look at something and lack figures of some parts.
func (p *Result) Unchecked() map[string]string {
	out := map[string]string{}
	lacks := func(why string, rules ...cabling.Rule) {
		for _, r := range rules {
			if p.Violations.Count(r) == 0 {
				out[r.ID] = why
			}
		}
	}
	room := &p.Spec.Room
	if p.Power == nil {
		lacks("no power schedule: it takes room.feeds, and boxes with outlets (supply)",
			cabling.RuleOutlets, cabling.RuleBreaker, cabling.RuleFeedLoss)
	}
	if len(room.Feeds) < 2 {
		lacks("room.feeds states fewer than two feeds", cabling.RuleTierLoss)
	}
	if room.RowPower == 0 && !slices.ContainsFunc(room.Feeds, func(f spec.Feed) bool { return f.RowPower > 0 }) {
		lacks("no row_power is stated, of the room or of a feed", cabling.RuleRowPower)
	}
	if room.RowWeight == 0 {
		lacks("room.row_weight is not stated", cabling.RuleRowWeight)
	}
	if room.FloorLoad == 0 {
		lacks("room.floor_load is not stated", cabling.RuleFloorLoad)
	}
	if p.Cooling == nil && room.RowAir == 0 {
		lacks("neither loops of coolant nor room.row_air are stated", cabling.RuleCooling)
	}
	if !slices.ContainsFunc(p.Spec.Racks, func(r spec.RackTemplate) bool { return r.Growth != nil }) {
		lacks("no template of racks states growth", cabling.RuleGrowth)
	}
	if len(room.Halls) < 2 {
		lacks("there is one hall", cabling.RuleCrossHall)
	}
	if p.Schedule.Patching == nil {
		lacks("no link runs over patch panels", cabling.RulePolarity, cabling.RuleMatedPairs, cabling.RuleStrands)
	}
	parts := slices.Clone(p.rackParts)
	for _, c := range room.Containers {
		parts = append(parts, p.Catalog.Part(c.Part))
	}
	stated := func(limit func(*catalog.RackSpec) bool) bool {
		return slices.ContainsFunc(parts, func(part *catalog.Part) bool {
			return part != nil && part.Rack != nil && limit(part.Rack)
		})
	}
	if !stated(func(r *catalog.RackSpec) bool { return r.Power > 0 }) {
		lacks("no rack part states the power that it takes", cabling.RulePower)
	}
	if !stated(func(r *catalog.RackSpec) bool { return r.Weight > 0 }) {
		lacks("no rack part states the weight that it bears", cabling.RuleWeight)
	}
	if !stated(func(r *catalog.RackSpec) bool { return r.Busbar != nil }) {
		lacks("no rack part states a busbar", cabling.RuleBusbar)
	}
	if !stated(func(r *catalog.RackSpec) bool { return len(r.Openings) > 0 }) {
		lacks("no rack part states openings or managers for cables", cabling.RuleEntry)
	}
	return out
}

// PartlyChecked says of design rules without a violation what they leave out: parts whose figures nobody states. The
// keys are the ids of the rules; none is in Unchecked as well.
func (p *Result) PartlyChecked() map[string]string {
	out, unchecked := map[string]string{}, p.Unchecked()
	lack := func(why string, rules ...cabling.Rule) {
		for _, r := range rules {
			if unchecked[r.ID] == "" && p.Violations.Count(r) == 0 {
				out[r.ID] = why
			}
		}
	}
	var exempt []report.Unstated
	for i := range p.Bill.Rows {
		r := &p.Bill.Rows[i]
		if !r.HasCost() && (r.Kind == catalog.KindNode || r.Kind == catalog.KindService) {
			exempt = report.AddUnstated(exempt, r.Item.Part, r.Qty)
		}
	}
	if len(exempt) > 0 {
		lack(fewMissing(exempt)+" have no price, which boxes of these kinds need not have", cabling.RulePrice)
	}
	if w := p.Unweighed(); len(w) > 0 {
		lack(fewMissing(w)+" state no weight, so that weights are lower bounds",
			cabling.RuleWeight, cabling.RuleRowWeight, cabling.RuleFloorLoad)
	}
	var powerless []report.Unstated
	for _, o := range p.Bill.PowerUnstated {
		powerless = report.AddUnstated(powerless, o.Part, o.Qty)
	}
	if len(powerless) > 0 {
		lack(fewMissing(powerless)+" state no power, so that loads are lower bounds", cabling.RulePower,
			cabling.RuleBusbar, cabling.RuleRowPower, cabling.RuleBreaker, cabling.RuleFeedLoss, cabling.RuleCooling)
	}
	if d := unstatedDiameters(p.Schedule); len(d) > 0 {
		lack(fewMissing(d)+" state no diameter, so that fills are lower bounds",
			cabling.RuleTrayFill, cabling.RuleGapFill, cabling.RuleEntry)
	}
	if k := p.Schedule.Patching; k != nil && k.Unstated {
		lack("a part of some link over panels states no attenuation, loss or budget", cabling.RuleLoss)
	}
	return out
}

// fewMissing names the parts of which there are most, and counts the others.
func fewMissing(list []report.Unstated) string {
	const most = 4
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(u, v report.Unstated) int { return cmp.Compare(v.Count, u.Count) })
	if len(list) <= most+1 {
		return report.Missing(list)
	}
	others := report.Unstated{Part: fmt.Sprintf("%d other parts", len(list)-most)}
	for _, u := range list[most:] {
		others.Count += u.Count
	}
	return report.Missing(append(list[:most:most], others))
}
