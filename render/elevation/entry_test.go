package elevation

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/cabling"
	"github.com/plenum-planner/plenum/render/scene/scenetest"
)

// entered has racks with openings at the top and cable managers.
const entered = `
topology: {family: fat-tree, nodes: 128, radix: 16}
room: {rack: net-rack}
parts:
  - {id: net-rack, kind: rack, units: 48, width: 800 mm, depth: 1200 mm, height: 2.3 m,
     rack: {openings: [{at: top, width: WIDTH, depth: 30 mm, count: 2},
                       {at: manager, width: 120 mm, depth: 250 mm, count: 2}]}}
`

// Openings are fuller than they may be in just the racks that break the rule entry; pages with them can be read.
func TestEntries(t *testing.T) {
	for _, width := range []string{"300 mm", "60 mm", "2 mm"} {
		r := planned(t, strings.Replace(entered, "WIDTH", width, 1))
		broken := map[string]bool{}
		for _, v := range r.Violations.List() {
			if v.Rule == cabling.RuleEntry.ID {
				broken[v.Where] = true
			}
		}
		all := Of(r)
		for i := range all {
			rack, full := &all[i], false
			if len(rack.Entries) != 2 {
				t.Fatalf("rack %s has openings at %d places, want 2", rack.Name, len(rack.Entries))
			}
			for j := range rack.Entries {
				full = full || rack.Entries[j].share() > 1
			}
			if full != broken[rack.Name] {
				t.Errorf("openings of %s: rack %s is too full: %v, by the rule %v", width, rack.Name, full,
					broken[rack.Name])
			}
		}
		if (len(broken) > 0) != (width == "2 mm") {
			t.Errorf("openings of %s: %d racks break the rule", width, len(broken))
		}
		c, err := Draw(r, Options{Racks: []string{all[0].Name}})
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range scenetest.Faults(c.Scene, scenetest.Limits{}) {
			t.Errorf("openings of %s: %s", width, fault)
		}
		if dir := os.Getenv("PLENUM_SHOTS"); dir != "" {
			var b bytes.Buffer
			if err := c.PNG(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(dir+"/entry-"+strings.Fields(width)[0]+".png", b.Bytes(), 0o666); err != nil {
				t.Error(err)
			}
		}
	}
}
