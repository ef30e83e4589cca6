package machine_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/power"
)

// shelved is a rack of 8 boxes of so much power on the busbar of shelves of 1 kW, four on each of two feeds.
const shelved = `
boxes: [{name: n, part: n}, {name: shelf, part: shelf, role: service}]
racks:
- {name: pod, count: 1, holds: [{boxes: n, units: 1-8}, {switch: net, units: 20},
   {boxes: shelf, units: 30-33, feed: A%s}, {boxes: shelf, units: 34-37, feed: B%s}]}
fabrics: [{name: net, topology: {family: access}, ends: [{boxes: n}], switches: {leaf: {part: sw}}}]
room: {rows: 1, racks_per_row: 1, feeds: [{name: A}, {name: B}]}
parts:
- {id: n, kind: node, units: 1, power: %d W, inlets: {busbar: 1}, ports: [{count: 1, connector: rj45, rate: 1G}]}
- {id: sw, kind: switch, units: 1, hop: 100, ports: [{count: 40, connector: rj45, rate: 1G}]}
- {id: shelf, kind: node, units: 1, supply: {power: 1 kW, %soutlets: [{type: busbar}]},
   ports: [{count: 1, connector: rj45, rate: 1G}]}
`

func planShelves(t *testing.T, a, b string, watts int, efficiency string) (*machine.Result, error) {
	t.Helper()
	s, err := machine.Parse("m.yaml", []byte(fmt.Sprintf(shelved, a, b, watts, efficiency)))
	if err != nil {
		return nil, err
	}
	return machine.PlanWith(context.Background(), s, machine.Options{Summary: true})
}

// TestLossOfShelves: with N+1 seven of the eight shelves of 1 kW have to give what all draw, with N+2 six. Beyond that
// the rest is overloaded and all boxes go dark.
func TestLossOfShelves(t *testing.T) {
	for _, c := range []struct {
		redundancy string
		left       int // shelves
	}{{"", 8}, {", redundancy: N", 8}, {", redundancy: N+1", 7}, {", redundancy: N+2", 6}, {", redundancy: 2N", 6}} {
		for _, over := range []int{0, 1} {
			watts := c.left*1000/8 + over
			r, err := planShelves(t, c.redundancy, "", watts, "")
			if err != nil {
				t.Fatal(err)
			}
			doc := r.Report()
			if c.left == 8 {
				if doc.SupplyLosses != nil {
					t.Errorf("%q: %+v", c.redundancy, doc.SupplyLosses)
				}
				continue
			}
			dark, words := 8*over, slices.ContainsFunc(r.Violations.List(), func(b cabling.Violation) bool {
				return b.Rule == cabling.RuleFeedLoss.ID && strings.Contains(b.Message, "(redundancy")
			})
			if len(doc.SupplyLosses) != 1 || words != (over > 0) {
				t.Fatalf("%q, %d W: %+v, violations %v", c.redundancy, watts, doc.SupplyLosses, r.Violations.List())
			}
			l := doc.SupplyLosses[0]
			if l.Dark != dark || len(l.Lost) != 8-c.left || l.MostPower != 1000 ||
				math.Abs(float64(l.Power)-float64(8*watts)/float64(c.left)) > 0.1 {
				t.Errorf("%q, %d W: %+v", c.redundancy, watts, l)
			}
		}
	}
	one := strings.NewReplacer(", feed: A%s", ", redundancy: N+1", ", feed: B%s", "").Replace(shelved)
	unfed := strings.Replace(one,
		", feeds: [{name: A}, {name: B}]", "", 1)
	if _, err := machine.Parse("m.yaml", fmt.Appendf(nil, unfed, 100, "")); err == nil ||
		!strings.Contains(err.Error(), "racks[0].holds[2].redundancy: is checked on the feeds of the room") {
		t.Errorf("without feeds: %v", err)
	}
	for redundancy, want := range map[string]string{
		", redundancy: N+4": `racks[0].holds[2].redundancy: "N+4" is not a redundancy of 4 boxes`,
		", redundancy: 3N":  "racks[0].holds[2].redundancy",
	} {
		if _, err := planShelves(t, redundancy, "", 100, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", redundancy, err, want)
		}
	}
}

// TestEfficiencyOfShelves: feeds give what boxes draw, divided by the efficiency; what shelves give is what is drawn.
func TestEfficiencyOfShelves(t *testing.T) {
	for efficiency, factor := range map[string]float64{"": 1, "efficiency: 80 %, ": 1.25, "efficiency: 100 %, ": 1} {
		r, err := planShelves(t, "", "", 1000, efficiency)
		if err != nil {
			t.Fatal(err)
		}
		rack := &r.Power.Racks[0]
		for f := range 2 {
			if sum := float64(r.Power.Given(f, power.NoFeed)); math.Abs(sum-4000*factor) > 1e-6 {
				t.Errorf("%q: feed %d gives %v, want %v", efficiency, f, sum, 4000*factor)
			}
		}
		for s := range rack.Supplies {
			if gives := float64(rack.Supplies[s].Given(rack.Normal.Phases[s])); math.Abs(gives-1000) > 1e-6 {
				t.Errorf("%q: a shelf gives %v", efficiency, gives)
			}
		}
		noted := strings.Contains(strings.Join(r.Notes, "\n"), "state their efficiency")
		if noted != (efficiency != "") {
			t.Errorf("%q: notes %q", efficiency, r.Notes)
		}
	}
	if _, err := planShelves(t, "", "", 1000, "efficiency: 120 %, "); err == nil {
		t.Error("an efficiency of 120 %")
	}
}
