package cabling_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// builtInParts are nodes with cages, switches with their optics inside, and what may join them. %s are the connector
// of the switch, the ports in a cage of a node and the links of a transceiver.
const builtInParts = `
parts:
  - {id: box, kind: node, units: 2, width: 440 mm, depth: 800 mm, power: 1 kW, source: x, confidence: user,
     ports: [{name: net, count: 4, connector: cage, rate: 800G, per_cage: %d}]}
  - {id: switch, kind: switch, units: 1, width: 440 mm, depth: 500 mm, power: 1 kW, hop: 300 ns, source: x,
     confidence: user, ports: [{count: 64, connector: %s, rate: 800G,
     optic: {standard: dr4, fibre: single-mode, reach: 500 m, end: 10 ns, loss: 3 dB}}]}
  - {id: module, kind: optic, source: x, confidence: user, power: 15 W, optic: {form: cage, standard: dr4,
     fibre: single-mode, plug: %s, rate: 800G, ports: %d, reach: 400 m, end: 10 ns, loss: 3 dB}}
  - {id: shuffle, kind: panel, units: 1, width: 440 mm, depth: 300 mm, source: x, confidence: user,
     panel: {connector: mpo12-t, fibre: single-mode, ports: 48, loss: 0.7 dB, shuffle: 4}}
  - {id: other-shuffle, kind: panel, units: 1, width: 440 mm, depth: 300 mm, source: x, confidence: user,
     panel: {connector: mpo12-t, fibre: single-mode, ports: 400, loss: 0.7 dB, shuffle: 200, to_order: true}}
  - {id: panel, kind: panel, units: 1, width: 440 mm, depth: 300 mm, source: x, confidence: user,
     panel: {connector: mpo12-t, fibre: single-mode, ports: 24, loss: 0.3 dB}}
  - {id: panel-mmc, kind: panel, units: 1, width: 440 mm, depth: 300 mm, source: x, confidence: user,
     panel: {connector: mmc12-t, fibre: single-mode, ports: 24, loss: 0.3 dB}}
  - {id: trunk, kind: cable, source: x, confidence: user, weight: 90 g, cable: {medium: single-mode,
     connector: mpo12-t, legs: 12, made_to_measure: 100 m, diameter: 8 mm, propagation: 5, attenuation: 0.5 dB/km}}
`

// cordPlugs are the keys of cordPrices.
var cordPlugs = []string{"mpo12-t mpo12-t", "mmc12-t mmc12-t", "mmc12-t mpo12-t"}

// cordPrices are the families of fibre between the plugs of the test.
var cordPrices = map[string]int{"mpo12-t mpo12-t": 60, "mmc12-t mmc12-t": 70, "mmc12-t mpo12-t": 80}

// drawBuiltIn draws a machine whose switches have their optics inside.
func drawBuiltIn(t *rapid.T) string {
	var b strings.Builder
	inside := rapid.SampledFrom([]string{"mpo12-t", "mmc12-t"}).Draw(t, "connector of the switches")
	plug := rapid.SampledFrom([]string{"mpo12-t", "mmc12-t"}).Draw(t, "plug of the transceivers")
	per := rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "ports of a cage")
	leaves, spines := rapid.IntRange(1, 3).Draw(t, "leaves"), rapid.IntRange(1, 3).Draw(t, "spines")
	nodes := leaves * rapid.IntRange(1, 7).Draw(t, "nodes of a leaf")
	rails := rapid.IntRange(1, 4).Draw(t, "rails")
	up := spines * rapid.IntRange(1, 3).Draw(t, "links to a spine")
	breakout := ""
	if rapid.Bool().Draw(t, "split") {
		per, breakout = 1, "breakout: 4, "
	}
	fmt.Fprintf(&b, "topology: {family: leaf-spine, nodes: %d, rails: %d, leaves: %d, spines: %d, up: %d}\n", nodes,
		rails, leaves*rails, spines, up)
	fmt.Fprintf(&b, "packaging: {node: {part: box, %[1]sper_rack: 3}, leaf: {part: switch, %[1]splace: network-row},\n"+
		"  spine: {part: switch, %[1]splace: network-row}}\n", breakout)
	switch media := "[{use: [single-mode]}]"; {
	case breakout == "" && rapid.Bool().Draw(t, "structured"):
		fmt.Fprintf(&b, "cabling: {media: %s, structured: {beyond: rack, panel: panel, trunk: trunk}}\n", media)
	default:
		fmt.Fprintf(&b, "cabling: {media: %s}\n", media)
	}
	b.WriteString("delay: {routing: none}\nprices: {unit: {module: 700, switch: 9000, panel: 100, shuffle: 300, " +
		"other-shuffle: 900, " +
		"trunk: 500")
	for _, plugs := range cordPlugs {
		fmt.Fprintf(&b, ", cord-%s: %d", strings.Replace(plugs, " ", "-", 1), cordPrices[plugs])
	}
	b.WriteString("}}\n")
	fmt.Fprintf(&b, builtInParts, per, inside, plug, per)
	for _, plugs := range cordPlugs {
		a, z, _ := strings.Cut(plugs, " ")
		if rapid.Bool().Draw(t, "turned") {
			a, z = z, a
		}
		fmt.Fprintf(&b, "  - {id: cord-%s, kind: cable, source: x, confidence: user, weight: 9 g, cable: {medium: "+
			"single-mode,\n     connector: %s, far: {connector: %s}, lengths: [1, 3, 5, 10, 20, 50], diameter: 3 mm, "+
			"propagation: 5, attenuation: 0.5 dB/km}}\n", strings.Replace(plugs, " ", "-", 1), a, z)
	}
	return b.String()
}

