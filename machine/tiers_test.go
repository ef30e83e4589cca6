package machine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/topology"
)

// tierLosses finds anew what the rule tier-loss reports of a machine of one fabric whose rows A and B draw from feeds
// of their own.
func tierLosses(r *machine.Result) []string {
	var out []string
	room := r.Room()
	racks := func(k topology.Kind) map[int32]bool {
		in := map[int32]bool{}
		for v := k.First; v < k.First+k.Count; v++ {
			in[r.Placement.Layout.Container(layout.RackLevel, r.Placement.Slot[v])] = true
		}
		return in
	}
	all := map[int32]bool{}
	for _, k := range r.Graph.Kinds() {
		for rack := range racks(k) {
			all[rack] = true
		}
	}
	for _, k := range r.Graph.Kinds() {
		if k.Role != topology.Switch || k.Count < 2 {
			continue
		}
		feeds := map[string]bool{}
		for rack := range racks(k) {
			feeds[room.Rows[room.Places[rack].Row].Name] = true
		}
		if len(racks(k)) == 1 && len(all) > 1 {
			out = append(out, fmt.Sprintf("all %d switches stand in rack", k.Count))
		}
		if len(feeds) == 1 && !feeds["C"] {
			out = append(out, fmt.Sprintf("all %d switches are in racks that draw from feed", k.Count))
		}
	}
	slices.Sort(out)
	return out
}

// TestTiersAreSpread: where the room lets the switches of a tier stand in racks and on feeds apart, they do; else the
// rule tier-loss says so. Machines without feeds are placed as they were.
func TestTiersAreSpread(t *testing.T) {
	left := 25
	rapid.Check(t, func(rt *rapid.T) {
		if left--; left < 0 {
			return
		}
		rows := rapid.IntRange(1, 3).Draw(rt, "rows")
		place := rapid.SampledFrom([]string{"network-row", "end-of-row", "middle-of-row", "in-rack"})
		text := fmt.Sprintf(`
topology: {family: leaf-spine, nodes: %d, down: %d, up: 4, spines: %d}
packaging: {node: {per_rack: 4}, leaf: {place: %s}, spine: {place: %s}}
room: {rows: %d, racks_per_row: %d, feeds: [{name: A, racks: [A]}%s]}
`, rapid.IntRange(4, 24).Draw(rt, "nodes"), rapid.IntRange(4, 16).Draw(rt, "down"),
			rapid.SampledFrom([]int{1, 2, 4}).Draw(rt, "spines"), place.Draw(rt, "leaves"),
			place.Draw(rt, "spines stand"),
			rows, rapid.IntRange(13, 16).Draw(rt, "racks"), map[bool]string{true: ", {name: B, racks: [B]}"}[rows > 1])
		r := planDrawn(rt, text)
		var got []string
		for _, v := range r.Violations.List() {
			if v.Rule == cabling.RuleTierLoss.ID {
				words := strings.Fields(v.Message)
				n := slices.IndexFunc(words, func(w string) bool { return w == "rack" || w == "feed" })
				got = append(got, strings.Join(words[:n+1], " "))
			}
		}
		slices.Sort(got)
		want := tierLosses(r)
		if rows == 1 {
			want = nil // one feed: it takes everything
		}
		if !slices.Equal(got, want) {
			rt.Fatalf("%q, want %q in\n%s", got, want, text)
		}
		if len(got) > 0 { // then no limit on the tiers can be kept
			for _, within := range []string{"rack", "feed"} {
				apart := ""
				for _, k := range r.Graph.Kinds() {
					if k.Role == topology.Switch && k.Count > 1 {
						apart += fmt.Sprintf("{of: %s, within: %s, at_most: %d},", k.Name, within, k.Count-1)
					}
				}
				s, err := machine.Parse("m.yaml", []byte(text+"embedding: {apart: ["+apart+"]}\n"))
				if err != nil {
					rt.Fatal(err)
				}
				if other, err := machine.Plan(t.Context(), s); err == nil &&
					other.Violations.Errors() == r.Violations.Errors() && len(tierLosses(other)) == 0 {
					rt.Fatalf("%q, and a machine without this has a place in\n%s", got, text)
				}
			}
		}
	})
}

