package delay

import (
	"context"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// Sources side by side in lanes, and each by itself: the same to the last bit, in several blocks of rows, with rings
// and lines in the other dimensions, and with detours.
func TestLanesEqualSourcesByThemselves(t *testing.T) {
	if !hasLanes {
		t.Skip("no AVX-512")
	}
	defer func() { hasLanes = true }()
	detours := int64(0)
	for i, x := range []struct {
		dims  []int
		lines []int // dimensions that are not rings
		large bool
	}{
		{dims: []int{11}},
		{dims: []int{8}},
		{dims: []int{9, 4}},
		{dims: []int{10, 7}},
		{dims: []int{10, 7}, lines: []int{1}},
		{dims: []int{8, 5, 4}},
		{dims: []int{8, 5, 4}, lines: []int{2}},
		{dims: []int{13, 6, 9}},
		{dims: []int{8, 6, 9}, lines: []int{1, 2}},
		{dims: []int{8, 1, 2, 7}},
		{dims: []int{12, 3, 7, 6}},
		{dims: []int{12, 3, 7, 6}, lines: []int{3}},
		{dims: []int{1024, 6}, large: true},      // blocks of two rows
		{dims: []int{2048, 3}, large: true},      // and of one
		{dims: []int{64, 75, 2}, large: true},    // two blocks on either side
		{dims: []int{128, 34, 3}, large: true},   // an upper block and a row
		{dims: []int{256, 9, 2, 2}, large: true}, // blocks of eight rows
	} {
		for _, choices := range []int{1, 2, 40} {
			for _, hop := range []units.Time{90, 1} {
				if x.large && choices != 2 {
					continue
				}
				g := torus(x.dims...)
				g.links = slices.DeleteFunc(g.links, func(l topology.Link) bool {
					return l.B < l.A && slices.Contains(x.lines, int(l.Level))
				})
				l := lengths(g, rand.New(rand.NewPCG(uint64(i), 16)), choices)
				if x.large {
					l = Links{}
					for _, link := range g.links { // one source in four
						l.Add(units.Length(1+int(link.A)/2%x.dims[0]%(x.dims[0]/4)%5+int(link.Level)), 0)
					}
				}
				m := model(g)
				m.Hop[0] = hop
				detours += lanesAgree(t, g, m, l)
			}
		}
	}
	if detours == 0 {
		t.Error("no detours")
	}
}

func lanesAgree(t *testing.T, g *grid, m Model, l Links) int64 {
	t.Helper()
	c := topology.NewCSR(g)
	n, err := newNetwork(g.Kinds(), c, m, l, false)
	if err != nil {
		t.Fatal(err)
	}
	var results [2]*Result
	for i := range results {
		hasLanes = i == 1
		results[i], err = n.measure(context.Background(), c.Vertices(), newLattice(n, g.dims), Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(results[0], results[1]) {
		t.Errorf("%v: by themselves\n%+v\nside by side\n%+v", g.dims, results[0], results[1])
	}
	return results[1].Detours
}

// Sources side by side in a torus in racks, all different.
func BenchmarkLanes(b *testing.B) {
	dims := []int{64, 32, 32}
	if os.Getenv("PLENUM_LONG") == "1" {
		dims = []int{128, 128, 64}
	}
	g := torus(dims...)
	n, err := newNetwork(g.Kinds(), topology.NewCSR(g), model(g), racked(g), false)
	if err != nil {
		b.Fatal(err)
	}
	l := newLattice(n, g.dims)
	if !l.hasLanes() {
		b.Skip("no AVX-512")
	}
	t := &tally{net: n, sources: n.everyEnd(), shift: n.binShift()}
	t.count()
	s := newLaneSweeper(t, l)
	groups := make([]group, lanes)
	for at := 0; b.Loop(); at = (at + lanes) % n.vertices() {
		for i := range groups {
			groups[i] = group{uint32(at + i), at + i, at + i + 1, 1}
		}
		s.run(groups)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(lanes*n.vertices()), "ns/pair")
}
