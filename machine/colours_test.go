package machine_test

import (
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
)

// TestRailColourMistakes: colours of rails are refused at the fabric that does not have them.
func TestRailColourMistakes(t *testing.T) {
	const fabrics = `
boxes: [{name: node, count: 4, part: node}]
fabrics:
  - name: compute
    topology: {family: leaf-spine, rails: 2, down: 4, up: 2, spines: 1}
    ends: [{boxes: node, ports: compute}]
    switches: {switch: {part: nvidia-sn5610}}
  - {name: oob, topology: {family: access, down: 48}, ends: [{boxes: node, ports: bmc}],
     switches: {leaf: {part: nvidia-sn2201}}}
parts:
  - {id: node, kind: node, units: 8, ports: [{name: compute, count: 2, connector: osfp, rate: 800G},
     {name: bmc, count: 1, connector: rj45, rate: 1G}]}
`
	const one = "\ntopology: {family: fat-tree, nodes: 8, radix: 8}\n"
	for rails, want := range map[string]string{
		"{computer: [red]}":                    `rails.computer: there is no fabric "computer"`,
		"{kompute: [red]}":                     `did you mean "compute"?`,
		"{oob: [red]}":                         `rails.oob: fabric "oob" has no rails`,
		"{compute: [red, '', blue]}":           `rails.compute[2]: fabric "compute" has only 2 rails`,
		"{compute: [red, 'b/w']}":              `rails.compute[1]: "b/w" has "/" in it`,
		"{compute: {red: blue}}":               "expected a list",
		"{'': [red]}":                          "a key is empty",
		"[red, ' blue']":                       `rails[1]: " blue" is not a colour`,
		"[" + strings.Repeat("red,", 65) + "]": "64",
	} {
		_, err := machine.Parse("x.yaml", []byte("cabling: {colours: {rails: "+rails+"}}"+fabrics))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "x.yaml:1:") {
			t.Errorf("%s: %v, want %s", rails, err, want)
		}
	}
	_, err := machine.Parse("x.yaml", []byte("cabling: {colours: {rails: {compute: [red]}}}"+one))
	if err == nil || !strings.Contains(err.Error(), "the machine has one topology and no fabrics") {
		t.Errorf("one topology: %v", err)
	}
	for _, text := range []string{"red" + "}}" + one, "[red, blue]}}" + fabrics, "{compute: ['', red]}}}" + fabrics} {
		if _, err := machine.Parse("x.yaml", []byte("cabling: {colours: {rails: "+text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
