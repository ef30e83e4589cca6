package verify

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/exchange"
)

// duplexLinks is a machine whose upper links run over cassettes of six duplex adapters.
const duplexLinks = `
topology: {family: leaf-spine, nodes: 2, leaves: 2, up: 10, spines: 1}
packaging: {node: {part: box, per_rack: 2}, leaf: {part: switch}, spine: {part: switch, place: network-row}}
cabling: {structured: {levels: [tier1], beyond: rack, panel: %s, polarity: %s}}
rules: {suppress: [{rule: mated-pairs, reason: cassettes}]}
parts:
  - {id: box, kind: node, units: 2, width: 440 mm, depth: 800 mm, power: 1 kW, source: x, confidence: user,
     ports: [{name: net, count: 1, connector: cage, rate: 800G}]}
  - {id: switch, kind: switch, units: 1, width: 440 mm, depth: 500 mm, power: 1 kW, hop: 300 ns, source: x,
     confidence: user, ports: [{count: 32, connector: cage, rate: 800G}]}
  - {id: optic, kind: optic, source: x, confidence: user, power: 15 W, optic: {form: cage, fibre: single-mode,
     reach: 500 m, end: 10 ns, loss: 3 dB, standard: fr4, plug: lc, rate: 800G}}
  - {id: neighbours, kind: panel, units: 1, width: 440 mm, depth: 300 mm, source: x, confidence: user,
     panel: {connector: lc, fibre: single-mode, ports: 72, loss: 0.1 dB, cassette: {rear: mpo12-apc, fronts: 6}}}
  - {id: ends, kind: panel, units: 1, width: 440 mm, depth: 300 mm, source: x, confidence: user,
     panel: {connector: lc, fibre: single-mode, ports: 72, loss: 0.1 dB,
       cassette: {rear: mpo12-apc, fronts: 6, pairs: ends}}}
`

// sendsBy returns the position of a cassette's MPO plug by which the transceiver at adapter i sends and receives, from
// 0, with an A-to-B cord; an A-to-A cord exchanges them.
func sendsBy(pairs string, i int) (send, receive int) {
	if pairs == "ends" {
		return i + 1, 12 - i
	}
	return 2*i + 1, 2*i + 2
}

// throughTrunk is where the fibre of the cassette at one end arrives in that of the other: over an adapter, a trunk and
// an adapter. Adapters of method B join the first position to the last.
func throughTrunk(method, trunk string, at int) int {
	cross := func(at int) int {
		if method == "B" {
			return 13 - at
		}
		return at
	}
	at = cross(at)
	switch {
	case trunk == "B":
		at = 13 - at
	case trunk == "C" && at%2 == 1:
		at++
	case trunk == "C":
		at--
	}
	return cross(at)
}

