package catalog

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Files with a mistake that each file has by itself, and some that only both
// together have.
const (
	auditOne = `parts:
  - {id: sw, kind: switch, source: s, confidence: estimate, units: 1,
     ports: [{count: 4, connector: qsfp112x, rate: 400G}, {count: 2, connector: qsfp112, rate: 800G}]}
  - {id: twice, kind: adapter, source: s, confidence: estimate, ports: [{count: 1, connector: qsfp112, rate: 400G}]}
  - id: long
    kind: cable
    confidence: estimate
    cable:
      medium: passive-copper
      connector: qsfp112
      rate: 400G
      lengths: [1, 4]
      reach: 3 m
      propagation: 4.5 ns/m
`
	auditTwo = `parts:
  - &a {id: fibre, kind: cable, source: s, confidence: estimate,
     cable: {medium: multimode, connector: mpo12, propagation: 5, lengths: [10, 400]}}
  - {id: twice, kind: adapter, source: s, confidence: estimate, ports: [{count: 1, connector: qsfp112, rate: 400G}]}
  - {id: split, kind: cable, source: s, confidence: estimate,
     cable: {medium: passive-copper, connector: qsfp112, rate: 100G, links: 3, legs: 2,
     far: {connector: sfp65, plugs: 2}, propagation: 4.5, lengths: [1]}}
  - {id: thirds, kind: cable, source: s, confidence: estimate,
     cable: {medium: passive-copper, connector: qsfp112, rate: 100G, links: 4, far: {connector: sfp56, plugs: 3},
     propagation: 4.5, lengths: [1]}}
  - {id: panel, kind: panel, source: s, confidence: estimate, units: 1,
     panel: {connector: sc, fibre: multimode, ports: 0, loss: -1}}
  - {id: dim, kind: optic, source: s, confidence: estimate,
     optic: {form: qsfp112, standard: sr4, fibre: multimode, plug: mpo12-apc, rate: 400G, reach: 2000 m, loss: 1 dB}}
price_sets:
  - name: mine
    currency: EUR
    date: "2026"
    source: s
    spread: {low: 2, high: 0.5, source: ""}
    prices:
      - {part: dac-400g-qsfp112, by_length: {0.5 m: 10, 1 m: 9, 7 m: 100}, confidence: user}
      - {part: nvidia-qm9700, by_length: {1 m: 9}, confidence: user}
      - {part: nvidia-qm8700, unit: {low: 3, likely: 2, high: 4}, confidence: user}
      - {part: dac-200g-qsfp56, unit: {low: -3, likely: 2, high: 4}, confidence: user}
`
)

