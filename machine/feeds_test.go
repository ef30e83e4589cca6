package machine_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/power"
	"github.com/plenum-planner/plenum/topology"
)

// drawnFeeds draws a machine with two templates of racks and boxes that share the racks of one, on one to three feeds.
func drawnFeeds(t *rapid.T) string {
	n := func(label string, low, high int) int { return rapid.IntRange(low, high).Draw(t, label) }
	inlets := rapid.SampledFrom([]string{
		"", "inlets: {c14: 1}, ", "inlets: {c14: 2}, redundancy: N+1, ",
		"inlets: {c14: 2}, redundancy: N, ", "inlets: {c20: 3}, redundancy: N+1, ", "inlets: {busbar: 1}, ",
		"inlets: {c14: 1, c20: 2}, ",
	}).Draw
	supply := rapid.SampledFrom([]string{
		"{volts: 415 V, phases: 3, breaker: 16 A, outlets: [{type: c13, count: 7}, {type: c19, count: 3}]}",
		"{volts: 208 V, phases: 3, outlets: [{type: c39, count: 9, phase: 2}, {type: c13, count: 5}]}",
		"{volts: 230 V, breaker: 10 A, outlets: [{type: c13, count: 12}]}",
		"{power: 3 kW, phases: 3, outlets: [{type: busbar}]}",
	}).Draw
	feeds := []string{"A", "B", "C"}[:n("feeds", 1, 3)]
	var listed []string
	for _, f := range feeds {
		listed = append(listed, fmt.Sprintf("{name: %s%s}", f,
			rapid.SampledFrom([]string{"", ", racks: [A]", ", volts: 400 V, breaker: 20 A"}).Draw(t, "of")))
	}
	pin := ""
	if n("pin", 0, 1) == 1 {
		pin = ", feed: " + feeds[len(feeds)-1]
	}
	return fmt.Sprintf(`
boxes: [{name: n, part: n}, {name: s, part: s}, {name: pdu, part: pdu, role: service},
        {name: shelf, part: shelf, role: service}]
racks:
- {name: pod, count: %d, holds: [{boxes: n, units: 1-%d}, {switch: net, units: 20},
   {boxes: pdu, count: %d}, {boxes: pdu%s}]}
- {name: big, count: %d, feeds: [%s], holds: [{boxes: s, units: 1-%d}, {boxes: shelf, units: [30-%d]%s}]}
fabrics: [{name: net, topology: {family: access}, ends: [{boxes: n}], switches: {leaf: {part: sw}}}]
room: {rows: 2, racks_per_row: 8, feeds: [%s]}
parts:
- {id: n, kind: node, units: 1, power: %d W, %sports: [{count: 1, connector: qsfp28, rate: 100G}]}
- {id: s, kind: node, units: 2, power: %d W, %sports: [{count: 1, connector: qsfp28, rate: 100G}]}
- {id: sw, kind: switch, units: 1, hop: 100, power: 90 W, %sports: [{count: 40, connector: qsfp28, rate: 100G}]}
- {id: pdu, kind: node, zero_u: true, height: 1.8 m, power: 7 W, supply: %s,
   ports: [{count: 1, connector: rj45, rate: 1G}]}
- {id: shelf, kind: node, units: 1, supply: %s, ports: [{count: 1, connector: rj45, rate: 1G}]}
`, n("pods", 1, 3), n("nodes", 1, 8), n("pdus", 1, 3), pin, n("bigs", 1, 2), strings.Join(feeds, ", "),
		2*n("servers", 1, 4), 30+n("shelves", 0, 3), pin, strings.Join(listed, ", "), n("watts", 0, 2000),
		inlets(t, "n"),
		n("more", 0, 3000), inlets(t, "s"), inlets(t, "sw"), supply(t, "pdu"), supply(t, "shelf"))
}

