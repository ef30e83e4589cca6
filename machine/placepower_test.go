package machine_test

import (
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/diag"
)

// hungry is a machine whose boxes fill the power of their racks to the watt: optics
// and the ends of active cables come on top.
const hungry = `
topology: {family: fat-tree, nodes: 64, radix: 16}
packaging: {node: {part: n, per_rack: 16}, leaf: {part: s, per_rack: 8}, spine: {part: s, per_rack: 8}}
room: {rack: r}
prices: {set: estimate-2025, unit: {r: 1000}}
embedding: {EMBEDDING}
parts:
  - {id: r, kind: rack, units: 42, width: 0.6, depth: 1.2, height: 2, rack: {power: 2 kW}}
  - {id: n, kind: node, units: 1, width: 0.44, depth: 0.8, power: 100 W,
     ports: [{count: 1, connector: qsfp112, rate: 400G}]}
  - {id: s, kind: switch, units: 1, width: 0.44, depth: 0.6, power: 400 W, hop: 100,
     ports: [{count: 16, connector: qsfp112, rate: 400G}]}
`

// What is plugged into the boxes of a rack counts when racks are filled, and when
// places are optimised.
func TestPluggedInPowerIsPlaced(t *testing.T) {
	for _, embedding := range []string{
		"", "strategy: pods", "strategy: random", "effort: quick", "effort: quick, objective: length",
		"effort: quick, strategy: random",
	} {
		r := planText(t, strings.Replace(hungry, "EMBEDDING", embedding, 1))
		if n := r.Violations.Errors(); n > 0 {
			t.Errorf("%q: %d errors: %+v", embedding, n, r.Violations.List())
		}
	}
}

// A row's busway feeds optics, too.
func TestPluggedInPowerOfRowsIsPlaced(t *testing.T) {
	text := strings.NewReplacer("EMBEDDING", "", "room: {",
		"room: {racks_per_row: 6, row_power: 3 kW, ").Replace(hungry)
	if r := planText(t, text); r.Violations.Errors() > 0 {
		t.Errorf("%+v", r.Violations.List())
	}
}

// Where a room has no positions for racks so much emptier, the plan breaks the rule
// and says why.
func TestPluggedInPowerThatCannotBePlaced(t *testing.T) {
	text := strings.NewReplacer("EMBEDDING", "", "room: {", "room: {rows: 1, racks_per_row: 9, ").Replace(hungry)
	r := planText(t, text)
	if r.Violations.Count(cabling.RulePower) == 0 {
		t.Skip("the rule is kept")
	}
	if notes := strings.Join(r.Notes, "|"); !strings.Contains(notes, "not every rack can be given what it draws") ||
		!strings.Contains(notes, "rack positions") {
		t.Errorf("notes %q", notes)
	}
}

// Optimising breaks no rule of severity error that the plan without it keeps.
func TestOptimisedPlacesKeepRules(t *testing.T) {
	for _, room := range []string{"rack: r", "rack: r, rows: 4, racks_per_row: 8", "rack: r, row_power: 5 kW"} {
		plan := func(embedding string) *cabling.Violations {
			r := planText(t, strings.NewReplacer("EMBEDDING", embedding, "rack: r}", room+"}").Replace(hungry))
			return &r.Violations
		}
		before := plan("")
		for _, effort := range []string{"effort: quick", "effort: quick, objective: delay"} {
			after := plan(effort)
			for _, rule := range cabling.Rules {
				if rule.Severity == diag.Error && before.Count(rule) == 0 && after.Count(rule) > 0 {
					t.Errorf("%s: %s breaks %s: %+v", room, effort, rule.ID, after.List())
				}
			}
		}
	}
}

// A violation tells by how much, with digits enough to differ.
func TestExcessIsTold(t *testing.T) {
	for power, want := range map[string]string{
		"6 kW": "12036 W including optics, the rack supplies 12 kW: 36 W too little",
		"5 kW": "10036 W including optics, the rack supplies 10 kW: 36 W too little",
		"7 W":  "50 W including optics, the rack supplies 14 W: 36 W too little",
	} {
		limit := strings.NewReplacer("6 kW", "12 kW", "5 kW", "10 kW", "7 W", "14 W").Replace(power)
		text := strings.NewReplacer("205 W", limit, "100 W", power).Replace(ring)
		r := planText(t, text+"cabling: {media: [{use: [active-optical]}]}\n")
		if found := r.Violations.List(); len(found) < 2 || found[1].Message != want {
			t.Errorf("%s: %+v, want %q", power, found, want)
		}
	}
}