func TestFilesAreAuditedWithPlaces(t *testing.T) {
	var files []*File
	for name, text := range map[string]string{"one.yaml": auditOne, "two.yaml": auditTwo} {
		files = append(files, ParseFile([]byte(text), name))
	}
	slices.SortFunc(files, func(a, b *File) int { return strings.Compare(a.Name, b.Name) })
	want := strings.Split(strings.TrimSpace(`
one.yaml:3:36: part "sw": ports[0].connector: no cable and no optic fits "qsfp112x" | did you mean "qsfp112"?
one.yaml:3:96: part "sw": ports[1].rate: no cable and no optic that fits "qsfp112" runs 1 x 800G
one.yaml:5:5: part "long": source: missing
one.yaml:12:7: part "long": cable.lengths: 4 m is beyond the reach of 3 m
two.yaml:3:67: part "fibre": cable.lengths: 400 m is beyond the 150 m that optics with mpo12 plugs reach
two.yaml:4:10: part "twice": id: used twice
two.yaml:6:86: part "split": cable.legs: a cable is a trunk or a splitter, not both
two.yaml:7:23: part "split": cable.far.connector: no port or optic takes "sfp65" | did you mean "sfp56"?
two.yaml:9:111: part "thirds": cable.far.plugs: 3 plugs do not share 4 links evenly
two.yaml:12:25: part "panel": panel.connector: no multimode cable ends in "sc" | did you mean "lc"?
two.yaml:12:54: part "panel": panel.ports: must be stated and greater than 0
two.yaml:12:63: parts[4].panel.loss: -1 is negative
two.yaml:14:98: part "dim": optic.reach: 2000 m of fibre-mm-mpo12-apc lose 6 dB, and the optic bears 1 dB
two.yaml:20:19: price set "mine": spread.low: must be between 0 and 1
two.yaml:20:28: price set "mine": spread.high: must be at least 1
two.yaml:20:41: price set "mine": spread.source: missing
two.yaml:22:34: price set "mine": prices[0].by_length: 1 m costs less than 0.5 m
two.yaml:22:34: price set "mine": prices[0].by_length: dac-400g-qsfp112 is not stocked in 7 m
two.yaml:22:34: price set "mine": prices[0].by_length: dac-400g-qsfp112 is stocked in 1.5 m, which has no price
two.yaml:22:34: price set "mine": prices[0].by_length: dac-400g-qsfp112 is stocked in 2 m, which has no price
two.yaml:22:34: price set "mine": prices[0].by_length: dac-400g-qsfp112 is stocked in 2.5 m, which has no price
two.yaml:22:34: price set "mine": prices[0].by_length: dac-400g-qsfp112 is stocked in 3 m, which has no price
two.yaml:23:31: price set "mine": prices[1].by_length: nvidia-qm9700 is not a cable
two.yaml:24:37: price set "mine": prices[2].unit: a range rises from low over likely to high
two.yaml:25:39: price set "mine": prices[3].unit: must not be negative or infinite
`), "\n")
	var got []string
	for _, d := range Default().CheckFiles(files) {
		first, _, _ := strings.Cut(d.Error(), "\n") // the line and the mark follow
		if d.Suggestion != "" {
			first += " | " + d.Suggestion
		}
		got = append(got, first)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A file without mistakes passes, even one that replaces parts.
func TestGoodFilesPass(t *testing.T) {
	files, err := data.ReadDir("data")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range files {
		text, err := data.ReadFile("data/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		if err := Default().CheckFiles([]*File{ParseFile(text, e.Name())}).Err(); err != nil {
			t.Error(err)
		}
	}
}

// Every cable has the figures that planning asks for, every active one its
// power, every fibre its attenuation.
func TestEmbeddedCablesAreComplete(t *testing.T) {
	for _, p := range Default().Parts() {
		c := p.Cable
		if c == nil {
			continue
		}
		if c.Diameter <= 0 || c.Bend <= 0 || p.Weight <= 0 || c.Propagation <= 0 {
			t.Errorf("%s: diameter %v, bend %v, weight %v, propagation %v", p.ID, c.Diameter, c.Bend, p.Weight,
				c.Propagation)
		}
		if (c.Medium == ActiveCopper || c.Medium == ActiveOptical) && (p.Power <= 0 || c.End <= 0) {
			t.Errorf("%s: power %v, end %v", p.ID, p.Power, c.End)
		}
		if c.Medium.Fibre() != (c.Attenuation > 0) {
			t.Errorf("%s: attenuation %v", p.ID, c.Attenuation)
		}
		// A circuit switch passes light on: no module is at that end.
		if c.Far != nil && p.Power > 0 && c.Far.Power <= 0 && c.Far.Connector != "ocs-lc" {
			t.Errorf("%s: no power of its far plugs", p.ID)
		}
	}
}

// The rates and networks that a planner meets are there, from box to box.
func TestEmbeddedCatalogCoversTheRates(t *testing.T) {
	c := Default()
	for _, test := range []struct {
		network string
		ids     []string
	}{
		{"10G Ethernet", []string{"generic-switch-48x10g", "dac-10g-sfp+", "optic-10g-sfp+-sr", "adapter-10g-sfp+"}},
		{"25G Ethernet", []string{
			"generic-switch-48x25g-8x100g", "dac-25g-sfp28", "aoc-25g-sfp28",
			"adapter-25g-sfp28",
		}},
		{"40G Ethernet", []string{"generic-switch-32x40g", "dac-40g-qsfp+", "aoc-40g-qsfp+", "adapter-40g-qsfp+"}},
		{"100G Ethernet", []string{"nvidia-sn2700", "dac-100g-qsfp28", "aoc-100g-qsfp28"}},
		{"200G Ethernet", []string{"generic-switch-64x200g", "dac-200g-qsfp56", "aoc-200g-qsfp56"}},
		{"400G Ethernet", []string{
			"generic-switch-32x400g-osfp", "dac-400g-osfp", "acc-400g-osfp",
			"optic-400g-osfp-dr4",
		}},
		{"800G Ethernet", []string{"nvidia-sn5600", "dac-800g-osfp", "aec-800g-osfp", "optic-800g-osfp-dr8"}},
		{"QDR", []string{"voltaire-4036", "dac-40g-qsfp", "aoc-40g-qsfp", "connectx-qdr"}},
		{"FDR", []string{"mellanox-sx6036", "dac-56g-qsfp14", "aoc-56g-qsfp14", "connectx-fdr"}},
		{"EDR", []string{"mellanox-sb7800", "dac-100g-qsfp28", "connectx-edr"}},
		{"HDR", []string{"nvidia-qm8700", "dac-200g-qsfp56", "connectx-hdr"}},
		{"NDR", []string{"nvidia-qm9700", "nvidia-mcp4y10", "nvidia-mcp7y00", "nvidia-connectx-7"}},
		{"XDR", []string{"nvidia-q3400", "lacc-2x800g-osfp", "optic-2x800g-osfp-dr4", "nvidia-connectx-8"}},
		{"Slingshot", []string{
			"hpe-slingshot-64x200g-dd", "dac-2x200g-qsfp-dd", "aoc-2x200g-qsfp-dd",
			"hpe-slingshot-cassini",
		}},
		{"Omni-Path", []string{"intel-omni-path-48", "cornelis-cn5000-48", "intel-omni-path-hfi"}},
	} {
		for _, id := range test.ids {
			if c.Part(id) == nil {
				t.Errorf("%s: no %s", test.network, id)
			}
		}
	}
}