// TestSwitchesAreSpreadForTheirCables: where the cables of several switches do not fit through the top of a rack, they
// stand in more racks.
func TestSwitchesAreSpreadForTheirCables(t *testing.T) {
	const text = `
topology: {family: leaf-spine, nodes: 32, down: 16, up: 8, spines: 4}
packaging: {node: {per_rack: 4}, leaf: {place: network-row}, spine: {place: network-row}}
room: {rows: 2, racks_per_row: 16, rack: own}
parts:
  - {id: own, kind: rack, units: 42, width: 600 mm, depth: 1200 mm, height: 2 m,
     rack: {openings: [{at: top, width: %s, depth: 100 mm}]}}
`
	spread, base := 0, 0
	for _, width := range []string{"500 mm", "30 mm", "20 mm", "1 mm"} {
		r := planDrawn(t, fmt.Sprintf(text, width))
		racks := 0 // with switches
		for _, k := range r.Graph.Kinds() {
			in := map[int32]bool{}
			for v := k.First; k.Role == topology.Switch && v < k.First+k.Count; v++ {
				in[r.Placement.Layout.Container(layout.RackLevel, r.Placement.Slot[v])] = true
			}
			racks += len(in)
		}
		if base == 0 {
			base = racks
		}
		breaks := r.Violations.Count(cabling.RuleEntry)
		told := strings.Contains(strings.Join(r.Notes, "\n"), "so that the rules entry and tier-loss are kept")
		if told != (racks > base) {
			t.Errorf("%s: switches in %d racks, note: %v", width, racks, told)
		}
		if breaks == 0 && racks > base {
			spread++
		}
		if width == "500 mm" && breaks > 0 || width == "1 mm" && breaks == 0 {
			t.Errorf("%s: %d violations", width, breaks)
		}
	}
	if spread != 2 {
		t.Errorf("%d widths made switches stand in more racks", spread)
	}
}

func planDrawn(t rapid.TB, text string) *machine.Result {
	t.Helper()
	r, err := planParsed(text)
	if err != nil {
		t.Fatal(err, text)
	}
	return r
}

// TestTiersOfPluggedInSwitches: switches that are plugged into another fabric are a tier of their own fabric alone, so
// that the rule reports each loss once.
func TestTiersOfPluggedInSwitches(t *testing.T) {
	r := planDrawn(t, `
boxes: [{name: tray, part: tray}, {name: shelf, role: service, part: shelf}]
racks:
  - {name: r, count: 2, feeds: [A, B], holds: [{boxes: shelf, units: 1}, {boxes: tray, units: 3-6},
     {switch: d, units: 10}, {switch: m, units: 20}]}
fabrics:
  - name: d
    topology: {family: access}
    ends: [{boxes: tray, ports: data}]
    switches: {leaf: {part: switch}}
  - name: m
    topology: {family: access}
    ends: [{boxes: tray, ports: bmc}, {boxes: shelf}, {boxes: d/leaf, ports: management}]
    switches: {leaf: {part: nvidia-sn2201}}
room:
  rows: 1
  racks_per_row: 4
  feeds: [{name: A, volts: 415 V, breaker: 63 A}, {name: B, volts: 415 V, breaker: 63 A}]
parts:
  - {id: tray, kind: node, units: 1, power: 6 kW, inlets: {busbar: 1},
     ports: [{name: bmc, count: 1, connector: rj45, rate: 1G, by_name: true},
       {name: data, count: 1, connector: osfp, rate: 800G}]}
  - {id: switch, kind: switch, units: 1, power: 1 kW, hop: 300 ns, inlets: {busbar: 1},
     ports: [{name: management, count: 1, connector: rj45, rate: 1G, by_name: true},
       {count: 16, connector: osfp, rate: 800G}]}
  - {id: shelf, kind: node, units: 1, supply: {volts: 415 V, phases: 3, power: 20 kW, outlets: [{type: busbar}]},
     ports: [{count: 1, connector: rj45, rate: 1G}]}
`)
	told := map[string]int{}
	for _, v := range r.Violations.List() {
		if v.Rule == cabling.RuleTierLoss.ID {
			told[v.Where+": "+v.Message]++
		}
	}
	for text, times := range told {
		if times > 1 {
			t.Errorf("%d times: %s", times, text)
		}
	}
	if len(told) == 0 {
		t.Error("no loss of a tier, though a rack has one shelf")
	}
}
