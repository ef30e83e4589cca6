package build

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/asbuilt"
	"github.com/plenum-planner/plenum/machine"
)

// planOf plans a drawn machine file.
func planOf(t *rapid.T, text string) *machine.Result {
	s, err := machine.Parse("machine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestGrowthKeepsItsSteps schedules drawn growths. What a step pulls out is pulled out when all links of the steps
// before are tested, and what it plugs in is plugged in when that is out; every cable of the steps is in the schedule
// once.
func TestGrowthKeepsItsSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spines := rapid.IntRange(1, 3).Draw(t, "spines")
		grown := rapid.IntRange(spines, 4).Draw(t, "grown")
		leaves := rapid.IntRange(2, 4).Draw(t, "leaves")
		more := rapid.IntRange(0, 2).Draw(t, "more")
		perRack := rapid.IntRange(2, 8).Draw(t, "per rack")
		newPerRack := rapid.SampledFrom([]int{perRack, perRack + 1}).Draw(t, "per rack of the larger") // boxes move
		panels := rapid.SampledFrom([]string{"", "cabling: {structured: {levels: [tier1]}}\n"}).Draw(t, "panels")
		text := func(leaves, spines, perRack int) string {
			return fmt.Sprintf("topology: {family: leaf-spine, nodes: %d, down: 4, up: 12, spines: %d}\n"+
				"packaging: {node: {per_rack: %d}}\n", 4*leaves, spines, perRack) + panels
		}
		old, new := planOf(t, text(leaves, spines, perRack)), planOf(t, text(leaves+more, grown, newPerRack))
		diff, err := asbuilt.Compare(context.Background(), old, new,
			asbuilt.Options{Capacity: float64(rapid.SampledFrom([]int{0, 50, 75}).Draw(t, "capacity"))})
		if err != nil {
			t.Fatal(err)
		}
		d, err := Of(context.Background(), new, Options{From: diff, Draws: 1})
		if err != nil {
			t.Fatal(err)
		}
		out, in := 0, 0
		for i := range diff.Steps {
			out, in = out+len(diff.Steps[i].Out), in+len(diff.Steps[i].In)
		}
		if int(d.Disconnected) != out || int(d.Cables) != in {
			t.Fatalf("%d cables pulled out and %d plugged in; the steps have %d and %d", d.Disconnected, d.Cables, out,
				in)
		}
		p := d.project
		for i := range p.tasks {
			for _, before := range p.tasks[i].After {
				if d.end(before) > d.schedule.Begin[i] {
					t.Fatalf("%q begins before %q ends", p.tasks[i].Name, p.tasks[before].Name)
				}
			}
			step, pulls := 0, strings.HasPrefix(p.tasks[i].Name, "step ") && p.jobs[i].of == Disconnect
			if pulls {
				fmt.Sscanf(p.tasks[i].Name, "step %d:", &step)
			} else if p.jobs[i].of == Patch {
				step = int(p.groups[p.jobs[i].group].step)
			}
			for j := range p.tasks {
				of := &p.jobs[j]
				switch {
				case pulls && of.of == Test && int(p.groups[of.group].step) < step && d.end(j) > d.schedule.Begin[i]:
					t.Fatalf("%q begins before %q ends", p.tasks[i].Name, p.tasks[j].Name)
				case p.jobs[i].of == Patch && of.of == Disconnect:
					var pulled int
					fmt.Sscanf(p.tasks[j].Name, "step %d:", &pulled)
					if pulled <= step && d.end(j) > d.schedule.Begin[i] {
						t.Fatalf("%q of step %d begins before %q ends", p.tasks[i].Name, step, p.tasks[j].Name)
					}
				}
			}
		}
		stood := 0
		for v, step := range diff.Stood() {
			if new.Schedule.Panel(int32(v)) < 0 && step > 0 && p.rackOf[v] >= 0 {
				stood++
			}
		}
		if int(d.Boxes) != stood {
			t.Fatalf("%d boxes are mounted, %d stood", d.Boxes, stood)
		}
	})
}

// TestGrowthIsOfThePlan: steps to another plan are refused.
func TestGrowthIsOfThePlan(t *testing.T) {
	r := planText(t, small)
	d, err := asbuilt.Compare(context.Background(), r, planText(t, small), asbuilt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Of(context.Background(), r, Options{From: d}); err == nil {
		t.Error("steps to another plan are not refused")
	}
}
