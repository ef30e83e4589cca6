package topology_test

import (
	"testing"

	"github.com/plenum-planner/plenum/topology"
)

// TestPortsUsed: no kind has more ports than its vertex with the most links uses, so that a box with as many ports as
// links is not refused: a side of 2 of a torus has one link. The smallest members of PEC, SRT and RDT, on which links
// coincide, are left out.
func TestPortsUsed(t *testing.T) {
	specs := []topology.Params{
		topology.Torus{Dims: topology.Ints{4, 4, 2}},
		topology.Mesh{Dims: topology.Ints{2, 3, 1}},
		topology.Torus{Dims: topology.Ints{1, 2}},
		topology.IBT{Dims: topology.Ints{8, 8, 2}, BypassDims: 2, BypassLengths: topology.Ints{4}},
		topology.IBT{Dims: topology.Ints{12, 12, 1}, BypassDims: 2, BypassLengths: topology.Ints{4}},
		topology.IBT{Dims: topology.Ints{6, 10}, BypassDims: 1, BypassLengths: topology.Ints{3}},
	}
	for _, f := range topology.Families() {
		if f.Sizes == nil || f.Name == "clex" || f.Name == "de-bruijn" {
			continue // full networks of CLEX cannot be cabled; a port of a de Bruijn graph stands for a digit
		}
		list, err := topology.Sizes(f.Name, topology.SizeQuery{MinNodes: 33, MaxNodes: 300, Limit: 60})
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range list.Sizes {
			specs = append(specs, size.Spec.Params)
		}
	}
	for _, p := range specs {
		g, err := topology.New(p)
		if err != nil {
			t.Fatal(err)
		}
		kinds := g.Kinds()
		count := 0
		for _, k := range kinds {
			count += k.Count
		}
		used := make([]int, count)
		for l := range g.Links() {
			used[l.A] += int(l.Width)
			used[l.B] += int(l.Width)
		}
		for _, k := range kinds {
			most := 0
			for _, n := range used[:k.Count] {
				most = max(most, n)
			}
			used = used[k.Count:]
			if k.Ports != most {
				t.Errorf("%s %+v: a %s has %d ports and uses %d", p.Family(), p, k.Name, k.Ports, most)
			}
		}
	}
}
