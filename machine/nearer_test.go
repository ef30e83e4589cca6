package machine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

// Where only a splitter joins two kinds of ports, it is the distance that is in the way,
// and not the ports.
func TestASplitterTooShortIsNamed(t *testing.T) {
	const text = `
topology: {family: fat-tree, nodes: 8, radix: 16}
packaging:
  node: {part: n}
  leaf: {part: l, place: network-row}
  spine: {part: l, place: network-row}
room: {rows: 2, racks_per_row: 6}
parts:
  - {id: n, kind: node, units: 1, width: 0.4, depth: 0.5, hop: 1 ns, power: 1 W,
     ports: [{count: 1, connector: qsfp112, rate: 400G}]}
  - {id: l, kind: switch, units: 1, width: 0.4, depth: 0.5, hop: 1 ns, power: 1 W,
     ports: [{count: 64, per_cage: 2, connector: osfp, rate: 400G}]}
cabling: {media: [{use: MEDIUM}]}
`
	for medium, want := range map[string]string{
		"active-copper": "acc-800g-osfp-2x400g-qsfp112 carries several links between them, up to 5 m, and ",
		"multimode":     "", // no splitter is of it
	} {
		s, err := machine.Parse("m.yaml", []byte(strings.ReplaceAll(text, "MEDIUM", medium)))
		if err != nil {
			t.Fatal(err)
		}
		plan, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, v := range plan.Violations.List() {
			found = found || strings.Contains(v.Message, "carries several links") && strings.Contains(v.Message, want)
		}
		if found != (want != "") {
			t.Errorf("%s: %v", medium, plan.Violations.List())
		}
	}
}