// TestSwitchesWithOpticsInside counts what machines need whose switches have their optics inside, by their segments and
// by what is plugged where alone, and holds it against the bill.
func TestSwitchesWithOpticsInside(t *testing.T) {
	graphtest.FewerDraws(t, 20)
	rapid.Check(t, func(t *rapid.T) {
		text := drawBuiltIn(t)
		r := planSound(t, text)
		s := r.Schedule
		modules, cables, cost := map[[2]int32]bool{}, map[int32]bool{}, units.Money(0)
		for i := range s.Segments {
			seg := &s.Segments[i]
			p := s.Product(seg)
			if p == nil {
				t.Fatalf("%s has no product\n%s", s.Label(seg.A, seg.PortA), text)
			}
			var meets [2]string // what the plugs at A and B go into
			for end, at := range [2]struct {
				v    int32
				port uint16
			}{{seg.A, seg.PortA}, {seg.B, seg.PortB}} {
				transceiver := p.Transceivers()[end]
				if panel := s.Panel(at.v); panel >= 0 {
					meets[end] = s.Patching.Panels[panel].Part.Panel.Connector
					continue
				}
				kind := topology.KindOf(s.Kinds, int(at.v))
				port := s.Boxes[kind].Ports[at.port]
				if s.Kinds[kind].Role == topology.Switch {
					if meets[end] = port.Group.Connector; transceiver != nil {
						t.Fatalf("%s in a switch\n%s", transceiver.ID, text)
					}
					continue
				}
				if transceiver == nil || transceiver.ID != "module" {
					t.Fatalf("%v in a node\n%s", transceiver, text)
				}
				meets[end] = transceiver.Optic.Plug
				modules[[2]int32{at.v, int32(port.Cage)}] = true
			}
			near, far := p.Part.Cable.Connector, p.Part.Cable.FarConnector()
			if p.NearB {
				near, far = far, near
			}
			if meets != [2]string{near, far} {
				t.Fatalf("%s joins %v, turned %v\n%s", p.Part.ID, meets, p.NearB, text)
			}
			if cables[seg.Cable] {
				continue
			}
			cables[seg.Cable] = true
			price := 500 // of a trunk
			if !p.Part.Cable.Trunk() {
				price = cordPrices[min(near, far)+" "+max(near, far)]
			}
			cost = cost.Plus(units.Money(price * 100))
		}
		n := int64(0)
		for i := range r.Bill.Rows {
			if row := &r.Bill.Rows[i]; row.Kind == catalog.KindOptic {
				n += row.Qty
			}
		}
		if n != int64(len(modules)) || r.Bill.ByKind[catalog.KindOptic] != units.Money(70000*len(modules)) ||
			r.Bill.ByKind[catalog.KindCable] != cost || r.Bill.Power.Optics != units.Power(15*len(modules)) {
			t.Fatalf("%d transceivers for %v at %v, want %d; cables for %v, want %v\n%s", n,
				r.Bill.ByKind[catalog.KindOptic], r.Bill.Power.Optics, len(modules), r.Bill.ByKind[catalog.KindCable],
				cost,
				text)
		}
	})
}

// TestOpticsInsideAreRefused reads why no fibre joins ports of which one has its optics inside.
func TestOpticsInsideAreRefused(t *testing.T) {
	const text = `
topology: {family: leaf-spine, nodes: 2, leaves: 1, spines: 1, up: 1}
packaging: {node: {part: box}, leaf: {part: switch}, spine: {part: switch}}
parts:
  - {id: box, kind: node, units: 2, source: x, confidence: user, ports: [{count: 1, connector: cage, rate: %s}]}
  - {id: switch, kind: switch, units: 1, source: x, confidence: user, ports: [{count: 8, connector: mmc12-t,
     rate: 800G, optic: {standard: dr4, fibre: single-mode, reach: 500 m}}]}
  - {id: module, kind: optic, source: x, confidence: user, optic: {form: cage, standard: %s, fibre: single-mode,
     plug: mpo12-t, rate: %s, reach: 400 m}}
  - {id: cord, kind: cable, source: x, confidence: user, cable: {medium: single-mode, connector: mpo12-t,
     lengths: [30], propagation: 5}}
  - {id: cord-mmc, kind: cable, source: x, confidence: user, cable: {medium: single-mode, connector: mmc12-t,
     lengths: [30], propagation: 5}}
`
	for _, c := range []struct{ rate, standard, want string }{
		{
			"800G", "dr4",
			"the optics of the mmc12-t ports are inside the box, dr4 over single-mode fibre at 800G, and no such " +
				"fibre " +
				"leads from mmc12-t to mpo12-t",
		},
		{
			"800G", "fr4",
			"the optics of the mmc12-t ports are inside the box, dr4 over single-mode fibre at 800G, and the " +
				"transceivers for cage 800G are fr4",
		},
		{
			"400G", "dr4",
			"the optics of the mmc12-t ports are inside the box, dr4 over single-mode fibre at 800G, and the " +
				"transceivers for cage 400G are dr4",
		},
	} {
		spec, err := machine.Parse("inside.yaml", fmt.Appendf(nil, text, c.rate, c.standard, c.rate))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.PlanWith(context.Background(), spec, machine.Options{NoPaths: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(r.Schedule.Violations.List()); !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %s", c.rate, c.standard, got)
		}
	}
}
