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

// pin is an end of a fibre: its position in a plug of a row of adapters, all counted from 1.
type pin struct{ adapter, at int }

// wiring lists where each fibre of a thing with two sides leads.
type wiring map[pin]pin

func (w wiring) join(a, b pin) { w[a] = b }

// reverse returns the same from the other side.
func (w wiring) reverse() wiring {
	out := wiring{}
	for a, b := range w {
		out[b] = a
	}
	return out
}

// layCable lists the fibres of a cable with so many plugs at each end.
func layCable(polarity string, plugs, fibres, positions int) wiring {
	out := wiring{}
	for plug := 1; plug <= plugs; plug++ {
		for at := 1; at <= positions; at++ {
			if fibres < positions && at > fibres/2 && at <= positions-fibres/2 {
				continue // dark in the middle
			}
			to := at
			switch {
			case polarity == "B" || polarity == "A-to-B":
				to = positions - at + 1
			case polarity == "C" && at%2 == 1:
				to = at + 1
			case polarity == "C":
				to = at - 1
			}
			out.join(pin{plug, at}, pin{plug, to})
		}
	}
	return out
}

// adapters writes down how plugs that face each other meet: the first fibre and the last, where both have the key up
// or are duplex.
func adapters(crossed bool, count, positions int) wiring {
	kind := "A"
	if crossed {
		kind = "B"
	}
	return layCable(kind, count, positions, positions)
}

// follow leads a fibre through things.
func follow(from pin, way ...wiring) (pin, bool) {
	ok := true
	for _, w := range way {
		if from, ok = w[from]; !ok {
			return from, false
		}
	}
	return from, true
}

// cassetteKind is a panel with its cassettes, written down as a table of the adapters of a plug at the rear: for each
// the positions of that plug in the order of its own positions that have a fibre.
type cassetteKind struct {
	id, front, rear string // parts, plugs
	frontN, rearN   int
	table           [][]int
	yaml            string // the part, where the catalog has none
}

// cassetteKinds are panels with and without cassettes.
var cassetteKinds = []cassetteKind{
	{id: "panel-1u-sm-mpo12-apc", front: "mpo12-apc", rear: "mpo12-apc", frontN: 12, rearN: 12},
	{id: "panel-1u-sm-mpo16-apc", front: "mpo16-apc", rear: "mpo16-apc", frontN: 16, rearN: 16},
	{id: "panel-1u-sm-mmc16-apc", front: "mmc16-apc", rear: "mmc16-apc", frontN: 16, rearN: 16},
	{id: "panel-1u-sm-snmt16-apc", front: "snmt16-apc", rear: "snmt16-apc", frontN: 16, rearN: 16},
	{
		id: "cassettes-1u-sm-lc-mpo12-apc", front: "lc", rear: "mpo12-apc", frontN: 2, rearN: 12,
		table: [][]int{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}},
	},
	{
		id: "cassettes-1u-sm-lc-mpo12-apc-base8", front: "lc", rear: "mpo12-apc", frontN: 2, rearN: 12,
		table: [][]int{{1, 12}, {2, 11}, {3, 10}, {4, 9}},
	},
	{
		id: "cassettes-1u-sm-mpo12-apc-mpo16-apc", front: "mpo12-apc", rear: "mpo16-apc", frontN: 12, rearN: 16,
		table: [][]int{{1, 2, 3, 4, 5, 6, 7, 8}, {9, 10, 11, 12, 13, 14, 15, 16}},
	},
	{
		id: "cassettes-1u-sm-mpo12-apc-mpo24-apc", front: "mpo12-apc", rear: "mpo24-apc", frontN: 12, rearN: 24,
		table: [][]int{
			{1, 2, 3, 4, 5, 6, 7, 8},
			{9, 10, 11, 12, 13, 14, 15, 16},
			{17, 18, 19, 20, 21, 22, 23, 24},
		},
	},
	{
		id: "ends-16", front: "mpo12-apc", rear: "mpo16-apc", frontN: 12, rearN: 16,
		table: [][]int{{1, 2, 3, 4, 13, 14, 15, 16}, {5, 6, 7, 8, 9, 10, 11, 12}},
		yaml:  "cassette: {rear: mpo16-apc, fronts: 2, pairs: ends}",
	},
	{
		id: "ends-12", front: "lc", rear: "mpo12-apc", frontN: 2, rearN: 12,
		table: [][]int{{1, 12}, {2, 11}, {3, 10}, {4, 9}, {5, 8}, {6, 7}},
		yaml:  "cassette: {rear: mpo12-apc, fronts: 6, pairs: ends}",
	},
	{
		id: "neighbours-8", front: "lc", rear: "mpo12-apc", frontN: 2, rearN: 12,
		table: [][]int{{1, 2}, {3, 4}, {9, 10}, {11, 12}},
		yaml:  "cassette: {rear: mpo12-apc, fronts: 4, fibres: 8}",
	},
	{ // 24 fibres from two plugs to 12 duplex adapters
		id: "two-rears-12", front: "lc", rear: "mpo12-apc", frontN: 2, rearN: 12,
		table: [][]int{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}},
		yaml:  "cassette: {rear: mpo12-apc, rears: 2, fronts: 12}",
	},
	{
		id: "three-rears-8", front: "lc", rear: "mpo12-apc", frontN: 2, rearN: 12,
		table: [][]int{{1, 12}, {2, 11}, {3, 10}, {4, 9}},
		yaml:  "cassette: {rear: mpo12-apc, rears: 3, fronts: 12, fibres: 8, pairs: ends}",
	},
	{
		id: "two-rears-16", front: "mpo12-apc", rear: "mpo16-apc", frontN: 12, rearN: 16,
		table: [][]int{{1, 2, 3, 4, 5, 6, 7, 8}, {9, 10, 11, 12, 13, 14, 15, 16}},
		yaml:  "cassette: {rear: mpo16-apc, rears: 2, fronts: 4}",
	},
}

