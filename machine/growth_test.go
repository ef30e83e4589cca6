package machine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
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
