package delay

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/plenum-planner/plenum/topology"
	"github.com/plenum-planner/plenum/units"
)

// products are lattices whose links lead along one dimension each.
var products = []topology.Params{
	topology.Torus{Dims: topology.Ints{4, 3, 2}},
	topology.Torus{Dims: topology.Ints{9, 5}},
	topology.Torus{Dims: topology.Ints{2, 10, 3}},
	topology.Mesh{Dims: topology.Ints{3, 4, 2}},
	topology.Mesh{Dims: topology.Ints{11, 4}},
	topology.Hypercube{Dims: topology.Ints{5}},
	topology.IBT{Dims: topology.Ints{8, 8}, BypassDims: 1, BypassLengths: topology.Ints{4}},
	topology.Torus{Dims: topology.Ints{4, 3, 2}, Terminals: 2},
	topology.Mesh{Dims: topology.Ints{3, 5}, Terminals: 3},
	topology.Hypercube{Dims: topology.Ints{4}, Terminals: 1},
	topology.HyperX{Dims: topology.Ints{3, 4, 2}, Terminals: 2},
	topology.HyperX{Dims: topology.Ints{5, 4}, Terminals: 3},
	topology.FlattenedButterfly{Dims: topology.Ints{3, 3}, Terminals: 2},
}

// grouped gives links lengths and media that depend on the coordinates of their dimension's group, of
// which there are as many as groups tells, and terminals' links those by their number at the router.
func grouped(g topology.Lattice, groups []int, seed uint64, choices int) Links {
	dims, routers := g.Dims(), 1
	for _, d := range dims {
		routers *= d
	}
	coordinates := func(v int) (out []int) {
		for _, d := range dims {
			out = append(out, v%d)
			v /= d
		}
		return out
	}
	var l Links
	for link := range g.Links() {
		h := fnv.New64a()
		fmt.Fprint(h, seed, " ")
		switch a, b := min(int(link.A), int(link.B)), max(int(link.A), int(link.B)); {
		case b >= routers:
			fmt.Fprint(h, "terminal", (b-routers)%g.TerminalsPerRouter())
		default:
			p, q := coordinates(a), coordinates(b)
			for d := range dims {
				if p[d] == q[d] {
					continue
				}
				fmt.Fprint(h, d, min(p[d], q[d]), max(p[d], q[d]))
				for e := range dims {
					if e != d && groups[e] == groups[d] {
						fmt.Fprint(h, " ", e, p[e])
					}
				}
			}
		}
		x := h.Sum64() % uint64(choices)
		l.Add(units.Length(0.5+0.35*float64(x)), uint8(x%2))
	}
	return l
}

// All pairs by those of factors equal searches from every source.
func TestProductsEqualSearches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		params := rapid.SampledFrom(products).Draw(t, "topology")
		made, err := topology.New(params)
		if err != nil {
			t.Fatal(err)
		}
		g := made.(topology.Lattice)
		groups := make([]int, len(g.Dims()))
		for d := range groups {
			groups[d] = rapid.IntRange(0, d).Draw(t, "group")
		}
		l := grouped(g, groups, rapid.Uint64().Draw(t, "seed"), rapid.SampledFrom([]int{1, 3, 40}).Draw(t, "lengths"))
		m := model(g)
		for i := range m.Hop { // few detours, and many
			m.Hop[i] *= units.Time(rapid.SampledFrom([]float64{1, 0.02}).Draw(t, "hop"))
		}
		c := topology.NewCSR(g)
		n, err := newNetwork(g.Kinds(), c, m, l, false)
		if err != nil {
			t.Fatal(err)
		}
		p := newProduct(n, g.Dims())
		several := slices.Max(groups) > slices.Min(groups)
		if p == nil {
			if several {
				t.Fatalf("%v with groups %v is not a product", params, groups)
			}
			return
		}
		got, ok, err := p.measure(context.Background(), n, nil)
		if err != nil || !ok {
			t.Fatalf("%v, %v", ok, err)
		}
		want, err := n.measure(context.Background(), c.Vertices(), bySource{}, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		means := cmpopts.IgnoreFields(Result{}, "AverageMean", "AverageMax", "AverageStdErr")
		if d := cmp.Diff(want, got, means); d != "" {
			t.Fatalf("%v: searched (-), by factors (+):\n%s", params, d)
		}
		if d := cmp.Diff(want, got, close9); d != "" {
			t.Fatalf("%v: searched (-), by factors (+):\n%s", params, d)
		}
	})
}

