package topology_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/internal/graphtest"
	"github.com/plenum-planner/plenum/topology"
)

// manyLinks is a pair of vertices with far too many links.
type manyLinks struct{ topology.Graph }

func (manyLinks) Links() iter.Seq[topology.Link] {
	return func(yield func(topology.Link) bool) {
		for range int64(topology.MaxLinks) + 1 {
			if !yield(topology.Link{A: 0, B: 1, Width: 1}) {
				return
			}
		}
	}
}

func TestCSROfTooManyLinks(t *testing.T) {
	if !graphtest.Long() {
		t.Skip("counts 2,147,483,648 links; set PLENUM_LONG=1")
	}
	defer func() {
		if what := fmt.Sprint(recover()); what != "topology: NewCSR of 2147483648 links; the most is 2147483647" {
			t.Error(what)
		}
	}()
	topology.NewCSR(manyLinks{graphtest.New(t, topology.Torus{Dims: topology.Ints{2}})})
}

func TestLinksBetween(t *testing.T) {
	g := graphtest.New(t, topology.Torus{Dims: topology.Ints{4, 2}})
	want := map[[2]int32][]int32{}
	number := int32(0)
	for l := range g.Links() {
		pair := [2]int32{min(l.A, l.B), max(l.A, l.B)}
		want[pair] = append(want[pair], number)
		number++
	}
	n := topology.Vertices(g)
	for a := range n {
		for b := range n {
			if got := topology.LinksBetween(g, a, b); !slices.Equal(got,
				want[[2]int32{int32(min(a, b)), int32(max(a, b))}]) {
				t.Errorf("links %v between %d and %d", got, a, b)
			}
		}
	}
}
