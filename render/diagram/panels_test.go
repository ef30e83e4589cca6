package diagram

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
	"github.com/plenum-planner/plenum/render/scene/scenetest"
	"github.com/plenum-planner/plenum/topology"
)

// plannedExample plans a machine of the examples.
func plannedExample(t *testing.T, name string) *machine.Result {
	t.Helper()
	s, err := machine.Load("../../examples/" + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.PlanWith(t.Context(), s, machine.Options{Summary: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPanelsHaveAllFabrics: every link of the machine is a line of one panel, or of one that stands for equal planes,
// and every panel has each of its boxes once.
func TestPanelsHaveAllFabrics(t *testing.T) {
	for name, want := range map[string]string{
		"nvl72-8": "plane-1 × 2, converged, oob", "superpod-b300-planes": "plane-1 × 2, storage, in-band, oob",
		"superpod-h100-4su": "compute, storage, in-band, oob",
	} {
		r := plannedExample(t, name)
		subjects, err := Planned(r, "")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		channels := int64(0)
		for _, s := range subjects {
			got = append(got, s.Name)
			seen := map[string]bool{}
			for v := range topology.Vertices(s.Graph) {
				if label := s.Label(v); seen[label] {
					t.Errorf("%s: %s: %s twice", name, s.Name, label)
				} else {
					seen[label] = true
				}
			}
			for l := range topology.Cables(s.Graph) {
				channels += int64(l.Width) * int64(1+s.alike)
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		all := int64(0)
		for l := range topology.Cables(r.Graph) {
			all += int64(l.Width)
		}
		if channels != all {
			t.Errorf("%s: %d channels in panels, %d in the machine", name, channels, all)
		}
		c, err := DrawPanels(t.Context(), name, subjects)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range scenetest.Faults(c.Scene, scenetest.Limits{}) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

// TestPanelsDoNotMeet: every panel is in its frame, and no frame overlaps another.
func TestPanelsDoNotMeet(t *testing.T) {
	for _, n := range []int{2, 3, 5, 10, MostPanels} {
		var subjects []*Subject
		for i := range n {
			g := graph(t, topology.FatTree{Nodes: 4 + i, Radix: 16})
			if i%3 == 1 {
				g = graph(t, topology.Torus{Dims: topology.Ints{30, 20 + i}}) // a map
			}
			subjects = append(subjects, &Subject{
				Name: fmt.Sprint("fabric ", i), Graph: g, Label: g.Label, Notes: []string{"A note of the fabric."},
			})
		}
		c, err := DrawPanels(t.Context(), "machine", subjects)
		if err != nil {
			t.Fatal(err)
		}
		for i, fault := range scenetest.Faults(c.Scene, scenetest.Limits{}) {
			if i < 5 {
				t.Errorf("%d panels: %s", n, fault)
			}
		}
		var frames []pen.Box
		for _, m := range c.Scene.Marks {
			if f, is := m.(scene.Frame); is && f.Box.Width() > leastPanel {
				for _, o := range frames {
					nested := f.Box.Within(o) == f.Box || o.Within(f.Box) == o // a map has a frame of its own
					if o.Overlaps(f.Box) && !nested {
						t.Errorf("%d panels: %v and %v overlap", n, o, f.Box)
					}
				}
				if sheet := pen.Rect(0, 0, c.Scene.W, c.Scene.H); f.Box.Within(sheet) != f.Box {
					t.Errorf("%d panels: %v is beyond the sheet", n, f.Box)
				}
				frames = append(frames, f.Box)
			}
		}
	}
	if _, err := DrawPanels(t.Context(), "", make([]*Subject, MostPanels+1)); err == nil {
		t.Error("too many panels are drawn")
	}
}
