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

// TestPartlyCheckedRules: a rule that lacks figures of some parts says which, until they are stated or it is broken.
func TestPartlyCheckedRules(t *testing.T) {
	const text = `
topology: {family: leaf-spine, nodes: 12, down: 8, up: 4, spines: 2}
room: {rows: 2, racks_per_row: 4, rack: own, floor_load: %s}
packaging: {node: {part: box}, switch: {part: sw}}
parts:
  - {id: own, kind: rack, units: 42, width: 600 mm, depth: 1200 mm, height: 2 m, weight: 100 kg,
     rack: {power: 40 kW, weight: 900 kg}}
  - {id: box, kind: node, units: 1%s, ports: [{count: 1, connector: qsfp112, rate: 400G}]}
  - {id: sw, kind: switch, units: 1, power: 1 kW, weight: 10 kg,
     ports: [{count: 64, connector: qsfp112, rate: 400G}]}
%s
`
	for _, c := range []struct{ load, box, more, rule, want string }{
		{"2000 kg/m2", "", "", "rack-weight", "12 of box state no weight, so that weights are lower bounds"},
		{"2000 kg/m2", "", "", "floor-load", "12 of box state no weight, so that weights are lower bounds"},
		{"1 kg/m2", "", "", "floor-load", ""}, // broken all the same
		{"2000 kg/m2", ", weight: 9 kg", "", "rack-weight", ""},
		{"2000 kg/m2", "", "", "rack-power", "12 of box state no power, so that loads are lower bounds"},
		{"2000 kg/m2", ", power: 500 W", "", "rack-power", ""},
		{"2000 kg/m2", "", "", "row-power", ""}, // nothing to check
		{"2000 kg/m2", "", "", "price", ""},     // broken
		{
			"2000 kg/m2", "", "prices: {unit: {sw: 99, own: 9}}", "price",
			"12 of box have no price, which boxes of these kinds need not have",
		},
		{
			"2000 kg/m2", "", "prices: {unit: {box: 9, sw: 99, own: 9}}", "price", "",
		},
		{"2000 kg/m2", "", "", "reach", ""},
	} {
		r := planDrawn(t, fmt.Sprintf(text, c.load, c.box, c.more))
		if got := r.PartlyChecked()[c.rule]; got != c.want {
			t.Errorf("%s with %+v: %q, want %q", c.rule, c, got, c.want)
		}
	}
}
