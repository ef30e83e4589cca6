package machine_test

import (
	"context"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

// A mistake stands at what can be mended, once, and with the path once.
func TestMistakesStandAtWhatCanBeMended(t *testing.T) {
	const head = "topology: {family: fat-tree, nodes: 32, radix: 16}\n"
	const x = "  - {id: x, kind: switch, units: 1, width: 0.4, depth: 0.5, power: 1 W, hop: 1 ns, " +
		"ports: [{count: 32, connector: osfp, rate: 400G}]}\n"
	const rack = "  - {id: r, kind: rack, units: 42, width: 0.6, depth: 1.2, rack: {power: 12}}\n"
	const cable = "  - {id: y, kind: cable, cable: {medium: active-copper, connector: osfp, rate: 400G, lengths: 1}}\n"
	for name, test := range map[string]struct{ text, want string }{
		"the power of a rack of the file": {
			head + "room: {rack: r}\nparts:\n" + rack,
			"m.yaml:4:74: parts[0].rack.power: leaf: a box of 650 W is more than the 12 W of a rack\n" +
				"    4 | " + rack +
				"      |                                                                          ^^",
		},
		"an id that comes twice": {
			head + "parts:\n" + x + x,
			"m.yaml:4:10: parts[1].id: parts[0] has the id \"x\" already\n" +
				"    4 |   - {id: x, kind: switch, units: 1, width: 0.4, depth: 0.5, power: 1 W, hop: 1 ns, " +
				"ports: [{count: 32, connector: osfp, \n" +
				"      |          ^",
		},
		"a figure of a part": {
			head + "parts:\n" + cable,
			"m.yaml:3:26: parts[0].cable.propagation: must be stated and greater than 0\n" +
				"    3 | " + cable +
				"      |                          ^^^^^",
		},
	} {
		s, err := machine.Parse("m.yaml", []byte(test.text))
		if err == nil {
			_, err = machine.Plan(context.Background(), s)
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("%s:\n%v\nwant\n%s", name, err, test.want)
		}
	}
}