// part is the text of a panel that the catalog does not have.
func (k *cassetteKind) part() string {
	if k.yaml == "" {
		return ""
	}
	return fmt.Sprintf("  - {id: %s, kind: panel, units: 1, width: 440 mm, depth: 300 mm, source: x,\n"+
		"     confidence: user, panel: {connector: %s, fibre: single-mode, ports: 72, loss: 0.1 dB, %s}}\n",
		k.id, k.front, k.yaml)
}

// fronts is the number of adapters of a plug at the rear.
func (k *cassetteKind) fronts() int { return max(len(k.table), 1) }

// through writes down the fibres of a panel from its front to its rear, plugs of which are counted from 1.
func (k *cassetteKind) through(plugs int) wiring {
	out := wiring{}
	for plug := 1; plug <= plugs; plug++ {
		for front, rears := range k.table {
			for i, rear := range rears {
				at := i + 1
				if i >= len(rears)/2 {
					at = k.frontN - len(rears) + i + 1
				}
				out.join(pin{(plug-1)*len(k.table) + front + 1, at}, pin{plug, rear})
			}
		}
	}
	return out
}

// layWay returns the way over two panels and a trunk from the plug of the first cord to that of the second one.
func layWay(method string, from, to *cassetteKind, cordA, cordB, trunk string, legs, fibres int) []wiring {
	reversed := method == "B"
	duplex := from.front == "lc"
	way := []wiring{
		layCable(cordA, legs*from.fronts(), from.frontN, from.frontN),
		adapters(reversed || duplex, legs*from.fronts(), from.frontN),
	}
	if from.table != nil {
		way = append(way, from.through(legs), adapters(reversed, legs, from.rearN))
	}
	way = append(way, layCable(trunk, legs, fibres, from.rearN))
	if to.table != nil {
		way = append(way, adapters(reversed, legs, to.rearN), to.through(legs).reverse())
	}
	return append(way, adapters(reversed || duplex, legs*to.fronts(), to.frontN),
		layCable(cordB, legs*to.fronts(), to.frontN, to.frontN))
}

