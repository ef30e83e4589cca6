package machine

import (
	"slices"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine/spec"
)

// Unchecked says of design rules that had nothing to check why: what neither the machine file nor a part states. The
// keys are the ids of the rules. Rules that look at something are not in it, even if they lack figures of some boxes.
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
