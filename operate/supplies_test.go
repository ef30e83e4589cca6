package operate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// suppliedMachine is a machine with two racks of four servers and four PDUs on two feeds.
func suppliedMachine(t *testing.T, redundancy, ofPDUs, feeds string) *machine.Result {
	t.Helper()
	spec, err := machine.Parse("machine.yaml", fmt.Appendf(nil, `
boxes: [{name: n, part: n}, {name: fw, part: fw, role: service, count: 1}, {name: pdu, part: pdu, role: service}]
racks: [{name: r, count: 2, holds: [{boxes: n, units: 1-8}, {switch: net, units: 20},
  {boxes: pdu, count: 4%s}]}]
fabrics: [{name: net, topology: {family: access}, switches: {leaf: {part: sw}},
  ends: [{boxes: n}, {boxes: fw}, {boxes: pdu}]}]
room: {rows: 1, racks_per_row: 4%s}
parts:
- {id: n, kind: node, units: 2, power: 3 kW, inlets: {c20: 6}, redundancy: %s,
   ports: [{count: 1, connector: rj45, rate: 1G}]}
- {id: fw, kind: node, units: 1, power: 100 W, ports: [{count: 1, connector: rj45, rate: 1G}]}
- {id: sw, kind: switch, units: 1, hop: 100, power: 90 W, inlets: {c14: 2}, redundancy: N+1,
   ports: [{count: 40, connector: rj45, rate: 1G}]}
- {id: pdu, kind: node, zero_u: true, height: 1.8 m, supply: {volts: 415 V, phases: 3, breaker: 60 A,
     outlets: [{type: c13, count: 6}, {type: c19, count: 9}]}, ports: [{count: 1, connector: rj45, rate: 1G}]}
`, ofPDUs, feeds, redundancy))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := machine.PlanWith(context.Background(), spec, machine.Options{NoPaths: true})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// TestLossOfSupplies: the loss of a PDU takes down the nodes that its cords leave with too few inlets, the same as the
// rule feed-loss reports, and switches, service boxes and supplies are counted apart.
func TestLossOfSupplies(t *testing.T) {
	const feeds = ", feeds: [{name: A}, {name: B}]"
	for _, redundancy := range []string{"N", "N+1", "N+2", "N+3"} {
		plan := suppliedMachine(t, redundancy, ", redundancy: N+1", feeds)
		d, err := Of(context.Background(), plan, Options{Worst: 100})
		if err != nil {
			t.Fatal(err)
		}
		spare, _ := plan.Schedule.Boxes[0].Part.Redundancy.Spare(6)
		down := map[string]int{}
		most := 0
		for i := range plan.Power.Racks {
			rack := &plan.Power.Racks[i]
			for s, at := range rack.SupplyAt {
				n := 0
				for b := range rack.Boxes {
					lost := 0
					for _, c := range rack.CordsOf(b) {
						if c.Supply == s {
							lost++
						}
					}
					node := topology.KindOf(plan.Schedule.Kinds, int(rack.BoxAt[b])) == 0
					if node && lost > spare {
						n++
					}
				}
				down[plan.Schedule.Device(at)] = n
				most = max(most, n)
			}
		}
		count := map[string]int{}
		for _, k := range d.Dark {
			count[k.Kind] = k.Count
			for _, l := range k.Worst {
				if k.Kind == "supply" && l.NodesDown != down[l.Name] {
					t.Errorf("%s, loss of %s: %d nodes down, want %d", redundancy, l.Name, l.NodesDown, down[l.Name])
				}
			}
		}
		if count["switch"] != 2 || count["service"] != 1 || count["supply"] != 8 {
			t.Errorf("%v", count)
		}
		said := slices.ContainsFunc(plan.Violations.List(), func(v cabling.Violation) bool {
			return v.Rule == cabling.RuleFeedLoss.ID && strings.Contains(v.Message, "redundancy N+1")
		})
		if said != (most > 0) {
			t.Errorf("%s: up to %d nodes go dark without a supply, feed-loss reports it: %v", redundancy, most, said)
		}
	}
	d, err := Of(context.Background(), suppliedMachine(t, "N", "", ""), Options{Worst: 100})
	if err != nil || !strings.Contains(strings.Join(d.Notes, "\n"), "without room.feeds") {
		t.Errorf("%v, %v", d.Notes, err)
	}
	for _, k := range d.Dark {
		if k.Kind == "supply" || k.Kind == "service" && k.Count != 9 {
			t.Errorf("%s: %d", k.Kind, k.Count)
		}
	}
}
