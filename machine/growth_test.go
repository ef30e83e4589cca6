package machine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/diag"
	"github.com/plenum-planner/plenum/machine"
)

// growing is racks of 16 servers with a leaf of their own, and a network rack with spines.
func growing(count int, growth, spines, room string) string {
	return fmt.Sprintf(`
racks:
  - name: pod
    count: %d
    growth: %s
    holds: [{boxes: server, units: 1-16}, {switch: net/leaf, units: 41}]
  - {name: net, count: 1, place: network-row, holds: [{switch: net/spine, units: 1-12}]}
boxes: [{name: server, part: generic-node-1u}]
fabrics:
  - name: net
    topology: {family: leaf-spine, down: 16, up: 16, spines: %s}
    ends: [{boxes: server}]
    switches: {switch: {part: generic-switch-64x400g}}
room: %s
`, count, growth, spines, room)
}

// TestGrowthOfRacks: what keeps racks from growing is reported, and nothing where they can.
func TestGrowthOfRacks(t *testing.T) {
	for _, c := range []struct{ name, growth, spines, want string }{
		// Every leaf has four links to each of the four spines, whose 64 ports take up 16 leaves.
		{"enough", "{to: 12}", "4", ""},
		{"no growth", "{to: 3}", "4", ""},
		{"positions", "{to: 16}", "4", "16 pod: the larger machine cannot be planned: "},
		{"ports", "{to: 12}", "1", "12 pod: the larger machine cannot be planned: "},
	} {
		r := planText(t, growing(2, c.growth, c.spines, "{rows: 1, racks_per_row: 15}"))
		var got []string
		for _, v := range r.Violations.List() {
			if v.Rule == cabling.RuleGrowth.ID {
				got = append(got, v.Where+": "+v.Message)
			}
		}
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.want)) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		noted := slices.ContainsFunc(r.Notes, func(note string) bool {
			return strings.HasPrefix(note, "the racks can grow to ")
		})
		if noted != (c.want == "") {
			t.Errorf("%s: notes %q", c.name, r.Notes)
		}
	}
}

// TestTraysAreReserved: as many trays lie side by side as the larger machine needs, and a number that the file states
// stays.
func TestTraysAreReserved(t *testing.T) {
	room := func(trays string) string {
		return "{rows: 1, racks_per_row: 15, trays: {fill: 0.5" + trays + "}}\n"
	}
	trays := func(r *machine.Result) int { return r.Schedule.Trays.Rules[0].Count }
	breaches := func(r *machine.Result) int { return r.Violations.Count(cabling.RuleGrowth) }
	now := planText(t, growing(2, "{to: 10}", "4", room("")))
	reserved := planText(t, growing(2, "{to: 10, reserve: trays}", "4", room("")))
	then := planText(t, growing(10, "{to: 11}", "4", room("")))
	if n := trays(then); trays(now) >= n || trays(reserved) != n || breaches(now) != 1 || breaches(reserved) != 0 {
		t.Errorf("%d trays, %d reserved, %d needed; %d and %d breaches", trays(now), trays(reserved), n, breaches(now),
			breaches(reserved))
	}
	stated := planText(t, growing(2, "{to: 10, reserve: trays}", "4", room(", count: 2")))
	if trays(stated) != 2 || breaches(stated) == 0 {
		t.Errorf("%d trays, %d breaches", trays(stated), breaches(stated))
	}
}

// TestGrowthBreaksRules: what rules would report of the larger machine is reported, as one that has the racks already
// would report it, and what this machine breaks already is not reported again.
func TestGrowthBreaksRules(t *testing.T) {
	const text = `
boxes: [{name: ct, part: tr}, {name: cdu, role: service, part: ccdu}]
racks:
  - {name: acc, part: r48, RACKS, holds: [{boxes: ct, units: 1-8}, {switch: m, units: 40}]}
  - {name: cool, part: r48, count: 1, place: end-of-row, holds: [{boxes: cdu, units: 1-20}]}
fabrics:
  - {name: m, topology: {family: access}, ends: [{boxes: ct}, {boxes: cdu}], switches: {leaf: {part: nvidia-sn2201}}}
room: {rack: r48, rows: 1, racks_per_row: 10, loops: [{name: l, cdus: cdu, racks: [acc], flow_per_kw: 1 l/min}]}
parts:
  - {id: tr, kind: node, units: 1, power: 6 kW, liquid: 90 %, ports: [{count: 1, connector: rj45, rate: 1G}]}
  - {id: ccdu, kind: node, units: 20, power: 2 kW, cooling: {capacity: 100 kW, flow: 100 l/min},
     ports: [{count: 1, connector: rj45, rate: 1G}]}
  - {id: r48, kind: rack, units: 48, width: 0.6 m, depth: 1.2 m, height: 2.3 m, rack: {power: RATED}}
`
	machines := func(racks, rated string) (growth, errors []string) {
		r := planText(t, strings.Replace(strings.Replace(text, "RACKS", racks, 1), "RATED", rated, 1))
		for _, v := range r.Violations.List() {
			switch {
			case v.Rule == cabling.RuleGrowth.ID:
				growth = append(growth, v.Where+": "+v.Message)
			case v.Severity == diag.Error:
				errors = append(errors, v.Where+": with 6 acc: "+v.Rule+": "+v.Message)
			}
		}
		return growth, errors
	}
	for _, c := range []struct{ rated, racks string }{{"60 kW", ""}, {"20 kW", "A01 A02"}} {
		got, broken := machines("count: 2, growth: {to: 6}", c.rated)
		_, want := machines("count: 6", c.rated)
		if len(broken) != len(strings.Fields(c.racks)) {
			t.Errorf("%s: %q", c.rated, broken)
		}
		for _, rack := range strings.Fields(c.racks) {
			want = slices.DeleteFunc(want, func(v string) bool { return strings.HasPrefix(v, rack+":") })
		}
		if !slices.Equal(got, want) || len(want) < 2 {
			t.Errorf("%s: %q, want %q", c.rated, got, want)
		}
	}
}
