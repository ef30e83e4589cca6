package machine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// TestBreakout runs 800G ports as two of 400G: splitters to the nodes, twin-port
// cables to the spines, half as many cables as links.
func TestBreakout(t *testing.T) {
	spec, err := machine.Parse("x.yaml", []byte(`
topology: {family: fat-tree, nodes: 100, radix: 64, down: 32, up: 16, spines: 4}
packaging:
  node: {part: generic-node-1u}
  leaf: {part: nvidia-sn5600, breakout: 2}
  spine: {part: nvidia-sn5600, breakout: 2}
`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	rep := r.Report()
	if rep.Links != 164 || rep.Cables != 82 || r.Broken() || rep.Ports.Total != 8*(2*64+1)+100 {
		t.Errorf("%d links on %d cables, %d ports, %v", rep.Links, rep.Cables, rep.Ports.Total, rep.Violations)
	}
	splitters := int64(0)
	for _, m := range rep.Media {
		if strings.HasPrefix(m.Product, "nvidia-mcp7y10@") {
			splitters += m.Qty
		}
	}
	if splitters != 50 {
		t.Errorf("%d splitters for 100 nodes", splitters)
	}
	if _, err := machine.Parse("x.yaml", []byte("topology: {family: fat-tree, nodes: 8, radix: 8}\n"+
		"packaging: {leaf: {breakout: 3}}\n")); err == nil ||
		!strings.Contains(err.Error(), "x.yaml:2:30: packaging.leaf.breakout: a port is broken out into 2, 4 or 8, "+
			"not 3") {
		t.Error(err)
	}
}

// TestBreakoutOfRanges breaks the first 32 ports of a leaf out into two for nodes and leaves the others whole for
// spines: ports have their own rates, cages and places, and a port stands for all that it becomes.
func TestBreakoutOfRanges(t *testing.T) {
	r := buy(t, `
topology: {family: fat-tree, nodes: 128, radix: 96, down: 64, up: 16, spines: 2}
packaging:
  node: {part: generic-node-1u}
  leaf: {part: nvidia-sn5600, breakout: {swp1-32: 2}, ports: [swp1-32, swp33-64]}
  spine: {part: nvidia-sn5600}
rules: {suppress: [{rule: redundancy, reason: a test}]}
`)
	doc := r.Report()
	if r.Broken() || doc.Ports.Total != 2*(32*2+32+1)+2*(64+1)+128 {
		t.Errorf("%d ports, %v", doc.Ports.Total, doc.Violations)
	}
	for _, l := range doc.Levels { // a splitter for two nodes, a cable for each 800G port
		if want := map[string]int64{"terminal": 64, "tier1": 32}[l.Level]; l.Cables != want {
			t.Errorf("%s has %d cables, want %d", l.Level, l.Cables, want)
		}
	}
	leaf := slices.IndexFunc(r.Schedule.Kinds, func(k topology.Kind) bool { return k.Name == "leaf" })
	box := r.Schedule.Boxes[leaf]
	whole := cabling.NewBox(box.Part)
	for i, want := range map[int]struct {
		name string
		port int // of the part
		rate float64
		per  int
	}{0: {"swp1s0", 0, 400, 2}, 1: {"swp1s1", 0, 400, 2}, 63: {"swp32s1", 31, 400, 2}, 64: {"swp33", 32, 800, 1}} {
		p := box.Ports[i]
		if p.Name != want.name || p.Cage != want.port || float64(p.Group.Rate) != want.rate ||
			max(p.Group.PerCage, 1) != want.per || box.Box.Port(i) != whole.Box.Port(want.port) {
			t.Errorf("port %d is %+v at %v, want %+v", i, p, box.Box.Port(i), want)
		}
	}
}

// TestBreakoutOfAllIsThatOfTheRange: the same machine, whether ports are broken out by a number, a range or ranges.
func TestBreakoutOfAllIsThatOfTheRange(t *testing.T) {
	text := `
topology: {family: fat-tree, nodes: 100, radix: 64, down: 32, up: 16, spines: 4}
packaging:
  node: {part: generic-node-1u}
  leaf: {part: nvidia-sn5600, breakout: INTO}
  spine: {part: nvidia-sn5600, breakout: INTO}
rules: {suppress: [{rule: redundancy, reason: a test}]}
`
	want := buy(t, strings.ReplaceAll(text, "INTO", "2"))
	for _, into := range []string{
		"{swp1-64: 2}", "{swp1-31: 2, swp32-64: 2}", "{1-64: 2}", "{swp1-swp63: 2, 64: 2}",
		"{odd: 2, even: 2}", "{swp1-63:2: 2, even: 2}", "{1-64:3: 2, 2-64:3: 2, 3-64:3: 2}",
	} {
		got := buy(t, strings.ReplaceAll(text, "INTO", into))
		if a, b := asJSON(t, got.Report().BOM), asJSON(t, want.Report().BOM); a != b {
			t.Errorf("%s: bill %s\nwant %s", into, a, b)
		}
		if a, b := got.Report().Ports, want.Report().Ports; a != b {
			t.Errorf("%s: ports %v, want %v", into, a, b)
		}
	}
}

// TestPlanesOnOneCage breaks the ports of nodes out into two, of which each has a plane of its own: two fabrics, or one
// of two planes, have the same cables.
func TestPlanesOnOneCage(t *testing.T) {
	const text = `
boxes: [{name: dgx, count: 16, part: nvidia-dgx-b300, per_rack: 4, breakout: {compute: 2}}]
fabrics:
FABRICS
room: {rows: 2, racks_per_row: 8, rack: rack-48u}
rules: {suppress: [{rule: redundancy, reason: a test}]}
`
	const plane = `- name: plane-#
  topology: {family: fat-tree, radix: 128, rails: 8, down: 64, up: 64, spines: 4}
  ends: [{boxes: dgx, ports: compute/#}]
  switches: {switch: {part: nvidia-sn5600, breakout: {swp1-64: 2}}}
  media: [{use: [multimode]}]
`
	two := buy(t, strings.Replace(text, "FABRICS", strings.ReplaceAll(plane, "#", "1")+
		strings.ReplaceAll(plane, "#", "2"), 1))
	one := buy(t, strings.Replace(text, "FABRICS", `- name: compute
  topology: {family: leaf-spine, rails: 8, planes: 2, leaves: 16, down: 64, up: 64, spines: 8}
  ends: [{boxes: dgx, ports: compute}]
  switches: {switch: {part: nvidia-sn5600, breakout: 2}}
  media: [{use: [multimode]}]
`, 1))
	if a, b := asJSON(t, pieces(two)), asJSON(t, pieces(one)); a != b || two.Broken() {
		t.Errorf("two fabrics %s\none of two planes %s", a, b)
	}
	box := two.Schedule.Boxes[0]
	if box.Ports[0].Name != "1/1" || box.Ports[1].Name != "2/1" || box.Ports[8].Name != "1/2" ||
		box.Ports[0].Cage != box.Ports[8].Cage || float64(box.Ports[8].Group.Rate) != 400 {
		t.Errorf("ports %+v", box.Ports)
	}
}

// pieces counts transceivers, and cables of all lengths together, on the bill.
func pieces(r *machine.Result) map[string]int64 {
	out := map[string]int64{}
	for _, row := range r.Report().BOM {
		if row.Kind == catalog.KindCable || row.Kind == catalog.KindOptic {
			part, _, _ := strings.Cut(row.Item.String(), "@")
			out[part] += row.Qty
		}
	}
	return out
}

// TestPartsCalledAsPorts holds that a part of a port is not called as another port of the box.
func TestPartsCalledAsPorts(t *testing.T) {
	const file = `
topology: {family: fat-tree, nodes: 8, radix: 8}
packaging: {leaf: {part: my-sw, breakout: {1-2: 2}}}
parts:
  - {id: my-sw, kind: switch, units: 1, width: 44 cm, depth: 60 cm, power: 500 W, hop: 500 ns,
     ports: [{count: 32, per_cage: 2, connector: qsfp28, rate: 100G, aliases: ["{cage}/{port}"]%s}]}
`
	_, err := machine.Parse("x.yaml", fmt.Appendf(nil, file, ""))
	const want = `x.yaml:3:33: packaging.leaf.breakout: port "2/1" and port "3" are both called "2/1"`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := machine.Parse("x.yaml", fmt.Appendf(nil, file, `, split: "#s{lane}"`)); err != nil {
		t.Error(err)
	}
}

// TestBreakoutMistakes are reported at the key of the range.
func TestBreakoutMistakes(t *testing.T) {
	for leaf, want := range map[string]string{
		"{part: nvidia-sn5600, breakout: {swp1-32: 3}}":             "into 2, 4 or 8, not 3",
		"{part: nvidia-sn5600, breakout: {swp1-65: 2}}":             `no port "swp65"`,
		"{part: nvidia-sn5600, breakout: {swp9-1: 2}}":              `"swp9-1" is not a range of ports`,
		"{part: nvidia-sn5600, breakout: {1-9:0: 2}}":               `"1-9:0" is not a range of ports`,
		"{part: nvidia-sn5600, breakout: {1: 2, odd: 2}}":           `port "swp1" is broken out by "1" already`,
		"{part: nvidia-sn5600, breakout: {1-65: 2}}":                `no port "65"`,
		"{part: nvidia-sn5600, breakout: {swp1-sw9: 2}}":            `no port "swp1-sw9"`,
		"{part: nvidia-sn5600, breakout: {swp1-4: 2, swp4: 4}}":     `port "swp4" is broken out by "swp1-4" already`,
		"{part: nvidia-qm9700, breakout: {1-3: 2}}":                 `ports "3" and "4" share a cage`,
		"{part: nvidia-sn6810, breakout: 8}":                        "4 lanes: it cannot be broken out into 8",
		"{part: nvidia-sn6810, breakout: {1-3: 8}}":                 `port "1" of nvidia-sn6810 is optics of dr4`,
		"{breakout: {1-3: 2}}":                                      "ports are those of a part",
		"{part: nvidia-sn5600, breakout: 2, ports: [swp1-64/3]}":    `not every port of "swp1-64" is broken out into 3`,
		"{part: nvidia-sn5600, ports: [swp1-64/1]}":                 `port "swp1" of nvidia-sn5600 is not broken out`,
		"{part: nvidia-sn5600, breakout: 2, ports: [swp1s0, swp1]}": `port "swp1s0" is named twice`,
		"{part: nvidia-sn5600, breakout: {management: 2}}":          `no port`,
	} {
		_, err := machine.Parse("x.yaml", []byte("topology: {family: fat-tree, nodes: 8, radix: 8}\n"+
			"packaging: {leaf: "+leaf+"}\n"))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "x.yaml:2:") {
			t.Errorf("%s: %v", leaf, err)
		}
	}
}
