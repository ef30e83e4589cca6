package cabling_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/machine"
)

// octopusParts are octopus cables and a patch panel for the plugs of drawSplit.
func octopusParts() string {
	var b strings.Builder
	for plug, legs := range map[string]int{"mpo12-test": 4, "mpo16-test": 8} {
		fmt.Fprintf(&b, "  - {id: octopus-%d, kind: cable, source: x, confidence: user, weight: 9 g, cable: {medium: "+
			"single-mode,\n     connector: %s, links: %d, far: {connector: duplex, plugs: %d}, lengths: [1, 3, 5, 10, "+
			"20, 50], diameter: 3 mm, propagation: 5, attenuation: 0.5 dB/km}}\n", legs, plug, legs, legs)
	}
	b.WriteString("  - {id: patch, kind: panel, units: 1, width: 440 mm, depth: 300 mm, source: x, " +
		"confidence: user,\n     panel: {connector: duplex, fibre: single-mode, ports: 24, loss: 0.25 dB}}\n")
	return b.String()
}

// TestOctopusCablesReachTheirReceivers follows every fibre of drawn machines by what is printed on octopus cables and
// panels: lane k of a plug is leg k, with its transmitter at position A, and an adapter joins A to B. Each fibre leads
// to a receiver, as the plan has it, and each octopus cable is as long as its longest leg needs.
func TestOctopusCablesReachTheirReceivers(t *testing.T) {
	graphtest.FewerDraws(t, 20)
	rapid.Check(t, func(t *rapid.T) {
		text := drawSplit(t)
		parts, legs, legPlug := octopusParts(), 0, "duplex"
		if strings.Contains(text, "dr8") && !strings.Contains(text, "breakout: 8") ||
			strings.Contains(text, "dr4") && !strings.Contains(text, "breakout: 8") &&
				(!strings.Contains(text, "breakout: 4") || strings.Contains(text, "rate: 400G")) {
			legs = 2 // with several lanes each
			if strings.Contains(text, "dr8") && strings.Contains(text, "breakout: 4") {
				legs = 4
			}
			if strings.Contains(text, "rate: 400G") && strings.Contains(text, "breakout: 2") {
				t.Skip("a link fills a plug")
			}
			legPlug = rapid.SampledFrom([]string{"mpo12-leg", "mpo12-leg-apc"}).Draw(t, "plug of a leg")
			parts = rowLegParts(legs, legPlug) + "prices: {unit: {patch: 0.01}}\n" // no other panel is as cheap
		}
		text = drawPlugs(t, "cabling: {shuffle: octopus}\n"+text+parts)
		if strings.Contains(text, "hyperx") && strings.HasSuffix(legPlug, "apc") {
			t.Skip("a cable may have ends of both kinds")
		}
		s := planSound(t, text).Schedule
		if s.Patching == nil {
			return
		}
		type adapter struct {
			panel int
			port  uint16
		}
		taken := map[adapter]bool{}
		plugs := map[plug]int32{}
		lengths := map[int32]float64{}
		for i := 0; i < len(s.Segments); i++ {
			near := &s.Segments[i]
			if s.Panel(near.B) < 0 {
				continue
			}
			i++
			far := &s.Segments[i]
			w := &wires{s: s, lanes: 4, fibres: 12}
			optic := s.Product(near).OpticA
			if optic.Optic.Standard == "dr8" {
				w.lanes, w.fibres = 8, 16
			}
			a, laneA, _ := w.whose(near.A, near.PortA, max(optic.Optic.Ports, 1))
			b, laneB, _ := w.whose(far.B, far.PortB, max(optic.Optic.Ports, 1))
			for p, seg := range map[plug]*cabling.Segment{a: near, b: far} {
				if old, ok := plugs[p]; ok && old != seg.Cable {
					t.Fatalf("%v has the cables %d and %d", p, old, seg.Cable)
				}
				plugs[p] = seg.Cable
				lengths[seg.Cable] = max(lengths[seg.Cable], float64(seg.Length))
				want, kind := w.lanes, ""
				if legs > 0 {
					want, kind = legs, "A"
					if p == b && strings.HasSuffix(legPlug, "apc") {
						kind = "B"
					}
				}
				if product := s.Product(seg); float64(product.Length)+1e-9 < float64(seg.Length) ||
					product.Part.Cable.FarPlugs() != want || string(s.Polarity(seg)) != kind {
					t.Fatalf("%v of %v m: %v, type %q", p, seg.Length, product.Item(), s.Polarity(seg))
				}
			}
			front, rear := adapter{s.Panel(near.B), near.PortB}, adapter{s.Panel(far.A), far.PortA}
			if front.panel != rear.panel || rear.port != s.Patching.Rear(front.port) || taken[front] || taken[rear] {
				t.Fatalf("legs at %v and %v, taken %t and %t", front, rear, taken[front], taken[rear])
			}
			taken[front], taken[rear] = true, true
			strands := s.Strands([]cabling.Segment{*near, *far})
			each := 1 // lanes of a link
			if legs > 0 {
				each = w.lanes / legs
			}
			if len(strands) != 2*each {
				t.Fatalf("%d strands, want %d", len(strands), 2*each)
			}
			for _, strand := range strands {
				from, to := laneA+1, laneB+1
				if legs > 0 {
					from, to = laneA*each+strand.Lane, laneB*each+strand.Lane
				}
				if strand.Back {
					from, to = to, from
				}
				if legs > 0 {
					checkRowLeg(t, strand, from, to, each, w.fibres, legPlug)
					continue
				}
				// Sent by the fibre of the lane, position A (1) of its leg, B (2) of the other, received by the last.
				if want := []int{from, 1, 2, w.fibres + 1 - to}; fmt.Sprint(strand.At) != fmt.Sprint(want) {
					t.Fatalf("%+v, want %v", strand, want)
				}
			}
		}
		pairs, ofLink := s.Patching.MatedPairs()
		if pairs != s.Patching.Links || ofLink != 1 || int64(len(taken)) != 2*pairs {
			t.Fatalf("%d mated pairs, %d of a link; %d links, %d legs", pairs, ofLink, s.Patching.Links, len(taken))
		}
	})
}

