package cabling_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/graphtest"
)

// TestStrandsOverTrunksReachTheirReceivers follows every fibre of drawn links over panels and trunks of the catalog, of
// all plugs with a row of fibres and both polarities: a cable of type A keeps the position of a fibre, one of type B
// counts it from the other end. Lane k is sent by fibre k and received by fibre n+1-k. Angled plugs that meet key up to
// key up are found by rule polarity.
func TestStrandsOverTrunksReachTheirReceivers(t *testing.T) {
	graphtest.FewerDraws(t, 20)
	rapid.Check(t, func(t *rapid.T) {
		plug, standard, lanes, fibres := "mpo12-apc", "dr4", 4, 12
		panel := "panel-1u-sm-mpo12-apc"
		if rapid.Bool().Draw(t, "base 16") {
			plug, standard, lanes, fibres = "mpo16-apc", "dr8", 8, 16
			panel = "panel-1u-sm-" + rapid.SampledFrom([]string{"mpo16-apc", "mmc16-apc", "snmt16-apc"}).Draw(t, "plug")
		}
		method := rapid.SampledFrom([]string{"", "A", "B"}).Draw(t, "polarity")
		polarity := ""
		if method != "" {
			polarity = ", polarity: " + method
		}
		spines := rapid.IntRange(1, 3).Draw(t, "spines")
		leaves := rapid.IntRange(1, 4).Draw(t, "leaves")
		text := fmt.Sprintf(`
topology: {family: leaf-spine, nodes: %d, leaves: %d, up: %d, spines: %d}
packaging: {node: {part: box, per_rack: 2}, leaf: {part: switch}, spine: {part: switch, place: network-row}}
cabling: {structured: {levels: [tier1], beyond: rack, panel: %s%s}}
parts:
  - {id: box, kind: node, units: 2, width: 440 mm, depth: 800 mm, power: 1 kW, source: x, confidence: user,
     ports: [{name: net, count: 1, connector: cage, rate: 800G}]}
  - {id: switch, kind: switch, units: 1, width: 440 mm, depth: 500 mm, power: 1 kW, hop: 300 ns, source: x,
     confidence: user, ports: [{count: 16, connector: cage, rate: 800G}]}
  - {id: optic, kind: optic, source: x, confidence: user, power: 15 W, optic: {form: cage, fibre: single-mode,
     reach: 500 m, end: 10 ns, loss: 3 dB, standard: %s, plug: %s, rate: 800G}}
`, leaves*rapid.IntRange(1, 4).Draw(t, "nodes of a leaf"), leaves,
			spines*rapid.IntRange(1, 3).Draw(t, "links to a spine"), spines, panel, polarity, standard, plug)
		s := planSound(t, text).Schedule
		if s.Patching == nil || s.Patching.Links == 0 {
			t.Fatalf("no links over panels\n%s", text)
		}
		angled := 0
		for _, v := range s.Violations.List() {
			if v.Rule == cabling.RulePolarity.ID {
				angled++
			}
		}
		if (angled > 0) != (method == "B") {
			t.Fatalf("method %q: %d violations of %s", method, angled, cabling.RulePolarity.ID)
		}
		for i := 0; i < len(s.Segments); i++ {
			if s.Panel(s.Segments[i].B) < 0 {
				continue
			}
			way := s.Segments[i : i+3]
			i += 2
			if trunk := s.Product(&way[1]).Part; !trunk.Cable.Trunk() ||
				!strings.HasSuffix(panel, trunk.Cable.Connector) {
				t.Fatalf("%s in %s", trunk.ID, panel)
			}
			strands := s.Strands(way)
			if len(strands) != 2*lanes {
				t.Fatalf("%d strands, want %d", len(strands), 2*lanes)
			}
			taken := make([]map[int]bool, 6) // positions at each end of each cable, from A to B
			for at := range taken {
				taken[at] = map[int]bool{}
			}
			for _, strand := range strands {
				at, want := strand.Lane, []int(nil)
				cables := []int{0, 1, 2}
				if strand.Back {
					slices.Reverse(cables)
				}
				for _, cable := range cables {
					want = append(want, at)
					if s.Polarity(&way[cable]) == cabling.Reversed {
						at = fibres + 1 - at
					}
					want = append(want, at)
				}
				if !slices.Equal(strand.At, want) || at != fibres+1-strand.Lane {
					t.Fatalf("%+v, want %v", strand, want)
				}
				if strand.Back {
					slices.Reverse(want)
				}
				for end, position := range want {
					if taken[end][position] {
						t.Fatalf("two fibres at position %d of end %d", position, end)
					}
					taken[end][position] = true
				}
			}
		}
	})
}
