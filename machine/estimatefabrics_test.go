package machine_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cost"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/units"
)

func estimateOf(t *testing.T, text string) *cost.Estimate {
	t.Helper()
	s, err := machine.Parse("m.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	e, err := machine.Estimate(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// single is a machine where no cable carries several links, as an estimate assumes.
var single = strings.Replace(pod, "name: pod\n", "name: pod\ncabling: {media: [{use: [any]}]}\n", 1)

// TestEstimateCountsFabrics: boxes, links and what belongs to each fabric are counted as in a plan, and the fabrics are
// parts of the whole.
func TestEstimateCountsFabrics(t *testing.T) {
	for name, text := range map[string]string{
		"pod": single, "racked": racked, "direct": direct,
		"cabinet": strings.Replace(racked, "embedding:", "prices: {model: cabinet}\nembedding:", 1),
	} {
		e, p := estimateOf(t, text), buy(t, text).Report()
		if e.Nodes != p.Nodes || e.Switches != p.Switches || e.Links != p.Links || len(e.Fabrics) != len(p.Fabrics) {
			t.Fatalf("%s: %d nodes, %d switches, %d links in %d fabrics; the plan has %d, %d, %d in %d", name, e.Nodes,
				e.Switches, e.Links, len(e.Fabrics), p.Nodes, p.Switches, p.Links, len(p.Fabrics))
		}
		var links, cables int64
		var money units.Money
		var metres float64
		for i, f := range e.Fabrics {
			of := p.Fabrics[i]
			if f.Name != of.Name || asJSON(t, f.Topology) != asJSON(t, of.Topology) || f.Nodes != of.Nodes ||
				f.Ends != of.Ends || f.Switches != of.Switches || f.Links != of.Links ||
				f.Cost.Switches != of.Cost.Switches || len(f.Levels) != len(of.Levels) {
				t.Errorf("%s:\n got %+v\nwant %+v", name, f, of)
				continue
			}
			for k, l := range f.Levels {
				if l.Level != of.Levels[k].Level || l.Links != of.Levels[k].Links {
					t.Errorf("%s, %s: %+v, the plan has %+v", name, f.Name, l, of.Levels[k])
				}
			}
			links, cables, money = links+f.Links, cables+f.Cables, money+f.Cost.Total
			metres += float64(f.Length.Total)
		}
		if links != e.Links || cables != e.Cables || money != e.Cost.Switches+e.Cost.Cables ||
			math.Abs(metres-float64(e.Length.Total)) > 0.01 {
			t.Errorf("%s: fabrics have %d links, %d cables of %v m for %v; the machine %d, %d of %v for %v", name,
				links,
				cables, metres, money, e.Links, e.Cables, e.Length.Total, e.Cost.Switches+e.Cost.Cables)
		}
	}
}

// TestEstimateOfOneFabric is that of the machine with its topology alone.
func TestEstimateOfOneFabric(t *testing.T) {
	const rest = "room: {rows: 2, racks_per_row: 8, rack: rack-48u}\n"
	one := estimateOf(t, `
topology: {family: fat-tree, nodes: 32, radix: 64, rails: 8}
packaging: {node: {part: nvidia-dgx-h100, per_rack: 4}, switch: {part: nvidia-qm9700}}
`+rest)
	several := estimateOf(t, `
boxes: [{name: dgx, count: 32, part: nvidia-dgx-h100, per_rack: 4}]
fabrics:
- {name: compute, topology: {family: fat-tree, radix: 64, rails: 8}, ends: [{boxes: dgx, ports: compute}],
   switches: {switch: {part: nvidia-qm9700}}}
`+rest)
	f := several.Fabrics[0]
	if got, want := asJSON(t, f.Levels), asJSON(t, one.Levels); got != want {
		t.Errorf("levels\n%s\nwant\n%s", got, want)
	}
	if asJSON(t, f.Length) != asJSON(t, one.Length) || f.Links != one.Links || f.Cables != one.Cables {
		t.Errorf("%+v, want %+v", f, one)
	}
	if asJSON(t, several.Cost) != asJSON(t, one.Cost) || several.Racks != one.Racks || several.Ports != one.Ports ||
		*several.Power != *one.Power {
		t.Errorf("%d racks, %d ports, %v, %+v; want %d, %d, %v, %+v", several.Racks, several.Ports, *several.Power,
			several.Cost, one.Racks, one.Ports, *one.Power, one.Cost)
	}
}

// TestEstimateFillsRacks as the plan does: boxes of several kinds in one rack, racks by a name, boxes beside the units.
func TestEstimateFillsRacks(t *testing.T) {
	const named = `
boxes:
- {name: pc, count: 40, part: generic-server-1u, per_rack: 20}
- {name: admin, count: 6, role: service, part: generic-server-1u, racks: core, per_rack: 4}
- {name: pdu, role: service, part: generic-pdu-0u, per_rack: 2}
fabrics:
- name: data
  topology: {family: leaf-pair, down: 60}
  ends: [{boxes: pc, ports: data}, {boxes: admin, ports: data}]
  switches: {switch: {part: nvidia-sn4600c, place: network-row, per_rack: 1}}
- name: oob
  topology: {family: access, down: 48}
  ends: [{boxes: "*", ports: bmc}, {boxes: pdu}]
  switches: {leaf: {part: nvidia-sn2201, racks: core}}
rules: {suppress: [{rule: redundancy, reason: a test}]}
`
	for name, text := range map[string]string{"mixed": racked, "named": named} {
		e, p := estimateOf(t, text), buy(t, text).Report()
		if e.Racks != p.Racks || e.Links != p.Links {
			t.Errorf("%s: %d racks and %d links, the plan has %d and %d", name, e.Racks, e.Links, p.Racks, p.Links)
		}
	}
	near, far := estimateOf(t, racked), estimateOf(t, strings.Replace(racked, "- name: oob\n",
		"- name: oob\n  order: list\n", 1))
	if a, b := near.Fabrics[1].Length.Mean, far.Fabrics[1].Length.Mean; a >= b {
		t.Errorf("%v m mean by place, %v by list", a, b)
	}
}

// TestEstimateOutOfTheRoom: cables that go on out of the room are that much longer.
func TestEstimateOutOfTheRoom(t *testing.T) {
	const text = `
boxes:
- {name: pc, count: 8, part: generic-server-1u}
- {name: carrier, count: 1, role: service, part: generic-server-1u, beyond: 0 m}
fabrics:
- name: data
  topology: {family: leaf-pair, down: 8}
  ends: [{boxes: pc, ports: data}]
  switches: {switch: {part: nvidia-sn4600c}}
  uplinks: [{to: carrier, each: 1, to_ports: data}]
`
	in, out := estimateOf(t, text), estimateOf(t, strings.Replace(text, "beyond: 0 m", "beyond: 80 m", 1))
	if d := out.Length.Total - in.Length.Total; math.Abs(float64(d)-160) > 1e-6 {
		t.Errorf("%v m more, want 160", d)
	}
}

// TestPublishedModelsOfFabrics are refused at their line.
func TestPublishedModelsOfFabrics(t *testing.T) {
	for _, model := range cost.ModelNames() {
		s, err := machine.Parse("m.yaml", []byte(strings.Replace(pod, "prices: {", "prices: {model: "+model+", ", 1)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = machine.Estimate(context.Background(), s)
		own := slices.Contains([]string{cost.ModelParts, cost.ModelCabinet, cost.ModelPorts}, model)
		if own && err != nil || !own && (err == nil || !strings.Contains(err.Error(),
			"prices.model: the model "+model)) {
			t.Errorf("%s: %v", model, err)
		}
	}
}
