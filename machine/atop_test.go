package machine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine"
)

// TestATOPTable7 plans the networks of ATOP (SIGCOMM 2025), Table 7, for 1,024
// GPUs: switches, copper cables, fibres and optics, all as published. Fibre needs an optic at each end.
func TestATOPTable7(t *testing.T) {
	const parts = `
parts:
  - {id: sw, kind: switch, units: 1, width: 440 mm, depth: 500 mm, ports: [{count: 32, connector: qsfp112, rate: 400G}]}
  - {id: server, kind: node, units: 4, width: 440 mm, depth: 800 mm,
     ports: [{count: 8, connector: qsfp112, rate: 400G}]}
  - {id: wide, kind: switch, units: 2, width: 440 mm, depth: 500 mm,
     ports: [{count: 64, connector: qsfp112, rate: 400G}]}
  - {id: dual-server, kind: node, units: 4, width: 440 mm, depth: 800 mm,
     ports: [{count: 16, connector: qsfp112, rate: 400G}]}
  - {id: gpu, kind: node, units: 1, width: 440 mm, depth: 800 mm, ports: [{count: 2, connector: qsfp112, rate: 400G}]}
  - {id: dragonfly-switch, kind: switch, units: 1, width: 440 mm, depth: 500 mm,
     ports: [{count: 15, connector: qsfp112, rate: 400G}]}
`
	for _, c := range []struct {
		name, text                      string
		switches                        int
		radix                           int
		copper, fibre, optics, spareGPU int64
	}{
		{"rail-optimised 3-tier fat tree", `
topology: {family: fat-tree, nodes: 128, rails: 8, radix: 32, tiers: 3}
packaging: {node: {part: server}, switch: {part: sw}}
cabling: {media: [{use: [fibre]}]}
`, 160, 32, 0, 3072, 6144, 0},
		{"rail-only", `
topology: {family: rail-only, nodes: 128, rails: 8, radix: 32}
packaging: {node: {part: server}, switch: {part: sw}}
cabling: {media: [{use: [fibre]}]}
`, 96, 32, 0, 2048, 4096, 0},
		{"dragonfly a = 2p = 2h, p = 4", `
topology: {family: dragonfly, p: 4, a: 8, h: 4}
packaging: {node: {part: gpu}, switch: {part: dragonfly-switch}}
cabling: {media: [{levels: [terminal, local], use: [copper]}, {use: [fibre]}]}
`, 264, 15, 1980, 528, 1056, 32},
		// How HPN's 96 switches divide is not published: 64 leaves and 32 spines, every leaf of a plane linked once
		// with every spine of it, have the same bandwidth up (16 x 400G) and down (32 x 200G).
		{"HPN", `
topology: {family: leaf-spine, nodes: 128, rails: 8, planes: 2, leaves: 64, up: 16, spines: 32}
packaging: {node: {part: dual-server}, switch: {part: wide}}
cabling: {media: [{use: [fibre]}]}
`, 96, 64, 0, 3072, 6144, 0},
		{"ZCube(n,2)", `
topology: {family: zcube, side: 32}
packaging: {node: {part: gpu}, switch: {part: wide}}
cabling: {media: [{within: rack, use: [copper]}, {use: [fibre]}]}
`, 64, 64, 1024, 2048, 4096, 0},
		{"BCube(n,2)", `
topology: {family: bcube, radix: 32, levels: 2}
packaging: {node: {part: gpu}, switch: {part: sw}}
cabling: {media: [{levels: [level0], use: [copper]}, {use: [fibre]}]}
`, 64, 32, 1024, 1024, 2048, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec, err := machine.Parse("x.yaml", []byte(c.text+parts))
			if err != nil {
				t.Fatal(err)
			}
			r, err := machine.PlanWith(context.Background(), spec, machine.Options{Summary: true})
			if err != nil {
				t.Fatal(err)
			}
			rep := r.Report()
			var copper, fibre, optics int64
			for _, m := range rep.Media {
				if m.Medium.Fibre() {
					fibre += m.Qty
				} else {
					copper += m.Qty
				}
			}
			for _, row := range rep.BOM {
				if row.Kind == catalog.KindOptic {
					optics += row.Qty
				}
			}
			gpus := int64(rep.Nodes)
			radix, used := 0, 0
			for i, k := range r.Graph.Kinds() {
				switch part := r.Schedule.Boxes[i].Part; {
				case part.Kind == catalog.KindSwitch:
					radix, used = part.Ports[0].Count, max(used, k.Ports)
				case strings.HasSuffix(part.ID, "server"):
					gpus *= 8
				}
			}
			// HPN fits with 48 ports in use, 32 to nodes and 16 up; the others use all.
			if used != radix && !(c.name == "HPN" && used == 48) {
				t.Errorf("%d of %d ports of a switch are used", used, radix)
			}
			if rep.Switches != c.switches || radix != c.radix || copper != c.copper || fibre != c.fibre ||
				optics != c.optics || gpus != 1024+c.spareGPU {
				t.Errorf("%d GPUs, %d switches of %d ports, %d copper, %d fibre, %d optics; published %d, %d, %d, "+
					"%d, %d", gpus, rep.Switches, radix, copper, fibre, optics, c.switches, c.radix, c.copper, c.fibre,
					c.optics)
			}
			if r.Broken() {
				t.Errorf("%v", rep.Violations)
			}
		})
	}
}
