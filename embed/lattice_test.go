package embed

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
)

func lattice(t interface{ Fatal(args ...any) }, dims ...int) topology.Lattice {
	g, err := topology.New(topology.Torus{Dims: dims})
	if err != nil {
		t.Fatal(err)
	}
	return g.(topology.Lattice)
}

// A grid of slots gets the block that fewest links leave, however the dimensions
// are ordered.
func TestFewestLinksLeaveAChassis(t *testing.T) {
	for _, c := range []struct {
		dims  []int
		slots [3]int
		want  []int
	}{
		{[]int{24, 23, 24, 2, 3, 2}, [3]int{8, 6, 1}, []int{2, 1, 2, 2, 3, 2}},
		{[]int{2, 3, 2, 24, 24, 23}, [3]int{6, 8, 1}, []int{2, 3, 2, 2, 2, 1}},
		{[]int{64, 32, 32}, [3]int{8, 8, 8}, []int{8, 8, 8}}, // the midplane of Blue Gene/L
		{[]int{16, 16, 4}, [3]int{4, 4, 1}, []int{2, 2, 4}},
	} {
		levels := []cells{{name: "hall", count: [3]int{1, 1, 1}}, {name: "chassis", count: c.slots}}
		cut, err := cutLattice(lattice(t, c.dims...), levels, true, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(cut.factor[1], c.want) {
			t.Errorf("%v in %v: blocks of %v, want %v", c.dims, c.slots, cut.factor[1], c.want)
		}
	}
}

// The block is as good as the best of all ways to share factors of the dimensions
// among the axes, tried one by one.
func TestFittingBlockAgainstAllWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dims := rapid.SliceOfN(rapid.IntRange(2, 6), 1, 4).Draw(t, "dims")
		var count [3]int
		for a := range count {
			count[a] = rapid.IntRange(1, 6).Draw(t, "count")
		}
		leaving := outgoingLinks(lattice(t, dims...))
		best, found := 0.0, false
		block := ones(len(dims))
		var try func(d int, left [3]int)
		try = func(d int, left [3]int) {
			if d == len(dims) {
				if left == [3]int{1, 1, 1} && (!found || leaving(block) < best) {
					best, found = leaving(block), true
				}
				return
			}
			for f := 1; f <= dims[d]; f++ {
				for a := range left {
					if dims[d]%f == 0 && left[a]%f == 0 {
						rest := left
						rest[a] /= f
						block[d] = f
						try(d+1, rest)
					}
				}
			}
			block[d] = 1
		}
		try(0, count)
		f, axes, ok := fittingBlock(dims, ones(len(dims)), dims, count, leaving)
		if ok != found || ok && leaving(f) > best+1e-9 {
			t.Fatalf("%v %v, the best of all leaves %v links of each router: %v", f, ok, best, found)
		}
		if !ok {
			return
		}
		slices.Sort(axes)
		if !slices.Equal(axes, identityOrder(len(dims))) || product(f) != count[0]*count[1]*count[2] {
			t.Fatalf("%v along %v", f, axes)
		}
	})
}
