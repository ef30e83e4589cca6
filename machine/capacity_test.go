package machine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/topology"
)

// bundledClex is a clex of 16 nodes, whose part has the given ports.
func bundledClex(capacity, ports string) string {
	return fmt.Sprintf(`topology: {family: clex, clique: 4, levels: 2, bundled: true%s}
packaging: {node: {part: n}}
parts:
  - {id: n, kind: node, description: n, units: 1, width: 0.4 m, depth: 0.6 m, power: 1 kW, weight: 1 kg, source: x,
     confidence: user, hop: 100 ns, ports: [%s]}
`, capacity, ports)
}

// A link of capacity c takes a port of c times the rate if there is one, otherwise the fewest that carry as much.
func TestPortsOfCapacity(t *testing.T) {
	const slow, fast, middle = "{count: %d, connector: qsfp28, rate: 100G}",
		"{count: %d, connector: qsfp112, rate: 400G, label: \"f#\"}",
		"{count: %d, connector: qsfp56, rate: 200G, label: \"m#\"}"
	for _, c := range []struct {
		capacity, ports string
		cables          int64 // of a link of level2
		product         string
	}{
		{"", fmt.Sprintf(slow+", "+fast, 3, 1), 1, "400g"},
		{"", fmt.Sprintf(fast+", "+slow, 1, 3), 1, "400g"}, // in any order
		{"", fmt.Sprintf(slow+", "+middle, 3, 2), 2, "200g"},
		{"", fmt.Sprintf(slow, 7), 4, "100g"},
		{"", fmt.Sprintf(slow+", "+middle, 9, 1), 4, "100g"}, // one of 200G is too few
		{", capacity: {level2: 1}", fmt.Sprintf(slow, 4), 1, "100g"},
		{", capacity: {level2: 5}", fmt.Sprintf(slow+", "+fast, 3, 2), 2, "400g"},
		{", capacity: {level1: 2, level2: 2}", fmt.Sprintf(slow+", "+middle, 6, 1), 1, "200g"},
	} {
		r, err := planFile(t, write(t, "m.yaml", bundledClex(c.capacity, c.ports)))
		if err != nil {
			t.Errorf("%s%s: %v", c.capacity, c.ports, err)
			continue
		}
		level2 := r.Report().Levels[1]
		if level2.Links != 6*c.cables || level2.Cables != 6*c.cables ||
			max(1, int64(level2.CablesPerLink)) != c.cables {
			t.Errorf("%s%s: %d links, %d cables; want %d cables for each of 6 links", c.capacity, c.ports, level2.Links,
				level2.Cables, c.cables)
		}
		for _, seg := range r.Schedule.Segments {
			p := r.Schedule.Products[seg.Product]
			if seg.Level == 1 && !strings.Contains(p.Part.ID, c.product) {
				t.Errorf("%s%s: %s", c.capacity, c.ports, p.Part.ID)
			}
		}
		if r.Violations.Errors() > 0 {
			t.Errorf("%s%s: %v", c.capacity, c.ports, r.Violations.List())
		}
	}
}

func TestMistakesOfCapacity(t *testing.T) {
	few := fmt.Sprintf("{count: %d, connector: qsfp28, rate: 100G}", 6)
	for _, c := range []struct{ file, want string }{
		{
			bundledClex("", few),
			"m.yaml:2:26: packaging.node.part: a node has 4 links; those of level2 have a capacity of 4 times 100G",
		},
		{bundledClex("", few), "name a part with 7 ports of 100G, or with faster ones"},
		{
			bundledClex(", capacity: {levl2: 2}", few),
			`m.yaml:1:74: topology.capacity.levl2: a clex has no level "levl2"; did you mean "level2"?`,
		},
		{bundledClex(", capacity: {level2: -2}", few), "topology.capacity.level2: -2 is negative"},
		{bundledClex(", capacity: {level2: 0}", few), "topology.capacity.level2: must be from 1 to 65535"},
		{bundledClex(", capacity: {level2: 70000}", few), "topology.capacity.level2: must be from 1 to 65535"},
		{bundledClex(", capacity: {level2: fast}", few), "topology.capacity.level2"},
		{bundledClex(", capacity: 3", few), "topology.capacity: expected keys with values"},
		{
			"topology: {family: clex, clique: 32, levels: 3, bundled: true}\n",
			"no generic part has the 127 ports of a node, where a link takes as many of one rate as its capacity",
		},
		{`fabrics:
  - {name: net, topology: {family: torus, dims: [4, 4], capacity: {dim1: 2}}, ends: [{boxes: n, ports: 1-4}]}
boxes: [{name: n, part: generic-torus-node-1u, count: 16}]
`, "a link of net/dim1 has a capacity of 2 times 400G"},
	} {
		if _, err := planFile(t, write(t, "m.yaml", c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\nwant %s", err, c.want)
		}
	}
}

// The plan and the estimate of a machine with capacities count the same ports and cables, and links of capacity 1 are
// planned as without one.
func TestCapacityInPlanAndEstimate(t *testing.T) {
	graphtest.FewerDraws(t, 20)
	for _, f := range topology.Families() {
		if f.Name == "file" || f.Name == "ocs-torus" {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p, plain := graphtest.Member(t, f.Name, 150)
				capacity := map[string]int{}
				for _, l := range plain.Levels() {
					capacity[l.Name] = rapid.IntRange(1, 3).Draw(t, "capacity")
				}
				s := &spec.Spec{Topology: topology.Spec{
					Params: p, LevelCapacity: topology.LevelCapacity{Capacity: capacity},
				}}
				r, err := machine.PlanWith(context.Background(), s, machine.Options{Summary: true})
				if err != nil {
					if strings.Contains(err.Error(), "ports") || strings.Contains(err.Error(), "one way only") {
						return // no generic part has as many
					}
					t.Fatal(err)
				}
				e, err := machine.Estimate(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				report := r.Report()
				if e.Cables != report.Cables || e.Links != report.Links {
					t.Fatalf("%v: %d links and %d cables, estimated %d and %d", capacity, report.Links, report.Cables,
						e.Links, e.Cables)
				}
				channels := topology.Channels(plain)
				for i, l := range report.Levels {
					// A link takes as many cables as its capacity, or fewer where the ports of a switch are faster than
					// those of its nodes.
					cables := max(l.CablesPerLink, 1)
					if want := channels[i] * int64(cables); l.Links != want || int(cables) > capacity[l.Level] {
						t.Fatalf("%v: %d links of %s, want %d", capacity, l.Links, l.Level, want)
					}
				}
				if r.Violations.Count(cabling.RulePorts) > 0 {
					t.Fatalf("%v", r.Violations.List())
				}
			})
		})
	}
}
