package render

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"github.com/plenum-planner/plenum/internal/golden"
	"github.com/plenum-planner/plenum/layout/drawing"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/machine/spec"
	"github.com/plenum-planner/plenum/render/palette"
	"github.com/plenum-planner/plenum/render/pick"
	"github.com/plenum-planner/plenum/render/route"
	"github.com/plenum-planner/plenum/render/scene"
	"github.com/plenum-planner/plenum/topology"
)

const cabled = `{name: "Two <levels>", topology: {family: fat-tree, nodes: 48, radix: 16}, room: {racks_per_row: 4}}`

func chosen(t *testing.T, r *machine.Result, f pick.Filter) *pick.Chosen {
	t.Helper()
	c, err := pick.Of(r, f)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// marks lists those of a floor plan.
func marks(t *testing.T, r *machine.Result, opt FloorOptions) string {
	t.Helper()
	c, err := DrawFloor(t.Context(), r, opt, true)
	if err != nil {
		t.Fatal(err)
	}
	return listed(t, c.Scene)
}

// listed are the marks of a scene.
func listed(t *testing.T, s *scene.Scene) string {
	t.Helper()
	var b strings.Builder
	if err := scene.List(&b, s); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(b.String(), "Plenum "+machine.Version, "Plenum VERSION")
}

// A floor plan is the marks that it was when it was last looked at.
func TestMarksOfAFloor(t *testing.T) {
	r := plan(t, toName(t, cabled))
	golden.Compare(t, "floor.txt", marks(t, r, FloorOptions{Colour: "power", RackPower: true}))
	golden.Compare(t, "floor-longest.txt", marks(t, r, FloorOptions{
		Cables: chosen(t, r, pick.Filter{Longest: 3}), CableColour: "length",
	}))
	golden.Compare(t, "floor-all.txt", marks(t, r, FloorOptions{
		Cables: chosen(t, r, pick.Filter{Levels: []string{"tier1"}}),
	}))
}

// So are containers from three sides, and the second of several sheets of a floor plan.
func TestMarksOfOtherPlans(t *testing.T) {
	nested := &spec.Spec{
		Name: "Cubes", Topology: topology.Spec{Params: topology.Torus{Dims: topology.Ints{4, 4, 2}}},
		Room: spec.Room{Containers: []spec.Container{
			{Name: "whole", Count: []int{2, 2, 1}, Gap: 0.5},
			{Name: "cube", Count: []int{2}, Pitch: []spec.Pitch{0.3}},
		}},
	}
	cubes := plan(t, nested)
	golden.Compare(t, "cubes.txt", marks(t, cubes, FloorOptions{}))
	exploded, err := Exploded(t.Context(), cubes)
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "exploded.txt", listed(t, exploded.Scene))
	r := plan(t, toName(t, cabled))
	for k := 50; ; k -= 5 {
		pages, err := FloorSheets(t.Context(), r, FloorOptions{Date: "1 May 2026"}, "A4", k)
		if err != nil {
			t.Fatal(err)
		}
		if len(pages) > 1 {
			golden.Compare(t, "sheet.txt", listed(t, pages[1].Scene))
			break
		}
	}
}

// A DXF has the lines of cables on a layer for each of their colours, from rack to rack.
func TestDXFHasCables(t *testing.T) {
	r := plan(t, superPod())
	opt := FloorOptions{Cables: chosen(t, r, pick.Filter{Longest: 4})}
	write, err := DrawFloorDXF(t.Context(), r, opt)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	d, err := drawing.Read("floor.dxf", b.Bytes(), drawing.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := route.Of(r, opt.Cables, opt.CableColour)
	if err != nil {
		t.Fatal(err)
	}
	var got, want float64
	for _, s := range d.Shapes {
		if !strings.HasPrefix(d.Layers[s.Layer].Name, "cables-") {
			continue
		}
		for i := 1; i < len(s.Points); i++ {
			got += planar.Distance(s.Points[i-1], s.Points[i])
		}
	}
	for i := range c.Runs {
		points := c.Runs[i].Points
		for k := 1; k < len(points); k++ {
			want += planar.Distance(orb.Point(points[k-1]), points[k])
		}
	}
	if want == 0 || math.Abs(got-want) > 0.1*want {
		t.Errorf("lines of %g m, want about %g m", got, want)
	}
}

// TestStatedColours: cables of a floor plan have the colours that the machine file states, and those without one are
// counted apart. A machine that states none is refused.
func TestStatedColours(t *testing.T) {
	s := superPod()
	if _, err := route.Of(plan(t, s), chosen(t, plan(t, s), pick.Filter{}), "stated"); err == nil ||
		!strings.Contains(err.Error(), "states no colours") {
		t.Errorf("no colours: %v", err)
	}
	s.Cabling.Colours = &spec.Colours{Rails: spec.RailsOfAll("aqua", "", "Night Watch")}
	r := plan(t, s)
	c, err := route.Of(r, chosen(t, r, pick.Filter{}), "stated")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int64{"no stated colour": r.Schedule.Cables}
	for _, p := range r.Schedule.ColourPieces() {
		want[p.Colour] += p.Pieces
		want["no stated colour"] -= p.Pieces
	}
	aqua, _ := palette.Jacket("aqua")
	for i, k := range c.Classes {
		if k.Cables != want[k.Name] || (k.Name == "aqua") != (k.Color == aqua) ||
			(k.Name == "no stated colour") != (i == len(c.Classes)-1) {
			t.Errorf("%+v, want %v", k, want)
		}
	}
	if len(c.Classes) != 3 {
		t.Errorf("%+v", c.Classes)
	}
}
