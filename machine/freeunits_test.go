package machine_test

import (
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/layout"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/report"
)

// fullRacks is servers and switches that fill racks of 42 units, with shuffles between them.
func fullRacks() string {
	text := splitPlane(16, 4, 2, 16, 2, 16)
	text = strings.ReplaceAll(strings.ReplaceAll(text, "units: 4", "units: 21"), "units: 2,", "units: 21,")
	return strings.ReplaceAll(text, ", per_rack: 4", "") + "room: {rack: rack-42u}\n"
}

// topUnits returns the highest unit that a device takes in any rack, and the panels of a plan.
func topUnits(t *testing.T, r *machine.Result) (top, panels int) {
	t.Helper()
	l := r.Schedule.Placement.Layout
	for i, k := range r.Schedule.Kinds {
		for v := k.First; v < k.First+k.Count; v++ {
			slot := r.Schedule.Placement.Slot[v]
			top = max(top, l.Unit(slot)+r.Schedule.Boxes[i].Box.Units-1)
		}
	}
	return top, len(r.Schedule.Patching.Panels)
}

// TestFullRacksKeepUnitsFree plans shuffles for boxes that would fill their racks: boxes then leave units free, which a
// note says, and as many as the file states where it states them.
func TestFullRacksKeepUnitsFree(t *testing.T) {
	plan := func(text string) (*machine.Result, *report.Plan) {
		t.Helper()
		spec, err := machine.Parse("x.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.Plan(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		return r, r.Report()
	}
	r, p := plan(fullRacks())
	top, panels := topUnits(t, r)
	if note := strings.Join(p.Notes, "\n"); top != 41 || panels == 0 ||
		!strings.Contains(note, "boxes leave the highest 1 unit of each rack free") {
		t.Errorf("boxes up to unit %d, %d panels; %s", top, panels, note)
	}
	if got := r.Spec.Embedding.FreeUnits; got != 1 {
		t.Errorf("the plan states free_units: %d", got)
	}
	r, p = plan(fullRacks() + "embedding: {free_units: 8}\n")
	top, panels = topUnits(t, r)
	note := strings.Join(p.Notes, "\n")
	if top > 34 || panels == 0 || !strings.Contains(note, "highest 8 units of each rack free") {
		t.Errorf("boxes up to unit %d of %d, %d panels; %s", top, layout.MaxUnits, panels, note)
	}
}

// TestFreeUnitsAreRefused refuses more free units than a box leaves, free units of containers, and panels for which the
// file leaves no unit.
func TestFreeUnitsAreRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{fullRacks() + "embedding: {free_units: 22}\n", "embedding.free_units: a box of 21 rack units does not fit " +
			"into a rack of 42, 22 of which stay free"},
		{"topology: {family: torus, dims: [4, 4]}\nroom: {containers: [{name: box, count: [4, 4, 1]}]}\n" +
			"embedding: {free_units: 1}\n", "embedding.free_units: containers have no rack units"},
	} {
		spec, err := machine.Parse("x.yaml", []byte(c.text))
		if err == nil {
			_, err = machine.Plan(t.Context(), spec)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