// methods are those that TIA-568.3 has for a kind of panels, so that each fibre arrives: by type C, the pairs of a
// cassette that takes its fibres from both ends of the plug are not exchanged.
func (k *cassetteKind) methods() []string {
	if k.front == "lc" && k.table[0][1] != 2 {
		return []string{"", "A", "B"}
	}
	return []string{"", "A", "B", "C"}
}

// TestStrandsOverTrunksReachTheirReceivers follows every fibre of drawn links over panels, cassettes and trunks of the
// catalog, of all plugs with a row of fibres, all polarities, and trunks of base 8 to 24, with tables of its own. Lane
// k is sent by fibre k and received by fibre n+1-k, those of duplex plugs by A and B. No two fibres meet, angled plugs
// that meet key up to key up are found by rule polarity, and so are fibres that have no way by rule strands.
func TestStrandsOverTrunksReachTheirReceivers(t *testing.T) {
	graphtest.FewerDraws(t, 40)
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(cassetteKinds).Draw(t, "panel")
		plug, standard, lanes := kind.front, "dr4", 4
		switch {
		case strings.Contains(plug, "16"):
			plug, standard, lanes = "mpo16-apc", "dr8", 8
		case plug == "lc":
			standard, lanes = "fr4", 1
		}
		method := rapid.SampledFrom(kind.methods()).Draw(t, "polarity")
		keys := ", panel: " + kind.id
		if method != "" {
			keys += ", polarity: " + method
		}
		if kind.id != "panel-1u-sm-mpo12-apc" && kind.table == nil && rapid.Bool().Draw(t, "chosen") {
			keys = strings.Replace(keys, ", panel: "+kind.id, "", 1)
		}
		legs, base := 6, kind.rearN
		parts := kind.part()
		if rapid.Bool().Draw(t, "a trunk of its own") {
			legs = rapid.IntRange(2, 8).Draw(t, "plugs")
			least := 2 * lanes
			if kind.table != nil { // as many as its cassettes lead to the front
				least = len(kind.table) * len(kind.table[0])
			}
			base = 2 * rapid.IntRange(least/2, kind.rearN/2).Draw(t, "half of the fibres")
			keys += ", trunk: drawn"
			parts += fmt.Sprintf("  - {id: drawn, kind: cable, source: x, confidence: user, weight: 9 g,\n"+
				"     cable: {medium: single-mode, connector: %s, legs: %d, fibres: %d,\n"+
				"     made_to_measure: 500 m, step: 1 m, diameter: 3 mm, propagation: 5 ns/m,\n"+
				"     attenuation: 0.5 dB/km}}\n",
				kind.rear, legs, base)
		}
		s := planSound(t, trunkMachine(t, standard, plug, keys, parts)).Schedule
		if s.Patching == nil || s.Patching.Links == 0 {
			t.Fatal("no links over panels")
		}
		if n := s.Violations.Count(cabling.RuleStrands); n > 0 {
			t.Fatalf("%d violations of %s: %+v", n, cabling.RuleStrands.ID, s.Violations.List())
		}
		asked := method
		if method == "" {
			method = string(s.Patching.Method)
		}
		if n := s.Violations.Count(cabling.RulePolarity); (n > 0) != (asked == "B") {
			t.Fatalf("method %q: %d violations of %s", method, n, cabling.RulePolarity.ID)
		}
		pairs := s.Violations.Count(cabling.RuleMatedPairs)
		if _, ofLink := s.Patching.MatedPairs(); (pairs > 0) != (kind.table != nil) || (ofLink == 4) != (pairs > 0) {
			t.Fatalf("%d mated pairs, %d violations of %s", ofLink, pairs, cabling.RuleMatedPairs.ID)
		}
		checkWays(t, s, &kind, method, lanes, legs, base)
	})
}

