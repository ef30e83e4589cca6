package render

import (
	"context"
	"math"
	"testing"

	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/route"
	"github.com/plenum-planner/plenum/render/scene"
)

// TestFaultsOnTheFloor draws differences along a row, across rows and within a rack: no two lines lie on each other,
// planned ones are dashed, racks have their numbers, and the legend has the kinds that there are.
func TestFaultsOnTheFloor(t *testing.T) {
	r := planText(t, "name: drawn\ntopology: {family: fat-tree, radix: 32, nodes: 100}\n"+
		"room: {rows: 2, racks_per_row: 8}\npackaging: {node: {per_rack: 10}}\n")
	f := &route.Faults{
		Count: 3, Unknown: 2, Kinds: []string{"missing", "extra", "swapped"}, Racks: map[int32]int{0: 1, 3: 17},
	}
	for i := range int32(5) {
		f.Lines = append(f.Lines, route.FaultLine{Kind: "swapped", A: i, B: i + 1, Planned: i%2 == 0, Links: 1},
			route.FaultLine{Kind: "missing", A: 0, B: i + 1, Planned: true, Links: 1},
			route.FaultLine{Kind: "swapped", A: i, B: i + 8, Links: 1},
			route.FaultLine{Kind: "missing", A: i, B: i + 8, Planned: true, Links: 1})
	}
	f.Lines = append(f.Lines, route.FaultLine{Kind: "swapped", A: 2, B: 2},
		route.FaultLine{Kind: "missing", A: 2, B: 2, Planned: true})
	c, err := DrawFloor(context.Background(), r, FloorOptions{Faults: f}, true)
	if err != nil {
		t.Fatal(err)
	}
	layer, texts := "", map[string]bool{}
	var segments [][2][2]float64
	dashed, rings := 0, 0
	for _, m := range c.Scene.Marks {
		switch m := m.(type) {
		case scene.Layer:
			layer = string(m)
		case scene.Text:
			texts[m.Text] = true
		case scene.Path:
			if layer != "differences" {
				continue
			}
			if len(m.Dash) > 0 {
				dashed++
			}
			if len(m.Lines[0]) == 2 {
				segments = append(segments, [2][2]float64{m.Lines[0][0], m.Lines[0][1]})
			} else {
				rings++
			}
		case scene.Circle:
			if layer == "differences" && m.Width > 0 {
				rings++
			}
		}
	}
	if len(segments) != 20 || rings != 2 || dashed != 5+5+3+1 {
		t.Errorf("%d lines, %d rings, %d of them dashed", len(segments), rings, dashed)
	}
	for i, s := range segments {
		for _, o := range segments[:i] {
			if lieOnEachOther(s, o) {
				t.Errorf("%v lies on %v", s, o)
			}
		}
	}
	for _, want := range []string{
		"3 differences from the plan; 2 planned links unknown, which no source sees", "missing", "swapped", "17",
		"rack with differences, and how many", "dashed: where they belong",
	} {
		if !texts[want] {
			t.Errorf("the drawing does not say %q", want)
		}
	}
	if texts["extra"] {
		t.Error("the legend has a kind of which there is none")
	}
}

// lieOnEachOther reports whether two segments of one direction share more than a point.
func lieOnEachOther(s, o [2][2]float64) bool {
	dx, dy := s[1][0]-s[0][0], s[1][1]-s[0][1]
	long := math.Hypot(dx, dy)
	along := func(p [2]float64) (along, aside float64) {
		x, y := p[0]-s[0][0], p[1]-s[0][1]
		return (x*dx + y*dy) / long, math.Abs(x*dy-y*dx) / long
	}
	a, away := along(o[0])
	b, away2 := along(o[1])
	return away < 1 && away2 < 1 && min(a, b) < long-1 && max(a, b) > 1
}

// TestNoFaults draws a floor on which nothing differs.
func TestNoFaults(t *testing.T) {
	r := planText(t, "topology: {family: torus, dims: [4, 4]}\n")
	c, err := DrawFloor(context.Background(), r, FloorOptions{Faults: &route.Faults{Kinds: []string{"missing"}}}, false)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, m := range c.Scene.Marks {
		text, ok := m.(scene.Text)
		found = found || ok && text.Text == "nothing that is seen differs from the plan"
	}
	if !found {
		t.Error("the drawing does not say that nothing differs")
	}
	nested := planText(t, "topology: {family: torus, dims: [4, 4]}\n"+
		"room: {containers: [{name: cube, count: [4, 4, 1], pitch: [1, 1, 1]}]}\n")
	if _, err := DrawFloor(context.Background(), nested, FloorOptions{Faults: &route.Faults{}}, false); err == nil {
		t.Error("containers have no floor for differences")
	}
}

// planText plans a machine file.
func planText(t *testing.T, text string) *machine.Result {
	t.Helper()
	s, err := machine.Parse("m.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return plan(t, s)
}
