package catalog

import (
	"fmt"
	"strings"
	"testing"
)

// A cassette whose adapters cannot share the fibres of the plugs at its rear is refused with what would do.
func TestCassettesShareTheFibresOfTheirPlugs(t *testing.T) {
	for cassette, want := range map[string]string{
		"{rear: mpo12-apc, fronts: 6}":                       "",
		"{rear: mpo12-apc, fronts: 12, rears: 2}":            "",
		"{rear: mpo12-apc, fronts: 12, rears: 3, fibres: 8}": "",
		"{rear: mpo12-apc, fronts: 12}":                      "a cassette with 2 plugs at the rear has rears: 2",
		"{rear: mpo12-apc, fronts: 12, fibres: 8}":           "a cassette with 3 plugs at the rear has rears: 3",
		"{rear: mpo12-apc, fronts: 9, rears: 2}":             "fibres of several plugs cannot be planned",
		"{rear: mpo12-apc, fronts: 8, rears: 2}":             "4 adapters do not share 12 fibres of mpo12-apc in pairs",
		"{rear: mpo12-apc, fronts: 6, rears: 2}":             "use 12 adapters",
		"{rear: mpo12-apc, fronts: 6, rears: -1}":            "rears",
	} {
		file := ParseFile(fmt.Appendf(nil, `
parts:
  - {id: panel, kind: panel, units: 1, width: 440 mm, depth: 300 mm, source: s, confidence: estimate,
     panel: {connector: lc, fibre: single-mode, ports: 72, cassette: %s}}
`, cassette), "parts.yaml")
		var found []string
		for _, err := range Default().CheckFiles([]*File{file}) {
			found = append(found, err.Error())
		}
		all := strings.Join(found, "\n")
		if (want == "") != (all == "") || !strings.Contains(all, want) {
			t.Errorf("%s: %q, want %q", cassette, all, want)
		}
	}
}
