package render

import (
	"testing"

	"github.com/plenum-planner/plenum/examples"
	"github.com/plenum-planner/plenum/machine"
)

// The links of a view are those that the report counts by level of packaging, and a view of the first container has its
// part of them where all containers are alike.
func TestExplodedLinksAreThoseOfTheReport(t *testing.T) {
	for _, name := range []string{"clex-4096.yaml", "torus-4096-cubes.yaml"} {
		data, err := examples.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		given, err := machine.Parse(name, data)
		if err != nil {
			t.Fatal(err)
		}
		r, err := machine.PlanWith(t.Context(), given, machine.Options{Summary: true})
		if err != nil {
			t.Fatal(err)
		}
		counted := map[string]int64{}
		for _, l := range r.Report().LayoutLevels {
			counted[l.Level] = l.Links
		}
		for _, v := range explodedViews(r, r.Placement.Layout.Tree) {
			all, here := int64(0), int64(0)
			for k, n := range v.links {
				all += n
				for _, x := range v.joined[k] {
					here += x
				}
			}
			if all != counted[v.name] || here*int64(v.containers) != all {
				t.Errorf("%s, %s: %d links of %d containers, %d here; the report has %d", name, v.name, all,
					v.containers, here, counted[v.name])
			}
		}
	}
}

// A machine in racks has nothing to draw apart.
func TestExplodedNeedsContainers(t *testing.T) {
	given, err := machine.Parse("m.yaml", []byte("topology: {family: torus, dims: [4, 4]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(t.Context(), given)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := Exploded(t.Context(), r); err == nil {
		t.Errorf("drawn: %v", c.Scene.Name)
	}
}
