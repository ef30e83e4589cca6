package gantt

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/plenum-planner/plenum/build"
	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
	"github.com/plenum-planner/plenum/render/scene/scenetest"
)

func drawn(t *testing.T, text string, opt build.Options) (*build.Document, *pen.Canvas) {
	t.Helper()
	s, err := machine.Parse("machine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	d, err := build.Of(context.Background(), r, opt)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Draw(d)
	if err != nil {
		t.Fatal(err)
	}
	return d, c
}

// TestPicture: drawings of short and long builds, with and without dates and rows, can be read.
func TestPicture(t *testing.T) {
	const tree = "topology: {family: fat-tree, nodes: %d, radix: 32}\npackaging: {node: {per_rack: %d}}\n"
	compute, err := examples.Files.ReadFile("superpod-h100-compute.yaml")
	if err != nil {
		t.Fatal(err)
	}
	start := build.Calendar{Start: time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC), Shifts: 1, Hours: 8}
	few := map[build.Skill]int{build.Rigging: 2, build.Cabling: 2, build.Testing: 1, build.Power: 1}
	for name, c := range map[string]struct {
		text string
		opt  build.Options
	}{
		"one rack":  {fmt.Sprintf(tree, 2, 8), build.Options{}},
		"many rows": {fmt.Sprintf(tree, 256, 4), build.Options{People: few, Calendar: start}},
		"long name": {
			"name: " + strings.Repeat("a machine with a long name ", 8) + "\n" + fmt.Sprintf(tree, 16, 8),
			build.Options{Calendar: start},
		},
		"removal": {fmt.Sprintf(tree, 64, 8), build.Options{Remove: true}},
		"pod":     {string(compute), build.Options{Calendar: start, People: few}},
	} {
		t.Run(name, func(t *testing.T) {
			_, canvas := drawn(t, c.text, c.opt)
			scenetest.Check(t, canvas.Scene, scenetest.Limits{})
		})
	}
}

// TestFields: a field has the colour of the skill with the most hours on the day, where people work and nowhere else.
func TestFields(t *testing.T) {
	d, c := drawn(t, "topology: {family: fat-tree, nodes: 32, radix: 32}\npackaging: {node: {per_rack: 8}}\n",
		build.Options{People: map[build.Skill]int{build.Rigging: 2, build.Cabling: 2}})
	fields := map[[2]int]int{} // by colour of skill and size, those in the frame
	var frame scene.Box
	for _, m := range c.Scene.Marks {
		if f, ok := m.(scene.Frame); ok {
			frame = f.Box
		}
	}
	for _, m := range c.Scene.Marks {
		f, ok := m.(scene.Fill)
		if !ok || f.X0 < frame.X0 || f.X1 > frame.X1 || f.Y0 < frame.Y0 || f.Y1 > frame.Y1 {
			continue
		}
		for s := range build.Skills {
			if f.Color == pen.NRGBA(palette.Series(s)) {
				row := int((f.Y0-frame.Y0)/rowHigh + 0.5)
				day := int((f.X0-frame.X0)/f.Width() + 0.5)
				fields[[2]int{row, day}] = s + 1
			}
		}
	}
	for row, a := range d.Aisles() {
		for day, hours := range a.Hours {
			most, want := 0.0, 0
			for s, h := range hours {
				if h > most {
					most, want = h, s+1
				}
			}
			if got := fields[[2]int{row, day}]; got != want {
				t.Errorf("%s, day %d: skill %d, want %d: %v", a.Name, day+1, got-1, want-1, hours)
			}
		}
	}
}
