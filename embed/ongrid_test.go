package embed

import (
	"testing"

	"github.com/plenum-planner/plenum/embed/mapping"
	"github.com/plenum-planner/plenum/topology"
)

// Every channel counts, and racks hold as few vertices as hold them all.
func TestOnGrid(t *testing.T) {
	g := graph(t, topology.Torus{Dims: topology.Ints{6, 4}})
	p, err := OnGrid(g, 3, 3, 0)
	if err != nil {
		t.Fatal(err)
	}
	if p.Graph.Vertices() != 24 || p.Costs.Places() != 9 || len(p.Capacity) != 9 || p.Capacity[0] != 3 {
		t.Errorf("%d vertices on %d places of %d", p.Graph.Vertices(), p.Costs.Places(), p.Capacity)
	}
	// All columns of racks in the middle row: the sum by hand.
	place := make([]int32, 24)
	want := int64(0)
	for v := range place {
		place[v] = int32(3 + v%6/2)
	}
	for l := range g.Links() {
		want += int64(l.Width) * int64(max(place[l.A]-place[l.B], place[l.B]-place[l.A]))
	}
	if got := mapping.ScoreOf(p.Graph, p.Costs, place).Sum; got != want || got == 0 {
		t.Errorf("a sum of %d, want %d", got, want)
	}
	if p, err := OnGrid(g, 3, 3, 5); err != nil || p.Capacity[8] != 5 {
		t.Errorf("%v: %v", p, err)
	}
}

// A lattice starts from its blocks as well, with all terminals in the racks of
// their routers; other graphs from the order of their vertices.
func TestGridStarts(t *testing.T) {
	g := graph(t, topology.HyperX{Dims: topology.Ints{4, 4}, Terminals: 3})
	starts := GridStarts(g, 4, 4, 4)
	if len(starts) < 2 {
		t.Fatalf("%d starts of a lattice", len(starts))
	}
	for i, place := range starts {
		if len(place) != 64 {
			t.Fatalf("start %d has %d places", i, len(place))
		}
		for v, q := range place {
			if q < 0 || q >= 16 {
				t.Fatalf("start %d: vertex %d in rack %d of 16", i, v, q)
			}
			if i > 0 && v >= 16 && q != place[(v-16)/3] {
				t.Errorf("start %d: terminal %d in rack %d, its router in %d", i, v, q, place[(v-16)/3])
			}
		}
	}
	if starts := GridStarts(graph(t, topology.Dragonfly{P: 2, A: 4, H: 2}), 4, 4, 7); len(starts) != 1 {
		t.Errorf("%d starts of a dragonfly, want its order alone", len(starts))
	}
}
