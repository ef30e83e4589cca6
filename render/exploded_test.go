package render

import (
	"math"
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
		counted, cables := map[string]int64{}, int64(0)
		for _, l := range r.Report().LayoutLevels {
			counted[l.Level] = l.Links
		}
		for _, v := range explodedViews(r, r.Placement.Layout.Tree) {
			cables += v.cables
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
		if cables != r.Report().Cables {
			t.Errorf("%s: views have %d cables, the machine %d", name, cables, r.Report().Cables)
		}
	}
}

// TestExplodedCountsContainersThatHoldBoxes: a machine that does not fill its containers has as many as stand there.
func TestExplodedCountsContainersThatHoldBoxes(t *testing.T) {
	given, err := machine.Parse("m.yaml", []byte(`
topology: {family: torus, dims: [4, 4, 2]}
room: {containers: [{name: hall, count: [5, 1, 1]}, {name: cabinet, count: [2, 2, 2], pitch: 0.3 m}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.Plan(t.Context(), given)
	if err != nil {
		t.Fatal(err)
	}
	views := explodedViews(r, r.Placement.Layout.Tree)
	if got := views[1].containers; got != 4 {
		t.Errorf("%d containers hold 32 boxes by eight, not 4", got)
	}
}

// TestLinesBesideEachOther: however a line runs, it moves to the same side, by as much as is asked for.
func TestLinesBesideEachOther(t *testing.T) {
	for _, line := range [][2][2]float64{{{0, 0}, {10, 0}}, {{0, 0}, {0, 10}}, {{3, 4}, {-3, 9}}} {
		a, b := besideLine(line[0], line[1], 4)
		d, c := besideLine(line[1], line[0], 4)
		if moved := math.Hypot(a[0]-line[0][0], a[1]-line[0][1]); math.Abs(moved-4) > 1e-9 || a != c || b != d {
			t.Errorf("%v: moved by %v to %v and %v, the other way %v and %v", line, moved, a, b, c, d)
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

// TestLinksOverOtherCellsAreBowed: a wrap-around link of a row of cells is not drawn over the links between its
// neighbours; slanted lines and those between neighbours are straight.
func TestLinksOverOtherCellsAreBowed(t *testing.T) {
	count := [3]int{4, 4, 4}
	for pair, want := range map[[2]int]bool{{0, 1}: false, {0, 3}: true, {0, 12}: true, {0, 48}: true, {0, 5}: false} {
		if passesOver(pair[0], pair[1], count) != want {
			t.Errorf("%v: %v", pair, !want)
		}
	}
	line := bowed([2]float64{0, 0}, [2]float64{100, 0})
	if first, last, middle := line[0], line[len(line)-1], line[len(line)/2]; first != [2]float64{} ||
		last != [2]float64{100, 0} || math.Abs(middle[1]-9) > 1e-9 {
		t.Errorf("a bow of %v", line)
	}
}
