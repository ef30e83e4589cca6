package machine_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

// pod is a small machine of three fabrics: computing over eight rails, a network of servers over two, and management
// with links up to it.
const pod = `
name: pod
boxes:
- {name: dgx, count: 8, part: nvidia-dgx-h100, per_rack: 2}
- {name: manager, count: 5, role: service, part: server}
fabrics:
- name: compute
  topology: {family: fat-tree, radix: 64, rails: 8}
  ends: [{boxes: dgx, ports: compute}]
  switches: {switch: {part: nvidia-qm9700}}
  media: [{levels: [terminal], use: [fibre]}, {use: [copper]}]
- name: in-band
  topology: {family: fat-tree, radix: 32, rails: 2}
  ends: [{boxes: dgx, ports: in-band}, {boxes: manager, ports: data}]
  switches: {switch: {part: nvidia-sn4600c}}
- name: oob
  topology: {family: hyperx, dims: [1], terminals: 40}
  ends:
  - {boxes: dgx, ports: bmc}
  - {boxes: manager, ports: bmc}
  - {boxes: compute/leaf, ports: management}
  switches: {switch: {part: access}}
  uplinks: [{to: in-band/leaf, each: 2, ports: [up]}]
room: {rows: 1, racks_per_row: 8, rack: rack-48u}
delay: {hop: {oob-switch: 1000 ns}}
prices: {unit: {access: 2000}}
rules: {suppress: [{rule: redundancy, reason: small}]}
parts:
- {id: server, kind: node, units: 1, width: 440 mm, depth: 700 mm, power: 500 W, source: x, confidence: user,
   ports: [{name: data, count: 2, connector: qsfp28, rate: 100G},
           {name: bmc, count: 1, connector: rj45, rate: 1G, by_name: true, label: bmc}]}
- {id: access, kind: switch, units: 1, width: 440 mm, depth: 400 mm, power: 100 W, source: x, confidence: user,
   ports: [{name: down, count: 48, connector: rj45, rate: 1G},
           {name: up, count: 4, first: 49, connector: qsfp28, rate: 100G}]}
- {id: nvidia-qm9700, kind: switch, units: 1, width: 440 mm, depth: 660 mm, power: 747 W, hop: 130 ns, source: x,
   confidence: user,
   ports: [{count: 64, connector: osfp, rate: 400G, per_cage: 2, rows: 2},
           {name: management, count: 1, connector: rj45, rate: 1G, by_name: true, label: mgmt}]}
`

// TestSeveralFabrics plans them on one floor with one bill.
func TestSeveralFabrics(t *testing.T) {
	r := buy(t, pod)
	doc := r.Report()
	var names []string
	for _, f := range doc.Fabrics {
		names = append(names, f.Name)
	}
	if want := []string{"compute", "in-band", "oob"}; !slices.Equal(names, want) {
		t.Fatalf("fabrics %v, want %v", names, want)
	}
	if doc.Nodes != 8 || doc.Switches != 12+3+1 || doc.Delay != nil {
		t.Errorf("%d nodes, %d switches, delay %v", doc.Nodes, doc.Switches, doc.Delay)
	}
	compute, inBand, oob := doc.Fabrics[0], doc.Fabrics[1], doc.Fabrics[2]
	if compute.Nodes != 8 || compute.Links != 64+256 {
		t.Errorf("compute: %d nodes, %d links", compute.Nodes, compute.Links)
	}
	if inBand.Ends != 13 || inBand.Nodes != 8 || inBand.Levels[0].Links != 2*13 {
		t.Errorf("in-band: %d ends, %d nodes, levels %v", inBand.Ends, inBand.Nodes, inBand.Levels)
	}
	if n := oob.Levels[len(oob.Levels)-1]; oob.Ends != 8+5+8 || n.Level != "uplink" || n.Links != 2 {
		t.Errorf("out-of-band: %d ends, level %s of %d links", oob.Ends, n.Level, n.Links)
	}
	links, cables := int64(0), int64(0)
	for _, f := range doc.Fabrics {
		links, cables = links+f.Links, cables+f.Cables
		if f.Delay == nil || f.Delay.HopsMean <= 0 {
			t.Errorf("%s has no delays", f.Name)
		}
	}
	if links != doc.Links || cables != doc.Cables {
		t.Errorf("%d links and %d cables of the fabrics, %d and %d of the machine", links, cables, doc.Links,
			doc.Cables)
	}
	for _, m := range doc.Media {
		if strings.HasPrefix(m.Product, "cat6") && m.Length > 0 && m.Qty > 0 {
			return
		}
	}
	t.Error("no copper pair in the bill")
}

