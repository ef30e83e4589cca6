package diagram

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/plenum-planner/plenum/internal/golden"
	"github.com/plenum-planner/plenum/machine"
	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene"
	"github.com/plenum-planner/plenum/topology"
)

// graph builds a topology.
func graph(t *testing.T, p topology.Params) topology.Graph {
	t.Helper()
	g, err := topology.New(topology.Spec{Params: p})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// small are topologies that are drawn vertex by vertex, in every way there is.
func small(t *testing.T) map[string]topology.Graph {
	return map[string]topology.Graph{
		"torus":     graph(t, topology.Torus{Dims: topology.Ints{4, 3, 2, 3}}),
		"ring":      graph(t, topology.Torus{Dims: topology.Ints{12}}),
		"mesh":      graph(t, topology.Mesh{Dims: topology.Ints{7}}),
		"hyperx":    graph(t, topology.HyperX{Dims: topology.Ints{4, 4}, Terminals: 3}),
		"dragonfly": graph(t, topology.Dragonfly{P: 2, A: 4, H: 2}),
		"tree":      graph(t, topology.FatTree{Nodes: 127, Radix: 64, Rails: 8}),
	}
}

// Every vertex has a place of its own on the sheet, and every link a line that ends at both of its vertices.
func TestGraph(t *testing.T) {
	l, err := pen.NewLetters()
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range small(t) {
		d := &graphDrawing{Subject: &Subject{Graph: g}, kinds: g.Kinds(), high: body}
		d.place()
		seen := map[[2]int]int{}
		for v, p := range d.at {
			if p[0] < margin || p[0] > margin+body || p[1] < headHeight+margin || p[1] > headHeight+margin+d.high {
				t.Errorf("%s: %s at %v", name, g.Label(v), p)
			}
			at := [2]int{int(math.Round(p[0] * 10)), int(math.Round(p[1] * 10))}
			if other, is := seen[at]; is {
				t.Errorf("%s: %s and %s at one place", name, g.Label(v), g.Label(other))
			}
			seen[at] = v
		}
		c, err := drawGraph(context.Background(), l, &Subject{Name: name, Graph: g, Label: g.Label})
		if err != nil {
			t.Fatal(err)
		}
		links, lines, layer := 0, 0, ""
		for range g.Links() {
			links++
		}
		for _, m := range c.Scene.Marks {
			switch m := m.(type) {
			case scene.Layer:
				layer = string(m)
			case scene.Path:
				if !strings.HasPrefix(layer, "links-") {
					continue
				}
				lines++
				for _, end := range [][2]float64{m.Lines[0][0], m.Lines[0][len(m.Lines[0])-1]} {
					at := [2]int{int(math.Round(end[0] * 10)), int(math.Round(end[1] * 10))}
					if _, is := seen[at]; !is {
						t.Errorf("%s: a line ends at %v, where no vertex is", name, end)
					}
				}
			case scene.Text:
				if w := l.Width(m.Text, pen.Letter{Size: m.Size}); m.X-m.Align*w < 0 || m.X+(1-m.Align)*w > c.Scene.W {
					t.Errorf("%s: %q runs off the sheet", name, m.Text)
				}
			}
		}
		if lines != links {
			t.Errorf("%s: %d lines for %d links", name, lines, links)
		}
	}
}

// The map has the channels of each pair of racks as adding up cable by cable finds them, the same both ways round.
func TestMap(t *testing.T) {
	s, err := machine.Load("../../examples/dragonfly-1056.yaml")
	if err != nil {
		t.Fatal(err)
	}
	r, err := machine.PlanWith(context.Background(), s, machine.Options{Summary: true})
	if err != nil {
		t.Fatal(err)
	}
	subject, err := planned(r, "")
	if err != nil {
		t.Fatal(err)
	}
	h := count(context.Background(), subject)
	n := len(h.names)
	if n != len(r.Placement.Racks) || h.beyond != 0 {
		t.Errorf("%d groups for %d racks, %d channels beyond", n, len(r.Placement.Racks), h.beyond)
	}
	want := map[[2]string]int64{}
	rack := func(v int32) string {
		return r.Room().Name(int(r.Placement.Layout.Container(2, r.Placement.Slot[v])))
	}
	total := int64(0)
	for l := range r.Graph.Links() {
		total += int64(l.Width)
		a, b := rack(l.A), rack(l.B)
		want[[2]string{a, b}] += int64(l.Width)
		if a != b {
			want[[2]string{b, a}] += int64(l.Width)
		}
	}
	if h.total != total {
		t.Errorf("%d channels, want %d", h.total, total)
	}
	for i, a := range h.names {
		for j, b := range h.names {
			if got := h.counts[i*n+j]; got != want[[2]string{a, b}] || got != h.counts[j*n+i] {
				t.Errorf("%s and %s: %d, want %d", a, b, got, want[[2]string{a, b}])
			}
		}
	}
	if h.shade(0) != -1 || h.shade(1) != 0 || h.shade(h.most) != shades-1 {
		t.Errorf("shades %d, %d, %d", h.shade(0), h.shade(1), h.shade(h.most))
	}
}

// Large topologies have a map without a plan, too, of their groups or of equal shares; more than fit are put together.
func TestMapOfTopology(t *testing.T) {
	for name, p := range map[string]topology.Params{
		"groups": topology.Dragonfly{P: 4, A: 8, H: 4}, "shares": topology.Torus{Dims: topology.Ints{40, 40}},
		"edgeless": topology.Torus{Dims: topology.Ints{1, 1}},
	} {
		g, err := topology.New(topology.Spec{Params: p})
		if err != nil {
			continue // no such member
		}
		l, err := pen.NewLetters()
		if err != nil {
			t.Fatal(err)
		}
		var twice [2]bytes.Buffer
		for i := range twice {
			c, err := drawMap(context.Background(), l, &Subject{Name: name, Graph: g, Label: g.Label})
			if err != nil {
				t.Fatal(err)
			}
			if err := scene.SVG(t.Context(), &twice[i], c.Scene); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(twice[0].Bytes(), twice[1].Bytes()) {
			t.Errorf("%s: not the same twice", name)
		}
	}
	g := graph(t, topology.Torus{Dims: topology.Ints{40, 40}})
	s := &Subject{Graph: g, Word: "rack", Of: func(v int) int32 { return int32(v) }}
	for v := range topology.Vertices(g) {
		s.Groups = append(s.Groups, g.Label(v))
	}
	if h := count(context.Background(), s); len(h.names) > mostGroups || h.merged != 3 {
		t.Errorf("%d rows, %d groups in each", len(h.names), h.merged)
	}
}

// Graphs in every way of placing their vertices, and a map, are the marks that they were when they were last looked at.
func TestMarks(t *testing.T) {
	l, err := pen.NewLetters()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		topology topology.Params
		draw     func(context.Context, *pen.Letters, *Subject) (*pen.Canvas, error)
	}{
		"lattice": {topology.Torus{Dims: topology.Ints{4, 3, 2}}, drawGraph},
		"circle":  {topology.Dragonfly{P: 1, A: 2, H: 1}, drawGraph},
		"tiers":   {topology.FatTree{Nodes: 16, Radix: 8}, drawGraph},
		"map":     {topology.Dragonfly{P: 2, A: 4, H: 1}, drawMap},
	} {
		g := graph(t, c.topology)
		drawn, err := c.draw(t.Context(), l, &Subject{Name: name, Graph: g, Label: g.Label})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := scene.List(&b, drawn.Scene); err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, name+".txt", b.String())
	}
}
