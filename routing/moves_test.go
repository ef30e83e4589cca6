package routing

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
)

// TestMovesAreDimensionOrder: the moves that are kept lead where the coordinates tell, from any router to any other, by
// any channel that a packet came by and with any marks.
func TestMovesAreDimensionOrder(t *testing.T) {
	specs := []topology.Params{
		small["ring"], small["torus"], small["evenTorus"], small["thinTorus"], small["openTorus"], small["doubled"],
		small["mesh"], small["cube"], small["hyperx"], small["wide"], small["butterfly"],
		topology.Torus{Dims: topology.Ints{2, 3, 2, 2, 2}},
	}
	kept := 0
	rapid.Check(t, func(rt *rapid.T) {
		n := network(t, rapid.SampledFrom(specs).Draw(rt, "spec"))
		if failed := rapid.SliceOfN(rapid.Int32Range(0, slices.Max(n.Link)), 0, 3).Draw(rt, "failed"); len(failed) > 0 {
			n = n.Fail(failed, nil)
		}
		l, err := newLattice(n)
		if err != nil {
			rt.Fatal(err)
		}
		f := dimOrderOn(l)
		if f.moves == nil {
			return
		}
		kept++
		plain := *f
		plain.moves = nil
		for range 200 {
			at := rapid.Int32Range(0, int32(n.Routers()-1)).Draw(rt, "at")
			h := NewHeader(0, rapid.Int32Range(0, int32(n.Routers()-1)).Draw(rt, "goal"))
			h.Marks = rapid.Uint32().Draw(rt, "marks")
			h.Class = uint8(rapid.IntRange(0, 1).Draw(rt, "class"))
			if in := n.Into(at); rapid.Bool().Draw(rt, "came") && len(in) > 0 {
				h.Last = rapid.SampledFrom(in).Draw(rt, "by")
			}
			if a, b := f.Next(&h, at, nil, nil), plain.Next(&h, at, nil, nil); !slices.Equal(a, b) {
				rt.Fatalf("from %d, %+v: %v, expected %v", at, h, a, b)
			}
		}
	})
	if kept == 0 {
		t.Error("no network has moves")
	}
}
