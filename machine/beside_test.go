package machine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine"
)

// uprights is a machine of one rack with PDUs that no fabric joins.
func uprights(supply, count, room string) string {
	return strings.NewReplacer("SUPPLY", supply, "COUNT", count, "ROOM", room).Replace(`
boxes: [{name: n, part: n}, {name: pdu, part: pdu, role: service}]
racks: [{name: r, part: my-rack, count: 1, ROOMholds: [{boxes: n, units: 1-4}, {switch: net, units: 9},
  {boxes: pdu, count: COUNT}]}]
fabrics: [{name: net, topology: {family: access}, ends: [{boxes: n}], switches: {leaf: {part: sw}}}]
room: {rows: 1, racks_per_row: 2, feeds: [{name: A, volts: 415 V}]}
parts:
- {id: n, kind: node, units: 1, power: 1500 W, inlets: {c20: 1}, ports: [{count: 1, connector: rj45, rate: 1G}]}
- {id: sw, kind: switch, units: 1, hop: 100, ports: [{count: 10, connector: rj45, rate: 1G}]}
- {id: pdu, kind: node, zero_u: true, width: 6 cm, depth: 8 cm, height: 1.8 m, supply: SUPPLY}
- {id: my-rack, kind: rack, units: 42, width: 75 cm, depth: 1.2 m, height: 2.1 m, rack: {power: 20 kW, weight: 1 t}}
`)
}

// TestUprightBoxes: PDUs need no ports; outlets of IEC 60320 are held against 250 V, by the feed where the part states
// less; phases that outlets leave uneven and more PDUs than fit side by side are noted.
func TestUprightBoxes(t *testing.T) {
	const three = "{phases: 3, outlets: [{type: c19, count: 6}]}"
	for _, c := range []struct{ supply, count, violation, note string }{
		{three, "2", "", ""},
		{three, "5", "", "the 5 in A0"},
		{"{outlets: [{type: c19, count: 6}]}", "1", "c19 are made for at most 250 V, and have 415 V", ""},
		{"{volts: 240 V, outlets: [{type: c19, count: 6}]}", "1", "", ""},
		{"{volts: 208 V, outlets: [{type: c19, count: 6}]}", "1", "c19 are made for at most 250 V", ""},
		{"{phases: 3, outlets: [{type: c19, count: 6, phase: 2}]}", "1", "", "on L1, L2 and L3"},
	} {
		r := planText(t, uprights(c.supply, c.count, ""))
		var said []string
		for _, v := range r.Violations.List() {
			if v.Rule == cabling.RuleOutlets.ID {
				said = append(said, v.Message)
			}
		}
		text := strings.Join(said, "\n")
		if (text != "") != (c.violation != "") || !strings.Contains(text, c.violation) {
			t.Errorf("%s: violations %q, want %q", c.supply, text, c.violation)
		}
		notes := strings.Join(r.Notes, "\n")
		for _, note := range []string{"the 5 in A0", "on L1, L2 and L3"} {
			if strings.Contains(notes, note) != (note == c.note) {
				t.Errorf("%s, %s PDUs: %q is expected %v in\n%s", c.supply, c.count, note, note == c.note, notes)
			}
		}
	}
	for _, c := range []struct{ text, want string }{
		{
			strings.Replace(uprights(three, "1", ""), "height: 1.8 m", "height: 4 m", 1),
			"pdu stands upright and is 4 m tall, a my-rack only 2.1 m",
		},
		{uprights("{volts: 415 V, outlets: [{type: c13}]}", "1", ""), "made for at most 250 V, and have 415 V"},
	} {
		if err := planError(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// planError is the error of a machine file, read or planned.
func planError(text string) error {
	spec, err := machine.Parse("machine.yaml", []byte(text))
	if err != nil {
		return err
	}
	_, err = machine.PlanWith(context.Background(), spec, machine.Options{Summary: true})
	return err
}
