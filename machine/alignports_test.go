package machine_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// splitPlane is the machine file of servers on a leaf and spine network of one plane for each of their cages' parts.
func splitPlane(servers, parts, leaves, up, spines, cages int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "boxes: [{name: server, count: %d, part: own-server, per_rack: 4, breakout: {net: %d}}]\n"+
		"fabrics:\n",
		servers, parts)
	for plane := range parts {
		fmt.Fprintf(&b, "  - name: plane-%d\n", plane+1)
		fmt.Fprintf(&b, "    topology: {family: leaf-spine, nodes: %d, leaves: %d, up: %d, spines: %d}\n", servers,
			leaves, up, spines)
		fmt.Fprintf(&b, "    ends: [{boxes: server, ports: net/%d}]\n", plane+1)
		fmt.Fprintf(&b, "    switches: {switch: {part: own-switch, breakout: %d}}\n", parts)
	}
	fmt.Fprintf(&b, `parts:
  - {id: own-server, kind: node, units: 4, power: 2 kW, source: test, confidence: user,
     ports: [{name: net, count: 1, connector: osfp, rate: 800G}]}
  - {id: own-switch, kind: switch, units: 2, power: 1 kW, source: test, confidence: user,
     ports: [{name: p, count: %d, connector: osfp, rate: 800G}]}
`, cages)
	return b.String()
}

// TestLevelsBeginWithCages checks, of drawn networks with cages to spare, that no cage of a switch has links of two
// levels, nor links to two spines where a leaf has cages full of links to each, and that every link has a cable.
func TestLevelsBeginWithCages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SampledFrom([]int{2, 4, 8}).Draw(t, "parts")
		leaves, spines := rapid.IntRange(2, 4).Draw(t, "leaves"), rapid.IntRange(1, 3).Draw(t, "spines")
		each := rapid.IntRange(parts, 40).Draw(t, "links to a spine")
		servers := rapid.IntRange(leaves, 40*leaves).Draw(t, "servers")
		down := (servers + leaves - 1) / leaves
		cages := func(links int) int { return (links + parts - 1) / parts }
		need := max(cages(down)+spines*cages(each), leaves*cages(each))
		spare := rapid.IntRange(0, 3).Draw(t, "cages to spare")
		text := splitPlane(servers, parts, leaves, spines*each, spines, need+spare)
		spec, err := machine.Parse("x.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		type cage struct{ device, cage int32 }
		type leads struct{ level, peer int32 }
		seen := map[cage]leads{}
		kinds := r.Graph.Kinds()
		note := func(v, port, level, peer int32) {
			kind := topology.KindOf(kinds, int(v))
			if kinds[kind].Role != topology.Switch {
				return
			}
			to := leads{level, -1}
			if kinds[topology.KindOf(kinds, int(peer))].Role == topology.Switch {
				to.peer = peer
			}
			at := cage{v, int32(r.Schedule.Boxes[kind].Ports[port].Cage)}
			if before, ok := seen[at]; ok && before != to {
				t.Fatalf("cage %d of %s leads to %v and %v", at.cage+1, r.Schedule.Device(v), before, to)
			}
			seen[at] = to
		}
		for l := range r.Graph.Links() {
			note(l.A, l.PortA, l.Level, l.B)
			note(l.B, l.PortB, l.Level, l.A)
		}
		if n := r.Violations.Count(cabling.RuleReach); each%parts == 0 && n > 0 {
			t.Fatalf("%d links have no cable", n)
		}
	})
}