// trunkMachine is the text of a machine of two tiers with the upper one over panels.
func trunkMachine(t *rapid.T, standard, plug, structured, parts string) string {
	spines := rapid.IntRange(1, 3).Draw(t, "spines")
	leaves := rapid.IntRange(1, 4).Draw(t, "leaves")
	return fmt.Sprintf(`
topology: {family: leaf-spine, nodes: %d, leaves: %d, up: %d, spines: %d}
packaging: {node: {part: box, per_rack: 2}, leaf: {part: switch}, spine: {part: switch, place: network-row}}
cabling: {structured: {levels: [tier1], beyond: rack%s}}
parts:
  - {id: box, kind: node, units: 2, width: 440 mm, depth: 800 mm, power: 1 kW, source: x, confidence: user,
     ports: [{name: net, count: 1, connector: cage, rate: 800G}]}
  - {id: switch, kind: switch, units: 1, width: 440 mm, depth: 500 mm, power: 1 kW, hop: 300 ns, source: x,
     confidence: user, ports: [{count: 32, connector: cage, rate: 800G}]}
  - {id: optic, kind: optic, source: x, confidence: user, power: 15 W, optic: {form: cage, fibre: single-mode,
     reach: 500 m, end: 10 ns, loss: 3 dB, standard: %s, plug: %s, rate: 800G}}
%s`, leaves*rapid.IntRange(1, 4).Draw(t, "nodes of a leaf"), leaves,
		spines*rapid.IntRange(1, 5).Draw(t, "links to a spine"), spines, structured, standard, plug, parts)
}

// checkWays follows the fibres of all links over panels.
func checkWays(t *rapid.T, s *cabling.Schedule, kind *cassetteKind, method string, lanes, legs, base int) {
	taken := map[string]bool{} // fibres of trunks
	for i := 0; i < len(s.Segments); i++ {
		if s.Panel(s.Segments[i].B) < 0 {
			continue
		}
		way := s.Segments[i : i+3]
		i += 2
		trunk := s.Product(&way[1]).Part
		if !trunk.Cable.Trunk() || trunk.Cable.Connector != kind.rear && kind.id != "" && kind.table != nil {
			t.Fatalf("%s in %s", trunk.ID, kind.id)
		}
		n := max(legs, trunk.Cable.Legs)
		strands := s.Strands(way)
		if len(strands) != 2*lanes {
			t.Fatalf("%d strands, want %d", len(strands), 2*lanes)
		}
		forward := layWay(method, kind, kind, string(s.Polarity(&way[0])), string(s.Polarity(&way[2])),
			string(s.Polarity(&way[1])), n, base)
		back := layWay(method, kind, kind, string(s.Polarity(&way[2])), string(s.Polarity(&way[0])),
			string(s.Polarity(&way[1])), n, base)
		// The adapters of a link, by its place in the trunk.
		t0 := s.Patching.Trunks[slices.IndexFunc(s.Patching.Trunks,
			func(t cabling.Trunk) bool { return t.Cable == way[1].Cable })]
		firstA, firstB := t0.PortA, t0.PortB
		if s.Panel(way[0].B) != int(t0.A) {
			firstA, firstB = firstB, firstA
		}
		a, b := int(way[0].PortB-firstA)+1, int(way[2].PortA-firstB)+1
		for _, strand := range strands {
			things, from, to := forward, a, b
			if strand.Back {
				things, from, to = back, b, a
			}
			start := pin{from, strand.Lane}
			got, ok := follow(start, things...)
			if !ok || got != (pin{to, kind.frontN + 1 - strand.Lane}) || strand.Lost != "" {
				t.Fatalf("%s by %s: lane %d from adapter %d arrives at %+v, %v; want adapter %d; %+v", kind.id, method,
					strand.Lane, from, got, ok, to, strand)
			}
			positions := []int{strand.Lane}
			at := start
			for j, thing := range things {
				at = thing[at]
				switch { // the ends of the cord, the trunk and the other cord
				case j == 0, j == len(things)-1, j == len(things)-2, j == len(things)/2, j == len(things)/2-1:
					positions = append(positions, at.at)
				}
			}
			if !slices.Equal(strand.At, positions) {
				t.Fatalf("%s by %s: %+v, want %v", kind.id, method, strand, positions)
			}
			leg := (int(way[0].PortB) / kind.fronts())
			end := 2
			if strand.Back {
				end = 3
			}
			fibre := fmt.Sprintf("%d %d %d", way[1].Cable, leg, strand.At[end])
			if taken[fibre] {
				t.Fatalf("two links share fibre %s of a trunk", fibre)
			}
			taken[fibre] = true
		}
	}
	if len(taken) == 0 {
		t.Fatal("no link over panels")
	}
}