// In a planned machine, every inlet of every box is in the schedule once, what the phases of a rack give is what it
// draws, and a lost feed turns off those boxes that have too few inlets elsewhere. Cascades are left to the tests of
// the package power.
func TestFeedsOfDrawnMachines(t *testing.T) {
	graphtest.FewerDraws(t, 30)
	rapid.Check(t, func(t *rapid.T) {
		spec, err := machine.Parse("machine.yaml", []byte(drawnFeeds(t)))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.PlanWith(context.Background(), spec, machine.Options{Summary: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Power.Racks) != len(r.Placement.Racks) {
			t.Fatalf("%d racks of %d", len(r.Power.Racks), len(r.Placement.Racks))
		}
		kinds := r.Graph.Kinds()
		seen := map[int32]bool{}
		for i := range r.Power.Racks {
			rack := &r.Power.Racks[i]
			for _, v := range slices.Concat(rack.BoxAt, rack.SupplyAt) {
				if seen[v] || r.Placement.Layout.Container(layout.RackLevel, r.Placement.Slot[v]) != rack.Place {
					t.Fatalf("vertex %d", v)
				}
				seen[v] = true
			}
			cords := map[int32]int{}
			for _, c := range rack.Cords {
				cords[rack.BoxAt[c.Box]]++
			}
			for _, v := range rack.BoxAt {
				want := 0
				for _, n := range r.Schedule.Boxes[topology.KindOf(kinds, int(v))].Part.Inlets {
					want += n
				}
				if cords[v] != want {
					t.Fatalf("vertex %d has %d cords", v, cords[v])
				}
			}
			sumsUp(t, r, i)
			for f, l := range rack.Without {
				if l != nil && len(l.Tripped) == 0 && !slices.Equal(l.Dark, starved(rack, f)) {
					t.Fatalf("without feed %d %v are dark, want %v", f, l.Dark, starved(rack, f))
				}
			}
		}
		if len(seen) != topology.Vertices(r.Graph) {
			t.Fatalf("%d boxes", len(seen))
		}
	})
}

// sumsUp compares the loads of a rack with what it draws by the placement.
func sumsUp(t *rapid.T, r *machine.Result, i int) {
	rack := &r.Power.Racks[i]
	got := float64(rack.Normal.Unplugged)
	for s, phases := range rack.Normal.Phases {
		got += float64(power.Sum(phases))
		if rack.Unfed[s] != "" {
			got += float64(rack.Supplies[s].Own)
		}
	}
	for b := range rack.Boxes {
		plugged := 0
		for _, c := range rack.CordsOf(b) {
			if c.Supply != power.Nothing {
				plugged++
			}
		}
		if need, _ := rack.Needs(b); plugged > 0 && plugged < need {
			got += float64(rack.Boxes[b].Power) // it does not run, for want of outlets
		}
	}
	if want := float64(r.Placement.Racks[i].Power); math.Abs(got-want) > 1e-6 {
		t.Fatalf("rack %d draws %v, its supplies give %v", i, want, got)
	}
}

// starved finds the boxes with too few inlets on feeds that are there, of those that run.
func starved(rack *machine.PoweredRack, lost int) []int {
	var out []int
	for b := range rack.Boxes {
		all, live := 0, 0
		for _, c := range rack.CordsOf(b) {
			switch {
			case c.Supply == power.Bar:
				all++
				if slices.ContainsFunc(rack.Supplies, func(s power.Supply) bool {
					return s.Feed >= 0 && s.Feed != lost && s.HasBar()
				}) {
					live++
				}
			case c.Supply >= 0:
				all++
				if rack.Supplies[c.Supply].Feed != lost {
					live++
				}
			}
		}
		if need, _ := rack.Needs(b); need > 0 && all >= need && live < need {
			out = append(out, b)
		}
	}
	return out
}

// Of the states in which a feed gives too much to a row, the rule reports that in which it gives the most: 2.5 kW with
// both feeds, and 5 kW without the other.
func TestRowPowerReportsTheWorstState(t *testing.T) {
	r := planText(t, twoFeeds("row_power: 2 kW, ", "count: 8", "N+1"))
	for _, v := range r.Violations.List() {
		if v.Rule == cabling.RuleRowPower.ID && !strings.Contains(v.Message, "gives 5 kW without feed ") {
			t.Error(v.Message)
		}
	}
	if n := r.Violations.Count(cabling.RuleRowPower); n != 2 {
		t.Errorf("%d violations, not one for each feed", n)
	}
}