// rowLegParts are octopus cables whose legs have plugs with a row of fibres, and a patch panel for them.
func rowLegParts(legs int, plug string) string {
	var b strings.Builder
	for _, near := range []string{"mpo12-test", "mpo16-test"} {
		fmt.Fprintf(&b, "  - {id: octopus-%s, kind: cable, source: x, confidence: user, weight: 9 g, cable: {medium: "+
			"single-mode,\n     connector: %s, links: %d, far: {connector: %s, plugs: %d}, lengths: [1, 3, 5, 10, "+
			"20, 50], diameter: 3 mm, propagation: 5, attenuation: 0.5 dB/km}}\n", near[:5], near, legs, plug, legs)
	}
	fmt.Fprintf(&b, "  - {id: patch, kind: panel, units: 1, width: 440 mm, depth: 300 mm, source: x, "+
		"confidence: user,\n     panel: {connector: %s, fibre: single-mode, ports: 24, loss: 0.25 dB}}\n", plug)
	return b.String()
}

// checkRowLeg follows a fibre of legs with a row of twelve fibres. In a leg, lane k of its link has the position k
// where its plug sends and the k-th from the end where it receives; in the leg of an angled plug at end B, all
// positions are counted from the other end. Plugs that are not angled meet with the first position at the last.
func checkRowLeg(t *rapid.T, strand cabling.Strand, from, to, each, fibres int, plug string) {
	inLeg := func(fibre int, atB bool) int {
		at := (fibre-1)%each + 1
		if fibre > fibres/2 {
			at = 12 - (fibres-fibre)%each
		}
		if atB && strings.HasSuffix(plug, "apc") {
			at = 13 - at
		}
		return at
	}
	near, far := inLeg(from, strand.Back), inLeg(fibres+1-to, !strand.Back)
	meets := far
	if !strings.HasSuffix(plug, "apc") {
		meets = 13 - far
	}
	if want := []int{from, near, far, fibres + 1 - to}; fmt.Sprint(strand.At) != fmt.Sprint(want) || near != meets {
		t.Fatalf("%+v, want %v, which meets %d", strand, want, meets)
	}
}

// TestOctopusCablesAreRefused names what octopus cables need where no part has it.
func TestOctopusCablesAreRefused(t *testing.T) {
	const text = `
cabling: {shuffle: octopus}
boxes: [{name: node, count: 8, part: gpu, breakout: 4}]
fabrics:
  - {name: p1, topology: {family: leaf-spine, nodes: 8, leaves: 2, up: 4, spines: 1}, ends: [{boxes: node,
     ports: net/1}], switches: {switch: {part: sw, breakout: 4}}}
  - {name: p2, topology: {family: leaf-spine, nodes: 8, leaves: 2, up: 4, spines: 1}, ends: [{boxes: node,
     ports: net/2}], switches: {switch: {part: sw, breakout: 4}}}
parts:
  - {id: gpu, kind: node, units: 2, width: 440 mm, depth: 800 mm, power: 1 kW, source: x, confidence: user,
     ports: [{name: net, count: 1, connector: cage, rate: 800G}]}
  - {id: sw, kind: switch, units: 2, width: 440 mm, depth: 800 mm, power: 1 kW, hop: 1 ns, source: x, confidence: user,
     ports: [{count: 8, connector: cage, rate: 800G}]}
  - {id: optic, kind: optic, source: x, confidence: user, power: 15 W, optic: {form: cage, fibre: multimode,
     reach: 50 m, end: 10 ns, loss: 3 dB, standard: sr4, plug: mpo12-apc, rate: 800G}}
`
	spec, err := machine.Parse("machine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	_, err = machine.PlanWith(context.Background(), spec, machine.Options{NoPaths: true})
	if err == nil || !strings.Contains(err.Error(), "machine.yaml:2:") ||
		!strings.Contains(err.Error(), "links have no octopus cables") {
		t.Error(err)
	}
	if _, err = machine.Parse("machine.yaml", []byte(strings.Replace(text, "octopus", "box", 1))); err == nil ||
		!strings.Contains(err.Error(), "no part has its shuffle inside") {
		t.Error(err)
	}
}
