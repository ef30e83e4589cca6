package machine

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/layout"
)

// cooled is a machine with racks of a liquid-cooled part, two loops and a limit of air.
const cooled = `
boxes:
  - {name: tray, part: wet}
  - {name: cdu, role: service, part: cooler}
racks:
  - {name: pod, part: rack-48u, count: %d, holds: [{boxes: tray, units: 1-%d}, {switch: oob, units: 48}]}
  - {name: cool, part: rack-48u, count: 3, holds: [{boxes: cdu, units: 1-20}]}
fabrics:
  - {name: oob, topology: {family: access}, ends: [{boxes: tray, ports: bmc}],
     switches: {leaf: {part: nvidia-sn2201}}}
room: {rack: rack-48u, rows: 2, racks_per_row: 8, %s}
parts:
  - {id: cooler, kind: node, units: 20, cooling: {capacity: %v W, flow: %v l/min},
     ports: [{name: bmc, count: 1, connector: rj45, rate: 1G}]}
  - {id: wet, kind: node, units: 1, width: 44 cm, depth: 90 cm, power: %d W, liquid: %d %%,
     ports: [{name: bmc, count: 1, connector: rj45, rate: 1G}]}
`

// TestCooling sums the heat of every rack anew, box by box, and finds the loop, the flow and the hose of each; limits
// that are just kept and just broken make no violation and one.
func TestCooling(t *testing.T) {
	left := 10
	rapid.Check(t, func(rt *rapid.T) {
		if left--; left < 0 {
			return
		}
		racks, trays := rapid.IntRange(1, 9).Draw(rt, "racks"), rapid.IntRange(1, 40).Draw(rt, "trays")
		watts, share := rapid.IntRange(100, 9000).Draw(rt, "watts"), rapid.IntRange(1, 100).Draw(rt, "share")
		spare := rapid.IntRange(0, 1).Draw(rt, "spare")
		perKW := rapid.Float64Range(0.3, 2).Draw(rt, "flow")
		plan := func(capacity, flow, air float64) *Result {
			loops := fmt.Sprintf("loops: [{name: x, cdus: cdu, count: 2, spare: %d, racks: [A], "+
				"flow_per_kw: %v l/min}, {name: y, cdus: cdu, racks: [pod]}]", spare, perKW)
			if air > 0 {
				loops += fmt.Sprintf(", row_air: %v W", air)
			}
			s, err := Parse("m.yaml", []byte(fmt.Sprintf(cooled, racks, trays, loops, capacity, flow, watts, share)))
			if err != nil {
				t.Fatal(err)
			}
			r, err := Plan(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		r := plan(1e8, 1e6, 0)
		room, slot := r.Room(), r.Placement.Slot
		each := float64(watts) * float64(share) / 100
		heat := map[int32]float64{}
		for v := range r.Graph.Kinds()[0].Count {
			heat[r.Placement.Layout.Container(2, slot[v])] += each
		}
		count := func(r *Result) int { return r.Violations.Count(cabling.RuleCooling) }
		if n := count(r); n != 0 {
			t.Fatalf("%d violations with ample limits: %v", n, r.Violations.List())
		}
		most := 0.0 // what one unit has to take
		needed := 0.0
		seen := 0
		for i, l := range r.Cooling.Loops {
			sum := 0.0
			for _, rack := range l.Racks {
				seen++
				first := room.Rows[room.Places[rack.Place].Row].Name == "A"
				if (l.Name == "x") != first || math.Abs(float64(rack.Heat)-heat[rack.Place]) > 1e-6 {
					t.Fatalf("%s: %+v, heat %v", l.Name, rack, heat[rack.Place])
				}
				sum += heat[rack.Place]
				hose := math.Inf(1)
				for _, v := range l.Boxes {
					at := room.Places[r.Placement.Layout.Container(2, slot[v])]
					to := room.Places[rack.Place]
					hose = min(hose, math.Abs(float64(at.X-to.X))+math.Abs(float64(at.Y-to.Y)))
				}
				if math.Abs(hose-float64(rack.Hose)) > 1e-4 {
					t.Fatalf("hose of %s: %v, want %v", room.Name(int(rack.Place)), rack.Hose, hose)
				}
			}
			units := float64(len(l.Boxes) - l.Spare)
			if i == 0 {
				needed = sum / 1000 * perKW / units
			}
			most = max(most, sum/units)
		}
		if seen != racks || len(r.Cooling.Unserved) != 0 {
			t.Fatalf("%d of %d racks have a loop", seen, racks)
		}
		if n := count(plan(most*1.0001, 1e6, 0)); n != 0 {
			t.Fatalf("%d violations at the capacity that suffices", n)
		}
		if n := count(plan(most*0.9999, 1e6, 0)); n == 0 {
			t.Fatal("no violation at a capacity that does not suffice")
		}
		if needed > 0.1 { // below, a ten-thousandth is less than what is taken for rounding
			if n := count(plan(1e8, needed*1.0001, 0)); n != 0 {
				t.Fatalf("%d violations at the flow that suffices", n)
			}
			if n := count(plan(1e8, needed*0.9999, 0)); n != 1 {
				t.Fatalf("%d violations at a flow that does not suffice", n)
			}
		}
		air := map[int]float64{}
		for i := range r.Placement.Racks {
			rack := &r.Placement.Racks[i]
			air[room.Places[rack.Place].Row] += float64(rack.Power) - heat[rack.Place]
		}
		for _, row := range r.Heat.Rows {
			at := slices.IndexFunc(room.Rows, func(x layout.Row) bool { return x.Name == row.Row })
			if sum := float64(row.Air + row.Unstated); math.Abs(sum-air[at]) > 0.2 || row.MostAir != 0 {
				t.Fatalf("heat of row %s to air: %v of at most %v, want %v without a limit", row.Row, sum, row.MostAir,
					air[at])
			}
		}
		worst := max(air[0], air[1])
		if n := count(plan(1e8, 1e6, worst*1.0001)); n != 0 {
			t.Fatalf("%d violations of rows that take the air", n)
		}
		if n := count(plan(1e8, 1e6, worst*0.9999)); n == 0 {
			t.Fatal("no violation of a row that does not take the air")
		}
	})
}

// TestCoolingWithoutLoops: a unit serves its own rack, and racks without one break the rule.
func TestCoolingWithoutLoops(t *testing.T) {
	text := fmt.Sprintf(cooled, 2, 4, "row_air: 900 kW", 1e6, 100, 1000, 50)
	text = strings.Replace(text, "units: 1-4}", "units: 1-4}, {boxes: cdu, units: 20-39}", 1)
	const coolers = "  - {name: cool, part: rack-48u, count: 3, holds: [{boxes: cdu, units: 1-20}]}\n"
	text = strings.Replace(text, coolers, "", 1)
	own, err := Parse("m.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Plan(context.Background(), own)
	if err != nil {
		t.Fatal(err)
	}
	if n := r.Violations.Count(cabling.RuleCooling); n != 0 || len(r.Cooling.Loops) != 2 {
		t.Errorf("%d violations, loops %+v", n, r.Cooling.Loops)
	}
	for _, l := range r.Cooling.Loops {
		if len(l.Racks) != 1 || l.Heat != 2000 || l.Racks[0].Hose != 0 {
			t.Errorf("%+v", l)
		}
	}
	apart, err := Parse("m.yaml", []byte(fmt.Sprintf(cooled, 2, 4, "row_air: 900 kW", 1e6, 100, 1000, 50)))
	if err != nil {
		t.Fatal(err)
	}
	if r, err = Plan(context.Background(), apart); err != nil {
		t.Fatal(err)
	}
	if n := r.Violations.Count(cabling.RuleCooling); n != 2 || len(r.Cooling.Unserved) != 2 {
		t.Errorf("%d violations, unserved %v", n, r.Cooling.Unserved)
	}
}

// TestCoolingSpare: units in a rack and in no loop cool it together, but for those to spare.
func TestCoolingSpare(t *testing.T) {
	plan := func(spare string, capacity float64) (*Result, error) {
		text := fmt.Sprintf(cooled, 2, 8, "row_air: 900 kW", capacity, 100.0, 1000, 50)
		text = strings.Replace(text, "units: 1-8}", "units: 1-8}, {boxes: cdu, units: [9, 29-40]}", 1)
		text = strings.Replace(text, "count: 2, holds", "count: 2, "+spare+"holds", 1)
		text = strings.Replace(text, "units: 20, cooling", "units: 3, cooling", 1)
		text = strings.Replace(text, "holds: [{boxes: cdu, units: 1-20}]", "holds: [{boxes: cdu, units: 1-18}]", 1)
		s, err := Parse("m.yaml", []byte(text))
		if err != nil {
			return nil, err
		}
		return Plan(context.Background(), s)
	}
	for spare, counting := range map[string]int{"": 5, "cooling_spare: 1, ": 4, "cooling_spare: 4, ": 1} {
		for _, over := range []int{0, 1} { // 8 boxes of 500 W
			r, err := plan(spare, float64(4000)/float64(counting)-0.1*float64(over))
			if err != nil {
				t.Fatal(err)
			}
			if n := r.Violations.Count(cabling.RuleCooling); n != 2*over {
				t.Errorf("%q: %d violations: %v", spare, n, r.Violations.List())
			}
			for _, l := range r.Cooling.Loops {
				if len(l.Racks) > 0 && (len(l.Boxes) != 5 || len(l.Boxes)-l.Spare != counting) {
					t.Errorf("%q: %+v", spare, l)
				}
			}
		}
	}
	for spare, want := range map[string]string{
		"cooling_spare: 5, ":             "racks[0].cooling_spare: 5 to spare, and the racks hold 5 CDUs",
		"cooling: x, cooling_spare: 1, ": "racks[0].cooling_spare: is of units in the racks",
	} {
		if _, err := plan(spare, 1e6); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", spare, err, want)
		}
	}
}

// TestCoolingOfTemplates: the loop that a template names goes before the racks of loops.
func TestCoolingOfTemplates(t *testing.T) {
	plan := func(cooling, loops string) (*Result, error) {
		text := fmt.Sprintf(cooled, 3, 8, loops, 1e6, 100.0, 1000, 50)
		s, err := Parse("m.yaml", []byte(strings.Replace(text, "count: 3, holds: [{boxes: tray",
			"count: 3, "+cooling+"holds: [{boxes: tray", 1)))
		if err != nil {
			return nil, err
		}
		return Plan(context.Background(), s)
	}
	const loops = "loops: [{name: x, cdus: cdu, racks: [A]}, {name: y, cdus: cdu}]"
	for cooling, want := range map[string]int{"": 0, "cooling: x, ": 0, "cooling: y, ": 1} {
		r, err := plan(cooling, loops)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(r.Cooling.Loops[want].Racks); n != 3 {
			t.Errorf("%q: loop %d has %d of 3 racks", cooling, want, n)
		}
	}
	for _, c := range []struct{ cooling, loops, want string }{
		{"cooling: z, ", loops, `racks[0].cooling: there is no loop "z"`},
		{"cooling: x, ", "row_air: 1 MW", "racks[0].cooling: the room has no loops of coolant"},
		{
			"cooling: y, ", "loops: [{name: x, cdus: cdu, racks: [pod]}, {name: y, cdus: cdu}]",
			"room.loops[0].racks[0]: racks[0].cooling has pod on loop y",
		},
	} {
		if _, err := plan(c.cooling, c.loops); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s%s: %v, want %q", c.cooling, c.loops, err, c.want)
		}
	}
}

// TestBadLoops: every mistake is refused at its place.
func TestBadLoops(t *testing.T) {
	for loops, want := range map[string]string{
		"loops: [{name: x, cdus: cdus}]":                       `room.loops[0].cdus: there are no boxes "cdus"`,
		"loops: [{name: x, cdus: tray}]":                       "room.loops[0].cdus: wet states no cooling",
		"loops: [{name: x, cdus: cdu, count: 4}]":              "room.loops[0].count: there are 3 boxes cdu",
		"loops: [{name: x, cdus: cdu, count: 2, spare: 2}]":    "room.loops[0].spare: 2 of 2 are to spare",
		"loops: [{name: x, cdus: cdu, racks: [pods]}]":         `room.loops[0].racks[0]: "pods" is not a row`,
		"loops: [{name: x, cdus: cdu, racks: [C]}]":            "room.loops[0].racks[0]: there are only 2 rows",
		"loops: [{name: x, cdus: cdu}, {name: x, cdus: cdu}]":  `room.loops[1].name: there is another loop "x"`,
		"loops: [{name: x, cdus: cdu, flow_per_kw: 2 litres}]": "flow_per_kw",
	} {
		s, err := Parse("m.yaml", []byte(fmt.Sprintf(cooled, 2, 4, loops, 1e6, 100, 1000, 50)))
		if err == nil {
			_, err = Plan(context.Background(), s)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", loops, err, want)
		}
	}
	if !slices.Contains(cabling.RuleIDs(), "cooling") {
		t.Error("no rule cooling")
	}
}

// TestCoolingOfOtherHalls: a rack is cooled from its own hall where the loop has a unit there, however near another is;
// hoses from another hall have no length.
func TestCoolingOfOtherHalls(t *testing.T) {
	for at, other := range map[string]bool{"B04": true, "A06": false} {
		s, err := Parse("test.yaml", []byte(`
boxes: [{name: tray, part: tray}, {name: cdu, role: service, part: cdu}]
racks:
  - {name: hot, part: rack-42u, count: 1, at: A01, holds: [{boxes: tray, units: 1-4}]}
  - {name: cool, part: rack-42u, count: 2, at: [B01, `+at+`], holds: [{boxes: cdu, units: 1-4}]}
fabrics:
- {name: net, topology: {family: access, down: 40}, ends: [{boxes: tray}, {boxes: cdu}],
   switches: {leaf: {part: nvidia-sn2201}}}
room:
  racks_per_row: 6
  halls: [{name: one, rows: 1, width: 6 m, depth: 4 m}, {name: two, rows: 1, width: 6 m, depth: 4 m}]
  trays: {paths: [{name: P, from: {hall: one, wall: north, at: 1 m}, to: {hall: two, wall: south, at: 1 m}}]}
  loops: [{name: east, cdus: cdu, count: 2, racks: [hot]}]
parts:
- {id: tray, kind: node, units: 1, power: 2 kW, liquid: 90 %, ports: [{count: 1, connector: rj45, rate: 1G}]}
- {id: cdu, kind: node, units: 4, cooling: {capacity: 90 kW}, ports: [{count: 1, connector: rj45, rate: 1G}]}
`))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		rack := &r.Cooling.Loops[0].Racks[0]
		if rack.OtherHall != other || (rack.Hose == 0) != other {
			t.Errorf("with a unit in %s: %+v", at, rack)
		}
		noted := slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "in another hall") })
		if noted != other {
			t.Errorf("with a unit in %s: notes %q", at, r.Notes)
		}
	}
}
