package machine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/units"
)

// halls is a machine of racks with a liquid heat of 9 kW for each of their trays, and units of 90 kW, in two halls.
const halls = `
boxes: [{name: tray, part: tray}, {name: cdu, role: service, part: cdu}]
racks:
  - {name: hot, part: rack-42u, count: %d, at: [%s], holds: [{boxes: tray, units: 1-4}, {switch: net, units: 40}]}
  - {name: cool, part: rack-42u, count: %d, at: [%s], %sholds: [{boxes: cdu, units: 1-4}]}
fabrics:
- {name: net, topology: {family: access}, ends: [{boxes: tray}, {boxes: cdu}],
   switches: {leaf: {part: nvidia-sn2201}}}
room:
  racks_per_row: 12
  halls: [{name: one, rows: 2, width: 12 m, depth: 8 m}, {name: two, rows: 2, width: 12 m, depth: 8 m}]
  trays: {paths: [{name: P, from: {hall: one, wall: north, at: 1 m}, to: {hall: two, wall: south, at: 1 m}}]}
  loops: [%s]
parts:
- {id: tray, kind: node, units: 1, power: 10 kW, liquid: 90 %%, ports: [{count: 1, connector: rj45, rate: 1G}]}
- {id: cdu, kind: node, units: 4, cooling: {capacity: 90 kW, flow: 100 l/min},
   ports: [{count: 1, connector: rj45, rate: 1G}]}
- {id: pipe, kind: hose, hose: {inside: 25 mm, lengths: [4 m, 8 m, 16 m]}}
`

