package machine_test

import (
	"strings"
	"testing"
)

// Cables several times as long as the floor is wide and deep together are noted, regardless of what makes them so long;
// those that go on beyond the room are not.
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

// A note names every rack part that states no limit, whether it is of the catalog or of the machine file, and what no
// rule checks for it.
func TestRacksWithoutLimitsAreNoted(t *testing.T) {
	const part = "parts: [{id: own, kind: rack, units: 42, width: 0.6 m, depth: 1.2 m, height: 2 m, rack: {LIMITS}}]\n"
	const nested = "containers: [{name: cabinet, is: rack, part: PART, count: [1, 1, 2], gap: 0.1 m}, " +
		"{name: shelf, count: [2, 2, 1], pitch: 0.3 m}]"
	for _, c := range []struct {
		what, room, limits string
		power, weight      string // the parts that are noted
	}{
		{"the catalog's", "", "", "rack-42u", ""},
		{"the catalog's with power", "rack: nvidia-gb200-nvl72-rack", "", "", ""},
		{"one of the file", "rack: own", "power: 20 kW, weight: 900 kg", "", ""},
		{"without weight", "rack: own", "power: 20 kW", "", "own"},
		{"without either", "rack: own", "base: 0.1 m", "own", "own"},
		{
			"some with power", "rack_types: [{name: strong, part: rack-42u, power: 20 kW}], " +
				"rows: [{racks: 4, types: [{positions: 1-4, type: strong}]}]", "", "", "",
		},
		{
			"some without", "rack_types: [{name: strong, part: rack-48u, power: 20 kW}], " +
				"rows: [{racks: 4, types: [{positions: 1, type: strong}]}]", "", "rack-42u", "",
		},
		{"nested", strings.Replace(nested, "PART", "rack-42u", 1), "", "rack-42u", ""},
		{"nested, of the file", strings.Replace(nested, "PART", "own", 1), "power: 20 kW", "", "own"},
		{"nested, with limits", strings.Replace(nested, "PART", "own", 1), "power: 20 kW, weight: 1 t", "", ""},
		{"nested, no part", strings.Replace(nested, "PART", "none", 1), "", "", ""},
	} {
		text := "topology: {family: torus, dims: [8]}\n"
		if !strings.HasPrefix(c.room, "containers") {
			text += "packaging: {node: {per_rack: 2}}\n"
		}
		if c.room != "" {
			text += "room: {" + c.room + "}\n"
		}
		if c.limits != "" {
			text += strings.Replace(part, "LIMITS", c.limits, 1)
		}
		noted := func(rule string) (part string) {
			for _, n := range planText(t, text).Notes {
				if strings.Contains(n, "states no limit of ") && strings.Contains(n, rule) {
					part, _, _ = strings.Cut(n, " ")
				}
			}
			return part
		}
		if got := noted("rack-power"); got != c.power {
			t.Errorf("%s: power of %q, want %q", c.what, got, c.power)
		}
		if got := noted("rack-weight"); got != c.weight {
			t.Errorf("%s: weight of %q, want %q", c.what, got, c.weight)
		}
	}
}
