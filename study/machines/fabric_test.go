package machines_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/study/machines"
	"github.com/plenum-planner/plenum/topology"
)

// cluster is a machine of two fabrics; %s are the topology of the first, its switches, media rules and delays.
const cluster = `
  boxes: [{name: node, count: 16, part: server, per_rack: 8}, {name: store, count: 2, role: service, part: server}]
  fabrics:
    - name: compute
      topology: %s
      ends: [{boxes: node, ports: fast}]
%s
    - name: storage
      topology: {family: leaf-spine, leaves: 3, down: 8, up: 2, spines: 2}
      ends: [{boxes: node, ports: slow}, {boxes: store, ports: slow}]
      switches: {switch: {part: generic-switch-64x400g, racks: network, per_rack: 4}}
  room: {rows: 2, racks_per_row: 4}
  rules: {suppress: [{rule: redundancy, reason: the room is small}]}
  prices: {set: estimate-2025, unit: {server: 1000}}
  parts:
    - id: server
      kind: node
      description: a server with two networks
      units: 2
      power: 500 W
      source: made up
      confidence: estimate
      ports:
        - {name: fast, count: 1, connector: osfp, rate: 400G}
        - {name: slow, count: 1, connector: osfp, rate: 400G}
`

const (
	leafSpine = "{family: leaf-spine, leaves: 4, down: 4, up: 2, spines: 2}"
	switches  = "      switches: {switch: {part: generic-switch-64x400g, racks: network, per_rack: 4}}\n"
)

// The front of a fabric is that of all machines with a topology in the place of the fabric's, planned one by one.
func TestTheFrontOfAFabricIsThatOfAllClusters(t *testing.T) {
	for _, c := range []struct {
		objective, nodes string
		least            int // nodes that are enumerated
	}{
		{machines.Money, "", 16},
		{machines.Delay, "nodes: 16..17\n", 16},
	} {
		text := "machine:" + fmt.Sprintf(cluster, leafSpine,
			switches+"      media: [{levels: [terminal, tier1], use: single-mode}, "+
				"{levels: tier1, use: single-mode}]") +
			"fabric: compute\n" + c.nodes + "families: [fat-tree, hyperx, torus]\nswitch_ports: 8\n" +
			"objective: " + c.objective + "\nequal: {hop: 70 ns}\n"
		r := run(t, text, machines.Options{})
		if r.Fabric != "compute" || r.NodesMin != c.least || len(r.Front) == 0 || len(r.Warnings) > 0 {
			t.Fatalf("%s: fabric %q of %d nodes, a front of %d, warnings %q", c.objective, r.Fabric, r.NodesMin,
				len(r.Front), r.Warnings)
		}
		type plan struct {
			topology string
			axes     [2]float64
		}
		var plans []plan
		topologies := []string{}
		for _, e := range r.Front {
			topologies = append(topologies, e.Topology)
		}
		for _, f := range r.Fallen {
			topologies = append(topologies, f.Topology)
		}
		for _, family := range r.Families {
			sizes, err := topology.Sizes(family, topology.SizeQuery{
				MinNodes: r.NodesMin, MaxNodes: r.NodesMax, MaxPorts: 8, Limit: 1000,
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range sizes.Sizes {
				if !slices.Contains(topologies, size.Spec.String()) {
					t.Errorf("%v is not searched", size.Spec)
				}
			}
		}
		for _, text := range topologies {
			own := switches + "      delay: {hop: {switch: 70 ns}}\n"
			media := "      media: [{levels: terminal, use: single-mode}]"
			if strings.Contains(text, "fat-tree") {
				media = strings.Replace(media, "terminal", "[terminal, tier1]", 1)
			}
			if strings.Contains(text, "torus") {
				own, media = "      delay: {hop: {node: 70 ns}}\n", ""
			}
			given, err := machine.Parse("x.yaml", []byte(strings.ReplaceAll(
				fmt.Sprintf(cluster, text, own+media), "\n  ", "\n")))
			if err != nil {
				t.Fatal(err)
			}
			p, err := machine.Plan(t.Context(), given)
			if err != nil || p.Violations.Errors() > 0 {
				continue
			}
			doc := p.Report()
			axes := [2]float64{doc.Cost.Total.Float(), float64(doc.Fabrics[0].Delay.NsMean)}
			if c.objective == machines.Delay {
				axes = [2]float64{axes[1], axes[0]}
			}
			plans = append(plans, plan{text, axes})
		}
		front := map[string][2]float64{}
		for _, p := range plans {
			beaten := slices.ContainsFunc(plans, func(q plan) bool {
				return q.axes[0] <= p.axes[0] && q.axes[1] <= p.axes[1] && q.axes != p.axes
			})
			if !beaten {
				front[p.topology] = p.axes
			}
		}
		if len(plans) < 5 || len(front) < 2 || len(front) != len(r.Front) {
			t.Errorf("%s: of %d plans %d are on the front, and %d were found", c.objective, len(plans), len(front),
				len(r.Front))
		}
		for _, e := range r.Front {
			axes, ok := front[e.Topology]
			other := e.Delay
			if c.objective == machines.Delay {
				other = e.Cost
			}
			if !ok || math.Abs(axes[0]-e.Score) > 1e-6*e.Score || math.Abs(axes[1]-other) > 1e-6*other {
				t.Errorf("%s: %s has %v, %v; planned %v", c.objective, e.Topology, e.Score, other, axes)
			}
		}
	}
}

// What a search of a fabric cannot take is refused, with what to write.
func TestMistakesAboutFabrics(t *testing.T) {
	whole := func(topology, own string) string { return "machine:" + fmt.Sprintf(cluster, topology, own) }
	for _, c := range []struct {
		text string
		want []string
	}{
		{whole(leafSpine, switches) + "nodes: 16\n", []string{"compute and storage", "write fabric: NAME", "compute"}},
		{whole(leafSpine, switches) + "nodes: 16\nfabric: computer\n", []string{"no fabric \"computer\"", "compute\""}},
		{"machine: {}\nnodes: 16\nfabric: compute\n", []string{"3:9", "one topology", "remove fabric"}},
		{
			whole(leafSpine, switches) + "fabric: compute\nswitches: nvidia-qm9700\n",
			[]string{"fabrics[0].switches.switch.part", "remove this, or switches of the search"},
		},
		{
			whole("{family: leaf-spine, leaves: 2, nodes: 8, down: 4, up: 2, spines: 2}", switches) +
				"fabric: compute\n",
			[]string{"nodes: missing", "16 places", "write nodes: NUMBER"},
		},
	} {
		_, err := machines.Parse("search.yaml", []byte(c.text))
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("no %q in %v", want, err)
			}
		}
	}
	s, err := machines.Parse("search.yaml", []byte(whole(leafSpine,
		"      switches: {spine: {part: generic-switch-64x400g}}")+"fabric: compute\nfamilies: torus\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Run(t.Context(), machines.Options{})
	for _, want := range []string{"fabrics[0].switches.spine", "no candidate has such boxes"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
}

// The parts of switches are those of the search, in the fabric that it is for only.
func TestSwitchesOfAFabric(t *testing.T) {
	r := run(t, "machine:"+fmt.Sprintf(cluster, leafSpine, "      switches: {leaf: {place: in-rack}}")+
		"fabric: compute\nfamilies: fat-tree\nswitches: nvidia-qm9700\n", machines.Options{})
	for _, e := range r.Front {
		if e.Switch != "nvidia-qm9700" {
			t.Errorf("%s is of %q", e.Topology, e.Switch)
		}
	}
	if len(r.Front) == 0 {
		t.Errorf("no front: %v", r.Fallen)
	}
}