// TestWrongCassetteByWhatIsSeen has one trunk or one cassette of a plug wired otherwise, and a source of what
// neighbours see then, which a follower of single fibres makes. The links that are not as planned are differences, and
// a note names the plug and the mistake; other mistakes that do the same may be named beside it.
func TestWrongCassetteByWhatIsSeen(t *testing.T) {
	found := 0
	for _, panel := range []string{"neighbours", "ends"} {
		for _, method := range []string{"A", "B", "C"} {
			if panel == "ends" && method == "C" {
				continue // refused
			}
			r := plan(t, fmt.Sprintf(duplexLinks, panel, method))
			p, _ := planned(t, r, "")
			w := seenBy(p)
			if got := p.Compare([]*exchange.Wiring{w}); !got.OK || len(got.Notes) > 0 {
				t.Fatalf("as planned: %+v", got)
			}
			for _, trunk := range []string{"A", "B", "C"} {
				for _, at := range []string{panel, "neighbours", "ends"} { // the cassette at end B of links
					if (trunk != method) == (at != panel) {
						continue // no mistake, or two
					}
					name := fmt.Sprintf("%s by %s with a trunk of type %s to %s", panel, method, trunk, at)
					what := fmt.Sprintf("a trunk of type %s in place of %s", trunk, method)
					if at != panel {
						what = fmt.Sprintf("with pairs at %s in place of %s", at, panel)
					}
					if compareWired(t, p, w, name, method, panel, at, trunk, what) {
						found++
					}
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("%d mistakes were found", found)
	}
}

// seenBy is the wiring of a plan by the names of devices.
func seenBy(p *Plan) *exchange.Wiring {
	s := p.schedule
	w := &exchange.Wiring{Source: "seen"}
	at := map[int32]int{}
	end := func(v int32, port uint16) exchange.End {
		if _, ok := at[v]; !ok {
			at[v] = len(w.Boxes)
			w.Boxes = append(w.Boxes, exchange.Box{Name: s.Device(v), Listed: true})
		}
		return exchange.End{Box: at[v], Port: s.PortName(v, port)}
	}
	for x := range exchange.PlannedLinks(p.result, "") {
		w.Links = append(w.Links, exchange.Link{A: end(x.A, x.PortA), B: end(x.B, x.PortB)})
	}
	return w
}

// compareWired compares what is seen with a mistake in the first plug of a trunk, and reports whether it does anything.
func compareWired(
	t *testing.T, p *Plan, w *exchange.Wiring, name, method, near, far, trunk, what string,
) bool {
	t.Helper()
	s := p.schedule
	var ways [][]cabling.Segment // of the plug
	for i := range s.Segments {
		if s.Panel(s.Segments[i].B) >= 0 && s.Panel(s.Segments[i].A) < 0 && s.Segments[i].PortB < 6 {
			if way := s.Segments[i : i+3]; len(ways) == 0 || way[1].Cable == ways[0][1].Cable {
				ways = append(ways, way)
			}
		}
	}
	if len(ways) != 6 {
		t.Fatalf("%d links in a plug", len(ways))
	}
	built := *w
	of := func(v int32, port uint16) exchange.End {
		box := slices.IndexFunc(w.Boxes, func(b exchange.Box) bool { return b.Name == s.Device(v) })
		return exchange.End{Box: box, Port: s.PortName(v, port)}
	}
	a := func(i int) exchange.End { return of(ways[i][0].A, ways[i][0].PortA) }
	b := func(i int) exchange.End { return of(ways[i][2].B, ways[i][2].PortB) }
	ends := map[exchange.End]bool{}
	for i := range ways {
		ends[a(i)], ends[b(i)] = true, true
	}
	built.Links = slices.DeleteFunc(slices.Clone(w.Links), func(l exchange.Link) bool { return ends[l.A] || ends[l.B] })
	if len(built.Links) != len(w.Links)-6 {
		t.Fatalf("%d of %d links are left", len(built.Links), len(w.Links))
	}
	right := 0
	for i := range ways {
		for j := range ways {
			sendA, receiveA := sendsBy(near, int(ways[i][0].PortB))
			sendB, receiveB := sendsBy(far, int(ways[j][2].PortA)%6)
			if method == "A" { // the cord at end B is A-to-A
				sendB, receiveB = receiveB, sendB
			}
			if throughTrunk(method, trunk, sendA) == receiveB && throughTrunk(method, trunk, sendB) == receiveA {
				built.Links = append(built.Links, exchange.Link{A: a(i), B: b(j)})
				if i == j {
					right++
				}
			}
		}
	}
	got := p.Compare([]*exchange.Wiring{&built})
	if right == 6 {
		if !got.OK || len(got.Notes) > 0 {
			t.Errorf("%s: nothing is wrong, but %+v", name, got)
		}
		return false
	}
	note := fmt.Sprintf("%d of the 6 links of %s, in its plug at ", 6-right, s.CableID(int64(ways[0][1].Cable)))
	if right == 0 {
		note = strings.Replace(note, "6 of", "none of", 1)
	}
	if got.Right != len(p.links)-6+right || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], note) ||
		!strings.Contains(got.Notes[0], what) {
		t.Errorf("%s: %d right of %d, notes %q, want %q", name, got.Right, len(p.links), got.Notes, what)
	}
	return true
}