// What is not a product is not taken for one: a single longer link, a missing one, an end that differs.
func TestOtherNetworksAreNoProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for _, params := range products {
		made, err := topology.New(params)
		if err != nil {
			t.Fatal(err)
		}
		g := made.(topology.Lattice)
		groups := make([]int, len(g.Dims()))
		for d := range groups {
			groups[d] = d
		}
		l := grouped(g, groups, 1, 40)
		c := topology.NewCSR(g)
		network := func(l Links) *network {
			n, err := newNetwork(g.Kinds(), c, model(g), l, false)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		if len(g.Dims()) > 1 && newProduct(network(l), g.Dims()) == nil {
			t.Errorf("%v is not a product", params)
		}
		for range 20 {
			i := rng.IntN(l.Count())
			other := Links{slices.Clone(l.length), slices.Clone(l.medium)}
			other.length[i] += 50
			p := newProduct(network(other), g.Dims())
			if p == nil {
				continue
			}
			// A longer link can leave a product of fewer factors: of those that it does not tie to others.
			got, ok, err := p.measure(context.Background(), network(other), nil)
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			want, err := network(other).measure(context.Background(), c.Vertices(), bySource{}, Options{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got, close9); d != "" {
				t.Errorf("%v, link %d longer: (-want +got)\n%s", params, i, d)
			}
		}
	}
}

// All pairs of 16,384 nodes within the steps of a few factors, and what a sample says of them.
func TestProductsAreMeasuredWithinFewSteps(t *testing.T) {
	params := topology.Torus{Dims: topology.Ints{32, 16, 8, 4}}
	made, err := topology.New(params)
	if err != nil {
		t.Fatal(err)
	}
	g := made.(topology.Lattice)
	l := grouped(g, []int{0, 1, 2, 3}, 5, 40)
	r := measured(t, g, model(g), l, Options{Limit: 1, Work: 1 << 22})
	if !r.Exact || r.Sources != 16384 || r.HopsMax != 30 {
		t.Errorf("%+v", r)
	}
	if s := measured(t, g, model(g), l, Options{Limit: 1, Sources: 40, Seed: 2}); s.Exact ||
		s.LeastMax > r.LeastMax || s.FastestMax > r.FastestMax {
		t.Errorf("of a sample: %+v; of all: %+v", s, r)
	}
}

// TestSteps compares the only dimension in which two points of a lattice differ, and by how much, with all coordinates.
func TestSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &lattice{dims: rapid.SliceOfN(rapid.IntRange(1, 5), 1, 4).Draw(t, "dims")}
		size := 1
		for _, d := range l.dims {
			l.strides = append(l.strides, size)
			size *= d
		}
		at := make([]int, len(l.dims))
		for v := range size {
			for u := range size {
				want, by, differ := -1, 0, 0
				for d := range l.dims {
					if at[d] != l.coordinate(v, d) {
						t.Fatalf("%v are not the coordinates of %d", at, v)
					}
					if x := l.coordinate(u, d); x != at[d] {
						want, by = d, x-at[d]
						differ++
					}
				}
				if differ != 1 {
					want, by = -1, 0
				}
				if d, got := l.step(at, v, u); d != want || got != by && d >= 0 {
					t.Fatalf("from %d to %d by %d along %d, want %d along %d", v, u, got, d, by, want)
				}
			}
			l.advance(at)
		}
	})
}
