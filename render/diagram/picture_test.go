package diagram

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/render/pen"
	"github.com/plenum-planner/plenum/render/scene/scenetest"
	"github.com/plenum-planner/plenum/topology"
)

// pictured are subjects of every kind of drawing, with names short and long.
func pictured(t *testing.T) map[string]*Subject {
	t.Helper()
	subjects := map[string]*Subject{}
	for name, p := range map[string]topology.Params{
		"one link":         topology.Torus{Dims: topology.Ints{2}},
		"ring":             topology.Torus{Dims: topology.Ints{12}},
		"long ring":        topology.Torus{Dims: topology.Ints{400}},
		"line":             topology.Mesh{Dims: topology.Ints{7}},
		"long line":        topology.Mesh{Dims: topology.Ints{300}},
		"torus 2D":         topology.Torus{Dims: topology.Ints{8, 8}},
		"torus 3D":         topology.Torus{Dims: topology.Ints{6, 6, 6}},
		"torus 4D":         topology.Torus{Dims: topology.Ints{4, 3, 2, 3}},
		"wide torus":       topology.Torus{Dims: topology.Ints{100, 4}},
		"hypercube":        topology.Torus{Dims: topology.Ints{2, 2, 2, 2, 2, 2, 2, 2}},
		"hyperx":           topology.HyperX{Dims: topology.Ints{4, 4}, Terminals: 3},
		"dragonfly":        topology.Dragonfly{P: 2, A: 4, H: 2},
		"small dragonfly":  topology.Dragonfly{P: 1, A: 2, H: 1},
		"tree":             topology.FatTree{Nodes: 127, Radix: 64, Rails: 8},
		"small tree":       topology.FatTree{Nodes: 4, Radix: 4},
		"three tiers":      topology.FatTree{Nodes: 128, Radix: 8, Tiers: 3},
		"map of dragonfly": topology.Dragonfly{P: 4, A: 8, H: 4},
		"map of shares":    topology.Torus{Dims: topology.Ints{40, 40}},
		"map of many":      topology.Torus{Dims: topology.Ints{64, 64, 16}},
		"map of a tree":    topology.FatTree{Nodes: 2048, Radix: 64},
	} {
		g := graph(t, p)
		subjects[name] = &Subject{Name: name, Graph: g, Label: g.Label}
		const long = "a-machine-with-a-long-name-that-no-line-has-room-for/"
		subjects[name+", long names"] = &Subject{
			Name: strings.Repeat(long, 4), Graph: g, Label: func(v int) string { return long + g.Label(v) },
		}
	}
	for name, groups := range map[string]int{"two": 2, "sixty": 60, "thousands": 1600} {
		g := graph(t, topology.Torus{Dims: topology.Ints{40, 40}})
		s := &Subject{Name: name, Graph: g, Label: g.Label, Word: "rack"}
		s.Of = func(v int) int32 { return int32(v%(groups+1)) - 1 } // some are in none
		for i := range groups {
			s.Groups = append(s.Groups, fmt.Sprintf("row of the northern hall %d", i))
		}
		subjects["map of "+name+" racks"] = s
	}
	return subjects
}

// TestDiagramsCanBeRead reads drawings of topologies: no text stands over another, beyond the page, in letters too
// small for print or in a colour that cannot be seen on what is behind it. PLENUM_PICTURES=DIR writes them all.
func TestDiagramsCanBeRead(t *testing.T) {
	for name, s := range pictured(t) {
		c, err := Draw(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		for i, fault := range scenetest.Faults(c.Scene, scenetest.Limits{}) {
			if i < 5 {
				t.Errorf("%s: %s", name, fault)
			}
		}
		if dir := os.Getenv("PLENUM_PICTURES"); dir != "" {
			if err := save(filepath.Join(dir, name+".png"), c); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func save(path string, c *pen.Canvas) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := c.PNG(context.Background(), f); err != nil {
		return err
	}
	return f.Close()
}

// TestAnyDiagramIsLegible draws lattices and trees of any size with names of any length.
func TestAnyDiagramIsLegible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p topology.Params
		switch rapid.IntRange(0, 3).Draw(t, "family") {
		case 0:
			p = topology.Torus{Dims: rapid.SliceOfN(rapid.IntRange(2, 12), 1, 3).Draw(t, "dims")}
		case 1:
			p = topology.Mesh{Dims: rapid.SliceOfN(rapid.IntRange(2, 12), 1, 3).Draw(t, "dims")}
		case 2:
			p = topology.FatTree{Nodes: rapid.IntRange(2, 256).Draw(t, "nodes"), Radix: 32}
		case 3:
			p = topology.Dragonfly{P: rapid.IntRange(1, 4).Draw(t, "p"), A: rapid.IntRange(1, 5).Draw(t, "a"), H: 1}
		}
		g, err := topology.New(topology.Spec{Params: p})
		if err != nil {
			t.Skip(err)
		}
		name := rapid.StringN(0, 60, -1).Draw(t, "name")
		c, err := Draw(context.Background(), &Subject{
			Name: name, Graph: g, Label: func(v int) string { return name + g.Label(v) },
		})
		if err != nil {
			t.Fatal(err)
		}
		if wrong := scenetest.Faults(c.Scene, scenetest.Limits{}); len(wrong) > 0 {
			t.Fatal(strings.Join(wrong[:min(len(wrong), 5)], "\n"))
		}
	})
}