// planHalls plans a machine of halls, with more at its end.
func planHalls(t *testing.T, racks int, at string, cdus int, cdusAt, growth, loops, more string) *Result {
	t.Helper()
	s, err := Parse("test.yaml", []byte(fmt.Sprintf(halls, racks, at, cdus, cdusAt, growth, loops)+more))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// unitsOf lists the rack positions of the units of each loop.
func unitsOf(r *Result) string {
	var out []string
	for i := range r.Cooling.Loops {
		l := &r.Cooling.Loops[i]
		names := []string{l.Name + ":"}
		for _, v := range l.Boxes {
			place := r.Placement.Layout.Container(layout.RackLevel, r.Placement.Slot[v])
			names = append(names, r.Room().Name(int(place)))
		}
		out = append(out, strings.Join(names, " "))
	}
	return strings.Join(out, ", ")
}

// TestLoopsTakeUnitsOfTheirHalls: units in the halls of the racks of a loop come first, in turn, or the nearest where
// loops share a hall; where there are too few, units of other halls come after them, and a note says so.
func TestLoopsTakeUnitsOfTheirHalls(t *testing.T) {
	for _, c := range []struct{ cdus, loops, want, note string }{
		{
			"A12, C12, A11, C11",
			"{name: s, cdus: cdu, count: 2, racks: [A]}, {name: n, cdus: cdu, count: 2, racks: [C]}",
			"s: A11 A12, n: C11 C12", "",
		},
		{
			"A12, C12, A11, A10",
			"{name: n, cdus: cdu, count: 2, racks: [C]}, {name: s, cdus: cdu, count: 2, racks: [A]}",
			"n: A10 C12, s: A11 A12", "loop n has 1 of its 2 CDUs",
		},
		{ // one hall: the nearest
			"A12, A10, B12, B11",
			"{name: b, cdus: cdu, count: 2, racks: [B]}, {name: a, cdus: cdu, count: 2, racks: [A]}",
			"b: B11 B12, a: A10 A12", "",
		},
		{ // all of the hall without a count
			"A12, C12, A11, A10", "{name: s, cdus: cdu, racks: [A]}, {name: n, cdus: cdu, racks: [C]}",
			"s: A10 A11 A12, n: C12", "",
		},
		{ // two loops without a count share the hall
			"A12, A10, B12, B11", "{name: b, cdus: cdu, racks: [B]}, {name: a, cdus: cdu, racks: [A]}",
			"b: B11 B12, a: A10 A12", "",
		},
	} {
		r := planHalls(t, 6, "A1-A2, B1-B2, C1-C2", 4, c.cdus, "", c.loops, "")
		got := unitsOf(r)
		if sortWords(got) != sortWords(c.want) {
			t.Errorf("%s at %s: %s, want %s", c.loops, c.cdus, got, c.want)
		}
		noted := slices.ContainsFunc(r.Notes, func(n string) bool {
			return strings.Contains(n, "in other halls than its racks") && strings.Contains(n, c.note)
		})
		if noted != (c.note != "") {
			t.Errorf("%s at %s: notes %q", c.loops, c.cdus, r.Notes)
		}
	}
}

// sorted sorts the words of each loop in a text of unitsOf.
func sortWords(text string) string {
	var out []string
	for l := range strings.SplitSeq(text, ", ") {
		words := strings.Fields(l)
		slices.Sort(words[1:])
		out = append(out, strings.Join(words, " "))
	}
	return strings.Join(out, ", ")
}

// hangSlowly chooses hoses as CoolingLoop.hang describes, by looking at every pair of a rack and a unit again for each.
func hangSlowly(r *Result, l *CoolingLoop) map[int32]int32 {
	room := r.Room()
	at := func(v int32) int32 { return r.Placement.Layout.Container(layout.RackLevel, r.Placement.Slot[v]) }
	far := func(place, v int32) float64 {
		a, b := room.Places[place], room.Places[at(v)]
		d := float64(a.X-b.X) + 0
		if d < 0 {
			d = -d
		}
		e := float64(a.Y - b.Y)
		if e < 0 {
			e = -e
		}
		if room.Rows[a.Row].Hall != room.Rows[b.Row].Hall {
			d += 1e6
		}
		return float64(units.Length(d + e).Round4())
	}
	run := func(better func(a, b *CooledRack, av, bv int32) bool) (map[int32]int32, bool) {
		out, left := map[int32]int32{}, map[int32]float64{}
		for _, v := range l.Boxes {
			left[v] = float64(l.Each)
		}
		for {
			var rack *CooledRack
			unit := int32(-1)
			for i := range l.Racks {
				c := &l.Racks[i]
				if _, hung := out[c.Place]; hung {
					continue
				}
				for _, v := range l.Boxes {
					if float64(c.Heat) <= left[v]+1e-6 && (rack == nil || better(c, rack, v, unit)) {
						rack, unit = c, v
					}
				}
			}
			if rack == nil {
				break
			}
			out[rack.Place] = unit
			left[unit] -= float64(rack.Heat)
		}
		fits := len(out) == len(l.Racks)
		for i := range l.Racks {
			c := &l.Racks[i]
			if _, hung := out[c.Place]; hung {
				continue
			}
			unit := int32(-1)
			for _, v := range l.Boxes {
				if unit < 0 || left[v] > left[unit]+1e-6 ||
					left[v] > left[unit]-1e-6 && far(c.Place, v) < far(c.Place, unit) {
					unit = v
				}
			}
			out[c.Place] = unit
			left[unit] -= float64(c.Heat)
		}
		return out, fits
	}
	near, fits := run(func(a, b *CooledRack, av, bv int32) bool {
		return cmp.Or(cmp.Compare(far(a.Place, av), far(b.Place, bv)), cmp.Compare(a.Place, b.Place),
			cmp.Compare(av, bv)) < 0
	})
	if fits {
		return near
	}
	hot, fits := run(func(a, b *CooledRack, av, bv int32) bool {
		return cmp.Or(cmp.Compare(b.Heat, a.Heat), cmp.Compare(a.Place, b.Place),
			cmp.Compare(far(a.Place, av), far(b.Place, bv)), cmp.Compare(av, bv)) < 0
	})
	if fits {
		return hot
	}
	return near
}

// TestRacksFitTheirUnits hangs racks of several sizes on units of any capacity, and on the same units as a slow twin.
// No unit takes more than it can where the twin finds room; else a note says which does, as far as the loop has room.
func TestRacksFitTheirUnits(t *testing.T) {
	left := 12
	rapid.Check(t, func(rt *rapid.T) {
		if left--; left < 0 {
			return
		}
		capacity := rapid.IntRange(30, 120).Draw(rt, "capacity")
		flow := rapid.IntRange(20, 200).Draw(rt, "flow")
		cdus := rapid.SampledFrom([]string{"A12, B9, C12, C11", "A6, A7, B6, C6", "A3, A4, A5, B12"}).Draw(rt, "cdus")
		trays := rapid.IntRange(1, 4).Draw(rt, "trays")
		text := fmt.Sprintf(halls, 8, "A1-A2, B1-B2, C1-C4", 4, cdus, "",
			"{name: all, cdus: cdu, count: 4, flow_per_kw: 1 l/min, hose: pipe, hose_slack: 1 m}")
		text = strings.Replace(text, "capacity: 90 kW, flow: 100",
			fmt.Sprintf("capacity: %d kW, flow: %d", capacity, flow), 1)
		text = strings.Replace(text, "racks:\n", fmt.Sprintf("racks:\n  - {name: warm, part: rack-42u, count: 3, "+
			"at: [D1-D3], holds: [{boxes: tray, units: 1-%d}]}\n", trays), 1)
		s, err := Parse("test.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		l := &r.Cooling.Loops[0]
		want := hangSlowly(r, l)
		if len(l.Racks) != 11 {
			t.Fatalf("%d racks", len(l.Racks))
		}
		for _, rack := range l.Racks {
			if rack.CDU != want[rack.Place] {
				t.Fatalf("%s hangs on %d, want %d", r.Room().Name(int(rack.Place)), rack.CDU, want[rack.Place])
			}
		}
		if limit := min(capacity, flow); float64(l.Each) != float64(limit)*1000 {
			t.Fatalf("a unit takes %v, want %d kW", l.Each, limit)
		}
		most := slices.Max(l.Loads())
		noted := slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "need a manifold") })
		if most > l.Each+1e-3 {
			if fits := r.Violations.Count(cabling.RuleCooling) == 0; fits != noted {
				t.Errorf("%v on a unit of %v: noted %v, violations %v", most, l.Each, noted, r.Violations.List())
			}
		} else if noted {
			t.Errorf("%v on a unit of %v is noted", most, l.Each)
		}
	})
}