// TestWrongCassetteIsFound has the panels of one rack of another part than all others: rule strands finds the links
// over it of which a follower finds that some fibre does not arrive, and no others.
func TestWrongCassetteIsFound(t *testing.T) {
	graphtest.FewerDraws(t, 30)
	wrong := 0
	rapid.Check(t, func(t *rapid.T) {
		pairs := [][2]string{
			{"cassettes-1u-sm-lc-mpo12-apc", "ends-12"},
			{"cassettes-1u-sm-lc-mpo12-apc-base8", "neighbours-8"},
			{"cassettes-1u-sm-mpo12-apc-mpo16-apc", "ends-16"},
		}
		pair := rapid.SampledFrom(pairs).Draw(t, "parts")
		if rapid.Bool().Draw(t, "the other way round") {
			pair[0], pair[1] = pair[1], pair[0]
		}
		of := func(id string) *cassetteKind {
			return &cassetteKinds[slices.IndexFunc(cassetteKinds, func(k cassetteKind) bool { return k.id == id })]
		}
		kind, other := of(pair[0]), of(pair[1])
		method := rapid.SampledFrom(kind.methods()[1:]).Draw(t, "polarity")
		standard, plug, lanes := "dr4", "mpo12-apc", 4
		if kind.front == "lc" {
			standard, plug, lanes = "fr4", "lc", 1
		}
		keys := fmt.Sprintf(", panel: %s, polarity: %s", kind.id, method)
		text := trunkMachine(t, standard, plug, keys, kind.part()+other.part())
		s := planText(t, text).Schedule
		rack := s.Placement.Layout.Room.Name(int(rapid.SampledFrom(s.Patching.Panels).Draw(t, "of").Rack))
		text = strings.Replace(text, keys, fmt.Sprintf("%s, panels: {%s: %s}", keys, rack, other.id), 1)
		s = planText(t, text).Schedule
		lost := 0
		for i := 0; i < len(s.Segments); i++ {
			if s.Panel(s.Segments[i].B) < 0 {
				continue
			}
			way := s.Segments[i : i+3]
			i += 2
			kinds := [2]*cassetteKind{}
			adapter := [2]int{int(way[0].PortB), int(way[2].PortA)}
			for end, v := range [2]int32{way[0].B, way[2].A} {
				kinds[end] = of(s.Patching.Panels[s.Panel(v)].Part.ID)
				adapter[end] = adapter[end]%kinds[end].fronts() + 1
			}
			trunk := s.Product(&way[1]).Part.Cable
			base := max(trunk.Fibres, 0)
			if base == 0 {
				base = kind.rearN
			}
			arrives := true
			for lane := 1; lane <= lanes; lane++ {
				for back := range 2 {
					cords := [2]string{string(s.Polarity(&way[0])), string(s.Polarity(&way[2]))}
					things := layWay(method, kinds[back], kinds[1-back], cords[back], cords[1-back],
						string(s.Polarity(&way[1])), 1, base)
					got, ok := follow(pin{adapter[back], lane}, things...)
					arrives = arrives && ok && got == pin{adapter[1-back], kind.frontN + 1 - lane}
				}
			}
			strands := s.Strands(way)
			if len(strands) != 2*lanes {
				t.Fatalf("%d strands", len(strands))
			}
			isLost := func(s cabling.Strand) bool { return s.Lost != "" }
			if slices.ContainsFunc(strands, isLost) == arrives {
				t.Fatalf("%s and %s by %s: a follower says %v, %+v", kinds[0].id, kinds[1].id, method, arrives, strands)
			}
			if !arrives {
				lost++
			}
		}
		if n := s.Violations.Count(cabling.RuleStrands); n != lost {
			t.Fatalf("%d violations of %s, want %d", n, cabling.RuleStrands.ID, lost)
		}
		wrong += lost
	})
	if wrong == 0 {
		t.Error("no draw has a link over a wrong cassette")
	}
}