// TestFabricIsThePlanOfItAlone: a fabric whose boxes have no other ports in use has the figures of a machine that has
// only it.
func TestFabricIsThePlanOfItAlone(t *testing.T) {
	const rest = `
room: {rows: 2, racks_per_row: 8, rack: rack-48u}
rules: {suppress: [{rule: redundancy, reason: small}]}
`
	one := buy(t, `
topology: {family: fat-tree, nodes: 32, radix: 64, rails: 8}
packaging: {node: {part: nvidia-dgx-h100, per_rack: 4}, switch: {part: nvidia-qm9700}}
`+rest).Report()
	several := buy(t, `
boxes: [{name: dgx, count: 32, part: nvidia-dgx-h100, per_rack: 4}]
fabrics:
- {name: compute, topology: {family: fat-tree, radix: 64, rails: 8}, ends: [{boxes: dgx, ports: compute}],
   switches: {switch: {part: nvidia-qm9700}}}
`+rest).Report()
	f := several.Fabrics[0]
	got, want := asJSON(t, f.Delay), asJSON(t, one.Delay)
	if got != want {
		t.Errorf("delays differ\n got %s\nwant %s", got, want)
	}
	if got, want := asJSON(t, f.Levels), asJSON(t, one.Levels); got != want {
		t.Errorf("levels differ\n got %s\nwant %s", got, want)
	}
	if got, want := asJSON(t, several.BOM), asJSON(t, one.BOM); got != want {
		t.Errorf("bills differ\n got %s\nwant %s", got, want)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestFabricMistakes are told at their lines.
func TestFabricMistakes(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"{boxes: dgx, ports: in-band}", "{boxes: dgx, ports: compute}", "is plugged in at fabrics[0].ends[0] already"},
		{"{boxes: dgx, ports: bmc}", "{boxes: dxg, ports: bmc}", `did you mean "dgx"?`},
		{"{boxes: dgx, ports: bmc}", "{boxes: dgx, ports: bcm}", "nvidia-dgx-h100 has no port or group of ports"},
		{
			"{boxes: dgx, ports: bmc}", "{boxes: dgx}",
			"name a group of ports of nvidia-dgx-h100: compute, storage, in-band",
		},
		{"{boxes: dgx, ports: bmc}", "{boxes: dgx, ports: bmc, first: 9}", "9 of 8 dgxs that there are"},
		{"{boxes: dgx, ports: bmc}", "{boxes: oob/switch, ports: down}", "no ends of the same"},
		{"to: in-band/leaf", "to: in-band/lief", `there are no switches "in-band/lief"`},
		{"to: in-band/leaf", "to: oob/switch", "uplinks lead to another fabric"},
		{"each: 2, ports: [up]", "each: 5, ports: [up]", "5 uplinks at every oob-switch, and 4 of its ports are free"},
		{"terminals: 40", "terminals: 20", "the boxes take 21 places, and the topology has 20"},
		{"terminals: 40", "terminals: 53", "a switch of oob has 53 links, and access has 52 for them"},
		{"name: in-band", "name: compute", `fabrics[0] has the name "compute" already`},
		{"levels: [terminal]", "levels: [terminl]", `compute has no level "terminl"`},
		{"switches: {switch: {part: access}}", "switches: {leaf: {part: access}}", "a hyperx has no leaf"},
		{"part: server}", "part: nvidia-qm9700}", "is of kind switch, not node"},
		{"{oob-switch: 1000 ns}", "{oob-leaf: 1000 ns}", "oob-leaf"},
		{"name: pod", "topology: {family: torus, dims: [4]}", "either one topology or fabrics"},
		{"room: {rows: 1, ", "packaging: {node: {part: server}}\nroom: {rows: 1, ", "are listed in boxes"},
	} {
		if !strings.Contains(pod, c.from) {
			t.Fatalf("%q is not there", c.from)
		}
		s, err := machine.Parse("m.yaml", []byte(strings.Replace(pod, c.from, c.to, 1)))
		if err == nil {
			_, err = machine.Plan(context.Background(), s)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: %v\nwant %s", c.to, c.from, err, c.want)
		}
	}
}

// TestFabricOf finds a fabric by name, and builds the topology of one.
func TestFabricOf(t *testing.T) {
	r := buy(t, pod)
	n, err := r.Fabric("in-band")
	if err != nil || n.Graph.Family() != "fat-tree" || n.Links.Count() == 0 {
		t.Fatalf("%v, %v", n, err)
	}
	for _, name := range []string{"", "in"} {
		if _, err := r.Fabric(name); err == nil || !strings.Contains(err.Error(), "compute, in-band, oob") {
			t.Errorf("fabric %q: %v", name, err)
		}
	}
	s, err := machine.Parse("m.yaml", []byte(pod))
	if err != nil {
		t.Fatal(err)
	}
	g, err := machine.Topology(s, "oob")
	if err != nil || topology.Count(g).Links != 21 {
		t.Errorf("%v, %v", g, err)
	}
	if _, err := machine.Estimate(context.Background(), s); err == nil {
		t.Error("a machine of several fabrics was estimated")
	}
	boxes := r.Report().Boxes
	if len(boxes) != 7 || boxes[1].Role != spec.Service || boxes[2].Fabric != "compute" {
		t.Errorf("boxes %+v", boxes)
	}
}
