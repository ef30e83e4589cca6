package machine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/catalog"
	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/power"
)

// drawnPlan plans the machine of a file.
func drawnPlan(t *rapid.T, text string) *machine.Result {
	s, err := machine.Parse("machine.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return r
}

// pluggedIn lists inlets with their outlets, as "box,inlet" to "supply,outlet".
func pluggedIn(r *machine.Result) map[string]string {
	out := map[string]string{}
	for i := range r.Power.Racks {
		rack := &r.Power.Racks[i]
		for _, c := range rack.Cords {
			to := catalog.Busbar
			if c.Supply >= 0 {
				to = r.Schedule.Device(rack.SupplyAt[c.Supply])
			}
			if c.Supply != power.Nothing {
				in := fmt.Sprintf("%s,%d", r.Schedule.Device(rack.BoxAt[c.Box]), c.Inlet)
				out[in] = fmt.Sprintf("%s,%d", to, c.Outlet)
			}
		}
	}
	return out
}

// TestPowerStaysAsItGrows: more racks leave cords in the outlets that they have, whichever these are.
func TestPowerStaysAsItGrows(t *testing.T) {
	graphtest.FewerDraws(t, 20)
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		text := drawnFeeds(t)
		old := drawnPlan(t, text)
		// Outlets of a type are exchanged within each supply.
		swapped := map[string]string{}
		for i := range old.Power.Racks {
			rack := &old.Power.Racks[i]
			for s := range rack.Supplies {
				byType, number := map[string][]int{}, 0
				for _, g := range rack.Supplies[s].Outlets {
					for range max(g.Count, 1) {
						number++
						byType[g.Type] = append(byType[g.Type], number)
					}
				}
				name := old.Schedule.Device(rack.SupplyAt[s])
				for _, kind := range []string{"c13", "c19", "c39"} {
					if len(byType[kind]) == 0 {
						continue
					}
					for j, to := range rapid.Permutation(byType[kind]).Draw(t, "outlets") {
						swapped[fmt.Sprintf("%s,%d", name, byType[kind][j])] = fmt.Sprintf("%s,%d", name, to)
					}
				}
			}
		}
		places, rows := []string{"label,kind,container,unit"}, []string{"box,inlet,pdu,outlet"}
		pl := old.Placement
		for _, k := range old.Graph.Kinds() {
			for v := k.First; v < k.First+k.Count; v++ {
				places = append(places, fmt.Sprintf("%s,%s,%s,%d", old.Schedule.Device(int32(v)), k.Name,
					old.Room().Name(int(pl.Layout.Container(layout.RackLevel, pl.Slot[v]))),
					pl.Layout.Unit(pl.Slot[v])))
			}
		}
		was := pluggedIn(old)
		for in, to := range was {
			if other, ok := swapped[to]; ok {
				was[in] = other
			}
			rows = append(rows, in+","+was[in])
		}
		for name, rows := range map[string][]string{"placement.csv": places, "power.csv": rows} {
			err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Join(rows, "\n")+"\n"), 0o666)
			if err != nil {
				t.Fatal(err)
			}
		}
		counts := regexp.MustCompile(`name: (pod|big), count: \d+`)
		larger := counts.ReplaceAllStringFunc(text, func(of string) string {
			n, _ := strconv.Atoi(of[len(of)-1:])
			return of[:len(of)-1] + strconv.Itoa(n+rapid.IntRange(0, 2).Draw(t, "more racks"))
		})
		r := drawnPlan(t, larger+"owned: {placement: "+filepath.Join(dir, "placement.csv")+", power: "+
			filepath.Join(dir, "power.csv")+"}\n")
		now := pluggedIn(r)
		for in, to := range was {
			if now[in] != to {
				t.Fatalf("%s is in %q, and was in %s", in, now[in], to)
			}
		}
		want := fmt.Sprintf("%d of %d power inlets that exist keep their outlets", len(was), len(was))
		if notes := strings.Join(r.Notes, "\n"); len(was) > 1 && !strings.Contains(notes, want) ||
			strings.Contains(notes, "move to other outlets") {
			t.Fatalf("%s, want %s", notes, want)
		}
	})
}

// TestPowerThatMoves: cords from outlets that are not there any more, of boxes that are not, and of a machine without a
// power schedule are counted.
func TestPowerThatMoves(t *testing.T) {
	const text = `
boxes: [{name: n, part: n}, {name: pdu, part: pdu, role: service}]
racks: [{name: pod, count: 1, holds: [{boxes: n, units: 1-3}, {switch: net, units: 20}, {boxes: pdu, count: 2}]}]
fabrics: [{name: net, topology: {family: access}, ends: [{boxes: n}], switches: {leaf: {part: sw}}}]
room: {rows: 1, racks_per_row: 2, %s}
parts:
- {id: n, kind: node, units: 1, power: 100 W, inlets: {c14: 2}, ports: [{count: 1, connector: qsfp28, rate: 100G}]}
- {id: sw, kind: switch, units: 1, hop: 100, ports: [{count: 40, connector: qsfp28, rate: 100G}]}
- {id: pdu, kind: node, zero_u: true, height: 1.8 m, supply: {phases: 3, outlets: [{type: c13, count: 8}]},
   ports: [{count: 1, connector: rj45, rate: 1G}]}
`
	dir := t.TempDir()
	write := func(rows string) string {
		path := filepath.Join(dir, "power.csv")
		if err := os.WriteFile(path, []byte("rack,box,inlet,pdu,outlet,owned\n"+rows), 0o666); err != nil {
			t.Fatal(err)
		}
		return "owned: {power: " + path + "}\n"
	}
	const rows = "A01,n-1,1,pdu-1,7,yes\nA01,n-1,2,pdu-1,8,x\nA01,n-2,1,pdu-2,9,yes\nA01,n-9,1,pdu-1,1,yes\n" +
		"A01,n-2,2,pdu-1,2,no\nA01,n-3,1,,,yes\n"
	for room, want := range map[string][]string{
		"feeds: [{name: A}, {name: B}]": {
			"1 of 4 power inlets that exist keep their outlets",
			"2 power inlets that exist move to other outlets, as the feeds of their racks and the outlets there have " +
				"changed: n-1 and n-2",
			"1 power inlet of boxes and inlets that this machine does not have",
		},
		"floor_load: 2 t/m2": {"4 power inlets that exist are passed over: this machine has no power schedule"},
	} {
		s, err := machine.Parse("machine.yaml", []byte(fmt.Sprintf(text, room)+write(rows)))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		for _, note := range want {
			if !strings.Contains(strings.Join(r.Notes, "\n"), note) {
				t.Errorf("%s: no %q in %q", room, note, r.Notes)
			}
		}
		if r.Power != nil && pluggedIn(r)["n-1,1"] != "pdu-1,7" {
			t.Errorf("%v", pluggedIn(r))
		}
		copied := false
		for _, in := range machine.Inputs(r.Spec) {
			copied = copied || in.Copy == "inputs/power.csv"
		}
		if !copied {
			t.Errorf("%s: power.csv is not an input", room)
		}
	}
	for rows, want := range map[string]string{
		"A01,n-1,0,pdu-1,1,yes\n":  `power.csv:2:9: "0" is not the number of an inlet`,
		"A01,n-1,1,pdu-1,x1,yes\n": `power.csv:2:17: "x1" is not the number of an outlet`,
	} {
		_, err := machine.Parse("machine.yaml", []byte(fmt.Sprintf(text, "feeds: [{name: A}]")+write(rows)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", rows, err)
		}
	}
}
