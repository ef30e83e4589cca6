package machine

import (
	"fmt"
	"strings"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/units"
)

// checkRules finds suppressions of rules that do not exist, and without a reason.
func (s *Spec) checkRules(report reporter) {
	ids := cabling.RuleIDs()
	for i, u := range s.Rules.Suppress {
		at := diag.Elem("rules.suppress", i)
		if u.Rule != "" && cabling.FindRule(u.Rule) == nil {
			report(at+".rule", "there is no rule %q\n%s", u.Rule, diag.Suggest(u.Rule, ids, "the rules are "))
		}
		if u.Rule != "" && strings.TrimSpace(u.Reason) == "" {
			report(at+".reason", "a suppression needs a reason\nsay why the breach is accepted")
		}
	}
}

// suppressions are what the machine file accepts.
func (s *Spec) suppressions() []cabling.Suppression {
	var out []cabling.Suppression
	for _, u := range s.Rules.Suppress {
		out = append(out, cabling.Suppression{Rule: u.Rule, Where: u.Where, Reason: u.Reason})
	}
	return out
}

// unusedSuppressions notes suppressions that suppress nothing. A summary does not
// ask whether rails share a tray.
func (p *Result) unusedSuppressions(summary bool) {
	for _, u := range p.Violations.Unused() {
		if summary && u.Rule == cabling.RuleRedundancy.ID {
			continue
		}
		where := ""
		if u.Where != "" {
			where = " at " + u.Where
		}
		p.Notes = append(p.Notes, fmt.Sprintf("nothing breaks the rule %s%s, which is suppressed", u.Rule, where))
	}
}

// loadRacks adds what is plugged in to the power of the racks and holds racks
// and rows against their limits.
func (p *Result) loadRacks(rack *catalog.Part) {
	room := p.Room()
	if room == nil {
		return
	}
	rowPower := make([]units.Power, len(room.Rows))
	rowWeight := make([]units.Mass, len(room.Rows))
	for i := range p.Placement.Racks {
		r := &p.Placement.Racks[i]
		r.Power += p.Schedule.RackPower[r.Place]
		row := room.Places[r.Place].Row
		rowPower[row] += r.Power
		rowWeight[row] += r.Weight
		if r.Used > room.Spec.Rack.Units {
			p.Violations.Add(cabling.RuleUnits, room.Name(int(r.Place)), "%d rack units in it, the rack has %d", r.Used, room.Spec.Rack.Units)
		}
		if rack.Rack == nil {
			continue
		}
		if rack.Rack.Power > 0 && r.Power > rack.Rack.Power {
			p.Violations.Add(cabling.RulePower, room.Name(int(r.Place)), "%v with what is plugged in, the rack supplies %v", r.Power, rack.Rack.Power)
		}
		if rack.Rack.Weight > 0 && r.Weight > rack.Rack.Weight {
			p.Violations.Add(cabling.RuleWeight, room.Name(int(r.Place)), "%v in it, the rack bears %v", r.Weight, rack.Rack.Weight)
		}
	}
	for i, row := range room.Rows {
		if s := &room.Spec; s.RowPower > 0 && rowPower[i] > s.RowPower {
			p.Violations.Add(cabling.RuleRowPower, "row "+row.Name, "%v with what is plugged in, the row supplies %v", rowPower[i], s.RowPower)
		}
		if s := &room.Spec; s.RowWeight > 0 && rowWeight[i] > s.RowWeight {
			p.Violations.Add(cabling.RuleRowWeight, "row "+row.Name, "%v of boxes, the row bears %v", rowWeight[i], s.RowWeight)
		}
	}
}