// TestCoolingStaysAsItGrows: the larger machine has the units of loops and the hoses of racks as they are, though other
// units and racks come to stand nearer.
func TestCoolingStaysAsItGrows(t *testing.T) {
	const loops = "{name: a, cdus: cdu, count: %d, racks: [A]}, {name: b, cdus: cdu, count: %d, racks: [B]}"
	old := planHalls(t, 4, "A1-A2, B1-B2", 4, "A12, A11, B12, B11", "", fmt.Sprintf(loops, 2, 2), "")
	dir := t.TempDir()
	writePlan(t, dir, old)
	rows := []string{"rack,loop,cdu,hose_m"}
	was := map[string]string{}
	for i := range old.Cooling.Loops {
		l := &old.Cooling.Loops[i]
		other := &old.Cooling.Loops[1-i] // each loop has the units at the other row
		for j, rack := range l.Racks {
			name := old.Room().Name(int(rack.Place))
			was[name] = old.Schedule.Device(other.Boxes[j])
			rows = append(rows, name+","+l.Name+","+was[name]+",1")
		}
	}
	table := filepath.Join(dir, "cooling.csv")
	if err := os.WriteFile(table, []byte(strings.Join(rows, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := planHalls(t, 8, "A1-A2, B1-B2, A3-A4, B3-B4", 6, "A12, A11, B12, B11, A6, B6", "",
		fmt.Sprintf(loops, 3, 3), "owned: {plan: "+dir+"}\n")
	if got, want := sortWords(unitsOf(r)), "a: A06 B11 B12, b: A11 A12 B06"; got != want {
		t.Errorf("units %s, want %s", got, want)
	}
	seen := 0
	for _, l := range r.Cooling.Loops {
		for _, rack := range l.Racks {
			name := r.Room().Name(int(rack.Place))
			if unit, ok := was[name]; ok {
				seen++
				if got := r.Schedule.Device(rack.CDU); got != unit {
					t.Errorf("%s hangs on %s, not on %s", name, got, unit)
				}
			}
		}
	}
	if seen != 4 {
		t.Errorf("%d of 4 racks that exist", seen)
	}
	again := Inputs(r.Spec)
	if !slices.ContainsFunc(again, func(in Input) bool { return in.Copy == "inputs/cooling.csv" }) {
		t.Errorf("inputs %v", again)
	}
	if err := os.WriteFile(table, []byte("rack,cdu\nA1,x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Parse("test.yaml", []byte(fmt.Sprintf(halls, 4, "A1-A2, B1-B2", 4, "A12, A11, B12, B11", "",
		fmt.Sprintf(loops, 2, 2))+"owned: {plan: "+dir+"}\n"))
	if err == nil || !strings.Contains(err.Error(), "no column loop") {
		t.Errorf("a table without loops: %v", err)
	}
}

// writePlan writes the tables of what exists that a plan is owned by, but cooling.csv.
func writePlan(t *testing.T, dir string, r *Result) {
	t.Helper()
	places := []string{"label,kind,container,unit"}
	pl := r.Placement
	for _, k := range r.Graph.Kinds() {
		for v := k.First; v < k.First+k.Count; v++ {
			places = append(places, fmt.Sprintf("%s,%s,%s,%d", r.Schedule.Device(int32(v)), k.Name,
				r.Room().Name(int(pl.Layout.Container(layout.RackLevel, pl.Slot[v]))), pl.Layout.Unit(pl.Slot[v])))
		}
	}
	for name, rows := range map[string][]string{
		"placement.csv": places, "cables.csv": {"a_device,a_port,b_device,b_port"}, "bom.csv": {"part,quantity"},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Join(rows, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLoopsGrow: in the larger machine loops have the units that are added in the halls of their racks, whichever
// count they state today.
func TestLoopsGrow(t *testing.T) {
	for to, want := range map[int]bool{3: true, 4: false} {
		text := fmt.Sprintf(halls, 4, "A1-A2, C1-C2, A3-A4, C3-C4", 2, "A12, C12, A11, C11",
			fmt.Sprintf("growth: {to: %d}, ", to),
			"{name: s, cdus: cdu, count: 1, racks: [A]}, {name: n, cdus: cdu, count: 1, racks: [C]}")
		text = strings.Replace(text, "count: 4, at:", "count: 4, growth: {to: 8}, at:", 1)
		s, err := Parse("test.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range r.Violations.List() {
			if v.Rule == cabling.RuleGrowth.ID {
				got = append(got, v.Where+": "+v.Message)
			}
		}
		broken := strings.Contains(strings.Join(got, "\n"), "1 CDU takes 90 kW")
		if broken != want || !want && got != nil {
			t.Errorf("to %d: %q", to, got)
		}
	}
}

// TestGrowthNeedsPositions: at lists more positions than count, and the rule says so where it does not.
func TestGrowthNeedsPositions(t *testing.T) {
	r := planHalls(t, 4, "A1-A2, C1-C2", 2, "A12, C12", "growth: {to: 4}, ", "{name: all, cdus: cdu, count: 2}", "")
	if !slices.ContainsFunc(r.Violations.List(), func(v cabling.Violation) bool {
		return v.Rule == cabling.RuleGrowth.ID && strings.Contains(v.Message, "2 positions for 4 racks") &&
			strings.Contains(v.Message, "more positions than count")
	}) {
		t.Errorf("%v", r.Violations.List())
	}
}

// TestSupplyLossesAreHeat: what a supply loses is heat of its rack, to air or by the share of liquid of its part, in
// rows, racks, totals and loops.
func TestSupplyLossesAreHeat(t *testing.T) {
	for share, liquid := range map[string]float64{"": 0, "liquid: 40 %, ": 0.4} {
		text := fmt.Sprintf(halls, 2, "A1-A2", 1, "A12", "", "{name: all, cdus: cdu, count: 1}")
		text = strings.Replace(text, "boxes: [", "boxes: [{name: shelf, role: service, part: shelf}, ", 1)
		text = strings.Replace(text, "{switch: net, units: 40}",
			"{switch: net, units: 40}, {boxes: shelf, units: 30}", 1)
		text = strings.Replace(text, "liquid: 90 %,", "liquid: 90 %, inlets: {busbar: 1},", 1)
		text = strings.Replace(text, "room:\n", "room:\n  feeds: [{name: F, volts: 415 V}]\n", 1) +
			"- {id: shelf, kind: node, units: 1, " + share +
			"supply: {power: 90 kW, phases: 3, efficiency: 80 %, outlets: [{type: busbar}]},\n" +
			"   ports: [{count: 1, connector: rj45, rate: 1G}]}\noperation: {tariff: 0.1}\n"
		s, err := Parse("test.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		const lost = 40000/0.8 - 40000 // four trays of 10 kW
		sums := [3]float64{float64(r.Heat.Air), float64(r.Heat.Rows[0].Air), 0}
		for _, rack := range r.Heat.Racks {
			sums[2] += float64(rack.Air)
		}
		for _, air := range sums {
			if want := 2 * (4000 + lost*(1-liquid)); air < want-1 || air > want+1 {
				t.Errorf("%sair %v, want %v", share, sums, want)
			}
		}
		doc, given := r.Report(), units.Power(0)
		for _, f := range doc.Feeds {
			given += f.Power
		}
		// The switches are on no outlet.
		more, paid := float64(doc.PowerDelivered-doc.Power), float64(doc.Operation.SupplyLosses.Power)
		if math.Abs(more-2*lost) > 1 || math.Abs(paid-2*lost) > 1 || given > doc.PowerDelivered || given < doc.Power {
			t.Errorf("%v more than %v, %v paid, feeds give %v", more, doc.Power, paid, given)
		}
		if got, want := float64(r.Cooling.Loops[0].Heat), 2*(36000+lost*liquid); got < want-1 || got > want+1 {
			t.Errorf("%sheat of the loop %v, want %v", share, got, want)
		}
	}
}
