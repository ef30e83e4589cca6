package machine_test

import (
	"strings"
	"testing"
)

// Cables several times as long as the floor is wide and deep together are noted, whatever makes them so long; those
// that go on beyond the room are not.
func TestImplausiblyLongCablesAreNoted(t *testing.T) {
	const text = `
boxes:
  - {name: pc, count: 4, part: host}
  - {name: carrier, count: 1, part: host, MORE}
fabrics:
  - name: lan
    topology: {family: access, nodes: 5, down: 48}
    ends: [{boxes: pc}, {boxes: carrier}]
    switches: {switch: {part: nvidia-sn4600c}}
parts:
  - {id: host, kind: node, units: 1, width: 0.44, depth: 0.3, ports: [{count: 1, connector: qsfp28, rate: 100G}]}
`
	const slack = "cabling: {slack: {fixed: 400 m, in_rack: 400 m}}\n"
	for _, c := range []struct {
		more, cabling string
		noted         bool
	}{
		{"per_rack: 1", "", false},
		{"per_rack: 1", slack, true},
		{"beyond: 900 m", "", false},
		{"beyond: 100 m", slack, true},
	} {
		noted := false
		r := planText(t, strings.Replace(text, "MORE", c.more, 1)+c.cabling)
		for _, n := range r.Notes {
			noted = noted || strings.Contains(n, "the longest cable of lan/terminal is") && strings.Contains(n, "times")
		}
		if noted != c.noted {
			t.Errorf("%s %s: %q", c.more, c.cabling, r.Notes)
		}
	}
}
