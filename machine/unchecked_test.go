package machine_test

import (
	"fmt"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
)

// TestUncheckedRules: a rule has nothing to check until the machine file states what it is about.
func TestUncheckedRules(t *testing.T) {
	const text = `
topology: {family: leaf-spine, nodes: 12, down: 8, up: 4, spines: 2}
room: {rows: 2, racks_per_row: 4, rack: own%s}
parts: [{id: own, kind: rack, units: 42, width: 600 mm, depth: 1200 mm, height: 2 m, rack: {%s}}]
%s
`
	plain := planDrawn(t, fmt.Sprintf(text, "", "", "")).Unchecked()
	two := ", feeds: [{name: A, racks: [A]}, {name: B, racks: [B]}]"
	for _, c := range []struct{ room, rack, more, rule string }{
		{two, "", "", "tier-loss"},
		{", row_power: 1 MW", "", "", "row-power"},
		{", feeds: [{name: A, row_power: 1 MW}]", "", "", "row-power"},
		{", row_weight: 9 t", "", "", "row-weight"},
		{", floor_load: 2000 kg/m2", "", "", "floor-load"},
		{", row_air: 1 MW", "", "", "cooling"},
		{"", "power: 40 kW", "", "rack-power"},
		{"", "weight: 900 kg", "", "rack-weight"},
		{"", "busbar: {amperes: 500, volts: 50}", "", "rack-busbar"},
		{"", "openings: [{at: top, width: 500 mm, depth: 100 mm}]", "", "entry"},
		{"", "", "cabling: {structured: {}}", "polarity"},
		{"", "", "cabling: {structured: {}}", "strands"},
		{"", "", "cabling: {structured: {}}", "mated-pairs"},
	} {
		if plain[c.rule] == "" {
			t.Errorf("%s: checks something of a machine that states nothing", c.rule)
		}
		stated := planDrawn(t, fmt.Sprintf(text, c.room, c.rack, c.more)).Unchecked()
		if why, ok := stated[c.rule]; ok {
			t.Errorf("%s: %s, with %s %s %s", c.rule, why, c.room, c.rack, c.more)
		}
	}
	for _, r := range []cabling.Rule{cabling.RuleReach, cabling.RulePorts, cabling.RuleUnits, cabling.RulePrice} {
		if why, ok := plain[r.ID]; ok {
			t.Errorf("%s: %s", r.ID, why)
		}
	}
}
