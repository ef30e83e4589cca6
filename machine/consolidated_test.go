package machine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
)

// TestConsolidateSuperPOD orders the fibres of the SuperPOD in fewer lengths: the
// bill grows by what the report says, as there are no volume breaks.
func TestConsolidateSuperPOD(t *testing.T) {
	data, err := examples.Files.ReadFile("superpod-h100-compute.yaml")
	if err != nil {
		t.Fatal(err)
	}
	plan := func(consolidate string) *report.Plan {
		text := strings.Replace(string(data), "  route: tray\n", "  route: tray\n"+consolidate, 1)
		text = strings.Replace(text, "spares: {cable: 2, optic: 1}", "spares: {optic: 1}", 1)
		spec, err := machine.Parse("x.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.PlanWith(context.Background(), spec, machine.Options{Summary: true})
		if err != nil {
			t.Fatal(err)
		}
		return r.Report()
	}
	before := plan("")
	for consolidate, most := range map[string]int{
		"  consolidate: {most: 2}\n":           2,
		"  consolidate: {most: 3, per: all}\n": 3,
	} {
		after := plan(consolidate)
		c := after.Consolidation
		if c == nil || len(before.Media) != c.Before || len(after.Media) != c.After || c.After != most ||
			c.Before <= most {
			t.Fatalf("%s%+v; %d products, %d before", consolidate, c, len(after.Media), len(before.Media))
		}
		if got := after.Cost.Total - before.Cost.Total; got != c.Extra || c.Extra <= 0 || c.Metres <= 0 {
			t.Errorf("%sthe bill grows by %v, the report says %v", consolidate, got, c.Extra)
		}
		if after.Cables != before.Cables || after.Length != before.Length {
			t.Errorf("%s%d cables of %v, %d of %v before", consolidate, after.Cables, after.Length, before.Cables,
				before.Length)
		}
	}
	if r := plan("  consolidate: {most: 1, per: all}\n"); len(r.Media) != 1 && len(r.Notes) == 0 {
		t.Errorf("%v, %v", r.Media, r.Notes)
	}
}
