package machines

import (
	"testing"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/topology/measure"
)

// The figures of a shape are those of its graph, and no shape has more ports than asked for.
func TestShapesAreAsTold(t *testing.T) {
	for _, radix := range []int{0, 24} {
		s := &Search{MinNodes: 120, MaxNodes: 132}
		for _, family := range []string{
			"fat-tree", "folded-clos", "dragonfly", "dragonfly-plus", "slim-fly", "polarfly", "hyperx",
		} {
			shapes := s.shapes(family, radix)
			if len(shapes) == 0 && radix == 0 {
				t.Errorf("there is no %s", family)
			}
			for _, z := range shapes {
				g, err := topology.New(z.Spec)
				if err != nil {
					t.Fatal(err)
				}
				c := topology.Count(g)
				ports := measure.RouterDegrees(g).Ports
				trees := family == "fat-tree" || family == "folded-clos"
				if c.Nodes != z.Nodes || c.Switches != z.Switches || c.Nodes < s.MinNodes || c.Nodes > s.MaxNodes ||
					ports > z.Ports || !trees && ports != z.Ports || radix > 0 && ports > radix {
					t.Errorf("%v is told with %+v, and has %+v and %d ports", z.Spec, z, c, ports)
				}
				hops, err := measure.Hops(t.Context(), g, measure.HopEnds(g), measure.HopOptions{})
				if err != nil || z.Diameter >= 0 && hops.Diameter != z.Diameter {
					t.Errorf("%v has a diameter of %d, not %d (%v)", z.Spec, hops.Diameter, z.Diameter, err)
				}
			}
		}
	}
}

// The grids are those of all sides and numbers of nodes on a switch that the page describes.
func TestGridsAreAll(t *testing.T) {
	s := &Search{MinNodes: 60, MaxNodes: 70}
	found := map[string]bool{}
	for _, z := range s.shapes("hyperx", 32) {
		found[z.Spec.String()] = true
	}
	want := 0
	for a := 2; a < 32; a++ {
		for b := 1; b <= 2*a; b++ {
			for c := 1; c <= 2*a; c++ {
				if b == 1 && c > 1 || b > 1 && b < a || c > 1 && c < b {
					continue
				}
				dims := topology.Ints{a, b, c}
				for dims[len(dims)-1] == 1 {
					dims = dims[:len(dims)-1]
				}
				for nodes := (a + 1) / 2; nodes <= 2*a; nodes++ {
					n := a * b * c * nodes
					if n < 60 || n > 70 || a+b+c-3+nodes > 32 {
						continue
					}
					want++
					spec := topology.Spec{Params: topology.HyperX{Dims: dims, Terminals: nodes}}
					if !found[spec.String()] {
						t.Errorf("%v is not among the grids", spec)
					}
				}
			}
		}
	}
	if want != len(found) || want < 5 {
		t.Errorf("%d grids are found, not %d", len(found), want)
	}
}
